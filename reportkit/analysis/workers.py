"""Who does the pieces of a work: this process, with others beside it where that takes long, or workers of Dask."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from reportkit.errors import ReportkitError
from reportkit.in_pieces import Run
from reportkit.settings.arguments import AUTO, WhereOptions
from reportkit.significance.threads import number_at_once

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

WHERE = tuple(WhereOptions.__annotations__)
"""Names of the arguments that say so."""

JOIN_AFTER = 3.0
"""Seconds of work after which other processes join in: to start one takes more than one of them."""

MOST_PROCESSES = 8
"""More would wait for the last piece of work; each takes about 0.2 GB."""

_Piece = tuple[int, tuple[Any, ...]]
_Found = tuple[int, Any, ReportkitError | None]


@contextmanager
def doing(options: Mapping[str, Any]) -> Iterator[Run | None]:
    """Who does pieces of work; None for this process, where nothing was said.

    Parameters
    ----------
    options : mapping
        With `workers`, `cluster` or `client`, or without; others are left aside.
    """
    given = {name: options[name] for name in WHERE if options.get(name) is not None}
    if given in ({}, {"workers": AUTO}):
        yield JoinedBy() if given else None
        return
    from reportkit.scale.asked import means_of

    holder = means_of(**given).holder
    try:
        yield holder.run
    finally:
        holder.close()


class JoinedBy:
    """One piece of work after the other, in this process; where that takes long, other processes join in.

    Whoever does a piece, its result is the same, and so is the error: that of the first piece that has one. What a
    process leaves undone that is killed, this one does.

    Parameters
    ----------
    processes : int, optional
        All together; by default as many as there are processors, up to `MOST_PROCESSES`.
    after : float
        Seconds after which the others are started.

    Examples
    --------
    >>> list(JoinedBy(1)(max, [(1, 2), (4, 3)]))
    [(0, 2), (1, 4)]
    """

    def __init__(self, processes: int | None = None, *, after: float = JOIN_AFTER) -> None:
        self.processes = min(number_at_once(), MOST_PROCESSES) if processes is None else processes
        self.after = after

    def __call__(
        self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], /
    ) -> Iterator[tuple[int, Any]]:
        """Call `function(*arguments)` for each, and yield (place, result) in any order."""
        work = _Work(function, arguments)
        timer = threading.Timer(self.after, work.share, (self.processes - 1,))
        timer.daemon = True
        if self.processes > 1:
            timer.start()
        try:
            yield from work.done()
        finally:
            timer.cancel()
            work.close()


class _Work:
    """Pieces of work, of which each is taken once, in their order, by whoever has time."""

    def __init__(self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> None:
        self.function = function
        self.waiting = deque(enumerate(arguments))
        self.n_left = len(arguments)
        self.found: queue.SimpleQueue[_Found | None] = queue.SimpleQueue()
        self.pool: ProcessPoolExecutor | None = None
        self.lock = threading.Lock()
        self.closed = False

    def done(self) -> Iterator[tuple[int, Any]]:
        """Do what waits, and yield this and what others do."""
        errors: dict[int, ReportkitError] = {}
        while self.n_left:
            piece = self._next()
            if piece is not None:
                self.found.put((piece[0], *_done(self.function, piece[1])))
            for place, result, error in self._arrived():
                if error is None:
                    yield place, result
                else:
                    errors[place] = error
                    self._leave_aside_after(min(errors))
        if errors:
            raise errors[min(errors)]

    def share(self, n_processes: int) -> None:
        """Let other processes take some."""
        from concurrent.futures import ProcessPoolExecutor

        with self.lock:
            if self.closed or len(self.waiting) < 2:
                return
            self.pool = ProcessPoolExecutor(n_processes, multiprocessing.get_context("spawn"), _helping)
        for _ in range(n_processes):
            self._hand_out()

    def close(self) -> None:
        """End the other processes; if there is work left, nobody wants it."""
        with self.lock:
            self.closed = True
            self.waiting.clear()
        if self.pool is not None:
            for process in [*(self.pool._processes or {}).values()] if self.n_left else ():
                process.terminate()
            self.pool.shutdown(cancel_futures=True)

    def _arrived(self) -> Iterator[_Found]:
        """What was found since, or what is found next."""
        while True:
            if (found := self.found.get()) is not None:  # else a piece waits again
                self.n_left -= 1
                yield found
            if self.found.empty():
                return

    def _next(self) -> _Piece | None:
        try:
            return self.waiting.popleft()
        except IndexError:
            return None

    def _leave_aside_after(self, place: int) -> None:
        with self.lock:
            kept = [piece for piece in self.waiting if piece[0] < place]
            self.n_left -= len(self.waiting) - len(kept)
            self.waiting.clear()
            self.waiting.extend(kept)

    def _hand_out(self) -> None:
        """Give the next piece to one of the others."""
        with self.lock:
            if self.pool is None or self.closed or (piece := self._next()) is None:
                return
            try:
                future = self.pool.submit(_done, self.function, piece[1])
            except RuntimeError:  # one of them was killed
                self._put_back(piece)
                return
        future.add_done_callback(partial(self._taken, piece))

    def _taken(self, piece: _Piece, future: Future[tuple[Any, ReportkitError | None]]) -> None:
        if self.closed:
            return
        if future.exception() is not None:  # a process was killed, or the piece cannot be sent
            self._put_back(piece)
            return
        self.found.put((piece[0], *future.result()))
        self._hand_out()

    def _put_back(self, piece: _Piece) -> None:
        self.waiting.appendleft(piece)
        self.found.put(None)


def _done(function: Callable[..., Any], given: tuple[Any, ...]) -> tuple[Any, ReportkitError | None]:
    try:
        return function(*given), None
    except ReportkitError as error:
        return None, error


def _helping() -> None:
    """Set up a process that helps: it ends with the one that it helps, and says nothing when it is interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def wait() -> None:
        if (helped := multiprocessing.parent_process()) is not None:
            helped.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
