"""How skewed the differences are, and whether that is too much for a t-test or a sign flip of their mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from reportkit.intervals.means.units import Units, sorted_units
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import remembered

SIZE_ERROR = 0.110
"""Size error of a one-sided test at .05 by |skewness| / sqrt(n): (2 z^2 + 1) phi(z) / 6 at z = 1.645."""

TOLERATED_SIZE_ERROR = 0.01

FEWEST_NONZERO = 20
"""With fewer differing units the bootstrap-t is worse than a sign flip: resamples of so few say little.

Simulated one-sided size at .05 for n = 100 instances of which about m differ, by +1 or -1 with the same probability:
bootstrap-t .099 (m = 5), .058 (m = 10), .060 (m = 20); sign-flip .013, .017, .033. For differences that are 1 minus an
exponential variable: bootstrap-t .238, .188, .108 and, for m = 50, .069; sign-flip .074, .143, .108 and .081.
"""

FAINT = 0.1
"""Losses that add up to less than this part of the gains do not show what a large loss would be."""

SHARE_UNSEEN = 3
"""By n, the share of units that may show something else than all n that were seen."""

ENOUGH_NONZERO = 50
"""With fewer differing units a sample hardly shows their shape, and the bootstrap-t can exceed its level."""

STRAINED = 30.0
"""Where n is below this many times the squared skewness, the bootstrap-t can exceed its level, too.

