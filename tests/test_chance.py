"""The three kinds of chance: what a roll returns, and what one seed means."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

import navkit as nk
from navkit.chance import GROUP, ScriptError, distinct_tuples
from navkit.engine.branches import Branches, distribution
from navkit.engine.draws import Draws
from navkit.engine.script import Script
from navkit.errors import number


def doubles(shown):
    return (shown >= 2).sum(axis=0)


def draws(fights=64 * GROUP, seed=1):
    return Draws(seed, np.arange(fights // GROUP), None)


@pytest.mark.parametrize("rows", [1, 2, 6, 16, 26, 31])
def test_rolls_are_axes_and_rows_stay_last(rows):
    branches = Branches(rows)
    skill = np.arange(rows) % 20
    hit = branches.check("3d6", skill, why="attack")
    damage = branches.roll("5d6", why="damage")
    more = branches.roll_from(nk.dice("d6").repeat, np.arange(rows) % 3, why="more")
    total, weight = np.broadcast_arrays(np.where(hit, damage, 0) + more, branches.probability())
    assert total.shape == (*more.shape[:1], 26, 2, rows)
    assert weight.sum(axis=(0, 1, 2)) == pytest.approx(np.ones(rows))
    roll = nk.dice("3d6")
    expected = [roll.at_most(int(s)) * 17.5 + int(r % 3) * 3.5 for r, s in enumerate(skill)]
    assert (total * weight).sum(axis=(0, 1, 2)) == pytest.approx(expected)


def test_a_check_may_depend_on_an_earlier_roll():
    branches = Branches(rows=3)
    first = branches.roll("d6", why="target")
    hit = branches.check("d6", first + np.array([0, 1, -1]), why="under it")
    weight = branches.probability()
    chance = (np.broadcast_to(hit, weight.shape) * weight).sum(axis=(0, 1))
    expected = [
        sum(y <= x + more for x, y in product(range(1, 7), repeat=2)) / 36 for more in (0, 1, -1)
    ]
    assert chance == pytest.approx(expected)


def test_then_merges_before_it_becomes_an_axis():
    branches = Branches(rows=1)
    margin = branches.roll("3d6", "3d6", then=lambda x, y: x - y, why="contest")
    assert margin.shape == (31, 1)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_faces_against_all_faces(count):
    found = distribution(lambda c: c.faces(6, np.array([count]), doubles, why="doubles"))
    every = list(product(range(1, 7), repeat=count))
    pairs = [sum(faces.count(f) >= 2 for f in range(1, 7)) for faces in every]
    for value in range(3):
        assert found.equal(value) == pytest.approx(pairs.count(value) / len(every))
    sampled = draws().faces(6, np.full(64 * GROUP, count), doubles, why="doubles")
    for value in range(3):
        number = int((sampled == value).sum())
        chance = min(1.0, found.equal(value))
        assert binomtest(number, len(sampled), chance).pvalue > 1e-6


def test_faces_by_row():
    branches = Branches(rows=3)
    found = branches.faces(6, np.array([0, 2, 3]), doubles, why="doubles")
    weight = branches.probability()
    mean = (found * weight).sum(axis=0)
    assert mean == pytest.approx([0, 1 / 6, 1 - 6 * 5 * 4 / 216])


@pytest.mark.parametrize("text", ["d2", "3d6", "5d6", "2d12!", "4d6kh3", "5dx10-3", "d%"])
def test_draws_follow_the_distribution(text):
    known = nk.dice(text)
    seen = draws().roll(text, why="test")
    counted = np.bincount(seen - known.min, minlength=len(known.pmf))
    common = known.pmf * len(seen) >= 5
    rest = counted[~common].sum(), len(seen) * known.pmf[~common].sum()
    observed, expected = counted[common], known.pmf[common] * len(seen)
    if rest[1] >= 5:
        observed, expected = np.append(observed, rest[0]), np.append(expected, rest[1])
    expected = expected * observed.sum() / expected.sum()
    assert chisquare(observed, expected).pvalue > 1e-6


def test_a_checked_roll_is_the_roll():
    for target in range(2, 20):
        total = draws().roll("3d6", why="roll")
        assert np.array_equal(draws().check("3d6", target, why="check"), total <= target)


def test_one_more_point_moves_the_same_dice_the_same_way():
    easier, harder = (draws().check("3d6", target, why="attack") for target in (13, 12))
    assert (easier >= harder).all()
    assert (easier > harder).any()


def test_rolls_steps_turns_and_seeds_differ():
    seen = set()
    for seed, turn, step, again in [
        (1, 1, 0, 0),
        (2, 1, 0, 0),
        (1, 2, 0, 0),
        (1, 1, 1, 0),
        (1, 1, 0, 1),
    ]:
        luck = draws(GROUP, seed)
        luck.begin(turn, step, again, "")
        seen |= {tuple(luck.roll("d%", why="x")[:20]), tuple(luck.roll("d%", why="x")[:20])}
    assert len(seen) == 10


def philox(key, counter):
    """Philox 4x64-10 written out: four 64-bit numbers for a key and a counter."""
    mask = 2**64 - 1
    k0, k1 = key
    c0, c1, c2, c3 = counter
    for _ in range(10):
        first, second = c0 * 0xD2E7470EE14C6C93, c2 * 0xCA5A826395121157
        c0, c1 = (second >> 64) ^ c1 ^ k0, second & mask
        c2, c3 = (first >> 64) ^ c3 ^ k1, first & mask
        k0, k1 = (k0 + 0x9E3779B97F4A7C15) & mask, (k1 + 0xBB67AE8584CAA73B) & mask
    return c0, c1, c2, c3


def test_a_seed_means_the_same_on_every_machine():
    """Fight n draws word n % 4 of the counter of its place, whatever library makes the numbers."""
    luck = draws(3 * GROUP, seed=7)
    luck.begin(3, 32, 0, "")
    rolled = [luck.roll("d%", why="x"), luck.roll("d%", why="y")]
    for fight in (0, 1, 2, 3, 4, 5, GROUP - 1, GROUP, 2 * GROUP + 77):
        group, place = divmod(fight, GROUP)
        for roll in (0, 1):
            counter = (group * GROUP // 4 + place // 4 + 1, roll, 32, 3)
            number = philox((7, 0), counter)[place % 4]
            assert rolled[roll][fight] == number * 100 // 2**64 + 1


def test_a_script_is_read_in_order():
    script = Script([9, (1, 2, 3), (5,)])
    assert script.roll("3d6", why="first").tolist() == [9]
    assert script.check("3d6", 6, why="second").tolist() == [True]
    assert script.roll("d6", why="third").tolist() == [5]
    script.finish()
    assert [entry.faces for entry in script.log] == [(), (1, 2, 3), (5,)]
    assert [entry.success for entry in script.log] == [None, True, None]


@pytest.mark.parametrize(
    ("rolls", "what"),
    [([2], "got 2"), ([19], "got 19"), ([(1, 2)], "got"), ([(0, 4, 4)], "got"), ([], "None")],
)
def test_a_script_must_hold_possible_rolls(rolls, what):
    with pytest.raises(ScriptError, match=what):
        Script(rolls).roll("3d6", why="attack")


def test_a_script_must_be_used_up():
    script = Script([9, 9])
    script.roll("3d6", why="attack")
    with pytest.raises(ScriptError, match="roll 2"):
        script.finish()


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: nk.Sampled(fights=0), "fights: got 0"),
        (lambda: nk.Sampled(fights=10**9), "fights: got 1000000000"),
        (lambda: nk.Sampled(fights=2.5), "fights: got 2.5"),
        (lambda: nk.Sampled(seed=-1), "seed: got -1"),
        (lambda: nk.Sampled(block=1000), "block: got 1000"),
        (lambda: nk.Sampled(fights=np.array([1, 2])), "fights: got array"),
        (lambda: nk.Sampled(fights=np.array(5)), "fights: got array"),
        (lambda: nk.Sampled(ends="no"), "ends: got 'no'"),
        (lambda: nk.Sampled(drop=1), "drop: got 1"),
        (lambda: nk.Exact(states=0), "states: got 0"),
        (lambda: nk.Exact(work="x"), "work: got 'x'"),
        (lambda: nk.Exact(distributions=5), "distributions: got 5"),
        (lambda: nk.Exact(distributions="dead"), "distributions: got 'dead'"),
        (lambda: nk.Exact(distributions=(5,)), "distributions: got"),
        (lambda: nk.Scripted(5), "rolls: got 5"),
        (lambda: nk.Scripted(["9"]), "roll 1 of the script: got '9'"),
        (lambda: nk.Scripted([True]), "roll 1 of the script: got True"),
    ],
)
def test_bad_chances_are_refused(make, what):
    with pytest.raises(nk.InputError, match=what):
        make()


def test_a_script_may_come_from_a_generator():
    assert nk.Scripted(roll for roll in (9, (1, 2, 3))).rolls == (9, (1, 2, 3))


def test_numbers_of_numpy_are_numbers():
    assert nk.Sampled(fights=np.int64(5)).fights == 5
    assert number("kph", np.float32(0.5), 0, 1) == number("kph", np.array([0.5])[0], 0, 1) == 0.5


@pytest.mark.parametrize(
    "value", [10**400, np.array([1, 2]), np.array(0.5), np.array([0.5]), np.True_, "0.5", b"0.5"]
)
def test_what_is_no_number_is_refused(value):
    with pytest.raises(nk.InputError, match="kph: got"):
        number("kph", value, 0, 1000)


def test_tuples_of_wide_columns_are_told_apart():
    wide = 2**24 - 1
    rows = [(65536, 0, 5), (0, 0, 5), (wide, wide, wide), (0, 0, 0), (0, 0, 5)]
    distinct, which = distinct_tuples([np.array(column) for column in zip(*rows, strict=True)])
    assert [distinct[place] for place in which] == rows
    assert len(distinct) == 4


def test_a_distribution_from_a_rule_has_its_probabilities():
    found = distribution(lambda chance: np.where(chance.check("3d6", 10, why="x"), 4, 0))
    assert found.equal(4) == pytest.approx(float(Fraction(108, 216)))
    assert found.equal(0) == pytest.approx(0.5)
