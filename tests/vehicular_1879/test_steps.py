"""Step dice against the printed table, closed forms, and an independent exact computation."""

import re
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

import numpy as np
import pytest

import navkit as nk
from navkit.dice import thresholds
from navkit.rulebooks import vehicular_1879 as v
from navkit.rulebooks.vehicular_1879.steps import dice_of, successes_of

FOURTH = """1 D4−2 · 2 D4−1 · 3 D4 · 4 D6 · 5 D8 · 6 D10 · 7 D12 · 8 2D6 · 9 D8+D6 · 10 2D8 ·
11 D10+D8 · 12 2D10 · 13 D12+D10 · 14 2D12 · 15 D12+2D6 · 16 D12+D8+D6 · 17 D12+2D8 ·
18 D12+D10+D8 · 19 D20+2D6 · 20 D20+D8+D6 · 21 D20+2D8 · 22 D20+D10+D8 · 23 D20+2D10 ·
24 D20+D12+D10 · 25 D20+2D12 · 26 D20+D12+2D6 · 27 D20+D12+D8+D6 · 28 D20+D12+2D8 ·
29 D20+D12+D10+D8 · 30 2D20+2D6 · 31 2D20+D8+D6 · 32 2D20+2D8 · 33 2D20+D10+D8 · 34 2D20+2D10 ·
35 2D20+D12+D10 · 36 2D20+2D12 · 37 2D20+D12+2D6 · 38 2D20+D12+D8+D6 · 39 2D20+D12+2D8 ·
40 2D20+D12+D10+D8 · 41 3D20+2D6"""
THIRD = """1 D6−3 · 2 D6−2 · 3 D6−1 · 4 D6 · 5 D8 · 6 D10 · 7 D12 · 8 2D6 · 9 D8+D6 · 10 2D8 ·
11 D10+D8 · 12 2D10 · 13 D12+D10 · 14 2D12 · 15 D12+2D6 · 22 2D12+2D6 · 28 2D12+2D12"""
FIRST = """1 D4−2 · 9 D8+D6 · 10 D10+D6 · 14 D20+D4 · 18 D20+D12 · 25 D20+D10+D8+D4 ·
30 D20+D10+D8+2D6 · 34 D20+3D10+D8 · 36 2D20+D10+D8+D4 · 37 2D20+D10+D8+D6 · 40 2D20+D12+D10+D8"""
STEPS = range(1, 41)
DIFFICULTIES = range(2, 61)
HIGHEST = 330


def printed(text):
    """Sides and constant of each step, read from a printed list."""
    for entry in text.replace("\n", " ").split("·"):
        number, dice = entry.split()
        sides = []
        for count, side in re.findall(r"(\d*)D(\d+)", dice):
            sides += [int(side)] * int(count or 1)
        added = re.search(r"−(\d+)$", dice)
        yield int(number), sorted(sides), -int(added.group(1)) if added else 0


@pytest.mark.parametrize(
    ("edition", "text"), [("fourth", FOURTH), ("third", THIRD), ("first", FIRST)]
)
def test_dice_of_steps_are_those_printed(edition, text):
    for number, sides, constant in printed(text):
        known = dice_of(number, edition)
        assert (sorted(known.sides), known.constant) == (sides, constant)


def test_the_other_first_edition_differs_in_step_14_alone():
    differing = [n for n in STEPS if dice_of(n, "first") != dice_of(n, "first, 14 is 2d12")]
    assert differing == [14]
    assert dice_of(14, "first, 14 is 2d12").sides == (12, 12)


def test_steps_go_on_after_forty_with_another_d20_each_eleven():
    for number in range(8, 120):
        assert sorted(dice_of(number + 11).sides) == sorted((*dice_of(number).sides, 20))


@pytest.mark.parametrize("number", STEPS)
def test_means_are_those_of_the_closed_form(number):
    sides, constant = {n: (s, c) for n, s, c in printed(FOURTH)}[number]
    expected = sum(Fraction(s * (s + 1), 2 * (s - 1)) for s in sides) + constant
    assert v.step(number, minimum=None).mean == pytest.approx(float(expected), abs=1e-9, rel=0)


def die(sides, total):
    """P(exploding die = total), as the facts beneath the rulebook give it."""
    times, rest = divmod(total, sides)
    return Fraction(1, sides ** (times + 1)) if rest else Fraction(0)


