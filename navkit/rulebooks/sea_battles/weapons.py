"""Weapons that hit ships, and the table of ready ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import pandas as pd

from navkit.dice import Distribution, dice
from navkit.errors import InputError, not_blank, truth, whole
from navkit.notation import NotationError
from navkit.rulebooks.ready import chosen, listed, read
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.tables import CM_PER_INCH

Kind = Literal["bow", "bolt", "cannon", "stone", "multi"]
Template = Literal["", "small", "flame", "large"]
MOST_WOUNDS = 60


@dataclass(frozen=True)
class Weapon:
    """A weapon, as the parent game has it.

    `range` is in inches of the parent game, `wounds` the dice of wounds that one hit causes ("0"
    for weapons that cause no multiple wounds), `piercing` what it takes off saves beyond its
    Strength. `must_stand` are weapons that don't fire after a move. A weapon of kind "bow" is
    carried by models, the others are war machines.
    Raises InputError for what cannot be, such as a Strength of 11.
    Source: Sea Battles, Ships taking damage; Shooting.

    >>> weapon("cannon").reach()                    # centimetres
    24.0
    """

    name: str
    kind: Kind
    range: int
    strength: int
    wounds: str = "0"
    shots: int = 1
    piercing: int = 0
    must_stand: bool = False
    template: Template = ""

    def __post_init__(self) -> None:
        not_blank("name of a weapon", self.name)
        if self.kind not in get_args(Kind):
            raise InputError("kind of weapon", self.kind, *get_args(Kind))
        whole("range", self.range, 0, 1000)
        whole("strength", self.strength, 1, 10)
        known_wounds(self.wounds)
        whole("shots", self.shots, 1, 10)
        whole("piercing", self.piercing, 0, 10)
        truth("must_stand", self.must_stand)
        if self.template not in get_args(Template):
            raise InputError("template", self.template, *get_args(Template))

    @property
    def is_machine(self) -> bool:
        """Whether this is a war machine."""
        return self.kind != "bow"

    def reach(self, rules: HouseRules | None = None) -> float:
        """The range in centimetres at this game's scale. Source: Sea Battles, Scale."""
        return self.range * HouseRules.of(rules).cm_per_inch


def scaled(length: float, rules: HouseRules) -> float:
    """A length that the document gives in centimetres, at the scale of the house rules.

    Every length stretches alike (SA-01). Source: Sea Battles, Scale.

    >>> scaled(20, HouseRules(cm_per_inch=1.0))
    40.0
    """
    return length * rules.cm_per_inch / CM_PER_INCH


def known_wounds(wounds: Any) -> Distribution:
    """The dice of wounds that the notation names, else InputError."""
    allowed = f"dice of 0 to {MOST_WOUNDS} wounds, such as 'd3'"
    if not isinstance(wounds, str):
        raise InputError("wounds", wounds, allowed)
    try:
        named = dice(wounds)
    except NotationError as error:
        raise InputError("wounds", wounds, allowed) from error
    if named.min < 0 or named.max > MOST_WOUNDS:
        raise InputError("wounds", wounds, allowed)
    return named


def weapon(name: str, /, **changes: Any) -> Weapon:
    """A weapon by name, with any of its fields changed.

    >>> weapon("great cannon").wounds
    'd6'
    >>> weapon("bow", strength=11)
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: strength: got 11, allowed is a whole number from 1 to 10
    """
    return chosen("weapon", _ready(), name, changes)


def known_weapon(what: str | Weapon) -> Weapon:
    """The weapon itself, or the one of that name; else InputError."""
    if isinstance(what, Weapon):
        return what
    if not isinstance(what, str):
        raise InputError("weapon", what, "a name, or a sea_battles.Weapon")
    return weapon(what)


def weapons() -> pd.DataFrame:
    """The ready weapons, a row each; the columns are the fields of `Weapon`.

    >>> int(weapons().set_index("name").loc["great cannon", "strength"])
    10
    """
    return listed(Weapon, _ready())


@lru_cache(maxsize=1)
def _ready() -> dict[str, Weapon]:
    return read("sea-battles-weapons.csv", Weapon)
