"""Rams both ways, fire, and what sinks of it, against all faces listed."""

from fractions import Fraction
from itertools import product

import pytest

from navkit import Exact, InputError, Sampled, Scripted
from navkit.rulebooks.sea_battles import HouseRules, Ship, Unit, fire, odds, ram
from navkit.rulebooks.sea_battles.rams import strength, wounds

BIG, SMALL = Ship("Big", 6, "oars", 8), Ship("Small", 3, "sails", 8)
FIVE, FOUR = Ship("Five", 5, "sails", 8), Ship("Four", 4, "sails", 8)


def test_strength_is_twice_ones_size_less_the_others():
    assert strength(6, 3) == 9
    assert (strength(5, 4), strength(4, 5)) == (6, 3)
    assert (strength(6, 1), strength(1, 6)) == (10, 1)
    for own, foe in product(range(1, 7), repeat=2):
        assert strength(own, foe) == min(10, max(1, 2 * own - foe))


def test_wounds_by_the_run():
    d3 = HouseRules(ram_at_10="d3")
    for run, rules, most in ((15, None, 6), (10, None, 6), (10, d3, 3), (9.9, None, 3), (0, d3, 3)):
        assert wounds(run, rules).max == most
    assert wounds(15, HouseRules(cm_per_inch=1.0)).max == 3


def test_the_ram_of_the_document():
    """Size 5 into the rear of a Size 4 after 15 cm: soft D6 + 6 + D6 − 8, and nothing back."""
    history = ram(FIVE, FOUR, facing="rear", run=15, chance=Scripted([3, 4, 5, 5, 6, 20]))
    assert history.mean("b", "damage").tolist() == [7, 7]
    assert history.mean("a", "damage").tolist() == [0, 0]
    whys = history.log["why"].tolist()
    assert whys == [
        "hard or soft",
        "damage, and wounds",
        "damage, and wounds",
        "hard or soft",
        "damage",
        "sinking",
    ]


@pytest.mark.parametrize(("run", "more"), [(20, 6), (5, 3)])
@pytest.mark.parametrize("facing", ["front", "side", "rear"])
def test_damage_of_a_ram_both_ways(run, more, facing):
    hard = {"front": 5, "side": 4, "rear": 2}[facing]
    history = ram(BIG, SMALL, facing=facing, run=run, chance=Exact())
    rammed, back = {}, {}
    for at, face, die in product(range(1, 7), repeat=3):
        extra = die if more == 6 else (die + 1) // 2
        points = min(18, max(0, face + 9 + extra - (10 if at <= hard else 8)))
        rammed[points] = rammed.get(points, 0) + Fraction(1, 216)
        mine = max(0, face + 1 - (10 if at <= 5 else 8))
        back[mine] = back.get(mine, 0) + Fraction(1, 216)
    for side, wanted in (("b", rammed), ("a", back)):
        found = history.distribution(side, "damage", 0)
        for points, chance in wanted.items():
            assert found.equal(points) == pytest.approx(float(chance), rel=1e-12)
    sinks = sum(
        chance * odds.sinking(3, points, exact=True) for points, chance in rammed.items() if points
    )
    assert history.outcome()["a"] == pytest.approx(float(sinks), rel=1e-9)


def test_the_rammer_is_hit_in_front_or_where_she_touches():
    rules = HouseRules(ram_facing="by contact")
    even = Ship("Even", 3, "oars", 8)
    front = ram(even, SMALL, own_facing="rear", chance=Exact())
    rear = ram(even, SMALL, own_facing="rear", chance=Exact(), rules=rules)
    assert rear.mean("a", "damage")[0] > front.mean("a", "damage")[0]


def test_models_stand_and_shoot_at_a_ram():
    archers = Ship("Archers", 1, "sails", 8, troops=(Unit("Empire archer", 20),))
    script = Scripted([2, 1, 0, 5, 1, 1, 5, 1, 5])
    history = ram(FOUR, archers, facing="side", chance=script)
    first = history.log.iloc[0]
    # 5 models of a Size 1 ship; BS 3 at a large target, −1 at a charge: 4+
    assert (first["why"], first["dice"]) == ("long bow: hits", "5 shots≥4")
    assert first["rule"] == "S-112"
    flyers_only = HouseRules(stand_and_shoot="flyers only")
    log = ram(FOUR, archers, chance=Scripted([5, 6, 6, 5, 1, 5]), rules=flyers_only).log
    assert "long bow: hits" not in log["why"].tolist()


def test_a_ram_brings_no_extra_damage():
    history = ram(BIG, SMALL, facing="rear", chance=Sampled(fights=1024))
    whys = {why for n in range(20) for why in history.replay(n).log["why"]}
    assert "extra damage" not in whys


def test_fire_turn_by_turn():
    """One bolt thrower that always has its shot: to hit 3+ (BS 3, large), then D6+6+D3."""
    shooter = Ship("Bolt", 1, "oars", 8, guns=("bolt thrower",))
    target = Ship("Hulk", 1, "oars", 8)
    history = fire(shooter, target, turns=1, distance=10, facing="rear", chance=Exact())
    damage = {0: Fraction(1, 3)}
    for at, face, die in product(range(1, 7), repeat=3):
        points = min(6, max(0, face + 6 + (die + 1) // 2 - (10 if at <= 2 else 8)))
        damage[points] = damage.get(points, 0) + Fraction(2, 3) * Fraction(1, 216)
    # extra damage of 2 points or more may sink her too: bounds hold without it and with it
    sunk = history.cause("b")["sunk"][1]
    by_roll = sum(
        chance * odds.sinking(1, points, exact=True) for points, chance in damage.items() if points
    )
    assert float(by_roll) < sunk < float(sum(c for p, c in damage.items() if p))


def test_fire_of_a_ship_that_is_damaged_already():
    hulk = Ship("Hulk", 4, "sails", 8)
    nobody = Ship("Nobody", 1, "sails", 8)
    history = fire(nobody, hulk, turns=3, damage=12, chance=Exact())
    afloat = 1 - history.table()["a"]
    assert afloat.tolist() == pytest.approx(odds.survival(4, 12, 3).tolist(), rel=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: strength(0, 3), "size: got 0"),
        (lambda: ram(BIG, SMALL, facing="bow"), "facing: got 'bow'"),
        (lambda: ram(BIG, SMALL, run=-1), "run: got -1"),
        (lambda: fire(BIG, SMALL, distance=-1), "distance: got -1"),
        (lambda: fire(BIG, SMALL, damage=19), "damage: got 19"),
        (lambda: fire(BIG, SMALL, turns=0), "turns: got 0"),
        (lambda: ram(BIG, "Small"), "b: got 'Small'"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
