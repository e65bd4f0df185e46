"""navkit beside its peers on the same jobs, in one run: `python tests/benchmarks/against_peers.py`.

Every answer is checked against the others before anything is timed. What counts are the ratios:
each round times all contenders of a job in turn, so that a machine busy with other things slows
them alike, and the median of the rounds is shown. Peers that are not installed are left out, with
a line that says so: `pip install icepool dyce lea numba`. Then what has no peer: exact fights, the
import, and sliders of the first notebook in Chromium.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import navkit as nk
from navkit.dice import die, exploding
from navkit.rulebooks import gurps

Work = Callable[[], Any]


@dataclass(frozen=True)
class Job:
    """A task with one contender a library; `show` turns an answer into comparable numbers."""

    name: str
    contenders: dict[str, Work]
    show: Callable[[Any], Any] = lambda answer: answer
    close: float = 1e-9


# Pmfs: building included, notation parsed beforehand, nothing cached


def numpy_power(sides: int, count: int) -> np.ndarray:
    base = np.full(sides, 1 / sides)
    result = None
    while count:
        if count & 1:
            result = base if result is None else np.convolve(result, base)
        count >>= 1
        if count:
            base = np.convolve(base, base)
    return result


def numpy_exploding(sides: int, depth: int = 10) -> np.ndarray:
    pmf = np.zeros(sides * depth)
    for k in range(depth):
        pmf[k * sides : (k + 1) * sides - 1] = float(sides) ** -(k + 1)
    pmf[-1] = float(sides) ** -depth
    return pmf


def spread(pmf: Any) -> tuple[float, float]:
    """Mean above the lowest value and variance of a pmf, however a library holds it."""
    values, chances = (np.asarray(part, dtype=float) for part in zip(*pairs(pmf), strict=True))
    chances = chances / chances.sum()
    mean = values @ chances
    return float(mean - values.min()), float((values - mean) ** 2 @ chances)


def pairs(pmf: Any) -> Iterator[tuple[int, float]]:
    if isinstance(pmf, np.ndarray):
        yield from enumerate(pmf)
    elif isinstance(pmf, nk.Distribution):
        yield from zip(pmf.support.tolist(), pmf.pmf.tolist(), strict=True)
    elif hasattr(pmf, "pmf_tuple"):  # lea
        yield from pmf.pmf_tuple()
    else:  # icepool and dyce count outcomes
        yield from ((int(v), float(n)) for v, n in pmf.items())


def peers() -> dict[str, Any]:
    found = {}
    for name in ("icepool", "dyce", "lea"):
        if importlib.util.find_spec(name):
            found[name] = __import__(name)
        else:
            print(f"{name} is not installed, and left out")
    return found


def pmf_jobs(libraries: dict[str, Any]) -> Iterator[Job]:
    for count in (3, 5, 30, 100, 300):
        contenders: dict[str, Work] = {
            "navkit": lambda n=count: die(6).repeat(n),
            "numpy": lambda n=count: numpy_power(6, n),
        }
        if icepool := libraries.get("icepool"):
            contenders["icepool"] = lambda n=count, lib=icepool: n @ new_die(lib, 6)
        if dyce := libraries.get("dyce"):
            contenders["dyce"] = lambda n=count, lib=dyce: n @ lib.H(6)
        if lea := libraries.get("lea"):
            contenders["lea"] = lambda n=count, lib=lea: lea_die(lib, 6).times(n)
        yield Job(f"pmf of {count}d6", contenders, spread)
    damage: dict[str, Work] = {
        "navkit": lambda: (die(6).repeat(5) * 4 - 50).clip(0),
        "numpy": numpy_damage,
    }
    if icepool := libraries.get("icepool"):
        damage["icepool"] = lambda: (4 * (5 @ new_die(icepool, 6)) - 50).map(lambda x: max(0, x))
    if dyce := libraries.get("dyce"):
        damage["dyce"] = lambda: (5 @ dyce.H(6)).apply(lambda x: max(0, 4 * x - 50))
    if lea := libraries.get("lea"):
        damage["lea"] = lambda: (4 * lea_die(lea, 6).times(5) - 50).map(lambda x: max(0, x))
    yield Job("max(0, 4·5d6 − 50)", damage, spread)
    two: dict[str, Work] = {
        "navkit": lambda: exploding(12).repeat(2),
        "numpy": lambda: np.convolve(*[numpy_exploding(12)] * 2),
    }
    three: dict[str, Work] = {
        "navkit": lambda: exploding(20) + exploding(10) + exploding(8),
        "numpy": lambda: np.convolve(
            np.convolve(numpy_exploding(20), numpy_exploding(10)), numpy_exploding(8)
        ),
    }
    if icepool := libraries.get("icepool"):
        two["icepool"] = lambda: 2 @ new_die(icepool, 12).explode(depth=9)
        three["icepool"] = lambda: (
            new_die(icepool, 20).explode(depth=9)
            + new_die(icepool, 10).explode(depth=9)
            + new_die(icepool, 8).explode(depth=9)
        )
    yield Job("2d12 exploding", two, spread, close=1e-6)
    yield Job("d20+d10+d8, all exploding", three, spread, close=1e-6)


def numpy_damage() -> np.ndarray:
    values = 4 * np.arange(5, 31) - 50
    return np.bincount(np.maximum(values, 0), weights=numpy_power(6, 5))


def new_die(icepool: Any, sides: int) -> Any:
    """A die of its own: icepool's keep the sums they were asked for."""
    return icepool.Die(range(1, sides + 1))


