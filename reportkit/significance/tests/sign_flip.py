"""The sign-flip permutation test of the (weighted) mean difference, with whole clusters if there are any."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals import choose_interval
from reportkit.intervals.means.units import sorted_units
from reportkit.null_distributions import RowTail, flip_tails
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.significance.entry import MEAN_SCORES, MEASURED, SignificanceTest
from reportkit.significance.known_tails import known_tail, tails_ahead
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan

_MOST_PATTERNS = 40  # so many doublings of a number keep it whole in a float
_ROUNDING = 1e-13
_KNOWN = "sign-flip tail"


def sign_flip(paired: PairedScores, plan: ResamplingPlan) -> Outcome:
    """Sign-flip permutation test of the mean difference.

    If swapping the outputs of A and B changes nothing, the sign of each difference (of each cluster's sum of
    differences) is that of a fair coin: p is the share of the 2^m sign patterns whose sum is at least the observed
    one: exact, or an upper bound that is about 1% too large.

    Parameters
    ----------
    paired : PairedScores
        Scores whose mean says something.
    plan : ResamplingPlan
        Not needed.

    Notes
    -----
    Null hypothesis: the differences (sums of clusters) are symmetric about 0. Under it the test is exact; it is also
    valid for a mean difference of at most 0 as n grows. Its exactness needs no distribution, but skewed differences
    spoil a one-sided test of the mean at small n: see `shape_findings`. Fisher (1935), "The Design of Experiments",
    section 21; Phipson and Smyth (2010) for the added 1.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> outcome = sign_flip(paired, ResamplingPlan())
    >>> outcome.p_greater, outcome.n_nonzero, outcome.p_min, outcome.method
    (0.125, 3, 0.125, 'exact')
    """
    tails, _, n_nonzero = sign_flip_tails(paired, plan)
    return SIGN_FLIP.outcome(paired, tails, statistic_name="mean difference", n_nonzero=n_nonzero)


def sign_flip_tails(paired: PairedScores, plan: ResamplingPlan) -> tuple[Tails, float, int]:
    """Tails of the sign-flip test, the observed sum in favour of A, and the number of units that are not 0."""
    units = sorted_units(paired)
    tails = tails_of_flips(known_tail(paired, _KNOWN, flip_tails, _values), units.sums)
    observed = float(units.sums.sum())
    n_nonzero = int(np.count_nonzero(units.sums))
    return (tails.swapped(), -observed, n_nonzero) if units.swapped else (tails, observed, n_nonzero)


def tails_of_sorted(values: NDArray[np.float64]) -> Tails:
    """Return the tails of the sum of sorted values, shape (n_units,), whose signs are flipped by fair coins."""
    return tails_of_flips(flip_tails(values[None, :]).each()[0] if values.size else None, values)


def sign_flips_ahead(samples: Sequence[PairedScores], plan: ResamplingPlan) -> None:
    """Compute the exact tails of many pairs at once, where `sign_flip` finds them."""
    tails_ahead(samples, _KNOWN, flip_tails, _values)


def _values(paired: PairedScores) -> NDArray[np.float64]:
    return sorted_units(paired).sums


def tails_of_flips(exact: RowTail | None, values: NDArray[np.float64]) -> Tails:
    """Return the tails of a test whose exact tail was computed before."""
    n_nonzero = int(np.count_nonzero(values))
    return _exact_tails(exact, n_nonzero) if exact is not None and n_nonzero else Tails.of_no_difference()


def _exact_tails(exact: RowTail, n_nonzero: int) -> Tails:
    tails = Tails.computed(exact, p_min=_smallest(n_nonzero))
    if n_nonzero > _MOST_PATTERNS:
        return tails
    return replace(
        tails,
        p_greater=_whole_patterns(tails.p_greater, n_nonzero, exact.error),
        p_less=_whole_patterns(tails.p_less, n_nonzero, exact.error),
    )


def _smallest(n_nonzero: int) -> float:
    return math.ldexp(1.0, -n_nonzero)


def _whole_patterns(p_value: float, n_nonzero: int, relative_error: float) -> float:
    """Round to the nearest whole multiple of 2^-m, which an exact p-value is, where its error leaves no doubt which."""
    patterns = math.ldexp(p_value, n_nonzero)
    if patterns * max(relative_error, _ROUNDING) > 0.25:
        return p_value
    return math.ldexp(float(round(patterns)), -n_nonzero)


SIGN_FLIP = SignificanceTest(
    name="sign-flip",
    title="sign-flip permutation test of the mean",
    resamples=True,
    function=sign_flip,
    kinds=MEASURED,
    uses_weights=True,
    interval=choose_interval.SIGN_FLIPS,
    estimand="mean difference",
    null_hypothesis="the mean score of A is at most that of B",
    hypotheses=MEAN_SCORES,
    monotone=True,
    assumptions=("differences are symmetric about 0 where the systems are equally good, or there are many of them",),
    citation="fisher1935design",
    summary="Permutation test of the mean difference, exact for symmetric differences; flips whole clusters.",
    title_with_clusters="sign-flip permutation test of the mean with whole clusters",
    ahead=sign_flips_ahead,
    if_skewed="off level",
)
