"""Step dice: what is rolled at each Step, and how many successes it comes to.

Every die that shows its highest face is rolled again and added, without limit. A test reaches its
difficulty with one success, and each 5 points above bring one more. If all its dice show 1 it is
a Rule of One, whatever the difficulty. Since no other roll comes to so little, the total alone
tells: a Rule of One is the lowest total there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from navkit.chance import Array, Chance
from navkit.counts import Counts
from navkit.dice import Distribution, Tail, constant, exploding
from navkit.errors import InputError, whole
from navkit.errors import number as a_number
from navkit.resources import data_rows
from navkit.rulebooks.vehicular_1879 import tables
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules

LARGEST_STEP = 300
"""Steps are asked for up to this, so that sizes are bounded."""
LARGEST_THRESHOLD = 20_000
"""Exact answers go up to this total."""
CUT = 1e-15
"""Dice are cut where less than this is left beyond."""
NEVER = -1_000_000


@dataclass(frozen=True)
class Dice:
    """What is rolled at a Step: exploding dice by their sides, and a number that is added."""

    sides: tuple[int, ...]
    constant: int = 0

    def __str__(self) -> str:
        names = [
            f"{count if (count := self.sides.count(side)) > 1 else ''}d{side}!"
            for side in sorted(set(self.sides), reverse=True)
        ]
        return "+".join(names) + (f"{self.constant:+d}" if self.constant else "")

    @property
    def lowest(self) -> int:
        """The total when all dice show 1; no other roll comes to it."""
        return len(self.sides) + self.constant


def last_step(rules: HouseRules | None = None) -> int:
    """The highest step: 40 in the first edition, 300 (where navkit stops) in the others.

    >>> last_step(HouseRules(edition="first"))
    40
    """
    return _last_step(HouseRules.of(rules).edition)


def _last_step(edition: str) -> int:
    return tables.FIRST_ENDS if edition.startswith("first") else LARGEST_STEP


def dice_of(step: int, edition: str = "fourth") -> Dice:
    """The dice of a step.

    Raises InputError for step 0 and below, for steps above 300, and in the first edition for
    those above 40.
    Source: the step table of the game's fourth edition, which 1879 shares; those of the third
    and first.

    >>> [str(dice_of(n)) for n in (1, 8, 15, 40)]
    ['d4!-2', '2d6!', 'd12!+2d6!', '2d20!+d12!+d10!+d8!']
    >>> dice_of(41, "first")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: step: got 41, allowed is a whole number from 1 to 40
    """
    return _dice_of(whole("step", step, 1, _last_step(edition)), edition)


@lru_cache(maxsize=4096)
def _dice_of(step: int, edition: str) -> Dice:
    if edition.startswith("first"):
        return Dice((12, 12)) if (step, edition) == (14, "first, 14 is 2d12") else _first()[step]
    third = edition == "third"
    low = tables.THIRD_LOW if third else tables.FOURTH_LOW
    if step <= len(low):
        added = tables.THIRD_CONSTANTS if third else tables.LOW_CONSTANTS
        return Dice(low[step - 1], added[step - 1])
    pattern, more = (
        (tables.THIRD, tables.THIRD_MORE) if third else (tables.FOURTH, tables.FOURTH_MORE)
    )
    times, place = divmod(step - len(low) - 1, len(pattern))
    return Dice((more,) * times + pattern[place])


@lru_cache(maxsize=1)
def _first() -> dict[int, Dice]:
    rows = data_rows("1879-steps-first-edition.csv")
    return {int(row["step"]): _parsed(row["dice"]) for row in rows}


def _parsed(text: str) -> Dice:
    sides: list[int] = []
    for count, side in re.findall(r"(\d*)d(\d+)", text):
        sides += [int(side)] * int(count or 1)
    added = re.search(r"-\d+$", text)
    return Dice(tuple(sides), int(added.group()) if added else 0)


# Distributions


def step(
    number: int,
    /,
    *,
    tail: float = CUT,
    minimum: int | None = tables.LEAST_RESULT,
    karma: int = 0,
    rules: HouseRules | None = None,
) -> Distribution:
    """The distribution of a step's result.

    The array is cut where less than `tail` is left; `exact=True` answers are not: they are worked
    out by recursion up to the threshold asked for (20,000 at most). A result below `minimum`
    counts as that; None leaves it. `karma` is the Karma Step whose dice are rolled as well, 0 for
    none. Raises InputError for a step that is not there.
    Source: 1879: Vehicular Combat Preview, throughout; step tests of the game beneath it.

    >>> d = step(15)
    >>> round(d.mean, 6), d.tail.mass < 1e-15
    (15.490909, True)
    >>> d.at_least(13, exact=True) + d.at_most(12, exact=True)
    Fraction(1, 1)
    >>> step(4).equal(6), step(4).equal(7, exact=True)
    (0.0, Fraction(1, 36))
    >>> step(0)
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: step: got 0, allowed is a whole number from 1 to 300
    """
    rules = HouseRules.of(rules)
    if minimum is not None:
        minimum = whole("minimum", minimum, -1000, 1000)
    rolled = _with_karma(dice_of(number, rules.edition), karma, rules)
    return _distribution(rolled, _known_tail(tail), minimum)


def _known_tail(tail: float) -> float:
    if a_number("tail", tail, 1e-300, 1) == 1:
        raise InputError("tail", tail, "a number from 1e-300 to under 1")
    return tail


def _with_karma(rolled: Dice, karma: int, rules: HouseRules) -> Dice:
    if not whole("karma", karma, 0, LARGEST_STEP):
        return rolled
    extra = dice_of(karma, rules.edition)
    return Dice(rolled.sides + extra.sides, rolled.constant + extra.constant)


@lru_cache(maxsize=4096)
def _distribution(rolled: Dice, tail: float = CUT, minimum: int | None = None) -> Distribution:
    total: Distribution = constant(rolled.constant)
    for sides in rolled.sides:
        total = total + exploding(sides, tail=max(tail / (4 * len(rolled.sides)), 1e-300))
    beyond: Array = np.cumsum(total.pmf[::-1])[::-1] + float(total.tail.mass)
    kept = max(1, int(np.count_nonzero(beyond >= tail)))
    pmf = total.pmf[:kept]
    mass = float(beyond[kept] if kept < len(beyond) else total.tail.mass)
    low = total.low
    if minimum is not None and minimum > low:
        inside = min(minimum - low, len(pmf) - 1)
        pmf = np.concatenate(([pmf[: inside + 1].sum()], pmf[inside + 1 :]))
        low = minimum
    ratio, period = None, 1
    if len(rolled.sides) == 1:
        (period,) = rolled.sides
        ratio = 1 / period
    return Distribution(
        low, pmf, Tail(mass, ratio, period), str(rolled), partial(_counts, rolled, minimum)
    )


def _counts(rolled: Dice, minimum: int | None, limit: int) -> Counts:
    """Exact counts of the total up to `limit`, die by die.

    A die of s sides shows 1 to s − 1, or s and then goes on: P(t) = P(t − s) / s from s + 1 up.
    """
    if limit > LARGEST_THRESHOLD:
        raise InputError("threshold", limit, f"at most {LARGEST_THRESHOLD}")
    top = max(limit, minimum or 0, rolled.lowest) - rolled.constant
    denominator = 1
    for sides in rolled.sides:
        denominator *= sides ** (top // sides + 1)
    ways = [denominator] + [0] * top
    for sides in rolled.sides:
        after, window = [0] * (top + 1), 0
        for total in range(1, top + 1):
            window += ways[total - 1] - (ways[total - sides] if total >= sides else 0)
            going_on = after[total - sides] if total >= sides else 0
            after[total] = (window + going_on) // sides
        ways = after
    low, found = rolled.lowest, ways[len(rolled.sides) :]
    if minimum is not None and minimum > low:
        below = minimum - low
        low, found = minimum, [sum(found[: below + 1]), *found[below + 1 :]]
    return Counts(low, tuple(found), denominator)


# Successes


@lru_cache(maxsize=64)
def ones(rules: HouseRules, karma: int = 0) -> Array:
    """By step: the total that is a Rule of One, far below any total where there is none.

    Karma dice count among the dice. Source: step tests of the game beneath the preview.

    >>> ones(HouseRules())[[4, 8, 40]].tolist()
    [-1000000, 2, 5]
    """
    rolled = [
        _with_karma(dice_of(n, rules.edition), karma, rules) for n in range(1, last_step(rules) + 1)
    ]
    enough = rules.rule_of_one_min_dice
    lowest = [each.lowest if len(each.sides) >= enough else NEVER for each in rolled]
    return np.array([NEVER, *lowest], dtype=np.int32)


def successes_of(total: Any, difficulty: Any, one: Any = NEVER, points: Any = 0) -> Array:
    """Successes of a total: −1 for a Rule of One, 0 for a failure, and one for each 5 points.

    `one` is the total that is a Rule of One; `points` are added to the result, which is at
    least 1. Arrays broadcast.
    Source: step tests of the game beneath the preview.

    >>> successes_of(np.array([2, 7, 8, 12, 13]), 8, one=2).tolist()
    [-1, 0, 1, 1, 2]
    """
    result = np.maximum(np.asarray(total) + points, tables.LEAST_RESULT)
    above = 1 + (result - difficulty) // tables.POINTS_PER_SUCCESS
    reached = np.where(result >= difficulty, above, tables.FAILURE)
    return np.where(np.asarray(total) == one, tables.RULE_OF_ONE, reached)


def successes(
    number: int,
    difficulty: int,
    *,
    karma: int = 0,
    points: int = 0,
    tail: float = CUT,
    rules: HouseRules | None = None,
) -> Distribution:
    """How many successes a step test has: −1 is a Rule of One, 0 a failure.

    `karma` is the Karma Step whose dice are rolled as well, `points` are added to the result.
    `exact=True` answers are not cut. Raises InputError for a step that is not there and for a
    difficulty outside 1 to 1000.
    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers; step tests beneath it.

    >>> successes(8, 8).at_least(1, exact=True), successes(8, 2).at_least(1, exact=True)
    (Fraction(17, 36), Fraction(35, 36))
    >>> successes(8, 2).equal(-1, exact=True)
    Fraction(1, 36)
    """
    rules = HouseRules.of(rules)
    difficulty = whole("difficulty", difficulty, 1, 1000)
    total = step(number, tail=tail, minimum=None, karma=karma, rules=rules)
    one = int(ones(rules, karma)[number])
    points = whole("points", points, -1000, 1000)
    count = partial(successes_of, difficulty=difficulty, one=one, points=points)
    found = count(total.support)
    low = tables.RULE_OF_ONE
    pmf = np.bincount(found - low, weights=total.pmf).astype(np.float64)

    def exact(limit: int) -> Counts:
        next_success = difficulty + tables.POINTS_PER_SUCCESS * max(limit, 0)
        top = max(total.low, next_success - points - 1)
        assert total.counts is not None
        known = total.counts(top).mapped(count)
        missing = known.low - low
        return Counts(low, (0,) * missing + known.numerators, known.denominator)

    return Distribution(low, pmf, total.tail, f"Step {number} against {difficulty}", exact)


# Tests as rules make them


def attempt(
    chance: Chance,
    number: Array,
    difficulty: Array,
    *,
    karma: Array | int = 0,
    points: Array | int = 0,
    why: str,
    rule: str,
    rules: HouseRules,
) -> Array:
    """The successes of a step test: −1 for a Rule of One, 0 for a failure.

    `karma` is 1 where a Karma die is rolled as well, `points` are added to the result.
    """
    made = chance.roll_from(
        dice_family(rules),
        np.asarray(number),
        np.asarray(karma),
        np.asarray(difficulty),
        np.asarray(points),
        then=_then(rules),
        target=np.asarray(difficulty),
        why=why,
        rule=rule,
    )
    return made


@lru_cache(maxsize=64)
def dice_family(rules: HouseRules) -> Callable[..., Distribution]:
    """The family of dice that tests roll, by step and number of Karma dice; nothing is clamped."""

    def rolled(number: int, karma: int = 0, *_: int) -> Distribution:
        extra = rules.karma_step if karma else 0
        return _distribution(_with_karma(dice_of(number, rules.edition), extra, rules))

    return rolled


@lru_cache(maxsize=64)
def _then(rules: HouseRules) -> Callable[..., Array]:
    plain, with_karma = ones(rules), ones(rules, rules.karma_step)

    def count(total: Any, number: Any, karma: Any, difficulty: Any, points: Any) -> Array:
        one = np.where(np.asarray(karma) > 0, with_karma[number], plain[number])
        return successes_of(total, difficulty, one, points)

    return count
