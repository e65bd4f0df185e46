"""The prep sheet in a notebook: ships are chosen, the sheet grows fight by fight, and is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from navkit.errors import InputError
from navkit.explorers import controls
from navkit.explorers.charted import in_words
from navkit.explorers.house_rules import HouseRulesBox, folded
from navkit.explorers.refinement import Refinement
from navkit.live import LiveFigure
from navkit.pages import figures, summary, to_html
from navkit.printing import NoBrowserError, to_pdf, to_png
from navkit.scenario import RULEBOOKS, Scenario, rulebook
from navkit.sheet import PrepSheet, preparing, to_csv

TURNS = 10
MOST_TURNS = 60
KINDS = ("html", "csv", "png", "pdf")


class Prep(widgets.VBox):
    """A panel that prepares the sheet of a fight and saves it.

    `scenario` is the fight that its controls describe, and may be assigned; `sheet` what has been
    prepared of it, None before. Where no event loop runs, `settle` plays what is left.

    >>> panel = Prep()
    >>> panel.scenario = panel.scenario.duplicate(turns=3, fights=64)
    >>> panel.prepare()
    >>> panel.settle()
    >>> panel.sheet.whole, panel.sheet.scenario.turns
    (True, 3)
    """

    def __init__(self, scenario: Scenario | None = None) -> None:
        self.sheet: PrepSheet | None = None
        self._refinement = Refinement()
        self._assigning = False
        self._given: Scenario | None = None
        about = {"layout": {"width": "auto"}}
        self._rulebook = widgets.Dropdown(options=RULEBOOKS, description="rulebook", **about)
        self._ships = {x: widgets.Dropdown(description=f"ship {x}", **about) for x in ("a", "b")}
        self._fight = widgets.Dropdown(description="they meet in", **about)
        self._turns = widgets.IntSlider(
            value=TURNS, min=1, max=MOST_TURNS, description="turns", **about
        )
        self._rules = widgets.VBox()
        self._text = widgets.Text(description="as a text", continuous_update=False, **about)
        self._notice = widgets.HTML()
        self._bar = widgets.IntProgress(bar_style="info", layout={"width": "100%"})
        self._step = widgets.HTML()
        self._summary = widgets.HTML(layout={"min_width": "0", "overflow": "visible"})
        self._charts = {name: LiveFigure() for name in ("out", "left")}
        self._folder = widgets.Text(value=".", description="folder", **about)
        self._saved = widgets.HTML()
        super().__init__(self._laid_out(), layout={"overflow": "visible"})
        controls.line_up([*self._ships.values(), self._rulebook, self._fight, self._turns])
        controls.line_up([self._text])
        controls.line_up([self._folder])
        self._rulebook.observe(self._other_rulebook, "value")
        for each in (*self._ships.values(), self._fight, self._turns):
            each.observe(self._moved, "value")
        self._text.observe(self._pasted, "value")
        self._choose_rulebook(RULEBOOKS[0])
        if scenario is not None:
            self.scenario = scenario
        else:
            self._told()

    # The fight

    @property
    def scenario(self) -> Scenario:
        """The fight that the controls describe."""
        if self._given is not None:
            return self._given
        module = rulebook(self._rulebook.value)
        a, b = (module.ship(self._ships[x].value) for x in ("a", "b"))
        rules = self._rules_box.value
        return Scenario(
            self._rulebook.value, self._fight.value, a, b, turns=self._turns.value, rules=rules
        )

    @scenario.setter
    def scenario(self, scenario: Scenario) -> None:
        """Raises InputError for a fight without a number of turns that the slider has."""
        if scenario.turns is None or scenario.turns > MOST_TURNS:
            raise InputError("turns", scenario.turns, f"a whole number from 1 to {MOST_TURNS}")
        self._choose_rulebook(scenario.rulebook)
        self._assigning = True
        try:
            for x, own in (("a", scenario.a), ("b", scenario.b)):
                self._ships[x].options = (*_ready(scenario.rulebook), f"{own.name}, as pasted")
                self._ships[x].value = f"{own.name}, as pasted"
            self._fight.value = scenario.fight
            self._turns.value = scenario.turns
            self._rules_box.value = scenario.rules
        finally:
            self._assigning = False
        self._given = scenario
        self._told()

    def _other_rulebook(self, change: Any) -> None:
        if not self._assigning:
            self._given = None
            self._choose_rulebook(change.new)
            self._told()

    def _choose_rulebook(self, name: str) -> None:
        """The ships, meetings and house rules of a rulebook, its first two ships chosen."""
        self._assigning = True
        try:
            self._rulebook.value = name
            ready = _ready(name)
            for x, place in (("a", 0), ("b", 1)):
                self._ships[x].options = ready
                self._ships[x].value = ready[min(place, len(ready) - 1)]
            meetings = rulebook(name).desk.DESK.meetings
            self._fight.options = [(each.words, fight) for fight, each in meetings.items()]
            self._fight.index = 0
            self._rules_box = HouseRulesBox(rulebook(name).HouseRules)
            self._rules_box.observe(self._moved, "value")
            for old in self._rules.children:
                controls.close_parts(old)
                old.close()
            self._rules.children = folded("House rules", self._rules_box)
        finally:
            self._assigning = False

    def _moved(self, change: Any) -> None:
        """A hand on a control: what is pasted keeps its other parts only if its ships stay."""
        if self._assigning:
            return
        self._notice.value = ""
        given, self._given = self._given, None
        if given is not None:
            kept = all("as pasted" in self._ships[x].value for x in ("a", "b"))
            if kept:
                told = {"fight": self._fight.value, "turns": self._turns.value}
                rules = self._rules_box.value
                if given.fight != self._fight.value:
                    told["parameters"] = {}
                self._given = given.duplicate(title=given.title, rules=rules, **told)
            else:
                self._forget_pasted(given)
        self._told()

    def _forget_pasted(self, given: Scenario) -> None:
        """Ships of a pasted fight give way to ready ones of their names, else to the first."""
        ready = _ready(given.rulebook)
        self._assigning = True
        try:
            for x, own in (("a", given.a), ("b", given.b)):
                chosen = self._ships[x].value
                if chosen not in ready:
                    chosen = own.name if own.name in ready else ready[0]
                self._ships[x].options = ready
                self._ships[x].value = chosen
        finally:
            self._assigning = False

    def _told(self) -> None:
        """Shows the fight as a text."""
        self._assigning = True
        try:
            self._text.value = self.scenario.to_text()
        finally:
            self._assigning = False

    def _pasted(self, change: Any) -> None:
        if self._assigning:
            return
        self._notice.value = ""
        self._try(lambda: setattr(self, "scenario", Scenario.from_text(change.new)))

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
        path = _reserved(Path(self._folder.value), self.sheet, kind)
        try:
            write(self.sheet, path)
        except BaseException:
            path.unlink()
            raise
        return path

    def close(self) -> None:
        """Stop working, take the panel off every page and let go of its charts."""
        self._refinement.stop()
        controls.close_parts(self)
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
        self._summary.value = summary(sheet)
        if sheet.done == 1 or self._charts["out"].figure is None:
            for name, drawn in figures(sheet).items():
                self._charts[name].figure = drawn

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
        chosen = (self._rulebook, *self._ships.values(), self._fight, self._turns)
        columns = "repeat(auto-fit, minmax(min(100%, 340px), 1fr))"
        return (
            widgets.VBox(chosen, layout={"max_width": "480px", "overflow": "visible"}),
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
            widgets.HTML("<b>Keep it</b>"),
            self._text,
            self._folder,
            widgets.HBox(tuple(self._savers.values()), layout=row),
            self._saved,
        )


def prep(scenario: Scenario | None = None) -> Prep:
    """The panel of the prep sheet, to be shown in a notebook, with a fight of one's own or not."""
    return Prep(scenario)


def _ready(name: str) -> tuple[str, ...]:
    return tuple(rulebook(name).library()["name"])


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
