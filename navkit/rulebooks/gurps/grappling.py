"""Boarding on the map: when two ships may begin one, and a turn of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.gurps import hexes, tables
from navkit.rulebooks.gurps.boarding import blow, boarding_skill, parted, quick_contest
from navkit.rulebooks.gurps.damage import casualties
from navkit.rulebooks.gurps.fleet import Fleet, Guard, Rule, Sea, seen, settled, with_ships
from navkit.state import replace


def may_board(fleet: Fleet, i: int, j: int) -> Guard:
    """Whether ships i and j, alongside or after a ram, begin a boarding: either may (GA-10).

    A crew under skeleton only defends itself (GA-21).
    Source: GURPS/Naval Combat, Boarding; Ramming.
    """

    def guard(sea: Sea) -> Array:
        return can_board(sea, i, j) & (_boards(fleet, sea, i) | _boards(fleet, sea, j))

    return guard


def can_board(sea: Sea, i: int, j: int) -> Array:
    """Whether ships i and j lie alongside or one has rammed, ship i has moved, and both are free.

    It is asked after each hex that is moved, not of ships that lie still: else nobody could ever
    break off.
    """
    view = seen(sea, i, j)
    touch = hexes.is_abreast(view) | (hexes.ship_range(view) == 0)
    free = [(sea.ships[k].foe == 0) & (sea.ships[k].lost == 0) for k in (i, j)]
    return touch & (sea.ships[i].moved > 0) & free[0] & free[1]


def has_boarders(fleet: Fleet, sea: Sea, i: int) -> Array:
    """Whether ship i has hands enough to begin a boarding; at skeleton crew that is its one action
    (GA-21)."""
    vessel, skeleton = sea.ships[i], fleet.ship(i).skeleton_crew
    done = (vessel.crew == skeleton) & ((vessel.moved > 0) | (sum(vessel.fired) > 0))
    return (vessel.crew >= max(1, skeleton)) & ~done


def _boards(fleet: Fleet, sea: Sea, i: int) -> Array:
    return has_boarders(fleet, sea, i) & fleet.captain(i).boards


def grapples(fleet: Fleet, i: int, j: int) -> Rule:
    """The step in which a boarding between ships i and j begins; it ends the move."""

    def step(sea: Sea, chance: Chance) -> Sea:
        return grappled(sea, i, j, np.where(_boards(fleet, sea, i), 1, 0))

    return step


def grappled(sea: Sea, i: int, j: int, starts: Array) -> Sea:
    """The sea with ships i and j in a boarding, begun by i where `starts` is 1, else by j."""
    one, two = sea.ships[i], sea.ships[j]
    return with_ships(
        sea,
        {
            i: replace(one, foe=np.full_like(one.foe, j + 1), boarder=starts),
            j: replace(two, foe=np.full_like(two.foe, i + 1), boarder=1 - starts),
        },
    )


def fights_boarding(
    fleet: Fleet, i: int, j: int, breaks_off: Mapping[int, bool] | None = None
) -> Rule:
    """The step of a boarding turn between ship i, which began it, and ship j.

    A captain breaks off as his doctrine says, a ship in `breaks_off` as it is told. Hands at the
    guns this turn do not board (GA-49). A crew that breaks off rolls at −3; blows fall all the
    same, and ships that part move in the next turn (GA-53, GA-54).
    Source: GURPS/Naval Combat, Boarding.
    """
    told = breaks_off or {}
    rules, ships = fleet.rules, (fleet.ship(i), fleet.ship(j))
    skills = [boarding_skill(ship, rules) for ship in ships]

    def step(sea: Sea, chance: Chance) -> Sea:
        sides = [sea.ships[i], sea.ships[j]]
        hands = [np.maximum(x.crew - tables.HANDS_PER_GUN * sum(x.fired), 0) for x in sides]
        fewer = [hands[0] < hands[1], hands[1] < hands[0]]
        leaving = [
            np.full_like(few, told[k]) if k in told else few & fleet.captain(k).leaves
            for k, few in zip((i, j), fewer, strict=True)
        ]
        rolls = [
            chance.roll(tables.SUCCESS_ROLL, why="boarding", rule="G-110", sides=(fleet.sides[k],))
            for k in (i, j)
        ]
        now = [
            skill + np.where(leaves, tables.DISENGAGING, 0)
            for skill, leaves in zip(skills, leaving, strict=True)
        ]
        bonus = quick_contest(now[0], now[1], rules)(*rolls)
        blows = (
            blow(hands[0], ships[0].weapon, np.maximum(bonus, 0), rules),
            blow(hands[1], ships[1].weapon, np.maximum(-bonus, 0), rules),
        )
        won = (now[0] - rolls[0]) - (now[1] - rolls[1])
        apart = parted((leaving[0], leaving[1]), won, rules)
        after = {}
        for k, side, ship, out in (
            (i, sides[0], ships[0], blows[1]),
            (j, sides[1], ships[1], blows[0]),
        ):
            hurt = casualties(side, ship, out, rules)
            after[k] = replace(
                hurt,
                foe=np.where(apart, 0, hurt.foe),
                boarder=np.where(apart, 0, hurt.boarder),
                fought=np.ones_like(hurt.fought),
                held=np.where(apart, 1, hurt.held),
            )
        return settled(fleet, with_ships(sea, after))

    return step


def blows_fall(i: int, j: int) -> Guard:
    """Whether the blows of ships i and j fall in the turn of i: it began the boarding, or the other
    did and has had its turn. Once a turn, from that of contact (GA-50)."""

    def guard(sea: Sea) -> Array:
        mine, theirs = sea.ships[i], sea.ships[j]
        due = (mine.boarder > 0) | (theirs.acted > 0)
        return (mine.foe == j + 1) & due & (mine.fought == 0)

    return guard
