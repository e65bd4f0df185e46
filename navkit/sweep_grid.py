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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from math import prod
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import numpy as np
import pandas as pd

from navkit.errors import InputError

MOST_CELLS = 100_000
"""Cells of a sweep at most."""

RULEBOOKS = "navkit.rulebooks."
Label = bool | int | float | str | None
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
        caller = _Caller(question, dict(fixed))
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
        return _parameters(self.question)

    def identity(self, *more: Any) -> str:
        """A hash that is the same for the same plan only. Raises InputError for what has none."""
        told = [name_of(self.question), plain(self.settings), plain(more)]
        text = json.dumps(told, sort_keys=False, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


# A grid, read


@dataclass(frozen=True)
class _Axis:
    name: str
    labels: tuple[Label, ...]
    values: tuple[Any, ...]


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


def _axis(name: str, given: Any, most: int) -> _Axis:
    """The values of one name: those of a list, or a single one; a mapping gives each its label."""
    if isinstance(given, Mapping):
        pairs = [(_plain_label(name, key), _unboxed(value)) for key, value in given.items()]
    else:
        values = islice(given, most + 1) if _several(given) else [given]
        pairs = [(label_of(value), value) for value in map(_unboxed, values)]
    if not pairs:
        raise InputError(f"values of {name}", given, "at least one value")
    labels = tuple(label for label, _ in pairs)
    seen: set[tuple[type, Label]] = set()
    for label in labels:
        if (type(label), label) in seen:
            allowed = "each once; {label: value, ...} tells values of one name apart"
            raise InputError(f"values of {name}", label, allowed)
        seen.add((type(label), label))
    return _Axis(name, labels, tuple(value for _, value in pairs))


def _several(given: Any) -> bool:
    single = isinstance(given, str | bytes) or is_dataclass(given)
    return isinstance(given, Iterable) and not single


def _unboxed(value: Any) -> Any:
    """What numpy and pandas hand out, as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


def _plain_label(name: str, label: Any) -> Label:
    label = _unboxed(label)
    if label is not None and not isinstance(label, bool | int | float | str):
        raise InputError(f"label of a value of {name}", label, "a text or a number")
    return label


def label_of(value: Any) -> Label:
    """How a value is told in a table: itself if it is a number or a text, else its name.

    >>> label_of(12), label_of((4, 4, 1, 0)), label_of(Fraction(1, 2))
    (12, '4/4/1/0', '1/2')
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list):
        return "/".join(str(label_of(each)) for each in value)
    name = getattr(value, "name", None)
    return name if isinstance(name, str) and name else str(value)


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


# Arguments, built


class _Caller:
    """Makes the arguments of calls of a question."""

    def __init__(self, question: Callable[..., Any], fixed: dict[str, Any]) -> None:
        self.question, self.fixed = question, fixed
        self.parameters = _parameters(question)
        self.hints = _hints(question)
        for name in fixed:
            self._known(name)

    def check(self, names: Sequence[str]) -> None:
        """Refuses names that the question doesn't have, and tells those it lacks."""
        for name in names:
            self._known(name.split(".")[0])
            if name in self.fixed:
                allowed = "in the grid or beside it, not both"
                raise InputError(f"parameter {name}", self.fixed[name], allowed)
        for name, parameter in self.parameters.items():
            given = name in names or name in self.fixed
            if not given and parameter.default is inspect.Parameter.empty:
                allowed = f"a grid with {name!r} too"
                raise InputError(f"grid of {self.question.__name__}", list(names), allowed)

    def _known(self, name: str) -> None:
        if name not in self.parameters:
            raise InputError(f"parameter of {self.question.__name__}", name, *self.parameters)

    def calls(self, axes: list[_Axis]) -> Iterator[tuple[tuple[Label, ...], dict[str, Any]]]:
        """The labels and arguments of all combinations; each distinct argument is built once."""
        roots = list(dict.fromkeys([*self.fixed, *(axis.name.split(".")[0] for axis in axes)]))
        places = {
            root: [at for at, axis in enumerate(axes) if axis.name.split(".")[0] == root]
            for root in roots
        }
        built: dict[str, dict[tuple[int, ...], Any]] = {}
        for root, mine in places.items():
            choices = product(*(range(len(axes[at].values)) for at in mine))
            built[root] = {
                choice: self._argument(
                    root,
                    {axes[a].name: axes[a].values[c] for a, c in zip(mine, choice, strict=True)},
                )
                for choice in choices
            }
        for choice in product(*(range(len(axis.values)) for axis in axes)):
            arguments = {
                root: built[root][tuple(choice[at] for at in mine)] for root, mine in places.items()
            }
            labels = (axis.labels[at] for axis, at in zip(axes, choice, strict=True))
            yield tuple(labels), arguments

    def _argument(self, root: str, given: dict[str, Any]) -> Any:
        default = self.fixed.get(root, self._default(root))
        value = self._ready(root, given.get(root, default))
        for name in sorted(given, key=lambda each: each.count(".")):
            if name != root:
                if value is None:
                    value = self._made(root)
                value = changed(value, name.split(".")[1:], given[name], root)
        return value

    def _default(self, root: str) -> Any:
        default = self.parameters[root].default
        return None if default is inspect.Parameter.empty else default

    def _ready(self, root: str, value: Any) -> Any:
        """A text that names a ready ship, where a ship is wanted, as that ship."""
        kinds = _classes(self.hints.get(root))
        if str in kinds:
            return value
        for kind in kinds:
            rulebook = _rulebook(kind)
            builder = getattr(rulebook, "ship", None)
            if builder is not None and _hints(builder).get("return") is kind:
                if isinstance(value, str):
                    return builder(value)
                if isinstance(value, tuple | list):
                    made = [builder(each) if isinstance(each, str) else each for each in value]
                    return type(value)(made)
        return value

    def _made(self, root: str) -> Any:
        """A value to change where None is given: that of the one class that may stand there."""
        kinds = [kind for kind in _classes(self.hints.get(root)) if is_dataclass(kind)]
        if len(kinds) != 1 or any(_is_required(p) for p in _parameters(kinds[0]).values()):
            allowed = f"a value whose fields to change, given as {root}=..."
            raise InputError(root, None, allowed)
        return kinds[0]()

    def found(self, arguments: Mapping[str, Any], name: str) -> Label:
        """What stands at a name in the arguments of a cell whose grid does not have it."""
        root, *path = name.split(".")
        value = arguments[root] if root in arguments else self._argument(root, {})
        if value is None and path:
            value = self._made(root)
        for step in path:
            value = value[int(step)] if isinstance(value, tuple) else getattr(value, step)
        return label_of(_unboxed(value))


