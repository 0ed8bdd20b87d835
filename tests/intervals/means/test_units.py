"""Reduction of a pair to sorted independent units."""

import numpy as np
import pytest

from reportkit.significance.units import sorted_units


@pytest.fixture
def scores():
    """Scores with ties, weights and clusters."""
    rng = np.random.default_rng(5)
    return {
        "a": rng.integers(0, 6, 40) / 10,
        "b": rng.integers(0, 6, 40) / 10,
        "weights": rng.integers(1, 9, 40) / 7,
        "clusters": rng.integers(0, 9, 40),
    }


@pytest.mark.parametrize("fields", [(), ("weights",), ("clusters",), ("weights", "clusters")])
def test_the_mean_is_that_of_the_pair(pair, scores, fields):
    """Sums over sizes are the (weighted) mean difference."""
    paired = pair(scores["a"], scores["b"], **{name: scores[name] for name in fields})
    assert sorted_units(paired).mean == pytest.approx(paired.value_difference, rel=1e-10)


def test_noise_of_subtraction_is_taken_away_and_nothing_else(pair):
    """0.3 - 0.1 is 0.2; a third keeps all its digits, so that two of them are two thirds."""
    decimals = sorted_units(pair([0.3, 0.2, 1000.01, 0.1 + 0.2], [0.1, 0.0, 1000.0, 0.3]))
    np.testing.assert_array_equal(decimals.sums, [0.0, 0.01, 0.2, 0.2])
    thirds = sorted_units(pair([1 / 3, 1 / 3, 0, 1], [0, 0, 2 / 3, 1 / 3]))
    assert thirds.sums[0] + thirds.sums[1] + thirds.sums[2] == 0


def test_differences_beyond_12_digits_are_none(pair):
    """As everywhere in the package, 12 significant digits of the score are compared."""
    np.testing.assert_array_equal(sorted_units(pair([1.0, 1.0], [1.0 - 1e-13, 1.0 - 1e-9])).sums, [0.0, 1e-9])


def test_clusters_that_cancel_have_the_sum_zero(pair):
    """Whatever the rounding of their parts."""
    units = sorted_units(pair([0.1, 0.2, 1 / 3, 1 / 3, 0.7], [0, 0.3 - 0.3, 0, 0, 0], clusters=[0, 0, 1, 1, 2]))
    assert np.count_nonzero(units.sums) == 3
    zero = sorted_units(pair([0.1, 0.2, 0, 1 / 3, 1 / 3, 0], [0, 0, 0.3, 0, 0, 2 / 3], clusters=[0, 0, 0, 1, 1, 1]))
    np.testing.assert_array_equal(zero.sums, [0.0, 0.0])
