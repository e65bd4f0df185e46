import numpy as np
import pandas as pd
import pytest
from bokeh.models import ColumnDataSource, GlyphRenderer, HoverTool, Line, Scatter
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from navkit import charts
from navkit.errors import InputError

ABOUT = {"title": "What happens?", "x": "turn", "y": "amount"}

chances = pd.DataFrame({"sunk": [0.0, 0.2, 0.5], "out of action": [0.0, 0.3, 1.0]})
quantiles = pd.DataFrame(
    {(side, q): [10.0 * q, 20.0 * q] for side in "ab" for q in (0.05, 0.25, 0.5, 0.75, 0.95)}
)
TABLES = {"curves": chances, "amounts": chances * 40, "bars": chances / 2, "fan": quantiles}
every_kind = pytest.mark.parametrize("kind", TABLES)


@every_kind
def test_a_figure_draws_the_columns_worked_out_for_its_table(kind):
    table = TABLES[kind]
    figure = charts.KINDS[kind].figure(table, **ABOUT, name="view")
    source = figure.select_one({"type": ColumnDataSource, "name": "view"})
    columns = charts.KINDS[kind].columns(table)
    assert source.data.keys() == columns.keys()
    for name, values in columns.items():
        assert list(source.data[name]) == list(values)


@every_kind
def test_every_glyph_draws_columns_that_exist(kind):
    figure = charts.KINDS[kind].figure(TABLES[kind], **ABOUT)
    columns = charts.KINDS[kind].columns(TABLES[kind])
    for renderer in figure.select({"type": GlyphRenderer}):
        glyph = renderer.glyph
        places = {"x", "y", "y1", "y2", "top", "x0", "x1", "y0"} & glyph.dataspecs().keys()
        drawn = [getattr(glyph, place) for place in places]
        assert {each if isinstance(each, str) else each.field for each in drawn} <= columns.keys()


@every_kind
def test_a_figure_is_labelled_hovers_and_can_switch_series_off(kind):
    figure = charts.KINDS[kind].figure(TABLES[kind], **ABOUT)
    assert figure.title.text == ABOUT["title"]
    assert (figure.xaxis[0].axis_label, figure.yaxis[0].axis_label) == ("turn", "amount")
    assert figure.legend[0].click_policy == "hide"
    names = [str(name) for name in TABLES[kind].columns.unique(0)]
    assert [item.label.value for item in figure.legend[0].items] == names
    hover = figure.select_one(HoverTool)
    assert [label for label, _ in hover.tooltips] == ["turn", *names]
    assert all(f"says {name}" in charts.KINDS[kind].columns(TABLES[kind]) for name in names)


@every_kind
def test_series_differ_in_more_than_colour(kind):
    figure = charts.KINDS[kind].figure(TABLES[kind], **ABOUT)
    if kind == "bars":
        return  # they stand side by side
    lines = [each.glyph for each in figure.renderers[1:] if isinstance(each.glyph, Line)]
    markers = [each.glyph for each in figure.renderers if isinstance(each.glyph, Scatter)]
    assert len({line.line_color for line in lines}) == 2
    assert len({tuple(line.line_dash) for line in lines}) == 2
    assert len({marker.marker for marker in markers}) == 2


@given(arrays(np.float64, (5, 2), elements=st.floats(0, 1)), st.floats(0, 0.5))
def test_bands_of_chances_stay_chances(values, error):
    table = pd.DataFrame(values, columns=["a", "b"])
    columns = charts.curve_columns(table, table * 0 + error)
    for name in table:
        low, y, high = (columns[f"{part} {name}"] for part in ("low", "y", "high"))
        assert (low >= 0).all()
        assert (low <= y).all()
        assert (y <= high).all()
        assert (high <= 1).all()


