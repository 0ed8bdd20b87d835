"""Student's t: standard error and interval of a mean difference, plain, weighted, or of clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

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
    right_or_wrong = paired.kind == "binary" and paired.clusters is None and paired.weights is None
    return _of_counts(paired) if right_or_wrong else _of_units(sorted_units(paired))


def _of_counts(paired: PairedScores) -> MeanEstimate:
    """The estimate of right-or-wrong scores, from how many differences are 1, -1 and 0."""
    wins, losses = paired.wins_and_losses
    n = paired.a.size
    ties = n - wins - losses
    mean = (wins - losses) / n
    squares = wins * (1.0 - mean) ** 2 + losses * (1.0 + mean) ** 2 + ties * mean**2
    return MeanEstimate(
        mean=mean,
        standard_error=None if n in (wins, losses, ties) else math.sqrt(n / (n - 1) * squares) / n,
        degrees_of_freedom=n - 1,
        n_nonzero=wins + losses,
    )


def _of_units(units: Units) -> MeanEstimate:
    sign = -1.0 if units.swapped else 1.0
    residuals = units.sums - units.sizes * units.mean
    scale = float(np.abs(units.sums).max())
    standard_error = None
    if units.n > 1 and float(np.abs(residuals).max()) > _NO_VARIANCE * scale:
        unit = residuals / scale  # squares of very small or very large scores would leave the range of a float
        standard_error = (
            scale * math.sqrt(units.n / (units.n - 1) * float(np.square(unit).sum())) / float(units.sizes.sum())
        )
    return MeanEstimate(
        mean=sign * units.mean + 0.0,
        standard_error=standard_error,
        degrees_of_freedom=units.n - 1,
        n_nonzero=int(np.count_nonzero(units.sums)),
    )


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
