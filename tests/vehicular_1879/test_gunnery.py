"""Called shots, defenses and armor, reading by reading."""

import numpy as np
import pytest

import navkit as nk
from navkit.rulebooks import vehicular_1879 as v
from navkit.rulebooks.vehicular_1879.gunnery import attack_difficulty, called_penalty
from navkit.rulebooks.vehicular_1879.state import ready_side


def penalty(vehicle, called="speed", **rules):
    found = called_penalty(called, vehicle, ready_side(vehicle), v.HouseRules(**rules))
    return int(found.steps[0]), int(found.points[0])


@pytest.mark.parametrize(
    ("reading", "steps"), [("both", 11), ("3 steps", 3), ("target's step", 8), ("the larger", 8)]
)
def test_what_a_called_shot_costs(make_small, reading, steps):
    assert penalty(make_small(maneuverability=8), called_shot=reading) == (steps, 0)


def test_the_larger_of_two_penalties_is_three_steps_against_the_clumsy(make_small):
    assert penalty(make_small(maneuverability=2), called_shot="the larger") == (3, 0)


def test_no_called_shot_no_penalty(make_small):
    assert penalty(make_small(), called="") == (0, 0)


def test_the_penalty_goes_by_kind_and_an_active_defense_counts_if_higher(make_small):
    quick_crew = v.Member(dexterity=7)
    target = make_small(maneuverability=4, hand=quick_crew, active_defense=6)
    assert penalty(target) == (9, 0)
    assert penalty(target, called="crew") == (10, 0)
    assert penalty(target, called_penalty_kind="highest") == (10, 0)
    assert penalty(target, called_penalty_kind="lowest") == (7, 0)
    slow = make_small(maneuverability=8, hand=quick_crew, active_defense=6)
    assert penalty(slow) == (11, 0)


def test_the_penalty_as_points_of_the_result(make_small):
    assert penalty(make_small(maneuverability=8), called_unit="result") == (3, 8)


def test_the_penalty_never_goes_below_step_1_or_there_is_no_shot(make_small):
    attacker, target = make_small(attack=5), make_small(maneuverability=8)
    doctrine = v.Doctrine(called="speed")
    h = v.fire(attacker, target, doctrine=doctrine, chance=nk.Scripted([1]))
    assert h.log["dice"].tolist() == ["d4!-2"]
    none = v.HouseRules(step_floor="no shot")
    h = v.fire(attacker, target, doctrine=doctrine, rules=none, chance=nk.Scripted([]))
    assert h.log.empty


def test_attack_step_15_called_at_maneuverability_8_falls_to_4(make_small):
    attacker, target = make_small(attack=15), make_small(maneuverability=8)
    h = v.fire(attacker, target, doctrine=v.Doctrine(called="speed"), chance=nk.Scripted([5]))
    assert h.log[["dice", "target"]].to_numpy().tolist() == [["d6!", 13]]


def test_physical_defense_and_cover(make_small):
    target = make_small(maneuverability=8, hand=v.Member(defense=7))
    side, rules = ready_side(target), v.HouseRules()
    assert attack_difficulty("", target, side, rules).tolist() == [13]
    assert attack_difficulty("crew", target, side, rules).tolist() == [9]
    covered = v.HouseRules(cover="crew and vehicle")
    assert attack_difficulty("speed", target, side, covered).tolist() == [15]
    vehicle = v.HouseRules(called_crew_defense="vehicle")
    assert attack_difficulty("crew", target, side, vehicle).tolist() == [13]


def called(make_small, aim, script, *, target=None, damage=4, weapons=2, **rules):
    attacker = make_small(attack=15, damage=damage, weapons=weapons)
    target = target or make_small(maneuverability=3, destroyed_at=None, crippled_at=None, weapons=3)
    return v.fire(
        attacker,
        target,
        doctrine=v.Doctrine(called=aim),
        chance=nk.Scripted(script),
        rules=v.HouseRules(**rules),
    )


@pytest.mark.parametrize(("aim", "left"), [("speed", 1), ("armor", 0), ("maneuverability", 1)])
def test_each_called_hit_takes_one_off_and_stops_at_nothing(make_small, aim, left):
    h = called(make_small, aim, [14])  # two successes against 8
    assert h.log["why"].tolist() == ["attack"]
    assert h.mean("b", aim).iloc[-1] == left
    assert h.mean("b", "damage").iloc[-1] == 0


