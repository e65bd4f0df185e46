"""A fight on the hex map: who acts when, and what a ship does in its turn.

A turn runs through the ships in initiative order. A ship moves hex by hex, and after each hex
either side may fire, board or ram; what each captain chooses is his doctrine (`captains`). The
rules themselves are functions of ships (`vessel`, `attack`, `damage`, `boarding`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from navkit.battle import Battle, Either, Repeat, Step, play
from navkit.chance import Array, Chance, Sampled, Scripted
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.rulebooks.gurps import hexes, tables
from navkit.rulebooks.gurps.attack import highest_hit, to_hit, volley
from navkit.rulebooks.gurps.boarding import blow, boarding_skill, parted, quick_contest
from navkit.rulebooks.gurps.captains import AHEAD, REFUSED, Captain, captain, worth
from navkit.rulebooks.gurps.damage import casualties, crew_damage, hole, holed, rested
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.movement import HEX
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import CAPTURED, CAUSES, OUT_OF_ACTION, SUNK, known_ship
from navkit.rulebooks.gurps.vessel import (
    Vessel,
    advanced,
    bow,
    covers,
    discharged,
    hexes_left,
    launched,
    mast_damage,
    movement,
    movement_kept,
    navigation,
    place,
    ram_damage,
    ready_guns,
    reloaded_at_sea,
)

FURTHEST = 1000
"""Hexes from the middle of the map that a ship may start at."""
LARGEST_LOT = 6 * 40
"""The highest place that a roll-off gives, with 20 ships a side."""
MOST_ACTIONS = 60
"""Things that may happen in one ship's turn: hexes, shots, boardings."""


@dataclass(frozen=True)
class Placed:
    """A ship on the map: its back hex (q, r), its heading (0 to 5, sixths of a turn), its captain.

    >>> from navkit.rulebooks.gurps import ship
    >>> Placed(ship("Brig"), 0, 0, heading=0).captain.name
    'stand off and fire'
    """

    ship: Ship
    q: int
    r: int
    heading: int = 0
    captain: Captain = field(default_factory=lambda: captain("stand off and fire"))

    def __post_init__(self) -> None:
        known_ship("ship", self.ship)
        whole("range of a ship on the map", self.ship.range, 1, hexes.LONGEST_RANGE)
        whole("q", self.q, -FURTHEST, FURTHEST)
        whole("r", self.r, -FURTHEST, FURTHEST)
        whole("heading", self.heading, 0, 5)
        object.__setattr__(self, "captain", captain(self.captain))


@dataclass(frozen=True)
class Sea:
    """Ships on the map, those of side a first, and the order in which they act this turn."""

    ships: tuple[Vessel, ...]
    order: tuple[Array, ...]


@dataclass(frozen=True)
class Fleet:
    """What doesn't change in a fight on the map: ships, sides, captains, house rules."""

    placed: tuple[Placed, ...]
    sides: tuple[str, ...]
    rules: HouseRules
    players: str | None

    def __len__(self) -> int:
        return len(self.placed)

    def ship(self, i: int) -> Ship:
        """The ship of a number."""
        return self.placed[i].ship

    def captain(self, i: int) -> Captain:
        """Its captain."""
        return self.placed[i].captain

    def enemies(self, i: int) -> list[int]:
        """The numbers of its enemies."""
        return [j for j in range(len(self)) if self.sides[j] != self.sides[i]]

    def lent(self, i: int, post: Literal["gunnery", "navigation"]) -> int:
        """Points that the tactician of a ship lends to a post, outside boarding.

        Only positive points, only to an officer who is there, and with him no more than the
        commander's cap (GA-35 to GA-37).
        Source: GURPS/Naval Combat, Tactician.
        """
        officers = self.ship(i).officers
        if self.captain(i).lend != post or getattr(officers, post) is None:
            return 0
        points = max(0, officers.level("tactics", self.rules))
        if self.rules.tactician_shift == "uncapped" or officers.leadership is None:
            return points
        return max(0, min(points, officers.leadership - officers.level(post, self.rules)))


