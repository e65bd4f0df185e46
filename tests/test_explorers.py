import asyncio
import gc
import itertools
import runpy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import ipywidgets
import pandas as pd
import pytest

from navkit import explorers
from navkit.chance import Sampled
from navkit.errors import InputError
from navkit.explorers import charted, duel
from navkit.explorers.live_panel import LivePanel
from navkit.explorers.refinement import PAUSE, Refinement
from navkit.rulebooks import gurps
from navkit.rulebooks.gurps import Placed
from navkit.rulebooks.gurps.table_play import Game
from navkit.rulebooks.panel import Answer, View

fake = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("fake_rulebook.py"))))


class Asked(list):
    """Which views are asked, in order; `panel` tells."""

    def __init__(self, panel=fake.PANEL):
        super().__init__()
        views = tuple(replace(view, answers=self._telling(view)) for view in panel.views)
        self.panel = replace(panel, views=views)

    def _telling(self, view):
        def answers(settings):
            for number, answer in enumerate(view.answers(settings)):
                self.append(view.name if number == 0 else f"{view.name} again")
                yield answer

        return answers


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """One that stands still: views are asked in the order of the panel."""
    for module in (charted, duel):
        monkeypatch.setattr(module, "perf_counter", lambda: 0.0)


@pytest.fixture
def asked():
    return Asked()


@pytest.fixture
def explorer(asked):
    opened = explorers.Explorer(asked.panel)
    opened.settle()
    asked.clear()
    yield opened
    opened.close()


def widgets_of(box):
    yield box
    for child in getattr(box, "children", ()):
        yield from widgets_of(child)


def described(explorer, description):
    return [
        widget
        for widget in widgets_of(explorer)
        if getattr(widget, "description", None) == description
    ]


def text_of(explorer):
    return [widget.value for widget in widgets_of(explorer) if type(widget) is ipywidgets.HTML]


def test_a_rulebook_has_a_panel_to_explore():
    opened = explorers.explorer(fake.rulebook)
    assert isinstance(opened, ipywidgets.Widget)
    assert opened.settings["crew_b"] == 90
    assert opened.settings["rules"] == fake.HouseRules()
    with pytest.raises(InputError, match="a rulebook"):
        explorers.explorer(pytest)


def test_a_panel_opens_with_settings_and_reset_comes_back_to_them(asked):
    opened = explorers.Explorer(asked.panel, ship_a="Brig", turns=7)
    assert asked == ["hit", "volley", "sinking", "hands"]
    given = opened.settings
    assert (given["ship_a"], given["crew_a"], given["turns"]) == ("Brig", 90, 7)
    opened.set(ship_a="Sloop", crew_a=10, guns=9)
    opened.reset()
    assert opened.settings == given
    (crew, _) = described(opened, "crew")
    assert crew.max == 100
    opened.close()
    with pytest.raises(InputError, match="turns: got 99"):
        explorers.explorer(fake.rulebook, turns=99)


def test_all_views_are_asked_once_at_first(asked):
    explorers.Explorer(asked.panel)
    assert asked == ["hit", "volley", "sinking", "hands"]


@pytest.mark.parametrize(
    ("change", "views"),
    [
        ({"gunnery_a": 2}, ["hit"]),
        ({"guns": 6}, ["volley", "sinking"]),
        ({"turns": 30}, ["sinking", "hands"]),
        ({"rules": fake.HouseRules(wind=0.25)}, ["hands"]),
        ({"smoke": True}, []),
        ({"guns": 4}, []),
        ({"turns": 7, "guns": 7, "crew_a": 7}, ["volley", "sinking", "hands"]),
    ],
)
def test_only_views_that_use_what_changed_are_asked(explorer, asked, change, views):
    explorer.set(**change)
    assert asked == views


def test_the_view_that_was_quick_the_last_time_is_asked_first(explorer, asked):
    for place, view in enumerate(reversed(explorer._charted.values())):
        view.seconds = place / 100
    asked.clear()
    explorer.set(turns=7, guns=7, crew_a=7)
    assert asked == ["hands", "sinking", "volley"]


