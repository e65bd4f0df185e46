"""The library of ready vehicles, read from a table that a person can edit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

import pandas as pd

from navkit.errors import InputError
from navkit.resources import data_rows
from navkit.rulebooks.ready import chosen, listed
from navkit.rulebooks.vehicular_1879.command import Officer
from navkit.rulebooks.vehicular_1879.groups import Member, Unit
from navkit.rulebooks.vehicular_1879.ships import Battery, Vehicle

T = TypeVar("T")
TEXTS = ("name", "position", "deck", "kind", "origin")
OPTIONAL = ("destroyed_at", "crippled_at", "physical_defense", "shots")


def ship(name: str, /, **changes: Any) -> Vehicle:
    """A ready vehicle by name, with any of its fields changed.

    The ratings are this project's own inventions: the document prints none but the Mystic
    Defense of HMS Alexandra, 19, and the chain of command of a Scout Giffard.
    Source: 1879: Vehicular Combat Preview, Vehicle Ratings; Captain's Mates.

    >>> ship("HMS Alexandra").mystic_defense
    19
    >>> ship("Paddle gunboat", armor=5).armor
    5
    >>> ship("Submarine")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: vehicle: got 'Submarine', allowed are 'Paddle gunboat', \
'Merchant steamer', 'HMS Alexandra', 'Scout Giffard', 'Pirate airship', 'War kettle', \
'Armored train'
    """
    return chosen("vehicle", _ready(), name, changes)


def library() -> pd.DataFrame:
    """The ready vehicles, a row each; the columns are the fields of `Vehicle`.

    >>> library().set_index("name")["kind"].tolist()
    ['ship', 'ship', 'ship', 'airship', 'airship', 'kettle', 'train']
    """
    return listed(Vehicle, _ready())


@lru_cache(maxsize=1)
def _ready() -> dict[str, Vehicle]:
    return {row["name"]: _from_row(row) for row in data_rows("1879-vehicles.csv")}


def _from_row(row: dict[str, str]) -> Vehicle:
    named: dict[str, Any] = {}
    for name, text in row.items():
        if name == "officers":
            named[name] = tuple(_several(Officer, "position", text))
        elif name == "batteries":
            named[name] = tuple(_several(Battery, "name", text))
        elif name == "out":
            named[name] = tuple(text.split())
        elif name == "hand":
            named[name] = _one(Member, text) if text else None
        elif name == "boarders":
            named[name] = _one(Unit, text) if text else None
        else:
            named[name] = _value(name, text)
    return Vehicle(**named)


def _several(kind: Callable[..., T], title: str, text: str) -> Iterator[T]:
    """Things such as `Captain rank=8 deck=bridge; Pilot rank=6`."""
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        words = part.split()
        name = " ".join(word for word in words if "=" not in word)
        yield _one(kind, " ".join(word for word in words if "=" in word), **{title: name})


def _one(kind: Callable[..., T], text: str, **named: Any) -> T:
    for word in text.split():
        name, _, value = word.partition("=")
        named[name] = _value(name, value)
    return kind(**named)


def _value(name: str, text: str) -> Any:
    if name in TEXTS:
        return text
    if name in OPTIONAL and not text:
        return None
    if name == "harried":
        return text == "yes"
    try:
        return int(text)
    except ValueError:
        raise InputError(name, text, "a whole number") from None
