"""The odds of GURPS/Naval Combat that a person asks for by name."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, overload

import numpy as np
import pandas as pd

from navkit.battle import play, some_turns
from navkit.chance import Array, Chance, Exact, Sampled
from navkit.dice import Distribution, dice
from navkit.engine.branches import distribution
from navkit.errors import number, whole
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
    fire that is answered see `duel(...).cause("b")`. `chance=None` is exact by the quickest way:
    a matrix a turn; `Exact()` plays the steps with all outcomes, and gives the same.
    Source: GURPS/Naval Combat, Structural damage.

    >>> from navkit.rulebooks.gurps import ship
    >>> sinking(ship("70-gun military"), ship("Sloop"), turns=3).round(3).tolist()
    [0.0, 0.515, 0.984, 1.0]
    """
    # here, since scipy takes longer to load than all of navkit
    from navkit.rulebooks.gurps import passage

    rules = HouseRules.of(rules)
    battle = shelling_battle(known_ship("attacker", attacker), known_ship("target", target), rules)
    turns = some_turns(turns)
    if chance is None and passage.fits(attacker, target, rules):
        index = pd.RangeIndex(turns + 1, name="turn")
        return pd.Series(passage.sunk(battle, turns), index, name="sunk")
    return play(battle, turns, chance).cause("b")["sunk"]


def out_of_action(
    a: Ship,
    b: Ship,
    *,
    turns: int = 30,
    within: float = 1e-6,
    rules: HouseRules | None = None,
) -> pd.DataFrame:
    """By turn, from 0: who has put whom out of action in a `duel`, exact up to a shown error.

    Columns as in a `History`: `a` (a wins), `b`, `both` (both are lost), all cumulative, and
    `undecided`, with the fights that can have no end among them. No figure is off by more than
    `error`, which is at most `within`. It stems from rare states that were left out, and from
    ships of which hands are followed but not the hull: then it holds a bound of the chance that
    the hull would have mattered. What 64-bit sums round off (1e-14 or so) is not counted.
    Raises InputError for a `within` outside 1e-13 to 0.1, or one that is out of reach for these
    ships; `duel` with a sample answers there, and tells hulls and hands besides.
    Source: GURPS/Naval Combat, Naval Combat Mechanics.

    >>> from navkit.rulebooks.gurps import ship
    >>> table = out_of_action(ship("Brig"), ship("Brigantine"))
    >>> table[["a", "b", "both", "undecided"]].round(4).loc[30].tolist()
    [0.2137, 0.7863, 0.0, 0.0]
    >>> bool(table["error"].max() <= 1e-6)
    True
    """
    # here, since scipy takes longer to load than all of navkit
    from navkit.rulebooks.gurps.duel_odds import solve

    rules = HouseRules.of(rules)
    turns = some_turns(turns)
    within = number("within", within, 1e-13, 0.1)
    course, error, _ = solve(known_ship("a", a), known_ship("b", b), turns, within, rules)
    ended = np.cumsum(course.table[:, 1:], axis=0)
    columns = {"a": ended[:, 0], "b": ended[:, 1], "both": ended[:, 2]}
    columns |= {"undecided": course.table[:, 0], "error": np.full(turns + 1, error)}
    return pd.DataFrame(columns, index=pd.RangeIndex(turns + 1, name="turn"))


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
