"""The smaller of Fisher's and Bonferroni's p-value, and its own p-value for independent p-values.

Fisher's combination finds many small effects and misses a single large one; Bonferroni's smallest p-value does the
reverse. With m independent uniform p-values, let F be Fisher's p-value and B = m min p Bonferroni's. The event
min(F, B) <= c fails if every p is above c / m and the sum of all -ln p is below y, the upper c-quantile of the gamma
distribution with shape m. By inclusion and exclusion over the p-values that are at most c / m, and as the exponential
distribution has no memory,

    P(min(F, B) <= c) = c - sum over j >= 1 of (-1)^j binom(m, j) (c / m)^j G(y - j L),   L = -ln(c / m),

where G is the distribution function of that gamma distribution, 0 below 0. The terms are at most c^j / j!, so that few
of them matter and nothing cancels; the sum lies between c and 2 c. For one p-value alone it is that p-value. P-values
that are larger than uniform ones (super-uniform, such as those of discrete tests) make it larger.

Twice the smaller one would do as well, but at a level of .05 it is 1.5 times as large as needed for two p-values, and
1.3 times for five: docs/methods.md has the comparison.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy

from reportkit.replicability.multiple_testing.p_values import SMALLEST_P_VALUE, FloatArray, IntArray

_NEGLIGIBLE = 1e-17


def score(p_values: FloatArray) -> FloatArray:
    """Return the scores that Fisher's combination adds up, -ln p."""
    return np.asarray(-np.log(p_values))


def p_value(totals: FloatArray, smallest: FloatArray, sizes: IntArray) -> FloatArray:
    """P-value of the smaller one of Fisher's and Bonferroni's p-value.

    Parameters
    ----------
    totals : ndarray
        Sums of the scores of the p-values that are combined.
    smallest : ndarray
        The smallest of these p-values.
    sizes : ndarray of int
        How many they are, at least 1. All three broadcast against each other.

    Returns
    -------
    ndarray
        In (0, 1]; 2.2e-308 for anything smaller. Where the size is 1, the p-value itself.

    Examples
    --------
    Fisher gives .0144 and Bonferroni .02; of two p-values one would expect one so small with probability .0197:

    >>> p_values = np.array([0.01, 0.2])
    >>> p_value(score(p_values).sum(), p_values.min(), np.array(2)).round(4).tolist()
    0.0197
    """
    totals, smallest, sizes = np.broadcast_arrays(totals, smallest, sizes)
    by_sum = np.maximum(scipy.special.gammaincc(sizes, totals), SMALLEST_P_VALUE)
    smaller = np.minimum(by_sum, np.maximum(sizes * smallest, SMALLEST_P_VALUE))
    quantile = np.array(totals)
    sparse = smaller < by_sum
    quantile[sparse] = _quantile(smaller[sparse], sizes[sparse])
    return np.asarray(np.where(sizes == 1, smallest, np.minimum(smaller * _ratio(smaller, quantile, sizes), 1.0)))


@lru_cache(maxsize=64)
def smallest_needed(size: int, level: float) -> float:
    """Largest p-value that is rejected at a level in a set of this size, however large the others are.

    Examples
    --------
    Holm's procedure needs .025 and .005:

    >>> round(smallest_needed(2, 0.05), 4), round(smallest_needed(10, 0.05), 4)
    (0.0192, 0.003)
    """
    from scipy.optimize import brentq  # which is slow to import

    def excess(p: float) -> float:
        return float(p_value(score(np.array(p)), np.array(p), np.array(size))) - level

    return float(brentq(excess, 1e-3 * level / size, level, rtol=1e-14)) if size > 1 else level


def _ratio(smaller: FloatArray, quantile: FloatArray, sizes: IntArray) -> FloatArray:
    """By how much the p-value is larger than the smaller one of the two: from 1 to 2."""
    apart = np.log(sizes) - np.log(smaller)  # L
    total = np.ones(np.shape(smaller))
    factor = np.ones(np.shape(smaller))
    for count in range(1, int(sizes.max(initial=0)) + 1):
        factor = factor * (sizes - count + 1) / (count * sizes) * (smaller if count > 1 else 1.0)
        left = quantile - count * apart
        if not np.any((left > 0) & (factor > _NEGLIGIBLE)):
            break
        term = factor * scipy.special.gammainc(sizes, np.maximum(left, 0.0))
        total = total + term if count % 2 else total - term
    return total


def _quantile(upper: FloatArray, sizes: IntArray) -> FloatArray:
    """Sums of so many scores that are exceeded with this probability."""
    return np.asarray(scipy.special.gammainccinv(sizes, upper), dtype=np.float64)
