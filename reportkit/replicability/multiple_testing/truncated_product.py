"""The truncated product of p-values: how unlikely the product of those p-values is that are at most tau.

Zaykin et al. (2002) combine k independent p-values by W, the product of those p-values that are at most tau. The total
here is L = -ln W, the sum of -ln p over them, and 0 where there is none. Given that j of the k p-values are at most
tau, L + j ln(tau) is a sum of j standard exponential variables, so that (their equation 1, in gamma tails)

    P(L >= total) = sum over j = 1..k of Binomial(j; k, tau) x P(Gamma(j) >= total + j ln(tau))      for total > 0,

and 1 for total = 0. All terms are positive: nothing cancels, however small the result.
"""

import math

import numpy as np
import scipy

from reportkit.replicability.multiple_testing.p_values import FloatArray, IntArray

TAU = 0.05
"""P-values above tau do not count: the value that Zaykin et al. (2002) recommend."""

_LOG_TAU = math.log(TAU)
_MAX_ITERATIONS = 100
_ROOT_TOLERANCE = 1e-11


def score(p_values: FloatArray) -> FloatArray:
    """-ln p of the p-values that are at most tau, 0 of the others.

    Parameters
    ----------
    p_values : ndarray
        Numbers in (0, 1].

    Returns
    -------
    ndarray
        Of the same shape.
    """
    return np.where(p_values <= TAU, -np.log(p_values), 0.0)


def p_value(total: FloatArray, size: IntArray) -> FloatArray:
    """P-value of a sum of `size` scores, if the p-values are independent and uniform.

    Parameters
    ----------
    total : ndarray
        Sums of scores, at least 0.
    size : ndarray of int
        How many p-values each sum combines; broadcasts against `total`.

    Returns
    -------
    ndarray
        In [0, 1]; the work is proportional to the largest size.

    Examples
    --------
    >>> p_value(score(np.array([0.03])), np.array([1]))
    array([0.03])
    """
    total, size = np.broadcast_arrays(total, size)
    largest = int(size.max(initial=0))
    tail = np.zeros(total.shape)
    for j in range(1, largest + 1):
        tail += _binomial(j, size) * scipy.special.gammaincc(j, np.maximum(total + j * _LOG_TAU, 0.0))
    return np.where(total > 0, np.minimum(tail, 1.0), 1.0)


def critical_totals(largest: int, level: float) -> FloatArray:
    """Smallest totals that are rejected, for 1 to `largest` p-values.

    Where even a single p-value at tau is rejected, that is half the smallest positive total; otherwise the root of
    the p-value in the total, by Newton steps on its logarithm inside a shrinking bracket.

    Parameters
    ----------
    largest : int
        At least 1.
    level : float
        In (0, 1).

    Returns
    -------
    ndarray of shape (largest,)
        Ascending.
    """
    size = np.arange(1, largest + 1)
    any_at_most_tau = -np.expm1(size * math.log1p(-TAU))
    by_root = any_at_most_tau > level
    critical = np.full(largest, -_LOG_TAU / 2)
    if by_root.any():
        critical[by_root] = _roots(size[by_root], level)
    return critical


def _roots(size: IntArray, level: float) -> FloatArray:
    counts = np.arange(1, _most_counts(int(size.max()), level) + 1)
    weights = _binomial(counts, size[:, None])
    low = np.full(size.shape, -_LOG_TAU)
    mean = size * TAU * (1 - _LOG_TAU)
    variance = size * TAU * (_LOG_TAU**2 - 2 * _LOG_TAU + 2) - mean**2 / size
    margin = np.sqrt(-2 * math.log(level) * variance) - 2 * math.log(level)
    while (outside := _tail_and_slope(mean + margin, counts, weights)[0] > level).any():
        margin[outside] *= 2
    high = mean + margin
    total = high.copy()
    for _ in range(_MAX_ITERATIONS):
        tail, slope = _tail_and_slope(total, counts, weights)
        low, high = np.where(tail > level, total, low), np.where(tail > level, high, total)
        step = total + tail * (np.log(tail) - math.log(level)) / slope
        settled = np.abs(step - total) <= _ROOT_TOLERANCE * total
        if settled.all():
            return total
        total = np.where(settled | ((step > low) & (step < high)), step, (low + high) / 2)
    raise ArithmeticError(f"no critical value of the truncated product at level {level!r}")


def _tail_and_slope(total: FloatArray, counts: IntArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Tail probability at `total`, and minus its derivative."""
    excess = total[:, None] + counts * _LOG_TAU
    positive = np.maximum(excess, 0.0)
    tail = (weights * scipy.special.gammaincc(counts, positive)).sum(axis=-1)
    density = np.exp(scipy.special.xlogy(counts - 1, positive) - positive - scipy.special.gammaln(counts))
    return tail, (weights * np.where(excess > 0, density, 0.0)).sum(axis=-1)


def _most_counts(largest: int, level: float) -> int:
    """So many p-values at most tau that more of them are too unlikely to move the p-value at this level."""
    counts = np.arange(1, largest + 1)
    negligible = scipy.special.bdtrc(counts, largest, TAU) < 1e-14 * level
    return int(counts[negligible][0]) if negligible.any() else largest


def _binomial(j: int | IntArray, size: IntArray) -> FloatArray:
    """P(j of `size` p-values are at most tau)."""
    above = np.maximum(size - j, 0)
    log_choose = (
        scipy.special.gammaln(size + 1) - scipy.special.gammaln(np.add(j, 1)) - scipy.special.gammaln(above + 1)
    )
    probability = np.exp(log_choose + np.multiply(j, _LOG_TAU) + above * math.log1p(-TAU))
    return np.where(size >= j, probability, 0.0)
