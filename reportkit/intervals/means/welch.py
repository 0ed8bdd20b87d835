"""Welch's t: standard error, degrees of freedom and interval of a difference of two independent means."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.interval import Interval
from reportkit.scores.shapes.unpaired import UnpairedScores

_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest score are the noise of floating-point arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpairedEstimate:
    """Difference of two independent means, A minus B, and how well it is known.

    Parameters
    ----------
    mean : float
        Difference of the means, oriented.
    standard_error : float or None
        None where the data cannot say: one instance of a system, or no variation in either.
    degrees_of_freedom : float
        Of Welch and Satterthwaite; NaN without a standard error.
    """

    mean: float
    standard_error: float | None
    degrees_of_freedom: float

    @property
    def t(self) -> float | None:
        """Difference divided by its standard error; None if that is unknown."""
        return None if self.standard_error is None else self.mean / self.standard_error


def estimate_unpaired(sample: UnpairedScores) -> UnpairedEstimate:
    """Estimate the difference of the means, its standard error, and Welch's degrees of freedom.

    se^2 = v_a + v_b with v = s^2 / n of each sample; df = (v_a + v_b)^2 / (v_a^2 / (n_a - 1) + v_b^2 / (n_b - 1)).

    Parameters
    ----------
    sample : UnpairedScores
        Scores whose mean says something.

    Notes
    -----
    Welch (1947), "The generalization of 'Student's' problem when several different population variances are involved".

    Examples
    --------
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> estimate = estimate_unpaired(sample)
    >>> round(estimate.t, 4), round(estimate.degrees_of_freedom, 4)
    (3.153, 4.8496)
    """
    first, second, swapped = sample.in_order()
    sign = -1.0 if swapped else 1.0
    mean = sample.value_difference
    if min(first.size, second.size) < 2:
        return UnpairedEstimate(mean=mean, standard_error=None, degrees_of_freedom=math.nan)
    scale = max(float(np.abs(first).max()), float(np.abs(second).max()))
    v, w = (variance_of_mean(scores, scale) for scores in (first, second))
    if v + w == 0:
        return UnpairedEstimate(mean=mean, standard_error=None, degrees_of_freedom=math.nan)
    freedom = (v + w) ** 2 / (v * v / (first.size - 1) + w * w / (second.size - 1))
    difference = float(first.mean() - second.mean())
    return UnpairedEstimate(
        mean=sign * difference if mean else 0.0,
        standard_error=scale * math.sqrt(v + w),
        degrees_of_freedom=freedom,
    )


def skewness_of_difference(sample: UnpairedScores) -> float:
    """Skewness of the difference of the two means, as far as the samples tell it; 0 if neither varies.

    The third central moments of both means, A minus B, over the cube of the standard error. Positive if the mean of A
    has the longer tail upwards; equal samples of equal size cancel.

    Examples
    --------
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.0, 0.0, 0.0, 1.0]), b=np.array([0.0, 1.0, 0.5, 0.5]))
    >>> round(skewness_of_difference(sample), 4)
    0.2683
    """
    third = variance = 0.0
    scale = max(float(np.abs(sample.a).max()), float(np.abs(sample.b).max()))
    for scores, sign in ((np.sort(sample.a), 1.0), (np.sort(sample.b), -1.0)):
        deviations = (scores - scores.mean()) / scale if scale else np.zeros_like(scores)
        third += sign * float(np.mean(deviations**3)) / scores.size**2
        variance += float(np.mean(deviations**2)) / scores.size
    return third / variance**1.5 if variance > _NO_VARIANCE**2 else 0.0


def variance_of_mean(scores: NDArray[np.float64], scale: float) -> float:
    """s^2 / n in units of scale^2: squares of very large scores would leave the range of a float."""
    if scale == 0:
        return 0.0
    unit = scores / scale
    deviations = unit - unit.mean()
    if float(np.abs(deviations).max()) <= _NO_VARIANCE:
        return 0.0
    return float(np.square(deviations).sum()) / (scores.size - 1) / scores.size


def welch_interval(sample: UnpairedScores, confidence_level: float = 0.95) -> Interval | None:
    """Interval for the difference of the means of two independent samples.

    Parameters
    ----------
    sample : UnpairedScores
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or None
        None if the data hold no information on the variance.

    Examples
    --------
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> interval = welch_interval(sample)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0575, 0.5925)
    """
    estimate = estimate_unpaired(sample)
    return Interval.of_t(
        estimate.mean,
        estimate.standard_error,
        estimate.degrees_of_freedom,
        confidence_level,
        title="Welch interval",
        citation="welch1947generalization",
    )