Rule = Callable[[Sea, Chance], Sea]
Guard = Callable[[Sea], Array]


def with_ships(sea: Sea, ships: dict[int, Vessel]) -> Sea:
    """The sea with the ships of some numbers replaced."""
    return replace(sea, ships=tuple(ships.get(i, each) for i, each in enumerate(sea.ships)))


def seen(sea: Sea, i: int, j: int) -> tuple[Array, ...]:
    """The pose in which ship i sees ship j."""
    return hexes.pose(place(sea.ships[i]), place(sea.ships[j]))


# Order


def initiative(fleet: Fleet, sea: Sea, i: int) -> Array:
    """Initiative of a ship now: its die + Move with Navigation, in parts of a hex.

    Source: GURPS/Naval Combat, Initiative roll.
    """
    moves_now = movement(sea.ships[i], fleet.ship(i), _lent(fleet, sea, i), fleet.rules)
    return sea.ships[i].die * HEX + moves_now


def _lent(fleet: Fleet, sea: Sea, i: int) -> Array:
    """Points of Navigation lent to a ship now: none in a boarding (GA-35)."""
    return np.where(sea.ships[i].foe > 0, 0, fleet.lent(i, "navigation"))


def standing(fleet: Fleet, sea: Sea, i: int) -> Array:
    """A number for the place of a ship in the order of the turn: the highest acts first.

    Higher initiative first, then the higher Navigation of the moment (as capped, lent and given
    up), then the players, then the roll-off (GA-29).
    Source: GURPS/Naval Combat, Initiative roll.
    """
    vessel = sea.ships[i]
    level = navigation(vessel, fleet.ship(i), _lent(fleet, sea, i), fleet.rules)
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
            rest = movement_kept(vessel, own, _lent(fleet, sea, i), rules)
            vessel = rested(reloaded_at_sea(vessel, own, rules), own, rules)
            ships[i] = replace(
                vessel, rest=rest, slow=vessel.slow_next, slow_next=np.zeros_like(vessel.slow)
            )
        return with_ships(sea, ships)

    return step


# Fire


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
        done = _hexes_left(fleet, sea, i) == 0
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


# Move and ram


def _hexes_left(fleet: Fleet, sea: Sea, i: int) -> Array:
    return hexes_left(sea.ships[i], fleet.ship(i), _lent(fleet, sea, i), fleet.rules)


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
    left = np.clip(_hexes_left(fleet, sea, i), 1, AHEAD)
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
    return lambda sea: _hexes_left(fleet, sea, i) > 0


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


# Boarding


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


# What is lost


def settled(fleet: Fleet, sea: Sea) -> Sea:
    """The sea with every ship that is now out of the fight marked so, and its enemy free of it.

    Sunk at hull 0 with all hands (GA-57); captured when boarded and without hands, or when it
    gives up; out of action below its skeleton crew, but not while it is boarded (GA-21).
    Source: GURPS/Naval Combat, Structural damage; Crew; Boarding.
    """
    crews = [vessel.crew for vessel in sea.ships]
    lost = []
    for i, vessel in enumerate(sea.ships):
        foes = sum(np.where(vessel.foe == j + 1, crews[j], 0) for j in range(len(fleet)))
        gone = vessel.crew <= 0
        if fleet.rules.surrender_ratio:
            gone = gone | (foes >= fleet.rules.surrender_ratio * vessel.crew)
        boarded = vessel.foe > 0
        code = np.where(boarded & gone, CAPTURED, 0)
        short = ~boarded & (vessel.crew < max(1, fleet.ship(i).skeleton_crew))
        code = np.where(short, OUT_OF_ACTION, code)
        code = np.where(vessel.hull <= 0, SUNK, code)
        lost.append(np.where(vessel.lost > 0, vessel.lost, code))
    ships = []
    for i, vessel in enumerate(sea.ships):
        rid = sum((vessel.foe == j + 1) & (lost[j] > 0) for j in range(len(fleet))) > 0
        free = rid | (lost[i] > 0)
        ships.append(
            replace(
                vessel,
                lost=lost[i],
                foe=np.where(free, 0, vessel.foe),
                boarder=np.where(free, 0, vessel.boarder),
            )
        )
    return replace(sea, ships=tuple(ships))


