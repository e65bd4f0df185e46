"""Values deep inside ships, house rules and the like: found, and changed, by their path.

A path is names of fields with dots between them; numbers lead into tuples: `batteries.0.gunnery`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from navkit.errors import InputError


def value_at(value: Any, path: Sequence[str]) -> Any:
    """What stands at a path inside a value, None where nothing does.

    >>> from navkit.rulebooks import gurps
    >>> value_at(gurps.ship("Sloop"), ["cannons", "1"])
    4
    """
    for step in path:
        if isinstance(value, tuple):
            is_place = step.isdecimal() and int(step) < len(value)
            value = value[int(step)] if is_place else None
        else:
            value = getattr(value, step, None)
    return value


def number_of(ship: Any, path: str) -> int | None:
    """The number of a ship that a path leads to, None where it has none.

    >>> from navkit.rulebooks import vehicular_1879
    >>> number_of(vehicular_1879.ship("War kettle"), "batteries.0.gunnery")
    9
    """
    found = value_at(ship, path.split("."))
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def changed(value: Any, path: Sequence[str], new: Any, at: str) -> Any:
    """`value` with the field at `path` changed, however deep it lies; numbers lead into tuples.

    >>> from navkit.rulebooks import gurps
    >>> changed(gurps.ship("Sloop"), ["officers", "medic"], 2, "a").officers.medic
    2
    >>> changed(gurps.ship("Sloop"), ["sails"], 2, "a")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: field of a: got 'sails', allowed are 'name', 'kph', 'dr', 'hull', \
'cannons', 'damage', 'range', 'scale', 'size_modifier', 'crew', 'skeleton_crew', 'weight', \
'price', 'expertise', 'officers', 'weapon'
    """
    first, *rest = path
    inside = f"{at}.{first}"
    if isinstance(value, tuple):
        if not first.isdecimal() or int(first) >= len(value):
            raise InputError(f"place in {at}", first, *map(str, range(len(value))))
        place = int(first)
        part = changed(value[place], rest, new, inside) if rest else new
        return (*value[:place], part, *value[place + 1 :])
    if not is_dataclass(value) or isinstance(value, type):
        raise InputError(at, value, f"a ship, house rules or the like, to change its {first!r}")
    names = [entry.name for entry in fields(value) if entry.init]
    if first not in names:
        raise InputError(f"field of {at}", first, *names)
    part = changed(getattr(value, first), rest, new, inside) if rest else new
    return replace(value, **{first: part})
