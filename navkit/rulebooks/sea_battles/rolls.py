"""How this game rolls: a D6 for a number or more, and handfuls of them."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array, Chance
from navkit.dice import Distribution, dice
from navkit.rulebooks.sea_battles.tables import shots, successes

D6 = dice("d6")


def at_least(chance: Chance, need: Array | int, *, why: str, rule: str) -> Array:
    """Whether a D6 shows `need` or more: an array of bool."""
    needed = np.atleast_1d(np.asarray(need, dtype=np.int32))
    made = chance.roll_from(_d6, needed, then=_reached, target=need, why=why, rule=rule)
    return made > 0


def pool(chance: Chance, count: Array, need: Array | int, *, why: str, rule: str) -> Array:
    """How many of `count` D6 show `need` or more."""
    return chance.roll_from(successes, count, np.asarray(need), why=why, rule=rule)


def volley(chance: Chance, count: Array, need: Array | int, *, why: str, rule: str) -> Array:
    """How many of `count` shots hit, each needing `need` on the shooting die."""
    return chance.roll_from(shots, count, np.asarray(need), why=why, rule=rule)


def _d6(need: int) -> Distribution:
    return D6


def _reached(total: Array, need: Array | int) -> Array:
    return (np.asarray(total) >= need).astype(np.int32)
