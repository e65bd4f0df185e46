"""A battery's attack: its Attack Rating, what it must reach, called shots, and what a hit costs.

The functions are pure and know nothing of turns; `volley` makes parts of a turn of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from navkit.chance import Array
from navkit.errors import InputError
from navkit.rulebooks.vehicular_1879 import tables
from navkit.rulebooks.vehicular_1879.doctrines import Doctrine
from navkit.rulebooks.vehicular_1879.groups import crew_defense
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.ships import Battery, Vehicle
from navkit.rulebooks.vehicular_1879.state import Guns, Side
from navkit.rulebooks.vehicular_1879.steps import dice_family, last_step

DAMAGED = ("crew", "cargo")
"""Attributes that called shots lower by Damage Tests; the others fall by 1 a hit."""
MOST_SURPLUS = 24
"""Bonuses up to this are placed for the most criticals; more go to the last test."""


def commander_bonus(battery: Battery, vehicle: Vehicle, rules: HouseRules) -> int:
    """What the commander adds to the Gunnery Step; a Harried one loses Steps.

    Source: 1879: Vehicular Combat Preview, Determine Unit Attack Rating; Vehicle Ratings.
    """
    own = battery.commander if rules.attack_rating == "commander" else vehicle.captain_rating
    return own - (rules.harried if battery.harried else 0)


def attack_rating(
    battery: Battery, vehicle: Vehicle, *, bonus: int = 0, rules: HouseRules | None = None
) -> int:
    """The Attack Rating: Gunnery Step, what the commander adds, and any bonus.

    Bonuses come from the maneuver's result and the commander's actions; the preview has no
    figures. Source: 1879: Vehicular Combat Preview, Determine Unit Attack Rating.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> gunboat = ship("Paddle gunboat")
    >>> attack_rating(gunboat.battery(), gunboat)
    12
    """
    rules = HouseRules.of(rules)
    return battery.gunnery + commander_bonus(battery, vehicle, rules) + bonus


def defense(vehicle: Vehicle, side: Side, rules: HouseRules) -> Array:
    """The vehicle's Physical Defense as it stands: it follows Maneuverability (VA-01).

    Source: 1879: Vehicular Combat Preview, Vehicle Ratings; Determine Unit Attack Rating.
    """
    lost = vehicle.maneuverability - side.maneuverability
    fallen = lost if rules.pd_tracks == "current" else 0
    return np.maximum(vehicle.defense(rules) - fallen + side.guard, 1)


def attack_difficulty(called: str, vehicle: Vehicle, side: Side, rules: HouseRules) -> Array:
    """What an attack must reach: the vehicle's defense, or the crew's in cover (VA-33).

    Source: 1879: Vehicular Combat Preview, Determine Unit Attack Rating; Called Shot.
    """
    if called == "crew" and rules.called_crew_defense == "crew":
        assert vehicle.hand is not None
        return np.full_like(side.maneuverability, crew_defense(vehicle.hand))
    return defense(vehicle, side, rules)


@dataclass(frozen=True)
class Penalty:
    """What a called shot costs: Steps of the attack, and points of its result."""

    steps: Array
    points: Array


def called_penalty(called: str, vehicle: Vehicle, side: Side, rules: HouseRules) -> Penalty:
    """The penalty of a called shot: a Step of the target's, and 3 Steps.

    The target's Step is the vehicle's current Maneuverability, for the crew its highest
    Dexterity; an active defense holds instead where it is higher (VA-31). Both parts are Steps
    (VA-32); as Maneuverability is in the defense too, it then counts twice.
    Source: 1879: Vehicular Combat Preview, Called Shot.
    """
    none = np.zeros_like(side.maneuverability)
    if not called:
        return Penalty(none, none)
    dexterity = vehicle.hand.dexterity if vehicle.hand else None
    fixed = [step for step in (vehicle.active_defense, dexterity) if step]
    if rules.called_penalty_kind == "by kind":
        own = none + dexterity if called == "crew" and dexterity else side.maneuverability
        step = np.maximum(own, vehicle.active_defense)
    else:
        pick = np.maximum if rules.called_penalty_kind == "highest" else np.minimum
        step = side.maneuverability
        for each in fixed:
            step = pick(step, each)
    flat = none + tables.CALLED_SHOT
    match rules.called_shot:
        case "3 steps":
            step = none
        case "target's step":
            flat = none
        case "the larger":
            flat, step = np.where(flat > step, flat, 0), np.where(flat > step, 0, step)
    if rules.called_unit == "steps":
        return Penalty(flat + step, none)
    return Penalty(flat, step)


def check_called(called: str, armament: str, target: Vehicle) -> None:
    """Raises InputError for a called shot that the target offers nothing for."""
    if called == "crew" and target.hand is None:
        raise InputError("called shot", "crew", "a target with figures of its crew, hand=Member()")
    if called == "cargo" and not target.cargo:
        raise InputError("called shot", "cargo", "a target with cargo of 1 point or more")
    if called == "armament":
        target.battery(armament or None)


def check_duel(
    a: Vehicle,
    b: Vehicle,
    *,
    doctrines: tuple[Doctrine | None, Doctrine | None] = (None, None),
    **others: Any,
) -> None:
    """Raises InputError for doctrines with called shots that the other vehicle offers nothing for.

    `others` are parameters of a duel that go with any vehicles.
    """
    for doctrine, target in zip(doctrines, (b, a), strict=True):
        if doctrine is not None:
            check_called(doctrine.called, doctrine.armament, target)


def check_fire(
    attacker: Vehicle,
    target: Vehicle,
    *,
    battery: str | None = None,
    doctrine: Doctrine | None = None,
    **others: Any,
) -> None:
    """Raises InputError for a battery that the attacker has not, and as `check_duel`."""
    if battery is not None:
        attacker.battery(battery)
    check_duel(attacker, target, doctrines=(doctrine, None))


def on_table(number: Array, rules: HouseRules) -> Array:
    """A Step within the table: never below Step 1, nor above the last one there is.

    Source: 1879: Vehicular Combat Preview, Called Shot; VA-32.
    """
    return np.clip(number, 1, last_step(rules))


def check_steps(battery: Battery, vehicle: Vehicle, rules: HouseRules) -> None:
    """Raises InputError for a battery whose Steps are above the table of the edition."""
    for what, number in (
        ("Attack Rating", attack_rating(battery, vehicle, rules=rules)),
        ("damage", battery.damage),
    ):
        if number > last_step(rules):
            allowed = f"at most Step {last_step(rules)} in the {rules.edition} edition"
            raise InputError(f"{what} of {battery.name}", number, allowed)


# Damage Tests


def damage_step(guns: Guns, bonus: Array, rules: HouseRules) -> tuple[Array, Array]:
    """The Step of a Damage Test, and points added to its result, with `bonus` surplus successes.

    Source: 1879: Vehicular Combat Preview, Determine Unit Attack Rating; Make Damage Tests.
    """
    added = tables.SURPLUS * bonus
    if rules.excess_success == "+2 steps":
        return on_table(guns.damage + added, rules), np.zeros_like(added)
    return on_table(guns.damage, rules), added


def through_armor(most: int, total: Any, number: Any, karma: Any, armor: Any, points: Any) -> Array:
    """What a Damage Test does: its result, at least 1, less the armor, at least 0.

    More than `most` makes no difference to the fight and counts as that.
    Source: 1879: Vehicular Combat Preview, Make Damage Tests and Check for Critical Hits/Wounds.
    """
    result = np.maximum(np.asarray(total) + points, tables.LEAST_RESULT)
    return np.minimum(np.maximum(result - armor, 0), most)


@lru_cache(maxsize=256)
def damage_rule(most: int) -> Callable[..., Array]:
    """`through_armor` with its bound, one and the same function for one bound."""
    return partial(through_armor, most)


# Where surplus successes go


def bonus_of(policy: str, hits: Array, surplus: Array, boost: Array, chosen: Array | None) -> Array:
    """How many surplus successes go to the next of `hits` Damage Tests.

    "one": all of them; "spread": evenly, first tests first; "criticals": by the table of
    `placements`. Source: 1879: Vehicular Combat Preview, Determine Unit Attack Rating; the
    choice is the player's.

    >>> [int(bonus_of("spread", np.array(4 - k), np.array(s), np.array(0), None))
    ...  for k, s in enumerate((3, 2, 1, 0))]
    [1, 1, 1, 0]
    """
    if policy == "one":
        return surplus
    if policy == "spread":
        return -(-surplus // np.maximum(hits, 1))
    assert chosen is not None
    known = chosen[boost, np.minimum(hits, len(chosen[0]) - 1), np.minimum(surplus, MOST_SURPLUS)]
    return np.where(hits == 1, surplus, known)


@lru_cache(maxsize=256)
def placements(weapons: int, damage: int, armor: int, threshold: int, rules: HouseRules) -> Array:
    """For the most Critical Hits on average: bonuses of the next test, by boost, hits, surplus.

    Figured for the Damage Step and the armor given.
    """
    gain = np.zeros((2, MOST_SURPLUS + 1))
    for boost in (0, 1):
        for bonus in range(MOST_SURPLUS + 1):
            gain[boost, bonus] = critical_chance(damage, bonus, boost, armor, threshold, rules)
    value = np.zeros((weapons + 1, MOST_SURPLUS + 1))
    chosen = np.zeros((2, weapons + 1, MOST_SURPLUS + 1), dtype=np.int64)
    for hits in range(1, weapons + 1):
        for surplus in range(MOST_SURPLUS + 1):
            rest = value[hits - 1, surplus::-1]
            for boost in (0, 1):
                options = gain[boost, : surplus + 1] + rest
                best = np.flatnonzero(options >= options.max() - 1e-12)
                chosen[boost, hits, surplus] = best[-1]
                if not boost:
                    value[hits, surplus] = options.max()
    return chosen


def critical_chance(
    damage: int, bonus: int, boost: int, armor: int, threshold: int, rules: HouseRules
) -> float:
    """The chance that one Damage Test, less armor, meets the Critical Hit Threshold."""
    steps = rules.excess_success == "+2 steps"
    number = damage + (tables.SURPLUS * bonus if steps else 0)
    points = 0 if steps else tables.SURPLUS * bonus
    known = dice_family(rules)(min(number, last_step(rules)), boost)
    return known.at_least(threshold + armor - points)
