"""How skewed the differences are, and whether that is too much for a t-test or a sign flip of their mean."""

from __future__ import annotations

import math

import numpy as np

from reportkit.intervals.units import Units, sorted_units
from reportkit.results.pairing import PairedScores
from reportkit.results.remembered import remembered

SIZE_ERROR = 0.110
"""Size error of a one-sided test at .05 by |skewness| / sqrt(n): (2 z^2 + 1) phi(z) / 6 at z = 1.645."""

TOLERATED_SIZE_ERROR = 0.01

FEWEST_NONZERO = 20
"""With fewer differing units the bootstrap-t is worse than a sign flip: resamples of so few say little.

Simulated one-sided size at .05 for n = 100 instances of which about m differ, by +1 or -1 with the same probability:
bootstrap-t .099 (m = 5), .058 (m = 10), .060 (m = 20); sign-flip .013, .017, .033. For differences that are 1 minus an
exponential variable: bootstrap-t .238, .188, .108 and, for m = 50, .069; sign-flip .074, .143, .108 and .081.
"""

ENOUGH_NONZERO = 50
"""With fewer differing units than this, the bootstrap-t itself can exceed its level by some percentage points."""

STRAINED = 12.0
"""So can it where n is below this many times the squared skewness.

Simulated one-sided size at .05 of the bootstrap-t for differences skewed to the left: lognormal .107 at n = 30 and .06
at n = 100, exponential .074 at n = 20; 30 exponential ones of 100, the others 0: .106.
"""


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
    return _skewness(paired)[0]


def size_error(paired: PairedScores) -> float:
    """By how much the one-sided size at .05 of a t-test, sign flip or bootstrap of the mean is predicted to be off.

    .110 |g| / sqrt(n), the first term of the Edgeworth expansion, g being the skewness of the differences; with
    clusters, n is their number and g that of their sums.

    Notes
    -----
    Hall (1992), "The Bootstrap and Edgeworth Expansion", section 2.4.
    """
    g, n, _ = _skewness(paired)
    return SIZE_ERROR * abs(g) / math.sqrt(n)


def is_skewed(paired: PairedScores) -> bool:
    """Whether the skewness calls for the bootstrap-t: n < 121 g^2, of a mean that means something, and enough units.

    Never of ordinal scores, nor of right-or-wrong ones without clusters and weights, whose tests are exact; and never
    where fewer than 20 units differ, of which resamples say too little.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.arange(1.0, 31.0) ** 4, b=np.zeros(30))
    >>> is_skewed(paired)
    True
    """
    if not of_a_mean(paired) or paired.unit != "instance":
        return False
    g, n, n_nonzero = _skewness(paired)
    return n_nonzero >= FEWEST_NONZERO and SIZE_ERROR * abs(g) / math.sqrt(n) > TOLERATED_SIZE_ERROR


def is_strained(paired: PairedScores) -> bool:
    """Whether differences are so skewed, or so few, that the bootstrap-t cannot be trusted to its level either.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.arange(1.0, 31.0) ** 4, b=np.zeros(30))
    >>> is_strained(paired)
    True
    """
    g, n, n_nonzero = _skewness(paired)
    return n < STRAINED * g * g or n_nonzero < ENOUGH_NONZERO


def of_a_mean(paired: PairedScores) -> bool:
    """Whether the default test is one of a mean difference that skewness can spoil."""
    exact = paired.kind == "binary" and paired.clusters is None and paired.weights is None
    return paired.kind != "ordinal" and not exact


def _skewness(paired: PairedScores) -> tuple[float, int, int]:
    """Skewness, number of units, and how many of them differ."""
    return remembered(paired.known, "skewness", lambda: _of_units(sorted_units(paired)))


def _of_units(units: Units) -> tuple[float, int, int]:
    n_nonzero = int(np.count_nonzero(units.sums))
    residuals = units.sums - units.sizes * units.mean
    largest = float(np.abs(residuals).max())
    if largest <= 1e-12 * float(np.abs(units.sums).max()):
        return 0.0, units.n, n_nonzero
    residuals = residuals / largest
    squares = np.square(residuals)
    gamma = float(np.mean(squares * residuals) / np.mean(squares) ** 1.5)
    return (-gamma if units.swapped else gamma) + 0.0, units.n, n_nonzero
