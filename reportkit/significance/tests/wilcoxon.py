"""Wilcoxon's signed-rank test, exact with ties and zeros."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals import choose_interval
from reportkit.null_distributions import flip_tails
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import remembered
from reportkit.significance.entry import ANY_KIND, SYMMETRY, SignificanceTest
from reportkit.significance.known_tails import known_tail, tails_ahead
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.sign_flip import tails_of_flips

_FEW = 28  # ranks are tested as they are
_KNOWN_AS = "signed-rank tail"


def wilcoxon(paired: PairedScores, plan: ResamplingPlan) -> Outcome:
    """Wilcoxon signed-rank test; zero differences are left out before ranking.

    The absolute differences are ranked, ties share the mean of their ranks, and each rank gets the sign of its
    difference. Given the absolute differences, p is the share of all sign patterns whose sum of signed ranks is at
    least the observed one: exact with ties too.

    Parameters
    ----------
    paired : PairedScores
        Scores without weights; clusters are ignored.
    plan : ResamplingPlan
        Not needed.

    Notes
    -----
    Null hypothesis: the differences are symmetric about 0. This is no test of the mean: with skewed differences of
    mean 0 it rejects with a probability that goes to 1 as n grows. Assumes independent instances. Wilcoxon (1945).

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8, 0.1]), b=np.array([0.4, 0.9, 0.5, 0.3, 0.2]))
    >>> outcome = wilcoxon(paired, ResamplingPlan())  # signed ranks 1.5, 3, 4, -1.5
    >>> outcome.statistic, outcome.p_greater
    (7.0, 0.1875)
    """
    ranks, tail = _sorted_ranks(paired), None
    if ranks.size:
        tail = known_tail(paired, _KNOWN_AS, flip_tails, lambda _: _among_zeros(ranks))
    tails = tails_of_flips(tail, ranks)
    statistic = float(ranks.sum())
    if paired.system_b < paired.system_a:
        tails, statistic = tails.swapped(), -statistic
    return WILCOXON.outcome(
        paired,
        tails,
        statistic=statistic,
        statistic_name="sum of signed ranks",
        n_nonzero=int(ranks.size),
    )


def signed_ranks(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank the absolute non-zero differences, ties sharing their mean rank, and give each the sign of its difference.

    Examples
    --------
    >>> signed_ranks(np.array([0.1, -0.1, 0.0, 0.5]))
    array([ 1.5, -1.5,  3. ])
    """
    kept = differences[differences != 0]
    _, codes, counts = np.unique(np.abs(kept), return_inverse=True, return_counts=True)
    mean_ranks = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(np.sign(kept) * mean_ranks[codes.ravel()], dtype=np.float64)


def _sorted_ranks(paired: PairedScores) -> NDArray[np.float64]:
    """Return the signed ranks in favour of the system that comes first by name."""
    differences = -paired.differences if paired.system_b < paired.system_a else paired.differences
    return remembered(paired.known, "ranks", lambda: np.sort(signed_ranks(differences)))


def _among_zeros(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sorted ranks and so many zeros, which change no sum, that pairs with about as many ranks are tested at once."""
    size = ranks.size
    if size <= _FEW:
        return ranks
    step = 1 << (size.bit_length() - 3)
    return np.insert(ranks, np.searchsorted(ranks, 0.0), np.zeros(-size % step))


def _ahead(samples: Sequence[PairedScores], plan: ResamplingPlan) -> None:
    """Compute the exact tails of many pairs at once, where the test finds them."""
    some = [paired for paired in samples if _sorted_ranks(paired).size]
    tails_ahead(some, _KNOWN_AS, flip_tails, lambda paired: _among_zeros(_sorted_ranks(paired)))


_NULL = "the differences are symmetric about 0, or about a value in favour of B"
_ASSUMPTIONS = ("differences are symmetric about their centre (of skewed ones it tests something else than the mean)",)

WILCOXON = SignificanceTest(
    name="wilcoxon",
    title="Wilcoxon signed-rank test",
    resamples=True,
    function=wilcoxon,
    kinds=ANY_KIND,
    interval=choose_interval.SIGNED_RANKS,
    estimand="mean difference",
    null_hypothesis=_NULL,
    hypotheses=SYMMETRY,
    ties_count=False,
    assumptions=_ASSUMPTIONS,
    citation="wilcoxon1945individual",
    summary="Signed ranks with zeros left out; tests symmetry about 0, not the mean.",
    if_skewed="other claim",
    ahead=_ahead,
)
