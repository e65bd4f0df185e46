"""Towing and drifting; and the movement and fire facts of the article's other sections."""

from itertools import product

import pytest

import navkit as nk
from navkit.engine.branches import distribution
from navkit.engine.script import Script
from navkit.rulebooks.medieval import HouseRules, Ship, TiedShips
from navkit.rulebooks.medieval.fires import (
    DamageTable,
    ignites,
    lost_alight,
    sector_hit,
    turns_afloat,
)
from navkit.rulebooks.medieval.movement import (
    adrift,
    drift,
    may_tow,
    must_furl,
    speed,
    tow_speed,
    turning_moves,
)

PRIZE, EQUAL, OTHER = Ship("Prize", size=2), Ship("Equal", size=2), Ship("Other", size=1)
LARGE = Ship("Large", size=3)
ALL = ("Prize", "Equal", "Other", "Large")


def held_by(*names):
    tied = TiedShips(ALL)
    for name in names:
        tied = tied.grapple("Prize", name)
    return tied


def test_one_equal_ship_tows_a_captured_one_only():
    assert not may_tow(PRIZE, [EQUAL], held_by("Equal"))
    assert may_tow(PRIZE, [EQUAL], held_by("Equal"), captured=True)
    assert not may_tow(PRIZE, [OTHER], held_by("Other"), captured=True)


def test_two_ships_or_a_larger_one_tow_any():
    assert may_tow(PRIZE, [EQUAL, OTHER], held_by("Equal", "Other"))
    assert may_tow(PRIZE, [LARGE], held_by("Large"))


def test_not_a_ship_that_others_hold_or_a_line():
    assert not may_tow(PRIZE, [LARGE], held_by("Large", "Other"))
    assert not may_tow(PRIZE, [EQUAL, OTHER], held_by("Equal"))
    line = TiedShips(ALL, lines=frozenset({frozenset(("Prize", "Other"))}))
    assert not may_tow(PRIZE, [LARGE], line.grapple("Prize", "Large"), captured=True)
    assert not may_tow(PRIZE, [], held_by())


def test_in_tow_half_the_speed_of_the_slowest():
    assert tow_speed([Ship("a"), Ship("b", kind="round")]) == 1.5
    with pytest.raises(nk.InputError, match="one ship or more"):
        tow_speed([])


def test_grappled_ships_drift_an_inch_downwind_with_those_they_hang_on():
    line = TiedShips.of([Ship("A", line="van"), Ship("B", line="van")], [Ship(n) for n in "CDE"])
    tied = line.grapple("A", "C").grapple("D", "E")
    places = dict.fromkeys("ABCDE", (0.0, 0.0))
    after = adrift(places, tied, wind=90)
    assert after["D"] == after["E"] == pytest.approx((0, 1))
    assert after["A"] == after["B"] == after["C"] == (0, 0)


def test_burning_ships_drift_too_downwind_or_as_printed():
    tied = TiedShips(("A", "B", "C"))
    places = dict.fromkeys("ABC", (0.0, 0.0))
    assert adrift(places, tied, wind=0, burning={"A"})["A"] == (1, 0)
    printed = HouseRules(drift_dir="as printed")
    assert adrift(places, tied, wind=0, burning={"A"}, rules=printed)["A"] == (-1, 0)
    assert drift((2, 3), wind=180, rules=printed) == pytest.approx((1, 3))
    with pytest.raises(nk.InputError, match="ship: got 'X'"):
        adrift(places, tied, wind=0, burning={"X"})


@pytest.mark.parametrize(
    ("ship", "told", "inches"),
    [
        (Ship("g"), {}, 4),
        (Ship("g"), {"pace": "turning"}, 4),
        (Ship("g"), {"pace": "attack"}, 5),
        (Ship("g"), {"pace": "back", "off_wind": 0}, 2),
        (Ship("g"), {"off_wind": 45}, 5),
        (Ship("g"), {"off_wind": 45, "sail": False}, 4),
        (Ship("c", kind="round"), {"off_wind": 60}, 3),
        (Ship("c", kind="round"), {"off_wind": 61}, 0),
        (Ship("c", kind="round"), {"off_wind": 10, "pace": "turning"}, 3),
    ],
)
def test_speeds(ship, told, inches):
    assert speed(ship, **told) == inches


@pytest.mark.parametrize(
    ("ship", "told"),
    [
        (Ship("c", kind="round"), {"pace": "attack"}),
        (Ship("c", kind="round"), {"pace": "back"}),
        (Ship("g"), {"pace": "sprint"}),
        (Ship("g"), {"pace": "attack", "attacked_last_turn": True}),
        (Ship("g"), {"pace": "attack", "attacks": 4}),
    ],
)
def test_paces_that_a_ship_has_not(ship, told):
    with pytest.raises(nk.InputError, match="pace: got"):
        speed(ship, **told)


def test_turns_and_sails():
    assert turning_moves(90) == 2
    with pytest.raises(nk.InputError, match="a multiple of 45"):
        turning_moves(50)
    assert must_furl(6)
    assert not must_furl(6.5)


def test_sectors_of_hidden_obstacles():
    hit = [sector_hit(die) for die in range(1, 7)]
    assert hit == ["bow", "stern", "port", "port", "starboard", "starboard"]


@pytest.mark.parametrize(("collision", "chance"), [(False, 1 / 6), (True, 1 / 2)])
def test_what_catches_fire(collision, chance):
    found = distribution(lambda c: ignites(c, collision=collision).astype(int))
    assert found.equal(1) == pytest.approx(chance)
    assert not ignites(Script([]), 0)[0]


def test_turns_afloat_against_all_faces():
    lost = {"bow": 5, "port": 14, "stern": 4}
    found = turns_afloat(lost, other=1)
    faces = [max(0, die - 1 - 2 + 1) for die in range(1, 7)]
    for value, _ in product(range(7), [0]):
        assert found.equal(value) == pytest.approx(faces.count(value) / 6)
    with pytest.raises(nk.InputError, match="sector: got 'keel'"):
        turns_afloat({"keel": 3})
    assert lost_alight(lost_alight(2)) == 0
    assert lost_alight(0) == 0


def test_a_damage_table_is_the_users():
    table = DamageTable({1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 4})
    assert table.distribution().equal(4, exact=True) == nk.dice("d6").equal(1, exact=True)
    assert table.distribution().mean == pytest.approx(8 / 6)
    with pytest.raises(nk.InputError, match="dice of the damage table"):
        DamageTable({1: 0})
    with pytest.raises(nk.InputError, match="points of 6: got -1"):
        DamageTable({**dict.fromkeys(range(1, 6), 0), 6: -1})
