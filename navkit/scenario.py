"""A fight as a readable file, or as a short text to paste into a chat that opens the same fight.

>>> from navkit.rulebooks import gurps
>>> tonight = Scenario("gurps", "duel", gurps.ship("Brig"), gurps.ship("Sloop", crew=12), turns=5)
>>> Scenario.from_json(tonight.to_json()) == tonight
True
>>> Scenario.from_text(tonight.to_text()) == tonight
True
>>> tonight.swapped().a.name
'Sloop'

What the resolver asks for besides ships goes into `parameters`:

>>> from navkit.rulebooks import sea_battles
>>> hammer, anvil = sea_battles.ship("Hammer"), sea_battles.ship("Anvil")
>>> fire = Scenario("sea_battles", "fire", hammer, anvil, parameters={"facing": "rear"})
>>> Scenario.from_text(fire.to_text()).parameters
{'facing': 'rear'}
"""

from __future__ import annotations

import base64
import binascii
import importlib
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

from navkit import records
from navkit.battle import some_turns
from navkit.chance import MOST_FIGHTS, Exact, Sampled
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.records import CLASS, RecordError
from navkit.rulebooks.resolvers import Resolver

SCHEMA = 2
"""The version of the file format that is written; older ones are still read."""
SINCE = {"parameters": 2}
"""The version from which on a field may stand in a file; the others always could."""
RULEBOOKS = ("gurps", "sea_battles", "vehicular_1879", "medieval")
MARK = "navkit:"
LONGEST_TEXT = 20_000
LARGEST_JSON = 30_000
"""Letters that are read at most; two ships and a supplement in full take a third of them."""
LONGEST_TITLE = 200


