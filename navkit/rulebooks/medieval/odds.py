"""The odds of Medieval Naval Wargame Rules that a person asks for by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, overload

import numpy as np
import pandas as pd

from navkit.battle import some_turns
from navkit.chance import Exact, Sampled
from navkit.dice import Distribution, dice
from navkit.errors import InputError, truth, whole
from navkit.rulebooks.medieval import tables
from navkit.rulebooks.medieval.fight import MOST_ATTACKERS, MOST_FLANKERS, board
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.melee import fighter, flankers
from navkit.rulebooks.medieval.melee import modifier as factors_of
from navkit.rulebooks.medieval.ships import Ship, known_fleet, known_ship

LARGEST_MODIFIER = 1_000


@overload
def grapple(
    *,
    willing: bool = False,
    ram: bool = False,
    rules: HouseRules | None = None,
    exact: Literal[False] = False,
) -> float: ...
@overload
def grapple(
    *,
    willing: bool = False,
    ram: bool = False,
    rules: HouseRules | None = None,
    exact: Literal[True],
) -> Fraction: ...
def grapple(
    *,
    willing: bool = False,
    ram: bool = False,
    rules: HouseRules | None = None,
    exact: bool = False,
) -> float | Fraction:
    """The chance to grapple a ship in contact in one turn; `exact=True` gives a Fraction.

    `willing`: the other wants it too, and no die is rolled; `ram`: the ram of either ship is
    still stuck in the other. One try a turn. Raises InputError for what is not True or False.
    Source: Medieval Naval Wargame Rules, Grappling.

    >>> grapple(exact=True), grapple(ram=True, exact=True), grapple(willing=True)
    (Fraction(1, 2), Fraction(2, 3), 1.0)
    """
    HouseRules.of(rules)
    need = tables.GRAPPLE_BY_RAM if truth("ram", ram) else tables.GRAPPLE
    return _chance(1 if truth("willing", willing) else need, exact)


@overload
def cut(
    *,
    captured: bool = False,
    tied: bool = False,
    rules: HouseRules | None = None,
    exact: Literal[False] = False,
) -> float: ...
@overload
def cut(
    *,
    captured: bool = False,
    tied: bool = False,
    rules: HouseRules | None = None,
    exact: Literal[True],
) -> Fraction: ...
def cut(
    *,
    captured: bool = False,
    tied: bool = False,
    rules: HouseRules | None = None,
    exact: bool = False,
) -> float | Fraction:
    """The chance to cut a ship free in one turn; `exact=True` gives a Fraction.

    `captured`: one of the pair was captured in an earlier turn, so that no die is needed; `tied`:
    that prize is still tied to a manned ship of the enemy. Raises InputError for a ship that is
    tied but not captured, and for what is not True or False.
    Source: Medieval Naval Wargame Rules, Grappling.

    >>> cut(exact=True), cut(captured=True, tied=True, exact=True), cut(captured=True)
    (Fraction(1, 2), Fraction(2, 3), 1.0)
    """
    HouseRules.of(rules)
    if truth("tied", tied) and not truth("captured", captured):
        raise InputError("tied", tied, "False for a ship that is not captured")
    prize = tables.CUT_PRIZE if tied else 1
    return _chance(prize if captured else tables.CUT, exact)


@overload
def break_contact(
    *,
    grappled: bool = False,
    rules: HouseRules | None = None,
    exact: Literal[False] = False,
) -> float: ...
@overload
def break_contact(
    *, grappled: bool = False, rules: HouseRules | None = None, exact: Literal[True]
) -> Fraction: ...
def break_contact(
    *, grappled: bool = False, rules: HouseRules | None = None, exact: bool = False
) -> float | Fraction:
    """The chance to get out of a combat in one turn; a `grappled` ship must cut as well.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat (MA-10).

    >>> break_contact(exact=True), break_contact(grappled=True, exact=True)
    (Fraction(1, 2), Fraction(1, 4))
    """
    rules = HouseRules.of(rules)
    broke = _chance(tables.BREAK_CONTACT, exact)
    if not truth("grappled", grappled) or rules.break_and_cut == "break alone":
        return broke
    free = _chance(tables.CUT, exact)
    return free if rules.break_and_cut == "cut alone" else broke * free


@overload
def admiral_killed(
    *,
    attackers: int = 1,
    turns: int = 1,
    rules: HouseRules | None = None,
    exact: Literal[False] = False,
) -> float: ...
@overload
def admiral_killed(
    *, attackers: int = 1, turns: int = 1, rules: HouseRules | None = None, exact: Literal[True]
) -> Fraction: ...
def admiral_killed(
    *, attackers: int = 1, turns: int = 1, rules: HouseRules | None = None, exact: bool = False
) -> float | Fraction:
    """The chance that an admiral is dead after `turns` turns in which his ship is attacked.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.

    >>> admiral_killed(exact=True), admiral_killed(turns=2, exact=True)
    (Fraction(1, 6), Fraction(11, 36))
    """
    rules = HouseRules.of(rules)
    number = whole("attackers", attackers, 1, MOST_ATTACKERS)
    each_turn = number if rules.admiral == "each attacker" else 1
    lives = 1 - dice(tables.D6).at_least(tables.ADMIRAL_DIES, exact=True)
    killed = 1 - lives ** (each_turn * whole("turns", turns, 0, 1000))
    return killed if exact else float(killed)


def casualties(modifier: int, *, rules: HouseRules | None = None) -> Distribution:
    """Crew points that one attack costs a ship that has enough of them: d6 + `modifier`.

    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.

    >>> casualties(0).mean, casualties(-2).equal(0, exact=True)
    (3.5, Fraction(1, 3))
    """
    rules = HouseRules.of(rules)
    factors = whole("modifier", modifier, -LARGEST_MODIFIER, LARGEST_MODIFIER)
    return (dice(tables.D6) + factors).clip(0 if rules.min_casualty == "none" else 1)


def modifier(
    attacker: Ship,
    defender: Ship,
    *,
    attackers: int = 1,
    flanking: int = 0,
    rules: HouseRules | None = None,
) -> int:
    """What is added to the die of an attack by `attackers` ships of which `attacker` scores.

    `flanking` counts ships of the defender's side beside it. Crew points are those of the ships.
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat, list.

    >>> modifier(Ship("Dromon", siphon=True), Ship("Cog", kind="round"))
    0
    >>> modifier(Ship("Galley", flagship=True), Ship("Longship", crew=10), attackers=2)
    4
    """
    rules = HouseRules.of(rules)
    more = whole("attackers", attackers, 1, MOST_ATTACKERS) - 1
    beside = flankers(more, whole("flanking", flanking, 0, MOST_FLANKERS), rules)
    admiral = np.array([True])
    own, foe = (
        fighter(ship, np.array([ship.crew]), admiral=admiral, rules=rules)
        for ship in (known_ship("attacker", attacker), known_ship("defender", defender))
    )
    return int(factors_of(own, foe, rules, more=more, beside=beside).item())


def boarding(
    a: Ship | Sequence[Ship],
    b: Ship,
    *,
    turns: int = 12,
    chance: Exact | Sampled | None = None,
    rules: HouseRules | None = None,
) -> pd.DataFrame:
    """By turn, from 0: the chances that a, b or both are out of the combat; as `board(...)`.

    Columns a (a has won), b, both, stalemate and undecided, cumulative; standard errors beside
    them where they were sampled. Raises InputError for bad input.
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat.

    >>> boarding(Ship("Longship"), Ship("Cog", kind="round"))["b"].round(3).tolist()[4:8]
    [0.117, 0.451, 0.749, 0.897]
    """
    turns = some_turns(turns)
    return board(a, b, turns=turns, chance=chance, rules=rules).table()


def worth(
    a: Ship | Sequence[Ship],
    b: Ship,
    *,
    turns: int | None = None,
    chance: Exact | Sampled | None = None,
    rules: HouseRules | None = None,
) -> pd.DataFrame:
    """What each factor would be worth to a: its chance to win with it, and the gain.

    Each row changes one thing of the first ship of a (or adds one more like it, or takes half of
    b's crew away) and plays to the end, or for so many turns. Rows that change nothing are left
    out, the greatest gain comes first. `chance` is as for `board`; a sample has the same dice in
    each row. Raises InputError for bad input.
    Source: Medieval Naval Wargame Rules, Direct Personnel Combat, list.

    >>> worth(Ship("Longship"), Ship("Cog", kind="round"))["wins"].round(2).to_dict()
    {'one more ship': 1.0, 'Greek fire siphon': 0.99, 'enemy at half crew': 0.88, \
'round ship': 0.64, 'flagship': 0.59, 'high sides': 0.03}
    """
    fleet = known_fleet("a", a, MOST_ATTACKERS - 1)
    foe = known_ship("b", b)
    first, others = fleet[0], fleet[1:]
    flag = not any(ship.flagship for ship in fleet)
    variants = {
        "one more ship": ((*fleet, replace(first, flagship=False)), foe),
        "flagship": ((replace(first, flagship=flag or first.flagship), *others), foe),
        "Greek fire siphon": ((replace(first, siphon=True), *others), foe),
        "high sides": ((replace(first, high=True), *others), foe),
        "round ship": ((replace(first, kind="round"), *others), foe),
        "enemy at half crew": (fleet, replace(foe, crew=min(foe.crew, tables.HALF_CREW))),
    }

    def wins(own: Sequence[Ship], other: Ship) -> float:
        return float(board(own, other, turns=turns, chance=chance, rules=rules).outcome()["a"])

    base = wins(fleet, foe)
    chances = {
        name: wins(own, other)
        for name, (own, other) in variants.items()
        if (own, other) != (fleet, foe)
    }
    table = pd.DataFrame({"wins": chances, "gain": {n: c - base for n, c in chances.items()}})
    return table.sort_values("gain", ascending=False, kind="stable").rename_axis("factor")


def morale(*, rules: HouseRules | None = None, exact: bool = False) -> pd.Series[Any]:
    """The chances of a morale test: the fleet flees, halts for two turns, or is unshaken.

    `exact=True` gives Fractions.
    Source: Medieval Naval Wargame Rules, Morale.

    >>> morale().round(4).to_dict()
    {'flee': 0.3333, 'halt': 0.3333, 'unshaken': 0.3333}
    >>> morale(exact=True)["flee"]
    Fraction(1, 3)
    """
    HouseRules.of(rules)
    die = dice(tables.D6)
    flee = die.at_most(tables.FLEE_AT_MOST, exact=True)
    steady = die.at_least(tables.HALT_AT_MOST + 1, exact=True)
    chances = {"flee": flee, "halt": 1 - flee - steady, "unshaken": steady}
    if exact:
        return pd.Series(chances, dtype=object)
    return pd.Series({name: float(chance) for name, chance in chances.items()})


@overload
def rescuer_burns(
    *, turns: int = 1, rules: HouseRules | None = None, exact: Literal[False] = False
) -> float: ...
@overload
def rescuer_burns(
    *, turns: int = 1, rules: HouseRules | None = None, exact: Literal[True]
) -> Fraction: ...
def rescuer_burns(
    *, turns: int = 1, rules: HouseRules | None = None, exact: bool = False
) -> float | Fraction:
    """The chance that a ship catches fire that takes people off a burning one for `turns` turns.

    One die an evacuation, or one in each turn where a house rule says so.
    Source: Medieval Naval Wargame Rules, Captures and Rescues.

    >>> rescuer_burns(exact=True)
    Fraction(1, 6)
    """
    rules = HouseRules.of(rules)
    number = whole("turns", turns, 1, 1000)
    spared = 1 - dice(tables.D6).at_least(tables.RESCUER_BURNS, exact=True)
    burns = 1 - spared ** (number if rules.fire_rescue == "each turn" else 1)
    return burns if exact else float(burns)


def _chance(need: int, exact: bool) -> float | Fraction:
    reached = dice(tables.D6).at_least(need, exact=True)
    return reached if exact else float(reached)
