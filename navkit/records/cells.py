"""The values of records as text: the cells of a CSV, and records in one text."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from navkit.errors import InputError, RecordError
from navkit.records.fields import (
    R,
    check_names,
    is_record_type,
    is_union,
    plain_number,
    types_of,
    without_none,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

YES_NO = {"yes": True, "no": False}
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_DECIMAL = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,24})?([eE][-+]?[0-9]{1,3})?")


def from_text(text: str, kind: type[R]) -> R:
    """The record that a text such as `gunnery=2 care=lives` names; the order is free.

    Raises InputError for unknown, repeated and missing fields and for values of another type.
    """
    check_cells(kind)
    named: dict[str, str] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals or name in named:
            allowed = f"name=value with each name once, of {', '.join(types_of(kind))}"
            raise InputError(kind.__name__, part, allowed)
        named[name] = value
    check_names(list(named), kind, f"field of {kind.__name__}", "")
    return kind(**{name: from_cell(name, value, kind) for name, value in named.items()})


def to_text(record: DataclassInstance) -> str:
    """A record as `from_text` reads it, without the fields that have their default."""
    check_cells(type(record))
    given = [
        (entry.name, getattr(record, entry.name))
        for entry in fields(record)
        if getattr(record, entry.name) != entry.default
    ]
    return " ".join(f"{name}={to_cell(value)}" for name, value in given)


def check_cells(kind: type[DataclassInstance]) -> None:
    """Raises InputError for a dataclass with a field that has no text in a CSV."""
    for name, hint in types_of(kind).items():
        options = without_none(hint) if is_union(hint) else (hint,)
        inner = options[0]
        several = get_origin(inner) is tuple and not all(each is int for each in get_args(inner))
        known = is_record_type(inner) or get_origin(inner) in (tuple, Literal)
        if len(options) > 1 or several or not (known or inner in (str, int, float, bool)):
            raise InputError(f"{kind.__name__} as a CSV", name, "JSON, since it has no cell")


def from_cell(name: str, text: str, kind: type[DataclassInstance]) -> Any:
    """The value that a cell of a CSV stands for. Raises InputError for others."""
    hint = types_of(kind)[name]
    if is_union(hint):
        if not text:
            return None
        (hint,) = without_none(hint)
    if is_record_type(hint):
        try:
            return from_text(text, hint)
        except InputError as error:
            raise RecordError(name, error) from None
    if get_origin(hint) is tuple:
        size, parts = len(get_args(hint)), text.split("/")
        allowed = f"{size} whole numbers with / between them"
        if len(parts) != size or not all(map(_WHOLE.fullmatch, parts)):
            raise InputError(name, text, allowed)
        return tuple(map(int, parts))
    if hint is int:
        return int(_matched(name, text, _WHOLE, "a whole number"))
    if hint is float:
        return float(_matched(name, text, _DECIMAL, "a number"))
    if hint is bool:
        if text not in YES_NO:
            raise InputError(name, text, *YES_NO)
        return YES_NO[text]
    if get_origin(hint) is Literal and text not in get_args(hint):
        raise InputError(name, text, *get_args(hint))
    return text


def _matched(name: str, text: str, pattern: re.Pattern[str], allowed: str) -> str:
    if not pattern.fullmatch(text):
        raise InputError(name, text, allowed)
    return text


def to_cell(value: Any) -> str:
    """A value as the cell of a CSV holds it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(map(to_cell, value))
    if is_dataclass(value) and not isinstance(value, type):
        return to_text(value)
    return str(plain_number(value))
