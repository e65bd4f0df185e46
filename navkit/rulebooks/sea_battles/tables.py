"""The numbers of Sea Battles, and the charts of the parent game that it leans on."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from navkit.chance import Array
from navkit.dice import Distribution, dice

FACINGS = ("front", "side", "rear")
FRONT, SIDE, REAR = 0, 1, 2

# Scale and ships

CM_PER_INCH = 0.5
"""Centimetres of an inch of the parent game (Scale)."""
CM_PER_SIZE = 2
"""Each begun 2 cm of length is a Size (Ship sizes)."""
LARGEST_SIZE = 6
OVERSIZE = 30
"""The largest Size where the house rule lets ships be bigger than 6."""
ROOM_PER_SIZE = 20
"""Unit strength that a ship carries for each Size (Transport capability)."""
MACHINE_ROOM = 3
"""Unit strength of a war machine that is carried as cargo (6th edition)."""

CAPTAIN = Distribution.of({7: 1, 8: 4, 9: 1})
"""Leadership of a captain rolled on the table: Fresh 1, Experienced 2–5, Veteran 6 (Leadership)."""

# Damage

HARD_UP_TO = np.array([5, 4, 2])
"""Highest D6 that hits hard, by facing: front, side, rear (Ships taking damage)."""
SOFT, HARD = 8, 10
"""What is taken off the damage of a soft and of a hard hit."""
TROOPS_HIT = 6
"""The D6 that sends a hit on a ship to the troops aboard."""

# Sunk ships

RESCUED = 5
"""The D6 on which a model in the water lives (Sunk ships)."""
RANK_BONUS = {"": 0, "hero": 1, "lord": 2}
DEBRIS_PENALTY = 1
LIFEBOAT_MOVE = 10

# Orders and moves

ORDER_PENALTY = 2
HIGHEST_LEADERSHIP = 10
FULL, HALF = 20, 10
"""Centimetres of a move at full and at half speed."""
SAIL_RUN = {FULL: 10, HALF: 5}
"""Centimetres under sail before the turn, at full and at half speed."""
MUTINY, TANGLED, WRONG_TURN, BECALMED = 1, 2, 3, 5
"""The lowest D6 of each row of the blunder table."""

# Ramming

RAM_RUN = 10
"""Centimetres from which on a ram does D6 wounds, below it D3 (Ramming)."""

# Extra damage, in the table's order

EXTRA = ("hatches", "sails or oars", "crew", "hull", "captain", "waterline")

# Shooting and fighting aboard

SHOOTERS_PER_SIZE = 5
MACHINE_SHOOTERS = 5
"""How many of a ship's shooting models a war machine counts as."""
FIGHTERS_PER_SIZE = 2
WIDE_BASE = 40
"""Base in millimetres from which on a model counts as two in a boarding."""
CREW_SKILL, CREW_STRENGTH = 2, 3

# The parent game

NO_SAVE = 7
"""An armour save that no D6 makes."""
MISFIRE = 6
ARTILLERY = (2, 4, 6, 8, 10)
"""Inches of an artillery die's faces 1 to 5; the sixth is a misfire."""
SHOOTING_DIE = Distribution.of({1: 6, 2: 6, 3: 6, 4: 6, 5: 6, 6: 3, 7: 1, 8: 1, 9: 1})
"""A D6 to hit with missiles, a 6 rolled again: 7 is a 6 and then 4, 8 a 6 and then 5, 9 two 6s."""
IMPOSSIBLE = 10
"""A roll to hit with missiles that nobody makes."""

LARGE_TARGET = 1
MOVED, CHARGED_AT, LONG_RANGE, SMALL_TARGET = 1, 1, 1, 1


def to_shoot(ballistic_skill: Array | int, modifier: Array | int) -> Array:
    """What must be rolled on the shooting die: 7 − BS less the modifier; a 1 never hits."""
    return np.clip(7 - np.asarray(ballistic_skill) - modifier, 2, IMPOSSIBLE)


def to_strike(own: Array | int, foe: Array | int) -> Array:
    """The D6 that hits in close combat by weapon skill: 3 if better, 5 against over twice, or 4."""
    own, foe = np.asarray(own), np.asarray(foe)
    return np.where(own > foe, 3, np.where(foe > 2 * own, 5, 4))


def to_wound(strength: Array | int, toughness: Array | int) -> Array:
    """The D6 that wounds; 7 where none does."""
    difference = np.asarray(strength) - toughness
    possible = np.where(difference >= -3, np.clip(4 - difference, 2, 6), NO_SAVE)
    return possible


def to_save(save: Array | int, strength: Array | int, piercing: Array | int = 0) -> Array:
    """The D6 that saves, after what strengths from 4 up take off it; a 1 never saves."""
    worse = np.maximum(np.asarray(strength) - 3, 0) + piercing
    return np.clip(np.maximum(np.asarray(save), 2) + worse, 2, NO_SAVE)


@lru_cache(maxsize=4096)
def successes(count: int, need: int) -> Distribution:
    """How many of `count` D6 show `need` or more; 7 is never shown.

    >>> successes(2, 6).equal(2, exact=True)
    Fraction(1, 36)
    """
    return _pool(count, dice("d6"), need, f"{count}d6≥{need}")


@lru_cache(maxsize=4096)
def shots(count: int, need: int) -> Distribution:
    """How many of `count` shooting dice show `need` or more; 10 is never shown."""
    return _pool(count, SHOOTING_DIE, need, f"{count} shots≥{need}")


def _pool(count: int, die: Distribution, need: int, name: str) -> Distribution:
    chance = die.at_least(need, exact=True)
    one = Distribution.of({0: 1 - chance, 1: chance})
    many = one.repeat(count)
    return Distribution(many.low, many.pmf, name=name, counts=many.counts)
