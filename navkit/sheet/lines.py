"""A prep sheet as CSV: every figure of it, a line each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from navkit import records
from navkit.sheet.prepared import QUANTILES, SHARES, SIDES, PrepSheet


@dataclass(frozen=True)
class Line:
    """One figure of a sheet, as its CSV has it; see `PrepSheet.lines`."""

    table: str
    side: str
    name: str
    turn: int | None
    figure: str
    value: float | None
    error: float | None
    text: str


def lines(sheet: PrepSheet) -> list[Line]:
    """Every figure of a sheet, a line each.

    `table` is about, ships, odds, left, decisions or swings; `side` a, b, "house rules" or "";
    `name` what the figure is of (an event, a decision, a change), `turn` the turn at whose end
    it holds. `figure` says what `value` (with its standard `error`) is; texts are in `text`.
    """
    return [*_about(sheet), *_odds(sheet), *_left(sheet), *_decisions(sheet), *_swings(sheet)]


def to_csv(sheet: PrepSheet) -> str:
    """A sheet as one CSV, a line a figure (see `lines`); `from_csv` reads it."""
    return records.to_csv(lines(sheet), Line)


def from_csv(text: str) -> list[Line]:
    """The figures that the CSV of a sheet holds. Raises RecordError (an InputError)."""
    return list(records.from_csv(text, Line))


def _about(sheet: PrepSheet) -> Iterator[Line]:
    scenario = sheet.scenario
    texts = {
        "title": scenario.name,
        "rulebook": scenario.rulebook,
        "meeting": sheet.meeting.words,
        "odds": sheet.how,
        "house rules": ", ".join(f"{k}: {v}" for k, v in scenario.rules.changed().items()),
        "scenario": scenario.to_text(),
    }
    for name, text in texts.items():
        yield Line("about", "", name, None, "text", None, None, text)
    for x in SIDES:
        for line, text in sheet.ships[x].items():
            if text:
                yield Line("ships", x, str(line), None, "text", None, None, text)


def _odds(sheet: PrepSheet) -> Iterator[Line]:
    for row in sheet.odds.to_dict("records"):
        told = row["side"], row["event"], row["turn"], "chance", row["chance"], row["error"]
        yield Line("odds", *told, "")


def _left(sheet: PrepSheet) -> Iterator[Line]:
    words = sheet.figure[1]
    for row in sheet.left.to_dict("records"):
        for q in QUANTILES:
            known = None if row[q] != row[q] else float(row[q])
            figure = f"{words}, quantile {q:g}"
            yield Line("left", row["side"], row["given"], row["turn"], figure, known, None, "")


def _decisions(sheet: PrepSheet) -> Iterator[Line]:
    end = sheet.base.turns
    for row in sheet.decisions.reset_index().to_dict("records"):
        of = "decisions", "a", row["decision"], end
        if row["problem"]:
            yield Line(*of, "problem", None, None, row["problem"])
            continue
        for share in SHARES:
            yield Line(*of, f"chance of {share}", row[share], row[f"{share}_error"], "")
        for x in SIDES:
            yield Line(*of, f"{row['figure']} of {x}, median", row[f"left_{x}"], None, "")


def _swings(sheet: PrepSheet) -> Iterator[Line]:
    figure = "difference in the chance that a wins"
    for swing in sheet.swung:
        told = sheet.base.turns, figure, swing.difference, swing.error
        yield Line("swings", swing.side, swing.change, *told, "")
