"""Seeded Monte Carlo for both null distributions, both tails at once, in blocks of bounded memory.

For the cases in which no exact way has a useful bound, and for weighted differences. p = (s + 1) / (b + 1), because the
observed arrangement is one of those that are possible (Phipson & Smyth 2010): never 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError
from reportkit.null_distributions.enumeration import TIE_TOLERANCE

_BLOCK_BYTES = 1 << 22
_BITS = (np.arange(256)[:, None] >> np.arange(8)) & 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarloTails:
    """Counts of resamples in each tail; ties count in both.

    Parameters
    ----------
    n_greater, n_less : int
        Resamples at or above, and at or below, the threshold.
    n_resamples : int
        All resamples, b.

    Examples
    --------
    >>> tails = MonteCarloTails(n_greater=49, n_less=951, n_resamples=999)
    >>> tails.p_greater, tails.p_less
    (0.05, 0.952)
    """

    n_greater: int
    n_less: int
    n_resamples: int

    @property
    def p_greater(self) -> float:
        """(s + 1) / (b + 1) for the upper tail."""
        return (self.n_greater + 1) / (self.n_resamples + 1)

    @property
    def p_less(self) -> float:
        """(s + 1) / (b + 1) for the lower tail."""
        return (self.n_less + 1) / (self.n_resamples + 1)


def sign_flip_monte_carlo(differences: ArrayLike, *, n_resamples: int, rng: np.random.Generator) -> MonteCarloTails:
    """Sign-flip permutation test by random signs.

    The null hypothesis is that each difference is symmetric about 0. The statistic is sum_i d_i.

    Parameters
    ----------
    differences : (n,) array_like
        Paired differences, finite.
    n_resamples : int
        Number of random sign patterns, at least 1.
    rng : numpy.random.Generator
        Source of randomness. Differences are sorted first, so that the result does not depend on their order.

    Returns
    -------
    MonteCarloTails
        Patterns with T* >= t and with T* <= t, ties up to 1e-12 of sum |d|.

    Raises
    ------
    InputError
        If numbers are missing, infinite or of the wrong shape, or a weight is not positive.

    Notes
    -----
    One random byte flips eight differences: their 256 signed sums are looked up, so a resample costs n / 8 additions.

    Examples
    --------
    >>> import numpy as np
    >>> tails = sign_flip_monte_carlo([1.0, 2.0, 3.0, -1.0], n_resamples=9999, rng=np.random.default_rng(1))
    >>> abs(tails.p_greater - 3 / 16) < 0.02
    True
    """
    terms = np.sort(_checked(differences, n_resamples))
    total = float(terms.sum())
    terms = terms[terms != 0.0]
    tolerance = TIE_TOLERANCE * float(np.abs(terms).sum())
    n_bytes = -(-terms.size // 8)
    padded = np.zeros(8 * n_bytes)
    padded[: terms.size] = terms
    tables = np.ascontiguousarray(
        (2.0 * padded.reshape(n_bytes, 8)) @ _BITS.T
    )  # what adding these bits' terms twice gives
    block = max(1, min(_BLOCK_BYTES // max(n_bytes, 1), 1 << 14))
    n_greater = n_less = done = 0
    while done < n_resamples:
        size = min(block, n_resamples - done)
        flips = rng.integers(0, 256, size=(n_bytes, size), dtype=np.uint8)
        sums = np.full(size, -float(terms.sum()))
        for table, chosen in zip(tables, flips, strict=True):
            sums += table.take(chosen, mode="wrap")
        n_greater += int(np.count_nonzero(sums >= total - tolerance))
        n_less += int(np.count_nonzero(sums <= total + tolerance))
        done += size
    return MonteCarloTails(n_greater=n_greater, n_less=n_less, n_resamples=n_resamples)


def bootstrap_monte_carlo(differences: ArrayLike, *, n_resamples: int, rng: np.random.Generator) -> MonteCarloTails:
    """Paired bootstrap test by random resamples of the instances, recentred.

    The null hypothesis is that the (weighted) mean difference is at most 0. The statistic is
    delta, the mean of d, recomputed on n instances drawn with replacement (Berg-Kirkpatrick et al. 2012, Figure 1).

    Parameters
    ----------
    differences : (n,) array_like
        Paired differences, finite.
    n_resamples : int
        Number of resamples, at least 1.
    rng : numpy.random.Generator
        Source of randomness. Instances are sorted first, so that the result does not depend on their order.

    Returns
    -------
    MonteCarloTails
        Resamples with delta* >= 2 delta and with delta* <= 2 delta, ties up to 1e-12 of the mean |d|.

    Raises
    ------
    InputError
        If numbers are missing, infinite or of the wrong shape, or a weight is not positive.

    Notes
    -----
    The mean of d is >= 2 delta exactly if the sum of d - 2 delta is >= 0.

    Examples
    --------
    >>> import numpy as np
    >>> tails = bootstrap_monte_carlo([1, 1, 1] + [0] * 97, n_resamples=9999, rng=np.random.default_rng(1))
    >>> abs(tails.p_greater - 0.0808) < 0.02
    True
    """
    values = _checked(differences, n_resamples)
    delta = float(values.sum()) / values.size
    terms = np.sort(values - 2.0 * delta)
    tolerance = TIE_TOLERANCE * float(np.abs(values).sum())
    n = terms.size
    dtype: type[np.unsignedinteger] = np.uint16 if n <= 1 << 16 else np.uint32
    block = max(1, _BLOCK_BYTES // (8 * n))
    n_greater = n_less = done = 0
    while done < n_resamples:
        size = min(block, n_resamples - done)
        sums = terms[rng.integers(0, n, size=(size, n), dtype=dtype)].sum(axis=1)
        n_greater += int(np.count_nonzero(sums >= -tolerance))
        n_less += int(np.count_nonzero(sums <= tolerance))
        done += size
    return MonteCarloTails(n_greater=n_greater, n_less=n_less, n_resamples=n_resamples)


def _checked(differences: ArrayLike, n_resamples: int) -> NDArray[np.float64]:
    """Scaled by a power of two, so that no sum overflows."""
    if n_resamples < 1:
        raise InputError(f"n_resamples is {n_resamples}", remedy="draw at least one resample, usually 9,999 or more")
    array = np.asarray(differences, dtype=np.float64)
    if array.ndim != 1 or not array.size:
        raise InputError(f"differences have the shape {array.shape}", remedy="pass one number for each instance")
    if not np.all(np.isfinite(array)):
        index = int(np.argmin(np.isfinite(array)))
        raise InputError(f"differences at position {index} is {array[index]}", remedy="leave out such instances")
    largest = float(np.max(np.abs(array)))
    return array if largest == 0.0 else np.ldexp(array, -math.frexp(largest)[1])
