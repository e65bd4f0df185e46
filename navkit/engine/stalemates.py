"""Fights that can't end any more: which states of a fight are a stalemate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from navkit.chance import Array, Exact, Sampled, TooManyStates
from navkit.engine.block import Block
from navkit.engine.solver import Chain, Solver, one_turn
from navkit.state import State

PLAYED_ON = 30
"""Turns that an undecided fight is played on, to see whether it ends."""
PLAYED = 50_000
"""How many states are looked at so."""
STATES = 5_000
WORK = 300_000
"""How many states and outcomes are searched to find out whether a fight can end."""


def closed_states(solver: Solver[State], undecided: Chain) -> pd.Index[Any] | None:
    """The states, among the undecided and what may follow them, from which no end is reached.

    None if there are none, or if finding out would take more than a look. Before that, a fight is
    played on from each: most states that may end are told so far quicker than by a search.
    """
    undecided = undecided.where(_lasting(solver, undecided))
    if not 0 < len(undecided) <= STATES:
        return None
    explorer = Solver(solver.battle, Exact(work=WORK))
    known, index = undecided, solver.index(undecided)
    may_end, explored = np.zeros((2, len(known)), dtype=bool)
    edges = np.zeros((2, 0), dtype=np.int64)
    frontier = np.arange(len(known))
    while len(frontier):
        try:
            once = one_turn(explorer, known.where(frontier))
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
        if len(known) > STATES:
            return None
        before, after = edges
        frontier = np.unique(after[~may_end[before] & ~explored[after]])
    return index[~may_end & explored]


def _lasting(solver: Solver[State], chain: Chain) -> Array:
    """Rows of the states from which one fight, played on, does not end; no others can be stuck."""
    rows = np.arange(len(chain))
    if not 0 < len(chain) <= PLAYED:
        return rows
    block = Block(solver.battle, Sampled(), rows, chain.arrays)
    block.play(range(1, 1 + PLAYED_ON), solver, None)
    return block.still_on


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
