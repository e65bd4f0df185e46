"""Widgets that choose a fight: rulebook, ships, how they meet, for how long; or a pasted text."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as widgets
import traitlets

from navkit.errors import InputError
from navkit.explorers import controls
from navkit.explorers.charted import in_words
from navkit.scenario import RULEBOOKS, Scenario, rulebook

TURNS = 8
MOST_TURNS = 60
PASTED = "as pasted"


class FightChooser(widgets.VBox):
    """A widget whose `value` is a scenario: of ready ships, or one that was pasted or assigned.

    Assigning one without a number of turns that the slider has raises InputError.

    >>> chooser = FightChooser()
    >>> chooser.value.rulebook, chooser.value.a.name
    ('gurps', 'Sloop')
    """

    value = traitlets.Instance(Scenario)

    def __init__(self, scenario: Scenario | None = None) -> None:
        about = {"layout": {"width": "auto"}}
        self._rulebook = widgets.Dropdown(options=RULEBOOKS, description="rulebook", **about)
        self._ships = {x: widgets.Dropdown(description=f"ship {x}", **about) for x in ("a", "b")}
        self._fight = widgets.Dropdown(description="they meet in", **about)
        self._turns = widgets.IntSlider(min=1, max=MOST_TURNS, description="turns", **about)
        self._text = widgets.Text(description="as a text", continuous_update=False, **about)
        self._notice = widgets.HTML()
        self._assigning = False
        moved = (*self._ships.values(), self._fight, self._turns)
        members = (self._rulebook, *moved, self._text)
        controls.line_up(members)
        super().__init__(
            (*members, self._notice), layout={"max_width": "480px", "overflow": "visible"}
        )
        self._show(scenario or _first(RULEBOOKS[0]))
        self._rulebook.observe(self._other_rulebook, "value")
        for each in moved:
            each.observe(self._moved, "value")
        self._text.observe(self._pasted, "value")

    @traitlets.validate("value")
    def _known(self, proposal: Any) -> Scenario:
        return _checked(proposal.value)

    @traitlets.observe("value")
    def _assigned(self, change: Any) -> None:
        if not self._assigning:
            self._show(change.new)

    def _show(self, scenario: Scenario) -> None:
        """Let the widgets show a fight, and have it for a value.

        Raises InputError for one that is too long; then nothing has moved.
        """
        _checked(scenario)
        module = rulebook(scenario.rulebook)
        ready = tuple(module.library()["name"])
        self._assigning = True
        try:
            self._rulebook.value = scenario.rulebook
            for x, own in (("a", scenario.a), ("b", scenario.b)):
                known = own.name in ready and module.ship(own.name) == own
                pasted = f"{own.name}, {PASTED}"
                self._ships[x].options = ready if known else (*ready, pasted)
                self._ships[x].value = own.name if known else pasted
            meetings = module.desk.DESK.meetings
            self._fight.options = [(each.words, name) for name, each in meetings.items()]
            self._fight.value = scenario.fight
            self._turns.value = scenario.turns
            self._text.value = scenario.to_text()
            self.value = scenario
        finally:
            self._assigning = False

    def _other_rulebook(self, change: Any) -> None:
        if not self._assigning:
            self._show(_first(change.new))

    def _moved(self, change: Any) -> None:
        if self._assigning:
            return
        self._notice.value = ""
        module, ships = rulebook(self._rulebook.value), {}
        for x, before in (("a", self.value.a), ("b", self.value.b)):
            name = self._ships[x].value
            ships[x] = before if name.endswith(PASTED) else module.ship(name)
        told: dict[str, Any] = {"fight": self._fight.value, "turns": self._turns.value, **ships}
        if self._fight.value != self.value.fight:
            told["parameters"] = {}
        # a title is that of a fight between these ships
        stays = all(ships[x] == getattr(self.value, x) for x in ships)
        self._show(self.value.duplicate(title=self.value.title if stays else "", **told))

    def _pasted(self, change: Any) -> None:
        if self._assigning:
            return
        self._notice.value = ""
        try:
            self._show(Scenario.from_text(change.new))
        except InputError as error:
            self._notice.value = escape(in_words(error))


def _checked(scenario: Scenario) -> Scenario:
    """The scenario, if it has a number of turns that the slider has."""
    if scenario.turns is None or scenario.turns > MOST_TURNS:
        raise InputError("turns", scenario.turns, f"a whole number from 1 to {MOST_TURNS}")
    return scenario


def _first(name: str) -> Scenario:
    """The first two ready ships of a rulebook, as they usually meet."""
    module = rulebook(name)
    ready = list(module.library()["name"])
    a, b = (module.ship(ready[min(place, len(ready) - 1)]) for place in (0, 1))
    usual = next(iter(module.desk.DESK.meetings))
    return Scenario(name, usual, a, b, turns=TURNS)
