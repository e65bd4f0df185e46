"""Hits on a ship, worked out one after another: troops or ship, hard or soft, damage."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from navkit.battle import Either, Repeat, Step
from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.damage import hits_hard, lose, roll_points
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.stray_hits import unit_steps
from navkit.rulebooks.sea_battles.strikes import (
    HARD,
    IDLE,
    LOCATED,
    PICK,
    SOFT,
    Attack,
    has_hits,
    next_hit,
    noted,
)
from navkit.rulebooks.sea_battles.vessel import Vessel, troops_left


def hits_part(ship: Ship, attack: Attack, rules: HouseRules) -> Repeat[Vessel]:
    """The part of a turn in which all hits on a ship are worked out, one after another.

    Each of several hits is rolled on its own. With carried troops aboard (not characters alone) a
    D6 first sends a hit to them on a 6; then hard or soft, unless it comes from above; then
    damage. A ship with `hits` left but lost takes no more.
    Source: Sea Battles, Ships taking damage.
    """
    return Repeat(Either(hit_steps(ship, attack, rules)), most=2000)


def hit_steps(ship: Ship, attack: Attack, rules: HouseRules) -> tuple[Step[Vessel], ...]:
    """The steps by which hits are worked out; each fight takes the first that applies."""
    may_stray = attack.source in {
        "shooting and magic": ("shooting", "magic"),
        "all hits": ("shooting", "magic", "ram"),
        "shooting only": ("shooting",),
        "never": (),
    }[rules.troops_hit] and bool(ship.troops)

    def goes_to_troops(vessel: Vessel) -> Array:
        if not may_stray:
            return np.zeros_like(vessel.gone, dtype=bool)
        return (vessel.strike.stage == IDLE) & (troops_left(vessel, ship) > 0) & has_hits(vessel)

    def to_locate(vessel: Vessel) -> Array:
        fresh = (vessel.strike.stage == LOCATED) | (vessel.strike.stage == IDLE)
        return fresh & has_hits(vessel)

    def stage(number: int) -> Callable[[Vessel], Array]:
        return lambda vessel: (vessel.strike.stage == number) & has_hits(vessel)

    def hurts(vessel: Vessel) -> Array:
        known = (vessel.strike.stage == HARD) | (vessel.strike.stage == SOFT)
        return (to_locate(vessel) | known) if attack.above else known & has_hits(vessel)

    def hurts_several(vessel: Vessel) -> Array:
        return hurts(vessel) & (vessel.strike.several > 0)

    on_hull = (
        Step(_strays, goes_to_troops),
        Step(partial(_hurts, ship=ship, attack=attack, several=True), hurts_several),
        Step(partial(_hurts, ship=ship, attack=attack, several=False), hurts),
        Step(_locates, to_locate),
    )
    if not may_stray:
        return on_hull[1:]
    return (*on_hull[:3], *unit_steps(ship, attack, stage), on_hull[3])


def _strays(vessel: Vessel, chance: Chance) -> Vessel:
    stays = chance.check("d6", tables.TROOPS_HIT - 1, why="on the ship", rule="S-34")
    return noted(vessel, stage=np.where(stays, LOCATED, PICK))


def _locates(vessel: Vessel, chance: Chance) -> Vessel:
    hard = hits_hard(vessel.strike.facing, chance)
    return noted(vessel, stage=np.where(hard, HARD, SOFT))


def _hurts(vessel: Vessel, chance: Chance, ship: Ship, attack: Attack, several: bool) -> Vessel:
    strike = vessel.strike
    soft = True if attack.above else strike.stage == SOFT
    wounds = attack.wounds if several else None
    lost = roll_points(strike.strength, wounds, soft, chance)
    return next_hit(lose(vessel, ship, lost))
