"""Crew against crew: the factors of an attack, its casualties, and the death of an admiral.

All rules here work on whole arrays of attacks at once: one ship against one, one against several,
or two fleets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.medieval import tables
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.rolls import any_six
from navkit.rulebooks.medieval.ships import Ship

FLOOR = 10_000
"""More than any factors come to, so that a merit is above 0."""


@dataclass(frozen=True)
class Fighter:
    """What counts of a ship in an attack; each field a truth or a whole array of them.

    `flagship` is whether it counts as one; `crew` are its crew points.
    """

    crew: Any
    flagship: Any = False
    siphon: Any = False
    is_long: Any = True
    high: Any = False


def fighter(ship: Ship, crew: Array, *, admiral: Array, rules: HouseRules) -> Fighter:
    """A ship as it fights with `crew` points; `admiral` tells whether hers lives.

    A flagship keeps its +1 and −1 when the admiral is dead, unless a house rule takes them.
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat (MA-22).
    """
    flagship = ship.flagship if rules.after_admiral == "keeps" else ship.flagship & admiral
    return Fighter(crew, flagship, ship.siphon, ship.is_long, ship.high)


def half_lost(crew: Any, rules: HouseRules) -> Any:
    """Whether half of 20 crew points are gone; a prize began with its others lost (MA-20).

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat, list.

    >>> half_lost(10, HouseRules()), half_lost(10, HouseRules(half_lost="more than ten"))
    (True, False)
    """
    lost = tables.FULL_CREW - crew
    return lost >= tables.HALF_CREW if rules.half_lost == "ten or more" else lost > tables.HALF_CREW


def stands_below(attacker: Fighter, defender: Fighter, rules: HouseRules) -> Any:
    """Whether the attacker must climb: a long ship against a round one, or one with higher sides.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat, list (MA-19).
    """
    attacker_long, defender_round = np.asarray(attacker.is_long), ~np.asarray(defender.is_long)
    higher = np.asarray(defender.high) & ~np.asarray(attacker.high)
    if rules.height_rule == "long ship attacks":
        return attacker_long & (defender_round | higher)
    return (attacker_long & defender_round) | higher


def with_friends(scorer: Fighter, attackers: Fighter, rules: HouseRules) -> Fighter:
    """The scoring ship with what the others lend it: nothing, or flagship and siphon.

    `attackers` has the flagship and siphon of any ship of the attack.
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat (MA-16).
    """
    if rules.factor_source == "scoring ship":
        return scorer
    return replace(scorer, flagship=attackers.flagship, siphon=attackers.siphon)


def modifier(
    attacker: Fighter,
    defender: Fighter,
    rules: HouseRules,
    *,
    more: Array | int = 0,
    beside: Array | int = 0,
) -> Array:
    """What is added to the die of an attack.

    `more` are the attacking ships beyond the first; `beside` those that flank the defender, of
    whichever side the house rule names. Siphons on both sides cancel out.
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat, list.

    >>> int(modifier(Fighter(20, siphon=True), Fighter(10), HouseRules()))
    3
    """
    own_siphon, other_siphon = np.asarray(attacker.siphon), np.asarray(defender.siphon)
    below = stands_below(attacker, defender, rules)
    total = (
        tables.ATTACKER_IS_FLAGSHIP * np.asarray(attacker.flagship, dtype=np.int32)
        + tables.DEFENDER_IS_FLAGSHIP * np.asarray(defender.flagship, dtype=np.int32)
        + tables.DEFENDER_HALF_LOST * np.asarray(half_lost(defender.crew, rules))
        + tables.ATTACKER_HALF_LOST * np.asarray(half_lost(attacker.crew, rules))
        + tables.EACH_FLANKER * np.asarray(beside)
        + tables.ATTACKER_HAS_SIPHON * (own_siphon & ~other_siphon)
        + tables.DEFENDER_HAS_SIPHON * (other_siphon & ~own_siphon)
        + tables.EACH_MORE_ATTACKER * np.asarray(more)
        + tables.HIGHER_DEFENDER * below
    )
    return np.asarray(total)


def flankers(more: Array | int, friends: Array | int, rules: HouseRules) -> Array | int:
    """How many ships count as flanking the defender.

    `friends` are ships of its own side in contact with it or tied to it, with crew (MA-17); `more`
    the attacking ships beyond the scorer, which count instead where a house rule says so.
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat, list.
    """
    return friends if rules.flank_sign == "defender's friends" else more


def casualties(die: Array | int, factors: Array | int, rules: HouseRules) -> Array:
    """Crew points that an attack costs: the die with its factors, never less than none.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.

    >>> casualties(2, -3, HouseRules()), casualties(2, -3, HouseRules(min_casualty="one"))
    (np.int64(0), np.int64(1))
    """
    return np.maximum(die + factors, 0 if rules.min_casualty == "none" else 1)


def admiral_dice(attackers: Array | int, alive: Array, rules: HouseRules) -> Array:
    """How many dice are rolled for the life of an admiral: one a turn while his ship is attacked.

    Only hand-to-hand attacks count, a blow back included (MA-21); the dead need no die (MA-22).
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.
    """
    dice = attackers if rules.admiral == "each attacker" else np.minimum(attackers, 1)
    return np.asarray(dice * alive)


def admiral_survives(alive: Array, dice: Array, chance: Chance, why: str = "admiral") -> Array:
    """1 where an admiral is alive and no die of his shows a 6, else 0.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.
    """
    return np.where(any_six(chance, dice, why=why, rule="M-26"), 0, alive)


def best(merits: tuple[Array, ...]) -> tuple[Array, ...]:
    """Which of some ships is the one with most merit, the first in a tie; nobody below 1."""
    most = reduce(np.maximum, merits)
    found: list[Array] = []
    open_ = most > 0
    for merit in merits:
        found.append(open_ & (merit == most))
        open_ = open_ & ~found[-1]
    return tuple(found)


def merit(factors: Array, crew: Array, there: Array) -> Array:
    """How well a ship scores: by its factors, then by its crew points; 0 for one not there.

    The attacking player may pick who scores (MA-16); this is the pick when nobody chooses.
    """
    return np.where(there, (factors + FLOOR) * (tables.FULL_CREW + 1) + crew, 0)
