"""The maximum statistic: all pairs of systems over few datasets, corrected together by flipping signs jointly.

Holm's procedure divides the level by the number of tests. Over 10 datasets a sign flip has 1,024 sign patterns, so that
no p-value is below 1/1024, while 20 systems in 380 tests need .05/380: nothing can be shown. The maximum statistic of
Westfall and Young (1993) knows how the pairs depend on each other, and its smallest p-value is 2/1024 however many
systems there are.

Swapping the two labels of each pair on a dataset reverses the differences of all pairs there. Under the null hypothesis
the vector of differences is as likely as its reverse, so that the reversals, done on all pairs at once, give the joint
distribution of the statistics of all equal pairs, whatever the others are: the probability of one or more false claims
is at most the level. Shuffling the labels of all systems does not give it where one system scatters more than another:
of boards of 20 equal systems, two of them noisy, the shuffled range makes a false claim in 24 to 29% at level .05, the
shuffled studentised maximum in 9 to 11%, and reversals in 3 to 6% (`benchmarks/pairs_over_datasets.py`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.sample import paired_differences

FEWEST_PATTERNS = 10
"""If at least this many sign patterns reach its first threshold, Holm's procedure is used: it finds nearly as many."""

_ROUNDING = 1e-9
_AT_ONCE = 1 << 22  # statistics in memory


def too_few_for_holm(n_systems: int, n_datasets: int, alpha: float) -> bool:
    """Return whether fewer than ten of the 2^N sign patterns reach the first threshold over all pairs, alpha/(k(k-1)).

    Examples
    --------
    >>> too_few_for_holm(20, 10, 0.05), too_few_for_holm(3, 12, 0.05)
    (True, False)
    """
    return alpha * 2.0**n_datasets < FEWEST_PATTERNS * n_systems * (n_systems - 1)


def max_statistic_p_values(scores: NDArray[np.float64], *, n_resamples: int, seed: int) -> NDArray[np.float64]:
    """Return the p-values of all ordered pairs of systems, adjusted by the maximum statistic.

    Parameters
    ----------
    scores : ndarray of shape (n_systems, n_datasets)
        Finite, higher is better; datasets in an order that does not depend on the data, such as that of their names.
    n_resamples : int
        Random sign patterns, where there are more than that.
    seed : int
        Seed of the random patterns.

    Returns
    -------
    ndarray of shape (n_systems, n_systems)
        In row a and column b the p-value of "a is better than b"; 1 on the diagonal.

    Notes
    -----
    Null hypothesis: the differences between two systems are symmetric about 0 over the datasets, jointly for all pairs
    of equal systems. The statistic of a pair is the mean of its differences, studentised: with S their sum and Q the
    sum of their squares, S / sqrt(Q) rises with t, and no variance of 0 divides it. p is the share of sign patterns of
    the datasets by which the largest statistic of all ordered pairs reaches that of the pair. Patterns are enumerated
    where 2^(N-1) of them, without their negatives, are at most `n_resamples`; else random ones are drawn, with the
    observed one counted as one of them. Single-step: stepping down found 1 to 3% more pairs in simulations.

    Examples
    --------
    Three systems on six datasets:

    >>> scores = np.array([[7.0, 8, 9, 7, 8, 9], [4, 6, 5, 6, 4, 6], [4, 5, 5, 4, 5, 5]])
    >>> max_statistic_p_values(scores, n_resamples=9999, seed=0)
    array([[1.     , 0.03125, 0.03125],
           [1.     , 1.     , 0.625  ],
           [1.     , 1.     , 1.     ]])
    """
    n_systems, n = scores.shape
    first, second = np.triu_indices(n_systems, 1)
    differences = paired_differences(scores[first], scores[second])
    differences /= np.abs(differences).max() or 1.0  # squares neither overflow nor vanish
    roots = np.sqrt(np.square(differences).sum(axis=1, keepdims=True))
    scaled = differences / np.where(roots > 0, roots, 1.0)
    if 2 ** (n - 1) <= n_resamples:
        signs = 1.0 - 2 * ((np.arange(2 ** (n - 1))[:, np.newaxis] >> np.arange(n)) & 1)
    else:
        signs = 1.0 - 2 * np.random.default_rng(seed).integers(0, 2, (1 + n_resamples, n))
        signs[0] = 1.0  # as observed
    parts = np.array_split(signs, 1 + len(signs) * len(first) // _AT_ONCE)
    largest = np.sort(np.concatenate([np.abs(some @ scaled.T).max(axis=1) for some in parts]))
    found = np.ones((n_systems, n_systems))
    for rows, columns, observed in ((first, second, scaled.sum(axis=1)), (second, first, -scaled.sum(axis=1))):
        found[rows, columns] = 1 - np.searchsorted(largest, observed - _ROUNDING) / largest.size
    return found
