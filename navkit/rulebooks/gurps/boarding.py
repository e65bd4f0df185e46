"""Boarding: crew against crew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from navkit.battle import Battle, Either, Step, cause_of, play
from navkit.chance import Array, Chance, Exact, Sampled, Scripted
from navkit.dice import Distribution, dice
from navkit.errors import InputError, whole
from navkit.history import History
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.attack import volley
from navkit.rulebooks.gurps.damage import casualties, crew_damage, hole, rested
from navkit.rulebooks.gurps.guns import guns_to_fire, reloaded, spend
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import (
    CAPTURED,
    CAUSES,
    SUNK,
    TRACKS,
    Side,
    known_ship,
    other,
    ready_side,
)
from navkit.state import replace

Leaves = Literal["never", "outnumbered", "always"]


def boarding_skill(ship: Ship, rules: HouseRules) -> int:
    """Expertise + Tactician level. Source: GURPS/Naval Combat, Boarding; Tactician."""
    return ship.expertise + ship.officers.level("tactics", rules)


def quick_contest(
    skill_a: Array | int, skill_b: Array | int, rules: HouseRules
) -> Callable[[Array, Array], Array]:
    """What the quick contest of two rolls adds to a blow: above 0 for a, below 0 for b.

    The greater margin (skill − roll) wins; criticals do not matter in a contest.
    Source: GURPS/Naval Combat, Boarding; GURPS quick contests.
    """

    def bonus(x: Array, y: Array) -> Array:
        margin_a, margin_b = skill_a - x, skill_b - y
        difference = margin_a - margin_b
        if rules.boarding_margin == "difference":
            return difference
        own = np.where(difference > 0, margin_a, margin_b)
        size = np.abs(difference) if rules.boarding_margin == "if succeeded" else own
        return np.sign(difference) * np.where(own >= 0, size, 0)

    return bonus


def blow(crew: Array, weapon: int, bonus: Array, rules: HouseRules) -> Array:
    """Hands that a crew puts out of the fight: a fifth of it + weapon + bonus, at least 0.

    Source: GURPS/Naval Combat, Boarding.
    """
    rounding = {"nearest": 2, "down": 0, "up": 4}[rules.boarding_round]
    fifth = (crew + rounding) // tables.HANDS_PER_BLOW
    return np.maximum(fifth + weapon + bonus, 0)


def parted(leaving: tuple[Array, Array], bonus: Array, rules: HouseRules) -> Array:
    """Whether ships part: both crews want to (GA-53), or the one that does gets free.

    Source: GURPS/Naval Combat, Boarding.
    """
    first, second = leaving
    least = {"must win": 1, "not lose": 0, "always": -100}[rules.disengage]
    return (first & second) | (first & (bonus >= least)) | (second & (-bonus >= least))


@dataclass(frozen=True, kw_only=True)
class Party:
    """Player characters in a boarding, whose fight is played apart from the boarding roll.

    They face `binds` enemies at a time, set at the start of each turn, who neither deal nor take
    boarding blows (GA-58). In each of their three rounds they put `fells` (dice, or a number) of
    those out of the fight: losses like others, half of them deaths (GA-59).
    Source: GURPS/Naval Combat, Player actions during a boarding.

    >>> Party(binds=6, fells="d2").rounds.max
    6
    """

    binds: int
    fells: str

    def __post_init__(self) -> None:
        whole("binds", self.binds, 0, 1000)
        once = dice(self.fells)
        if once.min < 0 or tables.PLAYER_ROUNDS * once.max > 10_000:
            raise InputError("fells", self.fells, "dice from 0 to a few enemies")

    @property
    def rounds(self) -> Distribution:
        """Enemies felled in a boarding turn, if so many are faced."""
        return dice(self.fells).repeat(tables.PLAYER_ROUNDS)


@dataclass(frozen=True, kw_only=True)
class Orders:
    """What a captain orders in a boarding.

    `guns` is how many guns he mans each turn, whose hands then do not board; `leaves` when the
    crew tries to break off: never, when it has fewer hands than the other, or always. `party`
    are player characters who fight on this side.

    >>> Orders(leaves="outnumbered").guns
    0
    """

    guns: int = 0
    leaves: Leaves = "never"
    party: Party | None = None

    def __post_init__(self) -> None:
        whole("guns", self.guns, 0, 1000)
        if self.leaves not in get_args(Leaves):
            raise InputError("leaves", self.leaves, *get_args(Leaves))
        if self.party is not None and not isinstance(self.party, Party):
            raise InputError("party", self.party, "gurps.Party(binds=..., fells=...)")


def known_orders(orders: Any) -> dict[str, Orders]:
    """Both captains' orders, by side; InputError for anything else."""
    if not isinstance(orders, tuple | list) or len(orders) != 2:
        raise InputError("orders", orders, "two gurps.Orders(...), for a and b")
    for side, each in zip(("a", "b"), orders, strict=True):
        if not isinstance(each, Orders):
            raise InputError(f"orders of {side}", each, "gurps.Orders(...)")
    return {"a": orders[0], "b": orders[1]}


