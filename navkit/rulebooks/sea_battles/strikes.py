"""Hits that are being worked out: what an attack is, and how its hits go on one after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from navkit.chance import Array
from navkit.dice import Distribution, constant, dice
from navkit.rulebooks.sea_battles.vessel import Vessel, afloat
from navkit.rulebooks.sea_battles.weapons import Weapon
from navkit.state import replace

IDLE, LOCATE, HARD, SOFT, SORTED, PICK, COUNT, WOUND, SAVE, SEVERAL = range(10)
"""What is rolled next for hits: whether they go to troops, where they hit, their damage; or which
unit aboard, how many blows, wounds, saves, and how many wounds each is."""


NO_WOUNDS = constant(0)


@dataclass(frozen=True)
class Attack:
    """What all hits of an attack have in common.

    `source` is "shooting", "magic" or "ram"; `above` are attacks that come from above, which hit
    soft without a roll. Hits with `several` in the strike roll `wounds` more.
    """

    source: str
    wounds: Distribution
    piercing: int = 0
    above: bool = False
    template: str = ""


def attack_of(weapon: Weapon, source: str = "shooting") -> Attack:
    """The attack of a weapon. Stones come from above. Source: Sea Battles, Ships taking damage."""
    wounds = dice("d6") if weapon.kind == "stone" else dice(weapon.wounds)
    above = weapon.kind == "stone"
    return Attack(source, wounds, weapon.piercing, above, weapon.template)


def struck(
    vessel: Vessel, hits: Array, facing: Array | int, strength: Array | int, several: Array | int
) -> Vessel:
    """The vessel with hits to be worked out."""
    zero = np.zeros_like(hits)
    strike = replace(
        vessel.strike,
        hits=hits,
        facing=np.where(hits > 0, facing, zero),
        strength=np.where(hits > 0, strength, zero),
        several=np.where(hits > 0, several, zero),
    )
    return replace(vessel, strike=strike)


def has_hits(vessel: Vessel) -> Array:
    """Whether hits are left to be worked out, on a ship that is still there."""
    return (vessel.strike.hits > 0) & afloat(vessel)


def noted(vessel: Vessel, **values: Array | int) -> Vessel:
    """The vessel with some fields of her strike changed."""
    like = vessel.strike.hits
    full = {name: np.zeros_like(like) + value for name, value in values.items()}
    return replace(vessel, strike=replace(vessel.strike, **full))


def next_hit(vessel: Vessel) -> Vessel:
    """On to the next hit that strays to the troops, or to no hit where none is left."""
    strays = vessel.strike.strays
    more = strays > 0
    kept = {
        name: np.where(more, getattr(vessel.strike, name), 0)
        for name in ("facing", "strength", "several")
    }
    return noted(
        vessel,
        hits=np.where(more, 1, 0),
        strays=np.maximum(strays - 1, 0),
        stage=np.where(more, PICK, IDLE),
        soft=0,
        hard=0,
        unit=0,
        blows=0,
        **kept,
    )