def test_a_view_that_moved_nothing_the_last_time_is_asked_last(explorer, asked):
    explorer.set(ship_a="Brig")  # whose chances to hit are those of the Sloop
    asked.clear()
    explorer.set(gunnery_a=2, guns=6)
    assert asked == ["volley", "sinking", "hit"]
    asked.clear()
    explorer.set(gunnery_a=3, guns=7)
    assert asked == ["hit", "volley", "sinking"]


def test_a_chart_is_told_what_has_changed_of_it(monkeypatch):
    told = []
    monkeypatch.setattr(
        charted._Chart, "update", lambda chart, sources, *, title: told.append((sources, title))
    )
    table = pd.DataFrame({"hit": [0.25, 0.5]}, index=[3, 4])
    answers = {
        "first": Answer(table, "Who hits?", "one"),
        "the same": Answer(table.copy(), "Who hits?", "two"),
        "another title": Answer(table.copy(), "Who misses?", "two"),
        "sampled": Answer(table.copy(), "Who misses?", "two", error=table * 0.01),
        "more fights": Answer(table.copy(), "Who misses?", "two", error=table * 0.001),
        "other numbers": Answer(table / 2, "Who misses?", "two", error=table * 0.001),
    }
    uses = frozenset({"name"})
    view = View("hit", "curves", "x", "y", uses, lambda settings: iter([answers[settings["name"]]]))
    chart = charted.Charted(view)
    for name in answers:
        chart.refresh({"name": name})
        assert chart.words == answers[name].words
    drawn = [sources["hit"]["y hit"].tolist() if sources else None for sources, _ in told]
    assert drawn == [None, [0.25, 0.5], [0.25, 0.5], [0.125, 0.25]]
    assert {title for _, title in told} == {"Who misses?"}
    chart.close()


@pytest.fixture
def slow(monkeypatch):
    """A clock by which each answer takes long."""
    seconds = itertools.count()
    monkeypatch.setattr(duel, "perf_counter", lambda: float(next(seconds)))


def faded(explorer):
    return [name for name, view in explorer._charted.items() if "0.4" in view._line.value]


def test_slow_views_let_newer_moves_in_first(explorer, asked, slow):
    async def moved():
        explorer.set(turns=7, guns=7, crew_a=7)
        assert asked == ["volley"]
        assert faded(explorer) == ["sinking", "hands"]
        explorer.set(gunnery_a=2)
        assert asked == ["volley", "hit"]
        assert explorer.words["sinking"].startswith("b is sunk in")  # as of 7 turns and 7 guns
        assert faded(explorer) == []
        assert len(explorer.tables["hands"]) == 8
        assert asked == ["volley", "hit", "sinking", "hands", "sinking again"]

    asyncio.run(moved())


def test_slow_views_are_asked_at_once_where_no_loop_runs(explorer, asked, slow):
    explorer.set(turns=7, guns=7, crew_a=7)
    assert asked == ["volley", "sinking", "hands"]
    assert faded(explorer) == []


def test_a_view_that_was_slow_the_last_time_lets_newer_moves_in_first(explorer, asked):
    async def moved():
        explorer._charted["sinking"].seconds = 1.0
        explorer.set(turns=7, guns=7, crew_a=7)
        assert asked == ["volley", "hands"]
        explorer.settle()

    asyncio.run(moved())
    assert asked == ["volley", "hands", "sinking", "sinking again"]


def test_slow_views_are_asked_by_themselves_where_a_loop_runs(explorer, asked, slow):
    async def moved():
        explorer.set(turns=7, guns=7, crew_a=7)
        assert asked == ["volley"]
        await asyncio.sleep(5 * PAUSE)

    asyncio.run(moved())
    assert asked == ["volley", "sinking", "hands", "sinking again"]
    assert faded(explorer) == []


