"""What one attack of a battery comes to, without playing its Damage Tests one by one.

The parts are read off the rule steps of `volley`: how many Damage Tests an attack leads to and
with which bonuses, and what each of them does. Since the tests do not depend on one another, the
rest is convolution.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd

from navkit.chance import Array
from navkit.dice import Distribution, Floats, Tail
from navkit.engine.branches import Branches
from navkit.errors import InputError
from navkit.rulebooks.vehicular_1879 import gunnery
from navkit.rulebooks.vehicular_1879.state import (
    Fight,
    number,
    ready_fight,
    side_of,
    with_guns,
    with_sides,
)
from navkit.rulebooks.vehicular_1879.tables import Range
from navkit.rulebooks.vehicular_1879.volley import Fire, attacks, takes_aim, tests_damage

NEGLIGIBLE = 1e-18
"""What is rarer than this at either end is left out of a convolution."""

Outcome = tuple[int, int, int, int]
"""Damage Tests, surplus successes, whether Karma goes into one, and hits on an attribute."""
Trial = tuple[int, int]
"""A Damage Test: its bonus in surplus successes, and whether Karma goes into it."""


@dataclass(frozen=True)
class Barrage:
    """One attack of a battery: its hits, the damage it does, its Critical Hits, and both together.

    Everything is exact. `damage` is what passes the armor; `criticals` counts Critical Hits;
    `lost` is what a called shot takes off an attribute. Made by `odds.battery`.
    """

    fire: Fire
    distance: Range

    @cached_property
    def hits(self) -> Distribution:
        """How many weapons hit."""
        mass: dict[int, float] = defaultdict(float)
        for (tests, _, _, called), chance in self._attack.items():
            mass[min(max(tests, called), self.fire.battery.weapons)] += chance
        return _distribution(mass, "hits")

    @cached_property
    def lost(self) -> Distribution:
        """What a called shot takes off an attribute: speed, maneuverability, armor, armament."""
        mass: dict[int, float] = defaultdict(float)
        for (_, _, _, called), chance in self._attack.items():
            mass[called] += chance
        return _distribution(mass, "called hits")

    @cached_property
    def damage(self) -> Distribution:
        """Points of damage that pass the armor, all hits of the attack together."""
        return _as_distribution(self._summed("damage")[0], "damage")

    @cached_property
    def criticals(self) -> Distribution:
        """How many Critical Hits the attack makes."""
        if self.fire.rules.critical_basis == "battery total":
            share = self.damage.at_least(self.fire.foe.critical_threshold)
            return _as_distribution(np.array([1 - share, share]), "Critical Hits")
        return _as_distribution(self._summed("criticals")[:, 0], "Critical Hits")

    @cached_property
    def joint(self) -> pd.DataFrame:
        """The probability of each number of Critical Hits (rows) with each damage (columns)."""
        if self.fire.rules.critical_basis == "battery total":
            reached = self.damage.support >= self.fire.foe.critical_threshold
            mass = np.stack([np.where(reached, 0, self.damage.pmf), self.damage.pmf * reached])
        else:
            mass = self._summed("joint")
        return pd.DataFrame(
            mass,
            index=pd.RangeIndex(mass.shape[0], name="Critical Hits"),
            columns=pd.RangeIndex(mass.shape[1], name="damage"),
        )

    @cached_property
    def _start(self) -> Fight:
        start = ready_fight(self.fire.own, self.fire.foe, self.distance)
        return replace(start, first=number(1))

    @cached_property
    def _attack(self) -> dict[Outcome, float]:
        """What the attack leads to, read off its step."""
        fire, luck, fight = self.fire, Branches(1), self._start
        aimed = fire.rules.gunnery_test == "own test"
        if aimed:
            fight = takes_aim(fire)(fight, luck)
        guns = fire.guns(attacks(fire)(fight, luck))
        told = np.broadcast_arrays(
            guns.hits, guns.surplus, guns.boost, guns.called, guns.aim, luck.probability()
        )
        found: dict[Outcome, float] = defaultdict(float)
        for tests, surplus, boost, called, aim, chance in zip(
            *(each.ravel().tolist() for each in told), strict=True
        ):
            outcome = (0, 0, 0, 0) if aimed and aim < 0 else (tests, surplus, boost, called)
            found[outcome] += chance
        return {outcome: chance for outcome, chance in found.items() if chance > 0}

    def _kernel(self, trial: Trial) -> Floats:
        """One Damage Test: by Critical Hits (0 or 1) and damage, read off its step."""
        fire, luck, (bonus, boost) = self.fire, Branches(1), trial
        guns = {"hits": number(1), "surplus": number(bonus), "boost": number(boost)}
        own = with_guns(side_of(self._start, fire.x), fire.place, **guns)
        after = side_of(tests_damage(fire)(with_sides(self._start, **{fire.x: own}), luck), fire.y)
        damage, scored, weight = (
            each.ravel()
            for each in np.broadcast_arrays(after.damage, after.criticals, luck.probability())
        )
        mass = np.zeros((2, int(damage.max()) + 1))
        np.add.at(mass, (scored, damage), weight)
        return mass

    @cached_property
    def _kernels(self) -> dict[Trial, Floats]:
        """Each Damage Test that the attack may lead to."""
        trials = {(0, 0)}
        for outcome in self._attack:
            trials.update(self._trials(outcome))
        return {trial: self._kernel(trial) for trial in trials}

    def _trials(self, outcome: Outcome) -> Iterator[Trial]:
        """The Damage Tests of an outcome, with what goes into each, by the doctrine."""
        tests, surplus, boost, _ = outcome
        policy, battery, foe = self.fire.doctrine.surplus, self.fire.battery, self.fire.foe
        chosen = None
        if policy == "criticals":
            chosen = gunnery.placements(
                battery.weapons,
                battery.damage,
                foe.armor,
                foe.critical_threshold,
                self.fire.rules,
            )
        for left in range(tests, 0, -1):
            if not surplus and not boost:
                yield from [(0, 0)] * left
                return
            told = (np.array(left), np.array(surplus), np.array(boost))
            bonus = int(gunnery.bonus_of(policy, *told, chosen))
            yield bonus, boost
            surplus, boost = surplus - bonus, 0

    def _summed(self, what: str) -> Floats:
        """All Damage Tests added up, by Critical Hits and damage, or by one of them alone.

        Outcomes are grouped by the test they end with, and by how many such tests end them; these
        are multiplied in last, for all outcomes of a group at once (Horner's rule).
        """
        kernels = {trial: _reduced(mass, what) for trial, mass in self._kernels.items()}
        known: dict[tuple[Trial, ...], Floats] = {(): np.ones((1, 1))}
        groups: dict[Trial, dict[int, Floats]] = defaultdict(dict)
        for outcome, chance in self._attack.items():
            if chance < NEGLIGIBLE:
                continue
            trials = tuple(self._trials(outcome))
            last = trials[-1] if trials else (0, 0)
            begun = len(trials)
            while begun and trials[begun - 1] == last:
                begun -= 1
            product = _product(trials[:begun], kernels, known) * chance
            group, ends = groups[last], len(trials) - begun
            group[ends] = _plus(group.get(ends), product)
        total: Floats | None = None
        for last, group in groups.items():
            total = _plus(total, _horner(group, kernels[last]))
        assert total is not None
        return total


def _horner(group: dict[int, Floats], kernel: Floats) -> Floats:
    """The sum of `group[n]` with n more tests of one kind added to each."""
    longest = max(group)
    total = group[longest]
    for ends in range(longest - 1, -1, -1):
        total = _times(total, kernel)
        if ends in group:
            total = _plus(total, group[ends])
    return total


def _reduced(mass: Floats, what: str) -> Floats:
    """A Damage Test by Critical Hits and damage, or by one of them alone."""
    if what == "joint":
        return mass
    total: Floats = mass.sum(axis=0 if what == "damage" else 1, keepdims=True)
    return total


def _product(
    trials: tuple[Trial, ...],
    kernels: dict[Trial, Floats],
    known: dict[tuple[Trial, ...], Floats],
) -> Floats:
    """The tests added up; beginnings of the series are kept in `known`."""
    at = len(trials)
    while trials[:at] not in known:
        at -= 1
    result = known[trials[:at]]
    for trial in trials[at:]:
        at += 1
        result = known[trials[:at]] = _times(result, kernels[trial])
    return result


def _times(mass: Floats, kernel: Floats) -> Floats:
    """Two independent pairs of Critical Hits and damage added up."""
    rows, width = len(mass), mass.shape[1] + kernel.shape[1] - 1
    result = np.zeros((rows + len(kernel) - 1, width))
    for place, part in enumerate(kernel):
        low, high = _inside(part)
        for row in range(rows if high > low else 0):
            begin, end = _inside(mass[row])
            if end > begin:
                made = np.convolve(mass[row, begin:end], part[low:high])
                result[row + place, begin + low : end + high - 1] += made
    return _trimmed(result)


def _inside(values: Floats) -> tuple[int, int]:
    """Where the values that are not nothing begin and end."""
    found = np.flatnonzero(values)
    return (int(found[0]), int(found[-1]) + 1) if len(found) else (0, 0)


def _trimmed(mass: Floats) -> Floats:
    """Without the highest damage and the most Critical Hits, where they hardly ever come up."""
    columns = np.cumsum(mass.sum(axis=0)[::-1])[::-1]
    rows = np.cumsum(mass.sum(axis=1)[::-1])[::-1]
    kept = [max(1, int(np.count_nonzero(each >= NEGLIGIBLE))) for each in (rows, columns)]
    return mass[: kept[0], : kept[1]]


def _plus(first: Floats | None, second: Floats) -> Floats:
    if first is None:
        return second
    shape = [max(pair) for pair in zip(first.shape, second.shape, strict=True)]
    total = np.zeros(shape)
    for each in (first, second):
        total[: each.shape[0], : each.shape[1]] += each
    return total


def _as_distribution(pmf: Array, name: str) -> Distribution:
    if len(pmf) == 1:  # no outcome comes to more, not even those that were cut
        return Distribution(0, np.ones(1), name=name)
    return Distribution(0, pmf, Tail(max(0.0, 1.0 - float(pmf.sum()))), name)


def _distribution(mass: dict[int, float], name: str) -> Distribution:
    pmf = np.bincount(list(mass), weights=list(mass.values()))
    return _as_distribution(pmf, name)


@lru_cache(maxsize=128)
def barrage(fire: Fire, distance: Range) -> Barrage:
    """One attack of a battery; see `Barrage`.

    Raises InputError for called shots at crew or cargo, whose Damage Tests do not add up: a
    `fire` plays them.
    """
    if fire.doctrine.called in gunnery.DAMAGED:
        allowed = "one at a rating or none; fire(...) plays shots at crew and cargo"
        raise InputError("called shot", fire.doctrine.called, allowed)
    endless = replace(fire.foe, destroyed_at=None)
    return Barrage(replace(fire, foe=endless), distance)
