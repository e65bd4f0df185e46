"""The numbers of Medieval Naval Wargame Rules."""

D6 = "d6"

FULL_CREW = 20
"""Crew points of a ship (Captures and Rescues)."""
HALF_CREW = FULL_CREW // 2

# Lowest die that does it

GRAPPLE = 4
"""To grapple a ship that would rather not (Grappling)."""
GRAPPLE_BY_RAM = 3
"""The same while the ram of either ship is still stuck in the other."""
CUT = 4
"""To cut the grapnels (Grappling)."""
CUT_PRIZE = 3
"""To cut the lines of a prize that is still tied to a manned enemy (Grappling)."""
BREAK_CONTACT = 4
"""To leave a combat (Direct Personnel Combat)."""
ADMIRAL_DIES = 6
"""An admiral whose flagship is attacked dies (Direct Personnel Combat)."""
RESCUER_BURNS = 6
"""Whoever takes people off a burning ship burns too (Captures and Rescues)."""

# Factors of an attack (Direct Personnel Combat, list)

ATTACKER_IS_FLAGSHIP = +1
DEFENDER_IS_FLAGSHIP = -1
DEFENDER_HALF_LOST = +1
ATTACKER_HALF_LOST = -1
EACH_FLANKER = -1
ATTACKER_HAS_SIPHON = +2
DEFENDER_HAS_SIPHON = -2
EACH_MORE_ATTACKER = +2
HIGHER_DEFENDER = -2

# Morale

FLEE_AT_MOST = 2
"""Highest morale die at which all ships flee (Morale)."""
HALT_AT_MOST = 4
"""Highest at which the fleet neither moves nor attacks for a while; above it is unshaken."""
HALT_TURNS = 2
RUMOUR_TURNS = 2
"""Turns after the death of an admiral until his fleet has heard of it (Morale)."""
OUTNUMBERED = 2
"""So many times its ships make an enemy look overwhelming (Morale)."""

# Movement and fire: from other sections of the article

DRIFT_INCHES = 1
"""Drift of grappled and of burning ships in a turn (Grappling; Fire)."""
COLLISION_IGNITES = 4
"""Lowest die at which a collision with a burning ship sets the other alight (Fire)."""
IGNITES = 6
"""Die at which a fire missile, or a cargo of combustibles, sets a ship alight (Fire)."""
POINTS_PER_TURN_AFLOAT = 5
"""Structure points lost in a sector that cost a burning ship a turn afloat (Fire)."""
