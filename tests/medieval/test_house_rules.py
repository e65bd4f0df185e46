"""House rules: described, checked, and each of them moving something."""

import pytest

import navkit as nk
from navkit.rulebooks import medieval
from navkit.rulebooks.medieval import Doctrine, HouseRules, Ship

CAPTURES = {"sink_group", "transfer", "fire_rescue", "drift_dir"}
"""Held by the tests of grapnels, captures and movement."""
FLEETS = {"morale_outnumber", "outnumbered_at", "contact", "flee_grappled"}


def test_five_are_prominent_and_all_are_described():
    readings = list(HouseRules.readings())
    assert sum(reading.prominent for reading in readings) == 5
    assert all(reading.note and reading.where and reading.options for reading in readings)


@pytest.mark.parametrize("name", [reading.name for reading in HouseRules.readings()])
def test_an_unknown_reading_is_refused(name):
    with pytest.raises(nk.InputError, match=f"house rule {name}: got 'other'"):
        HouseRules(**{name: "other"})


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        (rule.name, option)
        for rule in HouseRules.readings()
        for option in rule.options[1:]
        if rule.name not in CAPTURES | FLEETS
    ],
)
def test_every_reading_moves_the_odds_of_a_boarding(name, reading):
    a = [Ship("A", kind="round", siphon=True, crew=15), Ship("A2", flagship=True)]
    b = Ship("B", kind="round", high=True, flagship=True, crew=19)
    told = {"turns": 5, "grappled": True, "break_off": (6, 10), "flanking": (1, 0)}
    usual = medieval.board(a, b, **told, chance=nk.Exact())
    other = medieval.board(a, b, **told, rules=HouseRules(**{name: reading}), chance=nk.Exact())
    if name == "admiral":
        moved = abs(usual.mean("b", "admiral") - other.mean("b", "admiral")).max()
    else:
        moved = abs(usual.table() - other.table()).to_numpy().max()
    assert moved > 1e-4


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        (rule.name, option)
        for rule in HouseRules.readings()
        for option in rule.options[1:]
        if rule.name in FLEETS
    ],
)
def test_every_reading_moves_the_odds_of_fleets(name, reading):
    a, b = [Ship(f"A{n}") for n in range(6)], [Ship(f"B{n}") for n in range(3)]
    told = {"turns": 12, "doctrines": (Doctrine(), Doctrine(grapples=False))}
    usual, other = (
        medieval.fleet_battle(a, b, chance=nk.Sampled(fights=3000), rules=rules, **told)
        for rules in (HouseRules(), HouseRules(**{name: reading}))
    )
    moved = abs(usual.mean("b", "ships") - other.mean("b", "ships")).max()
    assert moved > 0.1


def test_house_rules_of_another_book_are_refused():
    from navkit.rulebooks import gurps

    with pytest.raises(nk.InputError, match="rules: got"):
        medieval.board(Ship("A"), Ship("B"), rules=gurps.HouseRules())
