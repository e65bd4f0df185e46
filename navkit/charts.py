"""Bokeh figures from tables of odds.

Five functions, alike in shape: `curves` (a column a series over a numeric index; chances, or
other amounts), `bars` (a column a distribution over whole numbers), `fan` (quantiles by turn),
`ranks` (one column of chances over names, the greatest on top) and `heat` (chances by two names).
Each draws from one ColumnDataSource, called `name`; its columns for a table are worked out by
`KINDS[kind].columns`, for a new figure and for the updates of a live one alike.

>>> import pandas as pd
>>> chances = pd.DataFrame({"Sloop": [0.0, 0.2, 0.5], "Brig": [0.0, 0.05, 0.1]})
>>> figure = curves(chances, title="Which ship sinks first?", x="turn", y="chance of being sunk")
>>> KINDS["curves"].columns(chances)["y Brig"]
array([0.  , 0.05, 0.1 ])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from bokeh.models import (
    ColumnDataSource,
    FactorRange,
    HoverTool,
    NumeralTickFormatter,
    Range1d,
)
from bokeh.models.annotations import Title
from bokeh.palettes import Blues256
from bokeh.plotting import figure as Figure
from bokeh.transform import dodge, linear_cmap

from navkit.errors import InputError
from navkit.words import NORMAL_95, percent

Floats = npt.NDArray[np.float64]
Columns = dict[str, Floats | list[str]]
"""What a ColumnDataSource holds: numbers to draw, and texts for hovering."""

INK = "#7a7a7a"
"""Text and axes: at least 4.2 to 1 against white and against JupyterLab's dark #111 alike."""

HEIGHT = 300
MOST_MARKERS = 60
"""Points of a line up to which each is marked; more would hide the line and its dashes."""


class _Style(NamedTuple):
    colour: str
    dash: str
    marker: str


# Okabe and Ito's colours but black and yellow, which vanish on a dark and on a white page.
_STYLES = (
    _Style("#0072B2", "solid", "circle"),
    _Style("#D55E00", "dashed", "square"),
    _Style("#009E73", "dotdash", "triangle"),
    _Style("#CC79A7", "dotted", "diamond"),
    _Style("#E69F00", "dashdot", "inverted_triangle"),
    _Style("#56B4E9", "solid", "hex"),
)


def curves(
    table: pd.DataFrame,
    *,
    title: str,
    x: str,
    y: str,
    error: pd.DataFrame | None = None,
    percents: bool = True,
    name: str = "curves",
) -> Figure:
    """Lines over a numeric index, a column a series, with 95 % bands where they were sampled.

    `error` holds the standard errors in the shape of `table`. With `percents` the values are
    chances from 0 to 1, shown from 0 to 100 %. Raises InputError for a table that is empty,
    has repeated columns or an index that isn't numeric, and for an `error` of another shape.

    >>> table = pd.DataFrame({"hit": [0.5, 0.6]}, index=[10, 11])
    >>> curves(table, title="Does expertise pay?", x="expertise", y="chance").title.text
    'Does expertise pay?'
    """
    columns = curve_columns(table, error, percents=percents)
    source = ColumnDataSource(data=columns, name=name)
    figure = _figure(title, x, y)
    if percents:
        figure.y_range = Range1d(start=-0.02, end=1.02)
        figure.yaxis.formatter = NumeralTickFormatter(format="0.[0] %")
    baseline = figure.line("x", "zero", source=source, color=INK, alpha=0.5)
    for series, style in _styled(_names(table)):
        band: dict[str, Any] = {
            "y1": f"low {series}",
            "y2": f"high {series}",
            "color": style.colour,
        }
        figure.varea("x", **band, alpha=0.22, source=source, legend_label=series)
        _line(figure, source, f"y {series}", series, style)
    return _finish(figure, x, _names(table), baseline)


def curve_columns(
    table: pd.DataFrame, error: pd.DataFrame | None = None, *, percents: bool = True
) -> Columns:
    """What `curves` draws: `x`, and for each series its `y`, `low`, `high` and `says`.

    >>> list(curve_columns(pd.DataFrame({"hit": [0.5]})))
    ['x', 'zero', 'y hit', 'low hit', 'high hit', 'says hit']
    """
    columns = _columns(table, error)
    for series, values, errors in _series(table, error):
        half = NORMAL_95 * (errors if errors is not None else np.zeros_like(values))
        low, high = values - half, values + half
        if percents:
            low, high = low.clip(0, 1), high.clip(0, 1)
        says = _chances(values, errors) if percents else _amounts(values, errors)
        columns |= {f"y {series}": values, f"low {series}": low, f"high {series}": high}
        columns[f"says {series}"] = says
    return columns


