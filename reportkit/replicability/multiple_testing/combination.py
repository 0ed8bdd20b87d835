"""How p-values of several datasets are combined into one: the rules that partial conjunction is built on.

The partial conjunction p-value p^{u/N} is a p-value for "A is better on fewer than u of N datasets". It combines the
N - u + 1 largest p-values as if they alone were to be tested for "better on none of these" (Benjamini and Heller 2008;
Dror et al. 2017, Equations 2 and 3). Every rule here is symmetric and non-decreasing in each p-value, so that the
largest p-values are the least favourable subset. `COMBINATIONS` holds the rules by name; sums of N - u + 1 scores
share one description, `SumRule`. Fisher's sum finds many small effects and misses a single large one, Bonferroni's
smallest p-value does the reverse, and "fisher-bonferroni" takes the smaller of the two, at a price.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from reportkit.registry import Registry
from reportkit.replicability.multiple_testing import fisher_bonferroni, truncated_product
from reportkit.replicability.multiple_testing.p_values import SMALLEST_P_VALUE, FloatArray, IntArray

Validity = Literal["any", "positive dependence (PRDS)", "independent"]
"""Dependence between p-values under which a method keeps its guarantee, from the weakest condition to the strongest."""

_BOUNDARY = 1e-9
"""Totals so close to a critical value, relative to it, are decided by their p-value instead."""
_ROUNDING = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True)
class SumRule:
    """A combination that depends on the p-values through a sum of scores: the larger the sum, the smaller the p-value.

    Parameters
    ----------
    score : callable
        Scores of p-values, elementwise, non-increasing in p.
    p_value : callable
        `p_value(total, size)`: p-value of the sum of `size` scores, elementwise.
    critical_totals : callable
        `critical_totals(largest, level)`: array of shape (largest,), the smallest sums of 1, 2, ... scores whose
        p-value is at most `level`.
    """

    score: Callable[[FloatArray], FloatArray]
    p_value: Callable[[FloatArray, IntArray], FloatArray]
    critical_totals: Callable[[int, float], FloatArray]

    def partial_conjunction(self, sorted_p_values: FloatArray) -> FloatArray:
        """Raw partial conjunction p-values of ascending p-values; see `Combination`."""
        p_values = self.p_value(self._totals(sorted_p_values), _sizes(sorted_p_values.shape[-1]))
        return np.clip(p_values, SMALLEST_P_VALUE, 1.0)

    def count(self, sorted_p_values: FloatArray, level: float) -> IntArray:
        """Number of leading rejections, by critical values; see `Combination`."""
        n_datasets = sorted_p_values.shape[-1]
        return leading(self.rejected(self._totals(sorted_p_values), _sizes(n_datasets), level))

    def rejected(self, totals: FloatArray, sizes: IntArray, level: float) -> NDArray[np.bool_]:
        """Whether the p-value of each sum is at most `level`, computing p-values only next to the critical values.

        Parameters
        ----------
        totals : ndarray
            Sums of scores.
        sizes : ndarray of int
            Number of scores in each sum, at least 1; broadcasts against `totals`.
        level : float
            In (0, 1).

        Returns
        -------
        ndarray of bool
            Exactly `p_value(totals, sizes) <= level`.
        """
        critical = _critical_totals(self, int(sizes.max()), level)[sizes - 1]
        margin = _BOUNDARY * (1.0 + np.abs(critical))
        rejected = totals >= critical + margin
        close = rejected != (totals >= critical - margin)
        if close.any():
            sizes = np.broadcast_to(sizes, totals.shape)
            rejected[close] = self.p_value(totals[close], sizes[close]) <= level
        return rejected

    def _totals(self, sorted_p_values: FloatArray) -> FloatArray:
        """Sums of the scores of the N, N - 1, ..., 1 largest p-values."""
        return np.cumsum(self.score(sorted_p_values)[..., ::-1], axis=-1)[..., ::-1]


@lru_cache(maxsize=64)
def _critical_totals(rule: SumRule, largest: int, level: float) -> FloatArray:
    return rule.critical_totals(largest, level)


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """One rule of combination and what it needs to be valid.

    Parameters
    ----------
    name : str
        As the user writes it.
    title : str
        As a report prints it.
    partial_conjunction : callable
        Raw partial conjunction p-values, before the running maximum: takes p-values of shape (..., n_datasets) that
        ascend along the last axis, returns an array of the same shape whose entry u - 1 is p^{u/N}, in (0, 1].
    count : callable
        `count(sorted_p_values, level)`: how many of p^{1/N}, p^{2/N}, ... are at most `level` before the first that
        is not, an array of shape (...). The same number as from the p-values, only faster.
    validity : {"any", "positive dependence (PRDS)", "independent"}
        Dependence between the p-values under which the p-value is valid. All need super-uniform p-values: a true null
        hypothesis gives p <= x with a probability of at most x.
    citations : tuple of str
        BibTeX keys of the sources.
    sum_rule : SumRule, optional
        For rules that are sums of scores.
    """

    name: str
    title: str
    partial_conjunction: Callable[[FloatArray], FloatArray]
    count: Callable[[FloatArray, float], IntArray]
    validity: Validity
    citations: tuple[str, ...]
    sum_rule: SumRule | None = None


def leading(rejected: NDArray[np.bool_]) -> IntArray:
    """How many entries of the last axis are true before the first that is false.

    Examples
    --------
    >>> leading(np.array([[True, True, False, True], [True, True, True, True]]))
    array([2, 4])
    """
    first_false = np.argmin(rejected, axis=-1)
    everything = np.take_along_axis(rejected, np.expand_dims(first_false, -1), axis=-1)[..., 0]
    return np.asarray(np.where(everything, rejected.shape[-1], first_false), dtype=np.int64)


def simes_unrejected(sorted_p_values: FloatArray, level: float) -> IntArray:
    """Largest k such that Simes' test does not reject that the k largest p-values are all null; 0 if there is none.

    With n_datasets minus this number, `k_hat` by Simes is known, and with it Hommel's procedure. The k largest are not
    rejected if p_(j) > (j - N + k) level / k for all j > N - k. Solved for k, each p_(j) < level allows
    k < (N - j) level / (level - p_(j)), and for j <= N - k this holds of itself, so that one minimum over j is enough.
    (Linear in N once the p-values are sorted, as in Meijer, Krebs and Goeman 2019.)

    Parameters
    ----------
    sorted_p_values : ndarray of shape (..., n_datasets)
        Ascending along the last axis.
    level : float
        In (0, 1).

    Returns
    -------
    ndarray of int of shape (...)
        Between 0 and n_datasets.

    Examples
    --------
    >>> simes_unrejected(np.array([0.01, 0.02, 0.2, 0.4]), 0.05)
    array(3)
    """
    n_datasets = sorted_p_values.shape[-1]
    rows = sorted_p_values.reshape(-1, n_datasets)
    gap = level - rows
    bounds = np.full(rows.shape, np.inf)
    np.divide(np.arange(n_datasets - 1.0, -1.0, -1.0) * level, gap, out=bounds, where=gap > 0)
    bounds[:, -1] = np.where(gap[:, -1] >= 0, 0.0, np.inf)
    bound = bounds.min(axis=-1)
    largest = np.clip(np.ceil(bound) - 1, 0, n_datasets)
    # A bound next to a whole number may have been rounded across it: there the test itself decides for that k.
    nearest = np.rint(np.minimum(bound, n_datasets))
    close = (nearest > 0) & (np.abs(bound - nearest) <= _ROUNDING * nearest * nearest)
    if close.any():
        size = nearest[close]
        largest[close] = np.where(_simes_p_values(rows[close], size) > level, size, size - 1)
    return np.asarray(largest.reshape(sorted_p_values.shape[:-1]), dtype=np.int64)


def _simes_p_values(sorted_p_values: FloatArray, size: FloatArray) -> FloatArray:
    """Simes p-values of the `size` largest p-values of each row."""
    n_datasets = sorted_p_values.shape[-1]
    rank = np.arange(1, n_datasets + 1) - (n_datasets - size[:, None])
    factors = np.divide(size[:, None], rank, out=np.full(rank.shape, np.inf), where=rank > 0)
    return np.asarray((sorted_p_values * factors).min(axis=-1))


def _sizes(n_datasets: int) -> IntArray:
    """N - u + 1 for u = 1..N: how many p-values p^{u/N} combines."""
    return np.arange(n_datasets, 0, -1)


def _bonferroni(sorted_p_values: FloatArray) -> FloatArray:
    return np.asarray(np.minimum(_sizes(sorted_p_values.shape[-1]) * sorted_p_values, 1.0))


def step_down(p_values: FloatArray) -> FloatArray:
    """Holm-adjusted p-values, in the given order, of numbers that are known to lie in (0, 1]; see `holm`.

    Examples
    --------
    >>> step_down(np.array([0.03, 0.01, 0.04])).round(3).tolist()
    [0.06, 0.03, 0.06]
    """
    order = np.argsort(p_values, axis=-1, kind="stable")
    ascending = np.maximum.accumulate(_bonferroni(np.take_along_axis(p_values, order, axis=-1)), axis=-1)
    adjusted = np.empty_like(p_values)
    np.put_along_axis(adjusted, order, ascending, axis=-1)
    return adjusted


def _bonferroni_count(sorted_p_values: FloatArray, level: float) -> IntArray:
    return leading(_bonferroni(sorted_p_values) <= level)


def _simes(sorted_p_values: FloatArray) -> FloatArray:
    n_datasets = sorted_p_values.shape[-1]
    sizes = _sizes(n_datasets)
    smallest = sizes * sorted_p_values
    for offset in range(1, n_datasets):
        kept = slice(0, n_datasets - offset)
        terms = sorted_p_values[..., offset:] * (sizes[kept] / (offset + 1))
        np.minimum(smallest[..., kept], terms, out=smallest[..., kept])
    return np.asarray(np.minimum(smallest, 1.0))


def _simes_count(sorted_p_values: FloatArray, level: float) -> IntArray:
    return np.asarray(sorted_p_values.shape[-1] - simes_unrejected(sorted_p_values, level))


def _fisher_bonferroni(sorted_p_values: FloatArray) -> FloatArray:
    return fisher_bonferroni.p_value(*_sums_and_smallest(sorted_p_values))


def _fisher_bonferroni_count(sorted_p_values: FloatArray, level: float) -> IntArray:
    return leading(fisher_bonferroni.rejected(*_sums_and_smallest(sorted_p_values), level))


def _sums_and_smallest(sorted_p_values: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Sums of scores, smallest and number of the N, N - 1, ..., 1 largest p-values."""
    totals = np.cumsum(fisher_bonferroni.score(sorted_p_values)[..., ::-1], axis=-1)[..., ::-1]
    return totals, sorted_p_values, _sizes(sorted_p_values.shape[-1])


