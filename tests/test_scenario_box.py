"""The box of a scenario: copied, pasted, loaded, saved, swapped, duplicated; errors as text."""

import pytest
import traitlets

from navkit.explorers.scenario_box import ScenarioBox
from navkit.rulebooks import gurps, sea_battles
from navkit.scenario import Scenario


@pytest.fixture
def box():
    brig, sloop = gurps.ship("Brig", crew=30), gurps.ship("Sloop")
    return ScenarioBox(Scenario("gurps", "duel", brig, sloop, title="Tonight"))


def other():
    hammer, anvil = sea_battles.ship("Hammer"), sea_battles.ship("Anvil")
    return Scenario("sea_battles", "fire", hammer, anvil, parameters={"facing": "rear"})


def test_it_shows_a_text_that_opens_the_same_fight(box):
    assert Scenario.from_text(box.short_text) == box.value
    assert box.short_text in box._text.value
    assert box.title.value == "Tonight"


def test_a_fight_that_is_assigned_is_shown(box):
    box.value = other()
    assert Scenario.from_text(box.short_text) == other()
    assert box.title.value == ""
    assert "<b>Hammer</b> (a) against <b>Anvil</b> (b), fire" in box._text.value


def test_a_text_that_is_pasted_becomes_the_value_and_the_field_is_free_again(box):
    seen = []
    box.observe(lambda change: seen.append(change.new), "value")
    box.paste.value = f"  {other().to_text()} "
    assert box.value == other()
    assert seen == [other()]
    assert box.paste.value == ""
    assert box.said == ""
    box.paste.value = other().to_text()
    assert box.paste.value == ""


@pytest.mark.parametrize("text", ["hello", "navkit:", "navkit:eNo", "<b>navkit</b>"])
def test_a_wrong_text_is_told_and_left_to_be_mended(box, text):
    before = box.value
    box.paste.value = text
    assert box.value == before
    assert box.paste.value == text
    assert "scenario: got" in box.said
    assert "<b>" not in box._notice.value
    box.swap.click()
    assert (box.said, box.paste.value) == ("", "")
    box.paste.value = text
    assert "scenario: got" in box.said


def test_swap_and_duplicate(box):
    box.duplicate.click()
    assert (box.value.title, box.title.value) == ("Tonight (2)", "Tonight (2)")
    box.swap.click()
    assert [box.value.a.name, box.value.b.name] == ["Sloop", "Brig"]


def test_the_title_is_changed_or_stays_with_a_word_why(box):
    box.title.value = "Tomorrow"
    assert box.value.title == "Tomorrow"
    assert Scenario.from_text(box.short_text).title == "Tomorrow"
    box.title.value = "x" * 300
    assert box.value.title == box.title.value == "Tomorrow"
    assert "title: got" in box.said


def test_saved_and_loaded(box, tmp_path):
    tonight, path = box.value, tmp_path / "fight.json"
    box.file.value = str(path)
    box.save.click()
    assert box.said == f"saved to {path}"
    box.swap.click()
    box.load.click()
    assert box.value == tonight
    assert box.said == f"opened {path}"
    box.swap.click()
    box.save.click()
    assert Scenario.load(path) == tonight.swapped()


def test_a_file_that_was_there_is_replaced_only_when_asked_twice(box, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    box.file.value = str(path)
    box.save.click()
    assert path.read_text() == "mine"
    assert "press Save again" in box.said
    box.save.click()
    assert Scenario.load(path) == box.value


@pytest.mark.parametrize(
    ("name", "content"), [("none.json", None), ("", None), ("a\0b", None), ("bad.json", "{}")]
)
def test_what_cannot_be_loaded_is_told(box, name, content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / name).write_text(content)
    before = box.value
    box.file.value = name
    box.load.click()
    assert box.said
    assert box.value == before


def test_a_folder_that_is_not_there(box, tmp_path):
    box.file.value = str(tmp_path / "none" / "fight.json")
    box.save.click()
    assert "No such file" in box.said


def test_a_fight_too_long_for_a_text_is_told(box, tmp_path):
    noise = "".join(map(chr, range(0x4E00, 0x4E00 + 14_000)))
    box.value = Scenario("gurps", "duel", gurps.ship("Brig", name=noise), gurps.ship("Sloop"))
    assert box.short_text == ""
    assert "save it to a file" in box.said


def test_nothing_but_a_scenario(box):
    with pytest.raises(traitlets.TraitError):
        box.value = "navkit:"
