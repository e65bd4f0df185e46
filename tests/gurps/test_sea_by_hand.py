"""Rules of the hex map one by one, each in a situation small enough to be followed by hand."""

from dataclasses import replace

import numpy as np
import pytest

import navkit as nk
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps import vessel as vessels
from navkit.rulebooks.gurps.captains import Captain
from navkit.rulebooks.gurps.fleet import at_start, fleet_of, with_ships
from navkit.rulebooks.gurps.grappling import can_board, grappled, grapples, may_board
from navkit.rulebooks.gurps.gunfire import fires_at, guns_on, may_interrupt
from navkit.rulebooks.gurps.movement import HEX
from navkit.rulebooks.gurps.sea import deeds
from navkit.rulebooks.gurps.steering import is_shut, may_move, may_ram, moved
from navkit.rulebooks.gurps.turn_order import begin_turn, initiative, is_tied, precedes

RULES = gurps.HouseRules()
GUNNER = Captain("stays and fires", fire=1.0)
CHASER = Captain("closes in", near=2.0)
SIXES = [6, 6]
"""An attack that hits, and dice of damage that come to 6."""


def brig(name="Brig", **changes):
    return gurps.ship("Brig", name=name, **changes)


def abreast(first=None, second=None, captain=GUNNER):
    """Two ships on one course, three hexes apart, each on the beam of the other."""
    ships = (first or brig("A"), second or brig("B"))
    return (
        gurps.Placed(ships[0], 0, 0, 0, captain),
        gurps.Placed(ships[1], 2, -3, 0, captain),
    )


def fleet_and_start(a, b, rules=RULES, players=None):
    fleet = fleet_of(a, b, rules, players)
    return fleet, at_start(fleet)


def changed(sea, i, **values):
    """The sea with some numbers of a ship changed."""
    ship = sea.ships[i]
    about = {name: np.full_like(getattr(ship, name), value) for name, value in values.items()}
    return with_ships(sea, {i: replace(ship, **about)})


def numbers(vessel, *names):
    return [int(getattr(vessel, name)[0]) for name in names]


def shots(log):
    """Who fired, in order."""
    return log.loc[log["why"] == "attack", "side"].tolist()


class Given:
    """A chance that answers each attack with a hit (or a miss) and the damage it is told."""

    def __init__(self, damage, hits=True):
        self.damage, self.hits = damage, hits

    def check(self, dice, at_most, **about):
        return np.array([self.hits])

    def roll(self, *dice, **about):
        return np.array([self.damage])


class TestOrder:
    @pytest.mark.parametrize(("dice", "order"), [([6, 1], "ab"), ([1, 6], "ba")])
    def test_the_higher_initiative_fires_first(self, dice, order):
        fight = gurps.battle(*abreast(), turns=1, chance=nk.Scripted([*dice, *SIXES, *SIXES]))
        assert fight.log["why"].tolist()[:2] == ["initiative", "initiative"]
        assert shots(fight.log) == list(order)

    def test_initiative_is_rolled_once_for_the_fight(self):
        rolls = [6, 1, *SIXES, *SIXES, *SIXES, *SIXES]
        fight = gurps.battle(*abreast(), turns=3, chance=nk.Scripted(rolls))
        assert fight.log["why"].tolist().count("initiative") == 2
        assert shots(fight.log) == ["a", "b", "a", "b"]

    def test_a_tie_goes_to_the_better_navigator(self):
        able = gurps.Officers(leadership=1, gunnery=0, navigation=1)
        fleet, sea = fleet_and_start(*abreast(second=brig("B", officers=able)))
        sea = changed(changed(sea, 0, die=4), 1, die=3)
        assert initiative(fleet, sea, 0) == initiative(fleet, sea, 1) == 7 * HEX
        assert precedes(fleet, sea, 1, 0) == 1

    def test_a_tie_of_equal_navigators_goes_to_the_players_else_to_a_roll_off(self):
        for players, first in (("b", -1), ("a", 1), (None, 0)):
            fleet, sea = fleet_and_start(*abreast(), players=players)
            assert precedes(fleet, sea, 0, 1) == first
            assert is_tied(fleet)(sea) == (first == 0)

    @pytest.mark.parametrize("loss", [{"hull": 450}, {"masts": 1}])
    def test_lost_movement_changes_the_order_of_the_next_turn(self, loss):
        fleet, sea = fleet_and_start(*abreast())
        sea = changed(changed(sea, 0, die=4, lot=2), 1, die=4, lot=1)
        sea = begin_turn(fleet)(sea, None)
        assert [int(each[0]) for each in sea.order] == [0, 1]
        sea = changed(sea, 0, **loss)
        assert [int(each[0]) for each in sea.order] == [0, 1]
        assert initiative(fleet, sea, 0) == 6 * HEX
        sea = begin_turn(fleet)(sea, None)
        assert [int(each[0]) for each in sea.order] == [1, 0]


