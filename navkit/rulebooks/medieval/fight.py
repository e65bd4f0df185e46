"""How crews fight: the boarding of one ship by one or several, as steps, and its resolver.

Each rule is a function from a fight to what becomes of it. The arrays hold one fight a place (or
one state), and all rules work on all of them at once. The factors of an attack are in `melee`,
battles of whole fleets in `fleets`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from navkit.battle import Battle, Either, Step, play
from navkit.chance import Array, Chance, Exact, Sampled, Scripted, TooManyStates
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.rulebooks.medieval import tables
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.melee import (
    Fighter,
    admiral_dice,
    admiral_survives,
    best,
    casualties,
    fighter,
    flankers,
    merit,
    modifier,
    with_friends,
)
from navkit.rulebooks.medieval.rolls import at_least
from navkit.rulebooks.medieval.ships import Ship, known_fleet, known_ship

CAUSES = ("overcome", "broke_off")
OVERCOME, BROKE_OFF = 1, 2
TRACKS = ("crew", "admiral")
MOST_ATTACKERS = 8
MOST_FLANKERS = 100
TO_THE_END = Exact(work=40_000_000)
"""How far an exact answer to the end is tried where the caller does not choose."""
BEGINNING, UNANSWERED, ANSWERED = 0, 1, 2
"""How far a combat has come: not begun, begun, or the defender has had its blow."""


@dataclass(frozen=True)
class Vessel:
    """What changes about a ship: crew points, whether it has left, whether it is grappled."""

    points: Array
    left: Array
    tied: Array


@dataclass(frozen=True)
class Side:
    """The ships of a side. `crew` are all their points; `admiral` is 1 while there is one alive."""

    ships: tuple[Vessel, ...]
    crew: Array
    admiral: Array


@dataclass(frozen=True)
class Fight:
    """A boarding. `begun` is BEGINNING, UNANSWERED or ANSWERED; `due` is 1 where b is to strike."""

    a: Side
    b: Side
    begun: Array
    due: Array


@dataclass(frozen=True)
class Boarding:
    """What stays the same in a boarding.

    `flanking` counts the ships of each side that lie beside its own, with crew, and don't fight;
    `break_off` the crew points at which its ships want to leave, 0 for never.
    """

    a: tuple[Ship, ...]
    b: Ship
    flanking: tuple[int, int]
    break_off: tuple[int, int]
    rules: HouseRules


def able(vessel: Vessel) -> Array:
    """Whether a ship is in the combat: in contact, and with crew.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat (MA-01).
    """
    return (vessel.points > 0) & (vessel.left == 0)


# One attack, and the blow back


@dataclass(frozen=True)
class Attack:
    """How the ships of a attack b: which of them scores, how many attack, the scorer's factors."""

    scores: tuple[Array, ...]
    attackers: Array
    factors: Array


def attack_of(fight: Fight, known: Boarding) -> Attack:
    """The attack of all ships of a: only one of them scores, the others add to its die.

    Those attack that are in contact with crew (MA-18). The scorer is the ship with the best
    factors, then with most crew points, then the first (MA-16).
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.
    """
    rules, there = known.rules, [able(vessel) for vessel in fight.a.ships]
    own, foe = _attackers(fight, known), _defender(fight, known)
    attackers = sum((each.astype(np.int32) for each in there), np.zeros(1, dtype=np.int32))
    more = np.maximum(attackers - 1, 0)
    lent = Fighter(
        crew=tables.FULL_CREW,
        flagship=_any([each.flagship & here for each, here in zip(own, there, strict=True)]),
        siphon=_any([each.siphon & here for each, here in zip(own, there, strict=True)]),
    )
    beside = flankers(more, known.flanking[1], rules)
    factors = [
        modifier(with_friends(each, lent, rules), foe, rules, more=more, beside=beside)
        for each in own
    ]
    scores = best(tuple(map(merit, factors, (each.crew for each in own), there)))
    return Attack(scores, attackers, _chosen(scores, factors))


