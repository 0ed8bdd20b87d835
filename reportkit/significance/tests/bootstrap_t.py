"""The bootstrap-t test of the (weighted) mean difference, for skewed differences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtr

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.intervals import choose_interval
from reportkit.intervals.means.bootstrap_t import N_RESAMPLES, StudentizedResamples, enough_valid, resampled_ahead
from reportkit.intervals.means.student_t import estimate_mean
from reportkit.null_distributions.random.self_normalised import studentized_tail_bound
from reportkit.null_distributions.random.streams import hash64
from reportkit.null_distributions.random.studentized import MOST_COUNTS
from reportkit.null_distributions.random.tilted_studentized import (
    MOST_DRAWN,
    Tilt,
    TiltedTail,
    tilt_towards,
    tilted_tail,
)
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.significance.entry import MEAN_SCORES, MEASURED, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan, clopper_pearson, error_range, is_unstable, leaves_open

_TIE = 1e-12

_WELL_KNOWN = 0.1

BOUND = "upper bound of the tail, beyond what the random resamples show"

TILTED = "resamples tilted to the observed value"


def bootstrap_t(paired: PairedScores, plan: ResamplingPlan) -> Outcome:
    """Bootstrap-t test of the (weighted) mean difference.

    Instances (whole clusters, if there are any) are drawn with replacement; p is the share of resamples whose
    t* = (d* - d) / se* is at least t = d / se, as (s + 1) / (b + 1) over the b resamples that hold a variance. With
    clusters, and with weights, se is that of a ratio of sums, in each resample anew.

    Parameters
    ----------
    paired : PairedScores
        Scores whose mean says something.
    plan : ResamplingPlan
        Number of random resamples, seed and thresholds. Where it is open on which side of a threshold a p-value lies,
        further resamples are tilted to the observed t, 1,024 to 16,384 of them; see `tilted_tail`. Units of several
        sizes, or a `max_resamples` below that, take further plain resamples instead, up to the bound of the plan and
        at most 200 million draws of units. The draws are the same for all pairs of systems on a dataset, made once.

    Returns
    -------
    Outcome
        Where no resample, of those that are drawn, comes near t, p is an upper bound of the tail for infinitely many
        resamples, if that is smaller than 1 / (b + 1): see `studentized_tail_bound`. `p_min` is n^-n for n units. A
        p-value from tilted resamples has their relative standard error as its `relative_error`.

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
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.repeat([1.0, 0.0], [25, 5]), b=np.repeat([0.9, 1.0], [25, 5]))
    >>> outcome = bootstrap_t(paired, ResamplingPlan())  # 25 small gains, 5 large losses
    >>> round(outcome.p_greater, 2), round(outcome.p_less, 2), outcome.method
    (0.89, 0.11, 'Monte Carlo')
    """
    estimate = estimate_mean(paired)
    if estimate.t is None:
        raise DesignError(
            "'bootstrap-t' cannot estimate a variance: there is one unit, or all show the same difference",
            where=f"{paired.label}: mean difference {estimate.mean:g}",
            remedy="choose 'sign-flip', which needs no variance",
        )
    if estimate.n_nonzero == 0:
        tails = Tails.of_no_difference()
    else:
        tails = _tails(paired, plan, estimate.t, estimate.degrees_of_freedom)
    return BOOTSTRAP_T.outcome(paired, tails, statistic=estimate.t, statistic_name="t", n_nonzero=estimate.n_nonzero)


def bootstrap_ts_ahead(samples: Sequence[PairedScores], plan: ResamplingPlan) -> None:
    """Draw the first resamples of many pairs at once, where `bootstrap_t` finds them."""
    if plan.n_resamples == N_RESAMPLES:
        resampled_ahead(samples, plan.seed)


def _tails(paired: PairedScores, plan: ResamplingPlan, t: float, degrees_of_freedom: float) -> Tails:
    resamples = StudentizedResamples.of(paired, plan.seed)
    swapped = resamples.units.swapped
    oriented = -t if swapped else t
    counted = _count(resamples, plan, oriented)
    smallest = math.exp(-resamples.units.n * math.log(resamples.units.n))
    if not enough_valid(counted.n_valid, counted.n_drawn):
        return Tails(
            p_greater=float(stdtr(degrees_of_freedom, -t)),
            p_less=float(stdtr(degrees_of_freedom, t)),
            p_min=smallest,
            method="asymptotic",
            algorithm="Student's t distribution, as too few resamples hold a variance",
        )
    plain = [min(bound, (count + 1) / (counted.n_valid + 1)) for count, bound in _sides(counted)]
    p_values = [p if tail is None else tail.p_value for p, tail in zip(plain, counted.tilted, strict=True)]
    further = [tail for tail in counted.tilted if tail is not None]
    tails = Tails(
        p_greater=p_values[0],
        p_less=p_values[1],
        p_min=smallest,
        method="Monte Carlo",
        algorithm=_algorithm(counted),
        n_resamples=counted.n_valid + sum(tail.n_resamples for tail in further),
        seed=plan.seed,
        relative_error=max((tail.relative_error for tail in further), default=0.0),
    )
    return tails.swapped() if swapped else tails


@dataclass(frozen=True, slots=True)
class _Counted:
    """Resamples in both tails, of those that hold a variance; bounds for infinitely many; tails from tilted ones."""

    n_greater: int = 0
    n_less: int = 0
    n_valid: int = 0
    n_drawn: int = 0
    bounds: tuple[float, float] = (1.0, 1.0)
    tilted: tuple[TiltedTail | None, TiltedTail | None] = (None, None)


def _count(resamples: StudentizedResamples, plan: ResamplingPlan, t: float) -> _Counted:
    """Draw until no threshold is left open, or tilted resamples can settle it, or the plan allows no more."""
    counted = _Counted()
    tolerance = _TIE * max(1.0, abs(t))
    for stage in plan.ladder():
        if counted.n_drawn and stage * resamples.units.n > MOST_COUNTS:
            break
        drawn = resamples.t(counted.n_drawn, stage)
        counted = _Counted(
            n_greater=counted.n_greater + int(np.count_nonzero(drawn >= t - tolerance)),
            n_less=counted.n_less + int(np.count_nonzero(drawn <= t + tolerance)),
            n_valid=counted.n_valid + drawn.size,
            n_drawn=stage,
            bounds=counted.bounds,
        )
        tilt, near = None, False
        unseen = counted.n_drawn == plan.n_resamples and min(counted.n_greater, counted.n_less) == 0
        if unseen and float(stdtr(resamples.units.n - 1, -abs(t))) > 0.1 * min(plan.thresholds, default=1.0):
            tilt = _tilt(resamples, plan, t, counted)
            near = tilt is not None and tilt.exponent > math.log(plan.thresholds[-1])
        if unseen and not near:  # else a threshold is open, whatever the bound is
            counted = replace(counted, bounds=_bounds(resamples, t, counted))
        if not any(_is_open(count, bound, counted, plan) for count, bound in _sides(counted)):
            break
        counted = _tilted(resamples, plan, t, counted, tilt or _tilt(resamples, plan, t, counted))
        if any(counted.tilted):
            break
        if near:
            counted = replace(counted, bounds=_bounds(resamples, t, counted))
    return counted


def _tilt(resamples: StudentizedResamples, plan: ResamplingPlan, t: float, counted: _Counted) -> Tilt | None:
    """Chances that lead to t, where its tail is open; None where tilted resamples do not apply."""
    if not resamples.equal_sizes or plan.max_resamples < MOST_DRAWN or not counted.n_valid:
        return None
    count, bound = _sides(counted)[0 if t > 0 else 1]
    if not _is_open(count, bound, counted, plan):
        return None
    return tilt_towards(resamples.units.sums if t > 0 else -resamples.units.sums[::-1], abs(t))


def _tilted(
    resamples: StudentizedResamples, plan: ResamplingPlan, t: float, counted: _Counted, tilt: Tilt | None
) -> _Counted:
    """Estimate the tail that is open by tilted resamples; unchanged where there are none, or plain ones differ."""
    if tilt is None:
        return counted
    found = tilted_tail(
        tilt,
        key=(*resamples.key, hash64("tilted")),
        settled=lambda tail: (
            tail.relative_error <= _WELL_KNOWN and not leaves_open(tail.p_value, tail.relative_error, plan.thresholds)
        ),
    )
    if found is None:
        return counted
    low, high = error_range(found.p_value, found.relative_error)
    least, most = clopper_pearson(_sides(counted)[0 if t > 0 else 1][0], counted.n_valid)
    if high < least or low > most:
        return counted
    return replace(counted, tilted=(found, None) if t > 0 else (None, found))


def _algorithm(counted: _Counted) -> str:
    parts = []
    if any(counted.tilted):
        parts.append(TILTED)
    elif min(counted.bounds) * (counted.n_valid + 1) < 1:
        parts.append(BOUND)
    if counted.n_valid < counted.n_drawn:
        parts.append(f"without {counted.n_drawn - counted.n_valid:,} resamples that hold no variance")
    return "; ".join(parts)


def _sides(counted: _Counted) -> tuple[tuple[int, float], tuple[int, float]]:
    return (counted.n_greater, counted.bounds[0]), (counted.n_less, counted.bounds[1])


def _is_open(count: int, bound: float, counted: _Counted, plan: ResamplingPlan) -> bool:
    """Whether the p-value of one side could lie on either side of a threshold that its bound does not decide."""
    return is_unstable(count, max(counted.n_valid, 1), plan.thresholds, below=bound)


def _bounds(resamples: StudentizedResamples, t: float, counted: _Counted) -> tuple[float, float]:
    """Upper bounds of P(t* >= t) and P(t* <= t); 1 where none is known: units of several sizes, or t near 0."""
    if not resamples.equal_sizes or not counted.n_valid:
        return 1.0, 1.0
    bound = studentized_tail_bound(np.copysign(1.0, t) * resamples.units.sums, abs(t))
    bound = min(1.0, bound * counted.n_drawn / counted.n_valid)
    return (bound, 1.0) if t > 0 else (1.0, bound)


def _remarks(paired: PairedScores, outcome: Outcome) -> Iterable[Finding]:
    where = paired.label
    if outcome.method == "asymptotic":
        yield Finding(
            "too-few-valid-resamples",
            "warning",
            "Most resamples hold no variance, so they do not tell the distribution of t; Student's is used.",
            where=where,
            remedy="collect more instances, or choose the test 'sign-flip'",
        )


BOOTSTRAP_T = SignificanceTest(
    name="bootstrap-t",
    title="bootstrap-t test of the mean",
    resamples=True,
    function=bootstrap_t,
    kinds=MEASURED,
    uses_weights=True,
    interval=choose_interval.BOOTSTRAP_T,
    estimand="mean difference",
    null_hypothesis="the mean score of A is at most that of B",
    hypotheses=MEAN_SCORES,
    assumptions=("there are enough of them for resamples to stand for new test sets",),
    citation="hall1992bootstrap",
    ahead=bootstrap_ts_ahead,
    summary="Student's t against its bootstrap distribution; for skewed differences of 20 instances and more.",
    title_with_clusters="bootstrap-t test of the mean with whole clusters",
    remarks=_remarks,
    if_skewed="allowed for",
)
