"""The intervals that invert the sign-flip test and the paired bootstrap of a (weighted) mean difference."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.interval import Interval, tail_level
from reportkit.intervals.means.student_t import estimate_mean, estimates_ahead, student_t_interval
from reportkit.intervals.means.units import Units, sorted_units, units_ahead
from reportkit.null_distributions import draw_end, flip_ends
from reportkit.scores.shapes.paired_scores import PairedScores, remembered_ahead
from reportkit.scores.shapes.sample import remembered

ACCURACY = 0.04
"""Error of an end, in standard errors, that a coarse lattice of scores can cause; of others it is about .001."""

HEAPED = 0.5
"""Share of units with the same difference from which on the others alone say what a shift of all would do.

Of 30 differences that are 1 with probability .01, -1 with .02 and else 0, the inverted sign flip alone holds the mean
in 76% of the samples that are not all 0: where only gains are seen, it rejects every loss on average, however small.
With Student's t interval these are 100%; with probabilities of .02 and .04, 84% and 99%.
"""

_DIGITS = 5
_NAME = "sign-flip interval", "hartigan1969subsample"


def sign_flip_interval(
    paired: PairedScores, confidence_level: float = 0.95, p_values: tuple[float, float] = (1.0, 1.0)
) -> Interval | None:
    """Interval of all mean differences that the sign-flip test does not reject, each side at (1 - level) / 2.

    A difference m is taken off each instance (W_c m off the sum of a cluster of size W_c); the share of sign patterns
    that favour A as much as what is left only grows with m, so that the differences that are not rejected are an
    interval. Of up to 16 units its ends are means of subsets of them, found exactly; of more units they are right to a
    thousandth of a standard error, or, where the scores lie on a coarse lattice, to a few hundredths. Where half of the
    units or more have the same difference, most often 0, they cannot be symmetric about another one, and an end reaches
    at least as far as that of Student's t interval; see `is_heaped`.

    Parameters
    ----------
    paired : PairedScores
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).
    p_values : tuple of float
        One-sided p-values of the test of no difference, for A and for B: an end that lies beyond 0 by less than its
        accuracy is 0 where the test does not reject.

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
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.1, 0.2, 0.4, 0.5, 0.7, 0.9]), b=np.zeros(6))
    >>> interval = sign_flip_interval(paired)
    >>> interval.low, interval.high, interval.title
    (0.1, 0.9, 'sign-flip interval of the mean')
    """
    estimate = estimate_mean(paired)
    if estimate.standard_error is None:
        return None
    units = sorted_units(paired)
    alpha = tail_level(confidence_level)
    low, high = map(float, remembered(paired.known, _known_as(alpha), lambda: _ends(units, alpha)))
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    low, high = _in_favour_of_a((low, high), units.swapped, estimate.standard_error, p_values, alpha)
    student = student_t_interval(paired, confidence_level) if is_heaped(paired) else None
    if student is not None:
        low, high = min(low, student.low), max(high, student.high)
    return _named(paired, low, high, confidence_level, *_NAME)


def sign_flip_intervals_ahead(samples: Sequence[PairedScores], confidence_level: float) -> None:
    """Compute the ends of many intervals at once, where `sign_flip_interval` finds them."""
    alpha = tail_level(confidence_level)
    alone = [paired for paired in samples if paired.clusters is None and paired.weights is None]
    units_ahead(alone)
    estimates_ahead(alone)
    remembered_ahead(alone, "heaped", _sums, _heaped_rows)
    remembered_ahead(
        [paired for paired in alone if estimate_mean(paired).standard_error is not None],
        _known_as(alpha),
        _sums,
        lambda rows: _both_ends(rows, np.ones_like(rows), alpha),
    )


def _sums(paired: PairedScores) -> NDArray[np.float64]:
    return sorted_units(paired).sums


def _known_as(alpha: float) -> str:
    return f"sign-flip ends at {alpha!r}"


def _ends(units: Units, alpha: float) -> NDArray[np.float64]:
    return np.asarray(_both_ends(units.sums[None, :], units.sizes[None, :], alpha)[0])


def _both_ends(sums: NDArray[np.float64], sizes: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """Return the ends of rows of units, shape (n_rows, 2)."""
    return np.stack((flip_ends(sums, sizes, alpha), -flip_ends(-sums, sizes, alpha)), axis=1)


def is_heaped(paired: PairedScores) -> bool:
    """Whether half of the units or more have the same difference, which a shift of all units would tear from 0.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.0, 0.0, 0.0, 0.0, 0.7, 0.9]), b=np.zeros(6))
    >>> is_heaped(paired)
    True
    """
    return remembered(paired.known, "heaped", lambda: _is_heaped(paired))


def _is_heaped(paired: PairedScores) -> bool:
    units = sorted_units(paired)
    return _heaped_rows(np.sort(units.sums / units.sizes)[None, :])[0]


def _heaped_rows(rows: NDArray[np.float64]) -> list[bool]:
    """Whether half of a sorted row or more is the same number."""
    half = math.ceil(HEAPED * rows.shape[1])
    further = rows.shape[1] - half + 1
    near = np.flatnonzero((rows[:, half - 1 :] - rows[:, :further] < 2e-12).any(axis=1))  # else no digits are alike
    values = np.round(rows[near], 12)
    heaped = np.zeros(rows.shape[0], dtype=np.bool_)
    heaped[near] = (values[:, half - 1 :] == values[:, :further]).any(axis=1)
    return heaped.tolist()


def can_bound(paired: PairedScores, confidence_level: float) -> bool:
    """Whether a sign flip of so many units can reject any difference at (1 - level) / 2.

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8, 0.2]), b=np.zeros(5))
    >>> can_bound(paired, 0.95), can_bound(paired, 0.9)
    (False, True)
    """
    return math.ldexp(1.0, -sorted_units(paired).n) <= tail_level(confidence_level)


def bootstrap_interval(paired: PairedScores, confidence_level: float = 0.95) -> Interval | None:
    """Interval of all mean differences that the paired bootstrap does not reject: [2 d - d*_high, 2 d - d*_low].

    d*_low and d*_high are the quantiles of the mean of infinitely many resamples, at (1 - level) / 2 and at
    (1 + level) / 2.

    Returns
    -------
    Interval or None
        None if all units show the same difference.

    Notes
    -----
    Assumes independent units, enough of them for resamples to stand for new test sets; of few units it covers too
    little. Davison and Hinkley (1997), "Bootstrap Methods and their Application", section 5.2.

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.arange(1.0, 101.0), b=np.full(100, 40.0))
    >>> interval = bootstrap_interval(paired)
    >>> round(interval.low, 1), round(interval.high, 1)
    (4.8, 16.2)
    """
    estimate = estimate_mean(paired)
    if estimate.standard_error is None:
        return None
    units = sorted_units(paired)
    alpha = tail_level(confidence_level)
    low = draw_end(units.sums, units.sizes, alpha)
    high = -draw_end(-units.sums, units.sizes, alpha)
    if units.swapped:
        low, high = -high, -low
    low, high = (_rounded(end, estimate.standard_error) for end in (low, high))
    return _named(paired, low, high, confidence_level, "basic bootstrap interval", "davison1997bootstrap")


def _in_favour_of_a(
    ends: Sequence[float], swapped: bool, error: float, p_values: tuple[float, float], alpha: float
) -> tuple[float, float]:
    """Ends of the system that comes first by name as those of A."""
    low, high = (-ends[1], -ends[0]) if swapped else ends
    return _end(low, error, p_values[0] <= alpha), -_end(-high, error, p_values[1] <= alpha)


def _end(low: float, error: float, rejected: bool) -> float:
    """Lower end on the side of 0 that the test decides for, as far as its accuracy reaches."""
    if not rejected and 0 < low <= ACCURACY * error:
        return 0.0
    return _rounded(low, error)


def _rounded(end: float, error: float) -> float:
    """To so many digits that nothing but the noise of the search is lost; never to 0."""
    digits = _DIGITS - math.floor(math.log10(error))
    return round(end, digits) or end


def _named(paired: PairedScores, low: float, high: float, level: float, name: str, citation: str) -> Interval:
    weighted = "" if paired.weights is None else "weighted "
    clustered = "" if paired.clusters is None else "whole-cluster "
    return Interval(
        low=low + 0.0,
        high=high + 0.0,
        level=level,
        title=f"{clustered}{name} of the {weighted}mean",
        citation=citation,
    )
