"""A lower bound for the number of effects in any subset of the datasets, also one chosen after looking."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError, SettingsError
from reportkit.replicability.multiple_testing import fisher_bonferroni
from reportkit.replicability.multiple_testing.combination import COMBINATIONS, SumRule
from reportkit.replicability.multiple_testing.p_values import FloatArray, check_p_values, rejection_level
from reportkit.replicability.multiple_testing.partial_conjunction import holm

Subset = Sequence[int] | Sequence[bool] | NDArray[np.integer] | NDArray[np.bool_]


def discoveries(p_values: ArrayLike, subset: Subset, alpha: float = 0.05, method: str = "bonferroni") -> int:
    """Number of datasets in a subset on which A is better than B, at least, with confidence 1 - alpha.

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
        Name in `COMBINATIONS` of the test of an intersection hypothesis. "bonferroni" holds whatever the
        dependence between the datasets, "simes" under positive dependence, "fisher", "fisher-bonferroni" and "stouffer"
        for independent datasets. The p-value on which this test rests is that of `partial_conjunction`.

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
    Solari 2011). With Bonferroni that is the number of Holm rejections in S. With Simes it is the largest value of
    1 - u + #{i in S: h p_i <= u alpha} over u, where h is the largest number of p-values that Simes' test does not
    reject (Goeman, Meijer, Krebs and Solari 2019); for one dataset it is Hommel's procedure. For sums of scores the
    least significant set with t members in S and j others has the t smallest scores of S and the j smallest of the
    others, so that at most s (N - s + 1) sums are looked at for a set S of s; "fisher-bonferroni" has the same least
    significant sets.

    References
    ----------
    Goeman and Solari (2011), "Multiple testing for exploratory research"; Goeman, Meijer, Krebs and Solari (2019),
    "Simultaneous control of all false discovery proportions in large-scale multiple hypothesis testing".

    Examples
    --------
    Sentiment classification on twelve pairs of domains (Dror et al. 2017, Table 4). How many of the
    three with target K?

    >>> p_values = [0.0268, 0.0011, 0.0119, 0.0038, 1.9e-6, 0.018, 0.0186, 0.0014, 0.0011, 0.4823, 0.9507, 0.0003]
    >>> discoveries(p_values, [0, 7, 10]), discoveries(p_values, [0, 7, 10], method="simes")
    (1, 1)
    >>> discoveries(p_values, range(12)), discoveries(p_values, range(12), method="simes")
    (6, 8)
    """
    combination = COMBINATIONS[method]
    level = rejection_level(alpha)
    values = check_p_values(p_values)
    if values.ndim != 1:
        raise InputError(f"p_values has the shape {values.shape}", remedy="give one row, a p-value for each dataset")
    inside = _membership(subset, len(values))
    if not inside.any():
        return 0
    if combination.sum_rule is not None:
        return _sum_bound(values, inside, level, combination.sum_rule)
    if method not in _BOUNDS:
        raise SettingsError(
            f"there is no closed testing with {method!r}",
            remedy=f"choose one of {', '.join(name for name in COMBINATIONS if _has_bound(name))}",
        )
    return _BOUNDS[method](values, inside, level)


def closed_p_values(p_values: ArrayLike) -> FloatArray:
    """Adjusted p-values of the closed test with the smaller of Fisher's and Bonferroni's p-value.

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
    scores = fisher_bonferroni.score(largest)
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
    if given.ndim != 1:
        raise InputError(f"the subset has the shape {given.shape}", remedy="give a sequence of positions or of bools")
    if given.size == 0:
        return inside
    if given.dtype.kind == "b":
        if given.size != n_datasets:
            raise InputError(f"the subset has {given.size} bools for {n_datasets} datasets", remedy="give one for each")
        return given
    if given.dtype.kind not in "iu":
        raise InputError(f"the subset has values of type {given.dtype}", remedy="give positions (int) or bools")
    absent = given[(given < 0) | (given >= n_datasets)]
    if absent.size:
        raise InputError(
            f"the subset names dataset {absent[0]}, but there are {n_datasets}",
            remedy=f"give positions from 0 to {n_datasets - 1}",
        )
    positions, times = np.unique(given, return_counts=True)
    if times.max() > 1:
        raise InputError(
            f"the subset names dataset {positions[times > 1][0]} {times.max()} times", remedy="name each dataset once"
        )
    inside[given] = True
    return inside


def _holm_bound(p_values: FloatArray, inside: NDArray[np.bool_], level: float) -> int:
    return int(np.count_nonzero(holm(p_values)[inside] <= level))


def _simes_bound(p_values: FloatArray, inside: NDArray[np.bool_], level: float) -> int:
    of_largest = COMBINATIONS["simes"].partial_conjunction(np.sort(p_values))  # of the N, N - 1, ..., 1 largest
    unrejected = int(np.count_nonzero(of_largest > level))
    scaled = np.sort(unrejected * p_values[inside])
    return max(0, *(1 - u + int(np.searchsorted(scaled / u, level, side="right")) for u in range(1, scaled.size + 1)))


def _sum_bound(p_values: FloatArray, inside: NDArray[np.bool_], level: float, rule: SumRule) -> int:
    scores = rule.score(p_values)
    within = np.cumsum(np.sort(scores[inside]))
    others = np.concatenate([[0.0], np.cumsum(np.sort(scores[~inside]))])
    for size in range(within.size, 0, -1):
        if (rule.p_value(within[size - 1] + others, size + np.arange(others.size)) > level).any():
            return int(within.size - size)
    return int(within.size)


def _fisher_bonferroni_bound(p_values: FloatArray, inside: NDArray[np.bool_], level: float) -> int:
    own, other = (np.sort(p_values[which])[::-1] for which in (inside, ~inside))
    within = np.cumsum(fisher_bonferroni.score(own))
    others = np.concatenate([[0.0], np.cumsum(fisher_bonferroni.score(other))])
    smallest = np.concatenate([[1.0], other])
    for size in range(own.size, 0, -1):
        least = np.minimum(own[size - 1], smallest)
        sizes = size + np.arange(others.size)
        if (fisher_bonferroni.p_value(within[size - 1] + others, least, sizes) > level).any():
            return int(own.size - size)
    return int(own.size)


_BOUNDS: Mapping[str, Callable[[FloatArray, NDArray[np.bool_], float], int]] = MappingProxyType(
    {"bonferroni": _holm_bound, "simes": _simes_bound, "fisher-bonferroni": _fisher_bonferroni_bound}
)


def _has_bound(name: str) -> bool:
    return name in _BOUNDS or COMBINATIONS[name].sum_rule is not None
