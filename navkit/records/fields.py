"""What a record is made of: the fields of a dataclass with their types, told from their hints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from navkit.errors import InputError, RecordError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    R = TypeVar("R", bound=DataclassInstance)
else:
    R = TypeVar("R")

LARGEST_WHOLE_FLOAT = 2**53


@lru_cache(maxsize=256)
def types_of(kind: type[DataclassInstance]) -> Mapping[str, Any]:
    """The fields of a dataclass in order, with their types."""
    hints = get_type_hints(kind)
    return {entry.name: hints[entry.name] for entry in fields(kind)}


def is_record_type(hint: Any) -> bool:
    """Whether a type is that of a dataclass."""
    return isinstance(hint, type) and is_dataclass(hint)


def is_union(hint: Any) -> bool:
    """Whether a type is one of several."""
    return get_origin(hint) in (Union, UnionType)


def without_none(hint: Any) -> tuple[Any, ...]:
    """The types that a union is of, but for None."""
    return tuple(each for each in get_args(hint) if each is not NoneType)


def plain_number(value: Any) -> int | float:
    """A number as Python's own, an int where it is whole and not too large to be one exactly."""
    if hasattr(value, "__index__"):
        return int(value)
    number = float(value)
    whole = number.is_integer() and abs(number) < LARGEST_WHOLE_FLOAT
    return int(number) if whole else number


def built(values: Mapping[str, Any], kind: type[R], at: str) -> R:
    """The record of those values; what it says against them is placed `at`."""
    try:
        return kind(**values)
    except InputError as error:
        raise RecordError(at, error) from None


def check_names(names: list[str], kind: type[DataclassInstance], what: str, at: str) -> None:
    """Refuse names that `kind` doesn't have or that are repeated, and tell those that lack."""
    known = types_of(kind)
    seen: set[str] = set()
    wrong: InputError | None = None
    for name in names:
        if name not in known:
            wrong = wrong or InputError(what, name, *known)
        elif name in seen:
            wrong = wrong or InputError(what, name, "each name once")
        seen.add(name)
    for entry in fields(kind):
        if entry.name not in seen and _required(entry):
            wrong = wrong or InputError(f"{what}s", names, f"a list with {entry.name!r} too")
    if wrong:
        raise RecordError(at, wrong) if at else wrong


def _required(entry: Field[Any]) -> bool:
    return entry.default is MISSING and entry.default_factory is MISSING


def add(found: dict[Any, R], record: R, unique: str, at: str) -> None:
    """Add a record to those found, by its field `unique` if there is one, else by number."""
    key = getattr(record, unique) if unique else len(found)
    if key in found:
        raise RecordError(at, InputError(unique, key, "each once in a file"))
    found[key] = record


def all_of(records: Iterable[R], kind: type[R]) -> Iterator[R]:
    """The records, each checked to be of that kind."""
    for record in records:
        if not isinstance(record, kind):
            raise InputError("record", record, f"a {kind.__name__}")
        yield record
