"""Power of t and normal tests against statsmodels and SciPy, and what planning refuses."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from reportkit.errors import SettingsError
from reportkit.power_analysis.planned_error import PlannedError, error_of_mean
from reportkit.power_analysis.power import power


@given(st.floats(0.05, 1.5), st.integers(3, 400), st.sampled_from([0.01, 0.05, 0.1]))
def test_agrees_with_statsmodels(effect, n, alpha):
    """One-sided paired t-tests; two-sided ones are one-sided at half the level."""
    planned = error_of_mean(1.0, n)
    expected = TTestPower().power(effect, n, alpha, alternative="larger")
    assert power(effect, planned, alpha=alpha, alternative="greater") == pytest.approx(expected, abs=1e-8)
    assert power(effect, planned, alpha=2 * alpha) == pytest.approx(expected, abs=1e-8)


def test_normal_limit():
    """Without a number of degrees of freedom the test is normal; many of them come near it."""
    expected = stats.norm.cdf(2.5 - stats.norm.isf(0.025))
    assert power(2.5, PlannedError(1.0)) == pytest.approx(expected, rel=1e-12)
    assert power(2.5, PlannedError(1.0, 1e6)) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("freedom", [1, 2, 30, 1e5])
def test_power_never_gets_lost(freedom):
    """However large the effect is, and the critical value; it rises with the effect."""
    powers = [power(10.0**k, PlannedError(1.0, freedom), alpha=1e-6) for k in range(-2, 9)]
    assert np.diff(powers).min() >= -1e-12
    assert powers[-1] == pytest.approx(1.0, abs=0.01)


def test_power_at_an_effect_of_almost_nothing_is_the_level():
    """What a test has without any difference."""
    assert power(1e-9, PlannedError(1.0, 20), alternative="greater") == pytest.approx(0.05, abs=1e-7)


@pytest.mark.parametrize("effect", [0.0, -0.1, math.nan, math.inf])
def test_the_effect_has_to_be_planned(effect):
    """Neither 0 nor a difference in the wrong direction is an effect to plan for."""
    with pytest.raises(SettingsError, match="effect is"):
        power(effect, PlannedError(1.0))


def test_the_wrong_direction_is_not_planned_for():
    """Plan with the systems exchanged."""
    with pytest.raises(SettingsError, match="call the system that is to be better A"):
        power(1.0, PlannedError(1.0), alternative="less")