class TestMoveAndFire:
    def test_either_may_come_first(self):
        fleet, sea = fleet_and_start(*abreast())
        stay, ahead = np.array([False]), np.array([0])

        def fire(sea):
            return fires_at(fleet, 0, 1)(sea, Given(6))

        def move(sea):
            return moved(fleet, sea, 0, stay=stay, turn=ahead)

        for order in ((fire, move, move), (move, fire, move), (move, move, fire)):
            after = sea
            for act in order:
                after = act(after)
            assert numbers(after.ships[0], "q", "moved") == [2, 2]
            assert int(after.ships[0].fired[0][0]) == 7
            assert int(after.ships[1].hull[0]) == 900 - 7 * (6 - 3)

    def test_hexes_first_and_a_turn_after_each(self):
        fleet, sea = fleet_and_start(*abreast())
        ship = sea.ships[0]
        bow = [int(each[0]) for each in vessels.bow(ship)]
        for turn, heading in ((1, 1), (0, 0), (-1, 5)):
            after = moved(fleet, sea, 0, stay=np.array([False]), turn=np.array([turn]))
            there = after.ships[0]
            # the back hex is where the bow was, and stays there when the bow swings
            assert numbers(there, "q", "r") == bow
            assert numbers(there, "heading", "moved") == [heading, 1]
            assert numbers(there, "run") == [1 if turn == 0 else 0]

    def test_no_turning_without_moving(self):
        fleet, sea = fleet_and_start(*abreast())
        after = moved(fleet, sea, 0, stay=np.array([True]), turn=np.array([1]))
        assert numbers(after.ships[0], "q", "r", "heading", "moved") == [0, 0, 0, 0]

    def test_no_more_hexes_than_move_with_navigation(self):
        fleet, sea = fleet_and_start(*abreast(captain=CHASER))
        for left in (3, 2, 1):
            assert may_move(fleet, 0)(sea)
            assert int(vessels.hexes_left(sea.ships[0], fleet.ship(0), 0, RULES)[0]) == left
            sea = moved(fleet, sea, 0, stay=np.array([False]), turn=np.array([0]))
        assert not may_move(fleet, 0)(sea)

    def test_only_guns_that_bear_in_range_fire(self):
        fleet, sea = fleet_and_start(*abreast())
        assert [int(guns[0]) for guns in guns_on(fleet, sea, 0, 1)] == [7, 0, 0, 0]
        assert [int(guns[0]) for guns in guns_on(fleet, sea, 1, 0)] == [0, 7, 0, 0]
        for far, guns in ((5, 7), (6, 0)):
            there = changed(sea, 1, q=far // 2, r=-far)
            assert int(guns_on(fleet, there, 0, 1)[0][0]) == guns

    def test_a_hit_costs_hull_and_hands_and_masts(self):
        fleet, sea = fleet_and_start(*abreast())
        whole = sea.ships[1]
        after = fires_at(fleet, 0, 1)(sea, Given(20)).ships[1]
        through = 7 * (20 - 3)
        assert numbers(after, "hull", "crew", "masts") == [900 - through, 23 - 5, 1]
        assert numbers(after, "dead", "wounded") == [2, 3]
        missed = fires_at(fleet, 0, 1)(sea, Given(20, hits=False)).ships[1]
        assert numbers(missed, "hull", "crew", "masts") == [900 - through // 2, 23 - 2, 0]
        assert numbers(whole, "hull", "crew", "masts") == [900, 23, 0]


class TestInterrupts:
    """A, with five guns ahead, comes down on the beam of B, which lies still, six hexes off."""

    @staticmethod
    def meeting(**changes):
        a = brig("A", cannons=(0, 0, 5, 0), range=5, **changes)
        return (
            gurps.Placed(a, 6, -7, 4, CHASER),
            gurps.Placed(brig("B", kph=0), 0, 0, 0, GUNNER),
        )

    def test_the_ship_in_its_turn_fires_before_the_one_that_interrupts(self):
        fleet, sea = fleet_and_start(*self.meeting())
        sea = moved(fleet, sea, 0, stay=np.array([False]), turn=np.array([0]))
        ready = [deed.kind for deed in deeds(fleet, 0) if deed.guard(sea)]
        assert ready == ["fire", "interrupt", "move"]
        sea = fires_at(fleet, 0, 1)(sea, Given(6))
        assert int(sea.ships[1].hull[0]) == 900 - 5 * 3
        ready = [deed.kind for deed in deeds(fleet, 0) if deed.guard(sea)]
        assert ready == ["interrupt", "move"]

    def test_the_move_goes_on_after_it(self):
        fleet, sea = fleet_and_start(*self.meeting())
        sea = moved(fleet, sea, 0, stay=np.array([False]), turn=np.array([0]))
        assert may_interrupt(fleet, 1, 0)(sea)
        sea = fires_at(fleet, 1, 0)(sea, Given(6))
        assert int(sea.ships[0].hull[0]) == 900 - 7 * 3
        assert not may_interrupt(fleet, 1, 0)(sea)
        assert int(vessels.hexes_left(sea.ships[0], fleet.ship(0), 0, RULES)[0]) == 2

    @pytest.mark.parametrize(
        "loss", [{"crew": 5}, {"q": 30}, {"foe": 1, "fought": 1}, {"hull": 0, "lost": 1}]
    )
    def test_only_ready_ships_interrupt(self, loss):
        fleet, sea = fleet_and_start(*self.meeting())
        assert not may_interrupt(fleet, 1, 0)(sea)  # nobody has moved
        sea = moved(fleet, sea, 0, stay=np.array([False]), turn=np.array([0]))
        assert may_interrupt(fleet, 1, 0)(sea)
        assert not may_interrupt(fleet, 1, 0)(changed(sea, 1, **loss))

    def test_a_house_rule_does_without(self):
        rules = gurps.HouseRules(interrupt="never")
        fleet, _ = fleet_and_start(*self.meeting(), rules)
        assert "interrupt" not in [deed.kind for deed in deeds(fleet, 0)]
        kinds = [deed.kind for deed in deeds(fleet_and_start(*self.meeting())[0], 0)]
        assert kinds == ["fire", "board", "interrupt", "move"]


class TestRamsAndBoardings:
    """A 70-gun lies three hexes before the beam of a Sloop, bow on."""

    @staticmethod
    def bow_on():
        a = gurps.Placed(gurps.ship("70-gun military"), 0, 0, 0, "ram")
        b = gurps.Placed(gurps.ship("Sloop"), 3, 0, 1, GUNNER)
        fleet, sea = fleet_and_start(a, b)
        return fleet, moved(fleet, sea, 0, stay=np.array([False]), turn=np.array([0]))

    def test_moving_into_a_hex_of_an_enemy_is_a_ram(self):
        fleet, sea = self.bow_on()
        assert may_ram(fleet, sea, 0)
        assert is_shut(fleet, sea, 0, 0)
        after = moved(fleet, sea, 0, stay=np.array([False]), turn=np.array([1]))
        # two hexes straight: (5 + 2) · 100 and (1 + 2) · 20, both at scale 10
        assert numbers(after.ships[1], "hull", "crew", "dr", "masts") == [450 - 70, 8, 1, 0]
        assert numbers(after.ships[0], "hull", "crew", "dr", "masts") == [1870 - 6, 701, 5, 0]
        # its bow shares the hex, it has not turned, and its move is over
        assert numbers(after.ships[0], "q", "heading", "held") == [2, 0, 1]
        assert not may_move(fleet, 0)(after)

    def test_after_a_ram_either_may_board(self):
        fleet, sea = self.bow_on()
        assert not can_board(sea, 0, 1)
        sea = moved(fleet, sea, 0, stay=np.array([False]), turn=np.array([0]))
        assert can_board(sea, 0, 1)
        assert may_board(fleet, 0, 1)(sea)
        for starts in (0, 1):
            both = grappled(sea, 0, 1, np.array([starts])).ships
            assert [numbers(each, "foe", "boarder") for each in both] == [
                [2, starts],
                [1, 1 - starts],
            ]

    def test_ships_side_by_side_may_board_and_do_not_move_then(self):
        a = gurps.Placed(brig("A"), 0, 0, 0, "close and board")
        b = gurps.Placed(brig("B"), 1, -1, 0, GUNNER)
        fleet, sea = fleet_and_start(a, b)
        sea = changed(sea, 0, moved=1)
        assert may_board(fleet, 0, 1)(sea)
        held = grapples(fleet, 0, 1)(sea, None)
        assert not may_move(fleet, 0)(held)
        assert not may_move(fleet, 1)(held)
        passing = changed(sea, 1, heading=3, q=2)
        assert can_board(passing, 0, 1)
        apart = changed(sea, 1, r=-2)
        assert not can_board(apart, 0, 1)
