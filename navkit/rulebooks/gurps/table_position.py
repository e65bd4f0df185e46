"""A position in a fight at a table: what is so, whose choice it is, and what may be chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

import pandas as pd

from navkit.battle import Battle
from navkit.engine.turns import standing
from navkit.log import Entry
from navkit.rulebooks.gurps import table_words as words
from navkit.rulebooks.gurps.fleet import Fleet, Sea
from navkit.rulebooks.gurps.grappling import can_board, has_boarders
from navkit.rulebooks.gurps.gunfire import guns_on
from navkit.rulebooks.gurps.sea import MOST_ACTIONS, Deed, Part, deeds, sea_battle, turn_parts
from navkit.rulebooks.gurps.steering import TURNS, is_shut, may_ram
from navkit.rulebooks.gurps.table_words import only
from navkit.rulebooks.gurps.vessel import SIDES

Kind = Literal["move", "fire", "board", "hold", "end", "fight on", "break off"]


@dataclass(frozen=True)
class Action:
    """A choice of a ship.

    `move` is a hex ahead and a turning (1 left, 0 none, −1 right), `fire` a volley of `guns` of
    the battery `side` at ship `foe`, `board` the start of a boarding. `hold` lets those act who
    may act now, `end` ends the turn. `fight on` and `break off` are for a boarding.

    >>> from navkit.rulebooks.gurps import Action, Placed, new_game, ship
    >>> game = new_game(Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 14, 0, 3))
    >>> Action("move", ship=0, turn=1) in game.actions, Action("end", ship=0) in game.actions
    (True, True)
    """

    kind: Kind
    ship: int
    turn: int = 0
    foe: int = -1
    side: str = ""
    guns: int = 0


@dataclass(frozen=True, eq=False)
class Event:
    """A line of the log: what happened, by which rule, the rolls made, and the sea after it."""

    turn: int
    ship: int
    words: str
    rule: str
    rolls: tuple[Entry, ...] = ()
    sea: Sea = field(repr=False, kw_only=True)


@dataclass(frozen=True, eq=False)
class Position:
    """What has become of a fight on the map, and what may be chosen in it.

    `played` are the numbers of the ships a person plays; captains sail the others, and give the
    standing orders of all (points lent, masts saved, the surgeon). `asked` is the ship that must
    choose now, None when the fight is over, and `actions` are its choices. `at` is the part of
    the turn, `again` how often it has been played; `passed` are ships that let this moment go by,
    `told` what was said about breaking off.
    """

    fleet: Fleet
    played: frozenset[int]
    seed: int
    number: int
    turns: int
    sea: Sea
    turn: int = 0
    at: int = 0
    again: int = 0
    passed: frozenset[int] = frozenset()
    told: tuple[tuple[int, bool], ...] = ()
    log: tuple[Event, ...] = ()

    @cached_property
    def winner(self) -> str | None:
        """The side that has won, "both" where both are lost, None while the fight is open."""
        status, _ = standing(_battle(self.fleet), self.sea)
        return {0: None, 1: "a", 2: "b", 3: "both"}[int(status[0])]

    @property
    def is_over(self) -> bool:
        """Whether a side is lost, or all turns are played."""
        return self.winner is not None or self.turn > self.turns

    @property
    def asked(self) -> int | None:
        """The number of the ship that must choose now."""
        choices = self.actions
        return choices[0].ship if choices else None

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """What the ship that is asked may do.

        Source: GURPS/Naval Combat, Initiative roll; Vessel Movement; Attacks; Boarding.
        """
        return () if self.is_over else _choices(self)

    @property
    def is_interrupting(self) -> bool:
        """Whether the ship that is asked may act in another's turn."""
        part = self.part
        return part.kind == "deeds" and self.asked not in (None, part.ship)

    @property
    def is_threatened(self) -> bool:
        """Whether enemies will act as soon as the ship whose turn it is lets them."""
        part = self.part
        mine = part.kind == "deeds" and self.asked == part.ship
        return mine and any(action.kind == "hold" for action in self.actions)

    def table(self) -> pd.DataFrame:
        """The log: turn, ship, what happened, and the rule it comes from."""
        rows = [
            (e.turn, words.name(self.fleet, e.ship) if e.ship >= 0 else "", e.words, e.rule)
            for e in self.log
        ]
        return pd.DataFrame(rows, columns=["turn", "ship", "what happened", "rule"])

    @property
    def part(self) -> Part:
        """The part of the turn that is played now."""
        return _parts(self.fleet)[self.at]


