"""Exact odds of two sides that touch only by messages: the chances of all pairs, as a matrix.

In a duel what one side does to the other depends on its own state only by a *message*, how many
guns it fires. So each side has few states of its own, and a part of a turn is a kernel for each
message: if P[i, j] is the chance that a is in state i and b in state j, the blocks of P in which
the messages are the same are multiplied by A' from the left and by B from the right. What is
known of the sides is in `learned`.

As long as neither side's message varies, the sides are independent, and P is kept as a product
(`pairs`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, NamedTuple

import numpy as np

from navkit.chance import Array, Exact
from navkit.engine.danger import Danger
from navkit.engine.kernel import SMALL_MATRIX
from navkit.engine.learned import SIDES, Learned, other
from navkit.engine.pairs import Block, Map, Pairs, Plan
from navkit.engine.solver import Chain, Solver
from navkit.engine.turns import Battle, Moment, Step, moments
from navkit.state import State

SMALL_PLAN = 1 << 17
"""Numbers in a plan up to which it is kept for when the same states are played again."""
WORTH_DROPPING = 0.02
"""The least share of the states of a side that is worth dropping."""


class Part(NamedTuple):
    """A part of a turn as it was played: the states of both sides before it, and after it.

    After it are those whose fights go on, without those that were left out.
    """

    moment: Moment[Any]
    before: tuple[Array, Array]
    after: tuple[Array, Array]


@dataclass(frozen=True)
class Opening:
    """An outcome of the opening: what both sides share from then on, its chance, what followed."""

    shared: Mapping[int, Array]
    weight: float
    parts: list[Part] = field(default_factory=list)


@dataclass(frozen=True)
class Course:
    """What became of the fights by turn, not cumulative: columns undecided, a wins, b wins, both.

    `dropped` is the probability of what was left out.
    """

    table: Array
    dropped: float
    openings: list[Opening]


@dataclass
class Coupled(Generic[State]):
    """A battle of two sides that touch only by messages; see the module.

    `message(fight, side)` is what a side says to the other by its state when it acts; `Step.side`
    tells who acts: "a", "b", "ab", or "" for nobody. `forgotten` names a field of a side that is
    set back after each step, so that fights that differ in it merge; a side is then never lost
    by it. How much of it goes in each transition is kept in the kernels.
    """

    battle: Battle[State]
    message: Callable[[State, str], Array]
    forgotten: Mapping[str, str] = field(default_factory=dict)
    known: Learned[State] = field(init=False)
    _plans: dict[tuple[Any, ...], Plan] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.known = Learned(self.battle, self.message, self.forgotten)

    def course(
        self,
        turns: int,
        budget: float,
        *,
        alike: bool = False,
        followed: Mapping[str, Danger] | None = None,
    ) -> Course:
        """Plays some turns; fights whose chances come to `budget` together may be left out.

        Of the sides that are `followed`, what went of the forgotten field is kept after all, as
        long as it is in danger, and they are lost when all of it is gone. This holds where the
        field changes nothing else and only goes down. `alike` sides are the same, and the
        opening decides no more than which of them is to act first, evenly: then one of its
        outcomes is played, and the other is its mirror image.
        """
        followed = followed or {}
        width = {x: self.known.most_gone(x) + 1 if x in followed else 1 for x in SIDES}
        table = np.zeros((turns + 1, 4))
        openings = self._openings(alike)
        one = np.zeros(1, dtype=np.int64)
        dropped = 0.0
        left = len(self.battle.turn) * turns * len(openings)
        for number, opening in enumerate(openings):
            pairs = Pairs(one, one, np.full((1, 1), opening.weight), np.ones((1, 1)))
            pairs = self._counted(pairs, table[0], width)
            table[0, 0] += pairs.total()
            for place, moment in enumerate(moments(self.battle, range(1, turns + 1))):
                if not len(pairs.a) or not len(pairs.b):
                    break
                before = pairs.a, pairs.b
                plan = self.plan(before, moment, opening.shared, width=width)
                pairs = self._counted(plan.run(pairs), table[moment.turn], width)
                spare = max(0.0, budget - dropped) / left
                costs = {
                    x: partial(followed[x].after, opening=number, place=place, width=width)
                    for x in followed
                }
                pairs, less = _lighter(pairs, plan.changes, spare, width, costs)
                dropped += less
                left -= 1
                opening.parts.append(Part(moment, before, (pairs.a, pairs.b)))
                if moment.is_last:
                    table[moment.turn, 0] += pairs.total()
        if alike:
            table = (table + table[:, [0, 2, 1, 3]]) / 2
        return Course(table, dropped, openings)

    def _openings(self, alike: bool) -> list[Opening]:
        solver = Solver(self.battle, Exact())
        opened = solver.start()
        for moment in moments(self.battle, [0]):
            opened = solver.advance(opened, moment.steps)
        if alike:
            opened = Chain([array[:1] for array in opened.arrays], np.ones(1))
        common = {
            at: opened.arrays[at]
            for at, leaf in enumerate(self.battle.leaves)
            if leaf.path[:2] not in ("a.", "b.")
        }
        return [
            Opening({at: array[row : row + 1] for at, array in common.items()}, float(weight))
            for row, weight in enumerate(opened.weight)
        ]

    def _counted(self, pairs: Pairs, row: Array, width: Mapping[str, int]) -> Pairs:
        """The pairs that are still on; the others are counted in a row of the table."""
        lost = {x: self._lost(x, numbers, width[x]) for x, numbers in pairs.numbers.items()}
        if lost["a"].any() and lost["b"].any():
            both = pairs.where("a", lost["a"]).where("b", lost["b"]).total()
            row[3] += both
            row[1:3] -= both
        for x, at in (("b", 1), ("a", 2)):
            if lost[x].any():
                row[at] += pairs.where(x, lost[x]).total()
        for x in SIDES:
            if lost[x].any():
                pairs = pairs.where(x, ~lost[x])
        return pairs

    def _lost(self, x: str, numbers: Array, width: int) -> Array:
        lost = self.known.sides[x].lost
        if width == 1:
            return lost[numbers]
        return lost[numbers // width] | (numbers % width == width - 1)

    def plan(
        self,
        numbers: tuple[Array, Array],
        moment: Moment[State],
        shared: Mapping[int, Array],
        *,
        tilts: Mapping[str, float] = {},
        width: Mapping[str, int] = {"a": 1, "b": 1},
    ) -> Plan:
        """What a part of a turn makes of pairs of some states.

        With `tilts` each chance is times exp(θ · what goes of the forgotten field of a side), but
        for the blow by which the side is lost. States are numbered state · width + how much of
        the forgotten field is gone, with a width of 1 where that is not followed.
        """
        struck = "".join(other(x) for step in moment.steps for x in step.side)
        tilts = {x: tilt for x, tilt in tilts.items() if x in struck}
        key = (
            moment.number,
            *(array.tobytes() for array in shared.values()),
            *tilts.items(),
            *width.values(),
            *(each.tobytes() for each in numbers),
        )
        plan = self._plans.get(key)
        if plan is None:
            plan = self._planned(
                dict(zip(SIDES, numbers, strict=True)), moment, shared, tilts, width
            )
            if plan.size <= SMALL_PLAN:
                self._plans[key] = plan
        return plan

    def _planned(
        self,
        numbers: Mapping[str, Array],
        moment: Moment[State],
        shared: Mapping[int, Array],
        tilts: Mapping[str, float],
        width: Mapping[str, int],
    ) -> Plan:
        states = {x: numbers[x] // width[x] for x in SIDES}
        groups = list(self.known.groups(states, moment, shared))
        if len(groups) == 1 and groups[0].step is None:
            return Plan.of([Block(None, None, Map(numbers["a"]), Map(numbers["b"]))])
        self.known.learn(groups, states)  # all rows first, since they bring new states
        blocks = []
        for step, heard, among in groups:
            maps = []
            for x in SIDES:
                mine = numbers[x][among[x]]
                if step is None:
                    maps.append(Map(mine))
                else:
                    maps.append(self._map(step, x, heard[x], mine, tilts.get(x, 0.0), width[x]))
            blocks.append(Block(_some(among["a"]), _some(among["b"]), *maps))
        return Plan.of(blocks, *(len(self.known.sides[x].states) * width[x] for x in SIDES))

    def _map(
        self, step: Step[State], x: str, heard: int, numbers: Array, tilt: float, width: int
    ) -> Map:
        side, kernel = self.known.sides[x], self.known.kernel(step, x)
        if width == 1:
            entries = kernel.some(kernel.row_of(heard, numbers), tilt, side.lost)
        else:
            states, gone = np.divmod(numbers, width)
            entries = kernel.followed(kernel.row_of(heard, states), gone, width, side.lost)
        return Map.of(entries, len(side.states) * width)


def _lighter(
    pairs: Pairs,
    changes: str,
    budget: float,
    width: Mapping[str, int],
    costs: Mapping[str, Callable[[Pairs], Array]],
) -> tuple[Pairs, float]:
    """The pairs without what is rare, nor what is gone of a side that is followed if harmless.

    Also what that costs. Only sides that the last part of a turn `changes` are looked through: of
    the others no more is rare than before.
    """
    pairs, total = _unless_rare(pairs, budget)
    for x in changes:
        share = budget / len(changes) / (2 if x in costs else 1)
        pairs, less = _without_rare(pairs, x, share)
        total += less
        if x in costs:
            pairs, less = _forgetful(pairs, x, width[x], costs[x](pairs), share)
            total += less
    return pairs, total


def _unless_rare(pairs: Pairs, budget: float) -> tuple[Pairs, float]:
    """The pairs, or none of them if their chance is at most the budget; what was left out."""
    total = pairs.total()
    if total > budget:
        return pairs, 0.0
    nothing = np.zeros(0, dtype=np.int64)
    return Pairs(nothing, nothing, np.zeros((0, 0))), total


def _without_rare(pairs: Pairs, x: str, budget: float) -> tuple[Pairs, float]:
    """The pairs without the rarest states of x, and what chance was left out."""
    if len(pairs.a) * len(pairs.b) <= SMALL_MATRIX:
        return pairs, 0.0  # not worth a new plan
    share = pairs.share(x)
    rare, dropped = _rarest(share, budget)
    if len(rare) < WORTH_DROPPING * len(share):
        return pairs, 0.0
    kept = np.ones(len(share), dtype=bool)
    kept[rare] = False
    return pairs.where(x, kept), dropped


def _forgetful(
    pairs: Pairs, x: str, width: int, costs: Array, budget: float
) -> tuple[Pairs, float]:
    """The pairs when nothing is known of what is gone in some states of x; what that costs."""
    gone = pairs.numbers[x] % width
    known = np.flatnonzero(gone)
    harmless, total = _rarest(costs[known], budget)
    if len(harmless) < WORTH_DROPPING * len(costs):
        return pairs, 0.0
    gone[np.delete(known, harmless)] = 0
    return pairs.merged(x, pairs.numbers[x] - gone), total


def _rarest(share: Array, budget: float) -> tuple[Array, float]:
    """The rarest that come to at most `budget` together, and to how much."""
    rare = np.flatnonzero(share <= budget)
    rare = rare[np.argsort(share[rare])]
    total = np.cumsum(share[rare])
    rare = rare[total <= budget]
    return rare, float(total[len(rare) - 1]) if len(rare) else 0.0


def _some(mask: Array) -> Array | None:
    """The places of a mask; None for all."""
    return None if mask.all() else np.flatnonzero(mask)
