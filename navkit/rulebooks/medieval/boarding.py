"""One ship boarded by one or several: what is at stake, the attack, and the blow back.

Each rule is a function from a fight to what becomes of it. The arrays hold one fight a place (or
one state), and all rules work on all of them at once. The factors of an attack are in `melee`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from navkit.chance import Array, Chance
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
from navkit.rulebooks.medieval.ships import Ship
from navkit.state import replace

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
        flagship=some_of([each.flagship & here for each, here in zip(own, there, strict=True)]),
        siphon=some_of([each.siphon & here for each, here in zip(own, there, strict=True)]),
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
    return side_of((replace(before, points=points),), admiral)


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
    return side_of(ships, admiral)


# Small things


def some_of(each: Sequence[Array]) -> Array:
    """Whether it is so of some ship."""
    return reduce(np.logical_or, each)


def _chosen(scores: Sequence[Array], values: Sequence[Array]) -> Array:
    """The value of the ship that scores, 0 if none does."""
    parts = [np.where(mine, value, 0) for mine, value in zip(scores, values, strict=True)]
    return reduce(np.add, parts)


def flag(truth: Array) -> Array:
    """1 for true, 0 for false."""
    return truth.astype(np.int32)


def side_of(ships: Sequence[Vessel], admiral: Array) -> Side:
    """The side of some ships, with their crew points added up."""
    crew = reduce(np.add, [vessel.points for vessel in ships])
    return Side(tuple(ships), crew, admiral)


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
