"""Looking up and adding up over ships that point at ships.

All arrays have a row a ship and a column a fight. `at[i]` is the ship that ship i points at; where
`who` is false it points at none, and `at` does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.medieval.rolls import d6


def of(values: Array, at: Array) -> Array:
    """What the ships that are pointed at have, by who points; of row 0 for one that points at none.

    >>> of(np.array([[5], [7]]), np.array([[1], [-1]])).ravel()
    array([7, 5])
    """
    return np.broadcast_to(values, at.shape).ravel().take(_flat(np.maximum(at, 0)))


def number(at: Array, who: Array) -> Array:
    """How many point at each ship.

    >>> number(np.array([[1], [1], [0]]), np.array([[True], [True], [False]])).ravel()
    array([0, 2, 0])
    """
    size = at.size
    places = np.where(who, _flat(np.maximum(at, 0)), size)
    return np.bincount(places.ravel(), minlength=size + 1)[:size].reshape(at.shape)


def total(at: Array, who: Array, values: Array) -> Array:
    """The sum of whole numbers over those that point at each ship.

    >>> total(np.array([[1], [1]]), np.array([[True], [True]]), np.array([[3], [4]])).ravel()
    array([0, 7])
    """
    size = at.size
    places = np.where(who, _flat(np.maximum(at, 0)), size)
    sums = np.bincount(places.ravel(), weights=values.ravel(), minlength=size + 1)[:size]
    return sums.astype(np.int64).reshape(at.shape)


def best(at: Array, who: Array, merit: Array) -> Array:
    """Whether a ship has the most merit of those that point at the same one, the first in a tie.

    Merits are whole numbers from 0.

    >>> best(np.array([[1], [1]]), np.array([[True], [True]]), np.array([[3], [3]])).ravel()
    array([ True, False])
    """
    ships = len(at)
    unique = merit * ships + np.arange(ships - 1, -1, -1)[:, None] + 1
    places, size = _flat(np.maximum(at, 0)), at.size
    most = np.zeros(size + 1, dtype=np.int64)
    np.maximum.at(most, np.where(who, places, size).ravel(), unique.ravel())
    return who & (most[places] == unique)


def groups(at: Array, who: Array, line: Array, tied: Array) -> Array:
    """The group of each ship: the lowest ship it hangs together with.

    By who points at whom, and by `line`: the ship before each in its line, −1 for none; `tied`
    tells whether a ship is tied to that one.

    >>> two, none = np.array([[1], [0], [0]]), np.full(3, -1)
    >>> groups(two, np.array([[True], [False], [False]]), none, np.zeros((3, 1), bool)).ravel()
    array([0, 0, 2])
    """
    ships, fights = at.shape
    before = np.broadcast_to(line[:, None], at.shape)
    label = np.broadcast_to(np.arange(ships)[:, None], at.shape).copy()
    while True:
        last = label
        for near, hangs in ((at, who), (before, tied)):
            label = np.where(hangs, np.minimum(label, of(label, near)), label)
            lowest = np.append(label.ravel(), 0)
            places = np.where(hangs, _flat(np.maximum(near, 0)), label.size)
            np.minimum.at(lowest, places.ravel(), label.ravel())
            label = lowest[:-1].reshape(ships, fights)
        if np.array_equal(label, last):
            return label


def dice(chance: Chance, among: Array, names: Sequence[str], what: str, rule: str) -> Array:
    """A d6 for each ship among those given, in their order; 0 for the others, who roll nothing."""
    rolled = [
        d6(chance, among=row, why=f"{name}: {what}", rule=rule)
        for name, row in zip(names, among, strict=True)
    ]
    return np.stack(rolled)


def _flat(at: Array) -> Array:
    fights = at.shape[1]
    return at * fights + np.arange(fights)
