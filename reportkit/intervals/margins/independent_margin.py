"""Score test of a difference of two independent proportions against a margin."""

from __future__ import annotations

import math

from scipy.special import ndtr

from reportkit.errors import SettingsError
from reportkit.intervals.margin_result import MarginTest
from reportkit.null_distributions import SMALLEST_P_VALUE
from reportkit.scores.shapes.sample import RightOf

_EDGE = 1e-12


def independent_margin(right: RightOf, margin: float) -> MarginTest:
    """Score test of a difference of two independent proportions against a margin.

    Parameters
    ----------
    right : RightOf
        Right answers and instances of A and of B.
    margin : float
        As a proportion: .01 is one percentage point.

    Returns
    -------
    MarginTest
        B against A at the negative margin is exactly the same, turned round.

    Raises
    ------
    SettingsError
        If the margin is impossible.

    Notes
    -----
    Null hypotheses: difference <= margin, and >= margin. The variance is that of the most likely proportions whose
    difference is the margin. Assumes independent instances and samples; asymptotic. Farrington and Manning (1990),
    "Test statistics and sample size formulae for comparative binomial trials with null hypothesis of non-zero risk
    difference or non-unity relative risk". At margin 0 it is the two-proportion z-test with pooled variance. (The
    constrained proportions of statsmodels 0.14 have a smaller likelihood.)

    Examples
    --------
    >>> test = independent_margin(RightOf(1721, 2376, 1637, 2376), 0.01)
    >>> round(test.statistic, 4), round(test.p_greater, 4)
    (1.9197, 0.0274)
    """
    if not -1 < margin < 1:
        raise SettingsError(
            f"a margin of {margin!r} is no difference of two proportions",
            remedy="give it as a proportion: 0.01 for one percentage point",
        )
    estimate = right.a / right.n_a - right.b / right.n_b
    first, second = _most_likely(right, margin)
    variance = first * (1 - first) / right.n_a + second * (1 - second) / right.n_b
    excess = estimate - margin
    z = excess / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, excess) if excess else 0.0
    return MarginTest(
        margin=margin,
        estimate=estimate,
        statistic=z,
        p_greater=max(float(ndtr(-z)), SMALLEST_P_VALUE),
        p_less=max(float(ndtr(z)), SMALLEST_P_VALUE),
        title="score test of two independent proportions",
        citation="farrington1990test",
    )


def _most_likely(right: RightOf, margin: float) -> tuple[float, float]:
    """Proportions of A and B with the largest likelihood among those whose difference is the margin."""
    from scipy.optimize import brentq

    if margin == 0:
        pooled = (right.a + right.b) / (right.n_a + right.n_b)
        return pooled, pooled
    if margin < 0:
        second, first = _most_likely(right.swapped(), -margin)
        return first, second
    low, high = 0.0, 1.0 - margin
    edge = _EDGE * (high - low)

    def slope(p: float) -> float:
        """Derivative of the log likelihood in the proportion of B; it decreases."""
        q = p + margin
        return right.a / q - (right.n_a - right.a) / (1 - q) + right.b / p - (right.n_b - right.b) / (1 - p)

    if slope(low + edge) <= 0:
        return low + margin, low
    if slope(high - edge) >= 0:
        return high + margin, high
    found = float(brentq(slope, low + edge, high - edge, xtol=1e-15))
    return found + margin, found
