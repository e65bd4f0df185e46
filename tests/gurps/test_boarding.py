"""Boardings: the document's example roll by roll, brute force, and exact against sampled."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

import navkit as nk
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.boarding import blow

EXAMPLE = [9, 8, 12, 10, 7, 11, 10, 4]


def test_the_example_roll_by_roll(jewel, sun):
    h = gurps.board(jewel, sun, turns=4, chance=nk.Scripted(EXAMPLE))
    assert h.mean("a", "crew").tolist() == [50, 40, 31, 26, 16]
    assert h.mean("b", "crew").tolist() == [30, 21, 14, 6, 2]
    assert h.log["side"].tolist() == ["a", "b"] * 4
    assert h.log["result"].tolist() == EXAMPLE
    # half of the losses of each turn, rounded down, are deaths: 5 4 2 5 and 4 3 4 2
    assert h.mean("a", "dead").tolist() == [0, 5, 9, 11, 16]
    assert h.mean("b", "dead").tolist() == [0, 4, 7, 11, 13]
    assert h.mean("a", "wounded").iloc[-1] + 16 + 16 == 50


def test_the_hopeless_crew_gives_up(jewel, sun):
    rules = gurps.HouseRules(surrender_ratio=8)
    h = gurps.board(jewel, sun, turns=9, chance=nk.Scripted(EXAMPLE), rules=rules)
    assert h.outcome()["a"] == 1
    assert h.cause("b")["captured"].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    with pytest.raises(nk.InputError, match="roll 9"):
        gurps.board(jewel, sun, turns=4, chance=nk.Scripted([*EXAMPLE, 9, 9]))


@pytest.mark.parametrize(
    ("rules", "crews"),
    [
        ({}, (40, 21)),
        (dict(boarding_margin="if succeeded"), (40, 21)),
        (dict(boarding_margin="own margin"), (34, 21)),
    ],
)
def test_readings_of_the_margin(jewel, sun, rules, crews):
    h = gurps.board(
        jewel, sun, turns=1, chance=nk.Scripted([9, 8]), rules=gurps.HouseRules(**rules)
    )
    assert (h.mean("a", "crew")[1], h.mean("b", "crew")[1]) == crews


@pytest.mark.parametrize(
    ("margin", "bonus"), [("difference", 1), ("if succeeded", 0), ("own margin", 0)]
)
def test_a_winner_whose_own_roll_failed(jewel, sun, margin, bonus):
    """18 and 17 fail on both sides: Jewel by 3, Sun by 1, so Sun wins by 2 or not at all."""
    rules = gurps.HouseRules(boarding_margin=margin)
    h = gurps.board(jewel, sun, turns=1, chance=nk.Scripted([18, 17]), rules=rules)
    assert 50 - h.mean("a", "crew")[1] == 6 + 2 + 2 * bonus


@pytest.mark.parametrize(
    ("reading", "fifths"),
    [
        ("nearest", [0, 0, 0, 1, 1, 1, 1, 1, 2]),
        ("down", [0, 0, 0, 0, 0, 1, 1, 1, 1]),
        ("up", [0, 1, 1, 1, 1, 1, 2, 2, 2]),
    ],
)
def test_a_fifth_of_the_hands(reading, fifths):
    rules = gurps.HouseRules(boarding_round=reading)
    assert blow(np.arange(9), 0, np.zeros(9, int), rules).tolist() == fifths
    assert blow(np.array([14, 21]), 0, 0, gurps.HouseRules()).tolist() == [3, 4]


def test_nobody_heals_by_a_blow():
    assert blow(np.array([1, 2]), -1, np.array([0, 0]), gurps.HouseRules()).tolist() == [0, 0]


def recursion(a, b, turns):
    """Chances of a takes b, b takes a, both gone, undecided: default rules, plain integers."""
    rolls = {}
    for faces in product(range(1, 7), repeat=3):
        rolls[sum(faces)] = rolls.get(sum(faces), 0) + 1
    skills = [ship.expertise + ship.officers.level("tactics") for ship in (a, b)]
    margins: dict[int, Fraction] = {}
    for (x, p), (y, q) in product(rolls.items(), repeat=2):
        margin = (skills[0] - x) - (skills[1] - y)
        margins[margin] = margins.get(margin, 0) + Fraction(p * q, 216**2)

    def fifth(crew):
        return int(Fraction(crew, 5) + Fraction(1, 2))

    def loss(out, crew, ship):
        dying, hurt = out // 2, out - out // 2
        points = max(0, ship.officers.level("medic"))
        kept = min(hurt, points)
        fit = min(dying, (points - kept) // 2)
        return max(0, crew - dying - hurt + kept + fit)

    @cache
    def play(crew_a, crew_b, left):
        if crew_a <= 0 or crew_b <= 0 or left == 0:
            place = 3 if crew_a > 0 and crew_b > 0 else 2 if crew_a + crew_b <= 0 else crew_a <= 0
            return tuple(Fraction(i == place) for i in range(4))
        total = [Fraction(0)] * 4
        for margin, chance in margins.items():
            by_a = max(0, fifth(crew_a) + a.weapon + max(0, margin))
            by_b = max(0, fifth(crew_b) + b.weapon + max(0, -margin))
            after = play(loss(by_b, crew_a, a), loss(by_a, crew_b, b), left - 1)
            for i in range(4):
                total[i] += chance * after[i]
        return tuple(total)

    return play(a.crew, b.crew, turns)


@pytest.mark.parametrize(
    ("crew_a", "crew_b", "medic", "weapon"), [(12, 10, None, -1), (9, 14, 1, 2), (7, 7, 3, -2)]
)
def test_against_an_independent_recursion(make_small, crew_a, crew_b, medic, weapon):
    officers = gurps.Officers(leadership=5, tactics=1, medic=medic)
    a = make_small(crew=crew_a, officers=officers, weapon=weapon)
    b = make_small(crew=crew_b, expertise=13, weapon=0)
    h = gurps.board(a, b, turns=6, chance=nk.Exact())
    expected = recursion(a, b, 6)
    found = h.outcome()
    for name, chance in zip(("a", "b", "both"), expected, strict=False):
        assert found[name] == pytest.approx(float(chance), abs=1e-12)
    assert found["undecided"] + found["stalemate"] == pytest.approx(float(expected[3]), abs=1e-12)


def test_both_ways_of_keeping_tracks_agree(jewel, sun):
    means = gurps.board(jewel, sun, turns=12, chance=nk.Exact())
    whole = gurps.board(jewel, sun, turns=12, chance=nk.Exact(distributions=("dead", "wounded")))
    for side in ("a", "b"):
        for track in ("dead", "wounded", "crew"):
            one, two = means.mean(side, track), whole.mean(side, track)
            assert one.to_numpy() == pytest.approx(two.to_numpy(), abs=1e-9)
    assert whole.quantiles("a", "dead", [0.5]).iloc[0, 0] == 0
    with pytest.raises(nk.InputError, match="distributions"):
        means.quantiles("a", "dead", [0.5])


@given(
    crews=st.tuples(st.integers(1, 60), st.integers(1, 60)),
    expertise=st.integers(8, 16),
    weapon=st.integers(-2, 4),
    medic=st.integers(-1, 5),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=40, derandomize=True, deadline=None, database=None)
def test_exact_and_sampled_agree(crews, expertise, weapon, medic, seed):
    officers = gurps.Officers(leadership=5, tactics=1, medic=medic)
    a = gurps.ship("Sloop", crew=crews[0], expertise=expertise, officers=officers)
    b = gurps.ship("Brig", crew=crews[1], weapon=weapon)
    exact = gurps.board(a, b, turns=5, chance=nk.Exact()).table()
    sampled = gurps.board(a, b, turns=5, chance=nk.Sampled(8192, seed)).table()
    for turn in range(1, 6):
        for name in ("a", "b", "both"):
            chance = min(1.0, exact.loc[turn, name])
            number = round(sampled.loc[turn, name] * 8192)
            if 1e-12 < chance < 1 - 1e-12:
                assert binomtest(number, 8192, chance).pvalue > 1e-6 / 600


def test_a_mirror_match_is_even(jewel):
    h = gurps.board(jewel, jewel, turns=10, chance=nk.Exact())
    assert h.outcome()["a"] == pytest.approx(h.outcome()["b"], abs=1e-12)
    assert h.outcome().sum() + h.lost == pytest.approx(1, abs=1e-12)


def test_nobody_left_to_hurt_is_a_stalemate():
    """Two hands with knives on each side and equal skill 3: blows only come from the contest."""
    one = gurps.ship("Sloop", crew=2, weapon=-20)
    h = gurps.board(one, one, turns=8, chance=nk.Exact())
    assert h.outcome()["stalemate"] == pytest.approx(1)


def test_contest_against_all_faces():
    a = gurps.ship("Sloop", officers=gurps.Officers(leadership=2, tactics=2))
    b = gurps.ship("Brig")
    chances = gurps.odds.contest(a, b)
    rolls = [sum(faces) for faces in product(range(1, 7), repeat=3)]
    counts = np.bincount(rolls, minlength=19)
    won = sum(
        int(counts[x] * counts[y]) for x in range(3, 19) for y in range(3, 19) if 14 - x > 12 - y
    )
    tied = sum(
        int(counts[x] * counts[y]) for x in range(3, 19) for y in range(3, 19) if 14 - x == 12 - y
    )
    assert chances["win"] == pytest.approx(won / 216**2, rel=1e-12)
    assert chances["tie"] == pytest.approx(tied / 216**2, rel=1e-12)
    assert chances.sum() == pytest.approx(1, abs=1e-12)
