"""Skewness of differences: how it is measured, and how far it can spoil a test of their mean."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeGuard

import numpy as np
from scipy.special import ndtri

from reportkit.finding import Finding, Severity
from reportkit.language.numerals import fixed, level_text, percent_text
from reportkit.scores.sample import Sample, remembered
from reportkit.significance.outcome import Outcome
from reportkit.significance.units import Units, sorted_units

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
    return remembered(paired.known, "shape", lambda: _shape(sorted_units(paired)))


def _shape(units: Units) -> Shape:
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


SMALL_SAMPLE = 20
"""With fewer instances, a finding speaks of n alone: neither power nor the shape of the differences can be trusted."""

_DOUBT = "do not rely on p-values close to the level"


def size_where_skewed(n_nonzero: int, alpha: float) -> float:
    """Size that the default test of a mean can reach at a level where differences are strongly skewed.

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
    paired: Sample, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float] = ()
) -> Iterator[Finding]:
    """Say what the shape of the differences does to a test that serves a claim about their mean.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    outcome : Outcome
        What the test found.
    if_skewed : str
        What skewness does to the test; see `SignificanceTest`.
    thresholds : sequence of float
        Levels that p-values are compared with. Sizes are said at .05 and at the smallest of them.

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
    section 2.4. That something was not seen among n units speaks against a share above 3 / n, at 95% confidence:
    Hanley and Lippman-Hand (1983), "If nothing goes wrong, is everything all right?".

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.significance.plan import ResamplingPlan
    >>> from reportkit.significance.tests.student_t import paired_t
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
    if if_skewed == "other claim":
        yield _of_signed_ranks(paired, outcome)
        return
    shape = shape_of(paired)
    looked_at = shape.n_nonzero >= FEWEST_NONZERO or is_small(paired)
    if looked_at and skewness_matters(paired) and (_is_shown(paired) or has_outliers(paired)):
        yield _skewed(paired, outcome, if_skewed, thresholds)
    elif shape.n_nonzero < ENOUGH_NONZERO and not is_small(paired):
        sums, units = sorted_units(paired).sums, _units(paired)
        doubtful = shape.n < SMALL_SAMPLE or 2 * shape.n_nonzero < shape.n or not sums.min() < 0 < sums.max()
        yield Finding(
            "skewness-unseen",
            "warning" if doubtful else "info",
            f"Too few {units} differ ({shape.n_nonzero:,}) to show skewness, which can make p-values too small: "
            f"{_for_instance(shape.n_nonzero, levels_used(outcome, thresholds) if doubtful else (LEVEL,))}.",
            where=paired.label,
            remedy=_more(paired) if doubtful else "",
        )
    if paired.unit == "instance" and (one_sided := _one_sided(paired)) is not None:
        yield one_sided


def is_small(paired: Sample) -> bool:
    """Return whether the finding on small samples speaks of this one."""
    return paired.unit == "instance" and paired.n < SMALL_SAMPLE


def is_spoilt(sample: Sample, if_skewed: IfSkewed) -> TypeGuard[Sample]:
    """Return whether skewness that so few units do not show would change the size of the test."""
    return sample.shape == "paired" and sample.of_a_mean and if_skewed in ("off level", "allowed for")


def small_sample_message(
    sample: Sample, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float] = ()
) -> str:
    """What so few instances mean: for power, and for the size of a test of a mean that skewness would spoil."""
    power = f"There are fewer than {SMALL_SAMPLE} instances, so differences that matter can easily be missed."
    if is_spoilt(sample, if_skewed):
        return (
            f"{power} So few cannot show whether differences are skewed, either. "
            "If they are, p-values can be too small: "
            f"{_for_instance(shape_of(sample).n_nonzero, levels_used(outcome, thresholds))}."
        )
    return power


def _for_instance(n_nonzero: int, levels: Sequence[float]) -> str:
    """One simulated size, with its design."""
    sizes = [(alpha, size_where_skewed(n_nonzero, alpha)) for alpha in levels]
    return (
        "for instance, where differences are a constant minus a lognormal variable, a system that is not better is "
        f"called so about {sizes_text(sizes)}"
    )


def _is_shown(paired: Sample) -> bool:
    return shape_of(paired).n_nonzero >= FEWEST_NONZERO and shows_skewness(paired)


def _skewed(paired: Sample, outcome: Outcome, if_skewed: IfSkewed, thresholds: Sequence[float]) -> Finding:
    shown, levels, remedy = _is_shown(paired), levels_used(outcome, thresholds), _more(paired)
    severity: Severity = "warning"
    units = "n" if paired.clusters is None else f"number of {_units(paired)}"
    differences = "differences" if paired.clusters is None else f"sums of differences of the {_units(paired)}"
    figures = f"skewness {fixed(skewness(paired), 2)}, {units} = {shape_of(paired).n:,}"
    seen = f"The {differences} are skewed ({figures})"
    if not shown:
        seen = (
            f"A few large {differences} weigh heavily in the mean ({figures}), and the sample does not show whether "
            "they are more often on one side in general"
        )
    if if_skewed == "allowed for":
        example = f"be too small: {_for_instance(shape_of(paired).n_nonzero, levels)}"
        message = f"{seen}; p-values can {example}."  # named by the user, or skewness that only resamples see
        if shown:
            message = f"{seen}; the {outcome.title} allows for that."
            if is_strained(paired):
                message += f" With so few or so skewed differences, p-values can still {example}."
            else:
                severity, remedy = "info", ""
    else:
        favoured = paired.system_a if skewness(paired) < 0 else paired.system_b
        sizes = sizes_text([(alpha, min(1.0, alpha + size_error(paired, alpha))) for alpha in levels])
        message = f"{seen}. If differences are as skewed in general, and the means equal, the {outcome.title} would"
        if shown:
            message = f"{seen}, and the {outcome.title} does not allow for it: if the means were equal, it would"
        message += f" still find {favoured!r} better about {sizes}."
        if shown and paired.unit == "instance":
            remedy = f"choose the test 'bootstrap-t'; {remedy}"
    code = "skewed-differences" if shown else "large-differences"
    return Finding(code, severity, message, paired.label, remedy)


def _of_signed_ranks(paired: Sample, outcome: Outcome) -> Finding:
    return Finding(
        "rank-test-of-mean",
        "warning",
        f"The {outcome.title} is a test of symmetry about 0, and one of the mean only if differences are symmetric; if "
        "not, it finds a system better whose mean is the same, the more often, the more instances there are.",
        where=paired.label,
        remedy="choose the test 'sign-flip' or 'bootstrap-t' for a claim about means, or claim no mean",
    )


def _one_sided(paired: Sample) -> Finding | None:
    """Say how large unseen losses would have to be to cancel the mean, where hardly any was seen."""
    units = sorted_units(paired)
    nonzero = units.sums[units.sums != 0]
    fainter, stronger = sorted((float(nonzero[nonzero > 0].sum()), -float(nonzero[nonzero < 0].sum())))
    if units.n <= SHARE_UNSEEN or not fainter < FAINT * stronger:
        return None
    needed = abs(units.mean) * units.n / SHARE_UNSEEN
    scores = (float(paired.a.min()), float(paired.b.min())), (float(paired.a.max()), float(paired.b.max()))
    alike = float(nonzero.max() - nonzero.min()) <= 1e-12 * float(abs(nonzero).max())
    without_variance = alike and nonzero.size == units.n
    if not without_variance and needed > max(max(scores[1]) - min(scores[0]), float(abs(paired.differences).max())):
        return None
    favoured, other = paired.system_a, paired.system_b
    if paired.value_difference < 0:
        favoured, other = other, favoured
    if fainter > 0:
        part = percent_text(float(f"{fainter / stronger:.2g}"))
        seen = f"The losses of {favoured!r} on some {_units(paired)} are only {part} of its gains on others."
    else:
        every = "All" if nonzero.size == units.n else f"All {nonzero.size:,} differing"
        seen = f"{every} {_units(paired)} favour {favoured!r}{', all by the same amount' if alike else ''}."
    return Finding(
        "one-sided-differences",
        "warning",
        f"{seen} A sample of "
        f"{units.n:,} can miss losses on up to about {_share_unseen(units.n)} of {_units(paired)}. Losses of "
        f"{needed:.2g} on that many would cancel the lead of {favoured!r} over {other!r}, and no test of this sample "
        "could show it.",
        where=paired.label,
        remedy=f"collect more {_units(paired)}, or claim no mean",
    )


def _share_unseen(n: int) -> str:
    """3 / n in percent: what nobody has seen among n units is rarer than that, at 95% confidence."""
    return percent_text(float(f"{SHARE_UNSEEN / n:.2g}"))


def _units(paired: Sample) -> str:
    return f"{paired.unit if paired.clusters is None else paired.cluster_noun}s"


def _more(paired: Sample) -> str:
    return f"collect more {_units(paired)}; {_DOUBT}"
