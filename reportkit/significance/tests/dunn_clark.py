"""Dunn and Clark's test of two correlations with the same gold score, on the scale of Fisher's z."""

from __future__ import annotations

import math
from dataclasses import replace

from reportkit.scores.shapes.predictions import PairedPredictions
from reportkit.significance.dependent_correlations import (
    normal_tail,
    parametric_outcome,
)
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.steiger import STEIGER


def dunn_clark_z(r_a: float, r_b: float, r_ab: float, n: int) -> float:
    """Dunn and Clark's Z of two dependent correlations that share one variable.

    Parameters
    ----------
    r_a, r_b : float
        Correlations of A and of B with the gold score, in (-1, 1).
    r_ab : float
        Correlation of A with B, below 1.
    n : int
        Number of instances, at least 4.

    Returns
    -------
    float
        Positive if A correlates better; standard normal under the null hypothesis.

    Notes
    -----
    The difference of the two values of Fisher's z, divided by its standard error with the large-sample covariance of
    two correlations; Dunn and Clark (1969), in the notation of Steiger (1980).

    Examples
    --------
    >>> round(dunn_clark_z(0.5, 0.6, 0.7, 100), 7)
    -1.5838851
    """
    squares = r_a * r_a + r_b * r_b
    numerator = r_ab * (1 - squares) - 0.5 * r_a * r_b * (1 - squares - r_ab * r_ab)
    covariance = numerator / ((1 - r_a * r_a) * (1 - r_b * r_b))
    return (math.atanh(r_a) - math.atanh(r_b)) * math.sqrt((n - 3) / (2 - 2 * covariance))


def dunn_clark(sample: PairedPredictions, plan: ResamplingPlan) -> Outcome:
    """Dunn and Clark's Z test; clusters are ignored.

    Parameters
    ----------
    sample : PairedPredictions
        Predictions of A and B, and the gold scores.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Raises
    ------
    DesignError
        If there are fewer than ten instances, if a correlation with the gold score is 1 or -1, or if A and B correlate
        perfectly without being in the same units.

    Notes
    -----
    Null hypothesis: the correlation of A with the gold score is at most that of B. Derived for Pearson correlations of
    jointly normal values. Dunn and Clark (1969), "Correlation coefficients measured on the same individuals".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> gold = rng.normal(size=50)
    >>> sample = PairedPredictions(
    ...     system_a="a", system_b="b", dataset="pairs", metric="pearson", kind="continuous", coefficient="pearson",
    ...     a=gold + rng.normal(size=50), b=gold + 2 * rng.normal(size=50), gold=gold)
    >>> outcome = dunn_clark(sample, ResamplingPlan())
    >>> round(outcome.statistic, 2), round(outcome.p_greater, 4)
    (3.03, 0.0012)
    """
    return parametric_outcome(DUNN_CLARK, sample, dunn_clark_z, normal_tail, "Z", "normal approximation of Fisher's z")


DUNN_CLARK = replace(
    STEIGER,
    name="dunn-clark",
    title="Dunn–Clark Z-test of dependent correlations",
    function=dunn_clark,
    citation="dunn1969correlation",
    summary="Correlations with a gold score, with an unpooled covariance; for normally distributed values.",
)
