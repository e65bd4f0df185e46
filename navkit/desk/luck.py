"""Luck: which fights of a sample were lucky, and how far one fight's dice were from expected.

Two things are called luck, and they are kept apart:

- how well a fight ended, among all fights that the same sides might have had (`fights_by_luck`):
  a ranking that needs no odds of single rolls, so it is quick for many fights;
- what the dice of one fight did (`dice` and `moved`): what was rolled against what was to be
  expected of those dice, and how much each roll moved the odds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from navkit.battle import play
from navkit.chance import Sampled
from navkit.desk.replay import Frame, Replay, source
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.scenario import Scenario

_RANKS = {"won": 3, "undecided": 2, "both": 1, "lost": 0}
"""How good an end is: to be undecided is better than to be lost together with the other."""
NOBODY = "nobody"
"""Who rolls where the log names no side: the weather, a coin."""


def fights_by_luck(
    fight: History | Scenario,
    *,
    side: str = "a",
    figure: str | None = None,
    fights: int = 20_000,
    seed: int | None = None,
) -> pd.DataFrame:
    """The fights of a sample, from the luckiest for `side` to the unluckiest.

    A fight is luckier than another if it ended better: won before undecided (or stuck), that
    before both lost, and that before lost. Between equal ends the one is luckier in which more
    was left of the side, less what was left of the other, by `figure` (its share of the start; of a
    figure that counts up from 0, such as damage, less is better); then a win that came sooner,
    a loss that came later. `figure` is the first that the history keeps unless told. The index is
    the number of each fight, to be replayed by it.

    A sample is ranked as it is; for a scenario, an exact or a single fight, `fights` are sampled.
    Raises InputError for bad input.

    >>> from navkit.rulebooks import medieval
    >>> h = medieval.board(medieval.ship("Cog"), medieval.ship("Cog"), chance=Sampled(1024))
    >>> ranked = fights_by_luck(h)
    >>> picks(ranked)
    {'luckiest': 515, 'median': 956, 'unluckiest': 16}
    """
    history = _sample(fight, fights, seed)
    if side not in history.battle.sides:
        raise InputError("side", side, *history.battle.sides)
    known = list(dict.fromkeys(name.partition(".")[2] for name in history.left))
    figure = known[0] if figure is None and known else figure
    if figure not in known:
        raise InputError("figure", figure, *known)
    a, b = history.battle.sides
    other = b if side == a else a
    ends = history.ends()
    won = np.where(ends["outcome"] == side, "won", "lost")
    other_ends = ends["outcome"].astype(str).replace({"stalemate": "undecided"})
    end = np.where(ends["outcome"].isin([a, b]), won, other_ends)
    left = {each: _left(history, each, figure) for each in (side, other)}
    table = pd.DataFrame({"end": end, "turn": ends["turn"], **left}, index=ends.index)
    sooner = np.where(end == "lost", -table["turn"], table["turn"])
    behind = left[other] - left[side]
    # the last key counts most; equal fights stay in the order of their numbers
    return table.iloc[np.lexsort((sooner, behind, -table["end"].map(_RANKS)))]


def picks(ranked: pd.DataFrame) -> dict[str, int]:
    """The numbers of the luckiest, the median and the unluckiest fight of a ranking."""
    numbers = ranked.index
    places = {"luckiest": 0, "median": len(numbers) // 2, "unluckiest": len(numbers) - 1}
    return {name: int(numbers[place]) for name, place in places.items()}


def _sample(fight: History | Scenario, fights: int, seed: int | None) -> History:
    """The sample to rank, with the ends of its fights."""
    battle, turns, own_seed = source(fight)
    if (
        isinstance(fight, History)
        and (fight.fights or 1) > 1
        and fight.seed is not None
        and seed in (None, fight.seed)
    ):
        if fight.codes is not None:
            return fight
        chance = Sampled(fight.fights or 1, own_seed, fight.first, ends=True)
    else:
        many = whole("fights", fights, 2, 10_000_000)
        chance = Sampled(many, own_seed if seed is None else seed, ends=True)
    return play(battle, turns, chance)


def _left(history: History, side: str, figure: str) -> pd.Series[float]:
    """What is left of a side in each fight, as a share of the start; harm counts below 0."""
    start = float(history.mean(side, figure).iloc[0])
    numbers = pd.RangeIndex(history.first, history.first + (history.fights or 0), name="fight")
    left = pd.Series(history.left[f"{side}.{figure}"], index=numbers, dtype=np.float64)
    return left / start if start else -left


# What the dice of one fight did


def dice(fight: Replay, upto: int | None = None) -> pd.DataFrame:
    """What was rolled, and what was to be expected of those dice, by who rolled and what for.

    Of rolls up to number `upto` (all of them for None): `rolls` is how many. Where something was
    to be reached, it counts what was "made": `happened` is how often that was, `expected` how often
    it is on the average; else they are the "total" of what was rolled. `off` is their difference
    in standard deviations of these very dice, nan where they can't differ. Whether much is good
    is for the rule to say: of damage it is, of a roll that must stay below a number it isn't.
    """
    columns = ["side", "why", "counts", "happened", "expected", "variance"]
    rows = [_against(frame) for frame in fight.frames[: _reach(fight, upto)]]
    kinds = pd.DataFrame(rows, columns=columns).groupby(columns[:3], sort=False)
    table = kinds.sum()
    table.insert(0, "rolls", kinds.size())
    spread = table.pop("variance").astype(np.float64) ** 0.5
    table["off"] = (table["happened"] - table["expected"]) / spread.where(spread > 0)
    return table


def _reach(fight: Replay, upto: int | None) -> int:
    count = len(fight.frames)
    return count if upto is None else whole("upto", upto, 0, count)


def _against(frame: Frame) -> tuple[str, str, str, int, float, float]:
    """Whose roll it is and what it counts, what happened, and mean and variance of what might."""
    entry, chance = frame.entry, frame.chance
    who = entry.side or NOBODY
    if chance is None:
        return who, entry.why, "total", entry.result, frame.dice.mean, frame.dice.std**2
    return who, entry.why, "made", int(bool(entry.success)), chance, chance * (1 - chance)


def moved(
    fight: Replay, by: str = "side", side: str = "a", upto: int | None = None
) -> pd.Series[float]:
    """How much the rolls moved the odds of `side` to win, summed by "side", "turn" or "why".

    All sums together are what the odds are after the rolls less what they were before the first.
    Works out the odds that are not known yet. Raises InputError for another `by`.
    """
    if by not in ("side", "turn", "why"):
        raise InputError("by", by, "side", "turn", "why")
    frames = fight.frames[: _reach(fight, upto)]
    moves = [fight.move(frame.number, side).value for frame in frames]
    keys = [getattr(frame.entry, by) or (NOBODY if by == "side" else 0) for frame in frames]
    return pd.Series(moves, dtype=np.float64, name="moved").groupby(pd.Index(keys, name=by)).sum()


def in_words(fight: Replay, upto: int | None = None) -> Iterator[str]:
    """What the dice did, a line for each side and kind of roll.

    >>> from navkit.desk.replay import replay
    >>> from navkit.rulebooks import gurps
    >>> h = gurps.duel(gurps.ship("Sloop"), gurps.ship("Sloop"), turns=5, chance=Sampled(1024))
    >>> for line in in_words(replay(h, 7)):
    ...     print(line)
    a, initiative: 2 rolled, 3.5 expected
    b, initiative: 4 rolled, 3.5 expected
    b, attack: 1 of 3 made, 2.2 expected (clearly fewer)
    b, damage: 50 rolled in 3 rolls, 52.5 expected (as expected)
    a, attack: 3 of 5 made, 3.7 expected (somewhat fewer)
    a, damage: 86 rolled in 5 rolls, 87.5 expected (as expected)
    """
    for line in dice(fight, upto).reset_index().to_dict("records"):
        rolls, happened = line["rolls"], line["happened"]
        what = f"{happened} of {rolls} made" if line["counts"] == "made" else f"{happened} rolled"
        more = f" in {rolls} rolls" if line["counts"] == "total" and rolls > 1 else ""
        off = "" if rolls == 1 or np.isnan(line["off"]) else f" ({_off(line['off'])})"
        yield f"{line['side']}, {line['why']}: {what}{more}, {line['expected']:.1f} expected{off}"


def _off(deviations: float) -> str:
    """How far off something is, in words."""
    size = abs(deviations)
    if size < 0.5:
        return "as expected"
    words = "somewhat" if size < 1 else "clearly" if size < 2 else "far"
    return f"{words} {'more' if deviations > 0 else 'fewer'}"
