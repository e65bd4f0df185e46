"""Sampled odds until they are as precise as they were asked to be.

>>> from functools import partial
>>> from navkit.rulebooks import gurps
>>> fight = partial(gurps.duel, gurps.ship("Sloop"), gurps.ship("Schooner"), turns=5)
>>> h = until(fight, error=0.005, of="a", progress=False)
>>> h.fights, bool(h.table()["a_error"].iloc[-1] <= 0.005)
(5120, True)
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from math import ceil

from navkit import events
from navkit.chance import GROUP, MOST_FIGHTS, Sampled
from navkit.errors import InputError, number, whole
from navkit.history import History
from navkit.progress import last
from navkit.tally import STALEMATE

FIRST = 4 * GROUP
"""Fights that are played before it is reckoned how many are needed."""
STRETCH = 32 * GROUP
"""Fights that are added at a time, at most."""


def until(
    play: Callable[..., History],
    *,
    error: float = 0.002,
    of: str = "a",
    turn: int | None = None,
    most: int = 1_000_000,
    seed: int = 1,
    progress: bool = True,
) -> History:
    """Plays more and more fights until the standard error of a chance is at most `error`.

    `play` takes `chance` alone and gives a History: a resolver with its ships and turns
    (`functools.partial`). `of` is an event (see `events`): its chance by the end of `turn`, the
    last by default. What comes out is the sample of that many fights, the same as if they had
    been played at once. After `most` fights it stops, warning that the error is larger.

    Raises InputError for bad input, and Interrupted for Ctrl-C, with the fights so far.
    """
    parts = growing(play, error=error, of=of, turn=turn, most=most, seed=seed)
    way = partial(far, error=error, of=of, turn=turn, most=most)
    found = last(parts, progress=progress, unit="fight", far=way)
    reached = events.at_turn(found, of, turn)[1]
    if reached > error:
        told = f"the error of {of!r} is {reached:.2g} after {found.fights:,} fights, above {error}"
        warnings.warn(told, stacklevel=2)
    return found


def growing(
    play: Callable[..., History],
    *,
    error: float,
    of: str = "a",
    turn: int | None = None,
    most: int = 1_000_000,
    seed: int = 1,
) -> Iterator[History]:
    """The samples on the way to what `until` gives, each with more fights than the one before.

    Where fights stall, the last of them is played again as one: which states can't end any more
    is looked for among the fights of a sample together.
    """
    error = number("error", error, 0, 1)
    if error == 0:
        raise InputError("error", error, "a number above 0; for none, chance=Exact()")
    most = whole("most", most, 1, MOST_FIGHTS)
    found = play(chance=Sampled(min(FIRST, most), seed))
    events.at_turn(found, of, turn)  # refuses what can't be asked
    yield found
    while more := _fights_to_add(found, error, of, turn, most):
        assert found.fights is not None
        stretch = Sampled(min(more, STRETCH), seed, first=found.fights)
        found = found + play(chance=stretch)
        yield found
    if found.tally.mass[:, STALEMATE].any() and (found.fights or 0) > FIRST:
        yield play(chance=Sampled(found.fights or 0, seed))


def far(
    found: History,
    *,
    error: float,
    of: str = "a",
    turn: int | None = None,
    most: int = 1_000_000,
) -> tuple[int, int]:
    """How many fights are played on the way to an error, and of how many; 1 of 1 where exact."""
    if found.fights is None:
        return 1, 1
    return found.fights, found.fights + _fights_to_add(found, error, of, turn, most)


def _fights_to_add(found: History, error: float, of: str, turn: int | None, most: int) -> int:
    """How many fights are missing, as far as the chance seen so far can tell; 0 for enough."""
    assert found.fights is not None
    share, reached = events.at_turn(found, of, turn)
    if reached <= error:
        return 0
    wanted = max(share * (1 - share) / error**2, found.fights + GROUP)
    return min(ceil(wanted / GROUP) * GROUP, most) - found.fights
