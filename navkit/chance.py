"""Luck: who answers when a rule asks for a roll.

A rule step is array code that asks its `Chance` for rolls. `Exact` answers with every outcome at
once along a new array axis, `Sampled` with one draw a fight, `Scripted` with the next roll of a
list. Rows (states, or fights) lie on the last axis; the k-th roll of a step adds axis −(k+1), so
that ordinary broadcasting never confuses the two.

>>> branches = Branches(rows=1)
>>> damage = branches.roll("2d6", why="damage")
>>> damage.shape, branches.probability().sum().round(12)
((11, 1), np.float64(1.0))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from math import factorial
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.random import Philox
from numpy.typing import NDArray

from navkit.dice import Distribution, dice, die, thresholds
from navkit.errors import InputError, whole

Array = NDArray[Any]
Dice = str | Distribution
Family = Callable[..., Distribution | tuple[Distribution, ...]]
Roll = int | tuple[int, ...]

GROUP = 1024
"""Fights that share one stretch of random numbers: a part of what a seed means."""
MOST_FIGHTS = 10_000_000


class ScriptError(InputError):
    """A scripted roll that cannot be, is missing, or is left over."""


class Chance(Protocol):
    """What a rule may ask of luck. `why` says what is rolled, `rule` which rule asks for it."""

    def roll(
        self,
        *which: Dice,
        then: Callable[..., Any] | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        """One total for each of the dice; with `then`, what it makes of their totals.

        `then` must depend on nothing but the rolls (and plain numbers): outcomes that it makes
        equal are merged. `sides` tells who rolls which of the dice, where it is not the side
        whose step it is.
        """

    def check(self, which: Dice, at_most: Array | int, *, why: str, rule: str = "") -> Array:
        """Whether the roll is at most a target: an array of bool."""

    def roll_from(
        self,
        family: Family,
        *numbers: Array,
        then: Callable[..., Any] | None = None,
        target: Array | int | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        """A total of `family(*numbers)`, dice that depend on integer arrays.

        With `then`, what `then(total, *numbers)` makes of it, and outcomes that it makes equal
        are merged; it must depend on nothing else. A family may give several dice, always the
        same number of them; `then` gets all their totals first. `target` is for the log alone:
        what the total is up to; the roll is a success if what comes out is above 0. `sides` is
        as for `roll`.
        """

    def faces(
        self,
        sides: int,
        count: Array,
        then: Callable[[Array], Array],
        *,
        why: str,
        rule: str = "",
    ) -> Array:
        """What `then` makes of the faces of `count` dice (an integer array).

        `then` gets an integer array whose first axis has `sides` places: how many dice show 1,
        2, ... It must depend on nothing else. Where `count` is 0 nothing is rolled: a script is
        not asked, and the log is silent.
        """


@dataclass(frozen=True)
class Exact:
    """Every outcome with its probability: exact odds, by a Markov chain over merged states.

    `distributions` names tracks (such as "dead") whose distribution is wanted, not only their
    mean; that multiplies the states. More than `states` states at a time, or more than `work`
    outcomes worked out in all, raise `TooManyStates`.
    """

    distributions: tuple[str, ...] = ()
    states: int = 2_000_000
    work: int = 20_000_000_000

    def __post_init__(self) -> None:
        whole("states", self.states, 1, 100_000_000)


@dataclass(frozen=True)
class Sampled:
    """Odds from `fights` random fights, numbered from `first`; the same for the same `seed`.

    The random numbers of a fight depend on the seed and its number alone, so neither `block`
    (how many fights are worked on at a time) nor `drop` (whether finished fights are put away)
    changes a fight.
    """

    fights: int = 20_000
    seed: int = 1
    first: int = 0
    block: int = 32 * GROUP
    drop: bool = True

    def __post_init__(self) -> None:
        whole("fights", self.fights, 1, MOST_FIGHTS)
        whole("seed", self.seed, 0, 2**64 - 1)
        whole("first", self.first, 0, 2**53)
        whole("block", self.block, GROUP, 1024 * GROUP)
        if self.block % GROUP:
            raise InputError("block", self.block, f"a multiple of {GROUP}")


@dataclass(frozen=True)
class Scripted:
    """One fight with the rolls of a list: totals, or tuples of faces, in the order asked for."""

    rolls: Sequence[Roll]

    def __post_init__(self) -> None:
        for place, entry in enumerate(self.rolls):
            for face in entry if isinstance(entry, tuple) else (entry,):
                whole(f"roll {place + 1} of the script", face, -(10**9), 10**9)


class TooManyStates(RuntimeError):
    """An exact answer would need more states, or more work, than allowed."""

    def __init__(self, reached: int, what: str, allowed: int) -> None:
        self.reached, self.allowed = reached, allowed
        super().__init__(
            f"exact odds need over {allowed:,} {what} here ({reached:,} reached); "
            "use chance=Sampled(fights=...), or smaller ships, or fewer turns"
        )


@dataclass(frozen=True)
class Entry:
    """One roll of a single fight, as the log tells it.

    `faces` is empty where only the total is known; `target` and `success` are None where nothing
    was to be reached.
    """

    turn: int
    side: str
    why: str
    dice: str
    faces: tuple[int, ...]
    target: int | None
    result: int
    success: bool | None
    rule: str


@lru_cache(maxsize=1024)
def _merged(
    which: tuple[Distribution, ...], then: Callable[..., Any], numbers: tuple[int, ...] = ()
) -> tuple[Array, Array]:
    """The values `then` makes of independent rolls and numbers, and their probabilities."""
    dims = len(which)
    totals, weight = [], np.ones((1,) * dims)
    for place, each in enumerate(which):
        shape = tuple(-1 if axis == place else 1 for axis in range(dims))
        totals.append(each.support.astype(np.int32).reshape(shape))
        weight = weight * each.pmf.reshape(shape)
    values = np.broadcast_to(then(*totals, *numbers), weight.shape).ravel()
    low = int(values.min())
    mass = np.bincount(values - low, weights=weight.ravel())
    found = np.flatnonzero(mass)
    return (found + low).astype(np.int32), mass[found]


class Branches:
    """All outcomes of a step at once. Each roll is an axis; `probability()` weighs them."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.weights: list[Array] = []

    def _axis(self, values: Array, weight: Array) -> Array:
        shape = (-1,) + (1,) * (len(self.weights) + 1)
        self.weights.append(weight.reshape(shape))
        return values.reshape(shape)

    def roll(
        self,
        *which: Dice,
        then: Callable[..., Any] | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        known = tuple(named(each) for each in which)
        if then is None:
            (only,) = known
            return self._axis(only.support.astype(np.int32), only.pmf)
        return self._axis(*_merged(known, then))

    def check(self, which: Dice, at_most: Array | int, *, why: str, rule: str = "") -> Array:
        known = named(which)
        below = np.concatenate(([0.0], np.minimum(np.cumsum(known.pmf), 1.0)))
        above = np.concatenate((np.cumsum(known.pmf[::-1])[::-1], [0.0]))
        place = np.clip(np.asarray(at_most) - known.low + 1, 0, len(known.pmf))
        place = place.reshape((1,) * (len(self.weights) + 1 - place.ndim) + place.shape)
        self.weights.append(np.stack((below[place], np.minimum(above[place], 1.0))))
        return np.array([True, False]).reshape((2,) + (1,) * len(self.weights))

    def roll_from(
        self,
        family: Family,
        *numbers: Array,
        then: Callable[..., Any] | None = None,
        target: Array | int | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        wide = np.broadcast_arrays(*(np.atleast_1d(each) for each in numbers))
        distinct, which = _distinct([each.ravel() for each in wide])
        known = [_outcomes(family, column, then) for column in distinct]
        low = min(int(values.min()) for values, _ in known)
        high = max(int(values.max()) for values, _ in known)
        table = np.zeros((high - low + 1, len(known)))
        for column, (values, mass) in enumerate(known):
            table[values - low, column] = mass
        weight = table[:, which].reshape((-1, *wide[0].shape))
        weight = weight.reshape(
            (len(weight),) + (1,) * (len(self.weights) + 2 - weight.ndim) + weight.shape[1:]
        )
        self.weights.append(weight)
        shape = (-1,) + (1,) * len(self.weights)
        return np.arange(low, high + 1, dtype=np.int32).reshape(shape)

    def faces(
        self,
        sides: int,
        count: Array,
        then: Callable[[Array], Array],
        *,
        why: str,
        rule: str = "",
    ) -> Array:
        return self.roll_from(partial(_of_faces, sides, then), count, why=why, rule=rule)

    def probability(self) -> Array:
        """The probability of each outcome given its row: one axis a roll, rows last."""
        total = np.ones(1)
        for weight in self.weights:
            total = total * weight
        return total


class Draws:
    """One draw a fight: for the fights at the places `at` among those of `groups`; None: for all.

    The random numbers depend on the seed, the fight, the turn, the step, the round of a step that
    repeats, and the number of the roll within it.
    """

    def __init__(self, seed: int, groups: Array, at: Array | None) -> None:
        self.seed, self.groups, self.at = seed, groups, at
        self.log: list[Entry] | None = None
        self.begin(0, 0, 0, "")

    def begin(self, turn: int, step: int, again: int, side: str) -> None:
        """Turns to another step."""
        self.turn, self.step, self.side, self.rolls = turn, step, side, again << 32

    def _uniform(self) -> NDArray[np.uint64]:
        """A 64-bit number for each fight of the step; its own for each roll."""
        self.rolls += 1
        return self._numbers(self.rolls - 1)

    def _numbers(self, roll: int) -> NDArray[np.uint64]:
        raw = _raw(self.seed, self.groups, self.turn, self.step, roll)
        return raw if self.at is None else raw[self.at]

    def _note(self, side: str, known: Distribution, total: Array, why: str, rule: str) -> None:
        if self.log is not None:
            result = int(total[0])
            self.log.append(Entry(self.turn, side, why, known.name, (), None, result, None, rule))

    def roll(
        self,
        *which: Dice,
        then: Callable[..., Any] | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        totals = []
        for place, each in enumerate(which):
            known = named(each)
            total = _guide(known).values(self._uniform())
            self._note(sides[place] if sides else self.side, known, total, why, rule)
            totals.append(total)
        if then is None:
            (only,) = totals
            return only
        return np.asarray(then(*totals), dtype=np.int32)

    def check(self, which: Dice, at_most: Array | int, *, why: str, rule: str = "") -> Array:
        known = named(which)
        draw = self._uniform()
        hit = _guide(known).at_most(draw, at_most)
        if self.log is not None:
            total, aim = int(_guide(known).values(draw)[0]), _single(at_most)
            self.log.append(
                Entry(self.turn, self.side, why, known.name, (), aim, total, total <= aim, rule)
            )
        return hit

    def roll_from(
        self,
        family: Family,
        *numbers: Array,
        then: Callable[..., Any] | None = None,
        target: Array | int | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        first = self._uniform()
        wide = [np.broadcast_to(each, first.shape) for each in numbers]
        distinct, which = _distinct(wide)
        known = [_several(family(*column)) for column in distinct]
        draws = [first, *(self._uniform() for _ in known[0][1:])]
        totals = [np.empty(first.shape, dtype=np.int32) for _ in draws]
        for column, dice_of_column in enumerate(known):
            mine = slice(None) if len(known) == 1 else which == column
            for total, draw, each in zip(totals, draws, dice_of_column, strict=True):
                total[mine] = _guide(each).values(draw[mine])
        result = totals[0] if then is None else np.asarray(then(*totals, *wide), dtype=np.int32)
        if self.log is not None:
            told = _told(self, known[0], totals, sides, why, rule, target, result)
            self.log += told
        return result

    def faces(
        self,
        sides: int,
        count: Array,
        then: Callable[[Array], Array],
        *,
        why: str,
        rule: str = "",
    ) -> Array:
        rows = self._rows()
        most = np.broadcast_to(count, rows)
        shown = np.zeros((sides, rows), dtype=np.int32)
        faces = []
        roll, self.rolls = self.rolls, self.rolls + 1
        for number in range(int(most.max(initial=0))):
            # counted apart, so that later rolls don't hang on how many dice other fights roll
            face = _guide(die(sides)).values(self._numbers(roll + (number << 16)))
            faces.append(face)
            shown[face - 1, np.arange(rows)] += number < most
        result = np.asarray(then(shown), dtype=np.int32)
        if self.log is not None and faces:
            mine = tuple(int(face[0]) for face in faces)
            self.log.append(_entry(self, sides, mine, result, why, rule))
        return result

    def _rows(self) -> int:
        return len(self.groups) * GROUP if self.at is None else len(self.at)


class Script:
    """The next roll of a list, for a single fight."""

    def __init__(self, rolls: Sequence[Roll]) -> None:
        self.left = list(rolls)
        self.used = 0
        self.turn = 0
        self.side = ""
        self.log: list[Entry] = []

    def begin(self, turn: int, step: int, again: int, side: str) -> None:
        """Turns to another step."""
        self.turn, self.side = turn, side

    def _next(self, which: Dice, why: str) -> tuple[Distribution, int, tuple[int, ...]]:
        known = named(which)
        allowed = f"a roll of {known.name} ({known.min} to {known.max}) for {why}"
        place = f"roll {self.used + 1} of the script, turn {self.turn}"
        if self.used == len(self.left):
            raise ScriptError(place, None, allowed)
        entry = self.left[self.used]
        self.used += 1
        faces = entry if isinstance(entry, tuple) else ()
        total = sum(faces) if faces else entry
        if not known.equal(total) or not _may_show(known, faces):
            raise ScriptError(place, entry, allowed)
        return known, total, faces

    def roll(
        self,
        *which: Dice,
        then: Callable[..., Any] | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        totals = []
        for place, each in enumerate(which):
            known, total, faces = self._next(each, why)
            side = sides[place] if sides else self.side
            self.log.append(Entry(self.turn, side, why, known.name, faces, None, total, None, rule))
            totals.append(np.array([total], dtype=np.int32))
        if then is None:
            (only,) = totals
            return only
        return np.asarray(then(*totals), dtype=np.int32)

    def check(self, which: Dice, at_most: Array | int, *, why: str, rule: str = "") -> Array:
        known, total, faces = self._next(which, why)
        aim = _single(at_most)
        self.log.append(
            Entry(self.turn, self.side, why, known.name, faces, aim, total, total <= aim, rule)
        )
        return np.array([total <= aim])

    def roll_from(
        self,
        family: Family,
        *numbers: Array,
        then: Callable[..., Any] | None = None,
        target: Array | int | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        column = [_single(each) for each in numbers]
        rolled = [self._next(each, why) for each in _several(family(*column))]
        totals = [np.array([total], dtype=np.int32) for _, total, _ in rolled]
        result = totals[0]
        if then is not None:
            result = np.asarray(then(*totals, *(np.array([each]) for each in column)), np.int32)
        known, faces = [each for each, _, _ in rolled], [shown for _, _, shown in rolled]
        self.log += _told(self, known, totals, sides, why, rule, target, result, faces)
        return result

    def faces(
        self,
        sides: int,
        count: Array,
        then: Callable[[Array], Array],
        *,
        why: str,
        rule: str = "",
    ) -> Array:
        number = _single(count)
        faces: tuple[int, ...] = ()
        if number:
            _, total, faces = self._next(die(sides).repeat(number), why)
            if number == 1:
                faces = (total,)
            if len(faces) != number or not all(1 <= face <= sides for face in faces):
                place = f"roll {self.used} of the script, turn {self.turn}"
                allowed = f"a tuple of {number} faces of d{sides} for {why}"
                raise ScriptError(place, self.left[self.used - 1], allowed)
        shown = np.bincount(np.array(faces, dtype=np.int64), minlength=sides + 1)[1:, None]
        result = np.asarray(then(shown), dtype=np.int32)
        if number:
            self.log.append(_entry(self, sides, faces, result, why, rule))
        return result

    def finish(self) -> None:
        """Raises ScriptError if rolls are left over."""
        if self.used < len(self.left):
            place = f"roll {self.used + 1} of the script"
            raise ScriptError(place, self.left[self.used], "no roll: the fight is over before it")


def _may_show(known: Distribution, faces: tuple[int, ...]) -> bool:
    """Whether dice of one kind may show these faces; of others only the total is known."""
    plain = re.fullmatch(r"(\d*)d(\d+)", known.name)
    if not faces or not plain:
        return True
    count, sides = int(plain.group(1) or 1), int(plain.group(2))
    return len(faces) == count and all(1 <= face <= sides for face in faces)


def _entry(
    luck: Draws | Script, sides: int, faces: tuple[int, ...], result: Array, why: str, rule: str
) -> Entry:
    name = f"{len(faces)}d{sides}"
    return Entry(luck.turn, luck.side, why, name, faces, None, _single(result), None, rule)


def _told(
    luck: Draws | Script,
    known: Sequence[Distribution],
    totals: Sequence[Array],
    sides: Sequence[str],
    why: str,
    rule: str,
    target: Array | int | None,
    result: Array,
    faces: Sequence[tuple[int, ...]] = (),
) -> list[Entry]:
    """What the log tells of a roll from a family of dice: an entry for each of the dice."""
    aim = None if target is None else _single(target)
    success = None if target is None else _single(result) > 0
    return [
        Entry(
            luck.turn,
            sides[place] if sides else luck.side,
            why,
            known[place].name,
            faces[place] if faces else (),
            aim,
            _single(total),
            success,
            rule,
        )
        for place, total in enumerate(totals)
    ]


def _distinct(numbers: Sequence[Array]) -> tuple[list[tuple[int, ...]], Array]:
    """The distinct tuples of some arrays, and which of them stands at each place."""
    lows = [int(each.min()) for each in numbers]
    sizes = [int(each.max()) - low + 1 for each, low in zip(numbers, lows, strict=True)]
    code: Array = np.zeros(len(numbers[0]), dtype=np.int64)
    for each, low, size in zip(numbers, lows, sizes, strict=True):
        if size > 1:
            code = code * size + (each - low)
    which, found = pd.factorize(code)
    tuples = np.empty((len(found), len(numbers)), dtype=np.int64)
    for place in reversed(range(len(numbers))):
        found, digit = np.divmod(found, sizes[place])
        tuples[:, place] = digit + lows[place]
    return [tuple(column) for column in tuples.tolist()], which


def _several(dice_of_one: Distribution | tuple[Distribution, ...]) -> tuple[Distribution, ...]:
    return dice_of_one if isinstance(dice_of_one, tuple) else (dice_of_one,)


def _outcomes(
    family: Family, numbers: tuple[int, ...], then: Callable[..., Any] | None
) -> tuple[Array, Array]:
    """Values of the family's dice for some numbers, or what `then` makes of them; their odds."""
    known = _several(family(*numbers))
    if then is not None:
        return _merged(known, then, numbers)
    (only,) = known
    return only.support, only.pmf


@lru_cache(maxsize=1024)
def _of_faces(sides: int, then: Callable[[Array], Array], count: int) -> Distribution:
    """The distribution of what `then` makes of the faces of `count` dice."""
    shown = [
        [chosen.count(face) for face in range(sides)]
        for chosen in combinations_with_replacement(range(sides), count)
    ]
    weights: dict[int, int] = {}
    values = np.ravel(then(np.array(shown, dtype=np.int64).T))
    for counts, value in zip(shown, values.tolist(), strict=True):
        ways = factorial(count)
        for number in counts:
            ways //= factorial(number)
        weights[value] = weights.get(value, 0) + ways
    return Distribution.of(weights)


def distribution(rule: Callable[[Chance], Array]) -> Distribution:
    """The distribution of the whole number that a rule for a single row comes to.

    >>> distribution(lambda chance: 2 * chance.roll("d6", why="damage")).mean
    7.0
    """
    branches = Branches(rows=1)
    values = rule(branches)
    weight = branches.probability()
    values, weight = (np.ravel(each) for each in np.broadcast_arrays(values, weight))
    low = int(values[weight > 0].min())
    top = int(values[weight > 0].max())
    inside = (values >= low) & (values <= top)
    mass = np.bincount(values[inside] - low, weights=weight[inside])
    return Distribution(low, mass.astype(np.float64))


def named(which: Dice) -> Distribution:
    """The distribution itself, or the one that the notation names."""
    return which if isinstance(which, Distribution) else dice(which)


def _single(value: Array | int) -> int:
    """The value of the only row."""
    (only,) = np.ravel(value).tolist()
    return int(only)


def _raw(seed: int, groups: Array, turn: int, step: int, roll: int) -> NDArray[np.uint64]:
    """64-bit numbers by counter: those of a fight depend on its group and place in it alone."""
    if groups[-1] - groups[0] < len(groups):
        runs = [groups]
    else:
        runs = np.split(groups, np.flatnonzero(np.diff(groups) != 1) + 1)
    parts = [
        Philox(key=[seed, 0], counter=[int(run[0]) * (GROUP // 4), roll, step, turn]).random_raw(
            len(run) * GROUP
        )
        for run in runs
    ]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


class _Guide:
    """Inverse of a distribution function: 64-bit numbers to values, low numbers to low values.

    The upper 16 bits choose a bucket; nearly all buckets lie within one value. In the others the
    whole number decides.
    """

    def __init__(self, known: Distribution) -> None:
        self.low = known.low
        self.edges = thresholds(known)
        # reached[i]: how many draws give at most low + i - 1
        self.reached = np.concatenate((np.zeros(1, np.uint64), self.edges))
        starts = np.arange(1 << 16, dtype=np.uint64) << np.uint64(48)
        ends = starts + np.uint64((1 << 48) - 1)
        first = np.searchsorted(self.edges, starts, side="right")
        last = np.searchsorted(self.edges, ends, side="right")
        self.bucket = (first + self.low).astype(np.int32)
        self.mixed = first != last
        self.unsure = np.int32(np.iinfo(np.int32).min)
        self.bucket[self.mixed] = self.unsure

    def values(self, draw: NDArray[np.uint64]) -> Array:
        found = self.bucket[draw >> np.uint64(48)]
        (open_,) = np.nonzero(found == self.unsure)
        if len(open_):
            place = np.searchsorted(self.edges, draw[open_], side="right")
            found[open_] = place + self.low
        return found

    def at_most(self, draw: NDArray[np.uint64], target: Array | int) -> Array:
        """Whether the value is at most `target`, without looking it up."""
        place = np.asarray(target) - self.low + 1
        inside = np.clip(place, 0, len(self.edges))
        return (draw < self.reached[inside]) | (place > len(self.edges))


@lru_cache(maxsize=1024)
def _guide(known: Distribution) -> _Guide:
    return _Guide(known)
