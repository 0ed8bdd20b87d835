"""Skewness of differences: how it is measured, and how far it can spoil a test of their mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtri

from reportkit.language.numerals import level_text, percent_text
from reportkit.scores.sample import Sample
from reportkit.significance.outcome import Outcome
from reportkit.significance.units import sorted_units

IfSkewed = Literal["nothing", "off level", "other claim", "allowed for"]
"""What skewed differences do to a test that serves a claim about their mean.

`nothing`: the claim is about something else, or the test is exact whatever the shape; `off level`: its size is off
where units are few, and right for many; `other claim`: it tests something else than the mean, and rejects equal means
the more often, the more units there are; `allowed for`: its distribution is that of skewed differences.
"""

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
n = 50, .069 and .023 for n = 100, .051 and .011 for n = 300; see docs/methods.md.
"""

_ALL_ALIKE = 1e-12
"""Residuals below this part of the largest sum are rounding."""

SHOWN = 2.0
"""A population is called skewed where a test of symmetry about the mean is beyond this many standard errors."""


def skewness(paired: Sample) -> float:
    """Sample skewness of the differences (of the sums of clusters), m3 / m2^1.5; 0 if all are alike.

    Positive if A wins rarely but by much; that of B against A is the negative.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([1.0, 1.0, 1.0, 5.0]), b=np.ones(4))
    >>> round(skewness(paired), 4)
    1.1547
    """
    return shape_of(paired).skewness


def size_error(paired: Sample, alpha: float = 0.05) -> float:
    """Return by how much the one-sided size of a t-test, sign flip or bootstrap of the mean is predicted to be off.

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


def is_skewed(paired: Sample) -> bool:
    """Return whether the skewness calls for the bootstrap-t: it matters, it is no chance, and enough units differ.

    It matters where n < 121 g^2, g being the skewness of the sample: the size of a one-sided test at .05 is then off by
    a percentage point. It is no chance where a test of symmetry says so; see `shows_skewness`. Never of ordinal scores,
    nor of right-or-wrong ones without clusters and weights, whose tests are exact; and never where fewer than 20 units
    differ, of which resamples say too little.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.arange(1.0, 31.0) ** 4, b=np.zeros(30))
    >>> is_skewed(paired)
    True
    """
    if not paired.of_a_mean or paired.unit != "instance":
        return False
    return shape_of(paired).n_nonzero >= FEWEST_NONZERO and skewness_matters(paired) and shows_skewness(paired)


def skewness_matters(paired: Sample) -> bool:
    """Return whether a one-sided test of the mean at .05 would be off by more than a percentage point: n < 121 g^2."""
    return size_error(paired) > TOLERATED_SIZE_ERROR


def shows_skewness(paired: Sample) -> bool:
    """Return whether the sample shows, beyond its sampling error, that the population is skewed as the sample is.

    The sample skewness of symmetric, heavy-tailed differences is often large: of 100 differences with Student's t
    distribution with 2 degrees of freedom, n < 121 g^2 holds in two samples of three. So one of two tests of symmetry
    about the mean has to reject as well: that of `Shape.cubic`, or that of `Shape.robust` in the same direction.

    Notes
    -----
    Chosen by simulation among sixteen rules: at .05 and .01, mean size on symmetric differences stays within a tenth of
    that of the exact sign flip, and on skewed ones it is the least.

    Examples
    --------
    >>> rng = np.random.default_rng(5)
    >>> heavy, skewed = rng.standard_t(2, size=100), rng.exponential(size=100)
    >>> samples = [Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                   a=differences, b=np.zeros(100)) for differences in (heavy, skewed)]
    >>> [skewness_matters(sample) for sample in samples], [shows_skewness(sample) for sample in samples]
    ([True, True], [False, True])
    """
    shape = shape_of(paired)
    return abs(shape.cubic) > SHOWN or shape.robust * math.copysign(1.0, shape.skewness) > SHOWN


def has_outliers(paired: Sample) -> bool:
    """Return whether the sample skewness is beyond what normal differences show, by two standard errors.

    It is then no noise, but may come from heavy tails as well as from skewness: see `shows_skewness`.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.append(np.arange(29.0), 200.0), b=np.zeros(30))
    >>> has_outliers(paired)
    True
    """
    shape = shape_of(paired)
    n = shape.n
    return n > 2 and abs(shape.skewness) > 2 * math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))


def is_strained(paired: Sample) -> bool:
    """Return whether differences are so skewed, or so few, that the bootstrap-t cannot be trusted to its level either.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.arange(1.0, 31.0) ** 4, b=np.zeros(30))
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


