"""The test of Meng, Rosenthal and Rubin of two correlations with the same gold score."""

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


def meng_z(r_a: float, r_b: float, r_ab: float, n: int) -> float:
    """Z of Meng, Rosenthal and Rubin for two dependent correlations that share one variable.

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
    Meng, Rosenthal and Rubin (1992), equations 1 to 3: (z_A - z_B) sqrt((n - 3) / (2 (1 - r_ab) h)), where
    h = (1 - f s) / (1 - s), f = (1 - r_ab) / (2 (1 - s)) but at most 1, and s the mean of the squared correlations.

    Examples
    --------
    >>> round(meng_z(0.3, 0.4, 0.5, 100), 4)
    -1.0707
    """
    square = (r_a * r_a + r_b * r_b) / 2
    f = min(1.0, (1 - r_ab) / (2 * (1 - square)))
    h = (1 - f * square) / (1 - square)
    return (math.atanh(r_a) - math.atanh(r_b)) * math.sqrt((n - 3) / (2 * (1 - r_ab) * h))


def meng(sample: PairedPredictions, plan: ResamplingPlan) -> Outcome:
    """Z test of Meng, Rosenthal and Rubin; clusters are ignored.

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
    jointly normal values. Meng, Rosenthal and Rubin (1992), "Comparing correlated correlation coefficients".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> gold = rng.normal(size=50)
    >>> sample = PairedPredictions(
    ...     system_a="a", system_b="b", dataset="pairs", metric="pearson", kind="continuous", coefficient="pearson",
    ...     a=gold + rng.normal(size=50), b=gold + 2 * rng.normal(size=50), gold=gold)
    >>> outcome = meng(sample, ResamplingPlan())
    >>> round(outcome.statistic, 2), round(outcome.p_greater, 4)
    (2.97, 0.0015)
    """
    return parametric_outcome(MENG, sample, meng_z, normal_tail, "Z", "normal approximation of Fisher's z")


MENG = replace(
    STEIGER,
    name="meng",
    title="Meng–Rosenthal–Rubin Z-test of dependent correlations",
    function=meng,
    citation="meng1992comparing",
    summary="Correlations with a gold score, by Meng, Rosenthal and Rubin; for normally distributed values.",
)
