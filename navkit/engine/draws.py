"""Sampled chance: one draw a fight, by counter.

Random numbers depend on the seed, the fight, the turn, the step and the roll alone, so that any
fight can be played again by its number, whatever else is played beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random import Philox
from numpy.typing import NDArray

from navkit.chance import GROUP, Array, Dice, Family, distinct_tuples, named, several
from navkit.dice import Distribution, die, thresholds
from navkit.log import Entry, dice_entries, faces_entry, only_value


class Draws:
    """One draw a fight: for the fights at the places `at` among those of `groups`; None: for all.

    The random numbers depend on the seed, the fight, the turn, the step, the round of a step that
    repeats, and the number of the roll within it.
    """

    def __init__(self, seed: int, groups: Array, at: Array | None) -> None:
        self.log: list[Entry] | None = None
        self._counter = _Counter(seed)
        self.play(groups, at)
        self.begin(0, 0, 0, "")

    def play(self, groups: Array, at: Array | None) -> None:
        """Turns to other fights."""
        self.groups, self.at = groups, at

    def begin(self, turn: int, step: int, again: int, side: str) -> None:
        """Turns to another step."""
        self.turn, self.step, self.side, self.rolls = turn, step, side, again << 32

    def later(self, *, turns: int = 0, steps: int = 0, rounds: int = 0, rolls: int = 0) -> None:
        """Goes on with the numbers of a later roll: in a fight that is taken up again midway."""
        self.turn, self.step = self.turn + turns, self.step + steps
        self.rolls += (rounds << 32) + rolls

    @property
    def rows(self) -> int:
        """How many fights there are."""
        return len(self.groups) * GROUP if self.at is None else len(self.at)

    def _uniform(self) -> NDArray[np.uint64]:
        """A 64-bit number for each fight of the step; its own for each roll."""
        self.rolls += 1
        return self._numbers(self.rolls - 1)

    def _numbers(self, roll: int) -> NDArray[np.uint64]:
        raw = self._counter.numbers(self.groups, self.turn, self.step, roll)
        return raw if self.at is None else raw.take(self.at)

    def _note(self, side: str, known: Distribution, total: Array, why: str, rule: str) -> None:
        if self.log is not None:
            result = int(total[0])
            self.log.append(Entry(self.turn, side, why, known.name, (), None, result, None, rule))

    def roll(
        self,
        *which: Dice,
        then: Callable[..., Any] | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        totals = []
        for place, each in enumerate(which):
            known = named(each)
            total = _guide(known).values(self._uniform())
            self._note(sides[place] if sides else self.side, known, total, why, rule)
            totals.append(total)
        if then is None:
            (only,) = totals
            return only
        return np.asarray(then(*totals), dtype=np.int32)

    def check(self, which: Dice, at_most: Array | int, *, why: str, rule: str = "") -> Array:
        known = named(which)
        draw = self._uniform()
        hit = _guide(known).at_most(draw, at_most)
        if self.log is not None:
            total, aim = int(_guide(known).values(draw)[0]), only_value(at_most)
            self.log.append(
                Entry(self.turn, self.side, why, known.name, (), aim, total, total <= aim, rule)
            )
        return hit

    def roll_from(
        self,
        family: Family,
        *numbers: Array,
        then: Callable[..., Any] | None = None,
        target: Array | int | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        first = self._uniform()
        wide = [np.broadcast_to(each, first.shape) for each in numbers]
        distinct, which = distinct_tuples(wide)
        known = [several(family(*column)) for column in distinct]
        draws = [first, *(self._uniform() for _ in known[0][1:])]
        totals = [np.empty(first.shape, dtype=np.int32) for _ in draws]
        for column, dice_of_column in enumerate(known):
            mine = slice(None) if len(known) == 1 else which == column
            for total, draw, each in zip(totals, draws, dice_of_column, strict=True):
                total[mine] = _guide(each).values(draw[mine])
        result = totals[0] if then is None else np.asarray(then(*totals, *wide), dtype=np.int32)
        if self.log is not None:
            told = dice_entries(self, known[0], totals, sides, why, rule, target, result)
            self.log += told
        return result

    def faces(
        self,
        sides: int,
        count: Array,
        then: Callable[[Array], Array],
        *,
        why: str,
        rule: str = "",
    ) -> Array:
        rows = self.rows
        most = np.broadcast_to(count, rows)
        shown = np.zeros((sides, rows), dtype=np.int32)
        faces = []
        roll, self.rolls = self.rolls, self.rolls + 1
        for number in range(int(most.max(initial=0))):
            # counted apart, so that later rolls don't hang on how many dice other fights roll
            face = _guide(die(sides)).values(self._numbers(roll + (number << 16)))
            faces.append(face)
            shown[face - 1, np.arange(rows)] += number < most
        result = np.asarray(then(shown), dtype=np.int32)
        if self.log is not None and faces:
            mine = tuple(int(face[0]) for face in faces)
            self.log.append(faces_entry(self, sides, mine, result, why, rule))
        return result


class _Counter:
    """64-bit numbers by counter: those of a fight depend on its group and place in it alone."""

    def __init__(self, seed: int) -> None:
        self._philox = Philox(key=[seed, 0])
        self._state = self._philox.state  # without buffered numbers

    def numbers(self, groups: Array, turn: int, step: int, roll: int) -> NDArray[np.uint64]:
        """The numbers of all fights of `groups`."""
        if groups[-1] - groups[0] < len(groups):
            return self._run(groups, turn, step, roll)
        runs = np.split(groups, np.flatnonzero(np.diff(groups) != 1) + 1)
        return np.concatenate([self._run(run, turn, step, roll) for run in runs])

    def _run(self, groups: Array, turn: int, step: int, roll: int) -> NDArray[np.uint64]:
        # a new Philox would first gather entropy, only to be set to the same place
        counter = [int(groups[0]) * (GROUP // 4), roll, step, turn]
        self._state["state"]["counter"] = np.array(counter, dtype=np.uint64)
        self._philox.state = self._state
        return self._philox.random_raw(len(groups) * GROUP)


class _Guide:
    """Inverse of a distribution function: 64-bit numbers to values, low numbers to low values.

    The upper 16 bits choose a bucket; nearly all buckets lie within one value. In the others the
    whole number decides.
    """

    def __init__(self, known: Distribution) -> None:
        self.low = known.low
        self.edges = thresholds(known)
        # reached[i]: how many draws give at most low + i - 1
        self.reached = np.concatenate((np.zeros(1, np.uint64), self.edges))
        starts = np.arange(1 << 16, dtype=np.uint64) << np.uint64(48)
        ends = starts + np.uint64((1 << 48) - 1)
        first = np.searchsorted(self.edges, starts, side="right")
        last = np.searchsorted(self.edges, ends, side="right")
        self.bucket = (first + self.low).astype(np.int32)
        self.unsure = np.int32(np.iinfo(np.int32).min)
        self.bucket[first != last] = self.unsure

    def values(self, draw: NDArray[np.uint64]) -> Array:
        # signed places are looked up faster
        found = self.bucket.take((draw >> np.uint64(48)).view(np.int64))
        (open_,) = np.nonzero(found == self.unsure)
        if len(open_):
            place = np.searchsorted(self.edges, draw[open_], side="right")
            found[open_] = place + self.low
        return found

    def at_most(self, draw: NDArray[np.uint64], target: Array | int) -> Array:
        """Whether the value is at most `target`, without looking it up."""
        if isinstance(target, int):
            one = target - self.low + 1
            if one > len(self.edges):
                return np.ones(draw.shape, dtype=bool)
            return draw < self.reached[max(one, 0)]
        place = np.asarray(target) - self.low + 1
        inside = np.clip(place, 0, len(self.edges))
        return (draw < self.reached[inside]) | (place > len(self.edges))


@lru_cache(maxsize=256)
def _guide(known: Distribution) -> _Guide:
    return _Guide(known)
