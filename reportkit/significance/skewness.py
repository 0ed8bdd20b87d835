"""Skewness of differences: how it is measured, how far it can spoil a test of their mean, and the findings about it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from reportkit.finding import Finding
from reportkit.language import fixed
from reportkit.scores.designs import Units, sorted_units
from reportkit.scores.sample import Sample
from reportkit.significance.cautions import (
    LEVEL,
    TOLERATED_SIZE_ERROR,
    caution,
    edgeworth_error,
    levels_used,
    rounded_percent,
    sizes_text,
)
from reportkit.significance.outcome import Outcome

IfSkewed = Literal["nothing", "off level", "other claim", "allowed for"]
"""Effect of skewed differences on a test.

`nothing`: the claim is about something else, or the test is exact whatever the shape; `off level`: its size is off
where units are few, and right for many; `other claim`: it tests something else than the mean, and rejects equal means
the more often, the more units there are; `allowed for`: its distribution is that of skewed differences.
"""

FEWEST_NONZERO = 20
"""With fewer differing units the bootstrap-t is worse than a sign flip: resamples of so few say little.

Simulated one-sided size at .05 for n = 100 instances; about m differ, by +1 or -1 with the same probability:
bootstrap-t .099 (m = 5), .058 (m = 10), .060 (m = 20); sign-flip .013, .017, .033. For differences that are 1 minus an
exponential variable: bootstrap-t .238, .188, .108 and, for m = 50, .069; sign-flip .074, .143, .108 and .081.
"""

FAINT = 0.1
"""Losses that add up to less than this part of the gains do not show how large a loss can be."""

SHARE_UNSEEN = 3
"""By n, the largest share of units that may differ in kind from all n that were seen."""

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


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of the differences (sums of clusters) about their mean.

    Parameters
    ----------
    skewness : float
        m3 / m2^1.5; 0 if all are alike. Positive if A wins rarely but by much; that of B against A is the negative.
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
    units : Units
        The units themselves.

    Examples
    --------
    >>> rng = np.random.default_rng(5)
    >>> heavy, skewed = rng.standard_t(2, size=100), rng.exponential(size=100)
    >>> shapes = [shape_of(Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                           a=differences, b=np.zeros(100))) for differences in (heavy, skewed)]
    >>> [shape.matters for shape in shapes], [shape.is_shown for shape in shapes]
    ([True, True], [False, True])
    """

    skewness: float
    cubic: float
    robust: float
    n: int
    n_nonzero: int
    units: Units

    def size_error(self, alpha: float = LEVEL) -> float:
        """Return by how much the one-sided size of a t-test, sign flip or bootstrap of the mean should be off.

        (2 z^2 + 1) phi(z) / 6 times |g| / sqrt(n), the first term of the Edgeworth expansion, g being the skewness of
        the differences and z the upper quantile of the normal distribution at alpha: .110 |g| / sqrt(n) at .05. With
        clusters, n is their number and g that of their sums. The smaller alpha, the larger the error in proportion.

        Notes
        -----
        Hall (1992), "The Bootstrap and Edgeworth Expansion", section 2.4.
        """
        return edgeworth_error(alpha) * abs(self.skewness) / math.sqrt(self.n)

    @property
    def matters(self) -> bool:
        """Return whether a one-sided test of the mean at .05 would be off by more than a point: n < 121 g^2."""
        return self.size_error() > TOLERATED_SIZE_ERROR

    @property
    def is_shown(self) -> bool:
        """Return whether the sample shows, beyond its sampling error, that the population is skewed as the sample is.

        The sample skewness of symmetric, heavy-tailed differences is often large: of 100 differences with Student's t
        distribution with 2 degrees of freedom, n < 121 g^2 holds in two samples of three. So one of two tests of
        symmetry about the mean has to reject as well: that of `cubic`, or that of `robust` in the same direction.
        Fewer than 20 units that differ show nothing.

        Notes
        -----
        Chosen by simulation among sixteen rules: at .05 and .01, mean size on symmetric differences stays within a
        tenth of that of the exact sign flip, and on skewed ones it is the least.
        """
        towards = self.robust * math.copysign(1.0, self.skewness)
        return self.n_nonzero >= FEWEST_NONZERO and (abs(self.cubic) > SHOWN or towards > SHOWN)

    @property
    def has_outliers(self) -> bool:
        """Return whether the sample skewness is beyond what normal differences show, by two standard errors.

        It is then no noise, but may come from heavy tails as well as from skewness: see `is_shown`.
        """
        n = self.n
        return n > 2 and abs(self.skewness) > 2 * math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))

    @property
    def is_strained(self) -> bool:
        """Return whether differences are so skewed, or so few, that the bootstrap-t cannot be trusted either."""
        return self.n < STRAINED * self.skewness**2 or self.n_nonzero < ENOUGH_NONZERO


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
        return Shape(0.0, 0.0, 0.0, units.n, n_nonzero, units)
    r = residuals / largest
    z, u = r / math.sqrt(float(np.square(r).mean())), r / float(np.abs(r).mean())
    cubes, bounds = np.square(z) * z, 1.0 / (1.0 + np.abs(u))
    cubic, robust = (
        float(terms.sum()) / (math.sqrt(float(np.square(terms).sum())) or 1.0)
        for terms in (cubes - 3.0 * z, u * (float(np.square(bounds).mean()) - bounds))
    )
    sign = -1.0 if units.swapped else 1.0
    return Shape(sign * float(cubes.mean()), sign * cubic, sign * robust, units.n, n_nonzero, units)


