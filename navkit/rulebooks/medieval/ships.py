"""Ships of Medieval Naval Wargame Rules, and the library of ready ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import pandas as pd

from navkit.errors import InputError, not_blank, truth, whole
from navkit.rulebooks.medieval.tables import FULL_CREW
from navkit.rulebooks.ready import chosen, listed, read

Kind = Literal["long", "round"]
LARGEST_FLEET = 200
LARGEST_SIZE = 100


@dataclass(frozen=True)
class Ship:
    """A ship with its crew; a name alone is a long ship with 20 crew points and nothing special.

    `kind` is "long" (dromon, longship, galley) or "round" (knorr, cog, lateener); `high` marks
    clearly higher decks and sides. `crew` counts crew points, at most 20; losses are reckoned from
    20 however many there are. `flagship` carries the admiral, `siphon` throws Greek fire, `ram` is
    a ram. `size` compares ships for towing (MA-03). Ships of a fleet with the same `line` lie tied
    to each other in the order they are listed; "" is a ship for itself (MA-07: a matter of set-up).
    Raises InputError for what cannot be.
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat; Captures and Rescues.

    >>> Ship("Longship")
    Ship(name='Longship', kind='long', high=False, crew=20, flagship=False, siphon=False, \
ram=False, size=2, line='')
    """

    name: str
    kind: Kind = "long"
    high: bool = False
    crew: int = FULL_CREW
    flagship: bool = False
    siphon: bool = False
    ram: bool = False
    size: int = 2
    line: str = ""

    def __post_init__(self) -> None:
        not_blank("name", self.name)
        if self.kind not in get_args(Kind):
            raise InputError("kind", self.kind, *get_args(Kind))
        whole("crew", self.crew, 0, FULL_CREW)
        for name in ("high", "flagship", "siphon", "ram"):
            truth(name, getattr(self, name))
        whole("size", self.size, 1, LARGEST_SIZE)
        if not isinstance(self.line, str):
            raise InputError("line", self.line, "a text, empty for a ship that is not tied")

    @property
    def is_long(self) -> bool:
        """Whether it is a long ship."""
        return self.kind == "long"


def ship(name: str, /, **changes: Any) -> Ship:
    """A ready ship by name, with any of its fields changed.

    The classes and the 20 crew points are the document's; sides, siphons, rams and sizes are this
    project's own. Raises InputError for an unknown ship or field.
    Source: Medieval Naval Wargame Rules, Introduction; Captures and Rescues.

    >>> ship("Dromon").siphon, ship("Cog").high
    (True, True)
    >>> ship("Cog", flagship=True).flagship
    True
    >>> ship("Frigate")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: ship: got 'Frigate', allowed are 'Dromon', 'Longship', 'Galley', \
'Knorr', 'Cog', 'Lateener'
    """
    return chosen("ship", _ready(), name, changes)


def library() -> pd.DataFrame:
    """The ready ships, a row each; the columns are the fields of `Ship`.

    >>> library().set_index("name").loc["Cog", "kind"]
    'round'
    """
    return listed(Ship, _ready())


def known_ship(what: str, ship: Any) -> Ship:
    """`ship` if it is one, else InputError."""
    if not isinstance(ship, Ship):
        raise InputError(what, ship, "a medieval.Ship, such as medieval.ship('Cog')")
    return ship


def known_fleet(what: str, ships: Any, most: int = LARGEST_FLEET) -> tuple[Ship, ...]:
    """One or more ships as a tuple; a ship alone is a fleet of one.

    Raises InputError for none, for more than `most`, and for two flagships.
    """
    found = (ships,) if isinstance(ships, Ship) else ships
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise InputError(what, ships, "a medieval.Ship or a list of them")
    if not 1 <= len(found) <= most:
        raise InputError(what, f"{len(found)} ships", f"1 to {most} ships")
    fleet = tuple(known_ship(what, each) for each in found)
    if sum(each.flagship for each in fleet) > 1:
        flagships = [each.name for each in fleet if each.flagship]
        raise InputError(f"{what}, flagships", flagships, "one flagship at most")
    return fleet


@lru_cache(maxsize=1)
def _ready() -> dict[str, Ship]:
    return read("medieval-ships.csv", Ship)
