"""One die against a number to reach, as nearly every rule of the document asks for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from navkit.chance import Array, Chance


def at_least(chance: Chance, need: int, *, among: Array | int = 1, why: str, rule: str) -> Array:
    """Whether a d6 shows `need` or more; where `among` is false nothing is rolled, and it is not.

    Source: Medieval Naval Wargame Rules throughout.
    """
    dice = np.atleast_1d(np.asarray(among, dtype=np.int32))
    said = f"{why}, {need} or more" if need < 6 else f"{why}, a 6"
    return chance.faces(6, dice, _reaching(need), why=said, rule=rule) > 0


def d6(chance: Chance, *, among: Array | int = 1, why: str, rule: str) -> Array:
    """A d6; 0 where `among` is false, and nothing is rolled there.

    Source: Medieval Naval Wargame Rules throughout.
    """
    dice = np.atleast_1d(np.asarray(among, dtype=np.int32))
    return chance.faces(6, dice, pips, why=why, rule=rule)


def any_six(chance: Chance, dice: Array, *, why: str, rule: str) -> Array:
    """Whether at least one of so many dice shows a 6; without dice none does.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.
    """
    return chance.faces(6, np.atleast_1d(dice), _reaching(6), why=why, rule=rule) > 0


def pips(shown: Array) -> Array:
    """What the dice show together, 0 for none."""
    return (shown * np.arange(1, 7).reshape((6,) + (1,) * (shown.ndim - 1))).sum(axis=0)


@lru_cache(maxsize=6)
def _reaching(need: int) -> Callable[[Array], Array]:
    """A function that tells from the faces shown whether some die reaches `need`."""

    def reached(shown: Array) -> Array:
        return np.minimum(shown[need - 1 :].sum(axis=0), 1)

    return reached
