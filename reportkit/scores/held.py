"""Datasets that are not in memory: what is known of each stands here, its scores are elsewhere.

A `HeldBlock` has the names of a `Block`, and loads it where its scores are asked for. Work that can be done where the
scores are is sent there by `each`, and only what comes of it travels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import ReadingError
from reportkit.scores.choices import Kind
from reportkit.scores.scales import ranges_of
from reportkit.scores.screening import Nesting, nesting_of
from reportkit.scores.shapes.block import Block, Lacking
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.scores.shapes.sample import Shape
from reportkit.scores.table.names import sorted_positions

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BlockHead:
    """What is known of a dataset without its scores.

    Parameters
    ----------
    dataset, metric, systems, kind, higher_is_better, shape, unit, n_instances
        As of the `Block`.
    complete : bool
        Whether every system has a score for every instance.
    content_digest : str
        Of ids and scores.
    ranges : tuple of three ndarrays, optional
        Lowest, highest and mean score of each system, as given; None if scores have no such matrix.
    nesting : Nesting, optional
        What the ids say of documents.
    systems_at_once : int, optional
        Of how many systems the scores are brought into memory at once; None for all.
    """

    dataset: str
    metric: str
    systems: tuple[str, ...]
    kind: Kind
    higher_is_better: bool
    shape: Shape
    unit: str
    n_instances: int
    complete: bool
    content_digest: str
    ranges: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]] | None
    nesting: Nesting | None
    systems_at_once: int | None = None


def head_of(block: Block) -> BlockHead:
    """What is known of a dataset without its scores."""
    matrix = block.matrix()
    found = None if matrix is None else ranges_of(matrix)
    return BlockHead(
        dataset=block.dataset,
        metric=block.metric,
        systems=block.systems,
        kind=block.kind,
        higher_is_better=block.higher_is_better,
        shape=block.shape,
        unit=block.unit,
        n_instances=block.n_instances,
        complete=block.without_missing(),
        content_digest=block.content_digest(),
        ranges=None if found is None else (found.lowest, found.highest, found.mean),
        nesting=nesting_of(block) if block.n_instances else None,
    )


@dataclass(frozen=True, slots=True)
class View:
    """Which part of a held dataset is meant: some systems, under another name of the metric.

    Instances of which none of these systems has a score belong to it if `all_instances` says so.
    """

    systems: tuple[str, ...] | None = None
    metric: str | None = None
    all_instances: bool = False

    def of(self, block: Block) -> Block:
        """The part of a dataset that is meant."""
        if self.systems is not None:
            if self.all_instances:
                narrowed: Block | None = block.on_all_instances(self.systems)
            else:
                narrowed = block.narrowed(self.systems)
            if narrowed is None:
                raise AssertionError("a view is made of systems that are there")
            block = narrowed
        return block if self.metric is None else block.renamed(self.metric)


class Holder(Protocol):
    """Where datasets are held, and where work on them is done."""

    def load(self, key: str, systems: Sequence[str] | None = None) -> Block:
        """Bring a dataset into the memory of this process: at least some systems of it, on all instances."""

    def parts(self, key: str) -> Sequence[str]:
        """Under which names the instances of a dataset are held: its own, unless they are in several parts."""

    def map(
        self, function: Callable[..., T], tasks: Sequence[tuple[str, View, tuple[Any, ...]]]
    ) -> Iterator[tuple[int, T]]:
        """Call `function(block, *arguments)` for each (key, view, arguments), and yield (place, result) as they come.

        The results are the same in whatever order and place they are computed.
        """


@dataclass(frozen=True, slots=True, eq=False)
class HeldBlock:
    """A dataset that is not in memory; it passes for a `Block`, and loads it where its scores are asked for.

    Parameters
    ----------
    head : BlockHead
        What is known of it.
    holder : Holder
        Where it is.
    key : str
        Under which name.
    view : View
        Which part of it is meant.
    """

    head: BlockHead
    holder: Holder
    key: str
    view: View = View()

    @classmethod
    def hold(cls, head: BlockHead, holder: Holder, key: str) -> Block:
        """A held dataset, as those who work with datasets see it."""
        return cast("Block", cls(head, holder, key))

    @property
    def dataset(self) -> str:
        """Name of the dataset."""
        return self.head.dataset

    @property
    def metric(self) -> str:
        """Name of the metric."""
        return self.head.metric if self.view.metric is None else self.view.metric

    @property
    def systems(self) -> tuple[str, ...]:
        """Systems with at least one score here."""
        return self.head.systems

    @property
    def kind(self) -> Kind:
        """Kind of the scores."""
        return self.head.kind

    @property
    def higher_is_better(self) -> bool:
        """Direction of the metric."""
        return self.head.higher_is_better

    @property
    def shape(self) -> Shape:
        """What there is of each system."""
        return self.head.shape

    @property
    def unit(self) -> str:
        """Noun for one of the instances."""
        return self.head.unit

    @property
    def instance_names(self) -> NDArray[np.object_]:
        """Ids of the instances, each once."""
        names = np.concatenate(self._of_parts(_instance_names))
        return names[sorted_positions(names)]

    @property
    def cluster_names(self) -> tuple[str, ...]:
        """Names of the clusters."""
        return tuple(sorted({name for names in self._of_parts(_cluster_names) for name in names}))

    @property
    def n_instances(self) -> int:
        """Number of instances that at least one of the systems was scored on."""
        if self.view.systems is None or self.head.complete:
            return self.head.n_instances
        return sum(self._of_parts(_n_instances))

    def digest(self) -> str:
        """SHA-256 of names and scores."""
        return Block.digest(cast("Block", self))

    def content_digest(self) -> str:
        """SHA-256 of ids and scores."""
        if self.view.systems is None:
            return self.head.content_digest
        return digest_by_systems(self)[0] if some_at_once(self) else self.loaded().content_digest()

    def lacking(self) -> Lacking:
        """Which scores the systems lack."""
        return Lacking.of_all(self._of_parts(Lacking.of))

    def in_turn(self) -> Iterator[tuple[tuple[str, ...], DatasetScores]]:
        """Some systems at a time, and a block that holds them on all instances."""
        at_once = some_at_once(self) or len(self.systems)
        for start in range(0, len(self.systems), at_once):
            systems = self.systems[start : start + at_once]
            yield systems, cast("DatasetScores", self.holder.load(self.key, systems))

    def _of_parts(self, function: Callable[[Block, tuple[str, ...]], T]) -> list[T]:
        tasks = [(part, View(), (self.systems,)) for part in self.holder.parts(self.key)]
        return [result for _, result in sorted(self.holder.map(function, tasks), key=lambda found: found[0])]

    def matrix(self) -> HeldBlock | None:
        """Itself, if it holds scores."""
        return None if self.head.ranges is None else self

    def as_given(self, value: float) -> float:
        """Turn an oriented value back into what the input holds."""
        return value if self.higher_is_better else -value

    def narrowed(self, systems: Sequence[str]) -> HeldBlock | None:
        """Keep some systems, in their order; None if none is here."""
        kept = tuple(name for name in systems if name in self.systems)
        if kept == self.systems:
            return self
        if not kept:
            return None
        rows = [self.systems.index(name) for name in kept]
        ranges = self.head.ranges
        if ranges is not None:
            ranges = (ranges[0][rows], ranges[1][rows], ranges[2][rows])
        return replace(
            self, head=replace(self.head, systems=kept, ranges=ranges), view=replace(self.view, systems=kept)
        )

    def on_all_instances(self, systems: Sequence[str]) -> HeldBlock:
        """Keep some systems, and the instances that none of them has a score of, too.

        Raises
        ------
        ReadingError
            If instances were left out before, with the systems that alone have scores there.
        """
        if self.view.systems is not None and not self.head.complete:
            raise ReadingError(
                f"systems were selected of {self.dataset!r}, which lacks scores and is larger than memory",
                remedy="name the systems where they are compared: compare(..., systems=[...])",
            )
        kept = tuple(name for name in systems if name in self.systems)
        return replace(
            self, head=replace(self.head, systems=kept), view=replace(self.view, systems=kept, all_instances=True)
        )

    def renamed(self, metric: str) -> HeldBlock:
        """The same under another name of the metric."""
        return replace(self, view=replace(self.view, metric=metric))

    def loaded(self) -> Block:
        """The dataset in memory."""
        return self.view.of(self.holder.load(self.key, self.view.systems))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.loaded(), name)


def some_at_once(block: Block | HeldBlock) -> int | None:
    """Of how many systems the scores are brought into memory at once; None if of all of them."""
    at_once = None if block.head is None else block.head.systems_at_once
    return at_once if at_once is not None and at_once < len(block.systems) else None


def _instance_names(block: Block, systems: tuple[str, ...]) -> NDArray[np.object_]:
    narrowed = block.narrowed(systems)
    return np.empty(0, dtype=object) if narrowed is None else narrowed.instance_names


def _cluster_names(block: Block, systems: tuple[str, ...]) -> tuple[str, ...]:
    return block.cluster_names


def _n_instances(block: Block, systems: tuple[str, ...]) -> int:
    narrowed = block.narrowed(systems)
    return 0 if narrowed is None else narrowed.n_instances


def digest_by_systems(
    held: HeldBlock, look: Callable[[DatasetScores], object] = lambda block: None
) -> tuple[str, NDArray[np.object_]]:
    """What `Block.content_digest` is of all scores of a dataset, and its ids, found for some systems at a time.

    Parameters
    ----------
    held : HeldBlock
        One score for each system and instance, or none.
    look : callable, optional
        Called with the scores of these systems on all instances.
    """
    kept: slice | NDArray[np.bool_] = slice(None)
    if not held.head.complete:
        scored = [~np.isnan([block.row(system) for system in systems]).all(axis=0) for systems, block in held.in_turn()]
        kept = np.any(scored, axis=0)
    total: Any = None
    for systems, block in held.in_turn():
        if total is None:
            ids = block.instances[kept]
            total = hashlib.sha256("\x1f".join(map(str, ids)).encode("utf-8", "surrogatepass"))
        for system in systems:
            total.update(block.row(system)[kept].tobytes())
        look(block)
    for beside in (block.weights, block.clusters):
        if beside is not None:
            total.update(beside[kept].tobytes())
    return total.hexdigest(), ids


def each(
    function: Callable[..., T], blocks: Sequence[Block], arguments: Sequence[tuple[Any, ...]]
) -> Iterator[tuple[int, T]]:
    """Call a function for each dataset where its scores are, and yield (place, result) in any order.

    Parameters
    ----------
    function : callable
        (block, *arguments) -> result; of a module, so that other processes find it.
    blocks : sequence of Block
        In memory, or all of them held in one place.
    arguments : sequence of tuple
        Further arguments, for each dataset.
    """
    held = [cast("HeldBlock", block) for block in blocks if block.head is not None]
    if held and len(held) == len(blocks):
        tasks = [(block.key, block.view, given) for block, given in zip(held, arguments, strict=True)]
        yield from held[0].holder.map(function, tasks)
        return
    for place, (block, given) in enumerate(zip(blocks, arguments, strict=True)):
        yield place, function(block, *given)
