"""Chances as people read them: never 0 % or 100 % unless exactly so.

>>> percent(0.931), percent(0.00004), percent(0.99976), percent(1)
('93.1 %', 'under 0.1 %', 'over 99.9 %', '100 %')
"""

from __future__ import annotations

from math import ceil
from typing import Any

from navkit.errors import InputError

NORMAL_95 = 1.96
"""How many standard errors lie on each side of an estimate, 95 % of the time."""


def standard_error(share: float, fights: int) -> float:
    """How uncertain a share seen in a sample of `fights` is: Wilson's standard error.

    Unlike the textbook √(p(1−p)/n) it isn't zero when every fight, or none, came out this way.
    Raises InputError for a share outside 0 to 1 and for less than one fight.

    >>> round(standard_error(0.5, 20_000), 4), standard_error(0, 20_000) > 0
    (0.0035, True)
    """
    _check(share)
    if fights < 1:
        raise InputError("fights", fights, "a whole number from 1")
    return float(wilson(min(share, 1.0), fights))


def wilson(share: Any, fights: int) -> Any:
    """`standard_error` without its checks, for a number, an array or a table of shares."""
    z2 = NORMAL_95**2
    return (share * (1 - share) / fights + z2 / (4 * fights**2)) ** 0.5 / (1 + z2 / fights)


def percent(chance: float, *, fights: int | None = None, error: float | None = None) -> str:
    """A chance in words, with the half-width of its 95 % interval where it was sampled.

    A number alone is taken as exact. For a sampled chance give the number of `fights` it was
    counted in, or its standard `error`. Where the interval would reach 0 or 100 %, the answer
    names the interval's other end, since so few fights differed that no more can be said.
    Raises InputError for a chance outside 0 to 1 (rounding noise beyond 1 is taken as 1), and for
    an error below 0.

    >>> percent(0.931, fights=20_000)
    '93.1 % ±0.4'
    >>> percent(0, fights=20_000), percent(0, fights=500), percent(1, fights=500)
    ('under 0.1 %', 'under 0.8 %', 'over 99.2 %')
    >>> percent(0), percent(0.5, error=0.01)
    ('0 %', '50.0 % ±2.0')
    >>> percent(1.2)
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: chance: got 1.2, allowed is a number from 0 to 1
    """
    _check(chance)
    if fights is not None:
        error = standard_error(chance, fights)
    if error is None:
        return _exact(chance)
    _check_error(error)
    half = NORMAL_95 * error
    if min(chance, 1 - chance) <= half:
        reach = 2 * half
        return _under(min(chance + reach, 1)) if chance < 0.5 else _over(max(chance - reach, 0))
    if chance + half < 0.001:
        return _under(0.001)
    if chance - half > 0.999:
        return _over(0.999)
    return f"{chance:.1%}".replace("%", f" % ±{_tenths_up(half):.1f}")


def points(difference: float, *, error: float = 0.0) -> str:
    """A difference of two chances in words, in points of a hundred.

    `error` is its standard error, 0 where exact. A difference within its 95 % interval of nothing
    is not told as one. Raises InputError for a difference outside −1 to 1, and for an
    error below 0.

    >>> points(0.123), points(-0.0001), points(0)
    ('12.3 points more often', 'under 0.1 points less often', 'exactly as often')
    >>> points(-0.05, error=0.01), points(0.001, error=0.002)
    ('5.0 points less often ±2.0', 'about as often: 0.5 points either way can not be ruled out')
    """
    if not abs(difference) <= 1 + 1e-9:
        raise InputError("difference", difference, "a number from -1 to 1")
    _check_error(error)
    size, half = abs(difference), NORMAL_95 * error
    if error > 0 and size <= half:
        reach = _tenths_up(size + half)
        return f"about as often: {reach:.1f} points either way can not be ruled out"
    if size == 0:
        return "exactly as often"
    said = "under 0.1" if size + half < 0.001 else f"{100 * size:.1f}"
    more = "more" if difference > 0 else "less"
    spread = f" ±{_tenths_up(half):.1f}" if error > 0 and said != "under 0.1" else ""
    return f"{said} points {more} often{spread}"


def _exact(chance: float) -> str:
    if chance == 0:
        return "0 %"
    if chance >= 1:
        return "100 %"
    if chance < 0.001:
        return _under(0.001)
    if chance > 0.999:
        return _over(0.999)
    return f"{chance:.1%}".replace("%", " %")


def _under(bound: float) -> str:
    # An error of 0 for a chance of 0 tells nothing about how many fights were seen.
    return f"under {_tenths_up(bound):.1f} %" if bound > 0 else "near 0 %"


def _over(bound: float) -> str:
    return f"over {100 - _tenths_up(1 - bound):.1f} %" if bound < 1 else "near 100 %"


def _tenths_up(share: float) -> float:
    # The small step back keeps 0.1 from becoming 0.2 by the rounding noise of 1 - 0.999.
    return max(1, ceil(1000 * share - 1e-9)) / 10


def _check(chance: float) -> None:
    if not 0 <= chance <= 1 + 1e-9:
        raise InputError("chance", chance, "a number from 0 to 1")


def _check_error(error: float) -> None:
    if not error >= 0:  # nan is not
        raise InputError("error", error, "a number from 0 up")
