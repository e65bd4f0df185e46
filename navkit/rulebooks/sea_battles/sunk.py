"""Sunk ships: wreckage and debris, and who is rescued or captured from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from navkit.chance import Array, Chance
from navkit.dice import Distribution
from navkit.errors import InputError, whole
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.rolls import pool
from navkit.rulebooks.sea_battles.troops import Profile

MARKERS = ("wreckage", "debris")
AGES = ("ship", "wreckage", "debris", "gone")


def aged(marker: str) -> str:
    """What a marker is after its owner's next start of turn.

    A ship that sinks leaves wreckage at once, the next start of turn of her first owner makes it
    debris, and the one after that takes it off (SA-14). Markers age before ships sink (SA-06).
    Source: Sea Battles, Sunk ships.

    >>> aged("wreckage"), aged("debris")
    ('debris', 'gone')
    """
    if marker not in AGES[1:]:
        raise InputError("marker", marker, *AGES[1:])
    return AGES[min(AGES.index(marker) + 1, len(AGES) - 1)]


def leaves_marker(below_waterline: bool, rules: HouseRules | None = None) -> bool:
    """Whether a ship that goes down leaves a marker.

    One hit below the waterline does too, since she sinks, unless by the house rule she vanishes.
    Source: Sea Battles, Sunk ships; Extra damage.
    """
    return not below_waterline or HouseRules.of(rules).waterline == "sinks"


def need(
    save: int,
    marker: str = "wreckage",
    rank: str = "",
    rules: HouseRules | None = None,
) -> int:
    """The D6 on which a model in the water lives; from 1 (always) to 7 (never).

    5 or more on wreckage, 6 on debris; a save of 3+ or better makes it 1 harder, one of 6+ or
    none 1 easier, a hero 1 and a lord 2 easier.
    Raises InputError for a save, marker or rank that isn't one.
    Source: Sea Battles, Sunk ships.

    >>> need(5, "debris"), need(7), need(3, rank="lord")
    (6, 4, 4)
    """
    rules = HouseRules.of(rules)
    whole("save", save, 1, tables.NO_SAVE)
    if marker not in MARKERS:
        raise InputError("marker", marker, *MARKERS)
    if rank not in tables.RANK_BONUS:
        raise InputError("rank", rank, *tables.RANK_BONUS)
    heavy = -1 if rules.wreck_save_sign == "minus 1" else 1
    bonus = heavy if save <= 3 else 1 if save >= 6 else 0
    bonus += tables.RANK_BONUS[rank]
    bonus -= tables.DEBRIS_PENALTY if marker == "debris" else 0
    found = min(max(tables.RESCUED - bonus, 1), 7)
    return min(max(found, 2), 6) if rules.wreck_natural == "1 and 6" else found


def swimmer_save(profile: Profile, rules: HouseRules | None = None) -> int:
    """The armour save that counts in the water: without mount and barding (SA-16)."""
    on_foot = HouseRules.of(rules).rescue_save == "on foot"
    return profile.save if on_foot else profile.full_save


def survivors(models: int, needed: int) -> Distribution:
    """How many of `models` in the water live, each on a D6 of `needed` or more."""
    return tables.successes(whole("models", models, 0, 1000), needed)


def lives(needed: int) -> Fraction:
    """The chance that a model in the water lives."""
    return survivors(1, needed).equal(1, exact=True)


@dataclass(frozen=True)
class Pickup:
    """What a ship takes from a marker: how many are alive, how many she takes, how many stay."""

    alive: Array
    taken: Array
    left: Array


def picked_up(
    models: Array | int,
    needed: int,
    unit_strength: int,
    room: Array | int,
    chance: Chance,
    *,
    known_alive: bool = False,
    rules: HouseRules | None = None,
) -> Pickup:
    """Models taken from the water by a ship with `room` unit strength left.

    A D6 each; those alive are taken as there is room. Captives need their unit strength of room
    like friends, and are out of play (SA-17). Those left may be left or killed without a roll; at
    the next marker they are rolled for again, unless the house rule lets them live on
    (`known_alive`). The dead stay dead (SA-15).
    Source: Sea Battles, Sunk ships.
    """
    rules = HouseRules.of(rules)
    in_water = np.atleast_1d(np.asarray(models))
    if known_alive and rules.rescue_again == "stay alive":
        alive = in_water
    else:
        alive = pool(chance, in_water, needed, why="alive in the water", rule="S-45")
    taken = np.minimum(alive, np.asarray(room) // unit_strength)
    return Pickup(alive, taken, alive - taken)


@dataclass(frozen=True)
class MarkerState:
    """A marker on the water: its age, and the models in it, by unit."""

    kind: str
    models: tuple[int, ...]

    def next_turn(self) -> MarkerState:
        """The marker after its owner's start of turn."""
        return replace(self, kind=aged(self.kind))
