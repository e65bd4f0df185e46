"""Who commands a vehicle, who succeeds him, and how many Officer Maneuvers he has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navkit.errors import InputError, not_blank, whole
from navkit.rulebooks.vehicular_1879 import tables

KINDS = ("ship", "airship", "train", "kettle")
LARGEST_RANK = 100


@dataclass(frozen=True, kw_only=True)
class Officer:
    """Someone in a position, with his rank in the Crew skill of such vehicles, and his deck.

    `professional` is his Professional Rating, for actions of his own.
    Source: 1879: Vehicular Combat Preview, Vehicle Ratings; Crew Positions.

    >>> from navkit.rulebooks.vehicular_1879 import Officer, ship
    >>> veteran = Officer(position="Captain", rank=8)
    >>> ship("Paddle gunboat", officers=(veteran,)).captain_rank
    8
    """

    position: str
    rank: int = 0
    deck: str = ""
    professional: int = 0

    def __post_init__(self) -> None:
        not_blank("position", self.position)
        whole("rank", self.rank, 0, LARGEST_RANK)
        whole("professional", self.professional, 0, LARGEST_RANK)


ORDER = {
    "ship": ("Captain", "First Mate", "Second Mate", "Third Mate"),
    "airship": ("Captain",),
    "kettle": ("Commander", "Driver"),
    "train": ("Driver", "Conductor", "Senior Guard", "Mechanic"),
}
"""Who stands first in command, by kind of vehicle; others follow as they are listed."""

WATCHES = {
    "First Mate": {"large": "primary", "small": "alternate"},
    "Second Mate": {"large": "alternate"},
}

DUTIES = {
    "First Mate": (
        "succeeds a captain who cannot act",
        "quartermaster, navigator, gunner or other posts on small vessels",
    ),
    "Second Mate": (
        "navigator, master-at-arms, carpenter, bosun or other posts as needed",
        "trains the crew in safety",
        "keeps the safety equipment",
        "leads damage control teams",
    ),
    "Third Mate": ("lets the deck crew stand three watches on the largest vessels",),
}


def chain_of_command(kind: str, positions: tuple[str, ...]) -> tuple[str, ...]:
    """Positions in the order in which they succeed to command.

    Ships: Captain, then the mates in sequence; kettles: commander, driver; trains: driver, then
    the conductor before a senior guard, then the mechanic; airships: as listed. Others follow as
    they are listed (VA-05).
    Raises InputError for another kind of vehicle.
    Source: 1879: Vehicular Combat Preview, Captain's Mates.

    >>> chain_of_command("train", ("Stoker", "Mechanic", "Driver", "Senior Guard"))
    ('Driver', 'Senior Guard', 'Mechanic', 'Stoker')
    """
    if kind not in KINDS:
        raise InputError("kind", kind, *KINDS)
    first = [position for position in ORDER[kind] if position in positions]
    return (*first, *(position for position in positions if position not in first))


def acting(kind: str, officers: Sequence[Officer], out: Sequence[str] = ()) -> Officer | None:
    """The first in the chain of command who is not out; None if nobody is left.

    Source: 1879: Vehicular Combat Preview, Captain's Mates.

    >>> crew = [Officer(position=name) for name in ("Captain", "Pilot", "Engineer", "Gunner")]
    >>> acting("airship", crew, out=("Captain", "Pilot")).position
    'Engineer'
    """
    by_position = {officer.position: officer for officer in officers}
    for position in chain_of_command(kind, tuple(by_position)):
        if position not in out:
            return by_position[position]
    return None


def watch(position: str, size: str) -> str:
    """Which watch a mate leads on a "large" or a "small" vessel; "" for none that is told.

    Source: 1879: Vehicular Combat Preview, Captain's Mates.

    >>> watch("First Mate", "large"), watch("First Mate", "small")
    ('primary', 'alternate')
    """
    if size not in ("large", "small"):
        raise InputError("size", size, "large", "small")
    return WATCHES.get(position, {}).get(size, "")


def duties(position: str) -> tuple[str, ...]:
    """What a mate does besides leading a watch; other positions are not printed.

    Raises InputError for a position that the preview does not describe.
    Source: 1879: Vehicular Combat Preview, Captain's Mates.

    >>> duties("Third Mate")
    ('lets the deck crew stand three watches on the largest vessels',)
    """
    if position not in DUTIES:
        raise InputError("position", position, *DUTIES)
    return DUTIES[position]


def officer_maneuvers(rank: int) -> int:
    """Officer Maneuvers a turn of a captain with so many ranks: one for every 4.

    Free ones come on top (VA-03).
    Source: 1879: Vehicular Combat Preview, Vehicle Ratings.

    >>> [officer_maneuvers(rank) for rank in (3, 4, 7, 8, 12)]
    [0, 1, 1, 2, 3]
    """
    return whole("rank", rank, 0, 1000) // tables.RANKS_PER_OFFICER_MANEUVER


def officers_left(rank: int, used: int) -> int:
    """Officer Maneuvers left to a captain after `used` counted ones, also his predecessor's.

    Source: 1879: Vehicular Combat Preview, Vehicle Ratings; VA-03.

    >>> officers_left(8, 1), officers_left(4, 2)
    (1, 0)
    """
    return max(0, officer_maneuvers(rank) - whole("used", used, 0, 1000))
