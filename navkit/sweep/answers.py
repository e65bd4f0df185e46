"""The answers of a sweep as rows of numbers: what a question gives in one cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from navkit.dice import Distribution
from navkit.errors import InputError, number
from navkit.history import OUTCOME, History

Row = dict[str, float | int | str | None]
Measure = str | Callable[[Any], Any]

OUTCOMES = {"a": "a_wins", "b": "b_wins", "both": "both_lost"}
"""The outcomes of a history that get a longer name, since a and b are ships in a grid."""

QUANTILES = (0.05, 0.5, 0.95)


@dataclass(frozen=True)
class Failure:
    """Why a cell has no answer."""

    reason: str


@dataclass(frozen=True)
class Work:
    """A question and what is wanted of its answers; `work(arguments)` answers one cell."""

    question: Callable[..., Any]
    measure: tuple[Measure, ...] = ()
    by_turn: bool = False

    def __call__(self, arguments: Mapping[str, Any]) -> list[Row] | Failure:
        """The rows of a cell, or why there are none."""
        try:
            return self.rows(arguments)
        except Exception as error:  # told by name at the end of the sweep
            return Failure(f"{type(error).__name__}: {error}")

    def rows(self, arguments: Mapping[str, Any]) -> list[Row]:
        """The rows of a cell: one, or with `by_turn` one a turn."""
        answer = self.question(**arguments)
        table = _table(answer)
        for measure in self.measure:
            for name, found in _measured(answer, measure).items():
                table[name] = found
        if isinstance(answer, History):
            fights: int | None = answer.fights
            table["fights"] = pd.Series([fights] * len(table), index=table.index, dtype="object")
            table["left_out"] = answer.lost
        if not self.by_turn:
            return [_row(table.tail(1).to_dict("records")[0])]
        if table.index.name is None:
            raise InputError("by_turn", True, "False: this question has no answer by turn")
        index = str(table.index.name)
        found = table.to_dict("records")
        return [
            _row({index: at, **row}) for at, row in zip(table.index.tolist(), found, strict=True)
        ]


def measures(given: Any) -> tuple[Measure, ...]:
    """What is to be measured beside the outcome, checked: names such as "a.crew", functions."""
    listed = [given] if isinstance(given, str) or callable(given) else given
    if not isinstance(listed, Sequence):
        raise InputError("measure", given, "a list of names such as 'a.crew', or functions")
    for each in listed:
        if isinstance(each, str):
            _parsed(each)
        elif not callable(each):
            raise InputError("measure", each, "a name such as 'a.crew', or a function")
    names = [_name(each) for each in listed]
    for name in names:
        if names.count(name) > 1:
            raise InputError("measure", name, "each once")
    return tuple(listed)


def _name(measure: Measure) -> str:
    return measure if isinstance(measure, str) else getattr(measure, "__name__", str(measure))


def _parsed(text: str) -> tuple[str, str, float | None]:
    """The side, the track or way to be lost, and the quantile of `a.crew@0.05`."""
    name, at, share = text.partition("@")
    side, dot, what = name.partition(".")
    if not side or not dot or not what:
        raise InputError("measure", text, "'side.track', 'side.track@quantile' or 'side.cause'")
    if not at:
        return side, what, None
    try:
        quantile = number("quantile", float(share), 0, 1)
    except ValueError:
        raise InputError("measure", text, "a quantile from 0 to 1 after the @") from None
    return side, what, quantile


def _measured(answer: Any, measure: Measure) -> dict[str, Any]:
    name = _name(measure)
    if not isinstance(measure, str):
        return {name: measure(answer)}
    side, what, quantile = _parsed(measure)
    if not isinstance(answer, History):
        raise InputError("measure", measure, "a function: the answer is not that of a resolver")
    if quantile is not None:
        return {name: answer.quantiles(side, what, [quantile])[quantile]}
    if side in answer.tally.causes and what in answer.causes:
        lost = answer.cause(side)[[what]]
        return {name: lost[what], f"{name}_error": answer.error_of(lost)[what]}
    tracks = [each.partition(".") for each in answer.tally.tracks]
    mine = [track for whose, _, track in tracks if whose == side and "." not in track]
    if what not in mine:
        both = [f"{side}.{each}" for side in answer.tally.causes for each in mine or answer.causes]
        raise InputError("measure", measure, *both, *(f"{side}.{c}" for c in answer.causes if mine))
    return {name: answer.mean(side, what)}


def _table(answer: Any) -> pd.DataFrame:
    """An answer as a table whose index, where it has a name, goes by turn."""
    match answer:
        case History():
            table = answer.table()
            for name in OUTCOME:
                if f"{name}_error" not in table:
                    table[f"{name}_error"] = 0.0
            return _renamed(table)
        case Distribution():
            row = {"mean": answer.mean, "std": answer.std}
            row |= {f"q{q:g}": float(answer.quantile(q)) for q in QUANTILES}
            return pd.DataFrame([row])
        case pd.DataFrame() if pd.api.types.is_numeric_dtype(answer.index):
            return _renamed(answer.rename_axis(str(answer.index.name or "turn")).copy())
        case pd.DataFrame():
            flat = {f"{at} {c}": answer.loc[at, c] for at in answer.index for c in answer.columns}
            return pd.DataFrame([flat])
        case pd.Series() if pd.api.types.is_numeric_dtype(answer.index):
            return answer.rename_axis(str(answer.index.name or "turn")).to_frame("value")
        case pd.Series():
            return pd.DataFrame([{str(name): value for name, value in answer.items()}])
        case _:
            return pd.DataFrame([{"value": float(answer)}])


def _renamed(table: pd.DataFrame) -> pd.DataFrame:
    """The columns of a table of outcomes by names that no ship has."""
    if not set(OUTCOME) <= set(table.columns):
        return table
    errors = {f"{old}_error": f"{new}_error" for old, new in OUTCOMES.items()}
    return table.rename(columns=OUTCOMES | errors)


def _row(found: Mapping[Any, Any]) -> Row:
    """A row in Python's own numbers: `fights` whole, `turn` whole, whatever else floats."""
    row: Row = {}
    for key, value in found.items():
        if value is None or isinstance(value, str):
            row[str(key)] = value
        elif isinstance(value, int | np.integer) and not isinstance(value, bool):
            row[str(key)] = int(value)
        else:
            row[str(key)] = float(value)
    return row