def _up_to(largest: int) -> FloatArray:
    return np.arange(1.0, largest + 1.0)


_FISHER = SumRule(
    score=lambda p_values: -2.0 * np.log(p_values),
    p_value=lambda total, size: np.asarray(scipy.special.chdtrc(2.0 * size, total), dtype=np.float64),
    critical_totals=lambda largest, level: np.asarray(
        scipy.special.chdtri(2.0 * _up_to(largest), level), dtype=np.float64
    ),
)
_STOUFFER = SumRule(
    score=lambda p_values: -scipy.special.ndtri(p_values),
    p_value=lambda total, size: scipy.special.ndtr(-total / np.sqrt(size, dtype=np.float64)),
    critical_totals=lambda largest, level: np.sqrt(_up_to(largest)) * -float(scipy.special.ndtri(level)),
)
_GEOMETRIC = SumRule(
    score=lambda p_values: -np.log(p_values),
    p_value=lambda total, size: np.exp(np.minimum(1.0 - total / size, 0.0)),
    critical_totals=lambda largest, level: _up_to(largest) * (1.0 - np.log(level)),
)
_TRUNCATED_PRODUCT = SumRule(
    score=truncated_product.score,
    p_value=truncated_product.p_value,
    critical_totals=truncated_product.critical_totals,
)

