"""Sea Battles: ships, orders, gunnery, rams and boardings with miniatures.

The document behind it is "Sea Battles" by Avian. The names are those of every rulebook:
`HouseRules`, `Ship`, `library`, `ship`, resolvers, and `odds`.
"""

from navkit.rulebooks.resolvers import Resolver
from navkit.rulebooks.sea_battles import desk, odds, panel
from navkit.rulebooks.sea_battles.doctrines import Boarders, Doctrine
from navkit.rulebooks.sea_battles.fight import board, check_fire, duel, fire, fleet_battle, ram
from navkit.rulebooks.sea_battles.house_rules import HouseRules
from navkit.rulebooks.sea_battles.ships import GreatShip, Ship, fleet, library, ship, size_of
from navkit.rulebooks.sea_battles.troops import Character, Profile, Unit, profile, profiles
from navkit.rulebooks.sea_battles.weapons import Weapon, weapon, weapons

RESOLVERS = {
    "fire": Resolver(fire, fits=check_fire),
    "ram": Resolver(ram),
    "board": Resolver(board, turns="rounds"),
    "duel": Resolver(duel),
}
"""The fights of two ships, by name."""

__all__ = [
    "RESOLVERS",
    "Boarders",
    "Character",
    "Doctrine",
    "GreatShip",
    "HouseRules",
    "Profile",
    "Ship",
    "Unit",
    "Weapon",
    "board",
    "desk",
    "duel",
    "fire",
    "fleet",
    "fleet_battle",
    "library",
    "odds",
    "panel",
    "profile",
    "profiles",
    "ram",
    "ship",
    "size_of",
    "weapon",
    "weapons",
]