def test_a_closed_panel_asks_no_more(explorer, asked, slow):
    async def closed():
        explorer.set(turns=7, guns=7, crew_a=7)
        explorer.close()
        await asyncio.sleep(5 * PAUSE)

    asyncio.run(closed())
    assert asked == ["volley"]


def test_a_moved_widget_does_what_set_does(explorer, asked):
    (slider,) = described(explorer, "guns")
    slider.value = 9
    assert asked == ["volley", "sinking"]
    assert explorer.settings["guns"] == 9
    assert explorer.words["volley"] == "At most 54 points"


def test_another_ship_brings_its_crew_and_each_view_is_asked_once(explorer, asked):
    dropdown, _ = described(explorer, "ship")
    dropdown.value = "Brig"
    assert explorer.settings["crew_a"] == 90
    assert asked == ["hit", "hands"]
    explorer.set(ship_a="Sloop", crew_a=12)
    assert explorer.settings["crew_a"] == 12


def limits(explorer):
    return [(slider.min, slider.max, slider.value) for slider in described(explorer, "crew")]


def test_another_ship_brings_limits_of_its_own(explorer, asked):
    assert limits(explorer) == [(0, 50, 40), (0, 100, 90)]
    described(explorer, "ship")[0].value = "Brig"
    assert limits(explorer)[0] == (0, 100, 90)
    assert asked == ["hit", "hands"]
    explorer.set(ship_a="Sloop")
    assert limits(explorer)[0] == (0, 50, 40)
    with pytest.raises(InputError, match="crew_a: got 51, allowed is a whole number from 0 to 50"):
        explorer.set(crew_a=51)


def test_limits_are_those_of_the_ship_given_beside_in_any_order(explorer):
    explorer.set(crew_a=95, ship_a="Brig")
    assert limits(explorer)[0] == (0, 100, 95)
    before = explorer.settings
    with pytest.raises(InputError, match="crew_a: got 95, allowed is a whole number from 0 to 50"):
        explorer.set(crew_a=95, ship_a="Sloop")
    assert explorer.settings == before
    assert limits(explorer)[0] == (0, 100, 95)


def test_limits_are_swapped_and_put_back_with_the_values(explorer):
    start = limits(explorer)
    explorer.swap()
    assert limits(explorer) == start[::-1]
    explorer.set(crew_a=100)
    explorer.reset()
    assert limits(explorer) == start


@pytest.mark.parametrize("told", [(200, 1500, 701), (-9, -5, -5), (41, 49, 45)])
def test_limits_may_lie_beside_the_old_ones(told):
    number = fake.Number("crew_a", "crew", *told, group="a")
    opened = explorers.Explorer(
        replace(fake.PANEL, follow=lambda name, settings: {number.name: number})
    )
    opened.set(guns=5)
    assert limits(opened)[0] == told
    opened.reset()
    assert limits(opened)[0] == (0, 50, 40)


def test_options_may_follow_too():
    told = fake.Choice("ship_b", "ship", ("Brig", "Frigate"), "Frigate")
    panel = replace(fake.PANEL, follow=lambda name, settings: {"ship_b": told})
    opened = explorers.Explorer(panel)
    opened.set(guns=5)
    assert described(opened, "ship")[1].options == ("Brig", "Frigate")
    assert opened.settings["ship_b"] == "Frigate"
    opened.reset()
    assert described(opened, "ship")[1].options == ("Sloop", "Brig")
    assert opened.settings["ship_b"] == "Brig"


def test_a_control_of_another_kind_cannot_follow():
    told = fake.Choice("crew_a", "crew", ("few", "many"), "few")
    opened = explorers.Explorer(replace(fake.PANEL, follow=lambda name, settings: {"crew_a": told}))
    with pytest.raises(InputError, match=r"in place of crew_a: got Choice.* a Number"):
        opened.set(guns=5)
    assert opened.settings["guns"] == 4


