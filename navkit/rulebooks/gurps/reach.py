"""Where a ship may go this turn, and who can fire at whom from there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from navkit.chance import Array
from navkit.dice import dice
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.fleet import Fleet, Sea
from navkit.rulebooks.gurps.grappling import can_board
from navkit.rulebooks.gurps.gunfire import guns_on, highest_roll
from navkit.rulebooks.gurps.steering import TURNS, is_shut, may_move, may_ram, moved
from navkit.rulebooks.gurps.table_play import Game
from navkit.rulebooks.gurps.table_words import only
from navkit.rulebooks.gurps.vessel import SIDES, bow, covers
from navkit.state import flatten, rebuild


@dataclass(frozen=True)
class Shot:
    """Guns of the battery `side` of ship `by` that bear on ship `at`, and their chance to hit."""

    by: int
    at: int
    side: str
    guns: int
    chance: float


@dataclass(frozen=True)
class Pose:
    """A place in reach: the back hex, the heading, and the turning at each hex of the way.

    `shots` are those that the ship has from there with the guns it can fire now, `threats` those
    that its enemies have at it. `rams` is the ship it would ram, `boards` those it could board.
    """

    q: int
    r: int
    heading: int
    path: tuple[int, ...]
    shots: tuple[Shot, ...]
    threats: tuple[Shot, ...]
    rams: int | None
    boards: tuple[int, ...]


def poses_in_reach(game: Game) -> tuple[Pose, ...]:
    """The places that the ship which is asked may move to this turn, by its shortest way there.

    Hexes are made one by one, each with its turning after it, as the ship could if nobody fired
    at it on the way. A ram ends the move.
    Source: GURPS/Naval Combat, Vessel Movement; Attacks; Ramming.

    >>> from navkit.rulebooks.gurps import Placed, ship
    >>> from navkit.rulebooks.gurps.table_play import new_game
    >>> game = new_game(Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 14, 0, 3))
    >>> poses = poses_in_reach(game)
    >>> len(poses), poses[0].path, poses[0].heading
    (35, (1,), 1)
    """
    i, fleet = game.asked, game.fleet
    if i is None or not any(action.kind == "move" for action in game.actions):
        return ()
    found: list[Pose] = []
    seen: set[tuple[int, ...]] = set()
    layer = game.sea
    paths: list[tuple[int, ...]] = [()]
    while paths:
        layer, paths, rammed = _further(fleet, layer, paths, i, seen)
        if paths:
            found += _poses(fleet, layer, i, paths, rammed)
            keep = [at for at, foe in enumerate(rammed) if foe is None]
            layer, paths = _rows(layer, keep), [paths[at] for at in keep]
    return tuple(found)


def _further(
    fleet: Fleet, sea: Sea, paths: list[tuple[int, ...]], i: int, seen: set[tuple[int, ...]]
) -> tuple[Sea, list[tuple[int, ...]], list[int | None]]:
    """The sea a row for each new place one hex on, the ways there, and whom each would ram."""
    going = np.broadcast_to(may_move(fleet, i)(sea), len(paths))
    rams = np.broadcast_to(may_ram(fleet, sea, i), len(paths))
    ahead = bow(sea.ships[i], 2)
    foes = {
        j: np.broadcast_to(covers(sea.ships[j], *ahead) & (sea.ships[j].lost == 0), len(paths))
        for j in fleet.enemies(i)
    }
    parts: list[list[Array]] = []
    further: list[tuple[int, ...]] = []
    rammed: list[int | None] = []
    for turn in TURNS:
        shut = np.broadcast_to(is_shut(fleet, sea, i, turn), len(paths))
        open_ = going & np.where(rams, turn == 0, ~shut)
        rows = [int(row) for row in np.flatnonzero(open_)]
        if not rows:
            continue
        before = _rows(sea, rows)
        stay, turning = np.zeros(len(rows), dtype=bool), np.full(len(rows), turn)
        after = moved(fleet, before, i, stay=stay, turn=turning)
        vessel = after.ships[i]
        kept = []
        for at, row in enumerate(rows):
            place = tuple(int(each[at]) for each in (vessel.q, vessel.r, vessel.heading))
            if place not in seen:
                seen.add(place)
                kept.append(at)
                further.append((*paths[row], turn))
                rammed.append(next((j for j, here in foes.items() if here[row]), None))
        parts.append(flatten(_rows(after, kept)))
    if not further:
        return sea, [], []
    arrays = [np.concatenate(each, axis=-1) for each in zip(*parts, strict=True)]
    return rebuild(sea, arrays), further, rammed


def _rows(sea: Sea, rows: list[int]) -> Sea:
    return rebuild(sea, [np.atleast_1d(each).take(rows, axis=-1) for each in flatten(sea)])


def _poses(
    fleet: Fleet,
    sea: Sea,
    i: int,
    paths: list[tuple[int, ...]],
    rammed: list[int | None],
) -> list[Pose]:
    vessel, foes = sea.ships[i], fleet.enemies(i)
    shots = [_shots(fleet, sea, i, j, len(paths)) for j in foes]
    threats = [_shots(fleet, sea, j, i, len(paths)) for j in foes]
    alongside = [np.broadcast_to(can_board(sea, i, j), len(paths)) for j in foes]
    return [
        Pose(
            int(vessel.q[at]),
            int(vessel.r[at]),
            int(vessel.heading[at]),
            path,
            tuple(shot for each in shots for shot in each[at]),
            tuple(shot for each in threats for shot in each[at]),
            rammed[at],
            tuple(j for j, touch in zip(foes, alongside, strict=True) if touch[at]),
        )
        for at, path in enumerate(paths)
    ]


def _shots(fleet: Fleet, sea: Sea, i: int, j: int, rows: int) -> list[list[Shot]]:
    """For each row, the volleys that ship i could fire at ship j."""
    roll = dice(tables.SUCCESS_ROLL)
    highest = np.broadcast_to(highest_roll(fleet, sea, i, j), rows)
    by_side = [np.broadcast_to(guns, rows) for guns in guns_on(fleet, sea, i, j)]
    return [
        [
            Shot(i, j, side, int(guns[row]), float(roll.at_most(int(highest[row]))))
            for side, guns in zip(SIDES, by_side, strict=True)
            if guns[row] > 0
        ]
        for row in range(rows)
    ]


def chance_to_hit(game: Game, i: int, j: int) -> float:
    """The chance that a volley of ship i hits ship j now."""
    highest = only(highest_roll(game.fleet, game.sea, i, j))
    return float(dice(tables.SUCCESS_ROLL).at_most(highest))
