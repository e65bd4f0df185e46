"""The prep sheet: its figures against histories, its swings, its CSV, and its page as HTML."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import islice

import numpy as np
import pandas as pd
import pytest

from navkit import records
from navkit.chance import Exact, Sampled
from navkit.cli import main
from navkit.errors import InputError
from navkit.explorers.prep import Prep
from navkit.pages import summary, to_html
from navkit.rulebooks import gurps, medieval, sea_battles, vehicular_1879
from navkit.scenario import RULEBOOKS, Scenario, rulebook
from navkit.sheet import (
    dial_values,
    from_csv,
    lines,
    number_of,
    prep_sheet,
    preparing,
    to_csv,
    with_number,
)
from navkit.words import NORMAL_95

FIGHTS = 512
VOID = {"meta", "input", "br", "link", "img", "hr"}


def gurps_scenario(**changes):
    a, b = gurps.ship("Schooner"), gurps.ship("Sloop", crew=14)
    told = {"turns": 6, "fights": FIGHTS, "seed": 7, **changes}
    return Scenario("gurps", "duel", a, b, **told)


@pytest.fixture(scope="module")
def sheet():
    return prep_sheet(gurps_scenario(), dial="crew", progress=False)


@pytest.fixture(scope="module")
def exact():
    dromon, cog = medieval.ship("Dromon", crew=12), medieval.ship("Cog")
    return prep_sheet(Scenario("medieval", "board", dromon, cog, turns=4), progress=False)


# Figures


def test_odds_are_those_of_the_history(sheet):
    scenario = sheet.scenario
    history = gurps.duel(
        scenario.a, scenario.b, turns=6, chance=Sampled(FIGHTS, 7), rules=scenario.rules
    )
    for row in sheet.odds.to_dict("records"):
        ways = history.cause(row["side"]).loc[row["turn"]]
        expected = {
            "afloat": 1 - ways["sunk"],
            "still in the fight": 1 - ways.sum(),
            "out of action": ways["out_of_action"],
            **ways[["sunk", "captured"]],
        }[row["event"]]
        assert row["chance"] == pytest.approx(expected, abs=1e-12)
        assert row["error"] > 0
    assert sorted(set(sheet.odds["turn"])) == [1, 3, 5, 6]


def test_what_is_left_is_that_of_the_history(sheet):
    for row in sheet.left.to_dict("records"):
        own = row["side"]
        given = None if row["given"] == "all fights" else ("undecided", own, "stalemate")
        found = sheet.base.quantiles(own, "crew", [0.05, 0.5, 0.95], given).loc[row["turn"]]
        np.testing.assert_array_equal([row[0.05], row[0.5], row[0.95]], found.to_numpy())


def test_what_is_left_while_fighting_counts_only_fights_the_side_has_not_lost(exact):
    """Against the joint distribution, worked out from the outcome and the crew at the end."""
    history = exact.base
    part = exact.left[(exact.left["side"] == "a") & (exact.left["given"] == "still in the fight")]
    low = part[part["turn"] == 4][0.05].item()
    lasting = ["undecided", "a", "stalemate"]
    below = history.probability("a", "crew", at_most=int(low) - 1, given=lasting).iloc[-1]
    up_to = history.probability("a", "crew", at_most=int(low), given=lasting).iloc[-1]
    assert below < 0.05 <= up_to
    assert low >= 1  # a crew of none is overcome


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_meeting_has_a_sheet(name):
    """The first figure of each meeting and decision has quantiles, exact or not; chances add up."""
    module = rulebook(name)
    first, second = (module.ship(each) for each in list(module.library()["name"])[:2])
    assert set(module.desk.DESK.meetings) == set(module.RESOLVERS)
    for fight in module.RESOLVERS:
        scenario = Scenario(name, fight, first, second, turns=2, fights=64)
        sheet = next(preparing(scenario, dial=""))
        assert len(sheet.left) == 2 * 2 * 3
        ends = sheet.odds[sheet.odds["turn"] == 2].set_index(["side", "event"])["chance"]
        for x in "ab":
            assert 0 <= ends[x, "still in the fight"] <= 1
        assert not sheet.ships.empty
        assert not sheet.whole


@pytest.mark.parametrize("name", RULEBOOKS)
def test_decisions_are_whole(name):
    module = rulebook(name)
    ships = [module.ship(each) for each in list(module.library()["name"])[-2:]]
    decisions = module.desk.DESK.decisions
    scenario = Scenario(name, next(iter(module.RESOLVERS)), *ships, turns=2, fights=64)
    sheet = list(islice(preparing(scenario, dial=""), 1 + len(decisions)))[-1]
    assert list(sheet.decisions.index) == [each.name for each in decisions]
    assert sheet.decisions["problem"].eq("").all()
    total = sheet.decisions[["a", "b", "both", "undecided"]].astype(float).sum(axis=1)
    np.testing.assert_allclose(total, 1)


def test_a_decision_that_can_not_be_had_says_why():
    gunboat = vehicular_1879.ship("Paddle gunboat", boarders=None)
    steamer = vehicular_1879.ship("Merchant steamer")
    scenario = Scenario("vehicular_1879", "maneuver", gunboat, steamer, turns=1, fights=64)
    sheet = prep_sheet(scenario, dial="", progress=False)
    assert "boarders" in sheet.decisions.loc["board", "problem"]
    assert "can not be had" in summary(sheet)


# Swings


def test_swings_are_differences_of_fights_with_the_same_dice(sheet):
    a = gurps.desk.DESK.changes(sheet.scenario.a)["ten more hands"]
    luck = Sampled(FIGHTS, 7, ends=True)
    histories = [
        gurps.duel(own, sheet.scenario.b, turns=6, chance=luck) for own in (sheet.scenario.a, a)
    ]
    wins = [(h.ends()["outcome"] == "a").to_numpy().astype(float) for h in histories]
    step = wins[1] - wins[0]
    row = sheet.swings.set_index(["side", "change"]).loc["a", "ten more hands"]
    assert row["difference"] == pytest.approx(step.mean())
    assert row["error"] == pytest.approx(step.std() / np.sqrt(FIGHTS), abs=0.5 / FIGHTS * 4)


def test_hands_and_guns_never_harm(sheet):
    changes = sheet.swings.set_index(["side", "change"])
    for change in ("ten more hands", "one more gun a side", "one point of gunnery"):
        for side, sign in (("a", 1), ("b", -1)):
            row = changes.loc[side, change]
            assert sign * row["difference"] > -NORMAL_95 * row["error"]


def test_exact_swings_are_differences_of_exact_chances(exact):
    assert exact.how == "exact odds"
    scenario = exact.scenario
    assert exact.swings["error"].eq(0).all()
    base = medieval.board(scenario.a, scenario.b, turns=4, chance=Exact()).outcome()["a"]
    for side, change in (("a", "two more crew points"), ("b", "the admiral aboard")):
        ship = medieval.desk.DESK.changes(getattr(scenario, side))[change]
        ships = {"a": scenario.a, "b": scenario.b, side: ship}
        other = medieval.board(ships["a"], ships["b"], turns=4, chance=Exact()).outcome()["a"]
        row = exact.swings.set_index(["side", "change"]).loc[side, change]
        assert row["difference"] == pytest.approx(other - base, abs=1e-12)


def test_a_change_that_can_not_be_had_is_left_out():
    changes = vehicular_1879.desk.DESK.changes
    kettle = vehicular_1879.ship("War kettle")
    captain, *others = kettle.officers
    best = replace(kettle, officers=(replace(captain, rank=100), *others))
    assert set(changes(kettle)) - set(changes(best)) == {"one rank of the captain"}
    changes = sea_battles.desk.DESK.changes
    swift = sea_battles.ship("Swift")
    full = replace(swift, troops=(replace(swift.troops[0], models=38),))
    assert set(changes(swift)) - set(changes(full)) == {"five more High elf archer"}


def test_the_largest_swings_come_first_and_prominent_house_rules_are_all_there(sheet):
    sizes = sheet.swings["difference"].abs()
    assert sizes.is_monotonic_decreasing
    prominent = [rule for rule in gurps.HouseRules.readings() if rule.prominent]
    told = sheet.swings[sheet.swings["side"] == "house rules"]
    assert len(told) == sum(len(rule.options) - 1 for rule in prominent)


# The dial


def test_a_dial_plays_each_pair_of_values(sheet):
    dial = sheet.dial
    assert dial.at == (10, 14)
    assert (len(dial.a), len(dial.b)) == (7, 7)
    one, two = dial.a[0], dial.b[-1]
    ships = gurps.ship("Schooner", crew=one), gurps.ship("Sloop", crew=two)
    expected = gurps.duel(*ships, turns=6, chance=Sampled(FIGHTS, 7)).table()
    pd.testing.assert_frame_equal(dial.histories[one, two].table(), expected)


def test_a_stopped_dial_is_a_smaller_one():
    parts = list(preparing(gurps_scenario(turns=2, fights=64)))
    dials = [part.dial for part in parts if part.dial is not None]
    sizes = dict.fromkeys((len(dial.a), len(dial.b)) for dial in dials)
    assert list(sizes) == [(1, 1), (3, 3), (5, 5), (7, 7)]
    for dial in dials:
        assert set(dial.histories) == {(one, two) for one in dial.a for two in dial.b}
    assert [part.done for part in parts] == list(range(1, parts[-1].wanted + 1))


def test_a_value_at_its_limit_leaves_the_others_on_one_side():
    (sought,) = medieval.desk.DESK.sought
    assert dial_values(medieval.ship("Cog"), sought, 5) == (8, 11, 14, 17, 20)
    assert (
        number_of(
            sea_battles.ship("Hammer", troops=(), characters=(), captain=""), "troops.0.models"
        )
        is None
    )
    assert with_number(sea_battles.ship("Hammer"), "troops.0.models", 5).troops[0].models == 5


# Bad input


def test_bad_input_is_refused_before_anything_is_played():
    cog = medieval.ship("Cog")
    endless = Scenario("medieval", "board", cog, cog, turns=None)
    with pytest.raises(InputError, match="turns: got None"):
        prep_sheet(endless, progress=False)
    with pytest.raises(InputError, match="dial: got 'sails'"):
        prep_sheet(gurps_scenario(), dial="sails", progress=False)


# CSV


def test_csv_comes_back(sheet, exact):
    for each in (sheet, exact):
        assert from_csv(to_csv(each)) == lines(each)
    told = [line for line in lines(sheet) if line.table == "odds"]
    assert [line.value for line in told] == sheet.odds["chance"].tolist()
    text = next(line.text for line in lines(sheet) if line.name == "scenario")
    assert Scenario.from_text(text) == sheet.scenario


def test_csv_refuses_what_is_no_sheet():
    with pytest.raises(records.RecordError):
        from_csv("table,side\nodds,a\n")


# The page


class Page(HTMLParser):
    """Checks that every tag is closed in order; keeps what loads, labels and tables."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.loads, self.tables, self.heads, self.labelled, self.inputs = (
            [],
            [],
            0,
            0,
            set(),
            set(),
        )
        self.texts = []

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        self.loads += [told[name] for name in ("src", "href", "action") if name in told]
        if tag == "th":
            assert told["scope"] in ("row", "col", "rowgroup")
            self.heads += 1
        self.tables += tag == "caption"
        if tag == "label":
            self.labelled.add(told["for"])
        if tag == "input":
            self.inputs.add(told["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.texts.append(data)


def parsed(html):
    page = Page()
    page.feed(html)
    page.close()
    assert not page.open
    return page


def test_the_page_is_well_formed_and_loads_nothing(sheet):
    html = to_html(sheet)
    page = parsed(html)
    assert page.loads == []
    assert page.tables == 5
    assert page.inputs == page.labelled == {"dial-turns", "dial-a", "dial-b"}
    assert "default-src 'none'" in html
    assert len(html) < 3_000_000


def test_the_page_holds_every_fight_of_the_dial(sheet):
    html = to_html(sheet)
    found = re.search(r'<script type="application/json" id="played">(.*?)</script>', html, re.S)
    told = json.loads(found[1])
    assert np.shape(told["charts"]) == (7, 7)
    assert told["values"] == {"a": list(sheet.dial.a), "b": list(sheet.dial.b)}
    columns = told["charts"][0][6]["out"]
    lost = sheet.dial.histories[sheet.dial.a[0], sheet.dial.b[6]].cause("a").sum(axis=1)
    np.testing.assert_allclose(columns["y Schooner"], lost, atol=1e-5)


def test_texts_are_escaped():
    evil = '</script><script>alert("a")</script> & {x}'
    a = gurps.ship("Schooner", name=evil)
    scenario = Scenario("gurps", "duel", a, gurps.ship("Sloop"), turns=1, fights=16, title=evil)
    html = to_html(next(preparing(scenario)))
    page = parsed(html)
    assert "<script>alert" not in html
    assert html.count("</script>") == 4  # BokehJS, the figures, the fights, and the page's own
    assert sum(evil in text for text in page.texts) > 5
    assert not any("&lt;" in text or "&quot;" in text for text in page.texts)  # escaped twice


def test_a_partial_sheet_is_a_page_too():
    first = next(preparing(gurps_scenario(turns=2, fights=16)))
    page = parsed(to_html(first))
    assert page.inputs == {"dial-turns"}
    assert any("Not all of it" in text for text in page.texts)


# The panel


def test_the_panel_prepares_and_saves_without_overwriting(tmp_path):
    galley = medieval.ship("Galley", crew=3)
    told = {"turns": 1, "fights": 16, "title": "Off the Horn"}
    panel = Prep(Scenario("medieval", "board", galley, galley, **told))
    with pytest.raises(InputError, match="sheet: got None"):
        panel.save("csv")
    panel.prepare()
    panel.settle()
    panel.folder.value = str(tmp_path)
    paths = [panel.save("csv"), panel.save("csv"), panel.save("html")]
    assert [path.name for path in paths] == [
        "off-the-horn.csv",
        "off-the-horn-2.csv",
        "off-the-horn.html",
    ]
    assert from_csv(paths[0].read_text("utf-8")) == lines(panel.sheet)
    panel.close()


def test_what_is_done_stays_when_it_is_stopped():
    panel = Prep(gurps_scenario(turns=2, fights=16))
    panel.prepare()
    panel.stop()
    assert panel.sheet.done == 1
    assert "stopped after 1 of" in panel._step.value
    assert "After 2 turns" in panel._summary.value
    panel.close()


def test_the_panel_follows_the_fight_and_the_fight_its_house_rules():
    panel = Prep()
    panel.scenario = wanted = gurps_scenario(
        turns=3, fights=0, rules=gurps.HouseRules(reload="none")
    )
    rules = panel._rules.children[-1]
    assert rules.value == wanted.rules
    assert Scenario.from_text(panel._box.short_text) == wanted
    rules.value = gurps.HouseRules()
    assert panel.scenario == replace(wanted, rules=gurps.HouseRules())
    panel._box.swap.click()
    assert panel.scenario.a == wanted.b
    galley = medieval.ship("Galley")
    panel.scenario = Scenario("medieval", "board", galley, galley, turns=5)
    assert type(panel._rules.children[-1].value) is medieval.HouseRules
    panel.close()


def test_a_sheet_of_another_fight_fades_and_says_whose_it_is():
    wanted = gurps_scenario(turns=2, fights=16)
    panel = Prep(wanted)
    panel.prepare()
    panel.settle()
    assert "opacity: 1" in panel._summary.value
    panel.scenario = replace(wanted, turns=3)
    assert "opacity: 0.5" in panel._summary.value
    assert f"this is the sheet of: {wanted.name}" in panel._step.value
    assert panel.sheet.scenario == wanted
    panel.scenario = wanted
    assert "opacity: 1" in panel._summary.value
    panel.close()


def test_another_ship_takes_the_title_of_the_fight_away():
    panel = Prep(gurps_scenario(turns=2, fights=16, title="Off the Horn"))
    panel._fight._turns.value = 3
    assert panel.scenario.title == "Off the Horn"
    other = next(name for name in panel._fight._ships["a"].options if name != panel.scenario.a.name)
    panel._fight._ships["a"].value = other
    assert panel.scenario.title == ""
    assert panel.scenario.name.startswith(other)
    panel.close()


def test_a_fight_that_the_panel_can_not_show_leaves_it_as_it_was():
    panel = Prep()
    before = panel.scenario
    cog = medieval.ship("Cog")
    endless = Scenario("medieval", "board", cog, cog, turns=None)
    with pytest.raises(InputError, match="turns"):
        panel.scenario = endless
    panel._box.paste.value = endless.to_text()
    assert "turns" in panel._box.said
    assert panel.scenario == panel._box.value == before
    panel.close()


# In a terminal


def test_a_sheet_from_the_command_line(tmp_path, capsys):
    path = tmp_path / "tonight.csv"
    asked = ["sheet", "medieval", "board", "Galley", "Cog", "--set", "turns=1", "--to", str(path)]
    assert main(asked) == 0
    assert f"the sheet is in {path}" in capsys.readouterr().out
    told = {(line.table, line.name): line.text for line in from_csv(path.read_text("utf-8"))}
    assert Scenario.from_text(told["about", "scenario"]).turns == 1
    assert main(asked) == 1
    assert "allowed is one that is not there yet" in capsys.readouterr().err
    assert main([*asked[:-1], "tonight.doc"]) == 1
    assert "got 'tonight.doc'" in capsys.readouterr().err
