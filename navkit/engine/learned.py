"""What is known of two sides that touch only by messages: their states, and a step's kernels.

The kernels are read off the battle's own steps (`kernel`), a row at a time, when they are
first asked for; nothing of a rule is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

import numpy as np

from navkit.chance import Array, TooManyStates
from navkit.engine.branches import Branches
from navkit.engine.kernel import Kernel, States
from navkit.engine.turns import Battle, Moment, Step, chosen
from navkit.state import State, flatten, rebuild

SIDES = ("a", "b")
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


class Group(NamedTuple, Generic[State]):
    """Pairs of states to which the same happens in a part of a turn.

    `step` is None where nothing does. `heard` is what each side hears, and `among` tells of some
    states of each side which belong to the group.
    """

    step: Step[State] | None
    heard: Mapping[str, int]
    among: Mapping[str, Array]


@dataclass
class Learned(Generic[State]):
    """What is known of the sides of a battle; `coupled.Coupled` tells what the fields mean.

    States are numbered for each side alone, without what drives nothing.
    """

    battle: Battle[State]
    message: Callable[[State, str], Array]
    forgotten: Mapping[str, str]
    sides: dict[str, OneSide] = field(init=False)
    outcomes: int = 0
    _kernels: dict[tuple[int, str], Kernel] = field(init=False, default_factory=dict)
    _alternatives: dict[tuple[int, ...], Array] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        shape = self.battle.leaves
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

    def most_gone(self, x: str) -> int:
        """How much there is of the forgotten field of a side at the start."""
        return int(self._start[self._set_back[x]][0])

    def _fight(self, numbers: Mapping[str, Array], shared: Mapping[int, Array] = {}) -> State:
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
            fight = self._fight({x: new})
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

    def learn(self, groups: Iterable[Group[State]], states: Mapping[str, Array]) -> None:
        """Reads off what is missing of what happens to some states, which brings new states."""
        wanted: dict[tuple[int, str], list[tuple[int, Array]]] = {}
        steps = {}
        for step, heard, among in groups:
            if step is not None:
                steps[id(step)] = step
                for x in SIDES:
                    wanted.setdefault((id(step), x), []).append((heard[x], states[x][among[x]]))
        for (which, x), rows in wanted.items():
            self._learn(steps[which], x, rows)

    def _learn(self, step: Step[State], x: str, wanted: Iterable[tuple[int, Array]]) -> None:
        """Reads off the rows that are missing for states of `x` that hear messages, each once."""
        kernel = self.kernel(step, x)
        heard, states = [], []
        for word, some in wanted:
            missing = some[kernel.row_of(word, some) < 0]
            if len(missing):
                heard.append(np.full(len(missing), word))
                states.append(missing)
        if not heard:
            return
        asked = np.unique(np.stack((np.concatenate(heard), np.concatenate(states))), axis=1)
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
        after = flatten(step.run(self._fight({x: states, y: speakers[heard]}), branches))
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

    # Who acts

    def groups(
        self, states: Mapping[str, Array], moment: Moment[State], shared: Mapping[int, Array]
    ) -> Iterator[Group[State]]:
        """The pairs of some states, by what happens to them in a part of a turn."""
        said = {x: self.sides[x].message[states[x]] for x in SIDES}
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
                places = {"a": of_a, "b": of_b}
                among = {x: _among(said[x], [words[x][p] for p in places[x]]) for x in SIDES}
                yield Group(step, heard, among)

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
        fight = self._fight(speakers, shared)
        taken = np.full(shape, -1).ravel()
        for number, mask in enumerate(chosen(fight, moment.steps, taken.size)):
            taken[slice(None) if mask is None else mask] = number
        return taken.reshape(shape)


def other(x: str) -> str:
    """The other side."""
    return "b" if x == "a" else "a"


def _among(said: Array, words: list[int]) -> Array:
    """In which places one of some messages is said."""
    known = np.zeros(max(words) + 1, dtype=bool)
    known[words] = True
    return (said < len(known)) & known[np.minimum(said, len(known) - 1)]
