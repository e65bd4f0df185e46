"""Exact chance: every outcome of a roll at once, along an array axis of its own.

Rows (states) lie on the last axis; the k-th roll of a step adds axis −(k+1), so that ordinary
broadcasting never confuses the two.

>>> branches = Branches(rows=1)
>>> damage = branches.roll("2d6", why="damage")
>>> damage.shape, branches.probability().sum().round(12)
((11, 1), np.float64(1.0))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from math import factorial
from typing import Any

import numpy as np

from navkit.chance import Array, Chance, Dice, Family, distinct_tuples, named, several
from navkit.dice import Distribution


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
        distinct, which = distinct_tuples([each.ravel() for each in wide])
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


def _outcomes(
    family: Family, numbers: tuple[int, ...], then: Callable[..., Any] | None
) -> tuple[Array, Array]:
    """Values of the family's dice for some numbers, or what `then` makes of them; their odds."""
    known = several(family(*numbers))
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
