"""Tests of one score per run or fold: Welch's, Mann-Whitney's and the corrected resampled t-test."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from reportkit.finding import Finding
from reportkit.scores.sample import Details, Sample
from reportkit.significance.cautions import caution
from reportkit.significance.entry import MEASURED, ResamplingPlan, SignificanceTest
from reportkit.significance.few_runs import run_findings
from reportkit.significance.hypotheses import ALL_RUNS_ON_THIS_TEST_SET, LEARNING_METHODS, SAME_RUNS
from reportkit.significance.interval import Estimate
from reportkit.significance.outcome import Outcome
from reportkit.significance.tests.independent_samples import PAIRS_WON, estimate_unpaired, rank_sum_tails
from reportkit.significance.units import by_student_t


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
    """Run Welch's t-test with one score per run: the same test set, new runs.

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
    return WELCH_SEEDS.t_outcome(runs, estimate_run_means(runs), digits=1)


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
    assumptions=(NONE_CHOSEN, "the scores of runs are approximately normally distributed"),
    citation="welch1947generalization",
    summary="One score per run: the same test set, new runs.",
    shape="run-scores",
    independent_units=INDEPENDENT_RUNS,
    remarks=run_score_findings,
    size_remarks=run_score_sizes,
)


def mann_whitney_seeds(runs: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the Mann-Whitney test with one score per run: the same test set, new runs.

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
    about 50 runs of each system, see `reportkit.significance.tests.independent_samples`.

    Examples
    --------
    >>> runs = Sample(shape="run-scores", unit="run",
    ...               system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                  a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> outcome = mann_whitney_seeds(runs, ResamplingPlan())  # 2 of the 35 ways
    >>> outcome.statistic, round(outcome.p_greater, 4), round(outcome.p_min, 4)
    (11.0, 0.0571, 0.0286)
    """
    tails, wins = rank_sum_tails(runs.unpaired())
    return MANN_WHITNEY_SEEDS.outcome(runs, tails, statistic=wins, statistic_name=PAIRS_WON)


def _details(runs: Sample, outcome: Outcome) -> Details:
    pairs = np.sign(runs.a[:, None] - runs.b[None, :])
    share = float((pairs.mean() + 1) / 2)
    return {side: {"share_of_pairs_of_runs_won": won} for side, won in (("a", share), ("b", 1 - share))}


MANN_WHITNEY_SEEDS = SignificanceTest(
    name="mann-whitney-seeds",
    title="Mann-Whitney test over runs",
    function=mann_whitney_seeds,
    kinds=MEASURED,
    interval=replace(WELCH_SEEDS.interval, matched=False),
    estimand="difference of the mean scores of runs on this test set",
    hypotheses=SAME_RUNS,
    assumptions=(NONE_CHOSEN, "the runs of both systems scatter alike (if not, it tests something else than the mean)"),
    citation="mann1947test",
    summary="Ranks of the scores of runs, exact with ties; the same test set, new runs.",
    shape="run-scores",
    independent_units=INDEPENDENT_RUNS,
    remarks=run_score_findings,
    size_remarks=run_score_sizes,
    details=_details,
)


_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest difference are the noise of floating-point arithmetic."""


def estimate_over_folds(folds: Sample) -> Estimate:
    """Estimate the mean difference over folds, and its standard error with the training sets' overlap allowed for.

    With k folds and r repetitions, S^2 the sample variance of the k r differences,

        se^2 = (1 / (k r) + n_test / n_train) S^2,  n_test / n_train = 1 / (k - 1),  df = k r - 1.

    Folds share most of their training data, so that their scores are correlated; the second term stands for that. No
    unbiased estimate of the variance exists (Bengio and Grandvalet, 2004).

    Parameters
    ----------
    folds : Sample
        A and B on the same folds.

    Notes
    -----
    Nadeau and Bengio (2003), "Inference for the generalization error" (the corrected resampled t-test); for
    repeated cross-validation Bouckaert and Frank (2004), "Evaluating the replicability of significance tests".

    Examples
    --------
    >>> folds = Sample(shape="folds", unit="fold",
    ...                system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                a=np.array([[0.5, 0.9], [0.7, 0.8]]), b=np.array([[0.4, 0.9], [0.5, 0.3]]))
    >>> estimate = estimate_over_folds(folds)
    >>> round(estimate.mean, 6), round(estimate.standard_error, 6)  # sqrt(1/4 + 1) * 0.216025
    (0.2, 0.241523)
    """
    swapped = folds.system_b < folds.system_a
    differences = np.sort((-folds.differences if swapped else folds.differences).ravel())
    mean = float(differences.mean())
    scale = float(np.abs(differences).max())
    standard_error = None
    if scale and float(np.abs(differences - mean).max()) > _NO_VARIANCE * scale:
        deviation = scale * float(np.std(differences / scale, ddof=1))
        standard_error = deviation * math.sqrt(1 / folds.n + 1 / (folds.a.shape[1] - 1))
    return Estimate(
        mean=(-mean if swapped else mean) + 0.0,
        standard_error=standard_error,
        degrees_of_freedom=folds.n - 1,
        n_nonzero=int(np.count_nonzero(differences)),
    )


def corrected_resampled_t(folds: Sample, plan: ResamplingPlan) -> Outcome:
    """Run a t-test over the folds of a (repeated) cross-validation, corrected for the overlap of the training sets.

    t = mean / sqrt((1 / (k r) + 1 / (k - 1)) S^2) with k r - 1 degrees of freedom, S^2 the variance of the k r
    differences. The t-test that takes folds as independent has 1 / (k r) alone, which is too small by far.

    Parameters
    ----------
    folds : Sample
        A and B on the same folds.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: trained on data of this size, A is on average at most as good as B. Assumes that scores of two
    folds are correlated as n_test / (n_test + n_train) says, which is an approximation, and that differences are near
    normal. Where all folds show the same difference, p = 1 on both sides. Nadeau and Bengio (2003), "Inference for the
    generalization error".

    Examples
    --------
    >>> import numpy as np
    >>> folds = Sample(shape="folds", unit="fold",
    ...                system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                a=np.array([[0.5, 0.9], [0.7, 0.8]]), b=np.array([[0.4, 0.9], [0.5, 0.3]]))
    >>> outcome = corrected_resampled_t(folds, ResamplingPlan())
    >>> outcome.statistic_name, round(outcome.statistic, 4), round(outcome.p_greater, 4)
    ('t(3)', 0.8281, 0.2342)
    """
    return CORRECTED_RESAMPLED_T.t_outcome(folds, estimate_over_folds(folds))


def _remarks(folds: Sample, outcome: Outcome) -> Iterator[Finding]:
    if outcome.algorithm == "no variance":
        yield caution("no-variance/folds", folds.label)
    if folds.a.shape[1] == 2:
        yield caution("two-folds", folds.label)


CORRECTED_RESAMPLED_T = SignificanceTest(
    name="corrected-resampled-t",
    title="corrected resampled t-test",
    function=corrected_resampled_t,
    kinds=MEASURED,
    interval=by_student_t(
        estimate_over_folds,
        interval="corrected resampled t interval",
        test="corrected resampled t-test",
        citation="nadeau2003inference",
    ),
    estimand="mean difference over folds",
    hypotheses=LEARNING_METHODS,
    assumptions=("the differences are approximately normally distributed",),
    citation="nadeau2003inference",
    summary="Scores of the folds of a cross-validation, whose training sets overlap.",
    shape="folds",
    independent_units="the scores of two folds are as correlated as the overlap of their training sets makes them "
    "(the approximation of Nadeau and Bengio)",
    remarks=_remarks,
)
