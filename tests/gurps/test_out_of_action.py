"""Who is put out of action, by chances of pairs: held against the general exact solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

import navkit as nk
from navkit.engine.danger import Danger
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.duel_odds import Duel, solve

OUTCOMES = ["a", "b", "both", "undecided"]
TURNS = 6
ROUNDING = 1e-12
READINGS = [
    {reading.name: option}
    for reading in gurps.HouseRules.readings()
    for option in reading.options[1:]
]
SOME_RULES = st.sampled_from([{}, {}, {"fire_order": "together"}, *READINGS]).map(
    lambda changes: gurps.HouseRules(**changes)
)


def general(a, b, rules, turns=TURNS):
    """The same table by the general solver."""
    table = gurps.duel(a, b, turns=turns, chance=nk.Exact(), rules=rules).table()
    return table.assign(undecided=table["undecided"] + table["stalemate"])[OUTCOMES]


def of_course(course):
    ended = np.cumsum(course.table[:, 1:], axis=0)
    return np.column_stack([ended, course.table[:, 0]])


def examples(number):
    return settings(max_examples=number, derandomize=True, deadline=None, database=None)


@pytest.fixture
def small_matters(monkeypatch):
    """States are left out, and hulls forgotten, of small ships too, where it is not worth it."""
    monkeypatch.setattr("navkit.engine.coupled.SMALL_MATRIX", 0)
    monkeypatch.setattr("navkit.engine.coupled.WORTH_DROPPING", 0)


def test_random_pairs_within_the_error(random_ships, small_matters):
    shown = []

    @given(random_ships, random_ships, SOME_RULES, st.sampled_from([1e-2, 1e-6, 1e-12]))
    @examples(40)
    def compare(a, b, rules, within):
        table = gurps.odds.out_of_action(a, b, turns=TURNS, within=within, rules=rules)
        off = np.abs(table[OUTCOMES] - general(a, b, rules)).to_numpy()
        assert (table["error"] <= within).all()
        assert off.max() <= table["error"].max() + ROUNDING
        shown.append(table["error"].max())

    compare()
    assert min(shown) < 1e-12 < 1e-4 < max(shown)


def test_every_reading(make_small):
    a = make_small(hull=18, crew=6, officers=gurps.Officers(leadership=1, medic=1, fatigue=4))
    b = make_small(hull=22, crew=5, damage="3d", kph=12)
    for changes in READINGS:
        rules = gurps.HouseRules(**changes)
        table = gurps.odds.out_of_action(a, b, turns=4, rules=rules)
        off = np.abs(table[OUTCOMES] - general(a, b, rules, 4)).to_numpy()
        assert off.max() <= table["error"].max() + ROUNDING, changes


def test_the_bound_of_hulls_left_out_holds_and_says_something(random_ships):
    """Also where the hull does matter, which the calculator would have followed."""
    seen = []

    @given(random_ships, random_ships, SOME_RULES)
    @examples(40)
    def compare(a, b, rules):
        duel = Duel({"a": a, "b": b}, rules, {"a": "hull", "b": "hull"}, TURNS)
        course = duel.pairs.course(TURNS, 0.0)
        bound = sum(duel.hull_matters(Danger(duel.pairs, course, x), 0.0) for x in "ab")
        off = np.abs(of_course(course) - general(a, b, rules).to_numpy()).max()
        assert off <= bound + ROUNDING
        seen.append((off, bound))

    compare()
    assert any(off > 0.01 for off, _ in seen)
    assert any(off > 1e-6 and bound < 0.5 for off, bound in seen)
    assert any(bound < 1e-6 for _, bound in seen)


def test_hulls_followed_as_long_as_they_are_in_danger(random_ships, small_matters):
    """Of one ship or of both, with hulls forgotten for a budget and without."""
    seen = []

    @given(random_ships, random_ships, SOME_RULES, st.sampled_from([0.0, 1e-6, 1e-2]))
    @examples(25)
    def compare(a, b, rules, budget):
        duel = Duel({"a": a, "b": b}, rules, {"a": "hull", "b": "hull"}, TURNS)
        course = duel.pairs.course(TURNS, budget / 10)
        danger = {x: Danger(duel.pairs, course, x) for x in "ab"}
        bounds = {x: duel.hull_matters(danger[x], 0.0) for x in "ab"}
        expected = general(a, b, rules).to_numpy()
        for followed in ("a", "b", "ab"):
            found = duel.pairs.course(TURNS, budget, followed={x: danger[x] for x in followed})
            left_out = sum(bounds[x] for x in "ab" if x not in followed)
            assert found.dropped <= budget
            error = left_out + course.dropped + found.dropped
            off = np.abs(of_course(found) - expected).max()
            assert off <= error + ROUNDING
            seen.append((followed, off, error, bounds["a"] + bounds["b"]))

    compare()
    both = [each[1:] for each in seen if each[0] == "ab"]
    assert any(error == 0.0 and bound > 0.1 for _, error, bound in both)
    assert any(1e-9 < off < error < 0.1 for off, error, _ in both)


def test_hands_left_out_never_matter(make_small):
    seen = []
    ships = st.builds(
        make_small,
        hull=st.integers(5, 45),
        crew=st.integers(4, 9),
        skeleton_crew=st.integers(2, 5),
        cannons=st.tuples(st.integers(0, 2), st.integers(0, 2), st.just(0), st.just(0)),
        damage=st.sampled_from(["d", "2d", "4d"]),
        dr=st.integers(0, 2),
    )

    @given(ships, ships, SOME_RULES)
    @examples(40)
    def compare(a, b, rules):
        duel = Duel({"a": a, "b": b}, rules, {"a": "crew", "b": "crew"}, TURNS)
        found = of_course(duel.pairs.course(TURNS, 0.0))
        off = np.abs(found - general(a, b, rules).to_numpy()).max()
        matter = any(duel.hands_matter(x) for x in "ab")
        assert matter or off <= ROUNDING
        seen.append((matter, off > 1e-6))

    compare()
    assert (True, True) in seen
    assert (False, False) in seen


def test_ships_alike_are_mirror_images(random_ships):
    @given(random_ships, SOME_RULES)
    @examples(15)
    def compare(a, rules):
        ships = {"a": a, "b": a}
        courses = [
            of_course(Duel(ships, rules, {"a": "", "b": ""}, 4).pairs.course(4, 0.0, alike=alike))
            for alike in (False, True)
        ]
        assert courses[0] == pytest.approx(courses[1], abs=ROUNDING)

    compare()


def test_pruning_is_counted(make_small, small_matters):
    a, b = make_small(hull=40), make_small(hull=40, kph=12)
    whole = general(a, b, gurps.HouseRules(), 12)
    for within in (1e-1, 1e-3, 1e-6):
        table = gurps.odds.out_of_action(a, b, turns=12, within=within)
        short = 1 - table[OUTCOMES].sum(axis=1)
        assert (short >= -ROUNDING).all()
        assert (short <= table["error"] + ROUNDING).all()
        assert np.abs(table[OUTCOMES] - whole).to_numpy().max() <= table["error"].max()


READY = [("Brig", "Brigantine"), ("Barquentine", "Brig"), ("Tern Schooner", "Brig")]


@pytest.mark.parametrize(("one", "two"), READY)
def test_ready_ships_against_samples(one, two):
    """Hands of both, hull against hands, and what the general solver has no room for."""
    a, b = gurps.ship(one), gurps.ship(two)
    table = gurps.odds.out_of_action(a, b, turns=12)
    sampled = gurps.duel(a, b, turns=12, chance=nk.Sampled(20_000)).table()
    for turn in (1, 2, 4, 6, 12):
        for outcome in OUTCOMES:
            number = round(sampled.loc[turn, outcome] * 20_000)
            chance = min(1.0, max(0.0, table.loc[turn, outcome]))
            assert binomtest(number, 20_000, chance).pvalue > 1e-8


def test_sloops_that_need_not_reload():
    sloop, rules = gurps.ship("Sloop"), gurps.HouseRules(reload="none")
    table = gurps.odds.out_of_action(sloop, sloop, within=1e-12, rules=rules)
    assert table["error"].max() <= 1e-12
    assert table.loc[30, "a"] == pytest.approx(table.loc[30, "b"], abs=1e-12)
    few = gurps.odds.out_of_action(sloop, sloop, turns=2, within=1e-12, rules=rules)
    expected = gurps.duel(sloop, sloop, turns=2, chance=nk.Exact(), rules=rules).table()
    assert np.abs(few[OUTCOMES] - expected[OUTCOMES]).to_numpy().max() <= 2e-12


def test_what_is_left_out():
    big, brig = gurps.ship("70-gun military"), gurps.ship("Brig")
    _, error, left_out = solve(big, brig, 30, 1e-6, gurps.HouseRules())
    assert left_out == {"a": "crew", "b": "hull"}
    assert error <= 1e-6
    few_hands = gurps.ship("70-gun military", crew=100)
    _, _, left_out = solve(few_hands, brig, 3, 1e-2, gurps.HouseRules())
    assert left_out["a"] != "crew"


def test_many_turns_in_which_little_is_lost(make_small):
    """What goes of a hull in all is many times the hull, were it not sunk long before."""
    changes = dict(dr=0, hull=40, cannons=(1, 1, 0, 0), damage="d", skeleton_crew=5)
    a, b = make_small(**changes), make_small(**changes, kph=12)
    rules = gurps.HouseRules(reload="none")
    _, _, left_out = solve(a, b, 300, 1e-9, rules)
    assert left_out == {"a": "", "b": ""}
    table = gurps.odds.out_of_action(a, b, turns=300, within=1e-9, rules=rules)
    off = np.abs(table[OUTCOMES] - general(a, b, rules, 300)).to_numpy()
    assert off.max() <= table["error"].max() + ROUNDING


def test_bounds_that_there_is_no_room_for(make_small, small_matters, monkeypatch):
    """Then hulls are followed to the end."""
    monkeypatch.setattr("navkit.engine.danger.MOST_KEPT", 0)
    a, b = make_small(crew=3), make_small(crew=4)
    table = gurps.odds.out_of_action(a, b, turns=TURNS, within=1e-9)
    off = np.abs(table[OUTCOMES] - general(a, b, gurps.HouseRules())).to_numpy()
    assert off.max() <= table["error"].max() + ROUNDING


def test_a_bound_out_of_reach(monkeypatch):
    """With the hull left out the bound is too wide, and with it there are too many pairs."""
    sloop = gurps.ship("Sloop")
    monkeypatch.setattr("navkit.engine.pairs.MOST_PAIRS", 20_000)
    with pytest.raises(nk.InputError, match=r"within: got 1e-09, allowed is \de-05 or more"):
        gurps.odds.out_of_action(sloop, sloop, within=1e-9)
    monkeypatch.setattr("navkit.engine.pairs.MOST_PAIRS", 10)
    with pytest.raises(nk.InputError, match=r"within: got 1e-09, allowed is .*Sampled"):
        gurps.odds.out_of_action(sloop, sloop, within=1e-9)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (dict(within=0), "within: got 0"),
        (dict(within=0.5), "within: got 0.5"),
        (dict(within="1e-6"), "within: got '1e-6'"),
        (dict(turns=0), "turns: got 0"),
        (dict(b="Brig"), "b: got 'Brig'"),
        (dict(rules={}), "rules: got"),
    ],
)
def test_bad_input(make_small, changes, said):
    with pytest.raises(nk.InputError, match=said):
        gurps.odds.out_of_action(**{"a": make_small(), "b": make_small(), **changes})
