"""Exact odds of two sides that touch only by messages: the chances of all pairs, as a matrix.

In a duel what one side does to the other depends on its own state only by a *message*, how many
guns it fires. So each side has few states of its own, and a part of a turn is a kernel for each
message: if P[i, j] is the chance that a is in state i and b in state j, the blocks of P in which
the messages are the same are multiplied by A' from the left and by B from the right. The kernels
are read off the battle's own steps (`navkit.kernel`); nothing of a rule is written here.

As long as neither side's message varies, the sides are independent, and P is kept as a product
(`navkit.pairs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

import numpy as np

from navkit.branches import Branches
from navkit.chance import Array, Exact, TooManyStates
from navkit.exact import Chain, Solver
from navkit.kernel import Kernel, States
from navkit.pairs import Block, Map, Pairs, Plan
from navkit.state import State, flatten, leaves, rebuild
from navkit.turns import Battle, Moment, Step, chosen, moments

SIDES = ("a", "b")
SMALL_PLAN = 1 << 17
"""Numbers in a plan up to which it is kept for when the same states are played again."""
WORTH_DROPPING = 0.02
"""The least share of the states of a side that is worth dropping."""
CELLS = 1 << 19
"""Outcomes worked out at a time when rows of a kernel are read off."""
MOST_OUTCOMES = 100_000_000
"""How many outcomes of one side are worked out in all."""


@dataclass
class OneSide:
    """The states of one side met so far: what each says and whether it is lost.

    `speaker` is a state for each message.
    """

    states: States
    message: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    lost: Array = field(default_factory=lambda: np.zeros(0, dtype=bool))
    speaker: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Course:
    """What became of the fights by turn, not cumulative: columns undecided, a wins, b wins, both.

    `dropped` is the probability left out. With a tilt the figures are no probabilities.
    """

    table: Array
    dropped: float


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
    sides: dict[str, OneSide] = field(init=False)
    outcomes: int = 0
    _kernels: dict[tuple[int, str], Kernel] = field(init=False, default_factory=dict)
    _alternatives: dict[tuple[int, ...], Array] = field(init=False, default_factory=dict)
    _plans: dict[tuple[Any, ...], Plan] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        shape = leaves(self.battle.start)
        self._start = flatten(self.battle.start)
        self._at, self._set_back = {}, {}
        for x in SIDES:
            driving = {
                leaf.path.removeprefix(f"{x}."): at
                for at, leaf in enumerate(shape)
                if leaf.path.startswith(f"{x}.") and not leaf.is_track
            }
            self._at[x] = list(driving.values())
            self._set_back[x] = driving.get(self.forgotten.get(x, ""), -1)
        self.sides = {x: OneSide(States([self._start[at] for at in self._at[x]])) for x in SIDES}
        self._meet()

    # States and what they say

    def fight(self, numbers: Mapping[str, Array], shared: Mapping[int, Array] = {}) -> State:
        """Fights of states by number, a side that is not named as at the start."""
        rows = len(next(iter(numbers.values())))
        arrays = [np.full(rows, array[0], array.dtype) for array in self._start]
        for x, chosen_ in numbers.items():
            for at, column in zip(self._at[x], self.sides[x].states.columns, strict=True):
                arrays[at] = column[chosen_]
        for at, array in shared.items():
            arrays[at] = np.full(rows, array[0], array.dtype)
        return rebuild(self.battle.start, arrays)

    def _meet(self) -> None:
        """Finds out what new states say, and whether they are lost."""
        for x, side in self.sides.items():
            new = np.arange(len(side.message), len(side.states))
            if not len(new):
                continue
            fight = self.fight({x: new})
            said = np.broadcast_to(self.message(fight, x), len(new))
            lost = np.broadcast_to(self.battle.lost(fight, x) > 0, len(new))
            side.message = np.concatenate((side.message, said))
            side.lost = np.concatenate((side.lost, lost))
            for word in np.unique(said).tolist():
                side.speaker.setdefault(word, int(new[said == word][0]))

    # Kernels

    def kernel(self, step: Step[State], x: str) -> Kernel:
        """What a step makes of side `x`, as far as it is known."""
        return self._kernels.setdefault((id(step.run), x), Kernel())

    def transitions(self, x: str) -> Iterator[tuple[Array, Array, Array]]:
        """All transitions of a side met so far: from, to, how much of the forgotten field went."""
        for (_, side), kernel in self._kernels.items():
            if side == x:
                yield kernel.transitions()

    def _learn(self, step: Step[State], x: str, wanted: Iterable[tuple[int, Array]]) -> None:
        """Reads off the rows that are missing for states of `x` that hear messages, each once."""
        kernel = self.kernel(step, x)
        heard, states = [], []
        for word, some in wanted:
            missing = some[kernel.row_of(word, some) < 0]
            heard.append(np.full(len(missing), word))
            states.append(missing)
        pairs = np.stack((np.concatenate(heard), np.concatenate(states)))
        asked = np.unique(pairs, axis=1) if len(heard) > 1 else pairs
        per_row = 64
        while asked.shape[1]:
            count = max(1, CELLS // per_row)
            per_row = self._read_off(kernel, step, x, asked[0, :count], asked[1, :count])
            asked = asked[:, count:]
            self._meet()

    def _read_off(
        self, kernel: Kernel, step: Step[State], x: str, heard: Array, states: Array
    ) -> int:
        """Runs a step on some states of `x`; the outcomes of each."""
        y = other(x)
        hears = y in step.side
        speakers = np.zeros(int(heard.max()) + 1, dtype=np.int64)
        if hears:
            for word in np.unique(heard).tolist():
                speakers[word] = self.sides[y].speaker[word]
        branches = Branches(len(states))
        after = flatten(step.run(self.fight({x: states, y: speakers[heard]}), branches))
        chance = branches.probability() if hears else np.ones(1)
        shape = np.broadcast_shapes(chance.shape, (len(states),))
        self.outcomes += int(np.prod(shape))
        if self.outcomes > MOST_OUTCOMES:
            raise TooManyStates(self.outcomes, "outcomes", MOST_OUTCOMES)
        chance = np.broadcast_to(chance, shape).ravel()
        here = np.flatnonzero(chance)

        def cells(array: Array) -> Array:
            if not hears:  # what a side does to itself takes no dice
                array = array.reshape(array.shape[-1])
            return np.broadcast_to(array, shape).ravel()[here]

        at = self._set_back[x]
        gone = cells(self._start[at] - after[at]) if at >= 0 else None
        columns = [cells(self._start[k] if k == at else after[k]) for k in self._at[x]]
        found = self.sides[x].states.number(columns)
        kernel.add(heard, states, cells(np.arange(len(states))), found, chance[here], gone)
        return max(1, len(chance) // len(states))

    # Turns

    def course(
        self,
        turns: int,
        budget: float,
        tilts: Mapping[str, float] | None = None,
        *,
        alike: bool = False,
    ) -> Course:
        """Plays some turns; fights whose chances come to `budget` together may be left out.

        With `tilts` each chance is times exp(θ · what went of the forgotten field of a side so
        far), but for the blow by which the side is lost. `alike` sides are the same, and the
        opening decides no more than which of them is to act first, evenly: then one of its
        outcomes is played, and the other is its mirror image.
        """
        tilts = tilts or {}
        table = np.zeros((turns + 1, 4))
        solver = Solver(self.battle, Exact())
        opened = solver.start()
        for moment in moments(self.battle, [0]):
            opened = solver.advance(opened, moment.steps)
        common = [
            at
            for at, leaf in enumerate(leaves(self.battle.start))
            if leaf.path[:2] not in ("a.", "b.")
        ]
        one = np.zeros(1, dtype=np.int64)
        if alike:
            opened = Chain([array[:1] for array in opened.arrays], np.ones(1))
        dropped = 0.0
        parts = len(self.battle.turn) * turns * len(opened)
        for row, weight in enumerate(opened.weight):
            shared = {at: opened.arrays[at][row : row + 1] for at in common}
            pairs = Pairs(one, one, np.full((1, 1), weight), np.ones((1, 1)))
            pairs, _ = self._settled(pairs, table, 0, 0.0)
            table[0, 0] += pairs.total()
            for moment in moments(self.battle, range(1, turns + 1)):
                if not len(pairs.a) or not len(pairs.b):
                    break
                pairs = self._played(pairs, moment, shared, tilts)
                spare = max(0.0, budget - dropped) / parts
                parts -= 1
                pairs, less = self._settled(pairs, table, moment.turn, spare)
                dropped += less
                if moment.is_last:
                    table[moment.turn, 0] += pairs.total()
        if alike:
            table = (table + table[:, [0, 2, 1, 3]]) / 2
        return Course(table, dropped)

    def _settled(self, pairs: Pairs, table: Array, turn: int, budget: float) -> tuple[Pairs, float]:
        """The pairs that are still on, without the rarest states; what chance was left out.

        Those that are over are counted.
        """
        lost = [self.sides["a"].lost[pairs.a], self.sides["b"].lost[pairs.b]]
        on = [(~each).astype(np.float64) for each in lost]
        if lost[0].any() or lost[1].any():
            by_b, by_neither = pairs.times(1.0 - on[1]), pairs.times(on[1])
            gone = lost[0]
            table[turn, 1:] += by_b[~gone].sum(), by_neither[gone].sum(), by_b[gone].sum()
        shares = pairs.share(*on)
        everything = float(shares[0].sum())
        if everything <= budget:
            nothing = np.zeros(0, dtype=np.int64)
            return Pairs(nothing, nothing, np.zeros((0, 0))), everything
        keep, dropped = [], 0.0
        for share, gone in zip(shares, lost, strict=True):
            rare, total = _rare(share, ~gone, budget / 2)
            kept = ~gone
            if len(rare) >= WORTH_DROPPING * len(share):
                kept[rare] = False
                dropped += total
            keep.append(kept)
        return pairs.where(*keep), dropped

    def _played(
        self,
        pairs: Pairs,
        moment: Moment[State],
        shared: Mapping[int, Array],
        tilts: Mapping[str, float],
    ) -> Pairs:
        """The pairs after a part of a turn."""
        key = (
            moment.number,
            *(array.tobytes() for array in shared.values()),
            *tilts.items(),
            pairs.a.tobytes(),
            pairs.b.tobytes(),
        )
        plan = self._plans.get(key)
        if plan is None:
            plan = self._planned(pairs, moment, shared, tilts)
            if plan.size <= SMALL_PLAN:
                self._plans[key] = plan
        return plan.run(pairs)

    def _planned(
        self,
        pairs: Pairs,
        moment: Moment[State],
        shared: Mapping[int, Array],
        tilts: Mapping[str, float],
    ) -> Plan:
        groups = list(self._groups(pairs, moment, shared))
        for step in moment.steps:  # all rows first, since they bring new states
            mine = [(heard, a, b) for which, heard, a, b in groups if which is step]
            if mine:
                self._learn(step, "a", ((heard["a"], pairs.a[a]) for heard, a, _ in mine))
                self._learn(step, "b", ((heard["b"], pairs.b[b]) for heard, _, b in mine))
        blocks = []
        for taken, heard, a, b in groups:
            if taken is None:
                left, right = Map(pairs.a[a]), Map(pairs.b[b])
            else:
                left = self._map(taken, "a", heard["a"], pairs.a[a], tilts)
                right = self._map(taken, "b", heard["b"], pairs.b[b], tilts)
            blocks.append(Block(_some(a), _some(b), left, right))
        return Plan.of(blocks, len(self.sides["a"].states), len(self.sides["b"].states))

    def _map(
        self, step: Step[State], x: str, heard: int, states: Array, tilts: Mapping[str, float]
    ) -> Map:
        side, kernel = self.sides[x], self.kernel(step, x)
        rows = kernel.row_of(heard, states)
        return Map.of(kernel.some(rows, tilts.get(x, 0.0), side.lost), len(side.states))

    def _groups(
        self, pairs: Pairs, moment: Moment[State], shared: Mapping[int, Array]
    ) -> Iterator[tuple[Step[State] | None, dict[str, int], Array, Array]]:
        """Blocks of pairs to which the same happens: the step, what is heard, and the states."""
        said = {"a": self.sides["a"].message[pairs.a], "b": self.sides["b"].message[pairs.b]}
        words = {x: np.flatnonzero(np.bincount(said[x])).tolist() for x in SIDES}
        step_of = self._taken(words, moment, shared)
        acting = "".join(step.side for step in moment.steps)
        kinds: dict[str, dict[Any, list[int]]] = {"a": {}, "b": {}}
        for x, table in (("a", step_of), ("b", step_of.T)):
            for place, taken in enumerate(table.tolist()):
                kind = (tuple(taken), words[x][place] if x in acting and max(taken) >= 0 else 0)
                kinds[x].setdefault(kind, []).append(place)
        for of_a in kinds["a"].values():
            for of_b in kinds["b"].values():
                number = step_of[of_a[0], of_b[0]]
                step = moment.steps[number] if number >= 0 else None
                heard = {"a": words["b"][of_b[0]], "b": words["a"][of_a[0]]}
                for x in SIDES:
                    if step is None or other(x) not in step.side:
                        heard[x] = 0
                a = _among(said["a"], [words["a"][place] for place in of_a])
                b = _among(said["b"], [words["b"][place] for place in of_b])
                yield step, heard, a, b

    def _taken(
        self,
        words: Mapping[str, list[int]],
        moment: Moment[State],
        shared: Mapping[int, Array],
    ) -> Array:
        """For each message of a and of b, which alternative is taken; −1 for none."""
        key = (moment.number, *words["a"], -1, *words["b"], *(int(v[0]) for v in shared.values()))
        if key not in self._alternatives:
            self._alternatives[key] = self._found_out(words, moment, shared)
        return self._alternatives[key]

    def _found_out(
        self,
        words: Mapping[str, list[int]],
        moment: Moment[State],
        shared: Mapping[int, Array],
    ) -> Array:
        shape = (len(words["a"]), len(words["b"]))
        places = dict(zip(SIDES, np.indices(shape).reshape(2, -1), strict=True))
        speakers = {
            x: np.array([self.sides[x].speaker[word] for word in words[x]])[places[x]]
            for x in SIDES
        }
        fight = self.fight(speakers, shared)
        taken = np.full(shape, -1).ravel()
        for number, mask in enumerate(chosen(fight, moment.steps, taken.size)):
            taken[slice(None) if mask is None else mask] = number
        return taken.reshape(shape)


def other(x: str) -> str:
    """The other side."""
    return "b" if x == "a" else "a"


def _rare(share: Array, among: Array, budget: float) -> tuple[Array, float]:
    """The rarest states that come to at most `budget` together, and to how much."""
    rare = np.flatnonzero(among & (share <= budget))
    rare = rare[np.argsort(share[rare])]
    total = np.cumsum(share[rare])
    rare = rare[total <= budget]
    return rare, float(total[len(rare) - 1]) if len(rare) else 0.0


def _among(said: Array, words: list[int]) -> Array:
    """In which places one of some messages is said."""
    known = np.zeros(max(words) + 1, dtype=bool)
    known[words] = True
    return (said < len(known)) & known[np.minimum(said, len(known) - 1)]


def _some(mask: Array) -> Array | None:
    """The places of a mask; None for all."""
    return None if mask.all() else np.flatnonzero(mask)
