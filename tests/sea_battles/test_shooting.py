"""Shooting: who fires, what must be rolled, and guessed ranges, with all faces listed."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from navkit import Exact, InputError, Scripted
from navkit.rulebooks.sea_battles import HouseRules, Ship, Unit, fire, odds, shooting, weapon
from navkit.rulebooks.sea_battles.shooting import (
    best_aim,
    firing,
    flight,
    misfire,
    places,
    salvo,
    scatter,
    to_hit,
)
from navkit.rulebooks.sea_battles.tables import successes, to_save, to_shoot, to_strike, to_wound
from navkit.rulebooks.sea_battles.vessel import launched

RULES = HouseRules()
ARTILLERY = {1: 2, 2: 4, 3: 6, 4: 8, 5: 10}


def test_the_charts_of_the_parent_game():
    assert [int(to_shoot(bs, 0)) for bs in range(1, 11)] == [6, 5, 4, 3, 2, 2, 2, 2, 2, 2]
    assert [int(to_strike(a, b)) for a, b in ((4, 3), (3, 3), (3, 6), (3, 7), (2, 4), (2, 5))] == [
        3,
        4,
        4,
        5,
        4,
        5,
    ]
    by_difference = {3: 2, 2: 2, 1: 3, 0: 4, -1: 5, -2: 6, -3: 6, -4: 7}
    for difference, need in by_difference.items():
        assert int(to_wound(5 + difference, 5)) == need
    assert [int(to_save(5, s)) for s in (3, 4, 5, 6)] == [5, 6, 7, 7]
    assert int(to_save(2, 10)) == 7
    assert successes(3, 7).max == 3
    assert successes(3, 7).at_least(1) == 0


@pytest.mark.parametrize(
    ("need", "chance"),
    [
        (2, Fraction(5, 6)),
        (6, Fraction(1, 6)),
        (7, Fraction(1, 12)),
        (8, Fraction(1, 18)),
        (9, Fraction(1, 36)),
    ],
)
def test_a_6_is_rolled_again_for_what_is_hard_to_hit(need, chance):
    found = shooting.tables.shots(1, need)
    assert found.equal(1, exact=True) == chance


def test_ships_are_large_targets_and_long_range_is_beyond_half():
    bow = weapon("bow")
    assert int(to_hit(bow, 3, 6, RULES)) == 3
    assert int(to_hit(bow, 3, 6.1, RULES)) == 4
    assert int(to_hit(bow, 3, 12.1, RULES)) == 10
    assert int(to_hit(bow, 3, 6, RULES, large=False)) == 4
    assert int(to_hit(bow, 3, 6, RULES, charged=True)) == 4
    assert int(to_hit(bow, 3, 6, RULES, single=True, cover=2)) == 6
    assert int(to_hit(bow, 3, 6, RULES, moved=True)) == 3
    assert int(to_hit(bow, 3, 6, HouseRules(deck_moved="moved"), moved=True)) == 4
    assert int(to_hit(bow, 0, 6, RULES)) == 10
    for name, cm in (("bow", 12), ("crossbow", 15), ("cannon", 24), ("great cannon", 30)):
        assert weapon(name).reach() == cm


CREW = Ship(
    "Crew",
    2,
    "sails",
    8,
    troops=(Unit("Empire archer", 4), Unit("Orc boy", 9), Unit("Empire handgunner", 20)),
    guns=("cannon",),
)


def test_five_models_a_size_may_fire_and_machines_count_as_five():
    assert [places(Ship("A", size, "sails")) for size in (1, 2, 6)] == [5, 10, 30]
    found = firing(launched(CREW), CREW, np.array([False]), RULES)
    assert found.machines[0].tolist() == [True]
    assert [int(each[0]) for each in found.models] == [4, 0, 1]
    small = Ship("Small", 1, "sails", 8, guns=("cannon", "cannon"))
    both = firing(launched(small), small, np.array([False]), RULES)
    assert [bool(each[0]) for each in both.machines] == [True, False]


def test_on_a_deck_that_moved_some_do_not_fire_by_house_rule():
    moved = HouseRules(deck_moved="moved")
    found = firing(launched(CREW), CREW, np.array([True]), moved)
    assert found.machines[0].tolist() == [False]
    assert [int(each[0]) for each in found.models] == [4, 0, 0]
    still = firing(launched(CREW), CREW, np.array([True]), RULES)
    assert still.machines[0].tolist() == [True]


def test_machines_out_of_action_do_not_fire():
    out = replace(launched(CREW), machines=(np.array([1]),))
    assert firing(out, CREW, np.array([False]), RULES).machines[0].tolist() == [False]


@pytest.mark.parametrize(("size", "facing"), list(product((1, 3, 6), ("front", "side", "rear"))))
def test_a_cannon_ball_by_all_faces(size, facing):
    deep = 4 * size if facing != "side" else size
    short = best_aim(deep)
    hits = Fraction(0)
    best = Fraction(0)
    for aim in (0, 2, 4, 6, 8, 10):
        found = Fraction(0)
        for first, second in product(range(1, 7), repeat=2):
            if first < 6:
                lands = ARTILLERY[first] - aim
                reaches = lands + ARTILLERY.get(second, 0)
                found += Fraction(lands <= deep and reaches >= 0, 36)
        best = max(best, found)
        hits = found if aim == short else hits
    assert hits == best
    assert odds.hit("cannon", distance=20, size=size, facing=facing, exact=True) == hits


def test_flights():
    def lands(first, bounce, short=6, deep=4):
        return int(flight(np.array(first), np.array(bounce), short, deep))

    assert lands(6, 1) == shooting.MISFIRED
    assert lands(3, 6) == shooting.CENTRE  # lands on the hull; the bounce's misfire is no bounce
    assert lands(1, 1) == shooting.MISS  # 4" short, bounces 2"
    assert lands(1, 2) == shooting.CENTRE  # 4" short, bounces 4"
    assert lands(5, 1, short=2) == shooting.MISS  # 8" beyond


def test_stones_by_scatter():
    def lands(die, artillery, degrees, size=4):
        faces = (np.array(v) for v in (die, artillery, degrees))
        return int(scatter(*faces, size, 1.5))

    assert lands(5, 3, 90) == shooting.CENTRE
    assert lands(6, 6, 90) == shooting.MISFIRED
    assert lands(1, 1, 90) == shooting.TOUCH  # 2" abeam of a hull 4" broad: at its edge
    assert lands(1, 3, 90) == shooting.MISS  # 6" abeam
    assert lands(1, 3, 360) == shooting.TOUCH  # 6" along a hull 16" long
    small = odds.hit("stone thrower", distance=20, size=1)
    big = odds.hit("stone thrower", distance=20, size=6)
    assert 5 / 18 <= small < big <= 5 / 6
    assert odds.hit("stone thrower", distance=31) == 0


def test_salvoes_and_misfires():
    faces = tuple(np.array(v) for v in (1, 3, 6))
    near, far = salvo(faces, False), salvo(faces, True)
    assert (int(near.hits), int(near.misfires), int(far.hits)) == (8, 1, 4)
    table = {
        "cannon": ([9, 1, 1, 0, 0, 0], [0] * 6),
        "stone": ([9, 1, 1, 0, 0, 0], [0] * 6),
        "multi": ([9, 9, 1, 0, 0, 0], [0, 0, 0, 0, 0, 10]),
    }
    for kind, (out, hits) in table.items():
        found = misfire(np.arange(1, 7), kind)
        assert found.out.tolist() == out
        assert found.hits.tolist() == hits
    assert misfire(np.arange(1, 7), "stone").crew.tolist() == [0, 1, 1, 0, 0, 0]
    with pytest.raises(InputError, match="kind of war machine"):
        misfire(np.array([1]), "bow")


# In a battle


HULK = Ship("Hulk", 4, "oars", 8)


def gun(*guns, **more):
    return Ship("Gun", 3, "oars", 8, guns=guns, **more)


def test_a_scripted_volley_and_extra_damage():
    """A great cannon: it hits soft for 4 + 10 + 3 − 8 = 9; nine dice show 2s and 6s twice."""
    faces = (2, 2, 6, 6, 1, 3, 4, 5, 1)
    rolls = [3, 1, 5, 4, 3, faces]
    history = fire(gun("great cannon"), HULK, turns=1, chance=Scripted(rolls))
    assert history.mean("b", "damage").tolist() == [0, 9]
    assert history.outcome()["a"] == 1  # below the waterline: gone without a roll
    assert history.log["rule"].tolist() == ["S-105", "S-105", "S-33", "S-36", "S-36", "S-95"]


def test_a_cannon_that_misfires_is_out():
    # turn 1 misfires on a 2: not this turn and not the next; it fires again in turn 3
    rolls = [6, 1, 2, 1, 1]
    history = fire(gun("cannon"), HULK, turns=3, chance=Scripted(rolls))
    assert history.log["turn"].tolist() == [1, 1, 1, 3, 3]
    destroyed = fire(gun("cannon"), HULK, turns=3, chance=Scripted([6, 1, 1]))
    assert destroyed.log["turn"].max() == 1


def test_a_helblaster_rolls_each_hit_and_ka_boom():
    # 2 + 4 hits and a misfire of 6: ten more; all hard, S5 within 6 cm
    rolls = [1, 2, 6, 6, 0, 0]
    history = fire(gun("helblaster"), HULK, turns=1, distance=5, chance=Scripted(rolls))
    assert history.log["dice"].tolist()[3:5] == ["d6", "16d6≥5"]
    far = fire(gun("helblaster"), HULK, turns=1, distance=7, chance=Scripted([1, 2, 3, 6, 0]))
    # half of 12 hits, all soft, at S4: D6 + 4 − 8
    assert "6d6≥5" in far.log["dice"].tolist()


def test_a_stone_that_lands_in_the_middle_makes_a_hole():
    history = fire(
        gun("stone thrower"), HULK, turns=1, chance=Scripted([5, 1, 90, 1, 1, (1, 2), 24])
    )
    assert history.mean("b", "damage").tolist() == [0, 2]  # 1 + 8 + 1 − 8
    plain = HouseRules(template_on_ship="always 4")
    history = fire(
        gun("stone thrower"), HULK, turns=1, chance=Scripted([5, 1, 90, 6, (1, 2), 24]), rules=plain
    )
    assert history.mean("b", "damage").tolist() == [0, 2]  # 6 + 4 − 8


def test_a_template_may_strike_a_unit_besides():
    manned = Ship("Manned", 4, "oars", 8, troops=(Unit("Empire archer", 12),))
    always = HouseRules(template_units="always", troops_hit="shooting and magic")
    rolls = [1, 1, 90, 1, 1, 5, 2]
    history = fire(gun("stone thrower"), manned, turns=1, chance=Scripted(rolls), rules=always)
    assert "hits of the template" in history.log["why"].tolist()


def test_damage_of_a_shooting_phase():
    bolt = Ship("Bolt", 1, "oars", 8, guns=("bolt thrower",))
    found = odds.shooting(bolt, HULK, distance=10, facing="side", chance=Exact())
    wanted = {0: Fraction(1, 3)}
    for at, face, die in product(range(1, 7), repeat=3):
        points = max(0, face + 6 + (die + 1) // 2 - (10 if at <= 4 else 8))
        wanted[points] = wanted.get(points, 0) + Fraction(2, 3) / 216
    for points, chance in wanted.items():
        assert found.equal(points) == pytest.approx(float(chance), rel=1e-12)
    assert odds.hit("bolt thrower", distance=10, exact=True) == Fraction(2, 3)
    assert odds.hit("helblaster", distance=10, exact=True) == Fraction(125, 216)


def test_all_models_of_a_unit_fire_at_one_target():
    archers = Ship("Archers", 2, "oars", 8, troops=(Unit("Empire archer", 20),))
    log = fire(archers, HULK, turns=1, distance=5, chance=Scripted([0])).log
    assert log["dice"].tolist() == ["10 shots≥3"]
