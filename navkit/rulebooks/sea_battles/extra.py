"""Extra damage: doubles among the dice for the Damage points of a phase, and their six results."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from math import factorial

import numpy as np

from navkit.battle import Either, Repeat, Step
from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.captain import slain_steps
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.vessel import MOST_PENALTY, Vessel, afloat, worst
from navkit.state import replace

MOST = (1, 2, 6, 36, 8, 1)
"""How many results of each kind a code tells apart, in the table's order: no more can matter."""
MOST_DICE = 36
"""Points of a phase that are rolled for: from so many on any ship sinks."""


def results(shown: Array, reading: str) -> Array:
    """How many results each face gives, from how many dice show it.

    By default one for each face that is shown twice or more.
    Source: Sea Battles, Extra damage.

    >>> results(np.array([0, 2, 0, 0, 3, 1]), "one a face").tolist()
    [0, 1, 0, 0, 1, 0]
    """
    if reading == "each pair":
        return shown // 2
    if reading == "all pairs":
        return shown * (shown - 1) // 2
    return np.where(shown >= 2, 1, 0)


@lru_cache(maxsize=8)
def _coder(reading: str) -> Callable[[Array], Array]:
    """All results of a roll as one number; `decoded` undoes it."""

    def code(shown: Array) -> Array:
        found = results(shown, reading)
        number = np.zeros_like(found[0])
        for count, most in zip(found, MOST, strict=True):
            number = number * (most + 1) + np.minimum(count, most)
        return number

    return code


def decoded(code: Array) -> list[Array]:
    """How many results of each kind a code stands for, in the table's order."""
    found = []
    for most in reversed(MOST):
        code, count = np.divmod(code, most + 1)
        found.append(count)
    return found[::-1]


def suffer(
    vessel: Vessel, ship: Ship, counts: list[Array], source: str, rules: HouseRules
) -> Vessel:
    """The vessel after results in the numbers given.

    1 hatches: half speed in her owner's next turn, twice is no worse. 2 sails, or where they are
    damaged or missing the oars. 3 crew: one support attack fewer, and orders suffer. 4 hull: one
    more Damage point, not rolled for in turn. 5 captain: Leadership −1 for good, and a character
    takes hits. 6: she goes down at the start of her owner's next turn.
    Source: Sea Battles, Extra damage.
    """
    hatches, gear, crew, hull, captain, waterline = counts
    to_sails = np.minimum(gear, (1 - vessel.sails) if ship.has_sails else 0)
    to_oars = np.minimum(gear - to_sails, (1 - vessel.oars) if ship.has_oars else 0)
    if rules.captain_slain == "once":
        fresh = np.where(vessel.penalty > 0, 0, 1)
        lowered = np.minimum(captain, fresh)
    else:
        lowered = captain
    costs_orders = rules.crew_loss == "any result" or source == "shooting"
    lost = vessel.crew_slain + crew
    return replace(
        vessel,
        half=np.maximum(vessel.half, np.where(hatches > 0, 1, 0)),
        sails=vessel.sails + to_sails,
        oars=vessel.oars + to_oars,
        crew_slain=np.minimum(lost, ship.support_attacks),
        crew_lost=np.where((crew > 0) & costs_orders, 1, vessel.crew_lost),
        damage=np.minimum(vessel.damage + hull, worst(ship)),
        penalty=np.minimum(vessel.penalty + lowered, MOST_PENALTY),
        waterline=np.maximum(vessel.waterline, np.where(waterline > 0, 1, 0)),
        shaken=np.where(vessel.captain > 0, captain, 0),
        points=hull if rules.extra_chain == "yes" else np.zeros_like(hull),
    )


def extra_parts(ship: Ship, source: str, rules: HouseRules) -> tuple[Repeat[Vessel], ...]:
    """The parts of a turn that end a Magic or a Shooting phase for a ship: her extra damage.

    It needs more than one Damage point in the phase; rams and combat bring none.
    Source: Sea Battles, Extra damage; Shooting.
    """

    def enough(vessel: Vessel) -> Array:
        return (vessel.points > 1) & afloat(vessel)

    def roll(vessel: Vessel, chance: Chance) -> Vessel:
        count = np.minimum(vessel.points, MOST_DICE)
        code = chance.faces(
            6, count, _coder(rules.extra_multiples), why="extra damage", rule="S-95"
        )
        return suffer(vessel, ship, decoded(code), source, rules)

    steps = (*slain_steps(ship, rules), Step(roll, enough))
    return (Repeat(Either(steps), most=500), Repeat(Step(partial(forget), counted), most=1))


def counted(vessel: Vessel) -> Array:
    """Whether points or results of the phase are still noted."""
    return (vessel.points > 0) | (vessel.shaken > 0)


def forget(vessel: Vessel, chance: Chance) -> Vessel:
    """The vessel as the phase is over."""
    none = np.zeros_like(vessel.points)
    return replace(vessel, points=none, shaken=none)


def occurrence(points: int) -> list[Fraction]:
    """The chance that each result occurs at least once among the dice for `points` points.

    Source: Sea Battles, Extra damage.
    """
    if points < 2:
        return [Fraction(0)] * len(tables.EXTRA)
    # ways to place the dice on one face at most once
    missed = sum(
        Fraction(factorial(points), factorial(shown) * factorial(points - shown))
        * 5 ** (points - shown)
        for shown in (0, 1)
    )
    return [1 - missed / 6**points] * len(tables.EXTRA)
