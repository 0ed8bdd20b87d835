"""The permutation test of precision, recall, F-beta and other ratios of sums, over all swaps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reportkit.errors import DesignError
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.significance.exact_swaps import exact_swap_tails
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.approximate_randomization import APPROXIMATE_RANDOMIZATION, drawn_tails


def f_permutation(paired: PairedStatistics, plan: ResamplingPlan) -> Outcome:
    """Permutation test of the difference of two ratios of sums.

    If A and B are exchangeable, swapping their counts on an instance (on all instances of a cluster) changes nothing: p
    is the share of the 2^n swaps after which the metric of A exceeds that of B by at least as much as observed. The
    joint distribution of numerator and denominator is computed, so that no swap is drawn, and ties are told in whole
    numbers.

    Parameters
    ----------
    paired : PairedStatistics
        Counts, and a metric that is a ratio of two weighted sums of them.
    plan : ResamplingPlan
        Used only where the sums are too large: swaps are then drawn at random.

    Raises
    ------
    DesignError
        If the metric is no such ratio.

    Notes
    -----
    Null hypothesis: A and B are exchangeable on every instance, which is more than equal values of the metric: two
    systems of equal F1, one precise and one with high recall, are not exchangeable. Yeh (2000) tests F1 by random
    swaps; Zmigrod et al. (2022) count all of them by dynamic programming.

    Examples
    --------
    >>> from reportkit.metrics.corpus.f_measures import F1
    >>> a, b = np.array([[3.0, 1, 0], [2, 0, 2], [5, 1, 1]]), np.array([[3.0, 2, 0], [2, 1, 2], [4, 1, 2]])
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                           a=a, b=b, measure=F1)
    >>> outcome = f_permutation(paired, ResamplingPlan())
    >>> round(outcome.p_greater, 12), outcome.p_less, outcome.p_min, outcome.method
    (0.125, 1.0, 0.125, 'exact')
    """
    measure = paired.measure
    if measure.quotient_weights is None:
        raise DesignError(
            f"'f-permutation' is for metrics that are a ratio of two sums, such as F1; {measure.title} is none",
            where=paired.label,
            remedy="choose 'approximate-randomization', which swaps the counts of any metric at random",
        )
    tails = exact_swap_tails(paired) or drawn_tails(paired, plan)
    return F_PERMUTATION.outcome(
        paired,
        tails,
        statistic_name=f"difference in {paired.metric}",
        n_nonzero=int(np.count_nonzero(paired.differing)),
    )


F_PERMUTATION = replace(
    APPROXIMATE_RANDOMIZATION,
    details=None,
    name="f-permutation",
    title="permutation test of a ratio of sums",
    function=f_permutation,
    assumptions=("the outputs of equally good systems are exchangeable",),
    citation="zmigrod2022exact",
    summary="All swaps of the counts of A and B, for F1, precision, recall, accuracies and error rates.",
    title_with_clusters="permutation test of a ratio of sums with whole clusters",
)
