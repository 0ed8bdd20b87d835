"""The p-value of the smaller one of Fisher's and Bonferroni's p-value, against integration and simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from scipy.interpolate import BSpline

from reportkit.replicability.multiple_testing.combination import fisher_bonferroni as p_value
from reportkit.replicability.multiple_testing.combination import score
from reportkit.significance.nulls import SMALLEST_P_VALUE

vectors = st.lists(st.one_of(st.floats(1e-300, 1), st.sampled_from([0.01, 0.05, 0.5, 1.0])), min_size=1, max_size=12)


def combined(p_values):
    """The p-value of one vector."""
    p_values = np.array(p_values, dtype=float)
    return float(p_value(score(p_values).sum(), p_values.min(), np.array(p_values.size)))


def by_integration(p_values):
    """P(min(F, B) <= c): some p is at most c / m, or all are above and their -ln p add up to too much.

    Given that all -ln p are below L, the density of their sum is exp(-s) times that of a sum of uniform numbers on
    (0, L), which is a B-spline; it is integrated piece by piece from the upper c-quantile of the sum on.
    """
    m = len(p_values)
    smaller = max(min(special.gammaincc(m, -np.log(p_values).sum()), m * min(p_values)), SMALLEST_P_VALUE)
    if m == 1 or smaller >= 1:
        return min(p_values[0] if m == 1 else 1.0, 1.0)
    quantile, length = special.gammainccinv(m, smaller), -np.log(smaller / m)
    spline = BSpline.basis_element(np.arange(m + 1.0), extrapolate=False)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    above = 0.0
    for piece in range(m):
        low, high = max(quantile, piece * length), (piece + 1) * length
        if low < high:
            at = (low + high) / 2 + (high - low) / 2 * nodes
            density = np.exp(-at) * length ** (m - 1) * np.nan_to_num(spline(at / length))
            above += (high - low) / 2 * float(density @ weights)
    return -np.expm1(m * np.log1p(-smaller / m)) + above


@pytest.mark.parametrize("size", [2, 3, 5, 9, 14])
def test_integration_over_the_sum_gives_the_same(size):
    """Inclusion and exclusion agrees with integration from 1e-200 to 1, whichever of the two p-values is smaller."""
    rng = np.random.default_rng(size)
    for power in (1, 1, 1, 4, 30):
        for _ in range(20):
            p_values = (1 - rng.random(size)) ** power
            assert combined(p_values) == pytest.approx(by_integration(p_values), rel=1e-9)


@pytest.mark.parametrize("size", [2, 4, 25])
def test_of_uniform_p_values_it_is_uniform(size):
    """It is exact where p-values are independent and uniform: the share at most x is x (200,000 draws, 4 SE)."""
    p_values = 1 - np.random.default_rng(size).random((200_000, size))
    found = p_value(score(p_values).sum(-1), p_values.min(-1), np.array(size))
    for level in (0.9, 0.3, 0.05, 0.01, 0.001):
        assert np.mean(found <= level) == pytest.approx(level, abs=4 * np.sqrt(level * (1 - level) / 200_000))


@given(p_values=vectors)
@settings(deadline=None, max_examples=200)
def test_it_lies_between_the_smaller_one_and_twice_that(p_values):
    """Bonferroni's inequality for two tests is an upper bound; one p-value alone stays as it is."""
    m = len(p_values)
    smaller = min(special.gammaincc(m, -np.log(p_values).sum()), m * min(p_values))
    found = combined(p_values)
    assert 0 < found <= 1
    if m == 1:
        assert found == p_values[0]
    else:
        assert max(smaller, SMALLEST_P_VALUE) * (1 - 1e-12) <= found <= max(2 * smaller, 2 * SMALLEST_P_VALUE)


def test_a_thousand_tiny_p_values_are_not_zero():
    """Where both p-values underflow the smallest normal number is given, or a little more."""
    p_values = np.full(1000, 5e-324)
    assert SMALLEST_P_VALUE <= combined(p_values) <= 2 * SMALLEST_P_VALUE
    assert combined(np.ones(1000)) == 1.0
