"""House rules: each is described, each reading can be played, and each does something."""

import pytest

import navkit as nk
from navkit.rulebooks import gurps

READINGS = list(gurps.HouseRules.readings())


def test_five_are_in_sight():
    assert sum(reading.prominent for reading in READINGS) == 5


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.name)
def test_each_says_where_and_what(reading):
    assert reading.where
    assert reading.note
    assert reading.default == getattr(gurps.HouseRules(), reading.name)
    assert not reading.options or reading.default == reading.options[0]


def fights(rules):
    """Figures of a few fights that between them touch every house rule."""
    posts = dict(gunnery=2, navigation=2, tactics=2, medic=3)
    a = gurps.ship("Brig", crew=34, expertise=9, officers=gurps.Officers(leadership=3, **posts))
    b = gurps.ship("Tern Schooner", officers=gurps.Officers(**posts), weapon=1)
    hopeless = gurps.ship("Sloop", expertise=5, officers=gurps.Officers(), kph=0.3)
    slow = gurps.ship("Sloop", kph=0.3)
    duel = nk.Sampled(2048)
    for one, two in ((a, b), (hopeless, slow), (b, hopeless), (slow, a)):
        h = gurps.duel(one, two, turns=6, chance=duel, rules=rules)
        yield h.mean("a", "hull").tolist()
        yield h.mean("b", "crew").tolist()
        yield h.mean("b", "dead").tolist()
    keen = gurps.ship("Sloop", expertise=20)
    yield gurps.odds.hit(keen, b, rules=rules)
    yield gurps.odds.hit(hopeless, b, rules=rules)
    yield gurps.board(a, b, turns=4, chance=nk.Exact(), rules=rules).outcome().tolist()


@pytest.fixture(scope="module")
def default_figures():
    return list(fights(gurps.HouseRules()))


CHANGES = [(r.name, option) for r in READINGS for option in r.options[1:]] + [
    ("surrender_ratio", 2)
]


@pytest.mark.parametrize(("name", "option"), CHANGES)
def test_every_reading_moves_the_odds(name, option, default_figures):
    assert list(fights(gurps.HouseRules(**{name: option}))) != default_figures
