"""k-hat: a lower confidence bound for the number of datasets on which A is better than B."""

from collections.abc import Iterator
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from reportkit.errors import UnknownNameError
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.p_values import FloatArray, IntArray, check_p_values, rejection_level

NAIVE_COUNT = "count"
"""Name of the number of p-values at most alpha, which is not a lower bound of anything."""

_BLOCK = 65_536


@overload
def k_hat(p_values: list[float] | tuple[float, ...], alpha: float = 0.05, method: str = "bonferroni") -> int: ...
@overload
def k_hat(p_values: ArrayLike, alpha: float = 0.05, method: str = "bonferroni") -> int | IntArray: ...
def k_hat(p_values: ArrayLike, alpha: float = 0.05, method: str = "bonferroni") -> int | IntArray:
    """Number of datasets on which A is better than B, at least, with confidence 1 - alpha.

    The largest u such that the partial conjunction null hypotheses "better on fewer than 1, 2, ..., u datasets" are all
    rejected at level alpha, that is the number of p*_u at most alpha. The probability that it exceeds the true number
    is at most alpha, under the dependence that the method needs.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        One-sided p-values in (0, 1] for a declared direction, in any order along the last axis.
    alpha : float
        Level, strictly between 0 and 1. A p-value counts as at most alpha up to alpha + 1e-12, for rounding.
    method : str
        A name in `COMBINATIONS`: "bonferroni" and "geometric" hold whatever the dependence between the datasets,
        "simes" under positive dependence, "fisher", "fisher-bonferroni", "stouffer" and "tpm" for independent datasets,
        of which "fisher-bonferroni" goes with names of the same closed test (`closed_p_values`). "count" is the
        number of p-values at most alpha: **it has no guarantee**. With 100 datasets and no effect on any of them it is
        positive with a probability of 0.994 at level 0.05.

    Returns
    -------
    int or ndarray of int
        An int for one vector of p-values; for an array of shape (..., n_datasets) an array of shape (...). Between 0
        and n_datasets.

    Raises
    ------
    InputError
        If a p-value is not in (0, 1], or is not a number.
    SettingsError
        If alpha is not strictly between 0 and 1.
    UnknownNameError
        If there is no such method.

    See Also
    --------
    partial_conjunction : the p-values behind the number.
    holm : the datasets that may be named; as many as `k_hat` by "bonferroni".
    discoveries : the same bound for any subset of the datasets, chosen after looking.

    Notes
    -----
    The method has to be chosen before looking at the results: the largest of several k-hats has no guarantee. Zero
    means that the data do not show an effect, not that there is none. The p-values have to be for the direction that is
    claimed; p-values for the direction that happened to win have no guarantee either.

    Sums of scores are compared with critical values that are computed once for each u, so that no p-value is needed;
    the number is the same.

    References
    ----------
    Benjamini, Heller and Yekutieli (2009), "Selective inference in complex research"; Dror et al. (2017),
    "Replicability analysis for natural language processing", section 4.2, Equation 4.

    Examples
    --------
    Mate against Redshift on seven genres (Dror et al. 2017, Table 2; their Table 1 prints 2, 1 and 5):

    >>> p_values = [0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823]
    >>> k_hat(p_values, method="count"), k_hat(p_values), k_hat(p_values, method="fisher")
    (2, 1, 5)
    >>> k_hat([[0.001, 0.02], [0.03, 0.9]], alpha=0.05)
    array([2, 0])
    """
    if method != NAIVE_COUNT and method not in COMBINATIONS:
        raise UnknownNameError("way of counting", method, [NAIVE_COUNT, *COMBINATIONS])
    values = check_p_values(p_values)
    level = rejection_level(alpha)
    rows = values.reshape(-1, values.shape[-1])
    counts = np.empty(len(rows), dtype=np.int64)
    for block in _blocks(*rows.shape):
        counts[block] = _count(rows[block], level, method)
    return int(counts[0]) if values.ndim == 1 else counts.reshape(values.shape[:-1])


def _count(rows: FloatArray, level: float, method: str) -> IntArray:
    if method == NAIVE_COUNT:
        return np.asarray(np.count_nonzero(rows <= level, axis=-1))
    return COMBINATIONS[method].count(np.sort(rows, axis=-1), level)


def _blocks(n_rows: int, n_datasets: int) -> Iterator[slice]:
    """Slices of rows that together fit into a processor's cache: three times as fast as all rows at once."""
    step = max(1, _BLOCK // n_datasets)
    return (slice(start, start + step) for start in range(0, n_rows, step))
