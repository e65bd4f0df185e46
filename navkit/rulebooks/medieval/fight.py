"""How crews fight: the boarding of one ship by one or several as data, and its resolver.

Its rules are in `boarding` and `leaving`, battles of whole fleets in `fleets`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from navkit.battle import Battle, Either, Step, play
from navkit.chance import Array, Chance, Exact, Sampled, Scripted, TooManyStates
from navkit.errors import InputError, truth, whole
from navkit.history import History
from navkit.rulebooks.medieval import tables
from navkit.rulebooks.medieval.boarding import (
    ANSWERED,
    BEGINNING,
    UNANSWERED,
    Boarding,
    Fight,
    Side,
    Vessel,
    able,
    attack_of,
    side_of,
    some_of,
    struck,
    struck_back,
)
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.leaving import part, wants_to_leave
from navkit.rulebooks.medieval.ships import Ship, known_fleet, known_ship
from navkit.state import replace

CAUSES = ("overcome", "broke_off")
OVERCOME, BROKE_OFF = 1, 2
TRACKS = ("crew", "admiral")
MOST_ATTACKERS = 8
MOST_FLANKERS = 100
TO_THE_END = Exact(work=40_000_000)
"""How far an exact answer to the end is tried where the caller does not choose."""


# The boarding as data


def boarding_battle(known: Boarding, *, grappled: bool = False) -> Battle[Fight]:
    """The boarding as data; see `board`."""
    in_turns = known.rules.retaliation == "next turn"

    def attack(fight: Fight, chance: Chance) -> Fight:
        begun = np.maximum(fight.begun, UNANSWERED)
        b = struck(fight, attack_of(fight, known), chance, known)
        return replace(fight, b=b, begun=begun, due=np.full_like(fight.due, int(in_turns)))

    def answer(fight: Fight, chance: Chance) -> Fight:
        a = struck_back(fight, attack_of(fight, known), chance, known)
        none = np.zeros_like(fight.due)
        return replace(fight, a=a, begun=np.full_like(fight.begun, ANSWERED), due=none)

    def both(fight: Fight, chance: Chance) -> Fight:
        what = attack_of(fight, known)
        b, a = struck(fight, what, chance, known), struck_back(fight, what, chance, known)
        return replace(fight, a=a, b=b, begun=np.full_like(fight.begun, ANSWERED))

    def leave(fight: Fight, chance: Chance) -> Fight:
        return part(fight, chance, known)

    def tries(fight: Fight) -> Array:
        own = [wants_to_leave(vessel, known.break_off[0]) for vessel in fight.a.ships]
        (foe,) = fight.b.ships
        a_may, b_may = fight.begun == ANSWERED, fight.begun >= UNANSWERED
        return (some_of(own) & a_may) | (wants_to_leave(foe, known.break_off[1]) & b_may)

    strikes, answers = Step(attack, side="a"), Step(answer, side="b")
    match known.rules.retaliation:
        case "simultaneous":
            blows: tuple[Step[Fight] | Either[Fight], ...] = (Step(both),)
        case "next turn":
            blows = (Either((Step(answer, lambda fight: fight.due > 0, side="b"), strikes)),)
        case _:
            blows = (strikes, answers)
    leaves = (Step(leave, tries),) if any(known.break_off) else ()
    return Battle(
        start=_start(known, grappled),
        turn=(*leaves, *blows),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
    )


def lost(fight: Fight, x: str) -> Array:
    """How a side is out of the combat: 0 not, OVERCOME without crew, BROKE_OFF if some left."""
    side: Side = getattr(fight, x)
    gone = ~some_of([able(vessel) for vessel in side.ships])
    some_left = some_of([vessel.left > 0 for vessel in side.ships])
    return np.where(gone, np.where(some_left, BROKE_OFF, OVERCOME), 0)


def board(
    a: Ship | Sequence[Ship],
    b: Ship,
    *,
    turns: int | None = 12,
    grappled: bool = False,
    flanking: tuple[int, int] = (0, 0),
    break_off: tuple[int, int] = (0, 0),
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """Crew against crew, from the turn in which a attacks b until one side is out of it.

    `a` may be several ships; one of them scores in a turn and is struck back, the others add to
    its die. `flanking` counts ships of a's side beside a, and of b's side beside b, that have
    crew but don't fight. A ship with at most `break_off` crew points (of a, of b) tries to leave;
    `grappled` ships must cut as well. A side is lost "overcome" when it has no crew left in the
    combat, or "broke_off" when some of it got away. With `turns=None` they fight to the end.
    `chance=None` is exact where that is quick (to the end: one or two against one), else sampled.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.

    >>> h = board(Ship("Longship"), Ship("Galley"), turns=None)
    >>> float(h.outcome()["a"].round(4))
    0.6435
    """
    rules = HouseRules.of(rules)
    known = Boarding(
        a=known_fleet("a", a, MOST_ATTACKERS),
        b=known_ship("b", b),
        flanking=_two("flanking", flanking, MOST_FLANKERS),
        break_off=_two("break_off", break_off, tables.FULL_CREW),
        rules=rules,
    )
    truth("grappled", grappled)
    battle = boarding_battle(known, grappled=grappled)
    if turns is None and chance is None:
        try:
            return play(battle, None, TO_THE_END)
        except TooManyStates:
            return play(battle, None, Sampled())
    return play(battle, turns, chance)


# Small things


def _start(known: Boarding, grappled: bool) -> Fight:
    def one(value: int) -> Array:
        return np.array([value], dtype=np.int32)

    def side(ships: Sequence[Ship], tied: bool) -> Side:
        vessels = [Vessel(one(ship.crew), one(0), one(int(tied))) for ship in ships]
        return side_of(vessels, one(int(any(ship.flagship for ship in ships))))

    return Fight(side(known.a, grappled), side((known.b,), False), one(BEGINNING), one(0))


def _two(what: str, values: Any, most: int) -> tuple[int, int]:
    if not isinstance(values, tuple) or len(values) != 2:
        raise InputError(what, values, f"two whole numbers from 0 to {most}: for a, for b")
    of_a, of_b = values
    return whole(f"{what} of a", of_a, 0, most), whole(f"{what} of b", of_b, 0, most)
