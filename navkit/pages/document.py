"""The prep sheet as one HTML file that needs no network: tables, curves, and their sliders.

The sliders choose among fights that have been played already (`PrepSheet.dial`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from bokeh.embed import components
from bokeh.resources import Resources

from navkit import __version__
from navkit.history import History
from navkit.pages.curves import drawn_figures, legend, played, printed, titles
from navkit.pages.words import heading, most, tables
from navkit.sheet.prepared import PrepSheet

NOTEBOOK = """
.navkit-sheet {
  --ink: var(--jp-content-font-color1, #1a1a1a);
  --soft: var(--jp-content-font-color2, #5a5a5a);
  --rule: var(--jp-border-color1, #c4c4c4);
  --accent: #0072b2;
  max-width: 46rem;
}
.widget-html-content:has(> .navkit-sheet) { min-width: 0; }
"""
"""How a sheet stands in a notebook: in the colours of its theme, no wider than its cell."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""What the page may load: nothing that is not in it."""


def to_html(sheet: PrepSheet) -> str:
    """The sheet as the text of one HTML file; see `navkit.printing` for PNG and PDF.

    All texts are escaped. On paper the curves are those of the scenario, whatever the sliders say.
    """
    fights = _fights(sheet)
    shown = drawn_figures(sheet)
    paper = {f"{name}-printed": printed(each) for name, each in drawn_figures(sheet).items()}
    script, drawn = components({**shown, **paper})
    for name, each in paper.items():
        drawn[name] = legend(each) + drawn[name]
    title = escape(sheet.scenario.name)
    parts = [
        f"<h1>{title}</h1>",
        *heading(sheet),
        *most(sheet),
        "<h2>Turn by turn</h2>",
        *_dials(sheet),
        *(part for name, title in titles(sheet).items() for part in _chart(name, title, drawn)),
        *tables(sheet),
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
            f"<style>{_file('sheet.css')}{_file('page.css')}</style>",
            f"<script>{bokeh}</script>",
            script,
            "</head>",
            "<body>",
            '<main class="navkit-sheet">',
            *parts,
            "</main>",
            f'<script type="application/json" id="played">{_json(played(sheet, fights))}</script>',
            f"<script>{_file('page.js')}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def summary(sheet: PrepSheet) -> str:
    """The words and tables of the sheet as HTML to stand in a notebook, in its colours."""
    parts = (*heading(sheet), *most(sheet), *tables(sheet))
    style = f"<style>{_file('sheet.css')}{NOTEBOOK}</style>"
    return f'{style}<div class="navkit-sheet">{"".join(parts)}</div>'


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


def _json(told: Any) -> str:
    """JSON that can stand in a script of a page: no text of it ends the script."""
    text = json.dumps(told, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")
