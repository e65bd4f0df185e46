"""Widgets for a rulebook's house rules, made from the dataclass that lists them."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as widgets
import traitlets

from navkit.explorers import controls
from navkit.rulebooks.readings import Reading, Readings


class HouseRulesBox(widgets.VBox):
    """A widget whose `value` is a set of house rules: the prominent in sight, the rest folded.

    >>> from dataclasses import dataclass
    >>> from navkit.rulebooks.readings import reading
    >>> @dataclass(frozen=True, kw_only=True)
    ... class HouseRules(Readings):
    ...     volley: str = reading("one roll", "each gun", where="Damage", note="dice of a volley")
    >>> box = HouseRulesBox(HouseRules)
    >>> box.value = HouseRules(volley="each gun")
    >>> box.value.changed()
    {'volley': 'each gun'}
    """

    value = traitlets.Instance(Readings)

    def __init__(self, rules: type[Readings]) -> None:
        readings = list(rules.readings())
        self._rules = rules
        self._widgets = {reading.name: _widget(reading) for reading in readings}
        self._assigning = False
        for each in self._widgets.values():
            each.observe(self._moved, "value")
        prominent = [reading for reading in readings if reading.prominent]
        others = [reading for reading in readings if not reading.prominent]
        parts = [widgets.HTML("<b>House rules</b>"), self._listed(prominent)] if readings else []
        if others:
            parts += folded(f"More house rules ({len(others)})", self._listed(others))
        super().__init__(parts, value=rules(), layout={"overflow": "visible"})

    def _listed(self, readings: list[Reading]) -> Any:
        controls.line_up([self._widgets[reading.name] for reading in readings])
        pairs = [(self._widgets[reading.name], _note(reading)) for reading in readings]
        lines = [line for pair in pairs for line in pair]
        return widgets.VBox(lines, layout={"overflow": "visible"})

    def _moved(self, change: Any) -> None:
        if not self._assigning:
            chosen = {name: each.value for name, each in self._widgets.items()}
            self.value = self._rules(**chosen)

    @traitlets.observe("value")
    def _assigned(self, change: Any) -> None:
        self._assigning = True
        try:
            for name, each in self._widgets.items():
                each.value = getattr(change.new, name)
        finally:
            self._assigning = False


def folded(title: str, box: Any) -> tuple[Any, Any]:
    """`box`, hidden, and a button that shows it; an Accordion doesn't open by keyboard."""
    button = widgets.ToggleButton(description=title, layout={"width": "auto"})
    box.layout.display = "none"

    def fold(change: Any) -> None:
        box.layout.display = None if change.new else "none"

    button.observe(fold, "value")
    return button, box


def _widget(reading: Reading) -> Any:
    about = {
        "description": reading.name.replace("_", " "),
        "value": reading.default,
        "tooltip": f"{reading.note} ({reading.where})",
    }
    if reading.options:
        return widgets.Dropdown(**about, options=reading.options)
    limits = {"min": reading.low, "max": reading.high}
    if not isinstance(reading.default, int):
        limits["step"] = (reading.high - reading.low) / 100
    return controls.slider(**about, **limits)


def _note(reading: Reading) -> Any:
    text = f"{escape(reading.note)} <i>({escape(reading.where)})</i>"
    return widgets.HTML(f'<div style="line-height: 1.3; font-size: 85%">{text}</div>')