def blow_back(fight: Fight, attack: Attack, known: Boarding) -> Array:
    """The factors with which b strikes back at the ship that scored (MA-25).

    Co-attackers flank that ship if they are tied to it in one line (MA-26).
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.
    """
    own, foe = _attackers(fight, known), _defender(fight, known)
    factors = []
    for place, each in enumerate(own):
        beside = flankers(0, known.flanking[0] + _tied_to(place, fight, known), known.rules)
        factors.append(modifier(foe, each, known.rules, beside=beside))
    return _chosen(attack.scores, factors)


def strike(points: Array, factors: Array, chance: Chance, rules: HouseRules, why: str) -> Array:
    """The crew points left to a ship after an attack.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.
    """
    die = chance.roll(tables.D6, why=why, rule="M-14")
    return np.maximum(points - casualties(die, factors, rules), 0)


def struck(fight: Fight, attack: Attack, chance: Chance, known: Boarding) -> Side:
    """b after the attack: crew points lost, and perhaps its admiral.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.
    """
    (before,) = fight.b.ships
    points = strike(before.points, attack.factors, chance, known.rules, "attack")
    admiral = fight.b.admiral
    if known.b.flagship:
        dice = admiral_dice(attack.attackers, admiral, known.rules)
        admiral = admiral_survives(admiral, dice, chance)
    return _side((replace(before, points=points),), admiral)


def struck_back(fight: Fight, attack: Attack, chance: Chance, known: Boarding) -> Side:
    """a after the blow back: crew points lost by the ship that scored, and perhaps its admiral.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.
    """
    factors = blow_back(fight, attack, known)
    target = _chosen(attack.scores, [vessel.points for vessel in fight.a.ships])
    points = strike(target, factors, chance, known.rules, "blow back")
    admiral = fight.a.admiral
    for ship, mine in zip(known.a, attack.scores, strict=True):
        if ship.flagship:
            dice = admiral_dice(mine.astype(np.int32), admiral, known.rules)
            admiral = admiral_survives(admiral, dice, chance)
    ships = tuple(
        replace(vessel, points=np.where(mine, points, vessel.points))
        for mine, vessel in zip(attack.scores, fight.a.ships, strict=True)
    )
    return _side(ships, admiral)


# Leaving


def wants_to_leave(vessel: Vessel, threshold: int) -> Array:
    """Whether a ship wants to leave: it is in the combat with few enough crew points left."""
    return able(vessel) & (vessel.points <= threshold)


def breaks_free(
    wants: Array, was_tied: Array, tied: Array, chance: Chance, rules: HouseRules, who: str
) -> Array:
    """Whether a ship that wants to leaves the combat, after it has tried to cut its grapnels.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat (MA-10).
    """
    rolls = wants & ~was_tied if rules.break_and_cut == "cut alone" else wants
    why = f"{who}: break contact"
    broke = at_least(chance, tables.BREAK_CONTACT, among=rolls, why=why, rule="M-28")
    held = tied if rules.break_and_cut != "break alone" else np.zeros_like(tied)
    return wants & (broke | ~rolls) & ~held


