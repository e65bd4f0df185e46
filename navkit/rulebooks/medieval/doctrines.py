"""Who fights whom when nobody chooses: the standing orders of a fleet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from navkit.chance import Array
from navkit.errors import InputError, truth, whole
from navkit.rulebooks.medieval import tables

Aim = Literal["line", "weakest", "strongest", "flagship", "hold"]
MOST_ON_ONE = 10


@dataclass(frozen=True)
class Doctrine:
    """The standing orders of a fleet.

    `aim`: whom free ships make for. "line": the enemy's ships in the order of their list;
    "weakest" or "strongest": by crew points; "flagship": the flagship first, then as "line";
    "hold": nobody, the fleet waits. Enemies that fewer already fight come first. `mass`: how many
    of them make for one enemy. `grapples`: whether its ships want to grapple; `rams`: whether
    ships with a ram make contact with it, so that it is stuck when they do. `break_off`: crew
    points at which a ship wants to leave, 0 for never. `prize_crew`: points sent to a prize, 0 to
    take none. `remans`: whether free ships man empty hulls of their own fleet again. All of it is
    this project's own: the document leaves it to the players.
    Raises InputError for what cannot be.

    >>> Doctrine(aim="weakest", mass=2).prize_crew
    4
    """

    aim: Aim = "line"
    mass: int = 1
    grapples: bool = True
    rams: bool = False
    break_off: int = 0
    prize_crew: int = 4
    remans: bool = False

    def __post_init__(self) -> None:
        if self.aim not in get_args(Aim):
            raise InputError("aim", self.aim, *get_args(Aim))
        whole("mass", self.mass, 1, MOST_ON_ONE)
        whole("break_off", self.break_off, 0, tables.FULL_CREW)
        whole("prize_crew", self.prize_crew, 0, tables.FULL_CREW)
        for name in ("grapples", "rams", "remans"):
            truth(name, getattr(self, name))


def rank(doctrine: Doctrine, crew: Array, flagship: Array, fought: Array) -> Array:
    """How late an enemy comes in the order in which ships are aimed at; equal ones by their list.

    `fought` is how many fight it already.
    """
    match doctrine.aim:
        case "weakest":
            wish = crew
        case "strongest":
            wish = tables.FULL_CREW - crew
        case "flagship":
            wish = np.where(flagship, 0, 1)
        case _:
            wish = np.zeros_like(crew)
    return fought * (tables.FULL_CREW + 1) + wish


def aimed_at(doctrine: Doctrine, free: Array, rank: Array, open_: Array) -> Array:
    """For each ship (first axis), the enemy it makes for, −1 for none.

    `free` tells which ships look for one, `open_` which may be aimed at, `rank` in what order.
    The k-th free ship takes the (k // mass)-th enemy, from the front again when there are more
    ships than enemies.
    """
    if doctrine.aim == "hold":
        return np.full(free.shape, -1, dtype=np.int32)
    late = np.iinfo(np.int32).max
    order = np.argsort(np.where(open_, rank, late).T, axis=1, kind="stable").T
    number = open_.sum(axis=0)
    place = (np.cumsum(free, axis=0) - 1) // doctrine.mass % np.maximum(number, 1)
    enemy = np.take_along_axis(order, np.maximum(place, 0), axis=0)
    return np.where(free & (number > 0), enemy, -1).astype(np.int32)