def test_bands_are_1_96_standard_errors_to_each_side():
    table = pd.DataFrame({"crew": [20.0]})
    columns = charts.curve_columns(table, pd.DataFrame({"crew": [1.0]}), percents=False)
    assert columns["low crew"] == pytest.approx([18.04])
    assert columns["high crew"] == pytest.approx([21.96])
    assert columns["says crew"] == ["20 ±2"]


def test_all_numbers_are_float64():
    for kind, table in TABLES.items():
        for values in charts.KINDS[kind].columns(table).values():
            assert isinstance(values, list) or values.dtype == np.float64


def test_a_sampled_bar_has_its_error_and_an_exact_one_its_tail():
    die = pd.DataFrame({"d2": [0.5, 0.5]}, index=[1, 2])
    assert charts.bar_columns(die)["says d2"][0] == "50.0 %, this or more 100 %"
    assert charts.bar_columns(die, die * 0.1)["says d2"][0] == "50.0 % ±9.8"


def test_what_did_not_happen_is_a_gap_that_says_so():
    assert charts.curve_columns(pd.DataFrame({"a": [np.nan, 0.5]}))["says a"] == ["none", "50.0 %"]
    gap = quantiles.copy()
    gap.iloc[1] = np.nan
    assert charts.fan_columns(gap)["says a"][1].startswith("none")


def test_bands_of_a_fan_nest():
    columns = charts.fan_columns(quantiles[quantiles.columns[::-1]])
    order = [columns[f"{q:g} a"][1] for q in (0.05, 0.25, 0.5, 0.75, 0.95)]
    assert order == sorted(order)
    assert columns["says a"][1] == "10, in 50 % of fights 5 to 15, in 90 % of fights 1 to 19"


@pytest.mark.parametrize(
    ("kind", "table", "message"),
    [
        ("curves", pd.DataFrame(), "table: got"),
        ("curves", pd.DataFrame({"a": [0.5]}, index=["x"]), "index of the table"),
        ("bars", pd.DataFrame([[1, 2]], columns=["a", "a"]), "columns of the table"),
        ("bars", pd.DataFrame([[1, 2]], columns=[1, "1"]), "columns of the table"),
        ("curves", pd.DataFrame({"a": [1.5]}), "chance: got 1.5"),
        ("fan", chances, "columns of a fan"),
        ("fan", pd.DataFrame({(1, 0.5): [1], ("1", 0.5): [2]}), "series of a fan"),
        ("fan", quantiles.drop(columns=[("b", 0.5)]), "quantiles of b"),
        ("fan", quantiles.drop(columns=[("a", 0.95)]), "quantiles of a"),
    ],
)
def test_tables_of_another_form_are_refused(kind, table, message):
    with pytest.raises(InputError, match=message):
        charts.KINDS[kind].figure(table, **ABOUT)


def test_columns_of_errors_may_have_names_of_their_own():
    error = (chances * 0.01).add_suffix("_error")
    assert charts.curve_columns(chances, error)["high sunk"][1] > 0.2


def test_errors_of_another_form_are_refused():
    with pytest.raises(InputError, match="shape of the standard errors"):
        charts.curves(chances, error=chances[["sunk"]], **ABOUT)
    with pytest.raises(InputError, match="least standard error: got -"):
        charts.curves(chances, error=chances - 0.5, **ABOUT)
    with pytest.raises(InputError, match="rows of the standard errors"):
        charts.curves(chances, error=chances.set_axis([5, 6, 7]), **ABOUT)
    with pytest.raises(InputError, match="how far fights spread"):
        charts.fan(quantiles, error=quantiles, **ABOUT)


def test_long_names_stand_one_below_the_other():
    for name, columns, more in (("airship", 2, 0), ("Pirate airship out of action", 1, 24)):
        table = pd.DataFrame({name: [0.0, 0.5], f"{name} b": [0.0, 0.2]})
        figure = charts.curves(table, **ABOUT)
        assert figure.legend[0].ncols == columns
        assert figure.height == charts.HEIGHT + more
