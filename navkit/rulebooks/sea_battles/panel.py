"""What the panel of Sea Battles shows: two ships, and six questions about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import perm
from typing import Any

import numpy as np
import pandas as pd

from navkit.chance import Exact, Sampled, TooManyStates
from navkit.history import EXACT, History
from navkit.rulebooks.panel import Answer, Choice, Control, Group, Number, Panel, Settings, View
from navkit.rulebooks.sea_battles import odds, tables
from navkit.rulebooks.sea_battles.fight import board, fire
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import Ship, library, ship
from navkit.rulebooks.sea_battles.troops import Unit
from navkit.rulebooks.sea_battles.weapons import weapons
from navkit.rulebooks.views import brought_by_ship, fans, followed, growing, of_both, told_apart
from navkit.words import percent

QUICK = 256
"""Fights of the answer that comes at once."""
ROUNDS = 10
MOVES = 7
POINTS = 16
SMALL = Exact(states=20_000, work=300_000)
"""How far the exact odds of a boarding are tried."""
DAMAGE = range(3, 37, 3)


def _boarders(ready: Ship) -> Ship:
    """A ready ship with those of her units that may fight aboard."""
    return replace(ready, troops=tuple(u for u in ready.troops if u.profile.fights_aboard))


def _side(side: Group, name: str) -> tuple[Control, ...]:
    ready = ship(name)
    return (
        Choice(f"ship_{side}", "ship", tuple(library()["name"]), name, side),
        _leadership(side, ready),
        _models(side, ready),
    )


def _leadership(side: Group, ready: Ship) -> Number:
    value = round(ready.command.mean)
    return Number(f"leadership_{side}", "Leadership", 5, 10, value, group=side, note="captain's")


def _models(side: Group, ready: Ship) -> Number:
    """Models of the unit that fights first: as many as there is room for."""
    unit = ready.troops[0]
    room = ready.room - ready.aboard + unit.unit_strength
    most = room // unit.profile.unit_strength
    note = f"{unit.kind}, who fight first"
    return Number(f"models_{side}", "models", 1, most, unit.models, group=side, note=note)


CONTROLS: tuple[Control, ...] = (
    *_side("a", "Hammer"),
    *_side("b", "Basher"),
    Choice("weapon", "weapon", tuple(weapons()["name"]), "great cannon", note="whose hits count"),
    Choice("facing", "facing", tables.FACINGS, "side", note="side of b that a sees"),
    Number("distance", "distance (cm)", 1, 30, 10, note="from a to b"),
    Number("damage", "damage of b", 0, 20, 0, note="points she has at the start"),
    Choice("wind", "wind", ("ahead", "abeam", "astern"), "abeam", note="as a moves"),
    Choice("current", "current", ("none", "ahead", "abeam", "astern"), "none"),
    Number("turns", "turns", 1, 20, 6),
    Number("fights", "fights", 1000, 50_000, 10_000, step=1000, note="sampled for a full answer"),
    Number("seed", "seed", 0, 999, 1, note="the same seed gives the same fights"),
)


def ships(settings: Settings) -> tuple[Ship, Ship]:
    """The two ships that the controls describe; two of one kind get a letter."""
    return told_apart(_ship(settings, "a"), _ship(settings, "b"))


def _ship(settings: Settings, side: str) -> Ship:
    ready = ship(settings[f"ship_{side}"])
    first, *others = ready.troops
    unit = Unit(first.kind, settings[f"models_{side}"], first.name, first.standard)
    command = settings[f"leadership_{side}"]
    return replace(ready, troops=(unit, *others), captain="", leadership=command)


def _brought(side: Group, name: str) -> Mapping[str, Any]:
    """Another ship brings her own captain and troops."""
    ready = ship(name)
    return {
        f"leadership_{side}": round(ready.command.mean),
        f"models_{side}": _models(side, ready),
    }


def orders(settings: Settings) -> Iterator[Answer]:
    """How many moves the orders of a turn bring: the chance of at least so many."""
    a, b = ships(settings)
    found = {}
    for side, own in (("a", a), ("b", b)):
        found[own.name] = odds.orders(
            settings[f"leadership_{side}"],
            gear="sails" if own.has_sails else "oars",
            both=own.has_sails and own.has_oars,
            wind=settings["wind"],
            current=settings["current"],
            rules=settings["rules"],
        )
    index = pd.RangeIndex(1, MOVES + 1, name="moves")
    table = pd.DataFrame(
        {name: each.at_least_each(index) for name, each in found.items()}, index=index
    )
    said = [f"{name} {percent(each.at_least(1))}" for name, each in found.items()]
    mean = [f"{name} {each.mean:.2f}" for name, each in found.items()]
    yield Answer(
        table,
        f"Moves at all: {', '.join(said)}",
        f"Moves on average: {', '.join(mean)}.",
        basis=EXACT,
    )


def hits(settings: Settings) -> Iterator[Answer]:
    """How many hits sink b, by weapon."""
    _, b = ships(settings)
    chosen = settings["weapon"]
    names = list(dict.fromkeys((chosen, "great cannon", "bolt thrower", "bow")))
    table = pd.DataFrame(
        {
            name: odds.sinking_hits(
                name,
                b.size,
                facing=settings["facing"],
                damage=settings["damage"],
                rules=settings["rules"],
            )
            for name in names
        }
    )
    half = np.flatnonzero(table[chosen].to_numpy() >= 0.5)
    few = "12 hits rarely sink her"
    said = f"{half[0]} or more are likely to sink her" if len(half) else few
    yield Answer(
        table,
        f"How many hits of a {chosen} sink {b.name}?",
        f"{b.name}, Size {b.size}, hit on the {settings['facing']}: {said}.",
        basis=EXACT,
    )


def sinking(settings: Settings) -> Iterator[Answer]:
    """The chance of sinking at the start of a turn, by Size and damage."""
    _, b = ships(settings)
    rows = odds.sinking_table(rules=settings["rules"]).loc[list(DAMAGE)]
    table = pd.DataFrame(
        rows.to_numpy(),
        index=[f"{points} points" for points in rows.index],
        columns=[f"Size {size}" for size in rows.columns],
    )
    now = odds.sinking(b.size, settings["damage"], rules=settings["rules"])
    said = f"{b.name}, Size {b.size}, with {settings['damage']} points: {percent(now)}."
    yield Answer(
        table,
        "Who sinks at the start of a turn?",
        said,
        basis=EXACT,
    )


def extra(settings: Settings) -> Iterator[Answer]:
    """The chance of extra damage, by the points of a phase."""
    points = range(POINTS + 1)
    given = [float(odds.extra_damage(n, rules=settings["rules"])["waterline"]) for n in points]
    some = [1 - perm(6, n) / 6.0**n for n in points]
    table = pd.DataFrame(
        {"some result": some, "below the waterline": given}, index=pd.Index(points, name="points")
    )
    title = "How soon does extra damage come?"
    six = f"6 points in a phase send a ship down at once in {percent(given[6])}"
    yield Answer(
        table,
        title,
        f"{six}; some result comes in {percent(some[6])}.",
        basis=EXACT,
    )


def gunnery(settings: Settings) -> Iterator[Answer]:
    """Fire of a at b that is not answered: the chance that b has sunk, by turn."""
    a, b = ships(settings)
    fight = partial(
        followed,
        fire,
        a,
        b,
        turns=settings["turns"],
        facing=settings["facing"],
        distance=settings["distance"],
        damage=min(settings["damage"], 6 * b.size),
        rules=settings["rules"],
    )
    sizes = sorted({min(QUICK, settings["fights"]), settings["fights"]})
    for seen in growing(fight, sizes, seed=settings["seed"]):
        table = pd.DataFrame({f"{b.name} sunk": seen.cause("b")["sunk"]})
        last = percent(float(table[f"{b.name} sunk"].iloc[-1]), fights=seen.fights)
        said = f"After {seen.turns} turns {b.name} has sunk in {last} of {seen.fights:,} fights."
        title = f"Does the fire of {a.name} sink {b.name}?"
        yield Answer(
            table,
            title,
            said,
            seen.error_of(table),
            basis=seen.basis,
        )


def boarding(settings: Settings) -> Iterator[Answer]:
    """Models left in a boarding of b by a, by round."""
    a, b = (_boarders(own) for own in ships(settings))
    rules, seed = settings["rules"], settings["seed"]
    quick = Sampled(fights=QUICK, seed=seed)
    yield _attrition(a, b, board(a, b, rounds=ROUNDS, chance=quick, rules=rules))
    try:
        yield _attrition(a, b, board(a, b, rounds=ROUNDS, chance=SMALL, rules=rules))
    except TooManyStates:
        full = Sampled(fights=settings["fights"], seed=seed)
        yield _attrition(a, b, board(a, b, rounds=ROUNDS, chance=full, rules=rules))


def _attrition(a: Ship, b: Ship, history: History) -> Answer:
    table = fans(history, "troops", a.name, b.name)
    table.index.name = "round"
    outcome = history.outcome()
    wins = [percent(outcome[side], fights=history.fights) for side in ("a", "b")]
    neither = percent(max(0.0, 1 - outcome["a"] - outcome["b"]), fights=history.fights)
    left = [history.mean(side, "troops").iloc[-1] for side in ("a", "b")]
    return Answer(
        table,
        f"{a.name} boards {b.name} and wins in {wins[0]}",
        f"{b.name} wins in {wins[1]}, neither in {neither}. After {history.turns} rounds {a.name} "
        f"has {left[0]:.1f} models on average, {b.name} {left[1]:.1f}.",
        basis=history.basis,
    )


TARGET = frozenset({"ship_b", "models_b", "facing", "damage", "rules"})
CREWS = of_both("ship", "leadership", "models") | {"rules", "seed", "fights"}

PANEL = Panel(
    title="Sea Battles: two ships",
    controls=CONTROLS,
    rules=HouseRules,
    follow=brought_by_ship(_brought),
    views=(
        View(
            "orders",
            "curves",
            "moves in a turn",
            "chance of at least that",
            of_both("ship", "leadership") | {"wind", "current", "rules"},
            orders,
        ),
        View(
            "hits", "curves", "hits", "chance of sinking next", TARGET | {"weapon", "ship_a"}, hits
        ),
        View("sinking", "heat", "Size", "damage", TARGET | {"ship_a"}, sinking),
        View("extra", "curves", "points in a phase", "chance", frozenset({"rules"}), extra),
        View(
            "fire",
            "curves",
            "turn",
            "share of fights",
            CREWS | TARGET | {"distance", "turns"},
            gunnery,
        ),
        View("boarding", "fan", "round", "models left", CREWS, boarding),
    ),
)
