"""t-test of a mean difference over instances and runs, both of which are samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.intervals import choose_interval
from reportkit.intervals.means.two_way import estimate_two_way
from reportkit.scores.shapes.runs import PairedRuns
from reportkit.scores.shapes.sample import Details, SideDetails
from reportkit.significance.cautions.run_spread import (
    order_of_runs,
    run_size_findings,
    single_run_findings,
)
from reportkit.significance.entry import ALL_RUNS, MEASURED, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.welch_seeds import INDEPENDENT_RUNS, NONE_CHOSEN


def two_way_t(runs: PairedRuns, plan: ResamplingPlan) -> Outcome:
    """t-test of the (weighted) mean difference with instances (clusters) and runs both random.

    Standard error and degrees of freedom are those of `reportkit.intervals.means.two_way.estimate_two_way`. In
    simulations with normal scores on 100 instances, whichever variance ruled, one-sided size at .05 and .01 was at most
    .084 and .047 with two runs, .063 and .025 with three, .055 and .014 with five; of fewer than five, it is said.
    Averaging over the runs and testing the instances alone had
    .13 to .32 at .05, testing the means of the runs alone .05 to .12, taking runs as further instances .26 to .40.

    Parameters
    ----------
    runs : PairedRuns
        Scores whose mean says something, of several runs of at least one system; a single run of the other one is taken
        as given.
    plan : ResamplingPlan
        Its seed is that of the description that stands beside the test.

    Notes
    -----
    Null hypothesis: the mean score of A, over all runs that its training could give and all instances, is at most that
    of B. Assumes independent runs, independent instances or clusters, and a near normal mean. Where the data hold no
    information on the variance (one instance or cluster, or no variation at all), p = 1 on both sides.
    Satterthwaite (1946); Searle, Casella and McCulloch (1992), chapter 4.

    Examples
    --------
    >>> runs = PairedRuns(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
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
        Tails.of_t(t, freedom, digits=1, seed=plan.seed),
        statistic=t or 0.0,
        statistic_name="t" if t is None else f"t({freedom:.1f})",
        n_nonzero=estimate.n_nonzero,
        estimate=estimate.mean,
    )


def _remarks(runs: PairedRuns, outcome: Outcome) -> Iterator[Finding]:
    where = runs.label
    if outcome.algorithm == "no variance":
        yield Finding(
            "no-variance",
            "warning",
            "The data hold no information on the variance (a single instance or cluster, or the same difference "
            "everywhere), so p is 1.",
            where=where,
            remedy="test these runs alone, runs='fixed' (--runs fixed), which needs no variance between runs",
        )
    numbers = {runs.system_a: len(runs.a), runs.system_b: len(runs.b)}
    yield from single_run_findings(numbers, where)


def _size_remarks(runs: PairedRuns, outcome: Outcome, thresholds: Sequence[float]) -> Iterator[Finding]:
    yield from run_size_findings(runs, *_means(runs), outcome, thresholds)


def _means(runs: PairedRuns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.average(runs.a, axis=1, weights=runs.weights), np.average(runs.b, axis=1, weights=runs.weights)


def _details(runs: PairedRuns, outcome: Outcome) -> Details:
    """Shares of the variance, and the almost stochastic order of the runs' means."""
    found = Details()
    if (shares := estimate_two_way(runs).shares) is not None:
        found = Details(
            variance_share_instances=shares[0],
            a=SideDetails(variance_share_runs=shares[1]),
            b=SideDetails(variance_share_runs=shares[2]),
        )
    return found | order_of_runs(runs, *_means(runs), outcome)


TWO_WAY_T = SignificanceTest(
    name="two-way-t",
    title="two-way t-test over instances and runs",
    function=two_way_t,
    kinds=MEASURED,
    uses_weights=True,
    interval=choose_interval.TWO_WAY,
    estimand="mean difference over instances and runs",
    null_hypothesis="the mean score of A over all its possible runs is at most that of B",
    hypotheses=ALL_RUNS,
    assumptions=(
        INDEPENDENT_RUNS,
        NONE_CHOSEN,
        "the mean difference is approximately normally distributed",
    ),
    citation="satterthwaite1946approximate",
    summary="Several runs of a system, instance by instance: both instances and runs are samples.",
    title_with_clusters="two-way t-test over clusters and runs",
    shape="runs",
    remarks=_remarks,
    size_remarks=_size_remarks,
    details=_details,
)
