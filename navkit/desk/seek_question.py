"""One value of what is sought: whether an event is likely enough with it; and what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from navkit import events
from navkit.chance import Exact, Sampled
from navkit.desk.trials import played, settled
from navkit.errors import number
from navkit.scenario import Scenario
from navkit.words import NORMAL_95, percent

EQUAL = 1e-12
YES, NO, UNSURE = "yes", "no", "can't tell"


@dataclass(frozen=True)
class Found:
    """What a search found.

    `value` is the number (or the name of the ship) sought, None where none does. `curve` has a row
    for each value looked at: its `chance`, the standard `error` (0 where exact), the `fights`
    sampled (missing where exact), and whether it `does`: "yes", "no" or, within 95 %,
    "can't tell"; of ships their `price` too. `unsure` are the values of which the sample can't
    tell. `monotone` is whether the chance only rises, or only falls, along the curve, as far as
    the errors tell; `scanned` whether all values there are have been looked at. `sentence` is the
    answer for people. A partial answer has looked at less than the `wanted` number of values.
    """

    value: Any
    sentence: str
    curve: pd.DataFrame = field(repr=False)
    unsure: tuple[Any, ...]
    monotone: bool
    scanned: bool
    wanted: int = field(repr=False)


@dataclass(frozen=True)
class Question:
    """Whether an event is likely enough; `change` gives the fight with a value."""

    scenario: Scenario
    of: str
    turn: int | None
    at_least: float
    change: Callable[[Any], Scenario]

    def __post_init__(self) -> None:
        number("at_least", self.at_least, 0, 1)
        once = played(self.scenario, Sampled(fights=1))
        events.at_turn(once, self.of, self.turn)  # refuses what can't be asked

    def chance(self) -> Exact | Sampled:
        """How all values are played."""
        return settled(self.scenario)[0]

    def row(self, value: Any, chance: Exact | Sampled) -> dict[str, Any]:
        """What there is to say of a value."""
        history = played(self.change(value), chance)
        likely, error = events.at_turn(history, self.of, self.turn)
        half = NORMAL_95 * error
        does = UNSURE if likely - half < self.at_least <= likely + half else NO
        if likely - half >= self.at_least:
            does = YES
        fights = np.nan if history.fights is None else history.fights
        return {"chance": likely, "error": error, "fights": fights, "does": does}

    def is_enough(self, row: dict[str, Any]) -> bool:
        """Whether it does as far as is known, certain or not."""
        return bool(row["chance"] >= self.at_least)

    def words(self, names: tuple[str, str]) -> str:
        """The event and its chance, as a person says them of ships called so."""
        when = f" by turn {self.turn}" if self.turn is not None else ""
        said = events.in_words(self.of, names)
        return f"{said}{when} in at least {percent(self.at_least)} of fights"


def is_monotone(curve: pd.DataFrame) -> bool:
    """Whether the chances of a curve only rise or only fall, as far as their errors tell."""
    chance, error = curve["chance"].to_numpy(), curve["error"].to_numpy()
    allowed = EQUAL + NORMAL_95 * np.hypot(np.maximum.accumulate(error), error)
    falls = np.maximum.accumulate(chance) - chance > allowed
    rises = chance - np.minimum.accumulate(chance) > allowed
    return not (falls.any() and rises.any())


def said(curve: pd.DataFrame, value: Any) -> str:
    """The chance of a value of a curve, in words."""
    error = float(curve["error"][value])
    return percent(float(curve["chance"][value]), error=error if error else None)
