"""The odds of GURPS/Naval Combat that a person asks for by name."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, overload

import numpy as np
import pandas as pd

from navkit.battle import play
from navkit.branches import distribution
from navkit.chance import Array, Chance, Exact, Sampled
from navkit.dice import Distribution, dice
from navkit.errors import whole
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.attack import highest_hit, to_hit, volley
from navkit.rulebooks.gurps.boarding import boarding_skill, quick_contest
from navkit.rulebooks.gurps.damage import hole
from navkit.rulebooks.gurps.fight import shelling_battle
from navkit.rulebooks.gurps.guns import guns_to_fire
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import known_ship, ready_side


@overload
def hit(
    attacker: Ship, target: Ship, *, rules: HouseRules | None = None, exact: Literal[False] = False
) -> float: ...
@overload
def hit(
    attacker: Ship, target: Ship, *, rules: HouseRules | None = None, exact: Literal[True]
) -> Fraction: ...
def hit(
    attacker: Ship, target: Ship, *, rules: HouseRules | None = None, exact: bool = False
) -> float | Fraction:
    """The chance that one attack hits; `exact=True` gives a Fraction.

    Source: GURPS/Naval Combat, Attacks; Size Modifier.

    >>> from navkit.rulebooks.gurps import ship
    >>> hit(ship("Sloop"), ship("Brig"), exact=True)
    Fraction(20, 27)
    """
    rules = HouseRules.of(rules)
    skill = to_hit(known_ship("attacker", attacker), known_ship("target", target), rules)
    roll = dice(tables.SUCCESS_ROLL)
    highest = highest_hit(skill, rules)
    return roll.at_most(highest, exact=True) if exact else roll.at_most(highest)


def damage(
    attacker: Ship, target: Ship, *, guns: int | None = None, rules: HouseRules | None = None
) -> Distribution:
    """Hull points that a whole target loses by one attack, hit or miss.

    `guns` is how many fire: by default the broadside that the crew can man. No more is lost than
    the hull has. Raises InputError for more guns than the largest battery of the attacker.
    Source: GURPS/Naval Combat, Num of Cannons; Attacks; Structural damage.

    >>> from navkit.rulebooks.gurps import ship
    >>> round(damage(ship("Sloop"), ship("Brig"), guns=4).mean, 2)
    50.48
    """
    rules = HouseRules.of(rules)
    side = ready_side(known_ship("target", target), rules)
    known_ship("attacker", attacker)
    if guns is None:
        guns = int(guns_to_fire(ready_side(attacker, rules), attacker, rules)[0])
    guns = whole("guns", guns, 0, max(attacker.cannons))
    fired = np.array([guns], dtype=np.int32)

    def lost(chance: Chance) -> Array:
        shot = volley(attacker, target, fired, side.dr, chance, rules)
        return side.hull - hole(side, shot, fired, rules).hull

    return distribution(lost)


def sinking(
    attacker: Ship,
    target: Ship,
    *,
    turns: int = 30,
    chance: Exact | Sampled | None = None,
    rules: HouseRules | None = None,
) -> pd.Series[float]:
    """By turn, from 0: the chance that the target has sunk under fire it does not answer.

    The attacker fires a broadside and reloads as in `duel`, with all its hands throughout. For
    fire that is answered see `duel(...).cause("b")`.
    Source: GURPS/Naval Combat, Structural damage.

    >>> from navkit.rulebooks.gurps import ship
    >>> sinking(ship("70-gun military"), ship("Sloop"), turns=3).round(3).tolist()
    [0.0, 0.515, 0.984, 1.0]
    """
    rules = HouseRules.of(rules)
    battle = shelling_battle(known_ship("attacker", attacker), known_ship("target", target), rules)
    return play(battle, turns, chance).cause("b")["sunk"]


def contest(a: Ship, b: Ship, *, rules: HouseRules | None = None) -> pd.Series[float]:
    """The chances that a wins, ties and loses the contest of a boarding turn.

    Source: GURPS/Naval Combat, Boarding.

    >>> from navkit.rulebooks.gurps import ship
    >>> contest(ship("Sloop"), ship("Brig")).round(3).to_dict()
    {'win': 0.454, 'tie': 0.093, 'lose': 0.454}
    """
    rules = HouseRules.of(rules)
    rules = HouseRules(no_commander=rules.no_commander)
    skills = [boarding_skill(known_ship(x, ship), rules) for x, ship in (("a", a), ("b", b))]
    bonus = quick_contest(skills[0], skills[1], rules)
    roll = (tables.SUCCESS_ROLL, tables.SUCCESS_ROLL)
    margin = distribution(lambda chance: chance.roll(*roll, then=bonus, why="boarding"))
    chances = [margin.at_least(1), margin.equal(0), margin.at_most(-1)]
    return pd.Series(chances, index=["win", "tie", "lose"])