def changed(value: Any, path: Sequence[str], new: Any, at: str) -> Any:
    """`value` with the field at `path` changed, however deep it lies; numbers lead into tuples.

    >>> from navkit.rulebooks import gurps
    >>> changed(gurps.ship("Sloop"), ["officers", "medic"], 2, "a").officers.medic
    2
    >>> changed(gurps.ship("Sloop"), ["sails"], 2, "a")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: field of a: got 'sails', allowed are 'name', 'kph', 'dr', 'hull', \
'cannons', 'damage', 'range', 'scale', 'size_modifier', 'crew', 'skeleton_crew', 'weight', \
'price', 'expertise', 'officers', 'weapon'
    """
    first, *rest = path
    inside = f"{at}.{first}"
    if isinstance(value, tuple):
        if not first.isdecimal() or int(first) >= len(value):
            raise InputError(f"place in {at}", first, *map(str, range(len(value))))
        place = int(first)
        part = changed(value[place], rest, new, inside) if rest else new
        return (*value[:place], part, *value[place + 1 :])
    if not is_dataclass(value) or isinstance(value, type):
        raise InputError(at, value, f"a ship, house rules or the like, to change its {first!r}")
    names = [entry.name for entry in fields(value) if entry.init]
    if first not in names:
        raise InputError(f"field of {at}", first, *names)
    part = changed(getattr(value, first), rest, new, inside) if rest else new
    return replace(value, **{first: part})


def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = inspect.signature(function).parameters
    return {name: each for name, each in found.items() if each.kind in kinds}


def _is_required(parameter: inspect.Parameter) -> bool:
    return parameter.default is inspect.Parameter.empty


def _hints(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The types of a function's parameters, and of its `return`; without those that exist for type
    checkers only, which costs no more than that ships can't be named by text there."""
    written = getattr(function, "__annotations__", {})
    names = getattr(function, "__globals__", {})
    found: dict[str, Any] = {}
    for name, hint in written.items():
        with suppress(NameError, TypeError):
            one = SimpleNamespace(__annotations__={name: hint})
            found |= get_type_hints(one, globalns=names)
    return found


def _classes(hint: Any) -> list[type]:
    """All classes that a type is made of, such as Ship in `Ship | Sequence[Ship]`."""
    inner = [kind for part in get_args(hint) for kind in _classes(part)]
    own = [hint] if isinstance(hint, type) and not get_args(hint) else []
    return list(dict.fromkeys(kind for kind in own + inner if kind is not type(None)))


def _rulebook(kind: type) -> Any:
    """The package of the rulebook that a class belongs to, None for others."""
    module = kind.__module__
    if not module.startswith(RULEBOOKS):
        return None
    return sys.modules[RULEBOOKS + module.removeprefix(RULEBOOKS).split(".")[0]]


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
    value = _unboxed(value)
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
