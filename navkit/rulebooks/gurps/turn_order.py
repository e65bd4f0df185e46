"""Who acts when: initiative, ties, and what begins and ends a turn on the map."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.damage import rested
from navkit.rulebooks.gurps.fleet import Fleet, Guard, Rule, Sea, with_ships
from navkit.rulebooks.gurps.movement import HEX
from navkit.rulebooks.gurps.vessel import (
    movement,
    movement_kept,
    navigation,
    reloaded_at_sea,
)
from navkit.state import replace

LARGEST_LOT = 6 * 40
"""The highest place that a roll-off gives, with 20 ships a side."""


def initiative(fleet: Fleet, sea: Sea, i: int) -> Array:
    """Initiative of a ship now: its die + Move with Navigation, in parts of a hex.

    Source: GURPS/Naval Combat, Initiative roll.
    """
    moves_now = movement(sea.ships[i], fleet.ship(i), navigation_lent(fleet, sea, i), fleet.rules)
    return sea.ships[i].die * HEX + moves_now


def navigation_lent(fleet: Fleet, sea: Sea, i: int) -> Array:
    """Points of Navigation lent to a ship now: none in a boarding (GA-35)."""
    return np.where(sea.ships[i].foe > 0, 0, fleet.lent(i, "navigation"))


def standing(fleet: Fleet, sea: Sea, i: int) -> Array:
    """A number for the place of a ship in the order of the turn: the highest acts first.

    Higher initiative first, then the higher Navigation of the moment (as capped, lent and given
    up), then the players, then the roll-off (GA-29).
    Source: GURPS/Naval Combat, Initiative roll.
    """
    vessel = sea.ships[i]
    level = navigation(vessel, fleet.ship(i), navigation_lent(fleet, sea, i), fleet.rules)
    digits = (
        (level + 128, 256),
        (int(fleet.sides[i] == fleet.players), 2),
        (vessel.lot, LARGEST_LOT + 1),
    )
    place_ = initiative(fleet, sea, i).astype(np.int64)
    for digit, base in digits:
        place_ = place_ * base + digit
    return place_


def precedes(fleet: Fleet, sea: Sea, i: int, j: int) -> Array:
    """1 where ship i acts before ship j, −1 after it, 0 where only a roll-off can tell.

    Source: GURPS/Naval Combat, Initiative roll.
    """
    return np.sign(standing(fleet, sea, i) - standing(fleet, sea, j))


def is_tied(fleet: Fleet) -> Guard:
    """Whether some ships can't be put in order without a roll-off (GA-29)."""

    def tied(sea: Sea) -> Array:
        places = [standing(fleet, sea, i) for i in range(len(fleet))]
        afloat = [vessel.lost == 0 for vessel in sea.ships]
        pairs = combinations(range(len(fleet)), 2)
        return np.logical_or.reduce(
            [(places[i] == places[j]) & afloat[i] & afloat[j] for i, j in pairs]
        )

    return tied


def roll_initiative(fleet: Fleet) -> Rule:
    """The step in which each ship rolls for initiative, once for the fight."""

    def step(sea: Sea, chance: Chance) -> Sea:
        rolled = {
            i: replace(
                sea.ships[i],
                die=chance.roll(
                    tables.INITIATIVE, why="initiative", rule="G-58", sides=(fleet.sides[i],)
                ),
            )
            for i in range(len(fleet))
        }
        return with_ships(sea, rolled)

    return step


def roll_off(fleet: Fleet) -> Rule:
    """The step that breaks ties of initiative: a die each. Earlier dice come first."""

    def step(sea: Sea, chance: Chance) -> Sea:
        lots = [vessel.lot for vessel in sea.ships]
        drawn = {}
        for i, lot in enumerate(lots):
            die = chance.roll(
                tables.INITIATIVE, why="roll-off", rule="G-61", sides=(fleet.sides[i],)
            )
            beaten = sum((other < lot) * 1 for other in lots)
            drawn[i] = replace(sea.ships[i], lot=6 * beaten + die)
        return with_ships(sea, drawn)

    return step


def begin_turn(fleet: Fleet) -> Rule:
    """The step that begins a turn: movement is counted anew, and the order is set (GA-28)."""

    def step(sea: Sea, chance: Chance) -> Sea:
        none = np.zeros_like(sea.ships[0].moved)
        ships = tuple(
            replace(each, moved=none, run=none, held=none, acted=none, fought=none)
            for each in sea.ships
        )
        sea = replace(sea, ships=ships)
        places = [standing(fleet, sea, i) for i in range(len(fleet))]
        # ships out of the fight may be tied: they stand as they are listed
        before = [
            sum((other > own) * 1 for other in places)
            + sum((other == own) * 1 for other in places[:i])
            for i, own in enumerate(places)
        ]
        order = tuple(
            sum(np.where(rank == at, i, 0) for i, rank in enumerate(before)) + none
            for at in range(len(fleet))
        )
        return replace(sea, order=order)

    return step


def end_turn(fleet: Fleet) -> Rule:
    """The step that ends a turn: guns are ready, surgeons rested, fractions of movement kept."""

    def step(sea: Sea, chance: Chance) -> Sea:
        ships = {}
        for i, vessel in enumerate(sea.ships):
            own, rules = fleet.ship(i), fleet.rules
            rest = movement_kept(vessel, own, navigation_lent(fleet, sea, i), rules)
            vessel = rested(reloaded_at_sea(vessel, own, rules), own, rules)
            ships[i] = replace(
                vessel, rest=rest, slow=vessel.slow_next, slow_next=np.zeros_like(vessel.slow)
            )
        return with_ships(sea, ships)

    return step
