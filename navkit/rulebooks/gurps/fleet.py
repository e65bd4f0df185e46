"""Ships on the map: what changes about them all, what does not, and what is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from navkit.chance import Array, Chance
from navkit.errors import InputError, whole
from navkit.rulebooks.gurps import hexes
from navkit.rulebooks.gurps.captains import Captain, captain
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import CAPTURED, OUT_OF_ACTION, SUNK, known_ship
from navkit.rulebooks.gurps.vessel import (
    Vessel,
    launched,
    place,
)
from navkit.state import replace

FURTHEST = 1000
"""Hexes from the middle of the map that a ship may start at."""


@dataclass(frozen=True)
class Placed:
    """A ship on the map: its back hex (q, r), its heading (0 to 5, sixths of a turn), its captain.

    >>> from navkit.rulebooks.gurps import ship
    >>> Placed(ship("Brig"), 0, 0, heading=0).captain.name
    'stand off and fire'
    """

    ship: Ship
    q: int
    r: int
    heading: int = 0
    captain: Captain = field(default_factory=lambda: captain("stand off and fire"))

    def __post_init__(self) -> None:
        known_ship("ship", self.ship)
        whole("range of a ship on the map", self.ship.range, 1, hexes.LONGEST_RANGE)
        whole("q", self.q, -FURTHEST, FURTHEST)
        whole("r", self.r, -FURTHEST, FURTHEST)
        whole("heading", self.heading, 0, 5)
        object.__setattr__(self, "captain", captain(self.captain))


@dataclass(frozen=True)
class Sea:
    """Ships on the map, those of side a first, and the order in which they act this turn."""

    ships: tuple[Vessel, ...]
    order: tuple[Array, ...]


@dataclass(frozen=True)
class Fleet:
    """What doesn't change in a fight on the map: ships, sides, captains, house rules."""

    placed: tuple[Placed, ...]
    sides: tuple[str, ...]
    rules: HouseRules
    players: str | None

    def __len__(self) -> int:
        return len(self.placed)

    def ship(self, i: int) -> Ship:
        """The ship of a number."""
        return self.placed[i].ship

    def captain(self, i: int) -> Captain:
        """Its captain."""
        return self.placed[i].captain

    def enemies(self, i: int) -> list[int]:
        """The numbers of its enemies."""
        return [j for j in range(len(self)) if self.sides[j] != self.sides[i]]

    def lent(self, i: int, post: Literal["gunnery", "navigation"]) -> int:
        """Points that the tactician of a ship lends to a post, outside boarding.

        Only positive points, only to an officer who is there, and with him no more than the
        commander's cap (GA-35 to GA-37).
        Source: GURPS/Naval Combat, Tactician.
        """
        officers = self.ship(i).officers
        if self.captain(i).lend != post or getattr(officers, post) is None:
            return 0
        points = max(0, officers.level("tactics", self.rules))
        if self.rules.tactician_shift == "uncapped" or officers.leadership is None:
            return points
        return max(0, min(points, officers.leadership - officers.level(post, self.rules)))


Rule = Callable[[Sea, Chance], Sea]


Guard = Callable[[Sea], Array]


def with_ships(sea: Sea, ships: dict[int, Vessel]) -> Sea:
    """The sea with the ships of some numbers replaced."""
    return replace(sea, ships=tuple(ships.get(i, each) for i, each in enumerate(sea.ships)))


def seen(sea: Sea, i: int, j: int) -> tuple[Array, ...]:
    """The pose in which ship i sees ship j."""
    return hexes.pose(place(sea.ships[i]), place(sea.ships[j]))


def settled(fleet: Fleet, sea: Sea) -> Sea:
    """The sea with every ship that is now out of the fight marked so, and its enemy free of it.

    Sunk at hull 0 with all hands (GA-57); captured when boarded and without hands, or when it
    gives up; out of action below its skeleton crew, but not while it is boarded (GA-21).
    Source: GURPS/Naval Combat, Structural damage; Crew; Boarding.
    """
    crews = [vessel.crew for vessel in sea.ships]
    lost = []
    for i, vessel in enumerate(sea.ships):
        foes = sum(np.where(vessel.foe == j + 1, crews[j], 0) for j in range(len(fleet)))
        gone = vessel.crew <= 0
        if fleet.rules.surrender_ratio:
            gone = gone | (foes >= fleet.rules.surrender_ratio * vessel.crew)
        boarded = vessel.foe > 0
        code = np.where(boarded & gone, CAPTURED, 0)
        short = ~boarded & (vessel.crew < max(1, fleet.ship(i).skeleton_crew))
        code = np.where(short, OUT_OF_ACTION, code)
        code = np.where(vessel.hull <= 0, SUNK, code)
        lost.append(np.where(vessel.lost > 0, vessel.lost, code))
    ships = []
    for i, vessel in enumerate(sea.ships):
        rid = sum((vessel.foe == j + 1) & (lost[j] > 0) for j in range(len(fleet))) > 0
        free = rid | (lost[i] > 0)
        ships.append(
            replace(
                vessel,
                lost=lost[i],
                foe=np.where(free, 0, vessel.foe),
                boarder=np.where(free, 0, vessel.boarder),
            )
        )
    return replace(sea, ships=tuple(ships))


def fleet_of(
    a: Placed | Sequence[Placed],
    b: Placed | Sequence[Placed],
    rules: HouseRules,
    players: str | None = None,
) -> Fleet:
    """The ships of both sides, checked: at least one a side, none on another's hexes."""
    sides = {"a": _listed("a", a), "b": _listed("b", b)}
    if players not in (None, "a", "b"):
        raise InputError("players", players, "None", "a", "b")
    taken: dict[tuple[int, int], str] = {}
    for ships in sides.values():
        for each in ships:
            step = hexes.STEPS[each.heading]
            for hex_ in ((each.q, each.r), (each.q + int(step[0]), each.r + int(step[1]))):
                if hex_ in taken:
                    raise InputError(each.ship.name, hex_, f"a hex free of {taken[hex_]}")
                taken[hex_] = each.ship.name
    placed = (*sides["a"], *sides["b"])
    return Fleet(placed, ("a",) * len(sides["a"]) + ("b",) * len(sides["b"]), rules, players)


def _listed(side: str, placed: Placed | Sequence[Placed]) -> tuple[Placed, ...]:
    ships = tuple(placed) if isinstance(placed, Iterable) else (placed,)
    if not 1 <= len(ships) <= 20:
        raise InputError(side, len(ships), "1 to 20 ships")
    for each in ships:
        if not isinstance(each, Placed):
            raise InputError(side, each, "gurps.Placed(ship, q, r, heading)")
    return ships


def at_start(fleet: Fleet) -> Sea:
    """The ships where they are placed, before initiative is rolled."""
    return Sea(
        tuple(launched(p.ship, p.q, p.r, p.heading, fleet.rules) for p in fleet.placed),
        tuple(np.array([i], dtype=np.int32) for i in range(len(fleet))),
    )
