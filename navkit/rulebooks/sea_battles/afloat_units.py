"""Units off their ships: embarking, flyers and lifeboats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from navkit.errors import InputError, number
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.movement import Pose, bearing
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.sunk import MarkerState
from navkit.rulebooks.sea_battles.troops import Character, Unit
from navkit.rulebooks.sea_battles.weapons import scaled

FLY = 20
"""Inches of a flyer's move in the parent game."""


@dataclass(frozen=True)
class Counter:
    """A unit off its ship, with the characters in it, as a counter on the table."""

    kind: str
    unit: Unit
    characters: tuple[Character, ...]
    at: Pose


def disembarked(ship: Ship, unit: Unit, at: Pose, *, lifeboat: bool = False) -> Counter:
    """A unit that leaves its ship at the end of the Movement phase, with its characters.

    Flyers leave anywhere as a flyer counter; others go ashore in contact, or take to a lifeboat,
    of which there is one for each unit.
    Raises InputError for a unit that isn't aboard.
    Source: Sea Battles, Embarking and disembarking; Man the Lifeboats!

    >>> from navkit.rulebooks.sea_battles import ship
    >>> from navkit.rulebooks.sea_battles.movement import pose
    >>> hammer = ship("Hammer")
    >>> boat = disembarked(hammer, hammer.troops[0], pose(0, 0, 0), lifeboat=True)
    >>> boat.kind, [str(each) for each in boat.characters]
    ('lifeboat', ['Empire captain (Otto)'])
    """
    if unit not in ship.troops:
        raise InputError("unit", str(unit), *map(str, ship.troops))
    place = ship.troops.index(unit)
    with_it = tuple(each for each in ship.characters if each.joins == place)
    kind = "flyer" if unit.profile.kind == "flyer" else "lifeboat" if lifeboat else "ashore"
    return Counter(kind, unit, with_it, at)


def may_embark(counter: Counter, ship: Ship, distance: float, *, friendly: bool = True) -> bool:
    """Whether a unit may go aboard at the end of the Movement phase.

    In contact (SA-24), on a friendly ship, with room for it and its characters.
    Source: Sea Battles, Embarking and disembarking; Man the Lifeboats!

    >>> from navkit.rulebooks.sea_battles.movement import pose
    >>> crowd = Counter("ashore", Unit("Orc boy", 20), (), pose(0, 0, 0))
    >>> [may_embark(crowd, Ship("Cog", size, "sails"), 0.0) for size in (1, 2)]
    [True, True]
    >>> may_embark(crowd, Ship("Cog", 1, "sails", troops=(Unit("Goblin", 1),)), 0.0)
    False
    """
    number("distance", distance, 0, 1e6)
    people = sum(each.profile.unit_strength for each in counter.characters)
    room = ship.room - ship.aboard
    return friendly and distance == 0 and counter.unit.unit_strength + people <= room


def counter_reach(counter: Counter, rules: HouseRules | None = None) -> float:
    """Centimetres that a counter moves in a Movement phase, without orders.

    A lifeboat 10 cm whatever wind and current do (SA-25); a flyer half a centimetre an inch of its
    flight; a unit ashore its movement at scale.
    Source: Sea Battles, Man the Lifeboats!; Embarking and disembarking.

    >>> from navkit.rulebooks.sea_battles.movement import pose
    >>> counter_reach(Counter("flyer", Unit("Great eagle", 2), (), pose(0, 0, 0)))
    10.0
    """
    rules = HouseRules.of(rules)
    if counter.kind == "lifeboat":
        return scaled(tables.LIFEBOAT_MOVE, rules)
    inches = FLY if counter.kind == "flyer" else counter.unit.profile.movement
    return inches * rules.cm_per_inch


def rowed(counter: Counter, to: Pose, rules: HouseRules | None = None) -> Counter:
    """A counter after a Movement phase towards a place: as far as it reaches."""
    reach = counter_reach(counter, rules)
    gap = np.hypot(to.x - counter.at.x, to.y - counter.at.y)
    run = np.minimum(gap, reach)
    angle = np.radians(bearing(counter.at, to))
    at = Pose(
        counter.at.x + run * np.cos(angle),
        counter.at.y + run * np.sin(angle),
        np.degrees(angle) + 0 * run,
    )
    return Counter(counter.kind, counter.unit, counter.characters, at)


def rammed(counter: Counter) -> MarkerState | None:
    """What a ram leaves of a counter: a lifeboat always sinks; flyers are not touched (None).

    The rammer suffers nothing, and boats neither ram, nor board, nor shoot (SA-25).
    Source: Sea Battles, Man the Lifeboats!; Embarking and disembarking.

    >>> from navkit.rulebooks.sea_battles.movement import pose
    >>> rammed(Counter("lifeboat", Unit("Orc boy", 20), (), pose(0, 0, 0)))
    MarkerState(kind='wreckage', models=(20,))
    """
    if counter.kind != "lifeboat":
        return None
    return MarkerState("wreckage", (counter.unit.models, *(1 for _ in counter.characters)))


def shelters(counter: Counter) -> bool:
    """Whether hits on a counter are worked out as on a ship: never, boats shelter nobody.

    Source: Sea Battles, Man the Lifeboats!
    """
    return False
