"""Bokeh figures from tables of odds.

Five functions, alike in shape: `curves` (a column a series over a numeric index; chances, or
other amounts), `bars` (a column a distribution over whole numbers), `fan` (quantiles by turn),
`ranks` (one column of chances over names, the greatest on top) and `heat` (chances by two names).
Each draws from one ColumnDataSource, called `name`; its columns for a table are worked out by
`KINDS[kind].columns` (see `chart_columns`), for a new figure and for a live one's updates alike.

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

from navkit.chart_columns import (
    Columns,
    bands_of,
    bar_columns,
    curve_columns,
    fan_columns,
    fans_of,
    heat_columns,
    names_of,
    rank_columns,
)

INK = "#7a7a7a"
"""Text and axes: at least 4.2 to 1 against white and against JupyterLab's dark #111 alike."""

HEIGHT = 300
WIDE_NAME = 22
"""Letters of a series' name up to which two of them stand side by side on a narrow chart."""
LINE = 24
"""Pixels of a line of the legend."""
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
    for series, style in _styled(names_of(table)):
        band: dict[str, Any] = {
            "y1": f"low {series}",
            "y2": f"high {series}",
            "color": style.colour,
        }
        figure.varea("x", **band, alpha=0.22, source=source, legend_label=series)
        _line(figure, source, f"y {series}", series, style)
    return _finish(figure, x, names_of(table), baseline)


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
    names = names_of(table)
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
    fans = dict(fans_of(table))
    for series, style in _styled(list(fans)):
        for low, high in bands_of(fans[series]):
            band: dict[str, Any] = {
                "y1": f"{low:g} {series}",
                "y2": f"{high:g} {series}",
                "color": style.colour,
            }
            figure.varea("x", **band, alpha=0.2, source=source, legend_label=series)
        _line(figure, source, f"0.5 {series}", series, style)
    return _finish(figure, x, list(fans), baseline)


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
    figure.height = max(HEIGHT, 80 + 36 * len(table))  # a bar, and its words above it
    figure.xaxis.formatter = NumeralTickFormatter(format="0.[0] %")
    figure.yaxis.update(major_label_text_font_size="0px", major_tick_line_color=None)
    figure.ygrid.visible = False
    figure.y_range.update(range_padding=0.7, range_padding_units="absolute")
    bar: dict[str, Any] = {"left": "zero", "right": "value", "color": _STYLES[0].colour}
    drawn = figure.hbar("y", height=0.36, **bar, fill_alpha=0.85, line_alpha=0, source=source)
    ends: dict[str, Any] = {"x0": "low", "x1": "high", "y0": "y", "y1": "y"}
    figure.segment(**ends, color=INK, line_width=2, source=source)
    words: dict[str, Any] = {"text": "says", "text_color": INK, "text_font_size": "12px"}
    figure.text("edge", "above", **words, x_offset=2, source=source)
    figure.add_tools(HoverTool(tooltips=[(y, "@name"), (x, "@says")], renderers=[drawn]))
    return figure


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
    across = FactorRange(factors=names_of(table))
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
    columns = 2 if max(map(len, names)) <= WIDE_NAME else 1
    legend.update(click_policy="hide", orientation="horizontal", ncols=columns, spacing=12)
    if columns == 1:  # its lines take no room from the chart
        figure.height = HEIGHT + LINE * (len(names) // 2)
    legend.update(location="top_left", margin=0, padding=0)
    legend.update(label_text_color=INK, label_text_font_size="12px")
    legend.update(background_fill_color=None, border_line_color=None, inactive_fill_alpha=0)
    figure.add_layout(legend, "above")
    return figure


def _styled(names: list[str]) -> Iterator[tuple[str, _Style]]:
    return zip(names, cycle(_STYLES), strict=False)
