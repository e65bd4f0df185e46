"""How likely an event of a fight is: exact, or played until the answer is as sure as asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets as widgets
import pandas as pd

from navkit.chance import Sampled
from navkit.desk.trials import played, surer
from navkit.events import at_turn, chance, events, in_words, names_of
from navkit.explorers.long_work import Drawn, Progress
from navkit.history import History
from navkit.precision import far
from navkit.scenario import Scenario
from navkit.words import NORMAL_95, percent

SURE = (5.0, 2.0, 1.0, 0.5, 0.2, 0.1)
"""Half-widths of 95 % intervals that may be asked for, in points of a hundred."""


class Asked:
    """The controls of the question: which event, and how sure the answer has to be."""

    def __init__(self, scenario: Scenario) -> None:
        about: dict[str, Any] = {"layout": {"width": "auto"}}
        self._event = widgets.Dropdown(description="how often", **about)
        told = [(f"± {points:g} points, 19 times in 20", points) for points in SURE]
        self._sure = widgets.Dropdown(description="sure to", options=told, value=1.0, **about)
        self.members = (self._event, self._sure)
        self.follow(scenario)

    def follow(self, scenario: Scenario) -> None:
        """The events of another fight."""
        names = names_of(scenario.a, scenario.b)
        known = events(played(scenario, Sampled(1)))
        self._event.options = [(in_words(each, names), each) for each in known]
        self._event.index = 0

    def answers(self, scenario: Scenario) -> Iterator[Progress]:
        """The answer, ever surer."""
        event, error = self._event.value, self._sure.value / 100 / NORMAL_95
        words = in_words(event, names_of(scenario.a, scenario.b))
        for found in surer(scenario, of=event, error=error):
            yield likely_progress(found, event, words, error)


def likely_progress(found: History, event: str, words: str, error: float) -> Progress:
    """How likely an event is, to be shown: by turn, and in words with its basis."""
    share, reached = at_turn(found, event)
    sampled = found.fights is not None
    curve = pd.DataFrame({words: chance(found, event)})
    errors = found.error_of(curve) if sampled else None
    drawn = Drawn("curves", curve, f"How often {words}, by turn", "turn", "share of fights", errors)
    said = percent(share, error=reached if sampled else None)
    sentence = f"By the end of turn {found.turns}: {words} in {said}. {found.basis}"
    return Progress(*far(found, error=error, of=event), sentence, {"likely": drawn})