@lru_cache(maxsize=64)
def _battle(fleet: Fleet) -> Battle[Sea]:
    return sea_battle(fleet)


@lru_cache(maxsize=64)
def _parts(fleet: Fleet) -> list[Part]:
    return turn_parts(fleet)


@lru_cache(maxsize=256)
def deeds_of(fleet: Fleet, i: int) -> list[Deed]:
    """All that may be done in the turn of ship i, in order."""
    return deeds(fleet, i)


def _choices(position: Position) -> tuple[Action, ...]:
    """What the ship that is asked may do; none if nobody is asked."""
    part, sea = position.part, position.sea
    if part.ship < 0 or not part.is_active(sea):
        return ()
    i = part.ship
    if part.kind == "boarding":
        fights = only(sea.ships[i].boarder) > 0 and only(sea.ships[i].foe) == part.foe + 1
        undecided = [k for k in (i, part.foe) if k in position.played - dict(position.told).keys()]
        if not fights or not undecided:
            return ()
        return Action("fight on", undecided[0]), Action("break off", undecided[0])
    if part.kind != "deeds" or position.again >= MOST_ACTIONS:
        return ()
    if i not in position.played:
        return _of_interrupter(position, comes_next(position))
    own = _attacks(position, i)
    first = comes_next(position)
    if first is not None and own and i not in position.passed:
        return (*own, Action("hold", i))
    if first is not None:
        return _of_interrupter(position, first)
    return (*_steering(position, i), *own, Action("end", i))


def _of_interrupter(position: Position, first: int | tuple[int, Deed] | None) -> tuple[Action, ...]:
    """The choices of a person whose ship may act in another's turn."""
    if not isinstance(first, int):
        return ()
    return (*_attacks(position, first, only_at=position.part.ship), Action("hold", first))


def comes_next(position: Position) -> int | tuple[int, Deed] | None:
    """What comes next in a ship's turn: a deed of a captain with its place, or a played ship.

    The ship that moves comes first, then those that interrupt it. What a person does with the
    ship that moves is not among these.
    """
    i, sea, fleet = position.part.ship, position.sea, position.fleet
    mine = i in position.played
    asked = not only(sea.ships[i].moved)
    for place, deed in enumerate(deeds_of(fleet, i)):
        foe = deed.to if deed.by == i else deed.by
        if deed.kind in ("interrupt", "move") and not asked:
            asked = True
            for j in fleet.enemies(i):
                if j in position.played - position.passed and _attacks(position, j, only_at=i):
                    return j
        if deed.kind == "board":
            wants = any(
                k not in position.played
                and fleet.captain(k).boards
                and has_boarders(fleet, sea, k)[0]
                for k in (i, foe)
            )
            if wants and can_board(sea, i, foe)[0]:
                return place, deed
        elif deed.by not in position.played and deed.guard(sea)[0] and not (mine and deed.by == i):
            return place, deed
    return None


def _attacks(position: Position, i: int, only_at: int | None = None) -> list[Action]:
    """Volleys that ship i can fire now, and boardings that it can begin."""
    fleet, sea, found = position.fleet, position.sea, []
    interrupts = only_at is not None
    for j in fleet.enemies(i) if only_at is None else [only_at]:
        if not interrupts or fleet.rules.interrupt != "never":
            for side, guns in zip(SIDES, guns_on(fleet, sea, i, j), strict=True):
                if only(guns) > 0:
                    found.append(Action("fire", i, foe=j, side=side, guns=only(guns)))
        touch = can_board(sea, j, i) if interrupts else can_board(sea, i, j)  # the mover first
        if touch[0] and has_boarders(fleet, sea, i)[0]:
            found.append(Action("board", i, foe=j))
    return sorted(found, key=lambda each: (each.kind == "board", -each.guns))


def _steering(position: Position, i: int) -> list[Action]:
    """The next hexes that ship i may move to.

    Source: GURPS/Naval Combat, Vessel Movement; Ramming.
    """
    fleet, sea = position.fleet, position.sea
    if not deeds_of(fleet, i)[-1].guard(sea)[0]:
        return []
    if may_ram(fleet, sea, i)[0]:
        return [Action("move", i)]
    return [Action("move", i, turn) for turn in TURNS if not is_shut(fleet, sea, i, turn)[0]]
