"""What the desk asks of Medieval Naval Wargame Rules: meetings, decisions, what would help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from navkit.rulebooks.desk import Decision, Desk, Effort, Meeting, Sought, feasible
from navkit.rulebooks.medieval.fight import board
from navkit.rulebooks.medieval.ships import Ship
from navkit.rulebooks.medieval.tables import FULL_CREW, HALF_CREW

LEFT = {"crew": "crew points"}

DECISIONS = (
    Decision(
        name="fight it out",
        words="attacks and stays until one crew is overcome",
        play=board,
        left=LEFT,
    ),
    Decision(
        name="break off",
        words="attacks, and tries to leave once half her crew is lost; to leave is to lose",
        play=partial(board, break_off=(HALF_CREW, 0)),
        left=LEFT,
    ),
    Decision(
        name="board loose",
        words="attacks an enemy who tries to leave once half its crew is lost",
        play=partial(board, break_off=(0, HALF_CREW)),
        left=LEFT,
    ),
    Decision(
        name="grapple",
        words="holds that enemy with grapnels, which it must cut before it leaves",
        play=partial(board, break_off=(0, HALF_CREW), grappled=True),
        left=LEFT,
    ),
)


def describe(ship: Ship) -> Mapping[str, str]:
    """The lines of a ship's sheet.

    >>> from navkit.rulebooks.medieval import ship
    >>> describe(ship("Dromon"))["fittings"]
    'Greek fire siphon'
    """
    fitted = {"Greek fire siphon": ship.siphon, "ram": ship.ram, "high sides": ship.high}
    return {
        "kind": f"{ship.kind} ship, size {ship.size}",
        "crew": f"{ship.crew} crew points of {FULL_CREW}",
        "fittings": ", ".join(name for name, there in fitted.items() if there) or "none",
        "admiral": "aboard" if ship.flagship else "none",
    }


def changes(ship: Ship) -> Mapping[str, Ship]:
    """What might be changed about a ship, one step each."""
    steps: dict[str, dict[str, Any]] = {
        "two more crew points": {"crew": ship.crew + 2},
        "two crew points fewer": {"crew": ship.crew - 2},
        "the admiral aboard": {"flagship": True},
        "a Greek fire siphon": {"siphon": True},
        "high sides": {"high": True},
        "a round ship's hull": {"kind": "round"},
    }
    if ship.crew <= 2:
        del steps["two crew points fewer"]  # nobody would be left
    made = {words: partial(replace, ship, **values) for words, values in steps.items()}
    return feasible(ship, made)


DESK = Desk(
    meetings={"board": Meeting(play=board, words="a boarding", left=LEFT)},
    decisions=DECISIONS,
    describe=describe,
    changes=changes,
    sought=(Sought(path="crew", words="crew points", low=1, high=FULL_CREW),),
    dial="crew",
    effort=Effort(variants=20_000),
    notes=(
        "Ships of these rules have no guns: they meet by boarding. A crew that has broken off is "
        "counted as lost.",
    ),
)
