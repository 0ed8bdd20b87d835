"""The interval for P(A > B) - P(A < B) against SciPy's Brunner-Munzel test."""

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.tests.mann_whitney import brunner_munzel_interval, estimate_superiority
from reportkit.scores.shapes.unpaired import UnpairedScores


def _sample(a, b, names=("a", "b")):
    return UnpairedScores(
        system_a=names[0], system_b=names[1], dataset="cb", metric="rating", kind="ordinal",
        a=np.asarray(a, dtype=float), b=np.asarray(b, dtype=float),
    )  # fmt: skip


def test_statistic_is_that_of_scipy():
    """Difference over its standard error, with ties; the sign is that of A."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(1, 6, 30), rng.integers(1, 8, 22)
    estimate = estimate_superiority(_sample(a, b))
    expected = stats.brunnermunzel(a, b)
    assert -estimate.difference / estimate.standard_error == pytest.approx(expected.statistic)
    t = abs(expected.statistic)
    assert 2 * stats.t.sf(t, estimate.degrees_of_freedom) == pytest.approx(expected.pvalue)
    wins = sum(np.sign(x - y) for x in a for y in b)
    assert estimate.difference == pytest.approx(wins / 30 / 22)


def test_interval_is_turned_round_with_the_systems():
    """And stays within [-1, 1]."""
    a, b = [3, 4, 5, 5, 5], [2, 3, 4, 1]
    interval = brunner_munzel_interval(_sample(a, b))
    assert brunner_munzel_interval(_sample(b, a, ("b", "a"))) == interval.swapped()
    assert interval.high == 1.0


def test_nothing_is_known_where_the_samples_do_not_overlap():
    """Every instance of A above every one of B: no variation of the placements."""
    assert brunner_munzel_interval(_sample([5, 5], [1, 2])) is None
    assert brunner_munzel_interval(_sample([5], [1, 2])) is None


@pytest.mark.slow
def test_coverage():
    """Close to 95% for ratings with unequal spreads, n = 40 and 25."""
    rng = np.random.default_rng(1)
    weights_a, weights_b = np.array([1, 2, 4, 2, 1]) / 10, np.array([3, 1, 2, 2, 2]) / 10
    true = sum(weights_a[i] * weights_b[j] * np.sign(i - j) for i in range(5) for j in range(5))
    hits = 0
    for _ in range(1000):
        interval = brunner_munzel_interval(_sample(rng.choice(5, 40, p=weights_a), rng.choice(5, 25, p=weights_b)))
        hits += interval.low <= true <= interval.high
    assert hits / 1000 > 0.95 - 4 * np.sqrt(0.05 * 0.95 / 1000)
