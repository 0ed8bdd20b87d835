"""Datasets in the memory of the workers of Dask, and what is said where they cannot do their work."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from reportkit.errors import ReadingError
from reportkit.scale.divided import Index, columns_of, put_together
from reportkit.scale.holders import DataHolder, Ingested, Task, WorkerLostError, applied, key_of
from reportkit.scale.ingest_unit import Layout, ingest_frame, ingest_unit
from reportkit.scale.units import give_back_memory, unreadable_part
from reportkit.scores.held import BlockHead, View, head_of
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import DatasetScores

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
_Work = tuple[Callable[..., Any], tuple[Any, ...]]

LOOKS_EVERY = 2.0
"""Seconds between two looks at the workers."""

STUCK_AFTER = 10
"""Looks at which all workers had no memory left, and did nothing, after which they are given up."""

GONE_AFTER = 150
"""Looks at which there was no worker any more, after which the work is given up."""

QUIET_FOR = 5
"""Looks between which nothing was done, after which the scheduler is asked what has failed."""

WAITS_AT_MOST = "1h"
"""For the first worker, where Dask's own `distributed.scheduler.no-workers-timeout` says nothing."""

SAID_AFTER = 5.0
"""Seconds without a worker after which it is said."""

_LONGER = "DASK_DISTRIBUTED__SCHEDULER__NO_WORKERS_TIMEOUT"

_BUSY = {"executing", "long-running", "flight"}
"""States in which a worker is getting on with a piece of work."""


@dataclass(frozen=True, slots=True)
class _Held:
    """Datasets of a unit in the memory of a worker, and what is known of each."""

    parts: Ingested
    blocks: list[tuple[Block, ...]]
    heads: list[list[BlockHead]]

    def __sizeof__(self) -> int:
        """What Dask has to know, to put datasets aside before memory is full."""
        found = (block.measured() for row in self.blocks for block in row)
        return sum(0 if measured is None else measured.nbytes for measured in found)


@dataclass(frozen=True, slots=True)
class RowsOnWorkers:
    """All rows of some datasets, or of some instances of one, as a future of a frame; and where they come from."""

    frame: Any
    name: str


