"""The bench of GURPS/Naval Combat: a ship built live, and odds that follow."""

import pytest

import navkit as nk
from navkit import explorers
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps import bench


@pytest.fixture
def opened():
    found = explorers.builder(gurps)
    found.set(fights=1000, turns=6)
    yield found
    found.close()


@pytest.mark.parametrize("name", gurps.library()["name"])
def test_a_ready_ship_to_start_from_brings_its_sheet(opened, name):
    opened.set(ready=name)
    assert opened.ship == gurps.ship(name, name="Tern Schooner II")


def test_the_views_follow_the_sheet(opened):
    opened.set(ready="Brig", name="Prize", foe="Brig")
    assert opened.tables["sheet"].loc["guns", "value"] == 15
    assert opened.words["sheet"] == "15 guns, but hands for 11 of them at once."
    before = opened.tables
    opened.set(left=9, right=9, crew=40, kph=20.3)
    assert opened.ship.cannons == (9, 9, 1, 0)
    assert opened.tables["sheet"].loc["guns", "value"] == 19
    assert opened.words["sheet"] == "Nothing odd about it."
    after = opened.tables
    assert after["duel"]["Prize wins"].iloc[-1] > before["duel"]["Prize wins"].iloc[-1]
    assert after["boarding"]["Prize wins"].iloc[-1] > before["boarding"]["Prize wins"].iloc[-1]
    assert before["broadsides"].loc["hits"].tolist() == ["74.1 %", "74.1 %"]
    assert list(after["broadsides"]) == ["Prize", "Brig"]


def test_the_odds_are_those_of_the_resolvers(opened):
    opened.set(ready="Sloop", foe="Schooner", seed=4)
    own, foe = opened.ship, gurps.ship("Schooner")
    fought = gurps.duel(own, foe, turns=6, chance=nk.Sampled(fights=1000, seed=4))
    assert opened.tables["duel"].iloc[-1, 0] == fought.outcome()["a"]
    boarded = gurps.board(own, foe, turns=6, chance=nk.Exact())
    assert opened.tables["boarding"].iloc[-1, 1] == pytest.approx(boarded.outcome()["b"])


def test_a_long_sample_is_the_same_whether_taken_in_steps_or_not(opened):
    opened.set(ready="Sloop", foe="Schooner", fights=6000)
    fought = gurps.duel(
        opened.ship, gurps.ship("Schooner"), turns=6, chance=nk.Sampled(fights=6000, seed=1)
    )
    assert opened.tables["duel"].iloc[-1, 0] == pytest.approx(fought.outcome()["a"])


def test_large_boardings_show_a_sample_first():
    settings = {each.name: each.value for each in bench.BENCH.controls}
    settings |= {"rules": gurps.HouseRules(), "turns": 3, "crew": 300}
    quick, full = bench.boarded(settings)
    assert quick.error.iloc[-1, 0] > 0
    assert (full.error == 0).all(axis=None)


def test_two_ships_of_one_name_are_told_apart(opened):
    opened.set(name="Brig", foe="Brig")
    assert list(opened.tables["duel"]) == ["Brig wins", "Brig (ready) wins"]


def test_what_cannot_be_is_told_in_words(opened):
    opened.set(damage="5dx")
    assert opened.words["sheet"].startswith("These settings do not work. '5dx', column 4")
    with pytest.raises(nk.InputError, match="'5dx', column 4"):
        opened.ship  # noqa: B018
    opened.set(damage="6d")
    assert opened.ship.damage == "6d"
    with pytest.raises(nk.InputError, match="kph: got 'fast', allowed is a number"):
        opened.set(kph="fast")
    with pytest.raises(nk.InputError, match="name: got 4, allowed is a text"):
        opened.set(name=4)


def widgets_of(box):
    yield box
    for child in getattr(box, "children", ()):
        yield from widgets_of(child)


def shown(opened):
    """The texts that can be seen."""
    texts = [each for each in widgets_of(opened) if hasattr(each, "placeholder")]
    return [each.value for each in texts if each.layout.visibility != "hidden"]


def test_tables_are_shown_and_hidden_when_they_are_of_other_settings(opened):
    opened.set(name="A & B")
    assert any("<b>A &amp; B: Move 2, 14 guns" in text for text in shown(opened))
    assert any("16.1 kph, from 10.5 to 17.5</td>" in text for text in shown(opened))
    opened.set(name=" ")
    assert not any("14 guns" in text or "<td" in text for text in shown(opened))
    opened.set(name="C")
    assert any("<b>C: Move 2, 14 guns" in text for text in shown(opened))


def test_reset_puts_the_first_sheet_back(opened):
    opened.set(ready="70-gun military", crew=650)
    opened.reset()
    assert opened.ship == gurps.ship("Tern Schooner", name="Tern Schooner II")
    opened.set(crew=42)
    with pytest.raises(nk.InputError, match="crew: got 650"):
        opened.set(crew=650)


def test_only_a_rulebook_has_a_bench():
    with pytest.raises(nk.InputError, match="rulebook: got"):
        explorers.builder(pytest)


def test_house_rules_count(opened):
    opened.set(ready="Brig", rules=gurps.HouseRules(skeleton_gunners="spare hands"))
    assert opened.words["sheet"] == "15 guns, but hands for 8 of them at once."
