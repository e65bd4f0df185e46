"""Fights on the map played by hand: choices, rolls made at the table, and going back."""

import numpy as np
import pytest

from navkit import Sampled
from navkit.errors import InputError
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.table_position import Action
from navkit.state import flatten

FIRST, SECOND = (6, 1), (1, 6)
"""Initiative rolls: a before b, and b before a (equal ships)."""


def placed(q, r, heading=0, captain="run", **changes):
    about = dict(cannons=(4, 4, 2, 0), crew=40, skeleton_crew=4)
    return gurps.Placed(gurps.ship("Sloop", **{**about, **changes}), q, r, heading, captain)


def harmless(q, r, heading=0, captain="run", **changes):
    return placed(q, r, heading, captain, cannons=(0, 0, 0, 0), **changes)


def kinds(game):
    return [action.kind for action in game.actions]


def chosen(game, kind, **about):
    (first, *_) = [
        each
        for each in game.actions
        if each.kind == kind and all(getattr(each, key) == value for key, value in about.items())
    ]
    return first


def where(game, i=0):
    vessel = game.sea.ships[i]
    return int(vessel.q[0]), int(vessel.r[0]), int(vessel.heading[0])


def same(one, other):
    return all(
        np.array_equal(x, y) for x, y in zip(flatten(one.sea), flatten(other.sea), strict=True)
    )


def rolls(game, since=0):
    return [(roll.why, roll.result) for event in game.log[since:] for roll in event.rolls]


def test_a_ship_moves_then_turns_and_never_turns_without_moving():
    game = gurps.new_game(harmless(0, 0), harmless(40, 0), rolls=FIRST)
    assert {action.turn for action in game.actions if action.kind == "move"} == {1, 0, -1}
    after = game.do(Action("move", 0, turn=1))
    assert where(after) == (1, 0, 1)  # a hex ahead, and then about the back hex
    after = after.do(Action("move", 0, turn=-1))
    assert where(after) == (2, -1, 0)
    assert kinds(after) == ["end"]  # Move 2 is spent, and with it all turning
    with pytest.raises(InputError, match="action"):
        after.do(Action("move", 0, turn=1))
    assert [event.rule for event in after.log[-2:]] == ["G-68", "G-68"]


def test_move_one_third_makes_its_hex_in_each_third_turn():
    game = gurps.new_game(harmless(0, 0, kph=2.5), harmless(60, 0), rolls=FIRST)
    moved = []
    for _ in range(9):
        able = "move" in kinds(game)
        moved.append(able)
        if able:
            game = game.do(Action("move", 0))
            assert "move" not in kinds(game)
        game = game.do(Action("end", 0))
    assert moved == [False, False, True] * 3
    assert where(game) == (3, 0, 0)


def test_rolls_made_at_the_table_decide_and_going_back_gives_them_again():
    game = gurps.new_game(placed(0, 0), harmless(0, -3), rolls=FIRST)
    fire = chosen(game, "fire", side="left")
    assert fire.guns == 4
    hit = game.do(fire, rolls=[9, (6, 6, 6, 1, 1)])
    miss = game.do(fire, rolls=[17, 20])
    hull = [int(each.sea.ships[1].hull[0]) for each in (game, hit, miss)]
    assert hull[0] - hull[1] == 20 * 4 - 1 * 4  # DR 1 for each gun
    assert hull[0] - hull[2] == (20 * 4 - 4) // 2
    assert hit.before is game
    assert same(game.do(fire), hit.before.do(fire))
    assert rolls(game.do(fire)) == rolls(miss.before.do(fire))
    with pytest.raises(InputError, match="rolls"):
        game.do(fire, rolls=[9, 20, 3])
    with pytest.raises(InputError, match="3d6"):
        game.do(fire, rolls=[2])


def test_part_of_a_battery_may_fire_and_the_rest_afterwards():
    game = gurps.new_game(placed(0, 0), harmless(0, -3), rolls=FIRST)
    three = Action("fire", 0, foe=1, side="left", guns=3)
    game = game.do(three, rolls=[18, 5])
    assert chosen(game, "fire", side="left").guns == 1
    with pytest.raises(InputError):
        game.do(three)


def test_the_ship_that_moves_fires_first_and_the_interrupter_after_it():
    foe = placed(4, -4, 3, "stand off and fire", kph=0)
    game = gurps.new_game(placed(0, 0), foe, rolls=FIRST)
    game = game.do(Action("move", 0))
    assert kinds(game) == ["fire", "hold"]  # both are ready, and now in range
    assert game.is_threatened
    fired = game.do(game.actions[0], rolls=[9, 10, 9, 10])
    told = [(event.ship, event.rule) for event in fired.log[-2:]]
    assert told == [(0, "G-74"), (1, "G-76")]
    held = game.do(Action("hold", 0), rolls=[9, 10])
    assert [event.ship for event in held.log[len(game.log) :]] == [1]
    assert "move" in kinds(held)  # it goes on with the movement it has left
    assert "fire" in kinds(held)


def test_a_person_is_asked_when_an_enemy_crosses_the_arc():
    foe = harmless(12, -5, 3, "close and board")
    game = gurps.new_game(placed(0, 0), foe, rolls=SECOND, players="b")
    while not game.is_interrupting:
        game = game.do(Action("end", game.asked))
    assert kinds(game)[0] == "fire"
    assert int(game.sea.ships[1].moved[0]) > 0
    shot = game.do(game.actions[0], rolls=[9, 10])
    first = shot.log[len(game.log)]
    assert (first.ship, first.rule) == (0, "G-76")
    held = game.do(Action("hold", 0))
    assert rolls(held, len(game.log)) == []


