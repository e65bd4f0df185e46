"""Ships and officers of GURPS/Naval Combat, and the library of ready ships."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, get_args

import pandas as pd

from navkit import records
from navkit.dice import Distribution, dice
from navkit.errors import InputError, number, whole
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.movement import base_move, shifted
from navkit.rulebooks.gurps.tables import SPELL_ENERGY, USUAL_RANGE, USUAL_SCALE, VACANT
from navkit.rulebooks.ready import chosen, listed, read

Care = Literal["hands", "lives"]
Post = Literal["gunnery", "navigation", "tactics", "medic"]
POSTS = ("leadership", *get_args(Post))
SCALES = (1, 10, 100, 1000)
LARGEST_HULL = 1_000_000
LARGEST_VOLLEY = 100_000_000


@dataclass(frozen=True, kw_only=True)
class Officers:
    """The officers of a ship, by their level relative to IQ (IQ+2 is 2); None: nobody.

    `care` is the standing order of the surgeon: to keep "hands" in the fight, or to save "lives".
    `fatigue` is that of a mage who heals, `powerstone` the energy he spends beside it.
    `commander_is` names the one other post that the commander fills himself, in which he is not
    capped by his own Leadership (GA-30, GA-31). No post is counted in the crew.
    Source: GURPS/Naval Combat, Officer Attributes.

    >>> Officers(leadership=2, gunnery=3).level("gunnery")
    2
    >>> Officers().level("gunnery"), Officers().level("medic")
    (-5, 0)
    """

    leadership: int | None = None
    gunnery: int | None = None
    navigation: int | None = None
    tactics: int | None = None
    medic: int | None = None
    care: Care = "hands"
    fatigue: int = 0
    powerstone: int = 0
    commander_is: Post | None = None

    def __post_init__(self) -> None:
        if self.care not in get_args(Care):
            raise InputError("care", self.care, *get_args(Care))
        if self.commander_is is not None:
            if self.commander_is not in get_args(Post):
                raise InputError("commander_is", self.commander_is, "None", *get_args(Post))
            if self.leadership is None or getattr(self, self.commander_is) is None:
                allowed = "a post that is filled, on a ship with a commander"
                raise InputError("commander_is", self.commander_is, allowed)
        whole("fatigue", self.fatigue, 0, 1000)
        whole("powerstone", self.powerstone, 0, 1000)
        for post in POSTS:
            level = getattr(self, post)
            if level is not None:
                whole(post, level, -10, 10)

    def level(self, post: Post, rules: HouseRules | None = None) -> int:
        """What a post adds to rolls: the officer's level, at most that of the commander.

        A missing commander counts as −5, and so do a missing gunner and navigator, who are
        nobody to be capped; a missing tactician or medic counts 0. A commander below IQ caps
        below 0. The cap holds for all officers, whatever they add to.
        Source: GURPS/Naval Combat, Leadership, Gunnery, Navigation.
        """
        rules = HouseRules.of(rules)
        own: int | None = getattr(self, post)
        if own is None:
            return VACANT if post in ("gunnery", "navigation") else 0
        if self.leadership is not None:
            return own if self.commander_is == post else min(own, self.leadership)
        match rules.no_commander:
            case "cap -5":
                return min(own, VACANT)
            case "cap 0":
                return min(own, 0)
            case "gunner -5" if post == "gunnery":
                return VACANT
            case _:
                return own

    def care_points(self, rules: HouseRules | None = None) -> int:
        """Hands a turn that the surgeon keeps fit or alive; one below IQ saves nobody (GA-34).

        Source: GURPS/Naval Combat, First-Aid.
        """
        return max(0, self.level("medic", rules))

    @property
    def spells(self) -> int:
        """Healing spells in a fight: a full-strength one costs 4 energy, from one pool (GA-45).

        Source: GURPS/Naval Combat, Healing Spells in naval combat.

        >>> Officers(fatigue=15).spells
        3
        """
        return (self.fatigue + self.powerstone) // SPELL_ENERGY

    def __str__(self) -> str:
        return records.to_text(self)

    @classmethod
    def parse(cls, text: str) -> Officers:
        """Officers from text such as `leadership=2 gunnery=1 care=lives`.

        >>> Officers.parse("gunnery=1 leadership=2") == Officers(leadership=2, gunnery=1)
        True
        """
        return records.from_text(text, cls)


STEADY = Officers(leadership=0, gunnery=0, navigation=0, tactics=0, medic=0)
"""Every post filled at the level of the attribute (ours: the document gives none)."""


@dataclass(frozen=True)
class Ship:
    """A ship with its crew.

    `kph` is its rated speed, `cannons` the guns to the left, right, front and back, `damage` the
    dice of one gun; `dr`, `hull` and `damage` are divided by `scale` already, as on the ship
    sheet. `range` is in hexes, `weight` in tons. `crew` counts fit hands. `expertise` is the mean
    Sailor skill of the hands, `weapon` the highest damage modifier of their hand weapons.
    Raises InputError for what cannot be.
    Source: GURPS/Naval Combat, A ship's attributes.

    >>> Ship(name="Cutter", kph=14, dr=1, hull=300, cannons=(3, 3, 0, 0), damage="5d", crew=12,
    ...      skeleton_crew=4).guns
    6
    """

    name: str
    kph: float
    dr: int
    hull: int
    cannons: tuple[int, int, int, int]
    damage: str
    _: KW_ONLY
    range: int = USUAL_RANGE
    scale: int = USUAL_SCALE
    size_modifier: int = 0
    crew: int
    skeleton_crew: int
    weight: float = 0
    price: float = 0
    expertise: int = 12
    officers: Officers = STEADY
    weapon: int = 0

    def __post_init__(self) -> None:
        named = isinstance(self.name, str) and self.name.strip() and self.name.isprintable()
        if not named:
            raise InputError("name", self.name, "a text on one line")
        number("kph", self.kph, 0, 1000)
        whole("dr", self.dr, 0, 10_000)
        whole("hull", self.hull, 1, LARGEST_HULL)
        if not isinstance(self.cannons, tuple) or len(self.cannons) != 4:
            raise InputError("cannons", self.cannons, "four numbers: left, right, front, back")
        for side, guns in zip(("left", "right", "front", "back"), self.cannons, strict=True):
            whole(f"cannons {side}", guns, 0, 1000)
        if whole("scale", self.scale, 1, 1000) not in SCALES:
            raise InputError("scale", self.scale, "1, 10, 100 or 1000")
        if self.gun.min < 0 or self.gun.max * max(1, self.guns) * self.scale > LARGEST_VOLLEY:
            allowed = f"dice from 0 up that do at most {LARGEST_VOLLEY} in a volley"
            raise InputError("damage", self.damage, allowed)
        whole("range", self.range, 1, 1000)
        whole("size_modifier", self.size_modifier, -20, 40)
        whole("crew", self.crew, 0, 100_000)
        whole("skeleton_crew", self.skeleton_crew, 0, 100_000)
        number("weight", self.weight, 0, 1e9)
        number("price", self.price, 0, 1e12)
        whole("expertise", self.expertise, 1, 30)
        if not isinstance(self.officers, Officers):
            raise InputError("officers", self.officers, "gurps.Officers(...)")
        whole("weapon", self.weapon, -20, 100)

    @property
    def guns(self) -> int:
        """All guns of the ship."""
        return sum(self.cannons)

    @property
    def gun(self) -> Distribution:
        """The damage of one gun."""
        return dice(self.damage)

    def base_move(self, rules: HouseRules | None = None) -> Fraction:
        """Hexes a turn without Navigation. Source: GURPS/Naval Combat, Move.

        >>> str(ship("Sloop").base_move())
        '2'
        """
        return base_move(self.kph, rules)

    def move(self, rules: HouseRules | None = None) -> Fraction:
        """Hexes a turn with Navigation. Source: GURPS/Naval Combat, Navigation.

        >>> str(ship("Sloop", officers=Officers()).move())     # nobody navigates: −5
        '1/5'
        """
        return shifted(self.base_move(rules), self.officers.level("navigation", rules), rules)


def ship(name: str, /, **changes: Any) -> Ship:
    """A ready ship by name, with any of its fields changed.

    The stat blocks are the document's. Expertise 12 and officers at +0 are this project's own,
    since the document gives none; so is weapon 0.
    Source: GURPS/Naval Combat, Sample Ships.

    >>> ship("Brig").hull
    900
    >>> ship("Brig", crew=18).crew
    18
    >>> ship("Frigate")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: ship: got 'Frigate', allowed are 'Sloop', 'Schooner', \
'Tern Schooner', '4-Mast Schooner', 'Brigantine', 'Brig', 'Barquentine', '70-gun military'
    """
    return chosen("ship", _ready(), name, changes)


def library() -> pd.DataFrame:
    """The ready ships, a row each; the columns are the fields of `Ship`.

    >>> library().set_index("name").loc["Brig", "hull"].tolist()
    900
    """
    return listed(Ship, _ready())


@lru_cache(maxsize=1)
def _ready() -> dict[str, Ship]:
    return read("gurps-ships.csv", Ship)
