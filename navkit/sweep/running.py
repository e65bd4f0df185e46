"""Sweeps: one question in many cells, to a tidy table.

>>> from navkit.rulebooks import gurps
>>> table = sweep(gurps.odds.hit, {"attacker": "Brig", "target": ["Sloop", "Brig"]})
>>> table["value"].round(4).tolist()
[0.7407, 0.7407]
"""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

import pandas as pd

import navkit
from navkit.chance import Exact, Sampled
from navkit.errors import InputError, whole
from navkit.sweep import parts
from navkit.sweep.answers import Failure, Measure, Row, Work, measures
from navkit.sweep.grid import MOST_CELLS, Cell, Grid, Plan, name_of
from navkit.sweep.workers import Answers, in_processes, in_this_process, on_cluster

if TYPE_CHECKING:
    from tqdm import tqdm

MOST_WORKERS = 256
REHEARSED = 32
"""Cells that are tried with one fight before anything runs."""
WRITTEN = 0.25
"""Seconds after which finished cells are written to the disk, if they come faster."""


class SweepFailed(RuntimeError):
    """Some cells have no answer: `cells` tells why, by name; `table` has all the others."""

    def __init__(self, cells: Mapping[str, str], table: pd.DataFrame) -> None:
        self.cells, self.table = dict(cells), table
        shown = [f"{name}: {reason}" for name, reason in list(cells.items())[:5]]
        more = f"\n... and {len(cells) - 5} more, in .cells" if len(cells) > 5 else ""
        lines = "\n".join(shown)
        super().__init__(
            f"{len(cells)} cells have no answer (.table has the others)\n{lines}{more}"
        )


class SweepCancelled(RuntimeError):
    """The sweep was cancelled; `table` has the cells that were finished."""

    def __init__(self, table: pd.DataFrame, cells: int) -> None:
        self.table = table
        done = table.index.nunique()
        super().__init__(f"cancelled with {done} of {cells} cells finished (.table has them)")


