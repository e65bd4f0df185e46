"""One view of a panel: a live chart or a table, and what it says in words."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from html import escape
from time import perf_counter
from typing import Any

import ipywidgets as widgets
import pandas as pd

from navkit import charts
from navkit.errors import InputError
from navkit.explorers.refinement import Refinement
from navkit.live import LiveFigure
from navkit.rulebooks.panel import Answer, Settings, View

_log = logging.getLogger(__name__)


class Charted(widgets.VBox):
    """A view's chart over a line in words, or its table under one.

    `words` is the sentence shown, `table` the odds behind it. `seconds` tells how long its last
    quick answer took, `moved` whether its last answers changed the picture. A view that fails says
    why in its words, hides its chart rather than show odds of other settings, and has no table.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.words = self._basis = ""
        self.seconds = 0.0
        self.moved = True
        self.table: pd.DataFrame | None = None
        self._refinement = Refinement()
        self._picture = _Table() if view.chart == "table" else _Chart(view)
        self._line = widgets.HTML()
        parts: tuple[Any, ...] = (self._picture, self._line)
        if isinstance(self._picture, _Table):  # it may be long
            parts = (self._picture.heading, self._line, self._picture)
        super().__init__(parts, layout={"min_width": "0", "overflow": "visible"})

    def refresh(self, settings: Settings) -> None:
        """Show the quick answer for `settings` now, and better ones when there is time."""
        began = perf_counter()
        self.moved = False
        self._refinement.start(self._steps(settings))
        self.seconds = perf_counter() - began

    def wait(self) -> None:
        """Stop refining: the settings are others now, and `refresh` follows. The words fade."""
        self._refinement.stop()
        self._tell(0.4)

    def settle(self) -> None:
        """Show the full answer now."""
        self._refinement.settle()

    def close(self) -> None:
        """Stop refining and let go of the chart."""
        self._refinement.stop()
        super().close()

    def _steps(self, settings: Settings) -> Iterator[None]:
        try:
            for answer in self.view.answers(settings):
                self._show(answer)
                yield
        except Exception as error:
            self._fail(error)

    def _show(self, answer: Answer) -> None:
        self.moved = self._picture.show(answer) or self.moved
        self._let_be("visible")
        self._say(answer.words, answer.basis)
        self.table = answer.table

    def _fail(self, error: Exception) -> None:
        self._let_be("hidden")
        self._say(in_words(error))
        self.table = None

    def _let_be(self, visibility: str) -> None:
        for part in self.children:
            if part is not self._line:
                part.layout.visibility = visibility

    def _say(self, words: str, basis: str = "") -> None:
        self.words, self._basis = words, basis
        self._tell()

    def _tell(self, opacity: float = 1.0) -> None:
        basis = escape(self._basis)
        told = f' <small style="opacity: 0.75">{basis}</small>' if basis else ""
        style = f"line-height: 1.4; opacity: {opacity:g}"
        self._line.value = f'<div style="{style}">{escape(self.words)}{told}</div>'


class _Chart(LiveFigure):
    """The chart of a view, from a source of the view's name."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self._view = view
        self._drawn: list[str] = []
        self._shown: Answer | None = None

    def show(self, answer: Answer) -> bool:
        """Draw the answer: in the chart that is there, or another where it has other series.

        Whether anything is drawn differently.
        """
        shown, self._shown = self._shown, answer
        if shown is not None and _draws_like(answer, shown):
            if answer.title != shown.title:
                self.update({}, title=answer.title)
            return False
        view, kind = self._view, charts.KINDS[self._view.chart]
        columns = kind.columns(answer.table, answer.error)
        if list(columns) == self._drawn:
            self.update({view.name: columns}, title=answer.title)
        else:
            told = {"name": view.name, "x": view.x, "y": view.y, "title": answer.title}
            self.figure = kind.figure(answer.table, error=answer.error, **told)
            self._drawn = list(columns)
        return True


def _draws_like(answer: Answer, shown: Answer) -> bool:
    """Whether a chart of the one is drawn as a chart of the other."""
    if not answer.table.equals(shown.table):
        return False
    if answer.error is None or shown.error is None:
        return answer.error is shown.error
    return answer.error.equals(shown.error)


class _Table(widgets.HTML):
    """The table of a view; `heading` is its title, to stand above it."""

    def __init__(self) -> None:
        super().__init__()
        self.heading = widgets.HTML()
        self._shown = ""

    def show(self, answer: Answer) -> bool:
        """Show the answer; whether it is another table than before."""
        self.heading.value = f"<b>{escape(answer.title)}</b>"
        table = answer.table.to_html(border=0, index_names=False)
        for cell in ("th", "td"):
            style = "text-align: left; vertical-align: top; padding: 1px 8px 1px 0"
            table = table.replace(f"<{cell}>", f'<{cell} style="{style}">')
        shown, self._shown = self._shown, table
        self.value = f'<div style="overflow-x: auto; line-height: 1.3">{table}</div>'
        return table != shown


def in_words(error: Exception) -> str:
    """What a person at the panel is told of `error`; one that is not theirs is logged in full.

    >>> in_words(InputError("turns", 0, "a whole number from 1"))
    'These settings do not work. turns: got 0, allowed is a whole number from 1'
    """
    if isinstance(error, InputError):
        return f"These settings do not work. {error}"
    _log.error("a panel failed", exc_info=error)
    return f"This could not be worked out, by a fault of navkit's: {type(error).__name__}: {error}"
