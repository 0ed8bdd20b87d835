"""Where datasets are held and looked at: in this process, or by processes of this machine."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import shutil
import tempfile
import weakref
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from reportkit.errors import ReportkitError
from reportkit.in_pieces import helping
from reportkit.replicability.compare import assess_dataset
from reportkit.scale.divided import Divided, Index, columns_of, put_together
from reportkit.scale.finished import assess_unfinished
from reportkit.scale.ingest_unit import Layout, frames_of, ingest_frame, ingest_unit
from reportkit.scale.stored_block import read_block, write_block
from reportkit.scale.units import give_back_memory
from reportkit.scores.held import BlockHead, HeldBlock, View, head_of
from reportkit.scores.ingest import IngestedPart
from reportkit.scores.results import Results
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import DatasetScores

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
Task = tuple[str, View, tuple[Any, ...]]
Ingested = list[IngestedPart]

_LARGE_BLOCK = 10_000_000
"""Bytes of scores and ids that are worth a search for what is not needed any more."""

_BYTES_OF_AN_ID = 80
"""A short text, and where it stands."""

ATTEMPTS = 3
"""How often work is done anew whose process was killed."""


class WorkerLostError(ReportkitError):
    """Those who do part of the work were killed again and again, never came, or cannot say what went wrong."""


class DataHolder(ABC):
    """Reads units, holds their datasets, and does what is to be done with them."""

    def __init__(self) -> None:
        self._scratch: Path | None = None
        self._removed: Any = None
        self.finished: Path | None = None
        self.divided: dict[str, Divided] = {}
        self._index: tuple[str, Index] | None = None

    @property
    def scratch(self) -> Path:
        """A folder for as long as datasets are held."""
        if self._scratch is None:
            self._scratch = Path(tempfile.mkdtemp(prefix="reportkit-"))
            self._removed = weakref.finalize(self, shutil.rmtree, self._scratch, ignore_errors=True)
        return self._scratch

    @abstractmethod
    def ingest(self, units: Sequence[Any], layout: Layout, names: Sequence[str]) -> Iterator[tuple[int, Ingested]]:
        """Read units, hold their datasets under names, and yield (place, parts) with held datasets, in any order."""

    def load(self, key: str, systems: Sequence[str] | None = None) -> Block:
        """Bring a dataset into the memory of this process: at least some systems of it, on all instances."""
        found = self.divided.get(key)
        if found is None:
            return self._load([key], systems)[0]
        systems = found.chosen(systems)
        if self._index is None or self._index[0] != key:
            self._index = key, Index.of(self._load(found.parts, ()))
        parts = [columns_of(part, systems) for part in self._load(found.parts, systems, ids=False)]
        return put_together(self._index[1], parts, systems, found.kind)

    def parts(self, key: str) -> Sequence[str]:
        """Under which names the instances of a dataset are held: its own, unless they are in several parts."""
        return self.divided[key].parts if key in self.divided else (key,)

    @abstractmethod
    def _load(self, keys: Sequence[str], systems: Sequence[str] | None, *, ids: bool = True) -> list[Block]:
        """Bring what is held under some names into the memory of this process: at least some systems, or their ids."""

    @abstractmethod
    def map(self, function: Callable[..., T], tasks: Sequence[Task]) -> Iterator[tuple[int, T]]:
        """Call `function(block, *arguments)` for each (key, view, arguments); see `reportkit.scores.held.Holder`."""

    @abstractmethod
    def run(self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, T]]:
        """Call `function(*arguments)` for each, and yield (place, result) in any order."""

    @property
    def workers(self) -> int:
        """How much is done at once."""
        return 1

    def close(self) -> None:
        """Give back memory, files and processes."""
        self.divided.clear()
        self._index = None
        if self._removed is not None:
            self._removed()
            self._scratch = self._removed = None

    def taking_up(self, function: Callable[..., T]) -> Callable[..., T]:
        """The function, so that it takes up what stands in the folder of finished tests; any other as it is."""
        if self.finished is None or cast("Any", function) is not assess_dataset:
            return function
        return cast("Callable[..., T]", partial(assess_unfinished, folder=self.finished))

    @abstractmethod
    def adopt(self, key: str, block: Block) -> None:
        """Hold a dataset that is in the memory of this process."""

    def adopted(self, results: Results) -> Results:
        """Results whose datasets are held here, so that work on them is done here."""
        if any(block.head is not None for block in results.datasets):
            return results
        held = []
        for number, block in enumerate(results.datasets):
            key = key_of(f"adopted-{number}", 0, 0)
            self.adopt(key, block)
            held.append(HeldBlock.hold(head_of(block), self, key))
        return replace(results, datasets=tuple(held))

    def held(self, parts: Ingested, heads: Sequence[Sequence[BlockHead]], name: str) -> Ingested:
        """Parts whose datasets are held here."""
        return [
            replace(
                part,
                blocks=tuple(HeldBlock.hold(head, self, key_of(name, r, b)) for b, head in enumerate(heads[r])),
            )
            for r, part in enumerate(parts)
        ]


def key_of(name: str, recipe: int, block: int) -> str:
    """Under which name a dataset of a unit is held."""
    return f"{name}-{recipe}-{block}"


class Here(DataHolder):
    """The process itself: datasets stay in memory as long as there is room, and are put aside as Parquet otherwise.

    Parameters
    ----------
    room : int
        Bytes of scores that are kept in memory.
    """

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room
        self.blocks: dict[str, Block] = {}

    def ingest(self, units: Sequence[Any], layout: Layout, names: Sequence[str]) -> Iterator[tuple[int, Ingested]]:
        """Read one after the other."""
        frames = frames_of(units)
        for place, name in enumerate(names):
            yield place, self._ingested(frames, layout, name)  # nothing of a unit is left here by the next but one

    def _ingested(self, frames: Iterator[pd.DataFrame], layout: Layout, name: str) -> Ingested:
        parts = ingest_frame(next(frames), layout)
        heads = []
        for r, part in enumerate(parts):
            heads.append([head_of(block) for block in part.blocks])
            for b, block in enumerate(part.blocks):
                self.adopt(key_of(name, r, b), block)
        return self.held(parts, heads, name)

    def adopt(self, key: str, block: Block) -> None:
        """In memory, or on disk."""
        size = _with_ids(block)
        self.blocks.pop(key, None)
        if size > self.room and type(block) is DatasetScores:
            write_block(block, _path(self.scratch, key))
        else:
            self.room -= size
            self.blocks[key] = block

    def _load(self, keys: Sequence[str], systems: Sequence[str] | None, *, ids: bool = True) -> list[Block]:
        """From memory or from disk."""
        return [self.blocks.get(key) or read_block(_path(self.scratch, key), systems, ids=ids) for key in keys]

    def map(self, function: Callable[..., T], tasks: Sequence[Task]) -> Iterator[tuple[int, T]]:
        """One after the other; what is asked of one dataset in a row loads it once."""
        function = self.taking_up(function)
        last: tuple[tuple[str, Sequence[str] | None], Block] | None = None
        for place, (key, view, arguments) in enumerate(tasks):
            if last is None or last[0] != (key, view.systems):
                if last is not None and _with_ids(last[1]) > _LARGE_BLOCK:  # outcomes hold it, and it holds outcomes
                    last = None
                    gc.collect()
                    give_back_memory()
                last = (key, view.systems), self.load(key, view.systems)
            yield place, function(view.of(last[1]), *arguments)

    def run(self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, T]]:
        """One after the other."""
        for place, given in enumerate(arguments):
            yield place, function(*given)

    def close(self) -> None:
        """Forget the datasets."""
        self.blocks.clear()
        super().close()


class Processes(DataHolder):
    """Processes of this machine, without Dask; datasets are put aside as Parquet, where each process finds them.

    Parameters
    ----------
    workers : int
        Number of processes.
    """

    def __init__(self, workers: int) -> None:
        super().__init__()
        self._workers = workers
        self.blocks: dict[str, Block] = {}
        self._pool: ProcessPoolExecutor | None = None

    @property
    def workers(self) -> int:
        """Number of processes."""
        return self._workers

    def ingest(self, units: Sequence[Any], layout: Layout, names: Sequence[str]) -> Iterator[tuple[int, Ingested]]:
        """Read in the processes."""
        arguments = [(unit, layout, name, self.scratch) for unit, name in zip(units, names, strict=True)]
        for place, (parts, heads) in self.run(_ingest_to, arguments):
            yield place, self.held(parts, heads, names[place])

    def _load(self, keys: Sequence[str], systems: Sequence[str] | None, *, ids: bool = True) -> list[Block]:
        """From disk."""
        return [self.blocks.get(key) or read_block(_path(self.scratch, key), systems, ids=ids) for key in keys]

    def adopt(self, key: str, block: Block) -> None:
        """On disk, if it has such a form; else it is sent along with each piece of work."""
        if type(block) is DatasetScores:
            write_block(block, _path(self.scratch, key))
        else:
            self.blocks[key] = block

    def map(self, function: Callable[..., T], tasks: Sequence[Task]) -> Iterator[tuple[int, T]]:
        """In the processes."""
        function = self.taking_up(function)
        yield from self.run(
            _apply_to,
            [
                (self.divided.get(key) or self.blocks.get(key) or key, self.scratch, function, view, arguments)
                for key, view, arguments in tasks
            ],
        )

    def run(self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, T]]:
        """In the processes, anew where one of them was killed."""
        left = dict(enumerate(arguments))
        for _ in range(ATTEMPTS):
            try:
                for place, result in self._run(function, left):
                    del left[place]
                    yield place, result
            except BrokenProcessPool:
                self._pool = None
            if not left:
                return
        raise WorkerLostError(
            f"a process was killed {ATTEMPTS} times, probably for want of memory",
            where=f"{len(left):,} of {len(arguments):,} pieces of work are not done",
            remedy="use fewer workers (--workers), which then have more memory each",
        )

    def _run(self, function: Callable[..., T], arguments: dict[int, tuple[Any, ...]]) -> Iterator[tuple[int, T]]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._workers, multiprocessing.get_context("spawn"), helping)
        waiting = deque(arguments.items())
        running: dict[Future[T], int] = {}
        try:
            while waiting or running:
                while waiting and len(running) < 2 * self._workers:
                    place, given = waiting.popleft()
                    running[self._pool.submit(function, *given)] = place
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            for future in running:
                future.cancel()

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
        self.blocks.clear()
        super().close()


def _size(block: Block) -> int:
    measured = block.measured()
    return 0 if measured is None else measured.nbytes


def _with_ids(block: Block) -> int:
    return _size(block) + _BYTES_OF_AN_ID * block.n_instances


def _path(folder: Path, key: str) -> Path:
    return folder / f"{key}.parquet"


def _ingest_to(unit: Any, layout: Layout, name: str, folder: Path) -> tuple[Ingested, list[list[BlockHead]]]:
    parts = ingest_unit(unit, layout)
    for r, part in enumerate(parts):
        for b, block in enumerate(part.blocks):
            write_block(block, _path(folder, key_of(name, r, b)))
    return without_scores(parts)


def without_scores(parts: Ingested) -> tuple[Ingested, list[list[BlockHead]]]:
    """Parts without their datasets, and what is known of these."""
    heads = [[head_of(block) for block in part.blocks] for part in parts]
    return [replace(part, blocks=()) for part in parts], heads


def _apply_to(
    held: Divided | Block | str, folder: Path, function: Callable[..., T], view: View, arguments: tuple[Any, ...]
) -> T:
    if isinstance(held, Divided):
        systems = held.chosen(view.systems)
        parts = [read_block(_path(folder, part), systems, ids=False) for part in held.parts]
        block: Block = put_together(_index_in(folder, held.parts), parts, systems, held.kind)
    else:
        block = read_block(_path(folder, held), view.systems) if isinstance(held, str) else held
    return applied(function, block, view, arguments)


def applied(function: Callable[..., T], block: Block, view: View, arguments: tuple[Any, ...]) -> T:
    """What comes of work on a dataset, as it travels: nothing that needs its scores is left when the next one begins.

    Outcomes make their intervals when they are pickled, which Dask does in another thread, beside the next piece.
    """
    found: T = pickle.loads(pickle.dumps(function(view.of(block), *arguments)))  # noqa: S301 - written here
    if _with_ids(block) > _LARGE_BLOCK:  # outcomes hold it, and it holds outcomes
        gc.collect()
        give_back_memory()
    return found


@lru_cache(maxsize=1)
def _index_in(folder: Path, parts: tuple[str, ...]) -> Index:
    return Index.of([read_block(_path(folder, part), ()) for part in parts])


def available_memory() -> int:
    """Bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
