"""Tails of wins, and the fewest wins that reject."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportkit.intervals.proportions.win_tails import (
    corrected_tail,
    fewest_wins,
    mid_p_tail,
    normal_tail,
    upper_binomial_tail,
)

TAILS = [upper_binomial_tail, mid_p_tail, normal_tail, corrected_tail]


@given(st.integers(1, 300), st.integers(0, 300))
def test_tails_are_those_of_scipy(m, k):
    """Binomial, mid-p, normal with and without continuity correction."""
    assert upper_binomial_tail(k, m) == pytest.approx(stats.binom.sf(k - 1, m, 0.5), rel=1e-9, abs=1e-300)
    half = stats.binom.sf(k, m, 0.5) + stats.binom.pmf(k, m, 0.5) / 2
    assert mid_p_tail(k, m) == pytest.approx(half, rel=1e-9, abs=1e-300)
    assert normal_tail(k, m) == pytest.approx(stats.norm.sf((2 * k - m) / m**0.5))
    assert corrected_tail(k, m) == pytest.approx(stats.norm.sf((2 * k - m - 1) / m**0.5))


@pytest.mark.parametrize("tail", TAILS)
@given(st.integers(0, 200), st.sampled_from([0.2, 0.05, 0.025, 0.005, 1e-6]))
def test_the_fewest_wins_reject_and_one_less_do_not(tail, m, alpha):
    """M + 1 where no number of wins does."""
    enough = fewest_wins(tail, m, alpha)
    assert enough == m + 1 or tail(enough, m) <= alpha * (1 + 1e-9)
    assert enough == 0 or tail(enough - 1, m) > alpha
