"""The prep sheet in a notebook: ships are chosen, the sheet grows fight by fight, and is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from navkit.errors import InputError
from navkit.explorers import controls
from navkit.explorers.charted import in_words
from navkit.explorers.fight import FightChooser
from navkit.explorers.house_rules import HouseRulesBox, folded
from navkit.explorers.live_panel import LivePanel, close_parts
from navkit.explorers.refinement import Refinement
from navkit.explorers.scenario_box import ScenarioBox
from navkit.live import LiveFigure
from navkit.pages import figures, summary, to_html
from navkit.printing import NoBrowserError, to_pdf, to_png
from navkit.scenario import Scenario
from navkit.sheet import PrepSheet, preparing, to_csv

KINDS = ("html", "csv", "png", "pdf")


class Prep(LivePanel):
    """A panel that prepares the sheet of a fight and saves it.

    `scenario` is the fight that its controls describe, and may be assigned; `sheet` what has been
    prepared of it, None before. Where no event loop runs, `settle` plays what is left.

    >>> from navkit.rulebooks import medieval
    >>> galley = medieval.ship("Galley", crew=3)
    >>> panel = Prep(Scenario("medieval", "board", galley, galley, turns=2))
    >>> panel.prepare()
    >>> panel.settle()
    >>> panel.sheet.whole, panel.sheet.how
    (True, 'exact odds')
    """

    def __init__(self, scenario: Scenario | None = None) -> None:
        self.sheet: PrepSheet | None = None
        self._words = ""
        self._refinement = Refinement()
        self._fight = FightChooser(scenario)
        self._box = ScenarioBox(self._fight.value)
        self._rules = widgets.VBox(layout={"overflow": "visible"})
        self._notice = widgets.HTML()
        self._bar = widgets.IntProgress(bar_style="info", layout={"width": "100%"})
        self._step = widgets.HTML()
        self._summary = widgets.HTML(layout={"min_width": "0", "overflow": "visible"})
        self._charts = {name: LiveFigure() for name in ("out", "left")}
        self.folder = widgets.Text(value=".", description="folder", layout={"width": "auto"})
        self._saved = widgets.HTML()
        super().__init__(self._laid_out(), layout={"overflow": "visible"})
        controls.line_up([self.folder])
        self._follow()
        self._fight.observe(self._changed, "value")
        self._box.observe(self._handed, "value")

    # The fight

    @property
    def scenario(self) -> Scenario:
        """The fight that the controls describe."""
        return self._fight.value

    @scenario.setter
    def scenario(self, scenario: Scenario) -> None:
        """Raises InputError for a fight without a number of turns that the slider has."""
        self._fight.value = scenario

    def _changed(self, change: Any) -> None:
        self._notice.value = ""
        self._box.value = change.new
        self._follow()
        self._outdate()

    def _outdate(self) -> None:
        """A sheet that is there is of the fight as it was; it says so, and may still be saved."""
        self.stop()
        if self.sheet is None:
            return
        same = self.sheet.scenario == self.scenario
        self._fade(1.0 if same else 0.5)
        if not same:
            self._say(f"this is the sheet of: {self.sheet.scenario.name}")

    def _handed(self, change: Any) -> None:
        """A fight from the box; one that the controls can't show leaves it as it was."""
        try:
            self._fight.value = change.new
        except InputError:
            self._box.value = self._fight.value
            raise

    def _follow(self) -> None:
        """Show the house rules of the fight, with the widgets of its rulebook."""
        rules = self._fight.value.rules
        shown = self._rules.children[-1] if self._rules.children else None
        if shown is not None and type(shown.value) is type(rules):
            shown.value = rules
            return
        for old in self._rules.children:
            close_parts(old)
            old.close()
        box = HouseRulesBox(type(rules))
        box.value = rules
        box.observe(self._ruled, "value")
        self._rules.children = folded("House rules", box)

    def _ruled(self, change: Any) -> None:
        if change.new != self._fight.value.rules:
            self._fight.value = replace(self._fight.value, rules=change.new)

    # The sheet

    def prepare(self) -> None:
        """Begin the sheet of the fight as it is now; what was there is replaced."""
        self._refinement.start(self._steps(self.scenario))

    def stop(self) -> None:
        """Play no more; what is done stays."""
        self._refinement.stop()
        if self.sheet is not None and not self.sheet.whole:
            self._show(self.sheet)
            self._say(f"stopped after {self.sheet.done} of {self.sheet.wanted} fights")
        self._working(False)

    def settle(self) -> None:
        """Play all that is left, now."""
        self._refinement.settle()

    def save(self, kind: str) -> Path:
        """Write the sheet to the folder, as "html", "csv", "png" or "pdf", under a name of its own.

        Nothing is overwritten: a name that is taken gets a number. Raises InputError without a
        sheet and for another kind, NoBrowserError where pictures need one, and OSError.
        """
        if kind not in KINDS:
            raise InputError("kind", kind, *KINDS)
        if self.sheet is None:
            raise InputError("sheet", None, "one that has been prepared")
        write = {"html": _write_html, "csv": _write_csv, "png": to_png, "pdf": to_pdf}[kind]
        path = _reserved(Path(self.folder.value), self.sheet, kind)
        try:
            write(self.sheet, path)
        except BaseException:
            path.unlink()
            raise
        return path

    def close(self) -> None:
        """Stop working, take the panel off every page and let go of its charts."""
        self._refinement.stop()
        super().close()

    def _steps(self, scenario: Scenario) -> Iterator[None]:
        self._working(True)
        try:
            for sheet in preparing(scenario):
                self.sheet = sheet
                self._bar.max, self._bar.value = sheet.wanted, sheet.done
                self._say(f"{sheet.done} of {sheet.wanted}: {sheet.step}")
                if sheet.whole or sheet.dial is None:
                    self._show(sheet)
                yield
            self._say(f"prepared: {sheet.how}")
        except Exception as error:
            self._notice.value = escape(in_words(error))
        self._working(False)

    def _show(self, sheet: PrepSheet) -> None:
        self._words = summary(sheet)
        self._fade(1.0)
        if sheet.done == 1 or self._charts["out"].figure is None:
            for name, drawn in figures(sheet).items():
                self._charts[name].figure = drawn

    def _fade(self, opacity: float) -> None:
        self._summary.value = f'<div style="opacity: {opacity:g}">{self._words}</div>'

    def _working(self, busy: bool) -> None:
        self._go.disabled, self._halt.disabled = busy, not busy
        for each in self._savers.values():
            each.disabled = self.sheet is None

    def _say(self, text: str) -> None:
        self._step.value = f'<div role="status">{escape(text)}</div>'

    # Buttons

    def _pressed_save(self, kind: str, button: Any) -> None:
        self._saved.value = ""
        self._try(lambda: self._keep(kind))

    def _keep(self, kind: str) -> None:
        path = self.save(kind)
        self._saved.value = f"saved: <code>{escape(str(path.resolve()))}</code>"

    def _try(self, action: Callable[[], Any]) -> None:
        try:
            action()
        except (NoBrowserError, OSError) as error:
            self._notice.value = escape(str(error))
        except Exception as error:
            self._notice.value = escape(in_words(error))

    def _laid_out(self) -> tuple[Any, ...]:
        self._go = _button("Prepare the sheet", lambda button: self.prepare(), "primary")
        self._halt = _button("Stop", lambda button: self.stop())
        self._savers = {
            kind: _button(f"Save as {kind.upper()}", partial(self._pressed_save, kind))
            for kind in KINDS
        }
        self._working(False)
        row = {"flex_flow": "row wrap", "overflow": "visible"}
        columns = "repeat(auto-fit, minmax(min(100%, 340px), 1fr))"
        return (
            self._fight,
            self._rules,
            widgets.HBox((self._go, self._halt), layout=row),
            self._notice,
            self._bar,
            self._step,
            self._summary,
            widgets.GridBox(
                tuple(self._charts.values()),
                layout={"grid_template_columns": columns, "grid_gap": "16px", "min_width": "0"},
            ),
            widgets.HTML("<b>Keep the sheet</b>"),
            self.folder,
            widgets.HBox(tuple(self._savers.values()), layout=row),
            self._saved,
            *folded("Hand the fight on", self._box),
        )


