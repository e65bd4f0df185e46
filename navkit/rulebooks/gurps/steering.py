"""Moves and rams on the map: what a captain thinks of his next hex, and what comes of it."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.gurps import hexes
from navkit.rulebooks.gurps.captains import AHEAD, REFUSED, worth
from navkit.rulebooks.gurps.damage import holed
from navkit.rulebooks.gurps.fleet import Fleet, Guard, Rule, Sea, seen, settled, with_ships
from navkit.rulebooks.gurps.turn_order import navigation_lent
from navkit.rulebooks.gurps.vessel import (
    Vessel,
    advanced,
    bow,
    covers,
    hexes_left,
    place,
    ram_damage,
)
from navkit.state import replace


def hexes_to_go(fleet: Fleet, sea: Sea, i: int) -> Array:
    """Hexes that ship i may still move this turn."""
    return hexes_left(sea.ships[i], fleet.ship(i), navigation_lent(fleet, sea, i), fleet.rules)


def nearest_enemy(fleet: Fleet, sea: Sea, i: int) -> Array:
    """The number of the nearest enemy still in the fight, the first of them in a tie."""
    enemies = fleet.enemies(i)
    if len(enemies) == 1:
        return np.full_like(sea.ships[i].lost, enemies[0])
    own = place(sea.ships[i])
    far = [
        np.where(sea.ships[j].lost == 0, hexes.gap(own, place(sea.ships[j])), 10**6)
        for j in enemies
    ]
    return np.array(enemies)[np.argmin(np.stack(np.broadcast_arrays(*far)), axis=0)]


def _is_taken(fleet: Fleet, sea: Sea, i: int, q: Array, r: Array) -> Array:
    others = [covers(sea.ships[j], q, r) for j in range(len(fleet)) if j != i]
    return np.logical_or.reduce(others)


def choices(fleet: Fleet, sea: Sea, i: int) -> Array:
    """What a captain thinks of his next hex, in the order of CHOICES; one row each, fights last.

    A hex that is taken is refused, and so is a turn into one (GA-05, GA-06); for a captain who
    rams or boards, an enemy before the bow is what he wants. Others ram only to get out of a fix:
    a ship can't turn without moving, so with an enemy before its bow it might lie there for ever.
    """
    vessel, own, who = sea.ships[i], fleet.ship(i), fleet.captain(i)
    left = np.clip(hexes_to_go(fleet, sea, i), 1, AHEAD)
    target = nearest_enemy(fleet, sea, i)

    def value(there: Vessel, hexes_then: Array) -> Array:
        found = np.zeros(np.shape(target))
        for j in fleet.enemies(i):
            foe = sea.ships[j]
            known = worth(who, own, fleet.ship(j))[
                (hexes_then, *hexes.pose(place(there), place(foe)))
            ]
            # beyond the table only nearer and farther are told apart
            off = np.maximum(hexes.distance(there.q, there.r, foe.q, foe.r) - hexes.REACH, 0)
            found = np.where(target == j, known + who.chase * off, found)
        return found

    found = [value(vessel, np.zeros_like(left))]
    for turn in TURNS:
        there = advanced(vessel, np.full_like(vessel.heading, turn))
        shut = is_shut(fleet, sea, i, turn)
        found.append(np.where(shut, REFUSED, value(there, left - 1)))
    rams = may_ram(fleet, sea, i) & (who.rams or who.boards or ~_has_guns_on(fleet, sea, i))
    found.append(np.where(rams, -REFUSED, REFUSED))
    return np.stack(np.broadcast_arrays(*found))


def _has_guns_on(fleet: Fleet, sea: Sea, i: int) -> Array:
    """Whether any gun of ship i, loaded or not, bears on an enemy in the fight."""
    own = fleet.ship(i)
    armed = sum(bit for bit, n in zip(hexes.BATTERIES.values(), own.cannons, strict=True) if n)
    views = {j: seen(sea, i, j) for j in fleet.enemies(i)}
    return np.logical_or.reduce(
        [
            (hexes.guns_bearing(view) & armed > 0)
            & (hexes.ship_range(view) <= own.range)
            & (sea.ships[j].lost == 0)
            for j, view in views.items()
        ]
    )


TURNS = (1, 0, -1)


CHOICES = ("stay", "ahead and left", "ahead", "ahead and right", "ram")


def may_ram(fleet: Fleet, sea: Sea, i: int) -> Array:
    """Whether the next hex ahead is that of an enemy in the fight: to move there is to ram."""
    ahead = bow(sea.ships[i], 2)
    foes = [covers(sea.ships[j], *ahead) & (sea.ships[j].lost == 0) for j in fleet.enemies(i)]
    return np.logical_or.reduce(foes)


def is_shut(fleet: Fleet, sea: Sea, i: int, turn: int) -> Array:
    """Whether a ship lies where ship i would go, a hex ahead and turned (GA-05, GA-06)."""
    there = advanced(sea.ships[i], np.full_like(sea.ships[i].heading, turn))
    return _is_taken(fleet, sea, i, *bow(sea.ships[i], 2)) | _is_taken(fleet, sea, i, *bow(there))


def may_move(fleet: Fleet, i: int) -> Guard:
    """Whether ship i has hexes to move left."""
    return lambda sea: hexes_to_go(fleet, sea, i) > 0


def moves(fleet: Fleet, i: int) -> Rule:
    """The step in which ship i goes one hex further, or decides to stay where it is."""

    def step(sea: Sea, chance: Chance) -> Sea:
        choice = np.argmax(choices(fleet, sea, i), axis=0)
        turn = np.where(choice == 1, 1, np.where(choice == 3, -1, 0))
        return moved(fleet, sea, i, stay=choice == 0, turn=turn)

    return step


def moved(fleet: Fleet, sea: Sea, i: int, *, stay: Array, turn: Array) -> Sea:
    """The sea after ship i has gone a hex ahead and turned, or stays; into an enemy is a ram.

    A rammer's bow shares the hex of its target, and its move is over (GA-07). Both may sink.
    Source: GURPS/Naval Combat, Vessel Movement; Ramming.
    """
    before = sea.ships[i]
    ahead = bow(before, 2)
    after = advanced(before, turn)
    rams = np.zeros(np.shape(stay), dtype=bool)
    ships: dict[int, Vessel] = {}
    hurt = np.zeros_like(before.hull)
    for j in fleet.enemies(i):
        target = sea.ships[j]
        here = covers(target, *ahead) & (target.lost == 0) & ~stay
        given, taken = ram_damage(before, target, fleet.ship(i), fleet.ship(j), fleet.rules)
        ships[j] = holed(target, np.where(here, given, 0))
        hurt = hurt + np.where(here, taken, 0)
        rams = rams | here
    straight = advanced(before, np.zeros_like(turn))
    after = _either(rams, straight, after)
    after = _either(stay, before, after)
    after = replace(holed(after, hurt), held=np.where(stay | rams, 1, before.held))
    return settled(fleet, with_ships(sea, {**ships, i: after}))


def _either(mask: Array, one: Vessel, other: Vessel) -> Vessel:
    """The place and way of one vessel or of the other, by fight."""
    names = ("q", "r", "heading", "moved", "run")
    chosen = {name: np.where(mask, getattr(one, name), getattr(other, name)) for name in names}
    return replace(other, **chosen)
