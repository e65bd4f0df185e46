"""What the ship builder of GURPS/Naval Combat shows: a sheet, what follows from it, and odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from navkit.history import History
from navkit.rulebooks.gurps import builder, odds
from navkit.rulebooks.gurps.fight import duel
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.panel import QUICK, boardings
from navkit.rulebooks.gurps.ships import POSTS, Officers, Ship, library, ship
from navkit.rulebooks.panel import (
    Amount,
    Answer,
    Bench,
    Choice,
    Control,
    Number,
    Settings,
    Text,
    View,
)
from navkit.rulebooks.views import followed, growing
from navkit.words import percent

SIDES = ("left", "right", "front", "back")

HULL, GUNS, CREW, OFFICERS, FOE = "Hull and rig", "Guns", "Crew", "Officers", "Against"


def _controls(ready: Ship) -> tuple[Control, ...]:
    """The controls of the bench, standing as a ready ship has them."""
    names = tuple(library()["name"])
    scales = ("1", "10", "100", "1000")
    return (
        Choice("ready", "start from", names, ready.name, HULL),
        Text("name", "name", f"{ready.name} II", HULL),
        Amount("kph", "kph", 0, max(40, 2 * ready.kph), ready.kph, 0.1, HULL, "rated speed"),
        Number("dr", "DR", 0, max(20, 2 * ready.dr), ready.dr, group=HULL),
        Number("hull", "hull", 10, max(3000, 2 * ready.hull), ready.hull, 10, HULL),
        Choice("scale", "scale", scales, str(ready.scale), HULL),
        Number("size_modifier", "size", -20, 40, ready.size_modifier, group=HULL),
        *(
            Number(side, side, 0, max(40, 2 * guns), guns, group=GUNS)
            for side, guns in zip(SIDES, ready.cannons, strict=True)
        ),
        Text("damage", "damage", ready.damage, GUNS, "dice of one gun, such as 5d"),
        Number("range", "range", 1, max(12, 2 * ready.range), ready.range, 1, GUNS, "hexes"),
        Number("crew", "hands", 0, max(60, 2 * ready.crew), ready.crew, group=CREW),
        Number("skeleton_crew", "skeleton", 0, max(60, ready.crew), ready.skeleton_crew, 1, CREW),
        Number("expertise", "expertise", 1, 30, ready.expertise, group=CREW),
        Number(
            "weapon",
            "weapons",
            min(-2, ready.weapon),
            max(6, ready.weapon),
            ready.weapon,
            1,
            CREW,
            "damage modifier of hand weapons, in boardings",
        ),
        *(Number(post, post, -5, 6, 0, group=OFFICERS, note="relative to IQ") for post in POSTS),
        Choice("foe", "ship", names, "Brig", FOE),
        Number("turns", "turns", 1, 60, 20, group=FOE),
        Number("fights", "fights", 1000, 100_000, 10_000, 1000, FOE, "sampled for a full answer"),
        Number("seed", "seed", 0, 999, 1, group=FOE),
    )


def follow(name: str, settings: Settings) -> Mapping[str, Any]:
    """A ready ship to start from brings its whole sheet, but no name, officers or foe."""
    if name != "ready":
        return {}
    sheet = _controls(ship(settings["ready"]))
    brought = [each for each in sheet if each.group in (HULL, GUNS, CREW)]
    return {each.name: each for each in brought if each.name not in ("ready", "name")}


def made(settings: Settings) -> Ship:
    """The ship that the controls describe; weight and price are those of the ready ship."""
    names = ("name", "kph", "dr", "hull", "damage", "range", "size_modifier", "crew")
    others = ("skeleton_crew", "expertise", "weapon")
    ready = ship(settings["ready"])
    return builder.build(
        **{name: settings[name] for name in (*names, *others, *SIDES)},
        scale=int(settings["scale"]),
        officers=Officers(**{post: settings[post] for post in POSTS}),
        weight=ready.weight,
        price=ready.price,
    )


def _both(settings: Settings) -> tuple[Ship, Ship]:
    own, foe = made(settings), ship(settings["foe"])
    return own, replace(foe, name=f"{foe.name} (ready)") if foe.name == own.name else foe


def sheet(settings: Settings) -> Iterator[Answer]:
    """What follows from the sheet; in words, what is odd about it."""
    own, rules = made(settings), settings["rules"]
    odd = builder.warnings(own, rules)
    move = own.move(rules)
    title = f"{own.name}: Move {move}, {own.guns} guns, {own.crew} hands, hull {own.hull}"
    yield Answer(builder.derived(own, rules), title, " ".join(odd) or "Nothing odd about it.")


def broadsides(settings: Settings) -> Iterator[Answer]:
    """The first broadside each way: the chance to hit, and what it costs."""
    own, foe = _both(settings)
    rules = settings["rules"]
    columns = {}
    for one, other in ((own, foe), (foe, own)):
        loss = odds.damage(one, other, rules=rules)
        columns[one.name] = {
            "hits": percent(odds.hit(one, other, rules=rules)),
            "hull points it costs, on average": f"{loss.mean:.1f}",
            "nine times in ten": f"{loss.quantile(0.05)} to {loss.quantile(0.95)}",
            "share of the other's hull, on average": percent(loss.mean / other.hull),
        }
    table = pd.DataFrame(columns)
    words = "A miss counts too, with half the damage. No more is lost than the hull has."
    yield Answer(table, "What does the first broadside do?", words)


def fought(settings: Settings) -> Iterator[Answer]:
    """A duel on paper: who has won, by turn."""
    own, foe = _both(settings)
    fight = partial(followed, duel, own, foe, turns=settings["turns"], rules=settings["rules"])
    sizes = (*range(QUICK, settings["fights"], 4 * QUICK), settings["fights"])
    for history in growing(fight, sizes, seed=settings["seed"]):
        yield _won(own, foe, history, "gunnery duels")


def boarded(settings: Settings) -> Iterator[Answer]:
    """A boarding: who has taken whom, by turn."""
    own, foe = _both(settings)
    for history in boardings(own, foe, settings):
        yield _won(own, foe, history, "boardings")


def _won(own: Ship, foe: Ship, history: History, what: str) -> Answer:
    names = {"a": f"{own.name} wins", "b": f"{foe.name} wins"}
    table = history.table()[["a", "b"]].rename(columns=names)
    end = history.outcome()
    shares = {x: percent(end[x], fights=history.fights) for x in ("a", "b", "undecided")}
    return Answer(
        table,
        f"{own.name} wins {shares['a']} of {what}",
        f"After {history.turns} turns {foe.name} has won {shares['b']}; "
        f"{shares['undecided']} are undecided.",
        history.error_of(table),
    )


_START = _controls(ship("Tern Schooner"))
_SHEET = frozenset(each.name for each in _START if each.group != FOE) | {"rules"}

BENCH = Bench(
    title="GURPS/Naval Combat: a ship of one's own",
    controls=_START,
    rules=HouseRules,
    follow=follow,
    ship=made,
    views=(
        View("sheet", "table", "", "", _SHEET, sheet),
        View(
            "duel",
            "curves",
            "turn",
            "share of fights",
            _SHEET | {"foe", "turns", "fights", "seed"},
            fought,
        ),
        View(
            "boarding",
            "curves",
            "turn",
            "share of boardings",
            _SHEET | {"foe", "turns", "seed"},
            boarded,
        ),
        View("broadsides", "table", "", "", _SHEET | {"foe"}, broadsides),
    ),
)
