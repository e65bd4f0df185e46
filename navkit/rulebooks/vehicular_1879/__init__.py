"""1879: Vehicular Combat Preview: vehicles, their maneuvers, batteries and crews.

The document behind it is unfinished; what it leaves to other books is listed in `left_out()` and
may be supplied as a `Supplement`, of which `EXAMPLE` is this project's own. The names are those of
every rulebook: `HouseRules`, `Vehicle` (a ship, airship, train or kettle), `library`, `ship`,
resolvers (`fire`, `duel`, `maneuver`, `board`), and `odds`. `step` is the distribution of a Step.
"""

from navkit.rulebooks.resolvers import Resolver
from navkit.rulebooks.vehicular_1879 import desk, odds, panel
from navkit.rulebooks.vehicular_1879.boarding import board, rake
from navkit.rulebooks.vehicular_1879.command import Officer
from navkit.rulebooks.vehicular_1879.doctrines import Doctrine
from navkit.rulebooks.vehicular_1879.fight import duel, fire
from navkit.rulebooks.vehicular_1879.groups import Member, Unit
from navkit.rulebooks.vehicular_1879.gunnery import check_duel, check_fire
from navkit.rulebooks.vehicular_1879.house_rules import HouseRules
from navkit.rulebooks.vehicular_1879.library import library, ship
from navkit.rulebooks.vehicular_1879.maneuvering import maneuver
from navkit.rulebooks.vehicular_1879.ships import Battery, Vehicle
from navkit.rulebooks.vehicular_1879.steps import step
from navkit.rulebooks.vehicular_1879.supplement import (
    EXAMPLE,
    CrewState,
    CriticalHits,
    OfficerManeuver,
    Supplement,
    VehicleManeuver,
    left_out,
)

RESOLVERS = {
    "fire": Resolver(fire, fits=check_fire),
    "duel": Resolver(duel, fits=check_duel),
    "maneuver": Resolver(maneuver),
    "board": Resolver(board),
}
"""The fights of two vehicles, by name."""

__all__ = [
    "EXAMPLE",
    "RESOLVERS",
    "Battery",
    "CrewState",
    "CriticalHits",
    "Doctrine",
    "HouseRules",
    "Member",
    "Officer",
    "OfficerManeuver",
    "Supplement",
    "Unit",
    "Vehicle",
    "VehicleManeuver",
    "board",
    "desk",
    "duel",
    "fire",
    "left_out",
    "library",
    "maneuver",
    "odds",
    "panel",
    "rake",
    "ship",
    "step",
]
