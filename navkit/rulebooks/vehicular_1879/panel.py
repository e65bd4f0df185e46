"""What the panel of 1879 vehicular combat shows: step dice, two vehicles, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from navkit.history import EXACT, History
from navkit.rulebooks.panel import Answer, Choice, Control, Group, Number, Panel, Settings, View
from navkit.rulebooks.vehicular_1879 import odds
from navkit.rulebooks.vehicular_1879.doctrines import KARMA, SURPLUS, Doctrine
from navkit.rulebooks.vehicular_1879.fight import duel
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.library import library, ship
from navkit.rulebooks.vehicular_1879.ships import Vehicle
from navkit.rulebooks.vehicular_1879.steps import step
from navkit.rulebooks.vehicular_1879.supplement import left_out
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

QUICK = 256
"""Fights of the answer that comes at once."""
STEPS = range(4, 29, 2)
DIFFICULTIES = range(4, 25, 2)
HULL = "the hull"
RATINGS = (HULL, "armament", "armor", "speed", "maneuverability")
"""What the panel's shots may be aimed at: nothing called, or a rating."""


def _side(side: Group, name: str) -> tuple[Control, ...]:
    ready = ship(name)
    return (
        Choice(f"ship_{side}", "vehicle", tuple(library()["name"]), name, side),
        *_numbers(side, ready),
        Choice(f"called_{side}", "aims at", RATINGS, HULL, side, note="called shots"),
        Choice(f"surplus_{side}", "surplus on", SURPLUS, "one", side, note="surplus successes"),
        Choice(f"karma_{side}", "Karma on", KARMA, "none", side, note="one point a turn at most"),
    )


def _numbers(side: Group, ready: Vehicle) -> tuple[Number, ...]:
    battery = ready.battery()
    note = battery.name
    return (
        Number(f"rank_{side}", "captain's rank", 0, 20, ready.captain_rank, group=side),
        Number(f"weapons_{side}", "weapons", 1, 40, battery.weapons, group=side, note=note),
        Number(f"gunnery_{side}", "Gunnery Step", 1, 40, battery.gunnery, group=side, note=note),
        Number(f"commander_{side}", "commander", 0, 20, battery.commander, group=side),
        Number(f"damage_{side}", "Damage Step", 1, 40, battery.damage, group=side, note=note),
        Number(f"armor_{side}", "armor", 0, 60, ready.armor, group=side),
    )


CONTROLS: tuple[Control, ...] = (
    *_side("a", "Paddle gunboat"),
    *_side("b", "Pirate airship"),
    Number("step", "Step", 1, 40, 15, note="of the dice shown"),
    Number("difficulty", "difficulty", 2, 60, 13),
    Number("turns", "turns", 1, 30, 8),
    Number("fights", "fights", 1000, 50_000, 10_000, step=1000, note="sampled for a full answer"),
    Number("seed", "seed", 0, 999, 1, note="the same seed gives the same fights"),
)


def vehicles(settings: Settings) -> tuple[Vehicle, Vehicle]:
    """The two vehicles that the controls describe; two of one kind get a letter."""
    return told_apart(_vehicle(settings, "a"), _vehicle(settings, "b"))


def _vehicle(settings: Settings, side: str) -> Vehicle:
    ready = ship(settings[f"ship_{side}"])
    names = ("weapons", "gunnery", "commander", "damage")
    battery = replace(ready.battery(), **{name: settings[f"{name}_{side}"] for name in names})
    captain, *others = ready.officers
    return replace(
        ready,
        armor=settings[f"armor_{side}"],
        officers=(replace(captain, rank=settings[f"rank_{side}"]), *others),
        batteries=(battery, *ready.batteries[1:]),
    )


def _doctrine(settings: Settings, side: str) -> Doctrine:
    called = settings[f"called_{side}"]
    return Doctrine(
        called="" if called == HULL else called,
        surplus=settings[f"surplus_{side}"],
        karma=settings[f"karma_{side}"],
    )


def _brought(side: Group, name: str) -> Mapping[str, Any]:
    """Another vehicle brings its own captain, battery and armor."""
    return {number.name: number.value for number in _numbers(side, ship(name))}


# Dice


def chances(settings: Settings) -> Iterator[Answer]:
    """The chance of a success by step and difficulty."""
    table = odds.success_table(STEPS, DIFFICULTIES, rules=settings["rules"])
    table.index = [f"Step {number}" for number in STEPS]
    table.columns = [str(number) for number in DIFFICULTIES]
    number, difficulty = settings["step"], settings["difficulty"]
    made = odds.successes(number, difficulty, rules=settings["rules"])
    yield Answer(
        table,
        "How likely is a success?",
        f"Step {number} against {difficulty}: {percent(min(made.at_least(1), 1))}, two or more "
        f"{percent(min(made.at_least(2), 1))}, a Rule of One {percent(made.equal(-1))}.",
        basis=EXACT,
    )


