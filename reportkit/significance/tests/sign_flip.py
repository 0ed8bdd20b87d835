"""The sign-flip permutation test of the (weighted) mean difference, with its interval and margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.language import percent_text
from reportkit.scores.designs import Units, sorted_units
from reportkit.scores.sample import Sample
from reportkit.significance.entry import (
    MEASURED,
    NO_VARIANCE,
    IntervalMethod,
    PValues,
    ResamplingPlan,
    SignificanceTest,
)
from reportkit.significance.hypotheses import MEAN_SCORES
from reportkit.significance.interval import MarginTest
from reportkit.significance.null_sums import flip_ends
from reportkit.significance.nulls import RowTail, flip_tails
from reportkit.significance.outcome import Interval, Outcome, Tails, tail_level, title_of_mean
from reportkit.significance.tests.mcnemar import EXACT_WINS
from reportkit.significance.units import estimate_mean, student_t_interval, student_t_margin

Floats = NDArray[np.float64]

ACCURACY = 0.04
"""Error of an end, in standard errors, that a coarse lattice of scores can cause; of others it is about .001."""

HEAPED = 0.5
"""From this share of units with the same difference on, the test of a shifted mean rests on the other units alone.

Of 30 differences that are 1 with probability .01, -1 with .02 and else 0, the inverted sign flip alone holds the mean
in 76% of the samples that are not all 0: where only gains are seen, it rejects every loss on average, however small.
With Student's t interval these are 100%; with probabilities of .02 and .04, 84% and 99%.
"""

_DIGITS = 5
_NO_DIFFERENCE = 1e-12
"""Units that differ from the margin by less than this part of it show exactly the margin."""


def sign_flip(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the sign-flip permutation test of the mean difference.

    If swapping the outputs of A and B changes nothing, the sign of each difference (of each cluster's sum of
    differences) is that of a fair coin: p is the share of the 2^m sign patterns whose sum is at least the observed
    one: exact, or an upper bound that is about 1% too large.

    Parameters
    ----------
    paired : Sample
        Scores whose mean says something.
    plan : ResamplingPlan
        Not needed.

    Notes
    -----
    Null hypothesis: the differences (sums of clusters) are symmetric about 0. Under it the test is exact; it is also
    valid for a mean difference of at most 0 as n grows. Its exactness needs no distribution, but skewed differences
    spoil a one-sided test of the mean at small n: see `shape_findings`. Fisher (1935), "The Design of Experiments",
    section 21; Phipson and Smyth (2010) for the added 1.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> outcome = sign_flip(paired, ResamplingPlan())
    >>> outcome.p_greater, outcome.n_nonzero, outcome.p_min, outcome.method
    (0.125, 3, 0.125, 'exact')
    """
    return sign_flips([paired], plan, [None])[0]


def sign_flips(samples: Sequence[Sample], plan: ResamplingPlan, known: Sequence[Units | None]) -> list[Outcome]:
    """Test many pairs as `sign_flip` does one; their units may be known."""
    units = [own or sorted_units(paired) for paired, own in zip(samples, known, strict=True)]
    outcomes = []
    for paired, own, tails in zip(samples, units, sign_flip_tails(units), strict=True):
        n, p_values = int(np.count_nonzero(own.sums)), (tails.p_greater, tails.p_less)
        found = None if plan.level is None else _interval(paired, plan.level, plan.seed, p_values, own)
        outcomes.append(SIGN_FLIP.outcome(paired, tails, statistic_name="mean difference", n_nonzero=n, interval=found))
    return outcomes


def sign_flip_tails(units: Sequence[Units]) -> list[Tails]:
    """Return the tails of the sums of many pairs, in favour of A; pairs with equally many units at once."""
    found: dict[int, Tails] = {}
    for n in {own.n for own in units}:
        alike = [index for index, own in enumerate(units) if own.n == n]
        rows = np.stack([units[index].sums for index in alike])
        for index, row, tail in zip(alike, rows, flip_tails(rows).each(), strict=True):
            tails = tails_of(tail, row)
            found[index] = tails.swapped() if units[index].swapped else tails
    return [found[index] for index in range(len(units))]