def prep(scenario: Scenario | None = None) -> Prep:
    """The panel of the prep sheet, to be shown in a notebook, with a fight of one's own or not."""
    return Prep(scenario)


def _button(text: str, pressed: Callable[[Any], None], style: str = "") -> Any:
    button = widgets.Button(description=text, button_style=style, layout={"width": "auto"})
    button.on_click(pressed)
    return button


def _reserved(folder: Path, sheet: PrepSheet, kind: str) -> Path:
    """A new, empty file named after the fight; a name that is taken gets a number."""
    letters = "".join(c if c.isalnum() else "-" for c in sheet.scenario.name.lower())
    stem = "-".join(part for part in letters.split("-") if part)[:80] or "sheet"
    for number in range(1, 1000):
        path = folder / f"{stem}{'' if number == 1 else f'-{number}'}.{kind}"
        try:
            path.open("x").close()
        except FileExistsError:
            continue
        return path
    raise InputError("folder", str(folder), "one with fewer sheets of this name")


def _write_html(sheet: PrepSheet, path: Path) -> None:
    path.write_text(to_html(sheet), encoding="utf-8", newline="\n")


def _write_csv(sheet: PrepSheet, path: Path) -> None:
    path.write_text(to_csv(sheet), encoding="utf-8", newline="\n")
