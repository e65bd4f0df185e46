"""A ship on the map: where it lies, how far it may go, and what its hands do.

Each rule is a function of one ship (or of two), on arrays of fights.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from navkit.chance import Array
from navkit.rulebooks.gurps import hexes, tables
from navkit.rulebooks.gurps.damage import ram_points
from navkit.rulebooks.gurps.guns import gun_hands
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.movement import (
    HEX,
    MOST_LEVELS,
    levels_to_dismast,
    mast_levels,
    move_table,
)
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import SUNK, Condition, numbers, whole
from navkit.state import replace

SIDES = tuple(hexes.BATTERIES)


@dataclass(frozen=True, kw_only=True)
class Vessel(Condition):
    """What changes about a ship on the map.

    `lost` is 0 while it is in the fight, else how it was lost (`sides.CAUSES`). `loaded` and
    `fired` are guns by side: those ready, those that fired this turn. `q`, `r` are its back hex,
    `heading` its direction in sixths of a turn. `rest` is movement saved from earlier turns,
    `moved` the hexes of this turn, `run` those of them straight ahead since the last turning.
    `masts` are points of speed lost with the masts, `mast_strain` is damage that counts towards the
    next one where a house rule carries it over; `slow`, `slow_next` are points of Navigation given
    up for them, that count this turn and the next. `die` is its initiative roll, `lot` that of a
    tie. `foe` is 1 + the number of the ship it is boarding or boarded by, 0 for none; `boarder`
    marks who began, `fought` that the blows of this turn have fallen. `held` marks a ship that may
    not move any more this turn, `acted` one that has had its turn.
    """

    lost: Array
    loaded: tuple[Array, ...]
    fired: tuple[Array, ...]
    q: Array
    r: Array
    heading: Array
    rest: Array
    moved: Array
    run: Array
    masts: Array
    mast_strain: Array
    slow: Array
    slow_next: Array
    die: Array
    lot: Array
    foe: Array
    boarder: Array
    fought: Array
    held: Array
    acted: Array


def launched(ship: Ship, q: int, r: int, heading: int, rules: HouseRules) -> Vessel:
    """A ship at the start of a fight: whole, all guns loaded (GA-15)."""
    set_here = {"q", "r", "heading", "loaded", "fired"}
    afloat = {f.name for f in fields(Vessel)} - {f.name for f in fields(Condition)} - set_here
    zero = dict.fromkeys(afloat, 0)
    guns = tuple(numbers(guns=guns)["guns"] for guns in ship.cannons)
    return Vessel(
        **whole(ship, rules),
        **numbers(q=q, r=r, heading=heading, **zero),
        loaded=guns,
        fired=tuple(np.zeros_like(each) for each in guns),
    )


# Place


def place(vessel: Vessel) -> tuple[Array, Array, Array]:
    """Back hex and heading."""
    return vessel.q, vessel.r, vessel.heading


def bow(vessel: Vessel, ahead: int = 1) -> tuple[Array, Array]:
    """The hex `ahead` hexes before the back hex: 1 is the front hex, 2 the next one."""
    step_q, step_r = hexes.STEP_Q[vessel.heading], hexes.STEP_R[vessel.heading]
    return vessel.q + ahead * step_q, vessel.r + ahead * step_r


def covers(vessel: Vessel, q: Array, r: Array) -> Array:
    """Whether a ship lies on a hex; a sunk one lies on none."""
    bow_q, bow_r = bow(vessel)
    here = ((vessel.q == q) & (vessel.r == r)) | ((bow_q == q) & (bow_r == r))
    return here & (vessel.lost != SUNK)


# Movement


def hull_loss(hull: Array, ship: Ship, rules: HouseRules) -> Array:
    """Movement points lost with the hull, at a half, a third and a fifth of it.

    Source: GURPS/Naval Combat, Structural damage.
    """
    down = [np.where(hull * part <= ship.hull, points, 0) for part, points in tables.HULL_LOSSES]
    half, third, fifth = down
    if rules.movement_loss_hp == "add up":
        return half + third + fifth
    return np.maximum(np.maximum(half, third), fifth)


def navigation(vessel: Vessel, ship: Ship, lent: Array | int, rules: HouseRules) -> Array:
    """The navigator's level now: his own, what he is lent, less what he gave up for masts."""
    return ship.officers.level("navigation", rules) + lent - vessel.slow


