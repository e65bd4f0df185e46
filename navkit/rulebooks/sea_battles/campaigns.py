"""Battles on the plan: whole turns of two fleets, phase by phase."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from navkit.battle import Battle, Step
from navkit.chance import Array, Chance
from navkit.errors import InputError, number
from navkit.rulebooks.sea_battles import armies
from navkit.rulebooks.sea_battles.boarding import Boarding
from navkit.rulebooks.sea_battles.doctrines import Doctrine
from navkit.rulebooks.sea_battles.fleets import (
    Fight,
    Place,
    Ships,
    begun,
    lost,
    other,
    places,
    pose_of,
    station,
    with_station,
)
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.movement import facing, pose
from navkit.rulebooks.sea_battles.phases import (
    captain_parts,
    end_parts,
    shooting_parts,
    start_parts,
)
from navkit.rulebooks.sea_battles.plan import FRIENDS, Helmsman, Waters
from navkit.rulebooks.sea_battles.rams import has_rammed, ram_parts, rammed_already
from navkit.rulebooks.sea_battles.rosters import roster
from navkit.rulebooks.sea_battles.ships import Ship, check_fleet, check_room
from navkit.rulebooks.sea_battles.vessel import CAUSES, afloat

TRACKS = ("ships", "damage", "troops")
GAP = 10
"""Centimetres between the ships of a fleet as they are deployed."""
ANGRY = Doctrine(handling="ram")


@dataclass(frozen=True)
class Scene:
    """A battle's ships, how each is handled, and the waters."""

    ships: Ships
    doctrines: dict[str, tuple[Doctrine, ...]]
    waters: Waters
    rules: HouseRules

    def helmsman(self, place: Place) -> Helmsman:
        """One ship as she is handled."""
        return Helmsman(
            place,
            tuple(places(self.ships, other(place.side))),
            self.admiral(place.side),
            self.ships,
            self.doctrines[place.side][place.number],
            self.waters,
            self.rules,
        )

    def admiral(self, side: str) -> Place | None:
        """The Flagship of a side, if it has one. Source: Sea Battles, Leadership."""
        found = [place for place in places(self.ships, side) if self.ship(place).flagship]
        return found[0] if found else None

    def ship(self, place: Place) -> Ship:
        """The ship at a place."""
        return self.ships[place.side][place.number]


def campaign(
    fleets: dict[str, Sequence[Ship]],
    doctrines: dict[str, Sequence[Doctrine]],
    distance: float,
    waters: Waters,
    rules: HouseRules,
    *,
    countable: bool,
) -> Battle[Fight]:
    """A battle of two fleets on the plan, as data; `countable` where exact odds are asked for.

    Fleets begin abreast, bows towards each other, `distance` centimetres between their lines; a
    turn is a's and then b's. Captains are rolled on the table at deployment.
    """
    number("distance", distance, 1, 1000)
    ships: Ships = {side: check_fleet(members) for side, members in fleets.items()}
    for members in ships.values():
        for ship in members:
            check_room(ship, rules)
    for side, given in doctrines.items():
        if len(given) != len(ships[side]):
            raise InputError(f"doctrines of {side}", len(given), f"{len(ships[side])}, one a ship")
    scene = Scene(ships, {side: tuple(each) for side, each in doctrines.items()}, waters, rules)
    stations = {
        side: tuple(
            station(pose(at, GAP * (n - (len(ships[side]) - 1) / 2), heading))
            for n in range(len(ships[side]))
        )
        for side, at, heading in (("a", 0.0, 0.0), ("b", distance, 180.0))
    }
    return Battle(
        start=begun(ships, stations),
        opening=(*captain_parts(ships, "a"), *captain_parts(ships, "b")),
        turn=(*player_turn(scene, "a"), *player_turn(scene, "b")),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
        countable=countable,
        may_stall=False,
    )


def player_turn(scene: Scene, side: str) -> list[Any]:
    """The parts of one side's turn: start, movement with rams, shooting, combat.

    Ships move one by one in their order; rams are worked out as they happen.
    Source: Sea Battles, The turn.
    """
    helms = [scene.helmsman(place) for place in places(scene.ships, side)]
    parts = start_parts(scene.ships, side)
    for helm in helms:
        parts += _animosity_parts(scene, helm)
    for helm in helms:
        begin, *moves = helm.movement_parts()
        parts += [begin, *_angry_parts(scene, helm), *moves, *_ram_parts(scene, helm)]
    parts += [helm.sight_part() for helm in helms]
    parts += shooting_parts(scene.ships, side, scene.rules)
    for helm in helms:
        parts += _combat_parts(scene, helm)
    return [*parts, *end_parts(scene.ships, side), *(helm.rest_part() for helm in helms)]


def _ram_parts(scene: Scene, helm: Helmsman) -> list[Any]:
    parts: list[Any] = []
    for target in helm.enemies:
        rams = has_rammed(helm.place, target)
        touch = _touch(scene, helm.place, target)
        parts += ram_parts(helm.place, target, scene.ships, rams, touch, scene.rules)
    return [*parts, rammed_already(helm.place)]


