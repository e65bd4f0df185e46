"""Records as JSON: a list of objects with the names of the fields."""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

from navkit.errors import InputError, RecordError
from navkit.records.fields import R, add, all_of
from navkit.records.files import bounded, file_text
from navkit.records.plain import from_plain, to_plain


def read_json(path: str | PathLike[str], kind: type[R], *, unique: str = "") -> tuple[R, ...]:
    """The records of a JSON file; see `from_json`. Raises OSError where it can't be read."""
    return from_json(file_text(Path(path)), kind, unique=unique, place=Path(path).name)


def write_json(path: str | PathLike[str], records: Iterable[R], kind: type[R]) -> None:
    """Write records as JSON; what was in the file is replaced. Raises InputError, OSError."""
    Path(path).write_text(to_json(records, kind), encoding="utf-8", newline="\n")


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
        add(found, from_plain(entry, kind, at), unique, at)
    return tuple(found.values())


def parse_json(text: str, place: str = "text") -> Any:
    """What a JSON text holds, as lists, dicts, texts and numbers.

    Raises RecordError with the place of what is no plain JSON: a name twice in an object, NaN.
    """
    bounded(text, place)
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
    listed = [to_plain(record) for record in all_of(records, kind)]
    return json.dumps(listed, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("fields", [name for name, _ in pairs], "each name once")
    return found


def _no_constant(name: str) -> None:
    raise InputError("number", name, "a number")
