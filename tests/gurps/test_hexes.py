"""The hex map against trigonometry, breadth-first search and brute force."""

from collections import deque
from math import atan2, cos, degrees, hypot, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navkit.rulebooks.gurps import hexes

NEAR = [(u, v) for u in range(-9, 10) for v in range(-9, 10)]


def middle(q, r):
    """The middle of a hex on paper: neighbours lie 1 apart, heading 0 to the east, y upwards."""
    return q + r / 2, -r * sqrt(3) / 2


def step_on_paper(heading):
    """The neighbour in a heading, found by its direction."""
    goal = cos(heading * pi / 3), sin(heading * pi / 3)
    around = [(q, r) for q in (-1, 0, 1) for r in (-1, 0, 1)]
    return min(around, key=lambda hex_: hypot(*np.subtract(middle(*hex_), goal)))


def batteries(u, v, tolerance=1e-9):
    """Guns that bear on a hex for a ship on (0, 0) and (1, 0), by angle from the keel."""
    x, y = middle(u, v)
    angle = degrees(atan2(y, x - 0.5))
    arcs = {"left": (90, 30), "right": (-90, 30), "front": (0, 15), "back": (180, 15)}
    return {
        name
        for name, (axis, half) in arcs.items()
        if abs((angle - axis + 180) % 360 - 180) <= half + tolerance
    }


def hexes_of(q, r, heading):
    dq, dr = step_on_paper(heading)
    return [(q, r), (q + dq, r + dr)]


def names(mask):
    return {name for name, bit in hexes.BATTERIES.items() if mask & bit}


def pose_of(own, foe):
    return hexes.pose(*(tuple(np.array([x]) for x in each) for each in (own, foe)))


def test_headings():
    for heading in range(6):
        assert tuple(hexes.STEPS[heading]) == step_on_paper(heading)
        assert hexes.turned(1, 0, heading) == step_on_paper(heading)


def test_distance_by_search():
    """Breadth first from the origin over neighbours found on paper."""
    far, queue = {(0, 0): 0}, deque([(0, 0)])
    while queue:
        q, r = queue.popleft()
        if far[q, r] == 9:
            continue
        for heading in range(6):
            dq, dr = step_on_paper(heading)
            if (q + dq, r + dr) not in far:
                far[q + dq, r + dr] = far[q, r] + 1
                queue.append((q + dq, r + dr))
    assert len(far) == 1 + 6 * sum(range(10))
    for (q, r), steps in far.items():
        assert hexes.distance(0, 0, q, r) == steps
        assert hexes.distance(q - 3, r + 5, 2 * q - 3, 2 * r + 5) == steps
    beyond = [hexes.distance(0, 0, *hex_) for hex_ in NEAR if hex_ not in far]
    assert min(beyond) == 10


def test_arcs_by_angle():
    for u, v in NEAR:
        if (u, v) not in [(0, 0), (1, 0)]:
            assert names(hexes.bearing(u, v)) == batteries(u, v), (u, v)


def test_no_hex_lies_on_the_edge_of_an_arc():
    """Seen from the middle of the pair none does, so that "edges included" never matters."""
    for u in range(-60, 61):
        for v in range(-60, 61):
            assert batteries(u, v, 1e-6) == batteries(u, v, -1e-6)


def test_four_blind_gaps_of_45_degrees():
    """On a fine far circle of hexes: four covered sectors, and between them four of 45°."""
    ring = [
        (u, v)
        for u in range(-400, 401)
        for v in range(-400, 401)
        if hexes.distance(0, 0, u, v) == 400
    ]
    at = sorted((degrees(atan2(middle(u, v)[1], middle(u, v)[0] - 0.5)), u, v) for u, v in ring)
    changes, before = [], hexes.bearing(*at[-1][1:])
    for angle, u, v in at:
        now = hexes.bearing(u, v)
        if now != before:
            changes.append((angle, names(before), names(now)))
        before = now
    assert len(changes) == 8
    blind = 0.0
    for (start, _, opens), (end, closes, _) in zip(
        changes, [*changes[1:], changes[0]], strict=True
    ):
        assert opens == closes
        if not opens:
            gap = (end - start) % 360
            assert gap == pytest.approx(45, abs=0.4)
            blind += gap
    assert blind == pytest.approx(180, abs=1)


