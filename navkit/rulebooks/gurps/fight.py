"""The gunnery duel on paper, as steps and as a resolver; and fire that is not answered."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from navkit.battle import Battle, Either, Step, cause_of, play, some_turns
from navkit.chance import Array, Chance, Exact, Sampled, Scripted, TooManyStates
from navkit.history import History
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.attack import Shot, volley
from navkit.rulebooks.gurps.damage import crew_damage, hole, rested
from navkit.rulebooks.gurps.guns import guns_to_fire, reloaded, spend
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import (
    A_FIRST,
    B_FIRST,
    CAUSES,
    OUT_OF_ACTION,
    SUNK,
    TRACKS,
    Fight,
    Side,
    known_ship,
    other,
    ready_side,
    with_sides,
)
from navkit.state import remembered, replace

Guns = Callable[[Fight], Array]
"""How many guns a ship fires."""


def fires(
    attacker: str, guns: Guns, ships: dict[str, Ship], rules: HouseRules
) -> Callable[..., Fight]:
    """The step in which `attacker` fires a broadside at the other ship."""
    target = other(attacker)
    own, foe = ships[attacker], ships[target]

    def step(fight: Fight, chance: Chance) -> Fight:
        fired, before = guns(fight), getattr(fight, target)
        hit, shot = _hit(own, foe, before, fired, chance, rules)
        hit = crew_damage(hit, foe, shot, before.hull - hit.hull, rules)
        spent = spend(getattr(fight, attacker), fired, rules)
        return with_sides(fight, {attacker: spent, target: hit})

    return step


def fire_together(
    guns: dict[str, Guns], ships: dict[str, Ship], rules: HouseRules
) -> Callable[..., Fight]:
    """The step in which both ships fire at the same moment."""

    def step(fight: Fight, chance: Chance) -> Fight:
        after: dict[str, Side] = {}
        fired = {x: guns[x](fight) for x in ships}
        for x, own in ships.items():
            y = other(x)
            before: Side = getattr(fight, y)
            hit, shot = _hit(own, ships[y], before, fired[x], chance, rules)
            after[y] = crew_damage(hit, ships[y], shot, before.hull - hit.hull, rules)
        return with_sides(fight, {x: spend(after[x], fired[x], rules) for x in ships})

    return step


def _hit(
    own: Ship, foe: Ship, side: Side, guns: Array, chance: Chance, rules: HouseRules
) -> tuple[Side, Shot]:
    shot = volley(own, foe, guns, side.dr, chance, rules)
    return hole(side, shot, guns, rules), shot


def end_of_turn(ships: dict[str, Ship], rules: HouseRules) -> Callable[..., Fight]:
    """The step that ends a turn: both ships reload, and their surgeons rest."""

    def step(fight: Fight, chance: Chance) -> Fight:
        sides = {x: reloaded(getattr(fight, x), ships[x], rules) for x in ships}
        return with_sides(fight, {x: rested(sides[x], ships[x], rules) for x in ships})

    return step


def initiative(ships: dict[str, Ship], rules: HouseRules) -> Callable[..., Fight]:
    """The step that rolls who acts first: 1d + Move with Navigation, ties by Navigation.

    Rolled once for the fight. On paper Move does not change, so neither does the order.
    Source: GURPS/Naval Combat, Initiative roll.
    """
    ahead = ships["a"].move(rules) - ships["b"].move(rules)
    skill = [ship.officers.level("navigation", rules) for ship in ships.values()]
    tie = int(np.sign(skill[0] - skill[1]))

    def order(x: Array, y: Array) -> Array:
        lead = np.sign((x - y) * ahead.denominator + ahead.numerator)
        return np.where(lead == 0, tie, lead)

    def step(fight: Fight, chance: Chance) -> Fight:
        dice = (tables.INITIATIVE, tables.INITIATIVE)
        first = chance.roll(*dice, then=order, why="initiative", rule="G-58", sides=("a", "b"))
        return replace(fight, first=first)

    return step


def toss(fight: Fight, chance: Chance) -> Fight:
    """The step that breaks a last tie of initiative by a coin (GA-29)."""
    coin = chance.roll(
        "d2", then=lambda side: 3 - 2 * side, why="initiative, still tied", rule="G-61"
    )
    return replace(fight, first=coin)


def duel_battle(a: Ship, b: Ship, rules: HouseRules) -> Battle[Fight]:
    """The duel on paper as data; see `duel`."""
    ships = {"a": a, "b": b}

    def guns_of(x: str) -> Guns:
        return remembered(lambda fight: guns_to_fire(getattr(fight, x), ships[x], rules))

    guns = {x: guns_of(x) for x in ships}

    def can_fire(x: str, *, order: int | None = None) -> Callable[[Fight], Array]:
        def ready(fight: Fight) -> Array:
            armed = guns[x](fight) > 0
            return armed if order is None else armed & (fight.first == order)

        return ready

    broadside = {x: fires(x, guns[x], ships, rules) for x in ships}

    def fires_when(x: str, when: Callable[[Fight], Array]) -> Step[Fight]:
        return Step(broadside[x], when, side=x)

    opening: tuple[Step[Fight], ...] = ()
    a_ready, b_ready = can_fire("a"), can_fire("b")
    if rules.fire_order == "together":
        both = Step(
            fire_together(guns, ships, rules),
            lambda fight: a_ready(fight) & b_ready(fight),
            side="ab",
        )
        fire: tuple[Step[Fight] | Either[Fight], ...] = (
            Either((both, fires_when("a", a_ready), fires_when("b", b_ready))),
        )
    else:
        opening = (Step(initiative(ships, rules)), Step(toss, lambda fight: fight.first == 0))
        fire = (
            fires_when("a", can_fire("a", order=A_FIRST)),
            fires_when("b", b_ready),
            fires_when("a", can_fire("a", order=B_FIRST)),
        )

    def lost(fight: Fight, x: str) -> Array:
        side: Side = getattr(fight, x)
        short = side.crew < ships[x].skeleton_crew
        return cause_of((side.hull <= 0, SUNK), (short, OUT_OF_ACTION))

    return Battle(
        start=Fight(ready_side(a, rules), ready_side(b, rules), np.zeros(1, dtype=np.int32)),
        opening=opening,
        turn=(*fire, Step(end_of_turn(ships, rules))),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
    )


def duel(
    a: Ship,
    b: Ship,
    *,
    turns: int = 20,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
) -> History:
    """A gunnery duel on paper: both ships in range throughout, broadsides only.

    Each turn a ship fires one broadside, the one with more loaded guns. A ship is out of action
    when it sinks or has fewer fit hands than its skeleton crew, and that ends the duel. All guns
    are loaded at the start (GA-15). `chance=None` is exact where that is quick, else sampled.
    Raises InputError for bad input, TooManyStates where exact odds do not fit: they tell hulls and
    hands too. Who is put out of action alone `odds.out_of_action` tells exactly of larger ships.
    Source: GURPS/Naval Combat, Naval Combat Mechanics.

    >>> from navkit.rulebooks.gurps import ship
    >>> h = duel(ship("Sloop"), ship("Sloop"), turns=5, chance=Sampled(fights=1024))
    >>> h.table()["undecided"].round(2).tolist()[:4]
    [1.0, 0.99, 0.5, 0.36]
    """
    rules = HouseRules.of(rules)
    battle = duel_battle(known_ship("a", a), known_ship("b", b), rules)
    try:
        return play(battle, some_turns(turns), chance)
    except TooManyStates as error:
        way = "gurps.odds.out_of_action(a, b, within=...) for who is put out of action"
        raise error.naming(way) from None


# Unanswered fire


def shelling_battle(attacker: Ship, target: Ship, rules: HouseRules) -> Battle[Fight]:
    """Fire that is not answered, as data: a is the attacker, b the target. Only hulls count."""
    ships = {"a": attacker, "b": target}
    guns: Guns = remembered(lambda fight: guns_to_fire(fight.a, attacker, rules))

    def shell(fight: Fight, chance: Chance) -> Fight:
        fired = guns(fight)
        hit, _ = _hit(attacker, target, fight.b, fired, chance, rules)
        return replace(fight, a=spend(fight.a, fired, rules), b=hit)

    def lost(fight: Fight, x: str) -> Array:
        return cause_of((getattr(fight, x).hull <= 0, SUNK))

    return Battle(
        start=Fight(
            ready_side(attacker, rules), ready_side(target, rules), np.zeros(1, dtype=np.int32)
        ),
        turn=(
            Step(shell, lambda fight: guns(fight) > 0, side="a"),
            Step(end_of_turn(ships, rules)),
        ),
        lost=lost,
        causes=CAUSES,
        tracks=TRACKS,
    )