# The fight


class Deed(NamedTuple):
    """What may happen in a ship's turn: what `by` does to `to`, and when its captain does it."""

    kind: Literal["fire", "board", "interrupt", "move"]
    by: int
    to: int
    guard: Guard
    rule: Rule


def deeds(fleet: Fleet, i: int) -> list[Deed]:
    """What may happen in the turn of ship i; again and again the first that its captains choose.

    Its own fire comes before that of a ship which interrupts its move.
    Source: GURPS/Naval Combat, Initiative roll; Interrupted attacks; Boarding.
    """
    foes = fleet.enemies(i)
    found = [Deed("fire", i, j, wants_to_fire(fleet, i, j), fires_at(fleet, i, j)) for j in foes]
    found += [Deed("board", i, j, may_board(fleet, i, j), grapples(fleet, i, j)) for j in foes]
    if fleet.rules.interrupt != "never":
        guards = interrupters(fleet, i)
        found += [Deed("interrupt", j, i, guards[j], fires_at(fleet, j, i)) for j in foes]
    return [*found, Deed("move", i, i, may_move(fleet, i), moves(fleet, i))]


class Part(NamedTuple):
    """A part of a turn on the map: what kind it is, and whose, at what place in the order."""

    kind: Literal["roll-off", "begin", "deeds", "boarding", "done", "end"]
    part: Step[Sea] | Repeat[Sea]
    ship: int = -1
    place: int = -1
    foe: int = -1

    def is_active(self, sea: Sea) -> bool:
        """Whether it is the turn of its ship, in the only fight of `sea`."""
        return bool(sea.order[self.place][0] == self.ship and sea.ships[self.ship].lost[0] == 0)


def turn_parts(fleet: Fleet) -> list[Part]:
    """The parts of a turn in order; those of a ship are there once for each place in the order."""

    def at(place_: int, i: int, guard: Guard | None = None) -> Guard:
        def when(sea: Sea) -> Array:
            turn = (sea.order[place_] == i) & (sea.ships[i].lost == 0)
            return turn if guard is None else turn & guard(sea)

        return when

    parts = [
        Part("roll-off", Repeat(Step(roll_off(fleet), is_tied(fleet)), most=20)),
        Part("begin", Step(begin_turn(fleet))),
    ]
    for place_ in range(len(fleet)):
        for i in range(len(fleet)):
            actions = tuple(
                Step(deed.rule, at(place_, i, deed.guard), fleet.sides[deed.by])
                for deed in deeds(fleet, i)
            )
            parts.append(Part("deeds", Repeat(Either(actions), MOST_ACTIONS), i, place_))
            for j in fleet.enemies(i):
                contest = Step(
                    fights_boarding(fleet, i, j), at(place_, i, _strike(i, j)), fleet.sides[i]
                )
                parts.append(Part("boarding", contest, i, place_, j))
            parts.append(Part("done", Step(_marks_acted(i), at(place_, i)), i, place_))
    return [*parts, Part("end", Step(end_turn(fleet)))]


def sea_battle(fleet: Fleet, start: Sea | None = None, done: int = 0) -> Battle[Sea]:
    """The fight on the map as data; see `battle`.

    With `start` it goes on from there, where `done` parts of the turn have been played: the
    others are its opening, whose end is turn 0 of the history.
    """

    def lost(sea: Sea, side: str) -> Array:
        ships = [v for v, of in zip(sea.ships, fleet.sides, strict=True) if of == side]
        codes = np.stack(np.broadcast_arrays(*(vessel.lost for vessel in ships)))
        return np.where((codes > 0).all(axis=0), codes.max(axis=0), 0)

    def total(name: str) -> Callable[[Sea, str], Array]:
        def measure(sea: Sea, side: str) -> Array:
            ships = [v for v, of in zip(sea.ships, fleet.sides, strict=True) if of == side]
            return sum(getattr(vessel, name) for vessel in ships)

        return measure

    def ships_left(sea: Sea, side: str) -> Array:
        ships = [v for v, of in zip(sea.ships, fleet.sides, strict=True) if of == side]
        return sum((vessel.lost == 0) * 1 for vessel in ships)

    names = ("hull", "dr", "crew", "dead", "wounded")
    turn = tuple(each.part for each in turn_parts(fleet))
    return Battle(
        start=at_start(fleet) if start is None else start,
        opening=(Step(roll_initiative(fleet)),) if start is None else turn[done:],
        turn=turn,
        lost=lost,
        causes=CAUSES,
        tracks=(),
        may_stall=False,
        measures={**{name: total(name) for name in names}, "ships": ships_left},
    )


