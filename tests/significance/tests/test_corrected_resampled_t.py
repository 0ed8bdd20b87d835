"""The corrected resampled t-test over folds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reportkit.significance.assess import assess
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.scores_of_runs import estimate_over_folds
from tests.samples import folds
from tests.scores.reading import results_of
from tests.significance.methods import interval_of

PLAN = ResamplingPlan()


def test_published_p_values(shared):
    """The data of baycomp: naive Bayes against AODE on 54 datasets, ten times ten folds, two-sided, to ten digits."""
    data = shared / "data" / "baycomp_cv"
    results = results_of(pd.read_parquet(data / "data.parquet"))
    truth = pd.read_csv(data / "ground_truth.csv").set_index("dataset")
    assert len(results.datasets) == len(truth) == 54
    for block in results:
        assessment = assess(block.pair("nbc", "aode"), PLAN)
        expected = truth.loc[block.dataset]
        p = assessment.towards("two-sided").p_value
        assert p == pytest.approx(expected["p_corrected_t"], rel=1e-10)
        assert assessment.score_difference == pytest.approx(expected["mean_diff_nbc_minus_aode"], abs=1e-6)
        if expected["match"]:
            assert p == pytest.approx(expected["p_published_3dp"], abs=5.001e-4)


def test_all_folds_alike():
    """Then p = 1, with a warning; no difference at all is another matter."""
    a = np.array([[0.5, 0.6, 0.7]])
    assessment = assess(folds(a, a - 0.25), PLAN)
    assert (assessment.p_greater, assessment.p_less) == (1.0, 1.0)
    assert "no-variance" in {finding.code for finding in assessment.findings}
    assert assess(folds(a, a), PLAN).test == "identical"


def drawn(seed, r, k):
    """Scores with three digits."""
    rng = np.random.default_rng(seed)
    return folds(np.round(rng.random((r, k)), 3), np.round(rng.random((r, k)), 3))


@pytest.mark.parametrize(("r", "k"), [(1, 5), (1, 10), (5, 2), (10, 10), (3, 4)])
def test_the_variance_is_inflated_by_the_share_of_test_data(r, k):
    """The factor on the usual squared standard error is 1 + k r / (k - 1)."""
    sample = drawn(r * k, r, k)
    differences = (sample.a - sample.b).ravel()
    estimate = estimate_over_folds(sample)
    assert estimate.standard_error == pytest.approx(stats.sem(differences) * np.sqrt(1 + k * r / (k - 1)), rel=1e-10)
    assert estimate.mean == pytest.approx(differences.mean(), rel=1e-10)
    assert estimate.degrees_of_freedom == k * r - 1
    interval = interval_of("corrected-resampled-t")(sample, 0.9)
    expected = stats.t.interval(0.9, k * r - 1, differences.mean(), estimate.standard_error)
    assert (interval.low, interval.high) == pytest.approx(expected, rel=1e-9)
