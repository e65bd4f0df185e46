"""Dice as a picture: pips for d6, numbers for other dice, a sum where the faces are not known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.random import Philox

from navkit.dice import dice
from navkit.log import Entry

_PIPS = {
    1: ((2, 2),),
    2: ((1, 1), (3, 3)),
    3: ((1, 1), (2, 2), (3, 3)),
    4: ((1, 1), (1, 3), (3, 1), (3, 3)),
    5: ((1, 1), (1, 3), (2, 2), (3, 1), (3, 3)),
    6: ((1, 1), (1, 2), (1, 3), (3, 1), (3, 2), (3, 3)),
}
_SIZE = 36
_GAP = 6
MOST_DICE = 12
"""Dice that are drawn one by one; of more, only their sum is."""


def dice_picture(entry: Entry, number: int = 0) -> str:
    """The dice of a roll as SVG, with what they show in words.

    A sample draws the sum of plain dice, not their faces; then faces are drawn that add up to it,
    each way to do so as likely as with real dice, and always the same for roll `number`.

    >>> picture = dice_picture(Entry(1, "a", "damage", "2d6", (6, 2), None, 8, None, ""))
    >>> picture.count("<circle"), "2d6 shows 6, 2" in picture
    (8, True)
    """
    faces, sides = _faces(entry, number)
    if faces:
        words = f"{entry.dice} shows {', '.join(map(str, faces))}"
        shown = [_die(face, sides, place) for place, face in enumerate(faces)]
    else:
        words, shown = f"{entry.dice} shows {entry.result}", [_box(str(entry.result), 0)]
    width = len(shown) * (_SIZE + _GAP)
    return (
        f'<svg role="img" aria-label="{escape(words)}" viewBox="0 0 {width} {_SIZE + 2}" '
        f'width="{width}" height="{_SIZE + 2}" style="max-width: 100%" fill="none" '
        f'stroke="currentColor"><title>{escape(words)}</title>{"".join(shown)}</svg>'
    )


def _faces(entry: Entry, number: int) -> tuple[Sequence[int], int]:
    """The faces shown, and of how many sides the dice are; none where they aren't plain."""
    plain = re.fullmatch(r"(\d*)d(\d+)", entry.dice)
    if not plain:
        return (), 0
    count, sides = int(plain[1] or 1), int(plain[2])
    if count > MOST_DICE:
        return (), sides
    return entry.faces or faces_that_sum(count, sides, entry.result, number), sides


def faces_that_sum(count: int, sides: int, total: int, number: int) -> tuple[int, ...]:
    """Faces of so many dice that add up to `total`, every way as likely as with real dice.

    >>> faces_that_sum(3, 6, 18, 1), sum(faces_that_sum(5, 6, 17, 4))
    ((6, 6, 6), 17)
    """
    draws = Philox(key=[number, total]).random_raw(count)
    faces: list[int] = []
    for left in range(count - 1, 0, -1):
        rest = dice(f"{left}d{sides}")
        here = total - sum(faces)
        ways = np.array([rest.equal(here - face) for face in range(1, sides + 1)])
        share = int(draws[left] >> np.uint64(11)) / 2**53
        faces.append(1 + int(np.searchsorted(np.cumsum(ways / ways.sum()), share, side="right")))
    return (*faces, total - sum(faces))


def _die(face: int, sides: int, place: int) -> str:
    if sides != 6:
        return _box(str(face), place)
    left, step = place * (_SIZE + _GAP) + 1, _SIZE / 4
    pips = "".join(
        f'<circle cx="{left + x * step:g}" cy="{1 + y * step:g}" r="3.4" fill="currentColor" '
        'stroke="none"/>'
        for x, y in _PIPS[face]
    )
    return _frame(left) + pips


def _box(text: str, place: int) -> str:
    left = place * (_SIZE + _GAP) + 1
    words = (
        f'<text x="{left + _SIZE / 2:g}" y="{_SIZE / 2 + 6:g}" text-anchor="middle" '
        f'font-size="16" font-family="sans-serif" fill="currentColor" stroke="none">{text}</text>'
    )
    return _frame(left) + words


def _frame(left: int) -> str:
    return f'<rect x="{left}" y="1" width="{_SIZE}" height="{_SIZE}" rx="7" stroke-width="1.5"/>'
