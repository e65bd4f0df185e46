"""Who counts as an able hand, and what the crew's state is worth."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from navkit.chance import Array
from navkit.errors import InputError, whole
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.ships import Vehicle
from navkit.rulebooks.vehicular_1879.supplement import Supplement


def able_hands(able: Array, untrained: Array, rules: HouseRules | None = None) -> Array:
    """Able crew members: those below the Crew Rating count one half, and the sum is rounded down.

    Source: 1879: Vehicular Combat Preview, Vehicle Ratings.

    >>> int(able_hands(np.array(7), np.array(5)))
    9
    """
    share = Fraction(str(HouseRules.of(rules).below_crew_rating))
    counted = np.asarray(untrained) * share.numerator // share.denominator
    return np.asarray(able) + counted


def pay_shares(able: int, untrained: int) -> Fraction:
    """Shares of pay and loot that a crew draws: half a share for those below the Crew Rating.

    Source: 1879: Vehicular Combat Preview, Vehicle Ratings.

    >>> pay_shares(7, 5)
    Fraction(19, 2)
    """
    return whole("able", able, 0, 100_000) + Fraction(whole("untrained", untrained, 0, 100_000), 2)


def crew_modifier(
    vehicle: Vehicle, lost: Array, supplement: Supplement, rules: HouseRules
) -> Array:
    """Steps that the state of the crew is worth after `lost` heads; 0 without a user's table.

    Hands at the Crew Rating fall first.
    Source: 1879: Vehicular Combat Preview, Vehicle Ratings; the table is a user's.
    """
    able, heads = crew_left(vehicle, lost, rules)
    counted = able if rules.crew_state_basis == "able hands" else heads
    modifier = np.zeros_like(np.asarray(lost))
    for state in supplement.crew_states:
        needed = int(np.ceil(state.share * vehicle.crew_needed))
        modifier = np.where(counted >= needed, state.modifier, modifier)
    return modifier


def crew_left(vehicle: Vehicle, lost: Array, rules: HouseRules) -> tuple[Array, Array]:
    """Able hands and heads after `lost` heads, those at the Crew Rating first."""
    trained = np.maximum(vehicle.crew - lost, 0)
    untrained = np.clip(vehicle.crew + vehicle.untrained - lost, 0, vehicle.untrained)
    return able_hands(trained, untrained, rules), trained + untrained


def crew_state(
    vehicle: Vehicle, supplement: Supplement, *, lost: int = 0, rules: HouseRules | None = None
) -> str:
    """The name of the crew's state, Derelict to Legendary, by a user's table.

    It goes by able hands over hands needed (VA-04). Raises InputError without such a table: the
    preview prints no thresholds.
    Source: 1879: Vehicular Combat Preview, Vehicle Ratings.

    >>> from navkit.rulebooks.vehicular_1879 import EXAMPLE, ship
    >>> crew_state(ship("Paddle gunboat", crew=4, untrained=0), EXAMPLE)
    'Derelict'
    """
    rules = HouseRules.of(rules)
    if not supplement.crew_states:
        raise InputError("crew states", (), "a Supplement with crew_states, such as EXAMPLE")
    able, heads = crew_left(vehicle, np.array(whole("lost", lost, 0, 100_000)), rules)
    counted = able if rules.crew_state_basis == "able hands" else heads
    reached = [
        state.name
        for state in supplement.crew_states
        if counted >= np.ceil(state.share * vehicle.crew_needed)
    ]
    return reached[-1]
