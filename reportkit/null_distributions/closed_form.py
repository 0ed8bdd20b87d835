"""Binomial tails on the logarithmic scale: the closed form of both null distributions for differences of one size."""

from __future__ import annotations

import math

import numpy as np

from reportkit.null_distributions.step_sums import Floats

_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
_CHUNK = 4096


def log_binomial_mass(k: int, n: int, probability: float) -> float:
    """Logarithm of P(X = k), X binomial; minus infinity where it is impossible.

    Parameters
    ----------
    k : int
        Number of successes.
    n : int
        Number of trials, 0 or more.
    probability : float
        Chance of success of each trial, in [0, 1].

    Notes
    -----
    Deviance form: log of the mass is minus the deviance of k from n * probability, plus Stirling remainders, so that
    nothing of size n log n cancels. C. Loader (2000), "Fast and accurate computation of binomial probabilities".

    Examples
    --------
    >>> import math
    >>> math.isclose(log_binomial_mass(3, 5, 0.5), math.log(10 / 32), rel_tol=1e-14)
    True
    """
    if not 0 <= k <= n:
        return -math.inf
    misses = n - k
    if k == 0:
        return n * math.log1p(-probability) if probability < 1.0 else (0.0 if n == 0 else -math.inf)
    if misses == 0:
        return n * math.log(probability) if probability > 0.0 else -math.inf
    if not 0.0 < probability < 1.0:
        return -math.inf
    remainders = _stirling_remainder(n) - _stirling_remainder(k) - _stirling_remainder(misses)
    deviance = _deviance(k, n * probability) + _deviance(misses, n * (1.0 - probability))
    return remainders - deviance - 0.5 * math.log(2.0 * math.pi * k * (misses / n))


def log_binomial_tail(k: int, n: int, probability: float) -> float:
    """Logarithm of P(X >= k), X binomial, without loss far in the tail.

    Parameters
    ----------
    k : int
        Smallest number of successes that counts.
    n : int
        Number of trials, 0 or more.
    probability : float
        Chance of success of each trial, in [0, 1].

    Returns
    -------
    float
        At most 0; minus infinity if k > n.

    Examples
    --------
    Three wins and no loss (exact one-sided McNemar test):

    >>> import math
    >>> round(math.exp(log_binomial_tail(3, 3, 0.5)), 12)
    0.125
    """
    if k <= 0:
        return 0.0
    if k > n:
        return -math.inf
    if k <= n * probability:  # the other tail is the short one
        below = log_binomial_tail(n - k + 1, n, 1.0 - probability)
        return math.log1p(-math.exp(below))
    odds = probability / (1.0 - probability) if probability < 1.0 else math.inf
    if math.isinf(odds):
        return 0.0
    total, last, start = 1.0, 1.0, k
    while start < n and last > 0.0:  # mass(j + 1) / mass(j) = odds (n - j) / (j + 1)
        j = np.arange(start, min(start + _CHUNK, n), dtype=np.float64)
        terms = last * np.cumprod(odds * (n - j) / (j + 1.0))
        total += float(terms.sum())
        last = float(terms[-1])
        if last < 1e-18 * total:
            break
        start += _CHUNK
    return min(log_binomial_mass(k, n, probability) + math.log(total), 0.0)


def binomial_masses(n: int, probability: float, first: int = 0, last: int | None = None) -> Floats:
    """P(X = k) for k from `first` to `last`, X binomial, each from the next one nearer to the middle.

    Parameters
    ----------
    n : int
        Number of trials, 0 or more.
    probability : float
        Chance of success of each trial, in (0, 1].
    first, last : int
        What is left out, by default nothing, has to be negligible: the masses add up to 1.

    Examples
    --------
    >>> binomial_masses(4, 0.5) * 16
    array([1., 4., 6., 4., 1.])
    """
    k = np.arange(first, (n if last is None else last) + 1, dtype=np.float64)
    if probability == 1.0:
        return np.where(k == n, 1.0, 0.0)
    ratios = (n - k[:-1]) / k[1:] * (probability / (1.0 - probability))  # of each mass to the one before
    middle = int(np.count_nonzero(ratios > 1.0))
    below, above = np.cumprod(1.0 / ratios[:middle][::-1])[::-1], np.cumprod(ratios[middle:])
    relative = np.concatenate((below, [1.0], above))
    return np.asarray(relative / relative.sum())


def _stirling_remainder(n: int) -> float:
    """Return log n! - log(sqrt(2 pi n) (n / e)^n)."""
    if n < 16:
        return math.log(math.factorial(n)) - (n + 0.5) * math.log(n) + n - 0.5 * math.log(2.0 * math.pi)
    inverse = 1.0 / n
    square = inverse * inverse
    total = 0.0
    for coefficient in reversed(_STIRLING):
        total = total * square + coefficient
    return total * inverse


def _deviance(observed: float, expected: float) -> float:
    """Return observed log(observed / expected) + expected - observed, without cancellation near equality."""
    difference = observed - expected
    if abs(difference) > 0.1 * (observed + expected):
        return observed * math.log(observed / expected) + expected - observed
    # Loader's series in v = difference / (observed + expected)
    v = difference / (observed + expected)
    total = difference * v
    term = 2.0 * observed * v
    for j in range(1, 1000):
        term *= v * v
        following = total + term / (2 * j + 1)
        if following == total:
            return total
        total = following
    return total
