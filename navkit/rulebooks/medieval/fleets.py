"""Battles of whole fleets, to the last ship or until one of them flees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from navkit.battle import Battle, Step, play
from navkit.chance import Array, Sampled, Scripted
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.rulebooks.medieval import fleet_turn
from navkit.rulebooks.medieval.doctrines import Doctrine
from navkit.rulebooks.medieval.fleet import Fleet, Orders, Sea, start
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
