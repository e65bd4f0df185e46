"""What a rulebook puts on a panel: controls, and views that turn their values into tables.

This is data only. `navkit.explorers` makes widgets and live charts from it, so that all
rulebooks are shown by the same code and what differs between them is told by the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

from navkit.rulebooks.readings import Readings

Group = str
"""The part of a panel that a control stands in: by default "a", "b" or "fight"."""
Settings = Mapping[str, Any]
"""Values of the controls by name; `rules` holds the house rules."""


@dataclass(frozen=True)
class Choice:
    """A dropdown."""

    name: str
    label: str
    options: tuple[str, ...]
    value: str
    group: Group = "fight"
    note: str = ""


@dataclass(frozen=True)
class Number:
    """A slider over whole numbers from `low` to `high`."""

    name: str
    label: str
    low: int
    high: int
    value: int
    step: int = 1
    group: Group = "fight"
    note: str = ""


@dataclass(frozen=True)
class Amount:
    """A slider over numbers from `low` to `high` in steps of `step`, such as 0.1."""

    name: str
    label: str
    low: float
    high: float
    value: float
    step: float
    group: Group = "fight"
    note: str = ""


@dataclass(frozen=True)
class Text:
    """A line of text; what it may say is for the views to tell."""

    name: str
    label: str
    value: str
    group: Group = "fight"
    note: str = ""


@dataclass(frozen=True)
class Switch:
    """A checkbox."""

    name: str
    label: str
    value: bool
    group: Group = "fight"
    note: str = ""


Control = Choice | Number | Amount | Text | Switch


@dataclass(frozen=True)
class Answer:
    """What a view shows for some settings.

    `table` has the shape its chart wants (see `navkit.charts`; a "table" is shown as it is),
    `error` the standard errors of the same shape where it was sampled. `title` is the finding or
    the question, `words` the answer as one sentence. `basis` says whether it is exact or sampled
    (`History.basis`), where it is about chances.
    """

    table: pd.DataFrame
    title: str
    words: str
    error: pd.DataFrame | None = None
    basis: str = ""


@dataclass(frozen=True)
class View:
    """One chart, or table, of a panel.

    `answers(settings)` yields a quick answer first (a few milliseconds) and then, if the quick
    one was not final, better ones; the last is the full answer. `uses` names the controls it
    depends on (`"rules"` for the house rules): others leave it alone.
    """

    name: str
    chart: Literal["curves", "amounts", "bars", "fan", "ranks", "heat", "table"]
    x: str
    y: str
    uses: frozenset[str]
    answers: Callable[[Settings], Iterator[Answer]]


@dataclass(frozen=True)
class Panel:
    """A rulebook's panel: its controls, its house rules and its views, in reading order.

    `follow(name, settings)` tells, by name, what becomes of other controls after control `name`
    has changed: a new value (another ship brings its own crew), or a Control of the same kind
    to stand in the old one's place, with its value and its limits or options (and no more hands
    than that ship has room for). Controls of the two sides carry the endings `_a` and `_b`; that
    is what swapping sides exchanges, limits and all.
    """

    title: str
    controls: tuple[Control, ...]
    rules: type[Readings]
    views: tuple[View, ...]
    follow: Callable[[str, Settings], Mapping[str, Any]] = field(default=lambda name, settings: {})


@dataclass(frozen=True, kw_only=True)
class Bench(Panel):
    """A panel on which one ship is built: `ship(settings)` makes it, or raises InputError."""

    ship: Callable[[Settings], Any]
