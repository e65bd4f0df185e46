"""Ramming: how hard ships hit each other, and rams as parts of a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from navkit.battle import Repeat, Step
from navkit.chance import Array, Chance
from navkit.dice import Distribution, dice
from navkit.errors import number, whole
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.extra import counted, forget
from navkit.rulebooks.sea_battles.fleets import (
    MM,
    Fight,
    Place,
    Ships,
    for_ship,
    with_station,
    with_vessel,
)
from navkit.rulebooks.sea_battles.hits import hits_part
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.strikes import NO_WOUNDS, Attack, struck
from navkit.rulebooks.sea_battles.vessel import afloat
from navkit.rulebooks.sea_battles.volleys import lines, volley_parts
from navkit.rulebooks.sea_battles.weapons import scaled
from navkit.state import replace

LONG, SHORT = 2, 1
"""What a ram's wounds are rolled on: D6 after 10 cm or more, D3 else."""


def strength(own: int, enemy: int) -> int:
    """Strength of the hit a ship does to another in a ram: twice her Size less the other's.

    From 1 to 10. Source: Sea Battles, Ramming.

    >>> strength(6, 3), strength(5, 4), strength(4, 5)
    (9, 6, 3)
    """
    whole("size", own, 1, tables.OVERSIZE)
    whole("size", enemy, 1, tables.OVERSIZE)
    return min(max(2 * own - enemy, 1), 10)


def wounds(run: float, rules: HouseRules | None = None) -> Distribution:
    """Wounds that a rammer adds after `run` centimetres this phase: D6 from 10 cm, D3 below.

    Just 10 cm is in both rows of the document; D6 unless the house rule says D3. What is rammed
    adds none. Source: Sea Battles, Ramming.

    >>> wounds(10).max, wounds(10, HouseRules(ram_at_10="d3")).max, wounds(9.9).max
    (6, 3, 3)
    """
    rules = HouseRules.of(rules)
    number("run", run, 0, 1e6)
    return dice("d6") if int(_is_long(np.array([run]), rules)[0]) == LONG else dice("d3")


def _is_long(run: Array, rules: HouseRules) -> Array:
    edge = scaled(tables.RAM_RUN, rules)
    long = run >= edge if rules.ram_at_10 == "d6" else run > edge
    return np.where(long, LONG, SHORT)


def ram_parts(
    rammer: Place,
    target: Place,
    ships: Ships,
    rams: Callable[[Fight], Array],
    own_facing: Callable[[Fight], Array],
    rules: HouseRules,
) -> list[Any]:
    """The parts of a turn in which one ship has run into another: both take a hit.

    First the models of the rammed ship stand and shoot. The rammer is hit in front (SA-27) unless
    the house rule looks where she touches; the rammed where the rammer came from. A ram brings no
    extra damage.
    Source: Sea Battles, Ramming; Combat.
    """
    own, foe = ships[rammer.side][rammer.number], ships[target.side][target.number]
    parts: list[Any] = []
    if rules.stand_and_shoot == "rams and flyers":
        for line in lines(ships, target, rammer, charged=True):
            parts += volley_parts(line, ships, rams, rules)

    def long_run(fight: Fight) -> Array:
        return rams(fight) & (_is_long(rammer.station(fight).run / MM, rules) == LONG)

    def short_run(fight: Fight) -> Array:
        return rams(fight) & (_is_long(rammer.station(fight).run / MM, rules) == SHORT)

    def hits_target(fight: Fight, chance: Chance) -> Fight:
        one = np.ones_like(rammer.vessel(fight).gone)
        facing = rammer.station(fight).facing
        vessel = struck(target.vessel(fight), one, facing, strength(own.size, foe.size), 1)
        return with_vessel(fight, target, vessel, ships)

    def hits_back(fight: Fight, chance: Chance) -> Fight:
        one = np.ones_like(rammer.vessel(fight).gone)
        facing = np.full_like(one, tables.FRONT)
        if rules.ram_facing == "by contact":
            facing = own_facing(fight)
        vessel = struck(rammer.vessel(fight), one, facing, strength(foe.size, own.size), 0)
        return with_vessel(fight, rammer, vessel, ships)

    for applies, die in ((long_run, dice("d6")), (short_run, dice("d3"))):
        attack = Attack("ram", die)
        parts += [
            Step(hits_target, applies, side=rammer.side),
            for_ship(hits_part(foe, attack, rules), target, ships),
        ]
    back = Attack("ram", NO_WOUNDS)
    parts += [
        Step(hits_back, rams, side=target.side),
        for_ship(hits_part(own, back, rules), rammer, ships),
    ]
    quiet = Repeat(Step(forget, counted), most=1)
    return [*parts, for_ship(quiet, rammer, ships), for_ship(quiet, target, ships)]


def rammed_already(rammer: Place) -> Step[Fight]:
    """The part that ends a ram: it is worked out, whoever lived."""

    def done(fight: Fight, chance: Chance) -> Fight:
        at = rammer.station(fight)
        return with_station(fight, rammer, replace(at, rams=np.zeros_like(at.rams)))

    return Step(done, lambda fight: rammer.station(fight).rams > 0, side=rammer.side)


def has_rammed(rammer: Place, target: Place, offset: int = 0) -> Callable[[Fight], Array]:
    """Where a ship has run into that other one, and both are afloat."""

    def rams(fight: Fight) -> Array:
        there = afloat(rammer.vessel(fight)) & afloat(target.vessel(fight))
        return there & (rammer.station(fight).rams == target.number + 1 + offset)

    return rams
