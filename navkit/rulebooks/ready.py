"""Ready ships, weapons and the like: found by name with some fields changed, and listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pandas as pd

from navkit import records
from navkit.errors import InputError
from navkit.resources import data_file

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    class Named(DataclassInstance, Protocol):
        """A dataclass with a name."""

        @property
        def name(self) -> str:
            """What it is known by."""


Made = TypeVar("Made", bound="Named")


def read(table: str, kind: type[Made]) -> dict[str, Made]:
    """Those of one of navkit's data tables, by name.

    >>> from navkit.rulebooks.medieval import Ship
    >>> read("medieval-ships.csv", Ship)["Cog"].kind
    'round'
    """
    return {each.name: each for each in records.read_csv(data_file(table), kind, unique="name")}


def chosen(what: str, ready: Mapping[str, Made], name: str, changes: Mapping[str, Any]) -> Made:
    """The one of that name, with some of its fields changed; `what` it is: "ship".

    Raises InputError for an unknown name or field, and for what the fields may not be.

    >>> from navkit.rulebooks.medieval import Ship
    >>> chosen("ship", {"Cog": Ship("Cog", kind="round")}, "Cog", {"crew": 12}).crew
    12
    """
    if name not in ready:
        raise InputError(what, name, *ready)
    if not changes:
        return ready[name]
    known = [entry.name for entry in fields(ready[name])]
    for field in changes:
        if field not in known:
            raise InputError(f"field of a {what}", field, *known)
    return replace(ready[name], **changes)


def listed(kind: type[Made], ready: Mapping[str, Made]) -> pd.DataFrame:
    """All of them, a row each; the columns are the fields of `kind`.

    >>> from navkit.rulebooks.medieval import Ship
    >>> listed(Ship, {"Cog": Ship("Cog", kind="round")})["kind"].tolist()
    ['round']
    """
    names = [entry.name for entry in fields(kind)]
    rows = [[getattr(each, name) for name in names] for each in ready.values()]
    return pd.DataFrame(rows, columns=names)
