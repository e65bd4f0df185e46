"""Graphs drawn: where the dots stand, and what joins them."""

import pandas as pd
import pytest

from navkit.errors import InputError
from navkit.network import network, places

DOTS = pd.DataFrame(
    {"row": ["us", "us", "them", "them"], "label": [1, 2, 3, 4]}, index=["A", "B", "C", "D"]
)
TIES = pd.DataFrame(
    {"first": ["A", "B", "A"], "second": ["D", "C", "B"], "tie": ["grapple", "grapple", "line"]}
)


def test_rows_lie_below_each_other_and_ties_are_short():
    x, y = places(DOTS, TIES)
    assert y == {"A": 0, "B": 0, "C": -1, "D": -1}
    assert x == {"A": 0, "B": 1, "D": 0, "C": 1}


def test_dots_and_ties_are_in_sources_of_their_own():
    figure = network(DOTS, TIES, title="t", name="tied")
    us, lines = (figure.select_one({"name": f"tied {what}"}).data for what in ("us", "grapple"))
    assert us["name"] == ["A", "B"]
    assert us["label"] == ["1", "2"]
    assert [(xs[0], xs[-1]) for xs in lines["xs"]] == [(0, 0), (1, 1)]
    assert len(figure.select_one({"name": "tied line"}).data["xs"]) == 1


def test_dots_without_ties_are_drawn():
    assert network(DOTS, TIES.iloc[:0], title="t").title.text == "t"


def test_a_tie_across_a_row_bows_over_what_lies_between():
    dots = pd.DataFrame({"row": "us", "label": ""}, index=["A", "B", "C"])
    ties = pd.DataFrame({"first": ["A"], "second": ["C"], "tie": ["line"]})
    lines = network(dots, ties, title="t").select_one({"name": "network line"}).data
    assert max(lines["ys"][0]) > 0.3


def test_ties_of_nobody_are_refused():
    with pytest.raises(InputError, match="tie: got 'X'"):
        network(DOTS, TIES.replace("D", "X"), title="t")
    with pytest.raises(InputError, match="dots: got"):
        network(DOTS.iloc[:0], TIES.iloc[:0], title="t")
