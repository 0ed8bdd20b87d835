"""The interval that inverts the permutation test of two independent means with Welch's statistic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.interval import Interval, tail_level
from reportkit.intervals.margin_result import MarginTest
from reportkit.intervals.means.welch import estimate_unpaired
from reportkit.null_distributions.random.streams import hash64
from reportkit.scores.shapes.unpaired import UnpairedScores

Floats = NDArray[np.float64]

MOST_ENUMERATED = 20_000
"""Ways of dividing the instances up to which all are looked at; of more, `N_DIVISIONS` are drawn."""

N_DIVISIONS = 9_999

_TIE = 1e-9
_NO_VARIANCE = 1e-12
_TOLERANCE = 1e-5
_DOUBLINGS = 60


@dataclass(frozen=True, slots=True, eq=False)
class _Divisions:
    """Sums over the first sample of each division, from which those of any shift of the first system follow.

    `sums` holds, by column, the sum of the scores, of their squares, of the scores of the first system, and how many of
    its instances are among them. The observed division is the first row.
    """

    sums: Floats
    total: tuple[float, float, float]
    n_first: int
    n_second: int

    def negated(self) -> _Divisions:
        """The same with all scores negated."""
        signs = np.array([-1.0, 1.0, -1.0, 1.0])
        score, square, own = self.total
        return _Divisions(self.sums * signs, (-score, square, -own), self.n_first, self.n_second)

    def p_greater(self, shift: float) -> float:
        """Share of divisions with a t at least the observed one, the scores of the first system less `shift`."""
        score, square, own, count = self.sums.T
        first = score - shift * count
        first_squares = square - 2.0 * shift * own + shift * shift * count
        all_scores, all_squares, all_own = self.total
        second = all_scores - shift * self.n_first - first
        second_squares = all_squares - 2.0 * shift * all_own + shift * shift * self.n_first - first_squares
        difference = first / self.n_first - second / self.n_second
        variance = variance_from_sums(first, first_squares, self.n_first) + variance_from_sums(
            second, second_squares, self.n_second
        )
        scale = _NO_VARIANCE * max(all_squares, _NO_VARIANCE)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(variance > scale, difference / np.sqrt(variance), np.copysign(math.inf, difference))
        slack = _TIE * max(1.0, abs(float(t[0]))) if math.isfinite(t[0]) else 0.0
        return float(np.count_nonzero(t >= t[0] - slack) / t.size)


def permutation_t_interval(sample: UnpairedScores, confidence_level: float = 0.95, seed: int = 0) -> Interval | None:
    """Interval of all differences of two means that the studentised permutation test does not reject.

    The difference is taken off the scores of A, and what is left is divided anew between the two systems.

    Parameters
    ----------
    sample : UnpairedScores
        Scores whose mean says something.
    confidence_level : float
        Confidence level, in (0, 1).
    seed : int
        Of the random divisions, where there are more than 20,000.

    Returns
    -------
    Interval or None
        None if no division is rare enough for the level, or the scores of neither system vary.

    Notes
    -----
    Exact where the scores of both systems are distributed alike but for their means. Chung and Romano (2013), "Exact
    and asymptotically robust permutation tests".

    Examples
    --------
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3, 0.2]))
    >>> interval = permutation_t_interval(sample)  # the smallest of 70 p-values is .014
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.0, 0.7)
    """
    estimate = estimate_unpaired(sample)
    first, second, swapped = sample.in_order()
    alpha = tail_level(confidence_level)
    if not np.ptp(first) and not np.ptp(second):
        return None
    scale = float(np.abs(np.concatenate((first, second))).max())
    first, second = first / scale, second / scale
    error = estimate.standard_error or float(np.ptp(np.concatenate((first, second)))) * scale
    key = (seed, hash64("divisions"), hash64(sample.dataset), hash64(sample.metric))
    masks = _masks(first.size, second.size, key)
    if 1.0 / len(masks) > alpha:
        return None
    divisions = _divided(first, second, masks)
    difference = float(first.mean() - second.mean())
    low = _end(divisions, difference, error / scale, alpha)
    high = _end(divisions.negated(), -difference, error / scale, alpha)
    if low is None or high is None:
        return None
    low, high = low * scale, -high * scale
    if swapped:
        low, high = -high, -low
    return Interval(
        low=low, high=high, level=confidence_level, title="studentised permutation interval", citation="chung2013exact"
    )


def permutation_t_margin(sample: UnpairedScores, margin: float, *, seed: int = 0) -> MarginTest | None:
    """Studentised permutation test of a difference of two means against a margin, which is taken off the scores of A.

    Parameters
    ----------
    sample : UnpairedScores
        Scores whose mean says something.
    margin : float
        In units of the score, oriented.
    seed : int
        Of the random divisions, which are those of `permutation_t_interval`.

    Returns
    -------
    MarginTest or None
        None if the scores of neither system vary.

    Notes
    -----
    Null hypothesis: the difference of the means is at most (at least) the margin. Exact where the scores of both
    systems are distributed alike but for their means. Chung and Romano (2013), "Exact and asymptotically robust
    permutation tests".

    Examples
    --------
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3, 0.2]))
    >>> round(permutation_t_margin(sample, 0.0).p_greater * 70)
    2
    """
    first, second, swapped = sample.in_order()
    if not np.ptp(first) and not np.ptp(second):
        return None
    scale = float(np.abs(np.concatenate((first, second))).max())
    shift = (-margin if swapped else margin) / scale
    key = (seed, hash64("divisions"), hash64(sample.dataset), hash64(sample.metric))
    divisions = _divided(first / scale, second / scale, _masks(first.size, second.size, key))
    tails = divisions.p_greater(shift), divisions.negated().p_greater(-shift)
    return MarginTest(
        margin=margin,
        estimate=sample.value_difference,
        statistic=sample.value_difference - margin,
        p_greater=tails[swapped],
        p_less=tails[not swapped],
        title="studentised permutation test",
        citation="chung2013exact",
    )


def _masks(n_first: int, n_second: int, key: tuple[int, ...]) -> NDArray[np.float64]:
    """Which instances are in the first sample, for each division; the observed one first."""
    n = n_first + n_second
    if math.comb(n, n_first) > MOST_ENUMERATED:
        rng = np.random.default_rng(np.random.SeedSequence(key))
        drawn = with_smallest_keys(rng.random((N_DIVISIONS, n)), n_first)
        return np.concatenate((np.arange(n)[None, :] < n_first, drawn)).astype(np.float64)
    chosen = np.fromiter(chain.from_iterable(combinations(range(n), n_first)), dtype=np.int64).reshape(-1, n_first)
    masks = np.zeros((chosen.shape[0], n))
    np.put_along_axis(masks, chosen, 1.0, axis=1)
    return masks


def with_smallest_keys(keys: Floats, n_first: int) -> NDArray[np.bool_]:
    """Which `n_first` of each row have the smallest keys, of equal ones the first: a random part if keys are random."""
    smallest = keys <= np.partition(keys, n_first - 1, axis=1)[:, n_first - 1, None]
    for row in np.flatnonzero(np.count_nonzero(smallest, axis=1) > n_first):
        smallest[row] = False
        smallest[row, np.argsort(keys[row], kind="stable")[:n_first]] = True
    return smallest


def _divided(first: Floats, second: Floats, masks: Floats) -> _Divisions:
    pooled = np.concatenate((first, second))
    centre = float(pooled.mean())
    pooled = pooled - centre
    own = np.concatenate((np.ones(first.size), np.zeros(second.size)))
    columns = np.stack((pooled, np.square(pooled), pooled * own, own), axis=1)
    return _Divisions(
        sums=masks @ columns,
        total=(float(pooled.sum()), float(np.square(pooled).sum()), float((pooled * own).sum())),
        n_first=first.size,
        n_second=second.size,
    )


def variance_from_sums(sums: Floats, squares: Floats, n: int) -> Floats:
    """Variance of the mean of n values, for each pair of their sum and their sum of squares."""
    return np.zeros_like(sums) if n < 2 else np.asarray((squares - sums**2 / n) / (n - 1) / n)


def _end(divisions: _Divisions, difference: float, error: float, alpha: float) -> float | None:
    """Smallest shift that is not rejected, by bisection; None if none is rejected."""
    inside, outside, step = difference, difference, error
    for _ in range(_DOUBLINGS):
        outside = inside - step
        if divisions.p_greater(outside) <= alpha:
            break
        inside, step = outside, 2.0 * step
    else:
        return None
    while inside - outside > _TOLERANCE * error:
        middle = 0.5 * (inside + outside)
        if divisions.p_greater(middle) <= alpha:
            outside = middle
        else:
            inside = middle
    return inside