def test_range_arcs_and_alongside_of_every_near_pose():
    """Two ships of two hexes each, by brute force over their hexes on paper."""
    mine = hexes_of(0, 0, 0)
    for u, v in NEAR:
        for heading in range(6):
            theirs = hexes_of(u, v, heading)
            view = pose_of((0, 0, 0), (u, v, heading))
            gaps = {
                (x, y): hypot(*np.subtract(middle(*x), middle(*y))) for x in mine for y in theirs
            }
            steps = [hexes.distance(*x, *y) for x in mine for y in theirs]
            assert hexes.ship_range(view) == [min(steps)]
            assert hexes.gap(*[tuple(map(np.array, p)) for p in ((0, 0, 0), (u, v, heading))]) == (
                min(steps)
            )
            if min(steps):
                either = batteries(*theirs[0]) | batteries(*theirs[1])
                assert names(int(hexes.guns_bearing(view)[0])) == either
            touching = {pair for pair, gap in gaps.items() if gap == pytest.approx(1)}
            both = any(sum(x in pair for pair in touching) == 2 for x in mine + theirs)
            abreast = heading in (0, 3) and min(steps) == 1 and both
            assert hexes.is_abreast(view) == [abreast]


def test_how_many_places_lie_alongside():
    """Parallel or opposed, each at two offsets along either side."""
    found = [
        (u, v, heading)
        for u, v in NEAR
        for heading in range(6)
        if hexes.is_abreast(pose_of((0, 0, 0), (u, v, heading)))
    ]
    assert len(found) == 8
    assert all(v in (-1, 1) for _, v, _ in found)
    assert {heading for *_, heading in found} == {0, 3}


ships = st.tuples(st.integers(-20, 20), st.integers(-20, 20), st.integers(0, 5))


@given(own=ships, foe=ships, sixths=st.integers(0, 5), by=st.tuples(*[st.integers(-50, 50)] * 2))
@settings(max_examples=300, derandomize=True, deadline=None, database=None)
def test_a_view_does_not_change_when_both_are_turned_and_moved(own, foe, sixths, by):
    def elsewhere(ship):
        q, r = hexes.turned(ship[0], ship[1], sixths)
        return q + by[0], r + by[1], (ship[2] + sixths) % 6

    assert pose_of(own, foe) == pose_of(elsewhere(own), elsewhere(foe))


@given(own=ships, foe=ships)
@settings(max_examples=300, derandomize=True, deadline=None, database=None)
def test_a_view_by_angles_seen_from_any_heading(own, foe):
    """Bearing of each hex of the other, less one's own heading, on paper."""
    if hexes.distance(own[0], own[1], foe[0], foe[1]) > 20:
        return
    centre = np.mean([middle(*hex_) for hex_ in hexes_of(*own)], axis=0)
    seen = set()
    for hex_ in hexes_of(*foe):
        x, y = np.subtract(middle(*hex_), centre)
        angle = degrees(atan2(y, x)) - 60 * own[2]
        for name, axis, half in (
            ("left", 90, 30),
            ("right", -90, 30),
            ("front", 0, 15),
            ("back", 180, 15),
        ):
            if abs((angle - axis + 180) % 360 - 180) <= half + 1e-9:
                seen.add(name)
    assert names(int(hexes.guns_bearing(pose_of(own, foe))[0])) == seen


@given(own=ships, foe=ships)
@settings(max_examples=300, derandomize=True, deadline=None, database=None)
def test_range_and_alongside_are_mutual(own, foe):
    there, back = pose_of(own, foe), pose_of(foe, own)
    if hexes.gap(tuple(map(np.array, own)), tuple(map(np.array, foe))) <= hexes.LONGEST_RANGE:
        assert hexes.ship_range(there) == hexes.ship_range(back)
    assert hexes.is_abreast(there) == hexes.is_abreast(back)


@given(
    foe=st.tuples(st.integers(-1100, 1100), st.integers(-1100, 1100), st.integers(0, 5)),
    heading=st.integers(0, 5),
)
@settings(max_examples=500, derandomize=True, deadline=None, database=None)
def test_nothing_beyond_the_tables_is_in_range(foe, heading):
    own = (0, 0, heading)
    true = hexes.gap(tuple(map(np.array, own)), tuple(map(np.array, foe)))
    found = hexes.ship_range(pose_of(own, foe))[0]
    if true <= hexes.LONGEST_RANGE:
        assert found == true
    else:
        assert found > hexes.LONGEST_RANGE
