"""Where in the code a rule is: each rule of a document, what plays it, and what holds it.

The maps are data, `data/rules-map-*.csv`, one for each document: the number of a rule, the rule in
a sentence, the functions, classes or tables that play it, and the tests that hold it, several with
spaces between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import reduce
from importlib import import_module
from types import MappingProxyType
from typing import Any

import pandas as pd

from navkit import records
from navkit.errors import InputError
from navkit.resources import data_file, data_files

DOCUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "gurps": "GURPS/Naval Combat",
        "sea-battles": "Sea Battles",
        "1879": "1879: Vehicular Combat Preview",
        "medieval": "Medieval Naval Wargame Rules",
    }
)
"""The documents that a map may be of, by the name of its file."""


@dataclass(frozen=True)
class Rule:
    """A rule of a document: its number, what it says, what plays it and what holds it.

    >>> rule = Rule("G-24", "All guns.", "navkit.rulebooks.gurps.ships.Ship.guns", "tests/a.py::b")
    >>> rule.functions, rule.tests
    (('navkit.rulebooks.gurps.ships.Ship.guns',), (('tests/a.py', ('b',)),))
    """

    id: str
    rule: str
    function: str
    test: str

    def __post_init__(self) -> None:
        for entry in fields(self):
            if not getattr(self, entry.name).strip():
                raise InputError(entry.name, getattr(self, entry.name), "a text")
        for path, names in self.tests:
            if not path.endswith(".py") or not all(names):
                raise InputError("test", self.test, "tests/file.py::name or ::Class::name")

    @property
    def functions(self) -> tuple[str, ...]:
        """The dotted paths of what plays it."""
        return tuple(self.function.split())

    @property
    def tests(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The tests that hold it: files and names in them."""
        nodes = [node.split("::") for node in self.test.split()]
        return tuple((path, tuple(names) or ("",)) for path, *names in nodes)

    def found(self) -> tuple[Any, ...]:
        """What plays it, itself; raises InputError for a path that leads nowhere."""
        return tuple(_found(path) for path in self.functions)


def documents() -> tuple[str, ...]:
    """The names of the documents that have a map here, such as `gurps`."""
    there = {path.name for path in data_files("rules-map-*.csv")}
    return tuple(name for name in DOCUMENTS if _file(name) in there)


def rules(document: str) -> tuple[Rule, ...]:
    """The rules of a document in order. Raises InputError for one that has no map."""
    if document not in documents():
        raise InputError("document", document, *documents())
    return records.read_csv(data_file(_file(document)), Rule, unique="id")


def table(document: str | None = None, search: str = "") -> pd.DataFrame:
    """The rules of a document, or of all, as a table; with `search`, those that have its words.

    >>> list(table("gurps", "powerstones fatigue").index)
    ['G-51']
    """
    words = search.casefold().split()
    lines = [
        (rule.id, DOCUMENTS[name], rule.rule, rule.function, rule.test)
        for name in ([document] if document else documents())
        for rule in rules(name)
        if all(word in " ".join((rule.id, rule.rule, rule.function)).casefold() for word in words)
    ]
    columns = ["id", "document", "rule", "function", "test"]
    return pd.DataFrame(lines, columns=columns).set_index("id")


def counts() -> pd.DataFrame:
    """By document: how many rules, things that play them, and tests that hold them.

    >>> int(counts().loc["GURPS/Naval Combat", "rules"])
    139
    """
    lines = {}
    for name in documents():
        listed = rules(name)
        lines[DOCUMENTS[name]] = {
            "rules": len(listed),
            "functions and tables": len({path for rule in listed for path in rule.functions}),
            "tests": len({test for rule in listed for test in rule.tests}),
        }
    return pd.DataFrame.from_dict(lines, orient="index")


def _file(document: str) -> str:
    return f"rules-map-{document}.csv"


def _found(path: str) -> Any:
    """What a dotted path names: the longest module that it begins with, and names in it."""
    parts = path.split(".")
    if parts[0] != "navkit" or not all(part.isidentifier() for part in parts):
        raise InputError("function", path, "a dotted path in navkit")
    for size in range(len(parts), 0, -1):
        name = ".".join(parts[:size])
        try:
            module = import_module(name)
        except ModuleNotFoundError as error:
            if not f"{name}.".startswith(f"{error.name}."):
                raise  # something that a module of ours imports is missing
            continue
        try:
            return reduce(getattr, parts[size:], module)
        except AttributeError:
            break
    raise InputError("function", path, "the path of something in navkit")
