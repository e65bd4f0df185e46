"""Records as JSON holds them: dicts, lists, texts, numbers, true, false and null."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from navkit.errors import InputError, RecordError
from navkit.records.fields import (
    R,
    built,
    check_names,
    is_record_type,
    is_union,
    plain_number,
    types_of,
    without_none,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

CLASS = "class"
"""Under this name an object tells which of several dataclasses it is; no field can have it."""

SIMPLE = frozenset((int, float, bool, str))


def to_plain(value: Any) -> Any:
    """A record, or a value of one, as JSON holds it. Raises InputError for what no record holds.

    >>> from navkit.rulebooks.sea_battles import Unit
    >>> to_plain((Unit("Orc boy", 9), 2.5, None))
    [{'kind': 'Orc boy', 'models': 9, 'name': '', 'standard': False}, 2.5, None]
    """
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, tuple):
        return [to_plain(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        told = {CLASS: type(value).__name__} if _inherits(type(value)) else {}
        return told | {entry.name: to_plain(getattr(value, entry.name)) for entry in fields(value)}
    try:
        return plain_number(value)
    except (TypeError, ValueError):
        allowed = "a record, tuple, text, number, True, False or None"
        raise InputError("value", value, allowed) from None


def from_plain(entry: Any, kind: type[R], at: str) -> R:
    """The record that an object of JSON stands for.

    Raises RecordError (an InputError) that names the place, which is `at` or within it.

    >>> from navkit.rulebooks.sea_battles import Ship
    >>> raft = {"name": "Raft", "size": 1, "propulsion": "oars", "troops": [{"kind": "Orc boy"}]}
    >>> from_plain(raft, Ship, "a").aboard
    1
    >>> from_plain(raft | {"troops": [{"kind": "Orc boy", "models": "few"}]}, Ship, "a")
    Traceback (most recent call last):
        ...
    navkit.errors.RecordError: a, troops 1: models: got 'few', allowed is a whole number
    """
    if not isinstance(entry, Mapping):
        raise RecordError(at, InputError("entry", entry, "an object"))
    told = dict(entry)
    kind = _kind(told.pop(CLASS), kind, at) if CLASS in told else kind
    check_names(list(told), kind, "field", at)
    hints = types_of(kind)
    read = {name: value_from_plain(each, hints[name], name, at) for name, each in told.items()}
    return built(read, kind, at)


def value_from_plain(value: Any, hint: Any, what: str, at: str) -> Any:
    """The value of a type that plain JSON stands for; `what` is its name.

    Raises RecordError for others, placed `at` or within it, and TypeError for a type that no
    record holds.
    """
    if hint not in SIMPLE:
        if is_union(hint):
            return _one_of(value, hint, what, at)
        if is_record_type(hint):
            if not isinstance(value, Mapping):
                raise _refused(value, hint, what, at)
            return from_plain(value, hint, f"{at}, {what}")
        if get_origin(hint) is tuple:
            return _tuple(value, hint, what, at)
    if not _holds(value, hint):
        raise _refused(value, hint, what, at)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint[value]
    return float(value) if hint is float else value


def _one_of(value: Any, hint: Any, what: str, at: str) -> Any:
    if value is None and NoneType in get_args(hint):
        return None
    options = without_none(hint)
    if len(options) == 1:
        return value_from_plain(value, options[0], what, at)
    for option in options:
        try:
            return value_from_plain(value, option, what, at)
        except RecordError:
            continue
    raise _refused(value, hint, what, at)


def _tuple(value: Any, hint: Any, what: str, at: str) -> tuple[Any, ...]:
    inner = get_args(hint)
    if not isinstance(value, list):
        raise _refused(value, hint, what, at)
    if inner[-1:] == (Ellipsis,):
        inner = inner[:1] * len(value)
    elif len(value) != len(inner):
        raise _refused(value, hint, what, at)
    return tuple(
        value_from_plain(each, own, f"{what} {number}", at)
        for number, (each, own) in enumerate(zip(value, inner, strict=True), 1)
    )


def _holds(value: Any, hint: Any) -> bool:
    """Whether a value of JSON is one of a simple type."""
    if hint is int:
        return _is_int(value)
    if hint is float:
        return (
            isfinite(value) if isinstance(value, float) else _is_int(value) and abs(value) < 2**63
        )
    if hint is bool:
        return isinstance(value, bool)
    if hint is str:
        return isinstance(value, str) and not _is_broken(value)
    if get_origin(hint) is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return isinstance(value, str) and value in hint.__members__
    raise TypeError(f"no record holds {hint}")


def _refused(value: Any, hint: Any, what: str, at: str) -> RecordError:
    return RecordError(at, InputError(what, value, *_allowed(hint)))


def _allowed(hint: Any) -> tuple[str, ...]:
    """What an error says is allowed."""
    if is_union(hint):
        return tuple(each for option in without_none(hint) for each in _allowed(option))
    if get_origin(hint) is Literal:
        return tuple(map(str, get_args(hint)))
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        return ("a list",) if inner[-1:] == (Ellipsis,) else (f"a list of {len(inner)}",)
    if is_record_type(hint):
        return ("an object",)
    if issubclass(hint, Enum):
        return tuple(hint.__members__)
    words = {bool: ("true", "false"), str: ("a text",), float: ("a number",)}
    return words.get(hint, ("a whole number",))


def _kind(name: Any, kind: type[R], at: str) -> type[R]:
    """The dataclass of that name among `kind` and those of its module that inherit from it."""
    known = {each.__name__: each for each in _heirs(kind)}
    if not isinstance(name, str) or name not in known:
        raise RecordError(at, InputError(CLASS, name, *known))
    return known[name]


def _heirs(kind: type[R]) -> list[type[R]]:
    """A dataclass, and those of its module that inherit from it."""
    below = [heir for each in kind.__subclasses__() for heir in _heirs(each)]
    return [kind, *(each for each in below if each.__module__ == kind.__module__)]


def _inherits(kind: type[DataclassInstance]) -> bool:
    return any(map(is_dataclass, kind.__mro__[1:]))


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_broken(text: str) -> bool:
    """Whether a text has half a character in it, which no file can hold."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)
