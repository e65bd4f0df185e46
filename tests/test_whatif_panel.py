"""The panel of what if: its questions are asked, stopped and forgotten; all four rulebooks."""

from functools import partial

import pytest

from navkit.desk.compare import side_by_side
from navkit.desk.seek import cheapest, seek
from navkit.desk.trials import played
from navkit.explorers.fight import FightChooser
from navkit.explorers.long_work import LongWork, Progress
from navkit.explorers.whatif import WhatIf, whatif
from navkit.precision import until
from navkit.rulebooks import gurps, medieval
from navkit.scenario import RULEBOOKS, Scenario
from navkit.words import NORMAL_95, percent

GALLEY = medieval.ship("Galley")
GALLEYS = Scenario("medieval", "board", GALLEY, GALLEY, turns=6)
GUN = {"hull": 120, "crew": 8, "cannons": (1, 1, 0, 0), "damage": "d3x20", "dr": 0}
CUTTER = gurps.ship("Sloop", name="Cutter", **GUN)
CUTTERS = Scenario("gurps", "board", CUTTER, CUTTER, turns=3)


def done(box: LongWork) -> Progress:
    box.start()
    box.settle()
    assert "done" in box._status.value
    assert box.shown is not None
    assert (box._go.disabled, box._halt.disabled) == (False, True)
    return box.shown


def test_house_rules_are_those_compared() -> None:
    panel = whatif(GALLEYS)
    shown = done(panel.rules)
    compared = side_by_side(GALLEYS, progress=False)
    assert shown.sentence == compared.words
    assert shown.done == shown.wanted == len(compared.differences)
    assert shown.table is not None
    assert list(shown.table.index) == list(compared.differences.index)
    assert shown.charts["movers"].table["gain"].iloc[0] == compared.differences["a"].iloc[0] < 0
    assert list(shown.charts["curves"].table) == ["default rules", *compared.differences.index[:3]]
    assert panel.rules._figures["movers"].figure is not None


def test_what_it_takes_is_what_is_sought() -> None:
    panel = WhatIf(GALLEYS)
    controls = panel._sought
    controls._side.value, controls._event.value, controls._least.value = "b", "a", 30
    assert (controls._want.value, controls._low.value, controls._high.value) == ("largest", 1, 20)
    found = seek(GALLEYS, "b.crew", "largest", of="a", at_least=0.3, progress=False)
    assert done(panel.takes).sentence == found.sentence
    controls._event.value = "b"
    assert controls._want.value == "smallest"
    controls._event.value = "a not overcome"
    assert controls._want.value == "largest"


def test_the_price_of_a_ship() -> None:
    panel = WhatIf(CUTTERS)
    panel._sought._number.value = "price of a ready ship"
    assert panel._sought._low.disabled
    assert done(panel.takes).sentence == (
        cheapest(CUTTERS, "a", of="a", at_least=0.5, progress=False).sentence
    )
    assert panel.takes.shown is not None
    assert panel.takes.shown.charts["taken"].kind == "ranks"


def test_counsel_where_there_is_some() -> None:
    shown = done(WhatIf(CUTTERS).counsel)
    assert "With the best decisions the Cutter wins in" in shown.sentence
    assert shown.charts["doctrines"].table.index[0] == "the best decisions"
    assert "no counsel" in done(WhatIf(GALLEYS).counsel).sentence


def test_doctrines_compared_by_sample_are_drawn_with_their_errors() -> None:
    fight = Scenario("gurps", "board", gurps.ship("Sloop"), gurps.ship("Schooner"), turns=2)
    drawn = done(WhatIf(fight).counsel).charts["doctrines"]
    assert (drawn.error.to_numpy() > 0).any()


def test_one_question_is_in_sight() -> None:
    panel = WhatIf(GALLEYS)
    for name, box in panel._questions.items():
        panel.ask(name)
        hidden = [each.layout.display for each in panel._questions.values()].count("none")
        assert hidden == len(panel._questions) - 1
        assert box.layout.display is None


def test_stopping_keeps_what_is_done_and_another_fight_takes_it_away() -> None:
    panel = WhatIf(GALLEYS)
    panel.rules.start()
    assert panel.rules._go.disabled
    panel.rules.stop()
    assert "stopped after 0 of" in panel.rules._status.value
    assert panel.rules.shown is not None
    panel.rules.settle()
    assert panel.rules.shown.done == 0
    panel._chooser._turns.value = 4
    assert panel.scenario.turns == 4
    assert panel.rules.shown is None
    assert panel.rules._figures["movers"].figure is None


def test_a_fault_is_told_and_nothing_hangs() -> None:
    def fails() -> object:
        yield Progress(1, 2, "half")
        raise ZeroDivisionError("a fault")

    box = LongWork("Why?", (), fails)  # type: ignore[arg-type]
    box.start()
    box.settle()
    assert "a fault" in box._status.value
    assert not box._go.disabled


@pytest.mark.parametrize("name", RULEBOOKS)
def test_all_rulebooks_can_be_asked(name: str) -> None:
    panel = WhatIf()
    panel._chooser._rulebook.value = name
    assert panel.scenario.rulebook == name
    assert panel._sought._low.value <= panel._sought._high.value
    assert len(panel._sought._event.options) >= 10
    panel.close()


def test_a_fight_is_pasted_and_changed() -> None:
    chooser = FightChooser()
    chooser._text.value = CUTTERS.to_text()
    assert chooser.value == CUTTERS
    chooser._turns.value = 5
    assert chooser.value.a == CUTTER
    assert chooser.value.turns == 5
    chooser._ships["b"].value = "Brig"
    assert (chooser.value.a.name, chooser.value.b.name) == ("Cutter", "Brig")
    chooser._text.value = "navkit:nonsense"
    assert "text" in chooser._notice.value
    assert chooser.value.b.name == "Brig"
    for turns in (None, 100):
        chooser._text.value = Scenario("gurps", "board", CUTTER, CUTTER, turns=turns).to_text()
        assert "turns" in chooser._notice.value
        shown = [widget.value for widget in chooser._ships.values()]
        assert (*shown, chooser._turns.value) == ("Cutter, as pasted", "Brig", 5)
        assert (chooser.value.b.name, chooser.value.turns) == ("Brig", 5)


def test_fights_are_played_until_the_answer_is_sure_enough() -> None:
    fight = Scenario("gurps", "duel", CUTTER, CUTTER, turns=12, seed=3, fights=100)
    panel = WhatIf(fight)
    asked = panel._asked
    asked._sure.value = 0.5
    shown = done(panel.odds)
    history = until(partial(played, fight), error=0.005 / NORMAL_95, seed=3, progress=False)
    assert shown.done == shown.wanted == history.fights
    assert NORMAL_95 * history.table()["a_error"].iloc[-1] <= 0.005
    assert percent(history.outcome()["a"], fights=history.fights) in shown.sentence
    assert f"Sampled: {history.fights:,} fights" in shown.sentence
    assert list(shown.charts["likely"].table) == ["the Cutter (a) wins"]


def test_what_is_small_is_exact_at_once() -> None:
    panel = WhatIf(GALLEYS)
    asked = panel._asked
    asked._sure.value = 0.1
    shown = done(panel.odds)
    assert (shown.done, shown.wanted) == (1, 1)
    assert shown.sentence.endswith("Exact.")
    assert shown.charts["likely"].error is None
