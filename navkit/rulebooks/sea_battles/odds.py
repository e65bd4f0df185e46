"""The odds of Sea Battles that a person asks for by name."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, overload

import numpy as np
import pandas as pd

from navkit.battle import play
from navkit.chance import Exact, Sampled
from navkit.dice import Distribution, dice
from navkit.errors import InputError, number, whole
from navkit.rulebooks.sea_battles import shooting as gunnery
from navkit.rulebooks.sea_battles import sunk, tables
from navkit.rulebooks.sea_battles.brawls import brawl_battle
from navkit.rulebooks.sea_battles.damage import hit_damage, known_facing
from navkit.rulebooks.sea_battles.doctrines import Boarders
from navkit.rulebooks.sea_battles.extra import occurrence
from navkit.rulebooks.sea_battles.fight import volley_battle
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.order_chain import Helm, moves
from navkit.rulebooks.sea_battles.ships import Ship, known_ship
from navkit.rulebooks.sea_battles.weapons import Weapon, known_weapon, known_wounds

MOST_DAMAGE = 10_000


@overload
def sinking(
    size: int, damage: int, *, rules: HouseRules | None = None, exact: Literal[False] = False
) -> float: ...
@overload
def sinking(
    size: int, damage: int, *, rules: HouseRules | None = None, exact: Literal[True]
) -> Fraction: ...
def sinking(
    size: int, damage: int, *, rules: HouseRules | None = None, exact: bool = False
) -> float | Fraction:
    """The chance that a ship sinks at the start of a turn: a D6 a Size, at most her damage.

    A ship without damage does not roll. `exact=True` gives a Fraction.
    Raises InputError for a size outside 1 to 6 and damage below 0.
    Source: Sea Battles, Damage.

    >>> sinking(4, 12, exact=True)
    Fraction(145, 432)
    >>> sinking(0, 12)
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: size: got 0, allowed is a whole number from 1 to 6
    """
    HouseRules.of(rules)
    size = whole("size", size, 1, tables.LARGEST_SIZE)
    damage = whole("damage", damage, 0, MOST_DAMAGE)
    chance = dice(f"{size}d6").at_most(damage, exact=True)
    return chance if exact else float(chance)


def sinking_table(*, rules: HouseRules | None = None) -> pd.DataFrame:
    """The chance of sinking at the start of a turn, damage by row and Size by column.

    Source: Sea Battles, Damage.

    >>> float(sinking_table().loc[12, 4].round(4))
    0.3356
    """
    sizes = range(1, tables.LARGEST_SIZE + 1)
    rows = range(6 * tables.LARGEST_SIZE + 1)
    chances = [[sinking(size, damage, rules=rules) for size in sizes] for damage in rows]
    return pd.DataFrame(
        chances, index=pd.RangeIndex(len(rows), name="damage"), columns=pd.Index(sizes, name="size")
    )


def survival(
    size: int, damage: int, turns: int, *, rules: HouseRules | None = None
) -> pd.Series[float]:
    """By turn, from 0: the chance that a ship that takes no further damage is still afloat.

    Source: Sea Battles, Damage.

    >>> survival(4, 12, 3).round(3).tolist()
    [1.0, 0.664, 0.441, 0.293]
    """
    floats = 1 - sinking(size, damage, rules=rules, exact=True)
    turns = whole("turns", turns, 0, 1000)
    chances = [float(floats**turn) for turn in range(turns + 1)]
    return pd.Series(chances, index=pd.RangeIndex(turns + 1, name="turn"), name="afloat")


def sinking_hits(
    weapon: str | Weapon,
    size: int,
    *,
    facing: str = "side",
    damage: int = 0,
    hits: int = 12,
    rules: HouseRules | None = None,
) -> pd.Series[float]:
    """By number of hits, from 0: the chance that a ship sinks at her next start of turn.

    The ship has `damage` points before them; extra damage is left out.
    Source: Sea Battles, Damage; Ships taking damage.

    >>> sinking_hits("great cannon", 4, hits=3).round(3).tolist()
    [0.0, 0.089, 0.64, 0.954]
    """
    rules = HouseRules.of(rules)
    whole("hits", hits, 0, 100)
    whole("damage", damage, 0, MOST_DAMAGE)
    one = _of_one_hit(weapon, facing=facing, rules=rules)
    chances = []
    for number_of in range(hits + 1):
        total = one.repeat(number_of)
        sinks = [sinking(size, damage + int(points)) for points in total.support]
        chances.append(float(np.asarray(sinks) @ total.pmf))
    return pd.Series(chances, index=pd.RangeIndex(hits + 1, name="hits"), name="sinks")


def damage(
    weapon: str | Weapon | None = None,
    *,
    facing: str | None = None,
    location: str | None = None,
    strength: int | None = None,
    wounds: str | None = None,
    rules: HouseRules | None = None,
) -> Distribution:
    """Damage points of one hit on a hull: from a `facing`, or on a known `location`.

    The weapon is one by name, or is given by its `strength` and dice of `wounds` ("0": none).
    From a facing it is the mix of hard and soft hits; a stone thrower hits from above, always
    soft (its hole, Strength 8 and D6 wounds, counts as the hit).
    Raises InputError for an unknown weapon, facing or location, or a strength above 10.
    Source: Sea Battles, Ships taking damage.

    >>> d = damage("great cannon", location="soft")
    >>> d.min, d.max
    (4, 14)
    >>> [damage("bow", facing=side).at_least(1, exact=True) for side in ("front", "side", "rear")]
    [Fraction(1, 36), Fraction(1, 18), Fraction(1, 9)]
    """
    rules = HouseRules.of(rules)
    above = False
    if weapon is not None:
        known = known_weapon(weapon)
        if strength is not None or wounds is not None:
            raise InputError("strength, wounds", (strength, wounds), "None beside a weapon")
        strength, wounds = known.strength, known.wounds
        above = known.kind == "stone"
        if above and rules.template_on_ship == "hole on a hit":
            strength, wounds = 8, "d6"
    if strength is None:
        raise InputError("weapon", weapon, "a weapon, or a strength")
    dice_of_wounds = known_wounds("0" if wounds is None else wounds)
    if location is not None:
        if location not in ("hard", "soft"):
            raise InputError("location", location, "hard", "soft")
        return hit_damage(strength, dice_of_wounds, soft=location == "soft")
    if above:
        return hit_damage(strength, dice_of_wounds, soft=True)
    if facing is None:
        raise InputError("facing", facing, *tables.FACINGS)
    return hit_damage(strength, dice_of_wounds, facing=known_facing(facing))


_of_one_hit = damage


def orders(
    leadership: int,
    *,
    admiral: int | None = None,
    gear: str = "sails",
    both: bool = False,
    damaged: bool = False,
    crew_lost: bool = False,
    wind: str = "abeam",
    current: str = "none",
    rules: HouseRules | None = None,
) -> Distribution:
    """How many moves a ship makes in a turn by orders.

    `leadership` is the captain's, `admiral` that of an Admiral within 6 cm. She moves by `gear`
    ("sails" or "oars"), which is `damaged` or not; with `both` she has the other as well.
    `wind` and `current` come from "astern", "ahead", "abeam", or are "none", at every move.
    The chance of more than k moves never reaches zero: it has a geometric tail, exact for any k.
    Source: Sea Battles, Command tests; Blunders.

    >>> moves_made = orders(8)
    >>> round(moves_made.at_least(1), 4), round(moves_made.at_least(2), 4)
    (0.7222, 0.3009)
    >>> moves_made.at_least(9, exact=True) / moves_made.at_least(8, exact=True)
    Fraction(1, 36)
    """
    rules = HouseRules.of(rules)
    whole("leadership", leadership, 1, tables.HIGHEST_LEADERSHIP)
    if admiral is not None:
        whole("admiral", admiral, 1, tables.HIGHEST_LEADERSHIP)
    if gear not in ("sails", "oars"):
        raise InputError("gear", gear, "sails", "oars")
    sailing = gear == "sails"
    helm = Helm(
        leadership,
        admiral,
        sails=sailing or both,
        oars=not sailing or both,
        sailing=sailing,
        sails_damaged=sailing and damaged,
        oars_damaged=not sailing and damaged,
        crew_lost=crew_lost,
        wind=_from_side("wind", wind),
        current=_from_side("current", current),
    )
    return moves(helm, rules)


FROM = {"ahead": -1, "none": 0, "abeam": 0, "astern": 1}


def _from_side(what: str, side: str) -> int:
    """1 for wind or current from astern, −1 from ahead, 0 else; InputError for other words."""
    if side not in FROM:
        raise InputError(what, side, *FROM)
    return FROM[side]


def extra_damage(points: int, *, rules: HouseRules | None = None) -> pd.Series[float]:
    """The chance that each result of extra damage occurs, in the table's order.

    `points` are the Damage points of one Magic or Shooting phase; a D6 is rolled for each.
    Source: Sea Battles, Extra damage.

    >>> extra_damage(3).round(4).to_dict()["hull"]
    0.0741
    """
    HouseRules.of(rules)
    chances = occurrence(whole("points", points, 0, MOST_DAMAGE))
    return pd.Series([float(chance) for chance in chances], index=list(tables.EXTRA))


@overload
def rescue(
    save: int,
    *,
    marker: str = "wreckage",
    rank: str = "",
    rules: HouseRules | None = None,
    exact: Literal[False] = False,
) -> float: ...
@overload
def rescue(
    save: int,
    *,
    marker: str = "wreckage",
    rank: str = "",
    rules: HouseRules | None = None,
    exact: Literal[True],
) -> Fraction: ...
def rescue(
    save: int,
    *,
    marker: str = "wreckage",
    rank: str = "",
    rules: HouseRules | None = None,
    exact: bool = False,
) -> float | Fraction:
    """The chance that a model in the water lives and can be taken up.

    `save` is its armour save on foot (7: none), `marker` "wreckage" or "debris", `rank` "",
    "hero" or "lord". `exact=True` gives a Fraction.
    Source: Sea Battles, Sunk ships.

    >>> rescue(5, marker="debris", exact=True)
    Fraction(1, 6)
    """
    lives = sunk.lives(sunk.need(save, marker, rank, rules))
    return lives if exact else float(lives)


@overload
def hit(
    weapon: str | Weapon,
    *,
    distance: float,
    skill: int = 3,
    size: int = 4,
    facing: str = "side",
    rules: HouseRules | None = None,
    exact: Literal[False] = False,
) -> float: ...
@overload
def hit(
    weapon: str | Weapon,
    *,
    distance: float,
    skill: int = 3,
    size: int = 4,
    facing: str = "side",
    rules: HouseRules | None = None,
    exact: Literal[True],
) -> Fraction: ...
def hit(
    weapon: str | Weapon,
    *,
    distance: float,
    skill: int = 3,
    size: int = 4,
    facing: str = "side",
    rules: HouseRules | None = None,
    exact: bool = False,
) -> float | Fraction:
    """The chance that one shot hits a ship `distance` centimetres away.

    Models and bolt throwers roll by ballistic `skill`; for cannons and stone throwers, whose range
    is guessed (rightly), the `size` and `facing` of the ship matter. A multi-barrelled gun hits
    unless it misfires. `exact=True` gives a Fraction.
    Source: Sea Battles, Shooting; Scale.

    >>> hit("bow", distance=6, exact=True), hit("bow", distance=13, exact=True)
    (Fraction(2, 3), Fraction(0, 1))
    >>> hit("cannon", distance=20, size=4, facing="side", exact=True)
    Fraction(3, 4)
    """
    rules = HouseRules.of(rules)
    known = known_weapon(weapon)
    number("distance", distance, 0, 1000)
    size = whole("size", size, 1, tables.LARGEST_SIZE)
    side = known_facing(facing)
    found = Fraction(0)
    if distance <= known.reach(rules):
        found = gunnery.hit_chance(known, distance, skill, size, side, rules)
    return found if exact else float(found)


def shooting(
    attacker: Ship,
    target: Ship,
    *,
    distance: float = 12,
    facing: str = "side",
    chance: Exact | Sampled | None = None,
    rules: HouseRules | None = None,
) -> Distribution:
    """Damage points that one Shooting phase of a ship does to another, extra damage apart.

    All fire that may, at the target's `facing` from `distance` centimetres. Points beyond 6 for
    each Size of the target, which sink her in any case, are counted as so many.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: Sea Battles, Shooting; Ships taking damage.

    >>> from navkit.rulebooks.sea_battles import Ship
    >>> galley, cog = Ship("Galley", 3, "oars", 8, guns=("cannon",)), Ship("Cog", 2, "sails", 8)
    >>> round(shooting(galley, cog).mean, 2)
    4.11
    """
    rules = HouseRules.of(rules)
    known_ship("attacker", attacker)
    battle = volley_battle(attacker, known_ship("target", target), facing, distance, rules)
    return play(battle, 1, chance).distribution("b", "damage")


def boarding(
    a: Ship,
    b: Ship,
    *,
    rounds: int = 12,
    a_fights: Boarders | None = None,
    b_fights: Boarders | None = None,
    chance: Exact | Sampled | None = None,
    rules: HouseRules | None = None,
) -> pd.DataFrame:
    """A boarding of b by a, by round from 0: who has won, and the models that are left.

    Columns: the chances that `a` has won, `b` has won, that the ships have parted or nobody can win
    (`stalemate`), that they fight on (`undecided`); and the mean of the models left on each side,
    `a_left` and `b_left`.
    Source: Sea Battles, Combat.

    >>> from navkit.rulebooks.sea_battles import Ship, Unit
    >>> orcs = Ship("Orcs", 1, "oars", 7, troops=(Unit("Orc boy", 5),))
    >>> goblins = Ship("Goblins", 1, "oars", 6, troops=(Unit("Goblin", 5),))
    >>> boarding(orcs, goblins, rounds=2)["a"].round(3).tolist()
    [0.0, 0.151, 0.38]
    """
    rules = HouseRules.of(rules)
    fights = (a_fights or Boarders(), b_fights or Boarders())
    known_ship("a", a)
    battle = brawl_battle(a, known_ship("b", b), fights, "side", False, rules)
    history = play(battle, whole("rounds", rounds, 1, 1000), chance)
    table = history.table()[["a", "b", "stalemate", "undecided"]]
    return table.assign(a_left=history.mean("a", "troops"), b_left=history.mean("b", "troops"))
