"""What an attack does to hull, DR and hands, and what a surgeon makes of it."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.attack import Shot
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import Hurt
from navkit.state import replace


def hole(side: Hurt, shot: Shot, guns: Array, rules: HouseRules) -> Hurt:
    """Hull and DR after an attack: the hull loses what passed the DR, the DR 1 for each 5 of it.

    Neither falls below 0; a ship whose hull is 0 sinks.
    Source: GURPS/Naval Combat, DR; Structural damage.
    """
    loss = shot.through
    if rules.hp_in_fives != "all points":
        loss = loss - loss % tables.POINTS_PER_DR
    hull = np.maximum(side.hull - loss, 0)
    if rules.dr_ablation == "none":
        return replace(side, hull=hull)
    fives = shot.through // tables.POINTS_PER_DR
    worn = fives if rules.dr_ablation == "volley" else fives // np.maximum(guns, 1)
    return replace(side, hull=hull, dr=np.maximum(side.dr - worn, 0))


def crew_damage(side: Hurt, ship: Ship, shot: Shot, lost: Array, rules: HouseRules) -> Hurt:
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


def casualties(side: Hurt, ship: Ship, out: Array, rules: HouseRules) -> Hurt:
    """Hands after `out` of them are hit: half of them (rounded down) dying, the others wounded.

    The surgeon spends what is left of his level this turn (GA-43): a point keeps a wounded hand
    fit, or a dying one alive, as he is ordered (`Officers.care`), and what he has left serves the
    other. Then each healing spell left makes one dying hand fit at once, or one wounded (GA-46 to
    GA-48). Both are taken off the blow before it meets the hands there are: else nobody could
    ever put the last hand of a ship with a surgeon out of the fight.
    Source: GURPS/Naval Combat, Crew damage; First-Aid; Healing Spells in naval combat.
    """
    dying = out // 2
    hurt = out - dying
    care, spells = side.care, side.spells
    if ship.officers.care_points(rules):
        dying, hurt, care = _surgery(dying, hurt, care, ship.officers.care, rules)
    if ship.officers.spells:
        dying, hurt, spells = _healing(dying, hurt, spells)
    lost = dying + hurt
    too_many = lost > side.crew
    if too_many.any():  # seldom
        lost = np.minimum(lost, side.crew)
        dying = np.where(too_many, np.minimum(dying, side.crew // 2), dying)
        hurt = lost - dying
    return replace(
        side,
        crew=side.crew - lost,
        care=care,
        spells=spells,
        dead=side.dead + dying,
        wounded=side.wounded + hurt,
    )


def _healing(dying: Array, hurt: Array, spells: Array) -> tuple[Array, Array, Array]:
    """The dying and the wounded after healing spells, and the spells left."""
    saved = np.minimum(dying, spells)
    mended = np.minimum(hurt, spells - saved)
    return dying - saved, hurt - mended, spells - saved - mended


def _surgery(
    dying: Array, hurt: Array, points: Array, care: str, rules: HouseRules
) -> tuple[Array, Array, Array]:
    """The dying and the wounded after the surgeon has spent points, and the points left."""
    healed_at_once = rules.medic_order == "at once"
    if care == "lives":
        saved = np.minimum(dying, points)
        if not healed_at_once:
            hurt = hurt + saved
        kept = np.minimum(hurt, points - saved)
        return dying - saved, hurt - kept, points - saved - kept
    kept = np.minimum(hurt, points)
    left = points - kept
    if healed_at_once:
        saved = np.minimum(dying, left)
        return dying - saved, hurt - kept, left - saved
    fit = np.minimum(dying, left // 2)
    saved = np.minimum(dying - fit, left - 2 * fit)
    return dying - fit - saved, hurt - kept + saved, left - 2 * fit - saved


def rested(side: Hurt, ship: Ship, rules: HouseRules) -> Hurt:
    """The side at the end of a turn: the surgeon has his whole level again (GA-43)."""
    points = ship.officers.care_points(rules)
    return replace(side, care=np.full_like(side.care, points)) if points else side


def ram_points(
    rammer_dr: Array, target_dr: Array, run: Array, rammer: Ship, target: Ship, rules: HouseRules
) -> tuple[Array, Array]:
    """Hull points that a ram costs the target, and the rammer, after `run` hexes straight.

    (DR of the rammer + run) · 100 to the target and (DR of the target + run) · 20 to the rammer,
    divided by the Scale of who takes it. Nothing is rolled.
    Source: GURPS/Naval Combat, Ramming.
    """
    scale = target.scale if rules.ram_scale_mixed == "victim" else rammer.scale
    given = (rammer_dr + run) * tables.RAM_DAMAGE // scale
    return given, (target_dr + run) * tables.RAM_COLLATERAL // rammer.scale


def holed(side: Hurt, points: Array | int) -> Hurt:
    """A ship after `points` off its hull by a ram: no DR, hands or masts are lost (GA-09)."""
    return replace(side, hull=np.maximum(side.hull - points, 0))
