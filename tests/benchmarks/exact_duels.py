"""Exact gunnery duels, who is put out of action: `python tests/benchmarks/exact_duels.py`.

Sloops against Sloops with and without reloading, within several bounds, then all pairs of the
eight ready ships. Seconds are of the processor, the median of some runs for the Sloops. For each
pair it tells the error shown, and what is left out of each ship: "hull", "crew" or nothing. Give
OMP_NUM_THREADS=1, so that the matrices are multiplied by one thread.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.duel_odds import solve

NOBODY = gurps.Officers()


def timed(work: Callable[[], Any], rounds: int) -> tuple[float, Any]:
    """Processor seconds of a call, the median of some rounds, and what it gave."""
    spent = []
    for _ in range(rounds):
        start = time.process_time()
        answer = work()
        spent.append(time.process_time() - start)
    return statistics.median(spent), answer


def line(name: str, seconds: float, answer: Any) -> str:
    course, error, left_out = answer
    a, b, both = course.table[:, 1:].sum(axis=0)
    said = ", ".join(left or "nothing" for left in left_out.values())
    return (
        f"{name}: {seconds:.3f} s, a {a:.6f}, b {b:.6f}, both {both:.6f}, "
        f"undecided {course.table[-1, 0]:.6f}, error {error:.1e}, left out: {said}"
    )


def sloops(rounds: int, tight: bool) -> None:
    crews = {
        "officers at +0": gurps.ship("Sloop"),
        "no officers": gurps.ship("Sloop", officers=NOBODY),
    }
    for crew, ship in crews.items():
        for reload, within, times in (
            ("none", 1e-12, rounds),
            ("one turn", 1e-3, rounds),
            ("one turn", 1e-6, 1),
            ("one turn", 1e-10, 1 if tight else 0),
        ):
            if times:
                rules = gurps.HouseRules(reload=reload)
                found = timed(lambda: solve(ship, ship, 30, within, rules), times)  # noqa: B023
                print(line(f"Sloops, {crew}, reload {reload}, {within:g}", *found), flush=True)


def ready(within: float) -> None:
    names = gurps.library()["name"].tolist()
    total = 0.0
    for one in names:
        for two in names:
            a, b = gurps.ship(one), gurps.ship(two)
            seconds, answer = timed(lambda: solve(a, b, 30, within, gurps.HouseRules()), 1)  # noqa: B023
            total += seconds
            print(line(f"{one} against {two}", seconds, answer), flush=True)
    print(f"all {len(names) ** 2} pairs within {within:g}: {total:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--within", type=float, default=1e-6, help="error of the 64 pairs")
    parser.add_argument("--tight", action="store_true", help="Sloops within 1e-10 too")
    given = parser.parse_args()
    print(f"load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    sloops(given.rounds, given.tight)
    ready(given.within)


if __name__ == "__main__":
    main()
