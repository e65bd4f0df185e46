"""The interactive panels that notebooks show: controls on one side, live charts on the other."""

from navkit.explorers.builder import Builder, builder
from navkit.explorers.duel import Explorer, explorer

__all__ = ["Builder", "Explorer", "builder", "explorer"]
