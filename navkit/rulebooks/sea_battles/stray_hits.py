"""Hits on a ship that strike a unit aboard instead."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from navkit.battle import Step
from navkit.chance import Array, Chance
from navkit.dice import Distribution, dice
from navkit.engine.rows import either
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.rolls import pool
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.strikes import (
    COUNT,
    PICK,
    SAVE,
    SEVERAL,
    WOUND,
    Attack,
    next_hit,
    noted,
)
from navkit.rulebooks.sea_battles.vessel import Vessel, chosen, table_of, where_at
from navkit.state import replace


def unit_steps(
    ship: Ship, attack: Attack, stage: Callable[[int], Callable[[Vessel], Array]]
) -> tuple[Step[Vessel], ...]:
    """The steps by which a hit on the troops is worked out: whom, how often, wounds, saves.

    Units are equally likely; one hit strikes one model (SA-12), a template D6 or 2D6 of the unit.
    """
    toughness = table_of([unit.profile.toughness for unit in ship.troops])
    saves = table_of([unit.profile.missile_save for unit in ship.troops])
    each = table_of([unit.profile.wounds for unit in ship.troops])

    def whole_units(vessel: Vessel) -> Array:
        alive = [np.where(wounds > 0, 1, 0) for wounds in vessel.troops]
        return np.sum(np.broadcast_arrays(*alive), axis=0)

    def several_units(vessel: Vessel) -> Array:
        return stage(PICK)(vessel) & (whole_units(vessel) > 1)

    def picked(vessel: Vessel, number: Array) -> Vessel:
        """The living unit of that number, from 1."""
        unit, left = np.zeros_like(number), number
        for place, wounds in enumerate(vessel.troops):
            left = left - np.where(wounds > 0, 1, 0)
            unit = np.where((left == 0) & (wounds > 0), place, unit)
        then = COUNT if attack.template else WOUND
        return noted(vessel, stage=then, unit=unit, blows=0 if attack.template else 1)

    def pick(vessel: Vessel, chance: Chance) -> Vessel:
        which = chance.roll_from(_one_of, whole_units(vessel), why="which unit", rule="S-34")
        return picked(vessel, which)

    def pick_only(vessel: Vessel, chance: Chance) -> Vessel:
        return picked(vessel, np.ones_like(vessel.strike.hits))

    def count(vessel: Vessel, chance: Chance) -> Vessel:
        blows = dice("2d6" if attack.template == "large" else "d6")
        rolled = chance.roll(blows, why="hits of the template", rule="S-109")
        return noted(vessel, stage=WOUND, blows=rolled)

    def wound(vessel: Vessel, chance: Chance) -> Vessel:
        strike = vessel.strike
        need = tables.to_wound(strike.strength, toughness[strike.unit])
        wounds = pool(chance, strike.blows, need, why="wound", rule="S-34")
        return _onward(vessel, wounds, SAVE)

    def need_save(vessel: Vessel) -> Array:
        strike = vessel.strike
        return tables.to_save(saves[strike.unit], strike.strength, attack.piercing)

    def can_save(vessel: Vessel) -> Array:
        return stage(SAVE)(vessel) & (need_save(vessel) < tables.NO_SAVE)

    def save(vessel: Vessel, chance: Chance) -> Vessel:
        strike = vessel.strike
        saved = pool(chance, strike.blows, need_save(vessel), why="armour save", rule="S-34")
        return fall(vessel, strike.blows - saved)

    def no_save(vessel: Vessel, chance: Chance) -> Vessel:
        return fall(vessel, vessel.strike.blows)

    def fall(vessel: Vessel, unsaved: Array) -> Vessel:
        """Wounds of one point are taken off; those of several points are rolled for first."""
        strike = vessel.strike
        rolls = (strike.several > 0) & (each[strike.unit] > 1) & (unsaved > 0)
        unit = chosen(vessel.troops, strike.unit)
        dead = np.where(strike.several > 0, np.minimum(each[strike.unit], unit), unsaved)
        dead = np.where(unsaved > 0, dead, 0)
        left = np.where(rolls, unit, np.maximum(unit - dead, 0))
        after = replace(vessel, troops=where_at(vessel.troops, strike.unit, left))
        return either(rolls, noted(after, stage=SEVERAL, blows=1), next_hit(after))

    def several(vessel: Vessel, chance: Chance) -> Vessel:
        strike = vessel.strike
        unit = chosen(vessel.troops, strike.unit)
        model = (unit - 1) % each[strike.unit] + 1
        rolled = chance.roll(attack.wounds, why="wounds", rule="S-34")
        left = unit - np.minimum(rolled, model)
        return next_hit(replace(vessel, troops=where_at(vessel.troops, strike.unit, left)))

    return (
        Step(pick, several_units),
        Step(pick_only, stage(PICK)),
        Step(count, stage(COUNT)),
        Step(wound, stage(WOUND)),
        Step(save, can_save),
        Step(no_save, stage(SAVE)),
        Step(several, stage(SEVERAL)),
    )


def _onward(vessel: Vessel, wounds: Array, then: int) -> Vessel:
    """On to the saves of the wounds, or to the next hit where there are none."""
    going = wounds > 0
    return either(going, noted(vessel, stage=then, blows=wounds), next_hit(vessel))


def _one_of(number: int) -> Distribution:
    return dice(f"d{number}")
