"""The t-test of a mean difference over instances and runs, both of which are samples."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.scores.sample import Details, Sample
from reportkit.significance.cautions import caution
from reportkit.significance.entry import MEASURED, ResamplingPlan, SignificanceTest
from reportkit.significance.few_runs import run_findings
from reportkit.significance.hypotheses import ALL_RUNS
from reportkit.significance.interval import Estimate
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.tests.scores_of_runs import INDEPENDENT_RUNS, NONE_CHOSEN
from reportkit.significance.units import by_student_t


def satterthwaite(parts: Sequence[tuple[float, float]]) -> float:
    """Return Satterthwaite's degrees of freedom, (sum v)^2 / sum (v^2 / f), of a sum of independent variances v.

    Parameters
    ----------
    parts : sequence of (variance, degrees of freedom)
        Not all variances 0.

    Notes
    -----
    Satterthwaite (1946), "An approximate distribution of estimates of variance components".

    Examples
    --------
    >>> satterthwaite([(1.0, 4), (1.0, 4)]), satterthwaite([(1.0, 4), (0.0, 9)])
    (8.0, 4.0)
    """
    largest = max(variance for variance, _ in parts)  # so that squares do not underflow
    shares = [(variance / largest, freedom) for variance, freedom in parts if variance > 0]
    return float(sum(share for share, _ in shares) ** 2 / sum(share**2 / freedom for share, freedom in shares))


_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest score are the noise of floating-point arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoWayEstimate(Estimate):
    """A mean difference over instances and runs, and the parts of its variance.

    Parameters
    ----------
    instances : float
        Square root of v_I, the variance of the mean that comes from the choice of the instances (clusters), the runs
        given. (Squares of very large or very small scores would leave the range of a float.)
    runs_a, runs_b : float
        Square roots of v_A and v_B, the variances of the mean that come from the choice of the runs, the instances
        given; 0 for a single run, which is taken as given.
    residual_a, residual_b : float
        Square roots of e_A and e_B, the part of the two above that both hold: neither instance nor run explains it.
    """

    instances: float
    runs_a: float
    runs_b: float
    residual_a: float
    residual_b: float

    @property
    def shares(self) -> tuple[float, float, float] | None:
        """Shares of v_I, v_A and v_B in their sum; None if all are 0."""
        largest = max(self.instances, self.runs_a, self.runs_b)
        if largest == 0:
            return None
        squares = [(part / largest) ** 2 for part in (self.instances, self.runs_a, self.runs_b)]
        return squares[0] / sum(squares), squares[1] / sum(squares), squares[2] / sum(squares)


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """Runs by independent units: sums over the instances of a cluster, or the scores of single instances."""

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    sizes: NDArray[np.float64]


def estimate_two_way(runs: Sample) -> TwoWayEstimate:
    """Estimate the mean difference and its variance, with instances and runs both random.

    With m_A runs of A and m_B of B on n instances, d_j the difference of the means over the runs on instance j, and
    s_k. the mean of run k over the instances,

        v_I = var(d_j) / n,  v_A = var(s_k.) / m_A,  e_A = MS_residual,A / (n m_A),  v_B and e_B likewise,
        se^2 = max(v_I, v_A + v_B, v_I + v_A + v_B - e_A - e_B),
        df = (v_I + v_A + v_B)^2 / (v_I^2 / (n - 1) + v_A^2 / (m_A - 1) + v_B^2 / (m_B - 1)).

    MS_residual is the mean square of the interaction in a two-way analysis of variance of runs by instances. The
    scatter that neither run nor instance explains is in v_I and in v_A: e_A takes it out once.

    With clusters or weights, the units are clusters, S_kc is the (weighted) sum of run k over cluster c, W_c its size
    and W = sum W_c; v_I is then cluster-robust, G / (G - 1) sum (D_c - W_c d)^2 / W^2, and
    e_A = m_A / (m_A - 1) G / (G - 1) sum (R_kc)^2 / (m_A W)^2 with residuals R_kc = S_kc - W_c s_k - (S_.c - W_c s).
    For clusters of one instance and equal weights these are the formulas above.

    Notes
    -----
    Assumes that runs are independent draws of the training procedure, that units are independent, and that runs of A
    and B are not paired. A single run of one system is taken as given (v = e = 0). Variance components of a crossed
    design: Searle, Casella and McCulloch (1992), chapter 4; degrees of freedom: Satterthwaite (1946).

    Examples
    --------
    >>> runs = Sample(shape="runs", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                   a=np.array([[3.0, 5.0, 4.0], [4.0, 6.0, 8.0]]), b=np.array([[1.0, 4.0, 5.0]]))
    >>> estimate = estimate_two_way(runs)
    >>> round(estimate.mean, 6), round(estimate.instances, 6), round(estimate.runs_a, 6), round(estimate.residual_a, 6)
    (1.666667, 0.440959, 1.0, 0.5)
    """
    swapped = runs.system_b < runs.system_a  # always computed in the direction of the first name
    units = _units(runs, swapped)
    total, n = float(units.sizes.sum()), units.sizes.size
    scale = max(float(np.abs(units.a).max()), float(np.abs(units.b).max())) or 1.0
    sums = units.a.mean(axis=0) / scale - units.b.mean(axis=0) / scale
    sums[np.abs(sums) <= _NO_VARIANCE] = 0.0
    mean = float(sums.sum()) / total
    deviations = sums - units.sizes * mean
    v_instances = _noiseless(n / (n - 1) * float(np.square(deviations).sum()) / total**2) if n > 1 else 0.0
    v_first, e_first = _run_variance(units.a / scale, units.sizes)
    v_second, e_second = _run_variance(units.b / scale, units.sizes)
    v_runs = v_first + v_second
    variance = max(v_instances, v_runs, v_instances + v_runs - e_first - e_second)
    known = n > 1 and variance > 0
    parts = [(v_instances, n - 1.0), (v_first, len(units.a) - 1.0), (v_second, len(units.b) - 1.0)]
    (v_a, e_a), (v_b, e_b) = ((v_first, e_first), (v_second, e_second))[:: -1 if swapped else 1]
    return TwoWayEstimate(
        mean=(-scale if swapped else scale) * mean + 0.0,
        instances=scale * math.sqrt(v_instances),
        runs_a=scale * math.sqrt(v_a),
        runs_b=scale * math.sqrt(v_b),
        residual_a=scale * math.sqrt(e_a),
        residual_b=scale * math.sqrt(e_b),
        standard_error=scale * math.sqrt(variance) if known else None,
        degrees_of_freedom=satterthwaite(parts) if known else 0.0,
        n_nonzero=int(np.count_nonzero(sums)),
    )


def _units(runs: Sample, swapped: bool) -> _Units:
    first, second = (runs.b, runs.a) if swapped else (runs.a, runs.b)
    weights = np.ones(runs.n) if runs.weights is None else runs.weights
    if runs.weights is not None:
        first, second = first * weights, second * weights
    if runs.clusters is None:
        return _Units(first, second, weights)
    _, codes = np.unique(runs.clusters, return_inverse=True)
    first, second = (np.array([np.bincount(codes, weights=row) for row in rows]) for rows in (first, second))
    return _Units(first, second, np.bincount(codes, weights=weights).astype(np.float64))


def _run_variance(sums: NDArray[np.float64], sizes: NDArray[np.float64]) -> tuple[float, float]:
    """Return the variances v and e of one system; sums of shape (n_runs, n_units)."""
    m, n = sums.shape
    if m == 1:
        return 0.0, 0.0
    total = float(sizes.sum())
    means = sums.sum(axis=1) / total
    v = _noiseless(float(np.var(means, ddof=1)) / m)
    if n == 1:
        return v, 0.0
    residuals = sums - np.outer(means, sizes) - (sums.mean(axis=0) - sizes * means.mean())
    squares = float(np.square(residuals).sum())
    return v, _noiseless(m / (m - 1) * n / (n - 1) * squares / (m * total) ** 2)


def _noiseless(variance: float) -> float:
    """Set a variance of scores up to 1 to 0 where it is rounding noise."""
    return variance if variance > _NO_VARIANCE**2 else 0.0


def two_way_t(runs: Sample, plan: ResamplingPlan) -> Outcome:
    """Run a t-test of the (weighted) mean difference with instances (clusters) and runs both random.

    Standard error and degrees of freedom are those of `estimate_two_way`. In simulations with normal scores on 100
    instances, whichever variance dominated, one-sided size at .05 and .01 was at most .084 and .047 with two runs,
    .063 and .025 with three, .055 and .014 with five; a finding says so for fewer than five. Averaging over the runs
    and testing the instances alone had .13 to .32 at .05, testing the means of the runs alone .05 to .12, taking runs
    as further instances .26 to .40.

    Parameters
    ----------
    runs : Sample
        Scores whose mean says something, of several runs of at least one system; a single run of the other one is taken
        as given.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: the mean score of A, over all runs that its training could give and all instances, is at most that
    of B. Assumes independent runs, independent instances or clusters, and a near normal mean. Where the data hold no
    information on the variance (one instance or cluster, or no variation at all), p = 1 on both sides.
    Satterthwaite (1946); Searle, Casella and McCulloch (1992), chapter 4.

    Examples
    --------
    >>> runs = Sample(shape="runs", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                   a=np.array([[3.0, 5.0, 4.0], [4.0, 6.0, 8.0]]), b=np.array([[1.0, 4.0, 5.0]]))
    >>> outcome = two_way_t(runs, ResamplingPlan())
    >>> outcome.statistic_name, round(outcome.statistic, 4), round(outcome.p_greater, 4)
    ('t(1.4)', 1.6667, 0.1436)
    """
    estimate = estimate_two_way(runs)
    error, freedom = estimate.standard_error, estimate.degrees_of_freedom
    t = None if error is None else estimate.mean / error
    return TWO_WAY_T.outcome(
        runs,
        Tails.of_t(t, freedom, digits=1),
        statistic=t or 0.0,
        statistic_name="t" if t is None else f"t({freedom:.1f})",
        n_nonzero=estimate.n_nonzero,
        estimate=estimate.mean,
    )


def _remarks(runs: Sample, outcome: Outcome) -> Iterator[Finding]:
    if outcome.algorithm == "no variance":
        yield caution("no-variance", runs.label)


def _size_remarks(runs: Sample, outcome: Outcome, thresholds: Sequence[float]) -> Iterator[Finding]:
    a, b = (np.average(scores, axis=1, weights=runs.weights) for scores in (runs.a, runs.b))
    yield from run_findings(runs, a, b, outcome, thresholds)


def _details(runs: Sample, outcome: Outcome) -> Details:
    shares = estimate_two_way(runs).shares
    if shares is None:
        return {}
    a, b = ({"variance_share_runs": share} for share in shares[1:])
    return {"variance_share_instances": shares[0], "a": a, "b": b}


TWO_WAY_T = SignificanceTest(
    name="two-way-t",
    title="two-way t-test over instances and runs",
    function=two_way_t,
    kinds=MEASURED,
    uses_weights=True,
    interval=by_student_t(
        estimate_two_way,
        interval=lambda runs: f"two-way t interval of the {'' if runs.weights is None else 'weighted '}mean",
        test="two-way t-test",
        citation="searle1992variance",
    ),
    estimand="mean difference over instances and runs",
    hypotheses=ALL_RUNS,
    assumptions=(INDEPENDENT_RUNS, NONE_CHOSEN, "the mean difference is approximately normally distributed"),
    citation="satterthwaite1946approximate",
    summary="Several runs of a system, instance by instance: both instances and runs are samples.",
    title_with_clusters="two-way t-test over clusters and runs",
    shape="runs",
    remarks=_remarks,
    size_remarks=_size_remarks,
    details=_details,
)
