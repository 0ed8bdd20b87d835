"""The jackknife t-test of two correlations with the same gold score, with whole clusters if there are any."""

from __future__ import annotations

from scipy.special import stdtr

from reportkit.errors import DesignError
from reportkit.intervals.correlation_jackknife import estimate_difference
from reportkit.results.predictions import PairedPredictions
from reportkit.significance.dependent_correlations import (
    UNRELATED_INSTANCES,
    correlation_details,
    refuse_few_instances,
    same_order,
)
from reportkit.significance.entry import ANY_KIND, SignificanceTest
from reportkit.significance.hypotheses import CORRELATION
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tails import Tails


def correlation_jackknife_t(sample: PairedPredictions, plan: ResamplingPlan) -> Outcome:
    """t-test of the difference of two correlations, with its delete-one jackknife standard error.

    t = (r_A - r_B) / se with n - 1 degrees of freedom, or with the number of clusters minus 1, each cluster being left
    out as a whole. One-sided size at .05 was .048 to .058 for Pearson correlations of lognormal and heavy-tailed data,
    where tests on the scale of Fisher's z had .24 to .50, and .016 to .046 for Spearman correlations; with clusters of
    equal size .02 to .055 from 3 clusters on, where the test that ignores them had .08 to .19.

    Parameters
    ----------
    sample : PairedPredictions
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
    clusters) and a difference that is near normally distributed; needs no distribution of predictions and gold scores.
    Hinkley (1978), "Improving the jackknife with special reference to correlation estimation".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> gold = rng.normal(size=50)
    >>> sample = PairedPredictions(
    ...     system_a="a", system_b="b", dataset="pairs", metric="spearman", kind="continuous", coefficient="spearman",
    ...     a=gold + rng.normal(size=50), b=gold + 2 * rng.normal(size=50), gold=gold)
    >>> outcome = correlation_jackknife_t(sample, ResamplingPlan())
    >>> outcome.statistic_name, round(outcome.estimate, 3), round(outcome.statistic, 2), round(outcome.p_greater, 4)
    ('t(49)', 0.386, 2.24, 0.015)
    """
    refuse_few_instances(CORRELATION_JACKKNIFE_T.name, sample)
    estimate = estimate_difference(sample)
    if estimate.t is None:
        raise DesignError(
            f"'correlation-jackknife-t' cannot estimate a standard error: {estimate.unknown}",
            where=sample.label,
            remedy="look at the predictions of these instances; leave the system out of the comparison, or the rows of "
            "this dataset out of the results",
        )
    degenerate = estimate.n_differing == 0
    tails = Tails(
        p_greater=1.0 if degenerate else float(stdtr(estimate.degrees_of_freedom, -estimate.t)),
        p_less=1.0 if degenerate else float(stdtr(estimate.degrees_of_freedom, estimate.t)),
        p_min=1.0 if degenerate else 0.0,
        method="asymptotic",
        algorithm=f"t with {estimate.degrees_of_freedom:,} degrees of freedom",
    )
    return CORRELATION_JACKKNIFE_T.outcome(
        sample,
        tails,
        statistic=estimate.t,
        statistic_name=f"t({estimate.degrees_of_freedom})",
        n_nonzero=estimate.n_differing,
        estimate=estimate.difference,
    )


CORRELATION_JACKKNIFE_T = SignificanceTest(
    name="correlation-jackknife-t",
    title="jackknife t-test of the difference of two correlations",
    function=correlation_jackknife_t,
    kinds=ANY_KIND,
    uses_weights=False,
    uses_clusters=True,
    effect="mean",
    estimand="difference in correlation",
    null_hypothesis="the correlation of A with the gold score is at most that of B",
    hypotheses=CORRELATION,
    assumptions=("the difference of the two correlations is near normally distributed",),
    citation="hinkley1978improving",
    summary="Correlations with a gold score, by leaving out each instance or cluster; needs no distribution.",
    title_with_clusters="jackknife t-test of the difference of two correlations with whole clusters",
    shape="correlation",
    independent_units=UNRELATED_INSTANCES,
    remarks=same_order,
    details=correlation_details,
)
