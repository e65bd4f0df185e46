"""The log of a single fight: what was rolled, by whom, for what, and which rule asked for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from navkit.chance import Array
from navkit.dice import Distribution


class Roller(Protocol):
    """Who rolls: the turn it is, and the side that acts."""

    turn: int
    side: str


@dataclass(frozen=True)
class Entry:
    """One roll of a single fight, as the log tells it.

    `faces` is empty where only the total is known; `target` and `success` are None where nothing
    was to be reached.
    """

    turn: int
    side: str
    why: str
    dice: str
    faces: tuple[int, ...]
    target: int | None
    result: int
    success: bool | None
    rule: str


def dice_entries(
    luck: Roller,
    known: Sequence[Distribution],
    totals: Sequence[Array],
    sides: Sequence[str],
    why: str,
    rule: str,
    target: Array | int | None,
    result: Array,
    faces: Sequence[tuple[int, ...]] = (),
) -> list[Entry]:
    """What the log tells of a roll from a family of dice: an entry for each of the dice."""
    aim = None if target is None else only_value(target)
    success = None if target is None else only_value(result) > 0
    return [
        Entry(
            luck.turn,
            sides[place] if sides else luck.side,
            why,
            known[place].name,
            faces[place] if faces else (),
            aim,
            only_value(total),
            success,
            rule,
        )
        for place, total in enumerate(totals)
    ]


def faces_entry(
    luck: Roller, sides: int, faces: tuple[int, ...], result: Array, why: str, rule: str
) -> Entry:
    """The entry of a roll of several dice whose faces matter."""
    name = f"{len(faces)}d{sides}"
    return Entry(luck.turn, luck.side, why, name, faces, None, only_value(result), None, rule)


def only_value(value: Array | int) -> int:
    """The value of the only row."""
    (only,) = np.ravel(value).tolist()
    return int(only)
