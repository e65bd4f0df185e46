"""How likely a ship yet sinks of which the hull is left out: a bound for each state of a duel.

What is left out of a side (`forgotten` in `coupled`) matters once all of it is gone while
the fight is on. By the inequality of Chernoff the chance of that, when `gone` of `whole` went, is
at most M · exp(θ · (gone − whole)), where M is the mean of exp(θ · what goes from now on). M is
worked out backward over the course of the duel in which the hull was left out: for the start it
tells whether the hull may be left out at all, and in between where it can be forgotten.

Of what that course left out, M holds nothing: its chance is to be added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from navkit.chance import Array
from navkit.engine.pairs import Pairs, places

if TYPE_CHECKING:
    from navkit.engine.coupled import Coupled, Course, Opening

MOST_KEPT = 20_000_000
"""Bounds that are kept of a course for each θ, some 160 MB."""


@dataclass
class Danger:
    """The bounds for side `x` over a course; θ is an exponent divided by the whole."""

    coupled: Coupled[Any]
    course: Course
    x: str
    _means: dict[float, list[list[Array]]] = field(default_factory=dict)

    @property
    def whole(self) -> int:
        """How much there is of what is left out, at the start."""
        return self.coupled.known.most_gone(self.x)

    def at_start(self, exponent: float) -> float:
        """The chance, at most, that what is left out matters."""
        total, kept = 0.0, []
        size = sum(len(p.after[0]) * len(p.after[1]) for p in self._parts())
        for opening in self.course.openings:
            *after, first = self._backward(opening, exponent, size <= MOST_KEPT)
            total += opening.weight * float(first[0, 0])
            kept.append(after[::-1])
        if size <= MOST_KEPT:
            self._means[exponent] = kept
        return total * float(np.exp(-exponent))

    def _parts(self) -> Iterator[Any]:
        return (part for opening in self.course.openings for part in opening.parts)

    def _backward(self, opening: Opening, exponent: float, keep: bool) -> Iterator[Array]:
        """M after each part played, from the last, if they are to be kept; then M for the start.

        M is at most exp(exponent), with which the bound is 1 even where nothing is gone.
        """
        tilts = {self.x: exponent / self.whole}
        lost = [side.lost for side in self.coupled.known.sides.values()]
        parts = opening.parts
        mean = np.ones([len(states) for states in parts[-1].after] if parts else (1, 1))
        for part in reversed(parts):
            if keep:
                yield mean
            plan = self.coupled.plan(part.before, part.moment, opening.shared, tilts=tilts)
            mean = plan.back(part.before, part.after, mean, lost)
            mean = np.minimum(mean, np.exp(exponent))
        yield mean

    def after(self, pairs: Pairs, opening: int, place: int, width: Mapping[str, int]) -> Array:
        """For each state of x among some pairs: the chance that it is so and matters yet, at most.

        `place` is the part played last; for `width` see `Coupled.plan`.
        """
        if place >= len(self.course.openings[opening].parts):
            return np.zeros(len(pairs.a if self.x == "a" else pairs.b))
        known = self.course.openings[opening].parts[place].after
        if self.x == "b":
            pairs, known = pairs.turned(), known[::-1]
        mine, theirs = self.x, "b" if self.x == "a" else "a"
        states, gone = np.divmod(pairs.a, width[mine])
        chance = pairs.by_place(places(pairs.b // width[theirs], known[1]), len(known[1]) + 1)
        rows = places(states, known[0])
        least = chance.sum(axis=1)
        for exponent, means in self._means.items():
            mean = means[opening][place]
            padded = np.zeros((len(known[0]) + 1, len(known[1]) + 1))
            padded[:-1, :-1] = mean if mine == "a" else mean.T
            factor = np.exp(exponent * (gone / self.whole - 1.0))
            least = np.minimum(least, (chance * padded[rows]).sum(axis=1) * factor)
        return least
