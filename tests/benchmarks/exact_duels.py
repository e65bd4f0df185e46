"""Exact gunnery duels, who is put out of action: `python tests/benchmarks/exact_duels.py`.

Sloops against Sloops with and without reloading, within several bounds, then all pairs of the
eight ready ships. Seconds are of the processor, the median of some runs for the Sloops. For each
pair it tells the error shown, and what is left out of each ship: "hull", "crew" or nothing. Give
OMP_NUM_THREADS=1, so that the matrices are multiplied by one thread.

Then how far the exact duel comes that tells the distributions of hulls and hands too
(`gurps.duel(..., chance=Exact())`), if it may work out so many outcomes: the last turn that it
ends, the states it has there and those of each ship alone, and the probability that the fight
is still on.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any

import pandas as pd

from navkit.chance import Exact, TooManyStates
from navkit.engine.solver import PRUNED, Chain, Solver
from navkit.engine.turns import moments, standing
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.duel_odds import solve
from navkit.rulebooks.gurps.fight import duel_battle
from navkit.state import leaves
from navkit.tally import UNDECIDED

SLOOPS = {
    "officers at +0": gurps.ship("Sloop"),
    "no officers": gurps.ship("Sloop", officers=gurps.Officers()),
}
TURNS = 30


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
    for crew, ship in SLOOPS.items():
        for reload, within, times in (
            ("none", 1e-12, rounds),
            ("one turn", 1e-3, rounds),
            ("one turn", 1e-6, 1),
            ("one turn", 1e-10, 1 if tight else 0),
        ):
            if times:
                rules = gurps.HouseRules(reload=reload)
                found = timed(lambda: solve(ship, ship, TURNS, within, rules), times)  # noqa: B023
                print(line(f"Sloops, {crew}, reload {reload}, {within:g}", *found), flush=True)


def ready(within: float) -> None:
    names = gurps.library()["name"].tolist()
    total = 0.0
    for one in names:
        for two in names:
            a, b = gurps.ship(one), gurps.ship(two)
            seconds, answer = timed(lambda: solve(a, b, TURNS, within, gurps.HouseRules()), 1)  # noqa: B023
            total += seconds
            print(line(f"{one} against {two}", seconds, answer), flush=True)
    print(f"all {len(names) ** 2} pairs within {within:g}: {total:.1f} s")


def hulls(outcomes: int) -> None:
    """How far exact duels come that tell hulls and hands too, for so many outcomes."""
    print(f"with hulls and hands, {outcomes:,} outcomes a pair at most, {TURNS} turns wanted")
    names = gurps.library()["name"].tolist()
    for one, two in combinations_with_replacement(names, 2):
        a, b = gurps.ship(one), gurps.ship(two)
        seconds, said = timed(lambda: reached(a, b, outcomes), 1)  # noqa: B023
        print(f"{one} against {two}: {said} ({seconds:.1f} s)", flush=True)


def reached(a: gurps.Ship, b: gurps.Ship, outcomes: int) -> str:
    battle = duel_battle(a, b, gurps.HouseRules())
    # as many outcomes as asked for, but room for all their states
    solver = Solver(
        battle, Exact(states=outcomes, work=outcomes), PRUNED / (len(battle.turn) * TURNS)
    )
    chain, ended, last = solver.start(), 0, solver.start()
    try:
        for moment in moments(battle, range(TURNS + 1)):
            chain = solver.advance(chain, moment.steps)
            status, _ = standing(battle, solver.state(chain))
            chain = chain.where(status == UNDECIDED)
            if not len(chain):
                return f"all over in turn {moment.turn}, {solver.work:,} outcomes"
            if moment.is_last and moment.turn:
                ended, last = moment.turn, chain
    except TooManyStates as error:
        alone = " and ".join(f"{states_of(solver, last, x):,}" for x in "ab")
        return (
            f"turn {ended}, {len(last):,} states, {alone} of each ship, still on "
            f"{last.weight.sum():.2g}; the next turn takes over {error.allowed:,} {error.what}"
        )
    return f"all {TURNS} turns, {len(chain):,} states, {solver.work:,} outcomes"


def states_of(solver: Solver[Any], chain: Chain, x: str) -> int:
    """How many states one side is in."""
    paths = [leaf.path for leaf in leaves(solver.battle.start)]
    mine = {paths[at]: chain.arrays[at] for at in solver.keys if paths[at].startswith(f"{x}.")}
    return len(pd.DataFrame(mine).drop_duplicates())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--within", type=float, default=1e-6, help="error of the 64 pairs")
    parser.add_argument("--tight", action="store_true", help="Sloops within 1e-10 too")
    parser.add_argument("--outcomes", type=int, default=50_000_000, help="with hulls, a pair")
    given = parser.parse_args()
    print(f"load of the machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    sloops(given.rounds, given.tight)
    ready(given.within)
    hulls(given.outcomes)
    print(f"load of the machine at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
