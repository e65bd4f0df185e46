"""Crew against crew: against recursions in fractions, die faces, samples and scripts."""

from fractions import Fraction
from itertools import product

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import navkit as nk
from navkit.rulebooks import medieval
from navkit.rulebooks.medieval import HouseRules, Ship

LONG, ROUND = Ship("Longship"), Ship("Knorr", kind="round")
PAIRS = [
    (LONG, LONG),
    (LONG, ROUND),
    (ROUND, LONG),
    (Ship("Dromon", siphon=True), Ship("Cog", kind="round", high=True, flagship=True)),
    (Ship("Galley", flagship=True, crew=13), Ship("Dromon", siphon=True, crew=7)),
    (Ship("High", high=True, crew=11), Ship("Low", crew=10)),
]
ships = st.builds(
    Ship,
    name=st.just("ship"),
    kind=st.sampled_from(["long", "round"]),
    high=st.booleans(),
    crew=st.integers(1, 20),
    flagship=st.booleans(),
    siphon=st.booleans(),
)


@pytest.mark.parametrize("retaliation", ["sequential", "simultaneous"])
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_turn_by_turn_as_an_independent_recursion(a, b, retaliation, recursion):
    turns = 8
    over, still = recursion(a, b, turns, retaliation=retaliation)
    rules = HouseRules(retaliation=retaliation)
    h = medieval.board(a, b, turns=turns, chance=nk.Exact(), rules=rules)
    for winner in ("a", "b", "both"):
        by_turn = [
            float(sum((over[t, winner] for t in range(1, last + 1)), Fraction(0)))
            for last in range(turns + 1)
        ]
        assert h.table()[winner].to_numpy() == pytest.approx(by_turn, abs=1e-12, rel=0)
    undecided = float(sum(still.values()))
    assert h.outcome()["undecided"] == pytest.approx(undecided, abs=1e-12, rel=0)


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_to_the_end_as_an_independent_recursion(a, b, simultaneous, to_the_end):
    rules = HouseRules(retaliation="simultaneous" if simultaneous else "sequential")
    h = medieval.board(a, b, turns=None, chance=nk.Exact(), rules=rules)
    expected = float(to_the_end(a, b, simultaneous=simultaneous))
    assert h.outcome()["a"] == pytest.approx(expected, abs=1e-12, rel=0)
    assert h.outcome().sum() + h.lost == pytest.approx(1, abs=1e-12)


def test_rounds_without_a_loss_are_solved_by_algebra():
    """Three flankers on each side: only a 5 or 6 hurts, and two in three rounds change nothing."""
    a, b = Ship("A", crew=11), Ship("B", crew=11)
    h = medieval.board(a, b, turns=None, flanking=(5, 5), chance=nk.Exact())
    # from 11 a six costs one point and brings "half lost", after which the loser's blows count
    # one less (none hurts any more) and the winner's one more: whoever rolls the first six wins.
    assert h.outcome()["a"] == pytest.approx(6 / 11, abs=1e-14)
    assert h.outcome()["b"] == pytest.approx(5 / 11, abs=1e-14)


@pytest.mark.parametrize("chance", [nk.Exact(), nk.Sampled(fights=2000), None])
def test_a_fight_in_which_nobody_can_be_hurt_is_recognised(chance):
    for turns in (None, 1, 40):
        h = medieval.board(LONG, LONG, turns=turns, flanking=(6, 6), chance=chance)
        assert h.outcome()["stalemate"] == pytest.approx(1, abs=1e-12)


def test_one_ship_a_casualty_at_least_ends_such_a_fight():
    rules = HouseRules(min_casualty="one")
    h = medieval.board(LONG, LONG, turns=None, flanking=(6, 6), rules=rules)
    # both lose a point a turn, and a strikes first
    assert h.outcome()["a"] == pytest.approx(1, abs=1e-12)
    assert h.outcome()["stalemate"] == 0


