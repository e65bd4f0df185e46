"""Who answers the cells of a sweep: this process, processes on this machine, or a Dask cluster.

All three run the same `Work` on one cell at a time, so that the numbers are the same bit for bit.
A cell whose worker dies is given to another one, `TRIES` times in all.
"""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Event
from typing import Any

from navkit.errors import InputError
from navkit.sweep.answers import Failure, Row, Work
from navkit.sweep.grid import Cell

TRIES = 3
"""How many workers may die over a cell before it is given up."""
LOOK = 0.25
"""Seconds after which it is looked again whether the sweep was cancelled."""
AHEAD = 2
"""Cells a cluster is given for each of its threads."""

Answers = Generator[list[tuple[Cell, list[Row] | Failure]], None, None]
"""Cells with their answers, as many at a time as there were; none at times."""


class WorkersFailed(RuntimeError):
    """No worker could be started."""


def died(tries: int) -> Failure:
    """What is told of a cell over which workers have died."""
    return Failure(f"the worker that had it died, {tries} times")


def in_this_process(work: Work, cells: Iterable[Cell], cancelled: Event) -> Answers:
    """Answers from this process, one cell after another."""
    for cell in cells:
        if cancelled.is_set():
            return
        yield [(cell, work(cell.arguments))]


# Processes on this machine


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
    ready: bool = False
    cell: Cell | None = None


def in_processes(work: Work, cells: Iterable[Cell], cancelled: Event, workers: int) -> Answers:
    """Answers from processes of their own, which are ended in the end, whatever happens."""
    waiting, again, deaths = iter(cells), deque[Cell](), Counter[int]()
    staff = [_started(work) for _ in range(workers)]
    unready = 0
    try:
        while not cancelled.is_set():
            for worker in staff:
                if worker.ready and worker.cell is None:
                    worker.cell = again.popleft() if again else next(waiting, None)
                    if worker.cell is not None:
                        _sent(worker)
            busy = [worker for worker in staff if worker.cell is not None]
            if not busy and all(worker.ready for worker in staff):
                return
            found: list[tuple[Cell, list[Row] | Failure]] = []
            heard = wait([w.connection for w in staff if w.cell or not w.ready], LOOK)
            for at, worker in enumerate(staff):
                if worker.connection not in heard:
                    continue
                try:
                    answer = worker.connection.recv()
                except (EOFError, OSError):
                    staff[at] = _replaced(worker, work)
                    if worker.cell is None:
                        unready += 1
                        if unready > TRIES * workers:
                            raise WorkersFailed(CANNOT_START) from None
                        continue
                    number = worker.cell.number
                    deaths[number] += 1
                    if deaths[number] < TRIES:
                        again.append(worker.cell)
                    else:
                        found.append((worker.cell, died(TRIES)))
                    continue
                if worker.cell is None:
                    worker.ready = True
                else:
                    found.append((worker.cell, answer))
                    worker.cell = None
            yield found
    finally:
        for worker in staff:
            worker.connection.close()
            worker.process.terminate()
        for worker in staff:
            worker.process.join()


CANNOT_START = (
    "the worker processes end before they begin: in a script, call nk.sweep under "
    "`if __name__ == '__main__':`, or leave out `workers`"
)


def _started(work: Work) -> _Worker:
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, work), daemon=True)
    process.start()
    there.close()  # so that the end of the process is the end of the pipe
    return _Worker(process, here)


def _sent(worker: _Worker) -> None:
    assert worker.cell is not None
    try:
        worker.connection.send(worker.cell.arguments)
    except (BrokenPipeError, ConnectionResetError):
        return  # it has died, which is heard of next


def _replaced(worker: _Worker, work: Work) -> _Worker:
    worker.connection.close()
    worker.process.terminate()
    worker.process.join()
    return _started(work)


def _serve(connection: Connection, work: Work) -> None:
    """What a worker process does: it answers cells until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the sweep itself is told, and ends its workers
    try:
        connection.send(None)
        while True:
            connection.send(work(connection.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the sweep is over, or was killed


# A Dask cluster


def on_cluster(work: Work, cells: Iterable[Cell], cancelled: Event, client: Any) -> Answers:
    """Answers from the workers of a Dask cluster, by its `distributed.Client`."""
    import distributed

    wait_for: Any = distributed.wait
    threads = sum(client.nthreads().values())
    if not threads:
        raise InputError("client", client, "the client of a cluster that has workers")
    waiting, given = iter(cells), dict[Any, Cell]()
    try:
        while not cancelled.is_set():
            while len(given) < AHEAD * threads and (cell := next(waiting, None)) is not None:
                given[client.submit(work, cell.arguments, pure=False)] = cell
            if not given:
                return
            try:
                done = wait_for(list(given), timeout=LOOK, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                done = set()
            found: list[tuple[Cell, list[Row] | Failure]] = []
            for future in done:
                cell = given.pop(future)
                try:
                    found.append((cell, future.result()))
                except distributed.KilledWorker as error:
                    found.append((cell, Failure(f"the worker that had it died ({error})")))
            yield found
    finally:
        client.cancel(list(given))
