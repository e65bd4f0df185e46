"""Records as CSV: a line each under a head with the names of the fields."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import Any

from navkit.errors import InputError, RecordError
from navkit.records.cells import check_cells, from_cell, to_cell
from navkit.records.fields import R, add, all_of, built, check_names
from navkit.records.files import bounded, file_text


def read_csv(path: str | PathLike[str], kind: type[R], *, unique: str = "") -> tuple[R, ...]:
    """The records of a CSV file; see `from_csv`. Raises OSError where it can't be read."""
    return from_csv(file_text(Path(path)), kind, unique=unique, place=Path(path).name)


def write_csv(path: str | PathLike[str], records: Iterable[R], kind: type[R]) -> None:
    """Write records as CSV; what was in the file is replaced. Raises InputError, OSError."""
    Path(path).write_text(to_csv(records, kind), encoding="utf-8", newline="\n")


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
    navkit.errors.RecordError: text, line 2: lights: got 'two', allowed is a whole number
    """
    check_cells(kind)
    bounded(text, place)
    remarks, table = _split_remarks(text)
    reader = csv.reader(io.StringIO(table, newline=""), strict=True)
    rows = _rows(reader, place, remarks)
    at, head = next(rows, (f"{place}, line {remarks + 1}", []))
    check_names(head, kind, "column", at)
    found: dict[Any, R] = {}
    for at, row in rows:
        if len(row) != len(head):
            raise RecordError(at, InputError("cells", len(row), f"{len(head)}, as in the head"))
        record = _record(dict(zip(head, row, strict=True)), kind, at)
        add(found, record, unique, at)
    return tuple(found.values())


def to_csv(records: Iterable[R], kind: type[R]) -> str:
    """Records as the text of a CSV, from which `from_csv` makes the same records.

    Raises InputError for what is no `kind`, and for a `kind` with fields that a CSV can't hold.
    """
    check_cells(kind)
    names = [entry.name for entry in fields(kind)]
    lines = [_csv_line(names)]
    for record in all_of(records, kind):
        lines.append(_csv_line([to_cell(getattr(record, name)) for name in names]))
    return "".join(lines)


def _csv_line(cells: list[str]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerow(cells)  # so that it quotes both of them
    return text.getvalue().removesuffix("\r\n") + "\n"


def _split_remarks(text: str) -> tuple[int, str]:
    """How many lines of remarks stand at the top, and the text after them."""
    text = text.removeprefix("\ufeff")
    lines, at = 0, 0
    while text.startswith("#", at):
        lines, at = lines + 1, text.find("\n", at) + 1 or len(text)
    return lines, text[at:]


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


def _record(cells: dict[str, str], kind: type[R], at: str) -> R:
    try:
        values = {name: from_cell(name, text, kind) for name, text in cells.items()}
    except InputError as error:
        raise RecordError(at, error) from None
    return built(values, kind, at)
