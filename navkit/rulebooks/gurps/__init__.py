"""GURPS/Naval Combat: ships, gunnery duels and boardings.

The document behind it is "GURPS/Naval Combat". The names are those of every rulebook:
`HouseRules`, `Ship`, `library`, `ship`, resolvers (`duel`, `board`, `ram`, `battle`), and `odds`;
`new_game` for a fight on the map that a person plays.
"""

from navkit.rulebooks.gurps import bench, builder, desk, odds, panel
from navkit.rulebooks.gurps.boarding import Orders, Party, board
from navkit.rulebooks.gurps.captains import CAPTAINS, Captain
from navkit.rulebooks.gurps.fight import duel
from navkit.rulebooks.gurps.fleet import Placed
from navkit.rulebooks.gurps.house_rules import HouseRules
from navkit.rulebooks.gurps.ramming import ram
from navkit.rulebooks.gurps.reach import poses_in_reach
from navkit.rulebooks.gurps.sea import battle
from navkit.rulebooks.gurps.ships import Officers, Ship, library, ship
from navkit.rulebooks.gurps.table_play import Game, new_game
from navkit.rulebooks.gurps.table_position import Action
from navkit.rulebooks.resolvers import Resolver

RESOLVERS = {"duel": Resolver(duel), "board": Resolver(board), "ram": Resolver(ram)}
"""The fights of two ships, by name."""

__all__ = [
    "CAPTAINS",
    "RESOLVERS",
    "Action",
    "Captain",
    "Game",
    "HouseRules",
    "Officers",
    "Orders",
    "Party",
    "Placed",
    "Ship",
    "battle",
    "bench",
    "board",
    "builder",
    "desk",
    "duel",
    "library",
    "new_game",
    "odds",
    "panel",
    "poses_in_reach",
    "ram",
    "ship",
]
