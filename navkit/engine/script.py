"""Scripted chance: the next roll of a list, for a fight that is known roll by roll."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from navkit.chance import Array, Dice, Family, Roll, ScriptError, named, several
from navkit.dice import Distribution, die
from navkit.log import Entry, dice_entries, faces_entry, only_value


class Script:
    """The next roll of a list, for a single fight."""

    def __init__(self, rolls: Sequence[Roll]) -> None:
        self.rolls = list(rolls)
        self.used = 0
        self.turn = 0
        self.side = ""
        self.log: list[Entry] = []

    def begin(self, turn: int, step: int, again: int, side: str) -> None:
        """Turns to another step."""
        self.turn, self.side = turn, side

    def _next(self, which: Dice, why: str) -> tuple[Distribution, int, tuple[int, ...]]:
        known = named(which)
        allowed = f"a roll of {known.name} ({known.min} to {known.max}) for {why}"
        place = f"roll {self.used + 1} of the script, turn {self.turn}"
        if self.used == len(self.rolls):
            raise ScriptError(place, None, allowed)
        entry = self.rolls[self.used]
        self.used += 1
        faces = entry if isinstance(entry, tuple) else ()
        total = sum(entry) if isinstance(entry, tuple) else entry
        if not known.equal(total) or not _may_show(known, faces):
            raise ScriptError(place, entry, allowed)
        return known, total, faces

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
            known, total, faces = self._next(each, why)
            side = sides[place] if sides else self.side
            self.log.append(Entry(self.turn, side, why, known.name, faces, None, total, None, rule))
            totals.append(np.array([total], dtype=np.int32))
        if then is None:
            (only,) = totals
            return only
        return np.asarray(then(*totals), dtype=np.int32)

    def check(self, which: Dice, at_most: Array | int, *, why: str, rule: str = "") -> Array:
        known, total, faces = self._next(which, why)
        aim = only_value(at_most)
        self.log.append(
            Entry(self.turn, self.side, why, known.name, faces, aim, total, total <= aim, rule)
        )
        return np.array([total <= aim])

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
        column = [only_value(each) for each in numbers]
        rolled = [self._next(each, why) for each in several(family(*column))]
        totals = [np.array([total], dtype=np.int32) for _, total, _ in rolled]
        result = totals[0]
        if then is not None:
            result = np.asarray(then(*totals, *(np.array([each]) for each in column)), np.int32)
        known, faces = [each for each, _, _ in rolled], [shown for _, _, shown in rolled]
        self.log += dice_entries(self, known, totals, sides, why, rule, target, result, faces)
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
        number = only_value(count)
        faces: tuple[int, ...] = ()
        if number:
            _, total, faces = self._next(die(sides).repeat(number), why)
            if number == 1:
                faces = (total,)
            if len(faces) != number or not all(1 <= face <= sides for face in faces):
                place = f"roll {self.used} of the script, turn {self.turn}"
                allowed = f"a tuple of {number} faces of d{sides} for {why}"
                raise ScriptError(place, self.rolls[self.used - 1], allowed)
        shown = np.bincount(np.array(faces, dtype=np.int64), minlength=sides + 1)[1:, None]
        result = np.asarray(then(shown), dtype=np.int32)
        if number:
            self.log.append(faces_entry(self, sides, faces, result, why, rule))
        return result

    def finish(self) -> None:
        """Raises ScriptError if rolls are left over."""
        if self.used < len(self.rolls):
            place = f"roll {self.used + 1} of the script"
            raise ScriptError(place, self.rolls[self.used], "no roll: the fight is over before it")


def _may_show(known: Distribution, faces: tuple[int, ...]) -> bool:
    """Whether dice of one kind may show these faces; of others only the total is known."""
    plain = re.fullmatch(r"(\d*)d(\d+)", known.name)
    if not faces or not plain:
        return True
    count, sides = int(plain.group(1) or 1), int(plain.group(2))
    return len(faces) == count and all(1 <= face <= sides for face in faces)
