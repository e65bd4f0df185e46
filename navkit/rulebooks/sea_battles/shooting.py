"""Shooting from ships: who may fire, what must be rolled, and machines whose range is guessed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np

from navkit.chance import Array
from navkit.errors import InputError, whole
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.vessel import DESTROYED, READY, Vessel, models
from navkit.rulebooks.sea_battles.weapons import Weapon

MISS, TOUCH, CENTRE, MISFIRED = 0, 1, 2, 3
"""Where a shot whose range is guessed lands."""
TEMPLATE_RADIUS = {"small": 1.5, "flame": 1.5, "large": 2.5, "": 0.0}
"""Inches around the middle of a template (parent game)."""
HIT_FACES = 2
"""Faces of a scatter die that show HIT; the other four show arrows."""


def places(ship: Ship) -> int:
    """How many models may fire from a ship: 5 a Size. Source: Sea Battles, Shooting.

    >>> from navkit.rulebooks.sea_battles import ship
    >>> places(ship("Hammer"))
    20
    """
    return tables.SHOOTERS_PER_SIZE * ship.size


@dataclass(frozen=True)
class Firing:
    """Who fires this turn: which machines (a bool each), and how many models of each unit."""

    machines: tuple[Array, ...]
    models: tuple[Array, ...]


def firing(vessel: Vessel, ship: Ship, moved: Array | bool, rules: HouseRules) -> Firing:
    """Who may fire: machines first, which count as 5 models each, then units in their order.

    Models on a ship that moved count as standing still (SA-35) unless the house rule says
    otherwise; then weapons that must stand do not fire.
    Source: Sea Battles, Shooting.
    """
    left = np.full_like(vessel.gone, places(ship))
    rocks = np.asarray(moved) & (rules.deck_moved == "moved")
    machines, shooters = [], []
    for out, weapon in zip(vessel.machines, ship.machines, strict=True):
        fires = (out == READY) & (left >= tables.MACHINE_SHOOTERS) & ~(rocks & weapon.must_stand)
        left = left - np.where(fires, tables.MACHINE_SHOOTERS, 0)
        machines.append(fires)
    for wounds, unit in zip(vessel.troops, ship.troops, strict=True):
        weapon_of = unit.profile.shoots
        alive = models(wounds, unit.profile.wounds)
        able = np.minimum(alive, left) if weapon_of is not None else np.zeros_like(left)
        if weapon_of is not None and weapon_of.must_stand:
            able = np.where(rocks, 0, able)
        left = left - able
        shooters.append(able)
    return Firing(tuple(machines), tuple(shooters))


def shot_modifier(
    weapon: Weapon,
    distance: Array | float,
    rules: HouseRules,
    *,
    large: bool = True,
    moved: Array | bool = False,
    charged: bool = False,
    single: bool = False,
    cover: int = 0,
) -> Array:
    """What is added to a roll to hit: +1 a large target such as every ship; −1 beyond half range.

    −1 too for shooters who moved (by the house rule `deck_moved`), for standing and shooting at a
    charge, and at a single character or skirmishers; −1 soft and −2 hard cover.
    Source: Sea Battles, Shooting; the parent game's shooting.
    """
    far = np.asarray(distance) > weapon.reach(rules) / 2
    rocked = np.asarray(moved) & (rules.deck_moved == "moved")
    fixed = (
        large * tables.LARGE_TARGET
        - charged * tables.CHARGED_AT
        - single * tables.SMALL_TARGET
        - cover
    )
    return fixed - np.where(far, tables.LONG_RANGE, 0) - np.where(rocked, tables.MOVED, 0)


def to_hit(
    weapon: Weapon,
    ballistic_skill: int,
    distance: Array | float,
    rules: HouseRules,
    *,
    large: bool = True,
    moved: Array | bool = False,
    charged: bool = False,
    single: bool = False,
    cover: int = 0,
) -> Array:
    """What the shooting die must show; 10, which it never does, beyond the range.

    Range is taken between the nearest points of the hulls, and nothing hides a ship (SA-59).
    Source: Sea Battles, Shooting; Scale.

    >>> from navkit.rulebooks.sea_battles import weapon
    >>> [int(to_hit(weapon("bow"), 3, cm, HouseRules())) for cm in (6, 7, 12, 12.5)]
    [3, 4, 4, 10]
    """
    modifier = shot_modifier(
        weapon,
        distance,
        rules,
        large=large,
        moved=moved,
        charged=charged,
        single=single,
        cover=cover,
    )
    need = tables.to_shoot(whole("ballistic skill", ballistic_skill, 0, 10), modifier)
    out = np.asarray(distance) > weapon.reach(rules)
    none = tables.IMPOSSIBLE
    return np.where(out | (ballistic_skill == 0), none, need)


def shots_of(weapon: Weapon, models_firing: Array) -> Array:
    """How many shots so many models fire."""
    return models_firing * weapon.shots


# Range that is guessed


def depth(size: int, facing: Array | int) -> Array:
    """Inches (parent game) of hull along the line of fire: the beam from the side, else length.

    At this scale a centimetre is two inches. A ship is a quarter as broad as long (ours).
    """
    length = 2 * tables.CM_PER_SIZE * size
    return np.where(np.asarray(facing) == tables.SIDE, length // 4, length)


def flight(first: Array, bounce: Array, short: Array | int, deep: Array | int) -> Array:
    """What becomes of a cannon ball that is aimed `short` inches before a hull `deep` inches deep.

    It lands as far beyond the aim as the first artillery die shows and bounces as far as the
    second; a misfire of that one is no bounce. It hits what it lands on or bounces through.
    Source: the parent game's cannon.
    """
    inches = np.array([*tables.ARTILLERY, 0])
    lands = inches[first - 1] - short
    reaches = lands + inches[bounce - 1]
    hits = (lands <= deep) & (reaches >= 0)
    return np.where(first == tables.MISFIRE, MISFIRED, np.where(hits, CENTRE, MISS))


@lru_cache(maxsize=256)
def best_aim(deep: int) -> int:
    """Inches before a hull so deep at which a cannon is best aimed, knowing the distance.

    >>> best_aim(4), best_aim(16)
    (6, 0)
    """

    def hits(short: int) -> int:
        pairs = np.array(list(product(range(1, 7), repeat=2))).T
        return int((flight(pairs[0], pairs[1], short, deep) == CENTRE).sum())

    return max(range(0, 11, 2), key=lambda short: (hits(short), -short))


def scatter(
    scatter_die: Array, artillery: Array, degrees: Array, size: int, radius: float
) -> Array:
    """Where a stone aimed at the middle of a ship lands.

    HIT on the scatter die: where it is aimed. Else it goes astray by the artillery die's inches
    in a direction that may be any; it touches the ship if the template does. A misfire of the
    artillery die is one whatever the scatter die shows.
    Source: the parent game's stone thrower; Sea Battles, Ships taking damage.
    """
    inches = np.array([*tables.ARTILLERY, 0])[artillery - 1]
    angle = np.radians(degrees)
    half_length = tables.CM_PER_SIZE * size  # in inches: half as many centimetres of hull
    half_beam = half_length / 4
    dx = np.maximum(np.abs(inches * np.cos(angle)) - half_length, 0.0)
    dy = np.maximum(np.abs(inches * np.sin(angle)) - half_beam, 0.0)
    touches = np.hypot(dx, dy) <= radius + 1e-9
    astray = np.where(touches, TOUCH, MISS)
    found = np.where(scatter_die > 6 - HIT_FACES, CENTRE, astray)
    return np.where(artillery == tables.MISFIRE, MISFIRED, found)


@dataclass(frozen=True)
class Salvo:
    """What a multi-barrelled gun does: its hits, and how many of its dice misfired."""

    hits: Array
    misfires: Array


def salvo(faces: tuple[Array, ...], far: Array | bool) -> Salvo:
    """Hits of up to three artillery dice, half (rounded up) beyond 12 inches.

    Source: the parent game's Helblaster.
    """
    inches = np.array([*tables.ARTILLERY, 0])
    total = sum((inches[face - 1] for face in faces[1:]), inches[faces[0] - 1])
    misfires = sum((np.where(face == 6, 1, 0) for face in faces[1:]), np.where(faces[0] == 6, 1, 0))
    return Salvo(np.where(far, -(-total // 2), total), misfires)


SALVO_NEAR = 12
"""Inches up to which a multi-barrelled gun does all its hits, at Strength 5 and not 4."""
KA_BOOM = 10


@dataclass(frozen=True)
class Misfire:
    """What a misfire does: turns out of action (or destroyed), crew lost, and hits all the same."""

    out: Array
    crew: Array
    hits: Array


def misfire(face: Array, kind: str) -> Misfire:
    """The misfire table, a D6.

    1 destroyed. 2–3: a cannon does not fire this turn and the next; a stone thrower does not
    either, and loses a hand. 4–6: no shot this turn. A multi-barrelled gun: 1–2 destroyed, 3 out
    this turn and the next, 4–5 no shot, 6 ten hits for the die that misfired.
    Source: the parent game's misfires.

    >>> misfire(np.array([1, 2, 4]), "cannon").out.tolist()
    [9, 1, 0]
    """
    face = np.asarray(face)
    none = np.zeros_like(face)
    if kind == "multi":
        out = np.where(face <= 2, DESTROYED, np.where(face == 3, 1, 0))
        return Misfire(out, none, np.where(face == 6, KA_BOOM, 0))
    if kind not in ("cannon", "stone"):
        raise InputError("kind of war machine", kind, "cannon", "stone", "multi")
    out = np.where(face == 1, DESTROYED, np.where(face <= 3, 1, 0))
    crew = np.where((face == 2) | (face == 3), 1, 0) if kind == "stone" else none
    return Misfire(out, crew, none)


def hit_chance(
    weapon: Weapon, distance: float, skill: int, size: int, facing: int, rules: HouseRules
) -> Fraction:
    """The chance that one shot hits a ship within range, by skill or by a range guessed rightly.

    Source: Sea Battles, Shooting; the parent game's war machines.
    """
    faces = np.arange(1, 7)
    match weapon.kind:
        case "bow" | "bolt":
            need = int(to_hit(weapon, skill, distance, rules))
            return tables.SHOOTING_DIE.at_least(need, exact=True)
        case "cannon":
            deep = int(depth(size, facing))
            lands = flight(faces[:, None], faces, best_aim(deep), deep)
        case "stone":
            radius = TEMPLATE_RADIUS[weapon.template]
            degrees = np.arange(1, 361)
            lands = scatter(faces[:, None, None], faces[:, None], degrees, size, radius)
        case _:
            return Fraction(5, 6) ** weapon.shots
    hits = (lands == TOUCH) | (lands == CENTRE)
    return Fraction(int(hits.sum()), hits.size)
