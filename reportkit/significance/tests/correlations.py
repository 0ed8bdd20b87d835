"""Tests of two dependent correlations with a gold score: by the jackknife, and Steiger's."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.metrics.correlation import TITLES, correlation, leave_out, midranks, standardised
from reportkit.scores.sample import NOISE, Details, Sample
from reportkit.significance.cautions import caution, rounded_percent
from reportkit.significance.entry import ANY_KIND, ResamplingPlan, SignificanceTest
from reportkit.significance.hypotheses import CORRELATION
from reportkit.significance.interval import Estimate
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.units import by_student_t

FEWEST = 10
"""Correlations over fewer instances are not tested."""

UNRELATED_INSTANCES = "instances are independent of each other (word pairs that share a word, for one, are not)"

_SAME = 1e-12
"""Standardised predictions that differ by no more are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationDifference(Estimate):
    """The difference of two correlations with the gold score, and its jackknife standard error.

    Parameters
    ----------
    largest_share : float
        Part of the variance that comes from leaving out the single unit which changes the difference most.
    """

    largest_share: float = 0.0


def estimate_difference(sample: Sample) -> CorrelationDifference:
    """Estimate the difference of two correlations and its delete-one jackknife standard error.

    With d(-j) the difference without unit j (instance, or whole cluster), G units, and m the mean of all d(-j),

        se = sqrt((G - 1) / G * sum (d(-j) - m)^2).

    Notes
    -----
    Assumes that the units are independent; needs no distribution of predictions and gold scores, and takes the
    correlation of A with B into account, as each unit is left out for both. Hinkley (1978), "Improving the jackknife
    with special reference to correlation estimation".

    Examples
    --------
    >>> sample = Sample(
    ...     shape="correlation",
    ...     system_a="a", system_b="b", dataset="pairs", metric="pearson", kind="continuous", coefficient="pearson",
    ...     a=np.array([0.9, 0.4, 0.6, 0.1]), b=np.array([0.2, 0.4, 0.3, 0.1]), gold=np.array([4.0, 3.0, 2.0, 1.0]))
    >>> estimate = estimate_difference(sample)
    >>> round(estimate.mean, 4), round(estimate.standard_error, 4), estimate.degrees_of_freedom
    (0.4437, 0.9263, 3)
    """
    n_differing = differing_instances(sample)
    units = sample.n if sample.clusters is None else int(np.unique(sample.clusters).size)
    a, b = (leave_out(each, sample.gold, sample.coefficient, sample.clusters) for each in (sample.a, sample.b))
    without = a - b
    known = CorrelationDifference(
        mean=sample.value_difference if n_differing else 0.0,
        standard_error=None,
        degrees_of_freedom=units - 1,
        n_nonzero=n_differing,
    )
    what = "instance" if sample.clusters is None else "cluster"
    if n_differing == 0:
        return known
    if units < 2:
        return replace(known, unknown=f"there is one {what} only")
    if np.isnan(without).any():
        return replace(known, unknown=f"without one {what}, the gold score or the predictions of a system are constant")
    deviations = without - math.fsum(without) / units
    if float(np.abs(deviations).max()) <= NOISE:
        return replace(known, unknown=f"the difference is the same without each {what}")
    squares = deviations * deviations
    error = math.sqrt((units - 1) / units * math.fsum(squares))
    return replace(known, standard_error=error, largest_share=float(squares.max()) / math.fsum(squares))


def differing_instances(sample: Sample) -> int:
    """Return the number of instances that A and B rank (for Pearson: predict, apart from units) differently.

    0 if no gold score can tell the two systems apart.
    """
    if sample.coefficient == "pearson":
        a, b = standardised(sample.a), standardised(sample.b)
        return 0 if a is None or b is None else int(np.count_nonzero(np.abs(a - b) > _SAME))
    return int(np.count_nonzero(midranks(sample.a) != midranks(sample.b)))


def refuse_few_instances(name: str, sample: Sample) -> None:
    """Raise DesignError for fewer than ten instances."""
    if sample.n < FEWEST:
        raise DesignError(
            f"{name!r} compares correlations over {FEWEST} instances or more, and there are {sample.n}",
            where=sample.label,
            remedy="leave the rows of this dataset out; or give a score of each prediction, such as the negative "
            "absolute error,\nand compare their means (without metric=..., --metric)",
        )


def same_order(sample: Sample, outcome: Outcome) -> Iterator[Finding]:
    """Say so if no gold score can tell the two systems apart, though their predictions are not the same."""
    if outcome.n_nonzero == 0:
        how = (
            "The predictions of one system are those of the other in other units"
            if sample.coefficient == "pearson"
            else "The two systems put all instances in the same order"
        )
        yield caution("same-order", sample.label, how=how, coefficient=TITLES[sample.coefficient])


def _between(sample: Sample) -> float:
    return correlation(sample.a, sample.b, sample.coefficient)


def correlation_details(sample: Sample, outcome: Outcome) -> Details:
    """Return what repeats a test from printed numbers: the coefficient, and the third correlation."""
    return {"coefficient": sample.coefficient, "correlation_between_systems": _between(sample)}


