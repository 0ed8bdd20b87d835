"""The jackknife t-test of a corpus metric."""

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import DesignError
from reportkit.metrics.corpus import ACCURACY, F1
from reportkit.significance.catalogue import run_test
from reportkit.significance.entry import ResamplingPlan
from tests.samples import corpus

PLAN = ResamplingPlan()


def test_of_a_mean_it_is_students_paired_test():
    """Accuracy with equal totals."""
    correct = np.random.default_rng(1).integers(0, 11, size=(2, 25)).astype(float)
    pair = corpus(*(np.column_stack((row, np.full(25, 10.0))) for row in correct), ACCURACY)
    outcome = run_test("corpus-jackknife-t", pair, PLAN)
    expected = stats.ttest_rel(correct[0], correct[1], alternative="greater")
    assert outcome.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert outcome.p_greater == pytest.approx(expected.pvalue, rel=1e-10)
    assert outcome.p_less == pytest.approx(1 - expected.pvalue, rel=1e-10)
    assert outcome.statistic_name == "t(24)"


def test_clusters_are_left_out_whole():
    """As if each cluster were one instance with its summed counts; G - 1 degrees of freedom."""
    counts = np.random.default_rng(2).integers(0, 12, size=(2, 60, 3)).astype(float)
    whole = run_test("corpus-jackknife-t", corpus(*counts, clusters=np.arange(60) // 3), PLAN)
    summed = run_test("corpus-jackknife-t", corpus(*counts.reshape(2, 20, 3, 3).sum(axis=2)), PLAN)
    assert (whole.p_greater, whole.statistic) == (summed.p_greater, summed.statistic)
    assert whole.statistic_name == "t(19)"
    assert whole.n_clusters == 20


@pytest.mark.parametrize(
    ("a", "b", "measure", "message"),
    [
        ([[3, 1, 1]], [[2, 1, 1]], F1, "there is one instance"),
        ([[3, 1, 1]] * 5, [[2, 1, 1]] * 5, F1, "no instance changes the difference"),
        ([[3, 4], [0, 0]], [[1, 4], [0, 0]], ACCURACY, "Accuracy is undefined without some instance"),
    ],
)
def test_no_variance(a, b, measure, message):
    """Refused: p = 0 would be the claim of certainty."""
    with pytest.raises(DesignError, match=message):
        run_test("corpus-jackknife-t", corpus(a, b, measure), PLAN)
