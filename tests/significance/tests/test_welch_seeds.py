"""Welch's test over runs."""

from __future__ import annotations

import pytest
from scipy import stats

from reportkit.significance.assess import assess
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.scores_of_runs import welch_seeds
from tests.samples import run_scores
from tests.significance.methods import interval_of

PLAN = ResamplingPlan()
A, B = [0.71, 0.74, 0.69, 0.75, 0.73], [0.70, 0.66, 0.68]


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_agrees_with_scipy(alternative):
    """T and p are those of ttest_ind with unequal variances."""
    outcome = welch_seeds(run_scores(A, B), PLAN).towards(alternative)
    expected = stats.ttest_ind(A, B, equal_var=False, alternative=alternative)
    assert outcome.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert outcome.statistic == pytest.approx(expected.statistic, rel=1e-9)


def test_a_single_run_is_taken_as_given():
    """One score against several: the one-sample t-test of the several."""
    assessment = assess(run_scores([0.7], B), PLAN)
    assert assessment.p_greater == pytest.approx(stats.ttest_1samp(B, 0.7, alternative="less").pvalue, rel=1e-9)
    assert "single-run" in {finding.code for finding in assessment.findings}


def test_without_variance_another_test_is_chosen():
    """Deterministic systems: ranks by default, p = 1 with a warning if Welch's test is named."""
    sample = run_scores([0.8] * 3, [0.7] * 3)
    assert assess(sample, PLAN).test == "mann-whitney-seeds"
    assert assess(sample, PLAN).p_greater == pytest.approx(1 / 20)
    named = assess(sample, PLAN, test="welch-seeds")
    assert (named.p_greater, named.p_less) == (1.0, 1.0)
    assert "no-variance" in {finding.code for finding in named.findings}


A, B = [0.71, 0.74, 0.69, 0.75, 0.73], [0.70, 0.66, 0.68]


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_interval_of_welch(level):
    """SciPy's, of the test with unequal variances."""
    interval = interval_of("welch-seeds")(run_scores(A, B), level)
    expected = stats.ttest_ind(A, B, equal_var=False).confidence_interval(level)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), rel=1e-9)
