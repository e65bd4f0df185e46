"""Maneuver Tests: who acts first, what a Vehicle Maneuver comes to, and who may answer it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from navkit.battle import Either, Repeat, Step
from navkit.chance import Array, Chance
from navkit.errors import whole
from navkit.rulebooks.vehicular_1879 import gunnery, tables
from navkit.rulebooks.vehicular_1879.doctrines import Doctrine
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.initiative import both_tests, maneuver_step
from navkit.rulebooks.vehicular_1879.movement import moved_range, movement_points
from navkit.rulebooks.vehicular_1879.ships import Vehicle
from navkit.rulebooks.vehicular_1879.state import (
    A_FIRST,
    B_FIRST,
    Fight,
    Side,
    other,
    side_of,
    with_sides,
)
from navkit.rulebooks.vehicular_1879.steps import attempt, ones, successes_of
from navkit.rulebooks.vehicular_1879.supplement import Supplement
from navkit.state import replace

Part = Step[Fight] | Repeat[Fight]


@dataclass(frozen=True)
class Line:
    """What one outcome of a Vehicle Maneuver Test allows.

    `mover` is whose captain may change the range, "actor", "target" or "". `reaction` tells
    whether the target may answer with an Officer Maneuver: "" (no), "free" or "counted".
    `counts_others` is True where all other Officer Maneuvers of the target count; `window` is
    when the range may be changed; `free_maneuver` gives the target a free Vehicle Maneuver.
    """

    mover: str
    reaction: str
    counts_others: bool
    window: str
    free_maneuver: bool = False


RULE_OF_ONE = Line("", "", True, "", free_maneuver=True)
FAILURE = Line("target", "free", True, "maneuver")
SUCCESS = Line("actor", "counted", True, "maneuver")
TWO_SUCCESSES = Line("actor", "", True, "resolve step")


def line(successes: int, *, rules: HouseRules | None = None) -> Line:
    """What a number of successes allows: −1 is a Rule of One, 0 a failure, 1, and 2 or more.

    Each outcome has its own line (VA-18). After two or more the actor's captain may change the
    range at any time in or right after the Resolve step (VA-21), and the target has no reaction
    (VA-20). A maneuver without a target has none of these lines (VA-22).
    Raises InputError for less than −1.
    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers.

    >>> line(0).mover, line(0).reaction, line(1).mover, line(1).reaction, line(-1).free_maneuver
    ('target', 'free', 'actor', 'counted', True)
    """
    rules = HouseRules.of(rules)
    found = (RULE_OF_ONE, FAILURE, SUCCESS, TWO_SUCCESSES)[
        min(whole("successes", successes, -1, 1_000_000), 2) + 1
    ]
    if found is RULE_OF_ONE and rules.rule_of_one_line == "failure as well":
        return replace(FAILURE, free_maneuver=True)
    if found is TWO_SUCCESSES and rules.two_success_reaction == "one, counted":
        return replace(TWO_SUCCESSES, reaction="counted")
    return found


@dataclass(frozen=True)
class Captain:
    """A captain in a fight: his side and vehicle, the other's, both orders, rules and tables.

    `keeps` tells whether it is remembered whom he outdid.
    """

    x: str
    vehicles: dict[str, Vehicle]
    doctrines: dict[str, Doctrine]
    rules: HouseRules
    supplement: Supplement
    keeps: bool = False

    @property
    def y(self) -> str:
        """The other side."""
        return other(self.x)

    @property
    def own(self) -> Doctrine:
        """His own orders."""
        return self.doctrines[self.x]

    def test_step(self, fight: Fight, x: str) -> Array:
        """The Step of a Maneuver Test of a side."""
        return maneuver_step(self.vehicles[x], side_of(fight, x), self.supplement, self.rules)


def vehicle_maneuver(captain: Captain, when: Callable[[Fight], Array]) -> Step[Fight]:
    """The part of a turn in which a captain tries his Vehicle Maneuver and its line holds."""
    return Step(maneuvers(captain), when, side=captain.x)


def maneuvers(captain: Captain) -> Callable[[Fight, Chance], Fight]:
    """One Vehicle Maneuver: a Maneuver Test of its own, its effect, and its outcome's line.

    Its difficulty is the maneuver's, else the target's Physical Defense (a house rule has the
    target's captain test against it). A free one that is open is used up.
    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers.
    """
    maneuver = captain.supplement.vehicle_maneuver(captain.own.maneuver)
    rules, x, y = captain.rules, captain.x, captain.y

    def step(fight: Fight, chance: Chance) -> Fight:
        made = maneuver_test(captain, fight, chance, maneuver.difficulty)
        own, foe = side_of(fight, x), side_of(fight, y)
        brought = maneuver.attack * np.maximum(made, 0)
        fight = with_sides(fight, **{x: replace(own, attack=own.attack + brought)})
        fight = replace(fight, free=np.zeros_like(fight.free))
        if not maneuver.targeted:
            return fight
        distance = fight.range
        for mover, side in ((x, own), (y, foe)):
            points = movement_points(side.speed, rules)
            moved = moved_range(fight.range, points, captain.doctrines[mover].range)
            role = "actor" if mover == x else "target"
            distance = np.where(_on_line(made, "mover", role, rules), moved, distance)
        free = _on_line(made, "free_maneuver", True, rules) & bool(captain.doctrines[y].maneuver)
        reacting = np.where(_on_line(made, "reaction", "free", rules), 1, 0)
        reacting = np.where(_on_line(made, "reaction", "counted", rules), 2, reacting)
        if not captain.doctrines[y].reaction:
            reacting = np.zeros_like(reacting)
        foe = replace(side_of(fight, y), reacting=reacting)
        if captain.keeps:
            foe = replace(foe, outdone=np.clip(made, 0, 2))
        fight = with_sides(fight, **{y: foe})
        return replace(
            fight,
            range=distance,
            free=np.where(free, B_FIRST if y == "b" else A_FIRST, 0),
        )

    return step


def _on_line(made: Array, name: str, value: object, rules: HouseRules) -> Array:
    """Whether the outcome's line has a value, for each number of successes."""
    holds = [getattr(line(k, rules=rules), name) == value for k in (-1, 0, 1, 2)]
    return np.array(holds)[np.clip(made, -1, 2) + 1]


def maneuver_test(captain: Captain, fight: Fight, chance: Chance, difficulty: int | None) -> Array:
    """The successes of a Maneuver Test: −1 for a Rule of One.

    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers.
    """
    rules, x, y = captain.rules, captain.x, captain.y
    number = captain.test_step(fight, x)
    if difficulty is None and rules.maneuver_dn == "opposed":
        return chance.roll_from(
            both_tests(rules),
            number,
            captain.test_step(fight, y),
            then=_opposed(rules),
            sides=(x, y),
            why="Vehicle Maneuver",
            rule="V-60",
        )
    foe = captain.vehicles[y]
    goal = gunnery.defense(foe, side_of(fight, y), rules)
    if difficulty is not None:
        goal = np.full_like(goal, difficulty)
    return attempt(chance, number, goal, why="Vehicle Maneuver", rule="V-60", rules=rules)


@lru_cache(maxsize=64)
def _opposed(rules: HouseRules) -> Callable[..., Array]:
    one = ones(rules)

    def count(total: Any, against: Any, number: Any, _: Any) -> Array:
        return successes_of(total, np.maximum(against, tables.LEAST_RESULT), one[number])

    return count


def reaction(captain: Captain) -> Step[Fight]:
    """The part of a turn in which a captain answers with an Officer Maneuver, if he may.

    A counted one needs an Officer Maneuver left. The effect is that of the user's table.
    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers.
    """
    x = captain.x

    def open_(fight: Fight) -> Array:
        side = side_of(fight, x)
        return (side.reacting == 1) | ((side.reacting == 2) & (side.officers > 0))

    def step(fight: Fight, chance: Chance) -> Fight:
        side = side_of(fight, x)
        counted = np.where(side.reacting == 2, 1, 0)
        after = _officer_test(captain, captain.own.reaction, fight, chance)
        after = replace(after, officers=after.officers - counted)
        return with_sides(fight, **{x: replace(after, reacting=np.zeros_like(counted))})

    return Step(step, open_, side=x)


def officer_maneuvers(captain: Captain, when: Callable[[Fight], Array]) -> Repeat[Fight]:
    """The part of a turn in which a captain uses the Officer Maneuvers he has, one by one.

    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers; Vehicle Ratings.
    """
    x = captain.x

    def step(fight: Fight, chance: Chance) -> Fight:
        after = _officer_test(captain, captain.own.officer, fight, chance)
        return with_sides(fight, **{x: replace(after, officers=after.officers - 1)})

    left = lambda fight: when(fight) & (side_of(fight, x).officers > 0)  # noqa: E731
    return Repeat(Step(step, left, side=x))


def _officer_test(captain: Captain, name: str, fight: Fight, chance: Chance) -> Side:
    """The side after one Officer Maneuver: what each success brings for the turn."""
    maneuver, rules = captain.supplement.officer_maneuver(name), captain.rules
    side = side_of(fight, captain.x)
    number = captain.test_step(fight, captain.x)
    goal = np.full_like(side.maneuverability, maneuver.difficulty)
    made = attempt(chance, number, goal, why=f"Officer Maneuver {name}", rule="V-60", rules=rules)
    gained = np.maximum(made, 0)
    return replace(
        side,
        attack=side.attack + maneuver.attack * gained,
        guard=side.guard + maneuver.defense * gained,
    )


def free_maneuvers(captains: dict[str, Captain]) -> tuple[Part, ...]:
    """Free Vehicle Maneuvers after a Rule of One, and those that their own give back (VA-19).

    What a target does in reaction to each comes right after it.
    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers.
    """
    steps = [reaction(each) for each in captains.values() if each.own.reaction]
    for x, order in (("a", A_FIRST), ("b", B_FIRST)):
        if captains[x].own.maneuver:
            steps.append(vehicle_maneuver(captains[x], partial(_has_free, order)))
    return (Repeat(Either(tuple(steps))),) if steps else ()


def _has_free(order: int, fight: Fight) -> Array:
    return fight.free == order


def maneuver_parts(
    captains: dict[str, Captain], x: str, when: Callable[[Fight], Array]
) -> tuple[Part, ...]:
    """All that a captain does in his place of the Resolve step but fire.

    His Vehicle Maneuver, the target's reaction, free maneuvers, then his Officer Maneuvers.
    Those left at the turn's end would be used then, all in his place (VA-25); orders leave none.
    Source: 1879: Vehicular Combat Preview, Resolve Maneuvers.
    """
    captain, parts = captains[x], list[Part]()
    if captain.own.maneuver:
        parts.append(vehicle_maneuver(captain, when))
        parts += free_maneuvers(captains)
    either = captain.rules.maneuver_count == "one or officers"
    if captain.own.officer and not (either and captain.own.maneuver):
        parts.append(officer_maneuvers(captain, when))
    return tuple(parts)