def counts(settings: Settings) -> Iterator[Answer]:
    """The chances of so many successes and more, by step, at one difficulty."""
    difficulty, rules = settings["difficulty"], settings["rules"]
    made = {number: odds.successes(number, difficulty, rules=rules) for number in range(1, 41)}
    columns: dict[str, list[float]] = {
        f"{count} or more": [min(each.at_least(count), 1.0) for each in made.values()]
        for count in (1, 2, 3, 4)
    }
    columns["Rule of One"] = [each.equal(-1) for each in made.values()]
    table = pd.DataFrame(columns, index=pd.Index(made, name="step"))
    even = [number for number, each in made.items() if each.at_least(1) >= 0.5]
    said = f"Step {even[0]} is the first at which" if even else "At no Step up to 40 is"
    yield Answer(
        table,
        f"Successes against {difficulty}, by Step",
        f"{said} a success against {difficulty}{' is' if even else ''} as likely as not.",
        basis=EXACT,
    )


def saw_tooth(settings: Settings) -> Iterator[Answer]:
    """The distribution of one step's result."""
    number = settings["step"]
    rolled = step(number, rules=settings["rules"])
    top = rolled.quantile(0.999)
    table = pd.DataFrame(
        {f"Step {number}": [rolled.equal(total) for total in range(rolled.min, top + 1)]},
        index=pd.RangeIndex(rolled.min, top + 1, name="result"),
    )
    yield Answer(
        table,
        f"What does Step {number} roll?",
        f"{rolled.name.replace('!', '')}, each die rolled again and added at its maximum: "
        f"{rolled.mean:.2f} on average, and {percent(rolled.at_least(top + 1))} of results lie "
        "beyond the chart.",
        basis=EXACT,
    )


# Batteries


def damage(settings: Settings) -> Iterator[Answer]:
    """What one attack of each first battery does: the chance of so much damage and more."""
    told = {own: odds.battery(own, foe, **how) for own, foe, how in _attacks(settings)}
    top = max(attack.damage.quantile(0.999) for attack in told.values())
    support = range(top + 2)
    table = pd.DataFrame(
        {
            own.name: attack.damage.at_least_each(support).clip(max=1.0)
            for own, attack in told.items()
        },
        index=pd.Index(support, name="damage"),
    )
    said = [
        f"{own.name} does {attack.damage.mean:.1f} points on average and hits with "
        f"{attack.hits.mean:.2f} weapons"
        for own, attack in told.items()
    ]
    yield Answer(
        table,
        "How much damage does an attack do?",
        "; ".join(said) + ".",
        basis=EXACT,
    )


def criticals(settings: Settings) -> Iterator[Answer]:
    """How many Critical Hits one attack of each first battery makes."""
    told = {own: odds.battery(own, foe, **how) for own, foe, how in _attacks(settings)}
    top = max(min(attack.criticals.max, 12) for attack in told.values())
    table = pd.DataFrame(
        {
            own.name: [attack.criticals.equal(count) for count in range(top + 1)]
            for own, attack in told.items()
        },
        index=pd.RangeIndex(top + 1, name="Critical Hits"),
    )
    said = [
        f"{own.name} makes one in {percent(min(attack.criticals.at_least(1), 1))} of its attacks"
        for own, attack in told.items()
    ]
    yield Answer(
        table,
        "How many Critical Hits?",
        "; ".join(said) + ".",
        basis=EXACT,
    )


def _attacks(settings: Settings) -> Iterator[tuple[Vehicle, Vehicle, dict[str, Any]]]:
    a, b = vehicles(settings)
    for side, own, foe in (("a", a, b), ("b", b, a)):
        yield own, foe, {"doctrine": _doctrine(settings, side), "rules": settings["rules"]}


# Turns


def first(settings: Settings) -> Iterator[Answer]:
    """Who acts first, by the rank of a's captain."""
    a, b = vehicles(settings)
    rows = []
    for rank in range(21):
        captain, *others = a.officers
        led = replace(a, officers=(replace(captain, rank=rank), *others))
        told = odds.initiative(led, b, rules=settings["rules"])
        rows.append((told["a"] + told["coin"] / 2, told["b"] + told["coin"] / 2))
    index = pd.RangeIndex(21, name="rank")
    table = pd.DataFrame(rows, index=index, columns=[f"{a.name} first", f"{b.name} first"])
    now = table[f"{a.name} first"][settings["rank_a"]]
    yield Answer(
        table,
        "Who acts first?",
        f"With a captain of rank {settings['rank_a']} {a.name} acts first in {percent(now)} of "
        "turns.",
        basis=EXACT,
    )


