"""Sea Battles: ships, orders, gunnery, rams and boardings with miniatures.

The document behind it is "Sea Battles" by Avian. The names are those of every rulebook:
`HouseRules`, `Ship`, `library`, `ship`, resolvers, and `odds`.
"""

from navkit.rulebooks.sea_battles import odds
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import Ship, fleet, library, ship, size_of
from navkit.rulebooks.sea_battles.troops import Character, Profile, Unit, profile, profiles
from navkit.rulebooks.sea_battles.weapons import Weapon, weapon, weapons

__all__ = [
    "Character",
    "HouseRules",
    "Profile",
    "Ship",
    "Unit",
    "Weapon",
    "fleet",
    "library",
    "odds",
    "profile",
    "profiles",
    "ship",
    "size_of",
    "weapon",
    "weapons",
]
