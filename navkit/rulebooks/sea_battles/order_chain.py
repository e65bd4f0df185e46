"""How many moves a turn's orders bring, in closed form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np

from navkit.counts import Counts
from navkit.dice import SMALLEST_TAIL, Distribution, Tail, dice
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.orders import ALWAYS, COMMAND, Weather, modifier, target
from navkit.rulebooks.sea_battles.vessel import MOST_PENALTY

BLUNDER = Fraction(1, 36)
TEST = dice(COMMAND)


@dataclass(frozen=True)
class Helm:
    """What a ship's Command tests in a turn depend on, as plain numbers.

    `mutinies` are those of this turn. `wind` and `current` are as in `orders.Weather`.
    """

    leadership: int
    admiral: int | None = None
    sails: bool = True
    oars: bool = False
    sailing: bool = True
    sails_damaged: bool = False
    oars_damaged: bool = False
    crew_lost: bool = False
    wind: int = 0
    current: int = 0
    mutinies: int = 0

    def highest(self, passed: int, rules: HouseRules) -> int:
        """The highest 2D6 that passes after so many orders this turn."""
        value = self.leadership - self.mutinies
        if self.admiral is not None:
            lowers = rules.admiral_penalty in ("both", "own only")
            value = max(value, self.admiral - (self.mutinies if lowers else 0))
        gear = self.sails_damaged if self.sailing else self.oars_damaged
        weather = Weather(self.wind, self.current, self.sailing)
        penalty, bonus = modifier(weather, self.sails, int(gear), int(self.crew_lost), rules)
        return int(target(value, passed, penalty, bonus, rules))


def moves(helm: Helm, rules: HouseRules) -> Distribution:
    """How many moves a ship makes in a turn by orders.

    Where a further test passes on a double 1 alone, the tail is geometric: each further move has
    1/36 of the chance (1/35 where a blunder only loses the order), for ever. There Mutiny and
    Tangled rigging count in the later tests of the turn.
    Source: Sea Battles, Command tests; Blunders.
    """
    ratio = Fraction(1, 35) if rules.blunder_ends == "loses the order" else Fraction(1, 36)
    reached = [Fraction(1)]
    going = {helm: Fraction(1)}
    while True:
        going = _passed(going, len(reached) - 1, rules)
        reached.append(sum(going.values(), Fraction(0)))
        bottom = all(each.highest(len(reached) - 1, rules) == ALWAYS for each in going)
        if bottom and reached[-1] < SMALLEST_TAIL:
            return _closed(reached, ratio)


def _passed(going: dict[Helm, Fraction], passed: int, rules: HouseRules) -> dict[Helm, Fraction]:
    """The states after one more order was passed, from those after `passed` orders.

    Where a blunder only loses the order, a state may come back to itself; sooner or later it is
    left, in the proportions of the tests in which it is.
    """
    after: dict[Helm, Fraction] = {}
    left = dict(going)
    while left:
        helm = min(left, key=_order)
        mass = left.pop(helm)
        if rules.blunder_ends == "loses the order":
            follows = _after_blunder(helm, rules)
            mass /= 1 - BLUNDER * follows.pop(helm, Fraction(0))
            for other, share in follows.items():
                left[other] = left.get(other, Fraction(0)) + mass * BLUNDER * share
        passes = TEST.at_most(helm.highest(passed, rules), exact=True)
        after[helm] = after.get(helm, Fraction(0)) + mass * passes
    return after


def _order(helm: Helm) -> tuple[int, bool, bool]:
    """A blunder leads from a state to later ones only: more mutinies, or more damage."""
    return helm.mutinies, helm.sails_damaged, helm.oars_damaged


def _after_blunder(helm: Helm, rules: HouseRules) -> dict[Helm, Fraction]:
    """What the blunder table makes of a state."""
    to_oars = helm.sails and helm.oars and helm.sails_damaged and rules.tangled == "oars"
    tangled = replace(
        helm,
        sails_damaged=helm.sails_damaged or helm.sails,
        oars_damaged=helm.oars_damaged or to_oars,
    )
    mutiny = replace(helm, mutinies=min(helm.mutinies + 1, MOST_PENALTY))
    found: dict[Helm, Fraction] = {}
    for other, rows in ((mutiny, 1), (tangled, 1), (helm, 4)):
        found[other] = found.get(other, Fraction(0)) + Fraction(rows, 6)
    return found


def _closed(reached: list[Fraction], ratio: Fraction) -> Distribution:
    """The distribution with P(k or more) = `reached[k]`, and a geometric tail from the last on."""

    def counts(limit: int) -> Counts:
        more = max(0, limit + 2 - len(reached))
        longer = reached + [reached[-1] * ratio**n for n in range(1, more + 1)]
        common = lcm(*(each.denominator for each in longer))
        whole = [int(each * common) for each in longer]
        steps = pairwise(whole)
        return Counts(0, tuple(now - then for now, then in steps), common)

    body = [float(now - then) for now, then in pairwise(reached)]
    return Distribution(0, np.array(body), Tail(reached[-1], ratio), "moves", counts)
