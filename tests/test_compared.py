"""The panel that asks all rulebooks the same question."""

import numpy as np
import pytest

import navkit as nk
from navkit.explorers import compared
from navkit.explorers.rulebooks import called
from navkit.rulebooks import medieval
from navkit.scenario import RULEBOOKS


@pytest.fixture(scope="module")
def panel():
    shown = compared()
    yield shown
    shown.close()


def test_every_rulebook_answers_for_its_own_pair(panel):
    table = panel.tables["lost"]
    assert list(table) == [called(name) for name in RULEBOOKS]
    assert (np.diff(table.to_numpy(), axis=0) >= 0).all()
    exact = medieval.board(medieval.ship("Cog"), medieval.ship("Longship"), turns=10)
    found = table[called("medieval")].to_numpy()
    expected = exact.cause("b").sum(axis=1).to_numpy()
    assert found == pytest.approx(expected, abs=5 * 0.5 / 2048**0.5)


def test_the_words_name_the_turn_by_which_half_are_lost(panel):
    table = panel.tables["lost"][called("gurps")]
    turn = int(table[table >= 0.5].index[0])
    assert f"{called('gurps')} {turn}," in panel.words["lost"]


def test_swapped_pairs_let_the_small_ship_be_the_larger(panel):
    panel.swap()
    fight = panel.tables["ways"].loc[called("gurps"), "fight"]
    assert fight == "Sloop against 70-gun military, a gunnery duel"
    panel.reset()
    assert panel.settings["gurps_a"] == "70-gun military"


def test_there_are_no_house_rules_to_choose(panel):
    with pytest.raises(nk.InputError, match="control: got 'reload'"):
        panel.set(reload="none")
