"""Fights played together, one draw each: what a sample is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic

import numpy as np
import pandas as pd

from navkit.chance import GROUP, Array, Sampled
from navkit.engine.draws import Draws
from navkit.engine.rows import Plan, changes, seen
from navkit.engine.solver import Chain, Solver, are_closed
from navkit.engine.turns import (
    BRANCHES,
    Battle,
    Moment,
    chosen,
    figures,
    losses,
    moments,
    status_of,
)
from navkit.state import State, at_rows, flatten, repeated
from navkit.tally import STALEMATE, STATUSES, UNDECIDED, Tally


class Block(Generic[State]):
    """Fights of neighbouring groups, played together. Finished ones skip the rules, not the draw.

    They begin as the battle does, or from `arrays`, a row a fight. `at` are the places of the
    fights still on among all fights of `groups`. An array of the state that is the same in all
    fights is one number, seen as often as there are fights. `tally` is where they are counted,
    `codes` where to write how each fight ended, and `left` what was left of the sides, by figure
    (see `History`), each if that is wanted.
    """

    def __init__(
        self,
        battle: Battle[State],
        chance: Sampled,
        fights: Array,
        arrays: Sequence[Array] | None = None,
        *,
        tally: Tally | None = None,
        codes: Array | None = None,
        left: Mapping[str, Array] | None = None,
    ) -> None:
        self.battle, self.chance, self.tally = battle, chance, tally
        self.codes, self.left = codes, left or {}
        self.first = int(fights[0])
        self.groups = np.arange(fights[0] // GROUP, fights[-1] // GROUP + 1)
        self.at = fights - self.groups[0] * GROUP
        self.draws = Draws(chance.seed, self.groups, None)
        self._plan = Plan.of(battle.start)
        self._none = np.broadcast_to(np.int64(UNDECIDED), len(fights))
        if arrays is None:
            arrays = [repeated(array, len(fights)) for array in flatten(battle.start)]
        self._become(list(arrays))

    def _become(self, arrays: list[Array]) -> None:
        """Goes on with these arrays. `fight` is the state of the fights that are still on."""
        self.arrays = arrays
        self.fight: State = seen(self._plan, arrays, None)
        self.is_settled = False

    @property
    def still_on(self) -> Array:
        """The numbers of the fights that are still on."""
        number: Array = self.groups[self.at // GROUP] * GROUP + self.at % GROUP
        return number

    def play(self, turns: range, solver: Solver[State], closed: pd.Index[Any] | None) -> None:
        """Plays these turns (0 is the opening), and counts what becomes of the fights.

        Fights whose state at the end of a turn is among `closed` are a stalemate.
        """
        if turns.start == 0:
            self._settle(0, last=not self.battle.opening)
        for moment in moments(self.battle, turns):
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
        stalled = are_closed(solver, Chain(self.arrays, np.ones(len(self.at))), closed)
        if stalled.any():
            rows = np.flatnonzero(stalled)
            cause = {x: code[rows] for x, code in losses(self.battle, self.fight).items()}
            self._count(turn, rows, np.full(len(rows), STALEMATE), cause)
            self._keep(np.flatnonzero(~stalled))

    def _count(self, turn: int, rows: Array | None, status: Array, cause: dict[str, Array]) -> None:
        """Counts the fights of `rows` (None: all), whose status and causes are given."""
        if self.tally is None:
            return
        kept = figures(self.battle, self.arrays)
        if rows is not None:
            kept = {name: at_rows(values, rows) for name, values in kept.items()}
        if self.codes is not None:
            place = (self.still_on if rows is None else self.still_on[rows]) - self.first
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