@dataclass(frozen=True)
class Scenario:
    """A fight of two ships: rulebook, resolver, ships, house rules, turns, chance and seed.

    `turns` is None to play to the end, where the resolver does. `fights` is how many are sampled;
    None asks for exact odds, 0 leaves the choice to the resolver. `parameters` are what the
    resolver asks for besides (`resolver.parameters`); those at their default are left out.
    Raises InputError for what cannot be, and for parameters that the ships do not go with.
    """

    rulebook: str
    fight: str
    a: Any
    b: Any
    turns: int | None = 20
    rules: Any = None
    fights: int | None = 0
    seed: int = 1
    title: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        module = rulebook(self.rulebook)
        resolver = _resolver(module, self.fight)
        for side in ("a", "b"):
            if not isinstance(getattr(self, side), ship_kind(module)):
                raise InputError(side, getattr(self, side), f"a ship of {self.rulebook}")
        if self.turns is not None or not resolver.may_be_endless:
            some_turns(self.turns)
        object.__setattr__(self, "rules", module.HouseRules.of(self.rules))
        if self.fights is not None:
            whole("fights", self.fights, 0, MOST_FIGHTS)
        whole("seed", self.seed, 0, 2**53)
        records.value_from_plain(self.title, str, "title", "scenario")
        if len(self.title) > LONGEST_TITLE:
            raise InputError("title", self.title, f"a text of up to {LONGEST_TITLE} letters")
        if not isinstance(self.parameters, Mapping):
            raise InputError("parameters", self.parameters, "a mapping of names to values")
        known = resolver.known(self.parameters, "parameters")
        resolver.fits(self.a, self.b, **known)
        object.__setattr__(self, "parameters", known)

    @property
    def resolver(self) -> Resolver:
        """What plays the fight."""
        return _resolver(rulebook(self.rulebook), self.fight)

    def play(self) -> History:
        """What becomes of the fight."""
        common = {"turns": self.turns, "chance": self.chance, "rules": self.rules}
        return self.resolver(self.a, self.b, **common, **self.parameters)

    @property
    def chance(self) -> Exact | Sampled | None:
        """The chance that `fights` and `seed` stand for."""
        if self.fights is None:
            return Exact()
        return Sampled(self.fights, self.seed) if self.fights else None

    @property
    def name(self) -> str:
        """Its title; without one, who fights whom and how."""
        return self.title or f"{self.a.name} against {self.b.name}, {self.fight}"

    def swapped(self) -> Scenario:
        """The same fight with the sides exchanged, and what goes with them (orders, doctrines).

        What belongs to the part played stays: where `b` now fires, `b` fires at the same facing.
        Raises InputError where it can't be played so: `b` is to fire a battery that `b` has not.
        """
        parameters = self.resolver.swapped(self.parameters)
        return replace(self, a=self.b, b=self.a, parameters=parameters)

    def duplicate(self, **changes: Any) -> Scenario:
        """A copy with changes to its fields; its title, unless given, counts up.

        Raises InputError for a field that there is not and for what cannot be.

        >>> from navkit.rulebooks import medieval
        >>> galley = medieval.ship("Galley")
        >>> first = Scenario("medieval", "board", galley, galley, title="Off Lepanto")
        >>> first.duplicate(turns=5).title, first.duplicate().duplicate().title
        ('Off Lepanto (2)', 'Off Lepanto (3)')
        """
        known = [entry.name for entry in fields(self)]
        for name in changes:
            if name not in known:
                raise InputError("field of a scenario", name, *known)
        return replace(self, **{"title": _next_title(self.name), **changes})

    # As JSON

    def to_json(self) -> str:
        """The fight as JSON that a person can read and edit.

        Raises InputError for one too large to be read again.
        """
        told = json.dumps(_plain(self), indent=1, ensure_ascii=False) + "\n"
        return _short_enough("JSON", told, LARGEST_JSON)

    @classmethod
    def from_json(cls, text: str, place: str = "scenario") -> Scenario:
        """The fight that a JSON text describes.

        Raises RecordError (an InputError) that names the place of an unknown field, a wrong type
        or a value that cannot be.
        """
        if isinstance(text, str) and len(text) > LARGEST_JSON:
            allowed = f"at most {LARGEST_JSON} letters"
            raise RecordError(place, InputError("length", len(text), allowed))
        return _from_plain(records.parse_json(text, place), place)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fight to a file; what was in it is replaced. Raises OSError."""
        Path(path).write_text(self.to_json(), encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Scenario:
        """The fight in a file. Raises RecordError as `from_json`, and OSError."""
        return cls.from_json(records.file_text(Path(path)), Path(path).name)

    # As a short text

    def to_text(self) -> str:
        """The fight as a short text without spaces, to be pasted anywhere.

        Raises InputError for one too long to be read again.
        """
        told = json.dumps(_plain(self), separators=(",", ":"), ensure_ascii=False)
        packed = zlib.compress(_short_enough("JSON", told, LARGEST_JSON).encode(), 9)
        text = MARK + base64.urlsafe_b64encode(packed).decode().rstrip("=")
        return _short_enough("short text", text, LONGEST_TEXT)

    @classmethod
    def from_text(cls, text: str) -> Scenario:
        """The fight that a short text stands for; space around it does not matter.

        Raises RecordError (an InputError) for a text that is cut off, changed or none of these.
        """
        told = text.strip() if isinstance(text, str) else ""
        if not told.startswith(MARK) or len(told) > LONGEST_TEXT:
            shown = told[:20]
            raise RecordError("text", InputError("scenario", shown, f"a text that begins {MARK}"))
        body = told.removeprefix(MARK)
        try:
            packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
            opened = zlib.decompressobj()
            plain = opened.decompress(packed, 4 * LARGEST_JSON)  # four bytes a letter at most
            if not opened.eof:
                raise zlib.error("too long, or cut off")
            return cls.from_json(plain.decode("utf-8"), "text")
        except (binascii.Error, zlib.error, UnicodeDecodeError, ValueError) as error:
            if isinstance(error, RecordError):
                raise
            shown, allowed = told[:20], "a whole text, as it was copied"
            raise RecordError("text", InputError("scenario", shown, allowed)) from None


def _short_enough(what: str, text: str, most: int) -> str:
    if len(text) > most:
        raise InputError(f"length of the {what}", len(text), f"at most {most} letters")
    return text


def rulebook(name: str) -> ModuleType:
    """A rulebook by name. Raises InputError for one there is not."""
    if name not in RULEBOOKS:
        raise InputError("rulebook", name, *RULEBOOKS)
    return importlib.import_module(f"navkit.rulebooks.{name}")


def ship_kind(module: ModuleType) -> type[Any]:
    """The class of a rulebook's ships."""
    kind: type[Any] = module.Vehicle if hasattr(module, "Vehicle") else module.Ship
    return kind


def _resolver(module: ModuleType, fight: Any) -> Resolver:
    known: Mapping[str, Resolver] = module.RESOLVERS
    if not isinstance(fight, str) or fight not in known:
        raise InputError("fight", fight, *known)
    return known[fight]


