"""Quick answers first, better ones when there is time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import perf_counter

PAUSE = 0.06
"""Seconds a hand must rest before answers are refined, so that dragging stays quick."""

BREATH = 0.001
"""Seconds between two refinements, in which newer messages are let in."""


class Refinement:
    """Takes the first step of a piece of work at once, and the others between other work.

    Where an event loop runs (in a notebook) the later steps are taken by themselves, once `pause`
    seconds have gone by, or as many as the first step took: what is slow is not begun while a hand
    may move on. Elsewhere they wait for `settle`. Newer work replaces what is left of the older.

    >>> refinement, shown = Refinement(), []
    >>> refinement.start(shown.append(fights) for fights in (500, 20_000))
    False
    >>> shown
    [500]
    >>> refinement.settle()
    >>> shown
    [500, 20000]
    """

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause = pause
        self._steps: Iterator[None] = iter(())
        self._task: asyncio.Task[None] | None = None

    def start(self, steps: Iterator[None]) -> bool:
        """Take the first of `steps` now and see to the others later; whether by themselves."""
        self.stop()
        began = perf_counter()
        next(steps, None)
        pause = max(self._pause, perf_counter() - began)
        self._steps = steps
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # asyncio's word for: no loop runs here, settle() will be called
            return False
        self._task = loop.create_task(self._take(steps, pause))
        return True

    def settle(self) -> None:
        """Take all steps that are left, now."""
        steps = self._steps
        self.stop()
        for _ in steps:
            pass

    def stop(self) -> None:
        """Leave the steps that are left."""
        if self._task is not None:
            self._task.cancel()
        self._steps, self._task = iter(()), None

    @staticmethod
    async def _take(steps: Iterator[None], pause: float) -> None:
        await asyncio.sleep(pause)
        for _ in steps:
            await asyncio.sleep(BREATH)
