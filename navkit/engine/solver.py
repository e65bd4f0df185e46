"""Exact chance at work: the distinct states of a fight with their weights, step by step.

Every step runs on all states at once with every outcome of its rolls; equal states merge after
each step. Rows are worked on in slabs that fit the cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Generic

import numpy as np
import pandas as pd

from navkit.chance import Array, Exact, TooManyStates
from navkit.engine.branches import Branches
from navkit.engine.turns import Battle, Step, chosen, moments, standing
from navkit.errors import InputError
from navkit.state import State, at_rows, flatten, merge, rebuild
from navkit.tally import UNDECIDED

FIRST_SLAB = 64
"""States of the first slab of a step, which tells how many outcomes each of them has."""
SLAB_CELLS = 1 << 18
"""Outcomes worked out at a time: what fits the cache, and bounds the memory."""
PRUNED = 1e-13
"""How much probability an exact fight may leave out in all, so as to drop the rarest states."""


@dataclass(frozen=True)
class Chain:
    """Distinct states and their weights. There may be more arrays than the state has: they ride
    along as part of the key."""

    arrays: list[Array]
    weight: Array

    def __len__(self) -> int:
        return len(self.weight)

    def where(self, rows: Array) -> Chain:
        """The states in some rows."""
        if rows.dtype == bool:
            rows = np.flatnonzero(rows)
            if len(rows) == len(self):
                return self
        return Chain([at_rows(array, rows) for array in self.arrays], self.weight[rows])

    def part(self, start: int, stop: int) -> Chain:
        """The states from row `start` up to `stop`, in the memory of these."""
        if start == 0 and stop >= len(self):
            return self
        return Chain([array[start:stop] for array in self.arrays], self.weight[start:stop])


@dataclass
class Solver(Generic[State]):
    """Runs steps of a battle on chains of states, within the bounds of `chance`."""

    battle: Battle[State]
    chance: Exact
    budget: float = 0.0
    work: int = 0
    slab: dict[int, int] = field(default_factory=dict)
    keys: list[int] = field(init=False)
    means: list[int] = field(init=False)

    def __post_init__(self) -> None:
        shape = self.battle.leaves
        names = {leaf.path.split(".")[-1] for leaf in shape}
        for name in self.chance.distributions:
            if name not in names:
                raise InputError("distributions", name, *sorted(names))
        self.means = [
            at
            for at, leaf in enumerate(shape)
            if leaf.is_track and leaf.path.split(".")[-1] not in self.chance.distributions
        ]
        self.keys = [at for at in range(len(shape)) if at not in self.means]

    def start(self) -> Chain:
        """The battle's start, as a chain of one state."""
        arrays = flatten(self.battle.start)
        floats = [a.astype(np.float64) if at in self.means else a for at, a in enumerate(arrays)]
        return Chain(floats, np.ones(1))

    def state(self, chain: Chain) -> State:
        """The states of a chain as the rules see them."""
        return rebuild(self.battle.start, chain.arrays)

    def index(self, chain: Chain) -> pd.Index[Any]:
        """The driving part of the states, without tracks kept as means: one key for each."""
        rows = np.stack([chain.arrays[at].astype(np.int64) for at in self.keys], axis=1)
        return pd.Index([row.tobytes() for row in rows], dtype=object)

    def advance(self, chain: Chain, steps: tuple[Step[State], ...]) -> Chain:
        """The chain after each state has taken the first of the steps that applies to it."""
        parts, free = [], np.ones(len(chain), dtype=bool)
        alternatives = chosen(self.state(chain), steps, len(chain))
        for step, mask in zip(steps, alternatives, strict=True):
            if mask is None:
                parts, free = list(self._run(chain, step)), np.zeros_like(free)
                break
            if mask.any():
                parts += self._run(chain.where(mask), step)
                free &= ~mask
        if not parts:
            return chain
        if free.any():
            parts.append(chain.where(free))
        merged = parts[0] if len(parts) == 1 else self._joined(parts)
        if len(merged) > self.chance.states:
            raise TooManyStates(len(merged), "states at a time", self.chance.states)
        return pruned(merged, self.budget)

    def _run(self, chain: Chain, step: Step[State]) -> Iterator[Chain]:
        """The states after a step, slab by slab."""
        at, rows = 0, self.slab.get(id(step), FIRST_SLAB)
        while at < len(chain):
            slab = chain.part(at, at + rows)
            branches = Branches(len(slab))
            after = flatten(step.run(self.state(slab), branches))
            weight = branches.probability() * slab.weight
            self.work += weight.size
            if self.work > self.chance.work:
                raise TooManyStates(self.work, "outcomes", self.chance.work)
            yield self.merged(after + slab.arrays[len(after) :], weight)
            at += len(slab)
            rows = self.slab[id(step)] = max(1, SLAB_CELLS * len(slab) // weight.size)

    def merged(self, arrays: Sequence[Array], weight: Array) -> Chain:
        """The distinct states among `arrays`; tracks that are kept as means are averaged."""
        if not weight.size:
            return Chain([array.ravel() for array in arrays], weight)
        keys = [*self.keys, *range(len(self.keys) + len(self.means), len(arrays))]
        found, averaged, total = merge(
            [arrays[at] for at in keys], [arrays[at] for at in self.means], weight
        )
        placed = zip(keys + self.means, found + averaged, strict=True)
        return Chain([array for _, array in sorted(placed, key=itemgetter(0))], total)

    def _joined(self, parts: list[Chain]) -> Chain:
        arrays = [np.concatenate(each) for each in zip(*(p.arrays for p in parts), strict=True)]
        return self.merged(arrays, np.concatenate([part.weight for part in parts]))


def pruned(chain: Chain, budget: float) -> Chain:
    """Without the rarest states, as long as they come to less than `budget` together."""
    rare = np.flatnonzero(chain.weight < budget)
    if len(rare) == 0:
        return chain
    rare = rare[np.argsort(chain.weight[rare])]
    rare = rare[np.cumsum(chain.weight[rare]) <= budget]
    keep = np.ones(len(chain), dtype=bool)
    keep[rare] = False
    return chain.where(keep)


@dataclass(frozen=True)
class Round:
    """One turn from each of some states: what follows undecided, and what is over.

    The last array of each chain is `origin`, the row of the state it came from.
    """

    going: Chain
    over: list[Chain]

    @property
    def deciding(self) -> Array:
        """The rows from which a fight may end within the turn."""
        return np.concatenate([np.zeros(0, np.int64)] + [part.arrays[-1] for part in self.over])


def one_turn(solver: Solver[State], chain: Chain) -> Round:
    """A turn from each state of the chain, whatever its weight."""
    origin = np.arange(len(chain))
    going, over = Chain([*chain.arrays, origin], np.ones(len(chain))), []
    for moment in moments(solver.battle, [1]):
        for _ in range(moment.most):
            after = solver.advance(going, moment.steps) if len(going) else going
            if after is going:
                break
            status, _causes = standing(solver.battle, solver.state(after))
            ended = status != UNDECIDED
            over.append(after.where(ended))
            going = after.where(~ended)
    return Round(going, over)


def are_closed(solver: Solver[State], chain: Chain, closed: pd.Index[Any] | None) -> Array:
    """Which states of a chain are among the closed ones."""
    if closed is None or not len(chain):
        return np.zeros(len(chain), dtype=bool)
    return np.asarray(solver.index(chain).isin(closed))
