"""What if: which house rule matters, what would it take, what should a do, how likely is it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets as widgets
import pandas as pd

from navkit.chance import Sampled
from navkit.desk.compare import Comparison, comparing
from navkit.desk.seek import pricing, seeking
from navkit.desk.seek_question import Found
from navkit.desk.seek_range import usual_range
from navkit.desk.trials import desk_of, played
from navkit.errors import InputError
from navkit.events import events, in_words, names_of
from navkit.explorers.fight import FightChooser
from navkit.explorers.how_likely import Asked
from navkit.explorers.live_panel import LivePanel
from navkit.explorers.long_work import Drawn, LongWork, Progress
from navkit.paired import CHANGES
from navkit.rulebooks.desk import Counsel, Sought
from navkit.scenario import Scenario
from navkit.words import percent

MOVERS = 8
"""House rules that a chart shows: those that move the fight most."""
DRAWN = 3
"""House rules whose curves are drawn beside that of the rules as they are."""
PRICE = "price of a ready ship"


class WhatIf(LivePanel):
    """A fight, and four questions about it, one in sight at a time.

    `scenario` is the fight; `rules`, `takes`, `counsel` and `odds` are the questions (`LongWork`),
    which are started and settled each for itself.

    >>> from navkit.rulebooks import medieval
    >>> galley = medieval.ship("Galley")
    >>> panel = WhatIf(Scenario("medieval", "board", galley, galley, turns=6))
    >>> panel.takes.start()
    >>> panel.takes.settle()
    >>> panel.takes.shown.done
    20
    """

    def __init__(self, scenario: Scenario | None = None) -> None:
        self._chooser = FightChooser(scenario)
        self.rules = LongWork(
            "Which house rule matters most? Each other reading against the rules as they are.",
            (),
            self._compared,
            ("movers", "curves"),
        )
        self._sought = _Sought(self._chooser.value)
        self.takes = LongWork(
            "What would it take?", self._sought.members, self._searched, ("taken",)
        )
        self.counsel = LongWork("What should side a do?", (), self._counselled, ("doctrines",))
        self._asked = Asked(self._chooser.value)
        self.odds = LongWork(
            "How likely is it? More fights are played until the answer is as sure as you ask.",
            self._asked.members,
            lambda: self._asked.answers(self.scenario),
            ("likely",),
        )
        self._questions = {
            "House rules": self.rules,
            "What it takes": self.takes,
            "What to do": self.counsel,
            "How likely": self.odds,
        }
        self._which = widgets.ToggleButtons(
            options=list(self._questions), style={"button_width": "auto"}
        )
        self._which.observe(self._turned, "value")
        self._chooser.observe(self._moved, "value")
        super().__init__(
            (self._chooser, self._which, *self._questions.values()),
            layout={"overflow": "visible", "min_width": "0"},
        )
        self._turned(None)

    @property
    def scenario(self) -> Scenario:
        """The fight that is asked about."""
        return self._chooser.value

    def ask(self, question: str) -> None:
        """Bring a question into sight, by what is on its button, such as "What it takes"."""
        self._which.value = question

    def _turned(self, change: Any) -> None:
        for name, box in self._questions.items():
            box.layout.display = None if name == self._which.value else "none"

    def _moved(self, change: Any) -> None:
        """Another fight: the answers of the one before are taken away."""
        for box in self._questions.values():
            box.forget()
        self._sought.follow(self.scenario)
        self._asked.follow(self.scenario)

    def _compared(self) -> Iterator[Progress]:
        return (compared_progress(part) for part in comparing(self.scenario))

    def _searched(self) -> Iterator[Progress]:
        return self._sought.search(self.scenario)

    def _counselled(self) -> Iterator[Progress]:
        scenario = self.scenario
        desk = desk_of(scenario)
        if desk.counsel is None:
            yield Progress(1, 1, f"There is no counsel for ships of {scenario.rulebook} yet.")
            return
        yield Progress(0, scenario.turns or 1, desk.counsel_words)
        told = {"turns": scenario.turns, "rules": scenario.rules}
        for part in desk.counsel(scenario.a, scenario.b, **told):
            yield counsel_progress(part, desk.counsel_words)


def whatif(scenario: Scenario | None = None) -> WhatIf:
    """The panel of what if, to be shown in a notebook, with a fight of one's own or not."""
    return WhatIf(scenario)


# House rules


def compared_progress(part: Comparison) -> Progress:
    """A comparison of house rules, to be shown: what moves the fight, and the curves of that."""
    table = part.differences
    moves: pd.DataFrame = table[table["effect"] == CHANGES].head(MOVERS)
    gains = pd.DataFrame({"gain": moves["a"].astype(float)})
    spread = pd.DataFrame({"gain": moves["a_error"].astype(float)})
    a, b = names_of(part.scenario.a, part.scenario.b)
    sampled = part.base.fights is not None
    movers = Drawn(
        "ranks",
        gains,
        f"What a reading changes: how much more often {a} wins",
        f"difference of the chance that {a} wins",
        "reading",
        spread if sampled else None,
    )
    shown = {part.base_name: part.base}
    shown |= {name: part.histories[name] for name in moves.index[:DRAWN]}
    curves = pd.DataFrame({name: h.table()["a"] for name, h in shown.items()})
    errors = pd.concat([h.error_of(curves[[name]]) for name, h in shown.items()], axis=1)
    drawn = Drawn(
        "curves",
        curves,
        f"How often {a} has won, by turn",
        "turn",
        "share of fights",
        errors if sampled else None,
    )
    told = table[["says"]].rename(columns={"says": f"a: {a}, b: {b}"})
    charts = {"movers": movers, "curves": drawn}
    sentence = part.words if part.histories else "The fight is played; now the readings."
    return Progress(len(part.histories), part.wanted, sentence, charts, told)


