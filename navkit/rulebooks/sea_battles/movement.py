"""Where ships are: positions in centimetres, arcs, wind and current, moves and turns.

Positions are arrays (a place a fight): `x` and `y` in centimetres, `heading` in degrees from the
x axis, counted anticlockwise. A hull is taken for her keel line with half the beam about it; the
document gives no beam, so it is a quarter of the length here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from navkit.chance import Array, Chance
from navkit.dice import Distribution, dice
from navkit.errors import InputError, number
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import length_of
from navkit.rulebooks.sea_battles.weapons import scaled

Gear = Literal["sails", "oars"]
ANY_WAY = dice("d360")
BEAM = 0.25
"""Beam of a ship by her length (ours)."""
QUARTER = 45.0
"""Half the angle of the front arc, and of the rear arc (SA-11)."""


@dataclass(frozen=True)
class Pose:
    """Where a ship's centre is, and where her bow points."""

    x: Array
    y: Array
    heading: Array


def pose(x: float, y: float, heading: float) -> Pose:
    """A position for a single fight.

    >>> pose(0, 0, 90).heading.tolist()
    [90.0]
    """
    return Pose(*(np.array([float(value)]) for value in (x, y, heading)))


# Directions


def relative(bearing: Array | float, heading: Array | float) -> Array:
    """A bearing as seen from the bow, from −180 to under 180 degrees."""
    return (np.asarray(bearing) - heading + 180.0) % 360.0 - 180.0


def arc(seen: Array | float, rules: HouseRules) -> Array:
    """The facing (0 front, 1 side, 2 rear) of a bearing as seen from the bow.

    Quarters of 90° from the centre; a bearing just on a diagonal is side (SA-11).
    Source: Sea Battles, Ships taking damage; Command tests.

    >>> [int(arc(angle, HouseRules())) for angle in (0, 44, 45, -135, 136, 180)]
    [0, 0, 1, 1, 2, 2]
    """
    half = QUARTER if rules.arcs == "quarters" else float(np.degrees(np.arctan(BEAM)))
    off = np.abs(np.asarray(seen, dtype=np.float64))
    return np.where(
        off < half, tables.FRONT, np.where(off > 180.0 - half, tables.REAR, tables.SIDE)
    )


def bearing(from_: Pose, to: Pose) -> Array:
    """The direction from one ship's centre to another's, in degrees."""
    return np.degrees(np.arctan2(to.y - from_.y, to.x - from_.x))


def facing(target: Pose, attacker: Pose, rules: HouseRules) -> Array:
    """Which facing of the target an attack comes from.

    Source: Sea Battles, Ships taking damage.
    """
    return arc(relative(bearing(target, attacker), target.heading), rules)


def drift(heading: Array | float, blows_to: float | None, rules: HouseRules) -> Array:
    """What wind or current does to a test as the move begins: 1 from astern, −1 from ahead.

    `blows_to` is where it goes, in degrees; None: there is none.
    Source: Sea Battles, Command tests.

    >>> int(drift(0.0, 0.0, HouseRules())), int(drift(0.0, 180.0, HouseRules()))
    (1, -1)
    """
    if blows_to is None:
        return np.zeros(np.shape(heading), dtype=np.int64)
    comes_from = arc(relative(blows_to + 180.0, heading), rules)
    return np.where(comes_from == tables.FRONT, -1, np.where(comes_from == tables.REAR, 1, 0))


def wind_direction(agreed: float | None, chance: Chance) -> Array:
    """Where the wind blows to, in degrees: as agreed, or any way by the scatter die's arrow.

    It is found once, and no rule changes it later: `plan.Waters` keeps it for the battle.
    Source: Sea Battles, Wind.
    """
    if agreed is not None:
        return np.array([number("wind", agreed, -360, 360)])
    return chance.roll(ANY_WAY, why="wind", rule="S-10").astype(np.float64)


def current_direction(
    water: str, agreed: float | None, chance: Chance, *, seaward: float = 0.0
) -> Array | None:
    """Where the current goes, in degrees; None on the open sea, where it isn't worth noting.

    A river "mouth" runs `seaward`; another "river" as agreed, or any way.
    Source: Sea Battles, Current.
    """
    if water not in ("open sea", "mouth", "river"):
        raise InputError("water", water, "open sea", "mouth", "river")
    if water == "open sea" and agreed is None:
        return None
    if water == "mouth":
        return np.array([seaward])
    if agreed is not None:
        return np.array([number("current", agreed, -360, 360)])
    return chance.roll(ANY_WAY, why="current", rule="S-15").astype(np.float64)


def wind_odds(rules: HouseRules | None = None) -> Distribution:
    """What a random wind does to a ship: −1 from ahead, 1 from astern, 0 from the side.

    The scatter die's arrow may point anywhere, and is fixed for the battle (SA-05).
    Source: Sea Battles, Wind.

    >>> wind_odds().equal(-1, exact=True)
    Fraction(1, 4)
    """
    found = drift(np.arange(360) + 0.5, 180.0, HouseRules.of(rules))
    values, ways = np.unique(found, return_counts=True)
    return Distribution.of(dict(zip(values.tolist(), ways.tolist(), strict=True)))


# Distances


def hull_distance(one: Pose, size_one: int, two: Pose, size_two: int, rules: HouseRules) -> Array:
    """Centimetres between the nearest points of two hulls; 0 in contact.

    Source: Sea Battles, Leadership; Shooting.
    """
    a, b = _keel(one, size_one, rules), _keel(two, size_two, rules)
    ends = [_to_keel(point, b) for point in a] + [_to_keel(point, a) for point in b]
    nearest = np.minimum.reduce(np.broadcast_arrays(*ends))
    nearest = np.where(_cross(a, b), 0.0, nearest)
    beams = (length_of(size_one, rules) + length_of(size_two, rules)) * BEAM / 2
    return np.maximum(nearest - beams, 0.0)


