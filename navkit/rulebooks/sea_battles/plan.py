"""Ships on the plan of a battle: steering by doctrine, orders and blunders, contact, and sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from navkit.battle import Either, Repeat, Step
from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles import armies, tables
from navkit.rulebooks.sea_battles.captain import leadership
from navkit.rulebooks.sea_battles.doctrines import Doctrine
from navkit.rulebooks.sea_battles.fleets import (
    MM,
    Fight,
    Place,
    Ships,
    placed,
    pose_of,
    with_station,
    with_vessel,
)
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.movement import (
    Pose,
    ahead,
    bearing,
    centre_distance,
    drift,
    facing,
    hull_distance,
    relative,
    sail_run,
    turned,
    wrong_turn,
)
from navkit.rulebooks.sea_battles.orders import Weather, blunders, may_be_ordered, ordered
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.vessel import afloat, chosen
from navkit.rulebooks.sea_battles.weapons import scaled
from navkit.state import replace

WRONG = 2
"""What is pending after the blunder Wrong turn: to which side."""
FAR = 1e9
FRIENDS = 100
"""What is added to the place of a ship of one's own side that is rammed."""
AHEAD_ONLY = 1.0
"""Degrees within which a ship is steered straight on."""
Choose = Callable[[Fight], Array]


@dataclass(frozen=True)
class Waters:
    """Where wind and current go, in degrees; None: there is none."""

    wind: float | None = None
    current: float | None = None


