"""Command tests and blunders as steps, held against the closed form and replayed by script."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from navkit.rulebooks.sea_battles import HouseRules, Ship, odds
from navkit.rulebooks.sea_battles.captain import leadership
from navkit.rulebooks.sea_battles.orders import Weather, may_be_ordered, orders_part
from navkit.rulebooks.sea_battles.vessel import launched

BOTH = Ship("Cog", 2, "sails and oars", 8)
ROWED = Ship("Galley", 2, "oars", 8)


def ready(**values):
    numbers = {name: np.array([value]) for name, value in {"ordering": 1, **values}.items()}
    return lambda vessel: replace(vessel, **numbers)


def own(rules):
    return lambda vessel: leadership(vessel, None, None, rules)


def passed(vessel):
    return vessel.passed


def part(ship=BOTH, weather=None, rules=None):
    rules = HouseRules() if rules is None else rules
    weather = Weather(sailing=ship.has_sails) if weather is None else weather
    return [orders_part(ship, own(rules), weather, rules)]


@pytest.mark.parametrize("command", [5, 8, 10])
@pytest.mark.parametrize("blunder", ["ends the orders", "loses the order"])
def test_orders_played_as_steps_are_those_of_the_closed_form(sea, command, blunder):
    rules = HouseRules(blunder_ends=blunder)
    found = sea.exact(BOTH, part(rules=rules), passed, ready(leadership=command))
    wanted = odds.orders(command, both=True, rules=rules)
    for k in range(8):
        assert found[k] == pytest.approx(wanted.equal(k), rel=1e-9)


@pytest.mark.parametrize(
    ("weather", "state", "settings"),
    [
        (Weather(wind=-1), {"sails": 1}, {"wind": "ahead", "damaged": True}),
        (Weather(wind=1, current=-1), {}, {"wind": "astern", "current": "ahead"}),
        (
            Weather(wind=-1, sailing=False),
            {"sails": 1, "crew_lost": 1},
            {"wind": "ahead", "gear": "oars", "crew_lost": True},
        ),
        (Weather(sailing=False), {"oars": 1}, {"gear": "oars", "damaged": True}),
    ],
)
def test_modifiers_of_the_state_are_those_of_the_odds(sea, weather, state, settings):
    found = sea.exact(BOTH, part(weather=weather), passed, ready(leadership=8, **state))
    wanted = odds.orders(8, both=True, **settings)
    for k in range(5):
        assert found[k] == pytest.approx(wanted.equal(k), rel=1e-9)


def test_a_scripted_turn_of_orders(sea):
    """Leadership 8: 8 passes, then 6 passes at −2, then 5 fails at −4."""
    value, log = sea.scripted(BOTH, part(), [8, 6, 5], passed, ready(leadership=8))
    assert value == 2
    assert log["why"].tolist() == ["command"] * 3
    value, _ = sea.scripted(BOTH, part(), [(1, 1)] * 9 + [12, 5], passed, ready(leadership=8))
    assert value == 9


@pytest.mark.parametrize(
    ("face", "field", "value"),
    [(1, "penalty", 1), (2, "sails", 1), (3, "sails", 0), (5, "penalty", 0), (2, "oars", 0)],
)
def test_blunders(sea, face, field, value):
    found, log = sea.scripted(
        BOTH, part(), [12, face], lambda v: getattr(v, field), ready(leadership=8)
    )
    assert found == value
    assert log["rule"].tolist() == ["S-53", "S-65"]


def test_tangled_rigging_spares_ships_without_sails_and_happens_once(sea):
    galley = part(ROWED)
    assert sea.scripted(ROWED, galley, [12, 2], lambda v: v.oars + v.sails, ready())[0] == 0
    torn = ready(sails=1)
    for reading, value in (("nothing more", 0), ("oars", 1)):
        again = part(rules=HouseRules(tangled=reading))
        assert sea.scripted(BOTH, again, [12, 2], lambda v: v.oars, torn)[0] == value


def test_mutiny_counts_in_the_next_test_where_orders_go_on(sea):
    """Leadership 8, double 6, mutiny: the next test of the turn is on 7."""
    goes_on = part(rules=HouseRules(blunder_ends="loses the order"))
    assert sea.scripted(BOTH, goes_on, [12, 1, 8], passed, ready(leadership=8))[0] == 0
    assert sea.scripted(BOTH, goes_on, [12, 1, 7, 9], passed, ready(leadership=8))[0] == 1


def test_who_may_not_be_ordered(sea):
    for state in ({"idle": 1}, {"gone": 1}, {"ordering": 0}):
        _, log = sea.scripted(BOTH, part(), [], passed, ready(**state))
        assert len(log) == 0
    vessel = ready(crew_slain=2)(launched(BOTH))
    assert may_be_ordered(vessel, BOTH, HouseRules()).tolist() == [True]
    counted = HouseRules(crew_count="a number")
    assert may_be_ordered(vessel, BOTH, counted).tolist() == [False]


def test_leadership_for_a_single_order_is_exact():
    assert odds.orders(8).at_least(1, exact=True) == Fraction(26, 36)
