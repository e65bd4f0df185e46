"""Dataclasses as CSV and JSON: read strictly, evaluated never, written so that they come back.

A file holds records of one frozen dataclass, whose fields are the columns of the CSV and the names
in the JSON. Fields without a default must be there; unknown ones, and values of another type, are
refused by name and place. Types that a field may have, and their text in a CSV:

| type | text |
|---|---|
| `str`, or a `Literal` of texts | as it is |
| `int`, `float` | `12`, `12.9` |
| `bool` | `yes`, `no` |
| a tuple of so many whole numbers | `4/4/0/0` |
| one of these, or None | the same, or nothing |
| another dataclass of such fields | `gunnery=2 care=lives`, without fields at their default |

Lines before the head of a CSV that begin with `#` are remarks.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from navkit.errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    R = TypeVar("R", bound=DataclassInstance)
else:
    R = TypeVar("R")

LARGEST_FILE = 10_000_000
"""Bytes of a file, or letters of a text, that are read at most."""

YES_NO = {"yes": True, "no": False}
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_DECIMAL = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,24})?([eE][-+]?[0-9]{1,3})?")
_LARGEST_WHOLE_FLOAT = 2**53


class RecordError(InputError):
    """A record that cannot be: `place` tells where it stands, `error` what is wrong with it."""

    def __init__(self, place: str, error: InputError) -> None:
        self.place, self.error = place, error
        ValueError.__init__(self, f"{place}: {error}")


def read_csv(path: str | PathLike[str], kind: type[R], *, unique: str = "") -> tuple[R, ...]:
    """The records of a CSV file; see `from_csv`. Raises OSError where it can't be read."""
    return from_csv(file_text(Path(path)), kind, unique=unique, place=Path(path).name)


def read_json(path: str | PathLike[str], kind: type[R], *, unique: str = "") -> tuple[R, ...]:
    """The records of a JSON file; see `from_json`. Raises OSError where it can't be read."""
    return from_json(file_text(Path(path)), kind, unique=unique, place=Path(path).name)


def write_csv(path: str | PathLike[str], records: Iterable[R], kind: type[R]) -> None:
    """Write records as CSV; what was in the file is replaced. Raises InputError, OSError."""
    Path(path).write_text(to_csv(records, kind), encoding="utf-8", newline="\n")


def write_json(path: str | PathLike[str], records: Iterable[R], kind: type[R]) -> None:
    """Write records as JSON; what was in the file is replaced. Raises InputError, OSError."""
    Path(path).write_text(to_json(records, kind), encoding="utf-8", newline="\n")


# CSV


def from_csv(text: str, kind: type[R], *, unique: str = "", place: str = "text") -> tuple[R, ...]:
    """The records that the text of a CSV holds.

    No two records may have the same value in the field `unique`. Raises RecordError (an
    InputError) with the line and the column for whatever cannot be.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Buoy:
    ...     name: str
    ...     lights: int = 1
    >>> from_csv("# two buoys\\nname,lights\\nRed Head,2\\nGreen Head,3\\n", Buoy)
    (Buoy(name='Red Head', lights=2), Buoy(name='Green Head', lights=3))
    >>> from_csv("name,lights\\nRed Head,two\\n", Buoy)
    Traceback (most recent call last):
        ...
    navkit.records.RecordError: text, line 2: lights: got 'two', allowed is a whole number
    """
    _bounded(text, place)
    remarks, table = _split_remarks(text)
    reader = csv.reader(io.StringIO(table, newline=""), strict=True)
    rows = _rows(reader, place, remarks)
    at, head = next(rows, (f"{place}, line {remarks + 1}", []))
    _check_names(head, kind, "column", at)
    found: dict[Any, R] = {}
    for at, row in rows:
        if len(row) != len(head):
            raise RecordError(at, InputError("cells", len(row), f"{len(head)}, as in the head"))
        record = _record(dict(zip(head, row, strict=True)), kind, _from_text, at)
        _add(found, record, unique, at)
    return tuple(found.values())


def to_csv(records: Iterable[R], kind: type[R]) -> str:
    """Records as the text of a CSV, from which `from_csv` makes the same records.

    Raises InputError for what is no `kind`.
    """
    names = [entry.name for entry in fields(kind)]
    lines = [_csv_line(names)]
    for record in _all_of(records, kind):
        lines.append(_csv_line([_to_text(getattr(record, name)) for name in names]))
    return "".join(lines)


