"""Widgets for a panel's controls, all of the width they are given and with labels in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import ipywidgets as widgets

from navkit.errors import InputError, number, whole
from navkit.rulebooks.panel import Amount, Choice, Control, Number, Switch, Text

LONGEST_LABEL = 16
"""Letters of a label that stands beside its widget."""


def widget(control: Control) -> Any:
    """A dropdown, slider, line of text or checkbox for `control`, with its value.

    >>> widget(Number("crew_a", "crew", low=0, high=100, value=40)).value
    40
    """
    about: dict[str, Any] = {
        "description": control.label,
        "value": control.value,
        "tooltip": control.note,
    }
    match control:
        case Choice():
            return widgets.Dropdown(**about, options=control.options)
        case Number() | Amount():
            limits = {"min": control.low, "max": control.high, "step": control.step}
            kind = widgets.IntSlider if isinstance(control, Number) else widgets.FloatSlider
            return kind(**about, **limits)
        case Text():
            return widgets.Text(**about, continuous_update=False)
        case Switch():
            return widgets.Checkbox(**about)


def become(member: Any, control: Control) -> None:
    """Give a widget that `widget` made the value and the limits or options of `control`.

    >>> crew = widget(Number("crew_a", "crew", low=0, high=100, value=40))
    >>> become(crew, Number("crew_a", "crew", low=200, high=1500, value=701))
    >>> crew.min, crew.max, crew.value
    (200, 1500, 701)
    """
    match control:
        case Choice():
            if member.options != control.options:  # anew, they would choose the first
                member.options = control.options
            member.value = control.value
        case Number() | Amount():
            # One by one: a page that is told all at once may push the value into the old limits.
            ends = [("min", control.low), ("max", control.high)]
            for name, end in reversed(ends) if control.low > member.max else ends:
                setattr(member, name, end)
            member.step = control.step
            member.value = control.value
        case Text() | Switch():
            member.value = control.value


def slider(value: float, **about: Any) -> Any:
    """A slider over whole numbers if `value` is one, else over floats."""
    kind = widgets.IntSlider if isinstance(value, int) else widgets.FloatSlider
    return kind(value=value, **about)


def check(control: Control, value: Any) -> None:
    """Raise InputError if `control` can't have `value`.

    >>> check(Switch("smoke", "smoke", value=False), "dense")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: smoke: got 'dense', allowed are 'True', 'False'
    """
    match control:
        case Choice():
            if value not in control.options:
                raise InputError(control.name, value, *control.options)
        case Number():
            whole(control.name, value, control.low, control.high)
        case Amount():
            number(control.name, value, control.low, control.high)
        case Text():
            if not isinstance(value, str):
                raise InputError(control.name, value, "a text")
        case Switch():
            if not isinstance(value, bool):
                raise InputError(control.name, value, "True", "False")


def replaced(old: Control, new: Control) -> Control:
    """`new` in the place of `old`: its value and limits or options, under the name of `old`.

    Raises InputError for a control of another kind.

    >>> brig = Number("crew_b", "crew", low=0, high=50, value=23, group="b")
    >>> replaced(Number("crew_a", "crew", low=0, high=20, value=8, group="a"), brig)
    Number(name='crew_a', label='crew', low=0, high=50, value=23, step=1, group='a', note='')
    """
    if type(new) is not type(old):
        raise InputError(f"control in place of {old.name}", new, f"a {type(old).__name__}")
    return replace(new, name=old.name, label=old.label, group=old.group, note=old.note)


def group(title: str, members: Sequence[Any]) -> Any:
    """Widgets under a heading, their labels in one column as wide as the longest."""
    line_up(members)
    heading = widgets.HTML(f"<b>{escape(title)}</b>")
    return widgets.VBox((heading, *members), layout={"overflow": "visible"})


def line_up(members: Sequence[Any]) -> None:
    """Make labels one column, as wide as the longest, and let widgets fill the width.

    A label too long for that stands on a line of its own, above its widget (see `live_panel.css`);
    that of a checkbox stands behind it.
    """
    beside = [each for each in members if not isinstance(each, widgets.Checkbox)]
    widths = [len(member.description) + 1 for member in beside]
    column = max((width for width in widths if width <= LONGEST_LABEL), default=0)
    for member in members:
        member.layout.width = "auto"
        member.style.description_width = f"{column}ch"
    for member, width in zip(beside, widths, strict=True):
        if width > LONGEST_LABEL:
            member.style.description_width = "auto"
            member.add_class("navkit-label-above")
