"""A dataset that is too large to be read as a whole: parts of its instances, of which some systems are put together.

The rows are brought together by instance, each part is laid out as a dataset of its own and held as such. What depends
on all instances is then found for some systems at a time, on scores in the order that they have in memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import ReadingError
from reportkit.scores.choices import Kind
from reportkit.scores.held import BlockHead, HeldBlock, digest_by_systems
from reportkit.scores.scales import Ranges, ranges_of
from reportkit.scores.screening import nested_ids
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.scores.table.names import natural_order, sorted_positions

if TYPE_CHECKING:
    from reportkit.scale.holders import DataHolder

_BYTES_OF_A_SCORE = 40
"""What a score takes while the parts are put together and tested."""

_BYTES_OF_AN_INSTANCE = 300
"""What its id takes, and what is worked out of the scores of a pair."""


@dataclass(frozen=True, slots=True)
class Divided:
    """How a dataset is put together.

    Parameters
    ----------
    dataset : str
        Its name.
    systems : tuple of str
        All of them.
    parts : tuple of str
        Under which names parts of its instances are held.
    kind : {"binary", "continuous", "ordinal", "count"}
        Of all scores.
    systems_at_once : int
        So many fit into memory.
    """

    dataset: str
    systems: tuple[str, ...]
    parts: tuple[str, ...]
    kind: Kind
    systems_at_once: int

    def chosen(self, systems: Sequence[str] | None) -> tuple[str, ...]:
        """Some systems, or all of them.

        Raises
        ------
        ReadingError
            If they do not fit into memory.
        """
        chosen = self.systems if systems is None else tuple(systems)
        if len(chosen) > self.systems_at_once:
            raise ReadingError(
                f"this needs the scores of {len(chosen):,} systems on the dataset {self.dataset!r} at once",
                where=f"there is memory for {self.systems_at_once:,} systems",
                remedy="give more memory (--memory-limit), or keep the rows of fewer systems",
            )
        return chosen


def columns_of(block: Block, systems: Sequence[str]) -> DatasetScores:
    """Some systems of a part, on all of its instances."""
    scores = cast("DatasetScores", block)
    rows = [scores.systems.index(system) for system in systems if system in scores.systems]
    return replace(scores, systems=tuple(scores.systems[row] for row in rows), scores=scores.scores[rows])


class Index(NamedTuple):
    """What is the same for all systems of a divided dataset, so that it is read and sorted once.

    Parameters
    ----------
    whole : DatasetScores
        All instances in the order that they have in memory, without a system.
    places : tuple of ndarray of int
        For each part, where its instances are among them.
    """

    whole: DatasetScores
    places: tuple[NDArray[np.int64], ...]

    @classmethod
    def of(cls, parts: Sequence[Block]) -> Index:
        """That of all parts, in their order; of none of their systems."""
        alone = [columns_of(part, ()) for part in parts]
        ids = np.concatenate([part.instances for part in alone])
        order = sorted_positions(ids)
        place = np.empty(order.size, dtype=np.int64)
        place[order] = np.arange(order.size)
        names = sorted({*chain.from_iterable(part.cluster_names for part in alone)})
        clusters = [
            np.array([names.index(name) for name in part.cluster_names])[part.clusters]
            for part in alone
            if part.clusters is not None
        ]
        weights = [part.weights for part in alone if part.weights is not None]
        whole = replace(
            alone[0],
            instances=ids[order],
            scores=np.empty((0, order.size)),
            clusters=np.concatenate(clusters)[order] if clusters else None,
            cluster_names=tuple(names),
            weights=np.concatenate(weights)[order] if weights else None,
        )
        ends = np.cumsum([part.n_instances for part in alone])
        return cls(whole, tuple(np.split(place, ends[:-1])))


def put_together(index: Index, parts: Sequence[DatasetScores], systems: Sequence[str], kind: Kind) -> DatasetScores:
    """Some systems on all instances of all parts, in the order of instances in memory; NaN where there is no score."""
    scores = np.full((len(systems), index.whole.n_instances), np.nan)
    for part, here in zip(parts, index.places, strict=True):
        for system, row in zip(part.systems, part.scores, strict=True):
            scores[systems.index(system), here] = row
    scores.flags.writeable = False
    return replace(index.whole, systems=tuple(systems), scores=scores, kind=kind)


def check_room(dataset: str, n_instances: int, memory: int, where: str, workers: int) -> None:
    """Raise ReadingError if there is no memory for the scores of two systems on so many instances of a dataset.

    Parameters
    ----------
    dataset : str
        Its name.
    n_instances : int
        As many at least.
    memory : int
        Bytes that one worker may use for them: half of its share of what the user allows.
    where : str
        Where the rows are.
    workers : int
        Who shares what the user allows.
    """
    needed = (_BYTES_OF_AN_INSTANCE + 2 * _BYTES_OF_A_SCORE) * n_instances
    if needed <= memory:
        return
    each = math.ceil(2 * needed / 1e6)
    raise ReadingError(
        f"the dataset {dataset!r} has at least {n_instances:,} instances, and there is no memory for two systems",
        where=f"{where}: {each:,} MB are needed for each process, and {2 * memory / 1e6:,.0f} MB are allowed",
        remedy=f"allow {each * workers}MB (--memory-limit {each * workers}MB, memory_limit='{each * workers}MB')"
        + (f", or {each}MB with one worker" if workers > 1 else ""),
    )


def as_one(holder: DataHolder, key: str, parts: Sequence[HeldBlock], memory: int, where: str) -> Block:
    """A dataset whose instances are held in parts.

    Raises
    ------
    ReadingError
        If there is no memory for the scores of two systems.
    """
    heads = [part.head for part in parts]
    first = heads[0]
    systems = tuple(natural_order({system for head in heads for system in head.systems}))
    n_instances = sum(head.n_instances for head in heads)
    check_room(first.dataset, n_instances, memory, where, holder.workers)
    at_once = (memory - _BYTES_OF_AN_INSTANCE * n_instances) // (_BYTES_OF_A_SCORE * n_instances)
    ends = [(float(np.min(head.ranges[0])), float(np.max(head.ranges[1]))) for head in heads if head.ranges is not None]
    kinds = {head.kind for head in heads}
    both_signs = min(low for low, _ in ends) < 0 < max(high for _, high in ends)
    kind = first.kind if len(kinds) == 1 and not (first.kind == "binary" and both_signs) else "continuous"
    holder.divided[key] = Divided(first.dataset, systems, tuple(part.key for part in parts), kind, at_once)
    head = replace(
        first,
        systems=systems,
        kind=kind,
        n_instances=n_instances,
        complete=all(head.complete and len(head.systems) == len(systems) for head in heads),
        systems_at_once=at_once,
    )
    return HeldBlock.hold(_looked_at(HeldBlock(head, holder, key)), holder, key)


def _looked_at(held: HeldBlock) -> BlockHead:
    """What is known of a dataset without its scores, found for some systems at a time."""
    ranges: list[Ranges] = []
    digest, ids = digest_by_systems(held, lambda block: ranges.append(ranges_of(block)))
    lowest, highest, mean = (
        np.concatenate([getattr(one, name) for one in ranges]) for name in ("lowest", "highest", "mean")
    )
    return replace(held.head, ranges=(lowest, highest, mean), content_digest=digest, nesting=nested_ids(ids))
