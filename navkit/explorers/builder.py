"""A rulebook's bench: a ship built live, what follows from its sheet, and its odds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Any

import ipywidgets as widgets

from navkit.errors import InputError
from navkit.explorers import controls
from navkit.explorers.duel import Explorer
from navkit.rulebooks.panel import Bench


def builder(rulebook: Any, **settings: Any) -> Builder:
    """The bench of `rulebook`, such as `navkit.rulebooks.gurps`, to be shown in a notebook.

    It opens with `settings`, values of its controls by name, and Reset comes back to them.
    Raises InputError for something that has no bench, and for settings that it can't take.

    >>> from navkit.rulebooks import gurps
    >>> bench = builder(gurps, name="Marigold", crew=14)
    >>> bench.ship.name, bench.ship.crew
    ('Marigold', 14)
    >>> bench.close()
    """
    bench = getattr(getattr(rulebook, "bench", None), "BENCH", None)
    if not isinstance(bench, Bench):
        raise InputError("rulebook", rulebook, "a rulebook, such as navkit.rulebooks.gurps")
    return Builder(bench, **settings)


class Builder(Explorer):
    """An `Explorer` of one ship: the controls of its sheet beside tables and charts.

    `ship` is what the controls describe, for code to write to a file or to fight with.
    """

    def __init__(self, bench: Bench, **settings: Any) -> None:
        self._bench = bench
        super().__init__(bench, **settings)

    @property
    def ship(self) -> Any:
        """The ship on the bench; raises InputError while the controls describe none."""
        return self._bench.ship(self.settings)

    def _laid_out(self) -> tuple[Any, ...]:
        """Controls, tables and charts: columns beside each other where there is room."""
        heading = widgets.HTML(f"<h3>{escape(self._bench.title)}</h3>")
        reset = widgets.Button(description="Reset")
        reset.on_click(partial(self._pressed, self.reset))
        titles = dict.fromkeys(each.group for each in self._bench.controls)
        groups = [
            controls.group(
                title, [self._widgets[it.name] for it in self._bench.controls if it.group == title]
            )
            for title in titles
        ]
        shown = self._charted.values()
        tables = [each for each in shown if each.view.chart == "table"]
        drawn = [each for each in shown if each.view.chart != "table"]
        columns = (
            _column((reset, self._notice, *groups, self._widgets["rules"]), "1 1 280px"),
            _column(tables, "3 1 420px"),
            _column(drawn, "3 1 420px"),
        )
        layout = {"flex_flow": "row wrap", "grid_gap": "16px", "overflow": "visible"}
        return heading, widgets.Box(columns, layout=layout)


def _column(parts: Sequence[Any], flex: str) -> Any:
    return widgets.VBox(parts, layout={"flex": flex, "min_width": "0", "overflow": "visible"})
