"""How time and memory grow with hull, crew, turns, fights, fleet and workers.

    python tests/benchmarks/growth.py [--to notebooks/growth.csv] [--only crew]

Each row is one answer worked out in a process of its own: `seconds` of the processor, the best of
three, which a busy machine hardly changes (of the clock for worker processes, once, with `load`,
how many processes wanted the machine's cores meanwhile); `megabytes` by which the process grew
beyond what navkit takes once loaded. The figures are those of the machine it ran on; the notebook
`08-sweeps.ipynb` draws the stored ones.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pandas as pd

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import navkit as nk  # noqa: E402
from navkit.rulebooks import gurps, medieval  # noqa: E402

TIMES = 3
SIZES: dict[str, list[int]] = {
    "hull": [450, 900, 1800, 3600, 7200],
    "crew": [8, 16, 32, 64, 128, 256],
    "turns": [5, 10, 20, 40, 80],
    "fights": [1_000, 10_000, 100_000, 1_000_000],
    "fleet": [1, 2, 4],
    "fleets": [5, 10, 20, 40],
    "workers": [1, 2],
}
WHAT = {
    "hull": "unanswered fire at a hull, exact, 30 turns",
    "crew": "boarding of equal crews, exact, 60 turns",
    "turns": "Brig against Brigantine, 20,000 fights",
    "fights": "Brig against Brigantine, 20 turns",
    "fleet": "ships a side on the map, 1,000 fights, 10 turns",
    "fleets": "medieval ships a side, 250 battles, 20 turns",
    "workers": "all pairs of ready ships, 400,000 fights each, by the clock",
}


def asked(job: str, size: int) -> Any:
    """One answer of a size."""
    brig, brigantine = gurps.ship("Brig"), gurps.ship("Brigantine")
    match job:
        case "hull":
            target = gurps.ship("Brig", hull=size)
            return gurps.odds.sinking(brig, target, turns=30, chance=nk.Exact())
        case "crew":
            own, foe = (gurps.ship("Brig", crew=size, skeleton_crew=1) for _ in "ab")
            return gurps.board(own, foe, turns=60, chance=nk.Exact())
        case "turns":
            return gurps.duel(brig, brigantine, turns=size, chance=nk.Sampled(fights=20_000))
        case "fights":
            return gurps.duel(brig, brigantine, turns=20, chance=nk.Sampled(fights=size))
        case "fleet":
            own = [gurps.Placed(brig, 0, 3 * at) for at in range(size)]
            foe = [gurps.Placed(brigantine, 10, 3 * at, heading=3) for at in range(size)]
            return gurps.battle(own, foe, turns=10, chance=nk.Sampled(fights=1_000))
        case "fleets":
            own = [medieval.ship("Longship", name=f"L{at}") for at in range(size)]
            foe = [medieval.ship("Cog", name=f"C{at}") for at in range(size)]
            return medieval.fleet_battle(own, foe, turns=20, chance=nk.Sampled(fights=250))
        case _:
            names = gurps.library()["name"]
            grid = {"a": names, "b": names}
            chance = nk.Sampled(fights=400_000)
            return nk.sweep(gurps.duel, grid, chance=chance, workers=size, progress=False)


def megabytes() -> float:
    """The most memory this process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(job: str, size: int) -> dict[str, Any]:
    """Time and memory of one answer, in this process."""
    before, seconds = megabytes(), []
    once = job == "workers"
    clock = time.perf_counter if once else time.process_time
    for _ in range(1 if once else TIMES):
        begun = clock()
        asked(job, size)
        seconds.append(clock() - begun)
    return {
        "job": job,
        "what": WHAT[job],
        "size": size,
        "seconds": round(min(seconds), 4),
        "megabytes": round(megabytes() - before, 1),
        "load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Measures all sizes, each in a process of its own, and writes a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path)
    parser.add_argument("--only", choices=SIZES)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        print(json.dumps(measured(given.child[0], int(given.child[1]))))
        return
    rows = []
    for job, sizes in SIZES.items():
        for size in sizes if given.only in (None, job) else ():
            command = [sys.executable, __file__, "--child", job, str(size)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            rows.append(json.loads(done.stdout.splitlines()[-1]))
            print(rows[-1], flush=True)
    if given.to:
        pd.DataFrame(rows).to_csv(given.to, index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
