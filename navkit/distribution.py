"""Integer-valued probability distributions, and what can be asked and made of them.

A `Distribution` is a dense array of probabilities from its smallest to its largest value. Sums
are direct convolutions (no FFT, whose tails are wrong), right to about 1e-14 relative. Where a
distribution comes from dice it also knows how to count exactly, and answers as a `Fraction`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Any, Literal, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from navkit.counts import Counts
from navkit.errors import InputError, whole

LARGEST_SUPPORT = 50_000
"""Most values a distribution may have, from its smallest to its largest."""

LARGEST_VALUE = 10**15
"""The largest value that may be weighed, either way: floats tell all whole numbers up to it."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Tail:
    """The probability beyond the support of a distribution that has no largest value.

    `mass` is how much was cut. Where the tail is geometric, the mass beyond falls by the factor
    `ratio` every `period` points; else `ratio` is None. A geometric tail of period 1 is closed:
    it answers for any value, and as Fractions exactly.
    """

    mass: float | Fraction = 0.0
    ratio: float | Fraction | None = None
    period: int = 1

    def beyond(self, points: int) -> float | Fraction:
        """The mass that lies `points` or more beyond the first value after the support.

        >>> Tail(Fraction(1, 36), Fraction(1, 36)).beyond(2)
        Fraction(1, 46656)
        """
        if self.ratio is None or self.period != 1 or points <= 0:
            return self.mass
        return self.mass * self.ratio ** int(points)


