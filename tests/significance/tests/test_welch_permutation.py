"""Welch's test confirmed by permutation: the larger of two p-values, and its size where either alone fails."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import DesignError
from reportkit.significance.assess import assess
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.studentised_permutation import welch_permutation

PLAN = ResamplingPlan(n_resamples=499)


def test_the_larger_p_value_in_each_direction(unpaired):
    """By SciPy from end to end: its t-test, and its permutation test of the same statistic."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.6, 1, 7), rng.normal(0, 3, 4)

    def t(x, y, axis):
        return stats.ttest_ind(x, y, axis=axis, equal_var=False).statistic

    outcome = welch_permutation(unpaired(a, b), PLAN)
    for side, found in (("greater", outcome.p_greater), ("less", outcome.p_less)):
        permuted = stats.permutation_test((a, b), t, vectorized=True, alternative=side, n_resamples=np.inf).pvalue
        assert found == pytest.approx(max(stats.ttest_ind(a, b, equal_var=False, alternative=side).pvalue, permuted))
    assert outcome.p_min == 1 / 330


def test_swap_order_and_identical_scores(unpaired):
    """To the last digit; the same number everywhere is p = 1."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=30), rng.normal(size=20)
    outcome = welch_permutation(unpaired(a, b), PLAN)
    shuffled = welch_permutation(unpaired(rng.permutation(a), b), PLAN)
    assert replace(shuffled, score_a=outcome.score_a) == outcome  # a plain mean of scores that ingestion sorts
    assert welch_permutation(unpaired(b, a, names=("b", "a")), PLAN) == outcome.swapped()
    assert outcome.method == "Monte Carlo"
    assert welch_permutation(unpaired([0.5, 0.5], [0.5, 0.5, 0.5]), PLAN).p_greater == 1.0
    with pytest.raises(DesignError, match="two instances or more"):
        welch_permutation(unpaired([0.5], [0.1, 0.2]), PLAN)


@pytest.mark.parametrize(
    ("n_a", "n_b", "test"), [(1, 9, "studentised-permutation"), (2, 9, "welch-permutation"), (50, 60, "welch")]
)
def test_it_is_the_default_for_few(unpaired, n_a, n_b, test):
    """By the smaller sample."""
    rng = np.random.default_rng(3)
    assert assess(unpaired(rng.normal(size=n_a), rng.normal(size=n_b)), PLAN).test == test


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["few scatter more", "skewed alike"])
def test_size(unpaired, shape):
    """N = 10 and 3, the few with four times the spread; 40 and 5 exponential scores: within three standard errors."""
    rng = np.random.default_rng(4)
    rejected = 0
    for _ in range(600):
        if shape == "few scatter more":
            sample = unpaired(rng.normal(size=10), 4 * rng.normal(size=3))
        else:
            sample = unpaired(rng.exponential(size=40), rng.exponential(size=5))
        rejected += min(welch_permutation(sample, PLAN).p_greater, welch_permutation(sample, PLAN).p_less) <= 0.05
    assert rejected / 600 <= 0.1 + 3 * np.sqrt(0.1 * 0.9 / 600)  # both directions
