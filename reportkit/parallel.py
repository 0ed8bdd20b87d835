"""Workers for pieces of work: this process, processes of joblib, or workers of Dask, with the same results."""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from reportkit.errors import ReportkitError, SettingsError

T = TypeVar("T")

WHERE = ("workers", "cluster", "client")
"""Names of the arguments that say who does the work."""

JOIN_AFTER = 3.0
"""Seconds of work after which other processes join in by themselves: starting one takes more than a second."""

MOST_PROCESSES = 8
"""More would mostly wait for the last piece of work; each takes about 0.2 GB."""

FIRST_WORKER = 120.0
"""Seconds in which the first worker of a cluster has to come."""

_UNITS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_EACH = 4  # pieces that each process does before results are looked at


class WorkerLostError(ReportkitError):
    """Workers were killed, or never came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """Processes that do pieces of work.

    Parameters
    ----------
    number : int
        Processes, or threads of all workers of Dask.
    memory : int
        Bytes of each.
    client : distributed.Client, optional
        That of the workers of Dask.
    after : float
        Seconds that this process works alone.
    """

    number: int
    memory: int
    client: Any = None
    after: float = 0.0


def parallel_map(
    function: Callable[..., T], arguments: Iterable[tuple[Any, ...]], workers: Workers | None = None
) -> Iterator[T]:
    """Call a function many times, and yield the results in the order of the arguments.

    Parameters
    ----------
    function : callable
        A function of a module, so that other processes find it.
    arguments : iterable of tuple
        Arguments of each call.
    workers : Workers, optional
        Who calls it; this process, each time when a result is asked for, if not given.

    Raises
    ------
    ReportkitError
        That of the first call that has one.
    WorkerLostError
        If workers were killed, or the scheduler of Dask has lost the work.

    Examples
    --------
    >>> list(parallel_map(max, [(1, 2), (4, 3)]))
    [2, 4]
    """
    if workers is None or (workers.number < 2 and workers.client is None):
        for given in arguments:
            yield function(*given)
        return
    begun, waiting = time.monotonic(), deque(arguments)
    while waiting and time.monotonic() < begun + workers.after:
        yield function(*waiting.popleft())
    if not waiting:
        return
    found = (_by_joblib if workers.client is None else _by_dask)(function, waiting, workers)
    for result, error in found:
        if error is not None:
            raise error
        yield result


def _caught(function: Callable[..., Any], given: tuple[Any, ...]) -> tuple[Any, ReportkitError | None]:
    """Return a result or an error, so that the first error is raised, whoever meets one first."""
    try:
        return function(*given), None
    except ReportkitError as error:
        return None, error


def _by_joblib(function: Callable[..., Any], waiting: deque[tuple[Any, ...]], workers: Workers) -> Iterator[Any]:
    """Let processes do the work, some pieces at a time; if one is killed, this process does the rest."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    arguments, n_done = list(waiting), 0
    number, call = min(workers.number, len(arguments)), delayed(_caught)
    with _without_this_folder(), suppress(TerminatedWorkerError), Parallel(number) as processes:
        while n_done < len(arguments):
            some = arguments[n_done : n_done + _EACH * number]
            found = processes(call(function, one) for one in some)
            n_done += len(some)
            yield from found
    yield from (_caught(function, one) for one in arguments[n_done:])


def _by_dask(function: Callable[..., Any], waiting: deque[tuple[Any, ...]], workers: Workers) -> Iterator[Any]:
    import distributed

    client, running = workers.client, deque[Any]()
    try:
        while waiting or running:
            while waiting and len(running) < 2 * workers.number:
                [given] = client.scatter([waiting.popleft()], hash=False)
                running.append(client.submit(_caught, function, given, pure=False))
            yield running[0].result()
            running.popleft()
    except (distributed.KilledWorker, distributed.CancelledError, OSError, TimeoutError) as error:
        raise WorkerLostError(
            "workers of Dask were lost, or their scheduler does not answer",
            where=" ".join(str(error).split())[:300],
            remedy="give workers more memory, if that was the cause, and start again",
        ) from error
    finally:
        with suppress(Exception):  # without a scheduler there is nothing to cancel
            client.cancel([*running])


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


