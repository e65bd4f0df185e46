"""Rules of three armies: Animosity aboard, and undead ships that move without a test."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.weapons import scaled

ORCS, TOMB_KINGS, VAMPIRES = "Orcs & Goblins", "Tomb Kings", "Vampire Counts"
CALM, GET_EM, SQUABBLE, SHOW_EM = 0, 1, 2, 3
"""What Animosity makes of a ship: nothing, she rams a friend, does nothing, or moves for free."""


def suffers_animosity(ship: Ship) -> bool:
    """Whether a ship rolls for Animosity: those of Orcs and Goblins, not their units aboard.

    Source: Sea Battles, Army specific rules.
    """
    return ship.army == ORCS


def quarrels(chance: Chance) -> Array:
    """Whether Animosity breaks out: on a 1.

    Source: Sea Battles, Army specific rules; the parent game's Animosity.
    """
    return chance.check("d6", 1, why="animosity", rule="S-137")


def mood(chance: Chance) -> Array:
    """What comes of it, a D6: 1 "get 'em", 2–5 a squabble, 6 "show 'em" (1/36, 4/36, 1/36).

    Get 'em: she rams the nearest friend that suffers from Animosity, and does not board her. A
    squabble: no orders and no shooting. Show 'em: a free move at half speed (SA-57).
    Source: Sea Battles, Army specific rules; the parent game's Animosity.
    """
    return chance.roll("d6", then=_mood, why="what they quarrel about", rule="S-138")


def _mood(face: Array) -> Array:
    return np.where(face == 1, GET_EM, np.where(face == 6, SHOW_EM, SQUABBLE))


def charge_run(distance: Array | float, rules: HouseRules | None = None) -> Array:
    """How far an angry ship goes at her friend: straight, up to 20 cm, as her only move.

    Source: Sea Battles, Army specific rules.

    >>> float(charge_run(12.0)), float(charge_run(30.0))
    (12.0, 20.0)
    """
    return np.minimum(distance, scaled(tables.FULL, HouseRules.of(rules)))


def moves_without_test(ship: Ship) -> bool:
    """Whether she makes one move each Movement phase, her test passed without a roll.

    Source: Sea Battles, Army specific rules.

    >>> from navkit.rulebooks.sea_battles import ship
    >>> moves_without_test(ship("Barge of Dust")), moves_without_test(ship("Hammer"))
    (True, False)
    """
    return ship.army in (TOMB_KINGS, VAMPIRES)


def full_speed(ship: Ship, near_admiral: Array | bool) -> Array:
    """Whether that one move may be at full speed: of Vampire Counts near the Admiral.

    No more than 6 cm from the Flagship as the turn starts; the Flagship herself is.
    Source: Sea Battles, Army specific rules.

    >>> from navkit.rulebooks.sea_battles import ship
    >>> bool(full_speed(ship("Grave Barge"), True)), bool(full_speed(ship("Barge of Dust"), True))
    (True, False)
    """
    return np.asarray(near_admiral) & (ship.army == VAMPIRES)


def spell_move(ship: Ship, rules: HouseRules | None = None) -> float:
    """Centimetres that an undead ship goes by each spell that moves her; 0 for other ships.

    Incantations of Urgency for Tomb Kings, Vanhel's Danse Macabre for Vampire Counts: any move
    beyond the one takes them. Half speed, which is a spell's normal move (SA-58).
    Source: Sea Battles, Army specific rules; Magic.

    >>> from navkit.rulebooks.sea_battles import ship
    >>> spell_move(ship("Barge of Dust")), spell_move(ship("Hammer"))
    (10.0, 0.0)
    """
    rules = HouseRules.of(rules)
    if not moves_without_test(ship):
        return 0.0
    return scaled(tables.HALF if rules.undead_move == "half" else tables.FULL, rules)
