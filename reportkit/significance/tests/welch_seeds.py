"""Welch's t-test of the scores of runs: the same test set, the systems trained anew."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportkit.finding import Finding
from reportkit.scores.sample import Sample
from reportkit.significance.cautions import caution
from reportkit.significance.entry import ALL_RUNS_ON_THIS_TEST_SET, MEASURED, SignificanceTest, by_student_t
from reportkit.significance.few_runs import run_findings
from reportkit.significance.interval import Estimate
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.welch import estimate_unpaired


def estimate_run_means(runs: Sample) -> Estimate:
    """Estimate the difference of the mean scores of the runs, its standard error, and the degrees of freedom.

    Standard error and degrees of freedom are Welch's. Where one system has a single run, this run is taken as given,
    and the standard error is that of the mean of the other system, with m - 1 degrees of freedom.

    Parameters
    ----------
    runs : Sample
        A and B on one dataset.

    Notes
    -----
    Assumes that the runs of a system are independent draws of its training procedure. Welch (1947). Nothing is said
    about new test sets.

    Examples
    --------
    >>> import numpy as np
    >>> runs = Sample(shape="run-scores", unit="run",
    ...               system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                  a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> estimate = estimate_run_means(runs)
    >>> round(estimate.t, 4), round(estimate.degrees_of_freedom, 4)
    (3.153, 4.8496)
    """
    if runs.n > 1:
        return estimate_unpaired(runs.unpaired())
    single_a = runs.a.size == 1
    several = runs.b if single_a else runs.a
    # two copies of the runs: s^2 / m of each, so that the variance of one is half of that of their difference
    twice = estimate_unpaired(replace(runs.unpaired(), a=several, b=several))
    if twice.standard_error is None:
        return Estimate(mean=runs.value_difference, standard_error=None, degrees_of_freedom=math.nan)
    return Estimate(
        mean=runs.value_difference,
        standard_error=twice.standard_error / math.sqrt(2),
        degrees_of_freedom=float(several.size - 1),
    )


INDEPENDENT_RUNS = "the runs of a system are independent draws of its training procedure"
NONE_CHOSEN = "no run was chosen by its score"


def welch_seeds(runs: Sample, plan: ResamplingPlan) -> Outcome:
    """Welch's t-test with one score per run: the same test set, new runs.

    Parameters
    ----------
    runs : Sample
        Several runs of at least one system; a single run of the other one is taken as given.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: the mean score of A on this test set, over all runs that its training could give, is at most that
    of B. It says nothing about other test items: taken for that, its one-sided size at .05 was .05 to .12 in
    simulations. With normal scores and the worst ratio of the variances, its size at .05 and .01 is .084 and .047 where
    a system has two runs, .062 and .023 with three, .053 and .014 with five. Assumes independent runs with near normal
    scores. Where the runs of neither system differ, p = 1 on both sides. Welch (1947), "The
    generalization of 'Student's' problem when several different population variances are involved".

    Examples
    --------
    >>> import numpy as np
    >>> runs = Sample(shape="run-scores", unit="run",
    ...               system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                  a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> outcome = welch_seeds(runs, ResamplingPlan())
    >>> outcome.statistic_name, round(outcome.statistic, 4), round(outcome.p_greater, 4)
    ('t(4.8)', 3.153, 0.0132)
    """
    estimate = estimate_run_means(runs)
    t, freedom = estimate.t, estimate.degrees_of_freedom
    return WELCH_SEEDS.outcome(
        runs,
        Tails.of_t(t, freedom, digits=1),
        statistic=t or 0.0,
        statistic_name="t" if t is None else f"t({freedom:.1f})",
    )


def run_score_findings(runs: Sample, outcome: Outcome) -> Iterator[Finding]:
    """Say what tests of runs alone say: the same test set; and how few runs there are."""
    yield caution("runs-only", "")
    if outcome.algorithm == "no variance":
        yield caution("no-variance/runs", runs.label)


def run_score_sizes(runs: Sample, outcome: Outcome, thresholds: Sequence[float]) -> Iterator[Finding]:
    """Say what few runs do to the test, and what they cannot show."""
    yield from run_findings(runs, runs.a, runs.b, outcome, thresholds)


WELCH_SEEDS = SignificanceTest(
    name="welch-seeds",
    title="Welch t-test over runs",
    function=welch_seeds,
    kinds=MEASURED,
    interval=by_student_t(
        estimate_run_means,
        interval="Welch interval over runs",
        test="Welch t-test over runs",
        citation="welch1947generalization",
    ),
    estimand="difference of the mean scores of runs on this test set",
    hypotheses=ALL_RUNS_ON_THIS_TEST_SET,
    assumptions=(
        NONE_CHOSEN,
        "the scores of runs are approximately normally distributed",
    ),
    citation="welch1947generalization",
    summary="One score per run: the same test set, new runs.",
    shape="run-scores",
    independent_units=INDEPENDENT_RUNS,
    remarks=run_score_findings,
    size_remarks=run_score_sizes,
)
