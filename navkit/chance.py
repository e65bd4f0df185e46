"""Luck: what a rule may ask of it, and the three ways in which it may fall.

A rule step is array code that asks its `Chance` for rolls. `Exact` answers with every outcome at
once along a new array axis (`branches`), `Sampled` with one draw a fight (`draws`), `Scripted`
with the next roll of a list (`script`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from navkit.dice import Distribution, dice
from navkit.errors import InputError, truth, whole

Array = NDArray[Any]
Dice = str | Distribution
Family = Callable[..., Distribution | tuple[Distribution, ...]]
Roll = int | tuple[int, ...]

GROUP = 1024
"""Fights that share one stretch of random numbers: a part of what a seed means."""
MOST_FIGHTS = 10_000_000


class ScriptError(InputError):
    """A scripted roll that cannot be, is missing, or is left over."""


class Chance(Protocol):
    """What a rule may ask of luck. `why` says what is rolled, `rule` which rule asks for it."""

    def roll(
        self,
        *which: Dice,
        then: Callable[..., Any] | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        """One total for each of the dice; with `then`, what it makes of their totals.

        `then` must depend on nothing but the rolls (and plain numbers): outcomes that it makes
        equal are merged. `sides` tells who rolls which of the dice, where it is not the side
        whose step it is.
        """

    def check(self, which: Dice, at_most: Array | int, *, why: str, rule: str = "") -> Array:
        """Whether the roll is at most a target: an array of bool."""

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
        """A total of `family(*numbers)`, dice that depend on integer arrays.

        With `then`, what `then(total, *numbers)` makes of it, and outcomes that it makes equal
        are merged; it must depend on nothing else. A family may give several dice, always the
        same number of them; `then` gets all their totals first. `target` is for the log alone:
        what the total is up to; the roll is a success if what comes out is above 0. `sides` is
        as for `roll`.
        """

    def faces(
        self,
        sides: int,
        count: Array,
        then: Callable[[Array], Array],
        *,
        why: str,
        rule: str = "",
    ) -> Array:
        """What `then` makes of the faces of `count` dice (an integer array).

        `then` gets an integer array whose first axis has `sides` places: how many dice show 1,
        2, ... It must depend on nothing else. Where `count` is 0 nothing is rolled: a script is
        not asked, and the log is silent.
        """


@dataclass(frozen=True)
class Exact:
    """Every outcome with its probability: exact odds, by a Markov chain over merged states.

    `distributions` names tracks (such as "dead") whose distribution is wanted, not only their
    mean; that multiplies the states. More than `states` states at a time, or more than `work`
    outcomes worked out in all, raise `TooManyStates`.
    """

    distributions: tuple[str, ...] = ()
    states: int = 2_000_000
    work: int = 20_000_000_000

    def __post_init__(self) -> None:
        tracks = self.distributions
        if not isinstance(tracks, tuple) or not all(isinstance(each, str) for each in tracks):
            raise InputError(
                "distributions", tracks, 'a tuple of names of tracks, such as ("dead",)'
            )
        whole("states", self.states, 1, 100_000_000)
        whole("work", self.work, 1, 10**18)


@dataclass(frozen=True)
class Sampled:
    """Odds from `fights` random fights, numbered from `first`; the same for the same `seed`.

    The random numbers of a fight depend on the seed and its number alone, so neither `block`
    (how many fights are worked on at a time) nor `drop` (whether finished fights are put away)
    changes a fight. With `ends` the history keeps how each fight ended, so that two variants of a
    battle can be compared fight by fight.
    """

    fights: int = 20_000
    seed: int = 1
    first: int = 0
    block: int = 64 * GROUP
    drop: bool = True
    ends: bool = False

    def __post_init__(self) -> None:
        whole("fights", self.fights, 1, MOST_FIGHTS)
        whole("seed", self.seed, 0, 2**64 - 1)
        whole("first", self.first, 0, 2**53)
        whole("block", self.block, GROUP, 1024 * GROUP)
        if self.block % GROUP:
            raise InputError("block", self.block, f"a multiple of {GROUP}")
        for name in ("drop", "ends"):
            truth(name, getattr(self, name))


@dataclass(frozen=True)
class Scripted:
    """One fight with the rolls of a list: totals, or tuples of faces, in the order asked for."""

    rolls: Sequence[Roll]

    def __post_init__(self) -> None:
        if not isinstance(self.rolls, Iterable):
            raise InputError("rolls", self.rolls, "a list of totals and of tuples of faces")
        object.__setattr__(self, "rolls", tuple(self.rolls))
        for place, entry in enumerate(self.rolls):
            for face in entry if isinstance(entry, tuple) else (entry,):
                whole(f"roll {place + 1} of the script", face, -(10**9), 10**9)


class TooManyStates(RuntimeError):
    """An exact answer would need more states, or more work, than allowed.

    `instead` names another calculator, if there is one, that may have room for the question.
    """

    def __init__(self, reached: int, what: str, allowed: int, *, instead: str = "") -> None:
        self.reached, self.what, self.allowed = reached, what, allowed
        ways = ["chance=Sampled(fights=...)", "smaller ships", "fewer turns"]
        super().__init__(
            f"exact odds need over {allowed:,} {what} here ({reached:,} reached); "
            f"use {', or '.join([instead] * bool(instead) + ways)}"
        )

    def naming(self, instead: str) -> TooManyStates:
        """The same, with another calculator to use."""
        return TooManyStates(self.reached, self.what, self.allowed, instead=instead)


def named(which: Dice) -> Distribution:
    """The distribution itself, or the one that the notation names."""
    return which if isinstance(which, Distribution) else dice(which)


def several(dice_of_one: Distribution | tuple[Distribution, ...]) -> tuple[Distribution, ...]:
    """The dice of a family for some numbers, of which it may give one or several."""
    return dice_of_one if isinstance(dice_of_one, tuple) else (dice_of_one,)


def distinct_tuples(numbers: Sequence[Array]) -> tuple[list[tuple[int, ...]], Array]:
    """The distinct tuples of some arrays, and which of them stands at each place."""
    lows = [int(each.min()) for each in numbers]
    sizes = [int(each.max()) - low + 1 for each, low in zip(numbers, lows, strict=True)]
    if prod(sizes) > np.iinfo(np.int64).max:  # no code has room for them
        rows, which = np.unique(np.stack(numbers, axis=-1), axis=0, return_inverse=True)
        return [tuple(row) for row in rows.tolist()], which.ravel()
    code: Array = np.zeros(len(numbers[0]), dtype=np.int64)
    for each, low, size in zip(numbers, lows, sizes, strict=True):
        if size > 1:
            code = code * size + (each - low)
    which, found = pd.factorize(code)
    tuples = np.empty((len(found), len(numbers)), dtype=np.int64)
    for place in reversed(range(len(numbers))):
        found, digit = np.divmod(found, sizes[place])
        tuples[:, place] = digit + lows[place]
    return [tuple(column) for column in tuples.tolist()], which
