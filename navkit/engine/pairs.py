"""The chances of all pairs of states of two sides, as a matrix, and what a part of a turn does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import sparse

from navkit.chance import Array, TooManyStates
from navkit.engine.kernel import SMALL_MATRIX, Entries, Matrix

MOST_PAIRS = 40_000_000
"""How many pairs of states are kept."""


@dataclass(frozen=True)
class Pairs:
    """The chance of each pair of states: `rows @ columns`, or `rows` alone if that is None.

    `a` and `b` are the numbers of the states.
    """

    a: Array
    b: Array
    rows: Array
    columns: Array | None = None

    @property
    def numbers(self) -> dict[str, Array]:
        """The states by side."""
        return {"a": self.a, "b": self.b}

    def times(self, weight: Array) -> Array:
        """For each state of a, the chances of the states of b, weighted and added up.

        For several weights of each state of b, in columns, as many columns.
        """
        return self.rows @ (weight if self.columns is None else self.columns @ weight)

    def share(self, x: str) -> Array:
        """The chance of each state of side `x`."""
        if x == "a":
            return self.times(np.ones(len(self.b)))
        return self.turned().share("a")

    def by_place(self, place: Array, places: int) -> Array:
        """For each state of a: the chances of the states of b, added up by their place."""
        groups = np.zeros((len(self.b), places))
        groups[np.arange(len(self.b)), place] = 1.0
        return self.times(groups)

    def turned(self) -> Pairs:
        """The same pairs with the sides exchanged."""
        if self.columns is None:
            return Pairs(self.b, self.a, self.rows.T)
        return Pairs(self.b, self.a, self.columns.T, self.rows.T)

    def total(self) -> float:
        """The chance of all pairs."""
        return float(self.share("a").sum())

    def where(self, x: str, kept: Array) -> Pairs:
        """The pairs in which the state of side `x` is among some, told by a mask."""
        if x == "b":
            return self.turned().where("a", kept).turned()
        which = np.flatnonzero(kept)
        if self.rows.flags.c_contiguous:
            rows = np.take(self.rows, which, axis=0)
        else:
            rows = np.take(self.rows.T, which, axis=1).T
        return Pairs(self.a[which], self.b, rows, self.columns)

    def merged(self, x: str, numbers: Array) -> Pairs:
        """The pairs when the states of side `x` get other numbers, some of them the same."""
        if x == "b":
            return self.turned().merged("a", numbers).turned()
        a, place = np.unique(numbers, return_inverse=True)
        order = np.argsort(place, kind="stable")
        ends = np.concatenate(([0], np.cumsum(np.bincount(place))))
        merge = sparse.csr_matrix((np.ones(len(place)), order, ends), (len(a), len(place)))
        return Pairs(a, self.b, merge @ self.rows, self.columns)

    def dense(self) -> Pairs:
        """The same pairs, with a number for each."""
        if self.columns is None:
            return self
        _checked(len(self.a) * len(self.b))
        return Pairs(self.a, self.b, self.rows @ self.columns)


@dataclass(frozen=True)
class Map:
    """Where the states of one side go: to the states of some numbers, by a matrix.

    Without a matrix each goes to one, and no two to the same.
    """

    to: Array
    matrix: Matrix | None = None

    @classmethod
    def of(cls, entries: Entries, states: int) -> Map:
        """The map by the entries of a kernel, where there are so many states in all."""
        met = np.zeros(states, dtype=bool)
        met[entries.state] = True
        to = np.flatnonzero(met)
        if len(entries.state) == len(entries.count) == len(to) and (entries.chance == 1.0).all():
            return cls(entries.state)
        place = np.cumsum(met, dtype=np.int32) - 1
        narrow = replace(entries, state=place[entries.state])
        return cls(to, narrow.matrix(len(to), SMALL_MATRIX))

    @property
    def size(self) -> int:
        """How much it holds."""
        held = self.to.size
        if self.matrix is not None:
            held += self.matrix.size
        return held

    def wider(self, to: Array, places: Array) -> Map:
        """The same map to more states, among which its own have some places."""
        if len(to) == len(self.to) and self.matrix is not None:
            return replace(self, to=to)
        if isinstance(self.matrix, np.ndarray):
            wide = np.zeros((len(self.matrix), len(to)))
            wide[:, places] = self.matrix
            return Map(to, wide)
        if self.matrix is None:
            count, state, chance = np.ones(len(places), np.int64), places, np.ones(len(places))
        else:
            count, chance = np.diff(self.matrix.indptr), self.matrix.data
            state = places[self.matrix.indices]
        return Map(to, Entries(count, state, chance).matrix(len(to), SMALL_MATRIX))

    def of_rows(self, rows: Array) -> Array:
        """What the rows of a matrix of chances become."""
        return rows if self.matrix is None else self.matrix.T @ rows

    def of_columns(self, columns: Array) -> Array:
        """What the columns of a matrix of chances become."""
        if self.matrix is None:
            return columns
        if isinstance(self.matrix, np.ndarray):
            return columns @ self.matrix
        return (self.matrix.T @ columns.T).T


@dataclass(frozen=True)
class Block:
    """Pairs to which the same happens: which states of a and b (None: all), where they go."""

    a: Array | None
    b: Array | None
    left: Map
    right: Map

    def run(self, rows: Array) -> Array:
        """What becomes of its part of a matrix of chances."""
        if self.a is not None:
            rows = rows[self.a]
        if self.b is not None:
            rows = np.take(rows, self.b, axis=1)
        return self.left.of_rows(self.right.of_columns(rows))

    def back(self, after: Array) -> Array:
        """The mean of what the pairs after it are worth, for each pair before it."""
        if self.right.matrix is not None:
            after = (self.right.matrix @ after.T).T
        return after if self.left.matrix is None else self.left.matrix @ after


@dataclass(frozen=True)
class Plan:
    """A part of a turn for pairs of certain states: its blocks, and the states that come of it.

    `places` are where the states of each block are among those. Blocks that differ in one side's
    states alone need none: they stand beside each other along `axis`.
    """

    blocks: list[Block]
    a: Array
    b: Array
    places: list[tuple[Array, Array]] = field(default_factory=list)
    axis: int | None = None

    @classmethod
    def of(cls, blocks: list[Block], *sizes: int) -> Plan:
        """The plan of some blocks, where a and b have so many states in all."""
        if len(blocks) == 1:
            (only,) = blocks
            return cls(blocks, only.left.to, only.right.to)
        sides = [block.left for block in blocks], [block.right for block in blocks]
        states, places = [], []
        for size, maps in zip(sizes, sides, strict=True):
            met = np.zeros(size, dtype=bool)
            for each in maps:
                met[each.to] = True
            place = np.cumsum(met) - 1
            states.append(np.flatnonzero(met))
            places.append([place[each.to] for each in maps])
        a, b = states
        beside = [np.concatenate([each.to for each in maps]) for maps in sides]
        if len(beside[0]) == len(a) and all(block.b is None for block in blocks):
            pairs = zip(blocks, places[1], strict=True)
            wide = [replace(block, right=block.right.wider(b, at)) for block, at in pairs]
            return cls(wide, beside[0], b, axis=0)
        if len(beside[1]) == len(b) and all(block.a is None for block in blocks):
            pairs = zip(blocks, places[0], strict=True)
            wide = [replace(block, left=block.left.wider(a, at)) for block, at in pairs]
            return cls(wide, a, beside[1], axis=1)
        return cls(blocks, a, b, list(zip(*places, strict=True)))

    @property
    def size(self) -> int:
        """How much it holds."""
        return sum(block.left.size + block.right.size for block in self.blocks)

    @property
    def changes(self) -> str:
        """The sides whose states do more than get another number."""
        left = any(block.left.matrix is not None for block in self.blocks)
        right = any(block.right.matrix is not None for block in self.blocks)
        return "a" * left + "b" * right

    @property
    def renames(self) -> bool:
        """Whether it does nothing but give each state another number."""
        return len(self.blocks) == 1 and not self.changes

    def run(self, pairs: Pairs) -> Pairs:
        """The pairs after it."""
        if self.renames:
            return replace(pairs, a=self.a, b=self.b)
        if len(self.blocks) == 1 and pairs.columns is not None:
            (only,) = self.blocks
            rows, columns = only.left.of_rows(pairs.rows), only.right.of_columns(pairs.columns)
            return Pairs(self.a, self.b, rows, columns)
        pairs = pairs.dense()
        _checked(len(self.a) * len(self.b))
        parts = [block.run(pairs.rows) for block in self.blocks]
        if len(parts) == 1:
            return Pairs(self.a, self.b, parts[0])
        if self.axis is not None:
            return Pairs(self.a, self.b, np.concatenate(parts, axis=self.axis))
        rows = np.zeros((len(self.a), len(self.b)))
        for part, (a, b) in zip(parts, self.places, strict=True):
            rows[a[:, None], b] += part
        return Pairs(self.a, self.b, rows)

    def back(
        self,
        before: tuple[Array, Array],
        after: tuple[Array, Array],
        worth: Array,
        lost: Sequence[Array],
    ) -> Array:
        """The mean of what pairs are worth after it, for each pair of states before it.

        `worth` is that of pairs of the states `after`. All others are worth 1 if one of the two
        is `lost`, else nothing.
        """
        if self.renames and worth.shape == (len(self.a), len(self.b)):
            return worth
        padded = np.zeros((worth.shape[0] + 1, worth.shape[1] + 1))
        padded[:-1, :-1] = worth
        mean = np.zeros([len(states) for states in before])
        for block in self.blocks:
            a, b = block.left.to, block.right.to
            known = padded[places(a, after[0])[:, None], places(b, after[1])]
            found = block.back(np.where(lost[0][a][:, None] | lost[1][b], 1.0, known))
            rows = np.arange(len(mean)) if block.a is None else block.a
            columns = np.arange(mean.shape[1]) if block.b is None else block.b
            mean[np.ix_(rows, columns)] = found
        return mean


def places(numbers: Array, known: Array) -> Array:
    """Where each of some numbers stands among those known; how many those are if it does not."""
    size = 1 + max(int(numbers.max(initial=0)), int(known.max(initial=0)))
    place = np.full(size, len(known))
    place[known] = np.arange(len(known))
    return place[numbers]


def _checked(pairs: int) -> None:
    if pairs > MOST_PAIRS:
        raise TooManyStates(pairs, "pairs of states", MOST_PAIRS)