def _touch(scene: Scene, rammer: Place, target: Place) -> Callable[[Fight], Array]:
    """The side with which a rammer touches."""

    def side(fight: Fight) -> Array:
        own, foe = pose_of(rammer.station(fight)), pose_of(target.station(fight))
        return facing(own, foe, scene.rules).astype(np.int32)

    return side


def _combat_parts(scene: Scene, helm: Helmsman) -> list[Any]:
    """The parts in which a ship's troops board those she has rammed, pair after pair (SA-44)."""
    own = scene.doctrines[helm.place.side][helm.place.number].boarders
    parts: list[Any] = []
    for target in helm.enemies:
        foe = scene.doctrines[target.side][target.number].boarders
        one, two = scene.ship(helm.place), scene.ship(target)
        rosters = (
            roster(one, two, own, foe, scene.rules),
            roster(two, one, foe, own, scene.rules),
        )
        if not rosters[0].formations:
            continue
        boarding = Boarding(helm.place, target, scene.ships, rosters, scene.rules)
        boards = _boards(scene, helm.place, target)
        parts += [
            boarding.begins(boards),
            boarding.fought_out(),
            *boarding.hull_parts(_touched(helm.place)),
            boarding.aftermath(),
        ]
    return parts


def _boards(scene: Scene, charger: Place, defender: Place) -> Callable[[Fight], Array]:
    def boards(fight: Fight) -> Array:
        there = afloat(charger.vessel(fight)) & afloat(defender.vessel(fight))
        somebody = np.zeros_like(there)
        for wounds in (*charger.vessel(fight).troops, *charger.vessel(fight).characters):
            somebody = somebody | (wounds > 0)
        return there & somebody & (charger.station(fight).boards == defender.number + 1)

    return boards


def _touched(charger: Place) -> Callable[[Fight], Array]:
    return lambda fight: charger.station(fight).facing


# Animosity


def _animosity_parts(scene: Scene, helm: Helmsman) -> list[Any]:
    """The parts in which a ship rolls for Animosity as her side's turn starts."""
    if not armies.suffers_animosity(helm.ship):
        return []
    place = helm.place

    def quarrel(fight: Fight, chance: Chance) -> Fight:
        at = place.station(fight)
        breaks_out = armies.quarrels(chance)
        return with_station(fight, place, replace(at, shot=np.where(breaks_out, QUARREL, 0)))

    def what(fight: Fight, chance: Chance) -> Fight:
        mood = armies.mood(chance)
        at = place.station(fight)
        none = np.zeros_like(at.shot)
        return with_station(fight, place, replace(at, shot=none + 0 * mood, mood=mood + none))

    return [
        Step(quarrel, lambda fight: afloat(place.vessel(fight)), side=place.side),
        Step(what, lambda fight: place.station(fight).shot == QUARREL, side=place.side),
    ]


QUARREL = 9
"""A station's `shot` while it is to be rolled what Animosity does."""


def _angry_parts(scene: Scene, helm: Helmsman) -> list[Any]:
    """The parts in which Animosity moves a ship: at the nearest friend, or a free move.

    She rams only a friend that suffers from Animosity too, and does not board her.
    Source: Sea Battles, Army specific rules.
    """
    if not armies.suffers_animosity(helm.ship):
        return []
    everywhere = np.ones(1, dtype=bool)

    def in_mood(mood: int) -> Callable[[Fight], Array]:
        def is_so(fight: Fight) -> Array:
            there = afloat(helm.place.vessel(fight))
            return there & (helm.place.station(fight).mood == mood)

        return is_so

    def free_move(fight: Fight, chance: Chance) -> Fight:
        passes = everywhere | (helm.place.station(fight).mood > 0)
        return helm.moves(fight, passes, passes, free=True)

    def shown(fight: Fight) -> Array:
        return in_mood(armies.SHOW_EM)(fight) & helm.wants_to_move(fight)

    parts: list[Any] = [Step(free_move, shown, side=helm.place.side)]
    friends = tuple(
        place
        for place in places(scene.ships, helm.place.side)
        if place != helm.place and armies.suffers_animosity(scene.ship(place))
    )
    if not friends:
        return parts
    angry = replace(helm, enemies=friends, doctrine=ANGRY, friends=True)

    def charge(fight: Fight, chance: Chance) -> Fight:
        passes = everywhere | (helm.place.station(fight).mood > 0)
        return angry.moves(fight, passes, ~passes, free=True)

    def charges(fight: Fight) -> Array:
        return in_mood(armies.GET_EM)(fight) & angry.wants_to_move(fight)

    if scene.rules.animosity_move == "by orders":
        parts.append(angry.order_part())
    else:
        parts.append(Step(charge, charges, side=helm.place.side))
    for friend in friends:
        rams = has_rammed(helm.place, friend, FRIENDS)
        touch = _touch(scene, helm.place, friend)
        parts += ram_parts(helm.place, friend, scene.ships, rams, touch, scene.rules)
    return [*parts, rammed_already(helm.place)]
