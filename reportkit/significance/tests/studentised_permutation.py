"""The permutation test of two independent means with Welch's statistic, with its interval and margin."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from reportkit.language import percent_text
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
from reportkit.significance.outcome import Interval, Outcome, Tails, tail_level
from reportkit.significance.resamples import hash64
from reportkit.significance.tests.independent_samples import WELCH, estimate_unpaired, welch
from reportkit.significance.unpaired import SAME_POPULATION, pairing_findings, unpaired_details, unpaired_size_findings

Floats = NDArray[np.float64]

MOST_ENUMERATED = 200_000
"""Up to this many divisions of the instances, all are enumerated."""

N_DIVISIONS = 9_999
"""Random divisions for an interval where there are more."""

_VALUES = 1 << 21  # random numbers held at once
_TIE = 1e-9  # statistics this close are equal: sums in another order differ by their last digits
_NO_VARIANCE = 1e-12
_TOLERANCE = 1e-5  # of an end, in standard errors
_DOUBLINGS = 60


def studentised_permutation(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the permutation test with the statistic of Welch's t-test.

    All scores are divided anew between the two systems, n_a and n_b of them: p is the share of all divisions whose t is
    at least the observed one. It is exact if the two systems' scores have the same distribution where the systems are
    equally good, and, thanks to the studentised statistic, keeps its level for large n if they only have the same mean.

    Parameters
    ----------
    sample : Sample
        Scores whose mean says something.
    plan : ResamplingPlan
        Number of random divisions and seed, where there are more than 200,000.

    Notes
    -----
    Null hypothesis: the mean score of A is at most that of B. Janssen (1997), "Studentized permutation tests for
    non-i.i.d. hypotheses and the generalized Behrens-Fisher problem"; Chung and Romano (2013), "Exact and
    asymptotically robust permutation tests", section 2.

    Examples
    --------
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> outcome = studentised_permutation(sample, ResamplingPlan())
    >>> outcome.method, outcome.p_greater == 2 / 35, outcome.p_min == 1 / 35
    ('exact', True, True)
    """
    divisions = _Divisions.of(sample)
    n, n_first = divisions.values.size, divisions.n_first
    observed = divisions.statistics(divisions.observed, 0.0)[0]
    if divisions.enumerable:
        masks = divisions.all()
        p_greater, p_less = (count / len(masks) for count in divisions.extreme(masks, 0.0))
        p_min, how = 1 / len(masks), "enumeration"
        tails = Tails(p_greater=p_greater, p_less=p_less, p_min=p_min, method="exact", algorithm=how)
    else:
        log_ways = math.lgamma(n + 1) - math.lgamma(n_first + 1) - math.lgamma(n - n_first + 1)
        rng = plan.rng(sample)

        def draw(number: int) -> tuple[int, int]:
            found = [divisions.extreme(masks, 0.0) for masks in divisions.drawn(rng, number)]
            return sum(more for more, _ in found), sum(fewer for _, fewer in found)

        tails = Tails.estimated(*plan.count(draw), seed=plan.seed, p_min=math.exp(-log_ways))
    sign, finite = -1.0 if divisions.swapped else 1.0, math.isfinite(observed)
    return STUDENTISED_PERMUTATION.outcome(
        sample,
        tails.swapped() if divisions.swapped else tails,
        statistic=sign * observed if finite else sample.value_difference,
        statistic_name="t" if finite else "difference of the means",
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Divisions:
    """Divisions of the pooled scores of two systems, in the order of their names.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Scores of the first system and then of the second, in units of `scale`, with mean 0.
    n_first : int
        Instances of the first system.
    scale : float
        Largest score.
    swapped : bool
        Whether the first system is B.
    """

    values: Floats
    n_first: int
    scale: float
    swapped: bool

    @classmethod
    def of(cls, sample: Sample) -> _Divisions:
        """Pool the scores of two systems."""
        first, second, swapped = sample.in_order()
        pooled = np.concatenate((first, second))
        scale = float(np.abs(pooled).max()) or 1.0
        return cls(pooled / scale - float((pooled / scale).mean()), first.size, scale, swapped)

    @property
    def observed(self) -> NDArray[np.bool_]:
        """The division that was observed, shape (1, n)."""
        return np.asarray(np.arange(self.values.size) < self.n_first)[None, :]

    @property
    def enumerable(self) -> bool:
        """Return whether all divisions are enumerated."""
        return math.comb(self.values.size, self.n_first) <= MOST_ENUMERATED

    def all(self) -> NDArray[np.bool_]:
        """Return which instances are in the first sample, for every division; the observed one comes first."""
        chosen = np.fromiter(chain.from_iterable(combinations(range(self.values.size), self.n_first)), dtype=np.int64)
        masks = np.zeros((chosen.size // self.n_first, self.values.size), dtype=bool)
        np.put_along_axis(masks, chosen.reshape(-1, self.n_first), True, axis=1)
        return masks

    def drawn(self, rng: np.random.Generator, number: int) -> Iterator[NDArray[np.bool_]]:
        """Yield random divisions, some at a time: the instances with the smallest of random keys."""
        n, at_once = self.values.size, max(1, _VALUES // self.values.size)
        for start in range(0, number, at_once):
            keys = rng.random((min(at_once, number - start), n))
            yield np.argsort(np.argsort(keys, axis=1), axis=1) < self.n_first

    def statistics(self, masks: NDArray[np.bool_], shift: float) -> Floats:
        """Return Welch's t of each division, the scores of the first system less `shift`; infinite without variance."""
        values = self.values - shift * self.observed[0]
        n_first, n_second = self.n_first, values.size - self.n_first
        sums, squares = (masks.astype(np.float64) @ np.stack((values, values**2), axis=1)).T
        rest, other_squares = values.sum() - sums, float(np.square(values).sum()) - squares
        difference = sums / n_first - rest / n_second
        variance = _variance(sums, squares, n_first) + _variance(rest, other_squares, n_second)
        total = max(float(np.square(values).sum()), _NO_VARIANCE)
        difference[np.abs(difference) <= _NO_VARIANCE * math.sqrt(total)] = 0.0
        varies = variance > _NO_VARIANCE * total / values.size**2
        with np.errstate(divide="ignore", invalid="ignore"):
            t = difference / np.sqrt(np.where(varies, variance, 0.0))
        return np.asarray(np.where(difference == 0, 0.0, t))

    def extreme(self, masks: NDArray[np.bool_], shift: float) -> tuple[int, int]:
        """Count the divisions with a statistic at least, and at most, the observed one."""
        t = self.statistics(masks, shift)
        observed = float(self.statistics(self.observed, shift)[0])
        slack = _TIE * max(1.0, abs(observed)) if math.isfinite(observed) else 0.0
        return int(np.count_nonzero(t >= observed - slack)), int(np.count_nonzero(t <= observed + slack))

    def masks(self, sample: Sample, seed: int) -> NDArray[np.bool_]:
        """Return all divisions, or the observed and random ones, for an interval."""
        if self.enumerable:
            return self.all()
        key = (seed, hash64("divisions"), hash64(sample.dataset), hash64(sample.metric))
        rng = np.random.default_rng(np.random.SeedSequence(key))
        return np.concatenate((self.observed, *self.drawn(rng, N_DIVISIONS)))


def _variance(sums: Floats, squares: Floats, n: int) -> Floats:
    """Return the variance of the mean of n values, for each pair of their sum and their sum of squares."""
    return np.zeros_like(sums) if n < 2 else np.asarray((squares - sums**2 / n) / (n - 1) / n)


def permutation_t_interval(sample: Sample, confidence_level: float = 0.95, seed: int = 0) -> Interval | None:
    """Return the interval of all differences of two means that the studentised permutation test does not reject.

    The difference is taken off the scores of A, and what is left is divided anew between the two systems.

    Parameters
    ----------
    sample : Sample
        Scores whose mean says something.
    confidence_level : float
        Confidence level, in (0, 1).
    seed : int
        Seed of the random divisions, where there are more than 20,000.

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
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3, 0.2]))
    >>> interval = permutation_t_interval(sample)  # the smallest of 70 p-values is .014
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.0, 0.7)
    """
    if sample.constant:
        return None
    alpha = tail_level(confidence_level)
    divisions = _Divisions.of(sample)
    masks = divisions.masks(sample, seed)
    if 1.0 / len(masks) > alpha:
        return None
    error = (estimate_unpaired(sample).standard_error or float(np.ptp(divisions.values))) / divisions.scale
    low, high = (_end(divisions, masks, error, alpha, side) for side in (0, 1))
    if low is None or high is None:
        return None
    low, high = low * divisions.scale, high * divisions.scale
    if divisions.swapped:
        low, high = -high, -low
    return Interval(
        low=low, high=high, level=confidence_level, title="studentised permutation interval", citation="chung2013exact"
    )


def _end(divisions: _Divisions, masks: NDArray[np.bool_], error: float, alpha: float, side: int) -> float | None:
    """Return the outermost shift on one side that is not rejected, by bisection; None if none is rejected."""

    def rejected(shift: float) -> bool:
        return divisions.extreme(masks, shift)[side] <= alpha * len(masks)

    first, second = divisions.values[: divisions.n_first], divisions.values[divisions.n_first :]
    inside, step = float(first.mean() - second.mean()), -error if side == 0 else error
    for _ in range(_DOUBLINGS):
        outside = inside + step
        if rejected(outside):
            break
        inside, step = outside, 2.0 * step
    else:
        return None
    while abs(inside - outside) > _TOLERANCE * error:
        middle = 0.5 * (inside + outside)
        inside, outside = (inside, middle) if rejected(middle) else (middle, outside)
    return inside


def permutation_t_margin(sample: Sample, margin: float, *, seed: int = 0) -> MarginTest | None:
    """Test a difference of two means against a margin by studentised permutation.

    The margin is taken off the scores of A.

    Parameters
    ----------
    sample : Sample
        Scores whose mean says something.
    margin : float
        In units of the score, oriented.
    seed : int
        Seed of the random divisions, which are those of `permutation_t_interval`.

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
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3, 0.2]))
    >>> round(permutation_t_margin(sample, 0.0).p_greater * 70)
    2
    """
    if sample.constant:
        return None
    divisions = _Divisions.of(sample)
    masks = divisions.masks(sample, seed)
    counts = divisions.extreme(masks, (-margin if divisions.swapped else margin) / divisions.scale)
    more, fewer = counts[::-1] if divisions.swapped else counts
    return MarginTest(
        margin=margin,
        estimate=sample.value_difference,
        statistic=sample.value_difference - margin,
        p_greater=more / len(masks),
        p_less=fewer / len(masks),
        title="studentised permutation test",
        citation="chung2013exact",
    )


def _cannot_bound(sample: Sample, level: float) -> str:
    if sample.constant:
        return NO_VARIANCE
    return f"{sample.a.size} and {sample.b.size} instances cannot bound the difference at {percent_text(level)}"


_PERMUTED_T = IntervalMethod(
    interval=lambda sample, level, seed, p_values: permutation_t_interval(sample, level, seed),
    margin=lambda sample, margin, seed: permutation_t_margin(sample, margin, seed=seed),
    silence=_cannot_bound,
)

STUDENTISED_PERMUTATION = SignificanceTest(
    name="studentised-permutation",
    title="studentised permutation test",
    resamples=True,
    function=studentised_permutation,
    shape="unpaired",
    kinds=MEASURED,
    interval=_PERMUTED_T,
    estimand="difference of the means",
    hypotheses=MEAN_SCORES,
    assumptions=(
        SAME_POPULATION,
        "scores are distributed alike where the systems are equally good, or there are many of them",
    ),
    citation="chung2013exact",
    summary="Permutation of Welch's t; exact for scores that are distributed alike, robust for others.",
    remarks=pairing_findings,
    size_remarks=unpaired_size_findings,
    details=unpaired_details,
)


def welch_permutation(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Run Welch's t-test and confirm it by permutation: in each direction, the larger p-value counts.

    With few instances neither is enough. The permutation test is exact if both systems' scores have the same
    distribution, of whatever shape, but its size at .05 is up to .15 where the few instances are those of the system
    whose scores scatter more. Welch's test allows for that, but not for skewed scores in samples of different sizes,
    where its size is up to .18. Where both reject, either case is covered.

    Parameters
    ----------
    sample : Sample
        Scores whose mean says something.
    plan : ResamplingPlan
        Number of random divisions and seed, where there are more than 200,000.

    Raises
    ------
    DesignError
        If a system has one instance only, or if the scores of neither system vary though their means differ.

    Notes
    -----
    Null hypothesis: the mean score of A is at most that of B. Assumes independent instances, and scores that are either
    distributed alike where the systems are equally good, or have means that are near normal: a test that rejects where
    both tests do has at most the size of either. Welch (1947); Janssen (1997). Simulated sizes of all three are in
    docs/methods.md.

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> outcome = welch_permutation(sample, ResamplingPlan())  # .0132 and 2 / 35
    >>> outcome.statistic_name, round(outcome.p_greater, 4)
    ('t(4.8)', 0.0571)
    """
    parametric = welch(sample, plan)
    permuted = studentised_permutation(sample, plan)
    drawn = permuted.n_resamples is not None
    return replace(
        parametric,
        test=WELCH_PERMUTATION.name,
        title=WELCH_PERMUTATION.title,
        assumptions=(parametric.assumptions[0], *WELCH_PERMUTATION.assumptions),
        citation=WELCH_PERMUTATION.citation,
        p_greater=max(parametric.p_greater, permuted.p_greater),
        p_less=max(parametric.p_less, permuted.p_less),
        p_min=permuted.p_min,
        method="Monte Carlo" if drawn else "asymptotic",
        algorithm=f"the larger p-value of {parametric.algorithm} and of {'random' if drawn else 'all'} permutations",
        n_resamples=permuted.n_resamples,
        seed=permuted.seed,
    )


def _wider(sample: Sample, level: float, seed: int, p_values: PValues) -> Interval | None:
    """Return the hull of Welch's interval and that of the permutation test: the inversion of their larger p-value."""
    permuted = permutation_t_interval(sample, level, seed)
    parametric = WELCH.interval.interval(sample, level, seed, p_values)
    if permuted is None or parametric is None:
        return None
    low, high = min(parametric.low, permuted.low), max(parametric.high, permuted.high)
    return replace(parametric, low=low, high=high, title="Welch interval confirmed by permutation")


def _larger(sample: Sample, margin: float, seed: int) -> MarginTest | None:
    """Return the larger p-value of Welch's test of a margin and of the permutation test of it, in each direction."""
    parametric, permuted = WELCH.interval.margin(sample, margin, seed), permutation_t_margin(sample, margin, seed=seed)
    if parametric is None or permuted is None:
        return None
    return replace(
        parametric,
        p_greater=max(parametric.p_greater, permuted.p_greater),
        p_less=max(parametric.p_less, permuted.p_less),
        title="Welch t-test confirmed by permutation",
    )


WELCH_PERMUTATION = replace(
    STUDENTISED_PERMUTATION,
    name="welch-permutation",
    title="Welch t-test confirmed by permutation",
    function=welch_permutation,
    interval=replace(_PERMUTED_T, interval=_wider, margin=_larger),
    assumptions=(
        SAME_POPULATION,
        "scores are distributed alike where the systems are equally good, or both means are approximately normal",
    ),
    citation="welch1947generalization",
    summary="The larger p-value of Welch's t-test and of its permutation test; for few instances.",
)
