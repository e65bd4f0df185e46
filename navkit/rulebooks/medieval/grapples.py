"""Ships tied to each other: grappling, cutting free, and the graph of who hangs on whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from navkit.battle import Battle, Step, play
from navkit.chance import Array, Chance, Exact, Sampled, Scripted
from navkit.errors import InputError, truth
from navkit.history import History
from navkit.rulebooks.medieval import tables
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.rolls import at_least
from navkit.rulebooks.medieval.ships import Ship, known_ship

Pair = frozenset[str]
NOBODY, THE_SINKING, EVERYBODY = 0, 1, 2
"""Who goes down of ships that are tied together."""


# What holds and what lets go


def need_to_grapple(ram: Array | bool) -> Array:
    """The die that grapples an unwilling ship: 4, or 3 while the ram of either is stuck.

    One try a turn; contact gives the right to it, and after a cut the right comes back in the
    next turn (MA-09).
    Source: Medieval Naval Wargame Rules, Grappling.
    """
    return np.where(ram, tables.GRAPPLE_BY_RAM, tables.GRAPPLE)


def needs_grapple_die(first_wants: Array | bool, second_wants: Array | bool) -> Array:
    """Whether a die is rolled: where just one of two ships in contact wants to grapple.

    Source: Medieval Naval Wargame Rules, Grappling.
    """
    return np.asarray(first_wants) != np.asarray(second_wants)


def need_to_cut(prize: Array | bool, tied: Array | bool) -> Array:
    """The die that cuts a ship free: 4; none (1) where one of the pair is a prize of an earlier
    turn; 3 for a prize that is still tied to a manned enemy.

    Either ship may cut, one die a pair and turn (MA-08).
    Source: Medieval Naval Wargame Rules, Grappling.
    """
    return np.where(prize, np.where(tied, tables.CUT_PRIZE, 1), tables.CUT)


def who_goes_down(afloat: Array | int, sinking: Array | int, rules: HouseRules) -> Array:
    """Who goes down of a group of ships tied together: NOBODY, THE_SINKING or EVERYBODY.

    `afloat` of the group are sound and `sinking` are not; all count that hang together by
    grapnels or lines (MA-14). The document has three cases: 1 and 1, all; 2 and 1, none; 1 and 2,
    all. In between this is an extension of it (MA-13).
    Source: Medieval Naval Wargame Rules, Grappling.

    >>> [int(who_goes_down(n, s, HouseRules())) for n, s in ((1, 1), (2, 1), (1, 2), (3, 2))]
    [2, 0, 2, 2]
    """
    sound, hurt = np.asarray(afloat), np.asarray(sinking)
    match rules.sink_group:
        case "twice as many afloat":
            found = np.where(sound >= 2 * hurt, NOBODY, EVERYBODY)
        case "more afloat":
            found = np.where(sound > hurt, NOBODY, EVERYBODY)
        case _:
            lost = (sound == 1) & ((hurt == 1) | (hurt == 2))
            saved = (sound == 2) & (hurt == 1)
            found = np.where(lost, EVERYBODY, np.where(saved, NOBODY, THE_SINKING))
    return np.where(hurt == 0, NOBODY, found)


# The graph


@dataclass(frozen=True)
class TiedShips:
    """Ships by name, and what ties them: grapnels, and lines of one fleet.

    A graph that never changes: each act gives another one. Raises InputError for ships that are
    not in it, for a ship tied to itself, and for ties that are not there.
    Source: Medieval Naval Wargame Rules, Grappling.

    >>> tied = TiedShips(("Argo", "Cog", "Knorr", "Snake")).grapple("Argo", "Cog")
    >>> sorted(tied.grapple("Cog", "Knorr").group("Argo"))
    ['Argo', 'Cog', 'Knorr']
    >>> sorted(tied.going_down({"Argo"}))
    ['Argo', 'Cog']
    """

    ships: tuple[str, ...]
    grapples: frozenset[Pair] = frozenset()
    lines: frozenset[Pair] = frozenset()

    def __post_init__(self) -> None:
        if len(set(self.ships)) != len(self.ships):
            raise InputError("ships", self.ships, "names that differ")
        for pair in self.grapples | self.lines:
            if len(pair) != 2:
                raise InputError("tie", set(pair), "two different ships")
            self._known(*pair)

    @classmethod
    def of(cls, *fleets: Sequence[Ship]) -> TiedShips:
        """The ships of some fleets, with the lines in which they lie and no grapnels yet.

        >>> TiedShips.of([Ship("A", line="van"), Ship("B", line="van"), Ship("C")]).table()
          first second   tie
        0     A      B  line
        """
        lines = set()
        for fleet in fleets:
            for place, ship in enumerate(fleet):
                ahead = [other for other in fleet[:place] if ship.line and other.line == ship.line]
                lines |= {frozenset((ahead[-1].name, ship.name))} if ahead else set()
        return cls(tuple(s.name for fleet in fleets for s in fleet), lines=frozenset(lines))

    def grapple(self, first: str, second: str) -> TiedShips:
        """The ships after one of the two has grappled the other."""
        return replace(self, grapples=self.grapples | {self._pair(first, second)})

    def cut(self, first: str, second: str) -> TiedShips:
        """The ships after the grapnels between the two, or their line, are cut."""
        pair = self._pair(first, second)
        if pair not in self.grapples | self.lines:
            raise InputError("tie", (first, second), *map(repr, map(sorted, self.grapples)))
        return replace(self, grapples=self.grapples - {pair}, lines=self.lines - {pair})

    def without(self, gone: Iterable[str]) -> TiedShips:
        """The ships that are left when some have gone down or away, with their ties."""
        lost = set(gone)
        self._known(*lost)
        return TiedShips(
            tuple(ship for ship in self.ships if ship not in lost),
            frozenset(pair for pair in self.grapples if not pair & lost),
            frozenset(pair for pair in self.lines if not pair & lost),
        )

    def grappled_to(self, ship: str) -> frozenset[str]:
        """The ships that are grappled to `ship`."""
        self._known(ship)
        return frozenset[str]().union(*(p for p in self.grapples if ship in p)) - {ship}

    def in_line_with(self, ship: str) -> frozenset[str]:
        """The ships that are tied to `ship` in its line."""
        self._known(ship)
        return frozenset[str]().union(*(p for p in self.lines if ship in p)) - {ship}

    def group(self, ship: str) -> frozenset[str]:
        """All ships that hang together with `ship`, itself included."""
        found, open_ = {ship}, [ship]
        while open_:
            last = open_.pop()
            near = (self.grappled_to(last) | self.in_line_with(last)) - found
            found |= near
            open_ += sorted(near)
        return frozenset(found)

    def groups(self) -> tuple[frozenset[str], ...]:
        """All groups of ships that hang together; a ship that is free is one for itself."""
        found: list[frozenset[str]] = []
        for ship in self.ships:
            if not any(ship in group for group in found):
                found.append(self.group(ship))
        return tuple(found)

    def going_down(
        self, sinking: Iterable[str], *, rules: HouseRules | None = None
    ) -> frozenset[str]:
        """The ships that go down when the first of those `sinking` does.

        Judged anew in each turn: who has cut free before is safe, and a ship that is held up
        sinks when it is let go (MA-15).

        >>> tied = TiedShips(("A", "B", "C")).grapple("A", "B").grapple("B", "C")
        >>> sorted(tied.going_down({"A"})), sorted(tied.going_down({"A", "C"}))
        ([], ['A', 'B', 'C'])
        """
        rules, hurt = HouseRules.of(rules), frozenset(sinking)
        self._known(*hurt)
        lost: frozenset[str] = frozenset()
        for group in self.groups():
            found = int(who_goes_down(len(group - hurt), len(group & hurt), rules))
            lost |= group if found == EVERYBODY else group & hurt if found == THE_SINKING else set()
        return lost

    def drifting(self) -> frozenset[str]:
        """The ships that drift 1 inch a turn downwind: grappled, and none of them tied in a line.

        >>> tied = TiedShips.of([Ship("A", line="van"), Ship("B", line="van")], [Ship("C")])
        >>> tied.grapple("A", "C").drifting()
        frozenset()
        """
        loose = [g for g in self.groups() if not any(pair <= g for pair in self.lines)]
        return frozenset[str]().union(*(group for group in loose if len(group) > 1))

    def table(self) -> pd.DataFrame:
        """The ties, a row each: the two ships in their order, and "grapple" or "line"."""
        rows = [
            (*sorted(pair, key=self.ships.index), kind)
            for kind, pairs in (("grapple", self.grapples), ("line", self.lines))
            for pair in pairs
        ]
        found = sorted(rows, key=lambda row: (self.ships.index(row[0]), self.ships.index(row[1])))
        return pd.DataFrame(found, columns=["first", "second", "tie"])

    def _pair(self, first: str, second: str) -> Pair:
        self._known(first, second)
        if first == second:
            raise InputError("tie", (first, second), "two different ships")
        return frozenset((first, second))

    def _known(self, *names: str) -> None:
        for name in names:
            if name not in self.ships:
                raise InputError("ship", name, *self.ships)


# The resolver


@dataclass(frozen=True)
class Hold:
    """Two ships in contact. `held` is 1 once they are grappled."""

    held: Array


def grapple_battle(*, willing: bool, ram: bool) -> Battle[Hold]:
    """The tries to grapple as data; see `grapple`."""
    need = int(need_to_grapple(ram))

    def attempt(fight: Hold, chance: Chance) -> Hold:
        die = needs_grapple_die(first_wants=True, second_wants=willing)
        held = at_least(chance, need, among=die, why="grapple", rule="M-03") | ~die
        return Hold(held.astype(np.int32))

    def lost(fight: Hold, x: str) -> Array:
        return fight.held if x == "b" else np.zeros_like(fight.held)

    start = Hold(np.zeros(1, dtype=np.int32))
    step = Step(attempt, side="a")
    return Battle(start=start, turn=(step,), lost=lost, causes=("grappled",), tracks=())


def grapple(
    a: Ship,
    b: Ship,
    *,
    willing: bool = False,
    ram: bool = False,
    turns: int | None = 12,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """Whether a, in contact with b, has grappled it, by turn: "a" wins when b is "grappled".

    `willing`: b wants it too, and no die is rolled; `ram`: the ram of one is stuck in the other
    (which one of them must have). a tries once a turn. Raises InputError for bad input.
    Source: Medieval Naval Wargame Rules, Grappling.

    >>> galley = Ship("Galley", ram=True)
    >>> grapple(galley, Ship("Cog"), ram=True, turns=2).table()["a"].round(4).tolist()
    [0.0, 0.6667, 0.8889]
    """
    HouseRules.of(rules)
    for what, value in (("willing", willing), ("ram", ram)):
        truth(what, value)
    if ram and not (known_ship("a", a).ram or known_ship("b", b).ram):
        raise InputError("ram", ram, "False: neither ship has one")
    known_ship("a", a), known_ship("b", b)
    return play(grapple_battle(willing=willing, ram=ram), turns, chance)
