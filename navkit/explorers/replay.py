"""A fight that has been fought, as an animation with its log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from navkit.errors import whole
from navkit.explorers.map import Stage, line, ships
from navkit.explorers.sea_picture import sea_picture
from navkit.rulebooks.gurps.table_play import Game


def replay(game: Game) -> Replay:
    """A fight on the map, played or sailed by captains, to be watched in a notebook.

    >>> from navkit.rulebooks.gurps import Placed, ship
    >>> from navkit.rulebooks.gurps.table_play import new_game
    >>> sides = Placed(ship("Brig"), 0, 0), Placed(ship("Sloop"), 6, 0, 3)
    >>> watched = replay(new_game(*sides, played=None, seed=1, number=7, turns=10))
    >>> watched.at, watched.count > 5
    (0, True)
    """
    return Replay(game)


class Replay(Stage):
    """The lines of a log one after the other, each with the map as it was then."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lines: Sequence[dict[str, Any]] = [line(game.fleet, each) for each in game.log]
        self.at = 0
        super().__init__()
        self.go(0)

    @property
    def count(self) -> int:
        """How many moments there are."""
        return len(self._lines)

    def go(self, at: int) -> None:
        """Show the moment after line `at` of the log."""
        self.at = whole("at", at, 0, self.count - 1)
        fleet, event = self._game.fleet, self._game.log[at]
        who = f"{self._lines[at]['who']} " if self._lines[at]["who"] else ""
        self.shown = {
            "kind": "replay",
            "board": sea_picture(fleet, event.sea, key=f"hexes-{self.model_id}"),
            "headline": f"Turn {event.turn}. {who}{event.words} ({event.rule})",
            "notice": "",
            "ships": ships(fleet, event.sea),
            "log": self._lines,
            "frame": {"at": at, "count": self.count},
        }

    def answer(self, **asked: Any) -> None:
        """Show the moment that the page asks for."""
        self.go(asked["at"])
