"""Interval for how much more often a score of A is above one of B than below, from placements."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.interval import Interval
from reportkit.scores.shapes.unpaired import UnpairedScores


@dataclass(frozen=True, slots=True, kw_only=True)
class Superiority:
    """P(A > B) - P(A < B) for one random instance of each system, and how well it is known.

    Parameters
    ----------
    difference : float
        In [-1, 1]; positive if A scores better more often.
    standard_error : float or None
        None with one instance of a system, or if the two samples do not overlap or do not vary.
    degrees_of_freedom : float
        NaN without a standard error.
    """

    difference: float
    standard_error: float | None
    degrees_of_freedom: float


def estimate_superiority(sample: UnpairedScores) -> Superiority:
    """Estimate P(A > B) - P(A < B) and its standard error from placements.

    The placement of a score of A is the share of the scores of B below it minus the share above it, and so for B. The
    difference is the mean placement of A; its variance the sum of the variances of both mean placements.

    Notes
    -----
    Brunner and Munzel (2000), "The nonparametric Behrens-Fisher problem: asymptotic theory and a small-sample
    approximation", sections 2 and 3, written for 2 p - 1.

    Examples
    --------
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                         a=np.array([3.0, 4.0, 5.0, 5.0]), b=np.array([2.0, 3.0, 4.0]))
    >>> estimate = estimate_superiority(sample)
    >>> round(estimate.difference, 4), round(estimate.standard_error, 4)
    (0.6667, 0.3227)
    """
    first, second, swapped = sample.in_order()
    sign = -1.0 if swapped else 1.0
    above, below = _placements(first, second), _placements(second, first)
    difference = sign * float(above.mean()) + 0.0
    if min(first.size, second.size) < 2:
        return Superiority(difference=difference, standard_error=None, degrees_of_freedom=math.nan)
    v, w = (float(values.var(ddof=1)) / values.size for values in (above, below))
    if v + w == 0:
        return Superiority(difference=difference, standard_error=None, degrees_of_freedom=math.nan)
    freedom = (v + w) ** 2 / (v * v / (first.size - 1) + w * w / (second.size - 1))
    return Superiority(difference=difference, standard_error=math.sqrt(v + w), degrees_of_freedom=freedom)


def _placements(scores: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of the (sorted) others below each score minus the share above it."""
    below = np.searchsorted(others, scores, side="left")
    above = others.size - np.searchsorted(others, scores, side="right")
    return np.asarray((below - above) / others.size, dtype=np.float64)


def brunner_munzel_interval(sample: UnpairedScores, confidence_level: float = 0.95) -> Interval | None:
    """Interval for P(A > B) - P(A < B), within [-1, 1].

    Parameters
    ----------
    sample : UnpairedScores
        Scores that can be ordered.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or None
        None if the data hold no information on the variance.
    """
    estimate = estimate_superiority(sample)
    return Interval.of_t(
        estimate.difference,
        estimate.standard_error,
        estimate.degrees_of_freedom,
        confidence_level,
        title="Brunner-Munzel interval",
        citation="brunner2000nonparametric",
        limit=1.0,
    )
