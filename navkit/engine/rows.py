"""States at some rows, gathered as they are looked at.

A step reads and changes a few of the arrays of a state, of which there may be hundreds. So rules
are shown a state whose arrays are taken from those of all fights when they are first asked for,
and what they put in the place of some is all that has to be written back.

>>> from dataclasses import dataclass
>>> import numpy as np
>>> from navkit.state import replace
>>> @dataclass(frozen=True)
... class Side:
...     crew: Array
...     hull: Array
>>> arrays = [np.array([8, 5, 0]), np.array([9, 9, 7])]
>>> before = seen(Plan.of(Side(*arrays)), arrays, np.array([0, 2]))
>>> after = replace(before, crew=before.crew + 1)
>>> changes(before, after)
{0: array([9, 1])}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import count
from typing import Any

import numpy as np

from navkit.chance import Array
from navkit.state import State, at_rows, replace


@dataclass(frozen=True)
class Plan:
    """Where the arrays of a state are in it.

    `kind` is the class as which it is seen, `parts` are its fields by name: the number of an array
    (as `state.flatten` counts them), the plan of a state, or a tuple of such.
    """

    kind: type
    parts: dict[str, Any]

    @classmethod
    def of(cls, state: Any) -> Plan:
        """The plan of all states of this shape."""
        plan: Plan = _part(state, count())
        return plan


def _part(value: Any, numbers: Iterator[int]) -> Any:
    if isinstance(value, tuple):
        return tuple(_part(member, numbers) for member in value)
    if is_dataclass(value):
        parts = {each.name: _part(getattr(value, each.name), numbers) for each in fields(value)}
        kind: type = type(value)
        return Plan(_seen_as(kind), parts)
    return next(numbers)


@cache
def _seen_as(kind: type) -> type:
    """A kind of state whose fields are looked up, and kept, when they are first asked for."""
    return type(kind.__name__, (kind,), {"__getattr__": _look_up, "__module__": kind.__module__})


def _look_up(state: Any, name: str) -> Any:
    held = state.__dict__
    if "_plan" not in held or name not in held["_plan"].parts:
        raise AttributeError(f"{type(state).__name__} has no {name}")
    met = held["_met"]
    if name not in met:
        met[name] = _shown(held["_plan"].parts[name], held["_arrays"], held["_rows"])
    value = held[name] = met[name]
    return value


def _shown(part: Any, arrays: Sequence[Array], rows: Array | None) -> Any:
    if isinstance(part, int):
        return arrays[part] if rows is None else at_rows(arrays[part], rows)
    if isinstance(part, tuple):
        return tuple(_shown(member, arrays, rows) for member in part)
    return seen(part, arrays, rows)


def seen(plan: Plan, arrays: Sequence[Array], rows: Array | None) -> Any:
    """The state that is held in `arrays`, at some rows (None: at all).

    What has been looked up is kept for all states that are made of this one by `state.replace`.
    """
    state: Any = object.__new__(plan.kind)
    state.__dict__.update(_plan=plan, _arrays=arrays, _rows=rows, _met={})
    return state


def either(mask: Array, one: State, other: State) -> State:
    """A state that is `one` where the mask holds, and `other` elsewhere.

    Of states made of the same one, only what has been changed is looked at.
    """
    state: State = _either(mask, one, other)
    return state


def _either(mask: Array, one: Any, other: Any) -> Any:
    if one is other:
        return one
    if isinstance(one, np.ndarray):
        return np.where(mask, one, other)
    if isinstance(one, tuple):
        return tuple(_either(mask, *members) for members in zip(one, other, strict=True))
    names = {each.name for each in fields(one)}
    if one.__dict__.get("_met") is other.__dict__.get("_met"):
        names &= one.__dict__.keys() | other.__dict__.keys()
    mixed = {name: _either(mask, getattr(one, name), getattr(other, name)) for name in names}
    return replace(one, **mixed)


def changes(before: Any, after: Any) -> dict[int, Array]:
    """The arrays of `after`, by number, that are not those of `before`, a state that was seen."""
    found: dict[int, Array] = {}
    _compare(before.__dict__["_plan"], before, after, found)
    return found


def _compare(part: Any, old: Any, new: Any, found: dict[int, Array]) -> None:
    """Notes what is new in a part; `old` is None where nobody has looked at what was there."""
    if new is old:
        return
    if isinstance(part, int):
        found[part] = new
    elif isinstance(part, tuple):
        olds = (None,) * len(part) if old is None else old
        for inner, was, now in zip(part, olds, new, strict=True):
            _compare(inner, was, now, found)
    else:
        met = {} if old is None else old.__dict__["_met"]
        held = new.__dict__
        is_made_of_old = held.get("_met") is met
        for name in held if is_made_of_old else part.parts:
            now = held[name] if is_made_of_old else getattr(new, name)
            if now is not met.get(name) and name in part.parts:
                _compare(part.parts[name], met.get(name), now, found)
