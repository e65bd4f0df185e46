"""The state of a battle: two fleets, where their ships are, and a boarding that is being fought."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from navkit.battle import Either, Repeat, Step
from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles.melee_state import Melee, no_melee
from navkit.rulebooks.sea_battles.movement import Pose
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.vessel import Vessel, afloat, launched, people_left
from navkit.state import replace

MM = 10
"""Whole numbers of a battle's plan in a centimetre: positions are kept in millimetres."""


@dataclass(frozen=True)
class Station:
    """Where a ship is on the plan and what she does this turn, as whole numbers.

    `x`, `y` and `run` (this phase) are in millimetres, `heading` in degrees. `rams` is 1 + the
    place of the enemy she has run into, `boards` of the one she boards, `target` of the one she
    shoots at, `distance` millimetres and `facing` away. `shot` is what is still to be rolled for a
    machine; `mood` what Animosity makes of her.
    """

    x: Array
    y: Array
    heading: Array
    run: Array
    rams: Array
    boards: Array
    target: Array
    distance: Array
    facing: Array
    shot: Array
    mood: Array


@dataclass(frozen=True)
class Fleet:
    """The ships of a side, and what its history keeps: sums over them.

    `ships` are those still in the battle, `troops` the models left aboard them, characters too;
    `damage` the Damage points of all, lost ones too.
    """

    vessels: tuple[Vessel, ...]
    stations: tuple[Station, ...]
    ships: Array
    damage: Array
    troops: Array


@dataclass(frozen=True)
class Fight:
    """Two fleets, and the round of a boarding that is being fought."""

    a: Fleet
    b: Fleet
    melee: Melee


Ships = dict[str, tuple[Ship, ...]]


def fleet_of(
    ships: Sequence[Ship], vessels: Sequence[Vessel], stations: Sequence[Station]
) -> Fleet:
    """A fleet with the sums that its history keeps."""
    zero = np.zeros(1, dtype=np.int32)
    left, points, people = zero, zero, zero
    for ship, vessel in zip(ships, vessels, strict=True):
        there = np.where(afloat(vessel), 1, 0)
        left = left + there
        points = points + vessel.damage
        people = people + there * people_left(vessel, ship)
    return Fleet(tuple(vessels), tuple(stations), left, points, people)


def station(pose: Pose | None = None, **values: int) -> Station:
    """A ship's station at the start, for a single fight."""
    numbers: dict[str, Any] = {entry.name: _number(0) for entry in fields(Station)}
    numbers |= {name: _number(value) for name, value in values.items()}
    if pose is not None:
        numbers |= placed(pose)
    return Station(**numbers)


def placed(pose: Pose) -> dict[str, Array]:
    """A position in the whole numbers of a station."""
    return {
        "x": np.rint(pose.x * MM).astype(np.int32),
        "y": np.rint(pose.y * MM).astype(np.int32),
        "heading": np.rint(pose.heading % 360.0).astype(np.int32) % 360,
    }


def pose_of(at: Station) -> Pose:
    """A station's position in centimetres and degrees."""
    return Pose(at.x / MM, at.y / MM, at.heading.astype(np.float64))


def begun(ships: Ships, stations: Mapping[str, tuple[Station, ...]], **damage: int) -> Fight:
    """Two fleets at the start of a battle; `damage` is what the first ship of a side has."""
    fleets: dict[str, Fleet] = {}
    for side, members in ships.items():
        vessels = [
            launched(ship, damage=damage.get(side, 0) if place == 0 else 0)
            for place, ship in enumerate(members)
        ]
        fleets[side] = fleet_of(members, vessels, stations[side])
    return Fight(fleets["a"], fleets["b"], no_melee())


def lost(fight: Fight, side: str) -> Array:
    """How a side is lost, all of whose ships are: as its first ship was (the Flagship's place)."""
    fleet = fight.a if side == "a" else fight.b
    return np.where(fleet.ships == 0, fleet.vessels[0].gone, 0)


# Looking at one ship of the battle, and changing her


@dataclass(frozen=True)
class Place:
    """A ship's place in the battle: her side, and her number in its fleet."""

    side: str
    number: int

    def vessel(self, fight: Fight) -> Vessel:
        """The ship herself."""
        return self.fleet(fight).vessels[self.number]

    def station(self, fight: Fight) -> Station:
        """Where she is."""
        return self.fleet(fight).stations[self.number]

    def fleet(self, fight: Fight) -> Fleet:
        """Her fleet."""
        return fight.a if self.side == "a" else fight.b


def with_vessel(fight: Fight, place: Place, vessel: Vessel, ships: Ships) -> Fight:
    """The fight with another state of a ship."""
    fleet = place.fleet(fight)
    vessels = _put(fleet.vessels, place.number, vessel)
    after = fleet_of(ships[place.side], vessels, fleet.stations)
    return replace(fight, a=after) if place.side == "a" else replace(fight, b=after)


def with_station(fight: Fight, place: Place, at: Station) -> Fight:
    """The fight with another station of a ship."""
    fleet = place.fleet(fight)
    after = replace(fleet, stations=_put(fleet.stations, place.number, at))
    return replace(fight, a=after) if place.side == "a" else replace(fight, b=after)


def for_ship(
    part: Step[Vessel] | Either[Vessel] | Repeat[Vessel], place: Place, ships: Ships
) -> Any:
    """A part of a turn written for a ship, as a part of a battle's turn."""
    match part:
        case Repeat():
            return Repeat(for_ship(part.step, place, ships), part.most)
        case Either():
            steps = tuple(for_ship(step, place, ships) for step in part.steps)
            return Either(steps, _guard(part.when, place))
    return _lifted(part, place, ships)


def _lifted(step: Step[Vessel], place: Place, ships: Ships) -> Step[Fight]:
    def run(fight: Fight, chance: Chance) -> Fight:
        return with_vessel(fight, place, step.run(place.vessel(fight), chance), ships)

    return Step(run, _guard(step.when, place), side=place.side)


def _guard(when: Callable[[Vessel], Array] | None, place: Place) -> Callable[[Fight], Array] | None:
    return None if when is None else lambda fight: when(place.vessel(fight))


def other(side: str) -> str:
    """The other side."""
    return "b" if side == "a" else "a"


def places(ships: Ships, side: str) -> list[Place]:
    """The places of a side's ships."""
    return [Place(side, number) for number in range(len(ships[side]))]


def _put(members: tuple[Any, ...], number: int, value: Any) -> tuple[Any, ...]:
    return (*members[:number], value, *members[number + 1 :])


def _number(value: int) -> Array:
    return np.array([value], dtype=np.int32)
