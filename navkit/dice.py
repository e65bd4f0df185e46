"""Dice and the notation that names them, as distributions of what they roll.

>>> d = dice("4d6")
>>> round(d.mean, 2), d.min, d.max
(14.0, 4, 24)
>>> d.at_most(12, exact=True)
Fraction(145, 432)
>>> dice("5dx10").max                     # GURPS: 5d is 5d6, x10 multiplies the sum
300
>>> (dice("d6") * 4).std > dice("d6").repeat(4).std    # one roll times 4 is not 4 rolls
True
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from math import comb

import numpy as np

from navkit.counts import Counts
from navkit.distribution import (
    LARGEST_SUPPORT,
    Distribution,
    Event,
    Floats,
    Tail,
    check_size,
    constant,
    counted,
    thresholds,
)
from navkit.errors import InputError, whole

SMALLEST_TAIL = 1e-15
"""Exploding dice are cut where less than this is left beyond."""
MOST_KEPT_WORK = 100_000
"""Sums of whole numbers that counting kept dice may take."""

__all__ = [
    "LARGEST_SUPPORT",
    "SMALLEST_TAIL",
    "Distribution",
    "Event",
    "Floats",
    "Tail",
    "constant",
    "dice",
    "die",
    "exploding",
    "kept",
    "kept_work",
    "thresholds",
]


def dice(text: str) -> Distribution:
    """The distribution that dice notation names.

    `3d6`, `d6`, `5d` (GURPS: d6), `5dx10`, `2d6+d8-1`, `4 * (2d6 + 1)`, `2d6 // 2`, `d%`,
    `4d6kh3` and `4d6kl1` (keep highest, lowest), `d12!` (exploding: a maximum is rolled again and
    added). Spaces are free; `*`, `x` and `×` multiply one roll.

    Raises NotationError (an InputError) with the text, the column and what was expected, also
    for dice too many or too large to hold, before memory is taken.

    >>> round(dice("4d6kh3").mean, 4)
    12.2446
    >>> dice("3d6 damage")
    Traceback (most recent call last):
        ...
    navkit.notation.NotationError: '3d6 damage', column 5: got 'damage', expected an operator or \
the end
    """
    if not isinstance(text, str):  # before it is looked for among those known
        raise InputError("dice", text, "a text such as '3d6'")
    return _parsed(text)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Distribution:
    from navkit.notation import parse

    return parse(text)


@lru_cache(maxsize=256)
def die(sides: int) -> Distribution:
    """One fair die with faces 1 to `sides`."""
    sides = whole("sides", sides, 1, LARGEST_SUPPORT)
    pmf = np.full(sides, 1.0 / sides)
    return Distribution(1, pmf, name=f"d{sides}", counts=lambda _: Counts(1, (1,) * sides, sides))


def exploding(sides: int, *, tail: float = SMALLEST_TAIL) -> Distribution:
    """One die that is rolled again and added whenever it shows its maximum, without limit.

    The array is cut where less than `tail` is left; `.tail.mass` says how much that is. Exact
    answers are not cut.

    >>> d = exploding(12)
    >>> round(d.mean, 6) == round(78 / 11, 6), d.tail.mass < 1e-15
    (True, True)
    """
    sides = whole("sides", sides, 2, LARGEST_SUPPORT)
    if not 1e-300 <= tail < 1:
        raise InputError("tail", tail, "a number from 1e-300 to under 1")
    depth = next(k for k in range(1, 1000) if float(sides) ** -k < tail)
    check_size(depth * sides)
    chain = np.repeat(float(sides) ** -np.arange(1, depth + 1), sides)
    chain[sides - 1 :: sides] = 0.0

    def exact(limit: int) -> Counts:
        rounds = max(1, -(-limit // sides))
        numerators: list[int] = []
        for k in range(1, rounds + 1):
            numerators += [sides ** (rounds - k)] * (sides - 1) + [0]
        return Counts(1, tuple(numerators), sides**rounds)

    cut = Tail(float(sides) ** -depth, 1 / sides, sides)
    return Distribution(1, chain[:-1], cut, f"d{sides}!", exact)


def kept(count: int, sides: int, keep: int, *, highest: bool) -> Distribution:
    """`count` dice rolled, the `keep` highest (or lowest) of them added.

    Raises InputError if `keep` is not 1 to `count`, or if there are too many dice to count.

    >>> kept(4, 6, 1, highest=False).equal(6, exact=True)
    Fraction(1, 1296)
    """
    whole("keep", keep, 1, count)
    if kept_work(count, sides, keep) > MOST_KEPT_WORK:
        raise InputError("keep", f"{keep} of {count}d{sides}", "fewer or smaller dice")
    found = [0] * (keep * (sides - 1) + 1)
    for face in range(1, sides + 1):  # the lowest face that is kept
        above = [1]  # ways in which `over` dice above it add up to their least, 1 more, ...
        for over in range(keep):
            rest = count - over  # dice that show at most `face`, and not too few just that
            too_few = sum(
                comb(rest, equal) * (face - 1) ** (rest - equal) for equal in range(keep - over)
            )
            ways = comb(count, over) * (face**rest - too_few)
            least = over * (face + 1) + (keep - over) * face - keep
            for more, number in enumerate(above):
                found[least + more] += ways * number
            above = _one_more(above, sides - face) if face < sides else []
    numerators = tuple(found if highest else found[::-1])  # low faces are high ones mirrored
    name = f"{count}d{sides}k{'h' if highest else 'l'}{keep}"
    return counted(Counts(keep, numerators, sides**count), name)


def kept_work(count: int, sides: int, keep: int) -> int:
    """How many sums of whole numbers it takes to count kept dice; sums of long ones count more."""
    length = 1 + count * sides.bit_length() // 500
    return sides * (sides + 1) * keep**2 // 2 * length


def _one_more(ways: list[int], sides: int) -> list[int]:
    """Ways for the totals of some dice, from the least, when one more die is added to them."""
    reached = [0, *accumulate(ways + [0] * (sides - 1))]
    return [reached[at + 1] - reached[max(0, at + 1 - sides)] for at in range(len(reached) - 1)]
