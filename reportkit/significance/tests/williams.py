"""Williams's t-test of two correlations with the same gold score."""

from __future__ import annotations

import math
from dataclasses import replace

from scipy.special import stdtr

from reportkit.scores.shapes.predictions import PairedPredictions
from reportkit.significance.dependent_correlations import (
    parametric_outcome,
)
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.steiger import STEIGER


def williams_t(r_a: float, r_b: float, r_ab: float, n: int) -> float:
    """Williams's t of two dependent correlations that share one variable.

    Parameters
    ----------
    r_a, r_b : float
        Correlations of A and of B with the gold score, in [-1, 1].
    r_ab : float
        Correlation of A with B, below 1.
    n : int
        Number of instances, at least 4.

    Returns
    -------
    float
        Positive if A correlates better; t with n - 3 degrees of freedom under the null hypothesis.

    Raises
    ------
    ValueError
        If no three variables have these correlations: the determinant of their matrix is negative by more than
        rounding explains, so much so that the statistic does not exist.

    Notes
    -----
    Williams (1959), in the form of Steiger (1980), who calls it T2 and recommends it.

    Examples
    --------
    >>> round(williams_t(0.3, 0.4, 0.5, 100), 4)
    -1.0767
    """
    determinant = 1 - r_a * r_a - r_b * r_b - r_ab * r_ab + 2 * r_a * r_b * r_ab
    mean = (r_a + r_b) / 2
    variance = 2 * (n - 1) / (n - 3) * max(determinant, 0.0) + mean * mean * (1 - r_ab) ** 3
    if variance <= 0 or r_ab >= 1 or determinant < -0.01:
        raise ValueError(f"no three variables have the correlations {r_a:g}, {r_b:g} and {r_ab:g}")
    return (r_a - r_b) * math.sqrt((n - 1) * (1 + r_ab) / variance)


def williams(sample: PairedPredictions, plan: ResamplingPlan) -> Outcome:
    """Williams's t-test with n - 3 degrees of freedom; clusters are ignored.

    Parameters
    ----------
    sample : PairedPredictions
        Predictions of A and B, and the gold scores.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Raises
    ------
    DesignError
        If there are fewer than ten instances, or if A and B correlate perfectly without being in the same units.

    Notes
    -----
    Null hypothesis: the correlation of A with the gold score is at most that of B. Derived for Pearson correlations of
    jointly normal values. Unlike the tests with Fisher's z it takes a correlation of 1. Programs that
    offer "Steiger's test" often compute this one, which Steiger (1980) recommends. Williams (1959), "The comparison of
    regression variables".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> gold = rng.normal(size=50)
    >>> sample = PairedPredictions(
    ...     system_a="a", system_b="b", dataset="pairs", metric="pearson", kind="continuous", coefficient="pearson",
    ...     a=gold + rng.normal(size=50), b=gold + 2 * rng.normal(size=50), gold=gold)
    >>> outcome = williams(sample, ResamplingPlan())
    >>> outcome.statistic_name, round(outcome.statistic, 2), round(outcome.p_greater, 4)
    ('t(47)', 3.14, 0.0014)
    """
    freedom = sample.n - 3

    def tail(value: float) -> float:
        return float(stdtr(freedom, value))

    return parametric_outcome(
        WILLIAMS,
        sample,
        williams_t,
        tail,
        f"t({freedom})",
        f"t with {freedom:,} degrees of freedom",
        fisher_z=False,
    )


WILLIAMS = replace(
    STEIGER,
    name="williams",
    title="Williams t-test of dependent correlations",
    function=williams,
    citation="williams1959comparison",
    summary="Correlations with a gold score, t with n - 3 degrees of freedom; for normally distributed values.",
)
