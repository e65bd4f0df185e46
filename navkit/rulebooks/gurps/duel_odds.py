"""Who is put out of action in a gunnery duel: exact odds within an error bound.

Most ships run short of hands long before their hull is gone, others lose the hull first; so for
each ship all but one of the two can be left out, and far fewer states remain (`forgotten` in
`engine.coupled`). Hands are left out only where they can never matter. Where the hull is left
out, the chance that it would have mattered is bounded (`engine.danger`), and the bound is part of
the answer. Where it would be too wide, the hull is followed as long as it is in danger.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pandas as pd

from navkit.chance import Array, TooManyStates
from navkit.engine.coupled import Coupled, Course
from navkit.engine.danger import Danger
from navkit.engine.learned import SIDES
from navkit.errors import InputError
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.fight import duel_battle
from navkit.rulebooks.gurps.guns import guns_to_fire, reloaded, spend
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import Fight, Side

LeftOut = Literal["hull", "crew", ""]
EXPONENTS = (45, 90, 20)
"""Values of θ · hull tried for the bound (see `engine.danger`), the likeliest first."""


@dataclass
class Duel:
    """A duel with, of each ship, its hull or its hands left out."""

    ships: dict[str, Ship]
    rules: HouseRules
    left_out: dict[str, LeftOut]
    turns: int
    pairs: Coupled[Fight] = field(init=False)

    def __post_init__(self) -> None:
        self.pairs = Coupled(
            duel_battle(self.ships["a"], self.ships["b"], self.rules),
            lambda fight, x: guns_to_fire(getattr(fight, x), self.ships[x], self.rules),
            {x: name for x, name in self.left_out.items() if name},
        )

    def hull_matters(self, danger: Danger, within: float) -> float:
        """A bound of the chance that a hull left out is gone while the ship is in the fight.

        First by the volleys that it takes at least: the fight must have lasted so long. Then by
        `engine.danger`, with several θ until a bound is at most `within`; the least is given. The
        chance of what the course left out is to be added.
        """
        soonest = self.soonest_sunk(danger.x)
        least = float(danger.course.table[soonest - 1, 0]) if soonest <= self.turns else 0.0
        for exponent in EXPONENTS:
            if least <= within:
                break
            least = min(least, danger.at_start(exponent))
        return least

    def soonest_sunk(self, x: str) -> int:
        """The first turn in which the hull may be gone while the ship is in the fight.

        Each hand lost stands for 20 points of hull; beyond that a volley, one a turn, takes at
        most as much as the worst one met.
        """
        ship, side = self.ships[x], self.pairs.known.sides[x]
        crew = self._columns(x)["crew"]
        most = 0
        for before, after, points in self.pairs.known.transitions(x):
            beyond = points - tables.POINTS_PER_HAND * (crew[before] - crew[after])
            most = max(most, int(beyond[~side.lost[after]].max(initial=0)))
        left = ship.hull - tables.POINTS_PER_HAND * (ship.crew - ship.skeleton_crew)
        if left <= 0:
            return 1
        return -(-left // most) if most else self.turns + 1

    def _columns(self, x: str) -> dict[str, Array]:
        """The fields of a side, for all states met; without those that drive nothing."""
        names = [name for name in Side.__dataclass_fields__ if name not in ("dead", "wounded")]
        return dict(zip(names, self.pairs.known.sides[x].states.columns, strict=True))

    def hands_matter(self, x: str) -> bool:
        """Whether a ship whose hands are left out may lose so many that it fights otherwise.

        Answered for all states met: more hands than the worst blow costs for each point of hull,
        times the hull, are never lost.
        """
        ship, held = self.ships[x], self._columns(x)
        hull = held["hull"]
        worst = 0.0
        for before, after, hands in self.pairs.known.transitions(x):
            points = hull[before] - hull[after]
            if (hands[points == 0] > 0).any():
                return True
            worst = max(worst, float((hands / np.maximum(points, 1)).max(initial=0.0)))
        fewest = ship.crew - int(worst * ship.hull + 1e-9)
        if fewest < ship.skeleton_crew:
            return True
        guns = ("left", "right", "left_fired", "right_fired")
        distinct = pd.DataFrame(held).drop_duplicates(list(guns))
        return any(
            _differs(row, ship, np.arange(fewest, ship.crew + 1), self.rules)
            for row in distinct.to_dict("records")
        )


def _differs(held: Mapping[Hashable, int], ship: Ship, crew: Array, rules: HouseRules) -> bool:
    """Whether ships that differ in their hands alone differ in what they fire or have loaded."""
    fields = {str(name): np.full(len(crew), value, np.int32) for name, value in held.items()}
    none = np.zeros(len(crew), np.int32)
    side = Side(**{**fields, "crew": crew.astype(np.int32)}, dead=none, wounded=none)
    fires = guns_to_fire(side, ship, rules)
    after = [spend(side, fires, rules), reloaded(side, ship, rules)]
    kept = [fires] + [getattr(s, n) for s in after for n in ("left", "right")]
    return any((array != array[0]).any() for array in kept)


def solve(
    a: Ship, b: Ship, turns: int, within: float, rules: HouseRules
) -> tuple[Course, float, dict[str, LeftOut]]:
    """The course of the duel, a bound of its error, and what was left out of each ship."""
    ships = {"a": a, "b": b}
    left_out: dict[str, LeftOut] = {x: _likely(ships[x]) for x in SIDES}
    alike = replace(a, name=b.name) == b
    least = 0.0
    try:
        while True:
            duel = Duel(ships, rules, left_out, turns)
            hulls = [x for x in SIDES if left_out[x] == "hull"]
            course = duel.pairs.course(turns, within * (0.2 if hulls else 0.99), alike=alike)
            wrong = [x for x in SIDES if left_out[x] == "crew" and duel.hands_matter(x)]
            if not wrong:
                break
            left_out = {x: "" if x in wrong else left_out[x] for x in SIDES}
        error = course.dropped
        spare = 0.99 * (within - error) / max(1, len(hulls))
        danger = {x: Danger(duel.pairs, course, x) for x in hulls}
        bounds = {x: duel.hull_matters(danger[x], spare) for x in hulls}
        followed = [x for x in hulls if bounds[x] > spare]
        error += sum(bounds[x] for x in hulls if x not in followed)
        if followed:
            least = error + sum(bounds[x] for x in followed)
            course = duel.pairs.course(
                turns,
                0.99 * (within - error),
                alike=alike,
                followed={x: danger[x] for x in followed},
            )
            error += course.dropped
    except TooManyStates:
        allowed = "more for these ships and rules, or use duel(..., chance=Sampled(...))"
        if 0 < least < 0.1:
            allowed = f"{least:.1g} or more for these ships and rules"
        raise InputError("within", within, allowed) from None
    return course, error, {x: "" if x in followed else left_out[x] for x in SIDES}


def _likely(ship: Ship) -> LeftOut:
    """What hardly matters of a ship, at a guess that `solve` checks."""
    hands = ship.crew - ship.skeleton_crew + 1
    return "crew" if ship.hull // tables.POINTS_PER_HAND < hands else "hull"
