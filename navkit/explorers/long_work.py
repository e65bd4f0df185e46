"""A question that takes a while: started by a button, watched, stopped with what is done kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import ipywidgets as widgets
import pandas as pd

from navkit import charts
from navkit.explorers import controls
from navkit.explorers.charted import in_words
from navkit.explorers.live_panel import LivePanel
from navkit.explorers.refinement import Refinement
from navkit.live import LiveFigure


@dataclass(frozen=True)
class Drawn:
    """A chart: its kind (see `charts.KINDS`), its table, and what the chart is told besides."""

    kind: str
    table: pd.DataFrame
    title: str
    x: str
    y: str
    error: pd.DataFrame | None = None


@dataclass(frozen=True)
class Progress:
    """A partial answer as a panel shows it: how far it is, its sentence, charts and table."""

    done: int
    wanted: int
    sentence: str
    charts: Mapping[str, Drawn] = field(default_factory=dict)
    table: pd.DataFrame | None = None


class LongWork(LivePanel):
    """A question under its controls, with buttons, a bar, a sentence, charts and a table.

    `work()` yields `Progress`, each step better than the one before; `charts` names the charts.
    `shown` is the last that was shown. Where no event loop runs, `settle` does what is left.

    >>> box = LongWork("Count", (), lambda: iter([Progress(1, 2, "one"), Progress(2, 2, "two")]))
    >>> box.start()
    >>> box.settle()
    >>> box.shown.sentence
    'two'
    """

    def __init__(
        self,
        question: str,
        members: tuple[Any, ...],
        work: Callable[[], Iterator[Progress]],
        drawn: tuple[str, ...] = (),
    ) -> None:
        self.shown: Progress | None = None
        self._work = work
        self._refinement = Refinement()
        self._go = widgets.Button(
            description="Work it out", button_style="primary", layout={"width": "auto"}
        )
        self._halt = widgets.Button(description="Stop", disabled=True, layout={"width": "auto"})
        self._go.on_click(lambda button: self.start())
        self._halt.on_click(lambda button: self.stop())
        self._bar = widgets.IntProgress(bar_style="info", layout={"width": "100%"})
        self._status, self._sentence = widgets.HTML(), widgets.HTML()
        self._figures = {name: LiveFigure() for name in drawn}
        self._drawn: dict[str, list[str]] = {}
        self._table = widgets.HTML(layout={"min_width": "0", "overflow": "visible"})
        columns = "repeat(auto-fit, minmax(min(100%, 340px), 1fr))"
        grid = {"grid_template_columns": columns, "grid_gap": "16px", "min_width": "0"}
        chosen = widgets.VBox(members, layout={"max_width": "480px", "overflow": "visible"})
        controls.line_up([each for each in members if hasattr(each, "description")])
        super().__init__(
            (
                widgets.HTML(f"<b>{escape(question)}</b>"),
                chosen,
                widgets.HBox((self._go, self._halt), layout={"flex_flow": "row wrap"}),
                self._bar,
                self._status,
                self._sentence,
                widgets.GridBox(tuple(self._figures.values()), layout=grid),
                self._table,
            ),
            layout={"min_width": "0", "overflow": "visible"},
        )

    def start(self) -> None:
        """Begin anew; what was there is replaced."""
        self.forget()
        self._say("at work")
        self._refinement.start(self._steps())

    def stop(self) -> None:
        """Work no more; what is done stays."""
        self._refinement.stop()
        if self._go.disabled:
            self._working(False)
            done, wanted = (self.shown.done, self.shown.wanted) if self.shown else (0, 1)
            self._say(f"stopped after {done} of {wanted}")

    def settle(self) -> None:
        """Do what is left, now."""
        self._refinement.settle()

    def forget(self) -> None:
        """Stop, and show nothing any more: the question has changed."""
        self.stop()
        self.shown = None
        for figure in self._figures.values():
            figure.figure = None
        self._table.value = self._sentence.value = ""
        self._bar.value = 0
        self._say("")

    def close(self) -> None:
        """Stop working, take the panel off every page and let go of its charts."""
        self._refinement.stop()
        super().close()

    def _steps(self) -> Iterator[None]:
        self._working(True)
        try:
            for progress in self._work():
                self._show(progress)
                yield
            self._bar.value = self._bar.max
            self._say("done")
        except Exception as error:
            self._say(in_words(error))
        self._working(False)

    def _show(self, progress: Progress) -> None:
        self.shown = progress
        self._bar.max, self._bar.value = progress.wanted, progress.done
        self._say(f"{progress.done} of {progress.wanted}")
        self._sentence.value = f'<div style="line-height: 1.4">{escape(progress.sentence)}</div>'
        for name, figure in self._figures.items():
            told = progress.charts.get(name)
            if told is None or told.table.empty:
                figure.figure = None
                continue
            kind = charts.KINDS[told.kind]
            columns = kind.columns(told.table, told.error)
            if figure.figure is not None and list(columns) == self._drawn.get(name):
                figure.update({name: columns}, title=told.title)
                continue
            about = {"title": told.title, "x": told.x, "y": told.y, "name": name}
            figure.figure = kind.figure(told.table, error=told.error, **about)
            self._drawn[name] = list(columns)
        self._table.value = _as_html(progress.table)

    def _working(self, busy: bool) -> None:
        self._go.disabled, self._halt.disabled = busy, not busy

    def _say(self, text: str) -> None:
        self._status.value = f'<div role="status">{escape(text)}</div>'


def _as_html(table: pd.DataFrame | None) -> str:
    """A table to read, which scrolls for itself where the page is narrow."""
    if table is None or table.empty:
        return ""
    told = table.to_html(border=0, index_names=True)
    for cell in ("th", "td"):
        style = "text-align: left; vertical-align: top; padding: 1px 8px 1px 0"
        told = told.replace(f"<{cell}>", f'<{cell} style="{style}">')
    return f'<div style="overflow-x: auto; line-height: 1.3">{told}</div>'
