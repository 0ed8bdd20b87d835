"""The recentred paired bootstrap of a mean difference, shifted to a margin."""

from __future__ import annotations

import numpy as np

from reportkit.intervals.margin_result import MarginTest
from reportkit.intervals.means.units import Units, linearised, sorted_units
from reportkit.null_distributions import draw_tails
from reportkit.scores.shapes.paired_scores import PairedScores


def bootstrap_margin(paired: PairedScores, margin: float) -> MarginTest:
    """Test a (weighted) mean difference against a margin by the paired bootstrap: P(d* >= 2 d - margin).

    At margin 0 it is the paired bootstrap test; `bootstrap_interval` holds the margins that it does not reject.

    Parameters
    ----------
    paired : PairedScores
        Scores whose mean says something.
    margin : float
        In units of the score, oriented.

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


def shifted_bootstrap_tails(units: Units, margin: float) -> tuple[float, float]:
    """Return P(d* >= 2 d - margin) and P(d* <= 2 d - margin) for the mean of resampled units, oriented as the pair is.

    The units are sorted, in the direction of the system that comes first by name; the margin is oriented.
    """
    shift = -margin if units.swapped else margin
    shifted = Units(sums=units.sums - units.sizes * shift, sizes=units.sizes, swapped=units.swapped)
    values = np.sort(linearised(shifted))
    tail = draw_tails(values[None, :]).each()[0]
    return (tail.less, tail.greater) if units.swapped else (tail.greater, tail.less)
