"""How fast ships are: Move from speed, and what Navigation does to it."""

from __future__ import annotations

from fractions import Fraction

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
    rung = (int(move) if move >= 1 else 2 - move.denominator) + levels
    if rung >= 1:
        return Fraction(rung)
    return Fraction(1, 2 - rung) if 2 - rung <= SLOWEST_FRACTION else Fraction(0)
