"""How ships fight: the resolvers of Sea Battles, which play its rules as turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from navkit.battle import Battle, Step, play, some_turns
from navkit.chance import Array, Chance, Exact, Sampled, Scripted
from navkit.errors import InputError, number, truth, whole
from navkit.history import History
from navkit.rulebooks.sea_battles.brawls import brawl_battle
from navkit.rulebooks.sea_battles.campaigns import TRACKS, campaign
from navkit.rulebooks.sea_battles.damage import known_facing
from navkit.rulebooks.sea_battles.doctrines import Boarders, Doctrine
from navkit.rulebooks.sea_battles.fleets import (
    Fight,
    Place,
    Ships,
    Station,
    begun,
    lost,
    station,
    with_station,
)
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.phases import (
    end_parts,
    shooting_parts,
    start_parts,
)
from navkit.rulebooks.sea_battles.plan import Waters
from navkit.rulebooks.sea_battles.rams import has_rammed, ram_parts
from navkit.rulebooks.sea_battles.ships import Ship, check_room, known_ship
from navkit.rulebooks.sea_battles.vessel import CAUSES
from navkit.rulebooks.sea_battles.volleys import lines, wears_down

LuckOf = Exact | Sampled | Scripted | None


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
    check_fire(attacker, target, damage=damage)
    data = battle(ships, stations, turn, b=damage)
    fired = lines(ships, Place("a", 0), Place("b", 0))
    sinks = any(wears_down(line, ships, data.start, rules) for line in fired)
    # she goes down sooner or later: no need to search for fights that never end
    return replace(data, may_stall=not sinks)


def volley_battle(
    attacker: Ship, target: Ship, facing: str, distance: float, rules: HouseRules
) -> Battle[Fight]:
    """One Shooting phase without extra damage, as data."""
    ships = two_ships(attacker, target, rules)
    aim = station(
        target=1,
        facing=known_facing(facing),
        distance=round(10 * number("distance", distance, 0, 1000)),
    )

    def ceased(fight: Fight, chance: Chance) -> Fight:
        at = fight.a.stations[0]
        return with_station(fight, Place("a", 0), replace(at, target=np.zeros_like(at.target)))

    def over(fight: Fight, side: str) -> Array:
        """Nobody is lost by a volley; the fight is over when it has been fired."""
        fired = fight.a.stations[0].target == 0
        return np.where(fired & (side == "b"), 1, 0)

    turn = [*shooting_parts(ships, "a", rules, extra=False), Step(ceased)]
    data = battle(ships, {"a": (aim,), "b": (station(),)}, turn)
    return replace(data, lost=over)


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
    return play(data, some_turns(turns), chance)


def check_fire(attacker: Ship, target: Ship, *, damage: int = 0, **others: Any) -> None:
    """Raises InputError for more damage than the target can take; `others` go with any ships."""
    whole("damage", damage, 0, 6 * target.size)


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
    turns = some_turns(turns)
    return play(ram_battle(a, b, facing, run, own_facing, rules), turns, chance)


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
    >>> orcs = Ship("Orcs", 1, "oars", 7, troops=(Unit("Orc boy", 3),))
    >>> goblins = Ship("Goblins", 1, "oars", 6, troops=(Unit("Goblin", 3),))
    >>> round(float(board(orcs, goblins, rounds=3, chance=Exact()).outcome()["a"]), 3)
    0.503
    """
    rules = HouseRules.of(rules)
    truth("flyers", flyers)
    fights = (_known_boarders(a_fights), _known_boarders(b_fights))
    two_ships(a, b, rules)
    data = brawl_battle(a, b, fights, facing, flyers, rules)
    return play(data, rounds, chance)


def _known_boarders(boarders: Boarders | None) -> Boarders:
    if boarders is None:
        return Boarders()
    if not isinstance(boarders, Boarders):
        raise InputError("boarders", boarders, "None or a sea_battles.Boarders")
    return boarders


def duel(
    a: Ship,
    b: Ship,
    *,
    turns: int = 10,
    distance: float = 24,
    a_sails: Doctrine | None = None,
    b_sails: Doctrine | None = None,
    wind: float | None = None,
    current: float | None = None,
    chance: LuckOf = None,
    rules: HouseRules | None = None,
) -> History:
    """Two ships on the plan, turn by turn: orders, rams, shooting, boarding.

    They begin bow to bow, `distance` centimetres from centre to centre; a, who moves first, heads
    along the x axis (0 degrees). `wind` and `current` are the degrees towards which they go.
    `a_sails` and `b_sails` are the doctrines of the captains. `chance=None` samples 20,000 fights.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: Sea Battles, The turn.

    >>> from navkit.rulebooks.sea_battles import Ship
    >>> cog, galley = Ship("Cog", 2, "sails", 8, guns=("cannon",)), Ship("Galley", 3, "oars", 8)
    >>> h = duel(cog, galley, turns=3, chance=Sampled(fights=1024))
    >>> h.table()["a"].round(1).tolist()
    [0.0, 0.3, 0.6, 0.8]
    """
    return fleet_battle(
        [known_ship("a", a)],
        [known_ship("b", b)],
        turns=turns,
        distance=distance,
        a_sails=a_sails,
        b_sails=b_sails,
        wind=wind,
        current=current,
        chance=chance,
        rules=rules,
    )


def fleet_battle(
    a: Sequence[Ship],
    b: Sequence[Ship],
    *,
    turns: int = 10,
    distance: float = 40,
    a_sails: Doctrine | Sequence[Doctrine] | None = None,
    b_sails: Doctrine | Sequence[Doctrine] | None = None,
    wind: float | None = None,
    current: float | None = None,
    chance: LuckOf = None,
    rules: HouseRules | None = None,
) -> History:
    """Two fleets on the plan, turn by turn; lost is the side that has no ship left.

    Fleets begin abreast, `distance` centimetres between their lines, and are handled by doctrine:
    one for all, or one a ship. Ships no more than 6 cm from the Flagship test on the Admiral's
    Leadership. Sunk and taken ships are out of the battle. `chance=None` samples 20,000 fights;
    exact odds are for the smallest ships.
    Raises InputError for bad input, such as a unit on two ships; TooManyStates where exact odds do
    not fit.
    Source: Sea Battles, The turn; Leadership.

    >>> from navkit.rulebooks.sea_battles import fleet
    >>> h = fleet_battle(fleet("Reikfleet"), fleet("Dry Fleet"), turns=2,
    ...                  chance=Sampled(fights=1024))
    >>> h.mean("a", "ships").round(1).tolist()
    [3.0, 3.0, 3.0]
    """
    rules = HouseRules.of(rules)
    fleets: dict[str, Sequence[Ship]] = {"a": tuple(a), "b": tuple(b)}
    doctrines = {
        side: _doctrines(side, given, len(fleets[side]))
        for side, given in (("a", a_sails), ("b", b_sails))
    }
    for what, degrees in (("wind", wind), ("current", current)):
        if degrees is not None:
            number(what, degrees, -360, 360)
    waters = Waters(wind, current)
    exact = isinstance(chance, Exact)
    data = campaign(fleets, doctrines, distance, waters, rules, countable=exact)
    return play(data, some_turns(turns), chance)


def _doctrines(
    side: str, given: Doctrine | Sequence[Doctrine] | None, ships: int
) -> Sequence[Doctrine]:
    if given is None:
        return (Doctrine(),) * ships
    if isinstance(given, Doctrine):
        return (given,) * ships
    for each in given:
        if not isinstance(each, Doctrine):
            raise InputError(f"doctrine of {side}", each, "a sea_battles.Doctrine")
    return tuple(given)
