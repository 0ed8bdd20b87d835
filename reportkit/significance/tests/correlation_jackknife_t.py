"""The jackknife t-test of two correlations with the same gold score, with whole clusters if there are any."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.intervals import choose_interval
from reportkit.intervals.correlations.correlation_jackknife import estimate_difference
from reportkit.language.numerals import percent_text
from reportkit.scores.shapes.predictions import PairedPredictions
from reportkit.significance.cautions.size_wording import levels_used, size_at, sizes_text
from reportkit.significance.dependent_correlations import (
    UNRELATED_INSTANCES,
    correlation_details,
    refuse_few_instances,
    same_order,
)
from reportkit.significance.entry import ANY_KIND, CORRELATION, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan


def correlation_jackknife_t(sample: PairedPredictions, plan: ResamplingPlan) -> Outcome:
    """t-test of the difference of two correlations, with its delete-one jackknife standard error.

    t = (r_A - r_B) / se with n - 1 degrees of freedom, or with the number of clusters minus 1, each cluster being left
    out as a whole. One-sided size at .05 was .048 to .058 for Pearson correlations of lognormal and heavy-tailed data,
    where tests on the scale of Fisher's z had .24 to .50, and .016 to .046 for Spearman correlations; with clusters of
    equal size .02 to .055 from 3 clusters on, where the test that ignores them had .08 to .19. Where the predictions of
    one system alone are far off on rare instances, the size for Pearson's coefficient was up to .62 (n = 30) and .14
    (n = 1,000); a finding says so.

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
    clusters) and a difference that is approximately normally distributed; needs no distribution of predictions and gold
    scores.
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
    return CORRELATION_JACKKNIFE_T.outcome(
        sample,
        Tails.of_t(estimate.t, estimate.degrees_of_freedom, identical=estimate.n_differing == 0),
        statistic=estimate.t,
        statistic_name=f"t({estimate.degrees_of_freedom})",
        n_nonzero=estimate.n_differing,
        estimate=estimate.difference,
    )


_MOST_SHARE = 0.8
_SHARE = 4.3

FEW_FOR_PEARSON = 1000
"""With fewer units, contaminated predictions can leave no trace in the influence of single ones."""

SIZES_WHERE_CONTAMINATED: Mapping[int, Mapping[float, float]] = {
    10: {0.05: 0.11, 0.01: 0.016, 0.001: 0.002},
    30: {0.05: 0.62, 0.01: 0.29, 0.001: 0.041},
    100: {0.05: 0.55, 0.01: 0.52, 0.001: 0.46},
    300: {0.05: 0.30, 0.01: 0.25, 0.001: 0.20},
    1000: {0.05: 0.14, 0.01: 0.083, 0.001: 0.054},
}
"""Largest simulated one-sided sizes by n where few predictions of one system are far off, and none of the other.

The population correlations are equal: see `benchmarks/size_of_designs.py`.
"""


def usual_share(units: int) -> float:
    """Part of the variance that a single unit has in one sample of a hundred at most, if all values are normal.

    .8 with up to 28 units, then 4.3 / sqrt(units): normal values exceed it in 3% of samples of 10, and in less than 1%
    of larger ones.
    """
    return min(_MOST_SHARE, _SHARE / math.sqrt(units))


def _influence(sample: PairedPredictions, outcome: Outcome, thresholds: Sequence[float]) -> Iterator[Finding]:
    """Say that the standard error hinges on a single unit; or, of Pearson's coefficient, that few units hide it."""
    estimate = estimate_difference(sample)
    if estimate.t is None or estimate.n_differing == 0:
        return
    units = estimate.degrees_of_freedom + 1
    unit = "instance" if sample.clusters is None else "cluster"
    where = sample.label
    pearson = sample.coefficient == "pearson"
    nearest = max(n for n in SIZES_WHERE_CONTAMINATED if n <= max(units, min(SIZES_WHERE_CONTAMINATED)))
    simulated = SIZES_WHERE_CONTAMINATED[nearest]
    sizes = sizes_text([(level, size_at(level, simulated)) for level in levels_used(outcome, thresholds)])
    example = (
        "for instance, where a few predictions of one system alone are outliers, a system that is not better is called "
        f"so about {sizes}"
    )
    remedy = f"look at {'these instances' if sample.clusters is None else 'these clusters'}; collect more {unit}s"
    if pearson:
        remedy += "; or use metric='spearman' (--metric spearman), on which a single one has little influence"
    if estimate.largest_share > usual_share(units):
        share = percent_text(float(f"{estimate.largest_share:.2g}"))
        yield Finding(
            "influential-instance",
            "warning",
            f"A single {unit} of {units:,} makes up {share} of the variance of the difference, so the p-value "
            "depends on how many like it the sample happens to contain."
            + (f" It can be too small: {example}." * pearson),
            where=where,
            remedy=remedy,
        )
    elif pearson:
        rare = percent_text(float(f"{min(1.0, 3 / units):.2g}"))
        yield Finding(
            "contamination-unseen",
            "warning" if units < FEW_FOR_PEARSON else "info",
            f"The Pearson correlation depends on outlying predictions. A sample of {units:,} {unit}s may contain none "
            f"of those that occur in fewer than about {rare}. If only one system has them, p-values can be too small: "
            f"{example}.",
            where=where,
            remedy=remedy,
        )


CORRELATION_JACKKNIFE_T = SignificanceTest(
    name="correlation-jackknife-t",
    title="jackknife t-test of the difference of two correlations",
    function=correlation_jackknife_t,
    kinds=ANY_KIND,
    interval=choose_interval.CORRELATION_JACKKNIFE,
    estimand="difference in correlation",
    null_hypothesis="the correlation of A with the gold score is at most that of B",
    hypotheses=CORRELATION,
    assumptions=("the difference of the two correlations is approximately normally distributed",),
    citation="hinkley1978improving",
    summary="Correlations with a gold score, by leaving out each instance or cluster; needs no distribution.",
    title_with_clusters="jackknife t-test of the difference of two correlations with whole clusters",
    shape="correlation",
    independent_units=UNRELATED_INSTANCES,
    remarks=same_order,
    size_remarks=_influence,
    details=correlation_details,
)
