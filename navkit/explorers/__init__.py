"""The interactive panels that notebooks show: controls on one side, live charts on the other."""

from navkit.explorers.duel import Explorer, explorer

__all__ = ["Explorer", "explorer"]
