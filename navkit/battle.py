"""Plays turns until the fight ends.

A battle is data: the state it starts from, the steps of a turn, and what it means to be lost.
The same steps run with all outcomes at once, with one draw a fight, or with scripted rolls; see
`navkit.chance`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Generic, NamedTuple

import numpy as np

from navkit.chance import (
    GROUP,
    Array,
    Branches,
    Chance,
    Draws,
    Exact,
    Sampled,
    Script,
    Scripted,
    TooManyStates,
)
from navkit.errors import InputError, whole
from navkit.history import UNDECIDED, History, Tally
from navkit.state import State, flatten, leaves, merge, rebuild

MOST_TURNS = 1000
BRANCHES = 16
"""Numbers of random streams kept for the alternatives of one part of a turn."""
SLAB_CELLS = 1 << 18
"""Outcomes worked out at a time: what fits the cache, and bounds the memory."""
PRUNED = 1e-13
"""How much probability an exact fight may leave out in all, so as to drop the rarest states."""
AUTOMATIC = Exact(states=200_000, work=4_000_000)
"""How far an exact answer is tried where the caller does not choose."""


@dataclass(frozen=True)
class Step(Generic[State]):
    """A part of a turn in which at most a few rolls are made.

    `run(fight, chance)` gives the fight after it, for all fights in which `when(fight)` holds;
    the others pass by. States merge after each step. `side` is who acts, for the log.
    """

    run: Callable[[State, Chance], State]
    when: Callable[[State], Array] | None = None
    side: str = ""


@dataclass(frozen=True)
class Either(Generic[State]):
    """Alternatives, of which each fight takes the first that applies to it as it stands."""

    steps: tuple[Step[State], ...]


@dataclass(frozen=True)
class Battle(Generic[State]):
    """A fight as data.

    `start` has one row. `lost(fight, side)` is 0 while a side is in the fight, and k when it is
    lost in the way `causes[k - 1]`; a side that is lost ends the fight at once. `tracks` are the
    fields of each side that the history keeps. `opening` steps are made once, before turn 1.
    """

    start: State
    turn: tuple[Step[State] | Either[State], ...]
    lost: Callable[[State, str], Array]
    causes: tuple[str, ...]
    tracks: tuple[str, ...]
    opening: tuple[Step[State] | Either[State], ...] = ()
    sides: tuple[str, str] = ("a", "b")


def play(
    battle: Battle[State], turns: int, chance: Exact | Sampled | Scripted | None = None
) -> History:
    """What becomes of a battle in `turns` turns.

    With `chance=None` the odds are exact where that is quick, and else sampled from 20,000
    fights; `history.fights` tells which. Raises InputError for turns outside 1 to 1000, for
    another chance, and for a script with wrong, missing or left-over rolls; TooManyStates where
    exact odds do not fit.
    """
    turns = whole("turns", turns, 1, MOST_TURNS)
    if chance is None:
        try:
            return _exact(battle, turns, AUTOMATIC)
        except TooManyStates:
            return _sampled(battle, turns, Sampled())
    if isinstance(chance, Exact):
        return _exact(battle, turns, chance)
    if isinstance(chance, Sampled):
        return _sampled(battle, turns, chance)
    if isinstance(chance, Scripted):
        script = Script(chance.rolls)
        history = _single(battle, turns, script)
        script.finish()
        return history
    raise InputError("chance", chance, "None, Exact(...), Sampled(...) or Scripted([...])")


# What all have in common


def _recorded(battle: Battle[State]) -> list[tuple[str, int]]:
    """The tracks of the history by name, with their places among the leaves."""
    wanted = {f"{side}.{track}" for side in battle.sides for track in battle.tracks}
    return [(leaf.path, at) for at, leaf in enumerate(leaves(battle.start)) if leaf.path in wanted]


def _tally(battle: Battle[State], turns: int) -> Tally:
    tally = Tally(turns, tuple(name for name, _ in _recorded(battle)))
    for side in battle.sides:
        tally.causes[side] = np.zeros((turns + 1, len(battle.causes) + 1))
    return tally


def _status(battle: Battle[State], fight: State) -> tuple[Array, dict[str, Array]]:
    """0 undecided, 1 a wins, 2 b wins, 3 both lost; and how each side was lost."""
    cause = {side: battle.lost(fight, side) for side in battle.sides}
    a, b = (code > 0 for code in cause.values())
    return a * 2 + b * 1, cause


class _Part(NamedTuple, Generic[State]):
    """A part of a turn as it is played: its alternatives, when it comes, and whether it is last."""

    turn: int
    number: int
    steps: tuple[Step[State], ...]
    is_last: bool


def _parts(battle: Battle[State], turns: int) -> Iterator[_Part[State]]:
    """All parts of the opening (turn 0) and of the turns, in order."""
    for turn in range(turns + 1):
        phase = battle.turn if turn else battle.opening
        for number, part in enumerate(phase):
            steps = part.steps if isinstance(part, Either) else (part,)
            yield _Part(turn, number, steps, number == len(phase) - 1)


def _chosen(fight: State, steps: tuple[Step[State], ...], rows: int) -> Iterator[Array | None]:
    """For each alternative, in which rows it is taken; None for all of them."""
    free = np.ones(rows, dtype=bool)
    for step in steps:
        if step.when is None and free.all():
            yield None
            return
        mask = free if step.when is None else np.broadcast_to(step.when(fight), rows) & free
        yield None if mask.all() else mask
        free = free & ~mask


# All outcomes


@dataclass(frozen=True)
class _Chain(Generic[State]):
    """The distinct states that a fight may be in, and their probabilities."""

    arrays: list[Array]
    weight: Array

    def __len__(self) -> int:
        return len(self.weight)

    def where(self, mask: Array) -> _Chain[State]:
        return _Chain([array[mask] for array in self.arrays], self.weight[mask])


def _exact(battle: Battle[State], turns: int, chance: Exact) -> History:
    shape = leaves(battle.start)
    paths = [leaf.path for leaf in shape]
    names = {path.split(".")[-1] for path in paths}
    for name in chance.distributions:
        if name not in names:
            raise InputError("distributions", name, *sorted(names))
    keys = [
        at
        for at, leaf in enumerate(shape)
        if not leaf.is_track or leaf.path.split(".")[-1] in chance.distributions
    ]
    means = [at for at in range(len(shape)) if at not in keys]
    start = [
        array.astype(np.float64) if at in means else array
        for at, array in enumerate(flatten(battle.start))
    ]
    chain: _Chain[State] = _Chain(start, np.ones(1))
    tally = _tally(battle, turns)
    recorded = _recorded(battle)
    budget = PRUNED / (len(battle.turn) * turns + len(battle.opening))
    work = 0

    def settle(chain: _Chain[State], turn: int, *, last: bool) -> _Chain[State]:
        """Puts away the fights that are over; after the last step of a turn, counts the rest."""
        status, cause = _status(battle, rebuild(battle.start, chain.arrays))
        over = status != UNDECIDED
        counted = np.ones_like(over) if last else over
        if counted.any():
            tally.count(
                turn,
                status[counted],
                {side: code[counted] for side, code in cause.items()},
                {name: chain.arrays[at][counted] for name, at in recorded},
                chain.weight[counted],
            )
        return chain.where(~over) if over.any() else chain

    def run(chain: _Chain[State], step: Step[State]) -> Iterator[_Chain[State]]:
        """The states after a step, slab by slab."""
        nonlocal work
        at, rows = 0, 64
        while at < len(chain):
            slab = chain.where(np.arange(at, min(at + rows, len(chain))))
            branches = Branches(len(slab))
            after = flatten(step.run(rebuild(battle.start, slab.arrays), branches))
            weight = branches.probability() * slab.weight
            work += weight.size
            if work > chance.work:
                raise TooManyStates(work, "outcomes", chance.work)
            yield _merged(after, weight, keys, means)
            at += len(slab)
            rows = max(1, SLAB_CELLS * len(slab) // weight.size)

    def advance(chain: _Chain[State], steps: tuple[Step[State], ...]) -> _Chain[State]:
        fight = rebuild(battle.start, chain.arrays)
        parts, free = [], np.ones(len(chain), dtype=bool)
        for step, mask in zip(steps, _chosen(fight, steps, len(chain)), strict=False):
            parts += run(chain if mask is None else chain.where(mask), step)
            free = np.zeros_like(free) if mask is None else free & ~mask
        if not parts:
            return chain
        if free.any():
            parts.append(chain.where(free))
        merged = parts[0] if len(parts) == 1 else _joined(parts, keys, means)
        if len(merged) > chance.states:
            raise TooManyStates(len(merged), "states at a time", chance.states)
        return _pruned(merged, budget)

    chain = settle(chain, 0, last=not battle.opening)
    for part in _parts(battle, turns):
        if not len(chain):
            break
        chain = settle(advance(chain, part.steps), part.turn, last=part.is_last)
    lost = 1.0 - float(tally.mass[:, 1:].sum() + tally.mass[turns, UNDECIDED])
    return History(turns, None, battle.causes, tally, lost=max(0.0, lost))


def _merged(
    arrays: Sequence[Array], weight: Array, keys: list[int], means: list[int]
) -> _Chain[State]:
    """The distinct states among `arrays`; tracks at the places `means` are averaged."""
    found, averaged, total = merge([arrays[k] for k in keys], [arrays[k] for k in means], weight)
    ordered = sorted(zip(keys + means, found + averaged, strict=True), key=itemgetter(0))
    return _Chain([array for _, array in ordered], total)


def _joined(parts: list[_Chain[State]], keys: list[int], means: list[int]) -> _Chain[State]:
    arrays = [np.concatenate(each) for each in zip(*(p.arrays for p in parts), strict=True)]
    return _merged(arrays, np.concatenate([part.weight for part in parts]), keys, means)


def _pruned(chain: _Chain[State], budget: float) -> _Chain[State]:
    """Without the rarest states, as long as they come to less than `budget` together."""
    rare = np.flatnonzero(chain.weight < budget)
    if len(rare) == 0:
        return chain
    rare = rare[np.argsort(chain.weight[rare])]
    rare = rare[np.cumsum(chain.weight[rare]) <= budget]
    keep = np.ones(len(chain), dtype=bool)
    keep[rare] = False
    return chain.where(keep)


# One draw a fight


def _sampled(battle: Battle[State], turns: int, chance: Sampled) -> History:
    tally = _tally(battle, turns)
    end = chance.first + chance.fights
    for begin in range(chance.first // GROUP * GROUP, end, chance.block):
        low, high = max(begin, chance.first), min(begin + chance.block, end)
        _play_block(battle, turns, chance, np.arange(low, high), tally)

    def again(number: int) -> History:
        alone = replace(chance, first=number, fights=1)
        draws = Draws(alone.seed, np.array([number // GROUP]), np.array([number % GROUP]), 0, 0)
        draws.log = []
        return _single(battle, turns, draws)

    return History(
        turns, chance.fights, battle.causes, tally, first=chance.first, again=again
    )


def _play_block(
    battle: Battle[State], turns: int, chance: Sampled, fights: Array, tally: Tally
) -> None:
    """Plays fights of neighbouring groups together. Finished ones skip the rules, not the draw."""
    groups = np.arange(fights[0] // GROUP, fights[-1] // GROUP + 1)
    at = fights - groups[0] * GROUP
    arrays = [np.repeat(array, len(fights)) for array in flatten(battle.start)]
    recorded = _recorded(battle)

    def count(turn: int, mask: Array | None, status: Array, cause: dict[str, Array]) -> None:
        chosen = slice(None) if mask is None else mask
        tally.count(
            turn,
            status[chosen],
            {side: code[chosen] for side, code in cause.items()},
            {name: arrays[place][chosen] for name, place in recorded},
            None,
        )

    def settle(turn: int, *, last: bool) -> None:
        nonlocal arrays, at
        status, cause = _status(battle, rebuild(battle.start, arrays))
        over = status != UNDECIDED
        some = over.any()
        if last or some:
            count(turn, None if last else over, status, cause)
        if some:
            keep = ~over
            arrays = [array[keep] for array in arrays]
            at = at[keep]

    settle(0, last=not battle.opening)
    for part in _parts(battle, turns):
        if not len(at):
            return
        before, fight = arrays, rebuild(battle.start, arrays)
        for branch, mask in enumerate(_chosen(fight, part.steps, len(at))):
            mine = at if mask is None else at[mask]
            if not len(mine):
                continue
            everyone = len(mine) == len(groups) * GROUP
            step = part.number * BRANCHES + branch
            draws = Draws(chance.seed, groups, None if everyone else mine, part.turn, step)
            own = before if mask is None else [array[mask] for array in before]
            after = flatten(part.steps[branch].run(rebuild(battle.start, own), draws))
            arrays = [
                old if new is given else _put(old, mask, new)
                for old, given, new in zip(arrays, own, after, strict=True)
            ]
        settle(part.turn, last=part.is_last)
        if part.is_last and chance.drop:
            groups, at = _without_empty(groups, at)


def _put(old: Array, mask: Array | None, new: Array) -> Array:
    """`old` with `new` in the rows of `mask`, in all of them for None."""
    if mask is None:
        return new if new.shape == old.shape else np.broadcast_to(new, old.shape)
    result = old.copy()
    result[mask] = new
    return result


def _without_empty(groups: Array, at: Array) -> tuple[Array, Array]:
    """Drops the groups whose fights are all over."""
    group = at // GROUP
    present = np.flatnonzero(np.bincount(group, minlength=len(groups)))
    if len(present) == len(groups):
        return groups, at
    place = np.zeros(len(groups), dtype=at.dtype)
    place[present] = np.arange(len(present))
    return groups[present], place[group] * GROUP + at % GROUP


# A single fight, with its log


def _single(battle: Battle[State], turns: int, luck: Script | Draws) -> History:
    tally = _tally(battle, turns)
    recorded = _recorded(battle)
    fight = battle.start

    def settle(turn: int, *, last: bool) -> bool:
        status, cause = _status(battle, fight)
        over = bool(status[0] != UNDECIDED)
        if last or over:
            arrays = flatten(fight)
            tally.count(turn, status, cause, {name: arrays[at] for name, at in recorded}, None)
        return over

    over = settle(0, last=not battle.opening)
    for part in _parts(battle, turns):
        if over:
            break
        for branch, mask in enumerate(_chosen(fight, part.steps, 1)):
            if mask is None or mask[0]:
                luck.begin(part.turn, part.number * BRANCHES + branch, part.steps[branch].side)
                fight = part.steps[branch].run(fight, luck)
                break
        over = settle(part.turn, last=part.is_last)
    entries = tuple(luck.log or ())
    return History(turns, 1, battle.causes, tally, entries=entries)