def test_words_and_tables_are_of_the_full_answers(explorer, asked):
    explorer.set(turns=10)
    assert asked == ["sinking", "hands"]
    assert explorer.words["sinking"] == "b is sunk in 65.1 % ±0.7 of 20000 fights"
    assert asked == ["sinking", "hands", "sinking again"]
    assert len(explorer.tables["sinking"]) == 11


def test_the_quick_answer_is_shown_until_the_full_one_is(explorer):
    explorer.set(turns=10)
    assert any("of 500 fights" in text for text in text_of(explorer))
    explorer.settle()
    assert not any("of 500 fights" in text for text in text_of(explorer))


def test_sides_are_swapped_and_put_back(explorer, asked):
    start = explorer.settings
    for button in ("Swap sides", "Reset"):
        explorer.set(crew_a=11)
        described(explorer, button)[0].click()
        if button == "Swap sides":
            changed = {"ship_a": "Brig", "crew_a": 90, "ship_b": "Sloop", "crew_b": 11}
            assert explorer.settings == start | changed
    assert explorer.settings == start
    assert described(explorer, "crew")[1].value == 90


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sails": 3}, "control: got 'sails', allowed are 'ship_a'"),
        ({"guns": 21}, "guns: got 21, allowed is a whole number from 1 to 20"),
        ({"guns": 2.5}, "guns: got 2.5"),
        ({"ship_a": "Raft"}, "ship_a: got 'Raft', allowed are 'Sloop', 'Brig'"),
        ({"smoke": "much"}, "smoke: got 'much'"),
        ({"rules": None}, "rules: got None, allowed is a HouseRules"),
        ({"turns": 5, "guns": 0}, "guns: got 0"),
    ],
)
def test_what_a_control_cannot_take_is_refused_and_nothing_moves(explorer, change, message):
    before = explorer.settings
    with pytest.raises(InputError, match=message):
        explorer.set(**change)
    assert explorer.settings == before


def test_settings_a_view_cannot_work_with_are_told_in_its_words_alone(explorer):
    explorer.set(guns=13)
    assert explorer.words["volley"] == (
        "These settings do not work. guns: got 13, allowed is any number but 13"
    )
    assert "volley" not in explorer.tables
    assert "sunk in" in explorer.words["sinking"]
    explorer.set(guns=12)
    assert explorer.words["volley"] == "At most 72 points"
    assert "volley" in explorer.tables


def test_a_fault_is_told_and_logged(explorer, caplog):
    explorer.set(guns=14)
    assert "ZeroDivisionError: a fault" in explorer.words["volley"]
    assert "Traceback" in caplog.text


def test_a_failed_view_hides_its_chart(explorer):
    def hidden():
        return [
            each.layout.visibility == "hidden"
            for each in widgets_of(explorer)
            if hasattr(each, "figure")
        ]

    explorer.set(guns=13)
    assert hidden() == [False, True, False, False]
    explorer.set(guns=12)
    assert not any(hidden())


def test_what_follows_but_cannot_be_is_told_on_the_panel():
    panel = replace(fake.PANEL, follow=lambda name, settings: {"crew_a": 101})
    opened = explorers.Explorer(panel)
    described(opened, "guns")[0].value = 5
    assert any("crew_a: got 101" in text for text in text_of(opened))
    assert opened.words["volley"] == "At most 30 points"


def test_a_view_of_a_control_that_is_not_there_is_refused():
    view = replace(fake.PANEL.views[0], uses=frozenset({"sails"}))
    with pytest.raises(InputError, match="controls used by hit: got 'sails'"):
        explorers.Explorer(replace(fake.PANEL, views=(view,)))


def test_names_are_shown_as_text_not_as_html(explorer):
    assert "<h3>Two ships &amp; the sea</h3>" in text_of(explorer)


def test_house_rules_have_widgets_of_their_own(explorer):
    (volley,), (wind,) = described(explorer, "volley"), described(explorer, "wind")
    assert volley.options == ("one roll", "each gun")
    assert (wind.min, wind.max) == (0, 1)
    volley.value, wind.value = "each gun", 0.25
    assert explorer.settings["rules"] == fake.HouseRules(volley="each gun", wind=0.25)
    explorer.reset()
    assert volley.value == "one roll"


