"""Damage, sinking, extra damage and rescue, against all faces listed."""

from fractions import Fraction

import pytest

from navkit import InputError
from navkit.rulebooks import sea_battles
from navkit.rulebooks.sea_battles import HouseRules, odds

HARD_UP_TO = {"front": 5, "side": 4, "rear": 2}


def test_a_ship_of_size_4_with_12_damage_sinks_as_in_the_document():
    assert odds.sinking(4, 12, exact=True) == Fraction(145, 432)
    assert odds.sinking(4, 12) == pytest.approx(145 / 432, rel=1e-14)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_sinking_is_the_chance_of_a_sum_no_higher_than_the_damage(size, brute):
    sums = brute(size, lambda *faces: sum(faces))
    for damage in range(6 * size + 3):
        wanted = sum(chance for total, chance in sums.items() if total <= damage)
        assert odds.sinking(size, damage, exact=True) == wanted


def test_one_point_sinks_the_smallest_ship_in_one_of_six():
    assert odds.sinking(1, 1, exact=True) == Fraction(1, 6)
    assert odds.sinking(2, 1, exact=True) == 0
    assert odds.sinking(6, 36, exact=True) == 1


def test_survival_falls_turn_by_turn():
    afloat = odds.survival(4, 12, 5)
    assert afloat.index.tolist() == [0, 1, 2, 3, 4, 5]
    for turn in range(6):
        assert afloat[turn] == pytest.approx((1 - 145 / 432) ** turn, rel=1e-13)


def test_the_sinking_table_is_that_of_the_single_odds():
    table = odds.sinking_table()
    assert table.loc[12, 4] == odds.sinking(4, 12)
    assert table.columns.tolist() == [1, 2, 3, 4, 5, 6]
    assert table.index.tolist() == list(range(37))
    assert (table.diff().dropna() >= 0).all(axis=None)


@pytest.mark.parametrize("strength", range(1, 11))
@pytest.mark.parametrize("wounds", ["0", "d3", "d6"])
def test_damage_of_every_strength_by_all_faces(strength, wounds, brute):
    def more(face):
        return {"0": 0, "d3": (face + 1) // 2, "d6": face}[wounds]

    for location, off in (("soft", 8), ("hard", 10)):
        wanted = brute(2, lambda d, w, off=off: max(0, d + strength + more(w) - off))
        found = odds.damage(strength=strength, wounds=wounds, location=location)
        assert {v: found.equal(v, exact=True) for v in wanted} == wanted
    for facing, hard in HARD_UP_TO.items():
        wanted = brute(
            3,
            lambda at, d, w, hard=hard: max(0, d + strength + more(w) - (10 if at <= hard else 8)),
        )
        found = odds.damage(strength=strength, wounds=wounds, facing=facing)
        assert {v: found.equal(v, exact=True) for v in wanted} == wanted


def test_a_bow_does_its_point_as_in_the_document():
    assert odds.damage("bow", location="soft").at_least(1, exact=True) == Fraction(1, 6)
    assert odds.damage("bow", location="soft").max == 1
    assert odds.damage("bow", location="hard").max == 0
    by_side = [odds.damage("bow", facing=f).at_least(1, exact=True) for f in HARD_UP_TO]
    assert by_side == [Fraction(1, 36), Fraction(1, 18), Fraction(1, 9)]


def test_a_great_cannon_does_4_to_14_soft_and_2_to_12_hard():
    soft, hard = (odds.damage("great cannon", location=at) for at in ("soft", "hard"))
    assert (soft.min, soft.max, hard.min, hard.max) == (4, 14, 2, 12)
    assert soft.equal(4, exact=True) == Fraction(1, 36)


def test_stones_come_from_above_and_hit_soft():
    hole = odds.damage("stone thrower", facing="front")
    assert (hole.min, hole.max) == (2, 12)
    assert hole.equal(12, exact=True) == Fraction(1, 36)
    plain = odds.damage(
        "stone thrower", facing="front", rules=HouseRules(template_on_ship="always 4")
    )
    assert plain.at_least(1, exact=True) == Fraction(1, 3)


@pytest.mark.parametrize("points", range(8))
def test_extra_damage_needs_a_face_twice(points, brute):
    found = odds.extra_damage(points)
    assert found.index.tolist() == [
        "hatches",
        "sails or oars",
        "crew",
        "hull",
        "captain",
        "waterline",
    ]
    for face, name in enumerate(found.index, start=1):
        shown = brute(points, lambda *faces, face=face: faces.count(face) >= 2 and len(faces) > 1)
        assert found[name] == pytest.approx(float(shown.get(True, 0)), rel=1e-13)


@pytest.mark.parametrize("rank", ["", "hero", "lord"])
@pytest.mark.parametrize("marker", ["wreckage", "debris"])
def test_swimmers_by_save_rank_and_marker(rank, marker, brute):
    for save in range(1, 8):
        bonus = {1: -1, 2: -1, 3: -1, 4: 0, 5: 0, 6: 1, 7: 1}[save]
        bonus += {"": 0, "hero": 1, "lord": 2}[rank] - (marker == "debris")
        wanted = brute(1, lambda face, bonus=bonus: face + bonus >= 5).get(True, Fraction(0))
        assert odds.rescue(save, marker=marker, rank=rank, exact=True) == wanted


def test_a_save_of_5_lives_among_debris_on_a_6_only():
    assert odds.rescue(5, marker="debris", exact=True) == Fraction(1, 6)
    assert odds.rescue(5, exact=True) == Fraction(1, 3)


def test_house_rules_of_the_rescue():
    plus = HouseRules(wreck_save_sign="plus 1")
    assert odds.rescue(3, exact=True, rules=plus) == Fraction(1, 2)
    assert odds.rescue(3, exact=True) == Fraction(1, 6)
    natural = HouseRules(wreck_natural="1 and 6")
    assert odds.rescue(2, marker="debris", exact=True) == 0
    assert odds.rescue(2, marker="debris", exact=True, rules=natural) == Fraction(1, 6)
    assert odds.rescue(7, rank="lord", exact=True) == Fraction(5, 6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: odds.sinking(0, 5), "size: got 0, allowed is a whole number from 1 to 6"),
        (lambda: odds.sinking(7, 5), "size: got 7"),
        (lambda: odds.sinking(4, -1), "damage: got -1"),
        (lambda: odds.damage(strength=11, facing="side"), "strength: got 11"),
        (lambda: odds.damage("bow"), "facing: got None, allowed are 'front', 'side', 'rear'"),
        (lambda: odds.damage("bow", facing="top"), "facing: got 'top'"),
        (lambda: odds.damage("bow", location="deck"), "location: got 'deck'"),
        (lambda: odds.damage("trebuchet", facing="side"), "weapon: got 'trebuchet'"),
        (lambda: odds.damage("bow", strength=4, facing="side"), "None beside a weapon"),
        (lambda: odds.damage(strength=4, wounds="d6 or so", facing="side"), "wounds: got"),
        (lambda: odds.damage(facing="side"), "weapon: got None"),
        (lambda: odds.rescue(8), "save: got 8"),
        (lambda: odds.rescue(5, marker="buoy"), "marker: got 'buoy'"),
        (lambda: odds.rescue(5, rank="king"), "rank: got 'king'"),
        (lambda: odds.extra_damage(-1), "points: got -1"),
        (lambda: odds.survival(4, 12, -1), "turns: got -1"),
        (lambda: odds.sinking(4, 12, rules="none"), "rules: got 'none'"),
        (lambda: sea_battles.size_of(12.5), "length: got 12.5"),
        (lambda: sea_battles.size_of(0), "length: got 0"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        call()
