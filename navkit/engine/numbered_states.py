"""States of a battle by number, and the edges that lead from each to what follows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
import pandas as pd

from navkit.chance import Array
from navkit.engine.solver import Chain, Solver
from navkit.state import CODE_BITS, rebuild


@dataclass
class Place:
    """A place in a turn: the states found there in the order they were first reached.

    `ends` tells how many of them may be there by each turn. What follows a state are edges to the
    next place, and `sure`, the value and cost of what ends right after it.
    """

    solver: Solver[Any]
    columns: list[Array] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    sure: list[Array] = field(default_factory=list)
    edges: list[tuple[Array, Array, Array]] = field(default_factory=list)
    _low: list[int] = field(default_factory=list)
    _size: list[int] = field(default_factory=list)
    _index: pd.Index[Any] = field(default_factory=lambda: pd.Index([], dtype=np.int64))

    def __len__(self) -> int:
        return len(self._index)

    def number(self, keys: Sequence[Array]) -> Array:
        """The numbers of some states; those not yet known are added."""
        if not len(keys[0]):
            return np.zeros(0, dtype=np.int64)
        self._widen(keys)
        codes = pd.Index(self._encode(keys))
        fresh = np.asarray(~codes.isin(self._index) & ~codes.duplicated())
        if fresh.any():
            if self.columns:
                pairs = zip(self.columns, keys, strict=True)
                self.columns = [np.concatenate([old, key[fresh]]) for old, key in pairs]
            else:
                self.columns = [key[fresh] for key in keys]
            self._index = self._index.append(codes[fresh])
        return np.asarray(self._index.get_indexer(codes))

    def _widen(self, keys: Sequence[Array]) -> None:
        low = [int(key.min()) for key in keys]
        high = [int(key.max()) for key in keys]
        if self._low:
            tops = [lo + size - 1 for lo, size in zip(self._low, self._size, strict=True)]
            low = [min(pair) for pair in zip(low, self._low, strict=True)]
            high = [max(pair) for pair in zip(high, tops, strict=True)]
        size = [top - lo + 1 for top, lo in zip(high, low, strict=True)]
        if (low, size) == (self._low, self._size):
            return
        if prod(size).bit_length() > CODE_BITS:
            raise OverflowError("a state has too many different figures for one number")
        self._low, self._size = low, size
        if self.columns:
            self._index = pd.Index(self._encode(self.columns))

    def _encode(self, keys: Sequence[Array]) -> Array:
        code = np.zeros(len(keys[0]), dtype=np.int64)
        for key, low, size in zip(keys, self._low, self._size, strict=True):
            code = code * size + (key.astype(np.int64) - low)
        return code

    def chain(self, begin: int, end: int) -> Chain:
        """Some states, each of weight 1, their tracks at 0, with their number as a last array."""
        count = end - begin
        arrays: list[Array] = [np.zeros(count)] * (len(self.solver.keys) + len(self.solver.means))
        for place, at in enumerate(self.solver.keys):
            none = np.zeros(0, dtype=np.int32)
            arrays[at] = self.columns[place][begin:end] if self.columns else none
        return Chain([*arrays, np.arange(begin, end)], np.ones(count))

    def state(self, count: int | None = None) -> Any:
        """The first `count` states, as the rules see them."""
        chain = self.chain(0, len(self) if count is None else count)
        return rebuild(self.solver.battle.start, chain.arrays[:-1])

    def sorted_edges(self, count: int) -> tuple[Array, Array, Array]:
        """The edges from the first `count` states: origins in order, targets and weights."""
        if len(self.edges) > 1:
            origin, target, weight = map(np.concatenate, zip(*self.edges, strict=True))
            order = np.argsort(origin, kind="stable")
            self.edges = [(origin[order], target[order], weight[order])]
        if not self.edges:
            none = np.zeros(0, dtype=np.int64)
            return none, none, np.zeros(0)
        origin, target, weight = self.edges[0]
        end = np.searchsorted(origin, count)
        return origin[:end], target[:end], weight[:end]

    def close(self) -> None:
        """No more states are first reached in this turn."""
        self.ends.append(len(self))