def lea_die(lea: Any, sides: int) -> Any:
    return lea.interval(1, sides, prob_type="f")


# First passage of a hull


def passage_jobs(libraries: dict[str, Any]) -> Iterator[Job]:
    """When a hull of 450 is gone under 4·max(0, 5d6 − 1), or half of it on a miss, by turn."""
    fleet = duel_ships()

    def navkit_passage() -> list[float]:
        a, b, rules = fleet
        return gurps.odds.sinking(a, b, turns=30, rules=rules).tolist()

    def numpy_passage() -> list[float]:
        hull, loss = np.zeros(451), numpy_volley()
        hull[450], gone = 1.0, [0.0]
        for _ in range(30):
            after = np.convolve(hull[1:], loss[::-1])
            # index k of `after` is hull k + 1 − (len(loss) − 1)
            low = len(loss) - 2
            gone.append(gone[-1] + float(after[: low + 1].sum()))
            hull = np.concatenate(([0.0], after[low + 1 :]))
        return gone

    contenders: dict[str, Work] = {"navkit": navkit_passage, "numpy": numpy_passage}
    if dyce := libraries.get("dyce"):
        contenders["dyce"] = lambda: counted_passage(dict(dyce_volley(dyce)))
    if icepool := libraries.get("icepool"):
        contenders["icepool"] = lambda: counted_passage(dict(icepool_volley(icepool).items()))
        contenders["icepool, its own sums"] = lambda: own_passage(icepool_volley(icepool))
    yield Job("turn a hull of 450 is gone, 30 turns", contenders, lambda s: tuple(s), close=1e-9)


def numpy_volley() -> np.ndarray:
    damage = 4 * np.maximum(np.arange(5, 31) - 1, 0)
    five, hit = numpy_power(6, 5), 160 / 216
    return np.bincount(damage, weights=five * hit, minlength=117) + np.bincount(
        damage // 2, weights=five * (1 - hit), minlength=117
    )


