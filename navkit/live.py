"""A Bokeh figure that Python changes in place, in JupyterLab, Notebook and Voilà alike.

The figure stays in Python; each view of it asks for it as it is now, and for BokehJS if its page
has none, so it works without a network and nothing is saved in the notebook. A change sends
only the new columns, as binary.

>>> from bokeh.models import ColumnDataSource
>>> from bokeh.plotting import figure
>>> chart = figure(title="Hands left", height=200)
>>> source = ColumnDataSource({"turn": [0, 1], "crew": [40, 31]}, name="attrition")
>>> _ = chart.line("turn", "crew", source=source)
>>> live = LiveFigure(chart)
>>> live.update({"attrition": {"turn": [0, 1, 2], "crew": [40, 31, 26]}})
>>> live.close()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import anywidget
import bokeh
import numpy as np
import numpy.typing as npt
import traitlets
from bokeh.embed import json_item
from bokeh.models import ColumnDataSource
from bokeh.models.annotations import Title
from bokeh.plotting import figure as Figure
from bokeh.resources import Resources

from navkit.errors import InputError

Columns = Mapping[str, npt.ArrayLike]


class LiveFigure(anywidget.AnyWidget):
    """A widget that shows `figure` and follows its changes.

    The title is taken out of the canvas and shown as text above it, where it wraps on narrow
    pages and reads in every theme. Assigning another `figure` shows that one instead, in place;
    None shows nothing. A closed widget lets go of its figure, in Python and in the page.
    """

    # As text, since anywidget would hold every widget whose script is a file for good.
    _esm = traitlets.Unicode(Path(__file__).with_suffix(".js").read_text("utf-8")).tag(sync=True)
    bokeh_version = traitlets.Unicode(bokeh.__version__).tag(sync=True)

    def __init__(self, figure: Figure | None = None, **traits: Any) -> None:
        super().__init__(**traits)
        self._figure: Figure | None = None
        self.on_msg(_answer)
        self.figure = figure

    @property
    def figure(self) -> Figure | None:
        """The figure shown, as it is now."""
        return self._figure

    @figure.setter
    def figure(self, figure: Figure | None) -> None:
        self._figure = figure
        self._sources: dict[str, ColumnDataSource] = {}
        if figure is not None:
            _title(figure).visible = False
            for source in figure.select({"type": ColumnDataSource}):
                if isinstance(source, ColumnDataSource) and source.name:
                    self._sources[source.name] = source
        self.send({"kind": "new"})

    def update(self, sources: Mapping[str, Columns], *, title: str | None = None) -> None:
        """Change the data of ColumnDataSources by name, and the title, all in one message.

        `sources` gives every column of each source it names: numbers, or a list of texts.
        Raises InputError for a source or columns that the figure doesn't have, and for columns
        of different lengths; then nothing is changed.
        """
        if self._figure is None:
            raise InputError("figure", None, "a figure, before its data can change")
        for name, columns in sources.items():
            self._check(name, columns)
        buffers: list[bytes] = []
        told: dict[str, dict[str, Any]] = {}
        for name, columns in sources.items():
            data: dict[str, Any] = {each: _column(values) for each, values in columns.items()}
            self._sources[name].data = data
            told[name] = {each: _tell(values, buffers) for each, values in data.items()}
        heading = _title(self._figure)
        if title is not None:
            heading.text = title
        self.send({"kind": "update", "title": heading.text, "sources": told}, buffers)

    def close(self) -> None:
        """Take the figure off every page and let go of it."""
        self._figure, self._sources = None, {}
        super().close()

    def _check(self, name: str, columns: Columns) -> None:
        if name not in self._sources:
            raise InputError("source", name, *self._sources)
        if set(columns) != set(self._sources[name].column_names):
            raise InputError(f"columns of {name}", [*columns], *self._sources[name].column_names)
        lengths = {len(np.atleast_1d(values)) for values in columns.values()}
        if len(lengths) > 1:
            raise InputError(f"lengths of the columns of {name}", sorted(lengths), "one length")


def _answer(live: LiveFigure, asked: dict[str, Any], buffers: Sequence[memoryview]) -> None:
    if asked.get("ask") == "script":
        live.send({"kind": "script"}, [_bokeh_script()])
    elif asked.get("ask") == "figure":
        figure = live.figure
        shown = {"title": _title(figure).text, "item": json_item(figure)} if figure else {}
        live.send({"kind": "figure", "view": asked["view"], **shown})


def _title(figure: Figure) -> Title:
    return cast(Title, figure.title)  # Bokeh makes one of any text it is given


@cache
def _bokeh_script() -> bytes:
    return "\n".join(Resources(mode="inline", components=["bokeh"]).js_raw).encode()


def _column(values: npt.ArrayLike) -> npt.NDArray[np.float64] | list[str]:
    array = np.asarray(values)
    if array.dtype.kind in "OUST":
        return [str(value) for value in array]
    return np.ascontiguousarray(array, "<f8")


def _tell(column: npt.NDArray[np.float64] | list[str], buffers: list[bytes]) -> list[str] | int:
    """A column of texts as it is; numbers go to the buffers and are told by their place there."""
    if isinstance(column, list):
        return column
    buffers.append(column.tobytes())
    return len(buffers) - 1
