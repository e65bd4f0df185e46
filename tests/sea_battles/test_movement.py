"""Arcs, wind and current, moves and turns, distances; units off their ships; sunk ships."""

from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pytest

from navkit import InputError
from navkit.engine.branches import distribution
from navkit.engine.script import Script
from navkit.rulebooks.sea_battles import Character, HouseRules, Ship, Unit, ship, sunk
from navkit.rulebooks.sea_battles.afloat_units import (
    Counter,
    counter_reach,
    disembarked,
    may_embark,
    rammed,
    rowed,
    shelters,
)
from navkit.rulebooks.sea_battles.boarding import transferred
from navkit.rulebooks.sea_battles.movement import (
    Move,
    Turn,
    arc,
    centre_distance,
    current_direction,
    drift,
    facing,
    hull_distance,
    moved,
    parted,
    pose,
    sail_run,
    wind_direction,
    wind_odds,
    wrong_turn,
)
from navkit.rulebooks.sea_battles.plan import Waters

RULES = HouseRules()
CORNERS = HouseRules(arcs="hull corners")


@pytest.mark.parametrize(
    ("seen", "quarters", "corners"),
    [
        (0, 0, 0),
        (10, 0, 0),
        (20, 0, 1),
        (45, 1, 1),
        (90, 1, 1),
        (-134, 1, 1),
        (140, 2, 1),
        (180, 2, 2),
    ],
)
def test_arcs_are_quarters_or_go_by_the_corners(seen, quarters, corners):
    assert int(arc(seen, RULES)) == quarters
    assert int(arc(seen, CORNERS)) == corners


def test_the_facing_an_attack_comes_from():
    target = pose(0, 0, 90)
    for at, side in (((0, 10), 0), ((10, 0), 1), ((-10, 3), 1), ((0, -10), 2)):
        assert facing(target, pose(*at, 0), RULES).tolist() == [side]


def test_wind_and_current_from_ahead_and_astern():
    for heading, felt in ((0, 1), (44, 1), (46, 0), (90, 0), (180, -1), (226, 0), (320, 1)):
        assert int(drift(float(heading), 0.0, RULES)) == felt
    assert drift(np.array([0.0]), None, RULES).tolist() == [0]


def test_a_random_wind_is_ahead_in_a_quarter_of_the_cases():
    found = wind_odds()
    assert [found.equal(v, exact=True) for v in (-1, 0, 1)] == [
        Fraction(1, 4),
        Fraction(1, 2),
        Fraction(1, 4),
    ]
    assert wind_odds(CORNERS).equal(0, exact=True) > Fraction(4, 5)


def test_wind_and_current_are_agreed_or_rolled_once():
    assert wind_direction(45, Script([])).tolist() == [45]
    assert wind_direction(None, Script([270])).tolist() == [270]
    assert current_direction("open sea", None, Script([])) is None
    assert current_direction("mouth", None, Script([]), seaward=90).tolist() == [90]
    assert current_direction("river", 10, Script([])).tolist() == [10]
    assert current_direction("river", None, Script([180])).tolist() == [180]
    assert Waters(wind=45.0).wind == 45
    with pytest.raises(FrozenInstanceError):
        Waters(wind=45.0).wind = 90.0
    with pytest.raises(InputError, match="water: got 'lake'"):
        current_direction("lake", None, Script([]))


def at(found):
    return [round(float(v[0]), 6) for v in (found.x, found.y, found.heading)]


def test_straight_moves_and_turns_by_sails_and_oars():
    start = pose(0, 0, 0)
    assert at(moved(start, Move("sails", 20))) == [20, 0, 0]
    assert at(moved(start, Move("sails", 20, (Turn(10, 90),)))) == [10, 10, 90]
    assert at(moved(start, Move("sails", 10, (Turn(5, -90),)))) == [5, -5, 270]
    assert at(moved(start, Move("oars", 20, (Turn(0, 90),)))) == [0, 20, 90]
    assert at(moved(start, Move("oars", 20, (Turn(20, 45),)))) == [20, 0, 45]
    about = Move("oars", 10, (Turn(0, 90), Turn(0, 90)))
    assert at(moved(start, about)) == [-10, 0, 180]
    assert at(wrong_turn(start, True)) == [0, 0, 90]
    assert at(wrong_turn(start, False)) == [0, 0, 270]


@pytest.mark.parametrize(
    ("gear", "run", "turns", "message"),
    [
        ("oars", 20.1, (), "run: got 20.1"),
        ("oars", 20, (Turn(0, 91),), "degrees of a turn: got 91"),
        ("oars", 15, (Turn(0, 90), Turn(1, 90)), "turns: got 2, allowed is at most 1"),
        ("oars", 10, (Turn(0, 1),) * 3, "turns: got 3, allowed is at most 2"),
        ("sails", 20, (Turn(9, 90),), "where she turns under sail: got 9"),
        ("sails", 10, (Turn(4, 90),), "where she turns under sail: got 4"),
        ("sails", 10, (Turn(5, 45), Turn(6, 45)), "turns: got 2"),
        ("sails", 8, (Turn(9, 90),), "where she turns: got 9"),
        ("steam", 8, (), "gear: got 'steam'"),
    ],
)
def test_forbidden_moves_are_refused(gear, run, turns, message):
    with pytest.raises(InputError, match=message):
        Move(gear, run, turns)


