"""How many moves a turn's orders bring, against every pair of dice listed."""

from fractions import Fraction
from itertools import product

import pytest

from navkit import InputError
from navkit.rulebooks.sea_battles import HouseRules, odds

PAIRS = [one + two for one, two in product(range(1, 7), repeat=2)]
LOSES = HouseRules(blunder_ends="loses the order")


def passing(value):
    """The chance of 2D6 no higher than `value`; a double 1 passes, a double 6 never does."""
    return Fraction(sum(total == 2 or (total <= value and total != 12) for total in PAIRS), 36)


@pytest.mark.parametrize("leadership", range(1, 11))
def test_moves_by_the_product_of_the_tests(leadership):
    found = odds.orders(leadership)
    chance = Fraction(1)
    for k in range(1, 40):
        chance *= passing(leadership - 2 * (k - 1))
        assert found.at_least(k, exact=True) == chance
        assert found.at_least(k) == pytest.approx(float(chance), rel=1e-12)


@pytest.mark.parametrize("leadership", [1, 7, 10])
def test_the_tail_is_right_up_to_180_moves_and_never_zero(leadership):
    found = odds.orders(leadership)
    chance = Fraction(1)
    for k in range(1, 182):
        chance *= passing(leadership - 2 * (k - 1))
        if k > 170 or k % 20 == 0:
            assert found.at_least(k) > 0
            assert found.at_least(k) == pytest.approx(float(chance), rel=1e-12)
            assert found.at_least(k, exact=True) == chance
            assert found.equal(k - 1) == pytest.approx(
                float(found.equal(k - 1, exact=True)), rel=1e-12
            )
    far = found.at_least(5000, exact=True)
    assert far == chance / 36 ** (5000 - 181)
    assert found.at_least(5001, exact=True) / far == Fraction(1, 36)
    assert found.tail.ratio == Fraction(1, 36)


def test_the_probabilities_add_up():
    found = odds.orders(8)
    assert found.pmf.sum() + float(found.tail.mass) == pytest.approx(1, abs=1e-14)
    assert found.at_most(3, exact=True) + found.at_least(4, exact=True) == 1


@pytest.mark.parametrize(
    ("settings", "modifier"),
    [
        ({"wind": "astern"}, 1),
        ({"wind": "ahead"}, -1),
        ({"wind": "ahead", "gear": "oars"}, 0),
        ({"current": "astern", "gear": "oars"}, 1),
        ({"current": "ahead"}, -1),
        ({"damaged": True}, -1),
        ({"damaged": True, "gear": "oars"}, -1),
        ({"crew_lost": True}, -1),
        ({"wind": "ahead", "current": "ahead", "damaged": True, "crew_lost": True}, -4),
        ({"wind": "astern", "current": "astern"}, 2),
    ],
)
def test_each_modifier_moves_the_tests(settings, modifier):
    for leadership in (5, 7, 8, 10):
        found = odds.orders(leadership, **settings)
        chance = Fraction(1)
        for k in range(1, 6):
            chance *= passing(min(10, leadership + modifier - 2 * (k - 1)))
            assert found.at_least(k, exact=True) == chance


def test_an_admiral_lends_the_better_value():
    assert odds.orders(7, admiral=9).at_least(1, exact=True) == passing(9)
    assert odds.orders(9, admiral=7).at_least(1, exact=True) == passing(9)


def test_house_rules_of_the_tests():
    capped = odds.orders(10, wind="astern", crew_lost=True)
    bonus_first = HouseRules(ld_cap="bonuses only")
    assert capped.at_least(1, exact=True) == passing(10)
    found = odds.orders(10, wind="astern", crew_lost=True, rules=bonus_first)
    assert found.at_least(1, exact=True) == passing(9)
    felt = odds.orders(
        8, gear="oars", both=True, wind="ahead", rules=HouseRules(wind_applies="has sails")
    )
    assert felt.at_least(1, exact=True) == passing(7)
    assert odds.orders(8, gear="oars", both=True, wind="ahead").at_least(1, exact=True) == passing(
        8
    )


def chain(leadership, sails, oars, gear, admiral, rules, depth):
    """P(k or more moves) by following tests, blunders and all, to so many rolls (plain floats)."""
    reached = [0.0] * 40
    states = {(0, 0, False, False): 1.0}
    reached[0] = 1.0
    for _ in range(depth):
        following = {}
        for (passed, mutinies, torn, broken), mass in states.items():
            value = leadership - mutinies
            if admiral is not None:
                value = max(value, admiral - mutinies)
            worn = torn if gear == "sails" else broken
            value = min(value - 2 * passed - worn, 10)
            for total in PAIRS:
                if total == 12:
                    for face in range(1, 7):
                        state = (
                            passed,
                            mutinies + (face == 1),
                            torn or (face == 2 and sails),
                            broken or (face == 2 and sails and torn and oars and rules),
                        )
                        following[state] = following.get(state, 0.0) + mass / 216
                elif total == 2 or total <= value:
                    reached[passed + 1] += mass / 36
                    state = (passed + 1, mutinies, torn, broken)
                    following[state] = following.get(state, 0.0) + mass / 36
        states = {state: mass for state, mass in following.items() if state[0] < 38}
    return reached


@pytest.mark.parametrize("gear", ["sails", "oars"])
@pytest.mark.parametrize("tangled", ["nothing more", "oars"])
@pytest.mark.parametrize("admiral", [None, 9])
def test_mutiny_and_tangled_rigging_feed_back_into_the_tests_of_the_turn(gear, tangled, admiral):
    rules = HouseRules(blunder_ends="loses the order", tangled=tangled)
    found = odds.orders(8, gear=gear, both=True, admiral=admiral, rules=rules)
    wanted = chain(8, True, True, gear, admiral, tangled == "oars", depth=30)
    for k in range(1, 9):
        assert found.at_least(k) == pytest.approx(wanted[k], rel=1e-9)
    without = odds.orders(8, gear=gear, both=True, admiral=admiral)
    assert found.at_least(3) > without.at_least(3)


def test_where_a_blunder_only_loses_the_order_the_tail_falls_by_35():
    found = odds.orders(8, rules=LOSES)
    assert found.tail.ratio == Fraction(1, 35)
    assert found.at_least(900, exact=True) == 35 * found.at_least(901, exact=True)
    body = found.max
    assert found.at_least(body, exact=True) == 35 * found.at_least(body + 1, exact=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"leadership": 11}, "leadership: got 11, allowed is a whole number from 1 to 10"),
        ({"leadership": 0}, "leadership: got 0"),
        ({"leadership": 8, "gear": "steam"}, "gear: got 'steam', allowed are 'sails', 'oars'"),
        ({"leadership": 8, "wind": "south"}, "wind: got 'south'"),
        ({"leadership": 8, "current": "up"}, "current: got 'up'"),
        ({"leadership": 8, "admiral": 12}, "admiral: got 12"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        odds.orders(**arguments)
