"""Fire and damage: from the fire section of the same article, and from the user.

The document of this rulebook has of fire only that whoever evacuates a burning ship may burn too;
the rest here comes from the article's fire section and no fight of this rulebook needs it. The
article's damage table is not published: it is a table that the user supplies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from navkit.chance import Array, Chance
from navkit.dice import Distribution, dice
from navkit.errors import InputError, whole
from navkit.rulebooks.medieval import tables
from navkit.rulebooks.medieval.rolls import at_least

SECTORS = ("bow", "stern", "port", "starboard")
MOST_POINTS = 1000


def sector_hit(die: int) -> str:
    """The sector that a hidden obstacle strikes: 1 bow, 2 stern, 3–4 port, 5–6 starboard.

    From the article's section on obstacles.

    >>> [sector_hit(die) for die in (1, 2, 4, 5)]
    ['bow', 'stern', 'port', 'starboard']
    """
    place = whole("die", die, 1, 6)
    return SECTORS[(0, 1, 2, 2, 3, 3)[place - 1]]


@dataclass(frozen=True)
class DamageTable:
    """Structure points that each die costs a sector, as the user has them.

    `points[die]` for 1 to 6. Raises InputError for other dice, and points below 0.

    >>> DamageTable({die: max(0, die - 3) for die in range(1, 7)}).distribution().mean
    1.0
    """

    points: Mapping[int, int]

    def __post_init__(self) -> None:
        if sorted(self.points) != list(range(1, 7)):
            raise InputError("dice of the damage table", sorted(self.points), "1 to 6")
        known = {die: whole(f"points of {die}", p, 0, 1000) for die, p in self.points.items()}
        object.__setattr__(self, "points", MappingProxyType(known))

    def distribution(self) -> Distribution:
        """Structure points of one roll."""
        counts: dict[int, int] = {}
        for points in self.points.values():
            counts[points] = counts.get(points, 0) + 1
        return Distribution.of({points: Fraction(n, 6) for points, n in counts.items()})


def ignites(chance: Chance, rows: Array | int = 1, *, collision: bool = False) -> Array:
    """Whether a ship catches fire: by a fire missile that hit, or combustibles aboard, on a 6.

    A ship that collides with a burning one burns on 4 or more. Greek fire needs no die. From the
    article's fire section.
    """
    need = tables.COLLISION_IGNITES if collision else tables.IGNITES
    return at_least(chance, need, among=rows, why="catches fire", rule="fire section")


def turns_afloat(
    structure_lost: Mapping[str, int] | None = None, *, other: int = 0
) -> Distribution:
    """How many turns a burning ship stays afloat: a die, less 1 for each 5 points lost in a sector.

    `other` adds factors that the published copy has lost. From the article's fire section.
    Raises InputError for unknown sectors.

    >>> turns_afloat({"bow": 10, "port": 4}).equal(0, exact=True)       # d6 − 2, at least 0
    Fraction(1, 3)
    """
    lost = dict(structure_lost or {})
    for sector in lost:
        if sector not in SECTORS:
            raise InputError("sector", sector, *SECTORS)
    fives = sum(
        whole(f"points lost of {sector}", points, 0, MOST_POINTS) // tables.POINTS_PER_TURN_AFLOAT
        for sector, points in lost.items()
    )
    return (dice(tables.D6) - fives + whole("other", other, -6, 6)).clip(0)


def lost_alight(turns_left: Array) -> Array:
    """Turns a burning ship has left after a turn; it can't be put out, and does nothing offensive.

    From the article's fire section.
    """
    return np.maximum(turns_left - 1, 0)
