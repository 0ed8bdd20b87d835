"""P-values of several datasets: how they are checked, compared with a level, and combined.

The partial conjunction p-value p^{u/N} is a p-value for "A is better on fewer than u of N datasets". It combines the
N - u + 1 largest p-values as if they alone were to be tested for "better on none of these" (Benjamini and Heller 2008;
Dror et al. 2017, Equations 2 and 3). Every rule here is symmetric and non-decreasing in each p-value, so that the
largest p-values are the least favourable subset. Fisher's sum finds many small effects and misses a single large one,
Bonferroni's smallest p-value does the reverse, and "fisher-bonferroni" takes the smaller of the two, at a price.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError, UnknownNameError
from reportkit.language import listed
from reportkit.significance.nulls import SMALLEST_P_VALUE

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_NEGLIGIBLE = 1e-17
_LISTED = 5


def check_p_values(p_values: ArrayLike) -> FloatArray:
    """Return p-values as an array of float64.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        Numbers in (0, 1]. The last axis runs over the datasets.

    Returns
    -------
    ndarray of float64
        The same numbers; not a copy where none is needed.

    Raises
    ------
    InputError
        If there is no p-value, or something is not a number in (0, 1]; the message says what and where.

    Examples
    --------
    >>> check_p_values([0.5, 1, 1e-320]).shape
    (3,)
    >>> check_p_values([0.04, 0.0, 0.3])
    Traceback (most recent call last):
    reportkit.errors.InputError: 1 of 3 p-values is not in (0, 1]
      where: position 1 (counted from 0): 0
      to do: floor Monte Carlo p-values at 1 / (n_resamples + 1); give a printed 0 as the upper end of its rounding
             cell (0.0000 stands for up to 0.00005); divide percentages by 100; leave out datasets without a p-value
    """
    try:
        values = np.asarray(p_values)
    except ValueError as error:
        raise InputError(f"p-values are no array of numbers: {error}", remedy="give rows of equal length") from None
    if np.ma.is_masked(p_values) or values.dtype.kind not in "fiu":
        raise InputError(
            f"p-values are no array of numbers, but {values.dtype}", remedy="give numbers, none of them masked"
        )
    if values.ndim == 0 or values.shape[-1] == 0:
        raise InputError("p-values are no sequence, or there are none", remedy="give a sequence: [0.04, 0.3]")
    values = values.astype(np.float64, copy=False)
    bad = ~((values > 0) & (values <= 1))
    if bad.any():
        places, number = np.argwhere(bad), int(np.count_nonzero(bad))
        shown = [
            f"position {', '.join(map(str, place))} (counted from 0): {values[tuple(place)]:g}" for place in places
        ]
        raise InputError(
            f"{number} of {values.size} p-values {'is' if number == 1 else 'are'} not in (0, 1]",
            where=listed(shown[:_LISTED], total=number),
            remedy="floor Monte Carlo p-values at 1 / (n_resamples + 1); give a printed 0 as the upper end of its "
            "rounding\ncell (0.0000 stands for up to 0.00005); divide percentages by 100; leave out datasets without a "
            "p-value",
        )
    return values


def score(p_values: FloatArray) -> FloatArray:
    """Return the scores that Fisher's combination adds up, -ln p."""
    return np.asarray(-np.log(p_values))


