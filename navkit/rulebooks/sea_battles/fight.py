"""How ships fight: the resolvers of Sea Battles, which play its rules as turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from navkit.battle import Battle, play
from navkit.chance import Array, Exact, Sampled, Scripted
from navkit.errors import InputError, number, whole
from navkit.history import History
from navkit.rulebooks.sea_battles.boarding import aftermath_part, begin_part, round_parts
from navkit.rulebooks.sea_battles.damage import known_facing
from navkit.rulebooks.sea_battles.doctrines import Boarders
from navkit.rulebooks.sea_battles.fleets import Fight, Place, Ships, Station, begun, station
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.phases import (
    captain_parts,
    end_parts,
    shooting_parts,
    start_parts,
)
from navkit.rulebooks.sea_battles.rams import has_rammed, ram_parts
from navkit.rulebooks.sea_battles.rosters import roster
from navkit.rulebooks.sea_battles.ships import Ship, check_room, known_ship
from navkit.rulebooks.sea_battles.vessel import CAUSES

TRACKS = ("ships", "damage", "troops")
LuckOf = Exact | Sampled | Scripted | None


def lost(fight: Fight, side: str) -> Array:
    """How a side is lost, all of whose ships are: as its first ship was (the Flagship's place)."""
    fleet = fight.a if side == "a" else fight.b
    return np.where(fleet.ships == 0, fleet.vessels[0].gone, 0)


def battle(
    ships: Ships,
    stations: Mapping[str, tuple[Station, ...]],
    turn: Sequence[Any],
    opening: Sequence[Any] = (),
    **damage: int,
) -> Battle[Fight]:
    """A battle of those ships as data."""
    return Battle(
        start=begun(ships, stations, **damage),
        turn=tuple(turn),
        opening=tuple(opening),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
    )


def two_ships(a: Any, b: Any, rules: HouseRules) -> Ships:
    """Two ships against each other, checked."""
    ships: Ships = {"a": (known_ship("a", a),), "b": (known_ship("b", b),)}
    for members in ships.values():
        check_room(members[0], rules)
    return ships


def fire_battle(
    attacker: Ship,
    target: Ship,
    facing: str,
    distance: float,
    damage: int,
    rules: HouseRules,
) -> Battle[Fight]:
    """Fire that is not answered as data; see `fire`."""
    ships = two_ships(attacker, target, rules)
    aim = station(
        target=1,
        facing=known_facing(facing),
        distance=round(10 * number("distance", distance, 0, 1000)),
    )
    stations = {"a": (aim,), "b": (station(),)}
    turn = [
        *shooting_parts(ships, "a", rules),
        *end_parts(ships, "a"),
        *start_parts(ships, "b"),
        *end_parts(ships, "b"),
    ]
    whole("damage", damage, 0, 6 * target.size)
    return battle(ships, stations, turn, b=damage)


def fire(
    attacker: Ship,
    target: Ship,
    *,
    turns: int = 6,
    facing: str = "side",
    distance: float = 12,
    damage: int = 0,
    chance: LuckOf = None,
    rules: HouseRules | None = None,
) -> History:
    """Fire that is not answered, turn by turn: will the target sink?

    Each turn the attacker (a) fires all she may at the target's `facing` from `distance`
    centimetres, extra damage is rolled for, and the target's owner starts his turn: she goes down
    or rolls for sinking. `damage` is what the target has at the start. `chance=None` is exact
    where that is quick, else sampled.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: Sea Battles, Shooting; Extra damage; Damage.

    >>> from navkit.rulebooks.sea_battles import ship
    >>> h = fire(ship("Hammer", troops=()), ship("Swift"), turns=3, chance=Sampled(fights=2048))
    >>> h.table()["a"].round(1).tolist()
    [0.0, 0.7, 0.9, 1.0]
    """
    rules = HouseRules.of(rules)
    data = fire_battle(
        known_ship("attacker", attacker),
        known_ship("target", target),
        facing,
        distance,
        damage,
        rules,
    )
    return play(data, turns, chance)


def ram_battle(
    a: Ship,
    b: Ship,
    facing: str,
    run: float,
    own_facing: str,
    rules: HouseRules,
) -> Battle[Fight]:
    """A ram as data; see `ram`."""
    ships = two_ships(a, b, rules)
    moved = round(10 * number("run", run, 0, 1000))
    rammer = station(rams=1, facing=known_facing(facing), run=moved)
    own = known_facing(own_facing)

    def touched(fight: Fight) -> Array:
        return np.full_like(fight.a.vessels[0].gone, own)

    a_at, b_at = Place("a", 0), Place("b", 0)
    opening = ram_parts(a_at, b_at, ships, has_rammed(a_at, b_at), touched, rules)
    turn = [*start_parts(ships, "b"), *start_parts(ships, "a")]
    stations = {"a": (rammer,), "b": (station(),)}
    return battle(ships, stations, turn, opening)


def ram(
    a: Ship,
    b: Ship,
    *,
    facing: str = "side",
    run: float = 20,
    own_facing: str = "front",
    turns: int = 1,
    chance: LuckOf = None,
    rules: HouseRules | None = None,
) -> History:
    """A ram by a, who has run `run` centimetres this phase, into the `facing` of b.

    Turn 0 is the ram; in each turn after it b's owner and then a's roll for sinking.
    `own_facing` is where a touches, by the house rule `ram_facing`.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: Sea Battles, Ramming; Damage.

    >>> from navkit.rulebooks.sea_battles import Ship
    >>> h = ram(Ship("Ram", 6, "oars", 8), Ship("Cog", 3, "sails", 8), facing="rear")
    >>> round(float(h.outcome()["a"]), 3)
    0.254
    """
    rules = HouseRules.of(rules)
    return play(ram_battle(a, b, facing, run, own_facing, rules), turns, chance)


def board_battle(
    a: Ship,
    b: Ship,
    boarders: tuple[Boarders, Boarders],
    facing: str,
    flyers: bool,
    rules: HouseRules,
) -> Battle[Fight]:
    """The boarding as data; see `board`."""
    ships = two_ships(a, b, rules)
    one = roster(a, b, *boarders, rules, flyers=flyers)
    two = roster(b, a, *boarders[::-1], rules, against_flyers=flyers)
    if not one.formations:
        raise InputError(f"boarders of the {a.name}", "nobody", "troops or characters who fight")
    pair = (Place("a", 0), Place("b", 0))
    rosters = (one, two)
    side = known_facing(facing)

    def always(fight: Fight) -> Array:
        return np.ones_like(fight.melee.stage, dtype=bool)

    def where(fight: Fight) -> Array:
        return np.full_like(fight.melee.stage, side)

    captains = rules.break_leadership == "ship's"
    opening = [
        *(captain_parts(ships, "a") + captain_parts(ships, "b") if captains else []),
        begin_part(*pair, ships, rosters, always, where, rules),
        aftermath_part(*pair, ships, rosters, rules),
    ]
    turn = [
        *round_parts(*pair, ships, rosters, rules),
        aftermath_part(*pair, ships, rosters, rules),
    ]
    return battle(ships, {"a": (station(),), "b": (station(),)}, turn, opening)


def board(
    a: Ship,
    b: Ship,
    *,
    rounds: int | None = None,
    a_fights: Boarders | None = None,
    b_fights: Boarders | None = None,
    facing: str = "side",
    flyers: bool = False,
    chance: LuckOf = None,
    rules: HouseRules | None = None,
) -> History:
    """A boarding of b by the troops of a, round by round; all of it is one turn of the game.

    `rounds` is how many are followed, None for as many as it takes. `a_fights` and `b_fights` are
    the doctrines of both sides. With `flyers` those of a who fly attack b without a ram. A side
    that is wiped out loses its ship: captured, scuttled or left (beaten). A boarding in which
    somebody breaks off, or that nobody can win, is a stalemate. The turns of the history are the
    rounds. `chance=None` is exact where that is quick, else sampled.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: Sea Battles, Combat.

    >>> from navkit.rulebooks.sea_battles import Ship, Unit
    >>> orcs = Ship("Orcs", 2, "oars", 7, troops=(Unit("Orc boy", 20),))
    >>> goblins = Ship("Goblins", 2, "oars", 6, troops=(Unit("Goblin", 20),))
    >>> round(float(board(orcs, goblins, chance=Exact()).outcome()["a"]), 3)
    0.9
    """
    rules = HouseRules.of(rules)
    fights = (_known_boarders(a_fights), _known_boarders(b_fights))
    data = board_battle(known_ship("a", a), known_ship("b", b), fights, facing, flyers, rules)
    return play(data, rounds, chance)


def _known_boarders(boarders: Boarders | None) -> Boarders:
    if boarders is None:
        return Boarders()
    if not isinstance(boarders, Boarders):
        raise InputError("boarders", boarders, "None or a sea_battles.Boarders")
    return boarders
