"""House rules: the places where a document is silent or contradicts itself.

A rulebook lists its house rules as one frozen dataclass that inherits from `Readings`.
Each field is made by `reading` (a choice between named readings) or `amount` (a number),
default first, with the place in the document and one line on what the choice changes.
The fields describe themselves, so that widgets, tables and tests are made from the class.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, kw_only=True)
... class HouseRules(Readings):
...     volley: str = reading("one roll", "each gun", where="Damage", note="dice of a volley")
>>> HouseRules(volley="each gun").changed()
{'volley': 'each gun'}
>>> HouseRules(volley="twice")
Traceback (most recent call last):
    ...
navkit.errors.InputError: house rule volley: got 'twice', allowed are 'one roll', 'each gun'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, asdict, dataclass, field, fields
from typing import Any, Self

from navkit.errors import InputError


@dataclass(frozen=True)
class Reading:
    """One house rule, described.

    `options` are the readings it allows, default first; empty for a number, whose limits are
    `low` and `high`. `prominent` marks the few that a panel shows unfolded.
    """

    name: str
    default: Any
    options: tuple[str, ...]
    low: float
    high: float
    where: str
    note: str
    prominent: bool


def reading(*options: str, where: str, note: str, prominent: bool = False) -> Any:
    """A house rule that is a choice between named readings; the first is the default."""
    about = {"options": options, "where": where, "note": note, "prominent": prominent}
    return field(default=options[0], metadata=about)


def amount(
    default: float, low: float, high: float, *, where: str, note: str, prominent: bool = False
) -> Any:
    """A house rule that is a number from `low` to `high`."""
    about = {"low": low, "high": high, "where": where, "note": note, "prominent": prominent}
    return field(default=default, metadata=about)


@dataclass(frozen=True, kw_only=True)
class Readings:
    """What every rulebook's `HouseRules` can do: check itself and tell its readings."""

    def __post_init__(self) -> None:
        for rule in self.readings():
            value = getattr(self, rule.name)
            if rule.options:
                if value not in rule.options:
                    raise InputError(f"house rule {rule.name}", value, *rule.options)
            elif isinstance(value, bool) or not isinstance(value, int | float):
                raise InputError(f"house rule {rule.name}", value, "a number")
            elif not rule.low <= value <= rule.high:
                allowed = f"a number from {rule.low} to {rule.high}"
                raise InputError(f"house rule {rule.name}", value, allowed)

    @classmethod
    def readings(cls) -> Iterator[Reading]:
        """Every house rule in order, described."""
        if cls not in _DESCRIBED:
            _DESCRIBED[cls] = tuple(_describe(entry) for entry in fields(cls))
        return iter(_DESCRIBED[cls])

    def changed(self) -> dict[str, Any]:
        """The house rules that differ from their defaults."""
        defaults = {entry.name: entry.default for entry in fields(self)}
        return {name: value for name, value in asdict(self).items() if value != defaults[name]}

    @classmethod
    def of(cls, rules: Self | None) -> Self:
        """`rules`, or the defaults for None; anything else is refused.

        Raises InputError for house rules of another rulebook.
        """
        if rules is None:
            return cls()
        if type(rules) is not cls:
            raise InputError("rules", rules, f"None or a {cls.__module__}.{cls.__name__}")
        return rules


_DESCRIBED: dict[type[Readings], tuple[Reading, ...]] = {}
"""House rules are made often, and checked each time; what they allow is looked up once."""


def _describe(entry: Field[Any]) -> Reading:
    about = entry.metadata
    return Reading(
        name=entry.name,
        default=entry.default,
        options=about.get("options", ()),
        low=about.get("low", 0),
        high=about.get("high", 0),
        where=about["where"],
        note=about["note"],
        prominent=about["prominent"],
    )
