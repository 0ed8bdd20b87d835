"""Scores of datasets in one temporary file: the operating system brings in the pages that a test reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import IO, cast

import numpy as np

from reportkit.scores.ingest import IngestedPart
from reportkit.scores.shapes.paired_scores import DatasetScores


class ScoresOnDisk:
    """Matrices of scores, one behind the other.

    Parameters
    ----------
    file : file object
        Temporary; it may be closed when all datasets have their scores, and goes with the last array that shows a part.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._size = 0
        self._starts: dict[tuple[int, int, int], int] = {}

    def put(self, unit: int, parts: Sequence[IngestedPart]) -> list[IngestedPart]:
        """Write the scores of a unit, and return what else is known of its datasets.

        Parameters
        ----------
        unit : int
            Its number; a unit that is put again takes the place of the first one.
        parts : sequence of IngestedPart
            One for each metric that is read by itself.
        """
        return [
            replace(
                part,
                blocks=tuple(
                    self._written(block, (unit, recipe, place)) if type(block) is DatasetScores else block
                    for place, block in enumerate(part.blocks)
                ),
            )
            for recipe, part in enumerate(parts)
        ]

    def with_scores(self, read: Sequence[tuple[int, IngestedPart]], recipe: int) -> Iterator[IngestedPart]:
        """Yield the parts of some units with the scores of their datasets, as arrays that show the file."""
        self._file.flush()
        every = np.memmap(self._file, np.float64, "r").view(np.ndarray) if self._size else np.empty(0)
        for unit, part in read:
            blocks = []
            for place, block in enumerate(part.blocks):
                start = self._starts.get((unit, recipe, place))
                if start is not None:
                    shape = len(block.systems), block.n_instances
                    scores = every[start : start + shape[0] * shape[1]].reshape(shape)
                    block = replace(cast("DatasetScores", block), scores=scores)
                blocks.append(block)
            yield replace(part, blocks=tuple(blocks))

    def _written(self, block: DatasetScores, key: tuple[int, int, int]) -> DatasetScores:
        self._starts[key] = self._size
        self._file.write(np.ascontiguousarray(block.scores).data)
        self._size += block.scores.size
        return replace(block, scores=np.empty((len(block.systems), 0)))
