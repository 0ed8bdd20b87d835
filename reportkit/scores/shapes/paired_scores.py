"""One score per system and instance, the usual shape: all systems on a dataset, and two of them side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError, MissingScoresError
from reportkit.scores.choices import Missing
from reportkit.scores.scales import RIGHT_IN_PERCENT
from reportkit.scores.shapes.block import STRICT, Block, Handling, n_different
from reportkit.scores.shapes.sample import Sample, Shape, remembered
from reportkit.scores.shapes.unpaired import UnpairedScores

SIGNIFICANT_DIGITS = 12
"""Differences are rounded to so many significant digits of the largest score: 0.3 - 0.1 is then equal to 0.2."""


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
    axes: ClassVar[Mapping[str, str]] = {"scores": "si", "weights": "i"}

    scores: NDArray[np.float64]
    weights: NDArray[np.float64] | None = None

    def row(self, system: str) -> NDArray[np.float64]:
        """Scores of one system, shape (n_instances,), NaN where it has none."""
        return np.asarray(self.scores[self.position(system)])

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """(Weighted) mean score of a system, as given, and the number of instances it is over."""
        row = self.row(system)
        absent = np.isnan(row)
        if missing == "worst" and absent.any():
            row = np.where(absent, worst_score(self, score_range), row)
            absent = np.zeros_like(absent)
        weights = self.weights
        if absent.any():
            row, weights = row[~absent], None if weights is None else weights[~absent]
        return self.as_given(_mean(row, weights)) + 0.0, row.size

    def matrix(self) -> DatasetScores:
        """Itself."""
        return self

    @property
    def plain(self) -> bool:
        """Whether every instance has one score of every system and stands alone, without a weight."""
        if type(self) is not DatasetScores or self.weights is not None or not self.without_missing():
            return False
        return self.clusters_kept(np.ones(self.n_instances, np.bool_)) is None

    def measured(self) -> NDArray[np.float64]:
        """Scores, shape (n_systems, n_instances)."""
        return self.scores

    def units_kept(self, kept: NDArray[np.bool_]) -> tuple[NDArray[np.int64] | None, str]:
        """Codes of the independent units of some columns, None if each stands alone, and what one of them is."""
        return self.clusters_kept(kept), "cluster"

    def paired(self, system_a: str, system_b: str, handling: Handling = STRICT) -> PairedScores:
        """Put the scores of two systems side by side, instance by instance; see `pair`."""
        common = self.common_instances(system_a, system_b, missing=handling.missing)
        a, b = self.row(system_a), self.row(system_b)
        n_imputed_a = n_imputed_b = 0
        kind = self.kind
        if handling.missing == "worst":
            absent_a, absent_b = np.isnan(a) & common.kept, np.isnan(b) & common.kept
            n_imputed_a, n_imputed_b = int(absent_a.sum()), int(absent_b.sum())
            if n_imputed_a or n_imputed_b:
                worst = worst_score(self, handling.score_range)
                a, b = np.where(absent_a, worst, a), np.where(absent_b, worst, b)
                if kind == "binary" and worst not in (0.0, 1.0 if self.higher_is_better else -1.0):
                    kind = "continuous"  # no output is worse than a wrong one: three values
        sample = PairedMeans if self.unit == "dataset" else PairedScores
        return sample(
            **self.of_pair(system_a, system_b, kind),
            a=a[common.kept],
            b=b[common.kept],
            weights=None if self.weights is None else self.weights[common.kept],
            clusters=self.clusters_kept(common.kept),
            n_dropped=common.n_dropped,
            n_imputed_a=n_imputed_a,
            n_imputed_b=n_imputed_b,
        )

    def unpaired(self, system_a: str, system_b: str) -> UnpairedScores:
        """Take the scores of two systems as two independent samples, whatever instances they have in common.

        Raises
        ------
        DesignError
            If instances have weights or nest in clusters.
        MissingScoresError
            If a system has no score.
        UnknownNameError
            If a system does not occur.

        Examples
        --------
        >>> block = DatasetScores(dataset="cb", metric="accuracy", systems=("a", "b"), kind="binary",
        ...                       instances=np.array(["1", "2", "3"], dtype=object),
        ...                       scores=np.array([[1.0, 0.0, np.nan], [np.nan, np.nan, 1.0]]))
        >>> sample = block.unpaired("a", "b")
        >>> sample.n_a, sample.n_b, sample.n_common, sample.right
        (2, 1, 0, RightOf(a=1, n_a=2, b=1, n_b=1))
        """
        where = f"{system_a} v {system_b} on {self.dataset}"
        if self.weights is not None:
            raise DesignError(
                "no test of weighted instances is known for systems that were scored on different instances",
                where=where,
                remedy="leave the column of weights out (rename or remove it), or compare on common instances (paired)",
            )
        if self.clusters is not None and n_different(self.clusters) < self.clusters.size:
            raise DesignError(
                "instances nest in clusters, and the unpaired tests need independent instances",
                where=f"{where}: {n_different(self.clusters):,} clusters, {self.n_instances:,} instances",
                remedy="give one score per cluster (its mean) with the cluster as the instance; or compare on common "
                "instances\n(paired), where whole clusters are flipped",
            )
        a, b = self.row(system_a), self.row(system_b)
        has_a, has_b = ~np.isnan(a), ~np.isnan(b)
        for system, has in ((system_a, has_a), (system_b, has_b)):
            if not has.any():
                raise MissingScoresError(
                    f"{system!r} has no score", where=f"dataset {self.dataset!r}", remedy="complete the results"
                )
        return UnpairedScores(
            **self.of_pair(system_a, system_b),
            a=a[has_a],
            b=b[has_b],
            n_common=int((has_a & has_b).sum()),
        )


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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedScores(Sample):
    """Scores of system A and system B on the same instances of one dataset, oriented so that higher is better.

    Parameters
    ----------
    a, b : ndarray of shape (n,)
        Scores of A and of B, finite, instance by instance.
    known : dict
        What was derived from these scores before and is asked for again, by name: sorted units, exact tails. Not an
        argument; a copy with other scores starts empty.
    **others
        As for every `Sample`.
    """

    shape: ClassVar[Shape] = "paired"

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    known: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(self.a.size)

    @property
    def differences(self) -> NDArray[np.float64]:
        """A minus B, shape (n,), free of the noise of floating-point subtraction."""
        return remembered(self.known, "differences", lambda: paired_differences(self.a, self.b))

    @property
    def wins_and_losses(self) -> tuple[int, int]:
        """Number of instances on which A scores better, and on which B does."""
        return remembered(self.known, "wins and losses", self._wins_and_losses)

    def _wins_and_losses(self) -> tuple[int, int]:
        if self.kind == "binary":  # right or wrong leaves nothing to round
            return int(np.count_nonzero(self.a > self.b)), int(np.count_nonzero(self.a < self.b))
        return int(np.count_nonzero(self.differences > 0)), int(np.count_nonzero(self.differences < 0))

    @property
    def identical(self) -> bool:
        """Whether both systems have the same score on every instance."""
        return self.wins_and_losses == (0, 0)

    @property
    def value_a(self) -> float:
        """(Weighted) mean score of A, oriented."""
        return _mean(self.a, self.weights)

    @property
    def value_b(self) -> float:
        """(Weighted) mean score of B, oriented."""
        return _mean(self.b, self.weights)

    @property
    def value_difference(self) -> float:
        """(Weighted) mean of A minus B; positive if A is better, and exactly 0 where only rounding noise is left."""
        return remembered(self.known, "value difference", self._value_difference)

    def _value_difference(self) -> float:
        mean = _mean(self.a - self.b, self.weights)
        largest = max(float(np.abs(self.a).max()), float(np.abs(self.b).max()))
        return mean if abs(mean) > 10.0**-SIGNIFICANT_DIGITS * largest / self.n else 0.0

    @property
    def of_a_mean(self) -> bool:
        """Whether the default test is one of a mean difference, and none of signs or of wins and losses."""
        alone = self.clusters is None and self.weights is None
        return self.kind != "ordinal" and not (self.kind == "binary" and alone)

    def exchanged(self, where: NDArray[np.bool_]) -> Self:
        """The same with the scores of A and B exchanged on some instances."""
        return replace(self, a=np.where(where, self.b, self.a), b=np.where(where, self.a, self.b))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedMeans(PairedScores):
    """Scores of system A and system B on the same datasets, one each; see `reportkit.scores.across_datasets`."""

    unit: ClassVar[str] = "dataset"


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    return float(values.mean() if weights is None else np.average(values, weights=weights))


def paired_differences(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences a - b, rounded to 12 significant digits of the largest score.

    Without it, 0.3 - 0.1 and 0.2 are different, and ties and zeros are miscounted.

    Examples
    --------
    >>> paired_differences(np.array([0.3, 1.0]), np.array([0.1, 0.8]))
    array([0.2, 0.2])
    """
    return _rounded(a - b, max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0))))