def test_half_and_full_speed_and_the_run_before_a_turn():
    assert (Move("oars", 10).speed, Move("oars", 10.5).speed) == (10, 20)
    adds_up = HouseRules(sail_run="adds up")
    assert sail_run(20, 6, RULES) == 10
    assert sail_run(20, 6, adds_up) == 4
    assert Move("sails", 20, (Turn(4, 90),), 6, adds_up).turns
    double = HouseRules(cm_per_inch=1.0)
    assert Move("sails", 40, (Turn(20, 90),), rules=double).run == 40


def test_distances_between_hulls_and_centres():
    # two ships of Size 2 (4 cm long, 1 cm broad) side by side, 10 cm from centre to centre
    one, two = pose(0, 0, 0), pose(0, 10, 0)
    assert hull_distance(one, 2, two, 2, RULES).tolist() == pytest.approx([9])
    assert centre_distance(one, two).tolist() == [10]
    ahead = pose(10, 0, 0)
    assert hull_distance(one, 2, ahead, 2, RULES).tolist() == pytest.approx([6])
    assert hull_distance(one, 2, pose(1, 0, 90), 2, RULES).tolist() == [0]


def test_ships_that_part_are_1_cm_away():
    one = parted(pose(0, 0, 0), pose(0, 3, 0), RULES)
    assert at(one) == [0, -1, 0]


# Units off their ships


EAGLES = Unit("Great eagle", 2)
ORCS = Unit("Orc boy", 20)


def test_flyers_boats_and_troops_ashore_leave_and_come_back():
    cog = Ship(
        "Cog", 2, "sails", troops=(EAGLES, ORCS), characters=(Character("Orc warboss", joins=1),)
    )
    assert disembarked(cog, EAGLES, pose(0, 0, 0)).kind == "flyer"
    boat = disembarked(cog, ORCS, pose(0, 0, 0), lifeboat=True)
    assert (boat.kind, len(boat.characters)) == ("lifeboat", 1)
    assert disembarked(cog, ORCS, pose(0, 0, 0)).kind == "ashore"
    with pytest.raises(InputError, match="unit: got"):
        disembarked(cog, Unit("Goblin", 5), pose(0, 0, 0))
    empty = Ship("Empty", 1, "oars", 8)
    crowd = Counter("lifeboat", ORCS, (), pose(0, 0, 0))
    assert may_embark(crowd, empty, 0.0)
    assert not may_embark(crowd, empty, 0.1)
    assert not may_embark(crowd, empty, 0.0, friendly=False)
    assert not may_embark(boat, empty, 0.0)  # the warboss is one too many


def test_boats_row_10_cm_and_flyers_fly_at_scale():
    boat = Counter("lifeboat", ORCS, (), pose(0, 0, 0))
    assert counter_reach(boat) == 10
    assert counter_reach(Counter("flyer", EAGLES, (), pose(0, 0, 0))) == 10
    assert counter_reach(Counter("ashore", ORCS, (), pose(0, 0, 0))) == 2
    assert at(rowed(boat, pose(30, 0, 0)).at) == [10, 0, 0]
    assert at(rowed(boat, pose(0, 4, 0)).at) == [0, 4, 90]


def test_rammed_boats_sink_and_flyers_do_not_care():
    boss = Character("Orc warboss")
    wreck = rammed(Counter("lifeboat", ORCS, (boss,), pose(0, 0, 0)))
    assert (wreck.kind, wreck.models) == ("wreckage", (20, 1))
    assert wreck.next_turn().kind == "debris"
    assert wreck.next_turn().next_turn().kind == "gone"
    assert rammed(Counter("flyer", EAGLES, (), pose(0, 0, 0))) is None
    assert not shelters(Counter("lifeboat", ORCS, (), pose(0, 0, 0)))


# Sunk ships


def test_markers_age_and_vanish():
    assert [sunk.aged(each) for each in ("wreckage", "debris", "gone")] == [
        "debris",
        "gone",
        "gone",
    ]
    assert sunk.leaves_marker(below_waterline=True)
    assert sunk.leaves_marker(below_waterline=False, rules=HouseRules(waterline="vanishes"))
    assert not sunk.leaves_marker(below_waterline=True, rules=HouseRules(waterline="vanishes"))


def test_as_many_swimmers_are_taken_as_there_is_room_for():
    found = sunk.picked_up(20, 4, 1, 6, Script([11]))
    assert [int(each[0]) for each in (found.alive, found.taken, found.left)] == [11, 6, 5]
    ogres = sunk.picked_up(4, 4, 3, 7, Script([3]))
    assert [int(each[0]) for each in (ogres.taken, ogres.left)] == [2, 1]
    rolls = distribution(lambda chance: sunk.picked_up(3, 5, 1, 100, chance).alive)
    assert rolls.equal(3) == pytest.approx((1 / 3) ** 3)


def test_swimmers_left_are_rolled_for_again_or_live_on():
    stay = HouseRules(rescue_again="stay alive")
    again = sunk.picked_up(5, 4, 1, 9, Script([2]), known_alive=True)
    assert again.alive.tolist() == [2]
    alive = sunk.picked_up(5, 4, 1, 9, Script([]), known_alive=True, rules=stay)
    assert alive.alive.tolist() == [5]


def test_riders_swim_without_their_horses():
    knight = Unit("Empire knight", 1).profile
    assert sunk.swimmer_save(knight) == 4
    assert sunk.swimmer_save(knight, HouseRules(rescue_save="full")) == 2


def test_whole_units_cross_to_a_prize_while_there_is_room():
    assert transferred(20, [20, 1], 0) == 1
    assert transferred(40, [20, 15, 6], 0) == 2
    assert transferred(20, [20], 1) == 0
    assert ship("Hammer").room == 80
