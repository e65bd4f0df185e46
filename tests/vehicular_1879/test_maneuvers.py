"""Maneuver Tests, the lines of their outcomes, movement, scale of play and boarding."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest

import navkit as nk
from navkit.rulebooks import vehicular_1879 as v
from navkit.rulebooks.vehicular_1879 import maneuvers, movement, scale, tables


def test_initiative_against_all_pairs_of_totals(make_small):
    a, b = make_small("a", maneuverability=5), make_small("b", maneuverability=3)
    x, y = v.step(9), v.step(7)  # Maneuverability and rank 4
    wins = sum(
        x.equal(first) * y.at_most(first) for first in range(1, x.max + 1)
    )  # a tie goes to a, the more maneuverable
    told = v.odds.initiative(a, b)
    assert told["a"] == pytest.approx(wins, abs=1e-12)
    assert told["coin"] == 0
    assert told.sum() == pytest.approx(1, abs=1e-12)
    even = v.odds.initiative(a, a)
    ties = sum(x.equal(first) ** 2 for first in range(1, x.max + 1))
    assert even["coin"] == pytest.approx(ties, abs=1e-12)
    assert even["a"] == pytest.approx(even["b"], abs=1e-15)
    by_coin = v.odds.initiative(a, b, rules=v.HouseRules(initiative_ties="coin"))
    ties = sum(x.equal(first) * y.equal(first) for first in range(1, x.max + 1))
    assert by_coin["coin"] == pytest.approx(ties, abs=1e-12)


def test_a_vehicle_maneuver_is_tested_against_the_target_s_defense(make_small):
    a, b = make_small("a", maneuverability=5), make_small("b", maneuverability=3)
    told, right = v.odds.maneuver(a, b), v.odds.successes(9, 8)
    for count in range(-1, 9):
        assert told.equal(count) == pytest.approx(right.equal(count), abs=1e-14)
    easy = v.odds.maneuver(a, b, difficulty=2)
    assert easy.equal(-1) == pytest.approx(1 / 48, abs=1e-14)
    opposed = v.odds.maneuver(a, b, rules=v.HouseRules(maneuver_dn="opposed"))
    x, y = v.step(9), v.step(7)
    wins = sum(x.equal(first) * y.at_most(first) for first in range(3, x.max + 1))
    assert opposed.at_least(1) == pytest.approx(wins, abs=1e-12)


@pytest.mark.parametrize(
    ("successes", "mover", "reaction", "window", "free"),
    [
        (-1, "", "", "", True),
        (0, "target", "free", "maneuver", False),
        (1, "actor", "counted", "maneuver", False),
        (2, "actor", "", "resolve step", False),
        (7, "actor", "", "resolve step", False),
    ],
)
def test_lines_of_outcomes(successes, mover, reaction, window, free):
    line = maneuvers.line(successes)
    assert (line.mover, line.reaction, line.window) == (mover, reaction, window)
    assert line.free_maneuver is free
    assert line.counts_others


def test_lines_by_house_rule():
    both = maneuvers.line(-1, rules=v.HouseRules(rule_of_one_line="failure as well"))
    assert (both.mover, both.reaction, both.free_maneuver) == ("target", "free", True)
    rules = v.HouseRules(two_success_reaction="one, counted")
    assert maneuvers.line(3, rules=rules).reaction == "counted"
    with pytest.raises(nk.InputError, match="successes: got -2"):
        maneuvers.line(-2)


def orders(**told):
    return v.Doctrine(maneuver="Cross the bow", **told)


def fight(make_small, script, a, b, **told):
    vehicles = make_small("a", speed=2), make_small("b", speed=3)
    return v.duel(
        *vehicles,
        turns=1,
        doctrines=(a, b),
        supplement=v.Supplement(
            vehicle_maneuvers=v.EXAMPLE.vehicle_maneuvers,
            officer_maneuvers=v.EXAMPLE.officer_maneuvers,
            range_steps=(3, 2, 1, 0),
        ),
        chance=nk.Scripted(script),
        **told,
    )


def test_the_range_is_changed_by_who_may(make_small):
    """Range modifiers tell from the Attack Step where the vehicles are: Step 6, and 3 to 0."""
    close, open_ = orders(range="close"), v.Doctrine(range="open")
    step = {"Adjacent": "d8!+d6!", "Far": "d10!"}
    # a success, which brings 1 Step: a closes by his 2 movement points, from Far to Near
    h = fight(make_small, [9, 5, 9, 3, 3], close, open_, distance="Far")
    assert h.log["dice"].tolist()[3] == "d8!+d6!"  # Step 6 + 1 + 2
    # failure: the target opens by 3
    h = fight(make_small, [9, 5, 3, 3, 3], close, open_, distance="Adjacent")
    assert h.log["dice"].tolist()[3] == step["Far"]
    # nobody wants it otherwise
    h = fight(make_small, [9, 5, 3, 3, 3], orders(), v.Doctrine(), distance="Adjacent")
    assert h.log["dice"].tolist()[3] == step["Adjacent"]


def test_a_failure_gives_a_free_reaction_and_a_success_a_counted_one(make_small):
    reacts = v.Doctrine(reaction="Hard over")
    for made, whys in (
        (3, ["Vehicle Maneuver", "Officer Maneuver Hard over"]),
        (9, ["Vehicle Maneuver", "Officer Maneuver Hard over"]),
        (13, ["Vehicle Maneuver"]),
    ):
        script = [9, 5, made, *([9] if len(whys) == 2 else []), 3, 3]
        h = fight(make_small, script, orders(), reacts)
        assert h.log["why"].tolist()[2:] == [*whys, "attack", "attack"]
    # a reaction of one success adds 1 to the defense: 9 instead of 8
    h = fight(make_small, [9, 5, 3, 9, 3, 3], orders(), reacts)
    assert h.log["target"].tolist()[4] == 9


def test_a_counted_reaction_needs_an_officer_maneuver_left(make_small):
    # b acts first with his one Officer Maneuver, and has none left to react with
    busy = v.Doctrine(officer="Steady, boys", reaction="Hard over")
    h = fight(make_small, [5, 9, 3, 3, 9, 3], orders(), busy)
    assert h.log["why"].tolist()[2:] == [
        "Officer Maneuver Steady, boys",
        "attack",
        "Vehicle Maneuver",
        "attack",
    ]
    # but a free one he has after a failure
    h = fight(make_small, [5, 9, 3, 3, 3, 3, 3], orders(), busy)
    assert h.log["why"].tolist()[4:6] == ["Vehicle Maneuver", "Officer Maneuver Hard over"]


def test_a_maneuver_or_officer_maneuvers_by_house_rule(make_small):
    both = orders(officer="Steady, boys")
    h = fight(make_small, [9, 5, 9, 9, 3, 3], both, None)
    assert h.log["why"].tolist()[2:4] == ["Vehicle Maneuver", "Officer Maneuver Steady, boys"]
    either = v.HouseRules(maneuver_count="one or officers")
    h = fight(make_small, [9, 5, 9, 3, 3], both, None, rules=either)
    assert h.log["why"].tolist()[2:4] == ["Vehicle Maneuver", "attack"]


def test_a_rule_of_one_gives_the_target_a_free_maneuver_which_may_give_one_back(make_small):
    nimble = dict(maneuverability=5)  # Step 9: d8 and d6, so that all ones are possible
    a, b = make_small("a", **nimble), make_small("b", **nimble)
    doctrine = orders()
    # all ones, then b's free one all ones too, a's all ones again, then b succeeds
    script = [12, 5, 2, 2, 2, 13, 3, 13, 3]
    h = v.duel(
        a,
        b,
        turns=1,
        doctrines=(doctrine, doctrine),
        supplement=v.Supplement(vehicle_maneuvers=v.EXAMPLE.vehicle_maneuvers),
        chance=nk.Scripted(script),
    )
    assert h.log["why"].tolist()[2:] == ["Vehicle Maneuver"] * 4 + [
        "attack",
        "Vehicle Maneuver",
        "attack",
    ]
    assert h.log["side"].tolist()[2:] == ["a", "b", "a", "b", "a", "b", "b"]


def test_attack_steps_of_a_maneuver_last_for_the_turn(make_small):
    doctrine = orders()
    # 13 against 8 is two successes: 2 Steps on Step 6
    h = fight(make_small, [9, 5, 13, 3, 3], doctrine, None, distance="Far")
    assert h.log["dice"].tolist()[3] == "2d6!"


def test_the_maneuver_resolver(make_small):
    quick, slow = make_small("a", maneuverability=6), make_small("b", maneuverability=2)
    exact = v.maneuver(quick, slow, turns=2, chance=nk.Exact())
    sampled = v.maneuver(quick, slow, turns=2, chance=nk.Sampled(fights=8192))
    for side in "ab":
        seen = round(sampled.outcome()[side] * 8192)
        assert binomtest(seen, 8192, exact.outcome()[side]).pvalue > 1e-6 / 2
    first = v.odds.initiative(quick, slow)
    success_a, success_b = v.odds.successes(10, 7), v.odds.successes(6, 11)
    p, q = success_a.at_least(1), success_b.at_least(1)
    one = success_a.equal(-1)  # only a's 2d8 may be all ones; b then has a free maneuver
    a_first, b_first = (first[side] + first["coin"] / 2 for side in "ab")
    a_wins = (a_first + b_first * (1 - q)) * p
    b_wins = a_first * ((1 - p) * q + one * (1 - q) * q) + b_first * (q + (1 - q) * one * q)
    assert exact.table()["a"][1] == pytest.approx(a_wins, abs=1e-12)
    assert exact.table()["b"][1] == pytest.approx(b_wins, abs=1e-12)
    assert exact.cause("b").iloc[-1].sum() == pytest.approx(exact.outcome()["a"], abs=1e-12)
    with pytest.raises(nk.InputError, match="maneuver: got 'Run before the wind'"):
        v.maneuver(
            quick,
            slow,
            doctrines=(v.Doctrine(maneuver="Run before the wind"), None),
            supplement=v.EXAMPLE,
        )


def test_a_maneuver_without_a_target_has_no_line(make_small):
    runs = v.Doctrine(maneuver="Run before the wind", range="open")
    h = fight(make_small, [9, 5, 11, 3, 3], runs, v.Doctrine(reaction="Hard over"), distance="Near")
    assert h.log["target"].tolist()[2] == 10
    assert h.log["why"].tolist()[3] == "attack"


# Movement


def test_hexes_and_facings():
    assert movement.yards(1) == 20
    assert movement.path_cost(0, faces=1) == Fraction(1, 2)
    assert movement.path_cost(2, faces=3) == Fraction(7, 2)
    assert movement.hex_distance((0, 0), (3, -3)) == 3
    assert movement.hex_distance((1, 1), (3, 2)) == 3
    assert movement.may_share()
    assert not movement.may_share(gamemaster_objects=True)
    assert movement.movement_phases() == ("declare", "resolve", "clean-up")


def test_ranges():
    assert [each.name for each in tables.Range] == ["ADJACENT", "NEAR", "INTERMEDIATE", "FAR"]
    assert [int(movement.range_of(n, v.EXAMPLE)) for n in (1, 2, 6, 7, 20, 21)] == [
        0,
        1,
        1,
        2,
        2,
        3,
    ]
    with pytest.raises(nk.InputError, match="range_hexes"):
        movement.range_of(3, v.Supplement())
    assert movement.moved_range(np.array([1]), np.array([5]), "close").tolist() == [0]
    assert movement.moved_range(np.array([1]), np.array([1]), "open").tolist() == [2]
    assert movement.moved_range(np.array([1]), np.array([9]), "hold").tolist() == [1]


def test_speed_and_mandatory_movement():
    assert movement.set_speed(0, speed_step=5) == 0
    with pytest.raises(nk.InputError, match=r"speed: got 6, .* 0 to 5"):
        movement.set_speed(6, speed_step=5)
    assert movement.mandatory_points(np.array([0, 2, 3, 8])).tolist() == [0, 0, 1, 1]
    half = v.HouseRules(mandatory_part=4)
    assert movement.mandatory_points(np.array([2, 3, 8]), half).tolist() == [0, 3, 4]
    assert movement.movement_points(np.array([3]), v.HouseRules(movement_points=2)).tolist() == [6]


# Scale


@pytest.mark.parametrize(
    ("activity", "seconds"),
    [
        ("individual combat", 6),
        ("ship combat", 60),
        ("engagement", 60),
        ("exploring a site", 600),
        ("pursuit", 3600),
        ("outdoor exploration", 3600),
        ("hostile travel", 14_400),
        ("travel by day", 86_400),
        ("travel by week", 604_800),
    ],
)
def test_turn_lengths(activity, seconds):
    assert scale.turn_seconds(activity) == seconds


def test_rounds_and_shifts_of_scale():
    assert scale.rounds_in("ship combat") == 10
    zoom = scale.shift("ship combat", "individual combat")
    assert (zoom.opens_with, zoom.others) == ("Initiative", 10)
    chase = scale.shift("pursuit", "engagement")
    assert (chase.opens_with, chase.others) == ("a roll to engage", 60)
    assert scale.shift("engagement", "pursuit").opens_with == ""
    with pytest.raises(nk.InputError, match="activity: got 'sleep'"):
        scale.turn_seconds("sleep")


def test_openings_and_actions_of_a_turn():
    assert len(scale.turn_opening(vehicle_combat=False)) == 5
    assert "single players" in scale.turn_opening(vehicle_combat=True)[5]
    assert scale.actions_in_turn(2) == 4


def test_decisive_moments():
    combat = scale.decisive_moment("ship combat", in_combat=True, characters=2)
    assert (combat.rounds, combat.together, combat.response_rounds) == (2, True, 2)
    assert (combat.response_counts, combat.hazard_test) == (False, False)
    hazard = scale.decisive_moment("pursuit", in_combat=False)
    assert (hazard.response_rounds, hazard.hazard_test, hazard.together) == (0, True, False)
    rules = v.HouseRules(decisive_response="officer maneuver", hazard_in_combat="yes")
    counted = scale.decisive_moment("ship combat", in_combat=True, rules=rules)
    assert (counted.response_counts, counted.hazard_test) == (True, True)
    with pytest.raises(nk.InputError, match="longer than a combat round"):
        scale.decisive_moment("individual combat", in_combat=True)


def test_how_many_decisive_moments():
    left = scale.decisive_moments_left
    assert [left(taken, gamemaster=False) for taken in (0, 1, 2)] == [1, 0, 0]
    assert left(0, gamemaster=True, important=3) == 1
    assert left(0, gamemaster=True, important=0) == 0
    each = v.HouseRules(gmc_decisive="one each")
    assert left(1, gamemaster=True, important=3, rules=each) == 2


def test_initiative_and_hazards_of_a_decisive_moment():
    assert scale.initiative_result(7, needs_test=False).equal(7, exact=True) == 1
    assert scale.initiative_result(7, needs_test=True).mean == pytest.approx(78 / 11)
    both = scale.hazard_damage("fire on deck", v.EXAMPLE, characters=2)
    assert both.mean == pytest.approx(4 * 4.2, abs=1e-9)
    with pytest.raises(nk.InputError, match="hazard: got 'storm'"):
        scale.hazard_damage("storm", v.Supplement())


def test_actions_beside_the_battery():
    plain = scale.actions()
    assert (plain.rounds, len(plain.bonuses), plain.spellcasting) == (1, 2, 0)
    magician = scale.actions(trades_bonus=True)
    assert (magician.bonuses, magician.spellcasting) == ((), 1)
    assert scale.actions(commander=True).must_use == "Gunnery"


def test_professional_ratings_and_karma_of_a_character():
    by_steps = scale.personal_test(8, 8, professional=3)
    assert by_steps.at_least(1, exact=True) == v.odds.successes(11, 8).at_least(1, exact=True)
    rules = v.HouseRules(professional_bonus="result")
    by_points = scale.personal_test(8, 8, professional=3, rules=rules)
    assert by_points.at_least(1, exact=True) == v.odds.successes(8, 5).at_least(1, exact=True)
    karma = scale.personal_test(8, 8, karma=True)
    assert karma.at_least(1) == pytest.approx(v.step(8, karma=4).at_least(8), abs=1e-12)


def test_engaging_and_morale_are_a_user_s():
    assert scale.engages(8, 8).at_least(1, exact=True) == Fraction(17, 36)
    assert scale.holds(v.EXAMPLE).at_least(1, exact=True) == Fraction(2, 5)
    with pytest.raises(nk.InputError, match="morale"):
        scale.holds(v.Supplement())


# Boarding


def unit(members=2, attack=6, damage=4, **figures):
    member = v.Member(**{"defense": 6, "wound_threshold": 5, "death_rating": 7, **figures})
    return v.Unit(members=members, attack=attack, damage=damage, member=member)


def test_a_turn_of_boarding_by_hand():
    """Both attack at once, with a weapon for every living member; then the damage is done."""
    script = [
        *(11, 5),  # a: two successes against 6; b: none
        *(8, 3),  # above 7: one dead and 1 left, then 3 more: 4 on the second
        *(7, 7),  # one success each
        *(5, 8),  # 4 + 5 kill b's last, who strikes at the same moment: 8 kills one of a
    ]
    h = v.board(unit(), unit(), turns=2, chance=nk.Scripted(script))
    assert h.log["side"].tolist() == ["a", "b", "a", "a", "a", "b", "a", "b"]
    assert h.mean("b", "dead").tolist() == [0, 1, 2]
    assert h.mean("a", "dead").tolist() == [0, 0, 1]
    assert h.outcome()["a"] == 1
    assert h.cause("b")["killed"].iloc[-1] == 1


def test_boarding_exact_against_sampled():
    a, b = unit(members=2), unit(members=3, attack=5)
    exact = v.board(a, b, turns=3, chance=nk.Exact()).outcome()
    assert exact.sum() == pytest.approx(1, abs=1e-11)
    sampled = v.board(a, b, turns=3, chance=nk.Sampled(fights=8192, seed=2)).outcome()
    for outcome in ("a", "b", "both", "undecided"):
        p = binomtest(round(sampled[outcome] * 8192), 8192, exact[outcome]).pvalue
        assert p > 1e-6 / 4


def test_morale_is_tested_by_those_who_lost_members():
    supplement = v.Supplement(morale_step=6, morale_difficulty=7)
    script = [7, 5, 8, 6]
    h = v.board(unit(), unit(), turns=1, supplement=supplement, chance=nk.Scripted(script))
    assert h.log[["side", "why"]].to_numpy().tolist()[-1] == ["b", "Morale Test"]
    assert h.cause("b")["surrendered"].iloc[-1] == 1
    held = v.board(unit(), unit(), turns=1, supplement=supplement, chance=nk.Scripted([7, 5, 8, 7]))
    assert held.outcome()["undecided"] == 1


def test_a_battery_against_a_large_creature(gunboat):
    beast = v.Unit(
        members=1,
        attack=9,
        damage=9,
        member=v.Member(defense=9, armor=4, wound_threshold=6, death_rating=60),
    )
    h = v.rake(gunboat, beast, chance=nk.Scripted([14, 28, 9]))
    assert h.mean("b", "wounds").tolist() == [0, 24 // 6 + 5 // 6]
    assert h.mean("b", "dead").tolist() == [0, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: v.board(s(), unit()), "a: got None"),
        (lambda s: v.board(unit(), 3), "b: got 3"),
        (lambda s: v.rake(s(), s()), "target: got"),
        *(
            (lambda s, each=each: v.odds.maneuver(s(), s(), difficulty=each), "difficulty: got")
            for each in ("x", -5, 0, 2.5)
        ),
    ],
)
def test_bad_input(make_small, call, message):
    with pytest.raises(nk.InputError, match=message):
        call(make_small)
