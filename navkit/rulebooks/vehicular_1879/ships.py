"""Vehicles of 1879: ships, airships, trains and kettles, with their batteries and officers."""

from __future__ import annotations

from dataclasses import dataclass

from navkit.errors import InputError, not_blank, truth, whole
from navkit.rulebooks.vehicular_1879 import tables
from navkit.rulebooks.vehicular_1879.command import KINDS, Officer, acting
from navkit.rulebooks.vehicular_1879.groups import Member, Unit
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules

LARGEST_RATING = 100
MOST_BATTERIES = 8
MOST_OFFICERS = 100
MOST_WEAPONS = 100
PLENTY = 1_000_000
"""Shots of a battery that never runs out."""


@dataclass(frozen=True, kw_only=True)
class Battery:
    """Weapons that fire together under a commander.

    `gunnery` and `damage` are Steps. `commander` is the one number that the commander adds to
    the Attack Rating (his Captain Rating or Professional Rank, whichever holds). `karma` are his
    Karma points for the fight, of which he spends one a turn at most, `shots` the shots of each
    weapon (None: plenty). `harried` tells that he is below the vehicle's Captain Rating.
    Raises InputError for what cannot be.
    Source: 1879: Vehicular Combat Preview, Unit and Weapon Battery Attacks.

    >>> Battery(name="port", weapons=0, gunnery=8, damage=15)
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: weapons: got 0, allowed is a whole number from 1 to 100
    """

    name: str
    weapons: int
    gunnery: int
    damage: int
    commander: int = 0
    karma: int = 0
    shots: int | None = None
    harried: bool = False
    deck: str = ""

    def __post_init__(self) -> None:
        not_blank("name of a battery", self.name)
        whole("weapons", self.weapons, 1, MOST_WEAPONS)
        whole("gunnery", self.gunnery, 1, LARGEST_RATING)
        whole("damage", self.damage, 1, LARGEST_RATING)
        whole("commander", self.commander, 0, LARGEST_RATING)
        whole("karma", self.karma, 0, 1000)
        if self.shots is not None:
            whole("shots", self.shots, 0, PLENTY)
        truth("harried", self.harried)