# What it takes


class _Sought:
    """The controls of a search: whose number, of which ship, for which event, how likely."""

    def __init__(self, scenario: Scenario) -> None:
        about: dict[str, Any] = {"layout": {"width": "auto"}}
        self._side = widgets.Dropdown(description="ship", **about)
        self._number = widgets.Dropdown(description="number", **about)
        self._want = widgets.Dropdown(
            description="wanted", options=("largest", "smallest"), **about
        )
        self._low = widgets.BoundedIntText(description="from", min=-1000, max=100_000, **about)
        self._high = widgets.BoundedIntText(description="to", min=-1000, max=100_000, **about)
        self._event = widgets.Dropdown(description="so that", **about)
        self._least = widgets.IntSlider(
            description="in at least %", value=50, min=1, max=99, **about
        )
        self.members = (
            self._side,
            self._number,
            self._want,
            self._low,
            self._high,
            self._event,
            self._least,
        )
        self._number.observe(self._ranged, "value")
        self._side.observe(self._ranged, "value")
        self._event.observe(self._ranged, "value")
        self.follow(scenario)

    def follow(self, scenario: Scenario) -> None:
        """The choices for another fight."""
        desk, names = desk_of(scenario), names_of(scenario.a, scenario.b)
        self._scenario = scenario
        self._known: dict[str, Sought] = {each.path: each for each in desk.sought}
        numbers = [(each.words, each.path) for each in desk.sought]
        self._side.options = [(f"{x}: {name}", x) for x, name in zip("ab", names, strict=True)]
        self._number.options = numbers + ([(PRICE, PRICE)] if desk.price else [])
        self._event.options = [
            (in_words(each, names), each) for each in events(played(scenario, Sampled(1)))
        ]
        for each in (self._side, self._event):
            each.index = 0
        self._number.value = desk.dial
        self._ranged(None)

    def _ranged(self, change: Any) -> None:
        """The usual range and direction of the number: what is good for the ship is scarce."""
        known = self._known.get(self._number.value)
        for each in (self._want, self._low, self._high):
            each.disabled = known is None
        if known is not None and self._side.value and self._event.value:
            self._low.value, self._high.value = self._limits(known)
            helps = _is_good_for(self._side.value, self._event.value)
            self._want.value = "smallest" if helps == known.more_is_better else "largest"

    def _limits(self, known: Sought) -> tuple[int, int]:
        """What the ship may have; all that is looked for where it has no such number."""
        try:
            return usual_range(self._scenario, f"{self._side.value}.{known.path}")
        except InputError:  # said by the search, when it is asked for
            return known.low, known.high

    def search(self, scenario: Scenario) -> Iterator[Progress]:
        """The search, as the controls have it."""
        side, event, least = self._side.value, self._event.value, self._least.value / 100
        asked = {"of": event, "at_least": least}
        if self._number.value == PRICE:
            found = pricing(scenario, side, **asked)
        else:
            limits = {"low": self._low.value, "high": self._high.value}
            path = f"{side}.{self._number.value}"
            found = seeking(scenario, path, self._want.value, **asked, **limits)
        words = in_words(event, names_of(scenario.a, scenario.b))
        number = self._number.label
        for part in found:
            yield found_progress(part, words, number, least)


def _is_good_for(side: str, event: str) -> bool:
    """Whether an event is what a side would have."""
    about, _, rest = event.partition(" ")
    if about not in ("a", "b"):
        return False
    kept = not rest or rest == "in action" or rest.startswith("not ")
    return (about == side) == kept


def found_progress(part: Found, event: str, number: str, least: float) -> Progress:
    """A search, to be shown: the chance over the values looked at, and what was asked for."""
    curve = part.curve
    sampled = bool(curve["error"].any())
    says = [
        percent(chance, error=error if error else None)
        for chance, error in zip(curve["chance"], curve["error"], strict=True)
    ]
    table = curve[["does"]].assign(chance=says)[["chance", "does"]]
    if "price" in curve:
        table.insert(0, "price", [f"{price:,.0f}" for price in curve["price"]])
        drawn = Drawn(
            "ranks",
            curve[["chance"]],
            f"By ready ship: how often {event}",
            f"share of fights in which {event}",
            "ship",
            curve[["error"]] if sampled else None,
        )
    else:
        lines = pd.DataFrame({event: curve["chance"], "asked for": least})
        errors = pd.DataFrame({event: curve["error"], "asked for": 0.0})
        drawn = Drawn(
            "curves",
            lines,
            f"How often {event}, by {number}",
            number,
            "share of fights",
            errors if sampled else None,
        )
    return Progress(
        len(curve), max(part.wanted, len(curve)), part.sentence, {"taken": drawn}, table
    )


# What to do


def counsel_progress(part: Counsel, words: str) -> Progress:
    """Counsel, to be shown: what side a may do, by the chance to win."""
    drawn = {}
    if part.chances is not None:
        top = part.chances.head(MOVERS)
        errors = None if part.errors is None else part.errors.head(MOVERS)
        title = words
        drawn["doctrines"] = Drawn("ranks", top, title, "chance that a wins", "decision", errors)
    return Progress(part.done, part.wanted, part.sentence, drawn, part.table)
