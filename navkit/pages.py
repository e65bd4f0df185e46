"""The prep sheet as one HTML file that needs no network: tables, curves, and their sliders.

The sliders choose among fights that have been played already (`PrepSheet.dial`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from bokeh.embed import components
from bokeh.plotting import figure as Figure
from bokeh.resources import Resources

from navkit import __version__, charts
from navkit.history import History
from navkit.sheet import ALL, FIGHTING, QUANTILES, RULES, SIDES, PrepSheet
from navkit.words import percent

PRINTED = (660, 250)
"""Pixels of a printed chart: the width of a page of A4 or letter with its margins."""
BLACK = "#000000"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""What the page may load: nothing that is not in it."""


def to_html(sheet: PrepSheet) -> str:
    """The sheet as the text of one HTML file; see `navkit.printing` for PNG and PDF.

    All texts are escaped. On paper the curves are those of the scenario, whatever the sliders say.
    """
    fights = _fights(sheet)
    shown = _figures(sheet, fights)
    printed = {f"{name}-printed": _printed(each) for name, each in _figures(sheet, fights).items()}
    script, drawn = components({**shown, **printed})
    title = escape(sheet.scenario.name)
    parts = [
        f"<h1>{title}</h1>",
        *_heading(sheet),
        *_most(sheet),
        "<h2>Turn by turn</h2>",
        *_dials(sheet),
        *_chart("out", f"Who is out of the fight by {sheet.meeting.unit}?", drawn),
        *_chart("left", f"How are the {sheet.figure[1]}, {sheet.meeting.unit} by turn?", drawn),
        *_tables(sheet),
        "<h2>The same fight elsewhere</h2>",
        "<p>As a text to paste into navkit:</p>",
        f"<code>{escape(sheet.scenario.to_text())}</code>",
        f"<footer>Made with navkit {__version__}, which is unofficial and not endorsed by the "
        "owners of the games it names.</footer>",
    ]
    bokeh = "\n".join(Resources(mode="inline", components=["bokeh"]).js_raw)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{_file('page.css')}</style>",
            f"<script>{bokeh}</script>",
            script,
            "</head>",
            "<body>",
            "<main>",
            *parts,
            "</main>",
            f'<script type="application/json" id="played">{_json(_played(sheet, fights))}</script>',
            f"<script>{_file('page.js')}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


# Words


def _heading(sheet: PrepSheet) -> Iterator[str]:
    scenario, names = sheet.scenario, sheet.names
    yield (
        f'<p class="soft">{escape(sheet.meeting.words.capitalize())} of '
        f"{escape(names['a'])} (a) and {escape(names['b'])} (b) by the rulebook "
        f"{escape(scenario.rulebook)}: {escape(sheet.how)}.</p>"
    )
    shares = sheet.base.outcome()
    told = {"a": f"{names['a']} wins", "b": f"{names['b']} wins", "both": "both are lost"}
    told |= {"stalemate": "nobody can be lost any more", "undecided": "it is undecided"}
    words = [
        f"{escape(text)} {_percent(shares[name], sheet.base)}"
        for name, text in told.items()
        if name in SIDES or shares[name] > 0
    ]
    yield (
        f'<p class="finding">After {_count(sheet.base.turns, sheet.meeting.unit)}: '
        f"{', '.join(words)}.</p>"
    )
    if changed := scenario.rules.changed():
        rules = ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in changed.items())
        yield f"<p>House rules: {escape(rules)}.</p>"
    for note in sheet.desk.notes:
        yield f'<p class="soft">{escape(note)}</p>'
    if not sheet.whole:
        yield (
            f"<p><strong>This sheet was stopped</strong> after {sheet.done} of {sheet.wanted} "
            "fights; what had not been played is missing.</p>"
        )


def _most(sheet: PrepSheet) -> Iterator[str]:
    """The three swings that matter most, in words."""
    if sheet.swings.empty:
        return
    yield "<h2>What would change it most</h2>"
    yield "<ol>"
    for words in sheet.swings["words"].head(3):
        yield f"<li>{escape(words)}</li>"
    yield "</ol>"


def _percent(chance: float, history: History) -> str:
    return percent(min(float(chance), 1.0), fights=history.fights)


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


# Tables


def _tables(sheet: PrepSheet) -> Iterator[str]:
    unit = sheet.meeting.unit
    yield "<h2>The ships</h2>"
    names = [f"{escape(sheet.names[x])} ({x})" for x in SIDES]
    lines = [(str(line), [row[x] for x in SIDES]) for line, row in sheet.ships.iterrows()]
    yield from _table("Both ships", ["", *names], [("", lines)], number=False)
    heads = [f"after {_count(turn, unit)}" for turn in sheet.told]
    yield "<h2>The odds</h2>"
    yield from _table(
        f"Share of fights, by the end of the {unit}", ["", *heads], _odds_groups(sheet)
    )
    yield "<h2>What is left</h2>"
    caption = f"{sheet.figure[1]}: the median, and in brackets what 9 of 10 fights stay within"
    yield from _table(caption, ["", *heads], _left_groups(sheet))
    if len(sheet.decisions):
        yield "<h2>What the captain may decide</h2>"
        yield from _decisions(sheet)
    if len(sheet.swings):
        yield "<h2>What each change does</h2>"
        yield from _swings(sheet)


