"""Exact counting of outcomes with whole numbers: the oracle behind `exact=True`.

Sums of dice are products of polynomials, and a product of polynomials is one product of two big
integers with the coefficients laid side by side (Kronecker substitution); n equal dice are one
power.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Counts:
    """How many of `denominator` equally likely outcomes give `low`, `low + 1`, ...

    Counts of dice without a largest value stop at some limit; up to it they are exact, and what
    they lack up to `denominator` lies above it.
    """

    low: int
    numerators: tuple[int, ...]
    denominator: int

    def at_most(self, value: int) -> Fraction:
        """The probability of `value` or less."""
        return Fraction(sum(self.numerators[: max(0, value - self.low + 1)]), self.denominator)

    def equal(self, value: int) -> Fraction:
        """The probability of just `value`."""
        place = value - self.low
        inside = 0 <= place < len(self.numerators)
        return Fraction(self.numerators[place] if inside else 0, self.denominator)

    def moved(self, by: int) -> Counts:
        """Counts of the value plus `by`."""
        return Counts(self.low + by, self.numerators, self.denominator)

    def negated(self) -> Counts:
        """Counts of minus the value."""
        return Counts(-self.low - len(self.numerators) + 1, self.numerators[::-1], self.denominator)

    def times(self, factor: int) -> Counts:
        """Counts of the value times `factor`."""
        spread = [0] * ((len(self.numerators) - 1) * factor + 1)
        spread[::factor] = self.numerators
        return Counts(self.low * factor, tuple(spread), self.denominator)

    def mapped(self, function: Callable[[Any], Any], beyond: int | None = None) -> Counts:
        """Counts of `function(value)`; what lies above the limit becomes `beyond`, if given."""
        found: dict[int, int] = {}
        support = np.arange(self.low, self.low + len(self.numerators))
        for value, number in zip(function(support).tolist(), self.numerators, strict=True):
            found[value] = found.get(value, 0) + number
        if beyond is not None:
            found[beyond] = found.get(beyond, 0) + self.denominator - sum(self.numerators)
        low, high = min(found), max(found)
        numbers = tuple(found.get(value, 0) for value in range(low, high + 1))
        return Counts(low, numbers, self.denominator)

    def plus(self, other: Counts) -> Counts:
        """Counts of the sum with an independent value."""
        scale = self.denominator * other.denominator
        width = _width(scale)
        product = _pack(self.numerators, width) * _pack(other.numerators, width)
        length = len(self.numerators) + len(other.numerators) - 1
        return Counts(self.low + other.low, _unpack(product, width, length), scale)

    def power(self, times: int) -> Counts:
        """Counts of the sum of `times` independent values."""
        scale = self.denominator**times
        width = _width(scale)
        product = _pack(self.numerators, width) ** times
        length = (len(self.numerators) - 1) * times + 1
        return Counts(self.low * times, _unpack(product, width, length), scale)


def _width(largest: int) -> int:
    """Bytes that hold any coefficient: none exceeds the number of all outcomes."""
    return (largest.bit_length() + 7) // 8


def _pack(numbers: tuple[int, ...], width: int) -> int:
    laid = b"".join(number.to_bytes(width, "little") for number in numbers)
    return int.from_bytes(laid, "little")


def _unpack(packed: int, width: int, length: int) -> tuple[int, ...]:
    laid = packed.to_bytes(width * length, "little")
    return tuple(
        int.from_bytes(laid[at : at + width], "little") for at in range(0, width * length, width)
    )
