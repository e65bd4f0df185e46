"""Medieval Naval Wargame Rules: grappling, crew against crew, captures, rescues and morale.

The document behind it is "Medieval Naval Wargame Rules". The names are those of every rulebook:
`HouseRules`, `Ship`, `library`, `ship`, resolvers (`board`), and `odds`.
"""

from navkit.rulebooks.medieval import odds
from navkit.rulebooks.medieval.fight import board
from navkit.rulebooks.medieval.house_rules import HouseRules
from navkit.rulebooks.medieval.ships import Ship, library, ship

__all__ = ["HouseRules", "Ship", "board", "library", "odds", "ship"]