@pytest.mark.parametrize(("number", "sides"), [(3, 4), (4, 6), (5, 8), (6, 10), (7, 12)])
def test_single_dice_have_a_saw_tooth(number, sides):
    rolled = v.step(number)
    for total in range(1, 5 * sides):
        assert rolled.equal(total, exact=True) == die(sides, total)
        assert rolled.equal(total) == pytest.approx(float(die(sides, total)), rel=1e-13)
    assert rolled.tail.ratio == pytest.approx(1 / sides)


def brute_force(sides, most):
    """All ways to come to totals up to `most`, die by die and roll by roll."""
    found = {}

    def explode(left, total, chance, fresh):
        if total > most:
            return
        if not left:
            found[total] = found.get(total, 0) + chance
            return
        for face in range(1, left[0] + 1):
            again = face == left[0]
            explode(left if again else left[1:], total + face, chance / left[0], not again)

    explode(sides, 0, Fraction(1), True)
    return found


@pytest.mark.parametrize("number", [1, 2, 3, 8, 9, 10, 15])
def test_totals_against_brute_force_over_faces(number):
    known, most = dice_of(number), 22
    expected = brute_force(known.sides, most - known.constant)
    rolled = v.step(number, minimum=None)
    for total in range(rolled.min - 1, most + 1):
        chance = expected.get(total - known.constant, Fraction(0))
        assert rolled.equal(total, exact=True) == chance
        assert rolled.equal(total) == pytest.approx(float(chance), abs=1e-14)


def test_a_result_is_at_least_one():
    for number in (1, 2):
        raw, clamped = v.step(number, minimum=None), v.step(number)
        assert clamped.min == 1
        assert raw.min == number - 2
        assert clamped.equal(1, exact=True) == raw.at_most(1, exact=True)
        assert clamped.at_least(900, exact=True) == raw.at_least(900, exact=True) > 0


def test_exact_answers_are_not_cut_where_the_array_is():
    rolled = v.step(15, tail=1e-3)
    assert rolled.max < 60
    assert rolled.at_least(rolled.max + 50) <= rolled.tail.mass < 1e-3
    deep = rolled.at_least(600, exact=True)
    assert 0 < deep < Fraction(1, 10**40)
    assert deep == v.step(15).at_least(600, exact=True)
    with pytest.raises(nk.InputError, match=r"threshold: got 20001"):
        rolled.at_most(20_001, exact=True)


def test_the_tail_is_what_was_cut():
    for number in STEPS:
        rolled = v.step(number)
        cut = rolled.at_least(rolled.max + 1, exact=True)
        # what lies above the array, and what dice that were cut would have added within it
        assert 0 < float(cut) <= rolled.tail.mass * (1 + 1e-9) < 1e-15
        assert rolled.pmf.sum() + rolled.tail.mass == pytest.approx(1, abs=1e-14)


# Successes


