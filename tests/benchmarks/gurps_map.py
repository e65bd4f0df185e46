"""How long fights on the hex map take: python tests/benchmarks/gurps_map.py

10,000 fights of two ships over 20 turns, in one process and as two halves in two processes whose
samples are added up. The aim is under 5 seconds on two cores. The load of the machine stands
beside each time: above the number of its cores, the seconds of processor time tell more.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from time import perf_counter, process_time

from navkit import Sampled
from navkit.history import History
from navkit.rulebooks import gurps

FIGHTS, TURNS = 10_000, 20
CAPTAINS = (
    ("stand off and fire", "stand off and fire"),
    ("rake from the stern", "close and board"),
    ("run", "ram"),
)


def fight(captains: tuple[str, str], first: int, fights: int) -> tuple[History, float]:
    """Some fights of two Brigs, and the processor time they took."""
    start = process_time()
    a = gurps.Placed(gurps.ship("Brig"), 0, 0, 0, captains[0])
    b = gurps.Placed(gurps.ship("Brig"), 8, 0, 3, captains[1])
    h = gurps.battle(a, b, turns=TURNS, chance=Sampled(fights, first=first))
    return h, process_time() - start


def halves(pool: ProcessPoolExecutor, captains: tuple[str, str]) -> tuple[History, float]:
    """The same fights as two halves in two processes, and the longer processor time of the two."""
    half = FIGHTS // 2
    parts = list(pool.map(portable, [captains] * 2, (0, half), [half] * 2))
    (one, first), (two, second) = parts
    return one + two, max(first, second)


def portable(captains: tuple[str, str], first: int, fights: int) -> tuple[History, float]:
    """`fight`, without what can't be sent from one process to another: replay, and rules."""
    h, cpu = fight(captains, first, fights)
    return replace(h, again=None, battle=None), cpu


def main() -> None:
    print(f"{FIGHTS:,} map fights of two ships, {TURNS} turns, on {os.cpu_count()} cores")
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(portable, [CAPTAINS[0]] * 2, (0, 1024), (256, 256)))  # warm the tables
        fight(CAPTAINS[0], 0, 256)
        for captains in CAPTAINS:
            print(" against ".join(captains))
            outcomes, times = [], []
            for name, run in (
                ("one process", lambda c: fight(c, 0, FIGHTS)),
                ("two processes", lambda c: halves(pool, c)),
            ):
                start = perf_counter()
                h, cpu = run(captains)
                wall, load = perf_counter() - start, os.getloadavg()[0]
                outcomes.append(h.outcome())
                times.append((wall, cpu))
                print(f"  {name:13}  {wall:5.2f} s, {cpu:5.2f} s of a core; load {load:.1f}")
            assert outcomes[0].equals(outcomes[1]), "two halves are not the whole"
            wall, cpu = (one / two for one, two in zip(*times, strict=True))
            print(f"  two processes: {wall:.2f} times as fast; {cpu:.2f} on cores of their own")
            print("  " + str(outcomes[0].round(3).to_dict()))


if __name__ == "__main__":
    main()
