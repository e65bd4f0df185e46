"""How long exact batteries of 1 to 40 guns take: damage, Critical Hits, and both together.

Run it with `python tests/benchmarks/bench_1879_batteries.py`; it reports and asserts nothing.
"""

from time import perf_counter

from navkit.rulebooks import vehicular_1879 as v
from navkit.rulebooks.vehicular_1879 import barrage

GUNS = (1, 2, 3, 4, 6, 8, 12, 16, 20, 25, 30, 35, 40)
PARTS = ("damage", "criticals", "joint")
TIMES = 5


def milliseconds(guns: int, gunnery: int, doctrine: v.Doctrine, part: str) -> float:
    """The quickest of some runs, each with a battery that has not been worked out before."""
    battery = v.Battery(name="battery", weapons=guns, gunnery=gunnery, damage=20, karma=1)
    attacker = v.ship("HMS Alexandra", batteries=(battery,))
    target = v.ship("Armored train")
    found = []
    for _ in range(TIMES):
        barrage.barrage.cache_clear()
        started = perf_counter()
        getattr(v.odds.battery(attacker, target, doctrine=doctrine), part)
        found.append(perf_counter() - started)
    return 1000 * min(found)


def main() -> None:
    print("milliseconds for damage, Critical Hits, both; allowed are 50, 50, 250")
    for gunnery in (20, 100):
        for surplus in ("one", "spread", "criticals"):
            doctrine = v.Doctrine(surplus=surplus, karma="damage")
            worst = [0.0] * len(PARTS)
            for guns in GUNS:
                told = [milliseconds(guns, gunnery, doctrine, part) for part in PARTS]
                worst = [max(pair) for pair in zip(worst, told, strict=True)]
                print(f"gunnery {gunnery:3}  {surplus:9}  {guns:2} guns", end="  ")
                print("  ".join(f"{each:6.1f}" for each in told))
            print(f"gunnery {gunnery:3}  {surplus:9}    worst  ", end="")
            print("  ".join(f"{each:6.1f}" for each in worst))


if __name__ == "__main__":
    main()
