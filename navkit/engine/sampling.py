"""One draw a fight: samples of fights, and single fights with their log."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from navkit.chance import GROUP, Exact, Sampled
from navkit.engine.block import Block
from navkit.engine.draws import Draws
from navkit.engine.script import Script
from navkit.engine.solver import Chain, Solver, are_closed
from navkit.engine.stalemates import closed_states
from navkit.engine.turns import (
    BRANCHES,
    Battle,
    Moment,
    chosen,
    empty_tally,
    figures,
    moments,
    standing,
)
from navkit.history import History
from navkit.state import State, flatten
from navkit.tally import STALEMATE, UNDECIDED


def sample(
    battle: Battle[State], turns: int, chance: Sampled, closed: pd.Index[Any] | None = None
) -> History:
    """Odds from sampled fights. `closed` are states that are known to be a stalemate."""
    tally = empty_tally(battle, turns)
    solver = Solver(battle, Exact())
    left: list[Chain] = []
    codes = np.zeros(chance.fights, dtype=np.int32) if chance.ends else None
    kept = {name: np.zeros(chance.fights, np.int32) for name in tally.tracks if chance.ends}
    end = chance.first + chance.fights
    for begin in range(chance.first // GROUP * GROUP, end, chance.block):
        low, high = max(begin, chance.first), min(begin + chance.block, end)
        mine = slice(low - chance.first, high - chance.first)
        part = None if codes is None else codes[mine]
        left_of_part = {name: values[mine] for name, values in kept.items()}
        fights = np.arange(low, high)
        block = Block(battle, chance, fights, tally=tally, codes=part, left=left_of_part)
        block.play(range(turns + 1), solver, closed)
        if closed is None and len(block.at) and battle.countable and battle.may_stall:
            left.append(solver.merged(block.arrays, np.ones(len(block.at))))
    if closed is None and left:
        arrays = [np.concatenate(each) for each in zip(*(c.arrays for c in left), strict=True)]
        weight = np.concatenate([chain.weight for chain in left])
        closed = closed_states(solver, solver.merged(arrays, weight))
        if closed is not None:
            return sample(battle, turns, chance, closed)

    def again(number: int) -> History:
        group, place = np.array([number // GROUP]), np.array([number % GROUP])
        draws = Draws(chance.seed, group, place)
        draws.log = []
        return single(battle, turns, draws, closed)

    return History(
        turns,
        chance.fights,
        battle.causes,
        tally,
        first=chance.first,
        again=again,
        seed=chance.seed,
        codes=codes,
        left=kept,
    )


def single(
    battle: Battle[State],
    turns: int,
    luck: Script | Draws,
    closed: pd.Index[Any] | None = None,
) -> History:
    """A single fight, with its log. `closed` are states that are known to be a stalemate."""
    tally = empty_tally(battle, turns)
    solver = Solver(battle, Exact())
    fight = battle.start

    def settle(turn: int, *, last: bool, may_stall: bool = False) -> bool:
        status, cause = standing(battle, fight)
        if may_stall and are_closed(solver, Chain(flatten(fight), np.ones(1)), closed)[0]:
            status = np.array([STALEMATE])
        over = bool(status[0] != UNDECIDED)
        if last or over:
            tally.count(turn, status, cause, figures(battle, flatten(fight)), None)
        return over

    def advance(moment: Moment[State], again: int) -> bool:
        nonlocal fight
        for branch, mask in enumerate(chosen(fight, moment.steps, 1)):
            if mask is None or mask[0]:
                step = moment.steps[branch]
                luck.begin(moment.turn, moment.number * BRANCHES + branch, again, step.side)
                fight = step.run(fight, luck)
                return True
        return False

    over = settle(0, last=not battle.opening)
    for moment in moments(battle, range(turns + 1)):
        again = 0
        while not over and again < moment.most and advance(moment, again):
            over, again = settle(moment.turn, last=False), again + 1
        if over:
            break
        over = settle(moment.turn, last=moment.is_last, may_stall=moment.is_last)
    return History(turns, 1, battle.causes, tally, entries=tuple(luck.log or ()))
