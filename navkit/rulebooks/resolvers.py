"""The fights of two ships that a rulebook knows by name, called alike in all rulebooks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from navkit import records
from navkit.errors import InputError, RecordError
from navkit.history import History

COMMON = ("chance", "rules")
"""What every resolver takes, besides two ships and a number of turns."""


class Parameter(NamedTuple):
    """What one resolver asks for: its type, and what it is unless told."""

    hint: Any
    default: Any


@dataclass(frozen=True)
class Resolver:
    """A fight of two ships: the function that plays it, and its name for the number of turns.

    `fits(a, b, **parameters)` raises InputError for parameters that these ships don't go with,
    such as the name of a gun that is not aboard.

    >>> from navkit.rulebooks.sea_battles import board, ship
    >>> boarding = Resolver(board, turns="rounds")
    >>> list(boarding.parameters)
    ['a_fights', 'b_fights', 'facing', 'flyers']
    >>> len(boarding(ship("Tongs"), ship("Nipper"), turns=2, facing="front").table())
    3
    """

    resolve: Callable[..., History]
    turns: str = "turns"
    fits: Callable[..., None] = field(default=lambda a, b, **given: None)

    def __call__(self, a: Any, b: Any, **given: Any) -> History:
        """What becomes of the fight; `given` are `turns`, `chance`, `rules` and parameters."""
        if "turns" in given:
            given[self.turns] = given.pop("turns")
        return self.resolve(a, b, **given)

    @cached_property
    def _keywords(self) -> Mapping[str, Parameter]:
        hints = get_type_hints(self.resolve)
        return {
            name: Parameter(hints[name], each.default)
            for name, each in inspect.signature(self.resolve).parameters.items()
            if each.kind is each.KEYWORD_ONLY
        }

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """What this fight asks for besides ships, turns, chance and house rules, by name."""
        common = (self.turns, *COMMON)
        return {name: each for name, each in self._keywords.items() if name not in common}

    @property
    def may_be_endless(self) -> bool:
        """Whether it plays to the end for `turns=None`."""
        return NoneType in get_args(self._keywords[self.turns].hint)

    def from_plain(self, told: Mapping[str, Any], at: str) -> dict[str, Any]:
        """Its parameters as JSON tells them, without those that are at their default.

        Raises RecordError (an InputError) for an unknown one and for a value of another type.
        """
        known = self.parameters
        for name in told:
            if name not in known:
                raise RecordError(at, InputError("parameter", name, *(known or ("none",))))
        read = {
            name: records.value_from_plain(value, known[name].hint, name, at)
            for name, value in told.items()
        }
        return {name: value for name, value in read.items() if value != known[name].default}

    def known(self, given: Mapping[str, Any], at: str) -> dict[str, Any]:
        """Those parameters, checked as by `from_plain`."""
        plain = {}
        for name, value in given.items():
            try:
                plain[name] = records.to_plain(value)
            except InputError as error:
                raise RecordError(at, InputError(name, value, *error.allowed)) from None
        return self.from_plain(plain, at)

    def swapped(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The same parameters with the sides exchanged.

        Parameters that go with a side are named for it (`a_fights` and `b_fights`) or are a pair,
        a's first (`orders`); all others, such as the facing, go with the part played in the fight.

        >>> from navkit.rulebooks.medieval import board
        >>> Resolver(board).swapped({"break_off": (0, 5), "grappled": True})
        {'break_off': (5, 0), 'grappled': True}
        """
        exchanged = {}
        for name, value in given.items():
            other = {"a_": "b_", "b_": "a_"}.get(name[:2], name[:2]) + name[2:]
            pair = _is_pair(self.parameters[name].hint)
            exchanged[other if other in self.parameters else name] = value[::-1] if pair else value
        return exchanged


def _is_pair(hint: Any) -> bool:
    """Whether a type is that of two like values."""
    inner = get_args(hint)
    return get_origin(hint) is tuple and len(inner) == 2 and inner[0] == inner[1]
