"""The luck of a fight at a table: rolls that a person makes, then those of a sampled fight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from navkit.chance import GROUP, Array, Chance, Roll
from navkit.engine.draws import Draws
from navkit.engine.script import Script
from navkit.errors import InputError
from navkit.log import Entry
from navkit.rulebooks.gurps.fleet import Sea


class Luck:
    """The rolls of a person first, then those of the fight's number and seed."""

    def __init__(self, seed: int, number: int, rolls: Sequence[Roll]) -> None:
        group, place = np.array([number // GROUP]), np.array([number % GROUP])
        self._log: list[Entry] = []
        self._typed = Script(rolls)
        self._drawn = Draws(seed, group, place)
        self._typed.log = self._drawn.log = self._log

    def run(
        self,
        rule: Callable[[Sea, Chance], Sea],
        sea: Sea,
        turn: int,
        step: int,
        again: int,
        side: str,
    ) -> tuple[Sea, tuple[Entry, ...]]:
        """The sea after a rule, and the rolls made for it."""
        self._typed.begin(turn, step, again, side)
        self._drawn.begin(turn, step, again, side)
        count = len(self._log)
        return rule(sea, self), tuple(self._log[count:])

    def finish(self) -> None:
        """Raises InputError if rolls are left over."""
        left = self._typed.rolls[self._typed.used :]
        if left:
            raise InputError("rolls", left, "no more rolls than are made before the next choice")

    @property
    def _next(self) -> Script | Draws:
        return self._typed if self._typed.used < len(self._typed.rolls) else self._drawn

    def roll(self, *which: Any, **about: Any) -> Array:
        """See `Chance.roll`."""
        return self._next.roll(*which, **about)

    def check(self, which: Any, at_most: Array | int, **about: Any) -> Array:
        """See `Chance.check`."""
        return self._next.check(which, at_most, **about)

    def roll_from(self, family: Any, *numbers: Array, **about: Any) -> Array:
        """See `Chance.roll_from`."""
        return self._next.roll_from(family, *numbers, **about)

    def faces(self, sides: int, count: Array, then: Any, **about: Any) -> Array:
        """See `Chance.faces`."""
        return self._next.faces(sides, count, then, **about)