def test_called_hits_as_well_as_damage(make_small):
    h = called(make_small, "speed", [14, 5, 4], called_instead="as well")
    assert h.mean("b", "speed").iloc[-1] == 1
    assert h.mean("b", "damage").iloc[-1] == 4 + 3


def test_surplus_of_called_hits_is_lost_or_one_more_each(make_small):
    # four successes of two weapons
    assert called(make_small, "speed", [23]).mean("b", "speed").iloc[-1] == 1
    more = called(make_small, "speed", [23], called_surplus="one more each")
    assert more.mean("b", "speed").iloc[-1] == 0


@pytest.mark.parametrize(
    ("loss", "field"), [("weapon", None), ("damage step", "damage"), ("gunnery step", "gunnery")]
)
def test_called_hits_on_armament(make_small, loss, field):
    a = make_small("a", attack=15, weapons=1)
    b = make_small("b", attack=9, weapons=1, damage=8, destroyed_at=None, crippled_at=None)
    doctrine = (v.Doctrine(called="armament", armament="gun"), None)
    rules = v.HouseRules(armament_loss=loss)
    # a goes first and hits once; b answers with what is left to it
    script = {None: [], "damage": [11, 11], "gunnery": [11, 11]}[field]
    h = v.duel(
        a, b, turns=1, doctrines=doctrine, rules=rules, chance=nk.Scripted([9, 5, 8, *script])
    )
    told = h.log["dice"].tolist()[3:]
    assert told == {None: [], "damage": ["d8!+d6!", "d12!"], "gunnery": ["2d6!", "2d6!"]}[field]


def test_called_shots_at_cargo_are_damage_tests_without_armor(make_small):
    h = called(make_small, "cargo", [9, 4])
    assert h.log["why"].tolist() == ["attack", "damage to cargo"]
    assert h.mean("b", "cargo").iloc[-1] == 6
    assert h.mean("b", "damage").iloc[-1] == 0


def test_called_shots_at_crew_hurt_its_members(make_small):
    # Step 15 less Dexterity 4 and 3 Steps is Step 8 against 5 + 2; death above 6
    h = called(make_small, "crew", [12, 13, 5])
    assert h.log[["dice", "target"]].to_numpy().tolist()[0] == ["2d6!", 7]
    # two successes: 13 kills two (each takes 6, and 1 is left), 5 more do not kill the third
    assert h.mean("b", "hands").tolist() == [3, 1]
    heads = called(make_small, "crew", [7, 2], crew_cargo_damage="heads and points")
    assert heads.outcome()["undecided"] == 1
    gone = called(make_small, "crew", [7, 3], crew_cargo_damage="heads and points")
    assert gone.cause("b")["crew_lost"].iloc[-1] == 1


@pytest.mark.parametrize(
    ("aim", "message"),
    [("crew", "figures of its crew"), ("cargo", "cargo of 1 point"), ("armament", "batteries")],
)
def test_called_shots_that_the_target_offers_nothing_for(make_small, aim, message):
    bare = make_small(hand=None, cargo=0, batteries=())
    with pytest.raises(nk.InputError, match=message):
        v.fire(make_small(), bare, doctrine=v.Doctrine(called=aim))


def test_doctrines_that_are_none():
    for name in ("called", "surplus", "karma", "range"):
        with pytest.raises(nk.InputError, match="got 'boldly', allowed are"):
            v.Doctrine(**{name: "boldly"})


def test_damage_is_never_below_nothing(make_small):
    thick = make_small(armor=50, destroyed_at=None, crippled_at=None)
    known = v.odds.battery(make_small(attack=12, damage=3), thick)
    assert known.damage.min == 0
    successes = v.odds.successes(12, 8)
    through = sum(successes.equal(k) * v.step(3 + 2 * (k - 1)).at_least(51) for k in range(1, 40))
    assert known.damage.at_least(1) == pytest.approx(through, abs=1e-12)
    assert np.all(known.damage.pmf >= 0)


def test_called_hits_do_no_damage_at_all(make_small):
    known = v.odds.battery(make_small(), make_small(), doctrine=v.Doctrine(called="speed"))
    assert known.damage.at_least(1) == 0
    assert known.criticals.at_least(1) == 0
    assert known.lost.mean == known.hits.mean > 0