def bars(
    table: pd.DataFrame,
    *,
    title: str,
    x: str,
    y: str,
    error: pd.DataFrame | None = None,
    name: str = "bars",
) -> Figure:
    """The probability of each whole number, a column a distribution; whiskers where sampled.

    Hovering tells the probability of a value and, where it is exact, of the value or more.
    Raises InputError as `curves` does.

    >>> die = pd.DataFrame({"d6": 1 / 6}, index=range(1, 7))
    >>> bars(die, title="What does a die roll?", x="pips", y="probability").yaxis[0].axis_label
    'probability'
    """
    source = ColumnDataSource(data=bar_columns(table, error), name=name)
    figure = _figure(title, x, y)
    figure.yaxis.formatter = NumeralTickFormatter(format="0.[00] %")
    baseline = figure.vbar("x", width=1, top="zero", source=source, color=INK, alpha=0.5)
    names = _names(table)
    width = 0.9 / len(names)
    for place, (series, style) in enumerate(_styled(names)):
        at = dodge("x", (place - (len(names) - 1) / 2) * width)
        bar: dict[str, Any] = {
            "width": width,
            "top": f"y {series}",
            "color": style.colour,
            "fill_alpha": 0.85,
        }
        drawn = figure.vbar(at, **bar, line_alpha=0, source=source, legend_label=series)
        ends: dict[str, Any] = {"x0": at, "x1": at, "y0": f"low {series}", "y1": f"high {series}"}
        drawn.js_link("visible", figure.segment(**ends, color=INK, source=source), "visible")
    return _finish(figure, x, names, baseline)


def bar_columns(table: pd.DataFrame, error: pd.DataFrame | None = None) -> Columns:
    """What `bars` draws: `x`, and for each distribution its `y`, `low`, `high` and `says`.

    >>> bar_columns(pd.DataFrame({"coin": [0.5, 0.5]}))["says coin"]
    ['50.0 %, this or more 100 %', '50.0 %, this or more 50.0 %']
    """
    columns = curve_columns(table, error)
    if error is None:
        for series, values, _ in _series(table, error):
            more = np.nan_to_num(values)[::-1].cumsum()[::-1].clip(0, 1)
            says = zip(columns[f"says {series}"], _chances(more, None), strict=True)
            columns[f"says {series}"] = [f"{this}, this or more {tail}" for this, tail in says]
    return columns


def fan(
    table: pd.DataFrame,
    *,
    title: str,
    x: str,
    y: str,
    error: pd.DataFrame | None = None,
    name: str = "fan",
) -> Figure:
    """How far fights spread, by turn: a median line in nested bands of quantiles, for each series.

    The columns are pairs (series, quantile): 0.5 and, for each band, q and 1 − q. Raises
    InputError as `curves` does, for columns of another form, and for an `error`, which has no
    place beside the spread.

    >>> table = pd.DataFrame({("Sloop", 0.05): [5.0], ("Sloop", 0.5): [7], ("Sloop", 0.95): [9]})
    >>> fan(table, title="How many hands are left?", x="turn", y="crew").xaxis[0].axis_label
    'turn'
    """
    source = ColumnDataSource(data=fan_columns(table, error), name=name)
    figure = _figure(title, x, y)
    baseline = figure.line("x", "zero", source=source, color=INK, alpha=0.5)
    fans = dict(_fans(table))
    for series, style in _styled(list(fans)):
        for low, high in _bands(fans[series]):
            band: dict[str, Any] = {
                "y1": f"{low:g} {series}",
                "y2": f"{high:g} {series}",
                "color": style.colour,
            }
            figure.varea("x", **band, alpha=0.2, source=source, legend_label=series)
        _line(figure, source, f"0.5 {series}", series, style)
    return _finish(figure, x, list(fans), baseline)


