"""Medieval Naval Wargame Rules: grappling, crew against crew, captures, rescues and morale.

The document behind it is "Medieval Naval Wargame Rules". The names are those of every rulebook:
`HouseRules`, `Ship`, `library`, `ship`, resolvers (`grapple`, `board`, `fleet_battle`), and
`odds`. `TiedShips` is the graph of ships that hang together; `capture` and `evacuate` move crew
points between ships; `Doctrine` is what a fleet does when nobody chooses.
"""

from navkit.rulebooks.medieval import desk, odds, panel
from navkit.rulebooks.medieval.captures import capture, evacuate
from navkit.rulebooks.medieval.doctrines import Doctrine
from navkit.rulebooks.medieval.fight import board
from navkit.rulebooks.medieval.fleets import fleet_battle, tied_after
from navkit.rulebooks.medieval.grapples import TiedShips, grapple
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.ships import Ship, library, ship
from navkit.rulebooks.resolvers import Resolver

RESOLVERS = {"board": Resolver(board)}
"""The fights of two ships, by name."""

__all__ = [
    "RESOLVERS",
    "Doctrine",
    "HouseRules",
    "Ship",
    "TiedShips",
    "board",
    "capture",
    "desk",
    "evacuate",
    "fleet_battle",
    "grapple",
    "library",
    "odds",
    "panel",
    "ship",
    "tied_after",
]
