"""A fight as a readable file, or as a short text to paste into a chat that opens the same fight.

>>> from navkit.rulebooks import gurps
>>> tonight = Scenario("gurps", "duel", gurps.ship("Brig"), gurps.ship("Sloop", crew=12), turns=5)
>>> Scenario.from_json(tonight.to_json()) == tonight
True
>>> Scenario.from_text(tonight.to_text()) == tonight
True
>>> tonight.swapped().a.name
'Sloop'
"""

from __future__ import annotations

import base64
import binascii
import importlib
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any

from navkit import records
from navkit.chance import MOST_FIGHTS, Exact, Sampled
from navkit.errors import InputError, whole
from navkit.exact import LONGEST
from navkit.history import History
from navkit.records import RecordError

SCHEMA = 1
"""The version of the file format that is written; older ones are still read."""
RULEBOOKS = ("gurps", "medieval")
"""The rulebooks whose ships a record can hold."""
MARK = "navkit:"
LONGEST_TEXT = 20_000
LARGEST_JSON = 200_000


@dataclass(frozen=True)
class Scenario:
    """A fight of two ships: rulebook, resolver, ships, house rules, turns, chance and seed.

    `fights` is how many are sampled; None asks for exact odds, 0 leaves the choice to the
    resolver. Raises InputError for what cannot be.
    """

    rulebook: str
    fight: str
    a: Any
    b: Any
    turns: int = 20
    rules: Any = None
    fights: int | None = 0
    seed: int = 1
    title: str = ""

    def __post_init__(self) -> None:
        module = rulebook(self.rulebook)
        if not isinstance(self.fight, str) or self.fight not in module.RESOLVERS:
            raise InputError("fight", self.fight, *module.RESOLVERS)
        for side in ("a", "b"):
            if not isinstance(getattr(self, side), ship_kind(module)):
                raise InputError(side, getattr(self, side), f"a ship of {self.rulebook}")
        whole("turns", self.turns, 1, LONGEST)
        object.__setattr__(self, "rules", module.HouseRules.of(self.rules))
        if self.fights is not None:
            whole("fights", self.fights, 0, MOST_FIGHTS)
        whole("seed", self.seed, 0, 2**53)
        if not isinstance(self.title, str) or len(self.title) > 200:
            raise InputError("title", self.title, "a text of up to 200 letters")

    def play(self) -> History:
        """What becomes of the fight."""
        resolver: Callable[..., History] = rulebook(self.rulebook).RESOLVERS[self.fight]
        return resolver(self.a, self.b, turns=self.turns, chance=self.chance, rules=self.rules)

    @property
    def chance(self) -> Exact | Sampled | None:
        """The chance that `fights` and `seed` stand for."""
        if self.fights is None:
            return Exact()
        return Sampled(self.fights, self.seed) if self.fights else None

    def swapped(self) -> Scenario:
        """The same fight with the sides exchanged."""
        return replace(self, a=self.b, b=self.a)

    # As JSON

    def to_json(self) -> str:
        """The fight as JSON that a person can read and edit."""
        return json.dumps(_plain(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, place: str = "scenario") -> Scenario:
        """The fight that a JSON text describes.

        Raises RecordError (an InputError) that names the place of an unknown field, a wrong type
        or a value that cannot be.
        """
        if len(text) > LARGEST_JSON:
            raise RecordError(place, InputError("length", len(text), f"at most {LARGEST_JSON}"))
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
        """The fight as a short text without spaces, to be pasted anywhere."""
        packed = json.dumps(_plain(self), separators=(",", ":"), ensure_ascii=False).encode()
        return MARK + base64.urlsafe_b64encode(zlib.compress(packed, 9)).decode().rstrip("=")

    @classmethod
    def from_text(cls, text: str) -> Scenario:
        """The fight that a short text stands for; space around it does not matter.

        Raises RecordError (an InputError) for a text that is cut off, changed or none of these.
        """
        told = text.strip() if isinstance(text, str) else ""
        if not told.startswith(MARK) or len(told) > LONGEST_TEXT:
            shown = told[:20]
            raise RecordError("text", InputError("text", shown, f"a text that begins {MARK}"))
        body = told.removeprefix(MARK)
        try:
            packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
            opened = zlib.decompressobj()
            plain = opened.decompress(packed, LARGEST_JSON)
            if not opened.eof:
                raise zlib.error("too long, or cut off")
            return cls.from_json(plain.decode("utf-8"), "text")
        except (binascii.Error, zlib.error, UnicodeDecodeError, ValueError) as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError("text", InputError("text", told[:20], "a whole one")) from None


def rulebook(name: str) -> ModuleType:
    """A rulebook by name. Raises InputError for one there is not."""
    if name not in RULEBOOKS:
        raise InputError("rulebook", name, *RULEBOOKS)
    return importlib.import_module(f"navkit.rulebooks.{name}")


def ship_kind(module: ModuleType) -> type[Any]:
    """The class of a rulebook's ships."""
    kind: type[Any] = module.Vehicle if hasattr(module, "Vehicle") else module.Ship
    return kind


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
        "rules": scenario.rules.changed(),
        "turns": scenario.turns,
        "fights": scenario.fights,
        "seed": scenario.seed,
    }


def _plain_ship(module: ModuleType, ship: Any) -> dict[str, Any]:
    """The nearest ready ship and what differs; all fields of a ship that is near to none."""
    own: dict[str, Any] = records.to_plain(ship)
    nearest = own
    for ready_name in module.library()["name"]:
        ready = records.to_plain(module.ship(ready_name))
        changes = {name: value for name, value in own.items() if value != ready[name]}
        if len(changes) <= len(own) // 2 and len(changes) + 1 < len(nearest):
            nearest = {"ready": ready_name, **changes}
    return nearest


def _from_plain(told: Any, place: str) -> Scenario:
    if not isinstance(told, Mapping):
        raise RecordError(place, InputError("scenario", told, "an object"))
    version = told.get("navkit")
    if version not in range(1, SCHEMA + 1) or isinstance(version, bool):
        allowed = f"a schema version from 1 to {SCHEMA}"
        raise RecordError(place, InputError("navkit", version, allowed))
    known = ("navkit", *(entry.name for entry in fields(Scenario)))
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
    try:
        whole_ship = records.to_plain(module.ship(told["ready"]))
    except InputError as error:
        raise RecordError(place, error) from None
    changes = {name: value for name, value in told.items() if name != "ready"}
    return records.from_plain({**whole_ship, **changes}, kind, place)


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
