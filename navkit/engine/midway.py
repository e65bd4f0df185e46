"""A fight that stands in the middle of a turn, and how it goes on from there.

What is left of a fight is a battle again: it starts from how the fight stands, and its opening is
what is left of the turn. Of a step that stands in the middle of its rolls, the first have fallen
and the others are left to chance (`Continued`).

>>> from navkit.engine.branches import Branches
>>> luck = Continued(Branches(rows=1), rolls=[6])
>>> first, second = luck.roll("d6", why="attack"), luck.roll("d6", why="damage")
>>> first.tolist(), second.ravel().tolist()
([6], [1, 2, 3, 4, 5, 6])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

import numpy as np

from navkit.chance import Array, Chance, Dice, Family, Roll, named, several
from navkit.dice import Distribution
from navkit.engine.branches import Branches
from navkit.engine.draws import Draws
from navkit.engine.script import Script
from navkit.engine.turns import BRANCHES, Battle, Either, Part, Repeat, Step
from navkit.log import only_value
from navkit.state import State


class Continued:
    """Rolls that have fallen, and then those of another chance.

    All fights (or states) that it answers stand where the one stood in which the rolls fell.
    """

    def __init__(self, chance: Chance, rolls: Sequence[Roll]) -> None:
        self._chance, self._rolls = chance, list(rolls)

    def _fallen(self, most: int) -> list[Roll]:
        """The next of the rolls that have fallen, up to `most` of them."""
        taken, self._rolls = self._rolls[:most], self._rolls[most:]
        if isinstance(self._chance, Draws):
            self._chance.later(rolls=len(taken))  # the others fall as they do without these
        return taken

    def _for_all(self, value: Any) -> Array:
        """One value for all fights."""
        found = np.atleast_1d(value)
        rows = self._chance.rows if isinstance(self._chance, Draws | Branches) else 1
        return np.broadcast_to(found, (*found.shape[:-1], rows))

    def roll(
        self,
        *which: Dice,
        then: Callable[..., Any] | None = None,
        why: str,
        rule: str = "",
        sides: Sequence[str] = (),
    ) -> Array:
        """As `Chance.roll`."""
        known = [_total(each) for each in self._fallen(len(which))]
        left = which[len(known) :]
        after = _after(known, then)
        if left:
            more: dict[str, Any] = {"why": why, "rule": rule, "sides": sides[len(known) :]}
            return self._chance.roll(*left, then=after if known else then, **more)
        return self._for_all(np.asarray(after(), dtype=np.int32))

    def check(self, which: Dice, at_most: Array | int, *, why: str, rule: str = "") -> Array:
        """As `Chance.check`."""
        known = self._fallen(1)
        if not known:
            return self._chance.check(which, at_most, why=why, rule=rule)
        return self._for_all(_total(known[0]) <= np.asarray(at_most))

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
        """As `Chance.roll_from`."""
        if not self._rolls:
            more: dict[str, Any] = {
                "then": then,
                "target": target,
                "why": why,
                "rule": rule,
                "sides": sides,
            }
            return self._chance.roll_from(family, *numbers, **more)
        column = [int(np.ravel(each)[0]) for each in numbers]
        # all fights stand alike, so the numbers are the same in all of them
        after = None if then is None else _with_numbers(then, [np.array([n]) for n in column])
        return self.roll(*several(family(*column)), then=after, why=why, rule=rule, sides=sides)

    def faces(
        self,
        sides: int,
        count: Array,
        then: Callable[[Array], Array],
        *,
        why: str,
        rule: str = "",
    ) -> Array:
        """As `Chance.faces`."""
        known = self._fallen(1) if self._rolls and np.any(count) else []
        if not known:
            return self._chance.faces(sides, count, then, why=why, rule=rule)
        shown = known[0] if isinstance(known[0], tuple) else (known[0],)
        counts = np.bincount(np.array(shown, dtype=np.int64), minlength=sides + 1)[1:, None]
        return self._for_all(np.asarray(then(counts), dtype=np.int32))


def _total(roll: Roll) -> int:
    return sum(roll) if isinstance(roll, tuple) else roll


def _after(known: Sequence[int], then: Callable[..., Any] | None) -> Callable[..., Any]:
    """What `then` makes of the totals that are known and those to come."""
    totals = [np.array([total], dtype=np.int32) for total in known]
    if then is None:
        return lambda *more: [*totals, *more][0]
    return lambda *more: then(*totals, *more)


def _with_numbers(then: Callable[..., Any], numbers: Sequence[Array]) -> Callable[..., Any]:
    return lambda *totals: then(*totals, *numbers)


# Where a fight stands, and what is left of it


@dataclass(frozen=True)
class Stand(Generic[State]):
    """A step of a fight as it was made: which, how the fight stood before and after it.

    `number` is the place of the part in its turn, `branch` the alternative that was taken of it,
    `again` how often the part had been made before in the turn. `rolls` of the fight had fallen
    before the step, and `rolled` after it.
    """

    turn: int
    number: int
    branch: int
    again: int
    before: State
    after: State
    rolls: int
    rolled: int


class Witness(Script):
    """A script that remembers where each of its steps stood, and what each roll was of.

    By roll: `dice` are its dice, and `chances` how likely success was where something was to be
    reached; of dice that are thrown together for one success, that stands with the last.
    """

    def __init__(self, rolls: Sequence[Roll]) -> None:
        super().__init__(rolls)
        self.stands: list[Stand[Any]] = []
        self.dice: list[Distribution] = []
        self.chances: list[float | None] = []
        self._place = (0, 0, 0)

    def begin(self, turn: int, step: int, again: int, side: str) -> None:
        """Turns to another step."""
        super().begin(turn, step, again, side)
        number, branch = divmod(step, BRANCHES)
        self._place = (number, branch, again)

    def _next(self, which: Dice, why: str) -> tuple[Distribution, int, tuple[int, ...]]:
        found = super()._next(which, why)
        self.dice.append(found[0])
        self.chances.append(None)
        return found

    def check(self, which: Dice, at_most: Array | int, *, why: str, rule: str = "") -> Array:
        """As `Chance.check`."""
        hit = super().check(which, at_most, why=why, rule=rule)
        self.chances[-1] = float(named(which).at_most(only_value(at_most)))
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
        """As `Chance.roll_from`."""
        more: dict[str, Any] = {
            "then": then,
            "target": target,
            "why": why,
            "rule": rule,
            "sides": sides,
        }
        result = super().roll_from(family, *numbers, **more)
        if target is not None:
            column = [np.array([only_value(each)]) for each in numbers]
            all_ways = Branches(rows=1)
            succeeds = all_ways.roll_from(family, *column, then=then, why=why) > 0
            self.chances[-1] = float(all_ways.probability()[succeeds].sum())
        return result

    def watched(self, battle: Battle[State]) -> Battle[State]:
        """A battle whose steps tell this witness how the fight stands."""

        def watch(step: Step[State]) -> Step[State]:
            def run(fight: State, chance: Chance) -> State:
                rolls = self.used
                after = step.run(fight, chance)
                place = (self.turn, *self._place)
                self.stands.append(Stand(*place, fight, after, rolls, self.used))
                return after

            return replace(step, run=run)

        opening, turn = (
            tuple(mapped(part, watch) for part in parts) for parts in (battle.opening, battle.turn)
        )
        return replace(battle, opening=opening, turn=turn)


def mapped(part: Part[State], change: Callable[[Step[State]], Step[State]]) -> Part[State]:
    """A part of a turn with all its steps changed."""
    match part:
        case Repeat(step=step):
            inner = mapped(step, change)
            assert not isinstance(inner, Repeat)
            return replace(part, step=inner)
        case Either(steps=steps):
            return Either(tuple(change(step) for step in steps))
        case _:
            return change(part)


def resumed(battle: Battle[State], stand: Stand[State], rolls: Sequence[Roll]) -> Battle[State]:
    """What is left of a battle within a step whose first `rolls` have fallen so.

    Its turn 1 is the turn after the one in which it stands. Its random numbers are those of the
    fight itself from there on, so that the same sample of two such battles shares its dice.
    Nobody asks whether what is left can end: what may be a stalemate is undecided.
    """
    opening = tuple(_left_of_turn(battle, stand, rolls))
    turn = tuple(mapped(part, _later(stand.turn)) for part in battle.turn)
    return replace(battle, start=stand.before, opening=opening, turn=turn, may_stall=False)


def _left_of_turn(
    battle: Battle[State], stand: Stand[State], rolls: Sequence[Roll]
) -> Iterator[Part[State]]:
    phase = battle.turn if stand.turn else battle.opening
    part = phase[stand.number]
    either = part.step if isinstance(part, Repeat) else part
    step = either.steps[stand.branch] if isinstance(either, Either) else either

    def run(fight: State, chance: Chance) -> State:
        return step.run(fight, Continued(chance, rolls))

    code = stand.number * BRANCHES
    here = Step(run, side=step.side)
    yield _later(stand.turn, code + stand.branch, stand.again)(here)
    made = 1  # parts of the opening before this one
    if isinstance(part, Repeat) and part.most > stand.again + 1:
        rest = replace(part, most=part.most - stand.again - 1)
        yield mapped(rest, _later(stand.turn, code - BRANCHES, stand.again + 1))
        made = 2
    for number, following in enumerate(phase[stand.number + 1 :], stand.number + 1):
        yield mapped(following, _later(stand.turn, (number - made) * BRANCHES))
        made += 1


def _later(turns: int, steps: int = 0, rounds: int = 0) -> Callable[[Step[State]], Step[State]]:
    """Changes a step so that its random numbers are those of a later one."""

    def change(step: Step[State]) -> Step[State]:
        def run(fight: State, chance: Chance) -> State:
            if isinstance(chance, Draws):
                chance.later(turns=turns, steps=steps, rounds=rounds)
            return step.run(fight, chance)

        return replace(step, run=run)

    return change
