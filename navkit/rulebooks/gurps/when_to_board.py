"""A duel on paper in which a may come alongside: doctrines for when to, and what comes of them.

The duel on paper asks for no manoeuvre, and neither does coming alongside here: a boards at the
start of a turn, in place of the fire of both, and the boarding goes on from there (this project's
own reading: on the map the ships must grapple first). b fires while she can, and fights when she
is boarded: she never boards, breaks off or mans guns in a boarding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, get_args

import numpy as np
import pandas as pd

from navkit.battle import Battle, Step, play, some_turns
from navkit.chance import Array, Chance, Exact, Sampled, Scripted
from navkit.engine.midway import mapped
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.paired import difference
from navkit.progress import last
from navkit.rulebooks.gurps.boarding import Melee, boarding_battle
from navkit.rulebooks.gurps.fight import duel_battle
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Care, Ship
from navkit.rulebooks.gurps.sides import A_FIRST, CAUSES, TRACKS, Side, known_ship

LARGEST_LEAD = 1_000_000
LATEST = 1000


class Apart(Protocol):
    """A duel before the ships are alongside, as far as a doctrine looks at it."""

    @property
    def a(self) -> Side:
        """Side a."""

    @property
    def b(self) -> Side:
        """Side b."""

    @property
    def first(self) -> Array:
        """1 where a fires first, -1 where b does, 0 where both fire together."""


@dataclass(frozen=True, kw_only=True)
class Doctrine:
    """When side a boards: from `turn` on, as soon as she has `lead` more fit hands than b.

    `lead` may be below 0, and None asks for none; `turn=None` never boards. `if_first` is the
    turn where she fires first, by initiative: "never", or None for the same. `care` is the
    surgeon's order, that of the ship for None.

    >>> str(Doctrine(turn=3)), str(Doctrine(lead=-2)), str(Doctrine(turn=None, care="lives"))
    ('board in turn 3', 'board with hands -2 or better', 'never board; the surgeon saves lives')
    >>> str(Doctrine(turn=1, if_first=2))
    'board in turn 1, 2 if she fires first'
    """

    turn: int | None = 1
    lead: int | None = None
    if_first: int | Literal["never"] | None = None
    care: Care | None = None

    def __post_init__(self) -> None:
        for name in ("turn", "if_first"):
            if getattr(self, name) not in (None, "never"):
                whole(name, getattr(self, name), 1, LATEST)
        if self.lead is not None:
            whole("lead", self.lead, -LARGEST_LEAD, LARGEST_LEAD)
        if self.care is not None and self.care not in get_args(Care):
            raise InputError("care", self.care, *get_args(Care))

    def boards(self, turn: Array | int, fight: Apart) -> Array:
        """Whether a boards at the start of a turn."""
        ahead = fight.a.crew - fight.b.crew
        if self.turn is None:
            return ahead != ahead
        patient = LATEST + 1 if self.if_first == "never" else self.if_first or self.turn
        since = np.where(fight.first == A_FIRST, patient, self.turn)
        least = -LARGEST_LEAD if self.lead is None else self.lead
        return (np.asarray(turn) >= since) & (ahead >= least)

    def __str__(self) -> str:
        if self.turn is None:
            told = "never board"
        elif self.lead is None:
            told = f"board in turn {self.turn}"
        else:
            told = f"board with hands {'+' if self.lead > 0 else ''}{self.lead} or better"
            told += f", from turn {self.turn}" if self.turn > 1 else ""
        if self.if_first:
            told += f", {self.if_first} if she fires first"
        said = {"hands": "keeps hands fit", "lives": "saves lives"}
        return told + (f"; the surgeon {said[self.care]}" if self.care else "")


@dataclass(frozen=True)
class Affair:
    """A duel on paper that may become a boarding; `boarded` is 1 once it has."""

    a: Side
    b: Side
    first: Array
    turn: Array
    boarded: Array


def affair_battle(a: Ship, b: Ship, doctrine: Doctrine, rules: HouseRules) -> Battle[Affair]:
    """The duel in which a boards by a doctrine, as data: the steps of both, and a decision."""
    own = with_care(a, doctrine.care)
    duel, boarding = duel_battle(own, b, rules), boarding_battle(own, b, rules)

    def decide(affair: Affair, chance: Chance) -> Affair:
        turn = affair.turn + 1
        boards = doctrine.boards(turn, affair)
        return replace(affair, turn=turn, boarded=np.where(boards, 1, affair.boarded))

    def of_duel(step: Step[Any]) -> Step[Any]:
        def when(affair: Affair) -> Array:
            return (affair.boarded == 0) & (True if step.when is None else step.when(affair))

        return Step(step.run, when, step.side)

    def of_boarding(step: Step[Any]) -> Step[Any]:
        def when(affair: Affair) -> Array:
            return (affair.boarded == 1) & (
                True if step.when is None else step.when(_melee(affair))
            )

        def run(affair: Affair, chance: Chance) -> Affair:
            melee = step.run(_melee(affair), chance)
            return replace(affair, a=melee.a, b=melee.b)

        return Step(run, when, step.side)

    def lost(affair: Affair, x: str) -> Array:
        alongside = boarding.lost(_melee(affair), x)
        return np.where(affair.boarded == 1, alongside, duel.lost(affair, x))  # type: ignore[arg-type]

    none = np.zeros(1, dtype=np.int32)
    decision: Step[Affair] = Step(decide, lambda affair: affair.boarded == 0, side="a")
    fire: list[Any] = [mapped(part, of_duel) for part in duel.turn]
    melee: list[Any] = [mapped(part, of_boarding) for part in boarding.turn]
    opening: tuple[Any, ...] = duel.opening
    return Battle(
        start=Affair(duel.start.a, duel.start.b, none, none, none),
        opening=opening,
        turn=(decision, *fire, *melee),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
        may_stall=False,
    )


def duel_or_board(
    a: Ship,
    b: Ship,
    *,
    doctrine: Doctrine,
    turns: int = 12,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """A duel on paper in which a boards by a doctrine, and then fights on hand to hand.

    Before she is alongside both fire as in `duel`, and ships are lost as there; after that the
    crews fight as in `board`, however few they are. See the module for what is assumed.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: GURPS/Naval Combat, Naval Combat Mechanics; Boarding.

    >>> from navkit.rulebooks.gurps import ship
    >>> a, b = ship("Sloop"), ship("Schooner")
    >>> h = duel_or_board(a, b, doctrine=Doctrine(turn=1), turns=6, chance=Exact())
    >>> float(h.outcome()["a"].round(4))
    0.3499
    """
    rules = HouseRules.of(rules)
    if not isinstance(doctrine, Doctrine):
        raise InputError("doctrine", doctrine, "a Doctrine, such as Doctrine(turn=3)")
    known = known_ship("a", a), known_ship("b", b)
    turns = some_turns(turns)
    return play(affair_battle(*known, doctrine, rules), turns, chance)


def with_care(ship: Ship, care: Care | None) -> Ship:
    """The ship with an order to its surgeon, None for the one he has."""
    return ship if care is None else replace(ship, officers=replace(ship.officers, care=care))


def cares(ship: Ship, rules: HouseRules) -> tuple[Care | None, ...]:
    """The orders that make a difference to a ship's surgeon: none if he saves nobody."""
    return ("hands", "lives") if ship.officers.care_points(rules) else (None,)


