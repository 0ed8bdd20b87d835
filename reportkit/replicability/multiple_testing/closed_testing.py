"""A lower bound for the number of effects in any subset of the datasets, also one chosen after looking."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError
from reportkit.replicability.multiple_testing import fisher_bonferroni
from reportkit.replicability.multiple_testing.combination import combination
from reportkit.replicability.multiple_testing.fisher_bonferroni import score
from reportkit.replicability.multiple_testing.p_values import FloatArray, check_p_values, rejection_level

Subset = Sequence[int] | Sequence[bool] | NDArray[np.integer] | NDArray[np.bool_]


def discoveries(p_values: ArrayLike, subset: Subset, alpha: float = 0.05, method: str = "bonferroni") -> int:
    """Return on how many datasets of a subset A is better than B, at least, with confidence 1 - alpha.

    The bounds hold for all subsets at once: the probability that the bound of one or more subsets exceeds its true
    number is at most alpha. The subset may therefore be chosen after looking at the results ("of the nine Slavic
    languages at least four"), and as many subsets may be asked for as one likes.

    Parameters
    ----------
    p_values : array_like of shape (n_datasets,)
        One-sided p-values of all datasets, in (0, 1], for a declared direction.
    subset : sequence of int or of bool
        Positions of the datasets of the subset, counted from 0, each once; or one bool for each dataset.
    alpha : float
        Level, strictly between 0 and 1. A p-value counts as at most alpha up to alpha + 1e-12, for rounding.
    method : str
        Test of an intersection hypothesis. "bonferroni" holds whatever the dependence between the datasets, "fisher"
        and "fisher-bonferroni" for independent datasets. The p-value is that of `partial_conjunction`.

    Returns
    -------
    int
        Between 0 and the size of the subset; 0 for the empty subset.

    Raises
    ------
    InputError
        If a p-value is not in (0, 1], if there is more than one row of p-values, or if the subset names a dataset that
        is not there or names one twice.
    SettingsError
        If alpha is not strictly between 0 and 1, or there is no such method (UnknownNameError).

    See Also
    --------
    k_hat : the bound for all datasets; equal to `discoveries` of all of them.

    Notes
    -----
    Closed testing (Marcus, Peritz and Gabriel 1976) rejects a set of null hypotheses if the test rejects every set that
    contains it; the bound of S is the size of S less that of the largest part of S that is not rejected (Goeman and
    Solari 2011). With Bonferroni that is the number of Holm rejections in S. The least significant set with t members
    in S and j others has the t largest p-values of S and the j largest of the others, so that at most s (N - s + 1)
    sets are looked at for a set S of s.

    References
    ----------
    Goeman and Solari (2011), "Multiple testing for exploratory research".

    Examples
    --------
    Sentiment classification on twelve pairs of domains (Dror et al. 2017, Table 4). How many of the
    three with target K?

    >>> p_values = [0.0268, 0.0011, 0.0119, 0.0038, 1.9e-6, 0.018, 0.0186, 0.0014, 0.0011, 0.4823, 0.9507, 0.0003]
    >>> discoveries(p_values, [0, 7, 10]), discoveries(p_values, range(12))
    (1, 6)
    """
    rule = combination(method)
    level = rejection_level(alpha)
    values = check_p_values(p_values)
    if values.ndim != 1:
        raise InputError(f"p_values has the shape {values.shape}", remedy="give one row, a p-value for each dataset")
    inside = _membership(subset, len(values))
    own, other = (np.sort(values[which])[::-1] for which in (inside, ~inside))
    within, others = np.cumsum(score(own)), np.append(0.0, np.cumsum(score(other)))
    smallest, numbers = np.append(1.0, other), np.arange(other.size + 1)
    for size in range(own.size, 0, -1):
        least = np.minimum(own[size - 1], smallest)
        if (rule.p_value(within[size - 1] + others, least, size + numbers) > level).any():
            return int(own.size - size)
    return int(own.size)


def closed_p_values(p_values: ArrayLike) -> FloatArray:
    """Return the adjusted p-values of the closed test with the smaller of Fisher's and Bonferroni's p-value.

    A dataset may be named at level alpha if its adjusted p-value is at most alpha. The names and the counts of
    `k_hat` and `discoveries` by "fisher-bonferroni" come from the same closed test: all of them hold together with
    probability 1 - alpha, and no count is below the number of names.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        One-sided p-values in (0, 1] of independent datasets, in any order along the last axis: one family for each
        index of the leading axes.

    Returns
    -------
    ndarray of shape (..., n_datasets)
        In the order given, in (0, 1], at least the p-value; one p-value alone stays as it is. Equal p-values are
        adjusted to equal p-values.

    Raises
    ------
    InputError
        If a p-value is not in (0, 1], or is not a number.

    See Also
    --------
    holm : the same with Bonferroni's p-value alone, which holds under any dependence.

    Notes
    -----
    Null hypothesis: A is not better than B on this dataset. The adjusted p-value is the largest local p-value of all
    sets of datasets that hold this one (Marcus, Peritz and Gabriel 1976). The least favourable set of m is the dataset
    and the m - 1 others with the largest p-values, so that N sets are looked at. The u-th smallest adjusted p-value is
    at least p*_u of `partial_conjunction`, which is why the count is never below the number of names.

    References
    ----------
    Marcus, Peritz and Gabriel (1976), "On closed testing procedures with special reference to ordered analysis of
    variance"; Goeman and Solari (2011), "Multiple testing for exploratory research".

    Examples
    --------
    Mate against Redshift on seven genres (Dror et al. 2017, Table 2). Two can be named, and there are two more:

    >>> p_values = [0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823]
    >>> closed_p_values(p_values).round(4).tolist()
    [0.1034, 0.1662, 0.0088, 0.0495, 0.1027, 0.0981, 0.0908]
    >>> discoveries(p_values, range(7), method="fisher-bonferroni")
    4
    """
    values = check_p_values(p_values)
    order = np.argsort(-values, axis=-1, kind="stable")
    largest = np.take_along_axis(values, order, axis=-1)  # the largest first: rank r is among the m largest if r < m
    scores = score(largest)
    totals = np.cumsum(scores, axis=-1)
    sizes = np.arange(1, values.shape[-1] + 1)
    found = np.maximum.accumulate(fisher_bonferroni.p_value(totals, largest, sizes)[..., ::-1], axis=-1)[
        ..., ::-1
    ].copy()
    before = np.zeros_like(totals[..., :1])
    for size in range(1, values.shape[-1]):
        rest = slice(size, None)
        least = fisher_bonferroni.p_value(before + scores[..., rest], largest[..., rest], np.array(size))
        np.maximum(found[..., rest], least, out=found[..., rest])
        before = totals[..., size - 1 : size]
    found = np.maximum.accumulate(found[..., ::-1], axis=-1)[..., ::-1]  # ascends with p to the last digit
    adjusted = np.empty_like(values)
    np.put_along_axis(adjusted, order, found, axis=-1)
    return adjusted


def _membership(subset: Subset, n_datasets: int) -> NDArray[np.bool_]:
    given = np.asarray(subset)
    inside = np.zeros(n_datasets, dtype=np.bool_)
    if given.size == 0 and given.ndim == 1:
        return inside
    if given.dtype.kind == "b" and given.shape == (n_datasets,):
        return given
    if given.dtype.kind not in "iu" or given.ndim != 1:
        raise InputError(
            f"the subset is of type {given.dtype} and of shape {given.shape}, for {n_datasets} datasets",
            remedy="give a sequence of positions, or of one bool for each dataset",
        )
    positions, times = np.unique(given, return_counts=True)
    for position, number in zip(positions.tolist(), times.tolist(), strict=True):
        if not 0 <= position < n_datasets or number > 1:
            raise InputError(
                f"the subset names dataset {position} {number} times, and there are {n_datasets}",
                remedy=f"give positions from 0 to {n_datasets - 1}, each once",
            )
    inside[given] = True
    return inside
