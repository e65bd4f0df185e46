"""What the teacher's panel says of a roll: the dice, the rule, the ships, the odds, the luck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from navkit.desk import citations, luck
from navkit.desk.replay import ENDS, Frame, Move, Odds, Replay, move
from navkit.explorers.dice_picture import dice_picture
from navkit.words import NORMAL_95, percent

SMALL = "line-height: 1.4; overflow-wrap: anywhere"
_CELL = "text-align: left; padding: 1px 12px 1px 0; vertical-align: top"
_COLOURS = {"a": "#0072B2", "b": "#D55E00", luck.NOBODY: "#7a7a7a"}
"""The colours of the sides in the charts."""


def headline(frame: Frame, count: int, names: Mapping[str, str], unit: str) -> str:
    """Who rolls what for, and when."""
    entry = frame.entry
    who = _who(entry.side, names)
    when = f"{unit.capitalize()} {entry.turn}" if entry.turn else "Before the first " + unit
    return (
        f"<b>{escape(when)}, roll {frame.number} of {count}:</b> "
        f"{escape(who)} {'roll' if who == 'the dice' else 'rolls'} {escape(entry.dice)} "
        f"for {escape(entry.why)}"
    )


def rolled(frame: Frame) -> str:
    """The dice, what was needed, and what came of it."""
    entry = frame.entry
    needed = ""
    if entry.target is not None:
        likely = (
            "" if frame.chance is None else f" (has a chance of {percent(min(frame.chance, 1.0))})"
        )
        needed = f", needed {entry.target}{likely}"
    success = {True: ": it succeeds", False: ": it fails", None: ""}[entry.success]
    told = f"{entry.dice} shows <b>{entry.result}</b>{needed}{success}"
    return (
        f'<div style="{SMALL}; display: flex; flex-wrap: wrap; gap: 4px 12px; '
        f'align-items: center">{dice_picture(entry, frame.number)}<span>{told}</span></div>'
    )


def ruled(frame: Frame, rules: Any) -> str:
    """The rule that asks for the roll, in words, and the house rules that bear on it."""
    found = citations.cited(frame.entry.rule)
    if not found:
        return _lines([escape(frame.entry.rule or "The log names no rule for this roll.")])
    lines = [f"<b>{escape(rule.id)}</b> {escape(rule.rule)}" for rule in found]
    bearing = [
        citations.in_words(reading, rules)
        for rule in found
        for reading in citations.house_rules(rule)
    ]
    if bearing:
        lines.append(
            f"<details><summary>{len(bearing)} house rule{'s' * (len(bearing) > 1)} bear on it"
            f"</summary>{_list(bearing)}</details>"
        )
    return _lines(lines)


def odds_moved(before: Odds, after: Odds, names: Mapping[str, str]) -> str:
    """What the roll did to the odds, of a and of all ends."""
    step = move(before, after)
    lines = [
        f"{escape(names['a'])} wins: from {_said(before, 'a')} to <b>{_said(after, 'a')}</b>"
        f" ({points(step)})"
    ]
    others = ", ".join(
        f"{_end(end, names)} {_said(after, end)}"
        for end in ENDS[1:]
        if getattr(after, end) > 0 or getattr(before, end) > 0
    )
    return _lines([*lines, escape(others)] if others else lines)


def sides(frame: Frame, names: Mapping[str, str], left: Mapping[str, str]) -> str:
    """How both sides stand, and what the roll changed: it shows with the last roll of a step."""
    shown = frame.after if frame.last else frame.before
    figures = [name for name in left if f"a.{name}" in shown]
    heads = "".join(f'<th style="{_CELL}" scope="col">{escape(names[x])}</th>' for x in "ab")
    rows = []
    for figure in figures:
        cells = []
        for x in "ab":
            now, was = shown[f"{x}.{figure}"], frame.before[f"{x}.{figure}"]
            change = f" <b>({now - was:+d})</b>".replace("-", "−") if now != was else ""
            cells.append(f'<td style="{_CELL}">{now}{change}</td>')
        rows.append(
            f'<tr><th style="{_CELL}; font-weight: normal" scope="row">{escape(left[figure])}</th>'
            f"{''.join(cells)}</tr>"
        )
    return (
        f'<table style="{SMALL}; border-collapse: collapse"><thead><tr><td></td>{heads}</tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table>"
    )


def meter(fight: Replay, upto: int, names: Mapping[str, str]) -> str:
    """The luck of the dice so far: how far they moved the odds of a, by who rolled, and the dice.

    The odds must be known up to there.
    """
    start, now = fight.odds(0), fight.odds(upto)
    sums = luck.moved(fight, upto=upto)
    bars = [
        _bar(_who(str(who), names), float(value), _COLOURS[str(who)]) for who, value in sums.items()
    ]
    told = (
        f"At the start {escape(names['a'])} won {_said(start, 'a')} of such fights; that was "
        f"decided before the first roll. The dice so far: <b>{points(move(start, now))}</b>. "
        "Bars to the right helped, to the left did harm; their ends are 100 points."
    )
    return (
        f'<div style="{SMALL}"><b>The luck of {escape(names["a"])}</b><br>{told}{"".join(bars)}'
        f"<details><summary>Dice against what was expected of them</summary>"
        f"{_list(_against(fight, upto, names))}</details></div>"
    )


def points(step: Move) -> str:
    """A move of the odds, in points of a hundred, with its 95 % interval where it was sampled.

    >>> points(Move(0.2312, 0.0)), points(Move(-0.1, 0.005)), points(Move(0, 0))
    ('+23.1 points', '−10.0 ±1.0 points', '±0.0 points')
    """
    value = 100 * step.value
    sign = "±" if abs(value) < 0.05 and not step.error else "+" if value >= 0 else "−"
    spread = f" ±{100 * NORMAL_95 * step.error:.1f}" if step.error else ""
    return f"{sign}{abs(value):.1f}{spread} points"


def _said(odds: Odds, end: str) -> str:
    share = min(max(getattr(odds, end), 0.0), 1.0)
    return percent(share, fights=odds.fights) if odds.fights else percent(share)


def _end(end: str, names: Mapping[str, str]) -> str:
    return {"b": f"{names['b']} wins", "both": "both are lost", "undecided": "undecided"}[end]


def _who(side: str, names: Mapping[str, str]) -> str:
    return names.get(side, "the dice")


def _against(fight: Replay, upto: int, names: Mapping[str, str]) -> Iterator[str]:
    for line in luck.in_words(fight, upto):
        side, comma, rest = line.partition(", ")
        yield f"{names.get(side, side)}{comma}{rest}"


def _bar(who: str, value: float, colour: str) -> str:
    """A bar from the middle of a line: to the right it helped a, to the left it did harm."""
    width = 50 * min(abs(value), 1.0)
    side = f"left: {50 if value >= 0 else 50 - width:.1f}%"
    said = f"rolls of {who}: {points(Move(value, 0.0))}"
    return (
        f'<div role="img" aria-label="{escape(said)}" style="margin: 4px 0">{escape(said)}'
        '<div style="position: relative; height: 12px; border: 1px solid #7a7a7a; '
        'border-radius: 3px; max-width: 420px">'
        f'<div style="position: absolute; top: 0; bottom: 0; {side}; width: {width:.1f}%; '
        f'background: {colour}"></div><div style="position: absolute; top: -2px; bottom: -2px; '
        'left: 50%; width: 1px; background: #7a7a7a"></div></div></div>'
    )


def _list(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul style="margin: 0; padding-left: 1.2em">{items}</ul>'


def _lines(lines: list[str]) -> str:
    return f'<div style="{SMALL}">{"<br>".join(lines)}</div>'
