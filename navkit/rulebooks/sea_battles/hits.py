"""Hits on a ship as they are worked out: troops or ship, hard or soft, damage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from navkit.battle import Either, Repeat, Step
from navkit.chance import Array, Chance
from navkit.dice import Distribution
from navkit.engine.rows import either
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.damage import hits_hard, lose, points, roll_points
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.rolls import D6, pool
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.stray_hits import unit_steps
from navkit.rulebooks.sea_battles.strikes import (
    HARD,
    IDLE,
    LOCATE,
    PICK,
    SOFT,
    SORTED,
    Attack,
    has_hits,
    next_hit,
    noted,
)
from navkit.rulebooks.sea_battles.vessel import Vessel, troops_left

STRAY = {
    "shooting and magic": ("shooting", "magic"),
    "all hits": ("shooting", "magic", "ram"),
    "shooting only": ("shooting",),
    "never": (),
}
"""Which attacks may go to the troops aboard, by house rule. Blows in combat meet no troops."""


def hits_part(ship: Ship, attack: Attack, rules: HouseRules) -> Repeat[Vessel]:
    """The part of a turn in which all hits of an attack on a ship are worked out.

    Each is rolled on its own: a single one die by die, several by handfuls. With carried troops
    aboard (not characters alone) a D6 first sends a hit to them on a 6; then hard or soft, unless
    it comes from above; then damage.
    Source: Sea Battles, Ships taking damage.
    """
    return Repeat(Either(hit_steps(ship, attack, rules), has_hits), most=2000)


def hit_steps(ship: Ship, attack: Attack, rules: HouseRules) -> tuple[Step[Vessel], ...]:
    """The steps by which hits are worked out; each fight takes the first that applies."""
    hull = OnHull(ship, attack)
    may_stray = bool(ship.troops) and attack.source in STRAY[rules.troops_hit]

    def stage(number: int) -> Callable[[Vessel], Array]:
        return lambda vessel: (vessel.strike.stage == number) & has_hits(vessel)

    def only(several: bool, when: Callable[[Vessel], Array]) -> Callable[[Vessel], Array]:
        return lambda vessel: when(vessel) & ((vessel.strike.hits > 1) == several)

    def may_go_to_troops(vessel: Vessel) -> Array:
        return stage(IDLE)(vessel) & (troops_left(vessel, ship) > 0)

    def to_locate(vessel: Vessel) -> Array:
        return (vessel.strike.stage <= LOCATE) & has_hits(vessel)

    def located(vessel: Vessel) -> Array:
        return stage(HARD)(vessel) | stage(SOFT)(vessel)

    strays = (
        Step(_strays, only(False, may_go_to_troops)),
        Step(_stray, only(True, may_go_to_troops)),
        *unit_steps(ship, attack, stage),
    )
    on_hull: tuple[Step[Vessel], ...]
    if attack.above:
        on_hull = (
            Step(hull.hurts_several, _and_several(only(False, to_locate))),
            Step(hull.hurts, only(False, to_locate)),
            Step(hull.all_soft, only(True, to_locate)),
        )
    else:
        on_hull = (
            Step(hull.hurts_several, _and_several(located)),
            Step(hull.hurts, located),
            Step(_locates, only(False, to_locate)),
            Step(hull.locate, only(True, to_locate)),
        )
    many = (
        Step(hull.softly, lambda vessel: stage(SORTED)(vessel) & (vessel.strike.soft > 0)),
        Step(hull.hardly, stage(SORTED)),
    )
    return (*(strays if may_stray else ()), *on_hull, *many)


def _and_several(when: Callable[[Vessel], Array]) -> Callable[[Vessel], Array]:
    return lambda vessel: when(vessel) & (vessel.strike.several > 0)


def _strays(vessel: Vessel, chance: Chance) -> Vessel:
    stays = chance.check("d6", tables.TROOPS_HIT - 1, why="on the ship", rule="S-34")
    return noted(vessel, stage=np.where(stays, LOCATE, PICK))


def _stray(vessel: Vessel, chance: Chance) -> Vessel:
    hits = vessel.strike.hits
    strays = pool(chance, hits, tables.TROOPS_HIT, why="on the troops", rule="S-34")
    waiting = noted(vessel, hits=hits - strays, strays=strays, stage=LOCATE)
    return either(hits > strays, waiting, next_hit(waiting))


def _locates(vessel: Vessel, chance: Chance) -> Vessel:
    hard = hits_hard(vessel.strike.facing, chance)
    return noted(vessel, stage=np.where(hard, HARD, SOFT))


@dataclass(frozen=True)
class OnHull:
    """What hits on a hull do."""

    ship: Ship
    attack: Attack

    def hurts(self, vessel: Vessel, chance: Chance) -> Vessel:
        """The damage of a single hit that causes no several wounds."""
        return self._one(vessel, None, chance)

    def hurts_several(self, vessel: Vessel, chance: Chance) -> Vessel:
        """The damage of a single hit that causes several wounds."""
        return self._one(vessel, self.attack.wounds, chance)

    def _one(self, vessel: Vessel, wounds: Distribution | None, chance: Chance) -> Vessel:
        soft = True if self.attack.above else vessel.strike.stage == SOFT
        lost = roll_points(vessel.strike.strength, wounds, soft, chance)
        return next_hit(lose(vessel, self.ship, lost))

    def locate(self, vessel: Vessel, chance: Chance) -> Vessel:
        """How many of several hits are soft, and how many hard."""
        strike = vessel.strike
        need = tables.HARD_UP_TO[strike.facing] + 1
        soft = pool(chance, strike.hits, need, why="soft hits", rule="S-33")
        return self._sorted(vessel, soft, strike.hits - soft)

    def all_soft(self, vessel: Vessel, chance: Chance) -> Vessel:
        """Several hits from above are all soft."""
        hits = vessel.strike.hits
        return self._sorted(vessel, hits, np.zeros_like(hits))

    def _sorted(self, vessel: Vessel, soft: Array, hard: Array) -> Vessel:
        """The hits of each kind, without those that cannot do damage, which nobody rolls for."""
        strike = vessel.strike
        best = 6 + self.attack.wounds.max * (strike.several > 0)
        soft = np.where(points(best, strike.strength, True) > 0, soft, 0)
        hard = np.where(points(best, strike.strength, False) > 0, hard, 0)
        sorted_ = noted(vessel, soft=soft, hard=hard, stage=SORTED)
        return either(soft + hard > 0, sorted_, next_hit(sorted_))

    def softly(self, vessel: Vessel, chance: Chance) -> Vessel:
        """The damage of the soft hits."""
        left = self._many(vessel, vessel.strike.soft, True, chance)
        rest = noted(left, soft=0)
        return either(vessel.strike.hard > 0, rest, next_hit(rest))

    def hardly(self, vessel: Vessel, chance: Chance) -> Vessel:
        """The damage of the hard hits."""
        return next_hit(self._many(vessel, vessel.strike.hard, False, chance))

    def _many(self, vessel: Vessel, count: Array, soft: bool, chance: Chance) -> Vessel:
        strike = vessel.strike

        def family(hits: int, strength: int, several: int) -> Distribution:
            wounds = self.attack.wounds if several else None
            return _sum_of(hits, strength, wounds, soft)

        why = f"damage of {'soft' if soft else 'hard'} hits"
        lost = chance.roll_from(
            family, count, strike.strength, strike.several, why=why, rule="S-38"
        )
        return lose(vessel, self.ship, lost)


@lru_cache(maxsize=4096)
def _sum_of(hits: int, strength: int, wounds: Distribution | None, soft: bool) -> Distribution:
    """The damage of so many hits of a kind, each rolled on its own."""
    rolled = D6 if wounds is None else D6 + wounds
    return rolled.map(lambda value: points(value, strength, soft)).repeat(hits)
