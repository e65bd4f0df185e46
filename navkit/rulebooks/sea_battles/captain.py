"""Captains: who commands a ship, the Admiral, and what becomes of a captain who is struck."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from navkit.battle import Step
from navkit.chance import Array, Chance
from navkit.dice import Distribution, dice
from navkit.engine.rows import either
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.rolls import pool
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.vessel import Vessel, afloat, chosen, table_of, where_at
from navkit.state import replace

SLAIN_STRENGTH = 5


def leadership(
    vessel: Vessel, admiral: Vessel | None, near: Array | None, rules: HouseRules
) -> Array:
    """What a ship tests on: her captain's Leadership, or that of an Admiral near enough.

    Lasting penalties are the ship's, and the Admiral is the Flagship's captain: a borrower suffers
    both (SA-07) unless the house rule says otherwise. `near` tells where the Flagship is afloat
    and within reach. A lost Flagship has no successor.
    Source: Sea Battles, Leadership.
    """
    own = vessel.leadership - vessel.penalty
    if admiral is None or near is None:
        return own
    lent = admiral.leadership
    if rules.admiral_penalty in ("both", "own only"):
        lent = lent - vessel.penalty
    if rules.admiral_penalty in ("both", "admiral's only"):
        lent = lent - admiral.penalty
    return np.where(near & afloat(admiral), np.maximum(own, lent), own)


def appointed(vessel: Vessel, chance: Chance) -> Vessel:
    """The vessel with a captain rolled on the table. Source: Sea Battles, Leadership."""
    rolled = chance.roll("d6", then=_experience, why="captain", rule="S-23")
    return replace(vessel, leadership=rolled)


def _experience(face: Array) -> Array:
    """Leadership by the captain table. Source: Sea Battles, Leadership."""
    return np.where(face == 1, 7, np.where(face == 6, 9, 8))


def needs_captain(vessel: Vessel) -> Array:
    """Whether a captain is to be rolled on the table."""
    return (vessel.leadership == 0) & afloat(vessel)


def succeeded(vessel: Vessel, ship: Ship, rules: HouseRules) -> Vessel:
    """The vessel after her character captain fell: who commands now.

    By default the next character aboard, else a captain from the table (Leadership 0: still to be
    rolled); the ship's lasting penalties stay (SA-09).
    Source: Sea Battles, Leadership.
    """
    none = np.zeros_like(vessel.captain)
    fallen = (vessel.captain > 0) & (chosen((none, *vessel.characters), vessel.captain) <= 0)
    match rules.captain_loss:
        case "his Leadership stays":
            captain, command = none, vessel.leadership
        case "Leadership 7":
            captain, command = none, none + 7
        case _:
            captain, command = none, none
            for place in reversed(range(len(ship.characters))):
                alive = vessel.characters[place] > 0
                captain = np.where(alive, place + 1, captain)
                command = np.where(alive, ship.characters[place].profile.leadership, command)
    return replace(
        vessel,
        captain=np.where(fallen, captain, vessel.captain),
        leadership=np.where(fallen, command, vessel.leadership),
    )


# A character captain who is struck by Captain slain


def slain_steps(ship: Ship, rules: HouseRules) -> tuple[Step[Vessel], ...]:
    """The steps by which a character captain takes D6 hits of Strength 5, and is followed.

    `shaken` is how many Captain slain results he suffers. He saves without mount and barding.
    Source: Sea Battles, Extra damage.
    """
    if not ship.characters:
        return (Step(appointed, needs_captain),)
    toughness = table_of([0, *(each.profile.toughness for each in ship.characters)])
    saves = table_of([tables.NO_SAVE, *(each.profile.save for each in ship.characters)])

    def commands(vessel: Vessel) -> Array:
        return (vessel.shaken > 0) & (vessel.captain > 0) & afloat(vessel)

    def step(number: int, vessel: Vessel) -> Array:
        return commands(vessel) & (vessel.pending == number)

    def blows(vessel: Vessel, chance: Chance) -> Vessel:
        rolled = chance.roll_from(_dice, vessel.shaken, why="hits on the captain", rule="S-101")
        return replace(vessel, shaken=rolled, pending=np.full_like(vessel.pending, 1))

    def need_save(vessel: Vessel) -> Array:
        return tables.to_save(saves[vessel.captain], SLAIN_STRENGTH)

    def wound(vessel: Vessel, chance: Chance) -> Vessel:
        need = tables.to_wound(SLAIN_STRENGTH, toughness[vessel.captain])
        wounds = pool(chance, vessel.shaken, need, why="wound the captain", rule="S-101")
        waits = replace(vessel, shaken=wounds, pending=np.full_like(wounds, 2))
        saves_some = (wounds > 0) & (need_save(vessel) < tables.NO_SAVE)
        return either(saves_some, waits, suffers(vessel, wounds))

    def save(vessel: Vessel, chance: Chance) -> Vessel:
        need = need_save(vessel)
        saved = pool(chance, vessel.shaken, need, why="the captain's save", rule="S-101")
        return suffers(vessel, vessel.shaken - saved)

    def suffers(vessel: Vessel, wounds: Array) -> Vessel:
        place, none = vessel.captain - 1, np.zeros_like(wounds)
        left = np.maximum(chosen(vessel.characters, place) - wounds, 0)
        characters = where_at(vessel.characters, place, left)
        after = replace(vessel, characters=characters, shaken=none, pending=none)
        return succeeded(after, ship, rules)

    return (
        Step(save, partial(step, 2)),
        Step(wound, partial(step, 1)),
        Step(blows, partial(step, 0)),
        Step(appointed, needs_captain),
    )


@lru_cache(maxsize=64)
def _dice(count: int) -> Distribution:
    return dice("d6").repeat(count)
