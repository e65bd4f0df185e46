"""House rules side by side: the same fight under several readings, and what each one changes.

>>> from navkit.rulebooks import medieval
>>> from navkit.scenario import Scenario
>>> galley = medieval.ship("Galley")
>>> fight = Scenario("medieval", "board", galley, galley, turns=8)
>>> compared = side_by_side(fight, progress=False)
>>> compared.differences["says"].iloc[1]
'a wins 23.0 points less often, b wins 5.6 points more often'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from navkit.desk.trials import played, settled
from navkit.errors import InputError, whole
from navkit.events import WORDS
from navkit.history import History
from navkit.paired import CHANGES, NO_EFFECT, OTHER_FIGURES, difference, effect
from navkit.progress import last
from navkit.rulebooks.readings import Readings
from navkit.scenario import Scenario
from navkit.words import points

SIDES = ("a", "b")


@dataclass(frozen=True)
class Comparison:
    """A fight as its scenario has it (`base`), and under other house rules, by name.

    `rows` hold what each of them changes (see `differences`). `turn` is the turn at whose end
    chances are compared. `wanted` counts all variants there are to be; a partial answer has fewer.
    """

    scenario: Scenario
    base: History = field(repr=False)
    variants: Mapping[str, Readings] = field(repr=False)
    histories: Mapping[str, History] = field(repr=False)
    rows: Mapping[str, Mapping[str, Any]] = field(repr=False)
    turn: int
    wanted: int

    @property
    def base_name(self) -> str:
        """What the rules of the scenario are called."""
        return "these rules" if self.scenario.rules.changed() else "default rules"

    @cached_property
    def curves(self) -> pd.DataFrame:
        """By turn: the chances that a wins and that b wins, for each variant and the base.

        The columns are pairs (variant, "a" or "b").
        """
        tables = {self.base_name: self.base, **self.histories}
        columns = {(name, x): h.table()[x] for name, h in tables.items() for x in SIDES}
        return pd.DataFrame(columns)

    @cached_property
    def errors(self) -> pd.DataFrame:
        """The standard errors of `curves`, each for itself; 0 where exact."""
        tables = {self.base_name: self.base, **self.histories}
        columns = {(n, x): h.error_of(h.table()[[x]])[x] for n, h in tables.items() for x in SIDES}
        return pd.DataFrame(columns)

    @cached_property
    def differences(self) -> pd.DataFrame:
        """What each variant changes, the greatest effect first; a row a variant.

        `a` and `b` are differences of the chances to win, `a_error` and `b_error` their standard
        errors: 0 where exact; of samples that share their dice, from the fights that went
        otherwise. `otherwise` is the share of fights that end otherwise with the same dice, in
        another outcome or another turn (missing where exact). `effect` is "none" where nothing at
        all is different, and "figures alone" where hands or hulls are, but no outcome at any time.
        """
        columns = ["a", "a_error", "b", "b_error", "otherwise", "effect", "says"]
        table = pd.DataFrame.from_dict(dict(self.rows), orient="index", columns=columns)
        table.index.name = "variant"
        size = table[["a", "b"]].abs().max(axis=1) - (table["effect"] == NO_EFFECT)
        return table.loc[size.sort_values(ascending=False, kind="stable").index]

    @property
    def words(self) -> str:
        """The finding, in a sentence or two."""
        table = self.differences
        still = table.index[table["effect"] == NO_EFFECT]
        told = f"{len(still)} of {len(table)} readings have no effect on this fight."
        if self.base.fights is not None:
            told = told[:-1] + f": all {self.base.fights:,} fights go as before with the same dice."
        if len(table) < self.wanted:
            told += f" {self.wanted - len(table)} have not been looked at."
        moves = table[table["effect"] == CHANGES]
        if moves.empty:
            return f"No reading changes who wins, or when. {told}"
        return f"{moves.index[0]} changes most: {moves['says'].iloc[0]}. {told}"


def side_by_side(
    scenario: Scenario,
    variants: Mapping[str, Readings | Mapping[str, Any]] | None = None,
    *,
    turn: int | None = None,
    progress: bool = True,
) -> Comparison:
    """The same fight under several house rules, against the rules it has.

    `variants` are house rules, or changes to those of the scenario, by name. By default there is
    one for each other reading of each house rule, and for both limits of one that is a number.
    Differences are those at the end of `turn`, the last by default. The odds are exact or sampled
    as the scenario says; samples share their dice.

    Raises InputError for bad input before anything is played, and Interrupted for Ctrl-C, with
    the variants that were done.
    """
    return last(
        comparing(scenario, variants, turn=turn),
        progress=progress,
        unit="variant",
        far=lambda so_far: (len(so_far.histories), so_far.wanted),
    )


def comparing(
    scenario: Scenario,
    variants: Mapping[str, Readings | Mapping[str, Any]] | None = None,
    *,
    turn: int | None = None,
) -> Iterator[Comparison]:
    """What `side_by_side` gives, after the fight itself and after each variant."""
    wanted = single_readings(scenario.rules) if variants is None else _named(scenario, variants)
    if scenario.turns is not None and turn is not None:
        whole("turn", turn, 0, scenario.turns)
    chance, base = settled(scenario)
    at = base.turns if turn is None else whole("turn", turn, 0, base.turns)
    histories: dict[str, History] = {}
    rows: dict[str, dict[str, Any]] = {}
    yield Comparison(scenario, base, wanted, {}, {}, at, len(wanted))
    for name, rules in wanted.items():
        histories[name] = played(replace(scenario, rules=rules), chance)
        rows[name] = _row(base, histories[name], at)
        yield Comparison(scenario, base, wanted, dict(histories), dict(rows), at, len(wanted))


def single_readings(rules: Readings) -> dict[str, Readings]:
    """House rules that differ from `rules` in one reading each, by name; the prominent first.

    >>> from navkit.rulebooks.medieval import HouseRules
    >>> list(single_readings(HouseRules()))[:2]
    ['retaliation: simultaneous', 'retaliation: next turn']
    """
    found = {}
    for rule in sorted(rules.readings(), key=lambda each: not each.prominent):
        options = rule.options or dict.fromkeys((rule.low, rule.high, rule.default))
        for value in options:
            if value != getattr(rules, rule.name):
                said = value if rule.options else f"{value:g}"
                if not rule.options and value in (rule.low, rule.high):
                    said += ", its least" if value == rule.low else ", its most"
                name = f"{rule.name.replace('_', ' ')}: {said}"
                found[name] = replace(rules, **{rule.name: value})
    return found


def _named(
    scenario: Scenario, variants: Mapping[str, Readings | Mapping[str, Any]]
) -> dict[str, Readings]:
    if not isinstance(variants, Mapping) or not variants:
        raise InputError("variants", variants, "house rules by name, or None for every reading")
    known = [rule.name for rule in scenario.rules.readings()]
    found = {}
    for name, told in variants.items():
        if isinstance(told, Mapping):
            for rule in told:
                if rule not in known:
                    raise InputError(f"house rule of {name}", rule, *known)
            found[str(name)] = replace(scenario.rules, **told)
        else:
            found[str(name)] = scenario.rules.of(told)
    return found


def _row(base: History, other: History, turn: int) -> dict[str, Any]:
    """What a variant changes: a row of `Comparison.differences`."""
    row: dict[str, Any] = {"otherwise": np.nan, "effect": effect(base, other)}
    if base.codes is not None and other.codes is not None:
        row["otherwise"] = float((base.codes != other.codes).mean())
    for x in SIDES:
        row[x], row[f"{x}_error"] = difference(base, other, x, turn)
    return row | {"says": _says(row)}


def _says(row: Mapping[str, Any]) -> str:
    if row["effect"] == NO_EFFECT:
        return "no effect on this fight"
    if row["effect"] == OTHER_FIGURES:
        return "the same outcomes; only what is left differs"
    told = [f"{WORDS[x]} {points(row[x], error=row[f'{x}_error'])}" for x in SIDES]
    return ", ".join(told)
