"""Two systems on one dataset, instance by instance: what a paired test sees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import MissingScoresError, UnknownNameError
from reportkit.results.kinds import Kind
from reportkit.results.results import DatasetScores

Missing = Literal["error", "drop", "worst"]

MISSING_REMEDY = (
    "complete the results, or say what a missing score means: missing='drop' (--missing drop) compares each pair on "
    "the "
    "instances both have, missing='worst' (--missing worst) counts no output as the worst output"
)

MOST_PLACES = 8

SIGNIFICANT_DIGITS = 12
"""Differences are rounded to so many significant digits of the largest score: 0.3 - 0.1 is then equal to 0.2."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedScores:
    """Scores of system A and system B on the same instances of one dataset, oriented so that higher is better.

    Parameters
    ----------
    system_a, system_b, dataset, metric : str
        Names.
    a, b : ndarray of shape (n,)
        Scores of A and of B, finite, instance by instance.
    kind : {"binary", "continuous", "ordinal", "count"}
        Kind of the scores of the whole dataset, not only of these two systems.
    weights : ndarray of shape (n,), optional
        Positive; the estimand is then the weighted mean difference.
    clusters : ndarray of int of shape (n,), optional
        Which cluster (document, dialogue, ...) an instance belongs to; None if every instance stands alone.
    higher_is_better : bool
        Direction of the metric as given.
    n_dropped : int
        Instances left out because one of the two has no score (`missing="drop"`).
    n_imputed_a, n_imputed_b : int
        Scores filled with the worst possible one (`missing="worst"`).
    """

    system_a: str
    system_b: str
    dataset: str
    metric: str
    a: NDArray[np.float64]
    b: NDArray[np.float64]
    kind: Kind
    weights: NDArray[np.float64] | None = None
    clusters: NDArray[np.int64] | None = None
    higher_is_better: bool = True
    n_dropped: int = 0
    n_imputed_a: int = 0
    n_imputed_b: int = 0

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(self.a.size)

    @property
    def differences(self) -> NDArray[np.float64]:
        """A minus B, shape (n,), free of the noise of floating-point subtraction."""
        return paired_differences(self.a, self.b)

    @property
    def mean_difference(self) -> float:
        """(Weighted) mean of A minus B; positive if A is better, and exactly 0 where only rounding noise is left."""
        mean = float(np.average(self.a - self.b, weights=self.weights))
        largest = max(float(np.abs(self.a).max()), float(np.abs(self.b).max()))
        return mean if abs(mean) > 10.0**-SIGNIFICANT_DIGITS * largest / self.n else 0.0

    @property
    def mean_a(self) -> float:
        """(Weighted) mean score of A, oriented."""
        return float(np.average(self.a, weights=self.weights))

    @property
    def mean_b(self) -> float:
        """(Weighted) mean score of B, oriented."""
        return float(np.average(self.b, weights=self.weights))

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters; None if every instance stands alone."""
        return None if self.clusters is None else int(np.unique(self.clusters).size)

    @property
    def label(self) -> str:
        """Names for messages: `A` v `B` on `dataset`."""
        return f"{self.system_a!r} v {self.system_b!r} on {self.dataset!r}"


def paired_differences(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences a - b, rounded to 12 significant digits of the largest score.

    Without it, 0.3 - 0.1 and 0.2 are different, and ties and zeros are miscounted.

    Examples
    --------
    >>> paired_differences(np.array([0.3, 1.0]), np.array([0.1, 0.8]))
    array([0.2, 0.2])
    """
    return _rounded(a - b, max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0))))


