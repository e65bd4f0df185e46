"""Captains: named doctrines for who plays a ship when nobody chooses.

Where to steer is a table by pose (see `hexes`): how good it is to lie so to the nearest enemy, if
it stood still, with so many hexes left to move. A captain looks ahead to the end of his own move
and takes the best next hex, or stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from navkit.chance import Array
from navkit.errors import InputError, not_blank, number, truth
from navkit.rulebooks.gurps import hexes
from navkit.rulebooks.gurps.ships import Ship

Lent = Literal["gunnery", "navigation"]
AHEAD = 8
"""Hexes that a captain looks ahead; with more left he thinks of these."""
DEAREST = 1_000.0
"""The most that anything is worth to a captain, either way."""
RAMMED = 1_000.0
REFUSED = -1e6


@dataclass(frozen=True)
class Captain:
    """A doctrine. These are this project's own: the document leaves it to the players.

    What a place is worth: `fire` for each gun that bears, `cover` for each enemy gun that does
    not, `near` for each hex closer (below 0: farther), `keep` for each hex that the range differs
    from that of the guns, `alongside` for lying abreast. `boards` and `rams` tell what he starts,
    `leaves` whether he breaks off a boarding in which he has fewer hands. `lend` is the post that
    gets the tactician's points outside boarding, `saves_masts` whether the navigator gives up
    points for masts, `reloads_first` whether hands reload before they fire.
    Raises InputError for what cannot be.

    >>> Captain("hangs on", fire=0.5, near=1.0, lend="gunnery").near
    1.0
    >>> Captain("cooks", lend="cook")
    Traceback (most recent call last):
        ...
    navkit.errors.InputError: lend: got 'cook', allowed are 'None', 'gunnery', 'navigation'
    """

    name: str
    fire: float = 0.0
    cover: float = 0.0
    near: float = 0.0
    keep: float = 0.0
    alongside: float = 0.0
    boards: bool = False
    rams: bool = False
    leaves: bool = True
    lend: Lent | None = None
    saves_masts: bool = False
    reloads_first: bool = False

    def __post_init__(self) -> None:
        not_blank("name", self.name)
        for name in ("fire", "cover", "near", "keep", "alongside"):
            number(name, getattr(self, name), -DEAREST, DEAREST)
        for name in ("boards", "rams", "leaves", "saves_masts", "reloads_first"):
            truth(name, getattr(self, name))
        if self.lend is not None and self.lend not in get_args(Lent):
            raise InputError("lend", self.lend, "None", *get_args(Lent))

    @property
    def chase(self) -> float:
        """What each hex of distance is worth far off, where he only closes in, or runs."""
        return 0.01 if self.near < 0 else -0.01


CAPTAINS = {
    each.name: each
    for each in (
        Captain("stand off and fire", fire=1.0, cover=0.4, keep=0.6, lend="gunnery"),
        Captain(
            "close and board",
            fire=0.1,
            near=2.0,
            alongside=60.0,
            boards=True,
            leaves=False,
            lend="navigation",
        ),
        Captain("ram", fire=0.1, near=3.0, rams=True, boards=True, lend="navigation"),
        Captain("rake from the stern", fire=1.0, cover=1.5, near=0.3, lend="gunnery"),
        Captain("run", near=-3.0, cover=0.5, lend="navigation", saves_masts=True),
    )
}
"""The ready doctrines, by name."""


def captain(name: str | Captain) -> Captain:
    """A ready captain by name; one of your own passes through.

    >>> captain("ram").rams
    True
    """
    if isinstance(name, Captain):
        return name
    if name not in CAPTAINS:
        raise InputError("captain", name, *CAPTAINS)
    return CAPTAINS[name]


@lru_cache(maxsize=64)
def worth(captain: Captain, own: Ship, foe: Ship) -> Array:
    """What each pose is worth to a captain, by hexes left to move (0 to AHEAD) and pose."""
    size = 2 * hexes.REACH + 1
    turn, u, v = np.indices((6, size, size))
    seen = turn, u, v
    back = _seen_from_the_other(turn, u - hexes.REACH, v - hexes.REACH)
    far = hexes.ship_range(seen)
    still = (
        captain.fire * _guns(own, seen)
        - captain.cover * _guns(foe, back)
        - captain.near * far
        - captain.keep * abs(far - own.range)
        + captain.alongside * hexes.is_abreast(seen)
    )
    values = [still]
    ahead = _after_one_hex(turn, u - hexes.REACH, v - hexes.REACH)
    hits = _occupied_ahead(turn, u - hexes.REACH, v - hexes.REACH)
    for _ in range(AHEAD):
        onward = [np.where(far[to] == 0, REFUSED, values[-1][to]) for to in ahead]
        best = np.maximum.reduce(onward)
        moved = np.where(hits, RAMMED if captain.rams else REFUSED, best)
        values.append(np.maximum(still, moved - 0.001))
    return np.stack(values)


def _guns(ship: Ship, seen: tuple[Array, ...]) -> Array:
    """Guns of a ship that bear on a pose in range, of the best battery that does."""
    bears = np.where(hexes.ship_range(seen) <= ship.range, hexes.guns_bearing(seen), 0)
    pairs = zip(hexes.BATTERIES.values(), ship.cannons, strict=True)
    return np.maximum.reduce([np.where(bears & bit, guns, 0) for bit, guns in pairs])


def _seen_from_the_other(turn: Array, u: Array, v: Array) -> tuple[Array, ...]:
    """The pose in which the other ship sees this one."""
    zero = np.zeros_like(u)
    return hexes.pose((u, v, turn), (zero, zero, zero))


def _after_one_hex(turn: Array, u: Array, v: Array) -> list[tuple[Array, ...]]:
    """The poses after one hex ahead and a turn to the left, none, and one to the right."""
    one, zero = np.ones_like(u), np.zeros_like(u)
    return [hexes.pose((one, zero, zero + left), (u, v, turn)) for left in (1, 0, 5)]


def _occupied_ahead(turn: Array, u: Array, v: Array) -> Array:
    """Whether the hex before the bow is one of the other ship's."""
    step = hexes.STEPS[turn]
    return ((u == 2) & (v == 0)) | ((u + step[..., 0] == 2) & (v + step[..., 1] == 0))
