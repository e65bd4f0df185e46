"""What the desk asks of 1879: meetings, decisions, what would help a vehicle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from navkit.rulebooks.desk import Decision, Desk, Effort, Meeting, Sought, feasible
from navkit.rulebooks.vehicular_1879.boarding import board
from navkit.rulebooks.vehicular_1879.doctrines import Doctrine
from navkit.rulebooks.vehicular_1879.fight import duel, fire
from navkit.rulebooks.vehicular_1879.groups import Unit
from navkit.rulebooks.vehicular_1879.maneuvering import maneuver
from navkit.rulebooks.vehicular_1879.ships import Vehicle

LEFT = {
    "damage": "damage taken",
    "criticals": "Critical Hits taken",
    "speed": "Speed",
    "hands": "living hands",
}
BOARDERS = {"dead": "boarders dead", "wounds": "Wounds taken"}
OFFICERS = {"officers": "Officer Maneuvers left in the turn"}

DECISIONS = (
    Decision(name="fire", words="fires at the hull, as the enemy does", play=duel, left=LEFT),
    Decision(
        name="cripple",
        words="calls shots on the enemy's Speed",
        play=partial(duel, doctrines=(Doctrine(called="speed"), None)),
        left={"speed": "Speed"},
    ),
    Decision(
        name="aim at the hands",
        words="calls shots on the enemy's crew",
        play=partial(duel, doctrines=(Doctrine(called="crew"), None)),
        left={"hands": "living hands"},
    ),
    Decision(
        name="outmaneuver",
        words="who first brings off a Vehicle Maneuver against the other has won this",
        play=maneuver,
        left=OFFICERS,
    ),
    Decision(
        name="board",
        words="boarders against boarders, until one unit is dead",
        play=board,
        left=BOARDERS,
    ),
)


def describe(vehicle: Vehicle) -> Mapping[str, str]:
    """The lines of a vehicle's sheet.

    >>> from navkit.rulebooks.vehicular_1879 import ship
    >>> describe(ship("War kettle"))["turret gun"]
    '1 weapon, Gunnery Step 9, commander 5, Damage Step 16, 30 shots each'
    """
    captain = vehicle.captain
    batteries = {}
    for each in vehicle.batteries:
        shots = "plenty of shots" if each.shots is None else f"{each.shots} shots each"
        weapons = f"{each.weapons} weapon{'s' if each.weapons > 1 else ''}"
        batteries[each.name] = (
            f"{weapons}, Gunnery Step {each.gunnery}, commander {each.commander}, "
            f"Damage Step {each.damage}, {shots}"
        )
    ends = {"destroyed": vehicle.destroyed_at, "crippled": vehicle.crippled_at}
    units = {"destroyed": "damage", "crippled": "Critical Hits"}
    told = [f"{end} by {figure} {units[end]}" for end, figure in ends.items() if figure]
    boarders = vehicle.boarders
    return {
        "kind": vehicle.kind,
        "captain": f"{captain.position}, rank {captain.rank}" if captain else "nobody",
        "maneuverability": f"Step {vehicle.maneuverability}, defense {vehicle.defense()}",
        "speed": f"Step {vehicle.speed}",
        "armor": f"{vehicle.armor}, Critical Hit from {vehicle.critical_threshold}",
        "is lost": ", ".join(told) or "only with her last hand",
        "hands": f"{vehicle.crew} trained, {vehicle.untrained} untrained, "
        f"{vehicle.crew_needed} needed",
        **batteries,
        "boarders": f"{boarders.members}, attack Step {boarders.attack}, "
        f"Damage Step {boarders.damage}"
        if boarders
        else "none",
    }


def changes(vehicle: Vehicle) -> Mapping[str, Vehicle]:
    """What might be changed about a vehicle, one step each."""
    steps: dict[str, Callable[[], Vehicle]] = {
        "one point of armor": lambda: replace(vehicle, armor=vehicle.armor + 1),
        "one Step of Maneuverability": lambda: replace(
            vehicle, maneuverability=vehicle.maneuverability + 1
        ),
    }
    if vehicle.captain == vehicle.officers[0]:
        steps["one rank of the captain"] = lambda: _promoted(vehicle)
    if vehicle.batteries:
        for field, words in (("weapons", "one more weapon"), ("gunnery", "one Gunnery Step")):
            steps[words] = partial(_rearmed, vehicle, field)
    if vehicle.boarders:
        steps["five more boarders"] = partial(_reinforced, vehicle, vehicle.boarders)
    return feasible(vehicle, steps)


def _promoted(vehicle: Vehicle) -> Vehicle:
    """The vehicle with a captain of one more rank."""
    captain, *others = vehicle.officers
    better = replace(captain, rank=captain.rank + 1)
    return replace(vehicle, officers=(better, *others))


def _reinforced(vehicle: Vehicle, boarders: Unit) -> Vehicle:
    """The vehicle with five more boarders than these."""
    return replace(vehicle, boarders=replace(boarders, members=boarders.members + 5))


def _rearmed(vehicle: Vehicle, field: str) -> Vehicle:
    """The vehicle with one more of something of its first battery."""
    first, *others = vehicle.batteries
    better = replace(first, **{field: getattr(first, field) + 1})
    return replace(vehicle, batteries=(better, *others))


DESK = Desk(
    meetings={
        "duel": Meeting(play=duel, words="a duel", left=LEFT),
        "board": Meeting(play=board, words="a boarding", left=BOARDERS),
        "maneuver": Meeting(play=maneuver, words="a contest of maneuvers", left=OFFICERS),
        "fire": Meeting(play=fire, words="fire that is not answered", left=LEFT),
    },
    decisions=DECISIONS,
    describe=describe,
    changes=changes,
    sought=(
        Sought(path="batteries.0.gunnery", words="Gunnery Step", low=1, high=40),
        Sought(path="batteries.0.weapons", words="weapons of the battery", low=1, high=40),
        Sought(path="batteries.0.damage", words="Damage Step", low=1, high=40),
        Sought(path="officers.0.rank", words="captain's rank", low=0, high=20),
        Sought(path="armor", words="armor", low=0, high=60),
        Sought(path="boarders.members", words="boarders", low=1, high=200),
    ),
    dial="batteries.0.gunnery",
    sinks=("destroyed",),
    afloat="not destroyed",
    effort=Effort(fights=4096, variants=1024, steps=5),
    notes=(
        "The preview prints no ram and no effect of ranges, so there is no running away here. When "
        "a vehicle is lost is this project's choice (its figures for destroyed and crippled).",
    ),
)
