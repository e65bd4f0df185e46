"""House rules: each is described, each reading can be played, and each does something."""

from dataclasses import replace

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
    yield from map_fights(rules)


def map_fights(rules):
    """Figures of fights on the map: shots that cost masts, rams, boardings, and ways out."""
    posts = dict(leadership=2, gunnery=2, navigation=2, tactics=2)
    able = gurps.Officers(**posts)
    lends = replace(gurps.CAPTAINS["stand off and fire"], lend="navigation")
    heavy = dict(damage="6d", cannons=(9, 9, 2, 0), crew=60, range=8)
    saves = replace(gurps.CAPTAINS["stand off and fire"], saves_masts=True)
    rams = gurps.CAPTAINS["ram"]
    leaves = gurps.Captain("breaks off")
    target = gurps.ship("Brig", scale=100, damage="d", cannons=(1, 1, 1, 1), kph=0)
    pairs = [
        # volleys that cost hull, hands and masts, saved by the navigator or not
        (
            gurps.Placed(gurps.ship("Brig", officers=able, **heavy), 0, 0, 0, lends),
            gurps.Placed(gurps.ship("4-Mast Schooner", officers=able, **heavy), 6, -3, 3, saves),
        ),
        # a ram between different Scales, by a ship whose DR has been shot away
        (
            gurps.Placed(gurps.ship("70-gun military", crew=90, cannons=(0,) * 4), 0, 0, 0, rams),
            gurps.Placed(target, 4, 0, 2, leaves),
        ),
    ]
    for one, two in pairs:
        h = gurps.battle(one, two, turns=4, chance=nk.Sampled(512), rules=rules)
        yield h.mean("a", "hull").tolist()
        yield h.mean("b", "hull").tolist()
        yield h.mean("b", "crew").tolist()


@pytest.fixture(scope="module")
def default_figures():
    return list(fights(gurps.HouseRules()))


CHANGES = [(r.name, option) for r in READINGS for option in r.options[1:]] + [
    ("surrender_ratio", 2)
]


@pytest.mark.parametrize(("name", "option"), CHANGES)
def test_every_reading_moves_the_odds(name, option, default_figures):
    played = fights(gurps.HouseRules(**{name: option}))
    assert any(now != usual for now, usual in zip(played, default_figures, strict=True))