@contextmanager
def workers_of(options: Mapping[str, Any]) -> Iterator[Workers | None]:
    """Find the workers for pieces of work; None for this process alone.

    Parameters
    ----------
    options : mapping
        With `workers`, `cluster` or `client`, or without; others are left aside.

    Raises
    ------
    SettingsError
        If two of them exclude each other, make no sense, or need a package that is not installed.
    WorkerLostError
        If no worker of the cluster comes.
    """
    given = {name: options[name] for name in WHERE if options.get(name) is not None}
    if len(given) > 1:
        raise SettingsError(
            "workers, a cluster and a client exclude each other",
            where="workers (--workers) are started here; a cluster (--cluster) and a client have workers of their own",
            remedy="give one of them",
        )
    if not given:
        yield None
    elif (number := given.get("workers")) is not None:
        yield _processes(number)
    else:
        client = given["client"] if "client" in given else _connected(str(given["cluster"]))
        try:
            _wait(client)
            limits = [each["memory_limit"] for each in client.scheduler_info(n_workers=-1)["workers"].values()]
            memory = min([int(limit) for limit in limits if limit] or [available_memory() // 2])
            yield Workers(number=max(1, int(sum(client.nthreads().values()))), memory=memory, client=client)
        finally:
            if "cluster" in given:
                client.close()


def _processes(number: Any) -> Workers:
    """Take processes of this machine; "auto": as many as there are processors for, where the work takes long."""
    after = 0.0
    if number == "auto":
        available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        number, after = min(available, MOST_PROCESSES), JOIN_AFTER
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise SettingsError(f"workers is {number!r}", remedy="give a whole number of at least 1 (--workers 2)")
    return Workers(number=number, memory=available_memory() // 2 // number, after=after)


def available_memory() -> int:
    """Return the bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def bytes_of(text: str | float) -> int:
    """Return the bytes of a size as people write it.

    Raises
    ------
    SettingsError
        If it is not a size, or less than 50 MB.

    Examples
    --------
    >>> bytes_of("2GB"), bytes_of("500 MB"), bytes_of(1e8)
    (2000000000, 500000000, 100000000)
    """
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)i?b?\s*", str(text), flags=re.I)
    size = float(text) if isinstance(text, int | float) else float(found[1]) * _UNITS[found[2].lower()] if found else 0
    if size < 50e6:
        raise SettingsError(
            f"the memory limit is {text!r}",
            remedy="give at least 50 MB, as a number with its unit: '2GB' (--memory-limit 2GB)",
        )
    return int(size)


def one_thread_for_algebra() -> None:
    """Let libraries of linear algebra that are loaded from now on use one thread, unless their own variables say more.

    Products of small matrices take longer in several threads, by the clock, too; processes share long work better.
    """
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")


def _wait(client: Any) -> None:
    """Wait for the first worker, with a first task: an adaptive cluster starts no worker before."""
    try:
        client.submit(int, pure=False).result(timeout=FIRST_WORKER)
    except TimeoutError:
        address = client.scheduler.address
        raise WorkerLostError(
            f"no worker has come to the scheduler at {address} in {FIRST_WORKER:g} seconds",
            remedy=f"start one (dask worker {address}), or use this machine (--workers 2); where jobs wait for their "
            "turn, start again when the first one runs",
        ) from None


def _connected(cluster: str) -> Any:
    """Return a client of the scheduler at an address, or in a file with one."""
    try:
        from distributed import Client
    except ImportError:
        raise SettingsError(
            "a cluster needs Dask, which is not installed", remedy="pip install 'reportkit-replic[dask]'"
        ) from None
    if "://" not in cluster and not Path(cluster).is_file():
        raise SettingsError(
            f"the cluster is {cluster!r}, which is neither an address nor a file with one",
            remedy="give the address of the scheduler (--cluster tcp://HOST:8786), or the file that it wrote "
            "(dask scheduler --scheduler-file scheduler.json)",
        )
    where = {"address": cluster} if "://" in cluster else {"scheduler_file": cluster}
    try:
        client: Any = Client
        return client(**where, timeout="15s", set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise SettingsError(
            f"no scheduler of Dask answers at {cluster!r}",
            where=" ".join(str(error).split())[:200],
            remedy="start one (dask scheduler), or check its address",
        ) from None
