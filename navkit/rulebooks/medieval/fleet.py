"""The state of a battle of fleets: what each ship and each fleet is at, and simple facts of it.

Arrays of ships have a row a ship (those of a first, then those of b) and a column a fight; arrays
of a fleet have a place a fight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from navkit.chance import Array
from navkit.rulebooks.medieval import arrays
from navkit.rulebooks.medieval.doctrines import Doctrine
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.melee import Fighter
from navkit.rulebooks.medieval.morale import Spirit
from navkit.rulebooks.medieval.ships import Ship

HERE, LEFT, SUNK = 0, 1, 2
"""Whether a ship is on the table, has left it, or has gone down."""
LOOSE, JUST_HELD, HELD = 0, 1, 2
"""Whether a ship is grappled to the one it is in contact with: no, since this turn, longer."""
SIDES = ("a", "b")


@dataclass(frozen=True)
class Fleet:
    """What a fleet is at. `ships`, `crew` and `prizes` count what is on the table with crew.

    `flagship` is 1 while its own flagship is neither sunk nor taken, `admiral` while he lives;
    `fell` is 1 in the turn of his death. The rest is its morale, as in `morale.Spirit`.
    """

    ships: Array
    crew: Array
    prizes: Array
    left: Array
    flagship: Array
    admiral: Array
    fell: Array
    fleeing: Array
    halt: Array
    rumour: Array
    outnumbered: Array

    @property
    def spirit(self) -> Spirit:
        """Its morale."""
        return Spirit(self.fleeing, self.halt, self.rumour, self.outnumbered)

    def with_spirit(self, spirit: Spirit) -> Fleet:
        """The fleet with another morale."""
        return replace(self, **vars(spirit))


@dataclass(frozen=True)
class Sea:
    """All ships of a battle.

    `owner` is 0 for a and 1 for b; `place` HERE, LEFT or SUNK; `target` the enemy it made contact
    with, −1 for none; `held` whether it is grappled to that; `tied` whether it lies in its line;
    `due` whether it still has a blow back to come; `busy` whether it sends a crew over this turn;
    `hurt` whether it is sinking; `empty` since how many turns it has no crew. `turn` counts turns.
    """

    crew: Array
    owner: Array
    place: Array
    target: Array
    held: Array
    tied: Array
    due: Array
    busy: Array
    hurt: Array
    empty: Array
    turn: Array
    a: Fleet
    b: Fleet

    @cached_property
    def manned(self) -> Array:
        """Ships on the table with crew."""
        return (self.place == HERE) & (self.crew > 0)

    @cached_property
    def faces(self) -> Array:
        """Ships in contact with an enemy they made for, both with crew."""
        enemy = arrays.of(self.owner, self.target) != self.owner
        return self.manned & (self.target >= 0) & enemy & arrays.of(self.manned, self.target)

    @cached_property
    def faced_by(self) -> Array:
        """How many enemies with crew have made contact with each ship."""
        return arrays.number(self.target, self.faces)

    def of_owner(self, name: str) -> Array:
        """A field of the fleet that owns each ship."""
        return np.where(self.owner == 0, getattr(self.a, name), getattr(self.b, name))


@dataclass(frozen=True)
class Orders:
    """What stays the same in a battle of fleets: the ships in order, orders, and house rules.

    `sinking` has the turn in which a ship, by its place, starts to sink.
    """

    ships: tuple[Ship, ...]
    of_a: int
    doctrines: tuple[Doctrine, Doctrine]
    sinking: Mapping[int, int]
    rules: HouseRules

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the ships."""
        return tuple(ship.name for ship in self.ships)

    @cached_property
    def home(self) -> Array:
        """The fleet each ship began in."""
        return (np.arange(len(self.ships)) >= self.of_a).astype(np.int32)[:, None]

    @cached_property
    def before(self) -> Array:
        """The ship before each in its line, −1 for none."""
        found = []
        for place, ship in enumerate(self.ships):
            start = 0 if place < self.of_a else self.of_a
            near = [n for n in range(start, place) if ship.line and self.ships[n].line == ship.line]
            found.append(near[-1] if near else -1)
        return np.array(found)

    def each(self, name: str) -> Array:
        """A field of all ships, a row each."""
        return np.array([getattr(ship, name) for ship in self.ships])[:, None]

    def order(self, name: str, owner: Array) -> Array:
        """A field of the doctrine of the fleet that owns each ship."""
        of_a, of_b = (getattr(doctrine, name) for doctrine in self.doctrines)
        return np.where(owner == 0, of_a, of_b)