def test_two_attackers_over_all_die_faces(factors_by_hand):
    """Two turns of two ships against one, over 6^4 faces: who scores, +2, and the blow back."""
    a, b = (Ship("A", crew=8), Ship("F", crew=9, flagship=True)), Ship("R", kind="round", crew=14)
    counts = {}
    for faces in product(range(1, 7), repeat=4):
        crews, foe = [8, 9], 14
        for first, second in (faces[:2], faces[2:]):
            if not any(crews) or not foe:
                break
            there = [i for i in (0, 1) if crews[i]]
            merit = {
                i: (factors_by_hand(a[i], b, crews[i], foe, more=len(there) - 1), crews[i])
                for i in there
            }
            scorer = max(there, key=lambda i: (*merit[i], -i))
            foe = max(foe - max(first + merit[scorer][0], 0), 0)
            if foe:
                back = factors_by_hand(b, a[scorer], foe, crews[scorer])
                crews[scorer] = max(crews[scorer] - max(second + back, 0), 0)
        key = (sum(crews), foe)
        counts[key] = counts.get(key, 0) + 1
    h = medieval.board(a, b, turns=2, chance=nk.Exact())
    for place, side in enumerate("ab"):
        crew = h.distribution(side, "crew")
        for value in range(21):
            share = sum(n for key, n in counts.items() if key[place] == value) / 6**4
            assert crew.equal(value) == pytest.approx(share, abs=1e-13)


def test_a_list_of_one_is_the_ship():
    alone = medieval.board(LONG, ROUND, turns=9, chance=nk.Exact())
    listed = medieval.board([LONG], ROUND, turns=9, chance=nk.Exact())
    assert alone.table().equals(listed.table())


@settings(max_examples=20, deadline=None, derandomize=True)
@given(a=st.lists(ships, min_size=1, max_size=2), b=ships, data=st.data())
def test_exact_and_sampled_agree(a, b, data, hold_sample):
    a = [ship if place == 0 else Ship("mate", crew=ship.crew) for place, ship in enumerate(a)]
    draw = data.draw
    rules = HouseRules(
        **{
            rule.name: draw(st.sampled_from(rule.options))
            for rule in HouseRules.readings()
            if rule.name not in ("sink_group", "transfer", "fire_rescue", "drift_dir")
        }
    )
    told = {
        "turns": 6,
        "grappled": draw(st.booleans()),
        "flanking": (draw(st.integers(0, 3)), draw(st.integers(0, 3))),
        "break_off": (draw(st.integers(0, 12)), draw(st.integers(0, 12))),
        "rules": rules,
    }
    fights = 4000
    exact = medieval.board(a, b, chance=nk.Exact(), **told)
    sampled = medieval.board(a, b, chance=nk.Sampled(fights=fights, seed=11), **told)
    assert exact.table().sum(axis=1).to_numpy() + exact.lost == pytest.approx(1, abs=1e-12)
    compared = []
    for turn in (1, 3, 6):
        for name in ("a", "b", "both", "undecided", "stalemate"):
            count = round(sampled.table()[name][turn] * fights)
            compared.append((count, exact.table()[name][turn]))
    for side in "ab":
        left, seen = exact.distribution(side, "crew"), sampled.distribution(side, "crew")
        compared += [(round(seen.at_most(c) * fights), left.at_most(c)) for c in range(0, 41, 4)]
        admiral, told_of = (h.distribution(side, "admiral") for h in (exact, sampled))
        compared.append((round(told_of.equal(1) * fights), admiral.equal(1)))
        for cause in exact.causes:
            count = round(sampled.cause(side)[cause][6] * fights)
            compared.append((count, exact.cause(side)[cause][6]))
    hold_sample(compared, fights)


# By script


def test_a_turn_by_script():
    """a scores 4, b strikes back with 16 points left, and in turn 2 a is on its last half."""
    h = medieval.board(LONG, LONG, turns=2, chance=nk.Scripted([4, 6, 1, 5]))
    assert h.mean("b", "crew").tolist() == [20, 16, 15]
    assert h.mean("a", "crew").tolist() == [20, 14, 9]
    assert h.log["why"].tolist() == ["attack", "blow back"] * 2
    assert h.log["rule"].tolist() == ["M-14"] * 4


def test_no_blow_back_from_a_ship_without_crew():
    a, b = Ship("A"), Ship("B", crew=3)
    h = medieval.board(a, b, turns=5, chance=nk.Scripted([2]))
    assert h.outcome()["a"] == 1  # 2 + 1 for the half that is lost
    assert h.cause("b")["overcome"].iloc[-1] == 1


def test_struck_at_the_same_moment_both_may_be_overcome():
    rules = HouseRules(retaliation="simultaneous")
    a, b = Ship("A", crew=2), Ship("B", crew=1)
    h = medieval.board(a, b, turns=5, chance=nk.Scripted([1, 2]), rules=rules)
    assert h.outcome()["both"] == 1