def movement(vessel: Vessel, ship: Ship, lent: Array | int, rules: HouseRules) -> Array:
    """Movement of a turn in parts of a hex (2520 to one), with Navigation and all losses.

    At skeleton crew it is half; below it or without masts there is none.
    Source: GURPS/Naval Combat, Navigation; Crew; Damage.
    """
    masts = mast_levels(ship.kph, rules)[np.minimum(vessel.masts, MOST_LEVELS)]
    losses = masts + hull_loss(vessel.hull, ship, rules)
    level = navigation(vessel, ship, lent, rules) - losses
    at = np.clip(level, -MOST_LEVELS, MOST_LEVELS) + MOST_LEVELS
    whole_move = move_table(ship.kph, rules)[at]
    half_move = move_table(ship.kph, rules, half=True)[at]
    parts = np.where(vessel.crew == ship.skeleton_crew, half_move, whole_move)
    stands = (losses >= levels_to_dismast(ship.kph, rules)) | (vessel.crew < ship.skeleton_crew)
    return np.where(stands, 0, parts)


def hexes_left(vessel: Vessel, ship: Ship, lent: Array | int, rules: HouseRules) -> Array:
    """Hexes a ship may still move this turn: what it has now, less what it has made (GA-27).

    Fractions add up from turn to turn until they make a hex; whole hexes lapse (GA-02). At
    skeleton crew a ship that fired does not move.
    Source: GURPS/Naval Combat, Move; Vessel Movement; Crew.
    """
    may = (vessel.rest + movement(vessel, ship, lent, rules)) // HEX - vessel.moved
    fired = sum(vessel.fired)
    stays = (vessel.crew == ship.skeleton_crew) & (fired > 0)
    stays = stays | (vessel.foe > 0) | (vessel.held > 0) | (vessel.lost > 0)
    return np.where(stays, 0, np.maximum(may, 0))


def movement_kept(vessel: Vessel, ship: Ship, lent: Array | int, rules: HouseRules) -> Array:
    """Movement saved for the next turn: less than a hex (GA-02), and nothing that has been spent.

    Source: GURPS/Naval Combat, Move.
    """
    left = vessel.rest + movement(vessel, ship, lent, rules) - HEX * vessel.moved
    return np.maximum(left, 0) % HEX


def advanced(vessel: Vessel, turn: Array) -> Vessel:
    """A ship one hex further, then turned by 60° left (1), right (−1) or not (0) on its back hex.

    Source: GURPS/Naval Combat, Vessel Movement.
    """
    q, r = bow(vessel)
    return replace(
        vessel,
        q=q,
        r=r,
        heading=(vessel.heading + turn) % 6,
        moved=vessel.moved + 1,
        run=np.where(turn == 0, vessel.run + 1, 0),
    )


def mast_damage(
    vessel: Vessel, points: Array, saves: bool, ship: Ship, rules: HouseRules
) -> Vessel:
    """Masts after an attack that cost `points` of the hull: a point of Move lost for each full 100.

    With `saves` the navigator gives up points of his own positive level, one for each; that much
    less is his Navigation this turn if the ship has not moved yet, else the next (GA-38 to GA-40).
    Source: GURPS/Naval Combat, Mast damage.
    """
    if rules.damage_scale == "unscaled":
        points = points * ship.scale
    if rules.threshold_carry == "fight":
        points = points + vessel.mast_strain
        vessel = replace(vessel, mast_strain=points % tables.POINTS_PER_MAST)
    lost = points // tables.POINTS_PER_MAST
    if saves and rules.nav_saves_mast == "allowed":
        own = max(0, ship.officers.level("navigation", rules))
        kept = np.minimum(lost, np.maximum(own - vessel.slow - vessel.slow_next, 0))
        lost = lost - kept
        later = (vessel.acted > 0) | (vessel.moved > 0)
        vessel = replace(
            vessel,
            slow=vessel.slow + np.where(later, 0, kept),
            slow_next=vessel.slow_next + np.where(later, kept, 0),
        )
    return replace(vessel, masts=vessel.masts + lost)


# Guns and hands


