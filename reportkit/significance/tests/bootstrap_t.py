"""The bootstrap-t test of the (weighted) mean difference, with its interval and margin, for skewed differences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.scores.designs import Units, sorted_units
from reportkit.scores.sample import Sample
from reportkit.significance.bootstrap_tails import (
    BLOCK,
    MOST_COUNTS,
    MOST_TILTED_DRAWN,
    NO_VARIANCE,
    TiltedTail,
    agree,
    tail_bound,
    tilted_tail,
)
from reportkit.significance.cautions import caution
from reportkit.significance.entry import MEASURED, IntervalMethod, ResamplingPlan, SignificanceTest
from reportkit.significance.hypotheses import MEAN_SCORES
from reportkit.significance.interval import MarginTest
from reportkit.significance.outcome import Interval, Outcome, Tails, title_of_mean
from reportkit.significance.resamples import ExactColumns, hash64, is_unstable, resample_counts
from reportkit.significance.units import estimate_mean, student_t_interval, student_t_margin

Floats = NDArray[np.float64]

N_RESAMPLES = 9_999
"""Resamples of an interval."""

FEWEST_VALID = 200
"""With fewer resamples that hold a variance (or fewer than half of those drawn), Student's t distribution is used."""

TILTED = "resamples tilted to the observed value"
BOUND = "upper bound of the tail, beyond what the random resamples show"

_MOST_ROWS = 1 << 16
_PRODUCT = 1 << 17  # counts multiplied at a time
_PAIRS = 64  # pairs whose columns are multiplied at once
_TIE = 1e-12


