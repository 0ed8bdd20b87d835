"""Work in pieces that know nothing of each other: done here one after the other, or by others in any order."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

from reportkit.errors import ReportkitError

if TYPE_CHECKING:
    from concurrent.futures import Future

JOIN_AFTER = 3.0
"""Seconds of work after which other processes join in: to start one takes more than one of them."""


_AHEAD = 4
"""Pieces that wait, or are done, for each process: more would fill memory."""


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
    """One piece of work after the other, in this process; where that takes long, other processes do the rest.

    Whoever does a piece, its result is the same, and so is the error: that of the first piece that has one. What a
    process leaves undone that is killed, this one does.

    Parameters
    ----------
    processes : int
        Those that do the rest; with one, this process does everything.
    after : float
        Seconds after which they are started.

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
        """Call `function(*arguments)` for each, and yield (place, result) in their order."""
        begun = time.monotonic()
        waiting = deque(enumerate(arguments))
        while waiting and (self.processes < 2 or len(waiting) < 2 or time.monotonic() < begun + self.after):
            place, given = waiting.popleft()
            yield place, function(*given)
        if waiting:
            yield from self._by_others(function, waiting)

    def _by_others(
        self, function: Callable[..., Any], waiting: deque[tuple[int, tuple[Any, ...]]]
    ) -> Iterator[tuple[int, Any]]:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        running: deque[tuple[int, tuple[Any, ...], Future[Any] | None]] = deque()
        pool: ProcessPoolExecutor | None = None
        with suppress(ImportError, NotImplementedError, OSError), _without_this_folder():
            pool = ProcessPoolExecutor(self.processes, multiprocessing.get_context("spawn"), helping)
        try:
            while waiting or running:
                while waiting and len(running) < _AHEAD * self.processes:
                    place, given = waiting.popleft()
                    future: Future[Any] | None = None
                    if pool is not None:
                        with suppress(OSError, RuntimeError), _without_this_folder():  # none can be started, or is left
                            future = pool.submit(function, *given)
                    running.append((place, given, future))
                place, given, future = running.popleft()
                yield place, function(*given) if future is None else _result_of(future, function, given)
        finally:
            if pool is not None:
                pool.shutdown(cancel_futures=True)


def _result_of(future: Future[Any], function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    """Return what another process has found; where it was killed, find it here."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool:
        return function(*given)


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