def fan_columns(table: pd.DataFrame, error: pd.DataFrame | None = None) -> Columns:
    """What `fan` draws: `x`, and for each series its quantiles and what they `say`.

    >>> table = pd.DataFrame({("Sloop", 0.05): [3.0], ("Sloop", 0.5): [7], ("Sloop", 0.95): [9]})
    >>> fan_columns(table)["says Sloop"]
    ['7, in 90 % of fights 3 to 9']
    """
    if error is not None:
        raise InputError("error", "standard errors", "None: a fan shows how far fights spread")
    columns = _columns(table, None)
    for series, quantiles in _fans(table):
        columns |= {f"{quantile:g} {series}": values for quantile, values in quantiles.items()}
        says = [_amount(median) for median in quantiles[0.5].tolist()]
        for low, high in _bands(quantiles):
            ends = zip(says, quantiles[low].tolist(), quantiles[high].tolist(), strict=True)
            share = f"{100 * (high - low):.3g} %"
            says = [f"{so_far}, in {share} of fights {a:g} to {b:g}" for so_far, a, b in ends]
        columns[f"says {series}"] = says
    return columns


def ranks(
    table: pd.DataFrame,
    *,
    title: str,
    x: str,
    y: str,
    error: pd.DataFrame | None = None,
    name: str = "ranks",
) -> Figure:
    """Chances by name, or differences of chances, as horizontal bars in order, the greatest on top.

    The table has one column, and the names for an index; `y` says what is named. Raises InputError
    for other tables, and for an `error` of another shape.

    >>> gains = pd.DataFrame({"gain": [0.1, 0.4]}, index=["flagship", "siphon"])
    >>> ranks(gains, title="What helps most?", x="gain", y="factor").xaxis[0].axis_label
    'gain'
    """
    source = ColumnDataSource(data=rank_columns(table, error), name=name)
    figure = _figure(title, x, y)
    figure.xaxis.formatter = NumeralTickFormatter(format="0.[0] %")
    figure.yaxis.update(major_label_text_font_size="0px", major_tick_line_color=None)
    figure.ygrid.visible = False
    figure.y_range.update(range_padding=0.4, range_padding_units="absolute")
    bar: dict[str, Any] = {"left": "zero", "right": "value", "color": _STYLES[0].colour}
    drawn = figure.hbar("y", height=0.36, **bar, fill_alpha=0.85, line_alpha=0, source=source)
    ends: dict[str, Any] = {"x0": "low", "x1": "high", "y0": "y", "y1": "y"}
    figure.segment(**ends, color=INK, line_width=2, source=source)
    words: dict[str, Any] = {"text": "says", "text_color": INK, "text_font_size": "12px"}
    figure.text("edge", "above", **words, x_offset=2, source=source)
    figure.add_tools(HoverTool(tooltips=[(y, "@name"), (x, "@says")], renderers=[drawn]))
    return figure


def rank_columns(table: pd.DataFrame, error: pd.DataFrame | None = None) -> Columns:
    """What `ranks` draws: a bar from `zero` to `value` at height `y`, and what it `says`.

    What it says begins at the `edge`, the same for all: there is room to the right of it.

    >>> rank_columns(pd.DataFrame({"gain": [0.1, 0.4]}, index=["flagship", "siphon"]))["says"]
    ['siphon 40.0 %', 'flagship 10.0 %']
    """
    if table.empty or table.shape[1] != 1 or pd.api.types.is_numeric_dtype(table.index):
        raise InputError("table", table.shape, "one column of chances, with names for an index")
    if error is not None and error.shape != table.shape:
        raise InputError("shape of the standard errors", error.shape, f"{table.shape}")
    order = np.argsort(-table.to_numpy(np.float64)[:, 0], kind="stable")
    values = table.to_numpy(np.float64)[order, 0]
    half = np.zeros(len(order)) if error is None else NORMAL_95 * error.to_numpy()[order, 0]
    names = [str(table.index[place]) for place in order]
    signs = ["−" if value < 0 else "" for value in values.tolist()]
    says = _chances(np.abs(values), None if error is None else half / NORMAL_95)
    height = np.arange(len(order), 0, -1, dtype=np.float64)
    return {
        "y": height,
        "above": height + 0.2,
        "zero": np.zeros(len(order)),
        "edge": np.full(len(order), min(0.0, float((values - half).min()))),
        "value": values,
        "low": values - half,
        "high": values + half,
        "name": names,
        "says": [f"{n} {sign}{said}" for n, sign, said in zip(names, signs, says, strict=True)],
    }


