"""Transition matrices read off a rule's steps.

A kernel holds what a step makes of one side of a fight, for each state of that side and each
*message* it may get from the other side (how many guns fire at it). Its rows are worked out by
running the step itself, when they are first asked for, and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from navkit.chance import Array
from navkit.state import CODE_BITS

Matrix = Any
"""An array, or a sparse matrix of scipy, which ships no types."""
SMALL_MATRIX = 1 << 14
"""Numbers up to which a matrix is not worth being sparse."""


class States:
    """Distinct rows of some integer columns, numbered from 0 in the order they were met.

    >>> known = States([np.array([5])])
    >>> known.number([np.array([7, 5, 7, 6])]), len(known)
    (array([1, 0, 1, 2]), 3)
    """

    def __init__(self, columns: Sequence[Array]) -> None:
        self.columns = [np.array(column) for column in columns]

    def __len__(self) -> int:
        return len(self.columns[0])

    def number(self, columns: Sequence[Array]) -> Array:
        """The numbers of some rows; those not met before get new ones."""
        met = len(self)
        both = [np.concatenate(pair) for pair in zip(self.columns, columns, strict=True)]
        labels, _ = pd.factorize(_codes(both))
        labels = labels[met:]
        fresh = np.flatnonzero(labels >= met)
        if len(fresh):
            place = np.empty(int(labels.max()) + 1 - met, dtype=np.int64)
            place[labels[fresh[::-1]] - met] = fresh[::-1]
            self.columns = [
                np.concatenate((old, new[place]))
                for old, new in zip(self.columns, columns, strict=True)
            ]
        return labels


def _codes(columns: Sequence[Array]) -> Array:
    """One integer for each row, different for different rows."""
    code = np.zeros(len(columns[0]), dtype=np.int64)
    space = 1
    for column in columns:
        low, high = int(column.min()), int(column.max())
        if high == low:
            continue
        if (space * (high - low + 1)).bit_length() > CODE_BITS:
            code, distinct = pd.factorize(code)
            space = len(distinct)
        code = code + (column.astype(np.int64) - low) * space
        space *= high - low + 1
    return code


@dataclass
class Kernel:
    """What a step makes of one side: a row for each message and state asked for so far.

    `gone` is how much of a forgotten field went, see `coupled.Coupled`; where it is to be
    known, entries that differ in it stay apart.
    """

    rows: int = 0
    _row_of: Array = field(default_factory=lambda: np.full((0, 0), -1))
    _row_ends: Growing = field(default_factory=lambda: Growing(np.zeros(1, np.int32)))
    _state: Growing = field(default_factory=lambda: Growing(np.zeros(0, np.int32)))
    _chance: Growing = field(default_factory=lambda: Growing(np.zeros(0)))
    _gone: Growing = field(default_factory=lambda: Growing(np.zeros(0, np.int32)))

    def row_of(self, message: int, states: Array) -> Array:
        """The rows of some states that get a message; −1 where there is none yet."""
        self._make_room(message, states)
        return self._row_of[message, states]

    def _make_room(self, message: int, states: Array) -> None:
        more = message + 1 - len(self._row_of)
        wide = int(states.max(initial=0)) + 1
        wider = wide - self._row_of.shape[1]
        if more > 0 or wider > 0:
            room = [(0, max(0, more)), (0, wider + wide if wider > 0 else 0)]
            self._row_of = np.pad(self._row_of, room, constant_values=-1)

    def add(
        self,
        messages: Array,
        states: Array,
        row: Array,
        state: Array,
        chance: Array,
        gone: Array | None,
    ) -> None:
        """Takes in rows for pairs of message and state; entries by row from 0, in any order."""
        self._make_room(int(messages.max()), states)
        self._row_of[messages, states] = self.rows + np.arange(len(states))
        self.rows += len(states)
        width = int(state.max()) + 1
        place = state if gone is None else state + width * gone
        shape = (len(states), int(place.max()) + 1)
        added = sparse.csr_matrix((chance, (row, place)), shape=shape)
        self._row_ends.extend(added.indptr[1:] + len(self._state))
        self._state.extend(added.indices % width)
        self._gone.extend(added.indices // width)
        self._chance.extend(added.data)

    def transitions(self) -> tuple[Array, Array, Array]:
        """All entries: from which state, to which, and how much went."""
        row_state = np.zeros(self.rows, dtype=np.int64)
        message, state = np.nonzero(self._row_of >= 0)
        row_state[self._row_of[message, state]] = state
        before = np.repeat(row_state, np.diff(self._row_ends.array))
        return before, self._state.array, self._gone.array

    def some(self, rows: Array, tilt: float, lost: Array) -> Entries:
        """The entries of some rows.

        With a `tilt` θ each probability is times exp(θ · gone), but not where the state it leads
        to is `lost`.
        """
        count, here = self._entries(rows)
        state, chance = self._state.array[here], self._chance.array[here]
        if tilt:
            gone = self._gone.array[here]
            chance = chance * np.exp(tilt * np.where(lost[state], 0, gone))
        return Entries(count, state, chance)

    def followed(self, rows: Array, worn: Array, width: int, lost: Array) -> Entries:
        """The entries of some rows, from states of whose forgotten field so much is gone.

        A state is numbered state · width + what is gone; the most is width − 1. Where a state is
        `lost` it does not matter how much.
        """
        count, here = self._entries(rows)
        state, gone = self._state.array[here], self._gone.array[here]
        after = np.minimum(np.repeat(worn, count) + gone, width - 1)
        number = state.astype(np.int64) * width + np.where(lost[state], 0, after)
        return Entries(count, number, self._chance.array[here])

    def _entries(self, rows: Array) -> tuple[Array, Array]:
        """How many entries some rows have, and where those are."""
        ends = self._row_ends.array
        first, count = ends[rows], ends[rows + 1] - ends[rows]
        last = np.cumsum(count)
        size = int(last[-1]) if len(last) else 0
        return count, np.arange(size) + np.repeat(first - last + count, count)


@dataclass(frozen=True)
class Entries:
    """Rows of a sparse matrix: how many entries each row has, their columns and values."""

    count: Array
    state: Array
    chance: Array

    def matrix(self, columns: int, small: int) -> Matrix:
        """As a matrix of so many columns; as an array if it has at most `small` numbers."""
        shape = (len(self.count), columns)
        if shape[0] * columns <= small:
            row = np.repeat(np.arange(shape[0]), self.count)
            flat = np.bincount(row * columns + self.state, self.chance, shape[0] * columns)
            return flat.reshape(shape)
        ends = np.concatenate(([0], np.cumsum(self.count)))
        return sparse.csr_matrix((self.chance, self.state, ends), shape=shape)


class Growing:
    """An array that is extended at its end, at little cost each time."""

    def __init__(self, start: Array) -> None:
        self._room, self._size = start, len(start)

    def __len__(self) -> int:
        return self._size

    @property
    def array(self) -> Array:
        """What it holds."""
        return self._room[: self._size]

    def extend(self, more: Array) -> None:
        """Appends an array."""
        size = self._size + len(more)
        if size > len(self._room):
            room = np.empty(size + size // 2, self._room.dtype)
            room[: self._size] = self.array
            self._room = room
        self._room[self._size : size] = more
        self._size = size
