"""Counts per instance that a corpus metric sums: all systems on a dataset, and two of them side by side."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import MissingScoresError, ScoreValueError
from reportkit.metrics.corpus import CorpusMetric
from reportkit.scores.choices import Missing
from reportkit.scores.shapes.block import STRICT, Block, Handling
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


FEW_DIFFERING = 10
"""Units on which two systems differ that are too few for resamples of a corpus metric."""

NOBODY = Companions(systems=(), statistics=np.empty((0, 0, 0)))
"""Stands for the two systems alone."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetStatistics(Block):
    """The counts of all systems on one dataset, and the metric that sums them.

    Parameters
    ----------
    statistics : ndarray of shape (n_systems, n_instances, k)
        Counts as given, one column per column of the metric; NaN rows where a system has none.
    measure : CorpusMetric
        The metric; `Block.metric` is its title.
    memo : dict
        By the systems of the block, what is done with missing instances, and which are kept: the systems that have
        these. A narrowed block has the same memo, so that nothing is drawn twice.
    **others
        As for every `Block`.
    """

    shape: ClassVar[Shape] = "corpus"
    axes: ClassVar[Mapping[str, str]] = {"statistics": "si"}

    statistics: NDArray[np.float64]
    measure: CorpusMetric
    memo: dict[tuple[tuple[str, ...], Missing, bytes], Companions] = field(default_factory=dict, repr=False)

    def measured(self) -> NDArray[np.float64]:
        """Counts, shape (n_systems, n_instances, k)."""
        return self.statistics

    def hashed(self) -> str:
        """Return the name and the columns of the metric."""
        return "\x1f".join((self.measure.name, *self.measure.columns))

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """Metric of a system, as given, and the number of instances it is over."""
        counts = (self.with_no_output() if missing == "worst" else self.statistics)[self.position(system)]
        present = ~np.isnan(counts[:, 0])
        return self._defined(system, counts[present]) + 0.0, int(present.sum())

    def paired(self, system_a: str, system_b: str, handling: Handling = STRICT) -> PairedStatistics:
        """Put the counts of two systems side by side, on instances that both have, or that are filled in.

        Raises
        ------
        MissingScoresError
            If instances differ and `missing="error"`; if `missing="worst"`, and what no output counts is not known.
        ScoreValueError
            If the metric is undefined for one of the two.
        """
        common = self.common_instances(system_a, system_b, missing=handling.missing)
        kept = common.kept
        key = (self.systems, handling.missing, kept.tobytes())
        if key not in self.memo:
            statistics = self.statistics
            if handling.missing == "worst" and not self.without_missing():
                statistics = self.with_no_output()
            statistics = statistics[:, kept]
            complete = np.flatnonzero(~np.isnan(statistics[..., 0]).any(axis=1))
            names = tuple(self.systems[row] for row in complete)
            self.memo[key] = Companions(systems=names, statistics=statistics[complete])
        companions = self.memo[key]
        a, b = (companions.statistics[companions.systems.index(name)] for name in (system_a, system_b))
        for name, counts in ((system_a, a), (system_b, b)):
            self._defined(name, counts)
        absent = ~self.presence()[:, kept]
        return PairedStatistics(
            **self.of_pair(system_a, system_b),
            n_dropped=common.n_dropped,
            n_imputed_a=int(absent[self.position(system_a)].sum()),
            n_imputed_b=int(absent[self.position(system_b)].sum()),
            a=a,
            b=b,
            measure=self.measure,
            clusters=self.clusters_kept(kept),
            companions=companions,
        )

    def with_no_output(self) -> NDArray[np.float64]:
        """Counts in which a missing instance is one on which the system put out nothing.

        Raises
        ------
        MissingScoresError
            If that is not known: the metric does not say, or the other systems do not agree on what belongs to the
            instance (the length of the reference, the number of things to be found).
        """
        measure, absent = self.measure, ~self.presence()
        if measure.no_output is None:
            raise MissingScoresError(
                f"missing='worst': it is not known what {measure.title} counts for no output",
                where=f"dataset {self.dataset!r}: {int(absent.sum()):,} missing",
                remedy="add the rows with their counts, or compare on common instances: missing='drop' "
                "(--missing drop)",
            )
        nothing = np.full_like(self.statistics, np.nan)
        for row, present in enumerate(~absent):
            nothing[row, present] = measure.no_output(self.statistics[row, present])
        agreed = nothing[(~absent).argmax(axis=0), np.arange(self.n_instances)]
        wanted = absent.any(axis=0)
        unequal = wanted & ((nothing != agreed) & ~np.isnan(nothing)).any(axis=(0, 2))
        if unequal.any():
            example = str(self.instances[int(unequal.argmax())])
            raise MissingScoresError(
                f"missing='worst': systems do not agree on what {measure.title} counts for no output",
                where=f"dataset {self.dataset!r}: {int(unequal.sum()):,} instances, such as {example!r}",
                remedy="add the missing rows with their counts, or compare on common instances: missing='drop' "
                "(--missing drop)",
            )
        return np.where(absent[:, :, None], agreed, self.statistics)

    def _defined(self, system: str, counts: NDArray[np.float64]) -> float:
        value = float(self.measure(counts.sum(axis=0)))
        if np.isfinite(value):
            return value
        totals = zip(self.measure.columns, counts.sum(axis=0), strict=True)
        sums = ", ".join(f"{name} {total:g}" for name, total in totals)
        raise ScoreValueError(
            f"{self.measure.title} of {system!r} is undefined",
            where=f"dataset {self.dataset!r}: sums over {len(counts):,} instances are {sums}",
            remedy="leave this dataset out, or choose another metric",
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedStatistics(Sample):
    """Counts of system A and system B on the same instances of one dataset, and the metric that sums them.

    Parameters
    ----------
    a, b : ndarray of shape (n, k)
        Counts of A and of B, finite, one row per instance, one column per column of the metric; as given.
    measure : CorpusMetric
        The metric.
    companions : Companions
        All systems of the dataset; these two alone, if not given.
    **others
        As for every `Sample`; `higher_is_better` is that of the metric.
    """

    shape: ClassVar[Shape] = "corpus"

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    measure: CorpusMetric
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
    def largest_difference(self) -> float:
        """Width of the range of the metric."""
        low, high = self.measure.value_range
        return high - low

    @property
    def differing(self) -> NDArray[np.bool_]:
        """On which instances the counts of A and B differ, shape (n,)."""
        return np.asarray((self.a != self.b).any(axis=1))

    @property
    def n_differing_units(self) -> int:
        """Number of instances (of clusters, if there are any) on which the counts of A and B differ."""
        moved = self.a - self.b
        if self.clusters is not None:
            codes = np.unique(self.clusters, return_inverse=True)[1]
            moved = np.stack([np.bincount(codes, column) for column in moved.T], axis=1)
        return int((moved != 0).any(axis=1).sum())

    @property
    def few_differ(self) -> bool:
        """Whether ten units or fewer differ, and no more than half of all: resamples, most of them equal, say little.

        With more, resamples keep the level better than swaps.
        """
        n_units = self.n if self.n_clusters is None else self.n_clusters
        return self.n_differing_units <= min(FEW_DIFFERING, n_units // 2)

    @property
    def beyond_half(self) -> bool:
        """Whether the difference is more than half of the range of the metric: then no resample can double it."""
        return 2.0 * abs(self.value_difference) > self.largest_difference

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
    def common_denominator(self) -> bool:
        """Whether the metric is a ratio of two sums, and A and B have the same denominator on every instance."""
        if self.measure.ratio is None:
            return False
        column = self.measure.position(self.measure.ratio[1])
        return bool((self.a[:, column] == self.b[:, column]).all())

    def exchanged(self, where: NDArray[np.bool_]) -> PairedStatistics:
        """The same with the counts of A and B exchanged on some instances."""
        rows = where[:, None]
        a, b = np.where(rows, self.b, self.a), np.where(rows, self.a, self.b)
        return replace(self, a=a, b=b, companions=NOBODY)
