"""One draw a fight: samples of fights, and single fights with their log."""

from __future__ import annotations

from typing import Any, Generic

import numpy as np
import pandas as pd

from navkit.chance import GROUP, Array, Exact, Sampled
from navkit.engine.draws import Draws
from navkit.engine.exact import Chain, Solver, closed_states
from navkit.engine.rows import Plan, changes, seen
from navkit.engine.script import Script
from navkit.engine.turns import (
    BRANCHES,
    Battle,
    Moment,
    chosen,
    empty_tally,
    figures,
    losses,
    moments,
    standing,
    status_of,
)
from navkit.history import STALEMATE, STATUSES, UNDECIDED, History, Tally
from navkit.state import State, at_rows, flatten, repeated


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
        figures_of_part = {name: values[mine] for name, values in kept.items()}
        block = _Block(battle, chance, np.arange(low, high), tally, part, figures_of_part)
        block.play(turns, solver, closed)
        if closed is None and len(block.at) and battle.countable and battle.may_stall:
            arrays, lasting = block.arrays, block.lasting(turns)
            stuck = [at_rows(array, lasting) for array in arrays]
            left.append(solver.merged(stuck, np.ones(len(lasting))))
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
        return single(battle, turns, draws)

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


class _Block(Generic[State]):
    """Fights of neighbouring groups, played together. Finished ones skip the rules, not the draw.

    `at` are the places of the fights still on among all fights of `groups`. An array of the state
    that is the same in all fights is one number, seen as often as there are fights. `codes` is
    where to write how each fight ended, if that is wanted, and `left` what was left of the sides,
    by figure (see `History`).
    """

    def __init__(
        self,
        battle: Battle[State],
        chance: Sampled,
        fights: Array,
        tally: Tally,
        codes: Array | None,
        left: dict[str, Array],
    ) -> None:
        self.battle, self.chance, self.tally = battle, chance, tally
        self.codes, self.left = codes, left
        self.first = int(fights[0])
        self.groups = np.arange(fights[0] // GROUP, fights[-1] // GROUP + 1)
        self.at = fights - self.groups[0] * GROUP
        self.draws = Draws(chance.seed, self.groups, None)
        self._plan = Plan.of(battle.start)
        self._none = np.broadcast_to(np.int64(UNDECIDED), len(fights))
        self._become([repeated(array, len(fights)) for array in flatten(battle.start)])

    def _become(self, arrays: list[Array]) -> None:
        """Goes on with these arrays. `fight` is the state of the fights that are still on."""
        self.arrays = arrays
        self.fight: State = seen(self._plan, arrays, None)
        self.is_settled = False

    def play(self, turns: int, solver: Solver[State], closed: pd.Index[Any] | None) -> None:
        """Plays all turns, and counts what becomes of the fights."""
        self._settle(0, last=not self.battle.opening)
        for moment in moments(self.battle, range(turns + 1)):
            self._make(moment)
            if not len(self.at):
                return
            if moment.is_last and closed is not None:
                self._settle_closed(moment.turn, solver, closed)
                if not len(self.at):
                    return
            self._settle(moment.turn, last=moment.is_last)
            if moment.is_last and self.chance.drop:
                self._drop_groups()

    def lasting(self, turns: int) -> Array:
        """Rows of the fights that are still on after as many turns again; no others can be stuck.

        Most states that may end are told so by a fight that does, far quicker than by a search.
        """
        at = self.at
        group = self.groups[at // GROUP] * GROUP + at % GROUP
        self.tally, self.codes = empty_tally(self.battle, 2 * turns), None
        for moment in moments(self.battle, range(turns + 1, 2 * turns + 1)):
            self._make(moment)
            if not len(self.at):
                break
            self._settle(moment.turn, last=moment.is_last)
            if moment.is_last and self.chance.drop:
                self._drop_groups()
        still = self.groups[self.at // GROUP] * GROUP + self.at % GROUP
        return np.flatnonzero(np.isin(group, still))

    def _make(self, moment: Moment[State]) -> None:
        """Makes a part of a turn. Of one that repeats, only who took part is asked again."""
        live = np.arange(len(self.at))
        for again in range(moment.most):
            live = self._advance(moment, again, live)
            if moment.most > 1 and len(live):
                kept = self._settle(moment.turn)
                if kept is not None:
                    live = (np.cumsum(kept) - 1)[live[kept[live]]]
            if not len(live):
                break

    def _advance(self, moment: Moment[State], again: int, live: Array) -> Array:
        """Makes a part of a turn once, in the fights of rows `live`; the rows that take part."""
        arrays, some = self.arrays, len(live) < len(self.at)
        fight = seen(self._plan, arrays, live) if some else self.fight
        if moment.when is not None and not np.any(moment.when(fight)):
            return live[:0]
        at = self.at[live] if some else self.at
        taken = []
        for branch, mask in enumerate(chosen(fight, moment.steps, len(at))):
            # indices gather and scatter faster than a mask, and are made once for all arrays
            rows = None if mask is None else mask.nonzero()[0]
            numbers = at if rows is None else at[rows]
            if not len(numbers):
                continue
            taken.append(live if rows is None else live[rows])
            place = None if len(numbers) == len(self.at) else taken[-1]
            everyone = len(numbers) == len(self.groups) * GROUP
            self.draws.play(self.groups, None if everyone else numbers)
            self.draws.begin(moment.turn, moment.number * BRANCHES + branch, again, "")
            mine = fight if rows is None else seen(self._plan, arrays, taken[-1])
            self._put(mine, place, moment.steps[branch].run(mine, self.draws))
            if mask is None:
                break
        if len(taken) > 1:
            return np.sort(np.concatenate(taken))
        return taken[0] if taken else live[:0]

    def _put(self, before: State, rows: Array | None, after: State) -> None:
        """The fights of `rows` (None: all), which were seen as `before`, go on from `after`."""
        changed = changes(before, after)
        if changed:
            arrays = list(self.arrays)
            for place, new in changed.items():
                arrays[place] = _changed(arrays[place], rows, new)
            self._become(arrays)

    def _settle(self, turn: int, *, last: bool = False) -> Array | None:
        """Puts away the fights that are over; after the last part of a turn, counts the others.

        Returns which were kept, None for all.
        """
        kept = None
        if not self.is_settled:
            cause = losses(self.battle, self.fight)
            first, second = cause.values()
            is_over = (first | second) != UNDECIDED
            over = np.flatnonzero(is_over)
            if len(over):
                lost = {side: code[over] for side, code in cause.items()}
                self._count(turn, over, status_of(lost), lost)
                kept = ~is_over
                self._keep(np.flatnonzero(kept))
            self.is_settled = True
        if last and len(self.at):
            none = self._none[: len(self.at)]
            self._count(turn, None, none, dict.fromkeys(self.battle.sides, none))
        return kept

    def _settle_closed(self, turn: int, solver: Solver[State], closed: pd.Index[Any]) -> None:
        """Puts away the fights that can't end any more."""
        stalled = solver.index(Chain(self.arrays, np.ones(len(self.at)))).isin(closed)
        if stalled.any():
            rows = np.flatnonzero(stalled)
            cause = {x: code[rows] for x, code in losses(self.battle, self.fight).items()}
            self._count(turn, rows, np.full(len(rows), STALEMATE), cause)
            self._keep(np.flatnonzero(~stalled))

    def _count(self, turn: int, rows: Array | None, status: Array, cause: dict[str, Array]) -> None:
        """Counts the fights of `rows` (None: all), whose status and causes are given."""
        kept = figures(self.battle, self.arrays)
        if rows is not None:
            kept = {name: at_rows(values, rows) for name, values in kept.items()}
        if self.codes is not None:
            at = self.at if rows is None else self.at[rows]
            place = self.groups[at // GROUP] * GROUP + at % GROUP - self.first
            self.codes[place] = turn * len(STATUSES) + status
            for name, values in kept.items():
                self.left[name][place] = values
        self.tally.count(turn, status, cause, kept, None)

    def _keep(self, rows: Array) -> None:
        self._become([at_rows(array, rows) for array in self.arrays])
        self.at = self.at[rows]

    def _drop_groups(self) -> None:
        """Drops the groups whose fights are all over; hardly any is while half of all are on."""
        if 2 * len(self.at) > len(self.groups) * GROUP:
            return
        group = self.at // GROUP
        present = np.flatnonzero(np.bincount(group, minlength=len(self.groups)))
        if len(present) < len(self.groups):
            place = np.zeros(len(self.groups), dtype=self.at.dtype)
            place[present] = np.arange(len(present))
            self.groups, self.at = self.groups[present], place[group] * GROUP + self.at % GROUP


def _changed(old: Array, rows: Array | None, new: Array) -> Array:
    """`old` with `new` in some rows, in all of them for None."""
    if rows is None:
        return new if new.shape == old.shape else np.broadcast_to(new, old.shape)
    result = old.copy()
    result.T[rows] = new.T  # the fights are on the last axis
    return result


def single(battle: Battle[State], turns: int, luck: Script | Draws) -> History:
    """A single fight, with its log."""
    tally = empty_tally(battle, turns)
    fight = battle.start

    def settle(turn: int, *, last: bool) -> bool:
        status, cause = standing(battle, fight)
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
        over = settle(moment.turn, last=moment.is_last)
    return History(turns, 1, battle.causes, tally, entries=tuple(luck.log or ()))
