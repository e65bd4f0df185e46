"""The calculators, against the worked examples and by hand."""

from fractions import Fraction

import pytest

import navkit as nk
from navkit.rulebooks import medieval
from navkit.rulebooks.medieval import HouseRules, Ship, odds

HALF, SIXTH = Fraction(1, 2), Fraction(1, 6)
LONG = Ship("Longship")


def test_worked_examples():
    assert odds.grapple(exact=True) == HALF
    assert odds.grapple(ram=True, exact=True) == Fraction(2, 3)
    assert odds.cut(exact=True) == HALF
    assert odds.cut(captured=True, tied=True, exact=True) == Fraction(2, 3)
    assert odds.break_contact(exact=True) == HALF
    assert odds.admiral_killed(exact=True) == SIXTH
    assert odds.rescuer_burns(exact=True) == SIXTH
    assert odds.casualties(0).mean == pytest.approx(3.5, abs=1e-15)
    assert odds.casualties(-2).mean == pytest.approx(5 / 3, abs=1e-15)
    assert odds.morale().to_dict() == pytest.approx(
        {"flee": 1 / 3, "halt": 1 / 3, "unshaken": 1 / 3}
    )


def test_floats_are_the_fractions():
    assert odds.grapple() == 0.5
    assert odds.grapple(willing=True, exact=True) == 1
    assert odds.cut(captured=True) == 1.0
    assert odds.admiral_killed(turns=3) == float(1 - Fraction(5, 6) ** 3)
    assert odds.admiral_killed(turns=0) == 0.0


@pytest.mark.parametrize(
    ("reading", "chance"),
    [("both dice", Fraction(1, 4)), ("cut alone", HALF), ("break alone", HALF)],
)
def test_getting_away_when_grappled(reading, chance):
    rules = HouseRules(break_and_cut=reading)
    assert odds.break_contact(grappled=True, rules=rules, exact=True) == chance


def test_readings_of_single_dice():
    each = HouseRules(admiral="each attacker")
    assert odds.admiral_killed(attackers=3, exact=True) == SIXTH
    assert odds.admiral_killed(attackers=3, rules=each, exact=True) == 1 - Fraction(5, 6) ** 3
    again = HouseRules(fire_rescue="each turn")
    assert odds.rescuer_burns(turns=2, exact=True) == SIXTH
    assert odds.rescuer_burns(turns=2, rules=again, exact=True) == Fraction(11, 36)


@pytest.mark.parametrize("modifier", [-9, -6, -5, -1, 0, 3])
def test_casualties_against_all_faces(modifier):
    for reading, least in (("none", 0), ("one", 1)):
        found = odds.casualties(modifier, rules=HouseRules(min_casualty=reading))
        faces = [max(die + modifier, least) for die in range(1, 7)]
        assert found.mean == pytest.approx(sum(faces) / 6, abs=1e-14)
        for value in set(faces):
            assert found.equal(value, exact=True) == Fraction(faces.count(value), 6)


def test_a_boarding_by_turn_is_that_of_the_resolver():
    table = odds.boarding(LONG, LONG, turns=7)
    assert table.equals(medieval.board(LONG, LONG, turns=7).table())
    assert table.index.tolist() == list(range(8))


def test_what_each_factor_is_worth():
    cog = Ship("Cog", kind="round", flagship=True)
    found = odds.worth(LONG, cog)
    assert found["gain"].is_monotonic_decreasing
    base = medieval.board(LONG, cog, turns=None).outcome()["a"]
    siphon = medieval.board(Ship("Longship", siphon=True), cog, turns=None).outcome()["a"]
    assert found.loc["Greek fire siphon", "wins"] == siphon
    assert found.loc["Greek fire siphon", "gain"] == siphon - base
    assert set(found.index) == {
        "one more ship",
        "flagship",
        "Greek fire siphon",
        "high sides",
        "round ship",
        "enemy at half crew",
    }
    assert "flagship" not in odds.worth(Ship("F", flagship=True), cog).index


def test_a_second_ship_leaves_one_flagship():
    found = odds.worth(Ship("F", flagship=True), LONG)
    assert found.loc["one more ship", "wins"] > 0.99


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: odds.grapple(ram=1), "ram: got 1, allowed is True or False"),
        (lambda: odds.cut(tied=True), "tied: got True, allowed is False for a ship"),
        (lambda: odds.casualties(1.5), "modifier: got 1.5"),
        (lambda: odds.casualties(5000), "modifier: got 5000"),
        (lambda: odds.modifier(LONG, "Cog"), "defender: got 'Cog'"),
        (lambda: odds.modifier(LONG, LONG, attackers=0), "attackers: got 0"),
        (lambda: odds.modifier(LONG, LONG, flanking=-1), "flanking: got -1"),
        (lambda: odds.admiral_killed(turns=-1), "turns: got -1"),
        (lambda: odds.rescuer_burns(turns=0), "turns: got 0"),
        (lambda: odds.boarding(LONG, LONG, turns=0), "turns: got 0"),
        (lambda: odds.worth([LONG] * 8, LONG), "a: got '8 ships'"),
        (lambda: odds.morale(rules="default"), "rules: got 'default'"),
    ],
)
def test_what_cannot_be_asked_is_refused(call, message):
    with pytest.raises(nk.InputError, match=message):
        call()
