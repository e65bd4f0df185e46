"""The numbers of the 1879 vehicular combat preview, and of the step dice beneath it."""

from enum import IntEnum

DEFENSE_OVER_MANEUVERABILITY = 5
"""Physical Defense of a vehicle is its Maneuverability and this (Vehicle Ratings)."""
MYSTIC_DEFENSE = 12
"""Mystic Defense of a vehicle that nothing augments (Vehicle Ratings)."""
RANKS_PER_OFFICER_MANEUVER = 4
"""Ranks of the acting captain's Crew skill for each Officer Maneuver a turn (Vehicle Ratings)."""
COVER = 2
"""What at least partial cover adds to a defense rating (Unit Attack Rating)."""
CALLED_SHOT = 3
"""Steps that every called shot costs (Called Shot)."""
CALLED_LOSS = 1
"""What each hit of a called shot takes off a rating (Called Shot)."""
SURPLUS = 2
"""Bonus to a Damage Test for each success over the number of weapons (Unit Attack Rating)."""

POINTS_PER_SUCCESS = 5
"""Each success beyond the first needs so many points over the difficulty (step tests)."""
LEAST_RESULT = 1
"""A step test never comes to less (step tests)."""
RULE_OF_ONE, FAILURE = -1, 0
"""Numbers of successes below one: all dice showed 1, and a plain failure."""

CALLED = ("crew", "cargo", "armament", "armor", "speed", "maneuverability")
"""What a called shot may be aimed at (Called Shot)."""

SECONDS_PER_ROUND = 6
"""Individual combat is played in rounds of this length (Scale of Play)."""
TURN_SECONDS = {
    "individual combat": 6,
    "ship combat": 60,
    "engagement": 60,
    "exploring a site": 600,
    "pursuit": 3600,
    "outdoor exploration": 3600,
    "hostile travel": 4 * 3600,
    "travel by day": 24 * 3600,
    "travel by week": 7 * 24 * 3600,
}
"""How long a turn is, by what is going on (Scale of Play)."""
DECISIVE_ROUNDS = 2
"""Rounds of actions that a Decisive Moment gives (Decisive Moments)."""
MASS_COMBAT_ROUNDS = 1
"""Rounds of actions that characters have beside their battery (Single Character Actions)."""


class Range(IntEnum):
    """How far apart vehicles are, nearest first (Distance, Range, and Movement)."""

    ADJACENT = 0
    NEAR = 1
    INTERMEDIATE = 2
    FAR = 3


HEX_YARDS = 20
"""A hex of the map, from side to side (Distance, Range, and Movement)."""
FACING_HEXES = 2
"""One hex of movement turns a vehicle by so many faces (Distance, Range, and Movement)."""
MANDATORY_FROM_SPEED = 3
"""From this Speed on part of the movement must be used (Declare Maneuvers)."""

FOURTH_LOW = ((4,), (4,), (4,), (6,), (8,), (10,), (12,))
LOW_CONSTANTS = (-2, -1, 0, 0, 0, 0, 0)
FOURTH = (
    (6, 6),
    (8, 6),
    (8, 8),
    (10, 8),
    (10, 10),
    (12, 10),
    (12, 12),
    (12, 6, 6),
    (12, 8, 6),
    (12, 8, 8),
    (12, 10, 8),
)
"""Dice of steps 8 to 18; they repeat every 11 steps, each time with one more d20."""
FOURTH_MORE = 20

THIRD_LOW = ((6,), (6,), (6,), (6,), (8,), (10,), (12,))
THIRD_CONSTANTS = (-3, -2, -1, 0, 0, 0, 0)
THIRD = ((6, 6), (8, 6), (8, 8), (10, 8), (10, 10), (12, 10), (12, 12))
"""Dice of steps 8 to 14 in the third edition; they repeat every 7 steps with one more d12."""
THIRD_MORE = 12

FIRST_ENDS = 40
"""The first edition's table has no step above this."""
