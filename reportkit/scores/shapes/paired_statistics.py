"""Two systems on one dataset, with counts per instance that a corpus metric sums."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.metrics.corpus.metric import CorpusMetric
from reportkit.scores.shapes.sample import Sample, Shape


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Companions:
    """All systems of a dataset that have the instances on which two of them are compared.

    What is drawn for one pair serves all others (Berg-Kirkpatrick et al. 2012, footnote 5): it is kept here, and goes
    when the block of the dataset goes.

    Parameters
    ----------
    systems : tuple of str
        Their names.
    statistics : ndarray of shape (n_systems, n, k)
        Their counts.
    kept : dict
        What was computed for all of them.
    """

    systems: tuple[str, ...]
    statistics: NDArray[np.float64]
    kept: dict[Hashable, Any] = field(default_factory=dict)


NOBODY = Companions(systems=(), statistics=np.empty((0, 0, 0)))
"""Stands for the two systems alone."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedStatistics(Sample):
    """Counts of system A and system B on the same instances of one dataset, and the metric that sums them.

    Parameters
    ----------
    a, b : ndarray of shape (n, k)
        Counts of A and of B, finite, one row per instance, one column per column of the metric; as given.
    measure : CorpusMetric
        The metric.
    clusters : ndarray of int of shape (n,), optional
        Which cluster (document, dialogue, ...) an instance belongs to; None if every instance stands alone.
    companions : Companions
        All systems of the dataset; these two alone, if not given.
    **others
        As for every `Sample`; `higher_is_better` is that of the metric.
    """

    shape: ClassVar[Shape] = "corpus"

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    measure: CorpusMetric
    clusters: NDArray[np.int64] | None = None
    companions: Companions = NOBODY

    def __post_init__(self) -> None:
        if self.companions is NOBODY:
            names, counts = (self.system_a, self.system_b), np.stack((self.a, self.b))
            object.__setattr__(self, "companions", Companions(systems=names, statistics=counts))

    @property
    def n(self) -> int:
        """Number of instances."""
        return len(self.a)

    @property
    def in_percent(self) -> bool:
        """Whether the values are proportions."""
        return self.measure.in_percent

    @property
    def differing(self) -> NDArray[np.bool_]:
        """On which instances the counts of A and B differ, shape (n,)."""
        return np.asarray((self.a != self.b).any(axis=1))

    @property
    def identical(self) -> bool:
        """Whether both systems have the same counts on every instance."""
        return not bool(self.differing.any())

    @property
    def value_a(self) -> float:
        """Metric of A, oriented."""
        return float(self.measure.oriented(self.a.sum(axis=0)))

    @property
    def value_b(self) -> float:
        """Metric of B, oriented."""
        return float(self.measure.oriented(self.b.sum(axis=0)))

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters; None if every instance stands alone."""
        return None if self.clusters is None else int(np.unique(self.clusters).size)

    @property
    def common_denominator(self) -> bool:
        """Whether the metric is a ratio of two sums, and A and B have the same denominator on every instance."""
        if self.measure.ratio is None:
            return False
        column = self.measure.position(self.measure.ratio[1])
        return bool((self.a[:, column] == self.b[:, column]).all())
