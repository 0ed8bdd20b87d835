"""Combine p-values of several datasets into one: the local tests of partial conjunction and of closed testing.

The partial conjunction p-value p^{u/N} is a p-value for "A is better on fewer than u of N datasets". It combines the
N - u + 1 largest p-values as if they alone were to be tested for "better on none of these" (Benjamini and Heller 2008;
Dror et al. 2017, Equations 2 and 3). Every rule here is symmetric and non-decreasing in each p-value, so that the
largest p-values are the least favourable subset. Fisher's sum finds many small effects and misses a single large one,
Bonferroni's smallest p-value does the reverse, and "fisher-bonferroni" takes the smaller of the two, at a price.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import scipy

from reportkit.errors import UnknownNameError
from reportkit.replicability.multiple_testing import fisher_bonferroni
from reportkit.replicability.multiple_testing.p_values import SMALLEST_P_VALUE, FloatArray, IntArray


class Combination(NamedTuple):
    """One rule of combination.

    Parameters
    ----------
    title : str
        As a report prints it.
    independent : bool
        Whether it is valid for independent datasets alone; if not, it is valid under any dependence.
    p_value : callable
        (sums of -ln p, smallest p-values, numbers of p-values) -> p-values of the global null hypothesis, in (0, 1];
        all three broadcast against each other.
    """

    title: str
    independent: bool
    p_value: Callable[[FloatArray, FloatArray, IntArray], FloatArray]


def _bonferroni(totals: FloatArray, smallest: FloatArray, sizes: IntArray) -> FloatArray:
    return np.asarray(np.minimum(sizes * smallest, 1.0))


def _fisher(totals: FloatArray, smallest: FloatArray, sizes: IntArray) -> FloatArray:
    return np.asarray(np.maximum(scipy.special.gammaincc(sizes, totals), SMALLEST_P_VALUE))


COMBINATIONS: Mapping[str, Combination] = {
    "bonferroni": Combination("Bonferroni", False, _bonferroni),
    "fisher": Combination("Fisher", True, _fisher),
    "fisher-bonferroni": Combination("Fisher–Bonferroni", True, fisher_bonferroni.p_value),
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
    """Return p^{u/N} by Simes' p-value, min over j of m p_(j) / j of the m largest, from p-values that ascend.

    Valid under positive dependence. Simes (1986), "An improved Bonferroni procedure".
    """
    n = ordered.shape[-1]
    parts = [np.min((n - first) * ordered[..., first:] / np.arange(1, n - first + 1), axis=-1) for first in range(n)]
    return np.asarray(np.minimum(np.stack(parts, axis=-1), 1.0))


def step_down(p_values: FloatArray) -> FloatArray:
    """Return Holm-adjusted p-values, in the given order, of numbers that are known to lie in (0, 1]; see `holm`.

    Examples
    --------
    >>> step_down(np.array([0.03, 0.01, 0.04])).round(3).tolist()
    [0.06, 0.03, 0.06]
    """
    order = np.argsort(p_values, axis=-1, kind="stable")
    scaled = np.arange(p_values.shape[-1], 0, -1) * np.take_along_axis(p_values, order, axis=-1)
    adjusted = np.empty_like(p_values)
    np.put_along_axis(adjusted, order, np.maximum.accumulate(np.minimum(scaled, 1.0), axis=-1), axis=-1)
    return adjusted
