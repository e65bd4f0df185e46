"""The hex map: two-hex ships, headings, bearings and arcs, all in whole numbers.

Hexes are axial pairs (q, r). Heading h points 60°·h counterclockwise from the direction of
growing q. A ship is its back hex and its heading; the front hex is the next one on. What one ship
sees of another is a pose: where the other's back hex lies, and how it heads, with one's own back
hex at the origin and one's own heading 0. Everything about range and arcs is a table by pose.

>>> distance(0, 0, 2, 1)
3
>>> [name for name, bit in BATTERIES.items() if bearing(2, -4) & bit]
['left']
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from navkit.chance import Array

STEPS = np.array([(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)], dtype=np.int32)
"""The neighbour of a hex in each heading."""
STEP_Q, STEP_R = np.ascontiguousarray(STEPS.T)
BATTERIES = {"left": 1, "right": 2, "front": 4, "back": 8}
"""The guns of a ship by side, as bits of a mask of those that bear."""
REACH = 24
"""Poses are tabulated up to this many hexes away; nothing further off is in range."""
LONGEST_RANGE = REACH - 3
"""The longest range of guns on the map: ships on the rim of the tables are a hex further off."""


def distance(q1: Any, r1: Any, q2: Any, r2: Any) -> Any:
    """Hexes from one hex to another."""
    dq, dr = q2 - q1, r2 - r1
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def turned(q: Any, r: Any, sixths: int) -> tuple[Any, Any]:
    """The hex after a rotation about the origin by 60° counterclockwise, `sixths` times.

    >>> turned(1, 0, 1), turned(1, 0, 3)
    ((1, -1), (-1, 0))
    """
    for _ in range(sixths % 6):
        q, r = q + r, -q
    return q, r


def bearing(u: int, v: int) -> int:
    """Which guns of a ship at the origin, heading 0, bear on hex (u, v): a mask of BATTERIES.

    Angles are seen from the middle of the ship's two hexes. Broadsides cover 30° to each side of
    the beam, bow and stern guns 15° to each side of the keel, edges included: between them lie
    four blind gaps of 45° (GA-65).
    Source: GURPS/Naval Combat, Attacks.
    """
    # twice the way from the middle of (0, 0) and (1, 0), as x and as y·√3
    q, r = 2 * u - 1, 2 * v
    x, y = 2 * q + r, -r
    if abs(x) <= y:
        return BATTERIES["left"]
    if abs(x) <= -y:
        return BATTERIES["right"]
    # |y|·√3 ≤ |x|·tan 15°, and tan 15° = 2 − √3
    if 3 * (abs(x) + abs(y)) ** 2 <= 4 * x * x:
        return BATTERIES["front"] if x > 0 else BATTERIES["back"]
    return 0


@lru_cache(maxsize=1)
def _tables() -> tuple[Array, Array, Array]:
    """By pose (turn, u + REACH, v + REACH): range in hexes, guns that bear, whether abreast."""
    size = 2 * REACH + 1
    far, bears, abreast = (np.zeros((6, size, size), dtype=np.int32) for _ in range(3))
    for u in range(-REACH, REACH + 1):
        for v in range(-REACH, REACH + 1):
            for turn in range(6):
                dq, dr = STEPS[turn]
                theirs = [(u, v), (u + dq, v + dr)]
                gaps = [[distance(x, 0, *hex_) for hex_ in theirs] for x in (0, 1)]
                at = turn, u + REACH, v + REACH
                far[at] = min(map(min, gaps))
                bears[at] = bearing(*theirs[0]) | bearing(*theirs[1])
                abreast[at] = turn % 3 == 0 and far[at] == 1 and 2 in _touches(gaps)
    return far, bears, abreast


def _touches(gaps: list[list[int]]) -> list[int]:
    """For each hex of the two ships, how many hexes of the other it touches."""
    rows = [[gap == 1 for gap in row] for row in gaps]
    return [sum(row) for row in rows] + [sum(column) for column in zip(*rows, strict=True)]


def pose(own: tuple[Array, Array, Array], foe: tuple[Array, Array, Array]) -> tuple[Array, ...]:
    """What one ship (back q, back r, heading) sees of another, as an index of the tables.

    Beyond REACH a pose lies on the rim, in about the right direction.
    """
    (q, r, heading), (foe_q, foe_r, foe_heading) = own, foe
    dq, dr = foe_q - q, foe_r - r
    u = _U_OF_Q[heading] * dq + _U_OF_R[heading] * dr
    v = _V_OF_Q[heading] * dq + _V_OF_R[heading] * dr
    furthest = np.maximum(abs(u), abs(v))
    if furthest.max(initial=0) > REACH:
        scale = np.maximum(furthest, REACH)
        u, v = u * REACH // scale, v * REACH // scale
    return _LESS[foe_heading, heading], u + REACH, v + REACH


# entries of the matrix that turns a ship of each heading to heading 0
_U_OF_Q, _V_OF_Q = np.array([turned(1, 0, -h) for h in range(6)], dtype=np.int32).T.copy()
_U_OF_R, _V_OF_R = np.array([turned(0, 1, -h) for h in range(6)], dtype=np.int32).T.copy()
_LESS = np.array([[(x - y) % 6 for y in range(6)] for x in range(6)], dtype=np.int32)


def gap(own: tuple[Array, Array, Array], foe: tuple[Array, Array, Array]) -> Array:
    """Hexes between the nearest hexes of two ships, however far apart."""
    ends = [[(q, r), (q + STEP_Q[heading], r + STEP_R[heading])] for q, r, heading in (own, foe)]
    far = [distance(*mine, *theirs) for mine in ends[0] for theirs in ends[1]]
    return np.minimum.reduce(np.broadcast_arrays(*far))


def ship_range(pose: tuple[Array, ...]) -> Array:
    """Hexes between the nearest hexes of two ships, as far as REACH; 0 where they share one."""
    return _tables()[0][pose]


def guns_bearing(pose: tuple[Array, ...]) -> Array:
    """The mask of batteries that bear on either hex of the other ship."""
    return _tables()[1][pose]


def is_abreast(pose: tuple[Array, ...]) -> Array:
    """Whether two ships lie alongside: keels parallel or opposed, a hex of one touching both
    hexes of the other (GA-10)."""
    return _tables()[2][pose] > 0
