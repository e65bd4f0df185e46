"""Battles of whole fleets, to the last ship or until one of them flees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from navkit.battle import Battle, Step, play
from navkit.chance import GROUP, Array, Sampled, Scripted
from navkit.engine.draws import Draws
from navkit.engine.turns import BRANCHES, moments
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.rulebooks.medieval import fleet_turn
from navkit.rulebooks.medieval.doctrines import Doctrine
from navkit.rulebooks.medieval.fleet import HERE, LOOSE, Fleet, Orders, Sea, in_line, start
from navkit.rulebooks.medieval.grapples import TiedShips
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.ships import Ship, known_fleet

CAUSES = ("beaten", "fled", "withdrew")
BEATEN, FLED, WITHDREW = 1, 2, 3
TRACKS = ("ships", "crew", "prizes", "left", "admiral", "flagship", "fleeing", "halt")


def fleet_battle(
    a: Ship | Sequence[Ship],
    b: Ship | Sequence[Ship],
    *,
    turns: int = 40,
    doctrines: tuple[Doctrine, Doctrine] = (Doctrine(), Doctrine()),
    sinking: Mapping[str, int] | None = None,
    chance: Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """What becomes of two fleets: contact, grappling, combats, captures, and morale.

    Up to 200 ships a side. A turn: ships that want away cut and break contact; crews are sent to
    prizes; free ships make contact as their doctrine says, those of a first; ships grapple;
    crews fight; prizes are taken, ships sink, morale is tested. A fleet is lost "fled" when its
    last ship is gone after it took to flight, "withdrew" when its last ships broke off by
    themselves, else "beaten". The tracks of each side are ships, crew and prizes on the table,
    ships that left, its admiral, its flagship, whether it is fleeing, and turns of halt to come.
    `sinking` has the turn at whose end ships, by name, begin to sink (what sinks them is not in
    the document). A battle of fleets is sampled or scripted, never exact.
    Raises InputError for bad input.
    Source: Medieval Naval Wargame Rules, the whole of it; the order of the turn is ours.

    >>> h = fleet_battle([Ship(f"A{n}") for n in range(6)], [Ship(f"B{n}") for n in range(4)],
    ...                  chance=Sampled(fights=1024))
    >>> bool(h.outcome()["a"] > 0.9)
    True
    """
    known = known_orders(a, b, doctrines, sinking, HouseRules.of(rules))
    return play(fleet_battle_of(known), whole("turns", turns, 1, 1000), chance)


def tied_after(
    a: Ship | Sequence[Ship],
    b: Ship | Sequence[Ship],
    *,
    turns: int,
    fight: int = 0,
    seed: int = 1,
    doctrines: tuple[Doctrine, Doctrine] = (Doctrine(), Doctrine()),
    sinking: Mapping[str, int] | None = None,
    rules: HouseRules | None = None,
) -> tuple[pd.DataFrame, TiedShips]:
    """How the ships of one battle lie after some turns: who has what crew, and who hangs on whom.

    The battle is number `fight` of those that `fleet_battle` samples with this `seed`. The table
    has, by name, the side that holds each ship still on the table ("a" or "b") and its crew
    points; the graph has the same ships. Raises InputError for ships of the same name.
    Source: Medieval Naval Wargame Rules, Grappling.

    >>> fleets = [Ship("A1"), Ship("A2")], [Ship("B1"), Ship("B2")]
    >>> lying, tied = tied_after(*fleets, turns=1)
    >>> lying["side"].to_dict(), sorted(tied.group("A1"))
    ({'A1': 'a', 'A2': 'a', 'B1': 'b', 'B2': 'b'}, ['A1', 'B1'])
    """
    known = known_orders(a, b, doctrines, sinking, HouseRules.of(rules))
    battle, sea = fleet_battle_of(known), start(known)
    number = whole("fight", fight, 0, 2**53)
    group, place = np.array([number // GROUP]), np.array([number % GROUP])
    draws = Draws(whole("seed", seed, 0, 2**64 - 1), group, place)
    for moment in moments(battle, range(1, whole("turns", turns, 0, 1000) + 1)):
        (step,) = moment.steps
        over = lost(sea, "a")[0] or lost(sea, "b")[0]
        if not over and (step.when is None or step.when(sea)[0]):
            draws.begin(moment.turn, moment.number * BRANCHES, 0, step.side)
            sea = step.run(sea, draws)
    here = np.flatnonzero(sea.place[:, 0] == HERE)
    names = known.names
    holds = [n for n in here if sea.held[n, 0] > LOOSE]
    before = [n for n in here if in_line(sea, known)[n, 0]]
    tied = TiedShips(
        tuple(names[n] for n in here),
        frozenset(frozenset((names[n], names[sea.target[n, 0]])) for n in holds),
        frozenset(frozenset((names[n], names[known.before[n]])) for n in before),
    )
    sides, crew = ["ab"[owner] for owner in sea.owner[here, 0]], sea.crew[here, 0]
    index = pd.Index(tied.ships, name="ship")
    return pd.DataFrame({"side": sides, "crew": crew}, index=index), tied


def known_orders(
    a: Ship | Sequence[Ship],
    b: Ship | Sequence[Ship],
    doctrines: tuple[Doctrine, Doctrine],
    sinking: Mapping[str, int] | None,
    rules: HouseRules,
) -> Orders:
    """The orders of a battle, checked."""
    of_a, of_b = known_fleet("a", a), known_fleet("b", b)
    if (
        not isinstance(doctrines, tuple)
        or len(doctrines) != 2
        or not all(isinstance(each, Doctrine) for each in doctrines)
    ):
        raise InputError("doctrines", doctrines, "two medieval.Doctrine(...): of a, of b")
    names = [ship.name for ship in (*of_a, *of_b)]
    begins = {}
    for name, turn in (sinking or {}).items():
        if names.count(name) != 1:
            raise InputError("sinking ship", name, *dict.fromkeys(names))
        begins[names.index(name)] = whole(f"turn in which {name} sinks", turn, 1, 1000)
    return Orders((*of_a, *of_b), len(of_a), doctrines, begins, rules)


def fleet_battle_of(known: Orders) -> Battle[Sea]:
    """The battle of fleets as data; see `fleet_battle`."""
    first = min(known.sinking.values(), default=0)
    sink = Step(fleet_turn.alone(fleet_turn.sink, known), lambda sea: sea.turn + 1 >= first)
    again = Step(fleet_turn.alone(fleet_turn.man_again, known))
    return Battle(
        start=start(known),
        turn=(
            Step(
                lambda sea, chance: fleet_turn.leave(sea, known, chance),
                lambda sea: fleet_turn.some_want_away(sea, known),
            ),
            Step(fleet_turn.alone(fleet_turn.man_prizes, known)),
            *((again,) if any(each.remans for each in known.doctrines) else ()),
            Step(fleet_turn.alone(fleet_turn.make_contact, known)),
            Step(lambda sea, chance: fleet_turn.grapple_all(sea, known, chance)),
            Step(lambda sea, chance: fleet_turn.fight(sea, known, chance)),
            Step(fleet_turn.alone(fleet_turn.transfer, known)),
            *((sink,) if known.sinking else ()),
            Step(lambda sea, chance: fleet_turn.end(sea, known, chance)),
        ),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
        countable=False,
    )


def lost(sea: Sea, side: str) -> Array:
    """How a fleet has lost: 0 while it has a manned ship on the table."""
    fleet: Fleet = getattr(sea, side)
    how = np.where(fleet.fleeing > 0, FLED, np.where(fleet.left > 0, WITHDREW, BEATEN))
    return np.where(fleet.ships == 0, how, 0)
