"""The exact interval of one proportion against SciPy, statsmodels, and exact coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from reportkit.errors import SettingsError
from reportkit.significance.proportions import clopper_pearson_interval


@given(st.integers(1, 500), st.sampled_from([0.8, 0.95, 0.99]), st.data())
def test_agrees_with_scipy_and_statsmodels(n, level, data):
    """Both ends, for any counts."""
    k = data.draw(st.integers(0, n))
    interval = clopper_pearson_interval(k, n, level)
    expected = stats.binomtest(k, n).proportion_ci(level, "exact")
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert (interval.low, interval.high) == pytest.approx(proportion_confint(k, n, 1 - level, method="beta"), abs=1e-9)


def test_coverage_is_never_below_the_level():
    """Summed over all counts at n = 25, for a thousand accuracies."""
    n, rates = 25, np.linspace(0.001, 0.999, 999)
    covered = np.zeros(rates.size)
    for k in range(n + 1):
        interval = clopper_pearson_interval(k, n)
        covered += stats.binom.pmf(k, n, rates) * ((interval.low <= rates) & (rates <= interval.high))
    assert covered.min() >= 0.95


def test_nothing_and_everything_right():
    """The rule of three, and its mirror image."""
    none, all_ = clopper_pearson_interval(0, 300, 0.9), clopper_pearson_interval(300, 300, 0.9)
    assert none.low == 0.0
    assert none.high == pytest.approx(1 - 0.05 ** (1 / 300))
    assert (all_.low, all_.high) == (pytest.approx(1 - none.high), 1.0)


def test_impossible_counts_are_refused():
    """The message says the counts."""
    with pytest.raises(SettingsError, match="7 right of 5"):
        clopper_pearson_interval(7, 5)