class OnDask(DataHolder):
    """Workers of Dask, on this machine or on a cluster: datasets stay in their memory, under Dask's own care.

    Where a worker is lost, Dask reads its datasets again from their files; if these hold something else by then, that
    is an error.

    Parameters
    ----------
    client : distributed.Client
    owned : bool
        Whether the client, and a cluster that it started, end with this object.
    """

    def __init__(self, client: Client, *, owned: bool = False) -> None:
        super().__init__()
        self.client: Any = client  # typed in part only
        self.units: dict[str, Any] = {}
        self.names: dict[str, str] = {}
        self.digests: dict[str, str] = {}
        self._finalizer = weakref.finalize(self, _closed, client) if owned else None

    @property
    def workers(self) -> int:
        """Threads of all workers."""
        return max(1, int(sum(self.client.nthreads().values())))

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
        asked = self.client.submit(int, pure=False)  # a cluster that grows with its work starts nobody without any
        started, silent = time.monotonic(), True
        while not self.client.nthreads():
            waited = time.monotonic() - started
            if waited > limit:
                raise WorkerLostError(
                    f"no worker has come to the scheduler at {address}",
                    where=f"the work has waited {lasting} (hours, minutes, seconds)",
                    remedy=f"start one (dask worker {address}), or use this machine (--workers 2); where jobs wait "
                    f"longer for their turn, set {_LONGER}=6h",
                )
            if silent and waited > SAID_AFTER:
                silent = False
                said(
                    f"no worker has come to the scheduler at {address} yet; without one, the work is given up after "
                    f"{lasting} ({_LONGER})"
                )
            time.sleep(0.1)
        asked.release()

    def ingest(self, units: Sequence[Any], layout: Layout, names: Sequence[str]) -> Iterator[tuple[int, Ingested]]:
        """Read on the workers."""
        for unit, name in zip(units, names, strict=True):
            rows = unit.frame if isinstance(unit, RowsOnWorkers) else unit
            function = ingest_frame if isinstance(unit, RowsOnWorkers) else ingest_unit
            self.names[name] = unit.name
            self.units[name] = self.client.submit(_read, function, rows, layout, pure=False)
        tasks = [(_without_scores, (self.units[name],)) for name in names]
        for place, (parts, heads) in self._gathered(tasks, [self.names[name] for name in names]):
            for r, row in enumerate(heads):
                self.digests |= {key_of(names[place], r, b): head.content_digest for b, head in enumerate(row)}
            yield place, self.held(parts, heads, names[place])

    def _load(self, keys: Sequence[str], systems: Sequence[str] | None, *, ids: bool = True) -> list[Block]:
        """From the workers that have them."""
        tasks = [(_columns, (*self._found(key), systems, ids)) for key in keys]
        return [block for _, block in sorted(self._gathered(tasks, [self._name(key) for key in keys]), key=_place)]

    def adopt(self, key: str, block: Block) -> None:
        """On some worker."""
        name, _ = _split(key)
        self.names[name] = block.dataset
        self.units[name] = self.client.submit(_adopted, block, pure=False)
        self.digests[key] = block.content_digest()

    def map(self, function: Callable[..., T], tasks: Sequence[Task]) -> Iterator[tuple[int, T]]:
        """On the workers that have the datasets."""
        names = [self.divided[key].dataset if key in self.divided else self._name(key) for key, _, _ in tasks]
        yield from self._gathered(self._where_held(self.taking_up(function), tasks), names)

    def _where_held(self, function: Callable[..., T], tasks: Sequence[Task]) -> Iterator[_Work]:
        """Work on datasets as calls of functions; what is put together for some of it is kept as long as they need."""
        together: dict[tuple[str, tuple[str, ...]], Any] = {}
        indices: dict[str, Any] = {}
        for key, view, given in tasks:
            if (found := self.divided.get(key)) is None:
                yield _apply_held, (*self._found(key), function, view, given)
                continue
            systems = found.chosen(view.systems)
            if key not in indices:
                indices[key] = self.client.submit(Index.of, self._columns_of(found.parts, (), ids=True), pure=False)
            if (key, systems) not in together:
                parts = self._columns_of(found.parts, systems, ids=False)
                together[key, systems] = self.client.submit(
                    put_together, indices[key], parts, systems, found.kind, pure=False
                )
            yield applied, (function, together[key, systems], view, given)

    def _columns_of(self, keys: Sequence[str], systems: tuple[str, ...], *, ids: bool) -> list[Any]:
        return [self.client.submit(_columns, *self._found(key), systems, ids, pure=False) for key in keys]

    def run(self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, T]]:
        """On any worker."""
        yield from self._gathered([(function, given) for given in arguments], [""] * len(arguments))

    def _found(self, key: str) -> tuple[Any, int, int, str, str]:
        name, place = _split(key)
        return self.units[name], *place, self.digests[key], self._name(key)

    def _name(self, key: str) -> str:
        return self.names[_split(key)[0]]

    def _gathered(self, tasks: Iterable[_Work], names: Sequence[str]) -> Iterator[tuple[int, Any]]:
        yield from self._awaited([self.client.submit(function, *given, pure=False) for function, given in tasks], names)

    def computed(self, parts: Sequence[Any], name: str) -> list[Any]:
        """What Dask's own graphs come to, in their order; the name says where the rows are."""
        found = self._awaited(self.client.compute(parts), [name] * len(parts))
        return [result for _, result in sorted(found, key=_place)]

    def _awaited(self, work: Sequence[Any], names: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """Results as they come, or what the cluster could not do, and on which part of the results."""
        distributed: Any
        import distributed

        futures = {future: place for place, future in enumerate(work)}
        left = dict.fromkeys(futures)
        reason = "the scheduler has lost the work: it was started anew, or somebody has cancelled it"
        try:
            with self._watched(futures, names, left) as given_up:
                for future in distributed.as_completed(futures, loop=self.client.loop):
                    if future.status == "error" and isinstance(error := future.exception(), OSError):
                        raise unreadable_part(names[futures[future]], error)  # by Dask, for a frame of its own
                    result = future.result()
                    yield futures[future], result
                    del left[future]
        except distributed.KilledWorker as error:
            raise self._lost(
                f"{error.allowed_failures + 1} workers were killed one after the other", names, futures, left
            ) from None
        except distributed.CancelledError:
            raise (given_up[0] if given_up else self._lost(reason, names, futures, left)) from None
        except OSError as error:  # of the connection: what workers meet comes as an error of this package
            raise self._lost(f"the scheduler does not answer ({error})", names, futures, left) from None
        finally:
            with suppress(Exception):  # without a scheduler there is nothing to cancel
                self.client.cancel([future for future in futures if not future.done()])

    @contextmanager
    def _watched(
        self, futures: dict[Any, int], names: Sequence[str], left: dict[Any, None]
    ) -> Iterator[list[WorkerLostError]]:
        """Cancel the work where Dask itself would wait for ever, and say why.

        Either no worker can do anything any more, or one has failed with an error that cannot be unpickled here: then
        Dask does not notice that its work has ended.
        """
        ended, given_up = threading.Event(), list[WorkerLostError]()

        def watch() -> None:
            stuck = gone = quiet = n_left = 0
            failed: dict[str, str] = {}
            while not ended.wait(LOOKS_EVERY):
                seen = failed
                with suppress(Exception):  # whether the scheduler answers is seen elsewhere
                    workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
                    idle = [
                        worker["status"] == "paused" and _BUSY.isdisjoint(worker["metrics"].get("task_counts", ()))
                        for worker in workers
                    ]
                    stuck, gone = (stuck + 1 if idle and all(idle) else 0), (0 if idle else gone + 1)
                    quiet, n_left = (quiet + 1 if len(left) == n_left else 0), len(left)
                    failed = self._failed() if quiet >= QUIET_FOR else {}
                unread = [key for key in seen.keys() & failed if key in waiting]
                if unread:
                    error = _unread(names[waiting[unread[0]]], failed[unread[0]])
                elif stuck >= STUCK_AFTER:
                    error = self._lost("the workers have no memory left to begin anything", names, futures, left)
                elif gone >= GONE_AFTER:
                    error = self._lost("there is no worker any more", names, futures, left)
                else:
                    continue
                given_up.append(error)
                self.client.cancel(list(futures))
                return

        waiting = {future.key: place for future, place in futures.items()}
        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield given_up
        finally:
            ended.set()

    def _failed(self) -> dict[str, str]:
        """Pieces of work of this client that have ended with an error, as the scheduler knows, and the error's text."""

        def failed(client: str, dask_scheduler: Any) -> dict[str, str]:
            wanted = dask_scheduler.clients[client].wants_what
            erred = {task.key: task.exception_blame or task for task in wanted if task.state == "erred"}
            return {key: str(task.exception_text) for key, task in erred.items()}

        found: dict[str, str] = self.client.run_on_scheduler(failed, self.client.id)
        return found

    def _lost(
        self, problem: str, names: Sequence[str], futures: dict[Any, int], left: dict[Any, None]
    ) -> WorkerLostError:
        parts = [name for name in dict.fromkeys(names[futures[future]] for future in left) if name]
        also = f", and {len(parts) - 1:,} more" if len(parts) > 1 else ""
        return WorkerLostError(
            problem,
            where=f"{len(left):,} of {len(futures):,} pieces of work are not done"
            + (f": those on {parts[0]}{also}" if parts else ""),
            remedy="give workers more memory, if that was the cause, and start again; with a folder for finished tests "
            "(--resume FOLDER) those are taken up",
        )

    def close(self) -> None:
        """Let the workers forget the datasets."""
        self.units.clear()
        super().close()
        if self._finalizer is not None:
            self._finalizer()


def _unread(name: str, error: str) -> WorkerLostError:
    return WorkerLostError(
        "a worker has failed with an error that cannot be read here",
        where=f"{name}: {error}" if name else error,
        remedy="use the same versions of Python and of all packages on all machines; without Dask (--memory-limit 2GB) "
        "the error is shown as a whole",
    )


def _closed(client: Any) -> None:
    """End a client and its cluster, from whatever thread the search for cycles runs in.

    In the thread of Dask's own event loop, closing would only make coroutines, which nobody awaits.
    """
    if client.asynchronous:
        threading.Thread(target=_end, args=(client,), daemon=True).start()
    else:
        _end(client)


def _end(client: Any) -> None:
    with suppress(Exception):
        cluster = client.cluster
        client.close()
        if cluster is not None:
            cluster.close()


def _split(key: str) -> tuple[str, tuple[int, int]]:
    name, recipe, block = key.rsplit("-", 2)
    return name, (int(recipe), int(block))


def _read(function: Callable[[Any, Layout], Ingested], unit: Any, layout: Layout) -> _Held:
    parts = function(unit, layout)
    heads = [[head_of(block) for block in part.blocks] for part in parts]
    give_back_memory()
    return _Held([replace(part, blocks=()) for part in parts], [part.blocks for part in parts], heads)


def _without_scores(held: _Held) -> tuple[Ingested, list[list[BlockHead]]]:
    return held.parts, held.heads


def _adopted(block: Block) -> _Held:
    return _Held([], [(block,)], [[head_of(block)]])


def _place(found: tuple[int, Any]) -> int:
    return found[0]


def _columns(
    held: _Held, recipe: int, place: int, digest: str, name: str, systems: Sequence[str] | None, ids: bool
) -> Block:
    block = _block_of(held, recipe, place, digest, name)
    chosen = block if systems is None else columns_of(block, systems)
    return chosen if ids else replace(cast("DatasetScores", chosen), instances=np.empty(0, dtype=object))


def _block_of(held: _Held, recipe: int, place: int, digest: str, name: str) -> Block:
    """A dataset of a unit, if it is still the one that was read at first."""
    heads = held.heads[recipe] if recipe < len(held.heads) else []
    if place >= len(heads) or heads[place].content_digest != digest:
        raise ReadingError(
            f"{name}, a part of the results, was changed while they were compared",
            where="a worker was lost, its part was read again, and other scores stand there now",
            remedy="start again; leave the files as they are until the report is written",
        )
    return held.blocks[recipe][place]


def _apply_held(
    held: _Held,
    recipe: int,
    place: int,
    digest: str,
    name: str,
    function: Callable[..., T],
    view: View,
    arguments: tuple[Any, ...],
) -> T:
    return applied(function, _block_of(held, recipe, place, digest, name), view, arguments)
