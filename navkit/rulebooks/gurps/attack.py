"""One attack: the chance to hit, the volley, and what of it passes the DR."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship


def to_hit(attacker: Ship, target: Ship, rules: HouseRules) -> int:
    """Effective skill of an attack: Expertise + Gunnery + size of the target − own size.

    Source: GURPS/Naval Combat, Attacks; Size Modifier.
    """
    gunnery = attacker.officers.level("gunnery", rules)
    return attacker.expertise + gunnery + target.size_modifier - attacker.size_modifier


def highest_hit(skill: int, rules: HouseRules) -> int:
    """The highest 3d6 roll that hits: 3 and 4 always do, 17 and 18 never.

    There are no critical tables, since the document has none.
    Source: GURPS success rolls; GURPS/Naval Combat, Attacks.
    """
    if rules.attack_crit == "skill only":
        return skill
    if skill < tables.LOWEST_SKILL and rules.hopeless_shot == "sure miss":
        return skill
    return min(max(skill, tables.ALWAYS_SUCCEEDS), tables.ALWAYS_FAILS - 1)


@dataclass(frozen=True)
class Shot:
    """What an attack brings: the damage rolled, and the points that pass the DR."""

    rolled: Array
    through: Array


def volley(
    attacker: Ship,
    target: Ship,
    guns: Array,
    dr: Array,
    chance: Chance,
    rules: HouseRules,
    *,
    highest: Array | int | None = None,
) -> Shot:
    """One attack with `guns` guns: the dice of a gun times the guns, less the DR times the guns.

    `highest` is the highest roll that hits, where it is not the usual one of these ships. There
    is no defence. A miss does half, rounded down. Between ships of different Scale the dice
    are converted to that of the target, rounded down, before the DR (GA-11).
    Source: GURPS/Naval Combat, Num of Cannons; Attacks; Structural damage.
    """
    if highest is None:
        highest = highest_hit(to_hit(attacker, target, rules), rules)
    hit = chance.check(tables.SUCCESS_ROLL, highest, why="attack", rule="G-42")
    if rules.volley_roll == "one roll":
        rolled = guns * chance.roll(attacker.gun, why="damage", rule="G-25")
    else:
        rolled = chance.roll_from(attacker.gun.repeat, guns, why="damage", rule="G-25")
    if attacker.scale != target.scale:
        rolled = rolled * attacker.scale // target.scale
    if rules.miss_half == "before DR":
        rolled = rolled >> ~hit  # halves, as `np.where` would; that is slow where masks are random
        return Shot(rolled, np.maximum(rolled - guns * dr, 0))
    through = np.maximum(rolled - guns * dr, 0)
    return Shot(rolled, through >> ~hit)