@dataclass(frozen=True)
class Melee:
    """Two ships in a boarding; `apart` is 1 once they have parted."""

    a: Side
    b: Side
    apart: Array


def at_the_guns(side: Side) -> Array:
    """Hands that serve guns this turn: they do not board (GA-49)."""
    return tables.HANDS_PER_GUN * (side.left_fired + side.right_fired)


def fires_in_melee(
    x: str, ships: dict[str, Ship], guns: int, rules: HouseRules
) -> Callable[..., Melee]:
    """The step in which ship x fires up to `guns` guns of a broadside at the other (GA-51).

    Source: GURPS/Naval Combat, Boarding.
    """
    y = other(x)

    def step(melee: Melee, chance: Chance) -> Melee:
        shooter, target = getattr(melee, x), getattr(melee, y)
        fired = np.minimum(guns_to_fire(shooter, ships[x], rules), guns)
        shot = volley(ships[x], ships[y], fired, target.dr, chance, rules)
        hit = hole(target, shot, fired, rules)
        hit = crew_damage(hit, ships[y], shot, target.hull - hit.hull, rules)
        return replace(melee, **{x: spend(shooter, fired, rules), y: hit})

    return step


def exchange(
    ships: dict[str, Ship],
    orders: dict[str, Orders],
    leaving: dict[str, bool],
    rules: HouseRules,
) -> Callable[..., Melee]:
    """The step in which both crews strike at once, with their hands at the start of the turn.

    A crew that tries to break off rolls at −3; the blows fall all the same (GA-54).
    Source: GURPS/Naval Combat, Boarding; Player actions during a boarding.
    """
    skill = {
        x: boarding_skill(ship, rules) + (tables.DISENGAGING if leaving[x] else 0)
        for x, ship in ships.items()
    }
    bonus_of = quick_contest(skill["a"], skill["b"], rules)

    def step(melee: Melee, chance: Chance) -> Melee:
        rolls = (tables.SUCCESS_ROLL, tables.SUCCESS_ROLL)
        bonus = chance.roll(*rolls, then=bonus_of, why="boarding", rule="G-110", sides=("a", "b"))
        for_side = {"a": np.maximum(bonus, 0), "b": np.maximum(-bonus, 0)}
        sides: dict[str, Side] = {"a": melee.a, "b": melee.b}
        bound, felled = {}, {}
        for x in ships:
            party = orders[other(x)].party
            bound[x] = np.minimum(sides[x].crew, party.binds if party else 0)
            if party:
                rolled = chance.roll(
                    party.rounds, why="player characters", rule="G-121", sides=(other(x),)
                )
                felled[x] = np.minimum(rolled, bound[x])
        after = {}
        for x in ships:
            y = other(x)
            active = np.maximum(sides[y].crew - bound[y] - at_the_guns(sides[y]), 0)
            dealt = blow(active, ships[y].weapon, for_side[y], rules)
            if orders[y].party:
                dealt = np.minimum(dealt, sides[x].crew - bound[x]) + felled[x]
            after[x] = casualties(sides[x], ships[x], dealt, rules)
        apart = melee.apart
        if any(leaving.values()):
            wants = (np.array([leaving["a"]]), np.array([leaving["b"]]))
            apart = np.where(parted(wants, bonus, rules), 1, apart)
        return Melee(after["a"], after["b"], apart)

    return step


