"""Pearson's r, Spearman's rho and Kendall's tau-b of predictions with gold scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from reportkit.metrics.correlation.concordance import concordance
from reportkit.metrics.correlation.midranks import Ranked, ranked

Coefficient = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)

TITLES: Mapping[str, str] = {
    "pearson": "Pearson correlation",
    "spearman": "Spearman rank correlation",
    "kendall": "Kendall rank correlation (tau-b)",
}
"""Names in prose."""

CONSTANT = 1e-14
"""Deviations from the mean below this part of the largest value are the noise of floating-point arithmetic."""


def named_coefficient(name: object) -> Coefficient | None:
    """The coefficient of a name, in any case; None if the name is that of no coefficient.

    Examples
    --------
    >>> named_coefficient("Spearman"), named_coefficient("bleu")
    ('spearman', None)
    """
    folded = name.strip().casefold() if isinstance(name, str) else None  # several metrics are a tuple of names
    return next((known for known in COEFFICIENTS if known == folded), None)


def correlation(predictions: NDArray[np.float64], gold: NDArray[np.float64], coefficient: Coefficient) -> float:
    """Correlation of predictions with gold scores.

    Parameters
    ----------
    predictions, gold : ndarray of shape (n,)
        Finite.
    coefficient : {"pearson", "spearman", "kendall"}
        Pearson's r; Spearman's rho, which is Pearson's r of midranks; Kendall's tau-b, which corrects for ties.

    Returns
    -------
    float
        In [-1, 1]; NaN if one of the two is constant. To the last digit the same in any order of the instances.

    Examples
    --------
    >>> x, y = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0, 10.0])
    >>> [round(correlation(x, y, name), 4) for name in COEFFICIENTS]
    [0.805, 0.8, 0.6]
    """
    if coefficient == "pearson":
        return _pearson(predictions, gold)
    x, y = ranked(predictions), ranked(gold)
    return spearman_of(x, y) if coefficient == "spearman" else kendall_of(x, y)


def is_constant(values: NDArray[np.float64], coefficient: Coefficient) -> bool:
    """Whether a coefficient takes all values for the same, so that no correlation with them exists.

    Examples
    --------
    >>> is_constant(np.array([0.3, 0.1 + 0.2]), "spearman"), is_constant(np.array([0.3, 0.4]), "spearman")
    (True, False)
    """
    return standardised(values) is None if coefficient == "pearson" else ranked(values).counts.size < 2


def standardised(values: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Values minus their mean, divided by the root of their sum of squares; None if they are constant.

    The sum of products of two such arrays is their correlation. Values are first brought near 1, so that no square
    leaves the range of a float, and sums are exactly rounded: they depend on no order.
    """
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0:
        return None
    exponent = math.frexp(largest)[1]
    near_one = np.ldexp(values, -exponent)
    centred = near_one - math.fsum(near_one) / values.size
    centred = centred - math.fsum(centred) / values.size
    if float(np.abs(centred).max()) <= CONSTANT:
        return None
    return np.asarray(centred / math.sqrt(math.fsum(centred * centred)))


def _pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    unit_x, unit_y = standardised(x), standardised(y)
    if unit_x is None or unit_y is None:
        return math.nan
    return bounded(math.fsum(unit_x * unit_y))


def spearman_of(x: Ranked, y: Ranked) -> float:
    """Spearman's rho of two orders; NaN if one of them is a single tie."""
    mean = (x.n + 1) / 2
    products = float(np.dot(x.midranks - mean, y.midranks - mean))
    return ratio(products, math.sqrt(square_sum(x) * square_sum(y)))


def kendall_of(x: Ranked, y: Ranked) -> float:
    """Kendall's tau-b of two orders; NaN if one of them is a single tie."""
    signs = float(concordance(x, y).signs.sum()) / 2
    return ratio(signs, math.sqrt(untied_pairs(x) * untied_pairs(y)))


def square_sum(x: Ranked) -> float:
    """Sum of the squared deviations of midranks from their mean."""
    counts = x.counts.astype(np.float64)
    return (float(x.n) ** 3 - float(x.n) - float((counts**3 - counts).sum())) / 12


def untied_pairs(x: Ranked) -> float:
    """Number of pairs of instances that are not tied."""
    counts = x.counts.astype(np.float64)
    return (float(x.n) * (x.n - 1) - float((counts * (counts - 1)).sum())) / 2


def ratio(numerator: float, denominator: float) -> float:
    """A coefficient as a quotient; NaN where nothing varies."""
    return bounded(numerator / denominator) if denominator > 0 else math.nan


def bounded(value: float) -> float:
    """Into [-1, 1], which rounding may leave by a digit; no -0.0."""
    return min(1.0, max(-1.0, value)) + 0.0
