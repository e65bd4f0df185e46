"""One question asked of all rulebooks: how fast does a smaller ship die?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from navkit.chance import Sampled
from navkit.explorers.duel import Explorer
from navkit.history import History
from navkit.rulebooks.desk import Meeting
from navkit.rulebooks.panel import Answer, Choice, Control, Number, Panel, Settings, View
from navkit.rulebooks.readings import Readings
from navkit.rulebooks.views import followed
from navkit.scenario import RULEBOOKS, rulebook
from navkit.words import percent

PAIRS: Mapping[str, tuple[str, str]] = {
    "gurps": ("70-gun military", "Sloop"),
    "sea_battles": ("Hammer", "Tongs"),
    "vehicular_1879": ("HMS Alexandra", "Paddle gunboat"),
    "medieval": ("Cog", "Longship"),
}
"""The larger and the smaller ship of each rulebook that are shown first: this project's choice."""
QUICK, FULL = 256, 2048
"""Fights of the answer that comes at once, and of the full one."""


def fights(settings: Settings) -> Iterator[dict[str, History]]:
    """The larger ship meets the smaller one as is usual in each rulebook: quick, then in full.

    By the name of the rulebook, in the order of RULEBOOKS.
    """
    turns = settings["turns"]
    for number in (QUICK, FULL):
        luck = Sampled(number, settings["seed"])
        yield {
            called(name): meeting(name, settings[f"{name}_a"], settings[f"{name}_b"], turns, luck)
            for name in RULEBOOKS
        }


def meeting(name: str, larger: str, smaller: str, turns: int, luck: Sampled) -> History:
    """Two ready ships of a rulebook in its usual meeting.

    >>> h = meeting("medieval", "Cog", "Longship", 3, Sampled(64))
    >>> h.turns, h.fights
    (3, 64)
    """
    module = rulebook(name)
    ships = module.ship(larger), module.ship(smaller)
    told = {"chance": luck, "rules": module.HouseRules()}
    return followed(usual(name).play, *ships, turns=turns, **told)


def usual(name: str) -> Meeting:
    """How two ships usually meet in a rulebook: the first meeting of its desk."""
    first: Meeting = next(iter(rulebook(name).desk.DESK.meetings.values()))
    return first


def called(name: str) -> str:
    """A rulebook by the name that its panel has.

    >>> called("gurps")
    'GURPS/Naval Combat'
    """
    title: str = rulebook(name).panel.PANEL.title
    return title.partition(":")[0]


def lost(settings: Settings) -> Iterator[Answer]:
    """The chance that the smaller ship is lost, by turn, in each rulebook."""
    for histories in fights(settings):
        table = pd.DataFrame({name: gone(h) for name, h in histories.items()})
        errors = pd.concat([h.error_of(table[[n]]) for n, h in histories.items()], axis=1)
        half = {name: half_gone(table[name]) for name in table}
        soonest = min(half, key=lambda name: half[name])
        title = "How fast does the smaller ship die? "
        if half[soonest] > settings["turns"]:
            title += f"In {settings['turns']} turns not even half of them, in any rulebook"
        else:
            title += f"Soonest in {soonest}"
        told = ", ".join(
            f"{name} {'later' if turn > settings['turns'] else turn}" for name, turn in half.items()
        )
        yield Answer(
            table,
            title,
            f"The turn by which half of the smaller ships are lost: {told}.",
            errors,
            basis=next(iter(histories.values())).basis,
        )


def gone(history: History) -> pd.Series[float]:
    """By turn: the chance that side b is lost, in whatever way."""
    return history.cause("b").sum(axis=1)


def half_gone(chances: pd.Series[float]) -> float:
    """The first turn by which a chance by turn has come to one half; infinite if it does not."""
    reached = chances[chances >= 0.5]
    return float("inf") if reached.empty else int(reached.index[0])


def ways(settings: Settings) -> Iterator[Answer]:
    """How the smaller ship is lost, and what becomes of the larger one."""
    for histories in fights(settings):
        told = zip(RULEBOOKS, histories.items(), strict=True)
        rows = {words: _row(name, history, settings) for name, (words, history) in told}
        table = pd.DataFrame(rows).T
        yield Answer(
            table,
            "How it ends",
            f"After {settings['turns']} turns; each rulebook in its usual meeting.",
            basis=next(iter(histories.values())).basis,
        )


def _row(name: str, history: History, settings: Settings) -> dict[str, str]:
    ends = history.cause("b").iloc[-1].sort_values(ascending=False)
    told = [
        f"{str(way).replace('_', ' ')} {percent(min(float(share), 1.0), fights=history.fights)}"
        for way, share in ends.items()
        if share > 0
    ]
    larger = float(history.cause("a").sum(axis=1).iloc[-1])
    return {
        "fight": f"{settings[f'{name}_a']} against {settings[f'{name}_b']}, {usual(name).words}",
        "the smaller ship is lost by being": ", ".join(told) or "nothing",
        "the larger one is lost": percent(min(larger, 1.0), fights=history.fights),
    }


def _controls() -> Iterator[Control]:
    for group, label, place in (("a", "larger", 0), ("b", "smaller", 1)):
        for name in RULEBOOKS:
            ready = tuple(rulebook(name).library()["name"])
            yield Choice(
                f"{name}_{group}", called(name), ready, PAIRS[name][place], group, f"{label} ship"
            )
    yield Number("turns", "turns", 1, 20, 10)
    yield Number("seed", "seed", 0, 999, 1, note="the same seed gives the same fights")


def compared() -> Explorer:
    """A panel that asks the same question of all rulebooks, to be shown in a notebook."""
    controls: tuple[Any, ...] = tuple(_controls())
    uses = frozenset(each.name for each in controls)
    return Explorer(
        Panel(
            title="One question, four rulebooks: side a is the larger ship, b the smaller",
            controls=controls,
            rules=Readings,
            views=(
                View("lost", "curves", "turn", "share of smaller ships lost", uses, lost),
                View("ways", "table", "", "", uses, ways),
            ),
        )
    )