def _samples(settings: Settings) -> Iterator[History]:
    """A duel from ever more fights; both views of it share them."""
    a, b = vehicles(settings)
    told = {"turns": settings["turns"], "rules": settings["rules"]}
    doctrines = _doctrine(settings, "a"), _doctrine(settings, "b")
    fight = partial(followed, duel, a, b, doctrines=doctrines, **told)
    sizes = (*range(QUICK, settings["fights"], 16 * QUICK), settings["fights"])
    yield from growing(fight, sizes, seed=settings["seed"])


def outcome(settings: Settings) -> Iterator[Answer]:
    """A duel by turn: who is destroyed, crippled, or either."""
    a, b = vehicles(settings)
    for history in _samples(settings):
        table = fates(history, a.name, b.name, "destroyed")
        shares = history.outcome()
        told = [percent(shares[side], fights=history.fights) for side in ("a", "b")]
        yield Answer(
            table,
            "Who is put out of action?",
            f"After {history.turns} turns {a.name} has won {told[0]} of {history.fights:,} "
            f"fights, {b.name} {told[1]}. When a vehicle is lost is ours: the preview has no "
            "figure.",
            history.error_of(table),
            basis=history.basis,
        )


def by_turn(settings: Settings) -> Iterator[Answer]:
    """Damage of both in the same duel, by turn: the middle half and nine tenths of all fights."""
    a, b = vehicles(settings)
    for history in _samples(settings):
        means = [history.mean(side, "damage").iloc[-1] for side in ("a", "b")]
        yield Answer(
            fans(history, "damage", a.name, b.name),
            "How is the damage, turn by turn?",
            f"By turn {history.turns} {a.name} has taken {means[0]:.1f} points on average, "
            f"{b.name} {means[1]:.1f}.",
            basis=history.basis,
        )


def critical_hits(settings: Settings) -> Iterator[Answer]:
    """Critical Hits of both in the same duel, by turn: their means."""
    a, b = vehicles(settings)
    for history in _samples(settings):
        columns = {own.name: history.mean(side, "criticals") for side, own in (("a", a), ("b", b))}
        limits = [
            f"{own.name} is crippled by {own.crippled_at}" for own in (a, b) if own.crippled_at
        ]
        limited = "; ".join(limits) or "no vehicle has a figure at which it is crippled"
        taken = " and ".join(f"{own} has taken {n.iloc[-1]:.2f}" for own, n in columns.items())
        yield Answer(
            pd.DataFrame(columns),
            "Critical Hits taken, on average",
            f"By turn {history.turns} {taken}; {limited} (ours).",
            basis=history.basis,
        )


def missing(settings: Settings) -> Iterator[Answer]:
    """What the preview leaves to other books."""
    gaps = left_out()
    table = pd.DataFrame(
        {"what stands in for it": [gap.instead for gap in gaps]},
        index=pd.Index([gap.missing for gap in gaps], name="not in the preview"),
    )
    yield Answer(
        table,
        "What the preview leaves to other books",
        "None of it is on this panel; in code a Supplement of your own supplies it.",
    )


ATTACK = of_both(
    "ship", "weapons", "gunnery", "commander", "damage", "armor", "called", "surplus", "karma"
) | {"rules"}
FIGHT = ATTACK | of_both("rank") | {"turns", "fights", "seed"}
DICE = frozenset({"step", "difficulty", "rules"})

PANEL = Panel(
    title="1879: two vehicles",
    controls=CONTROLS,
    rules=HouseRules,
    follow=brought_by_ship(_brought),
    views=(
        View("duel", "curves", "turn", "share of fights", FIGHT, outcome),
        View("damage_by_turn", "fan", "turn", "damage taken", FIGHT, by_turn),
        View("criticals_by_turn", "amounts", "turn", "Critical Hits taken", FIGHT, critical_hits),
        View("initiative", "curves", "rank", "chance", of_both("ship", "rank") | {"rules"}, first),
        View("damage", "curves", "damage", "chance of at least that", ATTACK, damage),
        View("criticals", "bars", "Critical Hits", "probability", ATTACK, criticals),
        View("chances", "heat", "difficulty", "Step", DICE, chances),
        View("successes", "curves", "Step", "chance", frozenset({"difficulty", "rules"}), counts),
        View("saw_tooth", "bars", "result", "probability", frozenset({"step", "rules"}), saw_tooth),
        View("missing", "table", "not in the preview", "instead", frozenset({"rules"}), missing),
    ),
)