def test_house_rules_that_matter_less_are_folded(explorer):
    (button,) = described(explorer, "More house rules (2)")
    box = next(
        each
        for each in widgets_of(explorer)
        if described(each, "wind") and not described(each, "volley")
    )
    assert box.layout.display == "none"
    button.value = True
    assert box.layout.display is None


def test_in_a_loop_answers_refine_by_themselves_once_the_hand_rests(explorer, asked):
    async def drag():
        for guns in range(1, 6):
            explorer.set(guns=guns)
            await asyncio.sleep(PAUSE / 10)
        assert "sinking again" not in asked
        await asyncio.sleep(3 * PAUSE)

    asyncio.run(drag())
    assert asked.count("sinking again") == 1
    assert asked[-1] == "sinking again"


def test_newer_work_replaces_what_is_left_of_the_older():
    refinement, done = Refinement(), []
    for work in "ab":
        refinement.start(done.append(f"{work}{step}") for step in range(3))
    refinement.settle()
    assert done == ["a0", "b0", "b1", "b2"]


def test_a_closed_explorer_stops_working(asked):
    async def scenario():
        opened = explorers.Explorer(asked.panel)
        opened.close()
        await asyncio.sleep(2 * PAUSE)

    asyncio.run(scenario())
    assert "sinking again" not in asked


def test_explorers_opened_and_closed_leave_nothing_behind():
    def objects_after(times):
        for _ in range(times):
            explorers.explorer(fake.rulebook).close()
        gc.collect()
        return len(gc.get_objects())

    before = objects_after(3)
    assert objects_after(10) - before < 100  # one explorer is thousands


@pytest.fixture
def told(monkeypatch):
    """The widgets whose whole state is sent, in order."""
    told = []

    def send_state(self, key=None):
        if key is None:
            told.append(self)

    monkeypatch.setattr(ipywidgets.Widget, "send_state", send_state)
    return told


def test_a_page_that_has_loaded_is_told_all_that_is_in_a_panel_once(told):
    inner = LivePanel((ipywidgets.HTML("inner"),))
    line = ipywidgets.HTML("outer")
    panel = LivePanel((ipywidgets.Box((line, inner)),))
    told.clear()
    panel.children[-1]._handle_custom_msg("loaded", [])
    assert {panel, line, line.layout, line.style} < set(told)
    assert inner not in told
    inner.children[-1]._handle_custom_msg("loaded", [])
    assert {inner, inner.children[0]} < set(told)
    assert len(told) == len(set(told))
    panel.close()


def test_a_page_that_has_loaded_is_told_the_map(told):
    sides = Placed(gurps.ship("Brig"), 0, 0), Placed(gurps.ship("Sloop"), 14, 0, 3)
    board = explorers.sea_map(*sides, fights=256)
    told.clear()
    board._handle_custom_msg({"loaded": True}, [])
    assert told == [board]
    board.close()


def test_sampling_of_the_map_goes_on_where_it_was_cancelled(monkeypatch):
    sides = Placed(gurps.ship("Brig"), 0, 0), Placed(gurps.ship("Sloop"), 14, 0, 3)
    board = explorers.sea_map(*sides, turns=2, fights=1500)
    assert board.history.fights == 256
    board.answer(cancel=True)
    assert board.odds["running"] is False
    board.settle()
    assert board.history.fights == 256
    played, odds = [], Game.odds
    monkeypatch.setattr(
        Game, "odds", lambda self, turns, chance: played.append(chance) or odds(self, turns, chance)
    )
    board.answer(more=True)
    board.settle()
    assert [(each.first, each.fights) for each in played] == [(256, 768), (1024, 476)]
    straight = odds(board.game, 2, Sampled(fights=1500, seed=board.game.seed))
    assert board.history.table().equals(straight.table())
    board.close()