Simulated one-sided size for differences that are a constant minus a lognormal variable: .085 at .05 and .032 at .01 for
n = 50, .069 and .023 for n = 100, .051 and .011 for n = 300; see `benchmarks/results/skewness_rules.csv`.
"""

_ALL_ALIKE = 1e-12
"""Residuals below this part of the largest sum are rounding."""

_KNOWN = "shape"

SHOWN = 2.0
"""A population is called skewed where a test of symmetry about the mean is beyond this many standard errors."""


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
    return shape_of(paired).skewness


def size_error(paired: PairedScores, alpha: float = 0.05) -> float:
    """By how much the one-sided size of a t-test, sign flip or bootstrap of the mean is predicted to be off.

    (2 z^2 + 1) phi(z) / 6 times |g| / sqrt(n), the first term of the Edgeworth expansion, g being the skewness of the
    differences and z the upper quantile of the normal distribution at alpha: .110 |g| / sqrt(n) at .05. With clusters,
    n is their number and g that of their sums. The smaller alpha, the larger the error in proportion to it.

    Notes
    -----
    Hall (1992), "The Bootstrap and Edgeworth Expansion", section 2.4.
    """
    shape = shape_of(paired)
    return edgeworth_error(alpha) * abs(shape.skewness) / math.sqrt(shape.n)


def edgeworth_error(alpha: float) -> float:
    """Size error of a one-sided test of a mean at a level, by the skewness of the mean: (2 z^2 + 1) phi(z) / 6.

    Examples
    --------
    >>> [round(edgeworth_error(alpha), 3) for alpha in (0.05, 0.01, 0.001)]
    [0.11, 0.053, 0.011]
    """
    if alpha == 0.05:
        return SIZE_ERROR
    z = float(ndtri(1 - alpha))
    return (2 * z * z + 1) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi) / 6


def is_skewed(paired: PairedScores) -> bool:
    """Whether the skewness calls for the bootstrap-t: it matters, it is no chance, and enough units differ.

    It matters where n < 121 g^2, g being the skewness of the sample: the size of a one-sided test at .05 is then off by
    a percentage point. It is no chance where a test of symmetry says so; see `shows_skewness`. Never of ordinal scores,
    nor of right-or-wrong ones without clusters and weights, whose tests are exact; and never where fewer than 20 units
    differ, of which resamples say too little.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.arange(1.0, 31.0) ** 4, b=np.zeros(30))
    >>> is_skewed(paired)
    True
    """
    if not paired.of_a_mean or paired.unit != "instance":
        return False
    return shape_of(paired).n_nonzero >= FEWEST_NONZERO and skewness_matters(paired) and shows_skewness(paired)


def skewness_matters(paired: PairedScores) -> bool:
    """Whether a one-sided test of the mean at .05 would be off by more than a percentage point: n < 121 g^2."""
    return size_error(paired) > TOLERATED_SIZE_ERROR


def shows_skewness(paired: PairedScores) -> bool:
    """Whether the sample shows, beyond its sampling error, that the population is skewed as the sample is.

    The sample skewness of symmetric, heavy-tailed differences is often large: of 100 differences with Student's t
    distribution with 2 degrees of freedom, n < 121 g^2 holds in two samples of three. So one of two tests of symmetry
    about the mean has to reject as well: that of `Shape.cubic`, or that of `Shape.robust` in the same direction.

    Notes
    -----
    Chosen by simulation among sixteen rules: at .05 and .01, mean size on symmetric differences stays within a tenth of
    that of the exact sign flip, and on skewed ones it is the least; see `benchmarks/skewness_rules.py`.

    Examples
    --------
    >>> rng = np.random.default_rng(5)
    >>> heavy, skewed = rng.standard_t(2, size=100), rng.exponential(size=100)
    >>> samples = [PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=differences, b=np.zeros(100)) for differences in (heavy, skewed)]
    >>> [skewness_matters(sample) for sample in samples], [shows_skewness(sample) for sample in samples]
    ([True, True], [False, True])
    """
    shape = shape_of(paired)
    return abs(shape.cubic) > SHOWN or shape.robust * math.copysign(1.0, shape.skewness) > SHOWN


def has_outliers(paired: PairedScores) -> bool:
    """Whether the sample skewness is beyond what normal differences show, by two standard errors.

    It is then no noise, but may come from heavy tails as well as from skewness: see `shows_skewness`.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.append(np.arange(29.0), 200.0), b=np.zeros(30))
    >>> has_outliers(paired)
    True
    """
    shape = shape_of(paired)
    n = shape.n
    return n > 2 and abs(shape.skewness) > 2 * math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))


def is_strained(paired: PairedScores) -> bool:
    """Whether differences are so skewed, or so few, that the bootstrap-t cannot be trusted to its level either.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.arange(1.0, 31.0) ** 4, b=np.zeros(30))
    >>> is_strained(paired)
    True
    """
    shape = shape_of(paired)
    return shape.n < STRAINED * shape.skewness**2 or shape.n_nonzero < ENOUGH_NONZERO


@dataclass(frozen=True, slots=True)
class Shape:
    """How the differences (sums of clusters) lie about their mean.

    Parameters
    ----------
    skewness : float
        m3 / m2^1.5; 0 if all are alike.
    cubic : float
        Test of symmetry by the third moment: with z the differences minus their mean in standard deviations, the sum
        of z^3 - 3 z divided by the root of the sum of its squares; about standard normal, or smaller, under symmetry.
    robust : float
        The same with the bounded function u / (1 + |u|) of u, the differences minus their mean in mean absolute
        deviations, in place of z^3: no single difference can carry it. Positive if skewed to the right.
    n : int
        Units.
    n_nonzero : int
        Units on which A and B differ.
    """

    skewness: float
    cubic: float
    robust: float
    n: int
    n_nonzero: int

    def swapped(self) -> Shape:
        """The shape of the differences with the opposite sign."""
        return replace(self, skewness=0.0 - self.skewness, cubic=0.0 - self.cubic, robust=0.0 - self.robust)


def shape_of(paired: PairedScores) -> Shape:
    """Skewness, tests of symmetry about the mean, and number of units of a pair."""
    return remembered(paired.known, _KNOWN, lambda: _of_units([sorted_units(paired)])[0])


def shapes_ahead(samples: Sequence[PairedScores]) -> None:
    """Find the shapes of many pairs at once, where `shape_of` finds them."""
    by_size: dict[int, list[PairedScores]] = {}
    for paired in samples:
        if _KNOWN not in paired.known:
            by_size.setdefault(sorted_units(paired).n, []).append(paired)
    for together in by_size.values():
        for paired, shape in zip(together, _of_units(list(map(sorted_units, together))), strict=True):
            paired.known[_KNOWN] = shape


def shapes_of_rows(residuals: NDArray[np.float64], n_nonzero: Sequence[int]) -> list[Shape]:
    """The shapes of rows of values, each with the mean 0; none depends on the other rows.

    Notes
    -----
    Both tests of symmetry are sums of influence functions: the second term, 3 z or c u, is what the estimated mean
    takes away from the first, c being the mean derivative 1 / (1 + |u|)^2. The bounded function is Fair's (Rey 1983,
    "Introduction to Robust and Quasi-Robust Statistical Methods", section 6.4.2). Under symmetry, signs of the terms
    are those of fair coins, and a sum of them divided by the root of the sum of squares has variance 1.
    """
    largest = np.abs(residuals).max(axis=1, initial=0.0)
    r = residuals / _or_one(largest)
    z = r / _or_one(np.sqrt(np.square(r).mean(axis=1)))
    u = r / _or_one(np.abs(r).mean(axis=1))
    slope = (1.0 / np.square(1.0 + np.abs(u))).mean(axis=1)
    found = (
        (np.square(z) * z).mean(axis=1),
        _normalised(z**3 - 3.0 * z),
        _normalised(slope[:, None] * u - u / (1.0 + np.abs(u))),
    )
    rows = zip(*(column.tolist() for column in found), n_nonzero, strict=True)
    n = residuals.shape[1]
    return [Shape(skew, cubic, robust, n, differing) for skew, cubic, robust, differing in rows]


def _normalised(terms: NDArray[np.float64]) -> NDArray[np.float64]:
    sizes = np.sqrt(np.square(terms).sum(axis=1))
    return np.asarray(terms.sum(axis=1) / _or_one(sizes)[:, 0])


def _or_one(scales: NDArray[np.float64]) -> NDArray[np.float64]:
    """As a column, with 1 in the place of 0: all values of the row are 0 then."""
    return np.where(scales > 0.0, scales, 1.0)[:, None]


def _of_units(units: Sequence[Units]) -> list[Shape]:
    """Of as many units each."""
    sums, sizes = np.array([each.sums for each in units]), np.array([each.sizes for each in units])
    residuals = sums - sizes * (sums.sum(axis=1) / sizes.sum(axis=1))[:, None]
    residuals[np.abs(residuals).max(axis=1) <= _ALL_ALIKE * np.abs(sums).max(axis=1)] = 0.0
    shapes = shapes_of_rows(residuals, np.count_nonzero(sums, axis=1).tolist())
    return [shape.swapped() if each.swapped else shape for shape, each in zip(shapes, units, strict=True)]
