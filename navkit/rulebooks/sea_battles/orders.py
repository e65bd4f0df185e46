"""Orders: Command tests with all their modifiers, and blunders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from navkit.battle import Either, Repeat, Step
from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.vessel import MOST_PENALTY, Vessel, afloat, support
from navkit.state import replace

COMMAND = "2d6"
ALWAYS, NEVER = 2, 12
"""A double 1 always passes a Command test; a double 6 never does, and is a blunder."""


@dataclass(frozen=True)
class Weather:
    """Wind and current as a ship meets them at the start of a move, and the gear she uses.

    `wind` and `current` are 1 from astern, −1 from ahead, 0 abeam or none.
    """

    wind: Array | int = 0
    current: Array | int = 0
    sailing: bool = True


def modifier(
    weather: Weather,
    has_sails: bool,
    damaged: Array | int,
    crew_lost: Array | int,
    rules: HouseRules,
) -> tuple[Array, Array]:
    """Penalties and bonuses of a Command test other than that for successive orders.

    Loss of crew −1, once; damage to the gear in use −1; wind from ahead −1, from astern +1, for
    ships that move by sails (SA-21); current likewise, for all.
    Source: Sea Battles, Command tests.
    """
    felt = weather.sailing or (has_sails and rules.wind_applies == "has sails")
    wind = np.asarray(weather.wind) * int(felt)
    current = np.asarray(weather.current)
    bonus = np.maximum(wind, 0) + np.maximum(current, 0)
    penalty = np.minimum(wind, 0) + np.minimum(current, 0) - damaged - crew_lost
    return penalty, bonus


def target(
    leadership: Array | int,
    passed: Array | int,
    penalty: Array | int,
    bonus: Array | int,
    rules: HouseRules,
) -> Array:
    """The highest 2D6 that passes the Command test after `passed` orders this turn.

    −2 for each order before it; with the wind and the current up to 10. A double 1 always passes
    and a double 6 never does.
    Source: Sea Battles, Command tests; Blunders.

    >>> int(target(8, 1, 0, 0, HouseRules())), int(target(10, 0, 0, 1, HouseRules()))
    (6, 10)
    """
    less = tables.ORDER_PENALTY * np.asarray(passed)
    highest = tables.HIGHEST_LEADERSHIP
    if rules.ld_cap == "bonuses only":
        value = np.minimum(np.asarray(leadership) + bonus, highest) - less + penalty
    else:
        value = np.minimum(np.asarray(leadership) + bonus + penalty - less, highest)
    return np.clip(value, ALWAYS, NEVER - 1)


# The rule as steps


def gear_damage(vessel: Vessel, weather: Weather) -> Array:
    """Whether the gear in use is damaged. Source: Sea Battles, Command tests."""
    return vessel.sails if weather.sailing else vessel.oars


def ordered(
    vessel: Vessel,
    ship: Ship,
    leadership: Array,
    weather: Weather,
    chance: Chance,
    rules: HouseRules,
) -> tuple[Vessel, Array]:
    """The vessel after a Command test, and whether it was passed.

    The first failure ends her orders for the turn; a blunder is still to be rolled for.
    Source: Sea Battles, Command tests; Blunders.
    """
    gear = gear_damage(vessel, weather)
    penalty, bonus = modifier(weather, ship.has_sails, gear, vessel.crew_lost, rules)
    highest = target(leadership, vessel.passed, penalty, bonus, rules)
    rolled = chance.roll(COMMAND, why="command", rule="S-53")
    passes = rolled <= highest
    blunder = rolled == NEVER
    lost_order_only = blunder & (rules.blunder_ends == "loses the order")
    after = replace(
        vessel,
        ordering=np.where(passes | lost_order_only, 1, 0),
        pending=np.where(blunder, 1, 0),
    )
    return after, passes


def may_be_ordered(vessel: Vessel, ship: Ship, rules: HouseRules) -> Array:
    """Whether she may be ordered (again): afloat, not idle, no failure yet this turn.

    A ship without crew still sails, unless the house rule counts crew.
    Source: Sea Battles, Command tests; Ships and Psychology.
    """
    able = afloat(vessel) & (vessel.ordering > 0) & (vessel.idle == 0) & (vessel.pending == 0)
    if rules.crew_count == "a number":
        return able & (support(vessel, ship, HouseRules()) > 0)
    return able


def blunders(vessel: Vessel, ship: Ship, chance: Chance, rules: HouseRules) -> tuple[Vessel, Array]:
    """The vessel after the blunder table, and whether she turns instead of moving.

    1 Mutiny: Leadership −1 for good. 2 Tangled rigging: sails damaged; no more where they are, and
    nothing without sails. 3–4 Wrong turn. 5–6 Becalmed.
    Source: Sea Battles, Blunders.
    """
    rolled = chance.roll("d6", why="blunder", rule="S-65")
    mutiny, tangled = rolled == tables.MUTINY, rolled == tables.TANGLED
    sails = vessel.sails
    oars = vessel.oars
    if rules.tangled == "oars" and ship.has_oars and ship.has_sails:
        oars = np.where(tangled & (sails > 0), 1, oars)
    if ship.has_sails:
        sails = np.where(tangled, 1, sails)
    after = replace(
        vessel,
        penalty=np.minimum(vessel.penalty + np.where(mutiny, 1, 0), MOST_PENALTY),
        sails=sails,
        oars=oars,
        pending=np.zeros_like(vessel.pending) + 0 * rolled,
    )
    return after, (rolled >= tables.WRONG_TURN) & (rolled < tables.BECALMED)


def is_pending(vessel: Vessel) -> Array:
    """Whether a blunder is still to be rolled for."""
    return afloat(vessel) & (vessel.pending > 0)


def orders_part(
    ship: Ship,
    leadership: Callable[[Vessel], Array],
    weather: Weather,
    rules: HouseRules,
    most: int = 200,
) -> Repeat[Vessel]:
    """The part of a turn in which a ship on paper is ordered until she fails.

    `passed` counts her moves.
    Source: Sea Battles, Command tests.
    """

    def order(vessel: Vessel, chance: Chance) -> Vessel:
        after, passes = ordered(vessel, ship, leadership(vessel), weather, chance, rules)
        return replace(after, passed=after.passed + np.where(passes, 1, 0))

    def blunder(vessel: Vessel, chance: Chance) -> Vessel:
        after, _ = blunders(vessel, ship, chance, rules)
        return after

    return Repeat(
        Either(
            (
                Step(blunder, is_pending),
                Step(order, lambda vessel: may_be_ordered(vessel, ship, rules)),
            )
        ),
        most=most,
    )
