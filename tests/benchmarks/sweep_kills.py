"""Kills a sweep at random moments, starts it again each time, and sees what is lost: nothing.

    python tests/benchmarks/sweep_kills.py [--kills 20] [--seed 1]

The sweep is all pairs of ready GURPS ships in two worker processes, with its answers on disk. Its
process is killed (kill -9) at random moments between its start and its end. After each kill, the
cells on disk are all there still and are never asked again; the whole table in the end is bit for
bit that of a sweep in one process that nobody disturbed. A worker that outlives its sweep by more
than a few seconds is an error too.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pandas as pd
import psutil

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import sweep_questions  # noqa: E402

import navkit as nk  # noqa: E402
from navkit.rulebooks import gurps  # noqa: E402

PAIRS = 64
LATEST = 3.0
"""Seconds at which a sweep is killed at the latest, after its first answer or after its start."""
FROM_START = 0.25
"""The share of kills whose time runs from the start."""
OUTLIVES = 10.0


def swept(log: Path, **more: Any) -> pd.DataFrame:
    """The sweep under test."""
    names = gurps.library()["name"]
    return nk.sweep(
        sweep_questions.logged_duel,
        {"a": names, "b": names},
        chance=nk.Sampled(fights=2 * 1024, seed=7),
        log=str(log),
        progress=False,
        **more,
    )


def asked(log: Path) -> dict[str, list[int]]:
    """The processes that were asked about each pair, so far."""
    found: dict[str, list[int]] = {}
    for path in sorted(log.iterdir()):
        a, b, process, _ = path.name.split("~")
        found.setdefault(f"{a}~{b}", []).append(int(process))
    return found


def saved(to: Path) -> set[str]:
    """The pairs on disk, each of which must be there once."""
    if not list(to.glob("part-*.parquet")):
        return set()
    table = pd.read_parquet(to)
    pairs = (table["a"] + "~" + table["b"]).tolist()
    assert len(pairs) == len(set(pairs)), "a cell is on disk twice"
    return set(pairs)


def killed(folder: Path, chance: random.Random) -> bool:
    """Starts the sweep and kills it at a random moment; False if it had ended by itself."""
    command = [sys.executable, __file__, "--child", str(folder)]
    log, before = folder / "log", len(list((folder / "log").iterdir()))
    sweep = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    from_start = chance.random() < FROM_START
    while not from_start and sweep.poll() is None and len(list(log.iterdir())) == before:
        time.sleep(0.01)
    try:
        code = sweep.wait(chance.uniform(0.0, LATEST))
        assert code == 0, f"the sweep ended by itself with {code}"
        return False
    except subprocess.TimeoutExpired:
        workers = psutil.Process(sweep.pid).children(recursive=True)
        sweep.kill()
        sweep.wait()
        _, alive = psutil.wait_procs(workers, OUTLIVES)
        alive = [each for each in alive if each.status() != psutil.STATUS_ZOMBIE]
        assert not alive, f"workers outlive their sweep: {alive}"
        return True


def main() -> None:
    """Kills as often as told, and tells what became of the sweep."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        swept(given.child / "log", workers=2, to=given.child / "sweep.parquet")
        return
    chance = random.Random(given.seed)
    begun = time.perf_counter()
    kills = rounds = redone = 0
    with tempfile.TemporaryDirectory() as plain:
        expected = swept(Path(plain))
    while kills < given.kills:
        rounds += 1
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            log, to = folder / "log", folder / "sweep.parquet"
            log.mkdir()
            kept: dict[str, list[int]] = {}
            while kills < given.kills and killed(folder, chance):
                kills += 1
                there, sofar = saved(to), asked(log)
                assert set(kept) <= there, f"lost: {set(kept) - there}"
                kept = {pair: kept.get(pair, sofar[pair]) for pair in there}
                print(f"kill {kills}: {len(kept)} of {PAIRS} cells on disk", flush=True)
            found = swept(log, workers=2, to=to)
            pd.testing.assert_frame_equal(found, expected, check_exact=True)
            assert len(saved(to)) == PAIRS
            sofar = asked(log)
            again = {pair for pair, processes in kept.items() if sofar[pair] != processes}
            assert not again, f"done twice: {again}"
            redone += sum(len(each) - 1 for each in asked(log).values())
    seconds = time.perf_counter() - begun
    print(
        f"{kills} kills in {rounds} sweeps: nothing lost, nothing that was finished done twice; "
        f"{redone} cells that were in hand when a kill came were begun again ({seconds:.0f} s)"
    )


if __name__ == "__main__":
    main()
