"""Tails of wins against losses: the p-values of McNemar's test in its four forms, and the fewest wins that reject."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial

from scipy.special import betainc, ndtr

WinTail = Callable[[int, int], float]
"""(wins, wins + losses) -> one-sided p-value that A wins more often; it falls as the wins grow."""

_ROUNDING = 1e-12


def upper_binomial_tail(k: int, m: int) -> float:
    """P(X >= k) for X binomial (m, 1/2), by the incomplete beta function: right to 13 digits far into the tail."""
    if k <= 0:
        return 1.0
    return 0.0 if k > m else float(betainc(k, m - k + 1, 0.5))


def mid_p_tail(k: int, m: int) -> float:
    """P(X > k) + P(X = k) / 2, the mean of two neighbouring tails; 1 where nothing differs (the formula says 1/2)."""
    return 1.0 if m == 0 else (upper_binomial_tail(k, m) + upper_binomial_tail(k + 1, m)) / 2


def normal_tail(k: int, m: int, *, correction: int = 0) -> float:
    """Normal approximation of the binomial tail: P(Z >= (k - (m - k) - correction) / sqrt(m)); 1 where m is 0."""
    return 1.0 if m == 0 else float(ndtr(-(2 * k - m - correction) / math.sqrt(m)))


corrected_tail = partial(normal_tail, correction=1)


@lru_cache(maxsize=4096)
def fewest_wins(tail: WinTail, m: int, alpha: float) -> int:
    """Fewest wins among m differing instances with which a test rejects at alpha; m + 1 if none do.

    Examples
    --------
    >>> fewest_wins(upper_binomial_tail, 10, 0.025), fewest_wins(upper_binomial_tail, 5, 0.025)
    (9, 6)
    """
    few, enough = -1, m + 1
    while enough - few > 1:
        middle = (few + enough) // 2
        if tail(middle, m) <= alpha * (1 + _ROUNDING):
            enough = middle
        else:
            few = middle
    return enough
