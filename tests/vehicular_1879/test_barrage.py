"""One attack of a battery: against plain recursion in fractions, and against playing it out."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import navkit as nk
from navkit.rulebooks import vehicular_1879 as v
from navkit.rulebooks.vehicular_1879.gunnery import critical_chance, placements


def attack_of(make_small, weapons, attack=8, damage=4, armor=2, threshold=5, **changes):
    """A battery and a target without an end."""
    target = make_small(
        "target",
        armor=armor,
        critical_threshold=threshold,
        destroyed_at=None,
        crippled_at=None,
        maneuverability=2,
    )
    return make_small("attacker", weapons=weapons, attack=attack, damage=damage, **changes), target


# An independent recursion, for damage of one exploding d6 (Step 4) and bonuses of 2 points


@cache
def d6(total):
    times, rest = divmod(total, 6)
    return Fraction(1, 6 ** (times + 1)) if rest and total > 0 else Fraction(0)


@cache
def attack_chances(difficulty, most):
    """Chances of each number of successes of 2d6, both exploding (Step 8); −1 counts as 0."""
    found = {}
    for a, b in product(range(1, 60), repeat=2):
        chance = d6(a) * d6(b)
        total = a + b
        count = 0 if total == 2 or total < difficulty else 1 + (total - difficulty) // 5
        found[min(count, most)] = found.get(min(count, most), 0) + chance
    return found


def recursion(weapons, policy, armor, threshold, difficulty, points):
    """Chances of damage up to `points` with Critical Hits, in fractions."""
    total = {}
    for count, chance in attack_chances(difficulty, 12).items():
        hits, surplus = min(count, weapons), max(0, count - weapons)
        bonuses = [0] * hits
        for place in range(surplus):
            bonuses[place % hits if policy == "spread" else 0] += 1
        so_far = {(0, 0): chance}
        for bonus in bonuses:
            after = {}
            for (damage, criticals), weight in so_far.items():
                for rolled in range(1, points + armor + 1):
                    through = max(0, rolled + 2 * bonus - armor)
                    key = damage + through, criticals + (through >= threshold)
                    if key[0] <= points:
                        after[key] = after.get(key, 0) + weight * d6(rolled)
            so_far = after
        for key, weight in so_far.items():
            total[key] = total.get(key, 0) + weight
    return total


@pytest.mark.parametrize("policy", ["one", "spread"])
@pytest.mark.parametrize("weapons", [1, 2, 3])
def test_damage_and_criticals_against_recursion(make_small, weapons, policy):
    attacker, target = attack_of(make_small, weapons)
    rules = v.HouseRules(excess_success="+2 result")
    known = v.odds.battery(attacker, target, doctrine=v.Doctrine(surplus=policy), rules=rules)
    points = 14
    expected = recursion(weapons, policy, 2, 5, difficulty=7, points=points)
    assert len(expected) >= 15
    for criticals, damage in product(range(weapons + 1), range(points + 1)):
        told = known.joint.get(damage, {}).get(criticals, 0.0)
        right = float(expected.get((damage, criticals), 0))
        assert told == pytest.approx(right, abs=1e-12)


# Against playing the same attack out, test by test


def played(attacker, target, **told):
    luck = nk.Exact(states=200_000)
    h = v.fire(attacker, target, chance=luck, **told)
    return h.distribution("b", "damage"), h.distribution("b", "criticals")


def assert_same(known, expected, tolerance=1e-12):
    for value in range(max(known.max, expected.max) + 1):
        assert known.equal(value) == pytest.approx(expected.equal(value), abs=tolerance)


@pytest.mark.parametrize("surplus", ["one", "spread", "criticals"])
@pytest.mark.parametrize("karma", ["none", "attack", "damage"])
@pytest.mark.parametrize("weapons", [1, 3])
def test_the_quick_way_is_that_of_the_rules(make_small, weapons, karma, surplus):
    attacker, target = attack_of(make_small, weapons, attack=11, damage=7, karma=1)
    doctrine = v.Doctrine(surplus=surplus, karma=karma)
    known = v.odds.battery(attacker, target, doctrine=doctrine)
    damage, criticals = played(attacker, target, doctrine=doctrine)
    assert_same(known.damage, damage)
    assert_same(known.criticals, criticals)
    assert np.abs(known.joint.sum(axis=0).to_numpy() - known.damage.pmf).max() < 1e-14
    assert known.joint.to_numpy().sum() == pytest.approx(1, abs=1e-12)


@settings(max_examples=30, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
@given(data=st.data())
def test_the_quick_way_is_that_of_the_rules_under_any_reading(
    data, make_small, random_rules, random_doctrines
):
    rules = data.draw(random_rules)
    doctrine = replace(data.draw(random_doctrines), maneuver="", officer="", reaction="")
    weapons = data.draw(st.integers(1, 3))
    attacker, target = attack_of(make_small, weapons, attack=data.draw(st.integers(3, 9)), karma=1)
    rules = replace(rules, volleys=1)
    if doctrine.called in ("crew", "cargo"):
        with pytest.raises(nk.InputError, match="called shot"):
            v.odds.battery(attacker, target, doctrine=doctrine, rules=rules)
        return
    known = v.odds.battery(attacker, target, doctrine=doctrine, rules=rules)
    damage, criticals = played(attacker, target, doctrine=doctrine, rules=rules)
    assert_same(known.damage, damage)
    assert_same(known.criticals, criticals)


@pytest.mark.parametrize("weapons", [10, 25, 40])
def test_many_guns_have_the_mean_of_their_hits(make_small, weapons):
    attacker, target = attack_of(make_small, weapons, attack=90, damage=20, armor=0, threshold=30)
    known = v.odds.battery(attacker, target)
    successes = v.odds.successes(90, 7)
    hits = sum(successes.equal(k) * min(k, weapons) for k in range(1, successes.max + 1))
    assert known.hits.mean == pytest.approx(hits, abs=1e-10)
    plain = v.step(20).mean
    bonus = sum(
        successes.equal(weapons + more) * (v.step(20 + 2 * more).mean - plain)
        for more in range(1, successes.max + 1 - weapons)
    )
    assert known.damage.mean == pytest.approx(hits * plain + bonus, rel=1e-12)
    reached = v.step(20).at_least(30)
    more = sum(
        successes.equal(weapons + k) * (v.step(20 + 2 * k).at_least(30) - reached)
        for k in range(1, successes.max + 1 - weapons)
    )
    assert known.criticals.mean == pytest.approx(hits * reached + more, rel=1e-12)
    assert known.damage.pmf.sum() + known.damage.tail.mass == pytest.approx(1, abs=1e-12)


# What the document says


def test_seven_successes_of_four_guns_are_four_tests_and_three_bonuses(make_small):
    attacker, target = attack_of(make_small, 4, attack=10, damage=8, armor=0, threshold=99)
    # Step 10 against 7: 37 is seven successes; the first test has 3 bonuses, Step 14
    h = v.fire(attacker, target, chance=nk.Scripted([37, 15, 7, 8, 9]))
    assert h.log["why"].tolist() == ["attack"] + ["damage"] * 4
    assert h.log["dice"].tolist()[1:] == ["2d12!", "2d6!", "2d6!", "2d6!"]
    assert h.mean("b", "damage").iloc[-1] == 15 + 7 + 8 + 9
    h = v.fire(
        attacker,
        target,
        doctrine=v.Doctrine(surplus="spread"),
        chance=nk.Scripted([37, 15, 7, 8, 9]),
    )
    assert h.log["dice"].tolist()[1:] == ["2d8!"] * 3 + ["2d6!"]


def test_hits_are_limited_by_weapons_and_each_has_a_damage_test(make_small):
    attacker, target = attack_of(make_small, 3, attack=10, damage=8, armor=4, threshold=6)
    h = v.fire(attacker, target, chance=nk.Scripted([14, 3, 10]))  # two successes, two tests
    assert h.log["success"].tolist()[0]
    assert h.mean("b", "damage").iloc[-1] == 0 + 6  # less armor 4, at least 0
    assert h.mean("b", "criticals").iloc[-1] == 1  # 6 reaches the threshold
    missed = v.fire(attacker, target, chance=nk.Scripted([5]))
    assert missed.log["success"].tolist() == [False]
    assert missed.mean("b", "damage").iloc[-1] == 0


def test_a_rule_of_one_misses_even_an_easy_target(make_small):
    attacker, target = attack_of(make_small, 1, attack=10)
    easy = replace(target, physical_defense=2)
    h = v.fire(attacker, easy, chance=nk.Scripted([2]))
    assert h.log[["target", "result", "success"]].to_numpy().tolist() == [[2, 2, False]]


def test_critical_hits_of_a_whole_battery(make_small):
    attacker, target = attack_of(make_small, 3, attack=10, damage=8, armor=0, threshold=12)
    script = [14, 7, 5]
    each = v.fire(attacker, target, chance=nk.Scripted(script))
    together = v.fire(
        attacker,
        target,
        chance=nk.Scripted(script),
        rules=v.HouseRules(critical_basis="battery total"),
    )
    assert each.mean("b", "criticals").iloc[-1] == 0
    assert together.mean("b", "criticals").iloc[-1] == 1


def test_a_maneuver_gives_bonuses_to_the_attack_rating(gunboat):
    from navkit.rulebooks.vehicular_1879.gunnery import attack_rating

    battery = gunboat.battery()
    assert attack_rating(battery, gunboat) == battery.gunnery + battery.commander
    assert attack_rating(battery, gunboat, bonus=3) == battery.gunnery + battery.commander + 3
    harried = replace(battery, harried=True)
    assert attack_rating(harried, gunboat) == attack_rating(battery, gunboat) - 2
    vehicle = v.HouseRules(attack_rating="captain rating")
    assert attack_rating(battery, gunboat, rules=vehicle) == battery.gunnery + 4


def test_surplus_for_the_most_criticals_beats_every_other_placement(make_small):
    rules = v.HouseRules()
    damage, armor, threshold = 6, 3, 9
    chosen = placements(3, damage, armor, threshold, rules)

    def gain(bonus):
        return critical_chance(damage, bonus, 0, armor, threshold, rules)

    for hits, surplus in product((1, 2, 3), range(1, 7)):
        best = max(
            sum(map(gain, split))
            for split in product(range(surplus + 1), repeat=hits)
            if sum(split) == surplus
        )
        left, got = surplus, 0.0
        for more in range(hits, 0, -1):
            bonus = left if more == 1 else int(chosen[0, more, left])
            got, left = got + gain(bonus), left - bonus
        assert left == 0
        assert got == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"battery": "stern"}, "battery of small: got 'stern', allowed is gun"),
        ({"doctrine": "bold"}, "doctrine: got 'bold'"),
        ({"distance": "Close"}, "distance: got 'Close', allowed are 'Adjacent'"),
        ({"supplement": 3}, "supplement: got 3"),
        ({"rules": 3}, "rules: got 3"),
    ],
)
def test_bad_input(make_small, changes, message):
    with pytest.raises(nk.InputError, match=message):
        v.odds.battery(make_small(), make_small(), **changes)


def test_no_guns_no_attack(make_small):
    for call in (v.odds.battery, v.fire, v.odds.crippled):
        with pytest.raises(nk.InputError, match=r"batteries: got .*at least one battery"):
            call(make_small(batteries=()), make_small())


def test_steps_above_the_first_edition(make_small):
    rules = v.HouseRules(edition="first")
    with pytest.raises(nk.InputError, match=r"Attack Rating of gun: got 41, .*Step 40"):
        v.odds.battery(make_small(attack=41), make_small(), rules=rules)
    with pytest.raises(nk.InputError, match="damage of gun: got 50"):
        v.odds.battery(make_small(damage=50), make_small(), rules=rules)
