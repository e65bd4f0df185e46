"""Boarding: crew against crew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from navkit.battle import Battle, Step, play
from navkit.chance import Array, Chance, Exact, Sampled, Scripted
from navkit.history import History
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.damage import casualties, rested
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import (
    CAPTURED,
    CAUSES,
    TRACKS,
    Fight,
    known_ship,
    other,
    ready_side,
)


def boarding_skill(ship: Ship, rules: HouseRules) -> int:
    """Expertise + Tactician level. Source: GURPS/Naval Combat, Boarding; Tactician."""
    return ship.expertise + ship.officers.level("tactics", rules)


def quick_contest(
    skill_a: Array | int, skill_b: Array | int, rules: HouseRules
) -> Callable[[Array, Array], Array]:
    """What the quick contest of two rolls adds to a blow: above 0 for a, below 0 for b.

    The greater margin (skill − roll) wins; criticals do not matter in a contest.
    Source: GURPS/Naval Combat, Boarding; GURPS quick contests.
    """

    def bonus(x: Array, y: Array) -> Array:
        margin_a, margin_b = skill_a - x, skill_b - y
        difference = margin_a - margin_b
        if rules.boarding_margin == "difference":
            return difference
        own = np.where(difference > 0, margin_a, margin_b)
        size = np.abs(difference) if rules.boarding_margin == "if succeeded" else own
        return np.sign(difference) * np.where(own >= 0, size, 0)

    return bonus


def blow(crew: Array, weapon: int, bonus: Array, rules: HouseRules) -> Array:
    """Hands that a crew puts out of the fight: a fifth of it + weapon + bonus, at least 0.

    Source: GURPS/Naval Combat, Boarding.
    """
    rounding = {"nearest": 2, "down": 0, "up": 4}[rules.boarding_round]
    fifth = (crew + rounding) // tables.HANDS_PER_BLOW
    return np.maximum(fifth + weapon + bonus, 0)


def boarding_battle(a: Ship, b: Ship, rules: HouseRules) -> Battle[Fight]:
    """The boarding as data; see `board`."""
    bonus_of = quick_contest(boarding_skill(a, rules), boarding_skill(b, rules), rules)

    def step(fight: Fight, chance: Chance) -> Fight:
        dice = (tables.SUCCESS_ROLL, tables.SUCCESS_ROLL)
        bonus = chance.roll(*dice, then=bonus_of, why="boarding", rule="G-110", sides=("a", "b"))
        by_a = blow(fight.a.crew, a.weapon, np.maximum(bonus, 0), rules)
        by_b = blow(fight.b.crew, b.weapon, np.maximum(-bonus, 0), rules)
        return replace(
            fight,
            a=rested(casualties(fight.a, a, by_b, rules), a, rules),
            b=rested(casualties(fight.b, b, by_a, rules), b, rules),
        )

    def lost(fight: Fight, x: str) -> Array:
        own, foe = getattr(fight, x).crew, getattr(fight, other(x)).crew
        gone = own <= 0
        if rules.surrender_ratio:
            gone = gone | (foe >= rules.surrender_ratio * own)
        return np.where(gone, CAPTURED, 0)

    return Battle(
        start=Fight(ready_side(a, rules), ready_side(b, rules), np.zeros(1, dtype=np.int32)),
        turn=(Step(step),),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
    )


def board(
    a: Ship,
    b: Ship,
    *,
    turns: int = 12,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """A boarding, crew against crew with all fit hands, until one of them has none left.

    Both sides strike at once, with their numbers at the start of the turn. `chance=None` is exact
    where that is quick, else sampled.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: GURPS/Naval Combat, Boarding.

    >>> from navkit.rulebooks.gurps import ship
    >>> h = board(ship("Sloop"), ship("Brig"), turns=6)
    >>> float(h.outcome()["b"].round(4))
    0.9988
    """
    rules = HouseRules.of(rules)
    return play(boarding_battle(known_ship("a", a), known_ship("b", b), rules), turns, chance)
