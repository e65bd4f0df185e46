"""Rules to look up: a search box, the rules it finds, and the code behind the one chosen."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as widgets

from navkit import rules_map
from navkit.errors import InputError
from navkit.explorers import controls
from navkit.explorers.live_panel import LivePanel
from navkit.rules_map import DOCUMENTS, Rule

_ALL = "all documents"
_SMALL = "line-height: 1.4; overflow-wrap: anywhere"
_CODE = (
    "max-height: 420px; overflow: auto; font: 12px monospace; white-space: pre; line-height: 1.3"
)


class RulesBrowser(LivePanel):
    """The rules of a document, or of all: those with the words in the box, and one in full.

    Below stands how many there are in each document.

    `rules` are the numbers of the rules found, `words` what is said of the one chosen.

    >>> browser = RulesBrowser("gurps")
    >>> browser.set(search="powerstones")
    >>> browser.rules, browser.words
    (('G-51',), 'Officers.spells in gurps/ships.py')
    """

    def __init__(self, document: str | None = None) -> None:
        choices = [(_ALL, None), *((DOCUMENTS[name], name) for name in rules_map.documents())]
        if document not in [value for _, value in choices]:
            raise InputError("document", document, *rules_map.documents())
        self._document = widgets.Dropdown(options=choices, value=document, description="document")
        self._search = widgets.Text(description="search", placeholder="words of the rule")
        self._count = widgets.HTML()
        self._found = widgets.Select(options=[], rows=14, layout={"width": "auto"})
        self._rule = widgets.HTML()
        controls.line_up([self._document, self._search])
        left = {"flex": "1 1 380px", "min_width": "0", "overflow": "visible"}
        right = {"flex": "2 1 480px", "min_width": "0", "overflow": "visible"}
        columns = (
            widgets.VBox((self._document, self._search, self._count, self._found), layout=left),
            widgets.VBox((self._rule,), layout=right),
        )
        layout = {"flex_flow": "row wrap", "grid_gap": "16px", "overflow": "visible"}
        counts = rules_map.counts().to_html(border=0)
        mapped = widgets.HTML(f'<div style="{_SMALL}">{counts}</div>')
        super().__init__((widgets.Box(columns, layout=layout), mapped))
        self._document.observe(self._asked, "value")
        self._search.observe(self._asked, "value")
        self._found.observe(self._chosen, "value")
        self._asked()

    @property
    def rules(self) -> tuple[str, ...]:
        """The numbers of the rules found."""
        return tuple(rule.id for _, rule in self._found.options)

    @property
    def words(self) -> str:
        """What plays the rule chosen; nothing where none is found."""
        rule = self._found.value
        return rule.in_words()["function"] if rule else ""

    def set(self, *, document: str | None = None, search: str = "", rule: str = "") -> None:
        """Choose a document (None: all) and words, and one of the rules found by its number.

        Raises InputError for a document without a map, and for a rule that is not among those
        found.
        """
        if document is not None and document not in rules_map.documents():
            raise InputError("document", document, *rules_map.documents())
        found = {each.id: each for each in rules_map.find(document, search)}
        if rule and rule not in found:
            raise InputError("rule", rule, *found)
        self._document.value, self._search.value = document, search
        if rule:
            self._found.value = found[rule]

    def _asked(self, change: Any = None) -> None:
        found = rules_map.find(self._document.value, self._search.value)
        self._count.value = f'<div style="{_SMALL}">{len(found)} found</div>'
        self._found.options = [(f"{rule.id}  {rule.rule}", rule) for rule in found]
        self._found.index = 0 if found else None
        self._chosen()

    def _chosen(self, change: Any = None) -> None:
        rule = self._found.value
        self._rule.value = _told(rule) if rule else "No rule has all these words."


def _told(rule: Rule) -> str:
    words = rule.in_words()
    return (
        f'<div style="{_SMALL}"><b>{escape(rule.id)}</b> {escape(rule.rule)}<br>'
        f"<b>Played by</b> {escape(words['function'])}<br>"
        f"<b>Held by</b> {escape(words['test'])}</div>"
        f'<pre style="{_CODE}">{escape(rule.source())}</pre>'
    )
