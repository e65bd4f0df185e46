"""The interactive panels that notebooks show: controls on one side, live charts on the other."""

from navkit.explorers.builder import Builder, builder
from navkit.explorers.duel import Explorer, explorer
from navkit.explorers.map import SeaMap, sea_map
from navkit.explorers.prep import Prep, prep
from navkit.explorers.replay import Replay, replay
from navkit.explorers.rulebooks import compared
from navkit.explorers.rules import RulesBrowser
from navkit.explorers.sea_picture import sea_picture
from navkit.explorers.teacher import Teacher, teacher
from navkit.explorers.whatif import WhatIf, whatif

__all__ = [
    "Builder",
    "Explorer",
    "Prep",
    "Replay",
    "RulesBrowser",
    "SeaMap",
    "Teacher",
    "WhatIf",
    "builder",
    "compared",
    "explorer",
    "prep",
    "replay",
    "sea_map",
    "sea_picture",
    "teacher",
    "whatif",
]
