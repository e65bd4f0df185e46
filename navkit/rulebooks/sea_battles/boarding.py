"""Boardings as parts of a battle: how they begin, go on, and what becomes of the ship."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from navkit.battle import Either, Repeat, Step
from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles.fleets import Fight, Place, Ships, with_vessel
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.melee import end_of_round, melee_steps
from navkit.rulebooks.sea_battles.melee_rounds import (
    CHARGERS,
    DEFENDERS,
    NOT_BEGUN,
    Clash,
    begun,
)
from navkit.rulebooks.sea_battles.rosters import Roster
from navkit.rulebooks.sea_battles.vessel import BEATEN, CAPTURED, SCUTTLED, Vessel

MOST_STEPS = 5000


def in_battle(step: Step[Clash], charger: Place, defender: Place, ships: Ships) -> Step[Fight]:
    """A step of a boarding as a step of the battle it is part of."""

    def clash(fight: Fight) -> Clash:
        return Clash(charger.vessel(fight), defender.vessel(fight), fight.melee)

    def run(fight: Fight, chance: Chance) -> Fight:
        after = step.run(clash(fight), chance)
        fight = with_vessel(fight, charger, after.charger, ships)
        fight = with_vessel(fight, defender, after.defender, ships)
        return replace(fight, melee=after.melee)

    applies = step.when
    assert applies is not None
    return Step(run, lambda fight: applies(clash(fight)), side=charger.side)


def begin_part(
    charger: Place,
    defender: Place,
    ships: Ships,
    rosters: tuple[Roster, Roster],
    boards: Callable[[Fight], Array],
    facing: Callable[[Fight], Array],
    rules: HouseRules,
) -> Step[Fight]:
    """The part in which a boarding begins where `boards` says so."""

    def run(fight: Fight, chance: Chance) -> Fight:
        clash = Clash(charger.vessel(fight), defender.vessel(fight), fight.melee)
        return replace(fight, melee=begun(clash, facing(fight), rosters, rules).melee)

    return Step(run, boards, side=charger.side)


def round_parts(
    charger: Place,
    defender: Place,
    ships: Ships,
    rosters: tuple[Roster, Roster],
    rules: HouseRules,
) -> list[Any]:
    """The parts that are one round of a boarding."""
    steps = tuple(in_battle(step, charger, defender, ships) for step in melee_steps(rosters, rules))
    end = in_battle(end_of_round(rosters, rules), charger, defender, ships)
    return [Repeat(Either(steps), most=MOST_STEPS), end]


def fought_out(
    charger: Place,
    defender: Place,
    ships: Ships,
    rosters: tuple[Roster, Roster],
    rules: HouseRules,
) -> Repeat[Fight]:
    """The part in which a boarding is fought to its end, within one turn.

    Source: Sea Battles, Fighting aboard ships.
    """
    steps = (*melee_steps(rosters, rules), end_of_round(rosters, rules))
    lifted = tuple(in_battle(step, charger, defender, ships) for step in steps)
    return Repeat(Either(lifted), most=MOST_STEPS)


def is_over(fight: Fight) -> Array:
    """Whether a boarding is over and its ship still to be disposed of."""
    return (fight.melee.stage != NOT_BEGUN) & (fight.melee.over > 0)


def aftermath_part(
    charger: Place,
    defender: Place,
    ships: Ships,
    rosters: tuple[Roster, Roster],
    rules: HouseRules,
) -> Step[Fight]:
    """The part that ends a boarding: the beaten ship is taken over, scuttled or left.

    A side that has wiped out the other may take the ship if a character of it can command: one
    who isn't captain already (SA-56). Else it scuttles her. A ship without troops is taken
    likewise. Where the ships part, both go on.
    Source: Sea Battles, Combat results.
    """
    one, two = rosters

    def run(fight: Fight, chance: Chance) -> Fight:
        over = fight.melee.over
        attacker, target = charger.vessel(fight), defender.vessel(fight)
        spoils = _fate(attacker, one)
        lost = _fate(target, two)
        attacker = replace(attacker, gone=np.where(over == DEFENDERS, lost, attacker.gone))
        target = replace(target, gone=np.where(over == CHARGERS, spoils, target.gone))
        after = with_vessel(fight, charger, attacker, ships)
        after = with_vessel(after, defender, target, ships)
        stage = np.full_like(over, NOT_BEGUN)
        return replace(after, melee=replace(after.melee, stage=stage))

    return Step(run, is_over, side=charger.side)


def _fate(winner: Vessel, roster: Roster) -> Array:
    """What the winner does with the ship he has cleared."""
    nothing = np.full_like(winner.gone, BEATEN)
    if roster.boarders.prize == "leave":
        return nothing
    scuttled = np.full_like(winner.gone, SCUTTLED)
    if roster.boarders.prize == "scuttle":
        return scuttled
    return np.where(may_command(winner), CAPTURED, scuttled)


def may_command(winner: Vessel) -> Array:
    """Whether a character is left who isn't captain of the ship he came from.

    Source: Sea Battles, Combat results.
    """
    found = np.zeros_like(winner.gone, dtype=bool)
    for place, wounds in enumerate(winner.characters, start=1):
        found = found | ((wounds > 0) & (winner.captain != place))
    return found
