"""Other values of one number on both sides: which there are, and in what order they are played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from navkit.errors import InputError
from navkit.paths import changed, number_of
from navkit.rulebooks.desk import Desk, Sought
from navkit.scenario import Scenario
from navkit.sheet.prepared import SIDES


@dataclass(frozen=True)
class Places:
    """The values of a dial on both sides, and their pairs from the scenario's own outwards."""

    sought: Sought
    at: tuple[int, int]
    values: tuple[tuple[int, ...], tuple[int, ...]]
    rings: Mapping[tuple[int, int], int]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs in the order in which they are played."""
        return sorted(self.rings, key=lambda pair: self.rings[pair])


def known_dial(desk: Desk, path: str) -> Sought | None:
    """The number that a path names, None for "". Raises InputError for an unknown one."""
    for each in desk.sought:
        if each.path == path:
            return each
    if path:
        raise InputError("dial", path, *(each.path for each in desk.sought), "")
    return None


def dialled(scenario: Scenario, desk: Desk, sought: Sought) -> Places | None:
    """The values that both ships can have; None where one of them has no such number."""
    now = [number_of(getattr(scenario, x), sought.path) for x in SIDES]
    if now[0] is None or now[1] is None:
        return None
    a, b = (dial_values(getattr(scenario, x), sought, desk.effort.steps) for x in SIDES)
    rings = {
        (one, two): max(abs(a.index(one) - a.index(now[0])), abs(b.index(two) - b.index(now[1])))
        for one in a
        for two in b
    }
    return Places(sought, (now[0], now[1]), (a, b), rings)


def with_number(ship: Any, path: str, value: int) -> Any:
    """A ship with another number there. Raises InputError for what cannot be."""
    return changed(ship, path.split("."), value, "ship")


def dial_values(ship: Any, sought: Sought, steps: int) -> tuple[int, ...]:
    """`steps` values of a number that a ship may have, its own in the middle where that fits.

    >>> from navkit.rulebooks import gurps
    >>> crew = Sought(path="crew", words="hands", low=0, high=1000)
    >>> dial_values(gurps.ship("Brig"), crew, 7)
    (14, 17, 20, 23, 26, 29, 32)
    """
    now = number_of(ship, sought.path)
    assert now is not None
    apart = max(1, round(now / (steps + 1)))
    found: list[int] = []
    for k in sorted(range(1 - steps, steps), key=abs):
        value = now + k * apart
        if len(found) == steps or not (k == 0 or sought.low <= value <= sought.high):
            continue
        try:
            with_number(ship, sought.path, value)
        except InputError:  # no room for so many
            continue
        found.append(value)
    return tuple(sorted(found))
