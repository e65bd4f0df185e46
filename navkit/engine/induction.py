"""The best decisions of side a, turn by turn, by backward induction over the states that occur.

Before each turn a chooses how it is played: each `Choice` is a battle whose turn is made, built of
the rule's own steps, and the phase that the fight is in after it. All states that any choices lead
to are found first, each with what may follow it; then their values are worked out from the last
turn backward. There are as many values as turns left, so that one solution answers for every
number of turns up to its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from navkit.chance import Array, Exact
from navkit.engine.exact import some_turns
from navkit.engine.numbered_states import Place
from navkit.engine.solver import Chain, Solver
from navkit.engine.turns import Battle, Moment, moments, standing
from navkit.errors import InputError, whole
from navkit.state import flatten
from navkit.tally import STATUSES, UNDECIDED

MOST_STATES = 1_000_000
"""States that are followed, at all places of a turn together, unless told: some 800 MB."""
CHUNK = 16_384
"""States that are followed at a time, which bounds the memory."""
ALIKE = 1e-12
"""Values closer than this are the same: then the lower cost decides."""
UNLIMITED = Exact(states=100_000_000, work=10**15)

Decide = Callable[[int, str, Any], Array]
"""`decide(turn, phase, state)`: the number of a choice for each of some states; turns from 1."""


class TooManyDecisions(RuntimeError):
    """There are more states than allowed to find the best decision in each."""

    def __init__(self, allowed: int, turn: int, turns: int) -> None:
        self.allowed = allowed
        super().__init__(
            f"the best decisions need over {allowed:,} states here, in turn {turn} of {turns}; use "
            "smaller ships or fewer turns, or compare decisions that follow a rule"
        )


@dataclass(frozen=True)
class Choice:
    """A way to play a turn, and the phase that an undecided fight is in after it.

    `enter` makes the states of `battle` of those before, where they are of another kind.
    """

    battle: Battle[Any]
    phase: str
    enter: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class Problem:
    """What is to be decided: from `start` (after its opening), in the first of the phases.

    `phases` holds the choices of each, by name. `worth` is the value of each outcome, that of
    `undecided` at the end of the last turn. `cost` names a track of a side (`a.dead`): of choices
    of equal value the one with least of it is taken.
    """

    start: Battle[Any]
    phases: Mapping[str, Mapping[str, Choice]]
    worth: Mapping[str, float]
    cost: str

    @property
    def worths(self) -> Array:
        """The value of each status."""
        return np.array([self.worth[name] for name in STATUSES])


@dataclass(frozen=True)
class _Route:
    """The places that a choice leads through; `entry` gives where each state of its phase enters.

    A state whose fight is over as it enters has entry −1, and what it is worth in `over`.
    """

    choice: Choice
    parts: tuple[Moment[Any], ...]
    places: tuple[Place, ...]
    entry: list[Array] = field(default_factory=list)
    over: list[Array] = field(default_factory=list)


class Decisions:
    """All states that decisions may lead to in `turns` turns, and what follows each of them.

    Raises InputError for battles with parts that repeat, TooManyDecisions for more than `most`
    states.
    """

    def __init__(self, problem: Problem, turns: int, most: int = MOST_STATES) -> None:
        self.problem, self.turns = problem, some_turns(turns)
        self.most = whole("states", most, 1, 100_000_000)
        first = next(iter(problem.phases))
        kinds = {first: problem.start}
        for choices in problem.phases.values():
            for choice in choices.values():
                kinds.setdefault(choice.phase, choice.battle)
        self.places = {name: Place(Solver(kinds[name], UNLIMITED)) for name in problem.phases}
        self.routes = {
            phase: {name: _route(choice) for name, choice in choices.items()}
            for phase, choices in problem.phases.items()
        }
        self.first = first
        self._begin()

    def find(self) -> Iterator[int]:
        """Finds the states, turn by turn; yields the turns done."""
        for turn in range(1, self.turns + 1):
            for phase, routes in self.routes.items():
                for route in routes.values():
                    self._follow(self.places[phase], route, turn)
            for place in self.places.values():
                place.close()
            yield turn

    @property
    def states(self) -> int:
        """How many states there are, at all places of a turn."""
        routes = (route for routes in self.routes.values() for route in routes.values())
        return sum(
            map(len, [*self.places.values(), *(p for route in routes for p in route.places)])
        )

    def _begin(self) -> None:
        solver = self.places[self.first].solver
        chain = solver.start()
        chain = Chain([*chain.arrays, np.zeros(1, dtype=np.int64)], chain.weight)
        self.begun = np.zeros(2)
        for moment in [None, *moments(self.problem.start, [0])]:
            if moment is not None:
                chain = solver.advance(chain, moment.steps)
            chain, over = self._split(solver, chain)
            self.begun += _summed(over, 1)[:, 0]
        place = self.places[self.first]
        self.start = place.number([chain.arrays[at] for at in solver.keys])
        self.weight = chain.weight
        for each in self.places.values():
            each.close()

    def _split(self, solver: Solver[Any], chain: Chain) -> tuple[Chain, tuple[Array, ...]]:
        """What is undecided; of the rest, the origins, the weights, and value and cost of each."""
        cost = _track(solver, self.problem.cost)
        status, _ = standing(solver.battle, solver.state(chain))
        over = status != UNDECIDED
        rest = chain.where(over)
        values = self.problem.worths[status[over]]
        return chain.where(~over), (rest.arrays[-1], rest.weight, values, rest.arrays[cost])

    def _follow(self, place: Place, route: _Route, turn: int) -> None:
        """Follows the states that were first reached in the turn before through a choice."""
        for low, high in _chunks(sum(map(len, route.entry)), place.ends[-1]):
            self._enter(place, route, low, high, turn)
        end = self.places[route.choice.phase] if turn < self.turns else None
        onward = [*route.places[1:], end]
        for here, part, following in zip(route.places, route.parts, onward, strict=True):
            here.close()
            for low, high in _chunks(sum(each.shape[1] for each in here.sure), len(here)):
                self._step(here, part, following, low, high, turn)

    def _enter(self, place: Place, route: _Route, low: int, high: int, turn: int) -> None:
        solver = route.places[0].solver
        chain = place.chain(low, high)
        if route.choice.enter is not None:
            state = route.choice.enter(place.solver.state(chain))
            chain = Chain([*_wide(state, len(chain)), chain.arrays[-1]], chain.weight)
        going, over = self._split(solver, chain)
        entry = np.full(high - low, -1)
        keys = [going.arrays[at] for at in solver.keys]
        entry[going.arrays[-1] - low] = route.places[0].number(keys)
        route.entry.append(entry)
        route.over.append(_summed(over, high - low, low))
        self._check(turn)

    def _step(
        self,
        here: Place,
        part: Moment[Any],
        following: Place | None,
        low: int,
        high: int,
        turn: int,
    ) -> None:
        """What follows some states; None for the end of the last turn, where undecided counts."""
        solver = here.solver
        after = solver.advance(here.chain(low, high), part.steps)
        going, over = self._split(solver, after)
        origin, cost = going.arrays[-1], going.arrays[_track(solver, self.problem.cost)]
        sure = _summed(over, high - low, low)
        sure[1] += np.bincount(origin - low, going.weight * cost, minlength=high - low)
        here.sure.append(sure)
        if following is None:
            worth = self.problem.worths[UNDECIDED]
            sure[0] += np.bincount(origin - low, going.weight * worth, minlength=high - low)
            return
        order = np.argsort(origin, kind="stable")
        target = following.number([going.arrays[at] for at in solver.keys])
        here.edges.append((origin[order], target[order], going.weight[order]))
        self._check(turn)

    def _check(self, turn: int) -> None:
        if self.states > self.most:
            raise TooManyDecisions(self.most, turn, self.turns)


def _route(choice: Choice) -> _Route:
    parts = tuple(moments(choice.battle, [1]))
    if any(part.most > 1 for part in parts):
        raise InputError("turn of a battle", "a part that repeats", "parts that are made once")
    solver = Solver(choice.battle, UNLIMITED)
    return _Route(choice, parts, tuple(Place(solver) for _ in parts))


def _track(solver: Solver[Any], name: str) -> int:
    names = [leaf.path for leaf in solver.battle.leaves]
    if name not in names:
        raise InputError("cost", name, *names)
    return names.index(name)


def _chunks(begin: int, end: int) -> Iterator[tuple[int, int]]:
    return ((low, min(low + CHUNK, end)) for low in range(begin, end, CHUNK))


def _wide(state: Any, rows: int) -> list[Array]:
    return [np.broadcast_to(array, rows) for array in flatten(state)]


def _summed(over: tuple[Array, ...], rows: int, low: int = 0) -> Array:
    """Value and cost of what has ended, by origin."""
    origin, weight, value, cost = over
    sums = [np.bincount(origin - low, weight * each, minlength=rows) for each in (value, cost)]
    return np.stack(sums).astype(np.float64)  # of nothing at all bincount makes integers


# Values, backward


@dataclass(frozen=True)
class Plan:
    """What decisions are worth, and which they are.

    `values[t][phase]` has two rows, the value and the cost from each state after t turns on, and
    `choices[t][phase]` the number of the choice taken there in turn t + 1. States that are first
    reached when all turns are over are not kept.
    """

    found: Decisions
    values: Sequence[Mapping[str, Array]] = field(repr=False)
    choices: Sequence[Mapping[str, Array]] = field(repr=False)

    def worth(self, left: int | None = None) -> float:
        """The value from the start with so many turns left, all of them by default.

        With fewer it is that of deciding as in the last of the turns.
        """
        return self._from_start(0, left)

    def cost(self, left: int | None = None) -> float:
        """The cost that goes with `worth`."""
        return self._from_start(1, left)

    def _from_start(self, row: int, left: int | None) -> float:
        found = self.found
        turns = found.turns if left is None else whole("left", left, 0, found.turns)
        values = self.values[found.turns - turns][found.first][row, found.start]
        return float(found.begun[row] + found.weight @ values)

    @cached_property
    def occupied(self) -> list[dict[str, Array]]:
        """By turn from 0 to the last but one: the probability of each state of each phase."""
        found = self.found
        mass = {name: np.zeros(place.ends[0]) for name, place in found.places.items()}
        np.add.at(mass[found.first], found.start, found.weight)
        known = [mass]
        for turn in range(1, found.turns):
            after = {name: np.zeros(place.ends[turn]) for name, place in found.places.items()}
            for phase, routes in found.routes.items():
                for number, route in enumerate(routes.values()):
                    mine = np.where(self.choices[turn - 1][phase] == number, mass[phase], 0.0)
                    end = len(after[route.choice.phase])
                    after[route.choice.phase] += _onward(route, mine, turn, end)
            mass = after
            known.append(mass)
        return known


def planned(found: Decisions, decide: Decide | None = None) -> Plan:
    """The values of decisions: the best ones, or those that `decide` makes.

    The best have the highest value, and the lowest cost among those that have it.
    """
    undecided = float(found.problem.worths[UNDECIDED])
    after = {}
    for name, place in found.places.items():
        after[name] = np.stack([np.full(place.ends[-1], undecided), np.zeros(place.ends[-1])])
    values, choices = [after], []
    for turn in range(found.turns, 0, -1):
        before, taken = {}, {}
        for phase, routes in found.routes.items():
            count = found.places[phase].ends[turn - 1]
            each = np.stack([_backward(route, after, turn, count) for route in routes.values()])
            if decide is None:
                chosen = _best(each)
            else:
                chosen = np.asarray(decide(turn, phase, found.places[phase].state(count)))
                chosen = np.broadcast_to(chosen, count)
            taken[phase] = chosen.astype(np.int8)
            before[phase] = each[chosen, :, np.arange(count)].T
        after = before
        values.append(after)
        choices.append(taken)
    return Plan(found, values[::-1], choices[::-1])


def _best(each: Array) -> Array:
    """By state: the choice of the highest value, then of the lowest cost, then the first."""
    value, cost = each[:, 0], each[:, 1]
    good = value >= value.max(axis=0) - ALIKE
    least = np.where(good, cost, np.inf).min(axis=0)
    return np.argmax(good & (cost <= least + ALIKE), axis=0)


def _backward(route: _Route, after: Mapping[str, Array], turn: int, count: int) -> Array:
    """Value and cost of a choice in each of the first `count` states of its phase."""
    onward = after[route.choice.phase]
    for place in reversed(route.places):
        here = place.ends[turn - 1]
        origin, target, weight = place.sorted_edges(here)
        sure = np.concatenate([np.zeros((2, 0)), *place.sure], axis=1)[:, :here]
        rows = [np.bincount(origin, weight * row[target], minlength=here) for row in onward]
        onward = sure + np.stack(rows)
    entry = np.concatenate([np.zeros(0, np.int64), *route.entry])[:count]
    over = np.concatenate([np.zeros((2, 0)), *route.over], axis=1)[:, :count]
    padded = np.concatenate([onward, np.zeros((2, 1))], axis=1)  # entry −1 is the last
    return over + padded[:, entry]


def _onward(route: _Route, mass: Array, turn: int, end: int) -> Array:
    """Where the mass of some states of a phase is after a turn of a choice."""
    entry = np.concatenate([np.zeros(0, np.int64), *route.entry])[: len(mass)]
    enters = entry >= 0
    first = route.places[0].ends[turn - 1]
    here = np.bincount(entry[enters], mass[enters], minlength=first)
    sizes = [*(place.ends[turn - 1] for place in route.places[1:]), end]
    for place, size in zip(route.places, sizes, strict=True):
        origin, target, weight = place.sorted_edges(len(here))
        here = np.bincount(target, weight * here[origin], minlength=size)
    return here
