"""The numbers of GURPS/Naval Combat."""

from fractions import Fraction

SUCCESS_ROLL = "3d6"
ALWAYS_SUCCEEDS = 4
"""A success roll of 3 or 4 succeeds whatever the skill (GURPS, success rolls)."""
ALWAYS_FAILS = 17
LOWEST_SKILL = 3
"""Below this effective skill GURPS allows no attempt."""

INITIATIVE = "d6"

KPH_PER_HEX = {"7": 7, "20": 20}
"""Speed in kph divided by this is Move: "7" in Move, "20" in Navigation."""

MOVE_FRACTIONS = tuple(
    (Fraction(*edge), Fraction(1, n))
    for n, edge in zip(
        range(1, 10),
        [
            (21, 4),
            (35, 12),
            (49, 24),
            (63, 40),
            (77, 60),
            (13, 12),
            (15, 16),
            (119, 144),
            (133, 180),
        ],
        strict=True,
    )
)
"""Lowest kph of Move 1, 1/2, 1/3 ... 1/9 (Move, table); slower ships have Move 1/10."""
SLOWEST_FRACTION = 10

VACANT = -5
"""Level of a missing commander, gunner or navigator (Officer Attributes)."""

HANDS_PER_GUN = 2
"""Hands that fire a gun, and hands that reload one (Reload, Reloading)."""
POINTS_PER_HAND = 20
"""Damage that puts one hand out of the fight (Crew damage)."""
POINTS_PER_DR = 5
"""Damage through the DR that wears off one point of it (DR)."""
HANDS_PER_BLOW = 5
"""Active hands for each point of boarding damage (Boarding)."""

SPELL_ENERGY = 4
"""What a healing spell at full strength costs (Healing Spells)."""
POINTS_PER_MAST = 100
"""Damage that costs one point of movement (Mast damage)."""
HULL_LOSSES = ((2, 1), (3, 2), (5, 3))
"""Movement points lost when the hull is down to a half, a third, a fifth (Structural damage)."""
RAM_DAMAGE, RAM_COLLATERAL = 100, 20
"""Damage of a ram for each point of DR and hex, to the target and to the rammer (Ramming)."""
DISENGAGING = -3
"""To the boarding roll of a crew that tries to break off (Boarding)."""

PLAYER_ROUNDS = 3
"""Combat turns of the players in each turn of boarding (Player actions)."""

USUAL_RANGE = 5
USUAL_SCALE = 10
