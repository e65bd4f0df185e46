"""A battle as data: the state it starts from, the steps of a turn, and what it means to be lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, NamedTuple

import numpy as np

from navkit.chance import Array, Chance
from navkit.state import Leaf, State, flatten, leaves, rebuild
from navkit.tally import Tally

BRANCHES = 256
"""Random streams kept for the alternatives of one part of a turn."""


@dataclass(frozen=True)
class Step(Generic[State]):
    """A part of a turn in which at most a few rolls are made.

    `run(fight, chance)` gives the fight after it, for all fights in which `when(fight)` holds;
    the others pass by. States merge after each step. `side` is who acts, for the log: one side,
    both ("ab"), or nobody ("").
    """

    run: Callable[[State, Chance], State]
    when: Callable[[State], Array] | None = None
    side: str = ""


@dataclass(frozen=True)
class Either(Generic[State]):
    """Alternatives, of which each fight takes the first that applies to it as it stands.

    Where `when(fight)` does not hold none of them applies: what many need is asked once, and the
    alternatives only if it holds in some fight.
    """

    steps: tuple[Step[State], ...]
    when: Callable[[State], Array] | None = None


@dataclass(frozen=True)
class Repeat(Generic[State]):
    """A step made again and again by the fights in which its `when` holds, at most `most` times.

    Of alternatives each fight takes the first that applies to it as it stands, and goes on until
    none does. What is still going after `most` times stays as it is.
    """

    step: Step[State] | Either[State]
    most: int = 200


Part = Step[State] | Either[State] | Repeat[State]


@dataclass(frozen=True)
class Battle(Generic[State]):
    """A fight as data.

    `start` has one row. `lost(fight, side)` is 0 while a side is in the fight, and k when it is
    lost in the way `causes[k - 1]`; a side that is lost ends the fight at once. `tracks` are the
    fields of each side that the history keeps. `opening` steps are made once, before turn 1.
    `countable` is False where a step rolls too many dice for all their outcomes to be worked out:
    such a battle is sampled or scripted, never exact, and its state may hold arrays of more axes
    (a row a ship), the fights on the last. `may_stall` is False where it is not worth asking
    whether undecided fights can end at all (ships that sail on for ever). `measures` are figures
    of a side worked out from the state, which the history keeps like tracks (the hands of all
    ships of a fleet).
    """

    start: State
    turn: tuple[Part[State], ...]
    lost: Callable[[State, str], Array]
    causes: tuple[str, ...]
    tracks: tuple[str, ...]
    opening: tuple[Part[State], ...] = ()
    sides: tuple[str, str] = ("a", "b")
    countable: bool = True
    may_stall: bool = True
    measures: Mapping[str, Callable[[State, str], Array]] = field(default_factory=dict)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """What arrays the state holds, in order."""
        return leaves(self.start)

    @cached_property
    def recorded(self) -> tuple[tuple[str, int], ...]:
        """The tracks of the sides by name, and their places among the arrays of the state."""
        wanted = {f"{side}.{track}" for side in self.sides for track in self.tracks}
        found = enumerate(self.leaves)
        return tuple((leaf.path, at) for at, leaf in found if leaf.path in wanted)


class Moment(NamedTuple, Generic[State]):
    """A part of a turn as it is played: its alternatives, how often at most, whether it is last."""

    turn: int
    number: int
    steps: tuple[Step[State], ...]
    most: int
    is_last: bool
    when: Callable[[State], Array] | None = None


def moments(battle: Battle[State], turns: Iterable[int]) -> Iterator[Moment[State]]:
    """All parts of the given turns in order; turn 0 is the opening."""
    for turn in turns:
        phase = battle.turn if turn else battle.opening
        for number, part in enumerate(phase):
            last = number == len(phase) - 1
            most, once = (part.most, part.step) if isinstance(part, Repeat) else (1, part)
            steps = once.steps if isinstance(once, Either) else (once,)
            yield Moment(turn, number, steps, most, last, once.when)


def chosen(fight: State, steps: tuple[Step[State], ...], rows: int) -> Iterator[Array | None]:
    """For each alternative, in which rows it is taken; None for all of them."""
    free, left = np.ones(rows, dtype=bool), rows
    for step in steps:
        mask = free
        if step.when is not None and left:
            mask = step.when(fight) & free
        taken = int(np.count_nonzero(mask))
        yield None if taken == rows else mask
        if taken:
            free, left = free & ~mask, left - taken


def figures(battle: Battle[State], arrays: Sequence[Array]) -> dict[str, Array]:
    """What the history keeps of each side: its tracks and measures, by name."""
    kept = {name: arrays[at] for name, at in battle.recorded}
    if battle.measures:
        fight = rebuild(battle.start, arrays)
        for side in battle.sides:
            for name, measure in battle.measures.items():
                kept[f"{side}.{name}"] = measure(fight, side)
    return kept


def empty_tally(battle: Battle[State], turns: int) -> Tally:
    """A tally of no fights yet."""
    tally = Tally(turns, tuple(figures(battle, flatten(battle.start))))
    for side in battle.sides:
        tally.causes[side] = np.zeros((turns + 1, len(battle.causes) + 1))
    return tally


def standing(battle: Battle[State], fight: State) -> tuple[Array, dict[str, Array]]:
    """0 undecided, 1 a wins, 2 b wins, 3 both lost; and how each side was lost."""
    cause = losses(battle, fight)
    return status_of(cause), cause


def losses(battle: Battle[State], fight: State) -> dict[str, Array]:
    """How each side was lost; 0 where it is not."""
    return {side: battle.lost(fight, side) for side in battle.sides}


def cause_of(*ways: tuple[Array, int]) -> Array:
    """How a side is lost: the code of the first of some ways that has come about, else 0.

    >>> sunk, out_of_action = np.array([True, False]), np.array([True, True])
    >>> cause_of((sunk, 1), (out_of_action, 2))
    array([1, 2], dtype=int8)
    """
    (over, number), *others = ways
    code = over * np.int8(number)  # `np.where` is slow where masks are random
    for happened, number in others:
        code = code + (happened & ~over) * np.int8(number)
        over = over | happened
    return code


def status_of(cause: Mapping[str, Array]) -> Array:
    """What becomes of fights (see `standing`) in which the sides were lost in these ways."""
    a, b = (code > 0 for code in cause.values())
    return a * 2 + b * 1
