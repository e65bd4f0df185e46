"""What a rulebook tells the desk: how two ships meet, what a captain decides, what would help.

The prep sheet, the replay, the comparison of house rules and the search for what it would take
know no rulebook; each rulebook has a module `desk` with one `Desk`, and all that differs between
them is in there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pandas as pd

from navkit.errors import InputError
from navkit.history import History

Ship = TypeVar("Ship")
Play = Callable[..., History]
"""`play(a, b, *, turns, chance, rules)`: two ships meet."""


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """One way in which two ships meet.

    `play` is the rulebook's resolver, `words` says what is fought (with "of a and b" after it:
    "a gunnery duel"). `left` names the figures of a side that tell how it fares, with their words:
    `{"crew": "fit hands", "hull": "hull points"}`; the first is the one that a sheet shows. `unit`
    is what the resolver counts ("turn", "round").
    """

    play: Play
    words: str
    left: Mapping[str, str]
    unit: str = "turn"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What side a may decide to do, and what is assumed of both when it does; `play` as above.

    The outcome of `play` is told from a's side: to run well is to be undecided. `left` names the
    figures of a side that tell how it fares, as those of a `Meeting` do.
    """

    name: str
    words: str
    play: Play
    left: Mapping[str, str]


def feasible(ship: Ship, steps: Mapping[str, Callable[[], Ship]]) -> dict[str, Ship]:
    """Changed ships by what is changed about them, made by `steps`.

    Left out is what can't be had, a number at its limit or more than there is room for, and what
    changes nothing.

    >>> from dataclasses import replace
    >>> from navkit.rulebooks.medieval import ship
    >>> cog = ship("Cog", crew=20)
    >>> list(feasible(cog, {
    ...     "one more crew point": lambda: replace(cog, crew=21),
    ...     "a round hull": lambda: replace(cog, kind="round"),
    ...     "the admiral": lambda: replace(cog, flagship=True),
    ... }))
    ['the admiral']
    """
    found = {}
    for words, step in steps.items():
        try:
            changed = step()
        except InputError:  # it can't be had
            continue
        if changed != ship:
            found[words] = changed
    return found


@dataclass(frozen=True, kw_only=True)
class Sought:
    """A number of a ship that may be sought: the largest hull, the smallest crew.

    `path` is the field of the ship, or one within a field (`officers.gunnery`; `troops.0.models`
    of the first of several), and `words` its name for people. `more_is_better` for the ship that
    has it. A ship may have no such number (nobody aboard).
    """

    path: str
    words: str
    low: int
    high: int
    more_is_better: bool = True


@dataclass(frozen=True, kw_only=True)
class Effort:
    """What can be played of a rulebook in the seconds that a person waits for a prep sheet.

    `fights` of the meeting, `variants` of each decision and each change, and `steps` of the number
    that is moved on either side (7: seven values for a, seven for b).
    """

    fights: int = 20_000
    variants: int = 4096
    steps: int = 7


@dataclass(frozen=True, kw_only=True)
class Counsel:
    """What side a should do, as far as it has been worked out: `done` of the `wanted` parts.

    `chances` has one column, the chance to win, by what she may do, the best first; `errors` are
    standard errors in its shape, None where exact. `table` tells what to do when, in words for
    people, and `sentence` is the finding.
    """

    done: int
    wanted: int
    sentence: str
    chances: pd.DataFrame | None = None
    errors: pd.DataFrame | None = None
    table: pd.DataFrame | None = None


@dataclass(frozen=True, kw_only=True)
class Desk:
    """All that the desk asks of a rulebook.

    `meetings` goes by the names of the resolvers, the usual one first. `describe(ship)` gives
    the lines of its sheet, label and value. `changes(ship)` gives what might be changed about it,
    in words ("ten more hands") with the changed ship, one step each; a change that can't be had is
    left out. `sinks` are the ways to be lost after which a ship is gone, and `afloat` the word for
    one that is not. `dial` is the path of the number in `sought` that a sheet lets a person move.
    `price(ship)` is what it costs, where the rulebook has prices. `counsel(a, b, turns=, rules=)`
    yields what a should do, better and better, where that can be worked out, and `counsel_words` is
    the question that answers. `notes` say what the rulebook leaves open here.
    """

    meetings: Mapping[str, Meeting]
    decisions: tuple[Decision, ...]
    describe: Callable[[Any], Mapping[str, str]]
    changes: Callable[[Any], Mapping[str, Any]]
    sought: tuple[Sought, ...]
    dial: str
    sinks: tuple[str, ...] = ()
    afloat: str = "afloat"
    effort: Effort = Effort()
    price: Callable[[Any], float] | None = None
    price_unit: str = ""
    counsel: Callable[..., Iterator[Counsel]] | None = None
    counsel_words: str = ""
    notes: tuple[str, ...] = field(default=())
