"""The corrected resampled t-test: published p-values of 54 datasets, and what it does without variance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.scores.shapes.folds import PairedFolds
from reportkit.significance.assess import assess
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.corrected_resampled_t import corrected_resampled_t
from tests.scores.reading import results_of

PLAN = ResamplingPlan()


def folds(a, b):
    """Scores of folds, shape (repetitions, folds)."""
    return PairedFolds(
        system_a="new",
        system_b="old",
        dataset="cb",
        metric="accuracy",
        kind="continuous",
        a=np.asarray(a, dtype=float),
        b=np.asarray(b, dtype=float),
    )


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


def test_two_folds_are_remarked_on():
    """Test set as large as the training set."""
    rng = np.random.default_rng(0)
    sample = folds(rng.random((5, 2)), rng.random((5, 2)))
    assert "two-folds" in {finding.code for finding in assess(sample, PLAN).findings}
    outcome = corrected_resampled_t(sample, PLAN)
    assert outcome.n == 10
    assert outcome.statistic_name == "t(9)"
