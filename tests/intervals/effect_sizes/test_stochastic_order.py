"""Almost stochastic order: exact integrals of step functions, against a fine grid and simple cases."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.significance.cautions import stochastic_order


def epsilon(a, b, seed=0):
    """Violation, without the bootstrap."""
    return stochastic_order(np.array(a, float), np.array(b, float), np.random.default_rng(seed), n_resamples=2).epsilon


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([2, 3, 4], [1, 2, 3], 0.0),
        ([1, 2, 3], [2, 3, 4], 1.0),
        ([0, 2], [1, 1], 0.5),
        ([0, 4], [1, 1], 1 / 10),  # quantiles -1 and 3 apart on one half each
        ([3], [1, 2, 5], 4 / (4 + 1 + 4)),  # 2 and 1 above, 2 below, a third each
        ([1, 1], [1, 1, 1], 0.5),  # nothing to tell
        ([1, 3], [0, 2, 5], (1**2 / 6 + 2**2 / 3) / (1**2 / 3 + 1**2 / 6 + 1**2 / 6 + 2**2 / 3)),
    ],
)
def test_simple_cases(a, b, expected):
    """Widths of the steps by hand."""
    assert epsilon(a, b) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("n_a", "n_b"), [(3, 3), (5, 4), (15, 14), (7, 21)])
def test_agrees_with_a_grid(n_a, n_b):
    """A Riemann sum over empirical quantile functions comes near the exact integral."""
    rng = np.random.default_rng(n_a)
    a, b = rng.normal(0.2, 1, n_a), rng.normal(0, 1, n_b)
    points = (np.arange(200_000) + 0.5) / 200_000
    gap = np.sort(a)[np.ceil(points * n_a).astype(int) - 1] - np.sort(b)[np.ceil(points * n_b).astype(int) - 1]
    assert epsilon(a, b) == pytest.approx(np.sum(gap[gap < 0] ** 2) / np.sum(gap**2), abs=1e-4)


def test_the_opposite_claim_is_the_complement():
    """Epsilon of B over A is 1 minus that of A over B, by swap and by `swapped`; units do not matter."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(0, 1, 6), rng.normal(0, 1, 9)
    assert epsilon(b, a) == pytest.approx(1 - epsilon(a, b), rel=1e-12)
    assert epsilon(1e200 * a, 1e200 * b) == pytest.approx(epsilon(a, b), rel=1e-12)
    order = stochastic_order(a + 1, b, np.random.default_rng(0))
    assert order.swapped().epsilon == 1 - order.epsilon
    assert order.least() > order.epsilon
    assert order.least(0.99) > order.least(0.95)
    assert order.swapped().least() <= 1


def test_the_bootstrap_is_used_as_it_is():
    """epsilon_min is epsilon plus z times the standard deviation of resampled values, not scaled once more."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.3, 1, 12), rng.normal(0, 1, 12)
    order = stochastic_order(a, b, np.random.default_rng(1), n_resamples=4_000)
    other = np.random.default_rng(99)
    values = [epsilon(other.choice(a, 12), other.choice(b, 12)) for _ in range(1_500)]
    assert order.deviation == pytest.approx(np.std(values), rel=0.08)
    assert order.least(0.95) == pytest.approx(min(1.0, order.epsilon + 1.6448536 * order.deviation), rel=1e-6)