Group = tuple[str, list[tuple[str, list[str]]]]
"""Rows under a heading of their own ("" for none): the head of each row, and its cells."""


def _table(
    caption: str, heads: Sequence[str], groups: Sequence[Group], *, number: bool = True
) -> Iterator[str]:
    """A table in a region that scrolls by itself on narrow pages; heads and cells are texts."""
    kind = "number" if number else "words"
    label = escape(caption, quote=True)
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{label}"><table>'
    yield f"<caption>{escape(caption)}</caption><thead><tr>"
    yield "".join(f'<th scope="col">{escape(head)}</th>' if head else "<td></td>" for head in heads)
    yield "</tr></thead>"
    for title, rows in groups:
        yield "<tbody>"
        if title:
            head = f'<th class="group" scope="rowgroup" colspan="{len(heads)}">'
            yield f"<tr>{head}{escape(title)}</th></tr>"
        for head, cells in rows:
            told = "".join(f'<td class="{kind}">{escape(str(cell))}</td>' for cell in cells)
            yield f'<tr><th scope="row">{escape(head)}</th>{told}</tr>'
        yield "</tbody>"
    yield "</table></div>"


def _odds_groups(sheet: PrepSheet) -> list[Group]:
    groups = []
    for x in SIDES:
        table = sheet.odds[sheet.odds["side"] == x]
        rows = [
            (str(event), [_percent(chance, sheet.base) for chance in part["chance"]])
            for event, part in table.groupby("event", sort=False)
        ]
        groups.append((sheet.names[x], rows))
    return groups


def _left_groups(sheet: PrepSheet) -> list[Group]:
    groups = []
    for x in SIDES:
        rows = []
        for given in (ALL, FIGHTING):
            part = sheet.left[(sheet.left["side"] == x) & (sheet.left["given"] == given)]
            told = part[part["turn"].isin(sheet.told)]
            rows.append((given, [_spread(*row) for row in told[list(QUANTILES)].to_numpy()]))
        groups.append((sheet.names[x], rows))
    return groups


def _spread(low: float, median: float, high: float) -> str:
    return "no such fight" if median != median else f"{median:g} ({low:g}–{high:g})"


def _decisions(sheet: PrepSheet) -> Iterator[str]:
    names, unit = sheet.names, sheet.meeting.unit
    heads = ["", f"{names['a']} wins", f"{names['b']} wins", "both lost", "undecided"]
    heads += ["left to a, b (median)", "a is lost by being", "what is done"]
    rows = []
    for each, (name, row) in zip(sheet.decided, sheet.decisions.iterrows(), strict=True):
        if each.history is None:
            cells = ["", "", "", "", "", "", f"can not be had: {each.problem}"]
        else:
            shares = [_percent(row[x], each.history) for x in ("a", "b", "both", "undecided")]
            left = f"{row['left_a']:g}, {row['left_b']:g} {row['figure']}"
            cells = [*shares, left, row["lost"] or "nothing", row["words"]]
        rows.append((str(name), cells))
    caption = f"What {names['a']} may do, and what comes of it in {_count(sheet.base.turns, unit)}"
    yield from _table(caption, heads, [("", rows)], number=False)


def _swings(sheet: PrepSheet) -> Iterator[str]:
    sampled = sheet.base.fights is not None
    caption = f"How much likelier it is that {sheet.names['a']} wins, in points of a hundred"
    if sampled:
        caption += ", with what 95 of 100 samples stay within"
    rows = []
    for row in sheet.swings.itertuples():
        whose = sheet.names.get(row.side, RULES)
        sign = "−" if row.difference < 0 else "+"
        error = f" ±{100 * 1.96 * row.error:.1f}" if row.error else ""
        rows.append((row.change, [whose, f"{sign}{100 * abs(row.difference):.1f}{error}"]))
    yield from _table(caption, ["change", "of", "points"], [("", rows)])


# Curves


def _figures(sheet: PrepSheet, fights: Mapping[tuple[int, int], History]) -> dict[str, Figure]:
    table, error, fan = _odds_table(sheet, sheet.base), None, _fan_table(sheet, sheet.base)
    if sheet.base.fights is not None:
        error = sheet.base.error_of(table)
    unit = sheet.meeting.unit
    told: dict[str, Any] = {"title": "", "x": unit}
    drawn = {
        "out": charts.curves(table, error=error, y="share of fights", name="out", **told),
        "left": charts.fan(fan, y=sheet.figure[1], name="left", **told),
    }
    for each in drawn.values():
        each.update(output_backend="svg")
        each.title.visible = False
    return drawn


