"""The hex map of a GURPS fight as an SVG picture: ships, arcs of fire, places in reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import sqrt

from navkit.rulebooks.gurps import hexes
from navkit.rulebooks.gurps.fleet import Fleet, Sea
from navkit.rulebooks.gurps.reach import Pose, Shot
from navkit.rulebooks.gurps.sides import SUNK
from navkit.rulebooks.gurps.table_words import name, only
from navkit.rulebooks.gurps.vessel import SIDES
from navkit.words import percent

SIDE = 24.0
"""A side of a hex, in units of the picture."""
ACROSS = SIDE * sqrt(3)
MARGIN = 2
"""Hexes shown around what must be seen."""
LEAST_WIDTH, LEAST_HEIGHT = 12, 7
"""Hexes shown at least, so that ships which lie close do not fill the picture."""
COMPASS = ("east", "northeast", "northwest", "west", "southwest", "southeast")
HULL = f"M{-0.8 * ACROSS:.1f},{-0.2 * ACROSS:.1f} L{0.35 * ACROSS:.1f},{-0.26 * ACROSS:.1f} " + (
    f"L{0.92 * ACROSS:.1f},0 L{0.35 * ACROSS:.1f},{0.26 * ACROSS:.1f} "
    f"L{-0.8 * ACROSS:.1f},{0.2 * ACROSS:.1f} Z"
)
CELL = (
    f"l{ACROSS / 2:.2f},{SIDE / 2:.0f}v{SIDE:.0f}l{-ACROSS / 2:.2f},{SIDE / 2:.0f}"
    f"l{-ACROSS / 2:.2f},{-SIDE / 2:.0f}v{-SIDE:.0f}z"
)
STYLE = """
.navkit-sea .sea{fill:var(--navkit-sea,#eef4f8)}
.navkit-sea .grid{fill:none;stroke:var(--navkit-grid,#c3d0da)}
.navkit-sea .a{fill:#0072B2;stroke:#0072B2}
.navkit-sea .b{fill:#D55E00;stroke:#D55E00}
.navkit-sea .arc{stroke:none;opacity:.2}
.navkit-sea .arc.empty{opacity:.06}
.navkit-sea .hull{stroke:var(--navkit-ink,#222);stroke-width:1.5}
.navkit-sea .b .hull{stroke-dasharray:5 2}
.navkit-sea .out{opacity:.45}
.navkit-sea .mark{fill:#fff;stroke:none;font:bold 17px sans-serif;text-anchor:middle}
.navkit-sea .gauge{fill:var(--navkit-page,#fff);stroke:var(--navkit-ink,#222);stroke-width:1}
.navkit-sea .gauge-hands{fill:#009E73;stroke:none}
.navkit-sea .gauge-hull{fill:var(--navkit-ink,#222);stroke:none}
.navkit-sea .asked{fill:none;stroke:#E69F00;stroke-width:4}
.navkit-sea .pose{cursor:pointer}
.navkit-sea .pose .spot{fill:transparent;stroke:none}
.navkit-sea .pose .arrow{fill:var(--navkit-page,#fff);stroke:var(--navkit-ink,#222)}
.navkit-sea .pose.fires .arrow{fill:#009E73}
.navkit-sea .pose.rams .arrow{fill:#CC79A7}
.navkit-sea .pose .danger{fill:none;stroke:#D55E00;stroke-width:2;stroke-dasharray:3 2}
.navkit-sea .pose .ghost{fill:none;stroke:var(--navkit-ink,#222);stroke-width:2;visibility:hidden}
.navkit-sea .pose.active .ghost{visibility:visible}
.navkit-sea .pose.active .arrow{stroke:#E69F00;stroke-width:3}
"""


def sea_picture(
    fleet: Fleet,
    sea: Sea,
    *,
    poses: Sequence[Pose] = (),
    asked: int | None = None,
    key: str = "hexes",
) -> str:
    """The map as SVG, the same for the same fight.

    Hexes in range and arc of a ship's loaded guns are shaded in the colour of its side, those of
    empty guns faintly. A ship has a bar for its hull over one for its hands. `poses` are marked
    by arrows: filled where guns of ship `asked` bear from there, ringed where an enemy's do. `key`
    tells several pictures of one page apart.
    Source: GURPS/Naval Combat, Attacks; Range.

    >>> from navkit.rulebooks.gurps import Placed, ship
    >>> from navkit.rulebooks.gurps.table_play import new_game
    >>> game = new_game(Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 6, 0, 3))
    >>> sea_picture(game.fleet, game.sea)[:5]
    '<svg '
    """
    parts = [f"<style>{STYLE}</style>"]
    afloat = [i for i, vessel in enumerate(sea.ships) if only(vessel.lost) != SUNK]
    x, y, width, height = _view(sea, poses)
    # the sea goes on beyond the view, for frames of another shape
    frame = (
        f'x="{x - width:.0f}" y="{y - height:.0f}" '
        f'width="{3 * width:.0f}" height="{3 * height:.0f}"'
    )
    parts += [
        _pattern(key),
        f'<rect class="sea" {frame}/><rect {frame} fill="url(#{key})"/>',
    ]
    for i in afloat:
        if only(sea.ships[i].lost) == 0:
            parts += _arcs(fleet, sea, i)
    parts += [_ship(fleet, sea, i, is_asked=i == asked) for i in afloat]
    parts += [_pose(each, number, fleet) for number, each in enumerate(poses)]
    words = escape("; ".join(_where(fleet, sea, i) for i in range(len(fleet))))
    box = f"{x:.0f} {y:.0f} {width:.0f} {height:.0f}"
    return (
        f'<svg class="navkit-sea" xmlns="http://www.w3.org/2000/svg" viewBox="{box}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{words}">'
        f"{''.join(parts)}</svg>"
    )


def in_words(fleet: Fleet, pose: Pose) -> str:
    """A place in reach as a line of text.

    >>> from navkit.rulebooks.gurps import Placed, ship
    >>> from navkit.rulebooks.gurps.reach import poses_in_reach
    >>> from navkit.rulebooks.gurps.table_play import new_game
    >>> game = new_game(Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 14, 0, 3))
    >>> in_words(game.fleet, poses_in_reach(game)[0])
    '1 hex, then heading northeast. No gun bears.'
    """
    hexes_ = len(pose.path)
    said = [f"{hexes_} hex{'es' * (hexes_ != 1)}, then heading {COMPASS[pose.heading]}."]
    if pose.rams is not None:
        said.append(f"Rams {name(fleet, pose.rams)}.")
    if not pose.shots:
        said.append("No gun bears.")
    said += [f"{_guns(shot)} bear on {name(fleet, shot.at)}, {_hits(shot)}." for shot in pose.shots]
    said += [
        f"{_guns(shot)} of {name(fleet, shot.by)} bear here, {_hits(shot)}."
        for shot in pose.threats
    ]
    said += [f"Alongside {name(fleet, j)}: could be boarded." for j in pose.boards]
    return " ".join(said)


def label(fleet: Fleet, i: int) -> str:
    """The mark of a ship on the map: its side, and its number among those of its side."""
    mine = [j for j in range(len(fleet)) if fleet.sides[j] == fleet.sides[i]]
    return fleet.sides[i].upper() + (str(mine.index(i) + 1) if len(mine) > 1 else "")


def _guns(shot: Shot) -> str:
    return f"{shot.guns} {shot.side} gun{'s' * (shot.guns != 1)}"


def _hits(shot: Shot) -> str:
    return f"{percent(shot.chance)} to hit"


def _where(fleet: Fleet, sea: Sea, i: int) -> str:
    vessel = sea.ships[i]
    if only(vessel.lost) == SUNK:
        return f"{name(fleet, i)} is sunk"
    heading = COMPASS[only(vessel.heading)]
    return f"{name(fleet, i)} at {only(vessel.q)}, {only(vessel.r)}, heading {heading}"


def _centre(q: float, r: float) -> tuple[float, float]:
    return ACROSS * (q + r / 2), 1.5 * SIDE * r


def _pattern(key: str) -> str:
    half = f"{ACROSS / 2:.2f}"
    lines = (
        f"M0,{-SIDE:.0f} L{half},{-SIDE / 2:.0f} V{SIDE / 2:.0f} L0,{SIDE:.0f} "
        f"L-{half},{SIDE / 2:.0f} V{-SIDE / 2:.0f} Z M0,{SIDE:.0f} V{2 * SIDE:.0f}"
    )
    box = f'x="-{half}" y="{-SIDE:.0f}" width="{ACROSS:.2f}" height="{3 * SIDE:.0f}"'
    return (
        f'<pattern id="{key}" patternUnits="userSpaceOnUse" {box} '
        f'viewBox="-{half} {-SIDE:.0f} {ACROSS:.2f} {3 * SIDE:.0f}">'
        f'<path class="grid" d="{lines}"/></pattern>'
    )


def _view(sea: Sea, poses: Sequence[Pose]) -> tuple[float, float, float, float]:
    """The part of the sea that is shown: x, y, width, height."""
    places = [(only(v.q), only(v.r), only(v.heading)) for v in sea.ships]
    places += [(pose.q, pose.r, pose.heading) for pose in poses]
    points = []
    for q, r, heading in places:
        dq, dr = (int(each) for each in hexes.STEPS[heading])
        points += [_centre(q, r), _centre(q + dq, r + dr)]
    xs, ys = zip(*points, strict=True)
    around = MARGIN * ACROSS
    left, top = min(xs) - around, min(ys) - around
    width, height = max(xs) + around - left, max(ys) + around - top
    narrow, low = max(0.0, LEAST_WIDTH * ACROSS - width), max(0.0, LEAST_HEIGHT * ACROSS - height)
    return left - narrow / 2, top - low / 2, width + narrow, height + low


def _arcs(fleet: Fleet, sea: Sea, i: int) -> Iterator[str]:
    """The hexes that each battery of a ship bears on in range."""
    vessel, ship = sea.ships[i], fleet.ship(i)
    q, r, heading = (only(each) for each in (vessel.q, vessel.r, vessel.heading))
    reach = min(ship.range, hexes.REACH)
    for side, bit, guns, loaded in zip(
        SIDES, hexes.BATTERIES.values(), ship.cannons, vessel.loaded, strict=True
    ):
        if not guns:
            continue
        cells = []
        for u in range(-reach, reach + 2):
            for v in range(-reach, reach + 1):
                far = min(hexes.distance(0, 0, u, v), hexes.distance(1, 0, u, v))
                if far <= reach and hexes.bearing(u, v) & bit:
                    dq, dr = hexes.turned(u, v, heading)
                    x, y = _centre(q + dq, r + dr)
                    cells.append(f"M{x:.1f},{y - SIDE:.1f}{CELL}")
        state = "" if only(loaded) else " empty"
        yield f'<path class="arc {fleet.sides[i]}{state}" data-side="{side}" d="{"".join(cells)}"/>'


def _ship(fleet: Fleet, sea: Sea, i: int, *, is_asked: bool) -> str:
    vessel, ship = sea.ships[i], fleet.ship(i)
    x, y = _middle(only(vessel.q), only(vessel.r), only(vessel.heading))
    turn = -60 * only(vessel.heading)
    ring = f'<path d="{HULL}" class="asked" transform="rotate({turn})"/>'
    out = " out" if only(vessel.lost) else ""
    bars = _bar(1.0 * ACROSS, only(vessel.hull) / ship.hull, "hull")
    if ship.crew:
        bars += _bar(1.0 * ACROSS + 8, only(vessel.crew) / ship.crew, "hands")
    return (
        f'<g class="ship {fleet.sides[i]}{out}" data-ship="{i}" '
        f'transform="translate({x:.1f},{y:.1f})"><title>{escape(name(fleet, i))}</title>'
        f'<path class="hull" d="{HULL}" transform="rotate({turn})"/>{ring if is_asked else ""}'
        f'<text class="mark" y="6">{label(fleet, i)}</text>{bars}</g>'
    )


def _bar(y: float, share: float, kind: str) -> str:
    y -= 0.35 * ACROSS
    frame = f'x="-20" y="{y:.1f}" height="6"'
    return (
        f'<rect class="gauge" {frame} width="40"/>'
        f'<rect class="gauge-{kind}" {frame} width="{40 * max(0.0, min(1.0, share)):.1f}"/>'
    )


def _middle(q: int, r: int, heading: int, ahead: float = 0.5) -> tuple[float, float]:
    dq, dr = (int(each) for each in hexes.STEPS[heading])
    return _centre(q + ahead * dq, r + ahead * dr)


def _pose(pose: Pose, number: int, fleet: Fleet) -> str:
    x, y = _middle(pose.q, pose.r, pose.heading, 0.64)
    back = -0.14 * ACROSS
    kinds = "pose" + " fires" * bool(pose.shots) + " rams" * (pose.rams is not None)
    ring = '<circle class="danger" r="10"/>' if pose.threats else ""
    return (
        f'<g class="{kinds}" data-pose="{number}" '
        f'transform="translate({x:.1f},{y:.1f}) rotate({-60 * pose.heading})">'
        f'<title>{escape(in_words(fleet, pose))}</title><circle class="spot" r="11"/>{ring}'
        f'<path class="arrow" d="M-6,-6 L8,0 L-6,6 L-3,0 Z"/>'
        f'<path d="{HULL}" class="ghost" transform="translate({back:.1f},0)"/></g>'
    )