def _plain(scenario: Scenario) -> dict[str, Any]:
    """What a scenario's JSON holds: ready ships by name, and only what differs from them."""
    module = rulebook(scenario.rulebook)
    told: dict[str, Any] = {"navkit": SCHEMA, "rulebook": scenario.rulebook}
    if scenario.title:
        told["title"] = scenario.title
    return told | {
        "fight": scenario.fight,
        "a": _plain_ship(module, scenario.a),
        "b": _plain_ship(module, scenario.b),
        "parameters": {name: records.to_plain(each) for name, each in scenario.parameters.items()},
        "rules": scenario.rules.changed(),
        "turns": scenario.turns,
        "fights": scenario.fights,
        "seed": scenario.seed,
    }


def _plain_ship(module: ModuleType, ship: Any) -> dict[str, Any]:
    """The nearest ready ship and what differs; all fields of a ship that is near to none."""
    own = _whole_ship(ship)
    nearest: dict[str, Any] = records.to_plain(ship)
    for ready_name in module.library()["name"]:
        ready = _whole_ship(module.ship(ready_name))
        changes = {name: value for name, value in own.items() if value != ready.get(name)}
        if len(changes) <= len(own) // 2 and len(changes) + 1 < len(nearest):
            nearest = {"ready": ready_name, **changes}
    return nearest


def _whole_ship(ship: Any) -> dict[str, Any]:
    """All fields of a ship, and which kind of ship it is."""
    return {CLASS: type(ship).__name__, **records.to_plain(ship)}


def _next_title(title: str) -> str:
    """The title of the next copy: `Tonight`, `Tonight (2)`, `Tonight (3)`."""
    counted = re.fullmatch(r"(.*) \(([0-9]{1,6})\)", title, re.DOTALL)
    stem, number = (counted[1], int(counted[2])) if counted else (title, 1)
    ending = f" ({number + 1})"
    return stem[: LONGEST_TITLE - len(ending)] + ending


def _from_plain(told: Any, place: str) -> Scenario:
    if not isinstance(told, Mapping):
        raise RecordError(place, InputError("scenario", told, "an object"))
    version = told.get("navkit")
    if type(version) is not int or not 1 <= version <= SCHEMA:
        allowed = f"a schema version from 1 to {SCHEMA}"
        raise RecordError(place, InputError("navkit", version, allowed))
    names = [entry.name for entry in fields(Scenario)]
    known = ("navkit", *(name for name in names if version >= SINCE.get(name, 1)))
    for name in told:
        if name not in known:
            raise RecordError(place, InputError("field", name, *known))
    for name in ("rulebook", "fight", "a", "b"):
        if name not in told:
            raise RecordError(place, InputError("fields", list(told), f"a list with {name!r} too"))
    values = {name: value for name, value in told.items() if name != "navkit"}
    try:
        module = rulebook(values["rulebook"])
        for side in ("a", "b"):
            values[side] = _ship_from(module, values[side], f"{place}, {side}")
        values["rules"] = _rules_from(module, values.get("rules", {}), f"{place}, rules")
        values["parameters"] = _parameters_from(module, values, f"{place}, parameters")
        return Scenario(**values)
    except RecordError:
        raise
    except InputError as error:
        raise RecordError(place, error) from None


def _ship_from(module: ModuleType, told: Any, place: str) -> Any:
    if not isinstance(told, Mapping):
        raise RecordError(place, InputError("ship", told, "an object"))
    kind = ship_kind(module)
    if "ready" not in told:
        return records.from_plain(dict(told), kind, place)
    if not isinstance(told["ready"], str):
        raise RecordError(place, InputError("ready", told["ready"], "the name of a ready ship"))
    try:
        ready = _whole_ship(module.ship(told["ready"]))
    except InputError as error:
        raise RecordError(place, error) from None
    changes = {name: value for name, value in told.items() if name != "ready"}
    return records.from_plain({**ready, **changes}, kind, place)


def _rules_from(module: ModuleType, told: Any, place: str) -> Any:
    if not isinstance(told, Mapping):
        raise RecordError(place, InputError("rules", told, "an object"))
    known = [reading.name for reading in module.HouseRules.readings()]
    for name in told:
        if name not in known:
            raise RecordError(place, InputError("house rule", name, *known))
    try:
        return module.HouseRules(**told)
    except InputError as error:
        raise RecordError(place, error) from None


def _parameters_from(module: ModuleType, values: Mapping[str, Any], place: str) -> dict[str, Any]:
    told = values.get("parameters", {})
    if not isinstance(told, Mapping):
        raise RecordError(place, InputError("parameters", told, "an object"))
    return _resolver(module, values["fight"]).from_plain(told, place)