def bootstrap_t(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the bootstrap-t test of the (weighted) mean difference.

    Instances (whole clusters, if there are any) are drawn with replacement; p is the share of resamples whose
    t* = (d* - d) / se* is at least t = d / se, as (s + 1) / (b + 1) over the b resamples that hold a variance. With
    clusters, and with weights, se is that of a ratio of sums, in each resample anew.

    Parameters
    ----------
    paired : Sample
        Scores whose mean says something.
    plan : ResamplingPlan
        Number of random resamples, seed and thresholds. Where it is open on which side of a threshold a p-value lies,
        further resamples are tilted to the observed t, 2,048 to 16,384 of them. Units of several sizes, or a
        `max_resamples` below that, take further plain resamples instead, up to the bound of the plan and at most 200
        million draws of units. The draws are the same for all pairs of systems on a dataset.

    Returns
    -------
    Outcome
        Where no resample, of those that are drawn, comes near t, p is an upper bound of the tail for infinitely many
        resamples, if that is smaller than 1 / (b + 1). `p_min` is n^-n for n units.

    Raises
    ------
    DesignError
        If all units show the same difference and it is not 0: there is no variance.

    Notes
    -----
    Null hypothesis: the mean difference is at most 0. The one-sided size is right to order 1 / n, that of the t-test,
    of the sign flip and of the recentred bootstrap to order 1 / sqrt(n) where differences are skewed: for n = 100 and
    differences that are 1 minus an exponential variable, .049 rejections at .05 against .068 to .077. For fewer than
    20 units that differ, resamples say too little, and a sign flip is better. Hall (1992), "The Bootstrap and
    Edgeworth Expansion", sections 3.10 and 4.4.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.repeat([1.0, 0.0], [25, 5]), b=np.repeat([0.9, 1.0], [25, 5]))
    >>> outcome = bootstrap_t(paired, ResamplingPlan())  # 25 small gains, 5 large losses
    >>> round(outcome.p_greater, 2), round(outcome.p_less, 2), outcome.method
    (0.89, 0.11, 'Monte Carlo')
    """
    return bootstrap_ts([paired], plan, [None])[0]


def bootstrap_ts(samples: Sequence[Sample], plan: ResamplingPlan, known: Sequence[Units | None]) -> list[Outcome]:
    """Test many pairs as `bootstrap_t` does one; the first resamples are drawn for all of them at once."""
    units = [own or sorted_units(paired) for paired, own in zip(samples, known, strict=True)]
    estimates = [estimate_mean(paired, own) for paired, own in zip(samples, units, strict=True)]
    for paired, estimate in zip(samples, estimates, strict=True):
        if estimate.t is None:
            raise DesignError(
                "'bootstrap-t' cannot estimate a variance: there is one unit, or all show the same difference",
                where=f"{paired.label}: mean difference {estimate.mean:g}",
                remedy="choose 'sign-flip', which needs no variance",
            )
    found = []
    resampled = _resampled_t(samples, units, plan.seed, 0, plan.n_resamples)
    for paired, own, estimate, drawn in zip(samples, units, estimates, resampled, strict=True):
        t = estimate.t or 0.0
        tails = Tails.of_no_difference()
        if estimate.n_nonzero:
            tails = _tails(paired, own, plan, t, drawn)
        found.append(BOOTSTRAP_T.outcome(paired, tails, statistic=t, statistic_name="t", n_nonzero=estimate.n_nonzero))
    return found


def _tails(paired: Sample, units: Units, plan: ResamplingPlan, t: float, drawn: Floats) -> Tails:
    """Draw until no threshold is left open, or the plan allows no more."""
    alike, side = np.ptp(units.sizes) == 0, 0 if t > 0 else 1
    seen = units.sums if (t > 0) != units.swapped else -units.sums  # in the direction of what was observed
    smallest = math.exp(-units.n * math.log(units.n))
    tolerance = _TIE * max(1.0, abs(t))
    counts, bounds = [0, 0], [1.0, 1.0]
    tilted: TiltedTail | None = None
    n_drawn = n_valid = 0
    for stage in plan.ladder():
        if n_drawn:
            if stage * units.n > MOST_COUNTS:
                break
            (drawn,) = _resampled_t([paired], [units], plan.seed, n_drawn, stage)
        counts[0] += int(np.count_nonzero(drawn >= t - tolerance))
        counts[1] += int(np.count_nonzero(drawn <= t + tolerance))
        n_drawn, n_valid = stage, n_valid + drawn.size
        if n_drawn == plan.n_resamples and alike and min(counts) == 0 and n_valid:
            bounds[side] = min(1.0, tail_bound(seen, abs(t)) * n_drawn / n_valid)
        sides = zip(counts, bounds, strict=True)
        if not any(is_unstable(count, max(n_valid, 1), plan.thresholds, below=bound) for count, bound in sides):
            break
        if alike and plan.max_resamples >= MOST_TILTED_DRAWN:
            tilted = tilted_tail(seen, abs(t), _key(paired, plan.seed), plan)
            if tilted is not None and agree(tilted, counts[side], n_valid):
                break
            tilted = None
    if not _enough_valid(n_valid, n_drawn):
        return Tails(
            p_greater=float(stdtr(units.n - 1, -t)),
            p_less=float(stdtr(units.n - 1, t)),
            p_min=smallest,
            method="asymptotic",
            algorithm="Student's t distribution, as too few resamples hold a variance",
        )
    said = [TILTED] if tilted is not None else [BOUND] if min(bounds) * (n_valid + 1) < 1 else []
    if n_valid < n_drawn:
        said.append(f"without {n_drawn - n_valid:,} resamples that hold no variance")
    p_values = [min(bound, (count + 1) / (n_valid + 1)) for count, bound in zip(counts, bounds, strict=True)]
    if tilted is not None:
        p_values[side] = tilted.p_value
    return Tails(
        p_greater=p_values[0],
        p_less=p_values[1],
        p_min=smallest,
        method="Monte Carlo",
        algorithm="; ".join(said),
        n_resamples=n_valid + (0 if tilted is None else tilted.n_resamples),
        seed=plan.seed,
        relative_error=0.0 if tilted is None else tilted.relative_error,
    )


def _enough_valid(n_valid: int, n_drawn: int) -> bool:
    return n_valid >= min(FEWEST_VALID, n_drawn / 2)


def bootstrap_t_interval(paired: Sample, confidence_level: float = 0.95, seed: int = 0) -> Interval | None:
    """Return the bootstrap-t interval of the (weighted) mean difference: [d - t*_high se, d - t*_low se].

    t* = (d* - d) / se* over resampled instances, or whole clusters with the cluster-robust standard error in each
    resample; t*_low and t*_high are its quantiles at (1 - level) / 2 and (1 + level) / 2.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).
    seed : int
        Seed of the resamples, 9,999 of them.

    Returns
    -------
    Interval or None
        Student's t interval where fewer than 200 resamples hold a variance; None where the data hold none.

    Notes
    -----
    Assumes independent units. Its two ends are not equally far from d, as skewness asks for; coverage is right to
    order 1 / n, that of Student's t interval to order 1 / sqrt(n) at each end. Efron (1982), section 10.10; Hall
    (1988), "Theoretical comparison of bootstrap confidence intervals".

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.arange(1.0, 31.0) ** 4 / 1e5, b=np.zeros(30))
    >>> interval = bootstrap_t_interval(paired)
    >>> interval.title, interval.high - 1.81 > 1.81 - interval.low
    ('bootstrap-t interval of the mean', True)
    """
    units = sorted_units(paired)
    estimate = estimate_mean(paired, units)
    if estimate.standard_error is None:
        return None
    (t,) = _resampled_t([paired], [units], seed, 0, N_RESAMPLES)
    if not _enough_valid(t.size, N_RESAMPLES):
        return student_t_interval(paired, confidence_level)
    tail = 0.5 - confidence_level / 2  # both ends from below, so that B against A has the same digits
    low, high = np.quantile(t, tail, method="weibull"), -np.quantile(-t, tail, method="weibull")
    return Interval(
        low=estimate.mean - float(high) * estimate.standard_error,
        high=estimate.mean - float(low) * estimate.standard_error,
        level=confidence_level,
        title=title_of_mean(paired, "bootstrap-t interval", "cluster-robust"),
        citation="hall1988comparison",
    )


def bootstrap_t_margin(paired: Sample, margin: float, *, seed: int = 0) -> MarginTest | None:
    """Test the mean difference against a margin, from the resamples of the interval.

    p = P(t* >= (d - margin) / se), so that the margins which are not rejected make up the interval. Student's t is used
    where too few resamples hold a variance; None if the data hold no information on the variance.
    """
    units = sorted_units(paired)
    estimate = estimate_mean(paired, units)
    if estimate.standard_error is None:
        return None
    (drawn,) = _resampled_t([paired], [units], seed, 0, N_RESAMPLES)
    if not _enough_valid(drawn.size, N_RESAMPLES):
        return student_t_margin(paired, margin)
    t = (estimate.mean - margin) / estimate.standard_error
    tolerance = _TIE * max(1.0, abs(t))
    return MarginTest(
        margin=margin,
        estimate=estimate.mean,
        statistic=t,
        p_greater=(int(np.count_nonzero(drawn >= t - tolerance)) + 1) / (drawn.size + 1),
        p_less=(int(np.count_nonzero(drawn <= t + tolerance)) + 1) / (drawn.size + 1),
        title="bootstrap-t test" if paired.clusters is None else "cluster-robust bootstrap-t test",
        citation="hall1992bootstrap",
    )


# ---------------------------------------------------------------------------------------------------------------------
# Student's t of resamples, which all pairs of systems on a dataset share


def _resampled_t(samples: Sequence[Sample], units: Sequence[Units], seed: int, start: int, stop: int) -> list[Floats]:
    """Return Student's t of resamples start to stop, in favour of A, without those that hold no variance."""
    alike: dict[tuple[Any, ...], list[int]] = {}
    for index, (paired, own) in enumerate(zip(samples, units, strict=True)):
        alike.setdefault((_key(paired, seed), own.n, index if np.ptp(own.sizes) else None), []).append(index)
    found: dict[int, Floats] = {}
    for (key, _, alone), members in alike.items():
        sizes = None if alone is None else units[alone].sizes
        rows = studentized(np.stack([units[index].sums for index in members]), sizes, key, start, stop)
        found |= {index: -t if units[index].swapped else t for index, t in zip(members, rows, strict=True)}
    return [found[index] for index in range(len(samples))]


