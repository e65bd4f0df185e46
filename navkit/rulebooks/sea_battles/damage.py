"""How ships take damage: hard or soft, Damage points, and sinking."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array, Chance
from navkit.dice import Distribution
from navkit.errors import InputError, whole
from navkit.rulebooks.sea_battles import tables
from navkit.rulebooks.sea_battles.rolls import D6
from navkit.rulebooks.sea_battles.ships import Ship
from navkit.rulebooks.sea_battles.vessel import SUNK, Vessel, afloat, worst
from navkit.state import replace


def known_facing(facing: str) -> int:
    """The number of a facing, else InputError."""
    if facing not in tables.FACINGS:
        raise InputError("facing", facing, *tables.FACINGS)
    return tables.FACINGS.index(facing)


# A hit on the hull


def hits_hard(facing: Array | int, chance: Chance) -> Array:
    """Whether a hit from that side is hard: a D6 by the table.

    Source: Sea Battles, Ships taking damage.
    """
    return chance.check("d6", tables.HARD_UP_TO[facing], why="hard or soft", rule="S-33")


def points(rolled: Array, strength: Array | int, soft: Array | bool) -> Array:
    """Damage points of a hit: D6 and wounds, plus Strength, less 8 if soft and 10 if hard.

    Never below 0. Source: Sea Battles, Ships taking damage.

    >>> points(np.array([6]), 3, True).tolist(), points(np.array([6]), 3, False).tolist()
    ([1], [0])
    """
    return np.maximum(rolled + strength - np.where(soft, tables.SOFT, tables.HARD), 0)


def roll_points(
    strength: Array | int, wounds: Distribution | None, soft: Array | bool, chance: Chance
) -> Array:
    """Damage points of one hit: its D6, and the dice of wounds where it causes several."""
    rolled = (
        chance.roll("d6", why="damage", rule="S-36")
        if wounds is None
        else chance.roll(D6, wounds, then=np.add, why="damage, and wounds", rule="S-36")
    )
    return points(rolled, strength, soft)


def lose(vessel: Vessel, ship: Ship, lost: Array) -> Vessel:
    """The vessel after she lost Damage points: they count for this phase, and for good."""
    return replace(
        vessel,
        damage=np.minimum(vessel.damage + lost, worst(ship)),
        points=vessel.points + lost,
    )


# Sinking


def sinks(vessel: Vessel, ship: Ship, chance: Chance) -> Vessel:
    """The vessel after her roll at the start of her owner's turn: a D6 a Size.

    She sinks unless the sum is above her Damage points.
    Source: Sea Battles, Damage.
    """
    sunk = chance.check(f"{ship.size}d6", vessel.damage, why="sinking", rule="S-31")
    return replace(vessel, gone=np.where(sunk, SUNK, vessel.gone))


def may_sink(vessel: Vessel) -> Array:
    """Whether she has to roll: any damage makes her, even where the roll cannot sink her yet."""
    return afloat(vessel) & (vessel.damage > 0)


def goes_down(vessel: Vessel, chance: Chance) -> Vessel:
    """The vessel that was hit below the waterline, at the start of her owner's turn.

    Source: Sea Battles, Extra damage.
    """
    return replace(vessel, gone=np.full_like(vessel.gone, SUNK))


def is_doomed(vessel: Vessel) -> Array:
    """Whether she goes down at the start of her owner's turn."""
    return afloat(vessel) & (vessel.waterline > 0)


def hit_damage(
    strength: int,
    wounds: Distribution,
    *,
    facing: int | None = None,
    soft: bool | None = None,
) -> Distribution:
    """Damage points of one hit on a hull: from a side, or on a known location.

    `wounds` are 0 for a weapon that causes no multiple wounds.
    """
    whole("strength", strength, 1, 10)
    several = wounds if wounds.max > 0 else None
    rolled = D6 if several is None else D6 + several

    def of(is_soft: bool) -> Distribution:
        return rolled.map(lambda value: points(value, strength, is_soft))

    if soft is not None:
        return of(soft)
    if facing is None:
        raise InputError("facing", None, *tables.FACINGS)
    return mixed(of(False), of(True), int(tables.HARD_UP_TO[facing]))


def mixed(hard: Distribution, soft: Distribution, hard_up_to: int) -> Distribution:
    """The mix of both, hard on `hard_up_to` of six."""
    weights = {
        value: hard.equal(value, exact=True) * hard_up_to
        + soft.equal(value, exact=True) * (6 - hard_up_to)
        for value in range(min(hard.min, soft.min), max(hard.max, soft.max) + 1)
    }
    return Distribution.of(weights)
