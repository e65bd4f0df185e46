"""A fight on the hex map: who acts when, and what a ship does in its turn.

A turn runs through the ships in initiative order. A ship moves hex by hex, and after each hex
either side may fire, board or ram; what each captain chooses is his doctrine (`captains`). The
rules themselves are functions of ships (`vessel`, `attack`, `damage`, `boarding`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from navkit.battle import Battle, Either, Repeat, Step, play, some_turns
from navkit.chance import Array, Chance, Sampled, Scripted
from navkit.history import History
from navkit.rulebooks.gurps.fleet import (
    Fleet,
    Guard,
    Placed,
    Rule,
    Sea,
    at_start,
    fleet_of,
    with_ships,
)
from navkit.rulebooks.gurps.grappling import blows_fall, fights_boarding, grapples, may_board
from navkit.rulebooks.gurps.gunfire import fires_at, interrupters, wants_to_fire
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.sides import CAUSES
from navkit.rulebooks.gurps.steering import may_move, moves
from navkit.rulebooks.gurps.turn_order import (
    begin_turn,
    end_turn,
    is_tied,
    roll_initiative,
    roll_off,
)
from navkit.state import replace

MOST_ACTIONS = 2000
"""Things that may happen in a ship's turn (hexes, shots, boardings): more than any ship can do."""


class Deed(NamedTuple):
    """What may happen in a ship's turn: what `by` does to `to`, and when its captain does it."""

    kind: Literal["fire", "board", "interrupt", "move"]
    by: int
    to: int
    guard: Guard
    rule: Rule


def deeds(fleet: Fleet, i: int) -> list[Deed]:
    """What may happen in the turn of ship i; again and again the first that its captains choose.

    Its own fire comes before that of a ship which interrupts its move.
    Source: GURPS/Naval Combat, Initiative roll; Interrupted attacks; Boarding.
    """
    foes = fleet.enemies(i)
    found = [Deed("fire", i, j, wants_to_fire(fleet, i, j), fires_at(fleet, i, j)) for j in foes]
    found += [Deed("board", i, j, may_board(fleet, i, j), grapples(fleet, i, j)) for j in foes]
    if fleet.rules.interrupt != "never":
        guards = interrupters(fleet, i)
        found += [Deed("interrupt", j, i, guards[j], fires_at(fleet, j, i)) for j in foes]
    return [*found, Deed("move", i, i, may_move(fleet, i), moves(fleet, i))]


class Part(NamedTuple):
    """A part of a turn on the map: what kind it is, and whose, at what place in the order."""

    kind: Literal["roll-off", "begin", "deeds", "boarding", "done", "end"]
    part: Step[Sea] | Repeat[Sea]
    ship: int = -1
    place: int = -1
    foe: int = -1

    def is_active(self, sea: Sea) -> bool:
        """Whether it is the turn of its ship, in the only fight of `sea`."""
        return bool(sea.order[self.place][0] == self.ship and sea.ships[self.ship].lost[0] == 0)


def turn_parts(fleet: Fleet) -> list[Part]:
    """The parts of a turn in order; those of a ship are there once for each place in the order."""

    def at(place_: int, i: int, guard: Guard | None = None) -> Guard:
        def when(sea: Sea) -> Array:
            turn = (sea.order[place_] == i) & (sea.ships[i].lost == 0)
            return turn if guard is None else turn & guard(sea)

        return when

    parts = [
        Part("roll-off", Repeat(Step(roll_off(fleet), is_tied(fleet)), most=20)),
        Part("begin", Step(begin_turn(fleet))),
    ]
    for place_ in range(len(fleet)):
        for i in range(len(fleet)):
            actions = tuple(
                Step(deed.rule, at(place_, i, deed.guard), fleet.sides[deed.by])
                for deed in deeds(fleet, i)
            )
            parts.append(Part("deeds", Repeat(Either(actions), MOST_ACTIONS), i, place_))
            for j in fleet.enemies(i):
                contest = Step(
                    fights_boarding(fleet, i, j), at(place_, i, blows_fall(i, j)), fleet.sides[i]
                )
                parts.append(Part("boarding", contest, i, place_, j))
            parts.append(Part("done", Step(_marks_acted(i), at(place_, i)), i, place_))
    return [*parts, Part("end", Step(end_turn(fleet)))]


def sea_battle(fleet: Fleet, start: Sea | None = None, done: int = 0) -> Battle[Sea]:
    """The fight on the map as data; see `battle`.

    With `start` it goes on from there, where `done` parts of the turn have been played: the
    others are its opening, whose end is turn 0 of the history.
    """

    def lost(sea: Sea, side: str) -> Array:
        ships = [v for v, of in zip(sea.ships, fleet.sides, strict=True) if of == side]
        codes = np.stack(np.broadcast_arrays(*(vessel.lost for vessel in ships)))
        return np.where((codes > 0).all(axis=0), codes.max(axis=0), 0)

    def total(name: str) -> Callable[[Sea, str], Array]:
        def measure(sea: Sea, side: str) -> Array:
            ships = [v for v, of in zip(sea.ships, fleet.sides, strict=True) if of == side]
            return sum(getattr(vessel, name) for vessel in ships)

        return measure

    def ships_left(sea: Sea, side: str) -> Array:
        ships = [v for v, of in zip(sea.ships, fleet.sides, strict=True) if of == side]
        return sum((vessel.lost == 0) * 1 for vessel in ships)

    names = ("hull", "dr", "crew", "dead", "wounded")
    turn = tuple(each.part for each in turn_parts(fleet))
    return Battle(
        start=at_start(fleet) if start is None else start,
        opening=(Step(roll_initiative(fleet)),) if start is None else turn[done:],
        turn=turn,
        lost=lost,
        causes=CAUSES,
        tracks=(),
        may_stall=False,
        measures={**{name: total(name) for name in names}, "ships": ships_left},
    )


def _marks_acted(i: int) -> Rule:
    def step(sea: Sea, chance: Chance) -> Sea:
        vessel = sea.ships[i]
        return with_ships(sea, {i: replace(vessel, acted=np.ones_like(vessel.acted))})

    return step


def battle(
    a: Placed | Sequence[Placed],
    b: Placed | Sequence[Placed],
    *,
    turns: int = 20,
    chance: Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
    players: str | None = None,
) -> History:
    """A fight on the hex map, one ship or several a side, each sailed by its captain.

    A side is lost when all its ships are; the history's tracks are sums over its ships, and
    `ships` is how many are left. `players` names the side that wins ties of initiative.
    `chance=None` samples 20,000 fights.
    Source: GURPS/Naval Combat, Naval Combat Mechanics.

    >>> from navkit.rulebooks.gurps import ship
    >>> h = battle(Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 8, 0, 3), turns=3,
    ...            chance=Sampled(fights=256))
    >>> h.mean("b", "ships").iloc[0]
    np.float64(1.0)
    """
    rules = HouseRules.of(rules)
    fleet = fleet_of(a, b, rules, players)
    return play(
        sea_battle(fleet),
        some_turns(turns),
        Sampled() if chance is None else chance,
    )
