"""The answers of a sweep on disk: a folder of Parquet files, one for each handful of cells.

A file is written beside its place, flushed to the disk and then renamed, so that it is there
whole or not at all; `pandas.read_parquet(folder)` reads those there are at any time. `_plan.json`
tells which sweep they belong to. A lock, which ends with its process however that ends, keeps a
second sweep from writing to the same folder.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pandas as pd

from navkit.errors import InputError
from navkit.sweep.answers import Row

PLAN = "_plan.json"
LOCK = "_lock"
FRESH = ".new"
"""What the name of a file ends with until it is whole."""


@contextmanager
def opened(path: str | os.PathLike[str], identity: str, about: Mapping[str, Any]) -> Iterator[Path]:
    """The folder of a sweep, made if need be, for this sweep alone. Raises InputError for a folder
    of another sweep, of other files, in use, or that can't be written to."""
    folder = Path(path)
    if importlib.util.find_spec("pyarrow") is None:
        raise InputError("to", str(folder), "None without pyarrow: pip install 'navkit[parquet]'")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from None
    if not folder.is_dir():
        raise _unwritable(folder, NotADirectoryError("a file is in its place"))
    _check_plan(folder, identity)
    try:
        lock = (folder / LOCK).open("ab")
    except OSError as error:
        raise _unwritable(folder, error) from None
    with lock:
        if not _locked(lock):
            raise InputError("to", str(folder), "a folder that no other sweep is writing to")
        _check_plan(folder, identity)
        for fresh in folder.glob(f".*{FRESH}"):
            fresh.unlink()  # half a file of a sweep that was killed
        if not (folder / PLAN).exists():
            text = json.dumps({"plan": identity, **about}, indent=1, ensure_ascii=False)
            _placed(folder, PLAN, text.encode())
        yield folder


def _unwritable(folder: Path, error: OSError) -> InputError:
    reason = error.strerror or str(error)
    return InputError("to", str(folder), f"a folder that can be made and written to ({reason})")


def _check_plan(folder: Path, identity: str) -> None:
    plan = folder / PLAN
    if not plan.exists():
        others = [p.name for p in folder.iterdir() if p.name != LOCK and FRESH not in p.name]
        if others:
            allowed = f"a new folder, or that of a sweep; this one holds {others[0]!r}"
            raise InputError("to", str(folder), allowed)
        return
    try:
        found = json.loads(plan.read_text(encoding="utf-8"))["plan"]
    except (ValueError, KeyError, TypeError) as error:
        allowed = f"the folder of a sweep; its {PLAN} can't be read ({error})"
        raise InputError("to", str(folder), allowed) from None
    if found != identity:
        allowed = (
            f"the folder of this very sweep; another one is there (its {PLAN} tells which): "
            "choose another place, or delete it"
        )
        raise InputError("to", str(folder), allowed)


def write(folder: Path, labels: pd.DataFrame, rows: Mapping[int, list[Row]]) -> Path:
    """Puts the answers of some cells, which have none there yet, into a file of their own."""
    numbers = sorted(rows)
    table = framed(labels, rows)
    name = f"part-{numbers[0]:08d}.parquet"
    fresh = folder / f".{name}{FRESH}"
    with fresh.open("wb") as file:
        table.reset_index().to_parquet(file, engine="pyarrow", index=False)
        _flushed(file)
    return _renamed(fresh, folder / name)


def read(folder: Path, labels: pd.DataFrame) -> dict[int, list[Row]]:
    """The answers that are there, by cell. Raises InputError for a file that can't be read."""
    found: dict[int, list[Row]] = {}
    for path in sorted(folder.glob("part-*.parquet")):
        try:
            table = pd.read_parquet(path, engine="pyarrow")
        except (OSError, ValueError) as error:
            allowed = f"the folder of a sweep; {path.name} can't be read ({error})"
            raise InputError("to", str(folder), allowed) from None
        answers = table.columns[1 + labels.shape[1] :]
        columns = {str(n).removesuffix(OF_ANSWER): _values(table[n]) for n in answers}
        own: dict[int, list[Row]] = {}
        for at, cell in enumerate(table["cell"].tolist()):
            own.setdefault(cell, []).append({name: v[at] for name, v in columns.items()})
        for cell, rows in own.items():
            if cell in found:
                allowed = f"the folder of a sweep; cell {cell} is there twice, in {path.name} too"
                raise InputError("to", str(folder), allowed)
            found[cell] = rows
    return found


OF_ANSWER = " (answer)"


def framed(labels: pd.DataFrame, rows: Mapping[int, list[Row]]) -> pd.DataFrame:
    """Answers as a table: the grid's columns, then those of the answer; the index is `cell`.

    A name that both have is that of the grid; the answer's is told `name (answer)`.
    """
    numbers = [cell for cell in sorted(rows) for _ in rows[cell]]
    listed = [row for cell in sorted(rows) for row in rows[cell]]
    names = dict.fromkeys(name for row in listed for name in row)
    taken = {*labels.columns, "cell"}
    columns = {
        f"{name}{OF_ANSWER}" if name in taken else name: _series([row.get(name) for row in listed])
        for name in names
    }
    index = pd.Index(numbers, name="cell", dtype="int64")
    grid = labels.loc[numbers].reset_index(drop=True)
    return pd.concat([grid, pd.DataFrame(columns)], axis=1).set_index(index)


def _series(values: list[Any]) -> pd.Series[Any]:
    if any(isinstance(value, str) for value in values):
        return pd.Series(values, dtype="str")
    if all(value is None or isinstance(value, int) for value in values):
        return pd.Series(values, dtype="Int64" if None in values else "int64")
    missing = float("nan")
    return pd.Series([missing if v is None else float(v) for v in values], dtype="float64")


def _values(column: pd.Series[Any]) -> list[Any]:
    """A column in Python's own values, None where there is nothing; nan is a number."""
    if pd.api.types.is_float_dtype(column):
        return column.tolist()
    return [None if value is pd.NA or value != value else value for value in column.tolist()]


def _placed(folder: Path, name: str, content: bytes) -> None:
    fresh = folder / f".{name}{FRESH}"
    with fresh.open("wb") as file:
        file.write(content)
        _flushed(file)
    _renamed(fresh, folder / name)


def _flushed(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _renamed(fresh: Path, path: Path) -> Path:
    os.replace(fresh, path)
    if sys.platform != "win32":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return path


def _locked(lock: IO[bytes]) -> bool:
    """Whether this process has the lock now; it is given up when the file is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
