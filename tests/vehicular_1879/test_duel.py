"""Duels: exact against sampled, turns by hand, and what each reading changes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

import navkit as nk
from navkit.rulebooks import vehicular_1879 as v

FAMILY_ERROR = 1e-6
PAIRS = 30
FIGHTS = 4096
OUTCOMES = ("a", "b", "both", "undecided")


@settings(
    max_examples=PAIRS, deadline=None, derandomize=True, database=None, phases=[Phase.generate]
)
@given(data=st.data())
def test_exact_odds_against_sampled(data, random_vehicles, random_doctrines, random_rules):
    a, b = data.draw(random_vehicles), data.draw(random_vehicles)
    orders = data.draw(random_doctrines), data.draw(random_doctrines)
    rules = data.draw(random_rules)
    busy = any(order.maneuver or order.officer or order.reaction for order in orders)
    told = dict(
        turns=1 if busy else 2,
        doctrines=orders,
        supplement=data.draw(st.sampled_from([v.Supplement(), v.EXAMPLE]))
        if not busy
        else v.EXAMPLE,
        rules=rules,
    )
    try:
        exact = v.duel(a, b, chance=nk.Exact(states=60_000, work=5_000_000), **told).outcome()
    except nk.TooManyStates:
        assume(False)
    assert exact.sum() == pytest.approx(1, abs=1e-11)
    sampled = v.duel(a, b, chance=nk.Sampled(fights=FIGHTS, seed=5), **told).outcome()
    for outcome in OUTCOMES:
        # stalemates are recognised by looks of bounded length; they count as undecided here
        share, count = exact[outcome], sampled[outcome]
        if outcome == "undecided":
            share, count = share + exact["stalemate"], count + sampled["stalemate"]
        seen = round(count * FIGHTS)
        p = binomtest(seen, FIGHTS, min(max(share, 0.0), 1.0)).pvalue
        assert p > FAMILY_ERROR / (PAIRS * len(OUTCOMES)), (outcome, share, count)


def test_a_turn_by_hand(gunboat, steamer):
    """Both test for the order; the higher acts first, and his batteries fire in his place."""
    script = [
        # the steamer's 12 beats the gunboat's 9, so it fires first
        *(9, 12),
        *(8,),  # Step 8 against 13: no hit
        *(16, 21, 11),  # Step 12 against 11: two successes; 16 and 6 pass the armor
        # turn 2: a tie goes to the more maneuverable gunboat
        *(11, 11),
        *(10,),
        *(17, 9),  # one hit: 9 less armor 8
    ]
    h = v.duel(gunboat, steamer, turns=2, chance=nk.Scripted(script))
    log = h.log
    assert log["side"].tolist() == ["a", "b", "b", "a", "a", "a", "a", "b", "a", "b", "b"]
    assert log["why"].tolist()[:4] == ["Maneuver Test", "Maneuver Test", "attack", "attack"]
    assert log["rule"].tolist()[:5] == ["V-54", "V-54", "V-81", "V-81", "V-93"]
    assert log["target"].tolist()[2:4] == [13, 11]
    assert log["dice"].tolist()[:4] == ["2d12!", "d10!+d8!", "2d6!", "2d10!"]
    assert h.mean("b", "damage").tolist() == [0, 22, 22]
    assert h.mean("b", "criticals").tolist() == [0, 1, 1]
    assert h.mean("a", "damage").tolist() == [0, 0, 1]


def test_who_is_crippled_first_depends_on_when_batteries_fire(make_small):
    quick = make_small("quick", maneuverability=8, attack=10, damage=8, crippled_at=1)
    slow = make_small("slow", maneuverability=2, attack=10, damage=8, crippled_at=1)
    order = [20, 5]
    # 13 against the defense is a success, and 7 less armor 1 is a Critical Hit
    in_place = v.duel(quick, slow, turns=1, chance=nk.Scripted([*order, 13, 7]))
    assert in_place.outcome()["a"] == 1
    together = v.HouseRules(fire_timing="together")
    script = [*order, 13, 13, 7, 7]
    both = v.duel(quick, slow, turns=1, chance=nk.Scripted(script), rules=together)
    assert both.outcome()["both"] == 1


def test_fire_after_all_maneuvers_keeps_their_order(make_small):
    a, b = make_small("a"), make_small("b")
    orders = (v.Doctrine(maneuver="Close in"), v.Doctrine(maneuver="Close in"))
    told = dict(turns=1, doctrines=orders, supplement=v.EXAMPLE)
    # Step 3 + 4: d12; against 8
    after = v.HouseRules(fire_timing="after all maneuvers")
    script = [*(5, 7), *(3, 4), *(2, 2)]
    h = v.duel(a, b, chance=nk.Scripted(script), rules=after, **told)
    assert (
        h.log["why"].tolist() == ["Maneuver Test"] * 2 + ["Vehicle Maneuver"] * 2 + ["attack"] * 2
    )
    assert h.log["side"].tolist() == ["a", "b", "b", "a", "b", "a"]
    script = [*(5, 7), *(3, 2), *(4, 2)]
    h = v.duel(a, b, chance=nk.Scripted(script), **told)
    assert h.log["why"].tolist()[2:] == ["Vehicle Maneuver", "attack"] * 2
    assert h.log["side"].tolist()[2:] == ["b", "b", "a", "a"]


def test_a_last_tie_is_broken_by_a_coin(make_small):
    a, b = make_small("a"), make_small("b")
    h = v.duel(a, b, turns=1, chance=nk.Scripted([5, 5, 2, 2, 2]))
    assert h.log["why"].tolist()[2] == "initiative, still tied"
    assert h.log["side"].tolist()[3:] == ["b", "a"]


def test_all_weapons_use_a_shot_whatever_hits_and_none_left_means_no_attack(make_small):
    a = make_small("a", weapons=3, shots=1)
    h = v.fire(a, make_small("b"), turns=3, chance=nk.Scripted([2]))
    assert h.log["turn"].tolist() == [1]


def test_volleys_by_house_rule(make_small):
    h = v.fire(
        make_small("a"),
        make_small("b"),
        chance=nk.Scripted([2, 3, 4]),
        rules=v.HouseRules(volleys=3),
    )
    assert h.log["why"].tolist() == ["attack"] * 3


def test_karma_is_one_point_a_turn(make_small):
    a = make_small("a", attack=8, damage=4, karma=2)
    target = make_small("b", destroyed_at=None, crippled_at=None)
    twice = v.HouseRules(volleys=2)
    on_attack = v.fire(
        a,
        target,
        turns=3,
        doctrine=v.Doctrine(karma="attack"),
        rules=twice,
        chance=nk.Scripted([4, 4] * 3),
    )
    # Step 8 and Karma Step 4 in the first volley of two turns, then no point is left
    assert on_attack.log["dice"].tolist() == ["2d10!", "2d6!"] * 2 + ["2d6!"] * 2
    die = replace(twice, karma_on_attack="die")
    by_die = v.fire(
        a, target, doctrine=v.Doctrine(karma="attack"), rules=die, chance=nk.Scripted([4, 4])
    )
    assert by_die.log["dice"].tolist() == ["3d6!", "2d6!"]


def test_karma_for_damage_waits_for_a_hit(make_small):
    a = make_small("a", attack=8, damage=4, karma=1)
    target = make_small("b", destroyed_at=None, crippled_at=None)
    doctrine = v.Doctrine(karma="damage")
    waits = v.fire(a, target, turns=2, doctrine=doctrine, chance=nk.Scripted([4, 8, 9]))
    assert waits.log["dice"].tolist() == ["2d6!", "2d6!", "2d6!"]  # the last: d6 and Karma's d6
    declared = v.HouseRules(karma_declared="with the attack")
    wasted = v.fire(
        a, target, turns=2, doctrine=doctrine, rules=declared, chance=nk.Scripted([4, 8, 5])
    )
    assert wasted.log["dice"].tolist() == ["2d6!", "2d6!", "d6!"]


def test_a_commander_who_must_test_gunnery_first(make_small):
    a, b = make_small("a", attack=8, shots=1), make_small("b", destroyed_at=None)
    rules = v.HouseRules(gunnery_test="own test")
    missed = v.fire(a, b, turns=2, rules=rules, chance=nk.Scripted([4]))
    assert missed.log["why"].tolist() == ["commander's Gunnery"]
    # 18 against 8 is three successes: two beyond the first are worth 4 Steps
    brought = v.fire(a, b, turns=2, rules=rules, chance=nk.Scripted([18, 5]))
    assert brought.log["dice"].tolist() == ["2d6!", "2d10!"]
    karma = v.fire(
        make_small("a", attack=8, karma=1),
        b,
        rules=rules,
        doctrine=v.Doctrine(karma="attack"),
        chance=nk.Scripted([8, 5]),
    )
    assert karma.log["dice"].tolist() == ["2d6!", "2d10!"]  # the point goes into the attack alone


def test_damage_is_cumulative_and_destroys(make_small):
    a, b = make_small("a", attack=8, damage=8), make_small("b", crippled_at=None)
    h = v.fire(a, b, turns=3, chance=nk.Scripted([8, 7, 8, 5, 8, 4]))
    assert h.mean("b", "damage").tolist() == [0, 6, 10, 12]  # 13 counts as the 12 it takes
    assert h.cause("b")["destroyed"].tolist() == [0, 0, 0, 1]


def test_a_user_s_table_of_critical_hits(make_small):
    a = make_small("a", attack=8, damage=8)
    b = make_small("b", destroyed_at=None, crippled_at=None, weapons=2)
    effects = ("none", "speed", "maneuverability", "armor", "armament", "none")
    table = v.Supplement(critical_hits=v.CriticalHits(dice="d6", effects=effects))
    script = [8, 7, 2, 8, 7, 3, 7, 7, 4]
    h = v.fire(a, b, turns=3, supplement=table, chance=nk.Scripted(script))
    assert h.log["why"].tolist() == ["attack", "damage", "Critical Hit"] * 3
    assert h.log["target"].tolist()[::3] == [8, 8, 7]  # Physical Defense falls with Maneuverability
    last = {name: h.mean("b", name).iloc[-1] for name in ("speed", "maneuverability", "armor")}
    assert last == {"speed": 2, "maneuverability": 2, "armor": 0}
    built = v.HouseRules(pd_tracks="as built")
    h = v.fire(
        a, b, turns=3, supplement=table, chance=nk.Scripted([*script[:6], 8, 7, 4]), rules=built
    )
    assert h.log["target"].tolist()[::3] == [8, 8, 8]


def test_crew_states_and_ranges_come_from_the_user(make_small):
    short = make_small("a", attack=8, crew_needed=20)  # 3 of 20 hands: Derelict, 6 Steps less
    h = v.fire(short, make_small("b"), supplement=v.EXAMPLE, chance=nk.Scripted([2]))
    assert h.log["dice"].tolist() == ["d4!-1"]
    far = v.fire(
        make_small("a", attack=8, crew_needed=3),
        make_small("b"),
        distance="Far",
        supplement=v.EXAMPLE,
        chance=nk.Scripted([2]),
    )
    assert far.log["dice"].tolist() == ["d8!"]
    plain = v.fire(short, make_small("b"), distance="Far", chance=nk.Scripted([3]))
    assert plain.log["dice"].tolist() == ["2d6!"]


def test_odds_of_being_crippled_are_those_of_fire(make_small):
    a, b = make_small("a", attack=8, damage=6, weapons=2), make_small("b")
    told = v.odds.crippled(a, b, turns=4, chance=nk.Exact())
    h = v.fire(a, b, turns=4, chance=nk.Exact())
    assert told.tolist() == h.cause("b").sum(axis=1).tolist()
    assert told.index.tolist() == [0, 1, 2, 3, 4]
    assert (np.diff(told) > 0).all()
    # one turn is one attack: destroyed at 12 points, crippled by 2 Critical Hits
    attack = v.odds.battery(a, b)
    joint = attack.joint
    over = joint.loc[:, joint.columns >= 12].to_numpy().sum() + joint.loc[2:, :11].to_numpy().sum()
    assert told[1] == pytest.approx(over + attack.damage.tail.mass, abs=1e-12)


def test_more_turns_and_more_guns_cripple_more(make_small):
    b = make_small("b")
    chances = [
        v.odds.crippled(make_small("a", weapons=n, attack=9), b, turns=2, chance=nk.Exact())[2]
        for n in (1, 2, 3)
    ]
    assert chances == sorted(set(chances))


def test_the_same_seed_gives_the_same_fights_in_any_blocks(make_small):
    a, b = make_small("a"), make_small("b", maneuverability=5)
    told = [
        v.duel(a, b, turns=3, chance=nk.Sampled(fights=3000, seed=3, block=block)).table()
        for block in (1024, 4096)
    ]
    assert told[0].equals(told[1])
    h = v.duel(a, b, turns=3, chance=nk.Sampled(fights=3000, seed=3))
    assert len(h.replay(17).log) >= 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: v.duel(a, "b"), "b: got 'b'"),
        (lambda a: v.duel(a, a, turns=0), "turns: got 0"),
        (lambda a: v.duel(a, a, doctrines=(None,)), "doctrines: got"),
        (
            lambda a: v.duel(a, a, doctrines=(v.Doctrine(maneuver="Ram"), None)),
            "Vehicle Maneuver: got 'Ram', allowed is none",
        ),
        (
            lambda a: v.duel(
                a, a, doctrines=(v.Doctrine(officer="Push Speed"), None), supplement=v.EXAMPLE
            ),
            "Officer Maneuver: got 'Push Speed', allowed are 'Steady, boys', 'Hard over'",
        ),
        (lambda a: v.odds.crippled(a, replace(a, destroyed_at=None, crippled_at=None)), "target"),
        (lambda a: v.fire(a, a, distance=2), "distance: got 2"),
    ],
)
def test_bad_input(make_small, call, message):
    with pytest.raises(nk.InputError, match=message):
        call(make_small())
