"""A box to hand a fight on: copy and paste its short text, load and save it, swap, duplicate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import traitlets

from navkit.errors import InputError
from navkit.explorers import controls
from navkit.scenario import MARK, Scenario

SELECTED_AT_ONCE = "user-select: all; overflow-wrap: anywhere; font-size: 85%"


class ScenarioBox(widgets.VBox):
    """A widget whose `value` is a `Scenario`, which people copy, paste, load, save and change.

    What goes wrong stands in the box as text, and `value` stays as it was. A file that was there
    before is replaced only when saved to twice.

    >>> from navkit.rulebooks import gurps
    >>> box = ScenarioBox(Scenario("gurps", "duel", gurps.ship("Brig"), gurps.ship("Sloop")))
    >>> box.swap.click()
    >>> box.value.a.name, Scenario.from_text(box.short_text) == box.value
    ('Sloop', True)
    >>> box.paste.value = "navkit:cut off"
    >>> box.said
    "text: scenario: got 'navkit:cut off', allowed is a whole text, as it was copied"
    """

    value = traitlets.Instance(Scenario)

    def __init__(self, scenario: Scenario) -> None:
        self.title = widgets.Text(description="title", continuous_update=False)
        self.paste = widgets.Text(
            description="paste a text",
            placeholder=f"a text that begins {MARK}",
            continuous_update=False,
        )
        self.file = widgets.Text(description="file", value="fight.json", continuous_update=False)
        self.swap = _button("Swap sides", "the same fight with the sides exchanged")
        self.duplicate = _button("Duplicate", "a copy with a title of its own, to be changed")
        self.load = _button("Load", "open the fight in the file")
        self.save = _button("Save", "write the fight to the file")
        self.short_text = ""
        self._text, self._notice = widgets.HTML(), widgets.HTML()
        self._replaces: Path | None = None
        self.title.observe(self._titled, "value")
        self.paste.observe(self._pasted, "value")
        for button, action in (
            (self.swap, lambda: self._become(self.value.swapped())),
            (self.duplicate, lambda: self._become(self.value.duplicate())),
            (self.load, self._loaded),
            (self.save, self._saved),
        ):
            button.on_click(partial(self._pressed, action))
        controls.line_up((self.title, self.paste, self.file))
        parts = (
            self.title,
            _row(self.swap, self.duplicate),
            self._text,
            self.paste,
            self.file,
            _row(self.load, self.save),
            self._notice,
        )
        super().__init__(parts, value=scenario, layout={"overflow": "visible"})

    @property
    def said(self) -> str:
        """What the box says about the last thing done: an error, or what became of a file."""
        return self._said

    @traitlets.observe("value")
    def _assigned(self, change: Any) -> None:
        value: Scenario = change.new
        self._say("")
        self.title.value, self.paste.value = value.title, ""
        try:
            self.short_text = value.to_text()
        except InputError as error:
            self.short_text = ""
            self._say(f"{error}; save it to a file")
        a, b, fight = (escape(each) for each in (value.a.name, value.b.name, value.fight))
        about = f"<b>{a}</b> (a) against <b>{b}</b> (b), {fight}. As a text to share:"
        self._text.value = f'{about}<br><code style="{SELECTED_AT_ONCE}">{self.short_text}</code>'

    def _become(self, scenario: Scenario) -> None:
        self.value = scenario

    def _titled(self, change: Any) -> None:
        if change.new != self.value.title:
            self._attempt(lambda: self._become(replace(self.value, title=change.new)))
            self.title.value = self.value.title

    def _pasted(self, change: Any) -> None:
        if change.new.strip() and self._attempt(
            lambda: self._become(Scenario.from_text(change.new))
        ):
            self.paste.value = ""

    def _loaded(self) -> None:
        path = Path(self.file.value)
        self._become(Scenario.load(path))
        self._replaces = path
        self._say(f"opened {path}")

    def _saved(self) -> None:
        path = Path(self.file.value)
        if path.exists() and path != self._replaces:
            self._replaces = path
            self._say(f"{path} is there already; press Save again to replace it")
            return
        self.value.save(path)
        self._replaces = path
        self._say(f"saved to {path}")

    def _pressed(self, action: Callable[[], None], button: Any) -> None:
        self._attempt(action)

    def _attempt(self, action: Callable[[], None]) -> bool:
        """Whether an action went well; the box says what did not."""
        self._say("")
        try:
            action()
        except (ValueError, OSError) as error:  # an InputError, or a name that no file can have
            self._say(str(error))
            return False
        return True

    def _say(self, text: str) -> None:
        self._said = text
        self._notice.value = f'<span role="status">{escape(text)}</span>' if text else ""


def _button(name: str, tooltip: str) -> Any:
    return widgets.Button(description=name, tooltip=tooltip, layout={"width": "auto"})


def _row(*members: Any) -> Any:
    return widgets.HBox(members, layout={"flex_flow": "row wrap"})