@dataclass(frozen=True, eq=False)
class Distribution:
    """The probability distribution of a whole number.

    `low` is the smallest value, `pmf[i]` the probability of `low + i`. `tail` is what lies beyond
    the largest value (exploding dice). `counts(limit)` counts outcomes exactly for all values up
    to `limit`, where the distribution is made of dice. Raises InputError for a `pmf` that is no
    row of probabilities.
    """

    low: int
    pmf: Floats
    tail: Tail = Tail()
    name: str = ""
    counts: Callable[[int], Counts] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        try:
            pmf = np.asarray(self.pmf, dtype=np.float64)
            possible = pmf.ndim == 1 and pmf.item(pmf.argmin()) >= 0  # nan is not
        except (TypeError, ValueError):  # no numbers, or none at all
            possible = False
        if not possible:
            raise InputError("pmf", self.pmf, "one or more probabilities in a row, none below 0")
        if pmf is self.pmf and pmf.flags.writeable:
            pmf = pmf.view()
        pmf.setflags(write=False)
        object.__setattr__(self, "pmf", pmf)

    @classmethod
    def of(cls, probabilities: Mapping[int, Fraction | int]) -> Distribution:
        """A distribution from exact weights: `{value: weight}`, scaled to add up to one.

        Raises InputError for no value, one that is not whole, and for weights that are no numbers,
        negative, or add up to nothing.

        >>> Distribution.of({0: 1, 1: 3}).equal(1, exact=True)
        Fraction(3, 4)
        """
        if not isinstance(probabilities, Mapping):
            raise InputError("probabilities", probabilities, "{value: weight}")
        values = [whole("value", each, -LARGEST_VALUE, LARGEST_VALUE) for each in probabilities]
        weights = [_weight(each) for each in probabilities.values()]
        if not weights or min(weights) < 0 or not sum(weights):
            raise InputError("probabilities", probabilities, "weights of which one is above 0")
        low, high = min(values), max(values)
        check_size(high - low + 1)
        common = np.lcm.reduce([weight.denominator for weight in weights], dtype=object)
        numerators = [0] * (high - low + 1)
        for value, weight in zip(values, weights, strict=True):
            numerators[value - low] = int(weight * common)
        return counted(Counts(low, tuple(numerators), sum(numerators)))

    # What it is

    @property
    def min(self) -> int:
        """The smallest value."""
        return self.low

    @property
    def max(self) -> int:
        """The largest value; for exploding dice, where the tail was cut."""
        return self.low + len(self.pmf) - 1

    @property
    def support(self) -> Ints:
        """All values from `min` to `max`, an array as long as `pmf`."""
        return np.arange(self.low, self.low + len(self.pmf))

    @property
    def mean(self) -> float:
        """The expected value."""
        return float(self.support @ self.pmf)

    @property
    def std(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(np.maximum((self.support - self.mean) ** 2 @ self.pmf, 0.0)))

    # What is asked of it

    @overload
    def at_most(self, value: int, *, exact: Literal[False] = False) -> float: ...
    @overload
    def at_most(self, value: int, *, exact: Literal[True]) -> Fraction: ...
    def at_most(self, value: int, *, exact: bool = False) -> float | Fraction:
        """The probability of `value` or less; `exact=True` gives it as a Fraction.

        Raises InputError if exact counts were asked of a distribution that has none.

        >>> from navkit.dice import dice
        >>> dice("3d6").at_most(12, exact=True)
        Fraction(20, 27)
        """
        if exact:
            if self._closed(value):
                return 1 - Fraction(self.tail.beyond(value - self.max))
            return self._exact(value).at_most(value)
        inside = float(self.pmf[: max(0, value - self.low + 1)].sum())
        if value > self.max and self.tail.ratio is not None:
            return inside + float(self.tail.mass - self.tail.beyond(value - self.max))
        return inside

    @overload
    def at_least(self, value: int, *, exact: Literal[False] = False) -> float: ...
    @overload
    def at_least(self, value: int, *, exact: Literal[True]) -> Fraction: ...
    def at_least(self, value: int, *, exact: bool = False) -> float | Fraction:
        """The probability of `value` or more; `exact=True` gives it as a Fraction.

        >>> from navkit.dice import dice
        >>> dice("d12!").at_least(13, exact=True)
        Fraction(1, 12)
        """
        if exact:
            if self._closed(value):
                return Fraction(self.tail.beyond(value - self.max - 1))
            return 1 - self._exact(value - 1).at_most(value - 1)
        inside = float(self.pmf[max(0, value - self.low) :].sum())
        return inside + float(self.tail.beyond(value - self.max - 1))

    def at_least_each(self, values: ArrayLike) -> Floats:
        """The probability of each of `values` or more: what `at_least` says of them one by one.

        >>> from navkit.dice import dice
        >>> dice("d4").at_least_each([0, 2, 5]).tolist()
        [1.0, 0.75, 0.0]
        """
        places = np.asarray(values, dtype=np.int64) - self.low
        size = len(self.pmf)
        above = np.append(np.cumsum(self.pmf[::-1])[::-1], 0.0)[np.clip(places, 0, size)]
        beyond = [float(self.tail.beyond(point)) for point in (places - size).ravel().tolist()]
        return np.asarray(above + np.reshape(beyond, places.shape), dtype=np.float64)

    @overload
    def equal(self, value: int, *, exact: Literal[False] = False) -> float: ...
    @overload
    def equal(self, value: int, *, exact: Literal[True]) -> Fraction: ...
    def equal(self, value: int, *, exact: bool = False) -> float | Fraction:
        """The probability of just `value`; `exact=True` gives it as a Fraction.

        >>> from navkit.dice import dice
        >>> dice("2d6").equal(7, exact=True)
        Fraction(1, 6)
        """
        beyond = value - self.max - 1
        if exact:
            if self._closed(value):
                return Fraction(self.tail.beyond(beyond) - self.tail.beyond(beyond + 1))
            return self._exact(value).equal(value)
        place = value - self.low
        if beyond >= 0 and self.tail.ratio is not None:
            return float(self.tail.beyond(beyond) - self.tail.beyond(beyond + 1))
        return float(self.pmf[place]) if 0 <= place < len(self.pmf) else 0.0

    def quantile(self, q: float) -> int:
        """The smallest value that is not exceeded with probability `q` (to 1e-12).

        >>> from navkit.dice import dice
        >>> dice("3d6").quantile(0.5)
        10
        """
        if not 0 <= q <= 1:
            raise InputError("q", q, "a probability from 0 to 1")
        place = int(np.searchsorted(np.cumsum(self.pmf), q - 1e-12))
        return self.low + min(place, len(self.pmf) - 1)

    def table(self) -> pd.DataFrame:
        """A DataFrame by value with its probability, and those of at most and at least it."""
        at_least = np.cumsum(self.pmf[::-1])[::-1] + float(self.tail.mass)
        columns = {"probability": self.pmf, "at_most": np.cumsum(self.pmf), "at_least": at_least}
        return pd.DataFrame(columns, index=pd.Index(self.support, name="value"))

    # What can be made of it

    def __add__(self, other: Distribution | int) -> Distribution:
        """The sum with a number, or with an independent roll of `other`."""
        if isinstance(other, Distribution):
            return _add(self, other)
        if not _is_whole(other):
            return NotImplemented
        return self._moved(int(other))

    __radd__ = __add__

    def __neg__(self) -> Distribution:
        if self.tail.mass:
            raise InputError("negated dice", self.name or self, "dice that do not explode")
        counts = self.counts
        exact = None if counts is None else lambda limit: counts(self.max).negated()
        return Distribution(-self.max, self.pmf[::-1], name=f"-({self.name})", counts=exact)

    def __sub__(self, other: Distribution | int) -> Distribution:
        if not isinstance(other, Distribution) and not _is_whole(other):
            return NotImplemented
        return self + (-other)

    def __rsub__(self, other: int) -> Distribution:
        return (-self) + other

    def __mul__(self, factor: int) -> Distribution:
        """One roll times `factor`. Don't confuse with `repeat`, which adds several rolls."""
        if isinstance(factor, Distribution):
            raise TypeError("dice times dice is no scaling; d.repeat(n) adds n rolls")
        if not _is_whole(factor):
            return NotImplemented
        if factor < 0:
            return -(self * -factor)
        if factor == 1:
            return self
        if factor == 0:
            return constant(0)
        check_size((len(self.pmf) - 1) * factor + 1)
        pmf = np.zeros((len(self.pmf) - 1) * factor + 1)
        pmf[::factor] = self.pmf
        counts = self.counts
        exact = None if counts is None else lambda limit: counts(limit // factor).times(factor)
        tail = Tail(self.tail.mass, self.tail.ratio, self.tail.period * factor)
        return Distribution(self.low * factor, pmf, tail, f"{factor}×({self.name})", exact)

    __rmul__ = __mul__

    def __floordiv__(self, divisor: int) -> Distribution:
        """One roll divided by `divisor`, rounded down."""
        divisor = whole("divisor", divisor, 1, LARGEST_SUPPORT)
        return self.map(lambda value: value // divisor, f"({self.name})//{divisor}")

    def clip(self, low: int | None = None, high: int | None = None) -> Distribution:
        """Values under `low` count as `low`, values over `high` as `high`.

        >>> from navkit.dice import dice
        >>> (dice("d6") - 3).clip(0).equal(0, exact=True)
        Fraction(1, 2)
        """
        if low is not None and high is not None and low > high:
            raise InputError("clip", (low, high), "low at most high")
        bottom = self.min if low is None else low
        top = max(self.max, bottom) if high is None else high
        return self.map(lambda value: np.clip(value, bottom, top), self.name, whole_tail=high)

    def map(
        self, function: Callable[[Any], Any], name: str = "", *, whole_tail: int | None = None
    ) -> Distribution:
        """The distribution of `function(value)`; the function takes and returns integer arrays.

        For exploding dice, what lies beyond the support stays a tail, unless `whole_tail` names
        the one value that all of it becomes.
        """
        values = np.asarray(function(self.support))
        low, high = int(values.min()), int(values.max())
        tail, top = Tail(self.tail.mass), self.max
        if tail.mass and whole_tail is not None:
            low, high, top = min(low, whole_tail), max(high, whole_tail), max(top, whole_tail)
        check_size(high - low + 1)
        pmf: Floats = np.zeros(high - low + 1)
        pmf += np.bincount(values - low, weights=self.pmf, minlength=high - low + 1)
        if tail.mass and whole_tail is not None:
            pmf[whole_tail - low] += float(tail.mass)
            tail = Tail()
        counts = self.counts
        exact = None
        if counts is not None:
            exact = lambda limit: counts(top).mapped(function, whole_tail)  # noqa: E731
        return Distribution(low, pmf, tail, name, exact)

    def repeat(self, times: int) -> Distribution:
        """`times` independent rolls added. Don't confuse with `d * n`, one roll scaled.

        >>> from navkit.dice import dice
        >>> dice("d6").repeat(3).table().equals(dice("3d6").table())
        True
        """
        times = whole("times", times, 0, LARGEST_SUPPORT)
        if times == 0:
            return constant(0)
        check_size((len(self.pmf) - 1) * times + 1)
        counts, low = self.counts, self.low

        def exact(limit: int) -> Counts:
            assert counts is not None
            return counts(limit - low * (times - 1)).power(times)

        name = f"{times}{self.name}" if self.name.startswith("d") else f"{times}×[{self.name}]"
        return Distribution(
            low * times,
            _power(self.pmf, times),
            Tail(-np.expm1(times * np.log1p(-float(self.tail.mass)))) if self.tail.mass else Tail(),
            name if times > 1 else self.name,
            None if counts is None else exact,
        )

    # Comparisons are events, and an event has a probability but no truth

    def __le__(self, other: Distribution | int) -> Event:
        return Event((self - other).at_most(0))

    def __lt__(self, other: Distribution | int) -> Event:
        return Event((self - other).at_most(-1))

    def __ge__(self, other: Distribution | int) -> Event:
        return Event((self - other).at_least(0))

    def __gt__(self, other: Distribution | int) -> Event:
        return Event((self - other).at_least(1))

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Distribution | int):
            return NotImplemented
        return Event((self - other).equal(0))

    def __ne__(self, other: object) -> Any:
        if not isinstance(other, Distribution | int):
            return NotImplemented
        return Event(1 - (self - other).equal(0))

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError("a distribution is neither true nor false")

    def __repr__(self) -> str:
        name = f"{self.name}: " if self.name else ""
        return f"<Distribution {name}{self.min} to {self.max}, mean {self.mean:.4g}>"

    def _closed(self, value: int) -> bool:
        """Whether `value` lies in a tail that is known exactly in closed form."""
        known = isinstance(self.tail.mass, Fraction) and isinstance(self.tail.ratio, Fraction)
        return known and self.tail.period == 1 and value > self.max

    def _exact(self, limit: int) -> Counts:
        if self.counts is None:
            raise InputError("exact", True, "False: this distribution has no exact counts")
        return self.counts(limit)

    def _moved(self, by: int) -> Distribution:
        counts = self.counts
        exact = None if counts is None else lambda limit: counts(limit - by).moved(by)
        name = f"{self.name}{by:+d}" if by else self.name
        return Distribution(self.low + by, self.pmf, self.tail, name, exact)


@dataclass(frozen=True)
class Event:
    """What a comparison of dice gives: `float(dice("d6") <= 2)` is its probability.

    >>> from navkit.dice import dice
    >>> round(float(dice("d6") > dice("d6")), 4)
    0.4167
    >>> bool(dice("d6") <= 2)
    Traceback (most recent call last):
        ...
    TypeError: a comparison of dice is neither true nor false; float() gives its probability
    """

    probability: float

    def __float__(self) -> float:
        return self.probability

    def __bool__(self) -> bool:
        raise TypeError(
            "a comparison of dice is neither true nor false; float() gives its probability"
        )


def constant(value: int) -> Distribution:
    """The distribution of a number that is no roll at all."""
    return counted(Counts(value, (1,), 1), str(value))


def thresholds(distribution: Distribution) -> NDArray[np.uint64]:
    """Where a uniform 64-bit draw passes from one value to the next.

    `thresholds[i]` is the number of 64-bit draws that give at most `low + i`, for all values but
    the last: from exact counts, so that a draw gives the same value on every machine.
    """
    if distribution.counts is not None:
        counted = distribution.counts(distribution.max)
        numerators, denominator = counted.numerators, counted.denominator
    else:
        numerators = tuple(round(p * 2**60) for p in distribution.pmf.tolist())
        denominator = sum(numerators)
    wanted = accumulate(numerators[: len(distribution.pmf)])
    reached = [min(part * 2**64 // denominator, 2**64 - 1) for part in wanted]
    return np.array(reached[:-1], dtype=np.uint64)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _weight(weight: Any) -> Fraction:
    """A weight as it is counted; InputError for what is no number, such as a text."""
    try:
        return Fraction(weight + 0)
    except (TypeError, ValueError, OverflowError):
        raise InputError("weight", weight, "a whole number or a Fraction") from None


def counted(counts: Counts, name: str = "") -> Distribution:
    """The distribution of outcomes that have been counted."""
    scale = counts.denominator
    pmf = np.array([number / scale for number in counts.numerators])
    return Distribution(counts.low, pmf, name=name, counts=lambda _: counts)


def _add(first: Distribution, second: Distribution) -> Distribution:
    check_size(len(first.pmf) + len(second.pmf) - 1)
    mass = float(first.tail.mass + second.tail.mass - first.tail.mass * second.tail.mass)
    exact = None
    one, two = first.counts, second.counts
    if one is not None and two is not None:
        low_one, low_two = first.low, second.low
        exact = lambda limit: one(limit - low_two).plus(two(limit - low_one))  # noqa: E731
    return Distribution(
        first.low + second.low,
        np.convolve(first.pmf, second.pmf),
        Tail(mass),
        f"{first.name}+{second.name}",
        exact,
    )


def _power(pmf: Floats, times: int) -> Floats:
    """`pmf` convolved with itself, by squaring."""
    result: Floats | None = None
    while times:
        if times & 1:
            result = pmf if result is None else np.convolve(result, pmf)
        times >>= 1
        if times:
            pmf = np.convolve(pmf, pmf)
    assert result is not None
    return result


def check_size(values: int) -> None:
    """Raises InputError for a distribution with too many values to hold."""
    if values > LARGEST_SUPPORT:
        allowed = f"dice with at most {LARGEST_SUPPORT} different totals"
        raise InputError("dice", f"{values} different totals", allowed)
