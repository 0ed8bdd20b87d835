"""Datasets that are not in memory: what is known of each stands here, its scores are elsewhere.

A `HeldBlock` has the names of a `Block`, and loads it where its scores are asked for. Work that can be done where the
scores are is sent there by `each`, and only what comes of it travels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.choices import Kind
from reportkit.scores.scales import ranges_of
from reportkit.scores.screening import Nesting, nesting_of
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.sample import Shape

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
    """Which part of a held dataset is meant: some systems, under another name of the metric."""

    systems: tuple[str, ...] | None = None
    metric: str | None = None

    def of(self, block: Block) -> Block:
        """The part of a dataset that is meant."""
        if self.systems is not None:
            narrowed = block.narrowed(self.systems)
            if narrowed is None:
                raise AssertionError("a view is made of systems that are there")
            block = narrowed
        return block if self.metric is None else block.renamed(self.metric)


class Holder(Protocol):
    """Where datasets are held, and where work on them is done."""

    def load(self, key: str) -> Block:
        """Bring a dataset into the memory of this process."""

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
    def n_instances(self) -> int:
        """Number of instances that at least one of the systems was scored on."""
        if self.view.systems is None or self.head.complete:
            return self.head.n_instances
        return self.loaded().n_instances

    def digest(self) -> str:
        """SHA-256 of names and scores."""
        return Block.digest(cast("Block", self))

    def content_digest(self) -> str:
        """SHA-256 of ids and scores."""
        return self.head.content_digest if self.view.systems is None else self.loaded().content_digest()

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

    def renamed(self, metric: str) -> HeldBlock:
        """The same under another name of the metric."""
        return replace(self, view=replace(self.view, metric=metric))

    def loaded(self) -> Block:
        """The dataset in memory."""
        return self.view.of(self.holder.load(self.key))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.loaded(), name)


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
