"""Standard error of the difference of runs: Welch's, and that of one arm where the other has a single run."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.tests.welch_seeds import estimate_run_means, run_means_interval
from reportkit.scores.shapes.run_scores import RunScores


def runs(a, b, names=("new", "old")):
    """Scores of runs."""
    return RunScores(
        system_a=names[0],
        system_b=names[1],
        dataset="cb",
        metric="f1",
        kind="continuous",
        a=np.array(a, dtype=float),
        b=np.array(b, dtype=float),
    )


A, B = [0.71, 0.74, 0.69, 0.75, 0.73], [0.70, 0.66, 0.68]


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_interval_of_welch(level):
    """SciPy's, of the test with unequal variances."""
    interval = run_means_interval(runs(A, B), level)
    expected = stats.ttest_ind(A, B, equal_var=False).confidence_interval(level)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), rel=1e-9)


@pytest.mark.parametrize(("a", "b", "sign"), [([0.7], B, -1), (B, [0.7], 1)])
def test_a_single_run_is_taken_as_given(a, b, sign):
    """The interval is that of the other system's mean, shifted."""
    interval = run_means_interval(runs(a, b))
    expected = stats.ttest_1samp(B, 0.7).confidence_interval(0.95)
    ends = sorted(sign * (end - 0.7) for end in (expected.low, expected.high))
    assert (interval.low, interval.high) == pytest.approx(ends, rel=1e-9)
    assert estimate_run_means(runs(a, b)).degrees_of_freedom == 2


@pytest.mark.parametrize(("a", "b"), [([0.7, 0.7], [0.6, 0.6]), ([0.7], [0.6, 0.6, 0.6]), ([0.1] * 3, [0.3])])
def test_runs_that_do_not_differ(a, b):
    """No standard error, no interval."""
    estimate = estimate_run_means(runs(a, b))
    assert estimate.standard_error is None
    assert estimate.mean == pytest.approx(np.mean(a) - np.mean(b))
    assert run_means_interval(runs(a, b)) is None


def test_swapped():
    """B against A is the same interval turned round, to the last digit."""
    interval, back = run_means_interval(runs(A, B)), run_means_interval(runs(B, A, names=("old", "new")))
    assert (back.low, back.high) == (-interval.high, -interval.low)