def test_ramming_and_boarding_from_either_side():
    game = gurps.new_game(harmless(0, 0), harmless(3, 0, 1), rolls=FIRST)
    first = game.do(Action("move", 0))
    (ram,) = [action for action in first.actions if action.kind == "move"]
    after = first.do(ram)
    given, taken = ((1 + 2) * 100 // 10, (1 + 2) * 20 // 10)
    hulls = [int(vessel.hull[0]) for vessel in after.sea.ships]
    assert hulls == [450 - taken, 450 - given]
    assert {"G-101", "G-102"} <= {event.rule for event in after.log}
    assert kinds(after) == ["board", "end"]
    boarding = after.do(Action("board", 0, foe=1))
    assert "move" not in kinds(boarding)
    asked = boarding.do(Action("end", 0))
    assert kinds(asked) == ["fight on", "break off"]
    fought = asked.do(Action("fight on", 0), rolls=[10, 10])
    crews = [int(vessel.crew[0]) for vessel in fought.sea.ships]
    assert crews == [32, 32]  # a fifth of forty each, and no margin
    apart = asked.do(Action("break off", 0), rolls=[3, 18])
    assert "G-108" in {event.rule for event in apart.log}


def test_ships_abreast_may_board():
    game = gurps.new_game(harmless(-1, 0), harmless(1, -1, kph=0), rolls=FIRST)
    assert "board" not in kinds(game)
    game = game.do(Action("move", 0))
    assert "board" in kinds(game)
    boarding = game.do(Action("board", 0, foe=1))
    assert int(boarding.sea.ships[0].foe[0]) == 2
    assert boarding.log[-1].rule == "G-105"


@pytest.mark.parametrize("number", [0, 3, 1500])
@pytest.mark.parametrize(
    "captains", [("stand off and fire", "ram"), ("close and board", "rake from the stern")]
)
def test_a_game_of_captains_is_that_fight_of_the_sample(captains, number):
    ours, theirs = captains
    a = gurps.Placed(gurps.ship("Brig"), 0, 0, 0, ours)
    b = [gurps.Placed(gurps.ship("Sloop"), 8, r, 3, theirs) for r in (-3, 1)]
    game = gurps.new_game(a, b, played=None, seed=5, number=number, turns=12)
    sampled = gurps.battle(a, b, turns=12, chance=Sampled(fights=1, seed=5, first=number))
    alone = sampled.replay(number)
    assert [roll for event in game.log for roll in event.rolls] == list(alone.entries)
    outcome = alone.outcome()
    winner = next(name for name in ("a", "b", "both", "undecided") if outcome[name] == 1)
    assert (game.winner or "undecided") == winner


def test_odds_from_the_start_are_those_of_the_battle_and_sum_to_one():
    sides = placed(0, 0, 0, "stand off and fire"), placed(9, -1, 3, "ram")
    game = gurps.new_game(*sides, rolls=FIRST)
    odds = game.odds(8, Sampled(fights=2048))
    assert odds.outcome().sum() == pytest.approx(1)
    again = game.odds(8, Sampled(fights=2048))
    assert odds.outcome().equals(again.outcome())
    whole = gurps.battle(*sides, turns=9, chance=Sampled(fights=4096)).outcome()
    assert odds.outcome()["a"] == pytest.approx(whole["a"], abs=0.25)


def test_odds_follow_what_has_happened():
    sides = [placed(0, r, 0, "stand off and fire", crew=12) for r in (0, -3)]
    game = gurps.new_game(*sides, rolls=FIRST)
    fire = chosen(game, "fire", side="left")
    good, bad = game.do(fire, rolls=[5, 30]), game.do(fire, rolls=[18, 5])
    wins = [each.odds(5, Sampled(fights=1024)).outcome()["a"] for each in (good, bad)]
    assert wins[0] > wins[1] + 0.1
    runs = bad.ordered(0, "run").odds(5, Sampled(fights=1024)).outcome()["a"]
    assert runs != wins[1]


def test_places_in_reach_are_where_the_ship_comes_to_by_sailing_there():
    game = gurps.new_game(placed(0, 0), harmless(3, -2, 1), rolls=FIRST)
    poses = gurps.poses_in_reach(game)
    assert len({(pose.q, pose.r, pose.heading) for pose in poses}) == len(poses)
    assert max(len(pose.path) for pose in poses) == 2
    for pose in poses:
        there = game
        for turn in pose.path:
            there = there.do(Action("move", 0, turn=turn))
        assert where(there) == (pose.q, pose.r, pose.heading)
        fires = [(a.side, a.guns) for a in there.actions if a.kind == "fire"]
        assert sorted(fires) == sorted((shot.side, shot.guns) for shot in pose.shots)


def test_who_is_played_and_bad_input():
    sides = placed(0, 0), placed(30, 0, 3)
    both = gurps.new_game(*sides, played="ab", rolls=FIRST)
    assert both.asked == 0
    assert both.do(Action("end", 0)).asked == 1
    for wrong in (dict(played="c"), dict(played=[2]), dict(turns=0), dict(seed=-1)):
        with pytest.raises(InputError):
            gurps.new_game(*sides, **wrong)
    over = gurps.new_game(*sides, played=None, turns=2)
    assert over.is_over
    assert over.asked is None
    assert over.winner is None