def correlation_jackknife_t(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Run a t-test of the difference of two correlations, with its delete-one jackknife standard error.

    t = (r_A - r_B) / se with n - 1 degrees of freedom, or with the number of clusters minus 1, each cluster being left
    out as a whole. One-sided size at .05 was .048 to .058 for Pearson correlations of lognormal and heavy-tailed data,
    where tests on the scale of Fisher's z had .24 to .50, and .016 to .046 for Spearman correlations; with clusters of
    equal size .02 to .055 from 3 clusters on, where the test that ignores them had .08 to .19. Where the predictions of
    one system alone are far off on rare instances, the size for Pearson's coefficient was up to .62 (n = 30) and .14
    (n = 1,000).

    Parameters
    ----------
    sample : Sample
        Predictions of A and B, and the gold scores.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Raises
    ------
    DesignError
        If there are fewer than ten instances, or if the data hold no information on the standard error: one cluster
        only, predictions that are constant without one instance, or the same difference whichever is left out.

    Notes
    -----
    Null hypothesis: the correlation of A with the gold score is at most that of B. Assumes independent instances (or
    clusters) and a difference that is approximately normally distributed; needs no distribution of predictions and gold
    scores.
    Hinkley (1978), "Improving the jackknife with special reference to correlation estimation".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> gold = rng.normal(size=50)
    >>> sample = Sample(
    ...     shape="correlation",
    ...     system_a="a", system_b="b", dataset="pairs", metric="spearman", kind="continuous", coefficient="spearman",
    ...     a=gold + rng.normal(size=50), b=gold + 2 * rng.normal(size=50), gold=gold)
    >>> outcome = correlation_jackknife_t(sample, ResamplingPlan())
    >>> outcome.statistic_name, round(outcome.estimate, 3), round(outcome.statistic, 2), round(outcome.p_greater, 4)
    ('t(49)', 0.386, 2.24, 0.015)
    """
    refuse_few_instances(CORRELATION_JACKKNIFE_T.name, sample)
    estimate = estimate_difference(sample)
    return CORRELATION_JACKKNIFE_T.t_outcome(
        sample,
        estimate,
        instead="look at the predictions of these instances; leave the system out of the comparison, or the rows of "
        "this dataset out of the results",
    )


def _of_influence(sample: Sample, outcome: Outcome) -> Iterator[Finding]:
    """Say that the order of instances is the same, or that the standard error hinges on a single unit."""
    yield from same_order(sample, outcome)
    estimate = estimate_difference(sample)
    units = estimate.degrees_of_freedom + 1
    # normal values exceed this share in 3% of samples of 10, and in less than 1% of larger ones
    if estimate.t is None or estimate.n_nonzero == 0 or estimate.largest_share <= min(0.8, 4.3 / math.sqrt(units)):
        return
    unit = "instance" if sample.clusters is None else "cluster"
    ranks = "; or use metric='spearman' (--metric spearman), on which a single one has little influence"
    yield caution(
        "influential-instance",
        sample.label,
        unit=unit,
        n=int(units),
        share=rounded_percent(estimate.largest_share),
        or_ranks=ranks if sample.coefficient == "pearson" else "",
    )


CORRELATION_JACKKNIFE_T = SignificanceTest(
    name="correlation-jackknife-t",
    title="jackknife t-test of the difference of two correlations",
    function=correlation_jackknife_t,
    kinds=ANY_KIND,
    interval=by_student_t(
        estimate_difference,
        interval=lambda sample: "jackknife t interval" + ("" if sample.clusters is None else " with whole clusters"),
        test="jackknife t-test",
        citation="hinkley1978improving",
        limit=2.0,
    ),
    estimand="difference in correlation",
    hypotheses=CORRELATION,
    assumptions=("the difference of the two correlations is approximately normally distributed",),
    citation="hinkley1978improving",
    summary="Correlations with a gold score, by leaving out each instance or cluster; needs no distribution.",
    title_with_clusters="jackknife t-test of the difference of two correlations with whole clusters",
    shape="correlation",
    independent_units=UNRELATED_INSTANCES,
    remarks=_of_influence,
    details=correlation_details,
)


_ALIKE = 1e-10  # where a correlation is nearer than this to 1, formulas with 1 minus it have no digit right
_AT_ITS_LIMIT = 1e-12


def steiger_z(r_a: float, r_b: float, r_ab: float, n: int) -> float:
    """Return Steiger's Z of two dependent correlations that share one variable.

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
    """Run Steiger's Z test, which Dror et al. (2017) took for word similarity; clusters are ignored.

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
    z = steiger_z(sample.value_a, sample.value_b, _between(sample), sample.n)
    tails = Tails(p_greater=float(ndtr(-z)), p_less=float(ndtr(z)), p_min=0.0, method="asymptotic", algorithm=algorithm)
    return STEIGER.outcome(sample, tails, statistic=z, statistic_name="Z", n_nonzero=n_differing)


def _refuse_degenerate(sample: Sample) -> None:
    remedy = "choose 'correlation-jackknife-t', which does without"
    if 1 - _between(sample) < _ALIKE:
        raise DesignError(
            "'steiger' divides by 1 minus the correlation of the two systems with each other, which is "
            f"{1 - _between(sample):.1g}",
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


def _of_normality(sample: Sample, outcome: Outcome) -> Iterator[Finding]:
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
    remarks=_of_normality,
    details=correlation_details,
)
