"""The state of a fight: a frozen dataclass of integer arrays, and how states merge.

A state may hold other states (`Fight(a: Side, b: Side)`). Fields that drive the fight are the
merge key; fields made with `track()` are carried along and drive nothing, so a rule may only add
to them.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Side:
...     crew: Array
...     dead: Array = track()
>>> [leaf.path for leaf in leaves(Side(np.array([8]), np.array([0])))]
['crew', 'dead']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Array = NDArray[Any]
State = TypeVar("State")

CODE_BITS = 62
DENSE_FACTOR = 4
"""Merging counts in a plain array where the code space is at most this many times the cells."""


def track() -> Any:
    """A field that nothing later in the fight depends on; rules only add to it."""
    return field(metadata={"track": True})


@dataclass(frozen=True)
class Leaf:
    """One array of a state: its dotted path, and whether it is a track."""

    path: str
    is_track: bool


def leaves(state: Any) -> tuple[Leaf, ...]:
    """What arrays a state holds, in order."""
    return tuple(_walk(state, ""))


def _walk(state: Any, prefix: str) -> Iterator[Leaf]:
    for each in fields(state):
        value = getattr(state, each.name)
        if is_dataclass(value):
            yield from _walk(value, f"{prefix}{each.name}.")
        else:
            yield Leaf(prefix + each.name, bool(each.metadata.get("track")))


def flatten(state: Any) -> list[Array]:
    """The arrays of a state, in the order of `leaves`."""
    found: list[Array] = []
    for name, nested in _layout(type(state), state):
        value = getattr(state, name)
        if nested:
            found += flatten(value)
        else:
            found.append(value)
    return found


def rebuild(like: State, arrays: Sequence[Array]) -> State:
    """A state shaped like `like` that holds `arrays`."""
    state: State = _rebuild(like, iter(arrays))
    return state


def _rebuild(like: Any, arrays: Iterator[Array]) -> Any:
    kind = type(like)
    values = []
    for name, nested in _layout(kind, like):
        values.append(_rebuild(getattr(like, name), arrays) if nested else next(arrays))
    return kind(*values)


_LAYOUTS: dict[type, tuple[tuple[str, bool], ...]] = {}


def _layout(kind: type, state: Any) -> tuple[tuple[str, bool], ...]:
    """The fields of a kind of state, and whether each is a state in turn."""
    found = _LAYOUTS.get(kind)
    if found is None:
        names = (each.name for each in fields(state))
        found = tuple((name, is_dataclass(getattr(state, name))) for name in names)
        _LAYOUTS[kind] = found
    return found


def merge(
    keys: Sequence[Array], means: Sequence[Array], weight: Array
) -> tuple[list[Array], list[Array], Array]:
    """Equal states become one: keys of the distinct states, weighted means, summed weights.

    All arrays broadcast to the shape of `weight`; what comes back is one-dimensional. States of
    weight 0 vanish. Merging is by counting or hashing, never by sorting.
    """
    code, radices = _encode(keys, weight.shape)
    space = 1
    for radix in radices:
        space *= radix.size
    flat = weight.ravel()
    if space <= max(DENSE_FACTOR * flat.size, 256):
        where = code
        summed = np.bincount(where, weights=flat, minlength=space)
        kept = np.flatnonzero(summed)
        codes = kept
    else:
        where, distinct = pd.factorize(code)
        summed = np.bincount(where, weights=flat, minlength=len(distinct))
        kept = np.flatnonzero(summed)
        codes = distinct[kept]
    total = summed[kept]
    averaged = []
    for mean in means:
        part = np.bincount(where, weights=(weight * mean).ravel(), minlength=len(summed))
        averaged.append(part[kept] / total)
    return _decode(codes, keys, radices), averaged, total


@dataclass(frozen=True)
class _Radix:
    """One digit of a state code: `size` values from `low`; `table` undoes an earlier hashing."""

    place: int
    low: int
    size: int


def _encode(keys: Sequence[Array], shape: tuple[int, ...]) -> tuple[Array, list[_Radix]]:
    radices: list[_Radix] = []
    space = 1
    for place, key in enumerate(keys):
        low, high = int(key.min()), int(key.max())
        radices.append(_Radix(place, low, high - low + 1))
        space *= high - low + 1
    if space.bit_length() > CODE_BITS:
        raise OverflowError(f"a state code of {space.bit_length()} bits; {CODE_BITS} fit")
    code: Array = np.zeros(1, dtype=np.int64)
    stride = 1
    for radix in radices:
        if radix.size > 1:
            code = code + (keys[radix.place] - radix.low).astype(np.int64) * stride
            stride *= radix.size
    return np.broadcast_to(code, shape).ravel(), radices


def _decode(codes: Array, keys: Sequence[Array], radices: Sequence[_Radix]) -> list[Array]:
    found = []
    for key, radix in zip(keys, radices, strict=True):
        if radix.size > 1:
            codes, digit = np.divmod(codes, radix.size)
            found.append((digit + radix.low).astype(key.dtype))
        else:
            found.append(np.full(len(codes), radix.low, dtype=key.dtype))
    return found
