"""What the panel of Medieval Naval Wargame Rules shows: a boarding, and a battle of fleets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from navkit.chance import Exact, Sampled
from navkit.history import EXACT, History
from navkit.rulebooks.medieval import odds
from navkit.rulebooks.medieval.doctrines import Doctrine
from navkit.rulebooks.medieval.fight import board
from navkit.rulebooks.medieval.fleets import fleet_battle
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.ships import Ship, library, ship
from navkit.rulebooks.medieval.tables import FULL_CREW
from navkit.rulebooks.panel import (
    Answer,
    Choice,
    Control,
    Group,
    Number,
    Panel,
    Settings,
    Switch,
    View,
)
from navkit.rulebooks.views import brought_by_ship, fans, followed, growing, of_both, told_apart
from navkit.words import percent

QUICK = 256
"""Battles of the answer that comes at once."""
LONG = 40
"""Turns after which a boarding is as good as fought to the end."""
MOST_EXACT = 2
"""Ships against one up to which a boarding is exact in no time."""


def _side(side: Group, name: str) -> tuple[Control, ...]:
    ready = ship(name)
    return (
        Choice(f"ship_{side}", "ship", tuple(library()["name"]), name, side),
        Number(f"crew_{side}", "crew points", 1, FULL_CREW, ready.crew, group=side),
        Switch(f"flagship_{side}", "flagship", ready.flagship, side, "the admiral is aboard"),
        Switch(f"siphon_{side}", "Greek fire siphon", ready.siphon, side),
        Switch(f"high_{side}", "high sides", ready.high, side),
        Number(f"fleet_{side}", "ships of the fleet", 1, 50, 10, group=side, note="fleet battle"),
    )


CONTROLS: tuple[Control, ...] = (
    *_side("a", "Dromon"),
    *_side("b", "Cog"),
    Number("attackers", "ships of a in the boarding", 1, 4, 1, note="one of them scores"),
    Number("mass", "ships on one enemy", 1, 5, 1, note="doctrine of both fleets"),
    Number("turns", "turns", 1, 40, 20),
    Number("fights", "battles", 250, 5000, 1000, step=250, note="sampled for a full answer"),
    Number("seed", "seed", 0, 999, 1, note="the same seed gives the same battles"),
)


def ships(settings: Settings) -> tuple[Ship, Ship]:
    """The two ships that the controls describe; two of one kind get a letter."""
    return told_apart(_ship(settings, "a"), _ship(settings, "b"))


def _ship(settings: Settings, side: str) -> Ship:
    names = ("crew", "flagship", "siphon", "high")
    return ship(settings[f"ship_{side}"], **{name: settings[f"{name}_{side}"] for name in names})


def squadron(first: Ship, number: int) -> list[Ship]:
    """So many ships like `first`, of which it alone may be the flagship."""
    others = (
        replace(first, name=f"{first.name} {n}", flagship=False) for n in range(2, number + 1)
    )
    return [replace(first, name=f"{first.name} 1"), *others]


def _brought(side: Group, name: str) -> Mapping[str, Any]:
    """Another ship brings its own crew and fittings; the flagship stays where it is."""
    ready = ship(name)
    return {f"{field}_{side}": getattr(ready, field) for field in ("crew", "siphon", "high")}


def blow(settings: Settings) -> Iterator[Answer]:
    """Crew points that the first attack costs, and the blow back."""
    a, b = ships(settings)
    rules, number = settings["rules"], settings["attackers"]
    attack = odds.modifier(a, b, attackers=number, rules=rules)
    back = odds.modifier(b, a, rules=rules)
    losses = {
        f"{a.name} attacks": odds.casualties(attack, rules=rules),
        f"{b.name} strikes back": odds.casualties(back, rules=rules),
    }
    support = np.arange(max(loss.max for loss in losses.values()) + 1)
    columns = {name: [loss.equal(int(n)) for n in support] for name, loss in losses.items()}
    yield Answer(
        pd.DataFrame(columns, index=pd.Index(support, name="crew points")),
        f"{a.name} attacks with {attack:+d}, {b.name} strikes back with {back:+d}",
        "; ".join(f"{name}: {loss.mean:.1f} crew points" for name, loss in losses.items())
        + " on average, of a ship that has enough of them.",
        basis=EXACT,
    )


def boardings(settings: Settings) -> Iterator[History]:
    """The boarding, quick and then in full."""
    a, b = ships(settings)
    told = {"turns": settings["turns"], "rules": settings["rules"]}
    fleet = squadron(a, settings["attackers"])
    fight = partial(followed, board, tuple(fleet), b, **told)
    if len(fleet) > MOST_EXACT:
        yield from growing(fight, (1024, Sampled().fights), seed=settings["seed"])
    else:
        yield fight(chance=Exact())


def winning(settings: Settings) -> Iterator[Answer]:
    """Who has won the boarding, by turn."""
    a, b = ships(settings)
    for history in boardings(settings):
        table = history.table()
        shown = pd.DataFrame({f"{a.name} wins": table["a"], f"{b.name} wins": table["b"]})
        won = [percent(table[side].iloc[-1], fights=history.fights) for side in "ab"]
        undecided = table["undecided"].iloc[-1] + history.lost
        still = percent(undecided, fights=history.fights)
        yield Answer(
            shown,
            f"{a.name} overcomes {b.name} in {won[0]} of boardings",
            f"{b.name} wins {won[1]} within {history.turns} turns; undecided are {still}.",
            None if history.fights is None else history.error_of(shown),
            basis=history.basis,
        )


def attrition(settings: Settings) -> Iterator[Answer]:
    """Crew points left on both sides of the boarding, by turn."""
    a, b = ships(settings)
    for history in boardings(settings):
        left = [history.mean(side, "crew").iloc[-1] for side in "ab"]
        yield Answer(
            fans(history, "crew", a.name, b.name),
            "How fast do the crews melt?",
            f"After {history.turns} turns {a.name} has {left[0]:.1f} crew points left on average, "
            f"{b.name} {left[1]:.1f}.",
            basis=history.basis,
        )


def worth(settings: Settings) -> Iterator[Answer]:
    """What each factor would add to the chance of a to win."""
    a, b = ships(settings)
    fleet = squadron(a, settings["attackers"])
    told = {"turns": LONG, "rules": settings["rules"]}
    seed = settings["seed"]
    full = Exact() if settings["attackers"] < MOST_EXACT else Sampled(seed=seed)
    for chance in (Sampled(fights=1024, seed=seed), full):
        found = odds.worth(fleet, b, chance=chance, **told)
        history = board(fleet, b, chance=chance, **told)
        base, fights = history.outcome()["a"], history.fights
        errors = history.error_of(found[["wins"]]) ** 2 + (base * (1 - base) / (fights or 1))
        best = str(found.index[0])
        yield Answer(
            found[["gain"]],
            f"What would help {a.name} most? {best[0].upper()}{best[1:]}",
            f"As it is, {a.name} wins {percent(base, fights=fights)}; with that, "
            f"{percent(found['wins'].iloc[0], fights=fights)}.",
            None if fights is None else (errors**0.5).set_axis(["gain"], axis=1),
            basis=history.basis,
        )


def battles(settings: Settings) -> Iterator[History]:
    """The battle of fleets: ever larger samples."""
    a, b = ships(settings)
    orders = Doctrine(mass=settings["mass"])
    fleets = squadron(a, settings["fleet_a"]), squadron(b, settings["fleet_b"])
    told = {"turns": settings["turns"], "doctrines": (orders, orders), "rules": settings["rules"]}
    fight = partial(followed, fleet_battle, *map(tuple, fleets), **told)
    sizes = sorted({min(QUICK, settings["fights"]), settings["fights"]})
    return growing(fight, sizes, seed=settings["seed"])


def morale(settings: Settings) -> Iterator[Answer]:
    """Morale of both fleets by turn: which are in flight, and which are halted."""
    a, b = ships(settings)
    for history in battles(settings):
        columns = {
            f"{own.name} fleet {state}": history.probability(side, track, at_least=1)
            for track, state in (("fleeing", "in flight"), ("halt", "halted"))
            for side, own in (("a", a), ("b", b))  # in the colours of the other charts
        }
        table = pd.DataFrame(columns)
        fled = [
            percent(float(table.iloc[-1].iloc[place]), fights=history.fights) for place in (0, 1)
        ]
        yield Answer(
            table,
            f"The {a.name} fleet takes to flight in {fled[0]} of battles, the {b.name} fleet in "
            f"{fled[1]}",
            f"{settings['fleet_a']} ships against {settings['fleet_b']}, {history.fights} battles.",
            history.error_of(table),
            basis=history.basis,
        )


def fleets(settings: Settings) -> Iterator[Answer]:
    """Manned ships of both fleets by turn, prizes with their captors."""
    a, b = ships(settings)
    for history in battles(settings):
        outcome = history.outcome()
        won = [percent(outcome[side], fights=history.fights) for side in "ab"]
        yield Answer(
            fans(history, "ships", f"{a.name} fleet", f"{b.name} fleet"),
            f"The {a.name} fleet wins {won[0]} of battles, the {b.name} fleet {won[1]}",
            f"A fleet has won when the other has no manned ship left on the table; "
            f"{history.fights} battles of {history.turns} turns.",
            basis=history.basis,
        )


SHIPS = of_both("ship", "crew", "flagship", "siphon", "high") | {"rules"}
BOARDING = SHIPS | {"attackers"}
FLEETS = SHIPS | of_both("fleet") | {"mass", "turns", "fights", "seed"}

PANEL = Panel(
    title="Medieval Naval Wargame Rules: crew against crew, fleet against fleet",
    controls=CONTROLS,
    rules=HouseRules,
    follow=brought_by_ship(_brought),
    views=(
        View("boarding", "curves", "turn", "chance", BOARDING | {"turns", "seed"}, winning),
        View("crew", "fan", "turn", "crew points left", BOARDING | {"turns", "seed"}, attrition),
        View("blow", "bars", "crew points lost", "probability", BOARDING, blow),
        View("worth", "ranks", "gain in the chance to win", "factor", BOARDING | {"seed"}, worth),
        View("morale", "curves", "turn", "share of battles", FLEETS, morale),
        View("fleets", "fan", "turn", "manned ships", FLEETS, fleets),
    ),
)
