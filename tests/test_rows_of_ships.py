"""Battles whose state has a row a ship, and too many dice for all their outcomes."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import navkit as nk
from navkit.battle import Battle, Step, play
from navkit.chance import Array
from navkit.engine.draws import Draws


@dataclass(frozen=True)
class Fleet:
    ships: Array


@dataclass(frozen=True)
class Fight:
    hulls: Array
    a: Fleet
    b: Fleet


def volley(fight, chance):
    """Each of the three ships of b loses a die a turn; those of a nothing."""
    dice = np.stack([chance.roll("d6", why=f"ship {place + 1}") for place in range(3)])
    hulls = np.maximum(fight.hulls - dice, 0)
    return replace(fight, hulls=hulls, b=Fleet((hulls > 0).sum(axis=0)))


def lost(fight, side):
    return np.where(getattr(fight, side).ships == 0, 1, 0)


BATTLE = Battle(
    start=Fight(np.array([[4], [8], [12]]), Fleet(np.array([1])), Fleet(np.array([3]))),
    turn=(Step(volley, lambda fight: fight.b.ships > 0),),
    lost=lost,
    causes=("sunk",),
    tracks=("ships",),
    countable=False,
)


def test_rows_of_ships_play_as_ships_alone():
    fights = 5000
    h = play(BATTLE, 4, nk.Sampled(fights=fights, seed=3))
    two = nk.dice("2d6").at_least(8) * nk.dice("2d6").at_least(12)
    assert h.outcome()["a"] == 1 - h.outcome()["undecided"]
    assert h.table()["a"][2] == pytest.approx(two, abs=5 * (two / fights) ** 0.5)
    assert h.mean("b", "ships")[1] == pytest.approx(3 - 1 / 2, abs=0.05)


def test_a_fight_is_the_same_alone_and_in_any_block():
    whole = play(BATTLE, 6, nk.Sampled(fights=3000))
    parts = play(BATTLE, 6, nk.Sampled(fights=3000, block=nk.chance.GROUP, drop=False))
    assert whole.table().equals(parts.table())
    ended = sum(int(whole.replay(n).outcome()["a"]) for n in range(40))
    first = play(BATTLE, 6, nk.Sampled(fights=40))
    assert first.outcome()["a"] * 40 == pytest.approx(ended)


def test_by_script_and_never_exact():
    h = play(BATTLE, 3, nk.Scripted([4, 2, 6, 1, 6, 6]))
    assert h.outcome()["a"] == 1
    assert len(h.log) == 6
    assert play(BATTLE, 2).fights == 20_000
    with pytest.raises(nk.InputError, match="allowed is Sampled"):
        play(BATTLE, 3, nk.Exact())


def test_faces_leave_the_later_rolls_of_other_fights_alone():
    """How many dice one fight rolls must not move what another rolls next."""

    def after(count):
        draws = Draws(5, np.arange(1), None)
        draws.faces(6, count, lambda shown: shown[5], why="some")
        return draws.roll("d%", why="next")

    few, many = np.zeros(1024, dtype=int), np.arange(1024) % 4
    assert np.array_equal(after(few), after(many))