@dataclass(frozen=True, kw_only=True)
class Vehicle:
    """A vehicle with its crew.

    `maneuverability` and `speed` are Steps; `armor` is the Physical Armor, `mystic_armor` what
    stops spells (0 unless given: VA-40). `critical_threshold` is the damage of an attack that is
    a Critical Hit. `crew` are hands at or above the Crew Rating, `untrained` those below it,
    `crew_needed` the hands it takes. `officers` are ordered by `command.chain_of_command`; those
    in `out` cannot act. `physical_defense` is Maneuverability + 5 for None.

    A vehicle is destroyed when its damage reaches `destroyed_at`, and crippled when its Critical
    Hits reach `crippled_at`; None means never, since the document gives no figure (VA-39). `cargo`
    is in points (VA-37), `hand` holds the figures of a crew member, for shots at the crew,
    `boarders` the unit that boards. `active_defense` is the Step of an active defense of the
    vehicle, 0 for none. `origin` tells whose figures these are.

    Raises InputError for what cannot be.
    Source: 1879: Vehicular Combat Preview, Vehicle Ratings.

    >>> v = Vehicle(name="Launch", maneuverability=8, speed=5, armor=3, critical_threshold=12)
    >>> v.defense(), v.mystic_defense
    (13, 12)
    >>> Vehicle(name="Launch", maneuverability=8, speed=5, armor=-1, critical_threshold=12)
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: armor: got -1, allowed is a whole number from 0 to 1000
    """

    name: str
    kind: str = "ship"
    maneuverability: int
    speed: int
    armor: int
    critical_threshold: int
    destroyed_at: int | None = None
    crippled_at: int | None = None
    captain_rating: int = 0
    crew_rating: int = 0
    crew_needed: int = 1
    crew: int = 1
    untrained: int = 0
    officers: tuple[Officer, ...] = (Officer(position="Captain"),)
    out: tuple[str, ...] = ()
    batteries: tuple[Battery, ...] = ()
    physical_defense: int | None = None
    mystic_defense: int = tables.MYSTIC_DEFENSE
    mystic_armor: int = 0
    cargo: int = 0
    hand: Member | None = None
    boarders: Unit | None = None
    active_defense: int = 0
    origin: str = ""

    def __post_init__(self) -> None:
        not_blank("name", self.name)
        if self.kind not in KINDS:
            raise InputError("kind", self.kind, *KINDS)
        whole("maneuverability", self.maneuverability, 1, LARGEST_RATING)
        whole("speed", self.speed, 0, LARGEST_RATING)
        whole("armor", self.armor, 0, 1000)
        whole("critical_threshold", self.critical_threshold, 1, 10_000)
        for name, most in (("destroyed_at", 10_000), ("crippled_at", 1000)):
            if getattr(self, name) is not None:
                whole(name, getattr(self, name), 1, most)
        for name in ("captain_rating", "crew_rating", "active_defense"):
            whole(name, getattr(self, name), 0, LARGEST_RATING)
        whole("crew_needed", self.crew_needed, 1, 100_000)
        whole("crew", self.crew, 0, 100_000)
        whole("untrained", self.untrained, 0, 100_000)
        if self.physical_defense is not None:
            whole("physical_defense", self.physical_defense, 1, 1000)
        whole("mystic_defense", self.mystic_defense, 1, 1000)
        whole("mystic_armor", self.mystic_armor, 0, 1000)
        whole("cargo", self.cargo, 0, 1_000_000)
        self._check_people()

    def _check_people(self) -> None:
        for what, kind, several in (
            ("officers", Officer, self.officers),
            ("batteries", Battery, self.batteries),
        ):
            if not isinstance(several, tuple) or not all(isinstance(x, kind) for x in several):
                raise InputError(what, several, f"a tuple of vehicular_1879.{kind.__name__}")
        if not self.officers:
            raise InputError("officers", self.officers, "at least a captain")
        if len(self.officers) > MOST_OFFICERS:
            raise InputError("officers", len(self.officers), f"at most {MOST_OFFICERS} officers")
        if len(self.batteries) > MOST_BATTERIES:
            allowed = f"at most {MOST_BATTERIES} batteries"
            raise InputError("batteries", len(self.batteries), allowed)
        names = [battery.name for battery in self.batteries]
        if len(set(names)) < len(names):
            raise InputError("batteries", names, "a name of its own for each")
        positions = [officer.position for officer in self.officers]
        for position in self.out:
            if position not in positions:
                raise InputError("out", position, *positions)
        if self.hand is not None and not isinstance(self.hand, Member):
            raise InputError("hand", self.hand, "None or a vehicular_1879.Member")
        if self.boarders is not None and not isinstance(self.boarders, Unit):
            raise InputError("boarders", self.boarders, "None or a vehicular_1879.Unit")

    def defense(self, rules: HouseRules | None = None) -> int:
        """Physical Defense at the start of a fight: Maneuverability + 5, unless given.

        Cover and a Harried captain count where a house rule says so.
        Source: 1879: Vehicular Combat Preview, Vehicle Ratings; Determine Unit Attack Rating.
        """
        rules = HouseRules.of(rules)
        base = self.physical_defense
        if base is None:
            base = self.maneuverability + tables.DEFENSE_OVER_MANEUVERABILITY
        if rules.cover == "crew and vehicle":
            base += tables.COVER
        return max(1, base - self._harried_defense(rules))

    def magic_defense(self, rules: HouseRules | None = None) -> int:
        """Mystic Defense: 12, or as augmented. Source: as `defense`.

        >>> Vehicle(name="Launch", maneuverability=8, speed=5, armor=3,
        ...         critical_threshold=12).magic_defense()
        12
        """
        return max(1, self.mystic_defense - self._harried_defense(HouseRules.of(rules)))

    @property
    def captain(self) -> Officer | None:
        """The acting captain: the first in the chain of command who is not out.

        Source: 1879: Vehicular Combat Preview, Captain's Mates.
        """
        return acting(self.kind, self.officers, self.out)

    @property
    def captain_rank(self) -> int:
        """The acting captain's rank in the Crew skill; 0 if nobody is left."""
        return 0 if self.captain is None else self.captain.rank

    @property
    def is_harried(self) -> bool:
        """Whether the acting captain's rank is below the Captain Rating.

        Source: 1879: Vehicular Combat Preview, Vehicle Ratings.
        """
        return self.captain_rank < self.captain_rating

    def _harried_defense(self, rules: HouseRules) -> int:
        covers = rules.harried_scope == "tests and defenses"
        return rules.harried if covers and self.is_harried else 0

    def battery(self, name: str | None = None) -> Battery:
        """The battery of that name, the first for None.

        Raises InputError for a vehicle without batteries and for a name there is not.
        """
        if not self.batteries:
            raise InputError("batteries", self.batteries, "a vehicle with at least one battery")
        for battery in self.batteries:
            if name is None or battery.name == name:
                return battery
        raise InputError(
            f"battery of {self.name}", name, *(battery.name for battery in self.batteries)
        )


def known_vehicle(what: str, vehicle: object) -> Vehicle:
    """`vehicle` if it is one, else InputError."""
    if not isinstance(vehicle, Vehicle):
        allowed = "a vehicular_1879.Vehicle, such as vehicular_1879.ship('Paddle gunboat')"
        raise InputError(what, vehicle, allowed)
    return vehicle