def at_start(fleet: Fleet) -> Sea:
    """The ships where they are placed, before initiative is rolled."""
    return Sea(
        tuple(launched(p.ship, p.q, p.r, p.heading, fleet.rules) for p in fleet.placed),
        tuple(np.array([i], dtype=np.int32) for i in range(len(fleet))),
    )


def _strike(i: int, j: int) -> Guard:
    """Whether the blows of ships i and j fall in the turn of i: it began the boarding, or the other
    did and has had its turn. Once a turn, from that of contact (GA-50)."""

    def guard(sea: Sea) -> Array:
        mine, theirs = sea.ships[i], sea.ships[j]
        due = (mine.boarder > 0) | (theirs.acted > 0)
        return (mine.foe == j + 1) & due & (mine.fought == 0)

    return guard


def _marks_acted(i: int) -> Rule:
    def step(sea: Sea, chance: Chance) -> Sea:
        vessel = sea.ships[i]
        return with_ships(sea, {i: replace(vessel, acted=np.ones_like(vessel.acted))})

    return step


def fleet_of(
    a: Placed | Sequence[Placed],
    b: Placed | Sequence[Placed],
    rules: HouseRules,
    players: str | None = None,
) -> Fleet:
    """The ships of both sides, checked: at least one a side, none on another's hexes."""
    sides = {"a": _listed("a", a), "b": _listed("b", b)}
    if players not in (None, "a", "b"):
        raise InputError("players", players, "None", "a", "b")
    taken: dict[tuple[int, int], str] = {}
    for ships in sides.values():
        for each in ships:
            step = hexes.STEPS[each.heading]
            for hex_ in ((each.q, each.r), (each.q + int(step[0]), each.r + int(step[1]))):
                if hex_ in taken:
                    raise InputError(each.ship.name, hex_, f"a hex free of {taken[hex_]}")
                taken[hex_] = each.ship.name
    placed = (*sides["a"], *sides["b"])
    return Fleet(placed, ("a",) * len(sides["a"]) + ("b",) * len(sides["b"]), rules, players)


def _listed(side: str, placed: Placed | Sequence[Placed]) -> tuple[Placed, ...]:
    ships = (placed,) if isinstance(placed, Placed) else tuple(placed)
    if not 1 <= len(ships) <= 20:
        raise InputError(side, len(ships), "1 to 20 ships")
    for each in ships:
        if not isinstance(each, Placed):
            raise InputError(side, each, "gurps.Placed(ship, q, r, heading)")
    return ships


def battle(
    a: Placed | Sequence[Placed],
    b: Placed | Sequence[Placed],
    *,
    turns: int = 20,
    chance: Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
    players: str | None = None,
) -> History:
    """A fight on the hex map, one ship or several a side, each sailed by its captain.

    A side is lost when all its ships are; the history's tracks are sums over its ships, and
    `ships` is how many are left. `players` names the side that wins ties of initiative.
    `chance=None` samples 20,000 fights.
    Source: GURPS/Naval Combat, Naval Combat Mechanics.

    >>> from navkit.rulebooks.gurps import ship
    >>> h = battle(Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 8, 0, 3), turns=3,
    ...            chance=Sampled(fights=256))
    >>> h.mean("b", "ships").iloc[0]
    np.float64(1.0)
    """
    rules = HouseRules.of(rules)
    fleet = fleet_of(a, b, rules, players)
    return play(sea_battle(fleet), turns, Sampled() if chance is None else chance)
