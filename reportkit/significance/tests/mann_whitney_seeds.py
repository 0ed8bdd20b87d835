"""Mann-Whitney's test of the scores of runs, exact with ties too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reportkit.scores.details import Details, SideDetails
from reportkit.scores.sample import Sample
from reportkit.significance.entry import MEASURED, SAME_RUNS, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.mann_whitney import mann_whitney
from reportkit.significance.tests.welch_seeds import (
    INDEPENDENT_RUNS,
    NONE_CHOSEN,
    WELCH_SEEDS,
    run_score_findings,
    run_score_sizes,
)


def mann_whitney_seeds(runs: Sample, plan: ResamplingPlan) -> Outcome:
    """Mann-Whitney's test with one score per run: the same test set, new runs.

    The p-value is the share of all ways to call m_A of the m_A + m_B runs those of A, in which the sum of their ranks
    is at least the observed one; ties share their mean rank. The smallest possible one is 1 / C(m_A + m_B, m_A): .1 for
    two systems with 3 and 2 runs, .05 for 3 and 3, .0040 for 5 and 5.

    Parameters
    ----------
    runs : Sample
        Runs of both systems.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: the runs of A and of B have the same distribution. Rejected also where the two merely scatter
    differently, so that it is about the mean only if they scatter alike. Assumes independent runs. Mann and Whitney
    (1947), "On a test of whether one of two random variables is stochastically larger than the other"; exact for up to
    about 50 runs of each system, see `reportkit.significance.tests.mann_whitney`.

    Examples
    --------
    >>> runs = Sample(shape="run-scores", unit="run",
    ...               system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                  a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> outcome = mann_whitney_seeds(runs, ResamplingPlan())  # 2 of the 35 ways
    >>> outcome.statistic, round(outcome.p_greater, 4), round(outcome.p_min, 4)
    (11.0, 0.0571, 0.0286)
    """
    ranks = mann_whitney(runs.unpaired(), plan)
    tails = Tails(**ranks.known())
    return MANN_WHITNEY_SEEDS.outcome(runs, tails, statistic=ranks.statistic, statistic_name=ranks.statistic_name)


def _details(runs: Sample, outcome: Outcome) -> Details:
    pairs = np.sign(runs.a[:, None] - runs.b[None, :])
    share = float((pairs.mean() + 1) / 2)
    return Details(a=SideDetails(share_of_pairs_of_runs_won=share), b=SideDetails(share_of_pairs_of_runs_won=1 - share))


MANN_WHITNEY_SEEDS = SignificanceTest(
    name="mann-whitney-seeds",
    title="Mann-Whitney test over runs",
    function=mann_whitney_seeds,
    kinds=MEASURED,
    interval=replace(WELCH_SEEDS.interval, matched=False),
    estimand="difference of the mean scores of runs on this test set",
    hypotheses=SAME_RUNS,
    assumptions=(
        NONE_CHOSEN,
        "the runs of both systems scatter alike (if not, it tests something else than the mean)",
    ),
    citation="mann1947test",
    summary="Ranks of the scores of runs, exact with ties; the same test set, new runs.",
    shape="run-scores",
    independent_units=INDEPENDENT_RUNS,
    remarks=run_score_findings,
    size_remarks=run_score_sizes,
    details=_details,
)
