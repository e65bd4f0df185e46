"""The odds of a fight in a terminal: `navkit odds`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import fields
from functools import partial
from typing import Any

from navkit import precision, records
from navkit.desk.trials import surer
from navkit.errors import InputError
from navkit.history import History
from navkit.progress import last
from navkit.scenario import MARK, Scenario, rulebook
from navkit.words import percent

FIELDS = ("navkit", *(entry.name for entry in fields(Scenario)))
COLUMNS = {
    "a": "a wins",
    "b": "b wins",
    "both": "both lost",
    "stalemate": "stalemate",
    "undecided": "undecided",
}


def print_odds(arguments: Namespace) -> None:
    """Plays the fight that the command line asks for and prints its odds by turn.

    Raises InputError for a fight that cannot be, OSError for a file that cannot be read.
    """
    scenario = changed(asked_for(arguments), arguments.set)
    if arguments.error is None:
        history = scenario.play()
    else:
        far = partial(precision.far, error=arguments.error)
        surest = surer(scenario, error=arguments.error)
        history = last(surest, progress=sys.stderr.isatty(), unit="fight", far=far)
    if arguments.json:
        print(_as_json(scenario, history))
    else:
        print(_as_table(scenario, history))
        print(f"as a text to share: {scenario.to_text()}")


def asked_for(arguments: Namespace) -> Scenario:
    """The fight that the command line names. Raises InputError and OSError."""
    if arguments.scenario is None:
        for name in ("rulebook", "fight", "a", "b"):
            if getattr(arguments, name) is None:
                allowed = "RULEBOOK FIGHT A B, or --scenario; see navkit odds --help"
                raise InputError(name, None, allowed)
        ship = rulebook(arguments.rulebook).ship
        a, b = ship(arguments.a), ship(arguments.b)
        return Scenario(arguments.rulebook, arguments.fight, a, b)
    if arguments.scenario.startswith(MARK):
        return Scenario.from_text(arguments.scenario)
    return Scenario.load(arguments.scenario)


def changed(scenario: Scenario, changes: Iterable[str]) -> Scenario:
    """The scenario with changes such as `a.crew=12`, `b.troops.1.models=9`, `facing=rear`.

    What is no field of a scenario is a parameter of its resolver. Members of a list go by their
    number, from 1. Values are JSON, or else texts. Raises InputError for what cannot be.

    >>> from navkit.rulebooks import sea_battles
    >>> hammer, anvil = sea_battles.ship("Hammer"), sea_battles.ship("Anvil")
    >>> scenario = Scenario("sea_battles", "fire", hammer, anvil)
    >>> nearer = changed(scenario, ["distance=5", "b.troops.1.models=9"])
    >>> nearer.parameters, nearer.b.troops[0].models
    ({'distance': 5.0}, 9)
    """
    told = json.loads(scenario.to_json())
    told |= {side: records.to_plain(getattr(scenario, side)) for side in ("a", "b")}
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals:
            raise InputError("--set", change, "NAME=VALUE")
        path = name.split(".")
        if path[0] not in FIELDS:
            path.insert(0, "parameters")
        if path[0] == "parameters" and len(path) > 2 and path[1] not in told["parameters"]:
            default = scenario.resolver.parameters.get(path[1])
            told["parameters"][path[1]] = default and records.to_plain(default.default)
        _put(told, path, _value(text), change)
    return Scenario.from_json(json.dumps(told), "odds")


def _value(text: str) -> Any:
    try:
        return records.parse_json(text)
    except InputError:
        return text


def _put(told: dict[str, Any], path: list[str], value: Any, change: str) -> None:
    """Puts a value in its place in the JSON of a scenario, which checks it."""
    place: Any = told
    for depth, part in enumerate(path, 1):
        if isinstance(place, list):
            numbers = {str(number): number - 1 for number in range(1, len(place) + 1)}
            if part not in numbers:
                raise InputError(f"--set {change}", part, *(numbers or ("an empty list",)))
            key: Any = numbers[part]
        elif isinstance(place, dict):
            key = part
        else:
            raise InputError(f"--set {change}", part, "nothing: what is before it has no parts")
        if depth == len(path):
            place[key] = value
        else:
            if isinstance(place, dict) and place.get(key) is None:
                place[key] = {}
            place = place[key]


def _as_json(scenario: Scenario, history: History) -> str:
    by_turn = {name: column.tolist() for name, column in history.table().items()}
    told = {"scenario": json.loads(scenario.to_json()), "sampled": history.fights}
    return json.dumps(told | {"by_turn": by_turn})


def _as_table(scenario: Scenario, history: History) -> str:
    sampled = f"{history.fights:,} fights sampled" if history.fights else "exact"
    head = f"{scenario.a.name} (a) against {scenario.b.name} (b), {scenario.fight}: {sampled}"
    shares = history.table().loc[1:, list(COLUMNS)]
    moved = shares.ne(shares.iloc[-1]).any(axis=1)
    told = shares.loc[: min(int(moved.sum()) + 1, len(shares))]
    shown = told.map(lambda share: percent(min(share, 1.0), fights=history.fights))
    lines = [head, shown.rename(columns=COLUMNS).to_string()]
    if len(told) < len(shares):
        lines.append(f"and so to turn {len(shares)}")
    return "\n".join(lines)
