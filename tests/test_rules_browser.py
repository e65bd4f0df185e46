"""Looking up rules in a notebook: the box, what it finds, and the code of the one chosen."""

import ipywidgets
import pytest

import navkit as nk
from navkit import rules_map
from navkit.explorers import RulesBrowser


@pytest.fixture
def browser():
    opened = RulesBrowser("gurps")
    yield opened
    opened.close()


def widgets_of(box):
    yield box
    for child in getattr(box, "children", ()):
        yield from widgets_of(child)


def text_of(browser):
    return "".join(each.value for each in widgets_of(browser) if type(each) is ipywidgets.HTML)


def box(browser, description):
    return next(
        each for each in widgets_of(browser) if getattr(each, "description", "") == description
    )


def test_all_rules_at_first_and_the_first_is_shown(browser):
    assert len(browser.rules) == 139
    assert browser.rules[0] == "G-01"
    assert "139 found" in text_of(browser)
    assert "<th>Medieval Naval Wargame Rules</th>\n      <td>41</td>" in text_of(browser)
    assert "class Ship:" in text_of(browser)


def test_typing_finds_and_shows(browser):
    box(browser, "search").value = "BACK swings"
    assert browser.rules == ("G-69",)
    assert browser.words == "advanced in gurps/vessel.py; bow in gurps/vessel.py"
    assert "def advanced(vessel: Vessel, turn: Array) -&gt; Vessel:" in text_of(browser)
    assert "move and fire: hexes first and a turn after each" in text_of(browser)
    box(browser, "search").value = "nothing of the kind"
    assert browser.rules == ()
    assert browser.words == ""
    assert "No rule has all these words." in text_of(browser)
    box(browser, "search").value = ""
    assert len(browser.rules) == 139


def test_another_document(browser):
    box(browser, "document").value = "medieval"
    assert browser.rules[0] == "M-01"
    browser.set()
    assert len(browser.rules) == len(rules_map.find())


def test_one_rule_by_number(browser):
    browser.set(document="gurps", rule="G-24")
    assert browser.words == "Ship.guns in gurps/ships.py"
    assert "return sum(self.cannons)" in text_of(browser)


def test_what_is_not_there_is_refused_and_nothing_moves(browser):
    browser.set(document="gurps", search="ram", rule="G-101")
    before = browser.rules, browser.words
    with pytest.raises(nk.InputError, match="document: got 'chess'"):
        browser.set(document="chess")
    with pytest.raises(nk.InputError, match="rule: got 'G-24', allowed are 'G-"):
        browser.set(document="gurps", search="ram", rule="G-24")
    assert (browser.rules, browser.words) == before
    with pytest.raises(nk.InputError, match="document: got 'chess'"):
        RulesBrowser("chess")
