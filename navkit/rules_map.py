"""Where in the code a rule is: each rule of a document, what plays it, and what holds it.

The maps are data, `data/rules-map-*.csv`, one for each document: the number of a rule, the rule in
a sentence, the functions, classes or tables that play it, and the tests that hold it, several with
spaces between them.
"""

from __future__ import annotations

import inspect
import re
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

_CAPITAL = re.compile("(?<=[a-z])(?=[A-Z])")


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

    def in_words(self) -> dict[str, str]:
        """What plays it and what holds it, as a person says it: a name and the file it is in.

        >>> path = "navkit.rulebooks.gurps.guns.reloaded"
        >>> rule = Rule("G-29", "A turn.", path, "tests/gurps/test_damage.py::TestGuns::test_few")
        >>> rule.in_words()
        {'function': 'reloaded in gurps/guns.py', 'test': 'guns: few in gurps/test_damage.py'}
        """
        played = []
        for path in self.functions:
            place, name = _place(path)
            file = place.removeprefix("navkit.rulebooks.").replace(".", "/")
            played.append(f"{name or 'all'} in {file}.py")
        held = []
        for file, names in self.tests:
            *classes, test = [name.removeprefix("Test").removeprefix("test_") for name in names]
            said = [_CAPITAL.sub(" ", name).lower() for name in classes]
            said.append(test.replace("_", " "))
            held.append(f"{': '.join(said)} in {file.removeprefix('tests/')}")
        return {"function": "; ".join(played), "test": "; ".join(held)}

    def source(self) -> str:
        """The code that plays it; of a table or a number, what it is."""
        return "\n\n".join(_source(path) for path in self.functions)


def documents() -> tuple[str, ...]:
    """The names of the documents that have a map here, such as `gurps`."""
    there = {path.name for path in data_files("rules-map-*.csv")}
    return tuple(name for name in DOCUMENTS if _file(name) in there)


def rules(document: str) -> tuple[Rule, ...]:
    """The rules of a document in order. Raises InputError for one that has no map."""
    if document not in documents():
        raise InputError("document", document, *documents())
    return records.read_csv(data_file(_file(document)), Rule, unique="id")


def find(document: str | None = None, search: str = "") -> tuple[Rule, ...]:
    """The rules of a document, or of all, that have all the words of `search`.

    >>> [rule.id for rule in find("gurps", "powerstones fatigue")]
    ['G-51']
    """
    words = search.casefold().split()
    return tuple(
        rule
        for name in ([document] if document else documents())
        for rule in rules(name)
        if all(word in f"{rule.id} {rule.rule} {rule.function}".casefold() for word in words)
    )


def table(document: str | None = None, search: str = "") -> pd.DataFrame:
    """The rules that `find` finds as a table, what plays and what holds them in words.

    >>> table("gurps", "powerstones fatigue")["function"].tolist()
    ['Officers.spells in gurps/ships.py']
    """
    lines = [(rule.id, rule.rule, *rule.in_words().values()) for rule in find(document, search)]
    return pd.DataFrame(lines, columns=["id", "rule", "function", "test"]).set_index("id")


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
    """What a dotted path names; InputError for one that leads nowhere."""
    module, name = _place(path)
    try:
        return reduce(getattr, name.split(".") if name else (), import_module(module))
    except AttributeError:
        raise InputError("function", path, "the path of something in navkit") from None


def _place(path: str) -> tuple[str, str]:
    """The longest module that a dotted path begins with, and the name in it that is left."""
    parts = path.split(".")
    if parts[0] != "navkit" or not all(part.isidentifier() for part in parts):
        raise InputError("function", path, "a dotted path in navkit")
    for size in range(len(parts), 0, -1):
        module = ".".join(parts[:size])
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            if not f"{module}.".startswith(f"{error.name}."):
                raise  # something that a module of ours imports is missing
        else:
            return module, ".".join(parts[size:])
    raise InputError("function", path, "the path of something in navkit")


def _source(path: str) -> str:
    found = _found(path)
    code = found.fget if isinstance(found, property) else found
    if inspect.isroutine(code) or inspect.isclass(code) or inspect.ismodule(code):
        return inspect.getsource(inspect.unwrap(code) if callable(code) else code)
    return f"{path.rpartition('.')[2]} = {found!r}\n"
