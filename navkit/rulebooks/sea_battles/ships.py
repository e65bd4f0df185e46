"""Ships of Sea Battles: what they are, what they carry, and the library of ready ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache
from math import ceil
from typing import Any, ClassVar, Literal, get_args

import pandas as pd

from navkit.dice import Distribution, constant
from navkit.errors import InputError, not_blank, number, truth, whole
from navkit.resources import data_rows
from navkit.rulebooks.ready import chosen, listed
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.troops import Character, Unit
from navkit.rulebooks.sea_battles.weapons import Weapon, scaled, weapon

Propulsion = Literal["sails", "oars", "sails and oars"]
ARMIES_WITH_RULES = ("Orcs & Goblins", "Tomb Kings", "Vampire Counts")


@dataclass(frozen=True)
class Ship:
    """A ship with her captain, troops, characters and war machines.

    `size` is from 1 to 6 (see `size_of`). `leadership` is the captain's; None: that of the
    character aboard whom `captain` names, else of a captain rolled on the table. `guns` are
    fitted war machines, `cargo` those that are carried. `gunnery` is the ballistic skill of their
    crews. `crew` is how many crew support attacks she has, by default her Size. `army` and
    `fleet` are names; three armies have rules of their own (`ARMIES_WITH_RULES`).
    Raises InputError for what cannot be, such as a ship too full.
    Source: Sea Battles, Ship sizes; Transport capability; Leadership; Propulsion.

    >>> sloop = Ship("Sloop", 1, "sails", 8, troops=(Unit("Empire archer", 20),))
    >>> sloop.room, sloop.aboard
    (20, 20)
    >>> Ship("Sloop", 7, "sails")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: size: got 7, allowed is a whole number from 1 to 6
    """

    name: str
    size: int
    propulsion: Propulsion
    leadership: int | None = None
    _: KW_ONLY
    army: str = ""
    fleet: str = ""
    flagship: bool = False
    troops: tuple[Unit, ...] = ()
    characters: tuple[Character, ...] = ()
    captain: str = ""
    guns: tuple[str, ...] = ()
    cargo: tuple[str, ...] = ()
    crew: int | None = None
    gunnery: int = 3

    largest: ClassVar[int] = tables.LARGEST_SIZE
    """The largest Size of this kind of ship."""

    def __post_init__(self) -> None:
        for what, text in (("army", self.army), ("fleet", self.fleet), ("captain", self.captain)):
            if not isinstance(text, str):
                raise InputError(what, text, "a text")
        not_blank("name", self.name)
        whole("size", self.size, 1, self.largest)
        if self.propulsion not in get_args(Propulsion):
            raise InputError("propulsion", self.propulsion, *get_args(Propulsion))
        if self.leadership is not None:
            whole("leadership", self.leadership, 1, tables.HIGHEST_LEADERSHIP)
        truth("flagship", self.flagship)
        _members("troops", self.troops, Unit)
        _members("characters", self.characters, Character)
        for character in self.characters:
            if character.joins is not None and self.troops:
                whole("joins", character.joins, 0, len(self.troops) - 1)
        named = [character.name for character in self.characters]
        if self.captain and self.captain not in named:
            raise InputError("captain", self.captain, *named, "'' for one of the crew")
        if self.captain and self.leadership is not None:
            allowed = f"None, since {self.captain} brings his own"
            raise InputError("leadership", self.leadership, allowed)
        for what in ("guns", "cargo"):
            if not isinstance(getattr(self, what), tuple):
                raise InputError(what, getattr(self, what), "a tuple of names of war machines")
            for name in getattr(self, what):
                if not weapon(name).is_machine:
                    raise InputError(what, name, "a war machine")
        if self.crew is not None:
            whole("crew", self.crew, 0, 100)
        whole("gunnery", self.gunnery, 0, 10)
        check_room(self, HouseRules())

    @property
    def room(self) -> int:
        """Unit strength she has room for. Source: Sea Battles, Transport capability."""
        return tables.ROOM_PER_SIZE * self.size

    @property
    def aboard(self) -> int:
        """Unit strength she carries: units, characters, and war machines that are cargo."""
        units = sum(unit.unit_strength for unit in self.troops)
        people = sum(character.profile.unit_strength for character in self.characters)
        return units + people + tables.MACHINE_ROOM * len(self.cargo)

    @property
    def has_sails(self) -> bool:
        """Whether she has sails."""
        return "sails" in self.propulsion

    @property
    def has_oars(self) -> bool:
        """Whether she has oars."""
        return "oars" in self.propulsion

    @property
    def commander(self) -> Character | None:
        """The character who is her captain; None for one of the crew."""
        found = [each for each in self.characters if self.captain and each.name == self.captain]
        return found[0] if found else None

    @property
    def command(self) -> Distribution:
        """Her captain's Leadership: given, a character's, or from the captain table.

        Source: Sea Battles, Leadership.

        >>> Ship("Sloop", 1, "sails").command.equal(8, exact=True)
        Fraction(2, 3)
        """
        if self.leadership is not None:
            return constant(self.leadership)
        if self.commander is not None:
            return constant(self.commander.profile.leadership)
        return tables.CAPTAIN

    @property
    def machines(self) -> tuple[Weapon, ...]:
        """All war machines aboard, fitted ones first."""
        return tuple(weapon(name) for name in self.guns + self.cargo)

    @property
    def support_attacks(self) -> int:
        """Attacks by the crew each round of a boarding: her Size, unless `crew` says otherwise."""
        return self.size if self.crew is None else self.crew


@dataclass(frozen=True)
class GreatShip(Ship):
    """A ship bigger than Size 6, for tables that allow what the document advises against (SA-02).

    >>> GreatShip("Black Ark", 9, "sails", 9).room
    180
    """

    largest = tables.OVERSIZE


def _members(what: str, members: Any, kind: type) -> None:
    if not isinstance(members, tuple) or not all(isinstance(each, kind) for each in members):
        raise InputError(what, members, f"a tuple of sea_battles.{kind.__name__}")


def check_room(ship: Ship, rules: HouseRules) -> None:
    """Raises InputError for a ship too full.

    A ship's own guns need no room unless the house rule counts all war machines.
    Source: Sea Battles, Transport capability.
    """
    fitted = 0 if rules.carried_guns == "fitted are free" else len(ship.guns)
    load = ship.aboard + tables.MACHINE_ROOM * fitted
    if load > ship.room:
        allowed = f"at most {ship.room} on a ship of size {ship.size}"
        raise InputError(f"unit strength aboard the {ship.name}", load, allowed)


def size_of(length: float, kind: type[Ship] = Ship, rules: HouseRules | None = None) -> int:
    """The Size of a ship `length` centimetres long: one for each begun 2 cm.

    Raises InputError for no length, and for over 12 cm unless `kind` is `GreatShip`.
    Source: Sea Battles, Ship sizes.

    >>> size_of(2), size_of(2.1), size_of(12)
    (1, 2, 6)
    """
    rules = HouseRules.of(rules)
    per_size = scaled(tables.CM_PER_SIZE, rules)
    number("length", length, 1e-9, per_size * kind.largest)
    return ceil(length / per_size - 1e-12)


def length_of(size: int, rules: HouseRules | None = None) -> float:
    """The greatest length of a ship of a Size, in centimetres: what the plan takes her for."""
    return size * scaled(tables.CM_PER_SIZE, HouseRules.of(rules))


def check_fleet(ships: Iterable[Ship]) -> tuple[Ship, ...]:
    """The ships of a fleet, if they can sail together, else InputError.

    A unit or character with a name of its own is on one ship only; the fleet has one Flagship at
    most. Source: Sea Battles, Transport capability; Leadership.
    """
    fleet = tuple(known_ship("ship of a fleet", ship) for ship in ships)
    seen: dict[str, str] = {}
    for ship in fleet:
        named = [unit.name for unit in ship.troops] + [each.name for each in ship.characters]
        for name in filter(None, named):
            if name in seen:
                allowed = f"one place only: it is aboard the {seen[name]}"
                raise InputError(f"unit aboard the {ship.name}", name, allowed)
            seen[name] = ship.name
    flagships = [ship.name for ship in fleet if ship.flagship]
    if len(flagships) > 1:
        raise InputError("flagships", flagships, "one ship of a fleet")
    names = [ship.name for ship in fleet]
    if not fleet or len(set(names)) < len(names):
        raise InputError(
            "ships of a fleet", names, "at least one ship, each with a name of her own"
        )
    return fleet


def known_ship(what: str, ship: Any) -> Ship:
    """`ship` if it is one, else InputError."""
    if not isinstance(ship, Ship):
        raise InputError(what, ship, "a sea_battles.Ship, such as sea_battles.ship('Hammer')")
    return ship


# The library


def ship(name: str, /, **changes: Any) -> Ship:
    """A ready ship by name, with any of its fields changed. They are this project's own.

    >>> ship("Hammer").size
    4
    >>> ship("Hammer", size=5).room
    100
    >>> ship("Kraken")                                  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: ship: got 'Kraken', allowed are 'Hammer', 'Anvil', 'Tongs', ...
    """
    return chosen("ship", _ready(), name, changes)


def fleet(name: str) -> tuple[Ship, ...]:
    """The ships of a ready fleet, the Flagship first.

    >>> [each.name for each in fleet("Reikfleet")]
    ['Hammer', 'Anvil', 'Tongs']
    """
    fleets = list(dict.fromkeys(each.fleet for each in _ready().values()))
    if name not in fleets:
        raise InputError("fleet", name, *fleets)
    return check_fleet(each for each in _ready().values() if each.fleet == name)


def library() -> pd.DataFrame:
    """The ready ships, a row each; the columns are the fields of `Ship`.

    >>> int(library().set_index("name").loc["Hammer", "size"])
    4
    """
    return listed(Ship, _ready())


@lru_cache(maxsize=1)
def _ready() -> dict[str, Ship]:
    return {row["name"]: _from_text(row) for row in data_rows("sea-battles-fleets.csv")}


def _from_text(row: dict[str, str]) -> Ship:
    listed: dict[str, Sequence[str]] = {
        name: [part for part in row[name].split(";") if part]
        for name in ("troops", "characters", "guns", "cargo")
    }
    texts: dict[str, Any] = {name: row[name] for name in ("name", "army", "fleet", "captain")}
    return Ship(
        size=int(row["size"]),
        propulsion=_propulsion(row["propulsion"]),
        leadership=int(row["leadership"]) if row["leadership"] else None,
        flagship=row["flagship"] == "yes",
        troops=tuple(Unit.parse(text) for text in listed["troops"]),
        characters=tuple(Character.parse(text) for text in listed["characters"]),
        guns=tuple(listed["guns"]),
        cargo=tuple(listed["cargo"]),
        crew=int(row["crew"]) if row["crew"] else None,
        gunnery=int(row["gunnery"]),
        **texts,
    )


def _propulsion(text: str) -> Propulsion:
    for known in get_args(Propulsion):
        if text == known:
            return known
    raise InputError("propulsion", text, *get_args(Propulsion))
