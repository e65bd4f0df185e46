"""The state of a fight: a frozen dataclass of integer arrays, and how states merge.

A state may hold other states (`Fight(a: Side, b: Side)`), and tuples of arrays or of states (the
ships of a fleet); it holds nothing else, and is made without its `__init__`. Fields that drive
the fight are the merge key; fields made with `track()` are carried along and drive nothing, so a
rule may only add to them.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Side:
...     crew: Array
...     dead: Array = track()
>>> [leaf.path for leaf in leaves(Side(np.array([8]), np.array([0])))]
['crew', 'dead']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, lru_cache
from math import prod
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd

from navkit.chance import Array

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
        is_track = bool(each.metadata.get("track"))
        yield from _within(getattr(state, each.name), prefix + each.name, is_track)


def _within(value: Any, path: str, is_track: bool) -> Iterator[Leaf]:
    if isinstance(value, tuple):
        for place, member in enumerate(value):
            yield from _within(member, f"{path}.{place}", is_track)
    elif is_dataclass(value):
        yield from _walk(value, f"{path}.")
    else:
        yield Leaf(path, is_track)


def remembered(ask: Callable[[State], Array]) -> Callable[[State], Array]:
    """`ask`, which remembers its answer for the state that it was last asked about.

    For what tells whether a step is made, and is then the first thing that the step asks.

    >>> hands = remembered(lambda crew: print("counted") or crew)
    >>> crew = np.array([8])
    >>> hands(crew), hands(crew)
    counted
    (array([8]), array([8]))
    """
    last: tuple[State, Array] | None = None

    def answer(state: State) -> Array:
        nonlocal last
        known = last  # one look: battles may be played in several threads
        if known is None or known[0] is not state:
            known = last = state, ask(state)
        return known[1]

    return answer


def flatten(state: Any) -> list[Array]:
    """The arrays of a state, in the order of `leaves`."""
    found: list[Array] = []
    _collect(state, found)
    return found


def _collect(value: Any, found: list[Array]) -> None:
    layout = _layout(value)
    values = layout.read(value)
    if not layout.nests:
        found += values
        return
    for each, nests in zip(values, layout.nested, strict=True):
        if not nests:
            found.append(each)
        elif isinstance(each, tuple):
            for member in each:
                if isinstance(member, np.ndarray):
                    found.append(member)
                else:
                    _collect(member, found)
        else:
            _collect(each, found)


GATHERING = frozenset({"_plan", "_arrays", "_rows", "_met"})
"""What a state that is gathered as it is looked at holds besides its fields; see `rows`."""

if TYPE_CHECKING:
    from dataclasses import replace as replace  # the fields of which type checkers know
else:

    def replace(state: State, /, **changes: Any) -> State:
        """A state with some fields changed, as `dataclasses.replace` gives it.

        The other fields are not looked at: of a state that is gathered as it is looked at (see
        `rows`) no more is gathered. What a state has worked out of its fields and remembers (a
        `cached_property`) is worked out anew. Raises TypeError for a field that it doesn't have.

        >>> @dataclass(frozen=True)
        ... class Side:
        ...     crew: Array
        ...     dead: Array = track()
        >>> replace(Side(np.array([8]), np.array([0])), crew=np.array([7]))
        Side(crew=array([7]), dead=array([0]))
        """
        unknown = changes.keys() - type(state).__dataclass_fields__.keys()
        if unknown:
            raise TypeError(f"a {type(state).__name__} has no {', '.join(sorted(unknown))}")
        kept = _carried(type(state))
        held = {name: value for name, value in state.__dict__.items() if name in kept}
        changed = object.__new__(type(state))
        changed.__dict__.update(held, **changes)
        return changed

    @cache
    def _carried(kind: type) -> frozenset[str]:
        return GATHERING.union(kind.__dataclass_fields__)


def rebuild(like: State, arrays: Sequence[Array]) -> State:
    """A state shaped like `like` that holds `arrays`."""
    state: State = _renewed(like, iter(arrays))
    return state


def _renewed(like: Any, arrays: Iterator[Array]) -> Any:
    layout = _layout(like)
    state = object.__new__(type(like))  # a state is its arrays; frozen fields are slow to set
    held = state.__dict__
    if not layout.nests:
        held.update(zip(layout.names, arrays, strict=False))
        return state
    for name, nests in zip(layout.names, layout.nested, strict=True):
        if not nests:
            held[name] = next(arrays)
            continue
        value = getattr(like, name)
        if isinstance(value, tuple):
            held[name] = tuple(
                next(arrays) if isinstance(member, np.ndarray) else _renewed(member, arrays)
                for member in value
            )
        else:
            held[name] = _renewed(value, arrays)
    return state


@dataclass(frozen=True)
class _Layout:
    """The fields of a kind of state, and whether each holds states or tuples in turn.

    `read` gives the values of all fields.
    """

    names: tuple[str, ...]
    nested: tuple[bool, ...]
    nests: bool
    read: Callable[[Any], tuple[Any, ...]]


_LAYOUTS: dict[type, _Layout] = {}


def _layout(state: Any) -> _Layout:
    known = _LAYOUTS.get(type(state))
    if known is None:
        names = tuple(each.name for each in fields(state))
        nested = tuple(_is_nested(getattr(state, name)) for name in names)
        read = attrgetter(*names) if len(names) > 1 else lambda it: (getattr(it, names[0]),)
        known = _LAYOUTS[type(state)] = _Layout(names, nested, any(nested), read)
    return known


def _is_nested(value: Any) -> bool:
    return isinstance(value, tuple) or is_dataclass(value)


def repeated(array: Array, rows: int) -> Array:
    """An array of one row as that of many, in the memory of one."""
    return np.broadcast_to(array, (*array.shape[:-1], rows))


def at_rows(array: Array, rows: Array) -> Array:
    """A state's array at some rows; what is one number in all of them stays one."""
    if array.strides[-1] == 0:
        return array[..., : len(rows)]
    return array.take(rows, axis=-1)


