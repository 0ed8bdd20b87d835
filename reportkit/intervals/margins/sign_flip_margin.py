"""The sign-flip permutation test of a mean difference, shifted to a margin."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError, SettingsError
from reportkit.intervals.margin_result import MarginTest
from reportkit.intervals.means.units import sorted_units
from reportkit.null_distributions import SMALLEST_P_VALUE, flip_tails
from reportkit.scores.shapes.paired_scores import PairedScores

_NO_DIFFERENCE = 1e-12
"""Units that differ from the margin by less than this part of it show exactly the margin."""


def sign_flip_margin(paired: PairedScores, margin: float) -> MarginTest:
    """Permutation test of whether A is better than B by more than a margin, on average.

    The margin is taken off each difference (W_c times the margin off the sum of a cluster of size W_c); the p-value is
    the share of sign patterns of what is left whose sum is at least the observed one. At margin 0 it is the sign-flip
    test.

    Parameters
    ----------
    paired : PairedScores
        Scores whose mean says something.
    margin : float
        In units of the score, oriented.

    Returns
    -------
    MarginTest
        Its statistic is the difference minus the margin.

    Raises
    ------
    SettingsError
        If the margin is not finite.
    DesignError
        If the scores are ordinal, or right or wrong without clusters and weights: differences of -1, 0 and 1 cannot be
        symmetric about another margin than 0.

    Notes
    -----
    Null hypothesis: differences are symmetric about the margin, or a value below it. Fisher (1935), "The Design of
    Experiments", section 21.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> round(sign_flip_margin(paired, -0.1).p_greater, 6)  # 0.2, 0.1, 0.3 and 0.6: one pattern of 16
    0.0625
    """
    _check(paired, margin)
    units = sorted_units(paired)
    shift = -margin if units.swapped else margin
    values = units.sums - units.sizes * shift
    values[np.abs(values) <= _NO_DIFFERENCE * np.abs(units.sizes * shift)] = 0.0
    values = np.sort(values)
    p_greater, p_less = _tails(values)
    if units.swapped:
        p_greater, p_less = p_less, p_greater
    return MarginTest(
        margin=margin,
        estimate=paired.value_difference,
        statistic=paired.value_difference - margin,
        p_greater=p_greater,
        p_less=p_less,
        title="sign-flip permutation test of the mean",
        citation="fisher1935design",
    )


def _check(paired: PairedScores, margin: float) -> None:
    if not math.isfinite(margin):
        raise SettingsError(f"the margin is {margin!r}", remedy="give a finite difference, in units of the score")
    alone = paired.clusters is None and paired.weights is None
    if paired.kind == "ordinal" or (paired.kind == "binary" and alone):
        raise DesignError(
            f"the sign-flip test has no margin for {paired.kind} scores",
            where=f"dataset {paired.dataset!r}, metric {paired.metric!r}",
            remedy="use margin_test, which takes Tango's score test",
        )


def _tails(values: NDArray[np.float64]) -> tuple[float, float]:
    """Both p-values of the sum of sorted values whose signs are flipped by fair coins."""
    nonzero = values[values != 0]
    if not nonzero.size:
        return 1.0, 1.0
    tail = flip_tails(nonzero[None, :]).each()[0]
    smallest = max(math.ldexp(1.0, -nonzero.size), SMALLEST_P_VALUE)
    return max(smallest, tail.greater), max(smallest, tail.less)