def rounded_rows(rows: NDArray[np.float64], scales: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round the rows of differences as `paired_differences` does, given the largest score behind each."""
    exponents = np.array([math.floor(math.log10(scale)) if scale > 0 else 0 for scale in scales.tolist()])
    for exponent in np.unique(exponents):
        here = exponents == exponent
        rows[here] = _rounded(rows[here], float(scales[here].max()))
    return rows


def _rounded(values: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    if scale == 0 or not math.isfinite(scale) or values.size == 0:
        return values
    exponent = math.floor(math.log10(scale))
    decimals = SIGNIFICANT_DIGITS - 1 - exponent
    if abs(decimals) > 290:  # 10**decimals would overflow: bring the values near 1 first
        shift = -exponent
        half = shift // 2
        scaled = values * 10.0**half * 10.0 ** (shift - half)
        return np.asarray(
            np.round(scaled, SIGNIFICANT_DIGITS - 1) / 10.0**half / 10.0 ** (shift - half), dtype=np.float64
        )
    return np.asarray(np.round(values, decimals), dtype=np.float64)


def remembered_ahead(
    samples: Sequence[PairedScores],
    name: str,
    values: Callable[[PairedScores], NDArray[np.float64]],
    of_rows: Callable[[NDArray[np.float64]], Iterable[Any]],
) -> None:
    """Compute something for many pairs at once, for `remembered` to find in what is known of each.

    Parameters
    ----------
    samples : sequence of PairedScores
        Of any sizes.
    name : str
        Under which the result is kept in `PairedScores.known`; a pair that has it is left out.
    values : callable
        (paired) -> the row of a pair.
    of_rows : callable
        Given an array of rows of one length, one result for each, which no other row may change.
    """
    samples = [paired for paired in samples if name not in paired.known]
    rows = [values(paired) for paired in samples]
    for size in {row.size for row in rows}:
        alike = [index for index, row in enumerate(rows) if row.size == size]
        for index, result in zip(alike, of_rows(np.stack([rows[index] for index in alike])), strict=True):
            samples[index].known[name] = result