COMBINATIONS: Registry[Combination] = Registry("combination of p-values")
"""Rules of combination by name."""


def _register(entry: Combination) -> None:
    COMBINATIONS.register(entry.name, entry)


def _register_sum(rule: SumRule, *, name: str, title: str, validity: Validity, citations: tuple[str, ...]) -> None:
    _register(
        Combination(
            name=name,
            title=title,
            partial_conjunction=rule.partial_conjunction,
            count=rule.count,
            validity=validity,
            citations=citations,
            sum_rule=rule,
        )
    )


_register(
    Combination(
        name="bonferroni",
        title="Bonferroni",
        partial_conjunction=_bonferroni,
        count=_bonferroni_count,
        validity="any",
        citations=("benjamini2008screening", "dror2017replicability"),
    )
)
_register_sum(
    _FISHER,
    name="fisher",
    title="Fisher",
    validity="independent",
    citations=("benjamini2008screening", "fisher1932statistical", "dror2017replicability"),
)
_register(
    Combination(
        name="simes",
        title="Simes",
        partial_conjunction=_simes,
        count=_simes_count,
        validity="positive dependence (PRDS)",
        citations=("benjamini2008screening", "simes1986improved"),
    )
)
_register_sum(
    _STOUFFER,
    name="stouffer",
    title="Stouffer",
    validity="independent",
    citations=("benjamini2008screening", "stouffer1949american"),
)
_register_sum(
    _TRUNCATED_PRODUCT,
    name="tpm",
    title="truncated product (τ = 0.05)",
    validity="independent",
    citations=("benjamini2008screening", "zaykin2002truncated"),
)
_register(
    Combination(
        name="fisher-bonferroni",
        title="Fisher–Bonferroni",
        partial_conjunction=_fisher_bonferroni,
        count=_fisher_bonferroni_count,
        validity="independent",
        citations=("benjamini2008screening", "fisher1932statistical"),
    )
)
_register_sum(
    _GEOMETRIC,
    name="geometric",
    title="e times the geometric mean",
    validity="any",
    citations=("vovk2020combining",),
)