def _printed(figure: Figure) -> Figure:
    """A figure black on white, of the width of a page."""
    width, height = PRINTED
    figure.update(width=width, height=height, sizing_mode="fixed", toolbar_location=None)
    for axis in figure.axis:
        axis.update(axis_label_text_color=BLACK, major_label_text_color=BLACK)
        axis.update(axis_line_color=BLACK, major_tick_line_color=BLACK)
    figure.legend[0].update(label_text_color=BLACK, click_policy="none")
    for source in figure.select({"name": "out"}), figure.select({"name": "left"}):
        for each in source:
            each.name = f"{each.name}-printed"
    return figure


def _odds_table(sheet: PrepSheet, history: History) -> pd.DataFrame:
    names = _chart_names(sheet)
    return pd.DataFrame({names[x]: history.cause(x).sum(axis=1).clip(0, 1) for x in SIDES})


def _fan_table(sheet: PrepSheet, history: History) -> pd.DataFrame:
    names, track = _chart_names(sheet), sheet.figure[0]
    return pd.DataFrame(
        {
            (names[x], q): values
            for x in SIDES
            for q, values in history.quantiles(x, track, QUANTILES).items()
        }
    )


def _chart_names(sheet: PrepSheet) -> dict[str, str]:
    """Names without the braces in which a chart's tooltips name their columns."""
    braces = str.maketrans("{}", "()")
    return {x: name.translate(braces) for x, name in sheet.names.items()}


def _chart(name: str, title: str, drawn: Mapping[str, str]) -> Iterator[str]:
    yield f'<figure class="screen"><figcaption>{escape(title)}</figcaption>{drawn[name]}</figure>'
    yield (
        f'<figure class="print" aria-hidden="true"><figcaption>{escape(title)}</figcaption>'
        f"{drawn[f'{name}-printed']}</figure>"
    )


# Sliders


def _fights(sheet: PrepSheet) -> dict[tuple[int, int], History]:
    """The fights that the sliders choose from, by the values of the dial; one without a dial."""
    if sheet.dial is None:
        return {(0, 0): sheet.base}
    return {**sheet.dial.histories, sheet.dial.at: sheet.base}


def _dials(sheet: PrepSheet) -> Iterator[str]:
    turns, unit = sheet.base.turns, sheet.meeting.unit
    yield '<form class="screen dials" id="dials" aria-label="Sliders">'
    yield _slider("turns", f"{unit}s shown", 1, turns, turns)
    if sheet.dial is not None:
        for x, values, now in (
            ("a", sheet.dial.a, sheet.dial.at[0]),
            ("b", sheet.dial.b, sheet.dial.at[1]),
        ):
            label = f"{sheet.names[x]}: {sheet.dial.sought.words}"
            yield _slider(x, label, 0, len(values) - 1, values.index(now))
        others = {history.fights for history in sheet.dial.histories.values()}
        if None not in others:
            few = f"{min(each for each in others if each):,}"
            yield f'<p class="soft">Other numbers than the scenario\'s: {few} fights each.</p>'
    yield '<div><button type="reset">As in the scenario</button></div>'
    yield '<p id="says" role="status"></p>'
    yield "</form>"


def _slider(name: str, label: str, low: int, high: int, value: int) -> str:
    return (
        f'<label for="dial-{name}"><span>{escape(label)}</span>'
        f'<input type="range" id="dial-{name}" min="{low}" max="{high}" value="{value}">'
        f'<output id="says-{name}" for="dial-{name}"></output></label>'
    )


def _played(sheet: PrepSheet, fights: Mapping[tuple[int, int], History]) -> dict[str, Any]:
    """What the script of the page chooses from: the columns of both charts, for each dial."""
    dial = sheet.dial
    a, b = (dial.a, dial.b) if dial else ((0,), (0,))
    names = _chart_names(sheet)
    return {
        "unit": sheet.meeting.unit,
        "names": [names[x] for x in SIDES],
        "values": {"a": a, "b": b} if dial else None,
        "charts": [[_columns(sheet, fights[one, two]) for two in b] for one in a],
    }


def _columns(sheet: PrepSheet, history: History) -> dict[str, Any]:
    table = _odds_table(sheet, history)
    error = None if history.fights is None else history.error_of(table)
    found = {
        "out": charts.curve_columns(table, error),
        "left": charts.fan_columns(_fan_table(sheet, history)),
    }
    return {name: {key: _list(each) for key, each in told.items()} for name, told in found.items()}


def _list(column: Any) -> list[Any]:
    return np.round(column, 5).tolist() if isinstance(column, np.ndarray) else list(column)


# Small things


def _json(told: Any) -> str:
    """JSON that can stand in a script of a page: no text of it ends the script."""
    text = json.dumps(told, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")
