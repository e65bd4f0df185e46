"""First passage of a hull by matrices, held against the steps played with all outcomes."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import navkit as nk
from navkit.rulebooks import gurps

READINGS = [
    {reading.name: option}
    for reading in gurps.HouseRules.readings()
    for option in reading.options[1:]
]


def test_random_pairs_of_all_readings(random_ships):
    sunk = []

    @given(random_ships, random_ships, st.sampled_from([{}, *READINGS]), st.integers(1, 12))
    @settings(max_examples=60, derandomize=True, deadline=None, database=None)
    def compare(a, b, changes, turns):
        rules = gurps.HouseRules(**changes)
        quick = gurps.odds.sinking(a, b, turns=turns, rules=rules)
        played = gurps.odds.sinking(a, b, turns=turns, rules=rules, chance=nk.Exact())
        assert quick.index.equals(played.index)
        assert quick.name == played.name
        assert np.abs(quick - played).max() < 1e-12
        sunk.append(quick.iloc[-1])

    compare()
    assert min(sunk) == 0
    assert any(0.1 < chance < 0.9 for chance in sunk)


@pytest.mark.parametrize("name", gurps.library()["name"])
def test_ready_ships(name):
    a, b = gurps.ship(name), gurps.ship("Barquentine")
    quick = gurps.odds.sinking(a, b)
    played = gurps.odds.sinking(a, b, chance=nk.Exact())
    assert np.abs(quick - played).max() < 1e-12


def test_by_hand(make_small):
    """One gun of one die, no DR, no reloading: fractions by plain recursion."""
    a = make_small(cannons=(1, 0, 0, 0), damage="d", expertise=9)
    b = make_small(hull=9, dr=0)
    found = gurps.odds.sinking(a, b, turns=5, rules=gurps.HouseRules(reload="none"))
    hit = Fraction(sum(sum(d) <= 9 for d in product(range(1, 7), repeat=3)), 216)
    hulls = {9: Fraction(1)}
    for turn in range(1, 6):
        after = {}
        for hull, chance in hulls.items():
            for face in range(1, 7) if hull else [0]:
                for loss, share in ((face, hit), (face // 2, 1 - hit)):
                    left = max(0, hull - loss)
                    part = chance * share / (6 if hull else 1)
                    after[left] = after.get(left, Fraction(0)) + part
        hulls = after
        assert found[turn] == pytest.approx(float(hulls.get(0, 0)), abs=1e-14)


def test_targets_without_room_for_a_matrix_are_played(make_small):
    """A hull of a million: the odds are the same kind of answer, in the same shape."""
    big = make_small(hull=1_000_000, dr=100)
    found = gurps.odds.sinking(make_small(), big, turns=2)
    assert found.tolist() == [0, 0, 0]
    assert found.name == "sunk"


@pytest.mark.parametrize("turns", [0, 1001, 2.5])
def test_bad_turns(make_small, turns):
    with pytest.raises(nk.InputError, match=f"turns: got {turns}"):
        gurps.odds.sinking(make_small(), make_small(), turns=turns)
