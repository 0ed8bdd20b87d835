"""Independent units of a paired comparison, and their mean difference with Student's t."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.sample import Sample, dense
from reportkit.significance.interval import Estimate, MarginTest
from reportkit.significance.nulls import draw_tails
from reportkit.significance.outcome import Interval

_NOISE = 4 * float(np.finfo(np.float64).eps)
"""Relative error of reading and subtracting two decimal numbers."""

_NO_SUM = 1e-12
"""A sum below this part of the sum of absolute values is 0."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Units:
    """Instances, or clusters if there are any, sorted; the mean difference is `sums.sum() / sizes.sum()`.

    Parameters
    ----------
    sums : ndarray of shape (n_units,)
        (Weighted) differences of each unit, summed; in favour of whichever of the two systems comes first by name.
    sizes : ndarray of shape (n_units,)
        Instances of each unit, or their summed weights; positive.
    swapped : bool
        Whether the differences are those of B minus A.
    """

    sums: NDArray[np.float64]
    sizes: NDArray[np.float64]
    swapped: bool

    @property
    def n(self) -> int:
        """Return the number of units."""
        return int(self.sums.size)

    @property
    def mean(self) -> float:
        """(Weighted) mean difference, in the direction of the units."""
        return float(self.sums.sum() / self.sizes.sum())


def sorted_units(paired: Sample) -> Units:
    """Reduce two systems on one dataset to sorted independent units.

    Floating-point sums depend on the order of the terms, and a random stream gives each position its own draws. The
    units are therefore always those of the system that comes first by name, sorted; a caller turns the result round
    if `swapped`. So every p-value is the same, to the last digit, in any order of rows, and A against B is exactly B
    against A turned round.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="new", system_b="base", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7]), b=np.array([0.4, 0.9, 0.5]))
    >>> units = sorted_units(paired)
    >>> units.swapped, units.sums
    (True, array([-0.2, -0.1,  0. ]))
    """
    swapped = paired.system_b < paired.system_a
    differences = _clean(paired.a, paired.b, paired.differences)
    if swapped:
        differences = 0.0 - differences  # never -0.0
    if paired.clusters is not None:
        weights = np.ones(paired.a.size) if paired.weights is None else paired.weights
        sums, sizes = _by_cluster(differences * weights, weights, paired.clusters)
    elif paired.weights is not None:
        sums, sizes = differences * paired.weights, paired.weights
    else:
        return Units(sums=np.sort(differences), sizes=np.ones(paired.a.size), swapped=swapped)
    order = np.lexsort((sizes, sums))
    return Units(sums=sums[order], sizes=sizes[order], swapped=swapped)


def linearised(units: Units) -> NDArray[np.float64]:
    """Return the values whose bootstrap of the mean is the bootstrap of the ratio sum S / sum W.

    With the observed ratio r and mean size w, sum S* / sum W* >= 2 r holds exactly where the sum of the resampled
    S + 2 r (w - W) is at least twice its observed value; the same for <=.
    """
    mean_size = float(units.sizes.mean())
    return units.sums + 2 * units.mean * (mean_size - units.sizes)


def _clean(a: NDArray[np.float64], b: NDArray[np.float64], rounded: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return A minus B: to 12 significant digits where that only removes the noise of subtraction, else to all digits.

    0.3 - 0.1 becomes 0.2. But 1/3 stays 1/3: rounded to 0.333333333333, twice it would no longer be 2/3, and resamples
    that tie with the observed data would be missed.
    """
    exact = a - b
    noise = _NOISE * np.maximum(np.abs(a), np.abs(b))
    kept = (rounded == 0) | (np.abs(rounded - exact) <= noise)
    return np.asarray(np.where(kept, rounded, exact) + 0.0, dtype=np.float64)  # + 0.0 turns -0.0 into 0.0


def _by_cluster(
    sums: NDArray[np.float64], sizes: NDArray[np.float64], clusters: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum by cluster, in an order set by the values alone; 0 where only noise is left."""
    codes = dense(clusters)
    order = np.lexsort((sizes, sums, codes))
    codes, sums, sizes = codes[order], sums[order], sizes[order]
    totals: NDArray[np.float64] = np.bincount(codes, weights=sums).astype(np.float64)
    totals[np.abs(totals) <= _NO_SUM * np.bincount(codes, weights=np.abs(sums))] = 0.0
    return totals, np.bincount(codes, weights=sizes).astype(np.float64)


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


_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest difference are the noise of floating-point arithmetic."""


def estimate_mean(paired: Sample) -> Estimate:
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
    return _of_counts(paired) if counted else estimate_of(sorted_units(paired))


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
    n, size = units.n, units.sizes.sum()
    mean = float(units.sums.sum() / size)
    residuals = units.sums - units.sizes * mean
    scale = float(np.abs(units.sums).max())
    error = None
    if n > 1 and float(np.abs(residuals).max()) > _NO_VARIANCE * scale:
        # squares of very small or very large scores would leave the range of a float
        squares = float(np.square(residuals / scale).sum())
        error = float(scale * np.sqrt(n / (n - 1) * squares) / size)
    return Estimate(
        mean=(-1.0 if units.swapped else 1.0) * mean + 0.0,
        standard_error=error,
        degrees_of_freedom=n - 1,
        n_nonzero=int(np.count_nonzero(units.sums)),
    )


def student_t_interval(paired: Sample, confidence_level: float = 0.95) -> Interval | None:
    """Return Student's interval of the (weighted) mean difference; cluster-robust, with G - 1 degrees of freedom.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).

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
    estimate = estimate_mean(paired)
    weighted = "" if paired.weights is None else "weighted "
    clustered = "" if paired.clusters is None else "cluster-robust "
    return estimate.interval(
        confidence_level,
        title=f"{clustered}t interval of the {weighted}mean",
        citation="cameron2015practitioner" if clustered else "student1908probable",
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
