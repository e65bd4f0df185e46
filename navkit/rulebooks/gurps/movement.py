"""How fast ships are: Move from speed, and what Navigation does to it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from navkit.chance import Array
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.tables import KPH_PER_HEX, MOVE_FRACTIONS, SLOWEST_FRACTION


def base_move(kph: float, rules: HouseRules | None = None) -> Fraction:
    """Hexes a turn of a ship with a speed of `kph`: a whole number, or 1/2 to 1/10, or 0.

    Edges belong to the faster row; a ship with no speed does not move. Below 7 kph the table
    holds, not the sentence that speaks of fractions (GA-01).
    Source: GURPS/Naval Combat, Move.

    >>> [str(base_move(kph)) for kph in (17.5, 12.9, 5.25, 5, 1.6, 0.1, 0)]
    ['3', '2', '1', '1/2', '1/4', '1/10', '0']
    """
    rules = HouseRules.of(rules)
    sevenths = Fraction(str(kph)) * 7 / KPH_PER_HEX[rules.move_divisor]
    fastest_fraction, _ = MOVE_FRACTIONS[0]
    if sevenths >= fastest_fraction:
        return Fraction(max(1, (sevenths / 7 + Fraction(1, 2)).__floor__()))
    for edge, move in MOVE_FRACTIONS:
        if sevenths >= edge:
            return move
    stands_below = {"table": Fraction(0), "midpoint": Fraction(7, 20), "tenth": Fraction(7, 10)}
    moves = sevenths > 0 and sevenths >= stands_below[rules.move_floor]
    return Fraction(1, SLOWEST_FRACTION) if moves else Fraction(0)


def shifted(move: Fraction, levels: int, rules: HouseRules | None = None) -> Fraction:
    """Move after `levels` steps up or down: whole hexes, and below 1 the ladder 1/2, 1/3 ... 1/10.

    Below 1/10 a ship stands still.
    Source: GURPS/Naval Combat, Navigation.

    >>> str(shifted(Fraction(2), -5)), str(shifted(Fraction(1, 2), 1))
    ('1/5', '1')
    """
    rules = HouseRules.of(rules)
    if move == 0:
        return move
    if rules.move_ladder == "subtract":
        return max(Fraction(0), move + levels)
    rung = _rung(move) + levels
    if rung >= 1:
        return Fraction(rung)
    return Fraction(1, 2 - rung) if 2 - rung <= SLOWEST_FRACTION else Fraction(0)


def _rung(move: Fraction) -> int:
    """The place on the ladder 2, 1, 1/2, 1/3 ...: 1 for Move 1, 0 for 1/2, −1 for 1/3."""
    if move == 0:
        return 1 - SLOWEST_FRACTION
    return int(move) if move >= 1 else 2 - move.denominator


HEX = 2520
"""Parts of a hex in which movement is saved: every Move from 1/1 to 1/10 is a whole number."""
MOST_LEVELS = 64
"""Steps up or down that are tabulated; further ones are the same as these."""


def halved(move: Fraction) -> Fraction:
    """Half of a Move, rounded down to a Move there is; under 1/10 there is none (GA-23).

    Source: GURPS/Naval Combat, Crew.

    >>> [str(halved(Fraction(move))) for move in ("3", "2", "1", "1/2", "1/4", "1/6")]
    ['1', '1', '1/2', '1/4', '1/8', '0']
    """
    half = move / 2
    if half >= 1:
        return Fraction(int(half))
    if half == 0 or 1 / half > SLOWEST_FRACTION:
        return Fraction(0)
    return Fraction(1, -(-half.denominator // half.numerator))


@lru_cache(maxsize=256)
def move_table(kph: float, rules: HouseRules, *, half: bool = False) -> Array:
    """Parts of a hex a turn, by levels up or down plus MOST_LEVELS: `shifted` as a table."""
    base = base_move(kph, rules)
    moves = [shifted(base, level, rules) for level in range(-MOST_LEVELS, MOST_LEVELS + 1)]
    return np.array([int((halved(move) if half else move) * HEX) for move in moves], dtype=np.int32)


@lru_cache(maxsize=256)
def levels_to_dismast(kph: float, rules: HouseRules) -> int:
    """Movement points whose loss brings the base Move to 1/10: then the masts are gone.

    A ship built with Move 1/10 has not lost its masts (GA-42): it must drop there.
    Source: GURPS/Naval Combat, Mast damage.

    >>> levels_to_dismast(12.9, HouseRules())
    10
    """
    base, tenth = base_move(kph, rules), Fraction(1, SLOWEST_FRACTION)
    return next(n for n in range(1, MOST_LEVELS) if shifted(base, -n, rules) <= tenth)


@lru_cache(maxsize=256)
def mast_levels(kph: float, rules: HouseRules) -> Array:
    """Levels of Move lost, by points of speed lost with the masts: the same, or by kph.

    Source: GURPS/Naval Combat, Mast damage.

    >>> mast_levels(12.9, HouseRules(mast_unit="kph"))[[0, 2, 3, 8]].tolist()
    [0, 0, 1, 2]
    """
    points = range(MOST_LEVELS + 1)
    if rules.mast_unit == "Move":
        return np.array(points, dtype=np.int32)
    top = _rung(base_move(kph, rules))
    left = [top - _rung(base_move(max(0.0, round(kph - n, 6)), rules)) for n in points]
    return np.array(left, dtype=np.int32)
