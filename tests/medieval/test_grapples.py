"""Grappling, and the graph of ships that hang together."""

from itertools import combinations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import navkit as nk
from navkit.rulebooks import medieval
from navkit.rulebooks.medieval import HouseRules, Ship, TiedShips, arrays
from navkit.rulebooks.medieval.grapples import need_to_cut, who_goes_down

NAMES = ("A", "B", "C", "D", "E", "F", "G")
LONG, RAM = Ship("Longship"), Ship("Galley", ram=True)
GROUP_RULES = ["twice as many afloat", "more afloat", "three cases"]


def star(center, *others):
    tied = TiedShips((center, *others))
    for other in others:
        tied = tied.grapple(center, other)
    return tied


def test_by_consent_without_a_die():
    h = medieval.grapple(LONG, LONG, willing=True, turns=1, chance=nk.Scripted([]))
    assert h.outcome()["a"] == 1
    assert len(h.log) == 0


@pytest.mark.parametrize(("die", "held"), [(3, 0), (4, 1), (6, 1)])
def test_against_its_will_a_four(die, held):
    h = medieval.grapple(LONG, LONG, turns=1, chance=nk.Scripted([die]))
    assert h.outcome()["a"] == held
    assert h.log["rule"].tolist() == ["M-03"]


@pytest.mark.parametrize(("die", "held"), [(2, 0), (3, 1)])
def test_while_a_ram_is_stuck_a_three(die, held):
    for a, b in ((RAM, LONG), (LONG, RAM)):
        h = medieval.grapple(a, b, ram=True, turns=1, chance=nk.Scripted([die]))
        assert h.outcome()["a"] == held


def test_one_try_a_turn():
    h = medieval.grapple(LONG, LONG, turns=6, chance=nk.Exact())
    assert h.table()["a"].to_numpy() == pytest.approx(1 - 0.5 ** np.arange(7), abs=1e-15)
    assert medieval.grapple(LONG, LONG, turns=None).outcome()["a"] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"ram": True}, "ram: got True, allowed is False: neither ship has one"),
        ({"willing": 1}, "willing: got 1, allowed is True or False"),
        ({"b": None}, "b: got None"),
        ({"turns": 0}, "turns: got 0"),
    ],
)
def test_what_grappling_cannot_be_is_refused(told, message):
    told = {"a": LONG, "b": LONG} | told
    with pytest.raises(nk.InputError, match=message):
        medieval.grapple(told.pop("a"), told.pop("b"), **told)


@pytest.mark.parametrize(
    ("prize", "tied", "need"),
    [(False, False, 4), (False, True, 4), (True, True, 3), (True, False, 1)],
)
def test_the_die_that_cuts(prize, tied, need):
    assert need_to_cut(prize, tied) == need


# The three cases of the document, under every reading


@pytest.mark.parametrize("reading", GROUP_RULES)
def test_the_three_cases(reading):
    rules = HouseRules(sink_group=reading)
    assert star("A", "B").going_down({"A"}, rules=rules) == {"A", "B"}
    assert star("A", "B", "C").going_down({"A"}, rules=rules) == set()
    assert star("A", "B", "C").going_down({"B", "C"}, rules=rules) == {"A", "B", "C"}
    assert TiedShips(("A", "B")).going_down({"A"}, rules=rules) == {"A"}


@pytest.mark.parametrize(
    ("reading", "afloat", "sinking", "found"),
    [
        ("twice as many afloat", 3, 2, 2),
        ("twice as many afloat", 4, 2, 0),
        ("more afloat", 3, 2, 0),
        ("more afloat", 2, 2, 2),
        ("three cases", 3, 1, 1),
        ("three cases", 3, 2, 1),
    ],
)
def test_readings_of_larger_groups(reading, afloat, sinking, found):
    assert who_goes_down(afloat, sinking, HouseRules(sink_group=reading)) == found


def test_the_whole_group_counts_lines_too():
    tied = TiedShips.of([Ship(n, line="van") for n in "ABC"], [Ship("D")]).grapple("C", "D")
    assert tied.group("A") == set("ABCD")
    assert tied.going_down({"D"}) == set()
    assert tied.cut("B", "C").going_down({"D"}) == {"C", "D"}


def test_who_cuts_free_before_is_safe():
    tied = star("A", "B")
    assert tied.cut("A", "B").going_down({"A"}) == {"A"}