def tails_of(tail: RowTail, values: Floats) -> Tails:
    """Return the tails of a sum of values with random signs, which has 2^m patterns if m values are not 0."""
    n_nonzero = int(np.count_nonzero(values))
    return Tails.computed(tail, p_min=math.ldexp(1.0, -n_nonzero)) if n_nonzero else Tails.of_no_difference()


def sign_flip_interval(
    paired: Sample, confidence_level: float = 0.95, p_values: PValues = (1.0, 1.0), units: Units | None = None
) -> Interval | None:
    """Return the interval of mean differences that the sign-flip test does not reject, each side at (1 - level) / 2.

    A difference m is taken off each instance (W_c m off the sum of a cluster of size W_c); the share of sign patterns
    that favour A as much as what is left only grows with m, so that the differences that are not rejected are an
    interval. Of up to 16 units its ends are means of subsets of them, found exactly; of more units they are right to a
    thousandth of a standard error, or, where the scores lie on a coarse lattice, to a few hundredths. Where half of the
    units or more have the same difference, most often 0, they cannot be symmetric about another one, and an end reaches
    at least as far as that of Student's t interval; see `_is_heaped`.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).
    p_values : tuple of float
        One-sided p-values of the test of no difference, for A and for B: an end that lies beyond 0 by less than its
        accuracy is 0 where the test does not reject.
    units : Units, optional
        Those of the pair, if they are known.

    Returns
    -------
    Interval or None
        None where no sign pattern is rare enough, 2^-n > (1 - level) / 2: five units cannot bound the difference at
        95%. None also if all units show the same difference.

    Notes
    -----
    Assumes independent units whose differences are symmetric about their mean, or many of them. Hartigan (1969), "Using
    subsample values as typical values"; for clusters, the same with their sums and sizes.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.1, 0.2, 0.4, 0.5, 0.7, 0.9]), b=np.zeros(6))
    >>> interval = sign_flip_interval(paired)
    >>> interval.low, interval.high, interval.title
    (0.1, 0.9, 'sign-flip interval of the mean')
    """
    units = units or sorted_units(paired)
    error = units.standard_error
    if error is None:
        return None
    alpha = tail_level(confidence_level)
    low, high = (float(ends[0]) for ends in flip_ends(units.sums[None, :], units.sizes[None, :], alpha))
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    low, high = (-high, -low) if units.swapped else (low, high)
    low, high = _end(low, error, p_values[0] <= alpha), -_end(-high, error, p_values[1] <= alpha)
    student = student_t_interval(paired, confidence_level) if _is_heaped(units) else None
    if student is not None:
        low, high = min(low, student.low), max(high, student.high)
    title = title_of_mean(paired, "sign-flip interval", "whole-cluster")
    return Interval(
        low=low + 0.0, high=high + 0.0, level=confidence_level, title=title, citation="hartigan1969subsample"
    )


def _end(low: float, error: float, rejected: bool) -> float:
    """Return the lower end, rounded; 0 if it is above 0 by less than its accuracy and the test does not reject."""
    if not rejected and 0 < low <= ACCURACY * error:
        return 0.0
    return rounded_end(low, error)


def rounded_end(end: float, error: float) -> float:
    """Round to the digits that are more than noise of the search; never to 0."""
    digits = _DIGITS - math.floor(math.log10(error))
    return round(end, digits) or end


def _is_heaped(units: Units) -> bool:
    """Return whether half of the units have the same difference, so that they cannot be symmetric about another."""
    half = math.ceil(HEAPED * units.n)
    values = np.round(np.sort(units.sums / units.sizes, kind="stable"), 12)  # mostly sorted
    return bool((values[half - 1 :] == values[: values.size - half + 1]).any())


