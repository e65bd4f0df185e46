"""Vehicles, command, crews, groups: the document's figures, and by hand."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import navkit as nk
from navkit.rulebooks import vehicular_1879 as v
from navkit.rulebooks.vehicular_1879 import command, crew, groups
from navkit.rulebooks.vehicular_1879.initiative import maneuver_step, rating_step
from navkit.rulebooks.vehicular_1879.state import ready_side


def test_defenses_of_a_vehicle(make_small):
    plain = make_small(maneuverability=8)
    assert (plain.defense(), plain.magic_defense()) == (13, 12)
    assert make_small(physical_defense=20).defense() == 20
    assert v.ship("HMS Alexandra").mystic_defense == 19
    assert (plain.mystic_armor, plain.destroyed_at) == (0, 12)


def test_a_harried_captain(make_small):
    green = make_small(maneuverability=8, captain_rating=5)  # rank 4
    able = make_small(maneuverability=8, captain_rating=4)
    assert (green.is_harried, able.is_harried) == (True, False)
    steps = [
        int(maneuver_step(each, ready_side(each), v.Supplement(), v.HouseRules())[0])
        for each in (able, green)
    ]
    assert steps == [12, 10]
    wide = v.HouseRules(harried_scope="tests and defenses")
    assert (green.defense(), green.defense(wide), green.magic_defense(wide)) == (13, 11, 10)
    assert able.defense(wide) == 13


@pytest.mark.parametrize(
    ("reading", "rating"), [("skill rank", 4), ("captain rating", 6), ("crew rating", 1)]
)
def test_rating_steps(make_small, reading, rating):
    vehicle = make_small(captain_rating=6, crew_rating=1)
    assert rating_step(vehicle, v.HouseRules(rating_step=reading)) == rating


def test_officer_maneuvers_by_rank():
    assert [command.officer_maneuvers(rank) for rank in (3, 4, 7, 8, 12)] == [0, 1, 1, 2, 3]
    assert command.officers_left(12, 1) == 2
    assert command.officers_left(4, 3) == 0


@pytest.mark.parametrize(
    ("kind", "positions", "order"),
    [
        (
            "ship",
            ("Gunner", "Third Mate", "Captain", "Second Mate", "First Mate"),
            ("Captain", "First Mate", "Second Mate", "Third Mate", "Gunner"),
        ),
        (
            "airship",
            ("Captain", "Pilot", "Engineer", "Gunner"),
            ("Captain", "Pilot", "Engineer", "Gunner"),
        ),
        ("kettle", ("Loader", "Driver", "Commander"), ("Commander", "Driver", "Loader")),
        (
            "train",
            ("Mechanic", "Senior Guard", "Conductor", "Driver", "Stoker"),
            ("Driver", "Conductor", "Senior Guard", "Mechanic", "Stoker"),
        ),
    ],
)
def test_chains_of_command(kind, positions, order):
    assert command.chain_of_command(kind, positions) == order


def test_succession_carries_the_successor_s_rank():
    giffard = v.ship("Scout Giffard")
    assert [officer.position for officer in giffard.officers] == [
        "Captain",
        "Pilot",
        "Engineer",
        "Gunner",
    ]
    led = v.ship("Scout Giffard", out=("Captain", "Pilot"))
    assert (led.captain.position, led.captain_rank) == ("Engineer", 4)
    empty = v.ship("Scout Giffard", out=("Captain", "Pilot", "Engineer", "Gunner"))
    assert (empty.captain, empty.captain_rank, empty.is_harried) == (None, 0, True)


def test_the_mates():
    assert command.watch("First Mate", "large") == "primary"
    assert command.watch("First Mate", "small") == "alternate"
    assert command.watch("Second Mate", "large") == "alternate"
    assert "leads damage control teams" in command.duties("Second Mate")
    assert "succeeds a captain who cannot act" in command.duties("First Mate")
    assert "three watches" in command.duties("Third Mate")[0]
    with pytest.raises(nk.InputError, match="position: got 'Cook'"):
        command.duties("Cook")


def test_hands_below_the_crew_rating_count_half():
    assert crew.able_hands(np.array([7]), np.array([5])).tolist() == [9]
    whole = v.HouseRules(below_crew_rating=1)
    assert crew.able_hands(np.array([7]), np.array([5]), whole).tolist() == [12]
    assert crew.pay_shares(7, 5) == Fraction(19, 2)


def test_crew_states_are_a_user_s_table(make_small):
    full = make_small(crew=20, untrained=0, crew_needed=20)
    names = [crew.crew_state(full, v.EXAMPLE, lost=lost) for lost in (0, 5, 6, 15, 16, 20)]
    assert names == ["Competent"] * 2 + ["Skeleton"] * 2 + ["Derelict"] * 2
    mixed = make_small(crew=10, untrained=10, crew_needed=20)
    assert crew.crew_state(mixed, v.EXAMPLE) == "Competent"
    assert crew.crew_state(mixed, v.EXAMPLE, lost=1) == "Skeleton"
    heads = v.HouseRules(crew_state_basis="heads")
    assert crew.crew_state(mixed, v.EXAMPLE, lost=1, rules=heads) == "Competent"
    with pytest.raises(nk.InputError, match="crew states"):
        crew.crew_state(full, v.Supplement())


# Groups


def strike(ranks, damage, members=3, rules=None, **figures):
    member = v.Member(**{"wound_threshold": 5, "death_rating": 10, **figures})
    rules = rules or v.HouseRules()
    return groups.strike(ranks, members, member, np.array([damage]), member.armor, rules)


def told(ranks):
    return int(ranks.dead[0]), int(ranks.hurt[0]), int(ranks.wounds[0])


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (4, (0, 4, 0)),
        (5, (0, 5, 1)),
        (10, (0, 10, 2)),  # at the Death Rating, not above
        (11, (1, 1, 2)),
        (25, (2, 5, 5)),
        (30, (2, 10, 6)),
        (31, (3, 0, 0)),
        (500, (3, 0, 0)),
    ],
)
def test_damage_to_a_group(damage, expected):
    assert told(strike(groups.fresh(), damage)) == expected


def test_death_at_the_rating_and_armor():
    at = v.HouseRules(death_boundary="at")
    assert told(strike(groups.fresh(), 10, rules=at)) == (1, 0, 2)
    assert told(strike(groups.fresh(), 12, armor=3)) == (0, 9, 1)
    assert told(strike(groups.fresh(), 2, armor=3)) == (0, 0, 0)


def test_a_large_creature_takes_several_wounds_at_once():
    assert told(strike(groups.fresh(), 23, members=1, death_rating=90)) == (0, 23, 4)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(
    damage=st.lists(st.integers(0, 40), min_size=1, max_size=6),
    members=st.integers(1, 5),
    split=st.booleans(),
    at=st.booleans(),
)
def test_groups_in_short_are_groups_member_by_member(damage, members, split, at):
    rules = v.HouseRules(
        group_damage="split evenly" if split else "first living",
        death_boundary="at" if at else "above",
    )
    member = v.Member(armor=2, wound_threshold=5, death_rating=10)
    ranks = groups.fresh()
    for each in damage:
        ranks = groups.strike(ranks, members, member, np.array([each]), member.armor, rules)
    record = groups.record([member] * members, damage, rules=rules)
    assert record["dead"].sum() == ranks.dead[0]
    living = record.loc[~record["dead"], "damage"]
    assert living.sum() == ranks.hurt[0]
    assert record["wounds"].sum() == ranks.wounds[0]


def test_wounds_go_round_and_skip_the_dead():
    member = v.Member(wound_threshold=5, death_rating=10)
    record = groups.record([member] * 3, [5, 5, 10, 5])
    # the third test kills the first member, and its wounds go to the third and the second; the
    # fourth kills the second, and its wound goes to the third
    assert record["damage"].tolist() == [10, 10, 5]
    assert record["dead"].tolist() == [True, True, False]
    assert record["wounds"].tolist() == [1, 2, 2]


def test_unlike_members_have_an_average_wound_threshold():
    members = [v.Member(wound_threshold=w, armor=a) for w, a in ((7, 0), (10, 3))]
    typical = groups.average(members)
    assert (typical.wound_threshold, typical.armor) == (8, 1)
    assert groups.record(members, [9])["wounds"].tolist() == [1, 0]


# The library, and bad input


def test_the_library_is_read_back_as_it_is():
    table = v.library()
    assert isinstance(table, pd.DataFrame)
    for name in table["name"]:
        ready = v.ship(name)
        assert all(
            getattr(ready, column) == value
            for column, value in table.set_index("name", drop=False).loc[name].items()
            if value is not None and value == value
        )
        assert "invented" in ready.origin


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"armor": -1}, "armor: got -1"),
        ({"maneuverability": 0}, "maneuverability: got 0"),
        ({"critical_threshold": 0}, "critical_threshold: got 0"),
        ({"kind": "submarine"}, "kind: got 'submarine', allowed are 'ship'"),
        ({"name": " "}, "name: got ' '"),
        ({"officers": ()}, "officers: got"),
        ({"officers": ("Captain",)}, "officers: got"),
        ({"out": ("Cook",)}, "out: got 'Cook'"),
        ({"crew": -1}, "crew: got -1"),
        ({"destroyed_at": 0}, "destroyed_at: got 0"),
        ({"boarders": 12}, "boarders: got 12"),
        ({"hand": 12}, "hand: got 12"),
        ({"colour": "red"}, "field of a vehicle: got 'colour'"),
    ],
)
def test_vehicles_that_cannot_be(changes, message):
    with pytest.raises(nk.InputError, match=message):
        v.ship("Paddle gunboat", **changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weapons": 0}, "weapons: got 0"),
        ({"gunnery": 0}, "gunnery: got 0"),
        ({"damage": 0}, "damage: got 0"),
        ({"commander": -1}, "commander: got -1"),
        ({"shots": -1}, "shots: got -1"),
        ({"harried": "yes"}, "harried: got 'yes'"),
        ({"name": ""}, "name of a battery: got ''"),
    ],
)
def test_batteries_that_cannot_be(changes, message):
    with pytest.raises(nk.InputError, match=message):
        v.Battery(**{"name": "port", "weapons": 2, "gunnery": 8, "damage": 10, **changes})


def test_two_batteries_need_two_names(make_small):
    gun = make_small().battery()
    with pytest.raises(nk.InputError, match="a name of its own for each"):
        make_small(batteries=(gun, gun))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: v.Member(wound_threshold=0), "wound_threshold: got 0"),
        (lambda: v.Unit(members=0, attack=5, damage=5), "members: got 0"),
        (lambda: v.Unit(members=1, attack=5, damage=5, member=7), "member: got 7"),
        (lambda: groups.record([], [5]), "members"),
        (lambda: groups.record([v.Member()], [-1]), "damage: got -1"),
        (lambda: v.Officer(position=""), "position: got ''"),
        (lambda: command.officer_maneuvers(-1), "rank: got -1"),
    ],
)
def test_people_that_cannot_be(call, message):
    with pytest.raises(nk.InputError, match=message):
        call()
