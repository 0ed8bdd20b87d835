"""HOW MANY, and WHICH? Partial conjunction p-values; with them, k-hat, Holm's procedure and closed testing.

Partial conjunction: A is better than B on at least u of N datasets, for every u. Closed testing: a lower bound for any
subset of the datasets, also one chosen after looking, and names that hold together with the counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError, UnknownNameError
from reportkit.replicability.multiple_testing.combination import (
    COMBINATIONS,
    FloatArray,
    IntArray,
    check_p_values,
    combination,
    fisher_bonferroni,
    score,
    simes,
)
from reportkit.significance.outcome import rejection_level, step_down

Subset = Sequence[int] | Sequence[bool] | NDArray[np.integer] | NDArray[np.bool_]


def partial_conjunction(p_values: ArrayLike, method: str = "bonferroni", *, running_max: bool = True) -> FloatArray:
    """Return the partial conjunction p-values for u = 1, 2, ..., N.

    The null hypothesis of p^{u/N} is that the effect is there on fewer than u of the N datasets. It combines the
    N - u + 1 largest p-values. With the running maximum, p*_u = max(p^{1/N}, ..., p^{u/N}), the p-values ascend in u,
    and the number of those that are at most alpha is a lower confidence bound, `k_hat`.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        One-sided p-values in (0, 1] for a declared direction, in any order along the last axis. Leading axes, such as
        the repetitions of a simulation, are kept.
    method : str
        "bonferroni" is valid whatever the dependence between the datasets, "simes" under positive dependence, "fisher"
        and "fisher-bonferroni" for independent datasets.
    running_max : bool
        Whether to return p*_u (Equation 4) instead of p^{u/N}.

    Returns
    -------
    ndarray of shape (..., n_datasets)
        Entry u - 1 belongs to "at least u of N"; in (0, 1]. Fisher gives 2.2e-308 for anything smaller.

    Raises
    ------
    InputError
        If a p-value is not in (0, 1], or is not a number.
    UnknownNameError
        If there is no such method.

    See Also
    --------
    k_hat : only the number of datasets.

    Notes
    -----
    The p-value that belongs to a dataset enters through its rank alone: the result says how many, never which. With
    "bonferroni" and the running maximum, entry u - 1 is the Holm-adjusted p-value of the dataset with the u-th smallest
    p-value: with this method the datasets counted are the datasets that may be named (`holm`). With the others fewer
    may be named than are counted, by the closed test of the same method.

    The running maximum is not a formality: without it the p-values need not ascend.

    References
    ----------
    Benjamini and Heller (2008), "Screening for partial conjunction hypotheses"; Dror et al. (2017), "Replicability
    analysis for natural language processing", sections 4.1 and 4.2, Equations 2 to 4.

    Examples
    --------
    Mate against Redshift on seven genres (Dror et al. 2017, Table 2):

    >>> p_values = [0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823]
    >>> partial_conjunction(p_values, "fisher").round(4).tolist()
    [0.0003, 0.0036, 0.012, 0.0236, 0.0446, 0.0833, 0.1662]
    >>> partial_conjunction(p_values).round(4).tolist()
    [0.0322, 0.2256, 0.4115, 0.4115, 0.4115, 0.4115, 0.4115]
    """
    ordered = np.sort(check_p_values(p_values), axis=-1)
    if method == "simes":
        raw = simes(ordered)
    else:
        totals = np.cumsum(score(ordered)[..., ::-1], axis=-1)[..., ::-1]
        raw = combination(method).p_value(totals, ordered, np.arange(ordered.shape[-1], 0, -1))
    return np.maximum.accumulate(raw, axis=-1) if running_max else raw


NAIVE_COUNT = "count"
"""Name of the number of p-values at most alpha, which is not a lower bound of anything."""


@overload
def k_hat(p_values: list[float] | tuple[float, ...], alpha: float = 0.05, method: str = "bonferroni") -> int: ...
@overload
def k_hat(p_values: ArrayLike, alpha: float = 0.05, method: str = "bonferroni") -> int | IntArray: ...
def k_hat(p_values: ArrayLike, alpha: float = 0.05, method: str = "bonferroni") -> int | IntArray:
    """Return on how many datasets A is better than B, at least, with confidence 1 - alpha.

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
        "bonferroni" holds whatever the dependence between the datasets, "simes" under positive dependence, "fisher" and
        "fisher-bonferroni" for independent datasets; the last one goes with names of the same closed test
        (`closed_p_values`). "count" is the number of p-values at most alpha: **it has no guarantee**. With 100 datasets
        and no effect on any of them it is positive with a probability of 0.994 at level 0.05.

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
    if method not in (NAIVE_COUNT, "simes") and method not in COMBINATIONS:
        raise UnknownNameError("way of counting", method, [NAIVE_COUNT, "simes", *COMBINATIONS])
    values = check_p_values(p_values)
    found = values if method == NAIVE_COUNT else partial_conjunction(values, method)
    counts = np.count_nonzero(found <= rejection_level(alpha), axis=-1)
    return int(counts) if values.ndim == 1 else np.asarray(counts)


