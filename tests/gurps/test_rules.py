"""Rules of the document that are a sentence each, and that no other test is about."""

from dataclasses import fields

import numpy as np
import pytest

import navkit as nk
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.attack import to_hit
from navkit.rulebooks.gurps.boarding import boarding_skill
from navkit.rulebooks.gurps.damage import casualties
from navkit.rulebooks.gurps.fleet import Placed
from navkit.rulebooks.gurps.sides import ready_side
from navkit.rulebooks.gurps.table_play import new_game

RULES = gurps.HouseRules()
SPLIT_OF_THE_EXAMPLE = {"Jewel": ("a", [10, 9, 5, 10]), "Sun": ("b", [9, 7, 8, 4])}


def test_every_roll_of_a_ship_stands_on_its_expertise():
    foe = gurps.ship("Brig")
    for better in (1, 5):
        plain, able = gurps.ship("Brig"), gurps.ship("Brig", expertise=12 + better)
        assert to_hit(able, foe, RULES) == to_hit(plain, foe, RULES) + better
        assert boarding_skill(able, RULES) == boarding_skill(plain, RULES) + better


def test_better_hands_are_a_better_ship_at_no_price_here():
    plain, able = gurps.ship("Brig"), gurps.ship("Brig", expertise=15)
    assert able.price == plain.price
    assert gurps.odds.hit(able, plain) > gurps.odds.hit(plain, able)
    assert gurps.odds.contest(able, plain)["win"] > 0.5


def test_the_100_mm_gun():
    about = dict(kph=14, hull=3000, dr=10, left=1, right=1, crew=8, skeleton_crew=2)
    ship = gurps.builder.build("Gunboat", **about, damage="5dx10", scaled=False)
    assert (nk.dice("5dx10").min, nk.dice("5dx10").max) == (50, 300)
    assert (ship.gun.min, ship.gun.max) == (5, 30)


def test_officers_are_levels_relative_to_iq():
    posts = ["leadership", "gunnery", "navigation", "tactics", "medic"]
    assert [entry.name for entry in fields(gurps.Officers)][:5] == posts
    for level in (-10, 0, 10):
        officers = gurps.Officers(**dict.fromkeys(posts, level))
        assert [officers.level(post) for post in posts[1:]] == [level] * 4


def test_a_commander_may_fill_another_post():
    both = gurps.Officers(leadership=2, gunnery=2)
    assert to_hit(gurps.ship("Brig", officers=both), gurps.ship("Brig"), RULES) == 14


def test_a_mage_saves_hands_beside_the_surgeon():
    officers = gurps.Officers(leadership=1, medic=1, fatigue=8)
    ship = gurps.ship("Brig", officers=officers)
    side = casualties(ready_side(ship, RULES), ship, np.array([4]), RULES)
    # of 2 dying and 2 wounded the surgeon keeps one on his feet, and two spells the dying
    assert (int(side.crew[0]), int(side.dead[0]), int(side.wounded[0])) == (22, 0, 1)


def test_a_tactician_may_lend_to_another_post_in_another_turn():
    officers = gurps.Officers(leadership=2, gunnery=0, navigation=0, tactics=2)
    ship = gurps.ship("Brig", officers=officers)
    game = new_game(Placed(ship, 0, 0), Placed(ship, 8, 0, 3))
    assert (game.fleet.lent(0, "gunnery"), game.fleet.lent(0, "navigation")) == (2, 0)
    later = game.ordered(0, "run")
    assert (later.fleet.lent(0, "gunnery"), later.fleet.lent(0, "navigation")) == (0, 2)


@pytest.mark.parametrize("name", SPLIT_OF_THE_EXAMPLE)
def test_boarding_losses_are_split_as_those_of_fire(jewel, sun, name):
    rolls = nk.Scripted([9, 8, 12, 10, 7, 11, 10, 4])
    example = gurps.board(jewel, sun, turns=4, chance=rolls)
    side, losses = SPLIT_OF_THE_EXAMPLE[name]
    dead = np.cumsum([loss // 2 for loss in losses])
    assert example.mean(side, "dead").tolist()[1:] == dead.tolist()
    assert example.mean(side, "wounded").tolist()[1:] == (np.cumsum(losses) - dead).tolist()