def centre_distance(one: Pose, two: Pose) -> Array:
    """Centimetres between the centres of two ships."""
    return np.hypot(one.x - two.x, one.y - two.y)


Point = tuple[Array, Array]


def _keel(at: Pose, size: int, rules: HouseRules) -> tuple[Point, Point]:
    half = length_of(size, rules) * (1 - BEAM) / 2
    dx = half * np.cos(np.radians(at.heading))
    dy = half * np.sin(np.radians(at.heading))
    return (at.x - dx, at.y - dy), (at.x + dx, at.y + dy)


def _to_keel(point: Point, keel: tuple[Point, Point]) -> Array:
    (x, y), ((x1, y1), (x2, y2)) = point, keel
    dx, dy = x2 - x1, y2 - y1
    along = np.clip(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
    return np.hypot(x - x1 - along * dx, y - y1 - along * dy)


def _cross(a: tuple[Point, Point], b: tuple[Point, Point]) -> Array:
    def side(p: Point, q: Point, r: Point) -> Array:
        return np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    (a1, a2), (b1, b2) = a, b
    apart = side(b1, b2, a1) * side(b1, b2, a2)
    return (apart < 0) & (side(a1, a2, b1) * side(a1, a2, b2) < 0)


# Moves


@dataclass(frozen=True)
class Turn:
    """A turn in a move: after how many centimetres, and by how many degrees (left above 0)."""

    after: float
    degrees: float


@dataclass(frozen=True)
class Move:
    """One move: how far, with which turns on the way.

    Raises InputError for a move that the rules forbid: see `legal_turns`.
    Source: Sea Battles, Blunders (moves).

    >>> Move("oars", 10, (Turn(0, 90), Turn(0, 90))).speed
    10
    """

    gear: Gear
    run: float
    turns: tuple[Turn, ...] = ()
    before: float = 0.0
    rules: HouseRules = field(default_factory=HouseRules)

    def __post_init__(self) -> None:
        if self.gear not in ("sails", "oars"):
            raise InputError("gear", self.gear, "sails", "oars")
        number("run", self.run, 0, scaled(tables.FULL, self.rules))
        number("before", self.before, 0, 1e6)
        legal_turns(self)

    @property
    def speed(self) -> int:
        """The speed of the move: 10 (half) if it goes no further, else 20 (full)."""
        return tables.HALF if self.run <= scaled(tables.HALF, self.rules) else tables.FULL


def legal_turns(move: Move) -> None:
    """Raises InputError for turns that a ship cannot make.

    Oars: one turn of up to 90° anywhere in the move; at half speed or less a second one, and both
    may be joined to 180°. Sails: one turn of up to 90°, after at least 10 cm at full speed and
    5 cm at half. `before` is what she has run straight earlier in the phase, which counts only by
    the house rule `sail_run` (SA-23).
    Source: Sea Battles, Blunders (moves).
    """
    most = 2 if move.gear == "oars" and move.speed == tables.HALF else 1
    if len(move.turns) > most:
        raise InputError("turns", len(move.turns), f"at most {most} at this speed by {move.gear}")
    for turn in move.turns:
        number("degrees of a turn", turn.degrees, -90, 90)
        number("where she turns", turn.after, 0, move.run)
        if move.gear == "sails":
            needed = sail_run(move.speed, move.before, move.rules)
            number("where she turns under sail", turn.after, needed, move.run)


def sail_run(speed: int, before: float, rules: HouseRules) -> float:
    """Centimetres to run under sail before the turn of a move.

    Source: Sea Battles, Blunders (moves).

    >>> sail_run(20, 0, HouseRules()), sail_run(10, 0, HouseRules())
    (10.0, 5.0)
    """
    needed = scaled(tables.SAIL_RUN[speed], rules)
    return needed if rules.sail_run == "each move" else max(0.0, needed - before)


def moved(at: Pose, move: Move) -> Pose:
    """Where a ship is after a move: straight ahead but for her turns, pivoting at her centre.

    >>> after = moved(pose(0, 0, 0), Move("sails", 20, (Turn(10, 90),)))
    >>> after.x.round(6).tolist(), after.y.round(6).tolist(), after.heading.tolist()
    ([10.0], [10.0], [90.0])
    """
    done = 0.0
    for turn in sorted(move.turns, key=lambda each: each.after):
        at = turned(ahead(at, turn.after - done), turn.degrees)
        done = turn.after
    return ahead(at, move.run - done)


def ahead(at: Pose, run: Array | float) -> Pose:
    """Where a ship is after `run` centimetres straight ahead (astern below 0)."""
    angle = np.radians(at.heading)
    return Pose(at.x + run * np.cos(angle), at.y + run * np.sin(angle), at.heading)


def turned(at: Pose, degrees: Array | float) -> Pose:
    """A ship after a turn on the spot."""
    return Pose(at.x, at.y, (at.heading + degrees) % 360.0)


def wrong_turn(at: Pose, port: Array | bool) -> Pose:
    """A ship after the blunder Wrong turn: 90° to port or starboard.

    Source: Sea Battles, Blunders.
    """
    return turned(at, np.where(port, 90.0, -90.0))


def parted(at: Pose, from_: Pose, rules: HouseRules) -> Pose:
    """A ship that breaks off a boarding: 1 cm away from the other one (SA-53).

    Source: Sea Battles, Combat results.
    """
    away = np.radians(bearing(from_, at))
    gap = scaled(1.0, rules)
    return Pose(at.x + gap * np.cos(away), at.y + gap * np.sin(away), at.heading)