def shape_of(paired: Sample) -> Shape:
    """Return skewness, tests of symmetry about the mean, and number of units of a pair.

    Notes
    -----
    Both tests of symmetry are sums of influence functions: the second term, 3 z or c u, is what the estimated mean
    takes away from the first, c being the mean derivative 1 / (1 + |u|)^2. The bounded function is Fair's (Rey 1983,
    "Introduction to Robust and Quasi-Robust Statistical Methods", section 6.4.2). Under symmetry, signs of the terms
    are those of fair coins, and a sum of them divided by the root of the sum of squares has variance 1.
    """
    units = sorted_units(paired)
    residuals = units.sums - units.sizes * (units.sums.sum() / units.sizes.sum())
    largest, n_nonzero = float(np.abs(residuals).max()), int(np.count_nonzero(units.sums))
    if largest <= _ALL_ALIKE * float(np.abs(units.sums).max()):
        return Shape(0.0, 0.0, 0.0, units.n, n_nonzero)
    r = residuals / largest
    z, u = r / math.sqrt(float(np.square(r).mean())), r / float(np.abs(r).mean())
    slope = float((1.0 / np.square(1.0 + np.abs(u))).mean())
    cubic, robust = (
        float(terms.sum()) / (math.sqrt(float(np.square(terms).sum())) or 1.0)
        for terms in (z**3 - 3.0 * z, slope * u - u / (1.0 + np.abs(u)))
    )
    sign = -1.0 if units.swapped else 1.0
    return Shape(sign * float((np.square(z) * z).mean()), sign * cubic, sign * robust, units.n, n_nonzero)


LEVEL = 0.05
"""The level at which a size is always said."""


def levels_used(outcome: Outcome, thresholds: Sequence[float]) -> tuple[float, ...]:
    """.05, and the smallest level that the p-values are compared with and can reach.

    Parameters
    ----------
    outcome : Outcome
        Of the test.
    thresholds : sequence of float
        Of Holm's procedure and of k-hat, in falling order; see `ResamplingPlan`.
    """
    smallest = thresholds[-1] if thresholds else LEVEL
    return (LEVEL, smallest) if outcome.p_min <= smallest < LEVEL else (LEVEL,)


def sizes_text(sizes: Sequence[tuple[float, float]]) -> str:
    """Return the sizes at levels, as a clause.

    Parameters
    ----------
    sizes : sequence of (level, size)
        At `LEVEL` first.

    Examples
    --------
    >>> print(sizes_text([(0.05, 0.09)]))
    9% of the time at level .05
    >>> print(sizes_text([(0.05, 0.09), (0.0125, 0.0225)]))
    9% of the time at level .05, and 2.2% at .0125, the smallest level used here
    """
    (first, size), *others = sizes
    text = f"{_percent(size)} of the time at level {level_text(first)}"
    for level, size in others:
        text += f", and {_percent(size)} at {level_text(float(f'{level:.3g}'))}, the smallest level used here"
    return text


def size_at(level: float, simulated: Mapping[float, float]) -> float:
    """Size at a level, between simulated ones.

    Parameters
    ----------
    level : float
        In (0, 1).
    simulated : mapping of float to float
        Sizes by level. Between levels the logarithm of the size is linear in that of the level; outside, the size is in
        the same proportion to the level as at the nearest one.

    Examples
    --------
    >>> round(size_at(0.01, {0.05: 0.08, 0.002: 0.02}), 3), round(size_at(0.001, {0.05: 0.08, 0.002: 0.02}), 3)
    (0.04, 0.01)
    """
    levels = sorted(simulated)
    nearest = min(max(level, levels[0]), levels[-1])
    logs = [math.log(simulated[known]) for known in levels]
    size = math.exp(float(np.interp(math.log(nearest), [math.log(known) for known in levels], logs)))
    return min(1.0, size * level / nearest)


def _percent(size: float) -> str:
    return percent_text(float(f"{size:.2g}"))
