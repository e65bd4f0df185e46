"""First passage of a hull: in which turn it is gone under fire that is not answered.

The attacker's turns go round by rule alone, and of the target only hull and DR count. So each of
the attacker's states has one transition matrix over pairs of hull and DR, read off the turn's own
steps, and a turn is a product of a matrix and a vector.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from scipy import sparse

from navkit.battle import Battle, Step
from navkit.chance import Array
from navkit.engine.branches import Branches
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import Fight, Side
from navkit.state import flatten

MOST_CELLS = 20_000_000
"""Pairs of hull and DR, times outcomes of a volley, that fit a matrix at most."""


def fits(attacker: Ship, target: Ship, rules: HouseRules) -> bool:
    """Whether there is room for all outcomes of a volley from all hulls and DRs of the target."""
    dice = attacker.gun
    if rules.volley_roll != "one roll":
        dice = dice * max(1, attacker.guns)
    outcomes = 2 * (dice.max - dice.min + 1)
    return (target.hull + 1) * (target.dr + 1) * outcomes <= MOST_CELLS


def sunk(battle: Battle[Fight], turns: int) -> Array:
    """By turn, from 0: the chance that b has sunk in a `shelling_battle`."""
    hull, dr = int(battle.start.b.hull[0]), int(battle.start.b.dr[0])
    chance = np.zeros((dr + 1) * (hull + 1))
    chance[-1] = 1.0
    gone = np.zeros(turns + 1)
    known: dict[tuple[bytes, ...], _Turn] = {}
    attacker = battle.start.a
    for number in range(1, turns + 1):
        key = tuple(array.tobytes() for array in flatten(attacker))
        if key not in known:
            known[key] = _Turn(battle, attacker, hull)
        chance = known[key].played(chance)
        attacker = known[key].attacker_after
        gone[number] = chance[:: hull + 1].sum()
    return gone


@dataclass
class _Turn:
    """A turn with the attacker in some state: matrices for the hulls and DRs met so far.

    Hull and DR are one place, DR · (hull at first + 1) + hull.
    """

    battle: Battle[Fight]
    attacker: Side
    hull: int
    blocks: list[tuple[Array, Any]] = field(default_factory=list)
    met: Array = field(default_factory=lambda: np.zeros(0, dtype=bool))
    attacker_after: Side = field(init=False)

    def played(self, chance: Array) -> Array:
        """The chance of each place after the turn."""
        if not len(self.met):
            self.met = np.zeros(len(chance), dtype=bool)
        new = np.flatnonzero((chance > 0) & ~self.met)
        if len(new):
            self.met[new] = True
            self.blocks.append((new, self._matrix(new, len(chance))))
        return sum(matrix @ chance[places] for places, matrix in self.blocks)

    def _matrix(self, places: Array, size: int) -> Any:
        """A column for each of some places before the turn, a row for each place after it."""
        rows = len(places)
        dr, hull = np.divmod(places, self.hull + 1)
        target = replace(
            _of_rows(self.battle.start.b, rows),
            hull=hull.astype(np.int32),
            dr=dr.astype(np.int32),
        )
        fight = Fight(_of_rows(self.attacker, rows), target, np.zeros(rows, dtype=np.int32))
        branches = Branches(rows)
        for step in self.battle.turn:
            assert isinstance(step, Step)
            if step.when is None or step.when(fight).all():
                fight = step.run(fight, branches)
        self.attacker_after = _of_rows(fight.a, 1)
        chance = branches.probability()
        shape = np.broadcast_shapes(chance.shape, (rows,))
        after = np.broadcast_to(fight.b.dr * (self.hull + 1) + fight.b.hull, shape)
        weight = np.broadcast_to(chance, shape).reshape(-1, rows)
        ends = np.arange(rows + 1) * len(weight)
        # places that are equal add up in the product
        entries = (weight.T.ravel(), after.reshape(-1, rows).T.ravel(), ends)
        return sparse.csc_matrix(entries, shape=(size, rows))


def _of_rows(side: Side, rows: int) -> Side:
    """A side whose rows are all alike, with so many of them."""
    values = {each.name: getattr(side, each.name) for each in fields(Side)}
    return Side(**{name: np.full(rows, np.ravel(v)[0], v.dtype) for name, v in values.items()})
