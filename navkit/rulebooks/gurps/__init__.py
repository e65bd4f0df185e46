"""GURPS/Naval Combat: ships, gunnery duels and boardings.

The document behind it is "GURPS/Naval Combat". The names are those of every rulebook:
`HouseRules`, `Ship`, `library`, `ship`, resolvers (`duel`, `board`), and `odds`.
"""

from navkit.rulebooks.gurps import odds, panel
from navkit.rulebooks.gurps.boarding import board
from navkit.rulebooks.gurps.fight import duel
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ships import Officers, Ship, library, ship

__all__ = ["HouseRules", "Officers", "Ship", "board", "duel", "library", "odds", "panel", "ship"]
