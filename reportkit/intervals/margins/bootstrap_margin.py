"""The recentred paired bootstrap of a mean difference, shifted to a margin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reportkit import null_distributions
from reportkit.intervals.margin_result import MarginTest
from reportkit.intervals.means.units import Units, linearised, sorted_units
from reportkit.null_distributions.random.streams import hash64
from reportkit.scores.shapes.paired_scores import PairedScores

_ACCEPTED_ERROR = 1e-2


def bootstrap_margin(paired: PairedScores, margin: float, *, n_resamples: int = 9_999, seed: int = 0) -> MarginTest:
    """Test a (weighted) mean difference against a margin by the paired bootstrap: P(d* >= 2 d - margin).

    At margin 0 it is the paired bootstrap test; `bootstrap_interval` holds the margins that it does not reject.

    Parameters
    ----------
    paired : PairedScores
        Scores whose mean says something.
    margin : float
        In units of the score, oriented.
    n_resamples, seed : int
        Of random resamples, where no exact way is known.

    Notes
    -----
    Null hypothesis: the mean difference is at most (at least) the margin. Assumes independent units, enough of them for
    resamples to stand for new test sets. Berg-Kirkpatrick, Burkett and Klein (2012), Figure 1.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> test = bootstrap_margin(paired, -0.1)
    >>> round(test.statistic, 4), test.p_greater < 0.01
    (0.3, True)
    """
    p_greater, p_less = shifted_bootstrap_tails(
        sorted_units(paired), margin, key=_key(paired, seed), n_resamples=n_resamples
    )
    return MarginTest(
        margin=margin,
        estimate=paired.value_difference,
        statistic=paired.value_difference - margin,
        p_greater=p_greater,
        p_less=p_less,
        title="paired bootstrap test",
        citation="bergkirkpatrick2012empirical",
    )


def shifted_bootstrap_tails(
    units: Units, margin: float, *, key: Sequence[int], n_resamples: int = 9_999
) -> tuple[float, float]:
    """P(d* >= 2 d - margin) and P(d* <= 2 d - margin) for the mean of resampled units, oriented as the pair is.

    Parameters
    ----------
    units : Units
        Sorted, in the direction of the system that comes first by name.
    margin : float
        Oriented.
    key : sequence of int
        Of the random stream, where no exact way is known.
    n_resamples : int
        Then drawn.
    """
    shift = -margin if units.swapped else margin
    shifted = Units(sums=units.sums - units.sizes * shift, sizes=units.sizes, swapped=units.swapped)
    values = np.sort(linearised(shifted))
    exact = null_distributions.bootstrap_tails(values[None, :], max_relative_error=_ACCEPTED_ERROR)[0]
    if exact is not None:
        tails = exact.p_greater, exact.p_less
    else:
        drawn = null_distributions.bootstrap_monte_carlo(
            values, n_resamples=n_resamples, rng=np.random.default_rng(np.random.SeedSequence(key))
        )
        tails = drawn.p_greater, drawn.p_less
    return tails[::-1] if units.swapped else tails


def _key(paired: PairedScores, seed: int) -> list[int]:
    return [seed, *map(hash64, sorted((paired.system_a, paired.system_b))), hash64(paired.dataset)]
