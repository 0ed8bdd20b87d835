"""The usual block: one score per system and instance, as a matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import MissingScoresError
from reportkit.scores.choices import Missing
from reportkit.scores.kinds import RIGHT_IN_PERCENT
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.sample import Shape


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetScores(Block):
    """The scores of all systems on one dataset, for one metric.

    Parameters
    ----------
    scores : ndarray of shape (n_systems, n_instances)
        Oriented so that higher is better; NaN where a system has no score.
    weights : ndarray of shape (n_instances,), optional
        Weight of each instance, the same for all systems.
    **others
        As for every `Block`.
    """

    shape: ClassVar[Shape] = "paired"

    scores: NDArray[np.float64]
    weights: NDArray[np.float64] | None = None

    def row(self, system: str) -> NDArray[np.float64]:
        """Scores of one system, shape (n_instances,), NaN where it has none."""
        return np.asarray(self.scores[self.position(system)])

    def presence(self) -> NDArray[np.bool_]:
        """Which system has a score for which instance, shape (n_systems, n_instances)."""
        return ~np.isnan(self.scores)

    def narrowed(self, systems: Sequence[str]) -> DatasetScores | None:
        """Keep some systems, in their order, and the instances that one of them has; None if none is here."""
        found = self.instances_kept(systems)
        if found is None:
            return None
        rows, kept = found
        return replace(
            self,
            systems=tuple(self.systems[row] for row in rows),
            instances=self.instances[kept],
            scores=self.scores[rows][:, kept],
            clusters=None if self.clusters is None else self.clusters[kept],
            weights=None if self.weights is None else self.weights[kept],
        )

    def content(self) -> Iterator[bytes]:
        """Scores and weights."""
        yield np.ascontiguousarray(self.scores).tobytes()
        if self.weights is not None:
            yield self.weights.tobytes()

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """(Weighted) mean score of a system, as given, and the number of instances it is over."""
        row = self.row(system)
        absent = np.isnan(row)
        if missing == "worst" and absent.any():
            row = np.where(absent, worst_score(self, score_range), row)
            absent = np.zeros_like(absent)
        weights = None if self.weights is None else self.weights[~absent]
        return self.as_given(float(np.average(row[~absent], weights=weights))) + 0.0, int((~absent).sum())


def worst_score(block: DatasetScores, score_range: tuple[float, float] | None = None) -> float:
    """Worst possible score of a dataset, oriented; from the declared range, or 0 (or -1) for scores between 0 and 1.

    Right-or-wrong scores are held as 0 and 1: a range up to 100 is that of a file which has them as 0 and 100.
    """
    if score_range is not None:
        in_percent = block.kind == "binary" and score_range[1] == RIGHT_IN_PERCENT
        low, high = (end / RIGHT_IN_PERCENT for end in score_range) if in_percent else score_range
        return low if block.higher_is_better else -high
    as_given = block.scores if block.higher_is_better else -block.scores
    if bool(np.nanmin(as_given) >= 0 and np.nanmax(as_given) <= 1):
        return 0.0 if block.higher_is_better else -1.0
    raise MissingScoresError(
        "missing='worst' needs to know the worst possible score",
        where=f"dataset {block.dataset!r}, metric {block.metric!r}: "
        f"scores from {np.nanmin(as_given):g} to {np.nanmax(as_given):g}",
        remedy="declare the range of the metric: score_range=(0, 100) (--score-range 0 100)",
    )
