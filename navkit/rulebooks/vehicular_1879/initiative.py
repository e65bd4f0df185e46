"""Maneuver Tests as Initiative: their Step, and who acts first."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from navkit.battle import Step
from navkit.chance import Array, Chance
from navkit.dice import Distribution
from navkit.rulebooks.vehicular_1879 import gunnery
from navkit.rulebooks.vehicular_1879.crew import crew_modifier
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.ships import Vehicle
from navkit.rulebooks.vehicular_1879.state import Fight, Side, side_of
from navkit.rulebooks.vehicular_1879.steps import dice_family
from navkit.rulebooks.vehicular_1879.supplement import Supplement
from navkit.state import replace


def rating_step(vehicle: Vehicle, rules: HouseRules | None = None) -> int:
    """The Rating Step of Maneuver Tests: the acting captain's Crew skill rank (VA-12).

    Source: 1879: Vehicular Combat Preview, Make Maneuver Tests.
    """
    rules = HouseRules.of(rules)
    return {
        "skill rank": vehicle.captain_rank,
        "captain rating": vehicle.captain_rating,
        "crew rating": vehicle.crew_rating,
    }[rules.rating_step]


def maneuver_step(vehicle: Vehicle, side: Side, supplement: Supplement, rules: HouseRules) -> Array:
    """The Step of a Maneuver Test: Maneuverability and Rating Step, less 2 if Harried.

    Crew states count by a user's table. It is never below Step 1.
    Source: 1879: Vehicular Combat Preview, Make Maneuver Tests; Vehicle Ratings.
    """
    number = side.maneuverability + rating_step(vehicle, rules)
    number = number - (rules.harried if vehicle.is_harried else 0)
    number = number + crew_modifier(vehicle, side.crew.dead, supplement, rules)
    return gunnery.on_table(number, rules)


def leads(rules: HouseRules) -> Callable[..., Array]:
    """Who acts first after two totals: 1 for a, −1 for b, 0 where a coin must decide.

    Equal totals go to the more maneuverable (a house rule may say otherwise).
    Source: 1879: Vehicular Combat Preview, Make Maneuver Tests.
    """
    return _leads_by_coin if rules.initiative_ties == "coin" else _leads


def _leads(x: Any, y: Any, a: Any, b: Any, agile_a: Any, agile_b: Any) -> Array:
    lead = np.sign(np.maximum(x, 1) - np.maximum(y, 1))
    return np.where(lead == 0, np.sign(np.asarray(agile_a) - agile_b), lead)


def _leads_by_coin(x: Any, y: Any, a: Any, b: Any, agile_a: Any, agile_b: Any) -> Array:
    return np.sign(np.maximum(x, 1) - np.maximum(y, 1))


@lru_cache(maxsize=64)
def both_tests(rules: HouseRules) -> Callable[..., tuple[Distribution, Distribution]]:
    """The dice of two Maneuver Tests, by their Steps."""
    family = dice_family(rules)
    return lambda a, b, *_: (family(a), family(b))


def initiative(
    vehicles: dict[str, Vehicle], supplement: Supplement, rules: HouseRules
) -> tuple[Step[Fight], Step[Fight]]:
    """The parts of a turn that tell who acts first: both Maneuver Tests, and a coin if need be.

    Source: 1879: Vehicular Combat Preview, Make Maneuver Tests.
    """

    def tests(fight: Fight, chance: Chance) -> Fight:
        numbers = [
            maneuver_step(vehicles[x], side_of(fight, x), supplement, rules) for x in ("a", "b")
        ]
        agile = (fight.a.maneuverability, fight.b.maneuverability)
        first = chance.roll_from(
            both_tests(rules),
            *numbers,
            *agile,
            then=leads(rules),
            why="Maneuver Test",
            rule="V-54",
            sides=("a", "b"),
        )
        return replace(fight, first=first)

    def toss(fight: Fight, chance: Chance) -> Fight:
        coin = chance.roll("d2", then=_coin, why="initiative, still tied", rule="V-55")
        return replace(fight, first=coin)

    return Step(tests), Step(toss, lambda fight: fight.first == 0)


def _coin(side: Any) -> Any:
    return 3 - 2 * side
