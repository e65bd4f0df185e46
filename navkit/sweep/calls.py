"""Calls of a sweep's question: the arguments of each, built from the values of a grid."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from itertools import product
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import numpy as np

from navkit.errors import InputError
from navkit.paths import changed, value_at

RULEBOOKS = "navkit.rulebooks."
Label = bool | int | float | str | None


@dataclass(frozen=True)
class Axis:
    """A name of a grid with its values, and how each is told in the table."""

    name: str
    labels: tuple[Label, ...]
    values: tuple[Any, ...]


def unboxed(value: Any) -> Any:
    """What numpy and pandas hand out, as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


def label_of(value: Any) -> Label:
    """How a value is told in a table: itself if it is a number or a text, else its name.

    >>> from fractions import Fraction
    >>> label_of(12), label_of((4, 4, 1, 0)), label_of(Fraction(1, 2))
    (12, '4/4/1/0', '1/2')
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list):
        return "/".join(str(label_of(each)) for each in value)
    name = getattr(value, "name", None)
    return name if isinstance(name, str) and name else str(value)


class Caller:
    """Makes the arguments of calls of a question."""

    def __init__(self, question: Callable[..., Any], fixed: dict[str, Any]) -> None:
        self.question, self.fixed = question, fixed
        self.parameters = parameters_of(question)
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

    def calls(self, axes: list[Axis]) -> Iterator[tuple[tuple[Label, ...], dict[str, Any]]]:
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
        if len(kinds) != 1 or any(_is_required(p) for p in parameters_of(kinds[0]).values()):
            allowed = f"a value whose fields to change, given as {root}=..."
            raise InputError(root, None, allowed)
        return kinds[0]()

    def found(self, arguments: Mapping[str, Any], name: str) -> Label:
        """What stands at a name in the arguments of a cell whose grid does not have it."""
        root, *path = name.split(".")
        value = arguments[root] if root in arguments else self._argument(root, {})
        if value is None and path:
            value = self._made(root)
        return label_of(unboxed(value_at(value, path)))


def parameters_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function that may be given by name."""
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
