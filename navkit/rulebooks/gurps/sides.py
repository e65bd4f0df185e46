"""What changes about a ship in a fight, and the state of a fight of two ships."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from navkit.chance import Array
from navkit.errors import InputError
from navkit.rulebooks.gurps.ships import Ship
from navkit.state import track

CAUSES = ("sunk", "out_of_action", "captured")
SUNK, OUT_OF_ACTION, CAPTURED = 1, 2, 3
A_FIRST, B_FIRST = 1, -1
TRACKS = ("hull", "dr", "crew", "dead", "wounded")


@dataclass(frozen=True)
class Side:
    """What changes about a ship in a fight.

    `crew` are the fit hands; `left` and `right` the loaded guns of each broadside, `left_fired`
    and `right_fired` those that fired this turn; `strain` is damage that counts towards the next
    hand where a house rule carries it over.
    """

    hull: Array
    dr: Array
    crew: Array
    left: Array
    right: Array
    left_fired: Array
    right_fired: Array
    strain: Array
    dead: Array = track()
    wounded: Array = track()


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


def ready_side(ship: Ship) -> Side:
    """A ship at the start of a fight: whole, all guns loaded (GA-15)."""
    left, right, _, _ = ship.cannons
    values = (ship.hull, ship.dr, ship.crew, left, right, 0, 0, 0, 0, 0)
    return Side(*(np.array([value], dtype=np.int32) for value in values))


def with_sides(fight: Fight, sides: dict[str, Side]) -> Fight:
    """The fight with some sides replaced."""
    return replace(fight, a=sides.get("a", fight.a), b=sides.get("b", fight.b))