class SweepInterrupted(KeyboardInterrupt):
    """The sweep was interrupted from the keyboard; `table` has the cells that were finished."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.table = table
        super().__init__(f"{table.index.nunique()} cells were finished (.table has them)")


class Sweep:
    """A sweep that may be watched, and cancelled, from another thread; see `start_sweep`."""

    def __init__(
        self,
        plan: Plan,
        work: Work,
        *,
        workers: int,
        client: Any,
        to: str | os.PathLike[str] | None,
        progress: bool,
    ) -> None:
        self._plan, self._work = plan, work
        self._workers, self._client, self._progress = workers, client, progress
        self._rows: dict[int, list[Row]] = {}
        self._failed: dict[str, str] = {}
        self._unwritten: dict[int, list[Row]] = {}
        self._lock, self._cancelled = Lock(), Event()
        self._thread: Thread | None = None
        self._error: BaseException | None = None
        self._open = ExitStack()
        self._folder: Path | None = None
        if to is not None:
            identity = plan.identity(navkit.__version__, work.measure, work.by_turn)
            about = {
                "question": name_of(plan.question),
                "grid": {name: plan.labels[name].nunique() for name in plan.labels},
                "cells": len(plan),
                "navkit": navkit.__version__,
            }
            self._folder = self._open.enter_context(parts.opened(to, identity, about))
            try:
                self._rows = parts.read(self._folder, plan.labels)
            except BaseException:
                self._open.close()
                raise

    def __repr__(self) -> str:
        state = "running" if self.running else "cancelled" if self._cancelled.is_set() else "over"
        return f"<Sweep of {len(self._plan)} cells, {self.finished} finished, {state}>"

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self._plan)

    @property
    def finished(self) -> int:
        """How many cells have an answer by now."""
        return len(self._rows)

    @property
    def running(self) -> bool:
        """Whether cells are still being answered."""
        return self._thread is not None and self._thread.is_alive()

    def table(self) -> pd.DataFrame:
        """The cells that are finished, in their order; the index is the number of the cell."""
        with self._lock:
            rows = dict(self._rows)
        return parts.framed(self._plan.labels, rows)

    def cancel(self) -> None:
        """Ends the sweep as soon as may be; what is finished stays."""
        self._cancelled.set()

    def result(self, timeout: float | None = None) -> pd.DataFrame:
        """Waits for the end, and gives the whole table.

        Raises what the sweep was ended by (SweepFailed, SweepCancelled, ...), and TimeoutError
        after `timeout` seconds, with the sweep still running.
        """
        if self._thread is not None:
            self._thread.join(timeout)
            if self._thread.is_alive():
                raise TimeoutError(f"{self.finished} of {self.cells} cells are finished")
        if self._error is not None:
            raise self._error
        return self.table()

    def start(self) -> Sweep:
        """Runs in a thread of its own."""

        def run() -> None:
            try:
                self.run()
            except BaseException as error:  # for whoever asks for the result
                self._error = error

        self._thread = Thread(target=run, name="navkit sweep", daemon=True)
        self._thread.start()
        return self

    def run(self) -> pd.DataFrame:
        """Answers all cells that have no answer yet; the table of all."""
        with self._open:
            try:
                with self._bar() as bar:
                    self._answer(bar)
            except KeyboardInterrupt:
                raise SweepInterrupted(self.table()) from None
        if self._cancelled.is_set() and self.finished + len(self._failed) < self.cells:
            raise SweepCancelled(self.table(), self.cells)
        if self._failed:
            raise SweepFailed(self._failed, self.table())
        return self.table()

    def _answer(self, bar: tqdm[Any]) -> None:
        left = [cell for cell in self._plan.cells if cell.number not in self._rows]
        if not left:
            return
        written = time.monotonic()
        answers = self._answers(left)
        try:
            for some in answers:
                for cell, answer in some:
                    self._take(cell, answer)
                bar.update(len(some))
                if time.monotonic() - written >= WRITTEN:
                    self._write()
                    written = time.monotonic()
        finally:
            answers.close()
            self._write()

    def _answers(self, cells: list[Cell]) -> Answers:
        if self._client is not None:
            return on_cluster(self._work, cells, self._cancelled, self._client)
        if self._workers > 1:
            workers = min(self._workers, len(cells))
            return in_processes(self._work, cells, self._cancelled, workers)
        return in_this_process(self._work, cells, self._cancelled)

    def _take(self, cell: Cell, answer: list[Row] | Failure) -> None:
        if isinstance(answer, Failure):
            self._failed[cell.name] = answer.reason
            return
        with self._lock:
            self._rows[cell.number] = answer
        if self._folder is not None:
            self._unwritten[cell.number] = answer

    def _write(self) -> None:
        if self._folder is not None and self._unwritten:
            parts.write(self._folder, self._plan.labels, self._unwritten)
            self._unwritten = {}

    def _bar(self) -> tqdm[Any]:
        from tqdm.auto import tqdm as bar  # a bar of the notebook in a notebook, else of letters

        return bar(
            total=self.cells,
            initial=self.finished,
            unit="cell",
            disable=not self._progress,
        )


def sweep(
    question: Callable[..., Any],
    grid: Grid | Sequence[Grid],
    *,
    measure: Measure | Sequence[Measure] = (),
    by_turn: bool = False,
    workers: int = 1,
    client: Any = None,
    to: str | os.PathLike[str] | None = None,
    progress: bool = True,
    most: int = MOST_CELLS,
    **fixed: Any,
) -> pd.DataFrame:
    """Asks one question in every cell of a grid, and gives a tidy table of the answers.

    `question` is a resolver (`gurps.duel`) or a calculator (`gurps.odds.hit`) of any rulebook, or
    a function of your own. `grid` has the names of its parameters, or of fields inside them
    (`a.expertise`, `a.officers.medic`, `a.cannons.0`, `rules.volley_roll`, `chance.seed`), each
    with a list of values, or a mapping from labels to values; ready ships go by name. The cells
    are all combinations; a list of grids is swept one grid after another. What is the same in all
    cells is given beside: `turns=20, chance=nk.Sampled(seed=1)`.

    The table has a row a cell: the grid's values, then for a resolver `a_wins`, `b_wins`,
    `both_lost`, `stalemate` and `undecided` at the end with their standard errors (0 where
    exact), what you `measure`, `fights` (how many were sampled, missing where exact) and
    `left_out` (probability that an exact answer left out). A calculator's number is `value`, a
    Distribution its mean, deviation and quantiles, a Series a column for each name. `by_turn`
    gives a row a turn. `measure` lists names such as `a.crew` (the mean), `a.crew@0.05` (a
    quantile), `b.sunk` (the probability to be lost that way), or functions of the answer.

    `workers` processes of this machine, or the Dask cluster of a `client`, give the same numbers
    bit for bit. `to` names a folder that finished cells are written to as Parquet; the same sweep
    with the same folder goes on where it was, however it ended. Cells over which workers have
    died three times, or that fail, are told by name in SweepFailed when all others are done.

    Raises InputError for bad input before anything runs (what a calculator refuses, or a function
    of your own, is not tried beforehand: its cells fail); SweepFailed; SweepInterrupted (a
    KeyboardInterrupt). Both have the `table` of what was finished.

    >>> from navkit.rulebooks import gurps
    >>> grid = {"a": "Sloop", "b": ["Sloop", "Schooner"], "a.crew": [8, 10]}
    >>> table = sweep(gurps.duel, grid, chance=Sampled(fights=1024), progress=False)
    >>> table[["b", "a.crew", "a_wins"]].round(2).to_numpy().tolist()
    [['Sloop', 8, 0.51], ['Sloop', 10, 0.84], ['Schooner', 8, 0.17], ['Schooner', 10, 0.45]]
    """
    return _prepared(
        question,
        grid,
        fixed,
        measure=measure,
        by_turn=by_turn,
        workers=workers,
        client=client,
        to=to,
        progress=progress,
        most=most,
    ).run()


def start_sweep(
    question: Callable[..., Any],
    grid: Grid | Sequence[Grid],
    *,
    measure: Measure | Sequence[Measure] = (),
    by_turn: bool = False,
    workers: int = 1,
    client: Any = None,
    to: str | os.PathLike[str] | None = None,
    progress: bool = False,
    most: int = MOST_CELLS,
    **fixed: Any,
) -> Sweep:
    """Starts what `sweep` does and returns at once: look at `.table()`, `.cancel()`, `.result()`.

    >>> from navkit.rulebooks import gurps
    >>> going = start_sweep(gurps.odds.hit, {"attacker": "Brig", "target": ["Sloop", "Brig"]})
    >>> len(going.result())
    2
    """
    return _prepared(
        question,
        grid,
        fixed,
        measure=measure,
        by_turn=by_turn,
        workers=workers,
        client=client,
        to=to,
        progress=progress,
        most=most,
    ).start()


def _prepared(
    question: Callable[..., Any],
    grid: Grid | Sequence[Grid],
    fixed: dict[str, Any],
    *,
    measure: Any,
    by_turn: bool,
    workers: int,
    client: Any,
    to: str | os.PathLike[str] | None,
    progress: bool,
    most: int,
) -> Sweep:
    """A sweep all of whose input has been looked at."""
    workers = whole("workers", workers, 1, MOST_WORKERS)
    most = whole("most", most, 1, 10_000_000)
    if client is not None and not hasattr(client, "submit"):
        raise InputError("client", client, "a distributed.Client")
    if to is not None and not isinstance(to, str | os.PathLike):
        raise InputError("to", to, "a path")
    plan = Plan.of(question, grid, fixed, most)
    work = Work(question, measures(measure), bool(by_turn))
    _rehearse(plan, work)
    if workers > 1 and client is None:
        name_of(question)
        try:
            pickle.dumps((work, plan.cells[0].arguments))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            allowed = f"1, since what is asked can't be sent to other processes ({error})"
            raise InputError("workers", workers, allowed) from None
    return Sweep(plan, work, workers=workers, client=client, to=to, progress=progress)


def _rehearse(plan: Plan, work: Work) -> None:
    """Tries cells with one fight each, among them every value of the grid if they are not too
    many, so that what a question refuses is refused now. A question without luck is not tried."""
    if "chance" not in plan.parameters:
        return
    default = plan.parameters["chance"].default
    once = replace(work, measure=tuple(each for each in work.measure if isinstance(each, str)))
    for cell in _varied(plan):
        chance = cell.arguments.get("chance", default)
        if not isinstance(chance, Exact | Sampled | None):
            if isinstance(default, Exact | Sampled | None):
                raise InputError("chance", chance, "None, Exact(...) or Sampled(...) in a sweep")
            continue  # a parameter of that name that is no luck
        one = replace(chance, fights=1) if isinstance(chance, Sampled) else Sampled(fights=1)
        try:
            once.rows({**cell.arguments, "chance": one})
        except ValueError as error:
            error.add_note(f"in the cell {cell.name}")
            raise


def _varied(plan: Plan) -> list[Cell]:
    """Cells that have each value of each name of the grid once at least, as far as there's room."""
    seen: set[tuple[int, Any]] = set()
    found: list[Cell] = []
    for cell, labels in zip(plan.cells, plan.labels.itertuples(index=False), strict=True):
        fresh = set(enumerate(labels)) - seen
        if fresh:
            found.append(cell)
            seen |= fresh
        if len(found) == REHEARSED:
            break
    return found
