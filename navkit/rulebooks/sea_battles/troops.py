"""Troops and characters: their profiles, and the units that ships carry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import pandas as pd

from navkit.errors import InputError, not_blank, truth, whole
from navkit.rulebooks.ready import chosen, listed, read
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.tables import NO_SAVE, WIDE_BASE
from navkit.rulebooks.sea_battles.weapons import Weapon, weapon

Kind = Literal["foot", "cavalry", "flyer", "monster", "chariot"]
Rank = Literal["", "hero", "lord"]
IN_THE_HOLD = ("monster", "chariot")
TRAITS = (
    "halberd",
    "great weapon",
    "two weapons",
    "choppa",
    "frenzy",
    "stubborn",
    "unbreakable",
    "animosity",
)
MOST_MODELS = 1000


@dataclass(frozen=True)
class Profile:
    """What a model is: the parent game's characteristics.

    `save` is the armour save on foot in close combat, `full_save` with mount and barding,
    `missile_save` against shooting (7: none). `base` is the shorter side in millimetres.
    `weapon` is what it shoots with ("" for nothing). `traits` are those of `TRAITS`, and `hates`
    with whom, with commas between. Raises InputError for what cannot be.

    >>> profile("Ogre bull").unit_strength
    3
    """

    name: str
    rank: Rank
    kind: Kind
    movement: int
    weapon_skill: int
    ballistic_skill: int
    strength: int
    toughness: int
    wounds: int
    initiative: int
    attacks: int
    leadership: int
    unit_strength: int = 1
    base: int = 20
    save: int = NO_SAVE
    full_save: int = NO_SAVE
    missile_save: int = NO_SAVE
    weapon: str = ""
    traits: str = ""

    def __post_init__(self) -> None:
        not_blank("name of a profile", self.name)
        for what, value, allowed in (
            ("rank", self.rank, get_args(Rank)),
            ("kind", self.kind, get_args(Kind)),
        ):
            if value not in allowed:
                raise InputError(what, value, *allowed)
        whole("movement", self.movement, 0, 20)
        for name in ("weapon_skill", "ballistic_skill", "initiative", "attacks", "leadership"):
            whole(name, getattr(self, name), 0, 10)
        for name in ("strength", "toughness", "wounds", "unit_strength"):
            whole(name, getattr(self, name), 1, 10)
        whole("base", self.base, 10, 200)
        for name in ("save", "full_save", "missile_save"):
            whole(name, getattr(self, name), 1, NO_SAVE)
        if self.weapon:
            weapon(self.weapon)
        for trait in self._traits():
            if trait not in TRAITS and not trait.startswith("hates "):
                raise InputError("trait", trait, *TRAITS, "hates whom")

    def _traits(self) -> list[str]:
        return self.traits.split(", ") if self.traits else []

    def has(self, trait: str) -> bool:
        """Whether this model has a trait."""
        return trait in self._traits()

    def hates(self, foe: Profile) -> bool:
        """Whether this model hates that other one."""
        hated = [trait.removeprefix("hates ") for trait in self._traits() if "hates " in trait]
        return any(whom in foe.name for whom in hated)

    @property
    def shoots(self) -> Weapon | None:
        """What it shoots with; None for nothing."""
        return weapon(self.weapon) if self.weapon else None

    @property
    def fights_aboard(self) -> bool:
        """Whether it may strike aboard: monsters and chariots are stowed below.

        Source: Sea Battles, Fighting aboard ships.
        """
        return self.kind not in IN_THE_HOLD

    def width(self, rules: HouseRules | None = None) -> int:
        """How many models it counts as in a boarding: two on a base of 40 mm or more.

        Riders count as one (SA-45) unless the house rule says two.
        Source: Sea Battles, Who can fight?

        >>> profile("Ogre bull").width(), profile("Orc boy").width()
        (2, 1)
        """
        wide = self.base >= WIDE_BASE
        rides = self.kind == "cavalry" and HouseRules.of(rules).cavalry_base == "two"
        return 2 if wide or rides else 1


@dataclass(frozen=True)
class Unit:
    """Some models of one profile. `name` tells it from others, if it has to be told.

    Raises InputError for an unknown profile and a number of models that cannot be.

    >>> Unit("Empire handgunner", 20).unit_strength
    20
    >>> Unit("Empire pirate", 20)                        # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: profile: got 'Empire pirate', allowed are 'Empire halberdier', ...
    """

    kind: str
    models: int = 1
    name: str = ""
    standard: bool = False

    def __post_init__(self) -> None:
        profile(self.kind)
        whole("models", self.models, 1, MOST_MODELS)
        if not isinstance(self.name, str):
            raise InputError("name of a unit", self.name, "a text")
        truth("standard", self.standard)

    @property
    def profile(self) -> Profile:
        """What its models are."""
        return profile(self.kind)

    @property
    def unit_strength(self) -> int:
        """The unit strength of all its models."""
        return self.models * self.profile.unit_strength

    def __str__(self) -> str:
        name = f" ({self.name})" if self.name else ""
        return f"{self.models} {self.kind}{' with standard' if self.standard else ''}{name}"

    @classmethod
    def parse(cls, text: str) -> Unit:
        """A unit from text such as `20 Empire handgunner with standard (The Reds)`.

        >>> str(Unit.parse("10 Orc boy (Gits)"))
        '10 Orc boy (Gits)'
        """
        body, _, name = text.strip().partition(" (")
        count, _, kind = body.partition(" ")
        if not count.isdigit():
            raise InputError("unit", text, "a number and a profile, such as '20 Orc boy'")
        standard = kind.endswith(" with standard")
        kind = kind.removesuffix(" with standard")
        return cls(kind, int(count), name.removesuffix(")"), standard)


@dataclass(frozen=True)
class Character:
    """A character aboard. `joins` is the place in the ship's troops of the unit he fights with,
    from 0 on; None: he fights as a unit of his own.

    Raises InputError for a profile that is unknown or no hero or lord.

    >>> str(Character("Empire captain", name="Otto"))
    'Empire captain (Otto)'
    """

    kind: str
    name: str = ""
    joins: int | None = 0

    def __post_init__(self) -> None:
        if not profile(self.kind).rank:
            raise InputError("character", self.kind, *_of_rank())
        if not isinstance(self.name, str):
            raise InputError("name of a character", self.name, "a text")
        if self.joins is not None:
            whole("joins", self.joins, 0, 100)

    @property
    def profile(self) -> Profile:
        """What he is."""
        return profile(self.kind)

    def __str__(self) -> str:
        name = f" ({self.name})" if self.name else ""
        return f"{self.kind}{' alone' if self.joins is None else ''}{name}"

    @classmethod
    def parse(cls, text: str) -> Character:
        """A character from text such as `Empire captain alone (Otto)`.

        >>> Character.parse("Orc warboss alone").joins is None
        True
        """
        kind, _, name = text.strip().partition(" (")
        alone = kind.endswith(" alone")
        kind = kind.removesuffix(" alone")
        return cls(kind, name.removesuffix(")"), None if alone else 0)


def _of_rank() -> list[str]:
    return [name for name, each in _ready().items() if each.rank]


def profile(name: str, /, **changes: Any) -> Profile:
    """A profile by name, with any of its fields changed.

    >>> profile("Empire captain").leadership
    8
    """
    return chosen("profile", _ready(), name, changes)


def profiles() -> pd.DataFrame:
    """The ready profiles, a row each; the columns are the fields of `Profile`.

    >>> int(profiles().set_index("name").loc["Clanrat", "leadership"])
    5
    """
    return listed(Profile, _ready())


@lru_cache(maxsize=1)
def _ready() -> dict[str, Profile]:
    return read("sea-battles-troops.csv", Profile)
