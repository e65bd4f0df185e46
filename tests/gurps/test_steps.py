"""Each step of each battle, at one row and at as many rows as a roll has outcomes."""

from dataclasses import fields

import numpy as np
import pytest

from navkit.engine.branches import Branches
from navkit.engine.turns import Either
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.boarding import Melee, Orders, Party, boarding_battle
from navkit.rulebooks.gurps.fight import duel_battle, shelling_battle
from navkit.rulebooks.gurps.sides import Fight, Side
from navkit.state import flatten, rebuild

ROWS = [1, 2, 6, 16, 26, 31]
ORDERS = (
    Orders(guns=3, leaves="outnumbered"),
    Orders(guns=1, leaves="always", party=Party(binds=4, fells="d2")),
)
BATTLES = {
    "duel": (duel_battle, {}),
    "together": (duel_battle, dict(fire_order="together")),
    "each gun": (duel_battle, dict(volley_roll="each gun", threshold_carry="fight")),
    "gun crews": (duel_battle, dict(crew_for_guns="gun crews", reload_starts="at once")),
    "shelling": (shelling_battle, {}),
    "boarding": (boarding_battle, {}),
    "melee": (lambda a, b, rules: boarding_battle(a, b, rules, ORDERS), {}),
}


def steps_of(battle):
    for part in (*battle.opening, *battle.turn):
        yield from part.steps if isinstance(part, Either) else (part,)


def states(like, rows, seed):
    """Random states of a fight that might occur, one a row."""
    random = np.random.default_rng(seed)

    def side():
        low_high = dict(
            hull=(1, 900),
            dr=(0, 4),
            crew=(6, 23),
            left=(1, 8),
            right=(0, 8),
            left_fired=(0, 1),
            right_fired=(0, 1),
            strain=(0, 20),
            care=(0, 1),
            spells=(0, 1),
            dead=(0, 1),
            wounded=(0, 1),
        )
        return Side(
            **{
                f.name: random.integers(*low_high[f.name], rows).astype(np.int32)
                for f in fields(Side)
            }
        )

    if isinstance(like, Melee):
        return Melee(side(), side(), np.zeros(rows, dtype=np.int32))
    return Fight(side(), side(), random.choice([-1, 1], rows).astype(np.int32))


def outcomes(step, fight, rows):
    """For each row: {state after the step: probability}."""
    branches = Branches(rows)
    after = step.run(fight, branches)
    weight = branches.probability()
    arrays = [*flatten(after), weight]
    shape = np.broadcast_shapes(*(a.shape for a in arrays), (rows,))
    wide = [np.broadcast_to(a, shape).reshape(-1, rows) for a in arrays]
    found = []
    for row in range(rows):
        chances = {}
        for *state, chance in zip(*(a[:, row].tolist() for a in wide), strict=True):
            if chance:
                chances[tuple(state)] = chances.get(tuple(state), 0) + chance
        found.append(chances)
    return found


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("name", BATTLES)
def test_rows_do_not_meet(name, rows):
    make, rules = BATTLES[name]
    battle = make(gurps.ship("Brig"), gurps.ship("Tern Schooner"), gurps.HouseRules(**rules))
    for number, step in enumerate(steps_of(battle)):
        fight = states(battle.start, rows, seed=number)
        together = outcomes(step, fight, rows)
        for row in range(rows):
            one = rebuild(fight, [array[row : row + 1] for array in flatten(fight)])
            (alone,) = outcomes(step, one, 1)
            assert sum(alone.values()) == pytest.approx(1, abs=1e-12)
            assert together[row] == pytest.approx(alone, abs=1e-15)
