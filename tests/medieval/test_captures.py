"""Crew points that change ships: captures, reoccupation, rescue."""

import numpy as np
import pytest

import navkit as nk
from navkit.engine.branches import distribution
from navkit.engine.script import Script
from navkit.rulebooks.medieval import HouseRules, Ship, capture, evacuate
from navkit.rulebooks.medieval.captures import (
    may_be_taken,
    may_reoccupy,
    rescuer_catches_fire,
    to_send,
)

HULL = Ship("Cog", kind="round", high=True, crew=0, flagship=True, siphon=True, line="van")


def test_what_is_sent_over_is_lost_to_the_giver():
    taken = capture(HULL, [Ship("Dromon", crew=14)], [6])
    assert taken.prize.crew == 6
    assert taken.givers[0].crew == 8


def test_the_new_owner_gets_the_ship_as_it_is_but_no_flagship():
    prize = capture(HULL, [Ship("Dromon")], [12]).prize
    assert prize == Ship("Cog", kind="round", high=True, crew=12, siphon=True, line="van")


def test_several_may_man_a_prize_with_twenty_in_all():
    givers = [Ship("A", crew=15), Ship("B", crew=12)]
    taken = capture(HULL, givers, [14, 6])
    assert [giver.crew for giver in taken.givers] == [1, 6]
    assert taken.prize.crew == 20
    with pytest.raises(nk.InputError, match="points sent over in all: got 21"):
        capture(HULL, givers, [14, 7])


@pytest.mark.parametrize(
    ("reading", "most"),
    [("keep one when capturing", 11), ("always keep one", 11), ("no limit", 12)],
)
def test_how_many_a_captor_must_keep(reading, most):
    rules, giver = HouseRules(transfer=reading), Ship("A", crew=12)
    assert capture(HULL, [giver], [most], rules=rules).prize.crew == most
    with pytest.raises(nk.InputError, match=f"points of A: got {most + 1}"):
        capture(HULL, [giver], [most + 1], rules=rules)
    assert to_send(np.array([12, 1, 0]), 20, "capture", rules).tolist() == [
        most,
        most - 11,
        0,
    ]


def test_only_a_ship_without_crew_and_in_contact_is_taken():
    assert may_be_taken(np.array([0, 0, 1]), np.array([1, 0, 1])).tolist() == [True, False, False]
    with pytest.raises(nk.InputError, match="crew of the prize: got 3"):
        capture(Ship("Cog", crew=3), [Ship("A")], [4])
    with pytest.raises(nk.InputError, match="points sent over in all: got 0"):
        capture(HULL, [Ship("A")], [0])
    with pytest.raises(nk.InputError, match="a number for each of 1 ships"):
        capture(HULL, [Ship("A")], [1, 1])


def test_former_owners_man_it_again_once_the_chance_was_passed_up():
    crew, begun, turns = np.array([0, 0, 0, 5]), np.array([0, 1, 0, 0]), np.array([2, 2, 1, 2])
    assert may_reoccupy(crew, begun, turns).tolist() == [True, False, False, False]
    assert capture(HULL, [Ship("Friend")], [3]).prize.crew == 3


def test_an_evacuation_may_empty_a_ship():
    saved = evacuate(Ship("Knorr", crew=9), [Ship("A", crew=3), Ship("B", crew=18)], [4, 5])
    assert saved.left.crew == 0
    assert [ship.crew for ship in saved.rescuers] == [7, 20]
    assert saved.passengers == {"A": 0, "B": 3}
    rules = HouseRules(transfer="always keep one")
    with pytest.raises(nk.InputError, match=r"points taken off in all: got 9, .* from 0 to 8"):
        evacuate(Ship("Knorr", crew=9), [Ship("A", crew=3)], [9], rules=rules)


def test_who_is_aboard_when_she_sinks_is_lost():
    saved = evacuate(Ship("Knorr", crew=9), [Ship("A", crew=3)], [9], afloat=False)
    assert saved.left.crew == 0
    assert saved.rescuers[0].crew == 3
    with pytest.raises(nk.InputError, match="afloat: got 0"):
        evacuate(Ship("Knorr"), [Ship("A")], [9], afloat=0)


@pytest.mark.parametrize(("die", "burns"), [(5, False), (6, True)])
def test_a_rescuer_of_a_burning_ship_may_burn(die, burns):
    script = Script([die])
    found = rescuer_catches_fire(np.array([True]), np.array([False]), script, HouseRules())
    assert found.tolist() == [burns]
    assert script.log[0].rule == "M-36"


def test_no_fire_no_die_and_one_die_an_evacuation():
    yes, no = np.array([True]), np.array([False])
    script = Script([])
    assert not rescuer_catches_fire(no, no, script, HouseRules())[0]
    assert not rescuer_catches_fire(yes, yes, script, HouseRules())[0]
    assert script.log == []
    each = HouseRules(fire_rescue="each turn")
    again = distribution(lambda c: rescuer_catches_fire(yes, yes, c, each).astype(int))
    assert again.equal(1) == pytest.approx(1 / 6)
