"""Wilson's interval of one proportion against statsmodels, its definition, and exact coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from reportkit.errors import SettingsError
from reportkit.significance.proportions import wilson_interval


@given(st.integers(1, 500), st.sampled_from([0.8, 0.95, 0.99]), st.data())
def test_agrees_with_statsmodels(n, level, data):
    """Both ends, for any counts."""
    k = data.draw(st.integers(0, n))
    expected = proportion_confint(k, n, alpha=1 - level, method="wilson")
    interval = wilson_interval(k, n, level)
    assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-12)
    assert 0 <= interval.low <= k / n <= interval.high <= 1


@pytest.mark.parametrize(("k", "n"), [(3, 10), (1721, 2376)])
def test_ends_are_where_the_score_test_begins_to_reject(k, n):
    """|k / n - p| = z sqrt(p (1 - p) / n) at both ends."""
    interval = wilson_interval(k, n)
    for p in (interval.low, interval.high):
        assert abs(k / n - p) / math.sqrt(p * (1 - p) / n) == pytest.approx(stats.norm.isf(0.025), rel=1e-9)


def test_mean_coverage_is_near_the_level():
    """Averaged over accuracies from .05 to .95 at n = 30."""
    n, rates = 30, np.linspace(0.05, 0.95, 181)
    covered = np.zeros(rates.size)
    for k in range(n + 1):
        interval = wilson_interval(k, n)
        covered += stats.binom.pmf(k, n, rates) * ((interval.low <= rates) & (rates <= interval.high))
    assert covered.mean() == pytest.approx(0.95, abs=0.006)


@pytest.mark.parametrize(
    ("k", "n", "level"), [(3, 2, 0.95), (-1, 5, 0.95), (0, 0, 0.95), (1, 2, 1.0), (1, 2, math.nan)]
)
def test_impossible_counts_and_levels_are_refused(k, n, level):
    """The message says the values."""
    with pytest.raises(SettingsError, match=f"{k} right of {n}" if level == 0.95 else f"level is {level}"):
        wilson_interval(k, n, level)
