"""What changes about a ship in a battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from navkit.chance import Array
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import Ship

SUNK, CAPTURED, SCUTTLED, BEATEN = 1, 2, 3, 4
CAUSES = ("sunk", "captured", "scuttled", "beaten")
"""How a ship is lost; beaten: her troops are, and the enemy leaves her or cannot take her."""
READY, DESTROYED = 0, 9
"""What becomes of a war machine: 0 ready, else turns of its own that it does not fire."""
MOST_PENALTY = 12
"""Lasting penalties are counted up to this: the captain's Leadership is long gone by then."""


@dataclass(frozen=True)
class Strike:
    """Hits on a ship that are being worked out; all 0 between attacks.

    `hits` are those of the attack, `stage` what is rolled next, `facing` where they come from,
    `strength` theirs, `several` whether they cause several wounds; `soft` and `hard` how many
    there are of each, `strays` how many wait that go to the troops. `unit` is the unit aboard that
    is struck, `blows` how often.
    """

    hits: Array
    stage: Array
    facing: Array
    strength: Array
    several: Array
    soft: Array
    hard: Array
    strays: Array
    unit: Array
    blows: Array


@dataclass(frozen=True)
class Vessel:
    """A ship in a battle: an array a field, a fight (or state) a place.

    Lasting: `gone` is how she was lost (0: she is not), `damage` her Damage points, counted up to
    6 for each Size, from where on she sinks whatever is rolled; `leadership` her captain's,
    `penalty` the lasting −1s, `captain` 1 + the place of the character who commands, 0 for one of
    the crew; `sails` and `oars` whether they are damaged, `crew_slain` how many support attacks
    are gone, `crew_lost` whether orders suffer, `waterline` whether she goes down at her owner's
    next start of turn, `half` whether she keeps to half speed in her owner's next turn. `troops`
    and `characters` are wounds left, `machines` turns out of action.
    Of the turn: `points` lost in this phase, `passed` orders, `ordering` whether she may be
    ordered, `idle` whether a failed test of psychology keeps her from moving, `shaken` and
    `pending` what is still to be rolled of a blunder, or of hits on her captain.
    """

    gone: Array
    damage: Array
    leadership: Array
    penalty: Array
    captain: Array
    sails: Array
    oars: Array
    crew_slain: Array
    crew_lost: Array
    waterline: Array
    half: Array
    idle: Array
    points: Array
    passed: Array
    ordering: Array
    pending: Array
    shaken: Array
    strike: Strike
    troops: tuple[Array, ...]
    characters: tuple[Array, ...]
    machines: tuple[Array, ...]


def launched(ship: Ship, *, damage: int = 0) -> Vessel:
    """A ship at the start of a battle; her Leadership is 0 where it is still to be rolled."""
    command = ship.command
    leadership = command.min if command.min == command.max else 0
    commander = ship.characters.index(ship.commander) + 1 if ship.commander else 0
    zero = _number(0)
    names = (entry.name for entry in fields(Vessel) if entry.type == "Array")
    whole: dict[str, Any] = dict.fromkeys(names, zero)
    whole["damage"] = _number(min(damage, worst(ship)))
    whole["leadership"] = _number(leadership)
    whole["captain"] = _number(commander)
    return Vessel(
        **whole,
        strike=Strike(*(zero for _ in fields(Strike))),
        troops=tuple(_number(unit.models * unit.profile.wounds) for unit in ship.troops),
        characters=tuple(_number(each.profile.wounds) for each in ship.characters),
        machines=tuple(_number(READY) for _ in ship.machines),
    )


def worst(ship: Ship) -> int:
    """Damage points with which she sinks whatever is rolled."""
    return 6 * ship.size


def models(wounds: Array, each: int) -> Array:
    """How many models of `each` wounds are left, the last of them perhaps wounded."""
    return -(-wounds // each)


class Aboard(Protocol):
    """The people of a ship, as a `Vessel` and as a party that boards have them."""

    @property
    def troops(self) -> tuple[Array, ...]:
        """Wounds left of each unit."""
        ...

    @property
    def characters(self) -> tuple[Array, ...]:
        """Wounds left of each character."""
        ...

    @property
    def captain(self) -> Array:
        """Who commands, a fight a place."""
        ...


def troops_left(aboard: Aboard, ship: Ship) -> Array:
    """How many models of a ship's units are left, characters aside."""
    left = np.zeros_like(aboard.captain)
    for wounds, unit in zip(aboard.troops, ship.troops, strict=True):
        left = left + models(wounds, unit.profile.wounds)
    return left


def people_left(aboard: Aboard, ship: Ship) -> Array:
    """How many models of a ship's units are left, and characters."""
    left = troops_left(aboard, ship)
    for wounds in aboard.characters:
        left = left + np.where(wounds > 0, 1, 0)
    return left


def afloat(vessel: Vessel) -> Array:
    """Whether she is still in the battle."""
    return vessel.gone == 0


def support(vessel: Vessel, ship: Ship, rules: HouseRules) -> Array:
    """Her crew's support attacks each round, one fewer for each Crew slain.

    Source: Sea Battles, Support attacks from crew; Extra damage.
    """
    slain = vessel.crew_slain if rules.crew_slain_sign == "one fewer" else -vessel.crew_slain
    return np.maximum(ship.support_attacks - slain, 0)


def chosen(options: Sequence[Array], which: Array) -> Array:
    """From several arrays, that which `which` numbers from 0, place by place."""
    found = options[0]
    for place, option in enumerate(options[1:], start=1):
        found = np.where(which == place, option, found)
    return found


def where_at(options: tuple[Array, ...], which: Array, value: Array) -> tuple[Array, ...]:
    """The arrays with `value` in the one that `which` numbers from 0, place by place."""
    return tuple(np.where(which == place, value, old) for place, old in enumerate(options))


def table_of(values: Sequence[int]) -> Array:
    """A look-up table of numbers by place; one 0 if there is none."""
    return np.array(list(values) or [0], dtype=np.int32)


def _number(value: int) -> Array:
    return np.array([value], dtype=np.int32)