@overload
def holm(p_values: ArrayLike, alpha: None = None) -> FloatArray: ...
@overload
def holm(p_values: ArrayLike, alpha: float) -> NDArray[np.bool_]: ...
def holm(p_values: ArrayLike, alpha: float | None = None) -> FloatArray | NDArray[np.bool_]:
    """Return the Holm-adjusted p-values; with a level, which null hypotheses are rejected at it.

    A dataset may be named at level alpha if its adjusted p-value is at most alpha. The probability that one or more of
    the named datasets are named wrongly is at most alpha, whatever the dependence between the datasets.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        P-values in (0, 1], in any order along the last axis: one family for each index of the leading axes.
    alpha : float, optional
        Level, strictly between 0 and 1. An adjusted p-value counts as at most alpha up to alpha + 1e-12, for rounding.

    Returns
    -------
    ndarray of shape (..., n_datasets)
        In the order given. Without `alpha` the adjusted p-values, in (0, 1]; with it an array of bool, true where the
        adjusted p-value is at most alpha. Equal p-values are adjusted to equal p-values.

    Raises
    ------
    InputError
        If a p-value is not in (0, 1], or is not a number.
    SettingsError
        If alpha is not strictly between 0 and 1.

    See Also
    --------
    k_hat : by "bonferroni" it is the number of datasets that Holm names, at every level.

    Notes
    -----
    The adjusted p-value of the u-th smallest p-value is max over j <= u of min(1, (N - j + 1) p_(j)): the running
    maximum of the partial conjunction p-values by Bonferroni, and it is computed as such. That is why the two numbers
    agree.
    A rejection says nothing of the direction unless the p-values are one-sided.

    References
    ----------
    Holm (1979), "A simple sequentially rejective multiple test procedure"; Dror et al. (2017), "Replicability analysis
    for natural language processing", section 4.3.

    Examples
    --------
    Mate against Redshift on seven genres (Dror et al. 2017, Table 2); the third is named:

    >>> p_values = [0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823]
    >>> holm(p_values).round(4).tolist()
    [0.4115, 0.4115, 0.0322, 0.2256, 0.4115, 0.4115, 0.4115]
    >>> holm(p_values, alpha=0.05).nonzero()
    (array([2]),)
    """
    values = check_p_values(p_values)
    level = None if alpha is None else rejection_level(alpha)
    adjusted = step_down(values)
    return adjusted if level is None else adjusted <= level


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
    found = np.maximum.accumulate(fisher_bonferroni(totals, largest, sizes)[..., ::-1], axis=-1)[..., ::-1].copy()
    before = np.zeros_like(totals[..., :1])
    for size in range(1, values.shape[-1]):
        rest = slice(size, None)
        least = fisher_bonferroni(before + scores[..., rest], largest[..., rest], np.array(size))
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
