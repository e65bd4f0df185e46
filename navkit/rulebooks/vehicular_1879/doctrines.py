"""What a side means to do: its maneuver, its aim, and how it spends surplus successes and Karma."""

from __future__ import annotations

from dataclasses import dataclass

from navkit.errors import InputError
from navkit.rulebooks.vehicular_1879 import tables

SURPLUS = ("one", "spread", "criticals")
KARMA = ("none", "attack", "damage")
RANGE = ("hold", "close", "open")


@dataclass(frozen=True, kw_only=True)
class Doctrine:
    """Standing orders of a captain for a fight.

    `maneuver` and `officer` name a Vehicle Maneuver and an Officer Maneuver of the supplement
    ("" for none), tried every turn; `reaction` an Officer Maneuver used where one may react.
    `called` is what shots are called on ("" for none), `armament` the battery that called shots
    on Armament mean ("" for the first). `surplus` is where successes over the number of weapons
    go: all on "one" Damage Test, "spread" evenly, or for the most "criticals" on average. `karma`
    is what a commander spends his point of the turn on. `range` is where he moves the range to
    when he may.
    Raises InputError for an order that is none.
    Source: 1879: Vehicular Combat Preview, Declare Maneuvers; Determine Unit Attack Rating.

    >>> Doctrine(called="speed").surplus
    'one'
    """

    maneuver: str = ""
    officer: str = ""
    reaction: str = ""
    called: str = ""
    armament: str = ""
    surplus: str = "one"
    karma: str = "none"
    range: str = "hold"

    def __post_init__(self) -> None:
        if self.called not in ("", *tables.CALLED):
            raise InputError("called shot", self.called, "", *tables.CALLED)
        allowed = {"surplus": SURPLUS, "karma": KARMA, "range": RANGE}
        for name, options in allowed.items():
            if getattr(self, name) not in options:
                raise InputError(name, getattr(self, name), *options)

    @classmethod
    def of(cls, what: str, doctrine: Doctrine | None) -> Doctrine:
        """`doctrine`, or the default for None; InputError for anything else."""
        if doctrine is None:
            return cls()
        if not isinstance(doctrine, cls):
            raise InputError(what, doctrine, "None or a vehicular_1879.Doctrine")
        return doctrine
