"""Fire on the map: which guns bear on whom, and who fires when, in and out of turn."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.gurps import hexes
from navkit.rulebooks.gurps.attack import highest_hit, to_hit, volley
from navkit.rulebooks.gurps.damage import crew_damage, hole
from navkit.rulebooks.gurps.fleet import Fleet, Guard, Rule, Sea, seen, settled, with_ships
from navkit.rulebooks.gurps.steering import hexes_to_go
from navkit.rulebooks.gurps.vessel import (
    discharged,
    mast_damage,
    ready_guns,
)


def best_battery(fleet: Fleet, sea: Sea, i: int, j: int) -> tuple[Array, Array]:
    """The side of ship i with the most guns that can fire at ship j now, and how many; 0 if none.

    One battery fires at one target, as one volley (GA-16, GA-17).
    Source: GURPS/Naval Combat, Attacks; Range.
    """
    bearing = guns_on(fleet, sea, i, j, fleet.captain(i).reloads_first)
    wide = np.stack(np.broadcast_arrays(*bearing))
    return np.argmax(wide, axis=0), wide.max(axis=0)


def guns_on(fleet: Fleet, sea: Sea, i: int, j: int, kept: bool = False) -> list[Array]:
    """By side: guns of ship i that can fire at ship j now. With `kept`, hands reload first.

    Source: GURPS/Naval Combat, Attacks; Range.
    """
    own = fleet.ship(i)
    guns = ready_guns(sea.ships[i], own, kept, fleet.rules)
    view = seen(sea, i, j)
    in_range = (hexes.ship_range(view) <= own.range) & (sea.ships[j].lost == 0)
    mask = np.where(in_range, hexes.guns_bearing(view), 0)
    return [
        np.where(mask & bit, ready, 0)
        for bit, ready in zip(hexes.BATTERIES.values(), guns, strict=True)
    ]


def wants_to_fire(fleet: Fleet, i: int, j: int) -> Guard:
    """Whether ship i, in its own turn, fires at j now.

    A captain waits for at least half of his best battery to bear while he has hexes to move.
    """

    def guard(sea: Sea) -> Array:
        _, guns = best_battery(fleet, sea, i, j)
        vessel, own = sea.ships[i], fleet.ship(i)
        ready = ready_guns(vessel, own, fleet.captain(i).reloads_first, fleet.rules)
        half = np.maximum.reduce(list(np.broadcast_arrays(*ready))) <= 2 * guns
        done = hexes_to_go(fleet, sea, i) == 0
        return (guns > 0) & (half | done)

    return guard


def may_interrupt(fleet: Fleet, j: int, i: int) -> Guard:
    """Whether ship j fires at ship i out of turn: i has moved, and guns of j bear in range (GA-24).

    Source: GURPS/Naval Combat, Interrupted attacks.
    """

    def guard(sea: Sea) -> Array:
        _, guns = best_battery(fleet, sea, j, i)
        return (guns > 0) & (sea.ships[i].moved > 0)

    return guard


def interrupters(fleet: Fleet, i: int) -> dict[int, Guard]:
    """For each enemy of ship i, when it fires at it out of turn: one after another, in the order
    of initiative (GA-25)."""
    foes = fleet.enemies(i)
    alone = {j: may_interrupt(fleet, j, i) for j in foes}
    if len(foes) == 1:
        return alone
    known: list[tuple[Sea, dict[int, Array]]] = []

    def ready(sea: Sea) -> dict[int, Array]:
        # the guards of one turn are asked about the same sea, one after another
        if not known or known[0][0] is not sea:
            known[:] = [(sea, {j: guard(sea) for j, guard in alone.items()})]
        return known[0][1]

    def first(j: int) -> Guard:
        def guard(sea: Sea) -> Array:
            fires = ready(sea)
            if not fires[j].any():
                return fires[j]
            rank = {
                k: sum(np.where(ship == k, at, 0) for at, ship in enumerate(sea.order))
                for k in foes
            }
            sooner = [fires[k] & (rank[k] < rank[j]) for k in foes if k != j]
            return fires[j] & ~np.logical_or.reduce(sooner)

        return guard

    return {j: first(j) for j in foes}


def fires_at(fleet: Fleet, i: int, j: int) -> Rule:
    """The step in which ship i fires its best battery at ship j."""

    def step(sea: Sea, chance: Chance) -> Sea:
        side, guns = best_battery(fleet, sea, i, j)
        return shot_at(fleet, sea, i, j, side, guns, chance)

    return step


def shot_at(
    fleet: Fleet, sea: Sea, i: int, j: int, side: Array, guns: Array, chance: Chance
) -> Sea:
    """The sea after ship i has fired `guns` of its battery `side` at ship j.

    Source: GURPS/Naval Combat, Attacks; Damage.
    """
    own, foe, rules = fleet.ship(i), fleet.ship(j), fleet.rules
    shooter, target = sea.ships[i], sea.ships[j]
    highest = highest_roll(fleet, sea, i, j)
    shot = volley(own, foe, guns, target.dr, chance, rules, highest=highest)
    hit = hole(target, shot, guns, rules)
    lost = target.hull - hit.hull
    hit = crew_damage(hit, foe, shot, lost, rules)
    hit = mast_damage(hit, lost, fleet.captain(j).saves_masts, foe, rules)
    shots = tuple(np.where(side == at, guns, 0) for at in range(len(hexes.BATTERIES)))
    ships = {i: discharged(shooter, shots, rules), j: hit}
    return settled(fleet, with_ships(sea, ships))


def highest_roll(fleet: Fleet, sea: Sea, i: int, j: int) -> Array:
    """The highest roll with which ship i hits ship j; in a boarding no points are lent (GA-35)."""
    skill = to_hit(fleet.ship(i), fleet.ship(j), fleet.rules)
    helped = highest_hit(skill + fleet.lent(i, "gunnery"), fleet.rules)
    return np.where(sea.ships[i].foe == 0, helped, highest_hit(skill, fleet.rules))
