"""Sums of several pairs at once are those of one pair, to the last bit."""

import numpy as np
import pytest

from reportkit.null_distributions.row_sums import DrawRows, FlipRows


@pytest.mark.parametrize("of", [FlipRows.of, DrawRows.of], ids=["flips", "draws"])
@pytest.mark.parametrize("n", [43, 64, 101, 1000, 5000])
def test_a_row_does_not_depend_on_the_others(of, n):
    """Moments, weights and characteristic function of a row alone and among seven, whatever vector instructions do."""
    differences = np.random.default_rng(n).normal(0.05, 1.0, (7, n))
    together = of(differences)
    theta, spacing = np.linspace(0.01, 0.1, 7), np.linspace(0.02, 0.05, 7)
    for row in range(7):
        alone = of(differences[row : row + 1])
        one = slice(row, row + 1)
        np.testing.assert_array_equal(alone.weights(theta[one]), together.weights(theta)[one])
        np.testing.assert_array_equal(alone.log_mgf(theta[one]), together.log_mgf(theta)[one])
        for found, expected in zip(alone.tilted_moments(theta[one]), together.tilted_moments(theta), strict=True):
            np.testing.assert_array_equal(found, expected[one])
        for count in (3, 17):
            np.testing.assert_array_equal(
                alone.characteristic(theta[one], spacing[one], count)[0],
                together.characteristic(theta, spacing, 20)[row, :count],
            )


@pytest.mark.parametrize("of", [FlipRows.of, DrawRows.of], ids=["flips", "draws"])
def test_rows_are_the_sums_of_single_pairs(of):
    """Moments, logarithms of the moment-generating function and characteristic functions of each problem."""
    rows = of(np.random.default_rng(3).normal(0.05, 1.0, (4, 300)))
    theta, spacing = np.linspace(0.01, 0.1, 4), np.full(4, 0.03)
    means, variances = rows.tilted_moments(theta)
    phi = rows.characteristic(theta, spacing, 12)
    for row, problem in enumerate(rows.problems):
        assert problem.tilted_moments(theta[row]) == pytest.approx((means[row], variances[row]), rel=1e-12)
        assert problem.log_mgf(theta[row]) == pytest.approx(rows.log_mgf(theta)[row], rel=1e-12)
        expected = problem.characteristic(theta[row], np.zeros(1), spacing[row], 12)[0]
        np.testing.assert_allclose(phi[row], expected, rtol=1e-10, atol=1e-13)