def heat(
    table: pd.DataFrame,
    *,
    title: str,
    x: str,
    y: str,
    error: pd.DataFrame | None = None,
    name: str = "heat",
) -> Figure:
    """Chances by two names, as a field of squares: the rows from the top down, the columns across.

    The darker, the likelier; each square tells its chance, hovering its names too. Raises
    InputError for a table without names, and for an `error` of another shape.

    >>> wins = pd.DataFrame({"Sloop": [0.5, 0.8], "Brig": [0.0, 0.1]}, index=["Sloop", "Schooner"])
    >>> heat(wins, title="Which ship beats which?", x="beaten", y="victor").xaxis[0].axis_label
    'beaten'
    """
    source = ColumnDataSource(data=heat_columns(table, error), name=name)
    across = FactorRange(factors=_names(table))
    down = FactorRange(factors=[str(row) for row in reversed(table.index)])
    figure = _figure(title, x, y, x_range=across, y_range=down)
    figure.height = max(HEIGHT, 100 + 40 * len(table))
    figure.grid.visible = False
    figure.xaxis.major_label_orientation = 0.6
    shade = linear_cmap("value", list(reversed(Blues256)), 0.0, 1.0)
    square: dict[str, Any] = {"width": 1, "height": 1, "fill_color": shade, "line_color": INK}
    drawn = figure.rect("column", "row", **square, line_alpha=0.3, source=source)
    words: dict[str, Any] = {"text": "short", "text_color": "ink", "text_font_size": "11px"}
    figure.text(
        "column", "row", **words, text_align="center", text_baseline="middle", source=source
    )
    tooltips = [(y, "@row"), (x, "@column"), ("chance", "@says")]
    figure.add_tools(HoverTool(tooltips=tooltips, renderers=[drawn]))
    return figure


def heat_columns(table: pd.DataFrame, error: pd.DataFrame | None = None) -> Columns:
    """What `heat` draws: for each square its `row`, `column` and `value`, and what it `says`.

    >>> heat_columns(pd.DataFrame({"Brig": [0.75]}, index=["Sloop"]))["says"]
    ['75.0 %']
    """
    if table.empty or pd.api.types.is_numeric_dtype(table.index):
        raise InputError("table", table.shape, "chances with names for rows and columns")
    if not table.columns.is_unique or not table.index.is_unique:
        raise InputError("names of the table", list(table.index), "each once")
    if error is not None and error.shape != table.shape:
        raise InputError("shape of the standard errors", error.shape, f"{table.shape}")
    values = table.to_numpy(np.float64).ravel()
    says = _chances(values, None if error is None else error.to_numpy(np.float64).ravel())
    names = [(str(row), column) for row in table.index for column in _names(table)]
    return {
        "row": [row for row, _ in names],
        "column": [column for _, column in names],
        "value": values,
        "says": says,
        "short": [each.split(" ±")[0].removesuffix(" %") for each in says],
        "ink": ["#ffffff" if value > 0.5 else "#303030" for value in values.tolist()],
    }


@dataclass(frozen=True)
class Kind:
    """A kind of chart: how to draw a table, and what its source holds for another one."""

    figure: Callable[..., Figure]
    columns: Callable[..., Columns]


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "curves": Kind(curves, curve_columns),
        "amounts": Kind(partial(curves, percents=False), partial(curve_columns, percents=False)),
        "bars": Kind(bars, bar_columns),
        "fan": Kind(fan, fan_columns),
        "ranks": Kind(ranks, rank_columns),
        "heat": Kind(heat, heat_columns),
    }
)


def _figure(title: str, x: str, y: str, **ranges: Any) -> Figure:
    """An empty figure that reads on light and dark pages, and scrolls with them under a finger."""
    figure = Figure(
        title=Title(text=title, text_color=INK, text_font_size="14px"),
        x_axis_label=x,
        y_axis_label=y,
        height=HEIGHT,
        sizing_mode="stretch_width",
        tools="pan,box_zoom,wheel_zoom,reset,save",
        active_drag=None,
        background_fill_color=None,
        border_fill_color=None,
        outline_line_color=None,
        **ranges,
    )
    figure.toolbar.logo = None
    figure.toolbar.autohide = True
    for axis in figure.axis:
        axis.update(axis_label_text_color=INK, axis_label_text_font_style="normal")
        axis.update(axis_label_text_font_size="13px", major_label_text_font_size="12px")
        axis.update(major_label_text_color=INK, axis_line_color=INK)
        axis.update(major_tick_line_color=INK, minor_tick_line_color=None)
    for grid in figure.grid:
        grid.update(grid_line_color=INK, grid_line_alpha=0.25)
    return figure


