"""What the panels of several rulebooks have in common: pairs of ships, growing samples, fans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from navkit.chance import Sampled
from navkit.history import History
from navkit.rulebooks.panel import Group, Settings

SIDES: tuple[Group, Group] = ("a", "b")
FAN = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The quantiles of a fan: the median, the middle half and nine tenths of all fights."""
HORIZONS = (5, 10, 20, 40, 80)
"""Turns to which fights are played that fewer may be asked of."""


def of_both(*names: str) -> frozenset[str]:
    """The controls of both sides.

    >>> sorted(of_both("ship"))
    ['ship_a', 'ship_b']
    """
    return frozenset(f"{name}_{side}" for name in names for side in SIDES)


def brought_by_ship(
    brought: Callable[[Group, str], Mapping[str, Any]],
) -> Callable[[str, Settings], Mapping[str, Any]]:
    """A panel's `follow`, where ready ships bring what is theirs and nothing else does.

    `brought(side, name)` tells it, by the names of the controls, for the ship chosen there.
    """

    def follow(name: str, settings: Settings) -> Mapping[str, Any]:
        for side in SIDES:
            if name == f"ship_{side}":
                return brought(side, settings[name])
        return {}

    return follow


def told_apart(a: Any, b: Any) -> tuple[Any, Any]:
    """Two ships; those of one name get a letter.

    >>> from navkit.rulebooks.medieval import ship
    >>> [each.name for each in told_apart(ship("Cog"), ship("Cog"))]
    ['Cog a', 'Cog b']
    """
    if a.name == b.name:
        return replace(a, name=f"{a.name} a"), replace(b, name=f"{b.name} b")
    return a, b


def growing(
    play: Callable[..., History],
    sizes: Iterable[int],
    *,
    seed: int,
    so_far: History | None = None,
) -> Iterator[History]:
    """A sample after so many fights, and more, and more: `sizes`, in rising order.

    `play` takes `chance` alone and gives a History. Fights that were played are not played again,
    nor are those of `so_far`, a sample to go on from.

    >>> from functools import partial
    >>> from navkit.rulebooks import gurps
    >>> fight = partial(gurps.duel, gurps.ship("Sloop"), gurps.ship("Brig"), turns=1)
    >>> [history.fights for history in growing(fight, (1024, 3000), seed=1)]
    [1024, 3000]
    """
    first = so_far.fights or 0 if so_far else 0
    for size in sizes:
        if size <= first:
            continue
        more = play(chance=Sampled(fights=size - first, seed=seed, first=first))
        so_far, first = more if so_far is None else so_far + more, size
        yield so_far


def followed(fight: Callable[..., History], *sides: Any, turns: int, **told: Any) -> History:
    """What `fight(*sides, turns=turns, **told)` gives; remembered, and for fewer turns at once.

    The same fights last on, however many turns are asked for. So they are played to the next of
    `HORIZONS`, and a hand that moves the turns finds them played. All that is told is hashable.

    >>> from navkit.rulebooks import gurps
    >>> sides = gurps.ship("Sloop"), gurps.ship("Brig")
    >>> followed(gurps.duel, *sides, turns=11, chance=Sampled(fights=1024)).turns
    11
    """
    far = next((horizon for horizon in HORIZONS if horizon >= turns), turns)
    return _played(fight, sides, far, tuple(told.items())).until(turns)


@lru_cache(maxsize=16)
def _played(
    fight: Callable[..., History],
    sides: tuple[Any, ...],
    turns: int,
    told: tuple[tuple[str, Any], ...],
) -> History:
    history = fight(*sides, turns=turns, **dict(told))
    history.tally.count_laid_by()
    return history


def fans(history: History, figure: str, a: str, b: str) -> pd.DataFrame:
    """A figure of both sides by turn as a fan wants it: columns (name, quantile), the names given.

    >>> from navkit.rulebooks import medieval
    >>> history = medieval.board(medieval.ship("Dromon"), medieval.ship("Cog"), turns=2)
    >>> fans(history, "crew", "Dromon", "Cog")["Cog"][0.5].tolist()
    [20.0, 16.0, 13.0]
    """
    quantiles = [history.quantiles(side, figure, FAN) for side in SIDES]
    return pd.DataFrame(np.hstack(quantiles), index=quantiles[0].index, columns=_fan_of(a, b))


def fates(history: History, a: str, b: str, way: str) -> pd.DataFrame:
    """By turn: how often each side is out of action, then how often in one `way`, such as "sunk".

    The names given stand before it. What comes first has the colours that the sides have elsewhere.

    >>> from navkit.rulebooks import gurps
    >>> history = gurps.duel(gurps.ship("Sloop"), gurps.ship("Brig"), turns=1)
    >>> list(fates(history, "Sloop", "Brig", "sunk"))
    ['Sloop out of action', 'Brig out of action', 'Sloop sunk', 'Brig sunk']
    """
    causes = {name: history.cause(side) for name, side in zip((a, b), SIDES, strict=True)}
    out = {f"{name} out of action": each.to_numpy().sum(axis=1) for name, each in causes.items()}
    so = {f"{name} {way}": each[way].to_numpy() for name, each in causes.items()}
    return pd.DataFrame(out | so, index=causes[a].index)


@lru_cache(maxsize=16)  # to make it takes longer than to fill the table
def _fan_of(a: str, b: str) -> pd.MultiIndex:
    return pd.MultiIndex.from_product([(a, b), FAN])