def crewed(vessel: Vessel, ship: Ship, rules: HouseRules) -> Array:
    """Guns that hands are left for this turn, 2 hands each; a hand does one thing a turn (GA-18).

    Once the blows of a boarding have fallen there are none. At skeleton crew a ship that moved,
    or that began a boarding, does not fire (GA-19, GA-21).
    Source: GURPS/Naval Combat, Reloading; Crew.
    """
    hands = gun_hands(vessel, ship, rules) // tables.HANDS_PER_GUN - sum(vessel.fired)
    busy = (vessel.crew == ship.skeleton_crew) & ((vessel.moved > 0) | (vessel.boarder > 0))
    busy = busy | (vessel.fought > 0) | (vessel.lost > 0)
    return np.where(busy, 0, np.maximum(hands, 0))


def ready_guns(vessel: Vessel, ship: Ship, kept: bool, rules: HouseRules) -> tuple[Array, ...]:
    """By side: guns that can fire now, each once a turn (GA-16).

    With `kept`, or where the hands of a gun reload it before they fire another, hands for
    reloading are kept back first.
    Source: GURPS/Naval Combat, Reloading.
    """
    hands = crewed(vessel, ship, rules)
    if rules.reload == "none":
        return tuple(
            np.minimum(guns - fired, hands)
            for guns, fired in zip(vessel.loaded, vessel.fired, strict=True)
        )
    if kept or rules.crew_for_guns == "gun crews":
        empty = sum(ship.cannons) - sum(vessel.loaded) - sum(vessel.fired)
        hands = np.maximum(hands - empty, 0)
    return tuple(np.minimum(loaded, hands) for loaded in vessel.loaded)


def discharged(vessel: Vessel, guns: tuple[Array, ...], rules: HouseRules) -> Vessel:
    """A ship after it fired `guns` by side: they are empty, and their hands are spent."""
    if rules.reload == "none":
        return replace(vessel, fired=_plus(vessel.fired, guns))
    return replace(
        vessel,
        loaded=tuple(have - gone for have, gone in zip(vessel.loaded, guns, strict=True)),
        fired=_plus(vessel.fired, guns),
    )


def _plus(first: tuple[Array, ...], second: tuple[Array, ...]) -> tuple[Array, ...]:
    return tuple(x + y for x, y in zip(first, second, strict=True))


def reloaded_at_sea(vessel: Vessel, ship: Ship, rules: HouseRules) -> Vessel:
    """Guns at the end of a turn: hands that did not fire or board reload, the emptiest side first.

    A gun is reloaded in the turn after its shot (GA-12), ready when that turn ends (GA-13).
    Source: GURPS/Naval Combat, Reload; Reloading.
    """
    free = gun_hands(vessel, ship, rules) // tables.HANDS_PER_GUN - sum(vessel.fired)
    boards = (vessel.foe > 0) | (vessel.fought > 0)
    free = np.where((vessel.lost > 0) | boards, 0, np.maximum(free, 0))
    none = tuple(np.zeros_like(each) for each in vessel.fired)
    if rules.reload == "none":
        return replace(vessel, fired=none)
    empty = [guns - have for guns, have in zip(ship.cannons, vessel.loaded, strict=True)]
    if rules.reload_starts == "next turn":
        empty = [gone - shot for gone, shot in zip(empty, vessel.fired, strict=True)]
    loaded = list(vessel.loaded)
    for _ in SIDES:
        most = np.argmax(np.stack(np.broadcast_arrays(*empty)), axis=0)
        for side in range(len(SIDES)):
            done = np.where(most == side, np.minimum(empty[side], free), 0)
            loaded[side] = loaded[side] + done
            empty[side] = empty[side] - done
            free = free - done
    return replace(vessel, loaded=tuple(loaded), fired=none)


# Ramming


def ram_damage(
    own: Vessel, foe: Vessel, rammer: Ship, target: Ship, rules: HouseRules
) -> tuple[Array, Array]:
    """Hull points that a ram costs the target, and the rammer, as both lie now.

    The run is that of this turn since the last turning (GA-08). DR is that on the sheet, worn as
    it is now, unless a house rule takes the original one.
    Source: GURPS/Naval Combat, Ramming.
    """
    run = own.run + (1 if rules.ram_run == "entered hex" else 0)
    if rules.ram_dr == "current":
        return ram_points(own.dr, foe.dr, run, rammer, target, rules)
    full = np.full_like(own.dr, rammer.dr), np.full_like(foe.dr, target.dr)
    return ram_points(*full, run, rammer, target, rules)
