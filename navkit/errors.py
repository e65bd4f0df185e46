"""The errors navkit raises for bad input: the offending value, and what is allowed."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

LONGEST_SHOWN = 200
"""Letters of a wrong value that an error shows at most."""


class InputError(ValueError):
    """A value that cannot be: `InputError(what, value, allowed...)`.

    >>> raise InputError("turns", 0, "a whole number from 1 to 10000")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: turns: got 0, allowed is a whole number from 1 to 10000
    >>> raise InputError("rule", "half", "one", "two")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: rule: got 'half', allowed are 'one', 'two'
    """

    def __init__(self, what: str, value: Any, *allowed: str) -> None:
        self.what, self.value, self.allowed = what, value, allowed
        one = len(allowed) == 1
        listed = allowed[0] if one else ", ".join(map(repr, allowed))
        super().__init__(f"{what}: got {_shown(value)}, allowed {'is' if one else 'are'} {listed}")


class RecordError(InputError):
    """A record that cannot be: `place` tells where it stands, `error` what is wrong with it."""

    def __init__(self, place: str, error: InputError) -> None:
        self.place, self.error = place, error
        ValueError.__init__(self, f"{place}: {error}")


def _shown(value: Any) -> str:
    """A value as an error shows it, the middle left out of a long one."""
    try:
        shown = repr(value)
    except (RecursionError, ValueError):  # lists in lists in lists, an int of 5000 digits
        return f"a {type(value).__name__} too large to show"
    if len(shown) <= LONGEST_SHOWN:
        return shown
    half = LONGEST_SHOWN // 2
    return f"{shown[:half]} ... {shown[-half:]}"


def whole(what: str, value: Any, low: int, high: int) -> int:
    """`value` as an int if it is a whole number from `low` to `high`, else InputError.

    >>> whole("crew", 8, 0, 100)
    8
    >>> whole("crew", -1, 0, 100)
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: crew: got -1, allowed is a whole number from 0 to 100
    """
    allowed = f"a whole number from {low} to {high}"
    try:
        number = index(value)
    except TypeError:
        raise InputError(what, value, allowed) from None
    # an array is no number, not even one of a single number: a field would keep the array
    if isinstance(value, bool) or hasattr(value, "__len__") or not low <= number <= high:
        raise InputError(what, value, allowed)
    return number


def number(what: str, value: Any, low: float, high: float) -> float:
    """`value` as a float if it is a number from `low` to `high` (nan is not), else InputError."""
    allowed = f"a number from {low} to {high}"
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(what, value, allowed) from None
    # texts and arrays have a length, numbers have none
    if isinstance(value, bool | np.bool_) or hasattr(value, "__len__") or not low <= result <= high:
        raise InputError(what, value, allowed)
    return result


def truth(what: str, value: Any) -> bool:
    """`value` if it is True or False, else InputError."""
    if not isinstance(value, bool):
        raise InputError(what, value, "True or False")
    return value


def not_blank(what: str, value: Any) -> str:
    """`value` if it is a text that is not blank, else InputError."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(what, value, "a text")
    return value