def boarding_battle(
    a: Ship,
    b: Ship,
    rules: HouseRules,
    orders: tuple[Orders, Orders] = (Orders(), Orders()),
) -> Battle[Melee]:
    """The boarding as data; see `board`."""
    ships, given = {"a": a, "b": b}, known_orders(orders)

    def together(melee: Melee) -> Array:
        return melee.apart == 0

    def fires(x: str) -> Step[Melee]:
        def ready(melee: Melee) -> Array:
            return together(melee) & (guns_to_fire(getattr(melee, x), ships[x], rules) > 0)

        return Step(fires_in_melee(x, ships, given[x].guns, rules), ready, side=x)

    def tries(x: str, melee: Melee) -> Array:
        fewer = getattr(melee, x).crew < getattr(melee, other(x)).crew
        return {"never": fewer & False, "outnumbered": fewer, "always": fewer | True}[
            given[x].leaves
        ]

    def contest(leaving: dict[str, bool]) -> Step[Melee]:
        def when(melee: Melee) -> Array:
            chosen = [tries(x, melee) == leaving[x] for x in ships]
            return together(melee) & chosen[0] & chosen[1]

        return Step(exchange(ships, given, leaving, rules), when)

    def end(melee: Melee, chance: Chance) -> Melee:
        sides = {"a": reloaded(melee.a, a, rules), "b": reloaded(melee.b, b, rules)}
        return replace(melee, a=rested(sides["a"], a, rules), b=rested(sides["b"], b, rules))

    def lost(melee: Melee, x: str) -> Array:
        own, foe = getattr(melee, x), getattr(melee, other(x))
        gone = own.crew <= 0
        if rules.surrender_ratio:
            gone = gone | (foe.crew >= rules.surrender_ratio * own.crew)
        return cause_of((own.hull <= 0, SUNK), (gone, CAPTURED))

    options = [
        (False, True) if each.leaves == "outnumbered" else (each.leaves == "always",)
        for each in given.values()
    ]
    may_part = any(each.leaves != "never" for each in given.values())
    busy = any(given[x].guns or ships[x].officers.care_points(rules) for x in ships)
    contests = [contest({"a": x, "b": y}) for x in options[0] for y in options[1]]
    return Battle(
        start=Melee(ready_side(a, rules), ready_side(b, rules), np.zeros(1, dtype=np.int32)),
        turn=(
            *(fires(x) for x in ships if given[x].guns),
            Either(tuple(contests)),
            *((Step(end),) if busy else ()),
        ),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
        measures={"apart": lambda melee, _: melee.apart} if may_part else {},
    )


def board(
    a: Ship,
    b: Ship,
    *,
    turns: int | None = 12,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
    orders: tuple[Orders, Orders] = (Orders(), Orders()),
) -> History:
    """A boarding, crew against crew with all fit hands, until one of them has none left.

    Both sides strike at once, with their numbers at the start of the turn. `orders` are those of
    the two captains: guns to man, when to break off, player characters. Ships that part are a
    stalemate, and `probability(side, "apart", at_least=1)` tells how often they do. `turns=None`
    fights to the end. `chance=None` is exact where that is quick, else sampled.
    Raises InputError for bad input, TooManyStates where exact odds do not fit.
    Source: GURPS/Naval Combat, Boarding.

    >>> from navkit.rulebooks.gurps import ship
    >>> h = board(ship("Sloop"), ship("Brig"), turns=6)
    >>> float(h.outcome()["b"].round(4))
    0.9988
    """
    rules = HouseRules.of(rules)
    battle = boarding_battle(known_ship("a", a), known_ship("b", b), rules, orders)
    return play(battle, turns, chance)
