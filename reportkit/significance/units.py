"""The mean difference of paired scores with Student's t, and what else follows from their independent units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.designs import Units, sorted_units
from reportkit.scores.sample import Sample
from reportkit.significance.entry import IntervalMethod
from reportkit.significance.interval import Estimate, MarginTest
from reportkit.significance.nulls import draw_tails
from reportkit.significance.outcome import Interval, title_of_mean


def linearised(units: Units) -> NDArray[np.float64]:
    """Return the values whose bootstrap of the mean is the bootstrap of the ratio sum S / sum W.

    With the observed ratio r and mean size w, sum S* / sum W* >= 2 r holds exactly where the sum of the resampled
    S + 2 r (w - W) is at least twice its observed value; the same for <=.
    """
    mean_size = float(units.sizes.mean())
    return units.sums + 2 * units.mean * (mean_size - units.sizes)


def as_wins(paired: Sample) -> Sample:
    """Keep only which of the two systems scored better on each instance: 1 for the winner, 0 for both on a tie.

    This is valid for ordinal scores, whose steps have no size. Each difference becomes its sign, and the mean
    difference the share of wins minus the share of losses.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                 a=np.array([5.0, 3.0, 2.0]), b=np.array([1.0, 3.0, 1.0]))
    >>> as_wins(paired).differences
    array([1., 0., 1.])
    """
    differences = paired.differences
    return replace(
        paired,
        a=(differences > 0).astype(np.float64),
        b=(differences < 0).astype(np.float64),
        kind="binary",
        higher_is_better=True,
    )


def estimate_mean(paired: Sample, units: Units | None = None) -> Estimate:
    """Estimate the mean difference and its standard error.

    With G independent units (instances, or clusters if there are any), S_c the (weighted) sum of the differences of
    unit c and W_c its size (number or summed weights of its instances), the mean is d = sum S_c / sum W_c and

        se = sqrt(G / (G - 1) * sum (S_c - W_c d)^2) / sum W_c.

    Without clusters and weights this is the standard deviation divided by sqrt(n); with clusters it is the
    cluster-robust standard error of a mean.

    Notes
    -----
    Assumes that the units are independent; says nothing about dependence between clusters. Cameron and Miller (2015),
    "A practitioner's guide to cluster-robust inference", section II.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> estimate = estimate_mean(paired)
    >>> round(estimate.mean, 6), round(estimate.standard_error, 6), estimate.degrees_of_freedom
    (0.2, 0.108012, 3)
    """
    counted = paired.kind == "binary" and paired.clusters is None and paired.weights is None
    return _of_counts(paired) if counted else estimate_of(units or sorted_units(paired))


def _of_counts(paired: Sample) -> Estimate:
    """Return the estimate of right-or-wrong scores, from how many differences are 1, -1 and 0."""
    wins, losses = paired.wins_and_losses
    n = paired.a.size
    return Estimate(
        mean=(wins - losses) / n,
        standard_error=errors_of_counts(np.array([wins]), np.array([losses]), n)[0],
        degrees_of_freedom=n - 1,
        n_nonzero=wins + losses,
    )


def errors_of_counts(wins: NDArray[np.int64], losses: NDArray[np.int64], n: int) -> list[float | None]:
    """Return the standard errors of the mean of n differences with these counts of 1 and -1; None if all are alike."""
    ties = n - wins - losses
    means = (wins - losses) / n
    squares = wins * np.square(1.0 - means) + losses * np.square(1.0 + means) + ties * np.square(means)
    errors = np.sqrt(n / max(n - 1, 1) * squares) / n
    alike = (wins == n) | (losses == n) | (ties == n)
    return [None if same else error for same, error in zip(alike.tolist(), errors.tolist(), strict=True)]


def estimate_of(units: Units) -> Estimate:
    """Estimate the mean difference of units, and its standard error; see `estimate_mean`."""
    return Estimate(
        mean=(-1.0 if units.swapped else 1.0) * units.mean + 0.0,
        standard_error=units.standard_error,
        degrees_of_freedom=units.n - 1,
        n_nonzero=int(np.count_nonzero(units.sums)),
    )


def student_t_interval(
    paired: Sample, confidence_level: float = 0.95, known: Estimate | None = None
) -> Interval | None:
    """Return Student's interval of the (weighted) mean difference; cluster-robust, with G - 1 degrees of freedom.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).
    known : Estimate, optional
        That of `estimate_mean`, if it is known.

    Returns
    -------
    Interval or None
        None if there are fewer than two independent units, or all of them show the same mean difference (none
        included): such data hold no information on the variance, and an interval of width 0 would claim certainty.

    Notes
    -----
    Assumes independent units and a mean whose distribution is near normal; coverage falls short for few units with
    skewed differences. Student (1908); Cameron and Miller (2015) for clusters.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> interval = student_t_interval(paired)
    >>> round(interval.low, 4), round(interval.high, 4)
    (-0.1437, 0.5437)
    """
    return (known or estimate_mean(paired)).interval(
        confidence_level,
        title=title_of_mean(paired, "t interval", "cluster-robust"),
        citation="student1908probable" if paired.clusters is None else "cameron2015practitioner",
    )


def student_t_margin(paired: Sample, margin: float) -> MarginTest | None:
    """Test the mean difference against a margin by Student's t; cluster-robust if there are clusters."""
    if paired.clusters is None:
        return estimate_mean(paired).against(margin, title="paired t-test", citation="student1908probable")
    return estimate_mean(paired).against(margin, title="cluster-robust t-test", citation="cameron2015practitioner")


def shifted_bootstrap_tails(units: Units, margin: float) -> tuple[float, float]:
    """Return P(d* >= 2 d - margin) and P(d* <= 2 d - margin) for the mean of resampled units, oriented as the pair is.

    The units are sorted, in the direction of the system that comes first by name; the margin is oriented.
    """
    shift = -margin if units.swapped else margin
    shifted = Units(sums=units.sums - units.sizes * shift, sizes=units.sizes, swapped=units.swapped)
    values = np.sort(linearised(shifted))
    tail = draw_tails(values[None, :]).each()[0]
    return (tail.less, tail.greater) if units.swapped else (tail.greater, tail.less)


def signed_ranks(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank the absolute non-zero differences, ties sharing their mean rank, and give each the sign of its difference.

    Examples
    --------
    >>> signed_ranks(np.array([0.1, -0.1, 0.0, 0.5]))
    array([ 1.5, -1.5,  3. ])
    """
    kept = differences[differences != 0]
    _, codes, counts = np.unique(np.abs(kept), return_inverse=True, return_counts=True)
    mean_ranks = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(np.sign(kept) * mean_ranks[codes.ravel()], dtype=np.float64)


def by_student_t(
    estimate: Callable[[Any], Estimate],
    *,
    interval: str | Callable[[Any], str],
    test: str,
    citation: str,
    limit: float = float("inf"),
    matched: bool = True,
) -> IntervalMethod:
    """Return the interval, and the test of a margin, of an estimate with a t distribution; both by their titles."""
    return IntervalMethod(
        interval=lambda sample, level, seed, p_values: estimate(sample).interval(
            level, title=interval if isinstance(interval, str) else interval(sample), citation=citation, limit=limit
        ),
        margin=lambda sample, margin, seed: estimate(sample).against(margin, title=test, citation=citation),
        matched=matched,
    )
