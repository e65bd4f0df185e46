"""States with tuples in them, codes too long for one number, and steps that repeat alternatives."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
import pytest

from navkit import state
from navkit.battle import Battle, Either, Repeat, Step, play
from navkit.chance import Exact, Sampled, Scripted
from navkit.dice import Distribution, Tail
from navkit.state import flatten, leaves, merge, rebuild


@dataclass(frozen=True)
class Hull:
    points: np.ndarray
    masts: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Fleet:
    ships: tuple[Hull, ...]
    wind: np.ndarray


@dataclass(frozen=True)
class Sea:
    a: Fleet
    b: Fleet


def numbers(*values):
    return tuple(np.array([value]) for value in values)


def fleet(*points):
    ships = tuple(Hull(each, numbers(2, 3)) for each in numbers(*points))
    return Fleet(ships, np.array([0]))


def test_tuples_of_states_and_arrays_are_taken_apart_and_put_together():
    sea = Sea(fleet(5, 6), fleet(7))
    paths = [leaf.path for leaf in leaves(sea)]
    assert paths == [
        *(f"a.ships.{n}.{part}" for n in (0, 1) for part in ("points", "masts.0", "masts.1")),
        "a.wind",
        *(f"b.ships.0.{part}" for part in ("points", "masts.0", "masts.1")),
        "b.wind",
    ]
    again = rebuild(sea, flatten(sea))
    assert [int(array[0]) for array in flatten(again)] == [5, 2, 3, 6, 2, 3, 0, 7, 2, 3, 0]
    assert isinstance(again.a.ships[1].masts, tuple)


@dataclass(frozen=True)
class Hands:
    crew: np.ndarray

    @cached_property
    def doubled(self):
        return 2 * self.crew


def test_what_a_state_remembers_is_worked_out_anew_when_it_has_changed():
    before = Hands(np.array([8]))
    assert before.doubled == 16
    assert state.replace(before, crew=np.array([5])).doubled == 10


def test_keys_that_fit_no_single_code_merge_as_well():
    rng = np.random.default_rng(5)
    keys = [rng.integers(0, 2, 4000) * (2**30 - 1 - n) for n in range(5)]
    weight = rng.random(4000)
    mean = rng.random(4000)
    found, (averaged,), total = merge(keys, [mean], weight)
    merged = zip(zip(*found, strict=True), averaged, total, strict=True)
    seen = {tuple(map(int, key)): (m, w) for key, m, w in merged}
    rows = np.array(keys).T
    for bits in product((0, 1), repeat=5):
        key = tuple(bit * (2**30 - 1 - n) for n, bit in enumerate(bits))
        mine = (rows == key).all(axis=1)
        assert seen.pop(key) == (
            pytest.approx((weight * mean)[mine].sum() / weight[mine].sum()),
            pytest.approx(weight[mine].sum()),
        )
    assert not seen


@dataclass(frozen=True)
class Count:
    hits: np.ndarray
    rolled: np.ndarray


@dataclass(frozen=True)
class Shoot:
    a: Count
    b: Count


def shooting(shots):
    """Each of b's shots is rolled (5+), and then its harm (d3), one after another."""

    def hit(fight, chance):
        does = ~chance.check("d6", 4, why="hit")
        left = replace(fight.b, hits=fight.b.hits - 1, rolled=np.where(does, 1, 0))
        return replace(fight, b=left)

    def harm(fight, chance):
        points = fight.a.hits + chance.roll("d3", why="harm")
        return Shoot(replace(fight.a, hits=points), replace(fight.b, rolled=0 * points))

    steps = (
        Step(harm, lambda fight: fight.b.rolled > 0),
        Step(hit, lambda fight: fight.b.hits > 0),
    )
    zero = np.array([0])
    return Battle(
        start=Shoot(Count(zero, zero), Count(np.array([shots]), zero)),
        turn=(Repeat(Either(steps)),),
        lost=lambda fight, side: 0 * fight.a.hits,
        causes=("none",),
        tracks=("hits",),
    )


def test_alternatives_repeat_until_none_applies():
    one = {0: Fraction(2, 3), **{n: Fraction(1, 9) for n in (1, 2, 3)}}
    three = Distribution.of(one).repeat(3)
    exact = play(shooting(3), 1, Exact()).distribution("a", "hits")
    assert exact.pmf == pytest.approx(three.pmf, abs=1e-14)
    sampled = play(shooting(3), 1, Sampled(fights=20_480)).mean("a", "hits")
    assert sampled[1] == pytest.approx(three.mean, abs=4 * three.std / 20_480**0.5)
    single = play(shooting(3), 1, Scripted([4, 6, 3, 5, 1]))
    assert single.mean("a", "hits")[1] == 4
    assert single.log["why"].tolist() == ["hit", "hit", "harm", "hit", "harm"]


def test_a_closed_tail_answers_for_any_value():
    """Heads in a row: P(k or more) = 2^-k."""
    body = Distribution.of({k: Fraction(1, 2 ** (k + 1)) for k in range(4)} | {4: Fraction(1, 16)})
    half = Fraction(1, 2)
    heads = Distribution(0, body.pmf[:4], Tail(half**4, half), counts=body.counts)
    for k in (0, 3, 4, 5, 40, 1000):
        assert heads.at_least(k) == pytest.approx(0.5**k, rel=1e-13)
    for k in (3, 4, 5, 40, 100_000):
        assert heads.at_least(k, exact=True) == half**k
        assert heads.at_most(k, exact=True) == 1 - half ** (k + 1)
        assert heads.equal(k, exact=True) == half ** (k + 1)
        assert heads.equal(min(k, 900)) == pytest.approx(0.5 ** (min(k, 900) + 1), rel=1e-13)
    assert (heads + 3).at_least(10, exact=True) == half**7
