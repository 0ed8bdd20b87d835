"""Work in pieces that know nothing of each other: done here one after the other, or by others in any order."""

from __future__ import annotations

import os
import pickle
import queue
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from reportkit.errors import ReportkitError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

JOIN_AFTER = 3.0
"""Seconds of work after which other processes join in: to start one takes more than one of them."""


class Run(Protocol):
    """Who calls a function many times, in this process or in others."""

    def __call__(
        self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], /
    ) -> Iterator[tuple[int, Any]]:
        """Call `function(*arguments)` for each, and yield (place, result) in any order."""


def in_order(run: Run | None, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    """Results in the order of the arguments, and of several errors the first, whoever does the work.

    Parameters
    ----------
    run : Run, optional
        Who does it; this process, each piece when its result is asked for, if not given.
    function : callable
        Of a module, so that other processes find it.
    arguments : iterable of tuple
        Of each call.

    Raises
    ------
    ReportkitError
        That of the first piece that has one.

    Examples
    --------
    >>> list(in_order(lambda function, given: reversed([(n, function(*one)) for n, one in enumerate(given)]), max,
    ...               [(1, 2), (3, 4)]))
    [2, 4]
    """
    if run is None:
        for given in arguments:
            yield function(*given)
        return
    found = dict(run(_done, [(function, given) for given in arguments]))
    for place in sorted(found):
        result, error = found[place]
        if error is not None:
            raise error
        yield result


def one_by_one(function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], /) -> Iterator[tuple[int, Any]]:
    """Call `function(*arguments)` for each in this process, and yield (place, result) as from another one.

    A result that has been pickled keeps nothing in memory that it was made of.

    Examples
    --------
    >>> list(one_by_one(max, [(1, 2), (4, 3)]))
    [(0, 2), (1, 4)]
    """
    for place, given in enumerate(arguments):
        yield place, pickle.loads(pickle.dumps(function(*given)))  # noqa: S301 - written here


def available_memory() -> int:
    """Return the bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


class JoinedBy:
    """One piece of work after the other, in this process; where that takes long, other processes join in.

    Whoever does a piece, its result is the same, and so is the error: that of the first piece that has one. What a
    process leaves undone that is killed, this one does.

    Parameters
    ----------
    processes : int
        All together.
    after : float
        Seconds after which the others are started.

    Examples
    --------
    >>> list(JoinedBy(1)(max, [(1, 2), (4, 3)]))
    [(0, 2), (1, 4)]
    """

    def __init__(self, processes: int, *, after: float = JOIN_AFTER) -> None:
        self.processes = processes
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


_Piece = tuple[int, tuple[Any, ...]]
_Found = tuple[int, Any, ReportkitError | None]


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
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        with self.lock:
            if self.closed or len(self.waiting) < 2:
                return
            try:
                self.pool = ProcessPoolExecutor(n_processes, multiprocessing.get_context("spawn"), helping)
            except (ImportError, NotImplementedError, OSError):  # a machine without shared semaphores
                return
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
        kept = []
        while (piece := self._next()) is not None:
            if piece[0] < place:
                kept.append(piece)
            else:
                self.n_left -= 1
        self.waiting.extend(kept)

    def _hand_out(self) -> None:
        """Give the next piece to one of the others; without the lock, as the pool has one of its own."""
        if self.pool is None or self.closed or (piece := self._next()) is None:
            return
        try:
            with _without_this_folder():
                future = self.pool.submit(_done, self.function, piece[1])
        except (OSError, RuntimeError):  # one of them was killed, or cannot be started
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


@contextmanager
def _without_this_folder() -> Iterator[None]:
    """Let processes that start leave the current folder out of their path: a `random.py` there may be a stranger's."""
    name = "PYTHONSAFEPATH"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def _done(function: Callable[..., Any], given: tuple[Any, ...]) -> tuple[Any, ReportkitError | None]:
    """What a piece comes to: its result or its error, so that it does not matter which is met first."""
    try:
        return function(*given), None
    except ReportkitError as error:
        return None, error


def one_thread_for_algebra() -> None:
    """Let libraries of linear algebra that are loaded from now on use one thread, unless their own variables say more.

    Products of small matrices take longer in several threads, by the clock, too; processes share long work better.
    """
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")


def helping() -> None:
    """Set up a process that helps: it ends with the one that it helps, and says nothing when it is interrupted."""
    import multiprocessing

    one_thread_for_algebra()
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def wait() -> None:
        if (helped := multiprocessing.parent_process()) is not None:
            helped.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