def _csv_line(cells: list[str]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerow(cells)  # so that it quotes both of them
    return text.getvalue().removesuffix("\r\n") + "\n"


def _split_remarks(text: str) -> tuple[int, str]:
    """How many lines of remarks stand at the top, and the text after them."""
    lines, text = 0, text.removeprefix("\ufeff")
    while text.startswith("#"):
        lines, text = lines + 1, text.partition("\n")[2]
    return lines, text


def _rows(reader: Any, place: str, remarks: int) -> Iterator[tuple[str, list[str]]]:
    """The rows that are not empty, each with its place."""
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            at = f"{place}, line {remarks + reader.line_num}"
            raise RecordError(at, InputError("row", str(error), "a row of a CSV")) from None
        if row is None:
            return
        if row:
            yield f"{place}, line {remarks + reader.line_num}", row


# JSON


def from_json(text: str, kind: type[R], *, unique: str = "", place: str = "text") -> tuple[R, ...]:
    """The records that a JSON text holds: a list of objects with the fields' names.

    No two records may have the same value in the field `unique`. Raises RecordError (an
    InputError) with the place of whatever cannot be.
    """
    entries = parse_json(text, place)
    if not isinstance(entries, list):
        raise RecordError(place, InputError("JSON", entries, "a list of objects"))
    found: dict[Any, R] = {}
    for number, entry in enumerate(entries, 1):
        at = f"{place}, entry {number}"
        _add(found, from_plain(entry, kind, at), unique, at)
    return tuple(found.values())


def parse_json(text: str, place: str = "text") -> Any:
    """What a JSON text holds, as lists, dicts, texts and numbers.

    Raises RecordError with the place of what is no plain JSON: a name twice in an object, NaN.
    """
    _bounded(text, place)
    try:
        return json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_object,
            parse_constant=_no_constant,
        )
    except InputError as error:
        raise RecordError(place, error) from None
    except json.JSONDecodeError as error:
        at = f"{place}, line {error.lineno}, column {error.colno}"
        raise RecordError(at, InputError("JSON", error.msg, "JSON")) from None
    except (ValueError, RecursionError) as error:  # numbers too long, lists in lists in lists
        raise RecordError(place, InputError("JSON", str(error), "plain JSON")) from None


