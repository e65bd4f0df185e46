"""Fights without an end are told from those that end seldom, alike in exact and sampled odds."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from navkit.battle import Battle, Step, play
from navkit.chance import Array, Exact, Sampled
from navkit.engine import stalemates
from navkit.state import track

TURNS = 3
FIGHTS = 20_000


@dataclass(frozen=True)
class Boat:
    """One that sinks at a roll, unless a calm has come before."""

    sunk: Array
    losses: Array = track()


@dataclass(frozen=True)
class Calm:
    a: Boat
    b: Boat
    still: Array


def battle(dice: int, calm_at_most: int) -> Battle[Calm]:
    """Each turn a d6 of at most so much brings a calm for good; else a boat sinks if all the dice
    of the storm are ones."""

    def weather(calm, chance):
        came = chance.check("d6", calm_at_most, why="weather")
        return replace(calm, still=np.where(came, 1, calm.still))

    def storm(calm, chance):
        hit = chance.check(f"{dice}d6", dice, why="storm")
        return replace(calm, b=replace(calm.b, sunk=np.where(hit, 1, calm.b.sunk)))

    zero = np.zeros(1, dtype=np.int32)
    return Battle(
        start=Calm(Boat(zero, zero), Boat(zero, zero), zero),
        turn=(
            Step(weather, lambda calm: calm.still == 0),
            Step(storm, lambda calm: calm.still == 0),
        ),
        lost=lambda calm, side: getattr(calm, side).sunk,
        causes=("sunk",),
        tracks=("losses",),
    )


def test_means_of_a_fight_to_the_end_know_of_turns_in_which_nothing_changed():
    def wave(calm, chance):
        hit = chance.check("d6", 1, why="wave")
        a = replace(calm.a, losses=calm.a.losses + 1)
        return replace(calm, a=a, b=replace(calm.b, sunk=np.where(hit, 1, calm.b.sunk)))

    for turns in (None, 400):
        history = play(replace(battle(1, 0), turn=(Step(wave),)), turns, Exact())
        assert history.mean("a", "losses").iloc[-1] == pytest.approx(6, abs=1e-9)
        assert history.mean("b", "losses").iloc[-1] == 0


@pytest.mark.parametrize(("dice", "of"), [(1, 6), (6, 6**6)])
def test_a_calm_is_a_stalemate_and_a_seldom_end_is_not(dice, of):
    going, calm, sunk = 1.0, 0.0, 0.0
    for _ in range(TURNS):
        calm += going / 2
        sunk += going / 2 / of
        going *= (1 - 1 / of) / 2
    exact = play(battle(dice, 3), TURNS, Exact()).outcome()
    found = exact[["a", "stalemate", "undecided"]].to_list()
    assert found == pytest.approx([sunk, calm, going], rel=1e-12)
    sampled = play(battle(dice, 3), TURNS, Sampled(fights=FIGHTS)).outcome()
    for name in ("a", "stalemate", "undecided"):
        spread = (exact[name] * (1 - exact[name]) / FIGHTS) ** 0.5
        assert abs(sampled[name] - exact[name]) <= 4 * spread + 1 / FIGHTS


def test_fights_that_end_when_played_on_are_not_searched(monkeypatch):
    def searched(*told):
        raise AssertionError("an undecided fight was searched")

    monkeypatch.setattr(stalemates, "one_turn", searched)
    for chance in (Exact(), Sampled(fights=FIGHTS)):
        outcome = play(battle(1, 0), TURNS, chance).outcome()
        assert outcome["undecided"] == pytest.approx((5 / 6) ** TURNS, abs=0.015)
