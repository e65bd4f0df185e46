"""What players decide: how a ship is handled, and how her boarders fight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from navkit.errors import InputError, truth, whole

Aim = Literal["unit", "character"]
BreaksOff = Literal["never", "after a won round"]
Prize = Literal["capture", "scuttle", "leave"]
Handling = Literal["close", "ram", "ram and board", "hold"]


@dataclass(frozen=True, kw_only=True)
class Boarders:
    """How a side fights a boarding.

    `order` is the sequence in which its units fight, by their places in the ship's troops (units
    left out follow in theirs); both sides write it down before. `challenges` and `accepts` tell
    whether its characters issue challenges and take them up, `aim` whether blows outside
    challenges go to the enemy unit or its character. `breaks_off` is when it leaves off after
    winning a round, `prize` what it does with a ship it has cleared.
    Raises InputError for what cannot be.
    Source: Sea Battles, Fighting aboard ships; Who can fight?; Combat results.

    >>> Boarders(breaks_off="sometimes")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: breaks_off: got 'sometimes', allowed are 'never', 'after a won round'
    """

    order: tuple[int, ...] = ()
    challenges: bool = True
    accepts: bool = True
    aim: Aim = "unit"
    breaks_off: BreaksOff = "never"
    prize: Prize = "capture"

    def __post_init__(self) -> None:
        if not isinstance(self.order, tuple) or len(set(self.order)) < len(self.order):
            raise InputError("order", self.order, "places of units, each once")
        for place in self.order:
            whole("place of a unit", place, 0, 100)
        for what in ("challenges", "accepts"):
            truth(what, getattr(self, what))
        for what, value, allowed in (
            ("aim", self.aim, get_args(Aim)),
            ("breaks_off", self.breaks_off, get_args(BreaksOff)),
            ("prize", self.prize, get_args(Prize)),
        ):
            if value not in allowed:
                raise InputError(what, value, *allowed)


@dataclass(frozen=True, kw_only=True)
class Doctrine:
    """How a ship is handled in a battle on the plan.

    `handling`: "close" steers at the nearest enemy until within `keep` centimetres and lies there;
    "ram" and "ram and board" go on into contact; "hold" gives no orders. `gear` is what a ship
    with both moves by.
    Raises InputError for what cannot be.
    Source: this project's own; Sea Battles leaves it to the players.

    >>> Doctrine(handling="ram").keep
    12
    """

    handling: Handling = "close"
    keep: int = 12
    gear: Literal["sails", "oars"] = "sails"
    boarders: Boarders = Boarders()

    def __post_init__(self) -> None:
        if self.handling not in get_args(Handling):
            raise InputError("handling", self.handling, *get_args(Handling))
        whole("keep", self.keep, 1, 200)
        if self.gear not in ("sails", "oars"):
            raise InputError("gear", self.gear, "sails", "oars")
        if not isinstance(self.boarders, Boarders):
            raise InputError("boarders", self.boarders, "a sea_battles.Boarders")
