"""The state of a fight: two vehicles, what is left of their ratings, crews and batteries.

The arrays hold one fight a place (or one state), and all rules work on all of them at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from navkit.chance import Array
from navkit.rulebooks.vehicular_1879.command import officer_maneuvers
from navkit.rulebooks.vehicular_1879.groups import Ranks, fresh
from navkit.rulebooks.vehicular_1879.ships import PLENTY, Battery, Vehicle
from navkit.rulebooks.vehicular_1879.tables import Range
from navkit.state import replace


@dataclass(frozen=True)
class Guns:
    """What changes about a battery.

    `gunnery` and `damage` are its Steps, `karma` its commander's points, `spent` whether he spent
    one this turn. The rest is of an attack that is being worked out: `aim` the successes of a
    commander's own test (−1: none), `hits` the Damage Tests to come and `surplus` their bonuses,
    `boost` whether a Karma die goes into the next, `called` hits on an attribute, and `total` the
    damage so far.
    """

    weapons: Array
    shots: Array
    gunnery: Array
    damage: Array
    karma: Array
    spent: Array
    aim: Array
    hits: Array
    surplus: Array
    boost: Array
    called: Array
    total: Array


@dataclass(frozen=True)
class Side:
    """What changes about a vehicle.

    `pending` are Critical Hits whose effects are still to be rolled on a user's table. `attack`
    are Steps on Attack Ratings and `guard` points of defense that maneuvers brought this turn;
    `officers` are the Officer Maneuvers left, `reacting` is 1 where a free one may be made in
    reaction, 2 where it counts. `outdone` are the successes (2 for more) of the Vehicle Maneuver
    that the other made against it, kept where a fight is about that. `guns` are its batteries.
    """

    damage: Array
    criticals: Array
    pending: Array
    maneuverability: Array
    speed: Array
    armor: Array
    cargo: Array
    crew: Ranks
    attack: Array
    guard: Array
    officers: Array
    reacting: Array
    outdone: Array
    guns: tuple[Guns, ...]


@dataclass(frozen=True)
class Fight:
    """Two vehicles. `first` is 1 where a acts first, −1 where b does, 0 while that is open.

    `range` is one of `tables.Range`. `free` is 1 while a has a free Vehicle Maneuver to make, −1
    while b has. `firing` is 1 while batteries fire together, when nothing is decided yet.
    """

    a: Side
    b: Side
    first: Array
    range: Array
    free: Array
    firing: Array


A_FIRST, B_FIRST = 1, -1


def number(value: int) -> Array:
    """A number as a state holds it, in one row."""
    return np.array([value], dtype=np.int32)


def ready_guns(battery: Battery) -> Guns:
    """A battery at the start of a fight."""
    shots = PLENTY if battery.shots is None else battery.shots
    values = (battery.weapons, shots, battery.gunnery, battery.damage, battery.karma)
    return Guns(*(number(value) for value in (*values, 0, 0, 0, 0, 0, 0, 0)))


def ready_side(vehicle: Vehicle) -> Side:
    """A vehicle at the start of a fight: whole, with all weapons and its crew."""
    return Side(
        damage=number(0),
        criticals=number(0),
        pending=number(0),
        maneuverability=number(vehicle.maneuverability),
        speed=number(vehicle.speed),
        armor=number(vehicle.armor),
        cargo=number(vehicle.cargo),
        crew=fresh(),
        attack=number(0),
        guard=number(0),
        officers=number(officer_maneuvers(vehicle.captain_rank)),
        reacting=number(0),
        outdone=number(0),
        guns=tuple(ready_guns(battery) for battery in vehicle.batteries),
    )


def ready_fight(a: Vehicle, b: Vehicle, distance: Range) -> Fight:
    """Two vehicles at the start of a fight."""
    zero = number(0)
    return Fight(ready_side(a), ready_side(b), zero, number(distance), zero, zero)


def guns_of(side: Side, place: int) -> Guns:
    """The battery at a place."""
    return side.guns[place]


def with_guns(side: Side, place: int, **changes: Array) -> Side:
    """The side with some numbers of a battery changed."""
    guns = list(side.guns)
    guns[place] = replace(guns[place], **changes)
    return replace(side, guns=tuple(guns))


def side_of(fight: Fight, x: str) -> Side:
    """One of the two sides."""
    side: Side = getattr(fight, x)
    return side


def with_sides(fight: Fight, **sides: Side) -> Fight:
    """The fight with other sides."""
    return replace(fight, a=sides.get("a", fight.a), b=sides.get("b", fight.b))


def other(x: str) -> str:
    """The other side."""
    return "b" if x == "a" else "a"