def to_json(records: Iterable[R], kind: type[R]) -> str:
    """Records as JSON, from which `from_json` makes the same records; InputError as `to_csv`."""
    listed = [to_plain(record) for record in _all_of(records, kind)]
    return json.dumps(listed, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def from_plain(entry: Any, kind: type[R], at: str) -> R:
    """The record that an object of JSON stands for; RecordError, placed `at`, for others."""
    if not isinstance(entry, dict):
        raise RecordError(at, InputError("entry", entry, "an object"))
    _check_names(list(entry), kind, "field", at)
    return _record(entry, kind, _from_json, at)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("fields", [name for name, _ in pairs], "each name once")
    return found


def _no_constant(name: str) -> None:
    raise InputError("number", name, "a number")


# One value


def from_text(text: str, kind: type[R]) -> R:
    """The record that a text such as `gunnery=2 care=lives` names; the order is free.

    Raises InputError for unknown, repeated and missing fields and for values of another type.
    """
    named: dict[str, str] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals or name in named:
            allowed = f"name=value with each name once, of {', '.join(_types(kind))}"
            raise InputError(kind.__name__, part, allowed)
        named[name] = value
    _check_names(list(named), kind, f"field of {kind.__name__}", "")
    return kind(**{name: _from_text(name, value, kind) for name, value in named.items()})


def to_text(record: DataclassInstance) -> str:
    """A record as `from_text` reads it, without the fields that have their default."""
    given = [
        (entry.name, getattr(record, entry.name))
        for entry in fields(record)
        if getattr(record, entry.name) != entry.default
    ]
    return " ".join(f"{name}={_to_text(value)}" for name, value in given)


def _from_text(name: str, text: str, kind: type[DataclassInstance]) -> Any:
    hint = _types(kind)[name]
    if isinstance(hint, UnionType):
        if not text:
            return None
        hint = _without_none(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        try:
            return from_text(text, hint)
        except InputError as error:
            raise RecordError(name, error) from None
    if get_origin(hint) is tuple:
        parts = text.split("/")
        allowed = f"{len(get_args(hint))} whole numbers with / between them"
        if len(parts) != len(get_args(hint)) or not all(map(_WHOLE.fullmatch, parts)):
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
    return text


def _matched(name: str, text: str, pattern: re.Pattern[str], allowed: str) -> str:
    if not pattern.fullmatch(text):
        raise InputError(name, text, allowed)
    return text


def _to_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(map(_to_text, value))
    if is_dataclass(value) and not isinstance(value, type):
        return to_text(value)
    return str(_plain_number(value))


def _from_json(name: str, value: Any, kind: type[DataclassInstance]) -> Any:
    hint = _types(kind)[name]
    if isinstance(hint, UnionType):
        if value is None:
            return None
        hint = _without_none(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        return from_plain(value, hint, name)
    if get_origin(hint) is tuple:
        size = len(get_args(hint))
        if not isinstance(value, list) or len(value) != size or not all(map(_is_int, value)):
            raise InputError(name, value, f"a list of {size} whole numbers")
        return tuple(value)
    if hint is int and not _is_int(value):
        raise InputError(name, value, "a whole number")
    if hint is float:
        if not isinstance(value, float) and not (_is_int(value) and abs(value) < 2**63):
            raise InputError(name, value, "a number")
        return float(value)
    if hint is bool and not isinstance(value, bool):
        raise InputError(name, value, "true", "false")
    if (hint is str or get_origin(hint) is Literal) and not isinstance(value, str):
        raise InputError(name, value, "a text")
    return value


def to_plain(value: Any) -> Any:
    """A record, or a value of one, as JSON holds it: dicts, lists, texts, numbers."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, tuple):
        return [to_plain(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: to_plain(getattr(value, entry.name)) for entry in fields(value)}
    return _plain_number(value)


def _plain_number(value: Any) -> int | float:
    """A number as Python's own, an int where it is whole and not too large to be one exactly."""
    if hasattr(value, "__index__"):
        return int(value)
    number = float(value)
    whole = number.is_integer() and abs(number) < _LARGEST_WHOLE_FLOAT
    return int(number) if whole else number


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _without_none(hint: UnionType) -> Any:
    (inner,) = (each for each in get_args(hint) if each is not NoneType)
    return inner


# Checks


@lru_cache(maxsize=64)
def _types(kind: type[DataclassInstance]) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {entry.name: hints[entry.name] for entry in fields(kind)}


def _record(
    values: Mapping[str, Any],
    kind: type[R],
    read: Callable[[str, Any, type[DataclassInstance]], Any],
    at: str,
) -> R:
    try:
        return kind(**{name: read(name, value, kind) for name, value in values.items()})
    except InputError as error:
        raise RecordError(at, error) from None


def _check_names(names: list[str], kind: type[DataclassInstance], what: str, at: str) -> None:
    """Refuse names that `kind` doesn't have or that are repeated, and tell those that lack."""
    known = list(_types(kind))
    wrong: InputError | None = None
    for place, name in enumerate(names):
        if name not in known:
            wrong = wrong or InputError(what, name, *known)
        elif name in names[:place]:
            wrong = wrong or InputError(what, name, "each name once")
    for entry in fields(kind):
        if entry.name not in names and _required(entry):
            wrong = wrong or InputError(f"{what}s", names, f"a list with {entry.name!r} too")
    if wrong:
        raise RecordError(at, wrong) if at else wrong


def _required(entry: Field[Any]) -> bool:
    return entry.default is MISSING and entry.default_factory is MISSING


def _add(found: dict[Any, R], record: R, unique: str, at: str) -> None:
    """Add a record to those found, by its field `unique` if there is one, else by number."""
    key = getattr(record, unique) if unique else len(found)
    if key in found:
        raise RecordError(at, InputError(unique, key, "each once in a file"))
    found[key] = record


def _all_of(records: Iterable[R], kind: type[R]) -> Iterator[R]:
    for record in records:
        if not isinstance(record, kind):
            raise InputError("record", record, f"a {kind.__name__}")
        yield record


def _bounded(text: Any, place: str) -> None:
    if not isinstance(text, str):
        raise RecordError(place, InputError("text", text, "a text"))
    if len(text) > LARGEST_FILE:
        allowed = f"at most {LARGEST_FILE} letters"
        raise RecordError(place, InputError("length", len(text), allowed))


def file_text(path: Path) -> str:
    """The text of a file of records. Raises RecordError where it is too large or no UTF-8."""
    with path.open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        allowed = f"at most {LARGEST_FILE} bytes"
        raise RecordError(path.name, InputError("size", "more", allowed))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        bad = f"byte {content[error.start]:#x} at {error.start}"
        raise RecordError(path.name, InputError("text", bad, "UTF-8")) from None
