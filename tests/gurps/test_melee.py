"""Rams, and boardings with guns, breaking off, player characters and mages, by hand and by odds."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest

import navkit as nk
from navkit.engine.branches import distribution
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps.damage import casualties
from navkit.rulebooks.gurps.ramming import ram_damage
from navkit.rulebooks.gurps.sides import ready_side

DEFAULT = gurps.HouseRules()


@pytest.mark.parametrize(
    ("rammer", "target", "run", "points"),
    [
        ("Sloop", "Schooner", 2, (30, 8)),
        ("70-gun military", "Sloop", 2, (70, 6)),
        ("Brig", "Barquentine", 1, (40, 8)),
    ],
)
def test_rams_of_the_document(rammer, target, run, points):
    assert ram_damage(gurps.ship(rammer), gurps.ship(target), run=run) == points


def test_readings_of_rams():
    sloop, big = gurps.ship("Sloop"), gurps.ship("70-gun military", scale=100, damage="5d")
    assert ram_damage(sloop, big, run=2) == (3, 14)
    by_rammer = gurps.HouseRules(ram_scale_mixed="rammer")
    assert ram_damage(sloop, big, run=2, rules=by_rammer) == (30, 14)
    before = gurps.HouseRules(ram_run="hexes before")
    assert ram_damage(sloop, gurps.ship("Schooner"), run=2, rules=before) == (20, 6)


def test_a_ram_costs_no_hands_and_a_boarding_follows():
    a, b = gurps.ship("Sloop"), gurps.ship("Schooner")
    h = gurps.ram(a, b, run=2, turns=2, chance=nk.Scripted([10, 10, 10, 10]))
    assert (h.mean("a", "hull")[0], h.mean("b", "hull")[0]) == (442, 870)
    assert (h.mean("a", "crew")[0], h.mean("b", "crew")[0]) == (8, 10)
    assert h.mean("b", "dr")[0] == 2
    # 8 hands deal 2, 10 deal 2: contests tie
    assert (h.mean("a", "crew")[1], h.mean("b", "crew")[1]) == (6, 8)


def test_both_ships_may_sink_in_a_ram(make_small):
    h = gurps.ram(make_small(hull=4), make_small(hull=10, dr=9), run=3, turns=1)
    assert h.outcome()["both"] == 1
    assert h.cause("a")["sunk"].iloc[0] == 1


def test_breaking_off_by_hand():
    """Sloop has fewer hands and tries: 12 − 3 = 9 against 12. It must win the contest."""
    orders = (gurps.Orders(leaves="outnumbered"), gurps.Orders())
    a, b = gurps.ship("Sloop"), gurps.ship("Brig")
    for rolls, apart in [((8, 12), True), ((9, 12), False), ((9, 13), True), ((10, 12), False)]:
        h = gurps.board(a, b, turns=1, chance=nk.Scripted(list(rolls)), orders=orders)
        assert bool(h.probability("a", "apart", at_least=1)[1]) == apart
        # the blows fall all the same: 23 hands deal 5, and the margin of the contest
        margin = (9 - rolls[0]) - (12 - rolls[1])
        assert h.mean("a", "crew")[1] == max(0, 8 - 5 - max(0, -margin))


@pytest.mark.parametrize(("reading", "gone"), [("must win", 0), ("not lose", 1), ("always", 1)])
def test_readings_of_breaking_off(reading, gone):
    orders = (gurps.Orders(leaves="always"), gurps.Orders())
    h = gurps.board(
        gurps.ship("Brig"),
        gurps.ship("Brig"),
        turns=1,
        chance=nk.Scripted([9, 12]),
        rules=gurps.HouseRules(disengage=reading),
        orders=orders,
    )
    assert h.probability("b", "apart", at_least=1)[1] == gone


def test_both_break_off_whatever_falls():
    orders = (gurps.Orders(leaves="always"),) * 2
    h = gurps.board(gurps.ship("Brig"), gurps.ship("Brig"), turns=4, orders=orders)
    assert h.probability("a", "apart", at_least=1).iloc[1] == pytest.approx(1)
    assert h.outcome()["stalemate"] == pytest.approx(1)


def test_guns_take_hands_from_the_boarding():
    """Brig mans 3 guns, 6 hands: 3d of 5d6 against DR 1 · 3; the other 17 hands deal 3."""
    orders = (gurps.Orders(guns=3), gurps.Orders())
    a, b = gurps.ship("Brig"), gurps.ship("Sloop", crew=20)
    script = nk.Scripted([12, 10, 10, 10])
    h = gurps.board(a, b, turns=1, chance=script, orders=orders)
    assert h.mean("b", "hull")[1] == 450 - (3 * 10 - 3)
    # 27 points: one hand; then 20 − 1 hands deal 4, and 17 deal 3
    assert h.mean("b", "crew")[1] == 20 - 1 - 3
    assert h.mean("a", "crew")[1] == 23 - 4
    assert h.log["why"].tolist() == ["attack", "damage", "boarding", "boarding"]


def test_player_characters_by_hand():
    """Heroes of a bind 4 of b's 30 hands and fell 5, but face only 4; the other 26 deal 5."""
    party = gurps.Party(binds=4, fells="d2")
    orders = (gurps.Orders(party=party), gurps.Orders())
    a, b = gurps.ship("Sloop", crew=20), gurps.ship("Brig", crew=30)
    h = gurps.board(a, b, turns=1, chance=nk.Scripted([10, 10, 5]), orders=orders)
    assert h.mean("a", "crew")[1] == 20 - 5
    assert h.mean("b", "crew")[1] == 30 - 4 - 4
    assert h.log["side"].tolist() == ["a", "b", "a"]
    assert h.log["rule"].tolist()[2] == "G-121"


