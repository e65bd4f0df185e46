"""Questions that tests sweep: they are asked in other processes, so they need a module."""

import os
import time
from pathlib import Path

import navkit as nk
from navkit.history import History
from navkit.rulebooks import gurps


def product(x: int, y: int = 1, *, pause: float = 0.0) -> float:
    time.sleep(pause)
    return x * y + 0.1


def deadly(x: int, *, lives: dict[int, int], marks: str) -> int:
    """Kills its process, `lives[x]` times that it is asked about x."""
    deaths = len(list(Path(marks).glob(f"{x}-*")))
    if deaths < lives.get(x, 0):
        Path(marks, f"{x}-{deaths}").touch()
        os._exit(9)
    return x


def picky(x: int) -> int:
    if x == 3:
        raise ZeroDivisionError("three is no good")
    return x


def logged_duel(
    a: gurps.Ship, b: gurps.Ship, *, log: str, turns: int = 20, chance: nk.Sampled
) -> History:
    """A duel that tells in a file of its own that it was asked."""
    if chance.fights > 1:  # a rehearsal is none
        Path(log, f"{a.name}~{b.name}~{os.getpid()}~{time.monotonic_ns()}").touch()
    return gurps.duel(a, b, turns=turns, chance=chance)