@cache
def whole_numbers(sides):
    """Exact chances of totals up to HIGHEST, as numerators over one denominator.

    Each die's chances are those of `die`, brought to one denominator; sums are added up in
    whole numbers.
    """
    first, *others = sides
    scale = first ** (HIGHEST // first + 1)
    mine = [int(die(first, total) * scale) if total else 0 for total in range(HIGHEST + 1)]
    if not others:
        return np.array(mine, dtype=object), scale
    rest, rest_scale = whole_numbers(tuple(others))
    total = np.zeros(HIGHEST + 1, dtype=object)
    for value, ways in enumerate(mine):
        if ways:
            total[value:] += ways * rest[: HIGHEST + 1 - value]
    return total, scale * rest_scale


@pytest.mark.parametrize("number", STEPS)
def test_success_counts_against_an_independent_exact_computation(number):
    sides, constant = {n: (tuple(s), c) for n, s, c in printed(FOURTH)}[number]
    ways, scale = whole_numbers(sides)
    all_ones = Fraction(1, prod(sides)) if len(sides) >= 2 else Fraction(0)
    for difficulty in DIFFICULTIES:
        known = v.odds.successes(number, difficulty)
        expected = {-1: all_ones}
        for total in range(len(sides), HIGHEST + 1):
            result = max(total + constant, 1)
            count = 1 + (result - difficulty) // 5 if result >= difficulty else 0
            if total > len(sides) or not all_ones:
                expected[count] = expected.get(count, 0) + Fraction(int(ways[total]), scale)
        beyond = 1 - sum(expected.values())
        assert 0 < beyond < Fraction(1, 10**12)
        counts = range(-1, max(expected) + 1)
        told = [known.equal(count) for count in counts]
        right = [float(expected.get(count, 0)) for count in counts]
        assert np.abs(np.subtract(told, right)).max() < 1e-12
        assert known.pmf.sum() == pytest.approx(1, abs=1e-12)
        for count in (-1, 0, 1, 3):
            assert known.equal(count, exact=True) == expected.get(count, 0)


def test_step_8_against_8_and_against_2():
    assert v.odds.successes(8, 8).at_least(1, exact=True) == Fraction(17, 36)
    assert v.odds.successes(8, 2).at_least(1, exact=True) == Fraction(35, 36)
    assert v.odds.successes(8, 2).equal(-1, exact=True) == Fraction(1, 36)


@pytest.mark.parametrize(
    ("total", "expected"), [(7, 0), (8, 1), (12, 1), (13, 2), (17, 2), (18, 3), (2, -1)]
)
def test_each_five_points_above_are_a_success(total, expected):
    assert successes_of(np.array([total]), 8, one=2).tolist() == [expected]


def test_rule_of_one_takes_all_dice_and_two_of_them():
    lone = v.HouseRules(rule_of_one_min_dice=1)
    assert v.odds.successes(4, 3).equal(-1) == 0
    assert v.odds.successes(4, 3, rules=lone).equal(-1, exact=True) == Fraction(1, 6)
    assert v.odds.successes(1, 2, rules=lone).equal(-1, exact=True) == Fraction(1, 4)
    # a Karma die counts among the dice, and makes two of one
    assert v.odds.successes(4, 3, karma=4).equal(-1, exact=True) == Fraction(1, 36)
    assert v.odds.successes(8, 3, karma=4).equal(-1, exact=True) == Fraction(1, 216)


def test_karma_as_a_die_is_one_more_exploding_die():
    with_die = v.step(8, karma=4)
    three = sum(1 for faces in product(range(1, 6), repeat=3) if sum(faces) == 9)
    # no die explodes and comes to 9, or one does and the rest come to what is left
    exploded = sum(
        die(6, a) * die(6, b) * die(6, c)
        for a, b, c in product(range(1, 8), repeat=3)
        if a + b + c == 9 and max(a, b, c) > 6
    )
    assert with_die.equal(9, exact=True) == Fraction(three, 216) + exploded
    assert with_die.mean == pytest.approx(3 * 4.2, abs=1e-9)


def test_points_are_added_to_the_result():
    moved, plain = v.odds.successes(12, 10, points=3), v.odds.successes(12, 7)
    for count in range(-1, 8):
        assert moved.equal(count, exact=True) == plain.equal(count, exact=True)
        assert moved.equal(count) == pytest.approx(plain.equal(count), abs=1e-15)


def test_a_table_of_chances_by_step_and_difficulty():
    table = v.odds.success_table([8, 15], [5, 8], at_least=2)
    assert table.shape == (2, 2)
    assert table.loc[15, 8] == v.odds.successes(15, 8).at_least(2)
    assert (table[5] > table[8]).all()


@pytest.mark.parametrize("number", [0, -1, 301, 1.5, True, "8"])
def test_steps_that_are_none(number):
    with pytest.raises(nk.InputError, match=r"step: got .*a whole number from 1 to 300"):
        v.step(number)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: v.step(41, rules=v.HouseRules(edition="first")), "step: got 41, .* 1 to 40"),
        (lambda: v.step(8, tail=0), "tail: got 0"),
        (lambda: v.step(8, tail=1), "tail: got 1"),
        (lambda: v.step(8, karma=-1), "karma: got -1"),
        (lambda: v.odds.successes(8, 0), "difficulty: got 0"),
        (lambda: v.odds.successes(0, 8), "step: got 0"),
        (lambda: v.odds.success_table(5, [6]), "steps: got 5"),
        (lambda: v.odds.success_table([5], 6), "difficulties: got 6"),
        (lambda: v.odds.success_table([5, 6, 5], [6]), r"steps: got \[5, 6, 5\], .* each once"),
        (lambda: v.odds.success_table([5], []), "difficulties: got"),
        (lambda: v.odds.success_table([5], [6], at_least="1"), "at_least: got '1'"),
        (lambda: v.step(8, rules="fourth"), "rules: got 'fourth'"),
        (lambda: v.HouseRules(edition="second"), "house rule edition: got 'second'"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(nk.InputError, match=message):
        call()


@pytest.mark.parametrize("number", [1, 2, 4, 8, 20])
def test_sampled_rolls_follow_the_same_chances(number):
    """Draws are made from whole-number counts, which must begin where the distribution does."""
    for rolled in (v.step(number), v.step(number, minimum=None), v.odds.successes(number, 4)):
        edges = thresholds(rolled)
        reached = np.cumsum(rolled.pmf)[:-1]
        assert np.abs(edges.astype(float) / 2.0**64 - reached).max() < 1e-14
