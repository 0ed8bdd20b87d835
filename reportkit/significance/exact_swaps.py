"""Both tails over all 2^n swaps of the rows of A and B, for metrics that are a quotient of two sums."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.corpus_units import unit_counts
from reportkit.null_distributions.swap_walks.ratio_permutation import ratio_permutation_tail
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.significance.outcome import ACCEPTED_ERROR, Tails

_LARGEST_DIVISOR = 12
_ROUNDING = 1e-9


def exact_swap_tails(paired: PairedStatistics) -> Tails | None:
    """Exact tails of metric(A') - metric(B') where the rows of A and B are swapped by fair coins.

    Precision, recall, F-beta, accuracies and error rates are quotients of two weighted sums, of which the joint
    distribution is computed; rows of a cluster are swapped together.

    Parameters
    ----------
    paired : PairedStatistics
        Counts of both systems.

    Returns
    -------
    Tails or None
        None if the metric is no such quotient, if counts are not whole, or multiples of a half, a third, ..., a
        twelfth, if the metric may be undefined after a swap, or if the sums are too large.

    Examples
    --------
    >>> from reportkit.metrics.corpus.f_measures import F1
    >>> a, b = np.array([[3.0, 1, 0], [2, 0, 2], [5, 1, 1]]), np.array([[3.0, 2, 0], [2, 1, 2], [4, 1, 2]])
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                           a=a, b=b, measure=F1)
    >>> round(exact_swap_tails(paired).p_greater, 12)
    0.125
    """
    weights = paired.measure.quotient_weights
    if weights is None:
        return None
    a, b = unit_counts(paired)
    both = np.stack((a, b)) @ np.array(weights, dtype=np.float64).T
    numerator, denominator = _whole(both[..., 0]), _whole(both[..., 1])
    if numerator is None or denominator is None:
        return None
    undefined = _value_without_denominator(paired, numerator, denominator)
    if undefined is None:
        return None
    tail = ratio_permutation_tail(
        np.stack((numerator[0], denominator[0]), axis=1),
        np.stack((numerator[1], denominator[1]), axis=1),
        undefined=undefined,
        max_relative_error=ACCEPTED_ERROR,
    )
    if tail is None:
        return None
    n_differing = int(((numerator[0] != numerator[1]) | (denominator[0] != denominator[1])).sum())
    tails = Tails.computed(tail, p_min=math.ldexp(1.0, -n_differing))
    return tails if paired.higher_is_better else tails.swapped()


def _whole(sums: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Whole multiples of a unit, 1, 1/2, ..., or 1/12; the unit changes no comparison. None if there is none."""
    if not (np.isfinite(sums).all() and (sums >= 0).all()):
        return None
    for divisor in range(1, _LARGEST_DIVISOR + 1):
        multiples = sums * divisor
        rounded = np.rint(multiples)
        if (np.abs(multiples - rounded) <= _ROUNDING).all():
            return np.asarray(rounded)
    return None


def _value_without_denominator(
    paired: PairedStatistics, numerator: NDArray[np.float64], denominator: NDArray[np.float64]
) -> float | None:
    """Value of a quotient whose denominator is 0, in units of numerator over denominator; None if not one number."""
    if denominator.min(axis=0).sum() > 0:
        return 0.0  # no swap leads there
    value = float(paired.measure(np.zeros(len(paired.measure.columns))))
    others = bool(numerator[denominator == 0].any())
    return 0.0 if value == 0.0 and not others else None
