"""The curves of a prep sheet: for the screen, for paper, and the data that its sliders choose."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, cast

import numpy as np
import pandas as pd
from bokeh.models import ColumnDataSource, Line
from bokeh.models.annotations import Title
from bokeh.plotting import figure as Figure

from navkit import charts
from navkit.chart_columns import curve_columns, fan_columns
from navkit.history import History
from navkit.sheet.prepared import QUANTILES, SIDES, PrepSheet

PRINTED = (660, 250)
"""Pixels of a printed chart: the width of a page of A4 or letter with its margins."""
BLACK = "#000000"


def figures(sheet: PrepSheet) -> dict[str, Figure]:
    """The curves of the sheet, by name: who is out of the fight, and what is left."""
    drawn = drawn_figures(sheet)
    for name, title in titles(sheet).items():
        cast(Title, drawn[name].title).update(text=title, visible=True)
    return drawn


def titles(sheet: PrepSheet) -> dict[str, str]:
    """What the curves show, by their names."""
    unit = sheet.meeting.unit
    return {
        "out": f"Who is out of the fight, {unit} by {unit}?",
        "left": f"How are the {sheet.figure[1]}, {unit} by {unit}?",
    }


def drawn_figures(sheet: PrepSheet) -> dict[str, Figure]:
    """The curves of the scenario, without titles."""
    table, error, fan = _odds_table(sheet, sheet.base), None, _fan_table(sheet, sheet.base)
    if sheet.base.fights is not None:
        error = sheet.base.error_of(table)
    unit = sheet.meeting.unit
    told: dict[str, Any] = {"title": "", "x": unit}
    drawn = {
        "out": charts.curves(table, error=error, y="share of fights", name="out", **told),
        "left": charts.fan(fan, y=sheet.figure[1], name="left", **told),
    }
    for each in drawn.values():
        cast(Title, each.title).visible = False
    return drawn


def printed(figure: Figure) -> Figure:
    """A figure black on white, of the width of a page, to be printed as lines and not as dots.

    Its legend is put beside it, since Bokeh 3.9 misplaces all of an SVG that has one.
    """
    width, height = PRINTED
    figure.update(width=width, height=height, sizing_mode="fixed", toolbar_location=None)
    figure.output_backend = "svg"
    figure.legend[0].visible = False
    for axis in figure.axis:
        axis.update(axis_label_text_color=BLACK, major_label_text_color=BLACK)
        axis.update(axis_line_color=BLACK, major_tick_line_color=BLACK)
    for source in figure.select({"type": ColumnDataSource}):
        source.name = f"{source.name}-printed"
    return figure


def legend(figure: Figure) -> str:
    """The legend of a figure's lines, as HTML."""
    told = []
    items: Any = figure.legend[0].items
    for item in items:
        line = next(each.glyph for each in item.renderers if isinstance(each.glyph, Line))
        dash = "dashed" if line.line_dash else "solid"
        style = f"border-top: 3px {dash} {line.line_color}"
        told.append(f'<i class="line" style="{style}"></i> {escape(item.label.value)}')
    return f"<p>{' &emsp; '.join(told)}</p>"


def _odds_table(sheet: PrepSheet, history: History) -> pd.DataFrame:
    names = _chart_names(sheet)
    return pd.DataFrame({names[x]: history.cause(x).sum(axis=1).clip(0, 1) for x in SIDES})


def _fan_table(sheet: PrepSheet, history: History) -> pd.DataFrame:
    names, track = _chart_names(sheet), sheet.figure[0]
    return pd.DataFrame(
        {
            (names[x], q): values
            for x in SIDES
            for q, values in history.quantiles(x, track, QUANTILES).items()
        }
    )


def _chart_names(sheet: PrepSheet) -> dict[str, str]:
    """Names without the braces in which a chart's tooltips name their columns."""
    braces = str.maketrans("{}", "()")
    return {x: name.translate(braces) for x, name in sheet.names.items()}


def played(sheet: PrepSheet, fights: Mapping[tuple[int, int], History]) -> dict[str, Any]:
    """What the script of the page chooses from: the columns of both charts, for each dial."""
    dial = sheet.dial
    a, b = (dial.a, dial.b) if dial else ((0,), (0,))
    names = _chart_names(sheet)
    return {
        "unit": sheet.meeting.unit,
        "names": [names[x] for x in SIDES],
        "values": {"a": a, "b": b} if dial else None,
        "charts": [[_columns(sheet, fights[one, two]) for two in b] for one in a],
    }


def _columns(sheet: PrepSheet, history: History) -> dict[str, Any]:
    table = _odds_table(sheet, history)
    error = None if history.fights is None else history.error_of(table)
    found = {
        "out": curve_columns(table, error),
        "left": fan_columns(_fan_table(sheet, history)),
    }
    return {name: {key: _list(each) for key, each in told.items()} for name, told in found.items()}


def _list(column: Any) -> list[Any]:
    return np.round(column, 5).tolist() if isinstance(column, np.ndarray) else list(column)