def is_skewed(paired: Sample, shape: Shape | None = None) -> bool:
    """Return whether the skewness calls for the bootstrap-t: it matters, it is no chance, and enough units differ.

    It matters where n < 121 g^2, g being the skewness of the sample: the size of a one-sided test at .05 is then off by
    a percentage point. Never of ordinal scores, nor of right-or-wrong ones without clusters and weights, whose tests
    are exact.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.arange(1.0, 31.0) ** 4, b=np.zeros(30))
    >>> is_skewed(paired)
    True
    """
    if not paired.of_a_mean or paired.unit != "instance":
        return False
    shape = shape or shape_of(paired)
    return shape.matters and shape.is_shown


SMALL_SAMPLE = 20
"""With fewer instances, a finding speaks of n alone: neither power nor the shape of the differences can be trusted."""


def size_where_skewed(n_nonzero: int, alpha: float) -> float:
    """Return the size that the default test of a mean can reach at a level where differences are strongly skewed.

    Parameters
    ----------
    n_nonzero : int
        Units on which A and B differ.
    alpha : float
        One-sided level.

    Notes
    -----
    Curves through the simulated sizes for differences that are a constant minus a lognormal variable: .8 alpha^.46 for
    10 to 20 units (the sign flip), .5 alpha^.5 for 30 (mostly the bootstrap-t), .64 alpha^.65 for 50 (the bootstrap-t);
    see docs/methods.md.

    Examples
    --------
    >>> [round(size_where_skewed(n, 0.05), 2) for n in (10, 30, 50)], round(size_where_skewed(30, 0.01), 3)
    ([0.2, 0.11, 0.09], 0.05)
    """
    if n_nonzero < FEWEST_NONZERO:
        return 0.8 * math.pow(alpha, 0.46)
    return 0.5 * math.sqrt(alpha) if n_nonzero < ENOUGH_NONZERO else 0.64 * math.pow(alpha, 0.65)


def shape_findings(
    paired: Sample, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float] = (), shape: Shape | None = None
) -> Iterator[Finding]:
    """Warn where the shape of the differences spoils a test of a claim about their mean.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    outcome : Outcome
        What the test found.
    if_skewed : str
        What skewness does to the test; see `SignificanceTest`.
    thresholds : sequence of float
        Levels that p-values are compared with. Findings give sizes at .05 and at the smallest of them.
    shape : Shape, optional
        Of the differences, if it is known.

    Yields
    ------
    Finding
        `skewed-differences` where they are skewed, a warning where the size of the test can be off by more than a
        percentage point at .05. `large-differences` where a few weigh so heavily that they may be. `skewness-unseen`
        where too few units differ to see it: a warning where there are fewer than 20 units, less than half of them
        differ, or none favours one of the systems, else a note. `one-sided-differences` where (nearly) all that differ
        favour one system, and losses too rare to be seen could cancel the mean. `rank-test-of-mean` of a test of
        symmetry. Nothing for ordinal scores, nor for right-or-wrong ones without clusters and weights, whose tests are
        exact.

    Notes
    -----
    The one-sided test of A better than B rejects a true null hypothesis too often if the skewness is negative, and too
    seldom if it is positive. By the first term of the Edgeworth expansion, the size of a one-sided t, sign-flip or
    bootstrap test at .05 is off by about .110 |g| / sqrt(n): Hall (1992), "The Bootstrap and Edgeworth Expansion",
    section 2.4. If something was not seen among n units, its share is at most about 3 / n, at 95% confidence:
    Hanley and Lippman-Hand (1983), "If nothing goes wrong, is everything all right?".

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.significance.entry import ResamplingPlan
    >>> from reportkit.significance.tests.paired_means import paired_t
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.append(np.zeros(6), np.linspace(1.2, 1.3, 54)), b=np.repeat([1.0, 1.1], [6, 54]))
    >>> for finding in shape_findings(paired, paired_t(paired, ResamplingPlan()), "off level", (0.05, 0.005)):
    ...     print(finding.message)
    The differences are skewed (skewness −2.63, n = 60), and the paired t-test does not allow for it: if the means were
    equal, it would still find 'a' better about 8.7% of the time at level .05, and 1.7% at .005, the smallest level used
    here.
    """
    if if_skewed == "nothing" or not paired.of_a_mean:
        return
    where = paired.label
    if if_skewed == "other claim":
        yield caution("rank-test-of-mean", where, test=outcome.title)
        return
    shape = shape or shape_of(paired)
    noun = f"{paired.unit if paired.clusters is None else paired.cluster_noun}s"
    small = paired.unit == "instance" and paired.n < SMALL_SAMPLE
    levels = levels_used(outcome, thresholds)
    if (shape.n_nonzero >= FEWEST_NONZERO or small) and shape.matters and (shape.is_shown or shape.has_outliers):
        yield _skewed(paired, shape, outcome, if_skewed, levels, noun)
    elif shape.n_nonzero < ENOUGH_NONZERO and not small:
        one_sided = not shape.units.sums.min() < 0 < shape.units.sums.max()
        doubtful = shape.n < SMALL_SAMPLE or 2 * shape.n_nonzero < shape.n or one_sided
        yield caution(
            "skewness-unseen",
            where,
            severity="warning" if doubtful else "info",
            advise=doubtful,
            units=noun,
            n=shape.n_nonzero,
            for_instance=_for_instance(shape.n_nonzero, levels if doubtful else (LEVEL,)),
        )
    if paired.unit == "instance":
        yield from _one_sided(paired, shape.units, noun)


