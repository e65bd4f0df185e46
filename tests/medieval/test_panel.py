"""The panel: views that answer quickly, then in full, as the resolvers do."""

import pytest

import navkit as nk
from navkit import charts, explorers
from navkit.rulebooks import medieval
from navkit.rulebooks.medieval import Doctrine, HouseRules
from navkit.rulebooks.medieval.panel import PANEL, ships, squadron

DEFAULTS = {control.name: control.value for control in PANEL.controls} | {"rules": HouseRules()}
VIEWS = {view.name: view for view in PANEL.views}
SMALL = {"fleet_a": 3, "fleet_b": 2, "turns": 4, "fights": 500}


def answers(name, **changes):
    return list(VIEWS[name].answers(DEFAULTS | SMALL | changes))


@pytest.mark.parametrize("name", VIEWS)
def test_every_answer_is_a_chart_of_its_kind(name):
    found = answers(name)
    view = VIEWS[name]
    for answer in found:
        kind = charts.KINDS[view.chart]
        kind.figure(answer.table, error=answer.error, title=answer.title, x=view.x, y=view.y)
        assert answer.title
        assert answer.words.endswith(".")


def test_the_boarding_is_that_of_the_resolver():
    a, b = ships(DEFAULTS)
    h = medieval.board(squadron(a, 2), b, turns=4, chance=nk.Exact())
    (won,) = answers("boarding", attackers=2)
    assert won.table["Dromon wins"].tolist() == h.table()["a"].tolist()
    (crew,) = answers("crew", attackers=2)
    assert crew.table["Cog", 0.5].tolist() == h.quantiles("b", "crew", [0.5])[0.5].tolist()
    assert won.error is None


def test_many_attackers_are_sampled_quickly_and_then_in_full():
    quick, full = answers("boarding", attackers=3)
    assert (quick.error["Dromon wins"] >= full.error["Dromon wins"]).all()
    assert quick.table.shape == full.table.shape


def test_a_worth_that_is_sampled_shows_its_errors():
    quick, full = answers("worth")
    assert (quick.error["gain"] > 0).any()
    assert full.error is None
    assert full.table["gain"].is_monotonic_decreasing


def test_fleets_are_those_of_the_resolver():
    a, b = ships(DEFAULTS)
    h = medieval.fleet_battle(
        squadron(a, 3), squadron(b, 2), turns=4, doctrines=(Doctrine(mass=2),) * 2,
        chance=nk.Sampled(fights=500),
    )  # fmt: skip
    quick, full = answers("morale", mass=2)
    expected = h.probability("b", "fleeing", at_least=1)
    assert full.table["Cog fleet in flight"].tolist() == expected.tolist()
    assert (quick.error.to_numpy() >= full.error.to_numpy()).mean() > 0.7
    assert len(answers("morale", fights=250)) == 1


def test_another_ship_brings_its_own_fittings():
    changed = PANEL.follow("ship_b", DEFAULTS | {"ship_b": "Dromon"})
    assert changed == {"crew_b": 20, "siphon_b": True, "high_b": False}
    assert PANEL.follow("turns", DEFAULTS) == {}


def test_two_ships_of_a_kind_have_two_names():
    a, b = ships(DEFAULTS | {"ship_b": "Dromon"})
    assert (a.name, b.name) == ("Dromon a", "Dromon b")


def test_a_squadron_has_one_flagship_at_most():
    first = medieval.Ship("x", flagship=True)
    assert [ship.flagship for ship in squadron(first, 3)] == [True, False, False]
    assert len({ship.name for ship in squadron(first, 3)}) == 3


def test_the_explorer_shows_all_views_and_house_rules_reach_them():
    panel = explorers.explorer(medieval)
    panel.set(**SMALL)
    before = panel.words
    assert set(before) == set(VIEWS)
    assert set(panel.tables) == set(VIEWS)
    panel.set(rules=HouseRules(retaliation="simultaneous"))
    assert panel.words["boarding"] != before["boarding"]
    panel.swap()
    assert panel.settings["ship_a"] == "Cog"
    panel.close()
