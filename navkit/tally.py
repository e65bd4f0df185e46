"""Counting what becomes of fights: how many have come to what, by turn."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from navkit.chance import Array

STATUSES = ("undecided", "a", "b", "both", "stalemate")
UNDECIDED, A_WINS, B_WINS, BOTH_LOST, STALEMATE = range(5)
MOST_LAID_BY = 1 << 23
"""Numbers of sampled tracks that wait to be counted."""

Floats = NDArray[np.float64]


@dataclass
class Tally:
    """Weights by turn: of fights that end in it (by status), of those still on after it.

    Weights are probabilities, or numbers of fights. `values[track, turn, status]` counts values
    from 0 up; of tracks kept as means there is only the weighted sum in `sums`. The tracks of
    sampled fights are laid by, and counted when somebody asks for their values.
    """

    turns: int
    tracks: tuple[str, ...]
    mass: Floats = field(init=False)
    causes: dict[str, Floats] = field(init=False, default_factory=dict)
    sums: dict[tuple[str, int, int], float] = field(default_factory=dict)
    _values: dict[tuple[str, int, int], Array] = field(default_factory=dict)
    _laid_by: list[tuple[int, Array, list[int], dict[str, Array]]] = field(default_factory=list)
    _numbers: int = 0

    def __post_init__(self) -> None:
        self.mass = np.zeros((self.turns + 1, len(STATUSES)))

    def count(
        self,
        turn: int,
        status: Array,
        cause: dict[str, Array],
        tracks: dict[str, Array],
        weight: Array | None,
    ) -> None:
        """Adds fights: their status, how each side was lost (0: not), and their tracks.

        The arrays must not be changed afterwards.
        """
        mass = _counted(status, weight, len(STATUSES))
        self.mass[turn] += mass
        for side, code in cause.items():
            self.causes[side][turn] += _counted(code, weight, self.causes[side].shape[1])
        present = np.flatnonzero(mass).tolist()
        if weight is not None:
            self._count_tracks(turn, status, present, tracks, weight)
            return
        self._laid_by.append((turn, status, present, tracks))
        self._numbers += len(status) * len(tracks)
        if self._numbers > MOST_LAID_BY:
            self.count_laid_by()

    @property
    def values(self) -> dict[tuple[str, int, int], Array]:
        """By track, turn and status: how often each value from 0 up was met."""
        self.count_laid_by()
        return self._values

    def count_laid_by(self) -> None:
        """Counts the tracks that wait for it: what is kept for long should not hold each fight."""
        for turn, status, present, tracks in self._laid_by:
            self._count_tracks(turn, status, present, tracks, None)
        self._laid_by, self._numbers = [], 0

    def _count_tracks(
        self,
        turn: int,
        status: Array,
        present: list[int],
        tracks: dict[str, Array],
        weight: Array | None,
    ) -> None:
        """Counts the tracks of fights, among which the statuses `present` occur."""
        for name, value in tracks.items():
            if value.dtype.kind == "f":
                assert weight is not None
                sums = np.bincount(status, weights=weight * value, minlength=len(STATUSES))
                for s in present:
                    self.sums[name, turn, s] = self.sums.get((name, turn, s), 0.0) + sums[s]
            elif len(present) == 1:
                self._add((name, turn, present[0]), _counted(value, weight))
            else:
                width = int(value.max()) + 1
                joint = np.bincount(
                    status * width + value, weights=weight, minlength=width * len(STATUSES)
                ).reshape(len(STATUSES), width)
                for s in present:
                    self._add((name, turn, s), joint[s])

    def _add(self, key: tuple[str, int, int], found: Array) -> None:
        """Adds counts, in an array that nobody else holds: it may be kept, and added to."""
        known = self._values.get(key)
        if known is None:
            self._values[key] = found
            return
        if len(known) < len(found):
            known, found = found, known
            self._values[key] = known
        known[: len(found)] += found

    def add(self, other: Tally) -> None:
        """Adds all fights of another tally of the same battle."""
        self.mass += other.mass
        for side, found in other.causes.items():
            self.causes[side] += found
        for key, values in other.values.items():
            self._add(key, values.copy())
        for key, number in other.sums.items():
            self.sums[key] = self.sums.get(key, 0.0) + number

    def until(self, turn: int) -> Tally:
        """What was counted up to a turn."""
        cut = Tally(turn, self.tracks)
        cut.mass = self.mass[: turn + 1].copy()
        cut.causes = {side: found[: turn + 1].copy() for side, found in self.causes.items()}
        cut.sums = {key: number for key, number in self.sums.items() if key[1] <= turn}
        cut._values = {key: each.copy() for key, each in self._values.items() if key[1] <= turn}
        cut._laid_by = [each for each in self._laid_by if each[0] <= turn]
        cut._numbers = sum(len(status) * len(tracks) for _, status, _, tracks in cut._laid_by)
        return cut


def _counted(values: Array, weight: Array | None, least: int = 0) -> Array:
    """`np.bincount`, without a look at each place where one value stands in all of them."""
    if weight is None and values.strides == (0,) and len(values):
        value = int(values[0])
        found = np.zeros(max(value + 1, least), dtype=np.int64)
        found[value] = len(values)
        return found
    return np.bincount(values, weights=weight, minlength=least)
