"""Moving, towing and drifting.

Towing and the drift of grappled ships are in the document. What else is here (speeds, wind and
turning) comes from the movement section of the same article, and no fight of this rulebook needs
it. Distances are inches of the table, angles degrees from the direction the wind blows to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Literal

from navkit.errors import InputError, number, whole
from navkit.rulebooks.medieval import tables
from navkit.rulebooks.medieval.grapples import TiedShips
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.ships import Ship, known_ship

Pace = Literal["normal", "turning", "attack", "back"]
ATTACKS_A_GAME = 4
ROUND_SHIP_SAILS_WITHIN = 60
WITH_THE_WIND = 45
WIND_BONUS = 1
FURLS_WITHIN = 6


@dataclass(frozen=True)
class Speeds:
    """Inches in a turn at each pace; None where a ship can't."""

    normal: float
    turning: float
    attack: float | None
    back: float | None


SPEEDS = {"long": Speeds(4, 4, 5, 2), "round": Speeds(3, 2, None, None)}


def may_tow(
    target: Ship,
    by: Sequence[Ship],
    tied: TiedShips,
    *,
    captured: bool = False,
) -> bool:
    """Whether ships may tow away one they are grappled to.

    It takes two, or one of a greater size (MA-03), captured or not (MA-04); one of equal size may
    tow a captured ship. No other ship may be grappled to it (the towing ones don't count, MA-05),
    and no line may tie it. Raises InputError for ships that are not in `tied`.
    Source: Medieval Naval Wargame Rules, Grappling.

    >>> cog, dromon = Ship("Cog"), Ship("Dromon")
    >>> tied = TiedShips(("Cog", "Dromon")).grapple("Cog", "Dromon")
    >>> may_tow(cog, [dromon], tied), may_tow(cog, [dromon], tied, captured=True)
    (False, True)
    """
    names = {known_ship("by", ship).name for ship in by}
    holding = tied.grappled_to(known_ship("target", target).name)
    if not names or not names <= holding or holding - names or tied.in_line_with(target.name):
        return False
    if len(names) > 1 or by[0].size > target.size:
        return True
    return captured and by[0].size == target.size


def tow_speed(by: Sequence[Ship]) -> float:
    """Inches a turn of ships that tow: half the normal speed of the slowest of them.

    Ours: the document has no figure. A ship in tow doesn't drift, and resists by cutting (MA-06).
    """
    if not by:
        raise InputError("by", list(by), "one ship or more")
    return min(SPEEDS[known_ship("by", ship).kind].normal for ship in by) / 2


def drift(
    place: tuple[float, float],
    wind: float,
    *,
    burning: bool = False,
    rules: HouseRules | None = None,
) -> tuple[float, float]:
    """Where a drifting ship is after a turn: 1 inch downwind.

    `place` is (x, y), `wind` the direction it blows to, counterclockwise from x. The fire section
    prints that burning ships drift to windward; the default takes that for a slip.
    Source: Medieval Naval Wargame Rules, Grappling; the article's fire section.

    >>> drift((0, 0), wind=0)
    (1.0, 0.0)
    """
    rules = HouseRules.of(rules)
    sign = -1 if burning and rules.drift_dir == "as printed" else 1
    angle, step = radians(number("wind", wind, -360, 360)), sign * tables.DRIFT_INCHES
    x, y = place
    return x + step * cos(angle), y + step * sin(angle)


def adrift(
    places: dict[str, tuple[float, float]],
    tied: TiedShips,
    wind: float,
    *,
    burning: Iterable[str] = (),
    rules: HouseRules | None = None,
) -> dict[str, tuple[float, float]]:
    """Where all ships are after a turn of drifting: grappled ones, and those that burn.

    A group that one of its ships ties to a line stays. Raises InputError for unknown ships.
    Source: Medieval Naval Wargame Rules, Grappling; the article's fire section.

    >>> tied = TiedShips(("A", "B", "C")).grapple("A", "B")
    >>> adrift({"A": (0, 0), "B": (1, 0), "C": (5, 5)}, tied, wind=0)["A"]
    (1.0, 0.0)
    """
    alight = set(burning)
    for name in (*places, *alight):
        tied.group(name)
    moving = tied.drifting()
    return {
        name: drift(place, wind, burning=name in alight and name not in moving, rules=rules)
        if name in moving | alight
        else place
        for name, place in places.items()
    }


def speed(
    ship: Ship,
    pace: Pace = "normal",
    *,
    off_wind: float = 180,
    sail: bool = True,
    attacked_last_turn: bool = False,
    attacks: int = 0,
) -> float:
    """Inches a ship may move in a turn. From the article's movement section.

    `off_wind` is the angle between its course and the direction the wind blows to: within 45° it
    gains an inch (a long ship only under sail), and a round ship sails within 60° only. Attack
    speed is for closing with an enemy: not two turns running, four times a game (`attacks` made).
    Raises InputError where the ship can't move so.

    >>> speed(Ship("Galley"), "attack"), speed(Ship("Cog", kind="round"), off_wind=30)
    (5.0, 4.0)
    """
    known_ship("ship", ship)
    angle = number("off_wind", off_wind, 0, 180)
    paces = SPEEDS[ship.kind]
    if pace not in ("normal", "turning", "attack", "back"):
        raise InputError("pace", pace, "normal", "turning", "attack", "back")
    inches = getattr(paces, pace)
    if inches is None:
        raise InputError("pace", pace, "normal", "turning")
    if pace == "attack" and (
        attacked_last_turn or whole("attacks", attacks, 0, 1000) >= ATTACKS_A_GAME
    ):
        raise InputError("pace", pace, "attack speed not two turns running, four times a game")
    if not ship.is_long and angle > ROUND_SHIP_SAILS_WITHIN:
        return 0.0
    helped = angle <= WITH_THE_WIND and pace != "back" and (sail or not ship.is_long)
    return float(inches + (WIND_BONUS if helped else 0))


def turning_moves(degrees: int) -> int:
    """Alterations of course, with a forward move between them, that a turn takes: 45° each.

    From the article's movement section. Raises InputError for other than whole 45s.

    >>> turning_moves(90)
    2
    """
    angle = whole("degrees", degrees, 0, 360)
    if angle % WITH_THE_WIND:
        raise InputError("degrees", degrees, "a multiple of 45")
    return angle // WITH_THE_WIND


def must_furl(distance: float) -> bool:
    """Whether a long ship must have its sail furled so near an enemy: within 6 inches.

    From the article's movement section; unfurling takes a whole turn.
    """
    return number("distance", distance, 0, 10_000) <= FURLS_WITHIN
