"""How long battles of 50 against 50 ships take: python tests/benchmarks/medieval_fleets.py

Grappling, captures and morale included. The aim is 1,000 battles in under 3 seconds.
"""

from time import perf_counter, process_time

from navkit import Sampled
from navkit.rulebooks import medieval

SHIPS, BATTLES, TURNS = 50, 1000, 40


def fleet(letter: str) -> list[medieval.Ship]:
    """Fifty long ships, the first the flagship."""
    return [medieval.Ship(f"{letter}{n}", flagship=n == 1) for n in range(1, SHIPS + 1)]


def main() -> None:
    a, b = fleet("a"), fleet("b")
    consenting = (medieval.Doctrine(), medieval.Doctrine())
    unwilling = (medieval.Doctrine(), medieval.Doctrine(grapples=False))
    for name, doctrines in (("grappling by consent", consenting), ("against the will", unwilling)):
        wall, cpu = perf_counter(), process_time()
        h = medieval.fleet_battle(
            a, b, turns=TURNS, doctrines=doctrines, chance=Sampled(fights=BATTLES)
        )
        wall, cpu = perf_counter() - wall, process_time() - cpu
        won = h.outcome().round(3).to_dict()
        print(f"{BATTLES} battles, {name}: {wall:.2f} s, {cpu:.2f} s of one core; {won}")


if __name__ == "__main__":
    main()
