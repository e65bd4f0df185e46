"""A rulebook with nothing but a panel, quick and predictable, to try the explorers on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from navkit.errors import InputError
from navkit.rulebooks.panel import Answer, Choice, Group, Number, Panel, Settings, Switch, View
from navkit.rulebooks.readings import Readings, amount, reading
from navkit.words import percent, standard_error

HANDS = {"Sloop": 40, "Brig": 90}
QUICK, FULL = 500, 20_000


@dataclass(frozen=True, kw_only=True)
class HouseRules(Readings):
    volley: str = reading(
        "one roll", "each gun", where="Damage", note="dice of a volley", prominent=True
    )
    wind: float = amount(0.5, 0.0, 1.0, where="Weather", note="share of the wind that is felt")
    lookouts: int = amount(1, 0, 4, where="Crew", note="hands that never fight")


def hit(settings: Settings) -> Iterator[Answer]:
    skill = np.arange(3, 19)
    chance = np.clip((skill - 2 + settings["gunnery_a"]) / 20, 0, 1)
    table = pd.DataFrame({"hit": chance}, index=skill)
    said = percent(float(chance[9]))
    yield Answer(table, "Does expertise pay?", f"At expertise 12 the {_a(settings)} hits in {said}")


def volley(settings: Settings) -> Iterator[Answer]:
    if settings["guns"] == 13:
        raise InputError("guns", 13, "any number but 13")
    if settings["guns"] == 14:
        raise ZeroDivisionError("a fault")
    points = np.arange(settings["guns"] * 6 + 1)
    table = pd.DataFrame({"points": np.full(len(points), 1 / len(points))}, index=points)
    yield Answer(table, "What does a volley do?", f"At most {points[-1]} points")


def sinking(settings: Settings) -> Iterator[Answer]:
    for fights in (QUICK, FULL):
        turns = np.arange(settings["turns"] + 1)
        sunk = 1 - 0.9 ** (turns * settings["guns"] / 4)
        table = pd.DataFrame({"a": sunk / 2, "b": sunk}, index=turns)
        error = table.map(lambda share, fights=fights: standard_error(share, fights))
        said = percent(float(sunk[-1]), fights=fights)
        yield Answer(table, "Who sinks first?", f"b is sunk in {said} of {fights} fights", error)


def hands(settings: Settings) -> Iterator[Answer]:
    turns = np.arange(settings["turns"] + 1)
    columns = {}
    for side in "ab":
        left = settings[f"crew_{side}"] * 0.9**turns
        for quantile in (0.05, 0.25, 0.5, 0.75, 0.95):
            columns[f"crew of {side}", quantile] = np.round(left * (0.75 + quantile / 2))
    yield Answer(pd.DataFrame(columns, index=turns), "How many hands are left?", "Fewer")


def crew(side: Group, ship: str) -> Number:
    return Number(f"crew_{side}", "crew", 0, HANDS[ship] + 10, HANDS[ship], group=side)


def follow(name: str, settings: Settings) -> Mapping[str, Any]:
    if name in ("ship_a", "ship_b"):
        return {f"crew_{name[-1]}": crew(name[-1], settings[name])}
    return {}


def _a(settings: Settings) -> str:
    return str(settings["ship_a"])


PANEL = Panel(
    title="Two ships & the sea",
    controls=(
        Choice("ship_a", "ship", tuple(HANDS), "Sloop", group="a", note="who attacks"),
        crew("a", "Sloop"),
        Number("gunnery_a", "gunnery, relative to expertise", -5, 5, 0, group="a"),
        Choice("ship_b", "ship", tuple(HANDS), "Brig", group="b"),
        crew("b", "Brig"),
        Number("guns", "guns", 1, 20, 4),
        Number("turns", "turns", 1, 60, 20),
        Switch("smoke", "smoke on the water", False),
    ),
    rules=HouseRules,
    views=(
        View("hit", "curves", "expertise", "chance (%)", frozenset({"ship_a", "gunnery_a"}), hit),
        View("volley", "bars", "hull points", "probability (%)", frozenset({"guns"}), volley),
        View("sinking", "curves", "turn", "chance (%)", frozenset({"guns", "turns"}), sinking),
        View(
            "hands",
            "fan",
            "turn",
            "fit hands",
            frozenset({"crew_a", "crew_b", "turns", "rules"}),
            hands,
        ),
    ),
    follow=follow,
)

rulebook = SimpleNamespace(panel=SimpleNamespace(PANEL=PANEL))
