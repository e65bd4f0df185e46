"""Ramming without a map: what it costs both ships, and the boarding that may follow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from navkit.battle import play
from navkit.chance import Exact, Sampled, Scripted
from navkit.errors import whole
from navkit.history import History
from navkit.rulebooks.gurps.boarding import Orders, boarding_battle
from navkit.rulebooks.gurps.damage import holed, ram_points
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import known_ship


def ram_damage(
    rammer: Ship, target: Ship, *, run: int, rules: HouseRules | None = None
) -> tuple[int, int]:
    """Hull points that a ram costs the target, and the rammer.

    `run` counts the hexes run straight this turn, the entered one included: (DR of the rammer +
    run) · 100 to the target, (DR of the target + run) · 20 to the rammer, each divided by Scale.
    Nothing is rolled; DR does not reduce it and is not worn.
    Source: GURPS/Naval Combat, Ramming.

    >>> from navkit.rulebooks.gurps import ship
    >>> ram_damage(ship("Sloop"), ship("Schooner"), run=2)
    (30, 8)
    """
    rules = HouseRules.of(rules)
    known_ship("rammer", rammer), known_ship("target", target)
    run = whole("run", run, 1, 1000) - (0 if rules.ram_run == "entered hex" else 1)
    given, taken = ram_points(
        np.array(rammer.dr), np.array(target.dr), np.array(run), rammer, target, rules
    )
    return int(given), int(taken)


def ram(
    a: Ship,
    b: Ship,
    *,
    run: int = 1,
    turns: int | None = 12,
    chance: Exact | Sampled | Scripted | None = None,
    rules: HouseRules | None = None,
    orders: tuple[Orders, Orders] = (Orders(), Orders()),
) -> History:
    """Ship a rams ship b after `run` hexes straight, and a boarding follows (see `board`).

    Both results of the ram count at once, and both ships may sink (GA-09).
    Source: GURPS/Naval Combat, Ramming; Boarding.

    >>> from navkit.rulebooks.gurps import ship
    >>> h = ram(ship("70-gun military"), ship("Sloop"), run=2, turns=3)
    >>> h.mean("b", "hull").iloc[0]
    np.float64(380.0)
    """
    rules = HouseRules.of(rules)
    given, taken = ram_damage(a, b, run=run, rules=rules)
    battle = boarding_battle(a, b, rules, orders)
    start = replace(battle.start, a=holed(battle.start.a, taken), b=holed(battle.start.b, given))
    return play(replace(battle, start=start), turns, chance)
