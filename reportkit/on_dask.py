"""Pieces of work for the workers of a cluster of Dask, and what is said where they cannot do it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from reportkit.errors import ReportkitError, SettingsError
from reportkit.in_pieces import available_memory

if TYPE_CHECKING:
    from distributed import Client

WAITS_AT_MOST = "1h"
"""For the first worker, where Dask's own `distributed.scheduler.no-workers-timeout` says nothing."""

_SECONDS_UNSAID = 10.0  # a worker that is on its way is not missed
_LONGER = "DASK_DISTRIBUTED__SCHEDULER__NO_WORKERS_TIMEOUT"


class WorkerLostError(ReportkitError):
    """Those who do part of the work were killed again and again, or never came."""


class OnDask:
    """Workers of Dask: each piece of work is sent to one of them, and what comes of it is sent back.

    Parameters
    ----------
    client : distributed.Client
        Of the user, or of `connected`.
    """

    def __init__(self, client: Client) -> None:
        self.client: Any = client  # typed in part only

    @property
    def workers(self) -> int:
        """Threads of all workers."""
        return max(1, int(sum(self.client.nthreads().values())))

    @property
    def memory(self) -> int:
        """Bytes of the smallest worker."""
        limits = [worker["memory_limit"] for worker in self.client.scheduler_info(n_workers=-1)["workers"].values()]
        return min([int(limit) for limit in limits if limit] or [available_memory() // 2])

    def wait(self, said: Callable[[str], None]) -> None:
        """Wait for the first worker, and say so.

        Raises
        ------
        WorkerLostError
            If none comes in the time that Dask's configuration allows, an hour by default.
        """
        import dask
        from dask.utils import parse_timedelta

        limit = parse_timedelta(dask.config.get("distributed.scheduler.no-workers-timeout") or WAITS_AT_MOST)
        lasting, address = timedelta(seconds=round(limit)), self.client.scheduler.address
        first = self.client.submit(int, pure=False)  # a cluster that grows with its work starts nobody without any
        with suppress(TimeoutError):
            first.result(timeout=min(limit, _SECONDS_UNSAID))
            return
        said(
            f"no worker has come to the scheduler at {address} yet; without one, the work is given up after "
            f"{lasting} ({_LONGER})"
        )
        try:
            first.result(timeout=limit)
        except TimeoutError:
            raise WorkerLostError(
                f"no worker has come to the scheduler at {address}",
                where=f"the work has waited {lasting} (hours, minutes, seconds)",
                remedy=f"start one (dask worker {address}), or use this machine (--workers 2); where jobs wait "
                f"longer for their turn, set {_LONGER}=6h",
            ) from None

    def __call__(
        self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], /
    ) -> Iterator[tuple[int, Any]]:
        """Call `function(*arguments)` for each, and yield (place, result) in any order.

        Raises
        ------
        WorkerLostError
            If workers were killed, or the scheduler has lost the work.
        """
        distributed: Any
        import distributed

        waiting, running = deque(enumerate(arguments)), dict[Any, int]()
        done = distributed.as_completed(loop=self.client.loop)

        def send() -> None:
            place, given = waiting.popleft()
            [piece] = self.client.scatter([(function, given)], hash=False)
            future = self.client.submit(_called, piece, pure=False)
            running[future] = place
            done.add(future)

        try:
            while waiting and len(running) < 2 * self.workers:
                send()
            for future in done:
                result = future.result()
                yield running.pop(future), result
                if waiting:
                    send()
        except distributed.KilledWorker as error:
            problem = f"{error.allowed_failures + 1} workers were killed one after the other"
            raise _lost(problem, len(waiting) + len(running), len(arguments)) from None
        except (distributed.CancelledError, OSError, TimeoutError) as error:
            problem = "the scheduler has lost the work, or does not answer"
            raise _lost(problem, len(waiting) + len(running), len(arguments), str(error)) from None
        finally:
            with suppress(Exception):  # without a scheduler there is nothing to cancel
                self.client.cancel([*running])


def connected(cluster: str) -> Client:
    """Return a client of the scheduler at an address, or in a file with one.

    Raises
    ------
    SettingsError
        If Dask is not installed, or no scheduler answers.
    """
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
        return cast("Client", client(**where, timeout="15s", set_as_default=False))
    except (OSError, TimeoutError, ValueError) as error:
        raise SettingsError(
            f"no scheduler of Dask answers at {cluster!r}",
            where=" ".join(str(error).split())[:200],
            remedy="start one (dask scheduler), or check its address",
        ) from None


def _called(piece: tuple[Callable[..., Any], tuple[Any, ...]]) -> Any:
    function, given = piece
    return function(*given)


def _lost(problem: str, n_left: int, n_all: int, also: str = "") -> WorkerLostError:
    return WorkerLostError(
        problem,
        where=f"{n_left:,} of {n_all:,} pieces of work are not done" + (f": {also}" if also else ""),
        remedy="give workers more memory, if that was the cause, and start again",
    )