def _key(paired: Sample, seed: int) -> tuple[int, ...]:
    """Name the stream: the draws are those of every other pair on the dataset and metric."""
    return seed, hash64("bootstrap-t"), hash64(paired.dataset), hash64(paired.metric)


def studentized(rows: Floats, sizes: Floats | None, key: tuple[int, ...], start: int, stop: int) -> list[Floats]:
    """Return Student's t of resampled units, recentred: (r* - r) / se*, for each row of sums of units.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_units)
        Sums of the differences of units, sorted.
    sizes : ndarray of shape (n_units,) or None
        Sizes of the units of the one row there is then; None if all units count alike.
    key : tuple of int
        Key of the random stream.
    start, stop : int
        Numbers of the resamples.

    Returns
    -------
    list of ndarray
        For each row, without the resamples that hold no variance.
    """
    n = rows.shape[1]
    found: list[Floats] = []
    for left in range(0, len(rows), _PAIRS):
        some = rows[left : left + _PAIRS]
        total = sizes if sizes is not None else np.ones(n)
        v = (some - (some.sum(axis=1) / total.sum())[:, None] * total).T
        largest = np.abs(v).max(axis=0)
        v = v / np.where(largest > 0, largest, 1.0)
        k = v.shape[1]
        parts = [v, v * v]
        if sizes is not None:
            w = (sizes / sizes.mean())[:, None]
            parts += [w, v * w, w * w]
        columns = ExactColumns(np.hstack(parts), total=n)
        t, done, step = np.empty((k, stop - start)), 0, max(1, _PRODUCT // n)
        for counts in resample_counts(key, n, start, stop, cells=BLOCK, most_rows=_MOST_ROWS):
            for row in range(0, len(counts), step):
                drawn = _t_of(columns.weighted(counts[row : row + step]), n, k)
                t[:, done : done + len(drawn)] = drawn.T
                done += len(drawn)
        found += [row[~np.isnan(row)] for row in t]
    return found


def _t_of(drawn: Floats, n: int, k: int) -> Floats:
    """Return Student's t of k rows from their sums in some resamples of n units; NaN where there is no variance."""
    first, second = drawn[:, :k], drawn[:, k : 2 * k]
    if drawn.shape[1] == 2 * k:
        squares = second - first * first / n
    else:
        size, mixed, square = drawn[:, 2:3], drawn[:, 3:4], drawn[:, 4:5]
        ratio = first / size
        squares = second - 2.0 * ratio * mixed + ratio * ratio * square
    factor = math.sqrt(n / (n - 1)) if n > 1 else 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(squares > NO_VARIANCE * second, first / (factor * np.sqrt(squares)), np.nan)


def _remarks(paired: Sample, outcome: Outcome) -> Iterable[Finding]:
    if outcome.method == "asymptotic":
        yield caution("too-few-valid-resamples", paired.label)


BOOTSTRAP_T = SignificanceTest(
    name="bootstrap-t",
    title="bootstrap-t test of the mean",
    resamples=True,
    function=bootstrap_t,
    kinds=MEASURED,
    uses_weights=True,
    interval=IntervalMethod(
        interval=lambda paired, level, seed, p_values: bootstrap_t_interval(paired, level, seed),
        margin=lambda paired, margin, seed: bootstrap_t_margin(paired, margin, seed=seed),
    ),
    estimand="mean difference",
    hypotheses=MEAN_SCORES,
    assumptions=("there are enough of them for resamples to stand for new test sets",),
    citation="hall1992bootstrap",
    together=bootstrap_ts,
    summary="Student's t against its bootstrap distribution; for skewed differences of 20 instances and more.",
    title_with_clusters="bootstrap-t test of the mean with whole clusters",
    remarks=_remarks,
    if_skewed="allowed for",
)
