"""Ships, officers and Move: the document's tables and examples, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

import navkit as nk
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.movement import base_move, shifted

EDGES = [
    (Fraction(21, 4), "1"),
    (Fraction(35, 12), "1/2"),
    (Fraction(49, 24), "1/3"),
    (Fraction(63, 40), "1/4"),
    (Fraction(77, 60), "1/5"),
    (Fraction(13, 12), "1/6"),
    (Fraction(15, 16), "1/7"),
    (Fraction(119, 144), "1/8"),
    (Fraction(133, 180), "1/9"),
]


@pytest.mark.parametrize(("edge", "move"), EDGES)
def test_move_fractions_begin_at_their_edges(edge, move):
    assert base_move(float(edge) + 1e-9) == Fraction(move)
    assert base_move(float(edge) - 1e-9) < Fraction(move)


@pytest.mark.parametrize(
    ("kph", "move"),
    [(5.25, 1), (10.4, 1), (10.5, 2), (17.4, 2), (17.5, 3), (24.5, 4), (31.4, 4), (31.5, 5)],
)
def test_whole_moves(kph, move):
    assert base_move(kph) == move


def test_the_ready_ships_have_the_moves_of_the_document():
    moves = [gurps.ship(name).base_move() for name in gurps.library()["name"]]
    assert moves == [2, 2, 2, 3, 2, 3, 2, 2]


def test_the_ready_ships_are_those_of_the_document():
    table = gurps.library().set_index("name")
    assert table["hull"].tolist() == [450, 900, 900, 900, 900, 900, 1120, 1870]
    assert table["dr"].tolist() == [1, 2, 2, 2, 2, 3, 3, 5]
    assert table["kph"].tolist() == [12.9, 16.1, 16.1, 19.3, 16.1, 17.7, 14.5, 14.5]
    assert table["crew"].tolist() == [8, 10, 21, 27, 28, 23, 132, 701]
    assert table["skeleton_crew"].tolist() == [4, 5, 5, 5, 6, 6, 8, 50]
    assert table["range"].tolist() == [5, 5, 5, 5, 5, 5, 6, 6]
    assert table["cannons"].tolist()[5:] == [(7, 7, 1, 0), (15, 15, 5, 5), (30, 30, 5, 5)]
    assert set(table["damage"]) == {"5d"}
    assert set(table["scale"]) == {10}
    assert set(table["size_modifier"]) == {8}
    assert table["weight"].tolist() == [132, 236, 294, 365, 306, 358, 623, 1437]
    assert table["price"].sum() == 181075 + 267450 + 354925 + 466600 + 374400 + 387400 + (
        661150 + 1616150
    )
    assert set(table["expertise"]) == {12}


def test_columns_are_the_fields_of_a_ship():
    columns = list(gurps.library().columns)
    row = gurps.library().iloc[5].to_dict()
    assert gurps.Ship(**row) == gurps.ship("Brig")
    assert columns == list(row)


def test_guns_of_the_example(make_small):
    assert make_small(cannons=(10, 10, 4, 3)).guns == 27


@pytest.mark.parametrize(
    ("level", "move"),
    [(-5, "1/5"), (-2, "1/2"), (-3, "1/3"), (-1, "1"), (0, "2"), (3, "5"), (-10, "1/10")],
)
def test_navigation_moves_along_the_ladder(level, move):
    assert shifted(Fraction(2), level) == Fraction(move)


def test_navigation_below_a_tenth_stops_the_ship():
    assert shifted(Fraction(1), -10) == 0
    assert shifted(Fraction(1, 3), 2) == 1


def test_no_navigator():
    assert gurps.ship("Sloop", officers=gurps.Officers()).move() == Fraction(1, 5)


@pytest.mark.parametrize(
    ("rules", "kph", "move"),
    [
        (dict(move_divisor="20"), 12.9, "1/2"),
        (dict(move_divisor="20"), 60, "3"),
        (dict(move_floor="tenth"), 0.6, "0"),
        (dict(move_floor="tenth"), 0.72, "1/10"),
        (dict(move_floor="midpoint"), 0.34, "0"),
        (dict(move_floor="midpoint"), 0.36, "1/10"),
        ({}, 0.01, "1/10"),
        ({}, 0, "0"),
    ],
)
def test_readings_of_move(rules, kph, move):
    assert base_move(kph, gurps.HouseRules(**rules)) == Fraction(move)


def test_reading_of_the_ladder():
    subtract = gurps.HouseRules(move_ladder="subtract")
    assert shifted(Fraction(2), -5, subtract) == 0
    assert shifted(Fraction(2), 1, subtract) == 3


class TestOfficers:
    def test_leadership_caps_every_filled_post(self):
        officers = gurps.Officers(leadership=1, gunnery=3, navigation=0, tactics=2, medic=5)
        posts = ("gunnery", "navigation", "tactics", "medic")
        assert [officers.level(post) for post in posts] == [1, 0, 1, 1]

    def test_a_poor_commander_caps_below_zero(self):
        assert gurps.Officers(leadership=-2, gunnery=3).level("gunnery") == -2

    def test_empty_posts(self):
        nobody = gurps.Officers()
        assert [nobody.level(p) for p in ("gunnery", "navigation", "tactics", "medic")] == [
            -5,
            -5,
            0,
            0,
        ]

    def test_no_commander_caps_at_minus_five_but_not_empty_posts(self):
        officers = gurps.Officers(gunnery=3, tactics=2)
        assert officers.level("gunnery") == -5
        assert officers.level("tactics") == -5
        assert officers.level("medic") == 0

    @pytest.mark.parametrize(
        ("reading", "levels"),
        [
            ("cap -5", (-5, -5)),
            ("gunner -5", (-5, 2)),
            ("cap 0", (0, 0)),
            ("no cap", (3, 2)),
        ],
    )
    def test_readings_of_no_commander(self, reading, levels):
        rules = gurps.HouseRules(no_commander=reading)
        officers = gurps.Officers(gunnery=3, tactics=2)
        assert (officers.level("gunnery", rules), officers.level("tactics", rules)) == levels

    def test_the_commander_is_not_capped_in_a_post_of_his_own(self):
        officers = gurps.Officers(leadership=1, gunnery=3, tactics=3, commander_is="gunnery")
        assert officers.level("gunnery") == 3
        assert officers.level("tactics") == 1

    @pytest.mark.parametrize(
        "officers",
        [
            dict(leadership=1, commander_is="cook"),
            dict(leadership=1, commander_is="gunnery"),
            dict(gunnery=1, commander_is="gunnery"),
        ],
    )
    def test_a_post_that_the_commander_cannot_fill(self, officers):
        with pytest.raises(nk.InputError, match="commander_is"):
            gurps.Officers(**officers)

    def test_text_and_back(self):
        officers = gurps.Officers(leadership=2, medic=-1, care="lives")
        assert gurps.Officers.parse(str(officers)) == officers


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (dict(crew=-1), "crew: got -1"),
        (dict(crew=8.5), "crew: got 8.5"),
        (dict(crew=True), "crew: got True"),
        (dict(kph=float("nan")), "kph: got nan"),
        (dict(kph="fast"), "kph: got 'fast'"),
        (dict(expertise=300), "expertise: got 300"),
        (dict(hull=0), "hull: got 0"),
        (dict(hull=10**9), "hull: got 1000000000"),
        (dict(cannons=(4, 4)), "cannons: got"),
        (dict(cannons=(4, 4, 0, -1)), "cannons back: got -1"),
        (dict(damage="5dx"), "column 4"),
        (dict(damage="5d-9"), "damage: got '5d-9'"),
        (dict(scale=7), "scale: got 7"),
        (dict(scale=True), "scale: got True"),
        (dict(scale="x"), "scale: got 'x'"),
        (dict(crew=np.array([1, 2])), "crew: got array"),
        (dict(kph=10**400), "kph: got 1000"),
        (dict(officers={"gunnery": 1}), "officers: got"),
        (dict(name=" "), "name: got ' '"),
        (dict(weapon=float("nan")), "weapon: got nan"),
        (dict(guns=4), "field of a ship: got 'guns'"),
    ],
)
def test_what_cannot_be_is_refused(changes, said):
    with pytest.raises(nk.InputError, match=said.replace("(", r"\(")):
        gurps.ship("Brig", **changes)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: gurps.ship("Frigate"), "ship: got 'Frigate', allowed are 'Sloop'"),
        (lambda: gurps.Officers(gunnery=300), "gunnery: got 300"),
        (lambda: gurps.Officers(care="none"), "care: got 'none'"),
        (lambda: gurps.Officers.parse("gunnery=x"), "gunnery: got 'x'"),
        (lambda: gurps.Officers.parse("cook=1"), "field of Officers: got 'cook'"),
        (lambda: gurps.HouseRules(volley_roll="two"), "house rule volley_roll: got 'two'"),
        (lambda: gurps.HouseRules(surrender_ratio=-1), "surrender_ratio: got -1"),
        (lambda: gurps.HouseRules(surrender_ratio=float("nan")), "surrender_ratio: got nan"),
        (
            lambda: gurps.HouseRules(surrender_ratio=0.5),
            "surrender_ratio: got 0.5, allowed is 0, or a number from 1",
        ),
    ],
)
def test_errors_name_the_value_and_what_is_allowed(make, said):
    with pytest.raises(nk.InputError, match=said):
        make()
