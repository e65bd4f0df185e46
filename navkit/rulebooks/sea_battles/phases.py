"""The phases of a turn that need no plan: the start of a turn, shooting and extra damage."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from navkit.battle import Step
from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles.captain import appointed, needs_captain
from navkit.rulebooks.sea_battles.damage import goes_down, is_doomed, may_sink, sinks
from navkit.rulebooks.sea_battles.extra import extra_parts
from navkit.rulebooks.sea_battles.fleets import (
    Fight,
    Place,
    Ships,
    for_ship,
    other,
    places,
)
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.vessel import DESTROYED, Vessel, afloat
from navkit.rulebooks.sea_battles.volleys import lines, volley_parts
from navkit.state import replace


def captain_parts(ships: Ships, side: str) -> list[Any]:
    """The parts in which captains are rolled on the table, when ships are deployed.

    Source: Sea Battles, Leadership.
    """
    step = Step(appointed, needs_captain)
    return [
        for_ship(step, place, ships)
        for place in places(ships, side)
        if ships[side][place.number].command.min < ships[side][place.number].command.max
    ]


def start_parts(ships: Ships, side: str) -> list[Any]:
    """The parts that start a side's turn: ships hit below the waterline go, damaged ones roll.

    Markers age before (`sunk.aged`), psychology and Animosity come after (SA-06).
    Source: Sea Battles, The turn; Damage; Extra damage.
    """
    parts = []
    for place in places(ships, side):
        ship = ships[side][place.number]
        down = Step[Vessel](goes_down, is_doomed)
        roll = Step[Vessel](partial(_sinks, ship=ship), may_sink)
        parts += [for_ship(down, place, ships), for_ship(roll, place, ships)]
    return parts


def _sinks(vessel: Vessel, chance: Chance, ship: Ship) -> Vessel:
    return sinks(vessel, ship, chance)


def shooting_parts(ships: Ships, side: str, rules: HouseRules, *, extra: bool = True) -> list[Any]:
    """The parts of a side's Shooting phase: each weapon of each ship, then extra damage.

    All models of a unit fire at one target, the one the ship aims at.
    Source: Sea Battles, Shooting; Extra damage.
    """
    parts: list[Any] = []
    for shooter in places(ships, side):
        for target in places(ships, other(side)):
            aims = aims_at(shooter, target)
            for line in lines(ships, shooter, target):
                parts += volley_parts(line, ships, aims, rules)
        if extra and rules.extra_pool == "each attacker":
            parts += extra_of(ships, other(side), "shooting", rules)
    if extra and rules.extra_pool == "all together":
        parts += extra_of(ships, other(side), "shooting", rules)
    return parts


def extra_of(ships: Ships, side: str, source: str, rules: HouseRules) -> list[Any]:
    """The parts that end a phase for the ships of a side: their extra damage."""
    parts: list[Any] = []
    for place in places(ships, side):
        ship = ships[side][place.number]
        parts += [for_ship(part, place, ships) for part in extra_parts(ship, source, rules)]
    return parts


def aims_at(shooter: Place, target: Place) -> Callable[[Fight], Array]:
    """Where a ship aims at that other one."""
    return lambda fight: shooter.station(fight).target == target.number + 1


def end_of_turn(vessel: Vessel, chance: Chance) -> Vessel:
    """The vessel as her owner's turn ends: orders over, half speed over, machines a turn nearer.

    Source: Sea Battles, Command tests; Extra damage.
    """
    none = np.zeros_like(vessel.gone)
    return replace(
        vessel,
        half=none,
        idle=none,
        passed=none,
        ordering=none,
        machines=tuple(
            np.where(out == DESTROYED, DESTROYED, np.maximum(out - 1, 0)) for out in vessel.machines
        ),
    )


def end_parts(ships: Ships, side: str) -> list[Any]:
    """The parts that end a side's turn."""
    step = Step[Vessel](end_of_turn, afloat)
    return [for_ship(step, place, ships) for place in places(ships, side)]
