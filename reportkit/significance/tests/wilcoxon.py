"""Wilcoxon's signed-rank test, exact with ties and zeros."""

from __future__ import annotations

import numpy as np

from reportkit.scores.sample import Sample
from reportkit.significance.entry import ANY_KIND, SYMMETRY, IntervalMethod, SignificanceTest
from reportkit.significance.nulls import flip_tails
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.sign_flip import SIGN_FLIP, tails_of
from reportkit.significance.units import signed_ranks


def wilcoxon(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Wilcoxon signed-rank test; zero differences are left out before ranking.

    The absolute differences are ranked, ties share the mean of their ranks, and each rank gets the sign of its
    difference. Given the absolute differences, p is the share of all sign patterns whose sum of signed ranks is at
    least the observed one: exact with ties too.

    Parameters
    ----------
    paired : Sample
        Scores without weights; clusters are ignored.
    plan : ResamplingPlan
        Not needed.

    Notes
    -----
    Null hypothesis: the differences are symmetric about 0. This is no test of the mean: with skewed differences of
    mean 0 it rejects with a probability that goes to 1 as n grows. Assumes independent instances. Wilcoxon (1945).

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8, 0.1]), b=np.array([0.4, 0.9, 0.5, 0.3, 0.2]))
    >>> outcome = wilcoxon(paired, ResamplingPlan())  # signed ranks 1.5, 3, 4, -1.5
    >>> outcome.statistic, outcome.p_greater
    (7.0, 0.1875)
    """
    swapped = paired.system_b < paired.system_a
    ranks = np.sort(signed_ranks(-paired.differences if swapped else paired.differences))
    tails = tails_of(flip_tails(ranks[None, :]).each()[0], ranks) if ranks.size else Tails.of_no_difference()
    statistic = float(ranks.sum())
    if swapped:
        tails, statistic = tails.swapped(), -statistic
    return WILCOXON.outcome(
        paired, tails, statistic=statistic, statistic_name="sum of signed ranks", n_nonzero=int(ranks.size)
    )


WILCOXON = SignificanceTest(
    name="wilcoxon",
    title="Wilcoxon signed-rank test",
    resamples=True,
    function=wilcoxon,
    kinds=ANY_KIND,
    interval=IntervalMethod(
        interval=lambda paired, level, seed, p_values: None,
        margin=lambda paired, margin, seed: SIGN_FLIP.interval.margin(paired, margin, seed),
        matched=False,
        silence=lambda paired, level: "a test of symmetry about 0 has no interval of the mean",
    ),
    estimand="mean difference",
    hypotheses=SYMMETRY,
    ties_count=False,
    assumptions=(
        "differences are symmetric about their centre (of skewed ones it tests something else than the mean)",
    ),
    citation="wilcoxon1945individual",
    summary="Signed ranks with zeros left out; tests symmetry about 0, not the mean.",
    if_skewed="other claim",
)
