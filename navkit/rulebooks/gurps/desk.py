"""What the desk asks of GURPS/Naval Combat: meetings, decisions, what would help a ship."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from navkit.chance import Sampled
from navkit.history import History
from navkit.rulebooks.desk import Decision, Desk, Effort, Meeting, Play, Sought, feasible
from navkit.rulebooks.gurps.boarding import board
from navkit.rulebooks.gurps.captains import captain
from navkit.rulebooks.gurps.counsel import counsel
from navkit.rulebooks.gurps.fight import duel
from navkit.rulebooks.gurps.fleet import Placed
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ramming import ram
from navkit.rulebooks.gurps.sea import battle
from navkit.rulebooks.gurps.ships import POSTS, Ship

LEFT = {"crew": "fit hands", "hull": "hull points", "dead": "dead", "wounded": "wounded"}
APART = 6
"""Hexes between the ships when a captain decides; both bow to bow (this project's choice)."""
FOE = "stand off and fire"


def sails_as(doctrine: str) -> Play:
    """a sails by a doctrine on the map, b stands off and fires; both start bow to bow."""

    def play(
        a: Ship,
        b: Ship,
        *,
        turns: int,
        chance: Sampled | None = None,
        rules: HouseRules | None = None,
    ) -> History:
        return battle(
            Placed(a, 0, 0, 0, captain(doctrine)),
            Placed(b, APART, 0, 3, captain(FOE)),
            turns=turns,
            chance=chance,
            rules=rules,
        )

    return play


DECISIONS = (
    Decision(
        name="stand off",
        words="keeps her distance and fires; on the map, 6 hexes apart at the start",
        play=sails_as("stand off and fire"),
        left=LEFT,
    ),
    Decision(
        name="board",
        words="closes, lies alongside and boards",
        play=sails_as("close and board"),
        left=LEFT,
    ),
    Decision(name="ram", words="runs the enemy down, then boards", play=sails_as("ram"), left=LEFT),
    Decision(
        name="rake",
        words="works round to the enemy's stern and fires",
        play=sails_as("rake from the stern"),
        left=LEFT,
    ),
    Decision(name="run", words="turns away and runs", play=sails_as("run"), left=LEFT),
)


def describe(ship: Ship) -> Mapping[str, str]:
    """The lines of a ship's sheet.

    >>> from navkit.rulebooks.gurps import ship
    >>> describe(ship("Sloop"))["guns"]
    '4 left, 4 right, 5d each (Scale 10), range 5 hexes'
    """
    sides = zip(ship.cannons, ("left", "right", "front", "back"), strict=True)
    guns = ", ".join(f"{number} {side}" for number, side in sides if number)
    posts = {post: level for post in POSTS if (level := getattr(ship.officers, post)) is not None}
    return {
        "hull": f"{ship.hull} points, DR {ship.dr} (Scale {ship.scale})",
        "guns": f"{guns}, {ship.damage} each (Scale {ship.scale}), range {ship.range} hexes"
        if guns
        else "none",
        "hands": f"{ship.crew} fit, {ship.skeleton_crew} needed to sail her",
        "expertise": f"{ship.expertise}, hand weapons {ship.weapon:+d}",
        "officers": ", ".join(f"{post} {level:+d}" for post, level in posts.items()) or "none",
        "speed": f"{ship.kph:g} kph, {ship.move()} hexes a turn",
        "size": f"Size Modifier {ship.size_modifier:+d}",
    }


def changes(ship: Ship) -> Mapping[str, Ship]:
    """What might be changed about a ship, one step each."""
    numbers: dict[str, dict[str, Any]] = {
        "ten more hands": {"crew": ship.crew + 10},
        "one point of expertise": {"expertise": ship.expertise + 1},
        "a tenth more hull": {"hull": ship.hull + max(1, ship.hull // 10)},
        "one point of DR": {"dr": ship.dr + 1},
        "one more gun a side": {
            "cannons": (ship.cannons[0] + 1, ship.cannons[1] + 1, *ship.cannons[2:])
        },
        "better hand weapons (+1)": {"weapon": ship.weapon + 1},
    }
    steps = {words: partial(replace, ship, **values) for words, values in numbers.items()}
    for post, words in (
        ("leadership", "one point of leadership"),
        ("gunnery", "one point of gunnery"),
        ("tactics", "one point of tactics"),
        ("medic", "one point of the surgeon's skill"),
    ):
        level = getattr(ship.officers, post)
        if level is not None:
            steps[words] = partial(_with_better, ship, post, level + 1)
    return feasible(ship, steps)


def _with_better(ship: Ship, post: str, level: int) -> Ship:
    """The ship with a better officer; the commander keeps up, since he caps the others."""
    values: dict[str, Any] = {post: level}
    if ship.officers.leadership is not None and ship.officers.leadership < level:
        values["leadership"] = level
    return replace(ship, officers=replace(ship.officers, **values))


DESK = Desk(
    meetings={
        "duel": Meeting(play=duel, words="a gunnery duel", left=LEFT),
        "board": Meeting(play=board, words="a boarding", left=LEFT),
        "ram": Meeting(play=ram, words="a ram, and the boarding after it", left=LEFT),
    },
    decisions=DECISIONS,
    describe=describe,
    changes=changes,
    sought=(
        Sought(path="hull", words="hull points", low=1, high=5000),
        Sought(path="crew", words="fit hands", low=0, high=1000),
        Sought(path="expertise", words="expertise", low=3, high=20),
        Sought(path="officers.gunnery", words="gunnery", low=-5, high=10),
        Sought(path="dr", words="DR", low=0, high=20),
    ),
    dial="crew",
    sinks=("sunk",),
    effort=Effort(variants=2048),
    price=lambda ship: ship.price,
    price_unit="$",
    counsel=counsel,
    counsel_words="When should side a board, in a duel in which she can come alongside?",
)
