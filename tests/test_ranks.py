"""Bars by name, in order."""

import pandas as pd
import pytest

from navkit import charts
from navkit.errors import InputError


def table(values):
    return pd.DataFrame({"gain": values.values()}, index=list(values))


def test_the_greatest_is_on_top_and_says_so():
    columns = charts.KINDS["ranks"].columns(table({"low": -0.25, "high": 0.5, "none": 0.0}))
    assert columns["name"] == ["high", "none", "low"]
    assert columns["y"].tolist() == [3, 2, 1]
    assert columns["value"].tolist() == [0.5, 0, -0.25]
    assert columns["says"] == ["high 50.0 %", "none 0 %", "low −25.0 %"]
    assert columns["low"].tolist() == columns["high"].tolist() == columns["value"].tolist()


def test_sampled_bars_have_whiskers_in_the_same_order():
    errors = table({"x": 0.01, "y": 0.02})
    columns = charts.rank_columns(table({"x": 0.3, "y": 0.6}), errors)
    assert (columns["high"] - columns["low"]).tolist() == pytest.approx([0.0784, 0.0392])
    assert columns["says"] == ["y 60.0 % ±4.0", "x 30.0 % ±2.0"]


def test_a_figure_draws_from_its_source():
    figure = charts.ranks(table({"a": 0.1}), title="t", x="gain", y="factor", name="worth")
    assert figure.select_one({"name": "worth"}).data["name"] == ["a"]
    assert figure.title.text == "t"


@pytest.mark.parametrize(
    "bad",
    [
        pd.DataFrame(),
        pd.DataFrame({"a": [1.0], "b": [2.0]}, index=["x"]),
        pd.DataFrame({"a": [1.0]}, index=[3]),
    ],
)
def test_other_tables_are_refused(bad):
    with pytest.raises(InputError, match="one column of chances"):
        charts.rank_columns(bad)
    with pytest.raises(InputError, match="shape of the standard errors"):
        charts.rank_columns(table({"a": 0.1}), table({"a": 0.1, "b": 0.1}))


def test_hardly_any_difference_has_no_sign_and_squares_tell_chances_in_few_letters():
    gains = pd.DataFrame({"gain": [0.0002, -0.0002]}, index=["more", "less"])
    assert charts.KINDS["ranks"].columns(gains)["says"] == ["more under 0.1 %", "less under 0.1 %"]
    wins = pd.DataFrame({"x": [0.0002, 0.9999, 0.5]}, index=["a", "b", "c"])
    assert charts.KINDS["heat"].columns(wins)["short"] == ["<0.1", ">99.9", "50.0"]
