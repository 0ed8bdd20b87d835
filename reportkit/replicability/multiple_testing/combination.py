"""How p-values of several datasets are combined into one: the rules that partial conjunction is built on.

The partial conjunction p-value p^{u/N} is a p-value for "A is better on fewer than u of N datasets". It combines the
N - u + 1 largest p-values as if they alone were to be tested for "better on none of these" (Benjamini and Heller 2008;
Dror et al. 2017, Equations 2 and 3). Every rule here is symmetric and non-decreasing in each p-value, so that the
largest p-values are the least favourable subset. `COMBINATIONS` holds the rules by name; sums of N - u + 1 scores
share one description. Fisher's sum finds many small effects and misses a single large one, Bonferroni's
smallest p-value does the reverse, and "fisher-bonferroni" takes the smaller of the two, at a price.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import scipy

from reportkit.registry import Registry
from reportkit.replicability.multiple_testing import fisher_bonferroni
from reportkit.replicability.multiple_testing.p_values import SMALLEST_P_VALUE, FloatArray, IntArray

Validity = Literal["any", "positive dependence (PRDS)", "independent"]
"""Dependence between p-values under which a method keeps its guarantee, from the weakest condition to the strongest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SumRule:
    """A combination that depends on the p-values through a sum of scores: the larger the sum, the smaller the p-value.

    Parameters
    ----------
    score : callable
        Scores of p-values, elementwise, non-increasing in p.
    p_value : callable
        `p_value(total, size)`: p-value of the sum of `size` scores, elementwise.
    """

    score: Callable[[FloatArray], FloatArray]
    p_value: Callable[[FloatArray, IntArray], FloatArray]


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
    validity: Validity
    citations: tuple[str, ...]
    sum_rule: SumRule | None = None


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


def _simes(sorted_p_values: FloatArray) -> FloatArray:
    n_datasets = sorted_p_values.shape[-1]
    sizes = _sizes(n_datasets)
    smallest = sizes * sorted_p_values
    for offset in range(1, n_datasets):
        kept = slice(0, n_datasets - offset)
        terms = sorted_p_values[..., offset:] * (sizes[kept] / (offset + 1))
        np.minimum(smallest[..., kept], terms, out=smallest[..., kept])
    return np.asarray(np.minimum(smallest, 1.0))


def _by_sum(rule: SumRule, sorted_p_values: FloatArray) -> FloatArray:
    totals = np.cumsum(rule.score(sorted_p_values)[..., ::-1], axis=-1)[..., ::-1]
    return np.clip(rule.p_value(totals, _sizes(sorted_p_values.shape[-1])), SMALLEST_P_VALUE, 1.0)


def _fisher_bonferroni(sorted_p_values: FloatArray) -> FloatArray:
    totals = np.cumsum(fisher_bonferroni.score(sorted_p_values)[..., ::-1], axis=-1)[..., ::-1]
    return fisher_bonferroni.p_value(totals, sorted_p_values, _sizes(sorted_p_values.shape[-1]))


_FISHER = SumRule(
    score=lambda p_values: -2.0 * np.log(p_values),
    p_value=lambda total, size: np.asarray(scipy.special.chdtrc(2.0 * size, total), dtype=np.float64),
)
_STOUFFER = SumRule(
    score=lambda p_values: -scipy.special.ndtri(p_values),
    p_value=lambda total, size: scipy.special.ndtr(-total / np.sqrt(size, dtype=np.float64)),
)

COMBINATIONS: Registry[Combination] = Registry("combination of p-values")
"""Rules of combination by name."""

for _entry in (
    Combination(
        name="bonferroni",
        title="Bonferroni",
        partial_conjunction=_bonferroni,
        validity="any",
        citations=("benjamini2008screening", "dror2017replicability"),
    ),
    Combination(
        name="fisher",
        title="Fisher",
        partial_conjunction=partial(_by_sum, _FISHER),
        validity="independent",
        citations=("benjamini2008screening", "fisher1932statistical", "dror2017replicability"),
        sum_rule=_FISHER,
    ),
    Combination(
        name="simes",
        title="Simes",
        partial_conjunction=_simes,
        validity="positive dependence (PRDS)",
        citations=("benjamini2008screening", "simes1986improved"),
    ),
    Combination(
        name="stouffer",
        title="Stouffer",
        partial_conjunction=partial(_by_sum, _STOUFFER),
        validity="independent",
        citations=("benjamini2008screening", "stouffer1949american"),
        sum_rule=_STOUFFER,
    ),
    Combination(
        name="fisher-bonferroni",
        title="Fisher–Bonferroni",
        partial_conjunction=_fisher_bonferroni,
        validity="independent",
        citations=("benjamini2008screening", "fisher1932statistical"),
    ),
):
    COMBINATIONS.register(_entry.name, _entry)