def icepool_volley(icepool: Any) -> Any:
    damage = (5 @ new_die(icepool, 6)).map(lambda x: 4 * max(0, x - 1))
    hit = (3 @ new_die(icepool, 6)) <= 12
    return hit.if_else(damage, damage.map(lambda x: x // 2))


def dyce_volley(dyce: Any) -> Iterator[tuple[int, int]]:
    found: dict[int, int] = {}
    five = dict((5 @ dyce.H(6)).items())
    for x, n in five.items():
        damage = 4 * max(0, int(x) - 1)
        found[damage] = found.get(damage, 0) + 160 * n
        found[damage // 2] = found.get(damage // 2, 0) + 56 * n
    yield from found.items()


def counted_passage(volley: dict[int, int]) -> list[float]:
    """The obvious loop over a library's counts, as its users write it."""
    total = sum(volley.values())
    chances = {int(loss): n / total for loss, n in volley.items()}
    hulls, gone = {450: 1.0}, [0.0]
    for _ in range(30):
        after: dict[int, float] = {}
        for hull, p in hulls.items():
            for loss, q in chances.items():
                after[max(0, hull - loss)] = after.get(max(0, hull - loss), 0.0) + p * q
        gone.append(gone[-1] + after.pop(0, 0.0))
        hulls = after
    return gone


def own_passage(volley: Any) -> list[float]:
    """The sum of so many volleys, as icepool gives it, by turn."""
    return [0.0] + [float(((turns @ volley) >= 450).mean()) for turns in range(1, 31)]


# Simulated duels


def duel_ships() -> tuple[gurps.Ship, gurps.Ship, gurps.HouseRules]:
    """Two hulls of 450 that trade 3d6 ≤ 12 for 4·max(0, 5d6 − 1), half on a miss, together.

    The house rules, and hands past counting, take everything else out of the GURPS duel.
    """
    ship = gurps.Ship(
        name="hull",
        kph=10,
        dr=1,
        hull=450,
        cannons=(4, 0, 0, 0),
        damage="5d",
        crew=100,
        skeleton_crew=0,
    )
    rules = gurps.HouseRules(
        reload="none", dr_ablation="none", fire_order="together", crew_damage_base="hull lost"
    )
    return ship, ship, rules


FIGHTS = 50 * 1024


def navkit_duels(fights: int = FIGHTS) -> np.ndarray:
    a, b, rules = duel_ships()
    found = gurps.duel(a, b, turns=20, chance=nk.Sampled(fights), rules=rules)
    return found.outcome()[["a", "b", "both"]].to_numpy()


def numpy_duels(fights: int = FIGHTS) -> np.ndarray:
    """Straightforward: whole arrays, int64."""
    random = np.random.default_rng(1)
    hulls = np.full((2, fights), 450)
    for _ in range(20):
        hit = random.integers(1, 7, (3, 2, fights)).sum(axis=0) <= 12
        damage = 4 * np.maximum(random.integers(1, 7, (5, 2, fights)).sum(axis=0) - 1, 0)
        loss = np.where(hit, damage, damage // 2)
        on = (hulls > 0).all(axis=0)
        hulls = np.where(on, hulls - loss[::-1], hulls)
    return outcomes(hulls)


def tuned_duels(fights: int = FIGHTS) -> np.ndarray:
    """Tuned: one byte a die, chunks that fit the cache, finished duels dropped."""
    random = np.random.default_rng(1)
    total = np.zeros(3)
    for _ in range(0, fights, 4096):
        hulls = np.full((2, min(4096, fights)), 450, dtype=np.int16)
        for _ in range(20):
            n = hulls.shape[1]
            rolled = random.integers(1, 7, (8, 2, n), dtype=np.uint8)
            hit = rolled[:3].sum(axis=0, dtype=np.uint8) <= 12
            damage = (rolled[3:].sum(axis=0, dtype=np.uint8).astype(np.int16) - 1) * 4
            hulls -= np.where(hit, damage, damage >> 1)[::-1]
            over = (hulls <= 0).any(axis=0)
            if over.any():
                total += outcomes(hulls[:, over]) * over.sum()
                hulls = hulls[:, ~over]
                if not hulls.shape[1]:
                    break
    return total / fights


def outcomes(hulls: np.ndarray) -> np.ndarray:
    a, b = hulls > 0
    return np.array([(a & ~b).mean(), (b & ~a).mean(), (~a & ~b).mean()])


def plain_duels(fights: int = FIGHTS) -> np.ndarray:
    """As people write it who know no numpy."""
    import random

    rng, found = random.Random(1), [0, 0, 0]
    for _ in range(fights):
        hulls = [450, 450]
        while hulls[0] > 0 and hulls[1] > 0:
            for target in (0, 1):
                hit = sum(rng.randint(1, 6) for _ in range(3)) <= 12
                damage = 4 * max(0, sum(rng.randint(1, 6) for _ in range(5)) - 1)
                hulls[target] -= damage if hit else damage // 2
        place = 2 if hulls[0] <= 0 and hulls[1] <= 0 else 0 if hulls[0] > 0 else 1
        found[place] += 1
    return np.array(found) / fights


def quick_plain_duels(fights: int = FIGHTS) -> np.ndarray:
    """Plain Python by someone who has measured it."""
    import random

    rng, found = random.Random(1), [0, 0, 0]
    die_ = rng.choice
    faces = (1, 2, 3, 4, 5, 6)
    for _ in range(fights):
        hulls = [450, 450]
        while hulls[0] > 0 and hulls[1] > 0:
            for target in (0, 1):
                hit = die_(faces) + die_(faces) + die_(faces) <= 12
                roll = sum([die_(faces) for _ in range(5)])
                damage = 4 * max(0, roll - 1)
                hulls[target] -= damage if hit else damage // 2
        place = 2 if hulls[0] <= 0 and hulls[1] <= 0 else 0 if hulls[0] > 0 else 1
        found[place] += 1
    return np.array(found) / fights


def duel_jobs() -> Iterator[Job]:
    few = FIGHTS // 25
    contenders: dict[str, Work] = {
        "navkit": navkit_duels,
        "numpy": numpy_duels,
        "numpy, tuned": tuned_duels,
        f"plain Python ({few} fights)": lambda: plain_duels(few),
        f"plain Python, tuned ({few} fights)": lambda: quick_plain_duels(few),
    }
    if importlib.util.find_spec("numba"):
        contenders["numba"] = numba_duels()
    yield Job(f"{FIGHTS} simulated duels", contenders, lambda found: tuple(found), close=0.03)


def numba_duels() -> Work:
    import numba

    # numba knows only numpy's older generator
    @numba.njit
    def run(fights: int) -> Any:
        np.random.seed(1)  # noqa: NPY002
        found = np.zeros(3)
        for _ in range(fights):
            first, second = 450, 450
            while first > 0 and second > 0:
                for target in range(2):
                    hit = 0
                    for _ in range(3):
                        hit += np.random.randint(1, 7)  # noqa: NPY002
                    roll = 0
                    for _ in range(5):
                        roll += np.random.randint(1, 7)  # noqa: NPY002
                    damage = 4 * max(0, roll - 1)
                    if hit > 12:
                        damage //= 2
                    if target == 0:
                        first -= damage
                    else:
                        second -= damage
            found[2 if first <= 0 and second <= 0 else 0 if first > 0 else 1] += 1
        return found / fights

    run(10)
    return lambda: run(FIGHTS)


# Exact fights


def exact_times() -> Iterator[tuple[str, Work]]:
    from exact_duels import SLOOPS  # beside this file, where only a script finds it

    crew = gurps.ship("70-gun military")
    barque = gurps.ship("Barquentine")
    yield (
        "exact boarding 701 against 701, 60 turns",
        lambda: gurps.board(crew, crew, turns=60, chance=nk.Exact()),
    )
    yield (
        "exact boarding 132 against 132 with dead and wounded",
        lambda: gurps.board(
            barque, barque, turns=60, chance=nk.Exact(distributions=("dead", "wounded"))
        ),
    )
    for crew_is, sloop in SLOOPS.items():
        for reload, within in (("none", 1e-12), ("one turn", 1e-3)):
            rules = gurps.HouseRules(reload=reload)
            yield (
                f"exact Sloop against Sloop, {crew_is}, 30 turns, who is put out of action within "
                f"{within}, reload {reload} (more in exact_duels.py)",
                partial(gurps.odds.out_of_action, sloop, sloop, within=within, rules=rules),
            )
    brig = gurps.ship("Brig")
    yield (
        "20,000 sampled duels of 20 turns",
        lambda: gurps.duel(brig, brig, turns=20, chance=nk.Sampled(20_000)),
    )


def import_time(what: str) -> float:
    code = f"import time; t = time.perf_counter(); {what}; print(time.perf_counter() - t)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


# The run


def measure(job: Job, rounds: int) -> dict[str, float]:
    answers = {name: job.show(work()) for name, work in job.contenders.items()}
    for name, answer in answers.items():
        if not np.allclose(answer, answers["navkit"], rtol=job.close, atol=job.close):
            raise AssertionError(f"{job.name}: {name} says {answer}, navkit {answers['navkit']}")
    times: dict[str, list[float]] = {name: [] for name in job.contenders}
    for _ in range(rounds):
        for name, work in job.contenders.items():
            times[name].append(timed(work))
    medians = {name: statistics.median(found) for name, found in times.items()}
    for name in medians:
        if name.startswith("plain Python"):
            medians[name] *= FIGHTS / (FIGHTS // 25)
    return medians


def timed(work: Work) -> float:
    """Processor seconds of one call, repeated until they can be told from the clock's grain."""
    repeats = 1
    while True:
        start = time.process_time()
        for _ in range(repeats):
            work()
        spent = time.process_time() - start
        if spent > 0.02 or repeats > 10_000:
            return spent / repeats
        repeats *= 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-slider", action="store_true", help="leave out Chromium")
    told = parser.parse_args()
    rounds = told.rounds
    load = os.getloadavg()[0]
    print(f"load of the machine at the start: {load:.1f} on {os.cpu_count()} cores\n")
    print("milliseconds of navkit, and how many times as long the others take", flush=True)
    libraries = peers()
    rows = {}
    for job in (*pmf_jobs(libraries), *passage_jobs(libraries), *duel_jobs()):
        medians = measure(job, rounds)
        own = medians.pop("navkit")
        others = {name: f"×{time / own:.3g}" for name, time in medians.items()}
        rows[job.name] = {"navkit": f"{own * 1e3:.3g} ms", **others}
    print(pd.DataFrame.from_dict(rows, orient="index").fillna("").to_string(), end="\n\n")
    for name, work in exact_times():
        found = sorted(timed(work) for _ in range(rounds))
        print(f"{name}: {found[len(found) // 2] * 1e3:.1f} ms")
    both = [
        (import_time("import navkit"), import_time("import numpy, pandas")) for _ in range(rounds)
    ]
    ratio = statistics.median(own / base for own, base in both)
    print(f"import navkit: {ratio:.2f} of importing numpy and pandas\n", flush=True)
    if not told.no_slider:
        import slider  # which needs Chromium and what drives it

        slider.tell("voila")


if __name__ == "__main__":
    main()
