"""Steiger's test of two correlations with the same gold score, on the scale of Fisher's z with a pooled mean."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from scipy.special import ndtr

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.metrics.correlation import TITLES
from reportkit.scores.sample import Sample
from reportkit.significance.cautions import caution
from reportkit.significance.entry import ANY_KIND, CORRELATION, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.correlation_jackknife_t import (
    CORRELATION_JACKKNIFE_T,
    UNRELATED_INSTANCES,
    correlation_details,
    differing_instances,
    refuse_few_instances,
    same_order,
)

_ALIKE = 1e-10  # where a correlation is nearer than this to 1, formulas with 1 minus it have no digit right
_AT_ITS_LIMIT = 1e-12


def steiger_z(r_a: float, r_b: float, r_ab: float, n: int) -> float:
    """Steiger's Z of two dependent correlations that share one variable.

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
    Steiger (1980): Dunn and Clark's Z, with both correlations replaced by their mean in the covariance, as they are
    equal under the null hypothesis.

    Examples
    --------
    >>> round(steiger_z(0.3, 0.4, 0.5, 100), 4), round(steiger_z(0.4, 0.5, 0.1, 103), 7)
    (-1.0718, -0.8887185)
    """
    mean = (r_a + r_b) / 2
    square = mean * mean
    covariance = (r_ab * (1 - 2 * square) - 0.5 * square * (1 - 2 * square - r_ab * r_ab)) / (1 - square) ** 2
    return (math.atanh(r_a) - math.atanh(r_b)) * math.sqrt((n - 3) / (2 - 2 * covariance))


def steiger(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Steiger's Z test, which Dror et al. (2017) took for word similarity; clusters are ignored.

    Parameters
    ----------
    sample : Sample
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
    jointly normal values; one-sided size at .05 was .24 to .50 for lognormal and heavy-tailed ones, .052 to .084 for
    Spearman correlations put in their place. Steiger (1980), "Tests for comparing elements of a correlation matrix".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> gold = rng.normal(size=50)
    >>> sample = Sample(
    ...     shape="correlation",
    ...     system_a="a", system_b="b", dataset="pairs", metric="pearson", kind="continuous", coefficient="pearson",
    ...     a=gold + rng.normal(size=50), b=gold + 2 * rng.normal(size=50), gold=gold)
    >>> outcome = steiger(sample, ResamplingPlan())
    >>> round(outcome.statistic, 2), round(outcome.p_greater, 4)
    (3.0, 0.0014)
    """
    refuse_few_instances("steiger", sample)
    algorithm = "normal approximation of Fisher's z"
    n_differing = differing_instances(sample)
    if n_differing == 0:
        tails = Tails.of_no_difference("asymptotic", algorithm)
        return STEIGER.outcome(sample, tails, statistic=0.0, statistic_name="Z", n_nonzero=0, estimate=0.0)
    _refuse_degenerate(sample)
    z = steiger_z(sample.value_a, sample.value_b, sample.between, sample.n)
    tails = Tails(p_greater=float(ndtr(-z)), p_less=float(ndtr(z)), p_min=0.0, method="asymptotic", algorithm=algorithm)
    return STEIGER.outcome(sample, tails, statistic=z, statistic_name="Z", n_nonzero=n_differing)


def _refuse_degenerate(sample: Sample) -> None:
    remedy = "choose 'correlation-jackknife-t', which does without"
    if 1 - sample.between < _ALIKE:
        raise DesignError(
            "'steiger' divides by 1 minus the correlation of the two systems with each other, which is "
            f"{1 - sample.between:.1g}",
            where=sample.label,
            remedy=remedy,
        )
    for system, value in ((sample.system_a, sample.value_a), (sample.system_b, sample.value_b)):
        if 1 - abs(value) < _AT_ITS_LIMIT:
            raise DesignError(
                f"'steiger' takes Fisher's z of each correlation, which is infinite: the {TITLES[sample.coefficient]} "
                f"of {system!r} with the gold score is {value:.0f}",
                where=sample.label,
                remedy=remedy,
            )


def _remarks(sample: Sample, outcome: Outcome) -> Iterator[Finding]:
    yield from same_order(sample, outcome)
    yield caution("normal-theory", sample.label, test=outcome.title)


STEIGER = SignificanceTest(
    name="steiger",
    title="Steiger Z-test of dependent correlations",
    function=steiger,
    kinds=ANY_KIND,
    interval=replace(CORRELATION_JACKKNIFE_T.interval, matched=False),
    estimand="difference in correlation",
    hypotheses=CORRELATION,
    assumptions=("predictions and gold scores are jointly normally distributed",),
    citation="steiger1980tests",
    summary="Correlations with a gold score, as in Dror et al. (2017); for normally distributed values.",
    shape="correlation",
    independent_units=UNRELATED_INSTANCES,
    remarks=_remarks,
    details=correlation_details,
)
