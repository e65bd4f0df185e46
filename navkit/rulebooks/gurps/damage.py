"""What an attack does to hull, DR and hands, and what a surgeon makes of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from navkit.chance import Array
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.attack import Shot
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import Side


def hole(side: Side, shot: Shot, guns: Array, rules: HouseRules) -> Side:
    """Hull and DR after an attack: the hull loses what passed the DR, the DR 1 for each 5 of it.

    Neither falls below 0; a ship whose hull is 0 sinks.
    Source: GURPS/Naval Combat, DR; Structural damage.
    """
    fives = shot.through // tables.POINTS_PER_DR
    loss = shot.through if rules.hp_in_fives == "all points" else fives * tables.POINTS_PER_DR
    hull = np.maximum(side.hull - loss, 0)
    if rules.dr_ablation == "none":
        return replace(side, hull=hull)
    worn = fives if rules.dr_ablation == "volley" else fives // np.maximum(guns, 1)
    return replace(side, hull=hull, dr=np.maximum(side.dr - worn, 0))


def crew_damage(side: Side, ship: Ship, shot: Shot, lost: Array, rules: HouseRules) -> Side:
    """Hands after an attack that cost `lost` hull points: one out for each full 20.

    Source: GURPS/Naval Combat, Crew damage.
    """
    points = lost if rules.crew_damage_base == "hull lost" else shot.rolled
    if rules.damage_scale == "unscaled":
        points = points * ship.scale
    if rules.threshold_carry == "attack":
        return casualties(side, ship, points // tables.POINTS_PER_HAND, rules)
    points = points + side.strain
    side = replace(side, strain=points % tables.POINTS_PER_HAND)
    return casualties(side, ship, points // tables.POINTS_PER_HAND, rules)


def casualties(side: Side, ship: Ship, out: Array, rules: HouseRules) -> Side:
    """Hands after `out` of them are hit: half of them (rounded down) dying, the others wounded.

    The surgeon spends his level each turn: a point keeps a wounded hand fit, or a dying one
    alive, as he is ordered (`Officers.care`), and what he has left serves the other. A surgeon
    below IQ saves nobody (GA-34). He takes his points off the blow, before it meets the hands
    there are: else nobody could ever put the last hand of a ship with a surgeon out of the fight.
    Source: GURPS/Naval Combat, Crew damage; First-Aid.
    """
    dying = out // 2
    hurt = out - dying
    points = max(0, ship.officers.level("medic", rules))
    if points:
        dying, hurt = _surgery(dying, hurt, points, ship.officers.care, rules)
    lost = np.minimum(dying + hurt, side.crew)
    dead = np.where(dying + hurt > side.crew, np.minimum(dying, side.crew // 2), dying)
    return replace(
        side,
        crew=side.crew - lost,
        dead=side.dead + dead,
        wounded=side.wounded + lost - dead,
    )


def _surgery(
    dying: Array, hurt: Array, points: int, care: str, rules: HouseRules
) -> tuple[Array, Array]:
    """The dying and the wounded after the surgeon has spent his points."""
    healed_at_once = rules.medic_order == "at once"
    if care == "lives":
        saved = np.minimum(dying, points)
        left = points - saved
        if not healed_at_once:
            hurt = hurt + saved
        return dying - saved, hurt - np.minimum(hurt, left)
    kept = np.minimum(hurt, points)
    left = points - kept
    if healed_at_once:
        return dying - np.minimum(dying, left), hurt - kept
    fit = np.minimum(dying, left // 2)
    saved = np.minimum(dying - fit, left - 2 * fit)
    return dying - fit - saved, hurt - kept + saved
