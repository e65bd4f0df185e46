"""Crew points that change ships: captures, reoccupation, and rescue from ships that are lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from navkit.chance import Array, Chance
from navkit.errors import InputError, truth, whole
from navkit.rulebooks.medieval import tables
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.rolls import at_least
from navkit.rulebooks.medieval.ships import Ship, known_fleet, known_ship

Purpose = Literal["capture", "evacuation"]

# Rules on arrays


def must_keep(purpose: Purpose, rules: HouseRules) -> int:
    """Crew points that a ship must keep when it sends some over: 1 for a prize, else none.

    The document sets no limit, and an evacuation must be able to empty a ship (MA-29).
    Source: Medieval Naval Wargame Rules, Captures and Rescues.
    """
    match rules.transfer:
        case "no limit":
            return 0
        case "always keep one":
            return 1
        case _:
            return 1 if purpose == "capture" else 0


def to_send(crew: Array, wanted: Array | int, purpose: Purpose, rules: HouseRules) -> Array:
    """The crew points that go over: as many as wanted, as far as the giver may.

    Source: Medieval Naval Wargame Rules, Captures and Rescues.
    """
    return np.clip(wanted, 0, np.maximum(crew - must_keep(purpose, rules), 0))


def may_be_taken(crew: Array, in_contact: Array) -> Array:
    """Whether a ship may be captured: no crew left, and an attacker still in contact.

    Source: Medieval Naval Wargame Rules, Captures and Rescues.
    """
    return (crew == 0) & (np.asarray(in_contact) > 0)


def may_reoccupy(crew: Array, transfer_begun: Array, turns_empty: Array) -> Array:
    """Whether another crew of the former owner may man an empty ship again (MA-30).

    It may once the attackers have passed their opportunity up: when they have begun no transfer in
    the turn after the ship was emptied; then whoever begins first has it (MA-31).
    Source: Medieval Naval Wargame Rules, Captures and Rescues.
    """
    return (crew == 0) & ~np.asarray(transfer_begun, dtype=bool) & (np.asarray(turns_empty) > 1)


def rescuer_catches_fire(
    burning: Array, begun_before: Array, chance: Chance, rules: HouseRules
) -> Array:
    """Whether a ship that takes people off a burning one catches fire in this turn: on a 6.

    One die an evacuation (`begun_before`: it was rolled in an earlier turn), or one each turn.
    Contact for rescue is no collision and needs no other die (MA-35).
    Source: Medieval Naval Wargame Rules, Captures and Rescues.
    """
    first = ~np.asarray(begun_before, dtype=bool)
    rolls = np.asarray(burning, dtype=bool) & (first | (rules.fire_rescue == "each turn"))
    why = "rescuer catches fire"
    return at_least(chance, tables.RESCUER_BURNS, among=rolls, why=why, rule="M-36")


# Whole ships


@dataclass(frozen=True)
class Capture:
    """A prize and the ships that manned it, after the turn of the transfer.

    None of them may start a combat, grapple, ram or shoot in that turn; they may strike back and
    cut (MA-32).
    """

    prize: Ship
    givers: tuple[Ship, ...]


def capture(
    prize: Ship,
    givers: Sequence[Ship],
    points: Sequence[int],
    *,
    rules: HouseRules | None = None,
) -> Capture:
    """A ship without crew, manned by crew points of ships in contact with it.

    The points are lost to the givers; the prize's tally has all others of its 20 crossed off, so
    it counts as half lost below 10. Several ships of one side may man it, 20 points in all
    (MA-27). It is captured at the end of the turn (MA-28), is nobody's flagship (MA-23), and the
    old owner tells its state: everything else of the ship stays as it is. The former owner mans
    his ship again by the same function.
    Raises InputError for a prize with crew, for points a giver may not send, and for more than 20.
    Source: Medieval Naval Wargame Rules, Captures and Rescues.

    >>> taken = capture(Ship("Cog", crew=0, flagship=True), [Ship("Dromon", crew=12)], [5])
    >>> taken.prize.crew, taken.prize.flagship, taken.givers[0].crew
    (5, False, 7)
    """
    rules = HouseRules.of(rules)
    if known_ship("prize", prize).crew:
        raise InputError("crew of the prize", prize.crew, "0: others must be overcome first")
    sent = _sent(known_fleet("givers", givers), points, "capture", rules)
    total = whole("points sent over in all", sum(sent), 1, tables.FULL_CREW)
    return Capture(
        replace(prize, crew=total, flagship=False),
        tuple(replace(g, crew=g.crew - n) for g, n in zip(givers, sent, strict=True)),
    )


@dataclass(frozen=True)
class Rescue:
    """A ship that was left, and those that took its people aboard.

    `passengers` are points beyond the 20 that fight in a ship, by its name.
    """

    left: Ship
    rescuers: tuple[Ship, ...]
    passengers: Mapping[str, int]


def evacuate(
    ship: Ship,
    rescuers: Sequence[Ship],
    points: Sequence[int],
    *,
    afloat: bool = True,
    rules: HouseRules | None = None,
) -> Rescue:
    """The crew of a ship that sinks or burns, taken off by friends in contact with it.

    It takes the whole turn, and counts if the ship is still `afloat` at the end of it (MA-33);
    else its people are lost. A rescuer fights with 20 points at most; the rest are passengers
    (MA-34). For fire see `rescuer_catches_fire`. Raises InputError for points that can't be sent.
    Source: Medieval Naval Wargame Rules, Captures and Rescues.

    >>> saved = evacuate(Ship("Knorr", crew=12), [Ship("Cog", crew=15)], [12])
    >>> saved.left.crew, saved.rescuers[0].crew, saved.passengers["Cog"]
    (0, 20, 7)
    """
    rules = HouseRules.of(rules)
    friends = known_fleet("rescuers", rescuers)
    crew = known_ship("ship", ship).crew
    if len(points) != len(friends):
        raise InputError("points", list(points), f"a number for each of {len(friends)} ships")
    taken = [whole(f"points to {f.name}", n, 0, crew) for f, n in zip(friends, points, strict=True)]
    most = crew - must_keep("evacuation", rules)
    whole("points taken off in all", sum(taken), 0, most)
    truth("afloat", afloat)
    if not afloat:
        return Rescue(replace(ship, crew=0), friends, {friend.name: 0 for friend in friends})
    together = [friend.crew + n for friend, n in zip(friends, taken, strict=True)]
    return Rescue(
        replace(ship, crew=crew - sum(taken)),
        tuple(
            replace(friend, crew=min(total, tables.FULL_CREW))
            for friend, total in zip(friends, together, strict=True)
        ),
        {
            friend.name: max(0, total - tables.FULL_CREW)
            for friend, total in zip(friends, together, strict=True)
        },
    )


def _sent(
    givers: Sequence[Ship], points: Sequence[int], purpose: Purpose, rules: HouseRules
) -> list[int]:
    if len(points) != len(givers):
        raise InputError("points", list(points), f"a number for each of {len(givers)} ships")
    keep = must_keep(purpose, rules)
    return [
        whole(f"points of {giver.name}", number, 0, max(0, giver.crew - keep))
        for giver, number in zip(givers, points, strict=True)
    ]
