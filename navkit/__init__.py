"""navkit: how a sea fight will go. Odds for four tabletop rulebooks of naval combat.

navkit is unofficial: it is not endorsed by the owners of the games it names.

>>> import navkit as nk
>>> nk.dice("4d6").at_most(12, exact=True)
Fraction(145, 432)
"""

from navkit.chance import Exact, Sampled, Scripted, TooManyStates
from navkit.dice import Distribution, dice
from navkit.errors import InputError
from navkit.notation import NotationError
from navkit.sweep import start_sweep, sweep

__version__ = "0.1.0"
__all__ = [
    "Distribution",
    "Exact",
    "InputError",
    "NotationError",
    "Sampled",
    "Scripted",
    "TooManyStates",
    "__version__",
    "dice",
    "start_sweep",
    "sweep",
]
