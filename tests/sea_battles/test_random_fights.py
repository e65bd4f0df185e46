"""Exact against sampled, over random ships, weapons, captains and boarding parties."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from navkit import Exact, Sampled
from navkit.rulebooks.sea_battles import (
    Character,
    Doctrine,
    HouseRules,
    Ship,
    Unit,
    board,
    duel,
    fire,
    ram,
)

FIGHTS = 2048
QUICKLY = settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
KINDS = ("Empire spearman", "Orc boy", "Goblin", "Skeleton", "Chaos warrior", "Frenzied marauder")
SHOOTERS = ("Empire archer", "Empire handgunner", "Goblin archer")
MACHINES = ("cannon", "great cannon", "bolt thrower", "stone thrower", "helblaster")
HEROES = ("Empire captain", "Orc big boss", "Empire general")


@st.composite
def gunship(draw):
    size = draw(st.integers(1, 3))
    return Ship(
        "Gun",
        size,
        draw(st.sampled_from(["sails", "oars"])),
        draw(st.integers(6, 10)),
        troops=draw(st.sampled_from([(), (Unit(draw(st.sampled_from(SHOOTERS)), 5),)])),
        guns=(draw(st.sampled_from(MACHINES)),),
        gunnery=draw(st.integers(2, 5)),
    )


@st.composite
def hull(draw):
    troops = draw(st.sampled_from([(), (Unit("Orc boy", 2),)]))
    captain = draw(st.sampled_from(["", "Otto"]))
    return Ship(
        "Hull",
        draw(st.integers(1, 2)),
        "sails",
        None if captain else draw(st.sampled_from([7, 9, None])),
        troops=troops,
        characters=(Character(draw(st.sampled_from(HEROES)), "Otto"),) if captain else (),
        captain=captain,
    )


@st.composite
def crowd(draw, name):
    hero = draw(st.booleans())
    return Ship(
        name,
        draw(st.integers(1, 2)),
        "oars",
        8,
        troops=(Unit(draw(st.sampled_from(KINDS)), draw(st.integers(1, 4))),),
        characters=(Character(draw(st.sampled_from(HEROES))),) if hero else (),
    )


@st.composite
def readings(draw):
    chosen = {}
    for rule in HouseRules.readings():
        if rule.options and draw(st.integers(0, 5)) == 0:
            chosen[rule.name] = draw(st.sampled_from(rule.options))
    return HouseRules(**chosen)


@pytest.fixture
def agree(at_least_errors):
    def agree(exact, sampled):
        assert exact.lost < 1e-9
        for name, chance in exact.outcome().items():
            at_least_errors(chance, sampled.outcome()[name], FIGHTS)
        for side in ("a", "b"):
            causes = exact.cause(side).iloc[-1]
            for cause, chance in causes.items():
                at_least_errors(chance, sampled.cause(side).iloc[-1][cause], FIGHTS)

    return agree


@QUICKLY
@given(a=gunship(), b=hull(), facing=st.sampled_from(["front", "side", "rear"]), rules=readings())
def test_fire(agree, a, b, facing, rules):
    play = {"turns": 1, "facing": facing, "distance": 5, "rules": rules}
    agree(fire(a, b, chance=Exact(), **play), fire(a, b, chance=Sampled(fights=FIGHTS), **play))


@QUICKLY
@given(a=hull(), b=gunship(), run=st.integers(0, 20), rules=readings())
def test_rams(agree, a, b, run, rules):
    play = {"run": run, "turns": 2, "rules": rules}
    agree(ram(a, b, chance=Exact(), **play), ram(a, b, chance=Sampled(fights=FIGHTS), **play))


@QUICKLY
@given(a=crowd("A"), b=crowd("B"), rules=readings())
def test_boardings(agree, a, b, rules):
    play = {"rounds": 2, "rules": rules}
    agree(board(a, b, chance=Exact(), **play), board(a, b, chance=Sampled(fights=FIGHTS), **play))


@settings(QUICKLY, max_examples=3)
@given(leadership=st.integers(6, 9), handling=st.sampled_from(["close", "ram", "ram and board"]))
def test_duels(agree, leadership, handling):
    a = Ship("A", 1, "oars", leadership, guns=("cannon",))
    b = Ship("B", 1, "sails", 8)
    play = {"turns": 1, "distance": 12, "a_sails": Doctrine(handling=handling)}
    play["b_sails"] = Doctrine(handling="hold")
    agree(duel(a, b, chance=Exact(), **play), duel(a, b, chance=Sampled(fights=FIGHTS), **play))
