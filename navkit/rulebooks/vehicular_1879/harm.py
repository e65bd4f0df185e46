"""What hits do to a vehicle: damage, Critical Hits, ratings, weapons and crew."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array
from navkit.rulebooks.vehicular_1879.groups import behead, strike
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.ships import Vehicle
from navkit.rulebooks.vehicular_1879.state import Side, guns_of, with_guns
from navkit.rulebooks.vehicular_1879.supplement import Supplement
from navkit.state import replace


def weaken(side: Side, rating: str, by: Array) -> Side:
    """The side with less of a rating, at least 0."""
    return replace(side, **{rating: np.maximum(getattr(side, rating) - by, 0)})


def disarm(side: Side, place: int, by: Array, rules: HouseRules) -> Side:
    """The side with less of a battery: weapons, or Steps where a house rule says so."""
    name = {"weapon": "weapons", "damage step": "damage", "gunnery step": "gunnery"}
    rating = name[rules.armament_loss]
    left = np.maximum(getattr(guns_of(side, place), rating) - by, 0)
    return with_guns(side, place, **{rating: left})


def hurt_crew(side: Side, foe: Vehicle, damage: Array, rules: HouseRules) -> Side:
    """The side after a Damage Test against its crew: deaths and Wounds, or heads.

    Source: 1879: Vehicular Combat Preview, Called Shot; VA-37.
    """
    assert foe.hand is not None
    heads = foe.crew + foe.untrained
    if rules.crew_cargo_damage == "heads and points":
        return replace(side, crew=behead(side.crew, heads, damage))
    armor = foe.hand.armor
    return replace(side, crew=strike(side.crew, heads, foe.hand, damage, armor, rules))


def hole(side: Side, vehicle: Vehicle, damage: Array) -> Side:
    """The side with more damage; what goes beyond its destruction does not count.

    Source: 1879: Vehicular Combat Preview, Make Damage Tests and Check for Critical Hits/Wounds.
    """
    total = side.damage + damage
    if vehicle.destroyed_at is not None:
        total = np.minimum(total, vehicle.destroyed_at)
    return replace(side, damage=total)


def critical(side: Side, vehicle: Vehicle, damage: Array, supplement: Supplement) -> Side:
    """The side after damage that may be a Critical Hit: at the threshold or above.

    What it does is in another book; a user's table tells, else they are only counted.
    Source: 1879: Vehicular Combat Preview, Make Damage Tests and Check for Critical Hits/Wounds.
    """
    scored = np.where(damage >= vehicle.critical_threshold, 1, 0)
    side = replace(side, criticals=side.criticals + scored)
    if supplement.critical_hits is None:
        return side
    return replace(side, pending=side.pending + scored)