def test_a_blow_back_of_a_turn_of_its_own():
    rules = HouseRules(retaliation="next turn")
    h = medieval.board(LONG, LONG, turns=3, chance=nk.Scripted([1, 2, 3]), rules=rules)
    assert h.log["why"].tolist() == ["attack", "blow back", "attack"]
    assert h.mean("a", "crew").tolist() == [20, 20, 18, 18]
    assert h.mean("b", "crew").tolist() == [20, 19, 19, 16]


def test_an_admiral_dies_on_a_six_and_needs_no_further_die():
    a, b = Ship("A", flagship=True), Ship("B", flagship=True)
    script = [3, 6, 4, 5, 2, 1, 3]
    h = medieval.board(a, b, turns=2, chance=nk.Scripted(script))
    assert h.log["why"].tolist() == [
        *("attack", "admiral", "blow back", "admiral"),
        *("attack", "blow back", "admiral"),
    ]
    assert h.mean("b", "admiral").tolist() == [1, 0, 0]
    assert h.mean("a", "admiral").tolist() == [1, 1, 1]


@pytest.mark.parametrize(("rule", "die"), [("each turn", 5), ("each attacker", (5, 6))])
def test_a_die_for_the_admiral_a_turn_or_an_attacker(rule, die):
    b = Ship("B", flagship=True)
    rules = HouseRules(admiral=rule)
    h = medieval.board([LONG, LONG], b, turns=1, chance=nk.Scripted([1, die, 1]), rules=rules)
    assert h.mean("b", "admiral")[1] == (1 if rule == "each turn" else 0)


def test_without_an_admiral_a_flagship_may_lose_its_bonus():
    a, b = Ship("A"), Ship("B", flagship=True)
    script = [3, 6, 1, 3, 1]
    for rule, left in (("keeps", 20 - 2 - 2), ("loses", 20 - 2 - 3)):
        rules = HouseRules(after_admiral=rule)
        h = medieval.board(a, b, turns=2, chance=nk.Scripted(script), rules=rules)
        assert h.mean("b", "crew")[2] == left


def test_who_began_may_not_leave_before_the_other_struck_back():
    a, b = Ship("A", crew=5), Ship("B")
    h = medieval.board(a, b, turns=2, break_off=(20, 0), chance=nk.Scripted([2, 1, 4]))
    assert h.log["turn"].tolist() == [1, 1, 2]
    assert h.log["why"].iloc[2] == "A: break contact, 4 or more"
    assert h.cause("a")["broke_off"].tolist() == [0, 0, 1]


def test_whoever_fails_to_leave_fights_on():
    a, b = Ship("A", crew=20), Ship("B")
    script = [2, 1, 3, 2, 1]
    h = medieval.board(a, b, turns=2, break_off=(20, 0), chance=nk.Scripted(script))
    assert h.outcome()["undecided"] == 1
    assert h.mean("b", "crew")[2] == 16


@pytest.mark.parametrize(
    ("rule", "dice"),
    [("both dice", [4, 3, 1, 1, 4]), ("cut alone", [4]), ("break alone", [4])],
)
def test_a_grappled_ship_cuts_too_and_what_is_cut_stays_cut(rule, dice):
    rules = HouseRules(break_and_cut=rule)
    told = {"grappled": True, "break_off": (20, 0), "rules": rules}
    h = medieval.board(LONG, LONG, turns=5, chance=nk.Scripted([1, 1, *dice]), **told)
    assert h.cause("a")["broke_off"].iloc[-1] == 1


def test_both_sides_part_without_a_die():
    told = {"grappled": True, "break_off": (20, 20)}
    h = medieval.board(LONG, LONG, turns=5, chance=nk.Scripted([1, 1]), **told)
    assert h.outcome()["both"] == 1
    assert h.cause("b")["broke_off"].iloc[-1] == 1


def test_a_defender_leaves_by_a_die_for_each_grapnel_and_one_for_the_combat():
    told = {"grappled": True, "break_off": (0, 20)}
    script = [1, 1, 4, 5, 6]
    h = medieval.board([LONG, LONG], LONG, turns=5, chance=nk.Scripted(script), **told)
    assert h.log["rule"].tolist()[2:] == ["M-11", "M-11", "M-28"]
    assert h.cause("b")["broke_off"].iloc[-1] == 1


