"""Whether differences are symmetric about their mean."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.calibration.p_values import asymmetry_p_value


@pytest.mark.parametrize("draw", ["normal", "uniform"])
def test_size_under_symmetry(draw):
    """Symmetric differences are called asymmetric at .05 in so many of 300 samples, within 4 standard errors."""
    rng = np.random.default_rng(0)
    found = [asymmetry_p_value(getattr(rng, draw)(size=60) + 3, rng, n_resamples=39) for _ in range(300)]
    assert abs(np.mean(np.array(found) <= 0.05) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 300)


def test_power_against_skewness():
    """Exponential differences are found out, in either direction."""
    rng = np.random.default_rng(1)
    values = rng.exponential(size=150)
    assert asymmetry_p_value(values, rng) == asymmetry_p_value(-values, rng) == 1 / 500


def test_order_does_not_matter():
    """The same stream gives the same p-value in any order of instances."""
    values = np.random.default_rng(2).gamma(4, size=40)
    found = {asymmetry_p_value(order, np.random.default_rng(3)) for order in (values, values[::-1], np.sort(values))}
    assert len(found) == 1


def test_constant_differences_are_symmetric():
    """Without variance nothing speaks against symmetry."""
    assert asymmetry_p_value(np.full(10, 0.3), np.random.default_rng(0)) == 1.0