def in_line(sea: Sea, known: Orders) -> Array:
    """Whether each ship is tied to the one before it in its line; enemies since a capture too."""
    before, here = np.maximum(known.before, 0), (sea.place == HERE) & (sea.tied > 0)
    return (known.before >= 0)[:, None] & here & here[before]


def flanked(sea: Sea, known: Orders) -> Array:
    """How many ships of its own side, with crew, lie tied to each ship (MA-17).

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat, list.
    """
    before = np.maximum(known.before, 0)
    friends = in_line(sea, known) & (sea.owner == sea.owner[before])
    ahead = friends & sea.manned[before]
    index = np.broadcast_to(before[:, None], sea.crew.shape)
    return ahead + arrays.number(index, friends & sea.manned)


def fighters(sea: Sea, known: Orders) -> Fighter:
    """All ships as they fight. A captured flagship is nobody's, nor again one when retaken (MA-23).

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.
    """
    keeps = known.rules.after_admiral == "keeps"
    counts = sea.of_owner("flagship") * (1 if keeps else sea.of_owner("admiral"))
    flagship = known.each("flagship") & (sea.owner == known.home) & (counts > 0)
    return Fighter(
        crew=sea.crew,
        flagship=flagship,
        siphon=np.broadcast_to(known.each("siphon"), sea.crew.shape),
        is_long=np.broadcast_to(known.each("is_long"), sea.crew.shape),
        high=np.broadcast_to(known.each("high"), sea.crew.shape),
    )


def pointed_at(fighter: Fighter, at: Array) -> Fighter:
    """Of each ship, the fighter it points at."""
    return Fighter(**{name: arrays.of(value, at) for name, value in vars(fighter).items()})


def start(known: Orders) -> Sea:
    """The fleets before the first turn: all ships manned, in their lines, in no contact."""

    def ships(values: Any) -> Array:
        return np.asarray(values, dtype=np.int32).reshape(-1, 1)

    none = ships([0] * len(known.ships))
    no_fleet = Fleet(*(np.zeros(1, dtype=np.int32) for _ in range(11)))
    sea = Sea(
        crew=ships(known.each("crew")),
        owner=known.home,
        place=none,
        target=none - 1,
        held=none,
        tied=ships(known.each("line") != ""),
        due=none,
        busy=none,
        hurt=none,
        empty=none,
        turn=np.zeros(1, dtype=np.int32),
        a=no_fleet,
        b=no_fleet,
    )
    fleets = {}
    for number, side in enumerate(SIDES):
        has = int(np.any(known.each("flagship") & (known.home == number)))
        one = np.array([has], dtype=np.int32)
        fleets[side] = replace(no_fleet, flagship=one, admiral=one)
    return counted(replace(sea, a=fleets["a"], b=fleets["b"]), known)


def counted(sea: Sea, known: Orders) -> Sea:
    """The sea with the ships, crew points and prizes of each fleet counted anew."""
    fleets = {}
    for number, side in enumerate(SIDES):
        fleet: Fleet = getattr(sea, side)
        mine = sea.manned & (sea.owner == number)
        fleets[side] = replace(
            fleet,
            ships=mine.sum(axis=0),
            crew=(sea.crew * mine).sum(axis=0),
            prizes=(mine & (known.home != number)).sum(axis=0),
            left=((sea.place == LEFT) & (sea.owner == number)).sum(axis=0),
        )
    return replace(sea, a=fleets["a"], b=fleets["b"])