def part(fight: Fight, chance: Chance, known: Boarding) -> Fight:
    """The fight after the start of a turn, when ships try to leave.

    Leaving a combat takes a 4; a grappled ship must cut too, in the same turn, a die for each
    pair of ships, and what is cut stays cut (MA-08, MA-10). Where both sides want to part no die
    is rolled (MA-12). Whoever fails fights on (MA-11). Who began may not leave before the other
    could strike back.
    Source: Medieval Naval Wargame Rules, Grappling; Direct Personnel Combat.
    """
    rules, (foe,) = known.rules, fight.b.ships
    b_wants = wants_to_leave(foe, known.break_off[1]) & (fight.begun >= UNANSWERED)
    ships: list[Vessel] = []
    resisted = held_before = held = np.zeros(1, dtype=bool)
    for ship, vessel in zip(known.a, fight.a.ships, strict=True):
        wants = wants_to_leave(vessel, known.break_off[0]) & (fight.begun == ANSWERED)
        mutual = wants & b_wants
        was_tied = able(vessel) & (vessel.tied > 0)
        tied = was_tied & ~mutual
        if rules.break_and_cut != "break alone":
            cuts, why = tied & (wants | b_wants), f"{ship.name}: cut the grapnels"
            tied = tied & ~at_least(chance, tables.CUT, among=cuts, why=why, rule="M-11")
        free = breaks_free(wants & ~mutual, was_tied, tied, chance, rules, ship.name)
        left = (vessel.left > 0) | mutual | free
        ships.append(replace(vessel, left=_flag(left), tied=_flag(tied & ~left)))
        resisted = resisted | (able(vessel) & ~wants)
        held_before, held = held_before | (was_tied & ~mutual), held | tied
    free = breaks_free(b_wants & resisted, held_before, held, chance, rules, known.b.name)
    left = (foe.left > 0) | (b_wants & ~resisted) | free
    return replace(
        fight,
        a=_side(tuple(ships), fight.a.admiral),
        b=_side((replace(foe, left=_flag(left)),), fight.b.admiral),
    )


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
        return (_any(own) & a_may) | (wants_to_leave(foe, known.break_off[1]) & b_may)

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
    gone = ~_any([able(vessel) for vessel in side.ships])
    some_left = _any([vessel.left > 0 for vessel in side.ships])
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
    if not isinstance(grappled, bool):
        raise InputError("grappled", grappled, "True or False")
    battle = boarding_battle(known, grappled=grappled)
    if turns is None and chance is None:
        try:
            return play(battle, None, TO_THE_END)
        except TooManyStates:
            return play(battle, None, Sampled())
    return play(battle, turns, chance)


# Small things


def _attackers(fight: Fight, known: Boarding) -> list[Fighter]:
    admiral = fight.a.admiral > 0
    return [
        fighter(ship, vessel.points, admiral=admiral, rules=known.rules)
        for ship, vessel in zip(known.a, fight.a.ships, strict=True)
    ]


def _defender(fight: Fight, known: Boarding) -> Fighter:
    (vessel,) = fight.b.ships
    return fighter(known.b, vessel.points, admiral=fight.b.admiral > 0, rules=known.rules)


def _tied_to(place: int, fight: Fight, known: Boarding) -> Array:
    """How many other attackers with crew are tied to one of them in its line."""
    total = np.zeros(1, dtype=np.int32)
    for near in (place - 1, place + 1):
        if 0 <= near < len(known.a) and known.a[near].line == known.a[place].line != "":
            total = total + able(fight.a.ships[near])
    return total


def _any(each: Sequence[Array]) -> Array:
    return reduce(np.logical_or, each)


def _chosen(scores: Sequence[Array], values: Sequence[Array]) -> Array:
    """The value of the ship that scores, 0 if none does."""
    parts = [np.where(mine, value, 0) for mine, value in zip(scores, values, strict=True)]
    return reduce(np.add, parts)


def _flag(truth: Array) -> Array:
    return truth.astype(np.int32)


def _side(ships: Sequence[Vessel], admiral: Array) -> Side:
    crew = reduce(np.add, [vessel.points for vessel in ships])
    return Side(tuple(ships), crew, admiral)


def _start(known: Boarding, grappled: bool) -> Fight:
    def one(value: int) -> Array:
        return np.array([value], dtype=np.int32)

    def side(ships: Sequence[Ship], tied: bool) -> Side:
        vessels = [Vessel(one(ship.crew), one(0), one(int(tied))) for ship in ships]
        return _side(vessels, one(int(any(ship.flagship for ship in ships))))

    return Fight(side(known.a, grappled), side((known.b,), False), one(BEGINNING), one(0))


def _two(what: str, values: Any, most: int) -> tuple[int, int]:
    if not isinstance(values, tuple) or len(values) != 2:
        raise InputError(what, values, f"two whole numbers from 0 to {most}: for a, for b")
    of_a, of_b = values
    return whole(f"{what} of a", of_a, 0, most), whole(f"{what} of b", of_b, 0, most)