def small_sample(
    sample: Sample, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float] = (), shape: Shape | None = None
) -> Finding:
    """Warn of few instances: of low power, and of a test of a mean whose size skewness could spoil."""
    where = f"{sample.label} (n = {sample.n})"
    if sample.shape == "paired" and sample.of_a_mean and if_skewed in ("off level", "allowed for"):
        said = _for_instance((shape or shape_of(sample)).n_nonzero, levels_used(outcome, thresholds))
        return caution("small-sample/skewness", where, limit=SMALL_SAMPLE, for_instance=said)
    return caution("small-sample", where, limit=SMALL_SAMPLE)


def _for_instance(n_nonzero: int, levels: Sequence[float]) -> str:
    """Return one simulated size, with its design, as a clause."""
    sizes = [(alpha, size_where_skewed(n_nonzero, alpha)) for alpha in levels]
    return (
        "for instance, where differences are a constant minus a lognormal variable, a system that is not better is "
        f"called so about {sizes_text(sizes)}"
    )


def _skewed(
    paired: Sample, shape: Shape, outcome: Outcome, if_skewed: IfSkewed, levels: Sequence[float], noun: str
) -> Finding:
    alone = paired.clusters is None
    size = "n" if alone else f"number of {noun}"
    values: dict[str, Any] = {
        "differences": "differences" if alone else f"sums of differences of the {noun}",
        "figures": f"skewness {fixed(shape.skewness, 2)}, {size} = {shape.n:,}",
        "test": outcome.title,
        "favoured": paired.system_a if shape.skewness < 0 else paired.system_b,
        "sizes": sizes_text([(alpha, min(1.0, alpha + shape.size_error(alpha))) for alpha in levels]),
        "for_instance": _for_instance(shape.n_nonzero, levels),
        "units": noun,
        "bootstrap": "choose the test 'bootstrap-t'; " if paired.unit == "instance" else "",
    }
    key = "skewed-differences" if shape.is_shown else "large-differences"
    if if_skewed == "allowed for":
        key += "/strained" if shape.is_shown and shape.is_strained else "/allowed for"
    return caution(key, paired.label, **values)


def _one_sided(paired: Sample, units: Units, noun: str) -> Iterator[Finding]:
    """Say how large unseen losses would have to be to cancel the mean, where hardly any was seen."""
    nonzero = units.sums[units.sums != 0]
    fainter, stronger = sorted((float(nonzero[nonzero > 0].sum()), -float(nonzero[nonzero < 0].sum())))
    if units.n <= SHARE_UNSEEN or not fainter < FAINT * stronger:
        return
    needed = abs(units.mean) * units.n / SHARE_UNSEEN
    scores = (float(paired.a.min()), float(paired.b.min())), (float(paired.a.max()), float(paired.b.max()))
    alike = float(nonzero.max() - nonzero.min()) <= 1e-12 * float(abs(nonzero).max())
    without_variance = alike and nonzero.size == units.n
    if not without_variance and needed > max(max(scores[1]) - min(scores[0]), float(abs(paired.differences).max())):
        return
    favoured, other = paired.system_a, paired.system_b
    if paired.value_difference < 0:
        favoured, other = other, favoured
    every = "All" if nonzero.size == units.n else f"All {nonzero.size:,} differing"
    seen = f"{every} {noun} favour {favoured!r}{', all by the same amount' if alike else ''}."
    if fainter > 0:
        part = rounded_percent(fainter / stronger)
        seen = f"The losses of {favoured!r} on some {noun} are only {part} of its gains on others."
    yield caution(
        "one-sided-differences",
        paired.label,
        seen=seen,
        n=units.n,
        share=rounded_percent(SHARE_UNSEEN / units.n),
        units=noun,
        needed=needed,
        favoured=favoured,
        other=other,
    )