def _line(figure: Figure, source: ColumnDataSource, y: str, series: str, style: _Style) -> None:
    about: dict[str, Any] = {"source": source, "color": style.colour, "legend_label": series}
    figure.line("x", y, line_width=2, line_dash=style.dash, **about)
    if len(source.data["x"]) <= MOST_MARKERS:
        figure.scatter("x", y, marker=style.marker, size=5, **about)


def _finish(figure: Figure, x: str, names: list[str], baseline: Any) -> Figure:
    """Add hovering and a legend above the chart that switches series off.

    One baseline under all series carries the hovering, so that one tooltip tells them all and
    series that are switched off don't take it with them.
    """
    tooltips = [(x, "@x{0.[00]}"), *((name, f"@{{says {name}}}") for name in names)]
    figure.add_tools(
        HoverTool(
            tooltips=tooltips,
            renderers=[baseline],
            mode="vline",
            line_policy="nearest",
            point_policy="follow_mouse",
        )
    )
    legend = figure.legend[0]
    legend.update(click_policy="hide", orientation="horizontal", ncols=2, spacing=12)
    legend.update(location="top_left", margin=0, padding=0)
    legend.update(label_text_color=INK, label_text_font_size="12px")
    legend.update(background_fill_color=None, border_line_color=None, inactive_fill_alpha=0)
    figure.add_layout(legend, "above")
    return figure


def _styled(names: list[str]) -> Iterator[tuple[str, _Style]]:
    return zip(names, cycle(_STYLES), strict=False)


def _columns(table: pd.DataFrame, error: pd.DataFrame | None) -> Columns:
    """The columns every kind has, once `table` and `error` have been checked."""
    if table.empty:
        raise InputError("table", table.shape, "a table with rows and columns")
    if not pd.api.types.is_numeric_dtype(table.index):
        raise InputError("index of the table", table.index.dtype.name, "a numeric index")
    if not table.columns.is_unique:
        raise InputError("columns of the table", list(table.columns), "a name a series")
    if error is not None and error.shape != table.shape:
        raise InputError("shape of the standard errors", error.shape, f"{table.shape}")
    return {"x": table.index.to_numpy(np.float64), "zero": np.zeros(len(table))}


def _names(table: pd.DataFrame) -> list[str]:
    return [str(column) for column in table.columns]


def _series(
    table: pd.DataFrame, error: pd.DataFrame | None
) -> Iterator[tuple[str, Floats, Floats | None]]:
    values = table.to_numpy(np.float64).T
    errors = [None] * len(values) if error is None else error.to_numpy(np.float64).T
    return zip(_names(table), map(np.ascontiguousarray, values), errors, strict=True)


def _fans(table: pd.DataFrame) -> Iterator[tuple[str, dict[float, Floats]]]:
    """The series of a fan, each with its quantiles from low to high."""
    allowed = "pairs (series, quantile): 0.5, and q with 1 − q for each band"
    if table.columns.nlevels != 2:
        raise InputError("columns of a fan", list(table.columns), allowed)
    for name in table.columns.unique(0):
        part = table[name]
        quantiles = {round(float(q), 9): part[q].to_numpy(np.float64) for q in sorted(part)}
        mirrored = [round(1 - quantile, 9) for quantile in reversed(quantiles)]
        if 0.5 not in quantiles or mirrored != list(quantiles):
            raise InputError(f"quantiles of {name}", list(quantiles), allowed)
        yield str(name), quantiles


def _bands(quantiles: dict[float, Floats]) -> list[tuple[float, float]]:
    """Which quantiles are the lower and upper edge of a band, innermost first."""
    return [(low, round(1 - low, 9)) for low in reversed(quantiles) if low < 0.5]


def _chances(values: Floats, errors: Floats | None) -> list[str]:
    sampled = [None] * len(values) if errors is None else errors.tolist()
    pairs = zip(values.tolist(), sampled, strict=True)
    return ["none" if value != value else percent(value, error=error) for value, error in pairs]


def _amounts(values: Floats, errors: Floats | None) -> list[str]:
    if errors is None:
        return [_amount(value) for value in values.tolist()]
    halves = (NORMAL_95 * errors).tolist()
    pairs = zip(values.tolist(), halves, strict=True)
    return [f"{_amount(value)} ±{half:.2g}" for value, half in pairs]


def _amount(value: float) -> str:
    return "none" if value != value else f"{value:.6g}"