def test_player_characters_against_all_faces():
    """One turn with heroes who fell d2 a round of 3 bound foes; contests always tie at 0 bonus."""
    party = gurps.Party(binds=3, fells="d2")
    orders = (gurps.Orders(party=party), gurps.Orders())
    a, b = gurps.ship("Sloop", crew=10), gurps.ship("Sloop", crew=10)
    rules = gurps.HouseRules(boarding_margin="own margin")
    found = gurps.board(a, b, turns=1, chance=nk.Exact(), orders=orders, rules=rules)
    rolls = np.bincount([sum(f) for f in product(range(1, 7), repeat=3)], minlength=19)
    expected: dict[int, float] = {}
    for x, y in product(range(3, 19), repeat=2):
        own = 12 - x if x < y else 0
        out = min(max(0, 2 + max(0, own)), 10 - 3) + 3
        expected[10 - out] = expected.get(10 - out, 0) + rolls[x] * rolls[y] / 216**2
    left = found.distribution("b", "crew", 1)
    for crew, chance in expected.items():
        assert left.equal(crew) == pytest.approx(chance, abs=1e-12)


def test_exact_and_sampled_agree_with_all_orders():
    orders = (
        gurps.Orders(guns=2, leaves="outnumbered"),
        gurps.Orders(guns=1, party=gurps.Party(binds=2, fells="d2")),
    )
    a = gurps.ship("Sloop", crew=9, hull=60, damage="d")
    b = gurps.ship("Sloop", crew=12, hull=60, damage="d")
    exact = gurps.board(a, b, turns=3, chance=nk.Exact(), orders=orders)
    sampled = gurps.board(a, b, turns=3, chance=nk.Sampled(20_000), orders=orders)
    assert exact.outcome().sum() + exact.lost == pytest.approx(1, abs=1e-12)
    parted = exact.probability("a", "apart", at_least=1)
    for turn in (1, 2, 3):
        number = round(sampled.probability("a", "apart", at_least=1)[turn] * 20_000)
        assert binomtest(number, 20_000, min(1.0, parted[turn])).pvalue > 1e-6 / 12
        for name in ("a", "b", "both"):
            chance = min(1.0, exact.table().loc[turn, name])
            number = round(sampled.table().loc[turn, name] * 20_000)
            assert binomtest(number, 20_000, chance).pvalue > 1e-6 / 12


def test_a_mage_heals_three_times_in_a_fight(make_small):
    """15 fatigue: 3 spells, the dying first, fit at once; they do not come back."""
    ship = make_small(crew=20, officers=gurps.Officers(fatigue=15))
    side = ready_side(ship, DEFAULT)
    hit = np.array([4], dtype=np.int32)
    side = casualties(side, ship, hit, DEFAULT)  # 2 dying, 2 wounded: both saved, one mended
    assert (int(side.crew[0]), int(side.dead[0]), int(side.wounded[0])) == (19, 0, 1)
    assert int(side.spells[0]) == 0
    side = casualties(side, ship, hit, DEFAULT)
    assert (int(side.crew[0]), int(side.dead[0]), int(side.wounded[0])) == (15, 2, 3)


def test_powerstones_and_fatigue_are_one_pool():
    assert gurps.Officers(fatigue=15, powerstone=1).spells == 4


def test_the_surgeon_has_one_budget_a_turn(make_small):
    ship = make_small(crew=20, officers=gurps.Officers(leadership=2, medic=2))
    side = ready_side(ship, DEFAULT)
    hit = np.array([2], dtype=np.int32)
    # first one hand is kept fit and one life saved; then nothing is left of his level
    for crew in (19, 17, 15):
        side = casualties(side, ship, hit, DEFAULT)
        assert int(side.crew[0]) == crew


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: gurps.Orders(leaves="soon"), "leaves: got 'soon'"),
        (lambda: gurps.Orders(guns=-1), "guns: got -1"),
        (lambda: gurps.Orders(party="us"), "party: got 'us'"),
        (lambda: gurps.Party(binds=-1, fells="1"), "binds: got -1"),
        (lambda: gurps.Party(binds=1, fells="d2-4"), "fells: got 'd2-4'"),
        (lambda: gurps.Party(binds=1, fells="some"), "column 1"),
        (lambda: gurps.ram(gurps.ship("Brig"), gurps.ship("Brig"), run=0), "run: got 0"),
        (lambda: gurps.Officers(fatigue=-4), "fatigue: got -4"),
        (
            lambda: gurps.board(gurps.ship("Brig"), gurps.ship("Brig"), orders=("a", "b")),
            "orders of a: got 'a'",
        ),
        *(
            (partial(resolve, gurps.ship("Brig"), gurps.ship("Sloop"), orders=orders), said)
            for resolve in (gurps.board, gurps.ram)
            for orders, said in (
                (None, "orders: got None"),
                (gurps.Orders(), "orders: got Orders"),
                ((gurps.Orders(),) * 3, "orders: got"),
                (("x", "y"), "orders of a: got 'x'"),
            )
        ),
    ],
)
def test_bad_input(make, said):
    with pytest.raises(nk.InputError, match=said):
        make()


def test_felled_foes_are_at_most_those_faced():
    party = gurps.Party(binds=2, fells="2d6")
    found = distribution(lambda chance: np.minimum(chance.roll(party.rounds, why="x"), party.binds))
    assert found.max == 2
