"""What the desk asks of Sea Battles: meetings, decisions, what would help a ship."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from navkit.rulebooks.desk import Decision, Desk, Effort, Meeting, Sought, feasible
from navkit.rulebooks.resolvers import Resolver
from navkit.rulebooks.sea_battles.doctrines import Doctrine
from navkit.rulebooks.sea_battles.fight import board, duel, fire, ram
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.tables import LARGEST_SIZE
from navkit.rulebooks.sea_battles.troops import Unit

LEFT = {"troops": "models aboard", "damage": "Damage points"}
ABOARD = {"troops": "models aboard"}
VETERAN = 9
"""Leadership of the best captain that the table gives."""

DECISIONS = (
    Decision(
        name="lie to",
        words="gives no orders and fires from where she lies, 24 cm off at the start",
        play=partial(duel, a_sails=Doctrine(handling="hold")),
        left=LEFT,
    ),
    Decision(
        name="close",
        words="comes within 12 cm and fires, as the enemy does in all of these",
        play=partial(duel, a_sails=Doctrine(handling="close")),
        left=LEFT,
    ),
    Decision(
        name="ram",
        words="runs into the enemy",
        play=partial(duel, a_sails=Doctrine(handling="ram")),
        left=LEFT,
    ),
    Decision(
        name="board",
        words="runs into the enemy and boards",
        play=partial(duel, a_sails=Doctrine(handling="ram and board")),
        left=LEFT,
    ),
)


def describe(ship: Ship) -> Mapping[str, str]:
    """The lines of a ship's sheet.

    >>> from navkit.rulebooks.sea_battles import ship
    >>> describe(ship("Hammer"))["war machines"]
    '2 great cannon, gunnery 3'
    """
    command = ship.command
    known = command.min == command.max
    guns = ", ".join(f"{ship.guns.count(name)} {name}" for name in dict.fromkeys(ship.guns))
    people = [str(each) for each in (*ship.troops, *ship.characters)]
    return {
        "size": f"{ship.size}, {ship.propulsion}",
        "captain": f"{ship.captain or 'one of the crew'}, "
        + (f"Leadership {command.min}" if known else f"Leadership {command.min} to {command.max}"),
        "troops": ", ".join(people) or "none",
        "unit strength": f"{ship.aboard} of {ship.room}",
        "war machines": f"{guns}, gunnery {ship.gunnery}" if guns else "none",
        "crew": f"{ship.support_attacks} support attacks",
    }


def changes(ship: Ship) -> Mapping[str, Ship]:
    """What might be changed about a ship, one step each."""
    gun = ship.guns[0] if ship.guns else "cannon"
    steps: dict[str, Callable[[], Ship]] = {
        "one point of Leadership": lambda: _led(ship),
        f"one more {gun}": lambda: replace(ship, guns=(*ship.guns, gun)),
        "one point of gunnery": lambda: replace(ship, gunnery=ship.gunnery + 1),
    }
    if ship.troops:
        steps[f"five more {ship.troops[0].kind}"] = lambda: _reinforced(ship)
    if not ship.guns and ship.gunnery == 0:
        del steps["one point of gunnery"]
    return feasible(ship, steps)


def _led(ship: Ship) -> Ship:
    """A captain one point better than hers: than he is, or than most of those rolled for."""
    known = ship.command.min == ship.command.max
    return replace(ship, captain="", leadership=ship.command.min + 1 if known else VETERAN)


def _reinforced(ship: Ship) -> Ship:
    """The ship with five more models in her first unit."""
    first, *others = ship.troops
    more = Unit(first.kind, first.models + 5, first.name, first.standard)
    return replace(ship, troops=(more, *others))


DESK = Desk(
    meetings={
        "duel": Meeting(play=Resolver(duel), words="a duel", left=LEFT),
        "board": Meeting(
            play=Resolver(board, turns="rounds"), words="a boarding", left=ABOARD, unit="round"
        ),
        "ram": Meeting(play=Resolver(ram), words="a ram, and the sinking after it", left=LEFT),
        "fire": Meeting(play=Resolver(fire), words="fire that is not answered", left=LEFT),
    },
    decisions=DECISIONS,
    describe=describe,
    changes=changes,
    sought=(
        Sought(path="troops.0.models", words="models of the first unit", low=1, high=120),
        Sought(path="gunnery", words="gunnery", low=0, high=10),
        Sought(path="size", words="Size", low=1, high=LARGEST_SIZE),
    ),
    dial="troops.0.models",
    sinks=("sunk", "scuttled"),
    effort=Effort(fights=2048, variants=512, steps=3),
    notes=("Sea Battles has no doctrine for a ship that runs: it leaves handling to the players.",),
)
