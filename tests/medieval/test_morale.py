"""Morale: what is an event, when it is tested, and what follows."""

from itertools import product

import numpy as np
import pytest

from navkit.engine.branches import distribution
from navkit.rulebooks.medieval import HouseRules
from navkit.rulebooks.medieval.morale import (
    FLEE,
    HALT,
    UNSHAKEN,
    Spirit,
    dice_of,
    effect_of,
    looks_double,
    shaken,
    spread,
)


def spirit(**changes):
    calm = {"fleeing": 0, "halt": 0, "rumour": 0, "outnumbered": 0}
    return Spirit(**{name: np.array([value]) for name, value in (calm | changes).items()})


def dice(*, lost=False, own=10, enemy=10, rules=None, **changes):
    rules = rules or HouseRules()
    found = dice_of(spirit(**changes), np.array([lost]), np.array([own]), np.array([enemy]), rules)
    return int(found[0])


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_worst_of_several_dice_counts(number):
    """Against all faces."""
    found = distribution(lambda chance: effect_of(np.array([number]), chance, "morale"))
    worst = [min(faces) for faces in product(range(1, 7), repeat=number)]
    assert found.equal(FLEE) == pytest.approx(sum(w <= 2 for w in worst) / 6**number)
    assert found.equal(HALT) == pytest.approx(sum(3 <= w <= 4 for w in worst) / 6**number)
    assert found.equal(UNSHAKEN) == pytest.approx(sum(w >= 5 for w in worst) / 6**number)


def test_no_event_no_die():
    assert dice() == 0
    assert distribution(lambda chance: effect_of(np.array([0]), chance, "m")).equal(UNSHAKEN) == 1


def test_each_event_is_a_die():
    assert dice(lost=True) == 1
    assert dice(own=5, enemy=10) == 1
    assert dice(rumour=1) == 1
    assert dice(lost=True, own=5, enemy=10, rumour=1) == 3
    assert dice(lost=True, fleeing=1) == 0
    assert dice(lost=True, own=0) == 0


def test_outnumbered_once_or_in_each_turn():
    each = HouseRules(morale_outnumber="each turn")
    assert dice(own=5, enemy=10, outnumbered=1) == 0
    assert dice(own=5, enemy=10, outnumbered=1, rules=each) == 1


@pytest.mark.parametrize(
    ("own", "enemy", "twice", "more"),
    [(5, 9, False, False), (5, 10, True, False), (5, 11, True, True), (0, 3, False, False)],
)
def test_how_many_are_twice_as_many(own, enemy, twice, more):
    own, enemy = np.array([own]), np.array([enemy])
    assert looks_double(own, enemy, HouseRules())[0] == twice
    assert looks_double(own, enemy, HouseRules(outnumbered_at="more than twice"))[0] == more


def test_rumour_takes_two_turns():
    fleet, tested_in = spirit(), []
    for turn in range(1, 6):
        tested_in += [turn] if fleet.rumour[0] == 1 else []
        fleet = spread(fleet, np.array([turn == 1]))
    assert tested_in == [3]


def test_a_halt_is_of_the_two_turns_after_and_counts_anew():
    fleet, halted = spirit(), []
    for turn in range(1, 8):
        halted.append(bool(fleet.halt[0]))
        effect = HALT if turn in (2, 4) else UNSHAKEN
        fleet = shaken(fleet, np.array([effect]), np.array([False]))
    assert halted == [False, False, True, True, True, True, False]


def test_flight_is_for_good():
    fleet = shaken(spirit(), np.array([FLEE]), np.array([True]))
    assert (fleet.fleeing[0], fleet.outnumbered[0]) == (1, 1)
    assert shaken(fleet, np.array([UNSHAKEN]), np.array([False])).fleeing[0] == 1
