"""Long work as a row of partial answers: watched with a bar, and kept when it is stopped.

A calculator that takes long is a generator underneath: each answer it yields is whole, and better
or further than the one before. Whoever runs it may stop after any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

Partial = TypeVar("Partial")


class Interrupted(KeyboardInterrupt, Generic[Partial]):
    """The work was interrupted from the keyboard; `partial` is the last answer, None for none."""

    def __init__(self, partial: Partial | None) -> None:
        self.partial = partial
        told = "what is done is in .partial" if partial is not None else "before a first answer"
        super().__init__(f"interrupted: {told}")


def last(
    partials: Iterator[Partial],
    *,
    progress: bool,
    unit: str,
    far: Callable[[Partial], tuple[int, int]],
) -> Partial:
    """The last of some partial answers, with a bar on the way.

    `far(partial)` tells how many units are done, and of how many; the bar is that of a notebook
    in a notebook, else of letters. Raises Interrupted, with the last answer, for Ctrl-C, and
    ValueError where there is no answer at all.

    >>> last(iter([1, 2, 3]), progress=False, unit="step", far=lambda step: (step, 3))
    3
    """
    from tqdm.auto import tqdm

    bar: tqdm[Any]
    found: Partial | None = None
    with tqdm(unit=unit, disable=not progress) as bar:
        try:
            for found in partials:
                done, bar.total = far(found)
                bar.update(done - bar.n)
        except KeyboardInterrupt:
            raise Interrupted(found) from None
    if found is None:
        raise ValueError("there was no answer")
    return found
