"""Dice against brute force over all faces, and notation against what people type."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import navkit as nk
from navkit.dice import exploding, thresholds


def brute_force(count, sides, value=sum):
    found = Counter(value(faces) for faces in product(range(1, sides + 1), repeat=count))
    return {total: Fraction(number, sides**count) for total, number in found.items()}


def assert_is(distribution, expected):
    for value, chance in expected.items():
        assert distribution.equal(value, exact=True) == chance
        assert distribution.equal(value) == pytest.approx(float(chance), rel=1e-13)
    assert sum(expected.values()) == 1
    assert distribution.min == min(expected)
    assert distribution.max == max(expected)


@pytest.mark.parametrize(("count", "sides"), [(1, 6), (2, 6), (5, 6), (4, 4), (3, 8), (2, 20)])
def test_sums_of_dice(count, sides):
    assert_is(nk.dice(f"{count}d{sides}"), brute_force(count, sides))


@pytest.mark.parametrize(("count", "keep"), [(4, 3), (4, 1), (5, 2), (3, 3)])
def test_kept_dice(count, keep):
    high = brute_force(count, 6, lambda faces: sum(sorted(faces)[-keep:]))
    low = brute_force(count, 6, lambda faces: sum(sorted(faces)[:keep]))
    assert_is(nk.dice(f"{count}d6kh{keep}"), high)
    assert_is(nk.dice(f"{count}d6kl{keep}"), low)


def test_the_worked_example():
    assert nk.dice("4d6").at_most(12, exact=True) == Fraction(145, 432)


def test_success_rolls_of_gurps():
    reached = [1, 4, 10, 20, 35, 56, 81, 108, 135, 160, 181, 196, 206, 212, 215, 216]
    roll = nk.dice("3d6")
    assert [roll.at_most(n, exact=True) for n in range(3, 19)] == [
        Fraction(n, 216) for n in reached
    ]


@given(
    first=st.tuples(st.integers(1, 3), st.integers(1, 6)),
    second=st.tuples(st.integers(1, 3), st.integers(1, 6)),
    factor=st.integers(-3, 4),
    added=st.integers(-9, 9),
)
@settings(max_examples=60, derandomize=True, deadline=None)
def test_arithmetic_against_all_faces(first, second, factor, added):
    def spell(dice):
        return nk.dice(f"{dice[0]}d{dice[1]}")

    expected = Counter()
    for x, p in brute_force(*first).items():
        for y, q in brute_force(*second).items():
            expected[max(0, factor * x - y + added) // 2] += p * q
    made = (spell(first) * factor - spell(second) + added).clip(0) // 2
    assert_is(made, expected)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("d6", "1d6"),
        ("5d", "5d6"),
        ("5 d x 10", "5d6 * 10"),
        ("5dx10", "10 * 5d6"),
        ("3d6+-1", "3d6-1"),
        (" - d6 ", "-1*d6"),
        ("3d6 − 2", "3d6-2"),
        ("d%", "d100"),
        ("3D6", "3d6"),
        ("2d6+d8-1", "d8 + 2d6 + -1"),
        ("4 * (2d6 + 1)", "2d6x4+4"),
        ("((2d6))//2", "2d6 // 2"),
        ("3d1", "3"),
        ("2d6 - 2d6", "2d6 - (2d6)"),
    ],
)
def test_notation_that_people_type(text, same):
    one, two = nk.dice(text), nk.dice(same)
    assert one.min == two.min
    assert np.array_equal(one.pmf, two.pmf)


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "dice, a number"),
        ("3d6 damage", 5, "an operator or the end"),
        ("999999999d999999999", 11, "1 to 50000 sides"),
        ("99999d6", 1, "different totals"),
        ("d1!", 3, "stop exploding"),
        ("d0", 2, "sides"),
        ("0d6", 1, "at least 1 die"),
        ("4000d6", 1, "fewer or smaller dice"),
        ("d9999+d9999+d9999", 12, "fewer or smaller dice"),
        ("25d25kh15+25d25kh15", 16, "fewer or smaller dice"),
        ("30d30kh20", 6, "fewer or smaller dice"),
        ("3d6kh", 6, "how many dice"),
        ("3d6kh4", 6, "1 to 3 dice"),
        ("2d6*d6", 4, "a number on one side"),
        ("(2d6", 5, "')'"),
        ("2d6)", 4, "an operator or the end"),
        ("3d6++", 6, "dice, a number"),
        ("1 2", 3, "an operator or the end"),
        ("2d6//0", 4, "from 1 up"),
        ("d6*99999999", 3, "different totals"),
        ("9" * 12, 1, "a number up to"),
        ("(" * 60, 42, "brackets"),
        ("9" * 6000, 500, "up to 500"),
        ("__import__('os')", 1, "dice, a number"),
    ],
)
def test_a_mistake_is_shown_with_its_place(text, column, expected):
    with pytest.raises(nk.NotationError) as caught:
        nk.dice(text)
    assert caught.value.column == column
    assert expected in caught.value.expected
    assert f"column {column}" in str(caught.value)


@pytest.mark.parametrize("text", [36, None, ["3d6"]])
def test_only_text_is_notation(text):
    with pytest.raises(nk.InputError, match="dice: got"):
        nk.dice(text)


@given(st.text(alphabet="0123456789dkhlx!%+-*/() D×−", max_size=24))
@settings(max_examples=400, derandomize=True, deadline=None)
def test_any_text_gives_dice_or_a_clear_error(text):
    found = column = None
    try:
        found = nk.dice(text)
    except nk.NotationError as error:
        column = error.column
    if found is None:
        assert 1 <= column <= len(text) + 1
    else:
        assert found.pmf.sum() + found.tail.mass == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("count", "sides"), [(3000, 6), (10, 300), (49_999, 2)])
def test_the_best_and_the_worst_of_many_dice(count, sides):
    best, worst = (nk.dice(f"{count}d{sides}k{how}1") for how in "hl")
    for face in (1, 2, sides // 2, sides):
        at_most = Fraction(face, sides) ** count
        assert best.at_most(face, exact=True) == at_most
        assert worst.at_least(sides + 1 - face, exact=True) == at_most


def test_a_thousand_dice():
    many = nk.dice("1000d6")
    assert many.mean == pytest.approx(3500, rel=1e-12)
    assert many.std == pytest.approx(np.sqrt(1000 * 35 / 12), rel=1e-12)
    for value in (3000, 3400, 3500):
        exact = float(many.equal(value, exact=True))
        assert many.equal(value) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("sides", [2, 4, 6, 8, 10, 12, 20])
def test_exploding_dice(sides):
    die = exploding(sides)
    assert die.mean == pytest.approx(sides * (sides + 1) / (2 * (sides - 1)), abs=1e-12)
    assert 0 < die.tail.mass < 1e-15
    assert die.tail.ratio == 1 / sides
    for total in range(1, 5 * sides):
        rounds, rest = divmod(total, sides)
        assert die.equal(total, exact=True) == (Fraction(1, sides ** (rounds + 1)) if rest else 0)
        assert die.equal(total) == pytest.approx(float(die.equal(total, exact=True)), rel=1e-14)


def test_exploding_dice_clipped_beyond_their_cut():
    die = nk.dice("d4!")
    far = die.max + 40
    clipped = die.clip(3, far)
    assert (clipped.min, clipped.max) == (3, far)
    assert clipped.pmf.sum() == pytest.approx(1, abs=1e-15)
    assert clipped.tail.mass == 0
    assert clipped.equal(3, exact=True) == die.at_most(3, exact=True)
    assert clipped.equal(far - 1, exact=True) == die.equal(far - 1, exact=True) > 0
    assert clipped.equal(far, exact=True) == die.at_least(far, exact=True)


@pytest.mark.parametrize("notation", ["3d6", "d4!", "2d4!", "4*5d6 - 50", "2d6 - 9"])
def test_tails_of_many_values_at_once(notation):
    found = nk.dice(notation)
    values = np.arange(found.min - 3, found.max + 40)
    one_by_one = [found.at_least(int(value)) for value in values]
    assert found.at_least_each(values).tolist() == pytest.approx(one_by_one, rel=1e-12, abs=1e-300)


def test_exact_answers_of_exploding_dice_are_not_cut():
    assert nk.dice("d4!").at_least(4 * 300 + 1, exact=True) == Fraction(1, 4**300)
    two = nk.dice("2d4!")
    assert two.equal(10, exact=True) == sum(
        exploding(4).equal(k, exact=True) * exploding(4).equal(10 - k, exact=True)
        for k in range(1, 10)
    )


def test_exploding_sums_say_what_they_cut():
    cut = nk.dice("3d6!")
    assert 0 < cut.tail.mass < 1e-15
    assert cut.pmf.sum() + cut.tail.mass == pytest.approx(1, abs=1e-14)


def test_scaling_is_not_repeating():
    die = nk.dice("5d6")
    assert (die * 4).mean == pytest.approx(die.repeat(4).mean)
    assert (die * 4).std == pytest.approx(2 * die.repeat(4).std)


def test_questions():
    die = nk.dice("d6")
    assert (die.at_most(0), die.at_most(6), die.at_least(7)) == (0, pytest.approx(1), 0)
    assert [die.quantile(q) for q in (0, 1 / 6, 0.5, 0.51, 1)] == [1, 1, 3, 4, 6]
    assert die.table()["at_least"].tolist() == pytest.approx([1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6])
    assert float(die <= 2) == pytest.approx(1 / 3)
    assert float(die == die) == pytest.approx(1 / 6)
    assert float(die != 3) == pytest.approx(5 / 6)
    assert float(die > nk.dice("d4")) == pytest.approx(14 / 24)


@pytest.mark.parametrize("use", [lambda d: bool(d < 3), lambda d: bool(d == 3), bool])
def test_a_comparison_is_not_a_truth(use):
    with pytest.raises(TypeError, match="neither true nor false"):
        use(nk.dice("d6"))


def test_dice_times_dice_is_refused():
    with pytest.raises(TypeError, match="repeat"):
        nk.dice("d6") * nk.dice("d6")


def test_a_distribution_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        nk.dice("d6").pmf[0] = 1


def test_exact_weights():
    made = nk.Distribution.of({0: Fraction(1, 3), 2: Fraction(1, 6)})
    assert made.equal(2, exact=True) == Fraction(1, 3)
    with pytest.raises(nk.InputError):
        nk.Distribution.of({1: -1, 2: 3})
    with pytest.raises(nk.InputError, match="exact"):
        nk.Distribution(0, np.array([0.5, 0.5])).at_most(0, exact=True)


@pytest.mark.parametrize("pmf", [[], [-0.5, 1.5], [np.nan, 1.0], 1.0, [[1.0]], "x", None])
def test_a_pmf_that_cannot_be_is_refused(pmf):
    with pytest.raises(nk.InputError, match="pmf: got"):
        nk.Distribution(0, pmf)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({}, "probabilities: got"),
        ([1, 2], "probabilities: got"),
        ({0.5: 1}, "value: got 0.5"),
        ({"a": 1}, "value: got 'a'"),
        ({1: math.nan}, "weight: got nan"),
        ({1: math.inf}, "weight: got inf"),
        ({1: "1/2"}, "weight: got '1/2'"),
        ({1: 1, 10**9: 1}, "different totals"),
    ],
)
def test_weights_that_cannot_be_are_refused(weights, said):
    with pytest.raises(nk.InputError, match=said):
        nk.Distribution.of(weights)


def test_thresholds_are_counted_exactly():
    edges = thresholds(nk.dice("3d6"))
    counts = [1, 4, 10, 20, 35, 56, 81, 108, 135, 160, 181, 196, 206, 212, 215]
    assert edges.tolist() == [n * 2**64 // 216 for n in counts]
