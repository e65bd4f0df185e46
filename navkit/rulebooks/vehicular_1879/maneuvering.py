"""Maneuvering alone: who first brings off a Vehicle Maneuver against the other."""

from __future__ import annotations

from dataclasses import replace

from navkit.battle import Battle, play, some_turns
from navkit.chance import Array, Exact, Sampled, Scripted
from navkit.errors import InputError
from navkit.history import History
from navkit.rulebooks.vehicular_1879.doctrines import Doctrine
from navkit.rulebooks.vehicular_1879.fight import (
    PLACES,
    Doctrines,
    Part,
    acts,
    check_orders,
    end_of_turn,
    known_doctrines,
    known_range,
)
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.initiative import initiative
from navkit.rulebooks.vehicular_1879.maneuvers import Captain, maneuver_parts
from navkit.rulebooks.vehicular_1879.ships import Vehicle, known_vehicle
from navkit.rulebooks.vehicular_1879.state import Fight, ready_fight, side_of
from navkit.rulebooks.vehicular_1879.supplement import Supplement, VehicleManeuver
from navkit.rulebooks.vehicular_1879.tables import Range

CAUSES = ("one_success", "two_successes")
PLAIN = "Vehicle Maneuver"
"""A maneuver against the target's defense that does nothing but succeed."""


def maneuver_battle(
    a: Vehicle,
    b: Vehicle,
    doctrines: dict[str, Doctrine],
    distance: Range,
    supplement: Supplement,
    rules: HouseRules,
) -> Battle[Fight]:
    """Maneuvering alone, as data; see `maneuver`."""
    vehicles = {"a": a, "b": b}
    plain = VehicleManeuver(name=PLAIN)
    supplement = replace(supplement, vehicle_maneuvers=(*supplement.vehicle_maneuvers, plain))
    orders = {x: replace(each, maneuver=each.maneuver or PLAIN) for x, each in doctrines.items()}
    for each in orders.values():
        check_orders(each, supplement)
        if not supplement.vehicle_maneuver(each.maneuver).targeted:
            raise InputError("maneuver", each.maneuver, "a maneuver against the other vehicle")
    captains = {x: Captain(x, vehicles, orders, rules, supplement, keeps=True) for x in vehicles}
    turn: list[Part] = [*initiative(vehicles, supplement, rules)]
    for x, order in PLACES:
        turn += maneuver_parts(captains, x, acts(order))

    def outdone(fight: Fight, x: str) -> Array:
        return side_of(fight, x).outdone

    return Battle(
        start=ready_fight(a, b, distance),
        turn=(*turn, end_of_turn(vehicles)),
        lost=outdone,
        causes=CAUSES,
        tracks=("officers",),
        may_stall=False,
    )


def maneuver(
    a: Vehicle,
    b: Vehicle,
    *,
    turns: int = 3,
    doctrines: Doctrines = (None, None),
    distance: Range | str = Range.NEAR,
    supplement: Supplement | None = None,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """Who first brings off a Vehicle Maneuver against the other.

    Each turn both make Maneuver Tests for the order, then each tries the maneuver of his orders,
    or any one against the target's defense. The first success ends it: the other is lost, with
    the cause "one_success" or "two_successes". Outcomes are followed by reactions and free
    maneuvers as in a `duel`. Raises InputError for bad input.
    Source: 1879: Vehicular Combat Preview, The Vehicular Combat Turn.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> h = maneuver(ship("Scout Giffard"), ship("HMS Alexandra"), turns=1,
    ...              chance=Scripted([20, 15, (9, 6, 6)]))
    >>> h.log[["side", "dice", "target", "result"]].values.tolist()[-1]
    ['a', 'd12!+d10!+d8!', 10, 21]
    >>> h.cause("b").iloc[-1].tolist()
    [0.0, 1.0]
    """
    rules, supplement = HouseRules.of(rules), Supplement.of(supplement)
    battle = maneuver_battle(
        known_vehicle("a", a),
        known_vehicle("b", b),
        known_doctrines(doctrines),
        known_range(distance),
        supplement,
        rules,
    )
    return play(battle, some_turns(turns), chance)