def fisher_bonferroni(totals: FloatArray, smallest: FloatArray, sizes: IntArray) -> FloatArray:
    """Combine independent p-values by the smaller of Fisher's and Bonferroni's p-value.

    With m independent uniform p-values, let F be Fisher's p-value and B = m min p Bonferroni's. The event
    min(F, B) <= c fails if every p is above c / m and the sum of all -ln p is below y, the upper c-quantile of the
    gamma distribution with shape m. By inclusion and exclusion over the p-values that are at most c / m, and as the
    exponential distribution has no memory,

        P(min(F, B) <= c) = c - sum over j >= 1 of (-1)^j binom(m, j) (c / m)^j G(y - j L),   L = -ln(c / m),

    where G is the distribution function of that gamma distribution, 0 below 0. The terms are at most c^j / j!, so that
    few of them matter and nothing cancels; the sum lies between c and 2 c. For one p-value alone it is that p-value.
    P-values that are larger than uniform ones (super-uniform, such as those of discrete tests) make it larger. Twice
    the smaller one would do as well, but at a level of .05 it is 1.5 times as large as needed for two p-values.

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
    >>> fisher_bonferroni(score(p_values).sum(), p_values.min(), np.array(2)).round(4).tolist()
    0.0197
    """
    totals, smallest, sizes = np.broadcast_arrays(totals, smallest, sizes)
    by_sum = np.maximum(scipy.special.gammaincc(sizes, totals), SMALLEST_P_VALUE)
    smaller = np.minimum(by_sum, np.maximum(sizes * smallest, SMALLEST_P_VALUE))
    quantile = np.array(totals)
    sparse = smaller < by_sum
    quantile[sparse] = scipy.special.gammainccinv(sizes[sparse], smaller[sparse])
    return np.asarray(np.where(sizes == 1, smallest, np.minimum(smaller * _ratio(smaller, quantile, sizes), 1.0)))


def _ratio(smaller: FloatArray, quantile: FloatArray, sizes: IntArray) -> FloatArray:
    """Return the ratio of the combined p-value to the smaller of the two: from 1 to 2."""
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


@lru_cache(maxsize=64)
def smallest_needed(size: int, level: float) -> float:
    """Return the largest p-value that is rejected at a level in a set of this size, however large the others are.

    Examples
    --------
    Holm's procedure needs .025 and .005:

    >>> round(smallest_needed(2, 0.05), 4), round(smallest_needed(10, 0.05), 4)
    (0.0192, 0.003)
    """
    from scipy.optimize import brentq  # slow to import

    def excess(p: float) -> float:
        return float(fisher_bonferroni(score(np.array(p)), np.array(p), np.array(size))) - level

    return float(brentq(excess, 1e-3 * level / size, level, rtol=1e-14)) if size > 1 else level


class Combination(NamedTuple):
    """One rule of combination.

    Parameters
    ----------
    title : str
        As a report prints it.
    p_value : callable
        (sums of -ln p, smallest p-values, numbers of p-values) -> p-values of the global null hypothesis, in (0, 1];
        all three broadcast against each other.
    """

    title: str
    p_value: Callable[[FloatArray, FloatArray, IntArray], FloatArray]


def _bonferroni(totals: FloatArray, smallest: FloatArray, sizes: IntArray) -> FloatArray:
    return np.asarray(np.minimum(sizes * smallest, 1.0))


def _fisher(totals: FloatArray, smallest: FloatArray, sizes: IntArray) -> FloatArray:
    return np.asarray(np.maximum(scipy.special.gammaincc(sizes, totals), SMALLEST_P_VALUE))


COMBINATIONS: Mapping[str, Combination] = {
    "bonferroni": Combination("Bonferroni", _bonferroni),
    "fisher": Combination("Fisher", _fisher),
    "fisher-bonferroni": Combination("Fisher–Bonferroni", fisher_bonferroni),
}
"""Rules of combination by name."""


def combination(name: str) -> Combination:
    """Return the rule of a name.

    Raises
    ------
    UnknownNameError
        If there is no such rule.
    """
    if name not in COMBINATIONS:
        raise UnknownNameError("combination of p-values", name, COMBINATIONS)
    return COMBINATIONS[name]


def simes(ordered: FloatArray) -> FloatArray:
    """Return p^{u/N} by Simes' p-value, min over j of m p_(j) / j over the m largest, from ascending p-values.

    Valid under positive dependence. Simes (1986), "An improved Bonferroni procedure".
    """
    n = ordered.shape[-1]
    parts = [np.min((n - first) * ordered[..., first:] / np.arange(1, n - first + 1), axis=-1) for first in range(n)]
    return np.asarray(np.minimum(np.stack(parts, axis=-1), 1.0))