def test_a_ship_held_up_sinks_when_it_is_let_go():
    tied = star("A", "B", "C")
    assert tied.going_down({"A"}) == set()
    assert tied.cut("A", "B").going_down({"A"}) == {"A", "C"}


def test_ships_that_are_gone_leave_the_others_their_ties():
    tied = star("A", "B", "C").without({"A"})
    assert tied.ships == ("B", "C")
    assert tied.groups() == ({"B"}, {"C"})


def test_grappled_ships_drift_unless_one_is_in_its_line():
    tied = TiedShips.of([Ship("A", line="van"), Ship("B", line="van")], [Ship(n) for n in "CDE"])
    assert tied.grapple("A", "C").grapple("D", "E").drifting() == {"D", "E"}


def test_the_ties_as_a_table():
    tied = TiedShips.of([Ship("A", line="van"), Ship("B", line="van")], [Ship("C")]).grapple(
        "C", "A"
    )
    assert tied.table().to_numpy().tolist() == [["A", "B", "line"], ["A", "C", "grapple"]]


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda tied: tied.grapple("A", "X"), "ship: got 'X', allowed are 'A', 'B', 'C'"),
        (lambda tied: tied.grapple("A", "A"), "two different ships"),
        (lambda tied: tied.cut("A", "C"), "tie: got"),
        (lambda tied: tied.going_down({"X"}), "ship: got 'X'"),
        (lambda tied: TiedShips(("A", "A")), "names that differ"),
        (lambda tied: TiedShips(("A",), frozenset({frozenset("AB")})), "ship: got 'B'"),
        (lambda tied: TiedShips(("A",), frozenset({frozenset("A")})), "two different ships"),
    ],
)
def test_ties_that_cannot_be_are_refused(act, message):
    with pytest.raises(nk.InputError, match=message):
        act(TiedShips(("A", "B", "C")).grapple("A", "B"))


# The same graph as arrays, in a fleet


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_groups_of_arrays_are_those_of_the_graph(data):
    pairs = list(combinations(NAMES, 2))
    fights = 3
    at = np.full((len(NAMES), fights), -1)
    in_line = data.draw(st.integers(0, len(NAMES)))
    ships = [Ship(n, line="van" if place < in_line else "") for place, n in enumerate(NAMES)]
    before = np.array([place - 1 if 0 < place < in_line else -1 for place in range(len(NAMES))])
    graphs = []
    for fight in range(fights):
        graph = TiedShips.of(ships)
        for place, name in enumerate(NAMES):
            others = [other for other in range(len(NAMES)) if other != place]
            to = data.draw(st.sampled_from([-1, *others]))
            at[place, fight] = to
            if to >= 0:
                graph = graph.grapple(name, NAMES[to])
        graphs.append(graph)
    tied = np.broadcast_to(before[:, None] >= 0, at.shape)
    label = arrays.groups(at, at >= 0, before, tied)
    for fight, graph in enumerate(graphs):
        for first, second in pairs:
            one, two = NAMES.index(first), NAMES.index(second)
            together = label[one, fight] == label[two, fight]
            assert together == (second in graph.group(first))


def test_a_chain_of_a_hundred_ships_is_one_group():
    at = np.arange(1, 101)[:, None] % 100
    who = np.ones_like(at, dtype=bool)
    none = np.full(100, -1)
    assert (arrays.groups(at, who, none, ~who) == 0).all()
    cut = who.copy()
    cut[[49, 99]] = False
    label = arrays.groups(at, cut, none, ~who)
    assert label.ravel().tolist() == [0] * 50 + [50] * 50


@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_sums_over_ships_that_point_at_ships(data):
    ships, fights = 5, 4
    draw = lambda low, high: np.array(  # noqa: E731
        data.draw(st.lists(st.integers(low, high), min_size=20, max_size=20))
    ).reshape(ships, fights)
    at, values, who = draw(0, ships - 1), draw(0, 9), draw(0, 1).astype(bool)
    for ship in range(ships):
        for fight in range(fights):
            mine = [n for n in range(ships) if who[n, fight] and at[n, fight] == ship]
            assert arrays.number(at, who)[ship, fight] == len(mine)
            assert arrays.total(at, who, values)[ship, fight] == values[mine, fight].sum()
            best = [n for n in mine if arrays.best(at, who, values)[n, fight]]
            assert best == ([max(mine, key=lambda n: (values[n, fight], -n))] if mine else [])
            assert arrays.of(values, at)[ship, fight] == values[at[ship, fight], fight]