def pair(
    block: DatasetScores,
    system_a: str,
    system_b: str,
    *,
    missing: Missing = "error",
    score_range: tuple[float, float] | None = None,
) -> PairedScores:
    """Put the scores of two systems on one dataset side by side.

    Parameters
    ----------
    block : DatasetScores
        One dataset.
    system_a, system_b : str
        Two systems of it.
    missing : {"error", "drop", "worst"}
        What to do with an instance that only one of the two has a score for: refuse, leave it out for both, or count
        the missing output as the worst possible score, which is right for crashes and timeouts.
    score_range : tuple of float, optional
        (lowest, highest) score of the metric, as given; needed for `missing="worst"` unless scores are 0/1 or lie
        between 0 and 1.

    Raises
    ------
    MissingScoresError
        If the instance sets differ and `missing="error"`, if nothing is common, or if the worst score is unknown.
    UnknownNameError
        If a system has no scores on this dataset.
    """
    for system in (system_a, system_b):
        if system not in block.systems:
            raise UnknownNameError("system", system, block.systems, where=f"dataset {block.dataset!r}")
    a, b = block.row(system_a), block.row(system_b)
    absent_a, absent_b = np.isnan(a), np.isnan(b)
    kept = ~(absent_a & absent_b)
    n_dropped = n_imputed_a = n_imputed_b = 0
    if bool((absent_a ^ absent_b).any()):
        if missing == "error":
            raise _unequal(block, system_a, system_b, absent_a & ~absent_b, absent_b & ~absent_a)
        if missing == "drop":
            n_dropped = int((absent_a ^ absent_b).sum())
            kept = ~(absent_a | absent_b)
        else:
            worst = worst_score(block, score_range)
            n_imputed_a, n_imputed_b = int((absent_a & kept).sum()), int((absent_b & kept).sum())
            a, b = np.where(absent_a, worst, a), np.where(absent_b, worst, b)
    if not bool(kept.any()):
        raise MissingScoresError(
            f"{system_a!r} and {system_b!r} have no instance in common",
            where=f"dataset {block.dataset!r}: {int((~absent_a).sum())} and {int((~absent_b).sum())} instances",
            remedy="check the instance ids of the two systems; a paired test needs the same instances",
        )
    clusters = None if block.clusters is None else block.clusters[kept]
    if clusters is not None and np.unique(clusters).size == clusters.size:
        clusters = None
    return PairedScores(
        system_a=system_a,
        system_b=system_b,
        dataset=block.dataset,
        metric=block.metric,
        a=a[kept],
        b=b[kept],
        kind=block.kind,
        weights=None if block.weights is None else block.weights[kept],
        clusters=clusters,
        higher_is_better=block.higher_is_better,
        n_dropped=n_dropped,
        n_imputed_a=n_imputed_a,
        n_imputed_b=n_imputed_b,
    )


def refuse_unequal_instances(blocks: Sequence[DatasetScores]) -> None:
    """Raise one error that lists every dataset on which systems were scored on different instances.

    Raises
    ------
    MissingScoresError
        If there is such a dataset; the message says how many instances all systems share, and who has fewest.
    """
    places = []
    for block in blocks:
        absent = np.isnan(block.scores)
        if not absent.any():
            continue
        complete = int((~absent.any(axis=0)).sum())
        fewest = int(absent.sum(axis=1).argmax())
        example = _shortened(str(block.instances[int(absent[fewest].argmax())]))
        places.append(
            f"dataset {block.dataset!r}: {complete:,} of {block.n_instances:,} instances have a score of all "
            f"{len(block.systems)} systems; {block.systems[fewest]!r} lacks {int(absent[fewest].sum()):,}, such as "
            f"{example!r}"
        )
    if places:
        shown = places[:MOST_PLACES] + ([f"and {len(places) - MOST_PLACES} more"] if len(places) > MOST_PLACES else [])
        raise MissingScoresError(
            f"systems were not scored on the same instances on {len(places)} of {len(blocks)} "
            f"{'dataset' if len(blocks) == 1 else 'datasets'}",
            where="\n".join(shown),
            remedy=MISSING_REMEDY,
        )


def worst_score(block: DatasetScores, score_range: tuple[float, float] | None = None) -> float:
    """Worst possible score of a dataset, oriented; from the declared range, or 0 (or -1) for scores between 0 and 1."""
    if score_range is not None:
        low, high = score_range
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


def _unequal(
    block: DatasetScores, system_a: str, system_b: str, only_b: NDArray[np.bool_], only_a: NDArray[np.bool_]
) -> MissingScoresError:
    parts = []
    for system, absent in ((system_a, only_b), (system_b, only_a)):
        if absent.any():
            examples = ", ".join(repr(_shortened(str(name))) for name in block.instances[absent][:3])
            more = ", ..." if int(absent.sum()) > 3 else ""
            parts.append(
                f"{system!r} has no score for {int(absent.sum())} of {block.n_instances} instances ({examples}{more})"
            )
    return MissingScoresError(
        f"{system_a!r} and {system_b!r} were not scored on the same instances",
        where=f"dataset {block.dataset!r}: " + "; ".join(parts),
        remedy=MISSING_REMEDY,
    )


def _shortened(name: str, most: int = 48) -> str:
    return name if len(name) <= most else name[: most - 3] + "..."


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
