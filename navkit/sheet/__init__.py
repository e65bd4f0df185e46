"""The prep sheet: what a game master wants to know about tonight's fight, on one page.

>>> from navkit.rulebooks import medieval
>>> from navkit.scenario import Scenario
>>> dromon, cog = medieval.ship("Dromon"), medieval.ship("Cog", crew=18)
>>> sheet = prep_sheet(Scenario("medieval", "board", dromon, cog, turns=5), progress=False)
>>> sheet.how
'exact odds'
>>> sheet.swings["words"].iloc[0]
'Cog with a Greek fire siphon: Dromon wins 68.4 points less often'
"""

from navkit.paths import number_of
from navkit.sheet.dials import dial_values, with_number
from navkit.sheet.lines import Line, from_csv, lines, to_csv
from navkit.sheet.prepared import Decided, Dial, PrepSheet, Swing
from navkit.sheet.preparing import prep_sheet, preparing

__all__ = [
    "Decided",
    "Dial",
    "Line",
    "PrepSheet",
    "Swing",
    "dial_values",
    "from_csv",
    "lines",
    "number_of",
    "prep_sheet",
    "preparing",
    "to_csv",
    "with_number",
]
