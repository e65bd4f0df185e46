"""Exact odds: a Markov chain over the distinct states of a fight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from navkit.chance import Array, Exact
from navkit.engine.solver import PRUNED, Chain, Solver, are_closed, one_turn, pruned
from navkit.engine.stalemates import closed_states
from navkit.engine.turns import Battle, Moment, empty_tally, figures, moments, standing
from navkit.errors import whole
from navkit.history import History
from navkit.state import State
from navkit.tally import STALEMATE, UNDECIDED, Tally

LONGEST = 1000
"""Turns after which a fight to the end that still goes round in circles counts as undecided."""
WORTH_A_LOOK = 1e-12
"""Undecided probability from which on it is asked whether those fights can end at all."""


def some_turns(turns: Any) -> int:
    """`turns` if a battle may be played for so many, else InputError: for None, to the end, too."""
    return whole("turns", turns, 1, LONGEST)


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
        stalled = are_closed(solver, chain, closed if moment.is_last else None)
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
        once = one_turn(solver, chain)
        same = _unchanged(solver, once.going, chain)
        stays = np.zeros(len(chain))
        stays[once.going.arrays[-1][same]] = once.going.weight[same]
        stuck = stays > 1 - 1e-12
        _count(solver, chain.where(stuck), tally, 1, STALEMATE)
        leaves = np.where(stuck, np.inf, 1.0 - stays)
        leaving = chain.weight / leaves
        gained = _gained(solver, once.going.where(same), chain, stays / leaves)
        for part in once.over:
            _settled(solver, _weighed(part, leaving, gained), tally, 1)
        moved = _weighed(once.going.where(~same), leaving, gained)
        chain = pruned(solver.merged(moved.arrays, moved.weight), solver.budget)
    closed = closed_states(solver, chain)
    stalled = are_closed(solver, chain, closed)
    _count(solver, chain.where(stalled), tally, 1, STALEMATE)
    _count(solver, chain.where(~stalled), tally, 1, UNDECIDED)
    return History(1, None, battle.causes, tally, lost=_lost(tally))


def _gained(solver: Solver[State], same: Chain, before: Chain, stayed: Array) -> dict[int, Array]:
    """What the means of tracks gain in the turns that leave a state as it was, `stayed` of them."""
    gained = {at: np.zeros(len(before)) for at in solver.means}
    origin = same.arrays[-1]
    for at, gain in gained.items():
        gain[origin] = (same.arrays[at] - before.arrays[at][origin]) * stayed[origin]
    return gained


def _weighed(part: Chain, leaving: Array, gained: dict[int, Array]) -> Chain:
    """A part of a round without its origin: weighed by, and with what was gained in, the state it
    came from."""
    *arrays, origin = part.arrays
    for at, gain in gained.items():
        arrays[at] = arrays[at] + gain[origin]
    return Chain(arrays, part.weight * leaving[origin])


def _unchanged(solver: Solver[State], after: Chain, before: Chain) -> Array:
    """Which states of a round are the ones they came from."""
    same = np.ones(len(after), dtype=bool)
    for at in solver.keys:
        same &= after.arrays[at] == before.arrays[at][after.arrays[-1]]
    return same
