"""What charts draw, worked out from tables: the columns of a source, with texts for hovering.

They are the same for a new figure of `charts` and for the updates of a live one. Nothing here
draws, or needs Bokeh.

>>> import pandas as pd
>>> chances = pd.DataFrame({"Sloop": [0.0, 0.2, 0.5], "Brig": [0.0, 0.05, 0.1]})
>>> curve_columns(chances)["y Brig"]
array([0.  , 0.05, 0.1 ])
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from navkit.errors import InputError
from navkit.words import NORMAL_95, percent

Floats = npt.NDArray[np.float64]
Columns = dict[str, Floats | list[str]]
"""What a ColumnDataSource holds: numbers to draw, and texts for hovering."""


def curve_columns(
    table: pd.DataFrame, error: pd.DataFrame | None = None, *, percents: bool = True
) -> Columns:
    """What `curves` draws: `x`, and for each series its `y`, `low`, `high` and `says`.

    >>> list(curve_columns(pd.DataFrame({"hit": [0.5]})))
    ['x', 'zero', 'y hit', 'low hit', 'high hit', 'says hit']
    """
    columns = _columns(table, error)
    for series, values, errors in _series(table, error):
        half = NORMAL_95 * (errors if errors is not None else np.zeros_like(values))
        low, high = values - half, values + half
        if percents:
            low, high = low.clip(0, 1), high.clip(0, 1)
        says = _chances(values, errors) if percents else _amounts(values, errors)
        columns |= {f"y {series}": values, f"low {series}": low, f"high {series}": high}
        columns[f"says {series}"] = says
    return columns


def bar_columns(table: pd.DataFrame, error: pd.DataFrame | None = None) -> Columns:
    """What `bars` draws: `x`, and for each distribution its `y`, `low`, `high` and `says`.

    >>> bar_columns(pd.DataFrame({"coin": [0.5, 0.5]}))["says coin"]
    ['50.0 %, this or more 100 %', '50.0 %, this or more 50.0 %']
    """
    columns = curve_columns(table, error)
    if error is None:
        for series, values, _ in _series(table, error):
            more = np.nan_to_num(values)[::-1].cumsum()[::-1].clip(0, 1)
            says = zip(columns[f"says {series}"], _chances(more, None), strict=True)
            columns[f"says {series}"] = [f"{this}, this or more {tail}" for this, tail in says]
    return columns


def fan_columns(table: pd.DataFrame, error: pd.DataFrame | None = None) -> Columns:
    """What `fan` draws: `x`, and for each series its quantiles and what they `say`.

    >>> table = pd.DataFrame({("Sloop", 0.05): [3.0], ("Sloop", 0.5): [7], ("Sloop", 0.95): [9]})
    >>> fan_columns(table)["says Sloop"]
    ['7, in 90 % of fights 3 to 9']
    """
    if error is not None:
        raise InputError("error", "standard errors", "None: a fan shows how far fights spread")
    columns = _columns(table, None)
    for series, quantiles in fans_of(table):
        columns |= {f"{quantile:g} {series}": values for quantile, values in quantiles.items()}
        says = [_amount(median) for median in quantiles[0.5].tolist()]
        for low, high in bands_of(quantiles):
            ends = zip(says, quantiles[low].tolist(), quantiles[high].tolist(), strict=True)
            share = f"{100 * (high - low):.3g} %"
            says = [f"{so_far}, in {share} of fights {a:g} to {b:g}" for so_far, a, b in ends]
        columns[f"says {series}"] = says
    return columns


def rank_columns(table: pd.DataFrame, error: pd.DataFrame | None = None) -> Columns:
    """What `ranks` draws: a bar from `zero` to `value` at height `y`, and what it `says`.

    What it says begins at the `edge`, the same for all: there is room to the right of it.

    >>> rank_columns(pd.DataFrame({"gain": [0.1, 0.4]}, index=["flagship", "siphon"]))["says"]
    ['siphon 40.0 %', 'flagship 10.0 %']
    """
    if table.empty or table.shape[1] != 1 or pd.api.types.is_numeric_dtype(table.index):
        raise InputError("table", table.shape, "one column of chances, with names for an index")
    _check_errors(table, error)
    order = np.argsort(-table.to_numpy(np.float64)[:, 0], kind="stable")
    values = table.to_numpy(np.float64)[order, 0]
    half = np.zeros(len(order)) if error is None else NORMAL_95 * error.to_numpy()[order, 0]
    names = [str(table.index[place]) for place in order]
    signs = ["−" if value < 0 else "" for value in values.tolist()]
    says = _chances(np.abs(values), None if error is None else half / NORMAL_95)
    height = np.arange(len(order), 0, -1, dtype=np.float64)
    return {
        "y": height,
        "above": height + 0.2,
        "zero": np.zeros(len(order)),
        "edge": np.full(len(order), min(0.0, float((values - half).min()))),
        "value": values,
        "low": values - half,
        "high": values + half,
        "name": names,
        "says": [
            f"{name} {said}" if said.startswith("under") else f"{name} {sign}{said}"
            for name, sign, said in zip(names, signs, says, strict=True)
        ],
    }


def heat_columns(table: pd.DataFrame, error: pd.DataFrame | None = None) -> Columns:
    """What `heat` draws: for each square its `row`, `column` and `value`, and what it `says`.

    >>> heat_columns(pd.DataFrame({"Brig": [0.75]}, index=["Sloop"]))["says"]
    ['75.0 %']
    """
    if table.empty or pd.api.types.is_numeric_dtype(table.index):
        raise InputError("table", table.shape, "chances with names for rows and columns")
    names = [(str(row), column) for row in table.index for column in names_of(table)]
    if len(set(names)) < len(names):
        raise InputError("names of the table", list(table.index), "each once")
    _check_errors(table, error)
    values = table.to_numpy(np.float64).ravel()
    says = _chances(values, None if error is None else error.to_numpy(np.float64).ravel())
    return {
        "row": [row for row, _ in names],
        "column": [column for _, column in names],
        "value": values,
        "says": says,
        "short": [_short(each) for each in says],
        "ink": ["#ffffff" if value > 0.5 else "#303030" for value in values.tolist()],
    }


def _columns(table: pd.DataFrame, error: pd.DataFrame | None) -> Columns:
    """The columns every kind has, once `table` and `error` have been checked."""
    if table.empty:
        raise InputError("table", table.shape, "a table with rows and columns")
    if not pd.api.types.is_numeric_dtype(table.index):
        raise InputError("index of the table", table.index.dtype.name, "a numeric index")
    if len(set(names_of(table))) < table.shape[1]:
        raise InputError("columns of the table", list(table.columns), "a name a series")
    _check_errors(table, error)
    return {"x": table.index.to_numpy(np.float64), "zero": np.zeros(len(table))}


def _check_errors(table: pd.DataFrame, error: pd.DataFrame | None) -> None:
    """Raises InputError for errors that are not those of a table; their columns go by place."""
    if error is None:
        return
    if error.shape != table.shape:
        raise InputError("shape of the standard errors", error.shape, f"{table.shape}")
    if not error.index.equals(table.index):
        raise InputError("rows of the standard errors", list(error.index), "those of the table")
    numbers = error.to_numpy(np.float64)
    if (numbers < 0).any():
        raise InputError("least standard error", float(np.nanmin(numbers)), "0 or more")


def names_of(table: pd.DataFrame) -> list[str]:
    """The columns of a table as texts, by which a chart names its series."""
    return [str(column) for column in table.columns]


def _series(
    table: pd.DataFrame, error: pd.DataFrame | None
) -> Iterator[tuple[str, Floats, Floats | None]]:
    values = table.to_numpy(np.float64).T
    errors = [None] * len(values) if error is None else error.to_numpy(np.float64).T
    return zip(names_of(table), map(np.ascontiguousarray, values), errors, strict=True)


def fans_of(table: pd.DataFrame) -> Iterator[tuple[str, dict[float, Floats]]]:
    """The series of a fan, each with its quantiles from low to high."""
    allowed = "pairs (series, quantile): 0.5, and q with 1 − q for each band"
    if table.columns.nlevels != 2:
        raise InputError("columns of a fan", list(table.columns), allowed)
    pairs: list[Any] = table.columns.to_list()
    values = dict(zip(pairs, table.to_numpy(np.float64).T, strict=True))
    series = table.columns.unique(0)
    if len({str(name) for name in series}) < len(series):
        raise InputError("series of a fan", list(series), "a name a series")
    for name in series:
        shares = sorted(share for own, share in values if own == name)
        quantiles = {
            round(float(share), 9): np.ascontiguousarray(values[name, share]) for share in shares
        }
        mirrored = [round(1 - quantile, 9) for quantile in reversed(quantiles)]
        if 0.5 not in quantiles or mirrored != list(quantiles):
            raise InputError(f"quantiles of {name}", list(quantiles), allowed)
        yield str(name), quantiles


def bands_of(quantiles: dict[float, Floats]) -> list[tuple[float, float]]:
    """Which quantiles are the lower and upper edge of a band, innermost first."""
    return [(low, round(1 - low, 9)) for low in reversed(quantiles) if low < 0.5]


def _chances(values: Floats, errors: Floats | None) -> list[str]:
    sampled = [None] * len(values) if errors is None else errors.tolist()
    pairs = zip(values.tolist(), sampled, strict=True)
    return ["none" if value != value else percent(value, error=error) for value, error in pairs]


def _short(said: str) -> str:
    """A chance in few letters: there is little room in a square."""
    chance = said.split(" ±")[0].removesuffix(" %")
    return chance.replace("under ", "<").replace("over ", ">")


def _amounts(values: Floats, errors: Floats | None) -> list[str]:
    if errors is None:
        return [_amount(value) for value in values.tolist()]
    halves = (NORMAL_95 * errors).tolist()
    pairs = zip(values.tolist(), halves, strict=True)
    return [f"{_amount(value)} ±{half:.2g}" for value, half in pairs]


def _amount(value: float) -> str:
    return "none" if value != value else f"{value:.6g}"
