"""Hexes, facings, ranges and movement points."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from navkit.chance import Array
from navkit.errors import InputError, whole
from navkit.rulebooks.vehicular_1879 import tables
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.supplement import Supplement
from navkit.rulebooks.vehicular_1879.tables import Range

FARTHEST = 10_000


def yards(hexes: int) -> int:
    """Yards that so many hexes are: 20 each, from side to side.

    Source: 1879: Vehicular Combat Preview, Distance, Range, and Movement.

    >>> yards(6)
    120
    """
    return whole("hexes", hexes, 0, FARTHEST) * tables.HEX_YARDS


def path_cost(hexes: int, faces: int = 0) -> Fraction:
    """Hexes of movement that a path takes: one for each hex, half of one for each face turned.

    `faces` counts turns to the left and to the right alike. Hexes may be shared and crossed.
    Source: 1879: Vehicular Combat Preview, Distance, Range, and Movement.

    >>> path_cost(3, faces=1)
    Fraction(7, 2)
    """
    turned = Fraction(whole("faces", faces, 0, FARTHEST), tables.FACING_HEXES)
    return whole("hexes", hexes, 0, FARTHEST) + turned


def hex_distance(start: tuple[int, int], end: tuple[int, int]) -> int:
    """Hexes between two places on the map, in axial coordinates (columns, and rows aslant).

    Source: 1879: Vehicular Combat Preview, Distance, Range, and Movement.

    >>> hex_distance((0, 0), (2, -1))
    2
    """
    columns, rows = end[0] - start[0], end[1] - start[1]
    return max(abs(columns), abs(rows), abs(columns + rows))


def may_share(gamemaster_objects: bool = False) -> bool:
    """Whether vehicles may be in, or pass through, one hex: unless the Gamemaster objects.

    What he may call for then, a Hazard Test against collision, is a hazard of the supplement.
    Source: 1879: Vehicular Combat Preview, Distance, Range, and Movement.

    >>> may_share()
    True
    """
    return not gamemaster_objects


def range_of(hexes: int, supplement: Supplement) -> Range:
    """The range that a distance on the map is, by a user's table.

    Raises InputError without `range_hexes`: the preview does not tie hexes to ranges.
    Source: 1879: Vehicular Combat Preview, Distance, Range, and Movement.

    >>> from navkit.rulebooks.vehicular_1879 import EXAMPLE
    >>> range_of(5, EXAMPLE).name
    'NEAR'
    """
    if supplement.range_hexes is None:
        raise InputError("range_hexes", None, "three rising numbers of hexes, such as EXAMPLE's")
    whole("hexes", hexes, 0, FARTHEST)
    return Range(sum(hexes > most for most in supplement.range_hexes))


def set_speed(wanted: int, speed_step: int) -> int:
    """The Speed a captain sets when declaring: 0 up to the current Speed Step (VA-14).

    The Step is what called shots and Critical Hits have left of it, and what Push Speed, an
    Officer Maneuver (VA-15), has added. Raises InputError above it.
    Source: 1879: Vehicular Combat Preview, Declare Maneuvers.

    >>> set_speed(3, speed_step=5)
    3
    """
    return whole("speed", wanted, 0, whole("speed step", speed_step, 0, 1000))


def movement_points(speed: Array, rules: HouseRules | None = None) -> Array:
    """Movement points of a turn at a Speed: one a point, unless a house rule says more (VA-09).

    A point moves one hex, or the range by one step; that is this project's own, since the
    preview has no figure. Source: 1879: Vehicular Combat Preview, Resolve Maneuvers.

    >>> int(movement_points(np.array(4)))
    4
    """
    return np.asarray(speed) * HouseRules.of(rules).movement_points


def mandatory_points(speed: Array, rules: HouseRules | None = None) -> Array:
    """Movement points that must be used: from Speed 3 on a part of them, 1 by default (VA-16).

    They are used after declaring, at the latest when the turn is cleaned up.
    Source: 1879: Vehicular Combat Preview, Declare Maneuvers; Resolve Maneuvers.

    >>> mandatory_points(np.array([2, 3])).tolist()
    [0, 1]
    """
    rules = HouseRules.of(rules)
    part = np.minimum(rules.mandatory_part, movement_points(speed, rules))
    return np.where(np.asarray(speed) >= tables.MANDATORY_FROM_SPEED, part, 0)


def moved_range(distance: Array, points: Array, order: str) -> Array:
    """The range after the captain who may has moved it by up to `points` steps.

    `order` is "hold", "close" or "open".
    Source: 1879: Vehicular Combat Preview, Distance, Range, and Movement; Resolve Maneuvers.

    >>> moved_range(np.array([3]), np.array([2]), "close").tolist()
    [1]
    """
    if order not in ("hold", "close", "open"):
        raise InputError("range", order, "hold", "close", "open")
    toward = {"hold": 0, "close": -1, "open": 1}[order]
    return np.clip(distance + toward * points, Range.ADJACENT, Range.FAR)


def movement_phases() -> tuple[str, ...]:
    """The parts of a turn in which vehicles move: Declare and Resolve, and the clean-up (VA-10).

    Source: 1879: Vehicular Combat Preview, Distance, Range, and Movement; Resolve Maneuvers.

    >>> movement_phases()
    ('declare', 'resolve', 'clean-up')
    """
    return ("declare", "resolve", "clean-up")
