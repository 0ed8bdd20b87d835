"""Student's t: standard error and interval of a mean difference, plain, weighted, or of clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.interval import Interval
from reportkit.intervals.means.units import Units, sorted_units
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import remembered

_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest difference are the noise of floating-point arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanEstimate:
    """A mean difference of A minus B and how well it is known.

    Parameters
    ----------
    mean : float
        (Weighted) mean difference, oriented.
    standard_error : float or None
        None where the data cannot say: a single unit, or units that are all alike.
    degrees_of_freedom : float
        Number of independent units minus 1.
    n_nonzero : int
        Units on which A and B differ.
    """

    mean: float
    standard_error: float | None
    degrees_of_freedom: float
    n_nonzero: int

    @property
    def t(self) -> float | None:
        """Mean divided by its standard error; 0 if no unit shows a difference; None if that is unknown."""
        if self.n_nonzero == 0:
            return 0.0
        return None if self.standard_error is None else self.mean / self.standard_error


def estimate_mean(paired: PairedScores) -> MeanEstimate:
    """Estimate the mean difference and its standard error.

    With G independent units (instances, or clusters if there are any), S_c the (weighted) sum of the differences of
    unit c and W_c its size (number or summed weights of its instances), the mean is d = sum S_c / sum W_c and

        se = sqrt(G / (G - 1) * sum (S_c - W_c d)^2) / sum W_c.

    Without clusters and weights this is the standard deviation divided by sqrt(n); with clusters it is the
    cluster-robust standard error of a mean.

    Notes
    -----
    Assumes that the units are independent; says nothing about dependence between clusters. Cameron and Miller (2015),
    "A practitioner's guide to cluster-robust inference", section II.

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> estimate = estimate_mean(paired)
    >>> round(estimate.mean, 6), round(estimate.standard_error, 6), estimate.degrees_of_freedom
    (0.2, 0.108012, 3)
    """
    return remembered(paired.known, "mean", lambda: _estimated(paired))


def _estimated(paired: PairedScores) -> MeanEstimate:
    return _of_counts(paired) if _right_or_wrong(paired) else _of_units(sorted_units(paired))


def _right_or_wrong(paired: PairedScores) -> bool:
    return paired.kind == "binary" and paired.clusters is None and paired.weights is None


def _of_counts(paired: PairedScores) -> MeanEstimate:
    """The estimate of right-or-wrong scores, from how many differences are 1, -1 and 0."""
    wins, losses = paired.wins_and_losses
    n = paired.a.size
    return MeanEstimate(
        mean=(wins - losses) / n,
        standard_error=errors_of_counts(np.array([wins]), np.array([losses]), n)[0],
        degrees_of_freedom=n - 1,
        n_nonzero=wins + losses,
    )


def errors_of_counts(wins: NDArray[np.int64], losses: NDArray[np.int64], n: int) -> list[float | None]:
    """Standard errors of the mean of n differences, of which so many are 1 and -1; None where all are alike."""
    ties = n - wins - losses
    means = (wins - losses) / n
    squares = wins * np.square(1.0 - means) + losses * np.square(1.0 + means) + ties * np.square(means)
    errors = np.sqrt(n / max(n - 1, 1) * squares) / n
    alike = (wins == n) | (losses == n) | (ties == n)
    return [None if same else error for same, error in zip(alike.tolist(), errors.tolist(), strict=True)]


def _of_units(units: Units) -> MeanEstimate:
    return _of_rows(units.sums[None, :], units.sizes[None, :], [units.swapped])[0]


def estimates_ahead(samples: Sequence[PairedScores]) -> None:
    """Estimate many pairs at once, where `estimate_mean` finds it; see `units_ahead`, which comes before."""
    by_size: dict[int, list[PairedScores]] = {}
    for paired in samples:
        if "units" in paired.known and "mean" not in paired.known and not _right_or_wrong(paired):
            by_size.setdefault(sorted_units(paired).n, []).append(paired)
    for together in by_size.values():
        units = list(map(sorted_units, together))
        sums, sizes = np.array([each.sums for each in units]), np.array([each.sizes for each in units])
        estimates = _of_rows(sums, sizes, [each.swapped for each in units])
        for paired, estimate in zip(together, estimates, strict=True):
            paired.known["mean"] = estimate


def _of_rows(sums: NDArray[np.float64], sizes: NDArray[np.float64], swapped: Sequence[bool]) -> list[MeanEstimate]:
    """Estimates of rows of units, as many in each row."""
    means, varies, errors = _errors(sums, sizes, sizes.sum(axis=1))
    rows = zip(means.tolist(), varies, errors.tolist(), np.count_nonzero(sums, axis=1), swapped, strict=True)
    return [
        MeanEstimate(
            mean=(-1.0 if turned else 1.0) * mean + 0.0,
            standard_error=error if some else None,
            degrees_of_freedom=sums.shape[1] - 1,
            n_nonzero=int(n_nonzero),
        )
        for mean, some, error, n_nonzero, turned in rows
    ]


def _errors(
    sums: NDArray[np.float64], sizes: NDArray[np.float64] | float, size: NDArray[np.float64] | np.float64
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
    """Means of rows of units, which rows vary at all, and the standard errors of the means of those."""
    n = sums.shape[1]
    means = sums.sum(axis=1) / size
    residuals = sums - np.multiply(sizes, means[:, None])
    scale = np.abs(sums).max(axis=1)
    varies = (np.abs(residuals).max(axis=1) > _NO_VARIANCE * scale) & (n > 1)
    # squares of very small or very large scores would leave the range of a float
    residuals /= np.where(scale > 0, scale, 1.0)[:, None]
    squares = np.square(residuals, out=residuals).sum(axis=1)
    return means, varies, scale * np.sqrt(n / max(n - 1, 1) * squares) / size


def student_t_interval(paired: PairedScores, confidence_level: float = 0.95) -> Interval | None:
    """Interval for the (weighted) mean difference; cluster-robust with G - 1 degrees of freedom if there are clusters.

    Parameters
    ----------
    paired : PairedScores
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or None
        None if there are fewer than two independent units, or all of them show the same mean difference (none
        included): such data hold no information on the variance, and an interval of width 0 would claim certainty.

    Notes
    -----
    Assumes independent units and a mean whose distribution is near normal; coverage falls short for few units with
    skewed differences. Student (1908); Cameron and Miller (2015) for clusters.

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> interval = student_t_interval(paired)
    >>> round(interval.low, 4), round(interval.high, 4)
    (-0.1437, 0.5437)
    """
    estimate = estimate_mean(paired)
    weighted = "" if paired.weights is None else "weighted "
    clustered = "" if paired.clusters is None else "cluster-robust "
    return Interval.of_t(
        estimate.mean,
        estimate.standard_error,
        estimate.degrees_of_freedom,
        confidence_level,
        title=f"{clustered}t interval of the {weighted}mean",
        citation="cameron2015practitioner" if clustered else "student1908probable",
    )
