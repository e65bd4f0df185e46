"""What may become of a side, named by a short text, and how likely it is in a history.

An event is one of

- the outcomes of a history: `a` (a wins), `b`, `both`, `stalemate`, `undecided`;
- `a in action` and `a lost`, however it is lost;
- a way to be lost, in the rulebook's words: `b sunk`, `b out of action`; `a not sunk`;
- a figure of a side that is kept: `a crew at least 10`, `b hull at most 0`.

>>> from navkit.chance import Sampled
>>> from navkit.rulebooks import gurps
>>> h = gurps.duel(gurps.ship("Brig"), gurps.ship("Sloop"), turns=3, chance=Sampled(1024))
>>> chance(h, "b lost").round(2).tolist()
[0.0, 0.52, 0.96, 0.99]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pandas as pd

from navkit.errors import InputError, whole
from navkit.history import OUTCOME, History

SIDES = ("a", "b")
FIGURE = re.compile(r"(?P<track>\w+) at (?P<end>least|most) (?P<number>\d{1,9})")
WORDS = {
    "a": "a wins",
    "b": "b wins",
    "both": "both are lost",
    "stalemate": "nobody can be lost any more",
    "undecided": "it is undecided",
}


def events(history: History) -> tuple[str, ...]:
    """The events that a history can be asked about, but for figures, which go by number."""
    ways = [cause.replace("_", " ") for cause in history.causes]
    of_sides = ("in action", "lost", *ways, *(f"not {way}" for way in ways))
    return (*OUTCOME, *(f"{side} {each}" for side in SIDES for each in of_sides))


def chance(history: History, event: str) -> pd.Series[float]:
    """By turn: the probability of an event by the end of it.

    Raises InputError for an event that the history doesn't know.
    """
    if event in OUTCOME:
        return history.table()[event].rename(event)
    known = events(history)
    side, _, rest = event.partition(" ") if isinstance(event, str) else ("", "", "")
    figure = FIGURE.fullmatch(rest)
    if side in SIDES and figure:
        limit = int(figure["number"])
        low, high = (limit, None) if figure["end"] == "least" else (None, limit)
        return history.probability(side, figure["track"], at_least=low, at_most=high).rename(event)
    if event not in known:
        raise InputError("event", event, *known, f"{SIDES[0]} crew at least 10")
    lost = history.cause(side)
    if rest in ("lost", "in action"):
        gone = lost.sum(axis=1)
    else:
        gone = lost[rest.removeprefix("not ").replace(" ", "_")]
    is_kept = rest == "in action" or rest.startswith("not ")
    return (1.0 - gone if is_kept else gone).clip(0.0, 1.0).rename(event)


def at_turn(history: History, event: str, turn: int | None = None) -> tuple[float, float]:
    """The probability of an event by the end of `turn` (default: the last), and its error.

    The standard error is 0 where the history is exact. Raises InputError for an event or a turn
    that the history doesn't know.
    """
    at = history.turns if turn is None else whole("turn", turn, 0, history.turns)
    likely = chance(history, event).iloc[at : at + 1].to_frame()
    return float(likely.to_numpy()[0, 0]), float(history.error_of(likely).to_numpy()[0, 0])


def in_words(event: str, names: Sequence[str] = SIDES) -> str:
    """An event as a person says it, with the names of the sides.

    >>> in_words("a"), in_words("b not sunk", ("the Brig", "the Sloop"))
    ('a wins', 'the Sloop is not sunk')
    """
    said = WORDS.get(event, event)
    side, _, rest = said.partition(" ")
    if side not in SIDES:
        return said
    figure = FIGURE.fullmatch(rest)
    if figure:
        rest = f"has {figure['track']} of at {figure['end']} {figure['number']}"
    elif event not in WORDS:
        rest = f"is {rest}"
    return f"{names[SIDES.index(side)]} {rest}"


def names_of(a: Any, b: Any) -> tuple[str, str]:
    """What to call two ships: by their names, told apart where they are the same."""
    first, second = f"the {a.name}", f"the {b.name}"
    return (first, second) if first != second else (f"{first} (a)", f"{second} (b)")
