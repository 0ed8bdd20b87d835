"""Two systems on one dataset, as a test sees them.

Design of a dataset: what was measured of each system.

| shape       | of each system                                     | `a` and `b`           |
|-------------|----------------------------------------------------|-----------------------|
| paired      | one score per instance, the same instances         | (n,)                  |
| corpus      | one row of counts per instance, summed by a metric | (n, k)                |
| correlation | one prediction per instance, with a gold score     | (n,)                  |
| runs        | one score per instance and run (seed)              | (n_runs, n)           |
| run-scores  | one score per run                                  | (n_runs,)             |
| folds       | one score per fold of a cross-validation           | (repetitions, folds)  |
| unpaired    | one score per instance, other instances            | (n_a,) and (n_b,)     |
| counts      | k right of n, and nothing else: k times 1, then 0  | (n_a,) and (n_b,)     |
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from reportkit.metrics.correlation import Coefficient, correlation
from reportkit.scores.choices import Kind
from reportkit.scores.codes import dense

Floats = NDArray[np.float64]

Shape = Literal["paired", "corpus", "correlation", "runs", "run-scores", "folds", "unpaired", "counts"]

BY_INSTANCE: tuple[Shape, ...] = ("paired", "corpus", "correlation", "runs")
"""Designs of results in which single instances are known."""

NOISE = 1e-14
"""Differences of correlations up to this are the noise of floating-point arithmetic."""

_SAME = 1e-12  # relative difference up to which two numbers are the same
_DIGITS = 12  # significant digits of differences
_FEW_DIFFERING = 10  # with at most this many differing units, resamples of a corpus metric are not used

Details = Mapping[str, Any]


class RightOf(NamedTuple):
    """Numbers of right answers: k of n for each of two systems.

    Parameters
    ----------
    a, n_a : int
        Right answers of the first system, and all of them.
    b, n_b : int
        The same of the second.
    """

    a: int
    n_a: int
    b: int
    n_b: int

    def swapped(self) -> RightOf:
        """Return the counts of the second system against the first."""
        return RightOf(self.b, self.n_b, self.a, self.n_a)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sample:
    """System A and system B on one dataset, oriented so that higher is better.

    Parameters
    ----------
    system_a, system_b, dataset, metric : str
        Names.
    kind : {"binary", "continuous", "ordinal", "count"}
        Kind of the scores of the whole dataset, not only of these two systems.
    shape : str
        Design; see `Shape`.
    unit : str
        Noun for one of the `n`, in the singular.
    a, b : ndarray
        Finite scores (counts, predictions) of A and of B, in the axes of the design. Runs are never paired.
    higher_is_better : bool
        Direction of the metric as given.
    n_dropped : int
        Instances left out because one of the two has no score (`missing="drop"`).
    n_imputed : int
        Scores of either filled with the worst possible one (`missing="worst"`).
    own_metric : str
        Metric of this dataset, where every dataset has its own; else empty.
    weights : ndarray of shape (n,), optional
        Positive; the estimand is then the weighted mean difference.
    clusters : ndarray of int of shape (n,), optional
        Which cluster (document, dialogue, ...) an instance belongs to; None if every instance stands alone.
    cluster_noun : {"cluster", "instance"}
        "instance" where a cluster is the ratings of one instance.
    n_rated : int, optional
        Number of instances, where several raters scored each; `a` and `b` are then by rating, rater by rater.
    n_common : int
        Instances that both systems were scored on, where the pairing is not used.
    gold : ndarray of shape (n,), optional
        Gold scores, with which predictions are correlated; finite, not constant.
    coefficient : {"pearson", "spearman", "kendall"}
        Which correlation.
    measure : CorpusMetric, optional
        The metric that sums the counts.
    proportions : bool
        Whether scores that are not right or wrong are proportions: means over runs, metrics in percent.
    details : Details
        What is known beyond scores and p-values, by name, as JSON can hold it; no name of a system occurs in it.

        - n_common: instances that both systems have a score for, where the pairing is not used.
        - n_folds, n_repetitions: of a cross-validation.
        - coefficient: which correlation with the gold score; correlation_between_systems: the same between predictions.
        - design_effect: by how much clusters multiply the variance.
        - n_ratings, fewest_ratings_per_instance, most_ratings_per_instance: where several raters scored an instance.
        - variance_share_instances: share of the instances in the variance of the mean difference.
        - a, b: of system A and of system B, by name: n_instances, where nothing is paired; n_right, where only the
          number of right answers is known; n_runs, sd_over_runs, variance_share_runs, share_of_pairs_of_runs_won of
          several runs; cluster_robust_t_p_value, where there are few clusters; mcnemar_p_value_low,
          mcnemar_p_value_high and n_only_right_most: what the numbers of right answers allow.
    differences : ndarray of shape (n,)
        A minus B, where they are paired, free of the noise of floating-point subtraction; elsewhere empty.
    """

    system_a: str
    system_b: str
    dataset: str
    metric: str
    kind: Kind
    shape: Shape = "paired"
    unit: str = "instance"
    a: Floats = field(default_factory=lambda: np.empty(0))
    b: Floats = field(default_factory=lambda: np.empty(0))
    higher_is_better: bool = True
    n_dropped: int = 0
    n_imputed: int = 0
    own_metric: str = ""
    weights: Floats | None = None
    clusters: NDArray[np.int64] | None = None
    cluster_noun: str = "cluster"
    n_rated: int | None = None
    n_common: int = 0
    gold: Any = None
    coefficient: Coefficient = "pearson"
    measure: Any = None
    proportions: bool = False
    details: Details = field(default_factory=dict)
    differences: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        paired = self.shape in ("paired", "folds")
        object.__setattr__(self, "differences", paired_differences(self.a, self.b) if paired else np.empty(0))

    @property
    def n(self) -> int:
        """Number of instances (runs, folds); of the smaller system if the two have different ones."""
        if self.n_rated is not None:
            return self.n_rated
        if self.shape == "runs":
            return int(self.a.shape[1])
        return len(self.a) if self.shape == "corpus" else min(self.a.size, self.b.size)

    @property
    def value_a(self) -> float:
        """Value of A in a table, oriented: mean score, BLEU, correlation, ..."""
        return self._value(self.a)

    @property
    def value_b(self) -> float:
        """Value of B in a table, oriented."""
        return self._value(self.b)

    def _value(self, scores: Floats) -> float:
        if self.measure is not None:
            return float(self.measure.oriented(scores.sum(axis=0)))
        if self.gold is not None:
            return correlation(scores, self.gold, self.coefficient)
        return float(np.average(scores.mean(axis=0) if self.shape == "runs" else scores, weights=self.weights))

    @property
    def value_difference(self) -> float:
        """A minus B; positive if A is better, and exactly 0 where only rounding noise is left."""
        if self.shape in ("runs", "corpus", "correlation"):
            difference = self.value_a - self.value_b
            return 0.0 if self.shape == "correlation" and abs(difference) <= NOISE else difference
        noise = _SAME * max(float(np.abs(self.a).max()), float(np.abs(self.b).max()))
        if self.shape in ("paired", "folds"):
            difference, noise = float(np.average(self.a - self.b, weights=self.weights)), noise / self.n
        else:
            difference = float(np.sort(self.a).mean()) - float(np.sort(self.b).mean())
        return difference if abs(difference) > noise else 0.0

    @property
    def wins_and_losses(self) -> tuple[int, int]:
        """Number of instances on which A scores better, and on which B does."""
        return int(np.count_nonzero(self.differences > 0)), int(np.count_nonzero(self.differences < 0))

    @property
    def identical(self) -> bool:
        """Whether nothing distinguishes the outputs of A and B; equal numbers of right answers alone say little."""
        if self.shape in ("paired", "folds"):
            return not self.differences.any()
        if self.shape in ("unpaired", "counts"):
            return bool((np.concatenate((self.a, self.b)) == self.a[0]).all())
        if self.shape in ("corpus", "correlation"):
            noise = _SAME if self.shape == "correlation" else 0.0
            return bool((np.abs(self.a - self.b) <= noise * np.maximum(np.abs(self.a), np.abs(self.b))).all())
        of_a, of_b = (sorted((run + 0.0).tobytes() for run in runs.reshape(len(runs), -1)) for runs in (self.a, self.b))
        return of_a == of_b or len({*of_a, *of_b}) == 1  # the same runs in any order, or all runs alike

    @property
    def constant(self) -> bool:
        """Whether the scores of neither of two independent samples vary."""
        independent = self.shape in ("unpaired", "run-scores")
        return independent and bool((self.a == self.a[0]).all() and (self.b == self.b[0]).all())

    @property
    def largest_difference(self) -> float:
        """Largest difference that the range of the metric allows; infinite where no range is known."""
        known = (0.0, 1.0 if self.kind == "binary" else math.inf)
        low, high = known if self.measure is None else self.measure.value_range
        return float(high - low)

    @property
    def in_percent(self) -> bool:
        """Whether values are proportions, printed in percent."""
        return self.proportions or self.kind == "binary"

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters; None if every instance stands alone."""
        return None if self.clusters is None else int(dense(self.clusters)[1].size)

    @property
    def label(self) -> str:
        """Names for messages: A v B on dataset."""
        return f"{self.system_a} vs. {self.system_b} on {self.dataset}"

    def as_given(self, value: float) -> float:
        """Turn an oriented value back into what the input holds."""
        return value if self.higher_is_better else -value

    def exchanged(self, where: NDArray[np.bool_]) -> Self:
        """Exchange the scores (counts) of A and B on some instances."""
        rows = where[:, None] if self.a.ndim > 1 else where
        return replace(self, a=np.where(rows, self.b, self.a), b=np.where(rows, self.a, self.b))

    @property
    def of_a_mean(self) -> bool:
        """Whether the default test of paired scores is one of their mean, and none of signs or of wins and losses."""
        counted = self.kind == "binary" and self.clusters is None and self.weights is None
        return self.shape == "paired" and self.kind != "ordinal" and not counted

    @property
    def differing(self) -> NDArray[np.bool_]:
        """On which instances the counts of A and B differ, shape (n,)."""
        return np.asarray((self.a != self.b).any(axis=1))

    @property
    def n_differing_units(self) -> int:
        """Number of instances (of clusters, if there are any) on which the counts of A and B differ."""
        moved = self.a - self.b
        if self.clusters is not None:
            moved = np.stack([np.bincount(dense(self.clusters)[0], column) for column in moved.T], axis=1)
        return int((moved != 0).any(axis=1).sum())

    @property
    def few_differ(self) -> bool:
        """Whether counts differ on ten units or fewer, at most half of all: resamples, most of them equal, say little.

        With more, resamples keep the level better than swaps.
        """
        n_units = self.n if self.n_clusters is None else self.n_clusters
        return self.shape == "corpus" and self.n_differing_units <= min(_FEW_DIFFERING, n_units // 2)

    @property
    def beyond_half(self) -> bool:
        """Whether a corpus metric differs by more than half of its range: then no resample can double it."""
        return self.shape == "corpus" and 2.0 * abs(self.value_difference) > self.largest_difference

    @property
    def common_denominator(self) -> bool:
        """Whether the metric is a ratio of two sums, and A and B have the same denominator on every instance."""
        if self.measure is None or self.measure.ratio is None:
            return False
        column = self.measure.position(self.measure.ratio[1])
        return bool((self.a[:, column] == self.b[:, column]).all())

    @property
    def binary(self) -> bool:
        """Whether all scores of the two systems are right or wrong, whatever a third system has."""
        right = 1.0 if self.higher_is_better else -1.0
        return all(bool(((scores == 0) | (scores == right)).all()) for scores in (self.a, self.b))

    @property
    def right(self) -> RightOf:
        """Numbers of right answers, if scores are right or wrong; for a metric of errors, of answers without one."""
        a, b = (int(np.count_nonzero(scores == float(self.higher_is_better))) for scores in (self.a, self.b))
        return RightOf(a, self.a.size, b, self.b.size)

    def unpaired(self) -> Self:
        """Take scores as two independent samples."""
        return replace(self, shape="unpaired", unit="instance", details={})

    def in_order(self) -> tuple[Floats, Floats, bool]:
        """Return the sorted scores of the first system by name and of the other, and whether A and B are swapped.

        What is computed from these depends neither on the order of rows nor on which of the two is called A.
        """
        a, b = np.sort(self.a) + 0.0, np.sort(self.b) + 0.0
        return (b, a, True) if self.system_b < self.system_a else (a, b, False)


def paired_differences(a: Floats, b: Floats) -> Floats:
    """Return the differences a - b, rounded to 12 significant digits of the largest score.

    Without it, 0.3 - 0.1 and 0.2 are different, and ties and zeros are miscounted.

    Examples
    --------
    >>> paired_differences(np.array([0.3, 1.0]), np.array([0.1, 0.8]))
    array([0.2, 0.2])
    """
    scale = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
    if not 1e-270 < scale < math.inf:  # 10**decimals would overflow
        return a - b
    return np.asarray(np.round(a - b, _DIGITS - 1 - math.floor(math.log10(scale))), dtype=np.float64)


# --- numbers about the design of a comparison and about each of its two systems --------------------------------------


def joined_details(one: Details, other: Details) -> Details:
    """Merge the details; where both have an entry, that of `other` is kept.

    Examples
    --------
    >>> joined_details({"n_common": 3, "a": {"n_runs": 2}}, {"n_folds": 10, "b": {"n_runs": 5}})
    {'n_common': 3, 'n_folds': 10, 'a': {'n_runs': 2}, 'b': {'n_runs': 5}}
    """
    sides = {side: {**one.get(side, {}), **other.get(side, {})} for side in ("a", "b")}
    own = {name: value for name, value in {**one, **other}.items() if name not in sides}
    return own | {side: known for side, known in sides.items() if known}


def swapped_details(details: Details) -> Details:
    """Return the details of B against A."""
    sides = {side: details[other] for side, other in (("a", "b"), ("b", "a")) if other in details}
    return {name: value for name, value in details.items() if name not in ("a", "b")} | sides


def run_details(a: NDArray[np.float64], b: NDArray[np.float64]) -> Details:
    """Return the number of runs of each system and, of several, the standard deviation of their mean scores.

    Parameters
    ----------
    a, b : ndarray of shape (n_runs,)
        Mean score of each run of A, and of B.

    Examples
    --------
    >>> run_details(np.array([0.5, 0.7]), np.array([0.6]))  # doctest: +ELLIPSIS
    {'a': {'n_runs': 2, 'sd_over_runs': 0.1414...}, 'b': {'n_runs': 1}}
    """
    deviations = [{"sd_over_runs": float(np.std(means, ddof=1))} if means.size > 1 else {} for means in (a, b)]
    return {"a": {"n_runs": a.size} | deviations[0], "b": {"n_runs": b.size} | deviations[1]}
