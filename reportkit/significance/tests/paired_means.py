"""The paired t-test, and the recentred bootstrap of the mean difference."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from reportkit.scores.designs import Units, sorted_units
from reportkit.scores.sample import Sample
from reportkit.significance.entry import MEASURED, IntervalMethod, ResamplingPlan, SignificanceTest
from reportkit.significance.hypotheses import MEAN_SCORES
from reportkit.significance.interval import MarginTest
from reportkit.significance.null_sums import draw_end
from reportkit.significance.nulls import draw_tails
from reportkit.significance.outcome import Interval, Outcome, Tails, tail_level, title_of_mean
from reportkit.significance.tests.sign_flip import rounded_end
from reportkit.significance.units import (
    estimate_mean,
    linearised,
    shifted_bootstrap_tails,
    student_t_interval,
    student_t_margin,
)


def paired_t(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the paired t-test of the (weighted) mean difference, with n - 1 degrees of freedom; clusters are ignored.

    Parameters
    ----------
    paired : Sample
        Scores whose mean says something.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Raises
    ------
    DesignError
        If all instances show the same difference and it is not 0, a single instance included: the data then hold no
        information on the variance, and p = 0 would be the claim of certainty.

    Notes
    -----
    Null hypothesis: the mean difference is at most 0. Assumes independent instances and a mean whose distribution is
    near normal. Student (1908). With weights, the standard error is that of a ratio of sums.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> outcome = paired_t(paired, ResamplingPlan())
    >>> round(outcome.statistic, 4), round(outcome.p_greater, 4)
    (1.8516, 0.0806)
    """
    estimate = estimate_mean(replace(paired, clusters=None))
    unknown = f"every instance shows the same difference, {estimate.mean:g}"
    if estimate.degrees_of_freedom == 0:
        unknown = "there is one instance only"
    return PAIRED_T.t_outcome(
        paired, replace(estimate, unknown=unknown), instead="choose 'sign-flip', which needs no variance"
    )


PAIRED_T = SignificanceTest(
    name="paired-t",
    title="paired t-test",
    function=paired_t,
    kinds=MEASURED,
    uses_weights=True,
    interval=IntervalMethod(
        interval=lambda paired, level, seed, p_values: student_t_interval(replace(paired, clusters=None), level),
        margin=lambda paired, margin, seed: student_t_margin(replace(paired, clusters=None), margin),
    ),
    estimand="mean difference",
    hypotheses=MEAN_SCORES,
    assumptions=("the mean difference is approximately normally distributed",),
    citation="student1908probable",
    summary="Student's t of the mean difference; close to sign-flip for some hundred instances and more.",
    if_skewed="off level",
)