def merge(
    keys: Sequence[Array], means: Sequence[Array], weight: Array
) -> tuple[list[Array], list[Array], Array]:
    """Equal states become one: keys of the distinct states, weighted means, summed weights.

    All arrays broadcast to the shape of `weight`; what comes back is one-dimensional. States of
    weight 0 vanish. Merging is by counting or hashing, never by sorting. Keys that don't fit one
    code together are hashed in turn.
    """
    radices = _radices(keys)
    space = prod(radix.size for radix in radices)
    if space.bit_length() > CODE_BITS:
        return _merge_in_turn(keys, means, weight, radices)
    code = _encode(keys, radices, weight.shape)
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


def _merge_in_turn(
    keys: Sequence[Array], means: Sequence[Array], weight: Array, radices: Sequence[_Radix]
) -> tuple[list[Array], list[Array], Array]:
    """`merge` of keys whose code doesn't fit: the first of them are numbered, and are one key."""
    sizes = [radix.size for radix in radices]
    fit = max(n for n in range(len(sizes)) if prod(sizes[:n]).bit_length() <= CODE_BITS)
    if fit < 2:
        raise OverflowError(f"keys of {sizes[0]} and {sizes[1]} values don't fit one code")
    code = _encode(keys[:fit], radices[:fit], weight.shape)
    number, distinct = pd.factorize(code)
    together = [number.reshape(weight.shape), *keys[fit:]]
    (first, *others), averaged, total = merge(together, means, weight)
    return _decode(distinct[first], keys[:fit], radices[:fit]) + others, averaged, total


@dataclass(frozen=True)
class _Radix:
    """One digit of a state code: `size` values from `low`."""

    low: int
    size: int


def _radices(keys: Sequence[Array]) -> list[_Radix]:
    ends = (_ends(key) for key in keys)
    return [_Radix(low, high - low + 1) for low, high in ends]


def _ends(key: Array) -> tuple[int, int]:
    if key.size == 1 or not any(key.strides):
        number = int(key.flat[0])
        return number, number
    return int(key.min()), int(key.max())


def _encode(keys: Sequence[Array], radices: Sequence[_Radix], shape: tuple[int, ...]) -> Array:
    code: Array = np.zeros(1, dtype=np.int64)
    stride = 1
    for key, radix in zip(keys, radices, strict=True):
        if radix.size > 1:
            code = code + (key - radix.low).astype(np.int64) * stride
            stride *= radix.size
    return np.broadcast_to(code, shape).ravel()


def _decode(codes: Array, keys: Sequence[Array], radices: Sequence[_Radix]) -> list[Array]:
    found = []
    for key, radix in zip(keys, radices, strict=True):
        if radix.size > 1:
            codes, digit = np.divmod(codes, radix.size)
            found.append((digit + radix.low).astype(key.dtype))
        else:
            found.append(_endless(radix.low, key.dtype)[: len(codes)])
    return found


@lru_cache(maxsize=4096)
def _endless(value: int, kind: np.dtype[Any]) -> Array:
    """A number as an array of as many rows as anybody may want, in the memory of one."""
    return repeated(np.array([value], dtype=kind), np.iinfo(np.intp).max // 64)