def doctrines(a: Ship, b: Ship, turns: int, rules: HouseRules) -> list[Doctrine]:
    """Doctrines worth comparing: never, in each of the turns, and by leads to be shot first."""
    firsts: list[tuple[int, int | Literal["never"]]] = []
    if rules.fire_order == "initiative":
        firsts = [(1, "never"), *((turn, turn + 1) for turn in range(1, turns))]
    now, most = a.crew - b.crew, a.crew
    leads = sorted({now + round((most - now) * part / 8) for part in range(1, 9)} - {now})
    return [
        each
        for care in cares(a, rules)
        for each in (
            Doctrine(turn=None, care=care),
            *(Doctrine(turn=turn, care=care) for turn in range(1, turns + 1)),
            *(Doctrine(turn=turn, if_first=later, care=care) for turn, later in firsts),
            *(Doctrine(lead=lead, care=care) for lead in leads),
        )
    ]


# Doctrines compared by playing them


def compared(
    a: Ship,
    b: Ship,
    *,
    turns: int = 8,
    fights: int = 4096,
    seed: int = 1,
    rules: HouseRules | None = None,
    progress: bool = True,
) -> pd.DataFrame:
    """What doctrines are worth, by fights that share their dice; for ships of any size.

    A row a doctrine, the best first: the chance that a `wins`, its standard `error`, how much it is
    `short` of the best and the error of that. This is the best of some simple doctrines, not the
    best there is: for that see `policy`. Raises Interrupted for Ctrl-C, with those that were done.
    """
    parts = comparing(a, b, turns=turns, fights=fights, seed=seed, rules=rules)
    wanted = len(doctrines(a, b, turns, HouseRules.of(rules)))
    return last(parts, progress=progress, unit="doctrine", far=lambda table: (len(table), wanted))


def comparing(
    a: Ship,
    b: Ship,
    *,
    turns: int = 8,
    fights: int = 4096,
    seed: int = 1,
    rules: HouseRules | None = None,
) -> Iterator[pd.DataFrame]:
    """What `compared` gives, after each doctrine."""
    rules = HouseRules.of(rules)
    known_ship("a", a), known_ship("b", b)
    chance = Sampled(fights, seed, ends=True)
    found: dict[str, History] = {}
    for doctrine in doctrines(a, b, some_turns(turns), rules):
        found[str(doctrine)] = duel_or_board(
            a, b, doctrine=doctrine, turns=turns, chance=chance, rules=rules
        )
        yield _ranked(found, turns)


def _ranked(found: dict[str, History], turns: int) -> pd.DataFrame:
    wins = {name: h.table()["a"].iloc[-1] for name, h in found.items()}
    best = max(wins, key=lambda name: wins[name])
    rows = {}
    for name, h in found.items():
        short, error = difference(h, found[best], "a", turns)
        own = h.table()["a_error"].iloc[-1]
        rows[name] = [wins[name], own, short, 0.0 if name == best else error]
    columns = ["wins", "error", "short", "short_error"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    table.index.name = "doctrine"
    return table.sort_values("wins", ascending=False, kind="stable")


def _melee(affair: Affair) -> Melee:
    return Melee(affair.a, affair.b, np.zeros_like(affair.boarded))
