"""Numbers of a ship that may be sought: which, from what to what, and a fight with one changed."""

from __future__ import annotations

from dataclasses import replace

from navkit.desk.trials import desk_of
from navkit.errors import InputError
from navkit.paths import changed, number_of
from navkit.rulebooks.desk import Sought
from navkit.scenario import Scenario


def usual_range(scenario: Scenario, path: str) -> tuple[int, int]:
    """From what to what the rulebook's desk looks for a number, as far as the ship may have it.

    Raises InputError for a number that the desk does not look for, or that the ship has not.

    >>> from navkit.rulebooks import medieval
    >>> galley = medieval.ship("Galley")
    >>> usual_range(Scenario("medieval", "board", galley, galley), "a.crew")
    (1, 20)
    """
    side, _, inside = path.partition(".")
    known = sought(scenario, inside)
    if known is None:
        usual = [f"{side}.{each.path}" for each in desk_of(scenario).sought]
        raise InputError("number without limits given", path, *usual)
    ship = getattr(scenario, side)
    now = number_of(ship, inside)
    if now is None:
        raise InputError(f"number of the {ship.name}", inside, "one that she has")
    return (
        _furthest(scenario, path, min(now, known.low), now, known.low),
        _furthest(scenario, path, max(now, known.high), now, known.high),
    )


def _furthest(scenario: Scenario, path: str, end: int, now: int, wanted: int) -> int:
    """The number nearest to `wanted` that the ship may have, from where it is."""
    if not _may_be(scenario, path, wanted):
        good, bad = now, end
        while abs(bad - good) > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if _may_be(scenario, path, middle) else (good, middle)
        return good
    return wanted


def _may_be(scenario: Scenario, path: str, value: int) -> bool:
    try:
        with_number(scenario, path, value)
    except InputError:  # the ship can't have that
        return False
    return True


def with_number(scenario: Scenario, path: str, value: int) -> Scenario:
    """The fight with a number of a ship changed."""
    side, _, inside = path.partition(".")
    ship = changed(getattr(scenario, side), inside.split("."), value, side)
    return replace(scenario, **{side: ship})


def sought(scenario: Scenario, path: str) -> Sought | None:
    """What the desk knows of a number of a ship, None if it does not look for it."""
    return next((each for each in desk_of(scenario).sought if each.path == path), None)
