"""Who is put out of action in a gunnery duel: exact odds within an error bound.

Most ships run short of hands long before their hull is gone, others lose the hull first; so for
each ship all but one of the two can be left out, and far fewer states remain (`forgotten` in
`navkit.coupled`). Hands are left out only where they can never matter. Where the hull is left
out, the chance that it would have mattered is bounded, and the bound is part of the answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pandas as pd

from navkit.chance import TooManyStates
from navkit.coupled import SIDES, Coupled, Course
from navkit.errors import InputError
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.fight import duel_battle
from navkit.rulebooks.gurps.guns import guns_to_fire, reloaded, spend
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import Fight, Side
from navkit.state import Array

LeftOut = Literal["hull", "crew", ""]
TILTS = (45, 90, 20)
"""Exponents θ tried for the bound, times the hull."""


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

    def hull_matters(self, x: str, course: Course, within: float) -> float:
        """A bound of the chance that a hull left out is gone while the ship is in the fight.

        First by the volleys that it takes at least: the fight must have lasted so long. Then of
        Chernoff: the chance that h points are lost is at most the mean of exp(θ·(lost − h)).
        Bounds are tried until one is at most `within`, and the least is given.
        """
        soonest = self.soonest_sunk(x)
        least = float(course.table[soonest - 1, 0]) if soonest <= self.turns else 0.0
        for tilt in TILTS:
            if least <= within:
                break
            tilts = {x: tilt / self.ships[x].hull}
            mean = self.pairs.course(self.turns, within / 8, tilts)
            total = float(mean.table[:, 1:].sum() + mean.table[-1, 0])
            least = min(least, total * np.exp(-tilt) + mean.dropped)
        return least

    def soonest_sunk(self, x: str) -> int:
        """The first turn in which the hull may be gone while the ship is in the fight.

        Each hand lost stands for 20 points of hull; beyond that a volley, one a turn, takes at
        most as much as the worst one met.
        """
        ship, side = self.ships[x], self.pairs.sides[x]
        crew = self._columns(x)["crew"]
        most = 0
        for before, after, points in self.pairs.transitions(x):
            beyond = points - tables.POINTS_PER_HAND * (crew[before] - crew[after])
            most = max(most, int(beyond[~side.lost[after]].max(initial=0)))
        left = ship.hull - tables.POINTS_PER_HAND * (ship.crew - ship.skeleton_crew)
        if left <= 0:
            return 1
        return -(-left // most) if most else self.turns + 1

    def _columns(self, x: str) -> dict[str, Array]:
        """The fields of a side, for all states met; without those that drive nothing."""
        names = [name for name in Side.__dataclass_fields__ if name not in ("dead", "wounded")]
        return dict(zip(names, self.pairs.sides[x].states.columns, strict=True))

    def hands_matter(self, x: str) -> bool:
        """Whether a ship whose hands are left out may lose so many that it fights otherwise.

        Answered for all states met: more hands than the worst blow costs for each point of hull,
        times the hull, are never lost.
        """
        ship, held = self.ships[x], self._columns(x)
        hull = held["hull"]
        worst = 0.0
        for before, after, hands in self.pairs.transitions(x):
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
    while True:
        duel = Duel(ships, rules, left_out, turns)
        try:
            bounded = "hull" in left_out.values()
            budget = within * (0.5 if bounded else 0.99)
            course = duel.pairs.course(turns, budget, alike=alike)
        except TooManyStates:
            allowed = "more for these ships and rules, or use duel(..., chance=Sampled(...))"
            if 0 < least < 0.1:
                allowed = f"{least:.1g} or more for these ships and rules"
            raise InputError("within", within, allowed) from None
        wrong = [x for x in SIDES if left_out[x] == "crew" and duel.hands_matter(x)]
        if wrong:
            left_out = {x: "" if x in wrong else left_out[x] for x in SIDES}
            continue
        hulls = [x for x in SIDES if left_out[x] == "hull"]
        spare = 0.99 * (within - course.dropped) / max(1, len(hulls))
        asked = hulls[:1] if alike else hulls
        bounds = {x: duel.hull_matters(x, course, spare) for x in asked}
        bounds = {x: bounds.get(x, bounds[asked[0]]) for x in hulls}
        error = course.dropped + sum(bounds.values())
        if error <= within:
            return course, error, left_out
        least = max(least, error)
        left_out = {x: "" if bounds.get(x, 0.0) > spare else left_out[x] for x in SIDES}


def _likely(ship: Ship) -> LeftOut:
    """What hardly matters of a ship, at a guess that `solve` checks."""
    hands = ship.crew - ship.skeleton_crew + 1
    return "crew" if ship.hull // tables.POINTS_PER_HAND < hands else "hull"
