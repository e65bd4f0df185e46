"""What the panel of GURPS/Naval Combat shows: two ships, and four questions about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from navkit.chance import Exact, Sampled
from navkit.history import EXACT, History
from navkit.rulebooks.gurps import odds
from navkit.rulebooks.gurps.boarding import board
from navkit.rulebooks.gurps.fight import duel
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import POSTS, Officers, Ship, library, ship
from navkit.rulebooks.panel import Answer, Choice, Control, Group, Number, Panel, Settings, View
from navkit.rulebooks.views import (
    brought_by_ship,
    fans,
    fates,
    followed,
    growing,
    of_both,
    told_apart,
)
from navkit.words import percent

QUICK = 1024
"""Fights of the answer that comes at once."""
EXPERTISE = range(3, 21)


def _side(side: Group, name: str) -> tuple[Control, ...]:
    ready = ship(name)
    return (
        Choice(f"ship_{side}", "ship", tuple(library()["name"]), name, side),
        _hands(side, ready),
        Number(f"expertise_{side}", "expertise", 3, 20, ready.expertise, group=side),
        *(
            Number(f"{post}_{side}", post, -5, 6, 0, group=side, note="level relative to IQ")
            for post in POSTS
        ),
        Number(
            f"weapon_{side}", "hand weapons", -2, 6, 0, group=side, note="damage modifier, boarding"
        ),
    )


def _hands(side: Group, ready: Ship) -> Number:
    """Fit hands aboard: from none to twice what a ready ship has, up to a round number."""
    most = 2 * ready.crew
    unit = max(10, 10 ** (len(str(most)) - 2))
    limits = {"low": 0, "high": -(-most // unit) * unit, "value": ready.crew}
    return Number(f"crew_{side}", "hands", **limits, group=side, note="fit hands aboard")


CONTROLS: tuple[Control, ...] = (
    *_side("a", "Sloop"),
    *_side("b", "Brig"),
    Number("turns", "turns", 1, 60, 20),
    Number("fights", "fights", 1000, 100_000, 20_000, step=1000, note="sampled for a full answer"),
    Number("seed", "seed", 0, 999, 1, note="the same seed gives the same fights"),
)


def ships(settings: Settings) -> tuple[Ship, Ship]:
    """The two ships that the controls describe; two of one kind get a letter."""
    return told_apart(_ship(settings, "a"), _ship(settings, "b"))


def _ship(settings: Settings, side: str) -> Ship:
    posts = {post: settings[f"{post}_{side}"] for post in POSTS}
    return ship(
        settings[f"ship_{side}"],
        crew=settings[f"crew_{side}"],
        expertise=settings[f"expertise_{side}"],
        officers=Officers(**posts),
        weapon=settings[f"weapon_{side}"],
    )


def _brought(side: Group, name: str) -> Mapping[str, Any]:
    """Another ship brings its own crew."""
    ready = ship(name)
    return {f"crew_{side}": _hands(side, ready), f"expertise_{side}": ready.expertise}


def hit(settings: Settings) -> Iterator[Answer]:
    """The chance to hit, by the expertise of the crew that fires."""
    a, b = ships(settings)
    rules = settings["rules"]
    pairs = ((a, b), (b, a))
    columns = {
        own.name: [
            odds.hit(replace(own, expertise=expertise), foe, rules=rules) for expertise in EXPERTISE
        ]
        for own, foe in pairs
    }
    now = [odds.hit(own, foe, rules=rules) for own, foe in pairs]
    yield Answer(
        pd.DataFrame(columns, index=pd.Index(EXPERTISE, name="expertise")),
        f"{a.name} hits with {percent(now[0])} of its attacks, {b.name} with {percent(now[1])}",
        f"At expertise {a.expertise} and {b.expertise}; a miss does half the damage.",
        basis=EXACT,
    )


def damage(settings: Settings) -> Iterator[Answer]:
    """Hull points that a full broadside costs: the chance to do at least so many."""
    a, b = ships(settings)
    losses = {
        own.name: odds.damage(own, foe, rules=settings["rules"]) for own, foe in ((a, b), (b, a))
    }
    top = max(loss.max for loss in losses.values())
    support = np.arange(0, top + 1, max(1, top // 400))
    table = pd.DataFrame(
        {name: loss.at_least_each(support) for name, loss in losses.items()},
        index=pd.Index(support, name="hull points"),
    )
    said = [
        f"{name} does {loss.mean:.0f} on average, {loss.quantile(0.05)} to {loss.quantile(0.95)} "
        "nine times in ten"
        for name, loss in losses.items()
    ]
    yield Answer(
        table,
        "How much does the first broadside hurt?",
        "; ".join(said) + ".",
        basis=EXACT,
    )


def sinking(settings: Settings) -> Iterator[Answer]:
    """A duel on paper: who is out of action, and who has sunk, by turn."""
    a, b = ships(settings)
    fights = settings["fights"]
    fight = partial(followed, duel, a, b, turns=settings["turns"], rules=settings["rules"])
    sizes = (*range(QUICK, fights, 8 * QUICK), fights)
    for history in growing(fight, sizes, seed=settings["seed"]):
        yield _fate(a, b, history)


def _fate(a: Ship, b: Ship, history: History) -> Answer:
    table = fates(history, a.name, b.name, "sunk")
    left = [percent(1 - gone, fights=history.fights) for gone in table.to_numpy()[-1, :2]]
    outcome = history.outcome()
    winner, share = max(((a.name, outcome["a"]), (b.name, outcome["b"])), key=lambda it: it[1])
    return Answer(
        table,
        f"{winner} wins {percent(share, fights=history.fights)} of gunnery duels",
        f"After {history.turns} turns {a.name} is in action in {left[0]} of "
        f"{history.fights:,} fights, {b.name} in {left[1]}.",
        history.error_of(table),
        basis=history.basis,
    )


def boarding(settings: Settings) -> Iterator[Answer]:
    """Hands left in a boarding, by turn: the middle half and nine tenths of all fights."""
    a, b = ships(settings)
    for history in boardings(a, b, settings):
        yield _attrition(a, b, history)


def boardings(a: Ship, b: Ship, settings: Settings) -> Iterator[History]:
    """A boarding: sampled at once, and then exact."""
    fight = partial(followed, board, a, b, turns=settings["turns"], rules=settings["rules"])
    yield fight(chance=Sampled(fights=QUICK, seed=settings["seed"]))
    yield fight(chance=Exact())


def _attrition(a: Ship, b: Ship, history: History) -> Answer:
    outcome = history.outcome()
    taken = [percent(outcome[side], fights=history.fights) for side in ("a", "b")]
    left = [history.mean(side, "crew").iloc[-1] for side in ("a", "b")]
    return Answer(
        fans(history, "crew", a.name, b.name),
        f"{a.name} takes {b.name} in {taken[0]} of boardings",
        f"{b.name} takes {a.name} in {taken[1]} of boardings. After {history.turns} turns "
        f"{a.name} has {left[0]:.1f} hands left on average, {b.name} {left[1]:.1f}.",
        basis=history.basis,
    )


GUNNERY = of_both("ship", "expertise", "leadership", "gunnery") | {"rules"}

PANEL = Panel(
    title="GURPS/Naval Combat: two ships",
    controls=CONTROLS,
    rules=HouseRules,
    follow=brought_by_ship(_brought),
    views=(
        View("hit", "curves", "expertise", "chance to hit", GUNNERY, hit),
        View(
            "damage",
            "curves",
            "hull points lost",
            "chance of at least that",
            GUNNERY | of_both("crew"),
            damage,
        ),
        View(
            "duel",
            "curves",
            "turn",
            "share of fights",
            GUNNERY | of_both("crew", "navigation", "medic") | {"turns", "fights", "seed"},
            sinking,
        ),
        View(
            "boarding",
            "fan",
            "turn",
            "hands left",
            of_both("ship", "crew", "expertise", "leadership", "tactics", "medic", "weapon")
            | {"rules", "turns", "seed"},
            boarding,
        ),
    ),
)