def paired_bootstrap(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the paired bootstrap test of the (weighted) mean difference.

    Resamples of n instances (of whole clusters, if there are any) are drawn with replacement; p is the probability
    that a resample favours A by at least twice the observed difference, that is by at least the observed one more than
    expected. It is computed as for infinitely many resamples: exact, or an upper bound that is about 1% too large.

    Parameters
    ----------
    paired : Sample
        Scores whose mean says something. With weights, and with clusters of unequal size, both sums of the ratio
        "sum of differences / sum of sizes" are resampled.
    plan : ResamplingPlan
        Not needed.

    Returns
    -------
    Outcome
        `p_min` is n^-n for n units, the probability of one particular resample: no p-value above 0 is smaller. Where
        no resample reaches twice the observed difference, p is that number instead of 0.

    Notes
    -----
    Null hypothesis: the mean difference is at most 0. An approximation for many independent instances: resamples know
    no difference larger than those observed, so for few instances p is too small (.061 to .147 rejections at .05 for
    n = 20 to 100 in simulations), and it can fall below 2^-m for m differing instances, which no exact test can.
    Berg-Kirkpatrick, Burkett and Klein (2012), Figure 1; with `>=` and the added 1, identical systems give p = 1.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9]), b=np.array([0.4, 0.9]))
    >>> outcome = paired_bootstrap(paired, ResamplingPlan())  # 1 of the 4 resamples reaches 0.1
    >>> outcome.p_greater, outcome.p_min
    (0.25, 0.25)
    """
    units = sorted_units(paired)
    tails = drawn_tails(units)
    return PAIRED_BOOTSTRAP.outcome(
        paired, tails, statistic_name="mean difference", n_nonzero=int(np.count_nonzero(units.sums))
    )


def drawn_tails(units: Units) -> Tails:
    """Return the tails of the recentred bootstrap of a mean, for infinitely many resamples, in favour of A."""
    p_min = math.exp(-units.n * math.log(units.n))
    tails = Tails.computed(draw_tails(linearised(units)[None, :]).each()[0], p_min=p_min)
    return tails.swapped() if units.swapped else tails


def bootstrap_interval(paired: Sample, confidence_level: float = 0.95) -> Interval | None:
    """Return the interval of mean differences that the paired bootstrap does not reject: [2 d - d*_high, 2 d - d*_low].

    d*_low and d*_high are the quantiles of the mean of infinitely many resamples, at (1 - level) / 2 and at
    (1 + level) / 2.

    Returns
    -------
    Interval or None
        None if all units show the same difference.

    Notes
    -----
    Assumes independent units, enough of them for resamples to stand for new test sets; of few units it covers too
    little. Davison and Hinkley (1997), "Bootstrap Methods and their Application", section 5.2.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.arange(1.0, 101.0), b=np.full(100, 40.0))
    >>> interval = bootstrap_interval(paired)
    >>> round(interval.low, 1), round(interval.high, 1)
    (4.8, 16.2)
    """
    estimate = estimate_mean(paired)
    if estimate.standard_error is None:
        return None
    units = sorted_units(paired)
    alpha = tail_level(confidence_level)
    low, high = draw_end(units.sums, units.sizes, alpha), -draw_end(-units.sums, units.sizes, alpha)
    if units.swapped:
        low, high = -high, -low
    return Interval(
        low=rounded_end(low, estimate.standard_error) + 0.0,
        high=rounded_end(high, estimate.standard_error) + 0.0,
        level=confidence_level,
        title=title_of_mean(paired, "basic bootstrap interval", "whole-cluster"),
        citation="davison1997bootstrap",
    )


def bootstrap_margin(paired: Sample, margin: float) -> MarginTest:
    """Test a (weighted) mean difference against a margin by the paired bootstrap: P(d* >= 2 d - margin).

    At margin 0 it is the paired bootstrap test; `bootstrap_interval` holds the margins that it does not reject.

    Parameters
    ----------
    paired : Sample
        Scores whose mean says something.
    margin : float
        In units of the score, oriented.

    Notes
    -----
    Null hypothesis: the mean difference is at most (at least) the margin. Assumes independent units, enough of them for
    resamples to stand for new test sets. Berg-Kirkpatrick, Burkett and Klein (2012), Figure 1.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> test = bootstrap_margin(paired, -0.1)
    >>> round(test.statistic, 4), test.p_greater < 0.01
    (0.3, True)
    """
    p_greater, p_less = shifted_bootstrap_tails(sorted_units(paired), margin)
    return MarginTest(
        margin=margin,
        estimate=paired.value_difference,
        statistic=paired.value_difference - margin,
        p_greater=p_greater,
        p_less=p_less,
        title="paired bootstrap test",
        citation="bergkirkpatrick2012empirical",
    )


PAIRED_BOOTSTRAP = SignificanceTest(
    name="paired-bootstrap",
    title="paired bootstrap test",
    resamples=True,
    function=paired_bootstrap,
    kinds=MEASURED,
    uses_weights=True,
    interval=IntervalMethod(
        interval=lambda paired, level, seed, p_values: bootstrap_interval(paired, level),
        margin=lambda paired, margin, seed: (
            None if estimate_mean(paired).standard_error is None else bootstrap_margin(paired, margin)
        ),
    ),
    estimand="mean difference",
    hypotheses=MEAN_SCORES,
    assumptions=("there are enough of them for resamples to stand for new test sets",),
    citation="bergkirkpatrick2012empirical",
    summary="Share of resamples that favour A by twice the observed difference; for large test sets.",
    title_with_clusters="paired bootstrap test with whole clusters",
    if_skewed="off level",
)
