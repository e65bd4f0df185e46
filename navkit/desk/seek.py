"""What it would take: the number of a ship with which an event is likely enough.

The largest hull she may have, the fewest hands that do, the least gunnery, the cheapest ship.

>>> from navkit.rulebooks import medieval
>>> from navkit.scenario import Scenario
>>> galley = medieval.ship("Galley")
>>> fight = Scenario("medieval", "board", galley, galley, turns=12)
>>> found = seek(fight, "a.crew", "smallest", of="a", at_least=0.5, progress=False)
>>> found.value, found.curve.loc[[found.value - 1, found.value], "chance"].round(3).tolist()
(19, [0.483, 0.566])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import log2
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from navkit import events
from navkit.desk.seek_question import EQUAL, NO, UNSURE, YES, Found, Question, is_monotone, said
from navkit.desk.seek_range import sought, usual_range, with_number
from navkit.desk.trials import desk_of
from navkit.errors import InputError, whole
from navkit.progress import last
from navkit.scenario import Scenario, rulebook

Want = Literal["largest", "smallest"]
SCANNED = 40
"""Values in all up to which each is looked at."""
COARSE = 12
"""Steps in which a longer range is looked through first."""
BESIDE = 3
"""Neighbours that are looked at on either side of what was found."""
FURTHEST = 10_000_000


def seek(
    scenario: Scenario,
    path: str,
    want: Want,
    *,
    of: str,
    at_least: float,
    low: int | None = None,
    high: int | None = None,
    turn: int | None = None,
    progress: bool = True,
) -> Found:
    """The largest or smallest number of a ship with which an event has a chance of `at_least`.

    `path` names the number, side first: `b.hull`, `a.officers.gunnery`. `of` is the event (see
    `events`), by the end of `turn`, the last by default. Whole numbers from `low` to `high` are
    looked at, by default those of `usual_range`: all of them if they are few, else
    some at even distances, then nearer and nearer ones by halving, and the neighbours of what was
    found. Whether the chance rises or falls all the way is looked at, not taken for granted.

    Exact odds give the number exactly. Sampled ones share their dice from value to value, and
    tell the range of values of which the sample can't tell.

    Raises InputError for bad input before anything is looked for, and Interrupted for Ctrl-C.
    """
    parts = seeking(scenario, path, want, of=of, at_least=at_least, low=low, high=high, turn=turn)
    return last(parts, progress=progress, unit="value", far=_far)


def seeking(
    scenario: Scenario,
    path: str,
    want: Want,
    *,
    of: str,
    at_least: float,
    low: int | None = None,
    high: int | None = None,
    turn: int | None = None,
) -> Iterator[Found]:
    """What `seek` gives, after each value looked at."""
    if want not in get_args(Want):
        raise InputError("want", want, *get_args(Want))
    side, _, inside = path.partition(".")
    if side not in events.SIDES or not inside:
        raise InputError("path", path, "a side and a number of its ship, such as 'b.hull'")
    known = sought(scenario, inside)
    if low is None or high is None:
        usual = usual_range(scenario, path)
        low, high = usual[0] if low is None else low, usual[1] if high is None else high
    lowest = whole("low", low, -FURTHEST, FURTHEST)
    highest = whole("high", high, lowest, FURTHEST)

    def change(value: int) -> Scenario:
        return with_number(scenario, path, value)

    for end in (lowest, highest):
        change(end)
    name = events.names_of(scenario.a, scenario.b)[events.SIDES.index(side)]
    called = known.words if known else inside.split(".")[-1].replace("_", " ")
    question = Question(scenario, of, turn, at_least, change)
    what = f"{called[0].upper()}{called[1:]} of {name}"
    return _Search(question, want, what, lowest, highest).run()


def cheapest(
    scenario: Scenario,
    side: Literal["a", "b"],
    *,
    of: str,
    at_least: float,
    turn: int | None = None,
    progress: bool = True,
) -> Found:
    """The cheapest ready ship, as `side`, with which an event has a chance of `at_least`.

    The ships are those of the rulebook's library as they are; all of them are looked at, and the
    curve has them by price. Raises InputError where the rulebook has no prices, and as `seek`.
    """
    parts = pricing(scenario, side, of=of, at_least=at_least, turn=turn)
    return last(parts, progress=progress, unit="ship", far=_far)


def pricing(
    scenario: Scenario,
    side: Literal["a", "b"],
    *,
    of: str,
    at_least: float,
    turn: int | None = None,
) -> Iterator[Found]:
    """What `cheapest` gives, after each ship looked at."""
    if side not in events.SIDES:
        raise InputError("side", side, *events.SIDES)
    module, desk = rulebook(scenario.rulebook), desk_of(scenario)
    if desk.price is None:
        raise InputError("rulebook", scenario.rulebook, "one whose ships have prices")
    ships = {name: module.ship(name) for name in module.library()["name"]}
    prices = {name: desk.price(ship) for name, ship in ships.items()}
    prices = dict(sorted(prices.items(), key=lambda each: each[1]))

    def change(name: str) -> Scenario:
        return replace(scenario, **{side: ships[name]})

    question = Question(scenario, of, turn, at_least, change)
    return _priced(question, side, prices, desk.price_unit)


def _far(so_far: Found) -> tuple[int, int]:
    return len(so_far.curve), max(len(so_far.curve), so_far.wanted)


# Numbers


@dataclass(frozen=True)
class _Search:
    """The search for a number, and the rows of the values looked at so far."""

    question: Question
    want: Want
    what: str
    low: int
    high: int
    rows: dict[int, dict[str, Any]] = field(default_factory=dict)

    def run(self) -> Iterator[Found]:
        """Looks at values, and tells after each what is known so far."""
        chance = self.question.chance()
        for value in self._values():
            if value not in self.rows and self.low <= value <= self.high:
                self.rows[value] = self.question.row(value, chance)
                yield self.found()

    def _values(self) -> Iterator[int]:
        """What to look at next, as long as that depends on what was found before."""
        if self.high - self.low < SCANNED:
            yield from range(self.low, self.high + 1)
            return
        yield from np.linspace(self.low, self.high, COARSE + 1).round().astype(int).tolist()
        yield from self._peak()
        yield from self._closing_in(self.question.is_enough)
        yield from self._closing_in(lambda row: row["does"] == YES)
        yield from self._closing_in(lambda row: row["does"] != NO)
        seen: int | None = None
        while (value := self.value()) is not None and value != seen:
            yield from (value + by for by in range(-BESIDE, BESIDE + 1))
            seen = value

    def _peak(self) -> Iterator[int]:
        """While no value does, values around the best one."""
        while self.value() is None:
            known = sorted(self.rows)
            best = max(known, key=lambda value: self.rows[value]["chance"])
            at = known.index(best)
            beside = [(best + known[n]) // 2 for n in (at - 1, at + 1) if 0 <= n < len(known)]
            fresh = [value for value in beside if value not in self.rows]
            if not fresh:
                return
            yield from fresh

    def _closing_in(self, does: Callable[[dict[str, Any]], bool]) -> Iterator[int]:
        """Halves the gap between the outermost value that does and the next one out."""
        while True:
            known = sorted(self.rows, reverse=self.want == "largest")
            at = next((at for at, value in enumerate(known) if does(self.rows[value])), 0)
            if at == 0 or abs(known[at] - known[at - 1]) == 1:
                return
            yield (known[at] + known[at - 1]) // 2

    def value(self) -> int | None:
        """The best answer so far."""
        enough = [value for value, row in self.rows.items() if self.question.is_enough(row)]
        return (max if self.want == "largest" else min)(enough, default=None)

    def found(self) -> Found:
        """What is known so far."""
        curve = pd.DataFrame.from_dict(self.rows, orient="index").sort_index()
        curve.index.name = "value"
        every = self.high - self.low + 1
        wanted = every if every <= SCANNED else COARSE + 2 * BESIDE + round(2 * log2(every))
        monotone, scanned = is_monotone(curve), len(curve) == every
        unsure = tuple(curve.index[curve["does"] == UNSURE])
        sentence = " ".join(self._sentences(curve, monotone, scanned))
        return Found(self.value(), sentence, curve, unsure, monotone, scanned, wanted)

    def _sentences(self, curve: pd.DataFrame, monotone: bool, scanned: bool) -> Iterator[str]:
        value = self.value()
        fight = self.question.scenario
        event = self.question.words(events.names_of(fight.a, fight.b))
        if value is None:
            best = curve["chance"].idxmax()
            yield (
                f"{self.what}: there is no number from {self.low} to {self.high} with which "
                f"{event}; the most is {said(curve, best)}, with {best}."
            )
        else:
            end = self.high if self.want == "largest" else self.low
            last_one = ", the end of the range," if value == end else ""
            yield (
                f"{self.what}: {value}{last_one} is the {self.want} with which {event} "
                f"({said(curve, value)})."
            )
        unsure = curve.index[curve["does"] == UNSURE]
        if len(unsure):
            low, high = unsure.min(), unsure.max()
            of = f"{low}" if low == high else f"{low} to {high}"
            yield f"Of {of} the sample can't tell (95 %)."
        yield from _flat(curve)
        if not monotone:
            yield "The chance does not only rise, or only fall, from one to the next."
        if not scanned:
            yield f"{len(curve)} of the {self.high - self.low + 1} numbers were looked at."


def _flat(curve: pd.DataFrame) -> Iterator[str]:
    """Whether the number makes no difference, at one end of what was looked at or at all."""
    for values, way in ((curve["chance"][::-1], "up"), (curve["chance"], "down")):
        same = (values - values.iloc[0]).abs() <= EQUAL
        run = len(values) if same.all() else int(np.argmin(same.to_numpy()))
        seen = "was seen to make" if curve["error"].any() else "makes"
        if run == len(values) >= BESIDE:
            yield f"It {seen} no difference here."
            return
        if run >= BESIDE:
            yield f"From {values.index[run - 1]} {way} it {seen} no difference."


# Ships by price


def _priced(question: Question, side: str, prices: dict[str, float], unit: str) -> Iterator[Found]:
    chance = question.chance()
    fight = question.scenario
    foes = ("she", f"the {fight.b.name}"), (f"the {fight.a.name}", "she")
    event = question.words(foes[events.SIDES.index(side)])
    rows: dict[str, dict[str, Any]] = {}
    for name, price in prices.items():
        rows[name] = {"price": price, **question.row(name, chance)}
        curve = pd.DataFrame.from_dict(rows, orient="index")
        curve.index.name = "ship"
        value = next((each for each, row in rows.items() if question.is_enough(row)), None)
        unsure = tuple(curve.index[curve["does"] == UNSURE])
        if value is None:
            best = curve["chance"].idxmax()
            sentence = (
                f"There is no ready ship with which {event}; the most is {said(curve, best)}, "
                f"with the {best}."
            )
        else:
            sentence = (
                f"The {value}, for {prices[value]:,.0f} {unit}, is the cheapest ready ship with "
                f"which {event} ({said(curve, value)})."
            )
        if unsure:
            sentence += f" Of {', '.join(map(str, unsure))} the sample can't tell (95 %)."
        scanned = len(rows) == len(prices)
        yield Found(value, sentence, curve, unsure, is_monotone(curve), scanned, len(prices))
