"""Paired and cluster-robust t-tests against SciPy and statsmodels."""

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import DesignError
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.paired_means import paired_t
from reportkit.significance.units import student_t_interval

PLAN = ResamplingPlan()


@pytest.fixture
def scores():
    """Scores of two systems on 30 instances."""
    rng = np.random.default_rng(1)
    return np.round(rng.random(30), 4), np.round(rng.random(30), 4)


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_agrees_with_scipy(pair, scores, alternative):
    """All alternatives are those of ttest_rel."""
    outcome = paired_t(pair(*scores), PLAN).towards(alternative)
    expected = stats.ttest_rel(*scores, alternative=alternative)
    assert outcome.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert outcome.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert outcome.statistic_name == "t(29)"


@pytest.mark.parametrize("mean", [3, -3, 30])
def test_far_tails_agree_with_scipy(pair, mean):
    """Tiny p-values come from the survival function, not from 1 - cdf."""
    differences = np.round(np.random.default_rng(4).normal(mean, 1, 300), 6)
    outcome = paired_t(pair(differences), PLAN)
    expected = stats.ttest_1samp(differences, 0, alternative="greater" if mean > 0 else "less").pvalue
    assert outcome.p_value == (1.0 if mean < 0 else pytest.approx(expected, rel=1e-8))
    assert min(outcome.p_greater, outcome.p_less) == pytest.approx(expected, rel=1e-8)
    assert min(outcome.p_greater, outcome.p_less) > 0


def test_paired_t_ignores_clusters(pair, scores):
    """By name, the plain test may be run on clustered instances; its assumptions say what it treats as independent."""
    clustered = paired_t(pair(*scores, clusters=np.repeat(range(10), 3)), PLAN)
    assert clustered.p_greater == paired_t(pair(*scores), PLAN).p_greater
    assert clustered.n_clusters is None
    assert clustered.assumptions[0] == "instances are independent of each other"


@pytest.mark.parametrize("fields", [{}, {"weights": np.arange(1, 31)}])
def test_agrees_with_its_interval(pair, scores, fields):
    """At the two-sided p-value as level, the interval just touches 0."""
    paired = pair(*scores, **fields)
    outcome = paired_t(paired, PLAN).towards("two-sided")
    interval = student_t_interval(paired, 1 - outcome.p_value)
    assert min(abs(interval.low), abs(interval.high)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("values", "problem"),
    [([0.3], "there is one instance only"), ([0.3, 0.3, 0.1 + 0.2], "every instance shows the same difference, 0.3")],
)
def test_without_variance_the_test_is_refused(pair, values, problem):
    """A constant difference would give p = 0."""
    with pytest.raises(DesignError, match=problem) as error:
        paired_t(pair(values), PLAN)
    assert "sign-flip" in str(error.value)
