"""What became of each side, turn by turn: the same for exact, sampled and scripted fights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from navkit.chance import Array
from navkit.dice import Distribution
from navkit.errors import InputError, number, whole
from navkit.log import Entry
from navkit.state import flatten
from navkit.tally import STATUSES, UNDECIDED, Floats, Tally
from navkit.words import wilson

EXACT = "Exact."
LARGEST = 10**9
"""The most that is asked of a track."""
OUTCOME = ("a", "b", "both", "stalemate", "undecided")
Shares = TypeVar("Shares", pd.DataFrame, "pd.Series[float]")


@dataclass(frozen=True)
class History:
    """What became of a battle, by turn; turn 0 is the start.

    `fights` is the number of fights sampled, None for exact odds, 1 for a single fight, which
    has a `log`. `lost` is the probability that an exact answer left out (see `chance.Exact`).
    `battle` is what was played (a `turns.Battle`), `limit` the turns after which it is broken off,
    and `seed` that of a sample. `codes` tell how each fight of a sample ended, if that was asked
    for: the turn times the number of statuses, plus the status; `left` what was left then, by
    figure of a side.
    """

    turns: int
    fights: int | None
    causes: tuple[str, ...]
    tally: Tally = field(repr=False)
    lost: float = 0.0
    first: int = 0
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    again: Callable[[int], History] | None = field(default=None, repr=False, compare=False)
    battle: Any = field(default=None, repr=False, compare=False)
    limit: int = field(default=0, repr=False, compare=False)
    seed: int | None = field(default=None, repr=False, compare=False)
    codes: Array | None = field(default=None, repr=False, compare=False)
    left: Mapping[str, Array] = field(default_factory=dict, repr=False, compare=False)

    @property
    def basis(self) -> str:
        """Whether these odds are exact or sampled, in words for people."""
        if self.fights is None:
            return EXACT
        return f"Sampled: {self.fights:,} fights; ± holds 19 times in 20."

    # Who wins

    def outcome(self) -> pd.Series[float]:
        """The probability of each outcome at the end: a, b, both, stalemate, undecided.

        `a`: a wins; `both`: both are lost; `stalemate`: nobody can be lost any more.
        """
        return pd.Series({name: float(share[-1]) for name, share in self._outcomes().items()})

    def table(self) -> pd.DataFrame:
        """By turn: the cumulative probability of each outcome, and that of undecided.

        A sampled history has beside them the standard errors, in columns such as `a_error`.
        """
        table = pd.DataFrame(self._outcomes(), index=self._turns())
        if self.fights is None:
            return table
        errors = self.error_of(table).add_suffix("_error")
        return pd.concat([table, errors], axis=1)

    def _outcomes(self) -> dict[str, Floats]:
        """The probability of each outcome by turn."""
        part = self._share(self.tally.mass)
        ended = np.cumsum(part, axis=0)
        return {
            name: part[:, UNDECIDED] if name == "undecided" else ended[:, STATUSES.index(name)]
            for name in OUTCOME
        }

    def cause(self, side: str) -> pd.DataFrame:
        """By turn: the cumulative probability that `side` is lost in each of the ways."""
        self._known("side", side, self.tally.causes)
        share = self._share(np.cumsum(self.tally.causes[side], axis=0))
        return pd.DataFrame(share[:, 1:], index=self._turns(), columns=list(self.causes))

    def error_of(self, probability: Shares) -> Shares:
        """Standard errors of sampled probabilities (Wilson's, above 0 even at 0); 0 where exact.

        For a table or a column of them, in the same shape.
        """
        if self.fights is None:
            return probability * 0.0
        error = wilson(np.clip(probability.to_numpy(), 0, 1), self.fights)  # quicker than by table
        if isinstance(probability, pd.Series):
            return pd.Series(error, index=probability.index)
        return pd.DataFrame(error, index=probability.index, columns=probability.columns)

    def ends(self) -> pd.DataFrame:
        """By number of the fight: its `outcome`, the `turn` it came in (the last if undecided), and
        what was left of the sides (`a.crew`).

        Raises InputError for a history that has not kept them (`chance=Sampled(..., ends=True)`).
        """
        if self.codes is None:
            raise InputError("ends of", repr(self), "those of chance=Sampled(..., ends=True)")
        turn, status = np.divmod(self.codes, len(STATUSES))
        number = pd.RangeIndex(self.first, self.first + len(self.codes), name="fight")
        outcome = pd.Categorical.from_codes(status, dtype=pd.CategoricalDtype(list(STATUSES)))
        return pd.DataFrame({"turn": turn, "outcome": outcome, **self.left}, index=number)

    # What is left

    def mean(self, side: str, track: str, given: Sequence[str] | None = None) -> pd.Series[float]:
        """By turn: the mean of a track of `side`, in fights of any status or those `given`."""
        name = self._track(side, track)
        statuses = self._statuses(given)
        weight = self._by_turn(self.tally.mass, statuses)
        if any(key[0] == name for key in self.tally.sums):
            total = np.zeros((self.turns + 1, len(STATUSES)))
            for (found, turn, status), number in self.tally.sums.items():
                if found == name:
                    total[turn, status] = number
            sums = self._by_turn(total, statuses)
        else:
            counts = self._counts(name, statuses)
            sums = counts @ np.arange(counts.shape[1])
        return pd.Series(_ratio(sums, weight), index=self._turns(), name=f"{side} {track}")

    def quantiles(
        self, side: str, track: str, q: Sequence[float], given: Sequence[str] | None = None
    ) -> pd.DataFrame:
        """By turn: quantiles of a track, a column for each `q`.

        Raises InputError for a track that was kept as a mean only.
        """
        if isinstance(q, str) or not isinstance(q, Iterable):
            raise InputError("q", q, "a list of probabilities from 0 to 1")
        wanted = [number("q", each, 0, 1) for each in q]
        counts = self._counts(self._track(side, track), self._statuses(given))
        reached = np.cumsum(counts, axis=1)
        goal = reached[:, -1:] * (np.array(wanted) - 1e-12)
        places = (reached[:, :, None] < np.maximum(goal, 1e-300)[:, None, :]).sum(axis=1)
        known = np.where(reached[:, -1:] > 0, places, np.nan)
        return pd.DataFrame(known, index=self._turns(), columns=wanted)

    def probability(
        self,
        side: str,
        track: str,
        *,
        at_least: int | None = None,
        at_most: int | None = None,
        given: Sequence[str] | None = None,
    ) -> pd.Series[float]:
        """By turn: the probability that a track is `at_least` and `at_most` as given."""
        if at_least is None and at_most is None:
            raise InputError("at_least, at_most", None, "a whole number for one of them")
        counts = self._counts(self._track(side, track), self._statuses(given))
        low, high = 0, counts.shape[1]
        if at_least is not None:
            low = max(0, whole("at_least", at_least, -LARGEST, LARGEST))
        if at_most is not None:
            high = max(0, whole("at_most", at_most, -LARGEST, LARGEST) + 1)
        share = _ratio(counts[:, low:high].sum(axis=1), counts.sum(axis=1))
        return pd.Series(share, index=self._turns(), name=f"{side} {track}")

    def distribution(self, side: str, track: str, turn: int | None = None) -> Distribution:
        """The distribution of a track after `turn` (default: at the end)."""
        at = self.turns if turn is None else whole("turn", turn, 0, self.turns)
        counts = self._counts(self._track(side, track), range(len(STATUSES)))[at]
        inside = np.flatnonzero(counts)
        pmf = counts[inside[0] : inside[-1] + 1] / counts.sum()
        return Distribution(int(inside[0]), pmf, name=f"{side} {track}")

    # One fight

    @property
    def log(self) -> pd.DataFrame:
        """Each roll of a single fight: turn, side, why, dice, faces, target, result, rule."""
        if self.fights is None:
            allowed = "a single fight: of chance=Scripted([...]), or a replay(n) of Sampled(...)"
            raise InputError("log of", "exact odds", allowed)
        if self.fights != 1:
            raise InputError("log of", f"{self.fights} fights", "h.replay(n).log")
        columns = list(Entry.__dataclass_fields__)
        table = pd.DataFrame([asdict(entry) for entry in self.entries], columns=columns)
        return table.astype({"target": "Int64", "success": "boolean"})

    def replay(self, number: int) -> History:
        """Fight `number` of the sample alone, with its log."""
        if self.again is None or self.fights is None:
            what = "exact odds" if self.fights is None else "a single fight"
            raise InputError("replay of", what, "a sampled history")
        which = whole("fight", number, self.first, self.first + self.fights - 1)
        return replace(self.again(which), battle=self.battle)

    def __add__(self, other: History) -> History:
        """Two samples of one battle, of other fights each, as one.

        Raises InputError unless their fights follow on, and for samples of other turns, seeds or
        battles, as far as these tell by their start and what is kept of them.
        """
        if not isinstance(other, History):
            return NotImplemented
        if self.fights is None or other.fights is None or other.first != self.first + self.fights:
            raise InputError("histories", "added", "samples whose fight numbers follow on")
        mine, theirs = self._kind(), other._kind()
        for what, own in mine.items():
            if theirs[what] != own:
                raise InputError(f"{what} of what is added", theirs[what], str(own))
        tally = Tally(self.turns, self.tally.tracks)
        for side, found in self.tally.causes.items():
            tally.causes[side] = np.zeros_like(found)
        tally.add(self.tally)
        tally.add(other.tally)
        codes, left = None, {}
        if self.codes is not None:
            assert other.codes is not None
            codes = np.concatenate([self.codes, other.codes])
            left = {
                name: np.concatenate([each, other.left[name]]) for name, each in self.left.items()
            }
        fights, second = self.fights + other.fights, other.first
        parts = self.again, other.again

        def again(number: int) -> History:
            part = parts[number >= second]
            assert part is not None
            return part(number)

        return replace(self, tally=tally, fights=fights, codes=codes, left=left, again=again)

    def _kind(self) -> dict[str, Any]:
        """What samples that are added must have in common."""
        start = [] if self.battle is None else flatten(self.battle.start)
        return {
            "turns": self.turns,
            "seed": self.seed,
            "causes": self.causes,
            "tracks": self.tally.tracks,
            "ends kept": self.codes is not None,
            "start": [array.tolist() for array in start],
        }

    def until(self, turns: int) -> History:
        """What had become of the battle after `turns` turns, as if it had been broken off then.

        Raises InputError for more turns than were played, and for a sample with `codes`: what was
        left of the sides at that time is not known of each fight.

        >>> from navkit.rulebooks.gurps import board, ship
        >>> history = board(ship("Sloop"), ship("Brig"), turns=6)
        >>> history.until(2).outcome().round(3).to_dict()["undecided"]
        0.011
        """
        turn = whole("turns", turns, 1, self.turns)
        if self.codes is not None:
            raise InputError("until of", repr(self), "a sample without ends")
        again = self.again
        return replace(
            self,
            turns=turn,
            tally=self.tally.until(turn),
            limit=turn,
            entries=tuple(entry for entry in self.entries if entry.turn <= turn),
            again=None if again is None else lambda number: again(number).until(turn),
        )

    # How it is read

    def _turns(self) -> pd.Index[int]:
        return pd.RangeIndex(self.turns + 1, name="turn")

    def _share(self, weights: Floats) -> Floats:
        return weights / self.fights if self.fights is not None else weights

    def _known(self, what: str, value: str, allowed: Sequence[str] | dict[str, Floats]) -> None:
        if not isinstance(value, str) or value not in allowed:
            raise InputError(what, value, *allowed)

    def _track(self, side: str, track: str) -> str:
        self._known("side", side, self.tally.causes)
        names = [name.removeprefix(f"{side}.") for name in self.tally.tracks]
        self._known("track", track, [name for name in names if "." not in name])
        return f"{side}.{track}"

    def _statuses(self, given: Sequence[str] | None) -> Sequence[int]:
        if given is None:
            return range(len(STATUSES))
        if not isinstance(given, Iterable):
            raise InputError("given", given, *OUTCOME)
        for each in (given := [given] if isinstance(given, str) else list(given)):
            self._known("given", each, OUTCOME)
        return [STATUSES.index(each) for each in given]

    def _by_turn(self, weights: Floats, statuses: Sequence[int]) -> Floats:
        """Ended fights stay as they ended; undecided ones count in their turn only."""
        total = np.zeros(len(weights))
        for status in statuses:
            column = weights[:, status]
            total = total + (column if status == UNDECIDED else np.cumsum(column))
        return total

    def _counts(self, name: str, statuses: Sequence[int]) -> Floats:
        """Weights by turn and value of a track."""
        found = {key: v for key, v in self.tally.values.items() if key[0] == name}
        if not found:
            allowed = "a track kept as a distribution: chance=Exact(distributions=(...))"
            raise InputError("track", name.split(".")[-1], allowed)
        width = max(len(values) for values in found.values())
        total = np.zeros((self.turns + 1, width))
        for (_, turn, status), values in found.items():
            if status == UNDECIDED and status in statuses:
                total[turn, : len(values)] += values
            elif status in statuses:
                total[turn:, : len(values)] += values
        return total


def _ratio(part: Floats, whole_: Floats) -> Floats:
    """`part / whole_`, nan where there is nothing."""
    return np.divide(part, whole_, out=np.full(len(part), np.nan), where=whole_ > 0)