@dataclass(frozen=True)
class Helmsman:
    """One ship as she is handled in a battle, and the ships she meets.

    `friends` is for a ship in the grip of Animosity, whose `enemies` are her own side's.
    """

    place: Place
    enemies: tuple[Place, ...]
    admiral: Place | None
    ships: Ships
    doctrine: Doctrine
    waters: Waters
    rules: HouseRules
    friends: bool = False

    @property
    def ship(self) -> Ship:
        """The ship."""
        return self.ships[self.place.side][self.place.number]

    @property
    def sailing(self) -> bool:
        """Whether she moves by sails: one kind for all moves of a phase.

        Source: Sea Battles, Propulsion.
        """
        if self.ship.has_sails and self.ship.has_oars:
            return self.doctrine.gear == "sails"
        return self.ship.has_sails

    # What she sees

    def distances(self, fight: Fight, at: Pose) -> list[Array]:
        """Centimetres to each enemy from a position; far for those who are gone."""
        found = []
        for enemy in self.enemies:
            size = self.ships[enemy.side][enemy.number].size
            there = afloat(enemy.vessel(fight))
            gap = hull_distance(at, self.ship.size, pose_of(enemy.station(fight)), size, self.rules)
            found.append(np.where(there, gap, FAR))
        return found

    def nearest(self, fight: Fight) -> tuple[Array, Array]:
        """The place among the enemies of the nearest one, and the centimetres to her."""
        gaps = self.distances(fight, pose_of(self.place.station(fight)))
        which, nearest = np.zeros(np.shape(gaps[0]), dtype=np.int32), gaps[0]
        for number, gap in enumerate(gaps[1:], start=1):
            which = np.where(gap < nearest, number, which)
            nearest = np.minimum(gap, nearest)
        return which, nearest

    def pose_of_enemy(self, fight: Fight, which: Array) -> Pose:
        """Where an enemy is."""
        poses = [pose_of(enemy.station(fight)) for enemy in self.enemies]
        return Pose(
            chosen([each.x for each in poses], which),
            chosen([each.y for each in poses], which),
            chosen([each.heading for each in poses], which),
        )

    def wants_to_move(self, fight: Fight) -> Array:
        """Whether her doctrine asks for an order: an enemy is there and not near enough."""
        _, gap = self.nearest(fight)
        station = self.place.station(fight)
        keep = np.where(self.rams(fight), 0, self.doctrine.keep)
        wanted = (gap > keep) & (gap < FAR) & (station.rams == 0)
        return wanted & ((self.doctrine.handling != "hold") | self.must_ram(fight))

    def rams(self, fight: Fight) -> Array:
        """Whether she is steered into contact: by her doctrine, or since she must be."""
        by_doctrine = np.full_like(self.place.station(fight).rams, False, dtype=bool)
        return by_doctrine | self.doctrine.handling.startswith("ram") | self.must_ram(fight)

    def must_ram(self, fight: Fight) -> Array:
        """Whether a frenzied captain has an enemy within one move: then he rams, and boards.

        Source: Sea Battles, Ramming; Combat.
        """
        commander, captain = self.ship.commander, self.place.vessel(fight).captain
        if commander is None or not commander.profile.has("frenzy"):
            return np.zeros_like(captain, dtype=bool)
        _, gap = self.nearest(fight)
        return (gap <= scaled(tables.FULL, self.rules)) & (captain > 0)

    # Where a move takes her

    def steered(self, fight: Fight, run: float) -> tuple[Pose, Array, Array]:
        """Where a move of up to `run` centimetres takes her; how far she went, and whether into
        contact with the enemy she steers for.

        By oars she turns first, up to 90° (180° at half speed); under sail after the run that is
        needed. She stops in contact, or where her doctrine has her lie.
        Source: Sea Battles, Blunders (moves).
        """
        which, _ = self.nearest(fight)
        goal = self.pose_of_enemy(fight, which)
        start = pose_of(self.place.station(fight))
        half = run <= scaled(tables.HALF, self.rules)
        most = 180.0 if half and not self.sailing else 90.0
        seen = relative(bearing(start, goal), start.heading)
        degrees = np.where(np.abs(seen) < AHEAD_ONLY, 0.0, np.clip(np.rint(seen), -most, most))
        speed = tables.HALF if half else tables.FULL
        before = sail_run(speed, 0.0, self.rules) if self.sailing else 0.0
        rams = self.rams(fight)
        stop = np.where(rams, 0.0, float(self.doctrine.keep))
        at, gone = start, np.zeros_like(start.x)
        going = np.ones(start.x.shape, dtype=bool)
        for step in range(int(run)):
            turn = np.where(step == int(before), degrees, 0.0)
            after = ahead(turned(at, turn), 1.0)
            gap = self._gap(after, goal, which)
            at = Pose(*(np.where(going, new, old) for new, old in _pairs(after, at)))
            gone = gone + np.where(going, 1.0, 0.0)
            going = going & (gap > stop)
        return at, gone, ~going & rams

    def _gap(self, at: Pose, goal: Pose, which: Array) -> Array:
        """Centimetres to the ship steered for, whose Size differs from fight to fight."""
        sizes = [self.ships[enemy.side][enemy.number].size for enemy in self.enemies]
        theirs = np.array(sizes)[which]
        found = np.full(np.shape(at.x), FAR)
        for size in sorted(set(sizes)):
            gap = hull_distance(at, self.ship.size, goal, size, self.rules)
            found = np.where(theirs == size, gap, found)
        return found

    def speed(self, fight: Fight) -> Array:
        """Whether she keeps to half speed this turn.

        Source: Sea Battles, Extra damage; Command tests.
        """
        half = self.place.vessel(fight).half > 0
        return half | (self.rules.normal_speed == "half")

    def moves(self, fight: Fight, passes: Array, half: Array, *, free: bool = False) -> Fight:
        """The fight after she has moved where `passes`: an order obeyed, unless it was `free`."""
        full_run, half_run = (int(scaled(each, self.rules)) for each in (tables.FULL, tables.HALF))
        at, gone, touches = self._either_speed(fight, half, full_run, half_run)
        station, vessel = self.place.station(fight), self.place.vessel(fight)
        which, _ = self.nearest(fight)
        goal = self.pose_of_enemy(fight, which)
        number = np.array([enemy.number for enemy in self.enemies], dtype=np.int32)[which]
        rams = passes & touches
        now = placed(at)
        moved = replace(
            station,
            **{
                name: np.where(passes, value, getattr(station, name)) for name, value in now.items()
            },
            run=station.run + np.where(passes, np.rint(gone * MM).astype(np.int32), 0),
            rams=np.where(rams, number + 1 + FRIENDS * self.friends, station.rams),
            boards=np.where(rams & self._boards(fight), number + 1, station.boards),
            facing=np.where(rams, facing(goal, at, self.rules), station.facing),
        )
        by_moves = self.rules.order_count == "moves"
        counts = passes & (gone > 0) if by_moves else passes & (not free)
        ends = rams & (self.rules.after_ram == "ends movement")
        vessel = replace(
            vessel,
            passed=vessel.passed + np.where(counts, 1, 0),
            ordering=np.where(ends, 0, vessel.ordering),
        )
        after = with_station(fight, self.place, moved)
        return with_vessel(after, self.place, vessel, self.ships)

    def _boards(self, fight: Fight) -> Array:
        """Whether she boards whom she rams: as her player likes; the frenzied must (SA-37)."""
        return self.must_ram(fight) | (self.doctrine.handling == "ram and board")

    def _either_speed(
        self, fight: Fight, half: Array, full_run: int, half_run: int
    ) -> tuple[Pose, Array, Array]:
        fast, slow = self.steered(fight, full_run), self.steered(fight, half_run)
        pose = Pose(*(np.where(half, s, f) for f, s in _pairs(fast[0], slow[0])))
        return pose, np.where(half, slow[1], fast[1]), np.where(half, slow[2], fast[2])

    # Orders

    def command(self, fight: Fight) -> Array:
        """What she tests on: her captain's Leadership, or the Admiral's where he is near."""
        vessel = self.place.vessel(fight)
        if self.admiral is None or self.admiral == self.place:
            return leadership(vessel, None, None, self.rules)
        return leadership(vessel, self.admiral.vessel(fight), self.near(fight), self.rules)

    def near(self, fight: Fight) -> Array:
        """Whether the Flagship is within 6 cm.

        Source: Sea Battles, Leadership.
        """
        assert self.admiral is not None
        own, lead = pose_of(self.place.station(fight)), pose_of(self.admiral.station(fight))
        size = self.ships[self.admiral.side][self.admiral.number].size
        gap = hull_distance(own, self.ship.size, lead, size, self.rules)
        if self.rules.admiral_distance == "centres":
            gap = centre_distance(own, lead)
        return gap <= self.rules.admiral_reach

    def weather(self, fight: Fight) -> Weather:
        """Wind and current as she begins a move."""
        heading = pose_of(self.place.station(fight)).heading
        wind = drift(heading, self.waters.wind, self.rules)
        current = drift(heading, self.waters.current, self.rules)
        return Weather(wind, current, self.sailing)

    def order_part(self) -> Repeat[Fight]:
        """The part of a turn in which she is ordered until a test fails.

        Source: Sea Battles, Command tests; Blunders.
        """

        def may(fight: Fight) -> Array:
            able = may_be_ordered(self.place.vessel(fight), self.ship, self.rules)
            return able & self._obeys(fight) & self.wants_to_move(fight)

        def order(fight: Fight, chance: Chance) -> Fight:
            half = self.speed(fight)
            vessel, passes = ordered(
                self.place.vessel(fight),
                self.ship,
                self.command(fight),
                self.weather(fight),
                chance,
                self.rules,
            )
            return self.moves(with_vessel(fight, self.place, vessel, self.ships), passes, half)

        def pending(number: int) -> Choose:
            return lambda fight: self.place.vessel(fight).pending == number

        def blunder(fight: Fight, chance: Chance) -> Fight:
            vessel, turns = blunders(self.place.vessel(fight), self.ship, chance, self.rules)
            vessel = replace(vessel, pending=np.where(turns, WRONG, 0))
            return with_vessel(fight, self.place, vessel, self.ships)

        def wrong(fight: Fight, chance: Chance) -> Fight:
            port = chance.check("d2", 1, why="port or starboard", rule="S-68")
            at = self.place.station(fight)
            now = placed(wrong_turn(pose_of(at), port))
            vessel = self.place.vessel(fight)
            clear = replace(vessel, pending=np.zeros_like(vessel.pending))
            after = with_station(fight, self.place, replace(at, **now))
            return with_vessel(after, self.place, clear, self.ships)

        side = self.place.side
        steps = (
            Step(blunder, pending(1), side=side),
            Step(wrong, pending(WRONG), side=side),
            Step(order, may, side=side),
        )
        return Repeat(Either(steps), most=60)

    def _obeys(self, fight: Fight) -> Array:
        """Whether Animosity leaves her to her captain; an angry ship's own orders are others."""
        mood = self.place.station(fight).mood
        if self.friends:
            return mood == armies.GET_EM
        return (mood == armies.CALM) | (mood == armies.SHOW_EM)

    def begin_part(self) -> Step[Fight]:
        """The part that begins her Movement phase: she may be ordered."""

        def run(fight: Fight, chance: Chance) -> Fight:
            vessel, at = self.place.vessel(fight), self.place.station(fight)
            none = np.zeros_like(at.run)
            ready = replace(vessel, ordering=none + 1, passed=none)
            still = replace(at, run=none, rams=none, boards=none, target=none)
            fight = with_station(fight, self.place, still)
            return with_vessel(fight, self.place, ready, self.ships)

        return Step(run, lambda fight: afloat(self.place.vessel(fight)), side=self.place.side)

    def movement_parts(self) -> list[Any]:
        """The parts of her Movement phase; undead ships move without a test.

        Source: Sea Battles, Command tests; Army specific rules.
        """
        automatic = armies.moves_without_test(self.ship)
        if not automatic:
            return [self.begin_part(), self.order_part()]

        def may(fight: Fight) -> Array:
            vessel = self.place.vessel(fight)
            able = afloat(vessel) & (vessel.idle == 0) & (vessel.passed == 0)
            return able & self.wants_to_move(fight)

        def move(fight: Fight, chance: Chance) -> Fight:
            everywhere = np.ones_like(self.place.vessel(fight).gone, dtype=bool)
            near = everywhere
            if self.admiral is not None and self.admiral != self.place:
                near = self.near(fight) & afloat(self.admiral.vessel(fight))
            half = self.speed(fight) | ~armies.full_speed(self.ship, near)
            return self.moves(fight, everywhere, half)

        return [self.begin_part(), Step(move, may, side=self.place.side)]

    def sight_part(self) -> Step[Fight]:
        """The part that begins her Shooting phase: she aims at the nearest enemy.

        Source: Sea Battles, Shooting.
        """

        def run(fight: Fight, chance: Chance) -> Fight:
            which, gap = self.nearest(fight)
            at = self.place.station(fight)
            goal = self.pose_of_enemy(fight, which)
            there = gap < FAR
            aimed = replace(
                at,
                target=np.where(there & (at.mood != armies.SQUABBLE), which + 1, 0),
                distance=np.where(there, np.rint(gap * MM), 0).astype(np.int32),
                facing=facing(goal, pose_of(at), self.rules).astype(np.int32),
            )
            return with_station(fight, self.place, aimed)

        return Step(run, lambda fight: afloat(self.place.vessel(fight)), side=self.place.side)

    def rest_part(self) -> Step[Fight]:
        """The part that ends her turn: nothing of it is kept but where she is."""

        def run(fight: Fight, chance: Chance) -> Fight:
            at = self.place.station(fight)
            none = np.zeros_like(at.run)
            names = ("run", "rams", "boards", "target", "distance", "facing", "mood")
            rest = replace(at, **dict.fromkeys(names, none))
            return with_station(fight, self.place, rest)

        return Step(run)


def _pairs(one: Pose, two: Pose) -> Sequence[tuple[Array, Array]]:
    return ((one.x, two.x), (one.y, two.y), (one.heading, two.heading))
