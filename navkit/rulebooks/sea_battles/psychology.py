"""Psychology of ships: tests on the captain's Leadership, and what a failed one bars."""

from __future__ import annotations

import numpy as np

from navkit.chance import Array, Chance
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.vessel import Vessel
from navkit.state import replace

PSYCHOLOGY = "2d6"


def tested(vessel: Vessel, command: Array, chance: Chance) -> Vessel:
    """The vessel after a test of psychology on `command` (see `captain.leadership`).

    A ship never flees: a failed test only bars willing moves in her owner's next Movement phase
    (SA-10); orders cannot be tried, but forced moves happen.
    Source: Sea Battles, Ships and Psychology.
    """
    passed = chance.check(PSYCHOLOGY, command, why="psychology", rule="S-26")
    return replace(vessel, idle=np.where(passed, vessel.idle, 1))


def within(distance: Array | float, inches: float, rules: HouseRules | None = None) -> Array:
    """Whether something is near enough to call for a test: distances shrink with the scale.

    Source: Sea Battles, Ships and Psychology.

    >>> bool(within(2.0, 4)), bool(within(2.1, 4))
    (True, False)
    """
    return np.asarray(distance) <= inches * HouseRules.of(rules).cm_per_inch


def panics(engaged_aboard: bool) -> bool:
    """Whether troops aboard may panic: never, whether they fight or are shot at (SA-51).

    Source: Sea Battles, Combat results.
    """
    return False
