"""A fight roll by roll: how it stood, what was rolled, and what that did to the odds.

>>> from navkit.rulebooks import gurps
>>> h = gurps.board(gurps.ship("Brig"), gurps.ship("Brigantine"), chance=Sampled(1024))
>>> fight = replay(h, 3)
>>> fight.frames[0].entry.why, fight.frames[0].entry.result
('boarding', 13)
>>> [round(fight.odds(fallen).a, 2) for fallen in (0, 1, 2)]
[0.18, 0.08, 0.01]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from navkit.chance import Array, Exact, Roll, Sampled, TooManyStates
from navkit.dice import Distribution
from navkit.engine.exact import solve
from navkit.engine.midway import Stand, Witness, resumed
from navkit.engine.sampling import sample, single
from navkit.engine.turns import Battle, figures
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.log import Entry
from navkit.scenario import Scenario
from navkit.state import flatten
from navkit.tally import STATUSES
from navkit.words import standard_error

SMALL = Exact(states=20_000, work=400_000)
"""How far exact odds of a fight are tried before its ways to go on are sampled."""
WAYS = Sampled(fights=1024, seed=1, first=1 << 50)
"""The ways to go on from each roll that are sampled otherwise: fights that nobody else asks for."""
ENDS = ("a", "b", "both", "undecided")
"""How a fight may end, in the turns it has: a wins, b wins, both are lost, or none of these."""


@dataclass(frozen=True)
class Odds:
    """How likely a fight that stands somewhere is to end in each of the `ENDS`.

    `fights` is how many ways to go on were sampled, None where the odds are exact; `ends` is how
    each of those ended (a place among `navkit.tally.STATUSES`).
    """

    a: float
    b: float
    both: float
    undecided: float
    fights: int | None = None
    ends: Array | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, history: History) -> Odds:
        """The odds of a history; its stalemates are undecided."""
        outcome = history.outcome()
        undecided = float(outcome["undecided"] + outcome["stalemate"])
        a, b, both = (float(outcome[name]) for name in ENDS[:3])
        ends = None if history.fights is None else history.ends()["outcome"].cat.codes.to_numpy()
        return cls(a, b, both, undecided, history.fights, ends)

    def error(self, end: str = "a") -> float:
        """The standard error of one of the odds, 0 where they are exact."""
        share: float = getattr(self, end)
        return 0.0 if self.fights is None else standard_error(share, self.fights)


@dataclass(frozen=True)
class Move:
    """What a roll did to the odds of a side to win: the difference, and its standard error."""

    value: float
    error: float


def move(before: Odds, after: Odds, side: str = "a") -> Move:
    """How much the odds of `side` to win have moved.

    Sampled odds share their later dice, so only the ways to go on that end otherwise count; the
    error is that of a difference of paired shares, after Agresti and Min (2005), so it is above 0
    even where none of them does.

    >>> move(Odds(0.25, 0.75, 0, 0), Odds(0.5, 0.5, 0, 0))
    Move(value=0.25, error=0.0)
    """
    value = getattr(after, side) - getattr(before, side)
    if before.ends is None or after.ends is None:
        return Move(value, float(np.hypot(before.error(side), after.error(side))))
    won = STATUSES.index(side)
    gained = int(((before.ends != won) & (after.ends == won)).sum()) + 0.5
    lost = int(((before.ends == won) & (after.ends != won)).sum()) + 0.5
    fights = len(after.ends) + 2
    spread = (gained + lost) / fights - ((gained - lost) / fights) ** 2
    return Move(value, float(np.sqrt(spread / fights)))


@dataclass(frozen=True)
class Frame:
    """A roll of a fight: what the log tells of it, and how the sides stood.

    `before` and `after` are what the history keeps of the sides, such as `a.crew`, before and
    after the step to which the roll belongs; `last` tells whether it is the last roll of its step,
    with which its effect is there. `dice` are the dice rolled; `chance` is how likely success was,
    where something was to be reached (of dice thrown together for one success, with the last).
    """

    number: int
    entry: Entry
    dice: Distribution
    chance: float | None
    before: Mapping[str, int]
    after: Mapping[str, int]
    last: bool
    stand: Stand[Any] = field(repr=False, compare=False)


class Replay:
    """A fight of a battle, roll by roll. `frames` are its rolls in order; see `replay`.

    `outcome` is how it ended, `turn` when, and `left` what was left of the sides. The odds are
    worked out when they are first asked for.
    """

    def __init__(
        self,
        battle: Battle[Any],
        turns: int,
        rolls: tuple[Roll, ...],
        chance: Exact | Sampled | None = None,
    ) -> None:
        self.battle, self.turns, self._rolls = battle, turns, rolls
        witness = Witness(rolls)
        self.history = single(witness.watched(battle), turns, witness)
        witness.finish()
        self.frames = tuple(_frames(battle, witness, self.history.entries))
        self.outcome, self.turn = _end(self.history)
        last = witness.stands[-1].after if witness.stands else battle.start
        self.left = _figures(battle, last)
        self._odds: dict[int, Odds] = {}
        self.chance: Exact | Sampled = self._settled(chance)

    def _settled(self, chance: Exact | Sampled | None) -> Exact | Sampled:
        """The chance by which the odds are worked out: exact where that is quick."""
        if isinstance(chance, Sampled) or (chance is None and not self.battle.countable):
            return replace(chance or WAYS, ends=True)
        if not isinstance(chance, Exact | None) or not self.battle.countable:
            raise InputError("chance", chance, "None, Exact(...) for a countable battle, Sampled()")
        try:
            # what may follow a roll is never more than what may follow the start
            self._odds[0] = self._from_start(chance or SMALL)
        except TooManyStates:
            if chance is not None:
                raise
            return replace(WAYS, ends=True)
        return chance or SMALL

    def _from_start(self, chance: Exact | Sampled) -> Odds:
        return _odds(replace(self.battle, may_stall=False), self.turns, chance)

    def odds(self, fallen: int) -> Odds:
        """The odds when so many rolls have fallen, from 0 to all of them."""
        fallen = whole("rolls fallen", fallen, 0, len(self.frames))
        if fallen not in self._odds:
            self._odds[fallen] = (
                self._after(fallen, self._rolls[fallen - 1])
                if fallen
                else self._from_start(self.chance)
            )
        return self._odds[fallen]

    def odds_if(self, number: int, roll: Roll) -> Odds:
        """The odds after roll `number` (from 1) had it fallen otherwise: a total, or its faces.

        Raises InputError for a roll that its dice can't show.
        """
        number = whole("roll", number, 1, len(self.frames))
        dice = self.frames[number - 1].dice
        total = sum(roll) if isinstance(roll, tuple) else roll
        if not dice.equal(total):
            raise InputError(f"roll {number}", roll, f"a roll of {dice.name}")
        return self._after(number, roll)

    def _after(self, fallen: int, roll: Roll) -> Odds:
        """The odds after so many rolls, the last of which is `roll`."""
        stand = self.frames[fallen - 1].stand
        rolls = (*self._rolls[stand.rolls : fallen - 1], roll)
        left = resumed(self.battle, stand, rolls)
        return _odds(left, self.turns - stand.turn, self.chance)

    def move(self, number: int, side: str = "a") -> Move:
        """What roll `number` (from 1) did to the odds of a side to win."""
        return move(self.odds(number - 1), self.odds(number), side)

    def knows(self, fallen: int) -> bool:
        """Whether the odds when so many rolls have fallen are worked out."""
        return fallen in self._odds

    @property
    def known(self) -> int:
        """Up to how many rolls the odds are known without a gap; −1 for none yet."""
        fallen = 0
        while fallen in self._odds:
            fallen += 1
        return fallen - 1

    def work(self) -> Iterator[int]:
        """Works out the odds after each roll in order; yields `known` after each."""
        for fallen in range(len(self.frames) + 1):
            self.odds(fallen)
            yield fallen

    def table(self, side: str = "a") -> pd.DataFrame:
        """The log with the odds of `side` to win before and after each roll, as far as known."""
        rows = [
            {
                **vars(frame.entry),
                "chance": frame.chance,
                "expected": frame.dice.mean,
                "before": getattr(self.odds(frame.number - 1), side),
                "after": getattr(self.odds(frame.number), side),
                "moved": self.move(frame.number, side).value,
                "error": self.move(frame.number, side).error,
            }
            for frame in self.frames[: max(self.known, 0)]
        ]
        numbers = pd.RangeIndex(1, len(rows) + 1, name="roll")
        columns = [*Entry.__dataclass_fields__, *_ADDED]
        table = pd.DataFrame(rows, index=numbers, columns=columns)
        return table.astype({"target": "Int64", "success": "boolean", "chance": "Float64"})


_ADDED = ("chance", "expected", "before", "after", "moved", "error")


def replay(
    fight: History | Scenario, number: int | None = None, chance: Exact | Sampled | None = None
) -> Replay:
    """Fight `number` of a sample, or of a scenario's seed, roll by roll.

    `fight` may be a single fight, sampled or scripted; then it needs no number. `chance` is how
    the odds after each roll are worked out: exactly where that is quick, else (or for `Sampled`)
    from fights that go on from there. All of a fight's odds are sampled with the same dice: what
    is rolled after a roll is the same before and after it, so that the move of the odds is that
    roll's own. Raises InputError for a fight that there is not, and TooManyStates where
    exact odds are asked for and do not fit.
    """
    battle, turns, seed = source(fight)
    if isinstance(fight, History) and fight.fights == 1 and number is None:
        alone = fight
    else:
        which = whole("number of the fight", number, 0, 2**53)
        alone = sample(battle, turns, Sampled(1, seed, which)).replay(which)
    rolls = tuple(entry.faces or entry.result for entry in alone.entries)
    return Replay(battle, turns, rolls, chance)


def source(fight: History | Scenario) -> tuple[Battle[Any], int, int]:
    """What is played: the battle, the turns after which it is broken off, and the seed.

    A history without a seed (an exact or a scripted one) has seed 1.
    """
    match fight:
        case Scenario():
            history = replace(fight, fights=1).play()
            return history.battle, history.limit, fight.seed
        case History(battle=Battle()):
            return fight.battle, fight.limit, 1 if fight.seed is None else fight.seed
        case _:
            raise InputError("fight", fight, "a Scenario, or the History of a battle")


def _odds(battle: Battle[Any], turns: int, chance: Exact | Sampled) -> Odds:
    history = (
        solve(battle, turns, chance) if isinstance(chance, Exact) else sample(battle, turns, chance)
    )
    return Odds.of(history)


def _frames(battle: Battle[Any], witness: Witness, entries: tuple[Entry, ...]) -> Iterator[Frame]:
    for stand in witness.stands:
        before, after = _figures(battle, stand.before), _figures(battle, stand.after)
        for at in range(stand.rolls, stand.rolled):
            yield Frame(
                at + 1,
                entries[at],
                witness.dice[at],
                witness.chances[at],
                before,
                after,
                at == stand.rolled - 1,
                stand,
            )


def _figures(battle: Battle[Any], fight: Any) -> dict[str, int]:
    found = figures(battle, flatten(fight))
    return {name: int(value.ravel()[0]) for name, value in found.items()}


def _end(history: History) -> tuple[str, int]:
    """How a single fight ended, and in which turn."""
    turns, statuses = np.nonzero(history.tally.mass)
    return STATUSES[int(statuses[-1])], int(turns[-1])