def _margin(paired: Sample, margin: float, seed: int) -> MarginTest | None:
    """Test the mean against a margin; where half of the units tie, by the larger p-value of it and of Student's t."""
    if not paired.of_a_mean:
        return EXACT_WINS.margin(paired, margin, seed)
    if estimate_mean(paired).standard_error is None:
        return None
    flip = sign_flip_margin(paired, margin)
    student = student_t_margin(paired, margin) if margin and _is_heaped(sorted_units(paired)) else None
    if student is None:
        return flip
    zero = sign_flip_margin(paired, 0.0)
    return replace(
        flip,
        p_greater=min(max(flip.p_greater, student.p_greater), zero.p_greater if margin < 0 else 1.0),
        p_less=min(max(flip.p_less, student.p_less), zero.p_less if margin > 0 else 1.0),
    )


def sign_flip_margin(paired: Sample, margin: float) -> MarginTest:
    """Test by permutation whether A is better than B by more than a margin, on average.

    The margin is taken off each difference (W_c times the margin off the sum of a cluster of size W_c); the p-value is
    the share of sign patterns of what is left whose sum is at least the observed one. At margin 0 it is the sign-flip
    test.

    Parameters
    ----------
    paired : Sample
        Scores whose mean says something.
    margin : float
        In units of the score, oriented.

    Returns
    -------
    MarginTest
        Its statistic is the difference minus the margin.

    Raises
    ------
    SettingsError
        If the margin is not finite.
    DesignError
        If the scores are ordinal, or right or wrong without clusters and weights: differences of -1, 0 and 1 cannot be
        symmetric about another margin than 0.

    Notes
    -----
    Null hypothesis: differences are symmetric about the margin, or a value below it. Fisher (1935), "The Design of
    Experiments", section 21.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> round(sign_flip_margin(paired, -0.1).p_greater, 6)  # 0.2, 0.1, 0.3 and 0.6: one pattern of 16
    0.0625
    """
    units = sorted_units(paired)
    shift = -margin if units.swapped else margin
    values = units.sums - units.sizes * shift
    values[np.abs(values) <= _NO_DIFFERENCE * np.abs(units.sizes * shift)] = 0.0
    values = np.sort(values[values != 0])
    tails = tails_of(flip_tails(values[None, :]).each()[0], values) if values.size else Tails.of_no_difference()
    if units.swapped:
        tails = tails.swapped()
    return MarginTest(
        margin=margin,
        estimate=paired.value_difference,
        statistic=paired.value_difference - margin,
        p_greater=tails.p_greater,
        p_less=tails.p_less,
        title="sign-flip permutation test of the mean",
        citation="fisher1935design",
    )


def _interval(paired: Sample, level: float, seed: int, p_values: PValues, own: Units | None = None) -> Interval | None:
    """Return the interval; of right-or-wrong scores that stand alone, the sign flip is the exact McNemar test."""
    if not paired.of_a_mean:
        return EXACT_WINS.interval(paired, level, seed, p_values)
    return sign_flip_interval(paired, level, p_values, own)


def cannot_bound(paired: Sample, level: float) -> str:
    """Say why there is no interval: too few units, or no variance."""
    if math.ldexp(1.0, -sorted_units(paired).n) <= tail_level(level):
        return NO_VARIANCE
    n, unit = (paired.n, f"{paired.unit}s") if paired.n_clusters is None else (paired.n_clusters, "clusters")
    if paired.cluster_noun == "instance":
        unit = "instances"
    return f"{n} {unit if n != 1 else unit.removesuffix('s')} cannot bound the difference at {percent_text(level)}"


SIGN_FLIP = SignificanceTest(
    name="sign-flip",
    title="sign-flip permutation test of the mean",
    resamples=True,
    function=sign_flip,
    kinds=MEASURED,
    uses_weights=True,
    interval=IntervalMethod(interval=_interval, margin=_margin, silence=cannot_bound),
    estimand="mean difference",
    hypotheses=MEAN_SCORES,
    assumptions=("differences are symmetric about 0 where the systems are equally good, or there are many of them",),
    citation="fisher1935design",
    summary="Permutation test of the mean difference, exact for symmetric differences; flips whole clusters.",
    title_with_clusters="sign-flip permutation test of the mean with whole clusters",
    together=sign_flips,
    if_skewed="off level",
)
