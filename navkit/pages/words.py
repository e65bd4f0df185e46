"""The words and tables of a prep sheet as HTML; every text is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from navkit.history import History
from navkit.sheet.prepared import ALL, FIGHTING, QUANTILES, RULES, SIDES, PrepSheet
from navkit.words import NORMAL_95, percent


def heading(sheet: PrepSheet) -> Iterator[str]:
    """What is fought, how the odds were found, and how it ends."""
    scenario, names, lettered = sheet.scenario, sheet.names, sheet.lettered
    yield (
        f'<p class="soft">{escape(sheet.meeting.words.capitalize())} of '
        f"{escape(lettered['a'])} and {escape(lettered['b'])} by the rulebook "
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
            f"<p><strong>Not all of it:</strong> {sheet.done} of {sheet.wanted} fights have been "
            "played, and what was still to come is missing.</p>"
        )


def most(sheet: PrepSheet) -> Iterator[str]:
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


def tables(sheet: PrepSheet) -> Iterator[str]:
    """The ships, the odds, what is left, decisions and changes."""
    unit = sheet.meeting.unit
    yield "<h2>The ships</h2>"
    names = [sheet.lettered[x] for x in SIDES]
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
    heads += ["left to a, b (median)", "a is lost by being"]
    rows = []
    for each, (name, row) in zip(sheet.decided, sheet.decisions.iterrows(), strict=True):
        if each.history is None:
            cells = ["", "", "", "", "", f"can not be had: {each.problem}"]
        else:
            shares = [_percent(row[x], each.history) for x in ("a", "b", "both", "undecided")]
            left = f"{row['left_a']:g}, {row['left_b']:g} {row['figure']}"
            cells = [*shares, left, row["lost"] or "nothing"]
        rows.append((f"{name}: {row['words']}", cells))
    caption = f"What {names['a']} may do, and what comes of it in {_count(sheet.base.turns, unit)}"
    yield from _table(caption, heads, [("", rows)], number=False)


def _swings(sheet: PrepSheet) -> Iterator[str]:
    sampled = sheet.base.fights is not None
    caption = f"How much likelier it is that {sheet.names['a']} wins, in points of a hundred"
    if sampled:
        caption += ", with what 95 of 100 samples stay within"
    rows = []
    for row in sheet.swings.to_dict("records"):
        gap, error = 100 * row["difference"], 100 * NORMAL_95 * row["error"]
        sign = "−" if gap < 0 else "+" if gap else ""
        told = f"{sign}{abs(gap):.1f}" + (f" ±{error:.1f}" if error else "")
        rows.append((str(row["change"]), [sheet.names.get(row["side"], RULES), told]))
    yield from _table(caption, ["change", "of", "points"], [("", rows)])
