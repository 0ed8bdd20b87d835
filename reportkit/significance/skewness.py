"""Whether skewed differences spoil a one-sided test of the mean at this n."""

from __future__ import annotations

import math

import numpy as np

from reportkit.finding import Finding
from reportkit.intervals.units import sorted_units
from reportkit.results.pairing import PairedScores

SIZE_ERROR = 0.110
"""Size error of a one-sided test at .05 by |skewness| / sqrt(n): (2 z^2 + 1) phi(z) / 6 at z = 1.645."""

TOLERATED_SIZE_ERROR = 0.01


def skewness(paired: PairedScores) -> float:
    """Sample skewness of the differences (of the sums of clusters), m3 / m2^1.5; 0 if all are alike.

    Positive if A wins rarely but by much; that of B against A is the negative.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([1.0, 1.0, 1.0, 5.0]), b=np.ones(4))
    >>> round(skewness(paired), 4)
    1.1547
    """
    units = sorted_units(paired)
    residuals = units.sums - units.sizes * units.mean
    largest = float(np.abs(residuals).max())
    if largest <= 1e-12 * float(np.abs(units.sums).max()):
        return 0.0
    residuals = residuals / largest
    gamma = float(np.mean(residuals**3) / np.mean(residuals**2) ** 1.5)
    return (-gamma if units.swapped else gamma) + 0.0


def skewness_finding(paired: PairedScores) -> Finding | None:
    """Say so if a one-sided test of the mean cannot be trusted to a percentage point at this n.

    By the first term of the Edgeworth expansion, the size of a one-sided t, sign-flip or bootstrap test of the mean at
    .05 is off by about .110 |g| / sqrt(n), g being the skewness of the differences. It is said where this exceeds .01,
    that is n < 121 g^2. With clusters, n is their number and g that of their sums.

    Returns
    -------
    Finding or None
        None if the error is tolerable, or if no test of a mean is meant: ordinal scores, and right-or-wrong scores
        without clusters and weights, whose tests are exact.

    Notes
    -----
    The one-sided test of A better than B rejects a true null hypothesis too often if g is negative and too seldom if
    g is positive; Hall (1992), "The Bootstrap and Edgeworth Expansion", section 2.4.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.repeat([0.0, 1.0], [2, 28]), b=np.repeat([1.0, 0.9], [2, 28]))
    >>> print(skewness_finding(paired).message)
    The differences are skewed (skewness −3.47, n = 30, where 1,461 would do): the true size of a one-sided test of the
    mean at .05 is predicted to differ from .05 by about .070, upwards for a claim that 'a' is better.
    """
    if paired.kind == "ordinal" or (paired.kind == "binary" and paired.clusters is None and paired.weights is None):
        return None
    g = skewness(paired)
    clusters = paired.n_clusters
    n = paired.n if clusters is None else clusters
    size_error = SIZE_ERROR * abs(g) / math.sqrt(n)
    if size_error <= TOLERATED_SIZE_ERROR:
        return None
    what = "differences" if clusters is None else "sums of differences of the clusters"
    units = "n" if clusters is None else "number of clusters"
    enough = math.ceil((SIZE_ERROR * g / TOLERATED_SIZE_ERROR) ** 2)
    favoured = paired.system_a if g < 0 else paired.system_b
    shown, predicted = f"{g:.2f}".replace("-", "−"), f"{size_error:.3f}".removeprefix("0")
    return Finding(
        code="skewed-differences",
        severity="warning",
        message=f"The {what} are skewed (skewness {shown}, {units} = {n:,}, where {enough:,} would do): the true size "
        f"of a one-sided test of the mean at .05 is predicted to differ from .05 by about {predicted}, upwards for a "
        f"claim that {favoured!r} is better.",
        where=paired.label,
        remedy="collect more instances, or read a p-value near the level with that much doubt",
    )
