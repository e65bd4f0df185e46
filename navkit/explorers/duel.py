"""A rulebook's panel, live: two sides and a fight to set up, and what the odds make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from html import escape
from time import perf_counter
from typing import Any

import ipywidgets as widgets
import pandas as pd

from navkit.errors import InputError
from navkit.explorers import controls
from navkit.explorers.charted import Charted, in_words
from navkit.explorers.house_rules import HouseRulesBox
from navkit.explorers.live_panel import LivePanel
from navkit.explorers.refinement import BREATH, Refinement
from navkit.rulebooks.panel import Control, Number, Panel, Settings

AT_ONCE = 0.06
"""Seconds of answers that a move may bring before newer moves are let in."""
_GROUPS = {"a": "Side a", "b": "Side b", "fight": "The fight"}


def explorer(rulebook: Any, **settings: Any) -> Explorer:
    """The panel of `rulebook`, such as `navkit.rulebooks.gurps`, to be shown in a notebook.

    It opens with `settings`, values of its controls by name, and Reset comes back to them.
    Raises InputError for something that has no panel, and for settings that it can't take.

    >>> from navkit.rulebooks import gurps
    >>> panel = explorer(gurps, ship_a="Brig", turns=10)
    >>> panel.settings["ship_a"], panel.settings["crew_a"], panel.settings["turns"]
    ('Brig', 23, 10)
    >>> panel.close()
    """
    panel = getattr(getattr(rulebook, "panel", None), "PANEL", None)
    if not isinstance(panel, Panel):
        raise InputError("rulebook", rulebook, "a rulebook, such as navkit.rulebooks.gurps")
    return Explorer(panel, **settings)


class Explorer(LivePanel):
    """Controls beside live charts, a line in words under each.

    When a control moves, the charts that depend on it show a quick answer at once and a better
    one when the hand rests. Code that reads `words` or `tables` gets the full answers always.
    """

    def __init__(self, panel: Panel, **settings: Any) -> None:
        self._panel = panel
        self._due: list[Charted] = []
        self._answering = Refinement(BREATH)
        self._controls = {control.name: control for control in panel.controls}
        self._widgets = {name: controls.widget(each) for name, each in self._controls.items()}
        self._widgets["rules"] = HouseRulesBox(panel.rules)
        self._charted = {view.name: Charted(view) for view in panel.views}
        for view in panel.views:
            for name in view.uses - self._widgets.keys():
                raise InputError(f"controls used by {view.name}", name, *self._widgets)
        self._assigning = False
        self._answered: dict[str, Any] = {}
        self._notice = widgets.HTML()
        super().__init__(self._laid_out())
        for name, each in self._widgets.items():
            each.observe(partial(self._moved, name), "value")
        self.set(**settings)
        self._opened_with = self.settings, self._controls

    @property
    def settings(self) -> dict[str, Any]:
        """The value of every control by name; `rules` holds the house rules."""
        return {name: each.value for name, each in self._widgets.items()}

    @property
    def words(self) -> dict[str, str]:
        """What each view says, by its name."""
        self.settle()
        return {name: charted.words for name, charted in self._charted.items()}

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The odds behind each view, by its name; a view that failed has only words."""
        self.settle()
        tables = {name: charted.table for name, charted in self._charted.items()}
        return {name: table for name, table in tables.items() if table is not None}

    def set(self, **values: Any) -> None:
        """Move controls, as a hand would; what follows from one gives way to what is given.

        Raises InputError for a control the panel doesn't have and for a value it can't take;
        then nothing has moved.
        """
        settings = {**self.settings, **values}
        members = dict(self._controls)
        follows: dict[str, Any] = {}
        # Numbers come last, since their limits may follow from the others.
        for name in sorted(values, key=lambda name: isinstance(members.get(name), Number)):
            self._check(members, name, values[name])
            for other, told in self._panel.follow(name, settings).items():
                if isinstance(told, Control):
                    members[other] = controls.replaced(members[other], told)
                follows[other] = told.value if isinstance(told, Control) else told
        self._assign({**follows, **values}, members)

    def swap(self) -> None:
        """Exchange the two sides."""
        settings, members = self.settings, dict(self._controls)
        swapped: dict[str, Any] = {}
        for name, other in self._pairs():
            swapped |= {name: settings[other], other: settings[name]}
            members[name] = controls.replaced(self._controls[name], self._controls[other])
            members[other] = controls.replaced(self._controls[other], self._controls[name])
        self._assign(swapped, members)

    def reset(self) -> None:
        """Put every control back to where it was at first."""
        settings, members = self._opened_with
        self._assign(settings, dict(members))

    def settle(self) -> None:
        """Show the full answers now."""
        self._answering.settle()
        for charted in self._charted.values():
            charted.settle()

    def close(self) -> None:
        """Stop answering, and take the panel off every page."""
        self._answering.stop()
        super().close()

    def _moved(self, name: str, change: Any) -> None:
        if self._assigning:
            return
        self._notice.value = ""
        try:
            self.set(**{name: change.new})
        except Exception as error:
            self._notice.value = escape(in_words(error))
            self._answer()

    def _pressed(self, action: Callable[[], None], button: Any) -> None:
        self._notice.value = ""
        try:
            action()
        except Exception as error:
            self._notice.value = escape(in_words(error))

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """Names of the controls that both sides have, a's and b's."""
        for name in self._controls:
            other = f"{name.removesuffix('_a')}_b"
            if name.endswith("_a") and other in self._controls:
                yield name, other

    def _check(self, members: Mapping[str, Control], name: str, value: Any) -> None:
        if name == "rules":
            if not isinstance(value, self._panel.rules):
                raise InputError("rules", value, f"a {self._panel.rules.__qualname__}")
        elif name in members:
            controls.check(members[name], value)
        else:
            raise InputError("control", name, *self._widgets)

    def _assign(self, values: Mapping[str, Any], members: dict[str, Control]) -> None:
        """Move to `values`, within the limits of `members`, if they can all be had."""
        for name, value in values.items():
            self._check(members, name, value)
        self._assigning = True
        try:
            for name, value in values.items():
                if name in members:
                    controls.become(self._widgets[name], replace(members[name], value=value))
                else:
                    self._widgets[name].value = value
        finally:
            self._assigning = False
        self._controls = members
        self._answer()

    def _answer(self) -> None:
        """Ask the views that depend on what has changed since they were last asked.

        As many of them as AT_ONCE allows; the others when newer moves have been let in.
        """
        settings = self.settings
        before, self._answered = self._answered, settings
        changed = {name for name, value in settings.items() if before.get(name) != value}
        due = [
            charted
            for charted in self._charted.values()
            if not before or charted.view.uses & changed or charted in self._due
        ]
        # What soon moved the last time comes first, so that the hand sees something move.
        self._due = sorted(due, key=lambda charted: (not charted.moved, charted.seconds))
        if not self._answering.start(self._in_turn(settings)):
            self._answering.settle()  # no newer moves can come in between

    def _in_turn(self, settings: Settings) -> Iterator[None]:
        end = perf_counter() + AT_ONCE
        while self._due:
            self._due.pop(0).refresh(settings)
            if self._due and perf_counter() + self._due[0].seconds > end:
                break
        for charted in self._due:
            charted.wait()
        while self._due:
            yield
            self._due.pop(0).refresh(settings)

    def _laid_out(self) -> tuple[Any, ...]:
        """The panel: side by side where there is room, the controls above the charts else."""
        heading = widgets.HTML(f"<h3>{escape(self._panel.title)}</h3>")
        swap, reset = (widgets.Button(description=text) for text in ("Swap sides", "Reset"))
        swap.on_click(partial(self._pressed, self.swap))
        reset.on_click(partial(self._pressed, self.reset))
        buttons = widgets.HBox((swap, reset))
        groups = [
            controls.group(title, [self._widgets[each.name] for each in members])
            for name, title in _GROUPS.items()
            if (members := [each for each in self._panel.controls if each.group == name])
        ]
        settings = widgets.VBox(
            (buttons, self._notice, *groups, self._widgets["rules"]),
            layout={"flex": "1 1 260px", "min_width": "0", "overflow": "visible"},
        )
        columns = "minmax(min(100%, max(360px, 40%)), 1fr)"  # one or two, as the width allows
        views = widgets.GridBox(
            tuple(self._charted.values()),
            layout={
                "flex": "8 1 340px",
                "min_width": "0",
                "overflow": "visible",
                "grid_template_columns": f"repeat(auto-fit, {columns})",
                "grid_gap": "16px",
                "align_content": "flex-start",
            },
        )
        sides = widgets.Box(
            (settings, views),
            layout={"flex_flow": "row wrap", "grid_gap": "16px", "overflow": "visible"},
        )
        return heading, sides
