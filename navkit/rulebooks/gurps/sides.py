"""What changes about a ship in a fight, and the state of a fight of two ships."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from navkit.chance import Array
from navkit.errors import InputError
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.state import replace, track

CAUSES = ("sunk", "out_of_action", "captured")
SUNK, OUT_OF_ACTION, CAPTURED = 1, 2, 3
A_FIRST, B_FIRST = 1, -1
TRACKS = ("hull", "dr", "crew", "dead", "wounded")


@dataclass(frozen=True, kw_only=True)
class Condition:
    """What fire and boarding do to a ship and its hands.

    `crew` are the fit hands. `strain` is damage that counts towards the next hand lost where a
    house rule carries it over. `care` are the surgeon's points left in this turn, `spells` the
    healing spells left in this fight.
    """

    hull: Array
    dr: Array
    crew: Array
    strain: Array
    care: Array
    spells: Array
    dead: Array = track()
    wounded: Array = track()


Hurt = TypeVar("Hurt", bound=Condition)


@dataclass(frozen=True, kw_only=True)
class Side(Condition):
    """A ship in a fight on paper.

    `left` and `right` are the loaded guns of each broadside, `left_fired` and `right_fired` those
    that fired this turn.
    """

    left: Array
    right: Array
    left_fired: Array
    right_fired: Array


@dataclass(frozen=True)
class Fight:
    """Two ships. `first` is 1 where a acts first, −1 where b does, 0 while that is open."""

    a: Side
    b: Side
    first: Array


def other(x: str) -> str:
    """The other side."""
    return "b" if x == "a" else "a"


def known_ship(what: str, ship: Any) -> Ship:
    """`ship` if it is one, else InputError."""
    if not isinstance(ship, Ship):
        raise InputError(what, ship, "a gurps.Ship, such as gurps.ship('Brig')")
    return ship


def whole(ship: Ship, rules: HouseRules) -> dict[str, Array]:
    """The condition of a ship at the start of a fight, by field."""
    return numbers(
        hull=ship.hull,
        dr=ship.dr,
        crew=ship.crew,
        strain=0,
        care=ship.officers.care_points(rules),
        spells=ship.officers.spells,
        dead=0,
        wounded=0,
    )


def numbers(**values: int) -> dict[str, Array]:
    """Each value as an array of one row."""
    return {name: np.array([value], dtype=np.int32) for name, value in values.items()}


def ready_side(ship: Ship, rules: HouseRules) -> Side:
    """A ship at the start of a fight on paper: whole, all guns loaded (GA-15)."""
    left, right, _, _ = ship.cannons
    return Side(
        **whole(ship, rules), **numbers(left=left, right=right, left_fired=0, right_fired=0)
    )


def with_sides(fight: Fight, sides: dict[str, Side]) -> Fight:
    """The fight with some sides replaced."""
    return replace(fight, a=sides.get("a", fight.a), b=sides.get("b", fight.b))
