"""Hands and guns of a ship in a duel on paper: who fires, and who reloads."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array
from navkit.rulebooks.gurps import tables
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Ship
from navkit.rulebooks.gurps.sides import Condition, Side
from navkit.state import replace


def gun_hands(side: Condition, ship: Ship, rules: HouseRules) -> Array:
    """Hands that may serve guns; none below the skeleton crew.

    Source: GURPS/Naval Combat, Crew; Reloading.
    """
    if rules.skeleton_gunners == "all hands":
        return side.crew * (side.crew >= ship.skeleton_crew)
    return np.maximum(side.crew - ship.skeleton_crew, 0)


def guns_to_fire(side: Side, ship: Ship, rules: HouseRules) -> Array:
    """Guns that fire in a duel on paper: of the broadside with more of them loaded, 2 hands each.

    Source: GURPS/Naval Combat, Reloading.
    """
    manned = gun_hands(side, ship, rules) // tables.HANDS_PER_GUN
    if rules.crew_for_guns == "gun crews":
        left, right, _, _ = ship.cannons
        manned = np.maximum(manned - (left - side.left) - (right - side.right), 0)
    return np.minimum(np.maximum(side.left, side.right), manned)


def spend(side: Side, guns: Array, rules: HouseRules) -> Side:
    """The side after it fired `guns` guns of the fuller broadside, the left one in a tie.

    Source: GURPS/Naval Combat, Reloading.
    """
    if rules.reload == "none":
        return side
    left = np.where(side.left >= side.right, guns, 0)
    right = guns - left
    return replace(
        side,
        left=side.left - left,
        right=side.right - right,
        left_fired=side.left_fired + left,
        right_fired=side.right_fired + right,
    )


def reloaded(side: Side, ship: Ship, rules: HouseRules) -> Side:
    """The side at the end of a turn: hands that did not fire have reloaded, 2 a gun.

    The emptier broadside comes first, the left one in a tie. A gun is reloaded in the turn after
    its shot (GA-12) and ready when that turn ends (GA-13).
    Source: GURPS/Naval Combat, Reload; Reloading.
    """
    if rules.reload == "none":
        return side
    left_guns, right_guns, _, _ = ship.cannons
    fired = side.left_fired + side.right_fired
    free = gun_hands(side, ship, rules) // tables.HANDS_PER_GUN - fired
    left_empty, right_empty = left_guns - side.left, right_guns - side.right
    if rules.reload_starts == "next turn":
        left_empty, right_empty = left_empty - side.left_fired, right_empty - side.right_fired
    guns = np.clip(free, 0, left_empty + right_empty)
    emptier = np.minimum(guns, np.maximum(left_empty, right_empty))
    left = np.where(left_empty >= right_empty, emptier, guns - emptier)
    none = np.zeros_like(fired)
    return replace(
        side,
        left=side.left + left,
        right=side.right + guns - left,
        left_fired=none,
        right_fired=none,
    )
