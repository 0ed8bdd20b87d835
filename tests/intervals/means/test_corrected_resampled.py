"""Nadeau and Bengio's standard error against its formula, and as an interval."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.tests.corrected_resampled_t import corrected_resampled_interval, estimate_over_folds
from reportkit.scores.shapes.folds import PairedFolds


def folds(a, b, names=("new", "old")):
    """Scores of folds, shape (repetitions, folds)."""
    return PairedFolds(
        system_a=names[0],
        system_b=names[1],
        dataset="cb",
        metric="accuracy",
        kind="continuous",
        a=np.asarray(a, dtype=float),
        b=np.asarray(b, dtype=float),
    )


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
    interval = corrected_resampled_interval(sample, 0.9)
    expected = stats.t.interval(0.9, k * r - 1, differences.mean(), estimate.standard_error)
    assert (interval.low, interval.high) == pytest.approx(expected, rel=1e-9)


def test_two_folds_repeated_m_times_have_the_factor_seven_sixths():
    """Three times two folds: 1/6 + 1 (Xue's m x 2 cross-validation)."""
    sample = drawn(1, 3, 2)
    differences = (sample.a - sample.b).ravel()
    assert estimate_over_folds(sample).standard_error == pytest.approx(
        np.sqrt(7 / 6) * np.std(differences, ddof=1), rel=1e-10
    )


def test_all_folds_alike():
    """The same difference on each fold says nothing about the variance, even with the noise of decimals."""
    sample = folds(np.array([[0.3, 0.5, 0.7]]), np.array([[0.1, 0.3, 0.5]]))
    estimate = estimate_over_folds(sample)
    assert (estimate.standard_error, estimate.t) == (None, None)
    assert estimate.mean == pytest.approx(0.2)
    assert corrected_resampled_interval(sample) is None
    assert estimate_over_folds(folds(sample.a, sample.a)).t == 0.0


def test_swap_and_order_of_folds():
    """B against A is the negative to the last digit, in any order of folds."""
    sample = drawn(4, 4, 5)
    estimate = estimate_over_folds(sample)
    rng = np.random.default_rng(0)
    order = rng.permutation(20)
    a, b = (values.ravel()[order].reshape(4, 5) for values in (sample.a, sample.b))
    back = estimate_over_folds(folds(b, a, names=("old", "new")))
    assert (back.mean, back.standard_error) == (-estimate.mean, estimate.standard_error)
