"""Ranks against SciPy, and ties as they are meant."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportkit.metrics.correlation.midranks import ranked


@pytest.mark.slow
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40))
def test_midranks_are_those_of_scipy(values):
    """Ties share the mean of their ranks."""
    values = np.array(values, dtype=np.float64)
    assert (ranked(values).midranks == stats.rankdata(values)).all()


def test_decimals_that_are_meant_to_be_equal_are_tied():
    """0.1 + 0.2 is 0.3, at any scale, and -0.0 is 0; values that differ in the tenth digit are not tied."""
    for scale in (1.0, 1e-300, 1e290, -7.0):
        assert np.unique(ranked(scale * np.array([0.3, 0.1 + 0.2, 0.4])).codes).size == 2
    assert np.unique(ranked(np.array([0.0, -0.0])).codes).size == 1
    assert np.unique(ranked(np.array([0.3, 0.3000000001])).codes).size == 2


def test_small_values_beside_large_ones_are_not_tied():
    """Digits count from the first digit of each value, not of the largest."""
    assert (ranked(np.array([1e-30, 2e-30, 1e30])).midranks == [1, 2, 3]).all()


@pytest.mark.parametrize("value", [np.finfo(float).max, -np.finfo(float).max, 5e-324])
def test_the_ends_of_the_range_stay_finite(value):
    """Rounding up leaves no value infinite, and none 0."""
    assert (ranked(np.array([value, 0.0, -value])).counts == [1, 1, 1]).all()
