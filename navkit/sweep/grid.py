"""The cells of a sweep: every combination of the values of its grid, as a call of its question.

A grid names parameters of a function, or fields within them (`a.officers.medic`), and the values
that each is to have. Ready ships may be named by text. All values are looked at, and all ships
and house rules built, before anything is asked.

>>> from navkit.rulebooks import gurps
>>> plan = Plan.of(gurps.duel, {"a": ["Sloop", "Brig"], "b": "Sloop", "a.crew": [8, 10]}, {})
>>> len(plan), plan.cells[3].name
(4, 'a=Brig, b=Sloop, a.crew=10')
>>> plan.cells[3].arguments["a"].crew
10
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import prod
from typing import Any

import pandas as pd

from navkit.errors import InputError
from navkit.sweep.calls import Axis, Caller, Label, label_of, parameters_of, unboxed

MOST_CELLS = 100_000
"""Cells of a sweep at most."""

Grid = Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    """One call of the question: its number, its name for people, and the arguments."""

    number: int
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """A question and its cells; `labels` has a column for each name of the grid, in order."""

    question: Callable[..., Any]
    cells: tuple[Cell, ...]
    labels: pd.DataFrame
    settings: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.cells)

    @classmethod
    def of(
        cls,
        question: Callable[..., Any],
        grid: Grid | Sequence[Grid],
        fixed: Mapping[str, Any],
        most: int = MOST_CELLS,
    ) -> Plan:
        """The plan of asking `question` in all cells of a grid, or of several, one after another.

        Raises InputError for whatever cannot be: a name the question doesn't have, a value that a
        ship or a house rule refuses, a grid without values, or one of more than `most` cells.
        """
        if not callable(question):
            raise InputError("question", question, "a function, such as gurps.duel")
        grids = _grids(grid)
        caller = Caller(question, dict(fixed))
        axes = [[_axis(name, given, most) for name, given in each.items()] for each in grids]
        size = sum(prod(len(axis.values) for axis in each) for each in axes)
        if size > most:
            raise InputError("cells", size, f"at most {most}; leave values out, or raise `most`")
        columns = list(dict.fromkeys(axis.name for each in axes for axis in each))
        cells: list[Cell] = []
        rows: list[list[Label]] = []
        for each in axes:
            caller.check([axis.name for axis in each])
            for labels, arguments in caller.calls(each):
                own = dict(zip((axis.name for axis in each), labels, strict=True))
                name = ", ".join(f"{key}={value}" for key, value in own.items())
                cells.append(Cell(len(cells), name or "as it is", arguments))
                rows.append([own[c] if c in own else caller.found(arguments, c) for c in columns])
        table = pd.DataFrame(
            {name: _column([row[at] for row in rows]) for at, name in enumerate(columns)},
            index=pd.RangeIndex(len(cells), name="cell"),
        )
        return cls(question, tuple(cells), table, {"grids": grids, "fixed": dict(fixed)})

    @cached_property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The parameters of the question by name."""
        return parameters_of(self.question)

    def identity(self, *more: Any) -> str:
        """A hash that is the same for the same plan only. Raises InputError for what has none."""
        told = [name_of(self.question), plain(self.settings), plain(more)]
        text = json.dumps(told, sort_keys=False, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


# A grid, read


def _grids(grid: Any) -> list[Grid]:
    grids = [grid] if isinstance(grid, Mapping) else grid
    if isinstance(grids, str) or not isinstance(grids, Sequence) or not grids:
        raise InputError("grid", grid, "{name: values, ...}, or a list of such grids")
    for each in grids:
        if not isinstance(each, Mapping) or not all(isinstance(name, str) for name in each):
            raise InputError("grid", each, "{name: values, ...} with texts as names")
    if grids == [{}]:
        raise InputError("grid", {}, "at least one name with its values")
    return list(grids)


def _axis(name: str, given: Any, most: int) -> Axis:
    """The values of one name: those of a list, or a single one; a mapping gives each its label."""
    if isinstance(given, Mapping):
        pairs = [(_plain_label(name, key), unboxed(value)) for key, value in given.items()]
    else:
        values = islice(given, most + 1) if _several(given) else [given]
        pairs = [(label_of(value), value) for value in map(unboxed, values)]
    if not pairs:
        raise InputError(f"values of {name}", given, "at least one value")
    labels = tuple(label for label, _ in pairs)
    seen: set[tuple[type, Label]] = set()
    for label in labels:
        if (type(label), label) in seen:
            allowed = "each once; {label: value, ...} tells values of one name apart"
            raise InputError(f"values of {name}", label, allowed)
        seen.add((type(label), label))
    return Axis(name, labels, tuple(value for _, value in pairs))


def _several(given: Any) -> bool:
    single = isinstance(given, str | bytes) or is_dataclass(given)
    return isinstance(given, Iterable) and not single


def _plain_label(name: str, label: Any) -> Label:
    label = unboxed(label)
    if label is not None and not isinstance(label, bool | int | float | str):
        raise InputError(f"label of a value of {name}", label, "a text or a number")
    return label


def _column(labels: list[Label]) -> pd.Series[Any]:
    """A column of labels of one kind: numbers as numbers where they all are, else texts."""
    kinds = {type(label) for label in labels} - {type(None)}
    missing = any(label is None for label in labels)
    if kinds == {bool}:
        return pd.Series(labels, dtype="boolean" if missing else "bool")
    if kinds == {int} and all(abs(label) < 2**63 for label in labels if isinstance(label, int)):
        return pd.Series(labels, dtype="Int64" if missing else "int64")
    if kinds and kinds <= {int, float}:
        return pd.Series(labels, dtype="float64")
    return pd.Series([None if each is None else str(each) for each in labels], dtype="str")


# What a plan is known by


def name_of(function: Any) -> str:
    """The name under which a function is found again. Raises InputError for one that is not."""
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    found: Any = sys.modules.get(module or "")
    for part in (name or "").split("."):
        found = getattr(found, part, None)
    if found is not function or module == "__main__":
        allowed = "a function with a name of its own in a module that can be imported"
        raise InputError("function", function, allowed)
    return f"{module}.{name}"


def plain(value: Any) -> Any:
    """A value in lists and texts alone, the same for equal values only."""
    value = unboxed(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return ["float", value.hex()]
    if isinstance(value, Enum | Fraction):
        return [type(value).__name__, str(value)]
    if is_dataclass(value) and not isinstance(value, type):
        parts = [[entry.name, plain(getattr(value, entry.name))] for entry in fields(value)]
        return [type(value).__module__, type(value).__qualname__, parts]
    if isinstance(value, Mapping):
        return ["mapping", [[plain(key), plain(each)] for key, each in value.items()]]
    if isinstance(value, Iterable):
        return ["several", [plain(each) for each in value]]
    if callable(value):
        return ["function", name_of(value)]
    raise InputError("value", value, "numbers, texts, ships, house rules, and lists of them")
