"""What the preview leaves to other books: tables that a user supplies, and an example of them.

Nothing here is the document's. `Supplement()` is empty, and then the rules play what the document
prints and no more. `EXAMPLE` is this project's own, to try things on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from navkit.dice import Distribution, dice
from navkit.errors import InputError, number, whole

EFFECTS = ("none", "speed", "maneuverability", "armor", "armament")
"""What a Critical Hit may cost: nothing more, or 1 of a rating, or a weapon."""


class Gap(NamedTuple):
    """Something that the document points to and does not print; its rows of the checklist."""

    missing: str
    instead: str
    rows: tuple[str, ...]


LEFT_OUT = (
    Gap(
        "Officer Maneuvers: their list, tests and effects, when they may be used, when free",
        "Supplement.officer_maneuvers",
        ("V-07", "V-58", "V-60", "V-104"),
    ),
    Gap(
        "Vehicle Maneuvers (Board, Ram and others): list, tests, difficulties, effects on range",
        "Supplement.vehicle_maneuvers",
        ("V-50", "V-60", "V-104"),
    ),
    Gap(
        "crew states: thresholds, penalties and bonuses",
        "Supplement.crew_states",
        ("V-10",),
    ),
    Gap(
        "positions other than the mates: requirements, abilities, actions",
        "Vehicle.officers, by any names",
        ("V-11",),
    ),
    Gap(
        "how much Harried costs, and what adds to a Mystic Defense",
        "HouseRules.harried, Vehicle.mystic_defense",
        ("V-05", "V-06"),
    ),
    Gap(
        "hazards, Hazard Steps and Tests, casualty checks, the Fog of Battle",
        "Supplement.hazards",
        ("V-38", "V-46", "V-66", "V-104"),
    ),
    Gap(
        "morale, surrender and regrouping",
        "Supplement.morale_step, morale_difficulty",
        ("V-33", "V-58", "V-104"),
    ),
    Gap(
        "pursuit and engagement, the roll to engage, firing ranges",
        "scale.engages, with a step and a difficulty of yours",
        ("V-34", "V-104"),
    ),
    Gap(
        "movement points from Speed, the mandatory part, hexes of each range",
        "HouseRules.movement_points, mandatory_part; Supplement.range_hexes",
        ("V-44", "V-49", "V-57", "V-63"),
    ),
    Gap(
        "effects of damage and Critical Hits, when a vehicle is lost",
        "Supplement.critical_hits; Vehicle.destroyed_at, crippled_at",
        ("V-97",),
    ),
    Gap("repair and maintenance", "nothing", ("V-104",)),
    Gap(
        "ratings of any vehicle, but for one Mystic Defense",
        "your own vehicles; the library's are invented",
        ("V-05",),
    ),
)
"""What the document leaves to other books, and what stands in for it here."""


def left_out() -> tuple[Gap, ...]:
    """What the document points to and does not print, and what a user supplies instead.

    Source: 1879: Vehicular Combat Preview, closing note, and where each is named.

    >>> left_out()[2].missing
    'crew states: thresholds, penalties and bonuses'
    """
    return LEFT_OUT


@dataclass(frozen=True, kw_only=True)
class CrewState:
    """A state of the crew: from which share of the hands needed on, and what it does to tests.

    `modifier` is in Steps, on Maneuver Tests and Attack Ratings.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> from navkit.rulebooks.vehicular_1879.crew import crew_state
    >>> few = CrewState(name="Few", share=0, modifier=-2)
    >>> full = CrewState(name="Full", share=1, modifier=0)
    >>> crew_state(ship("Paddle gunboat", crew=4), Supplement(crew_states=(few, full)))
    'Few'
    """

    name: str
    share: float
    modifier: int

    def __post_init__(self) -> None:
        number("share of the hands needed", self.share, 0, 1000)
        whole("modifier of a crew state", self.modifier, -100, 100)


@dataclass(frozen=True, kw_only=True)
class VehicleManeuver:
    """A Vehicle Maneuver: its difficulty (None: the target's defense), and what success brings.

    `attack` is in Steps, for each success, on the vehicle's Attack Ratings for the turn.
    `targeted` is False for one without a target; then no outcome line speaks of one.

    >>> across = VehicleManeuver(name="Cross the bow", attack=1)
    >>> Supplement(vehicle_maneuvers=(across,)).vehicle_maneuver("Cross the bow").attack
    1
    """

    name: str
    difficulty: int | None = None
    attack: int = 0
    targeted: bool = True

    def __post_init__(self) -> None:
        if self.difficulty is not None:
            whole("difficulty", self.difficulty, 1, 1000)
        elif not self.targeted:
            raise InputError("difficulty", None, "a number for a maneuver without a target")
        whole("attack", self.attack, -20, 20)


@dataclass(frozen=True, kw_only=True)
class OfficerManeuver:
    """An Officer Maneuver: its difficulty, and what each success brings for the turn.

    `attack` is in Steps on the vehicle's Attack Ratings, `defense` on its Physical Defense.
    `declare` tells whether it may be used when declaring. The acting captain's test is that of
    any maneuver.

    >>> steady = OfficerManeuver(name="Steady, boys", difficulty=9, attack=1)
    >>> Supplement(officer_maneuvers=(steady,)).officer_maneuver("Steady, boys").difficulty
    9
    """

    name: str
    difficulty: int
    attack: int = 0
    defense: int = 0
    declare: bool = False

    def __post_init__(self) -> None:
        whole("difficulty", self.difficulty, 1, 1000)
        whole("attack", self.attack, -20, 20)
        whole("defense", self.defense, -20, 20)


@dataclass(frozen=True, kw_only=True)
class CriticalHits:
    """A table of Critical Hits: what is rolled for each, and what each result costs.

    `effects` has one of `EFFECTS` for every result of the dice, lowest first.

    >>> table = CriticalHits(dice="2d6", effects=("none",) * 9 + ("armor", "armament"))
    >>> table.roll.equal(12, exact=True)
    Fraction(1, 36)
    """

    dice: str
    effects: tuple[str, ...]

    def __post_init__(self) -> None:
        known = self.roll
        if len(self.effects) != len(known.pmf):
            raise InputError("effects", self.effects, f"one for each of {known.min} to {known.max}")
        for effect in self.effects:
            if effect not in EFFECTS:
                raise InputError("effect of a Critical Hit", effect, *EFFECTS)

    @property
    def roll(self) -> Distribution:
        """The dice of the table."""
        return dice(self.dice)


@dataclass(frozen=True, kw_only=True)
class Supplement:
    """A user's own tables, for what the document leaves to other books. All are optional.

    `crew_states` go from the least share of hands to the largest. `range_steps` are Steps on
    Attack Ratings at Adjacent, Near, Intermediate and Far, `range_hexes` the hexes up to which
    each range but Far reaches. `hazards` are Hazard Steps by name. Morale tests use `morale_step`
    against `morale_difficulty`; 0 means there is no morale.
    Source: 1879: Vehicular Combat Preview leaves all of it out.

    >>> Supplement().crew_states, EXAMPLE.crew_states[0].name
    ((), 'Derelict')
    """

    crew_states: tuple[CrewState, ...] = ()
    vehicle_maneuvers: tuple[VehicleManeuver, ...] = ()
    officer_maneuvers: tuple[OfficerManeuver, ...] = ()
    critical_hits: CriticalHits | None = None
    range_steps: tuple[int, int, int, int] = (0, 0, 0, 0)
    range_hexes: tuple[int, int, int] | None = None
    hazards: tuple[tuple[str, int], ...] = ()
    morale_step: int = 0
    morale_difficulty: int = 0

    def __post_init__(self) -> None:
        shares = [state.share for state in self.crew_states]
        if shares and (shares != sorted(set(shares)) or shares[0] != 0):
            raise InputError("crew states", shares, "rising shares of the hands needed, from 0")
        if len(self.range_steps) != 4:
            raise InputError("range_steps", self.range_steps, "four numbers, Adjacent to Far")
        for steps in self.range_steps:
            whole("range_steps", steps, -50, 50)
        if self.range_hexes is not None and list(self.range_hexes) != sorted(set(self.range_hexes)):
            raise InputError("range_hexes", self.range_hexes, "three rising numbers of hexes")
        for name, step in self.hazards:
            whole(f"Hazard Step of {name}", step, 1, 100)
        whole("morale_step", self.morale_step, 0, 100)
        whole("morale_difficulty", self.morale_difficulty, 0, 1000)

    def vehicle_maneuver(self, name: str) -> VehicleManeuver:
        """The Vehicle Maneuver of that name; InputError if there is none."""
        return _named("Vehicle Maneuver", name, self.vehicle_maneuvers)

    def officer_maneuver(self, name: str) -> OfficerManeuver:
        """The Officer Maneuver of that name; InputError if there is none."""
        return _named("Officer Maneuver", name, self.officer_maneuvers)

    @classmethod
    def of(cls, supplement: Supplement | None) -> Supplement:
        """`supplement`, or an empty one for None; InputError for anything else."""
        if supplement is None:
            return cls()
        if not isinstance(supplement, cls):
            raise InputError("supplement", supplement, "None or a vehicular_1879.Supplement")
        return supplement


def _named(what: str, name: str, known: tuple[Any, ...]) -> Any:
    for each in known:
        if each.name == name:
            return each
    names = [each.name for each in known] or ["none: Supplement(...) has no such table"]
    raise InputError(what, name, *names)


EXAMPLE = Supplement(
    crew_states=(
        CrewState(name="Derelict", share=0, modifier=-6),
        CrewState(name="Skeleton", share=0.25, modifier=-3),
        CrewState(name="Competent", share=0.75, modifier=0),
        CrewState(name="Crack", share=1.25, modifier=1),
        CrewState(name="Legendary", share=1.75, modifier=2),
    ),
    vehicle_maneuvers=(
        VehicleManeuver(name="Cross the bow", attack=1),
        VehicleManeuver(name="Close in"),
        VehicleManeuver(name="Run before the wind", difficulty=10, targeted=False),
    ),
    officer_maneuvers=(
        OfficerManeuver(name="Steady, boys", difficulty=9, attack=1),
        OfficerManeuver(name="Hard over", difficulty=9, defense=1),
    ),
    critical_hits=CriticalHits(
        dice="d6", effects=("none", "none", "speed", "maneuverability", "armor", "armament")
    ),
    range_steps=(1, 0, -1, -3),
    range_hexes=(1, 6, 20),
    hazards=(("fire on deck", 8), ("falling rigging", 10)),
    morale_step=6,
    morale_difficulty=7,
)
"""navkit's own example of such tables. None of its names and numbers is the document's."""
