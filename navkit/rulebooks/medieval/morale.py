"""Morale: what shakes a fleet, and what it does then. All rules work on whole arrays of fleets."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.medieval import tables
from navkit.rulebooks.medieval.house_rules import HouseRules

UNSHAKEN, HALT, FLEE = 0, 1, 2
"""What a test of morale comes to."""


@dataclass(frozen=True)
class Spirit:
    """The morale of a fleet.

    `fleeing` is 1 for good; `halt` the turns without moving or attacking that are left; `rumour`
    the turns until word of its admiral's death has spread, 0 for none on the way; `outnumbered` 1
    once it has been tested for that.
    """

    fleeing: Array
    halt: Array
    rumour: Array
    outnumbered: Array


def looks_double(own: Array, enemy: Array, rules: HouseRules) -> Array:
    """Whether the enemy looks double in number: ships afloat with crew, prizes their captor's.

    Just twice is enough (MA-36, MA-37).
    Source: Medieval Naval Wargame Rules, Morale.
    """
    double = tables.OUTNUMBERED * own
    many = enemy > double if rules.outnumbered_at == "more than twice" else enemy >= double
    return (own > 0) & many


def spread(spirit: Spirit, killed: Array) -> Spirit:
    """The fleet at the end of a turn: word of the death of an admiral sets out, or comes nearer.

    It is tested two turns after; a flagship lost meanwhile doesn't stop the word (MA-38).
    Source: Medieval Naval Wargame Rules, Morale.
    """
    nearer = np.maximum(spirit.rumour - 1, 0)
    return replace(spirit, rumour=np.where(killed, tables.RUMOUR_TURNS, nearer))


def heard(spirit: Spirit) -> Array:
    """Whether the word of an admiral's death arrives at the end of this turn."""
    return spirit.rumour == 1


def dice_of(
    spirit: Spirit, flagship_lost: Array, own: Array, enemy: Array, rules: HouseRules
) -> Array:
    """How many dice of morale a fleet rolls at the end of a turn: one for each event (MA-39).

    Events: its flagship was sunk or taken; the enemy looks double its number (when it first does,
    or in each turn); word of its admiral's death arrives. A fleet in flight isn't tested.
    Source: Medieval Naval Wargame Rules, Morale.
    """
    double = looks_double(own, enemy, rules)
    news = double if rules.morale_outnumber == "each turn" else double & (spirit.outnumbered == 0)
    events = flagship_lost.astype(np.int32) + news.astype(np.int32) + heard(spirit)
    return np.where((spirit.fleeing == 0) & (own > 0), events, 0)


def effect_of(dice: Array, chance: Chance, why: str) -> Array:
    """What tests of morale come to, by their worst die: UNSHAKEN, HALT or FLEE.

    1–2 all ships flee, 3–4 neither moves nor attacks for two turns, 5–6 unshaken.
    Source: Medieval Naval Wargame Rules, Morale.
    """
    return chance.faces(6, dice, worst_effect, why=why, rule="M-41")


def worst_effect(shown: Array) -> Array:
    """The effect of the worst of some dice of morale; UNSHAKEN for none."""
    flee = shown[: tables.FLEE_AT_MOST].sum(axis=0) > 0
    halt = shown[: tables.HALT_AT_MOST].sum(axis=0) > 0
    return np.where(flee, FLEE, np.where(halt, HALT, UNSHAKEN))


def shaken(spirit: Spirit, effect: Array, double: Array) -> Spirit:
    """The fleet after its test at the end of a turn.

    A halt is of the two turns after (MA-40), and counts anew if it comes again (MA-41).
    Source: Medieval Naval Wargame Rules, Morale.
    """
    over = np.maximum(spirit.halt - 1, 0)
    return replace(
        spirit,
        fleeing=np.maximum(spirit.fleeing, effect == FLEE),
        halt=np.where(effect == HALT, tables.HALT_TURNS, over),
        outnumbered=np.maximum(spirit.outnumbered, double),
    )
