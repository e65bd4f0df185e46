"""Breaking off a boarding: who wants to, the dice it takes, and who gets away."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.medieval import tables
from navkit.rulebooks.medieval.boarding import (
    ANSWERED,
    UNANSWERED,
    Boarding,
    Fight,
    Vessel,
    able,
    flag,
    side_of,
)
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.rolls import at_least
from navkit.state import replace


def wants_to_leave(vessel: Vessel, threshold: int) -> Array:
    """Whether a ship wants to leave: it is in the combat with few enough crew points left."""
    return able(vessel) & (vessel.points <= threshold)


def breaks_free(
    wants: Array, was_tied: Array, tied: Array, chance: Chance, rules: HouseRules, who: str
) -> Array:
    """Whether a ship that wants to leaves the combat, after it has tried to cut its grapnels.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat (MA-10).
    """
    rolls = wants & ~was_tied if rules.break_and_cut == "cut alone" else wants
    why = f"{who}: break contact"
    broke = at_least(chance, tables.BREAK_CONTACT, among=rolls, why=why, rule="M-28")
    held = tied if rules.break_and_cut != "break alone" else np.zeros_like(tied)
    return wants & (broke | ~rolls) & ~held


def part(fight: Fight, chance: Chance, known: Boarding) -> Fight:
    """The fight after the start of a turn, when ships try to leave.

    Leaving a combat takes a 4; a grappled ship must cut too, in the same turn, a die for each
    pair of ships, and what is cut stays cut (MA-08, MA-10). Where both sides want to part no die
    is rolled (MA-12). Whoever fails fights on (MA-11). Who began may not leave before the other
    could strike back.
    Source: Medieval Naval Wargame Rules, Grappling; Direct Personnel Combat.
    """
    rules, (foe,) = known.rules, fight.b.ships
    b_wants = wants_to_leave(foe, known.break_off[1]) & (fight.begun >= UNANSWERED)
    ships: list[Vessel] = []
    resisted = held_before = held = np.zeros(1, dtype=bool)
    for ship, vessel in zip(known.a, fight.a.ships, strict=True):
        wants = wants_to_leave(vessel, known.break_off[0]) & (fight.begun == ANSWERED)
        mutual = wants & b_wants
        was_tied = able(vessel) & (vessel.tied > 0)
        tied = was_tied & ~mutual
        if rules.break_and_cut != "break alone":
            cuts, why = tied & (wants | b_wants), f"{ship.name}: cut the grapnels"
            tied = tied & ~at_least(chance, tables.CUT, among=cuts, why=why, rule="M-11")
        free = breaks_free(wants & ~mutual, was_tied, tied, chance, rules, ship.name)
        left = (vessel.left > 0) | mutual | free
        ships.append(replace(vessel, left=flag(left), tied=flag(tied & ~left)))
        resisted = resisted | (able(vessel) & ~wants)
        held_before, held = held_before | (was_tied & ~mutual), held | tied
    free = breaks_free(b_wants & resisted, held_before, held, chance, rules, known.b.name)
    left = (foe.left > 0) | (b_wants & ~resisted) | free
    return replace(
        fight,
        a=side_of(tuple(ships), fight.a.admiral),
        b=side_of((replace(foe, left=flag(left)),), fight.b.admiral),
    )
