"""Exact odds: a Markov chain over the distinct states of a fight.

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
from navkit.engine.turns import (
    Battle,
    Moment,
    Step,
    chosen,
    empty_tally,
    figures,
    moments,
    standing,
)
from navkit.errors import InputError
from navkit.history import STALEMATE, UNDECIDED, History, Tally
from navkit.state import State, at_rows, flatten, merge, rebuild

FIRST_SLAB = 64
"""States of the first slab of a step, which tells how many outcomes each of them has."""
SLAB_CELLS = 1 << 18
"""Outcomes worked out at a time: what fits the cache, and bounds the memory."""
PRUNED = 1e-13
"""How much probability an exact fight may leave out in all, so as to drop the rarest states."""
LONGEST = 1000
"""Turns after which a fight to the end that still goes round in circles counts as undecided."""
WORTH_A_LOOK = 1e-12
"""Undecided probability from which on it is asked whether those fights can end at all."""
STALEMATE_STATES = 5_000
STALEMATE_WORK = 300_000
"""How many states and outcomes are looked at to find out whether a fight can end."""


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
        return _pruned(merged, self.budget)

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


def solve(
    battle: Battle[State], turns: int, chance: Exact, closed: pd.Index[Any] | None = None
) -> History:
    """Exact odds over `turns` turns. `closed` are states that are known to be a stalemate."""
    parts = len(battle.turn) * turns + len(battle.opening)
    solver = Solver(battle, chance, PRUNED / parts)
    tally = empty_tally(battle, turns)
    chain = _settled(solver, solver.start(), tally, 0, last=not battle.opening)
    for moment in moments(battle, range(turns + 1)):
        chain = _made(solver, chain, moment, tally)
        stalled = _within(solver, chain, closed if moment.is_last else None)
        if stalled.any():
            _count(solver, chain.where(stalled), tally, moment.turn, STALEMATE)
            chain = chain.where(~stalled)
        chain = _settled(solver, chain, tally, moment.turn, last=moment.is_last)
    if closed is None and battle.may_stall and chain.weight.sum() > WORTH_A_LOOK:
        closed = closed_states(solver, chain)
        if closed is not None:
            return solve(battle, turns, chance, closed)
    return History(turns, None, battle.causes, tally, lost=_lost(tally))


def _made(solver: Solver[State], chain: Chain, moment: Moment[State], tally: Tally) -> Chain:
    """The chain after a part of a turn; one that repeats goes on until nobody takes it."""
    for _ in range(moment.most):
        if not len(chain):
            break
        after = solver.advance(chain, moment.steps)
        if after is chain:
            break
        chain = after if moment.most == 1 else _settled(solver, after, tally, moment.turn)
    return chain


def _settled(
    solver: Solver[State], chain: Chain, tally: Tally, turn: int, *, last: bool = False
) -> Chain:
    """Puts away the fights that are over; after the last part of a turn, counts the others."""
    if not len(chain):
        return chain
    status, cause = standing(solver.battle, solver.state(chain))
    over = status != UNDECIDED
    if last:
        _tally(solver, chain, tally, turn, status, cause)
    if not over.any():
        return chain
    if not last:
        ways = {side: code[over] for side, code in cause.items()}
        _tally(solver, chain.where(over), tally, turn, status[over], ways)
    return chain.where(~over)


def _count(solver: Solver[State], chain: Chain, tally: Tally, turn: int, status: int) -> None:
    """Counts fights all as of one status."""
    if len(chain):
        _, cause = standing(solver.battle, solver.state(chain))
        _tally(solver, chain, tally, turn, np.full(len(chain), status), cause)


def _tally(
    solver: Solver[State],
    chain: Chain,
    tally: Tally,
    turn: int,
    status: Array,
    cause: dict[str, Array],
) -> None:
    tally.count(turn, status, cause, figures(solver.battle, chain.arrays), chain.weight)


def _lost(tally: Tally) -> float:
    kept = tally.mass[:, UNDECIDED + 1 :].sum() + tally.mass[-1, UNDECIDED]
    return max(0.0, 1.0 - float(kept))


def _pruned(chain: Chain, budget: float) -> Chain:
    """Without the rarest states, as long as they come to less than `budget` together."""
    rare = np.flatnonzero(chain.weight < budget)
    if len(rare) == 0:
        return chain
    rare = rare[np.argsort(chain.weight[rare])]
    rare = rare[np.cumsum(chain.weight[rare]) <= budget]
    keep = np.ones(len(chain), dtype=bool)
    keep[rare] = False
    return chain.where(keep)


# Fights to the end, and fights that have none


@dataclass(frozen=True)
class _Round:
    """One turn from each of some states: what follows undecided, and what is over.

    The last array of each chain is `origin`, the row of the state it came from.
    """

    going: Chain
    over: list[Chain]

    @property
    def deciding(self) -> Array:
        """The rows from which a fight may end within the turn."""
        return np.concatenate([np.zeros(0, np.int64)] + [part.arrays[-1] for part in self.over])


def _round(solver: Solver[State], chain: Chain) -> _Round:
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
    return _Round(going, over)


def finish(battle: Battle[State], chance: Exact) -> History:
    """Exact odds of a fight to the end, however long it takes; the history has one turn, the end.

    A state that a turn may leave as it was is solved by algebra: sooner or later it is left, in
    the proportions of one turn in which it is. A fight that goes round in longer circles is
    followed until less than 1e-13 is left of it.
    """
    solver = Solver(battle, chance, PRUNED / (len(battle.turn) * LONGEST))
    tally = empty_tally(battle, 1)
    chain = solver.start()
    for moment in moments(battle, [0]):
        chain = _made(solver, chain, moment, tally)
    chain = _settled(solver, chain, tally, 1)
    for _ in range(LONGEST):
        if not len(chain):
            break
        once = _round(solver, chain)
        same = _unchanged(solver, once.going, chain)
        stays = np.zeros(len(chain))
        stays[once.going.arrays[-1][same]] = once.going.weight[same]
        stuck = stays > 1 - 1e-12
        _count(solver, chain.where(stuck), tally, 1, STALEMATE)
        leaving = np.where(stuck, 0.0, chain.weight / np.where(stuck, 1.0, 1.0 - stays))
        for part in once.over:
            _settled(solver, _weighed(part, leaving), tally, 1)
        moved = _weighed(once.going.where(~same), leaving)
        chain = _pruned(solver.merged(moved.arrays, moved.weight), solver.budget)
    closed = closed_states(solver, chain)
    stalled = _within(solver, chain, closed)
    _count(solver, chain.where(stalled), tally, 1, STALEMATE)
    _count(solver, chain.where(~stalled), tally, 1, UNDECIDED)
    return History(1, None, battle.causes, tally, lost=_lost(tally))


def _weighed(part: Chain, leaving: Array) -> Chain:
    """A part of a round without its origin, weighed by that of the state it came from."""
    return Chain(part.arrays[:-1], part.weight * leaving[part.arrays[-1]])


def _unchanged(solver: Solver[State], after: Chain, before: Chain) -> Array:
    """Which states of a round are the ones they came from."""
    same = np.ones(len(after), dtype=bool)
    for at in solver.keys:
        same &= after.arrays[at] == before.arrays[at][after.arrays[-1]]
    return same


def closed_states(solver: Solver[State], undecided: Chain) -> pd.Index[Any] | None:
    """The states, among the undecided and what may follow them, from which no end is reached.

    None if there are none, or if finding out would take more than a look.
    """
    if not 0 < len(undecided) <= STALEMATE_STATES:
        return None
    explorer = Solver(solver.battle, Exact(work=STALEMATE_WORK))
    known, index = undecided, solver.index(undecided)
    may_end, explored = np.zeros((2, len(known)), dtype=bool)
    edges = np.zeros((2, 0), dtype=np.int64)
    frontier = np.arange(len(known))
    while len(frontier):
        try:
            once = _round(explorer, known.where(frontier))
        except TooManyStates:
            return None
        following = solver.index(once.going)
        fresh = np.asarray(~following.isin(index) & ~following.duplicated())
        known = _stacked(known, once.going.where(fresh))
        index = index.append(following[fresh])
        came_from = frontier[once.going.arrays[-1]]
        edges = np.concatenate([edges, [came_from, index.get_indexer(following)]], axis=1)
        may_end, explored = (np.pad(each, (0, int(fresh.sum()))) for each in (may_end, explored))
        may_end[frontier[once.deciding]] = True
        explored[frontier] = True
        _spread(may_end, edges)
        if may_end[: len(undecided)].all():
            return None
        # what follows only states that may end is of no interest
        if len(known) > STALEMATE_STATES:
            return None
        before, after = edges
        frontier = np.unique(after[~may_end[before] & ~explored[after]])
    return index[~may_end & explored]


def _stacked(known: Chain, more: Chain) -> Chain:
    """`known`, and below it the states of a round without their origin."""
    pairs = zip(known.arrays, more.arrays[: len(known.arrays)], strict=True)
    return Chain([np.concatenate(pair) for pair in pairs], np.ones(len(known) + len(more)))


def _spread(may_end: Array, edges: Array) -> None:
    """Marks, in place, all states that lead to one that may end."""
    before, after = edges
    while True:
        leading = before[may_end[after]]
        if may_end[leading].all():
            return
        may_end[leading] = True


def _within(solver: Solver[State], chain: Chain, closed: pd.Index[Any] | None) -> Array:
    if closed is None or not len(chain):
        return np.zeros(len(chain), dtype=bool)
    return np.asarray(solver.index(chain).isin(closed))