def test_tied_co_attackers_flank_the_ship_that_is_struck_back():
    pair = [Ship("A", line="van"), Ship("B", line="van")]
    untied = [Ship("A"), Ship("B")]
    for fleet, left in ((pair, 18), (untied, 17)):
        h = medieval.board(fleet, LONG, turns=1, chance=nk.Scripted([1, 3]))
        assert h.mean("a", "crew")[1] == 20 + left


# The factors


def test_every_factor_of_the_list(factors_by_hand):
    kinds = [
        Ship("s", kind=kind, high=high, flagship=flagship, siphon=siphon, crew=crew)
        for kind in ("long", "round")
        for high, flagship, siphon in product([False, True], repeat=3)
        for crew in (10, 11)
    ]
    for a, b in product(kinds, repeat=2):
        expected = factors_by_hand(a, b, a.crew, b.crew, more=2, flanking=3)
        assert medieval.odds.modifier(a, b, attackers=3, flanking=3) == expected


@pytest.mark.parametrize(
    ("a", "b", "told", "changed", "usual", "other"),
    [
        (LONG, LONG, {"attackers": 3, "flanking": 1}, {"flank_sign": "attacker's ships"}, 3, 2),
        (Ship("k", kind="round"), Ship("c", kind="round", high=True), {},
         {"height_rule": "any lower ship"}, 0, -2),
        (LONG, Ship("b", crew=10), {}, {"half_lost": "more than ten"}, 1, 0),
        (LONG, Ship("b", crew=9), {}, {"half_lost": "more than ten"}, 1, 1),
    ],
)  # fmt: skip
def test_readings_of_the_list(a, b, told, changed, usual, other):
    assert medieval.odds.modifier(a, b, **told) == usual
    assert medieval.odds.modifier(a, b, **told, rules=HouseRules(**changed)) == other


def test_the_flagship_of_any_attacker_may_count():
    a = [Ship("A", siphon=True), Ship("F", flagship=True)]
    for source, left in (("scoring ship", 20 - 1 - 4), ("any attacker", 20 - 1 - 5)):
        rules = HouseRules(factor_source=source)
        h = medieval.board(a, LONG, turns=1, chance=nk.Scripted([1, 1]), rules=rules)
        assert h.mean("b", "crew")[1] == left


# What is refused


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"a": "Cog"}, "a: got 'Cog', allowed is a medieval.Ship or a list"),
        ({"a": []}, "a: got '0 ships', allowed is 1 to 8 ships"),
        ({"a": [LONG] * 9}, "a: got '9 ships'"),
        ({"a": [LONG, 3]}, "a: got 3, allowed is a medieval.Ship"),
        ({"a": [Ship("x", flagship=True)] * 2}, "a, flagships: got"),
        ({"b": [LONG]}, "b: got .* allowed is a medieval.Ship"),
        ({"turns": 0}, "turns: got 0"),
        ({"turns": 2.5}, "turns: got 2.5"),
        ({"flanking": 3}, "flanking: got 3, allowed is two whole numbers from 0 to 100"),
        ({"flanking": (0, -1)}, "flanking of b: got -1"),
        ({"break_off": (21, 0)}, "break_off of a: got 21, allowed is a whole number from 0 to 20"),
        ({"grappled": 1}, "grappled: got 1, allowed is True or False"),
        ({"rules": {}}, "rules: got {}"),
        ({"chance": 0.5}, "chance: got 0.5"),
    ],
)
def test_what_a_boarding_cannot_be_is_refused(told, message):
    told = {"a": LONG, "b": LONG} | told
    with pytest.raises(nk.InputError, match=message):
        medieval.board(told.pop("a"), told.pop("b"), **told)


def test_a_script_is_held_to_its_rolls():
    for script, message in (([4], "got None"), ([4, 7], "got 7"), ([4, 6, 1], "got 1|no roll")):
        with pytest.raises(nk.InputError, match=message):
            medieval.board(LONG, LONG, turns=1, chance=nk.Scripted(script))


def test_a_rule_works_on_as_many_rows_as_its_roll_has_outcomes():
    """Rows and outcomes of the same number must not be taken for one another."""
    from navkit.engine.branches import Branches
    from navkit.rulebooks.medieval.boarding import strike

    crew = np.array([20, 15, 11, 10, 5, 1])
    branches = Branches(rows=6)
    left = strike(crew, np.zeros(6, dtype=int), branches, HouseRules(), "attack")
    mean = (left * branches.probability()).sum(axis=0)
    alone = [np.maximum(points - np.arange(1, 7), 0).mean() for points in crew]
    assert mean == pytest.approx(alone)
