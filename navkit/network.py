"""A Bokeh figure of a graph: dots in rows, joined by lines.

Takes tables, like `navkit.charts`, and knows nothing of what they are about.

>>> import pandas as pd
>>> dots = pd.DataFrame({"row": ["us", "them"], "label": ["20", "14"]}, index=["Argo", "Cog"])
>>> ties = pd.DataFrame({"first": ["Argo"], "second": ["Cog"], "tie": ["grapple"]})
>>> network(dots, ties, title="Who hangs on whom?").title.text
'Who hangs on whom?'
"""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from bokeh.models import ColumnDataSource, Range1d
from bokeh.models.annotations import Title
from bokeh.plotting import figure as Figure

from navkit.charts import INK
from navkit.errors import InputError

DOT = 26
CURVE = 0.35
"""How far a line between neighbours in a row bows out."""
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
_DASHES = ("solid", "dotted", "dashed")


def network(dots: pd.DataFrame, ties: pd.DataFrame, *, title: str, name: str = "network") -> Figure:
    """Dots by name in rows, and the ties between them: a colour a row, a dash a kind of tie.

    `dots` has an index of names, a `row` each, and a `label` to write in it; `ties` has columns
    `first`, `second` and `tie`, its kind. Dots of a row stand in their order, moved so that ties
    to the row before are short. Raises InputError for ties of dots that aren't there.
    """
    rows = list(dict.fromkeys(dots["row"]))
    if dots.empty or not dots.index.is_unique or len(rows) > len(_COLOURS):
        allowed = f"one dot or more with names that differ, in at most {len(_COLOURS)} rows"
        raise InputError("dots", list(dots.index), allowed)
    for end in ("first", "second"):
        for dot in ties[end]:
            if dot not in dots.index:
                raise InputError("tie", dot, *map(str, dots.index))
    x, y = places(dots, ties)
    frame = _frame(title, 110 + 120 * len(rows))
    kinds = zip(dict.fromkeys(ties["tie"]), cycle(_DASHES), strict=False)
    for kind, dash in kinds:
        lines = [
            _line((x[a], y[a]), (x[b], y[b]))
            for a, b, tie in ties[["first", "second", "tie"]].itertuples(index=False)
            if tie == kind
        ]
        arcs = {"xs": [xs for xs, _ in lines], "ys": [ys for _, ys in lines]}
        source = ColumnDataSource(data=arcs, name=f"{name} {kind}")
        drawn: dict[str, Any] = {"color": INK, "line_width": 2, "line_dash": dash}
        frame.multi_line("xs", "ys", source=source, legend_label=str(kind), **drawn)
    for row, colour in zip(rows, _COLOURS, strict=False):
        mine = dots.index[dots["row"] == row]
        data = {
            "x": [x[dot] for dot in mine],
            "y": [y[dot] for dot in mine],
            "name": [str(dot) for dot in mine],
            "label": [str(label) for label in dots.loc[mine, "label"]],
        }
        source = ColumnDataSource(data=data, name=f"{name} {row}")
        frame.scatter("x", "y", size=DOT, color=colour, source=source, legend_label=str(row))
        text: dict[str, Any] = {"text_align": "center", "text_baseline": "middle"}
        text |= {"text_font_size": "11px", "source": source}
        frame.text("x", "y", text="label", text_color="white", **text)
        if row == rows[0]:
            text |= {"text_baseline": "bottom", "y_offset": -DOT // 2 - 3}
        else:
            text |= {"text_baseline": "top", "y_offset": DOT // 2 + 3}
        frame.text("x", "y", text="name", text_color=INK, **text)
    frame.x_range = Range1d(start=-0.7, end=max(x.values()) + 0.7)
    frame.y_range = Range1d(start=-len(rows) + 0.5, end=0.5)
    legend = frame.legend[0]
    legend.update(orientation="horizontal", margin=0, padding=0, border_line_color=None)
    legend.update(label_text_color=INK, background_fill_color=None)
    frame.add_layout(legend, "above")
    return frame


def places(dots: pd.DataFrame, ties: pd.DataFrame) -> tuple[dict[Any, float], dict[Any, float]]:
    """Where the dots stand: rows from 0 downwards, in each of them one step apart.

    In the second row and after, dots stand below the middle of those above that they are tied to,
    as far as there is room.
    """
    x: dict[Any, float] = {}
    y: dict[Any, float] = {}
    for depth, row in enumerate(dict.fromkeys(dots["row"])):
        mine = list(dots.index[dots["row"] == row])
        wish: dict[Any, float] = {}
        for place, dot in enumerate(mine):
            first, second = ties["first"] == dot, ties["second"] == dot
            near = [*ties.loc[first, "second"], *ties.loc[second, "first"]]
            above = [x[other] for other in near if y.get(other, -depth) > -depth]
            wish[dot] = float(np.mean(above)) if above else float(place)
        order = sorted(mine, key=lambda dot: wish[dot])
        stands = [wish[order[0]]]
        for dot in order[1:]:
            stands.append(max(stands[-1] + 1, wish[dot]))
        shift = max(0.0, float(np.mean(stands)) - float(np.mean([*wish.values()])))
        for dot, stand in zip(order, stands, strict=True):
            x[dot], y[dot] = max(stand - shift, stand - stands[0]), float(-depth)
    return x, y


def _frame(title: str, height: int) -> Figure:
    """An empty figure without axes that reads on light and dark pages."""
    frame = Figure(
        title=Title(text=title, text_color=INK, text_font_size="14px"),
        height=height,
        sizing_mode="stretch_width",
        tools="save",
        background_fill_color=None,
        border_fill_color=None,
        outline_line_color=None,
    )
    frame.axis.visible = False
    frame.grid.visible = False
    frame.toolbar.logo = None
    frame.toolbar.autohide = True
    return frame


def _line(start: tuple[float, float], end: tuple[float, float]) -> tuple[list[float], list[float]]:
    """A straight line, or an arc between two dots of one row that are not neighbours."""
    (x0, y0), (x1, y1) = start, end
    bow = CURVE if y0 == y1 and abs(x1 - x0) > 1 else 0.0
    t = np.linspace(0, 1, 21)
    return (x0 + (x1 - x0) * t).tolist(), (y0 + (y1 - y0) * t + bow * 4 * t * (1 - t)).tolist()
