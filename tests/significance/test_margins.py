"""The interval of McNemar p-values against all pairings."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.tango import feasible_interval


@given(st.integers(1, 25), st.data())
def test_all_pairings(n, data):
    """Every number of instances that both systems get right, by SciPy's binomial test."""
    a, b = data.draw(st.integers(0, n)), data.draw(st.integers(0, n))
    p_values = []
    for both in range(max(0, a + b - n), min(a, b) + 1):
        wins, losses = a - both, b - both
        p_values.append(stats.binomtest(wins, wins + losses, alternative="greater").pvalue if wins + losses else 1.0)
    interval = feasible_interval(a, b, n)
    assert interval.low == pytest.approx(min(p_values), rel=1e-10)
    assert interval.high == pytest.approx(max(p_values), rel=1e-10)
    assert (interval.most_wins, interval.most_losses) == (min(a, n - b), min(b, n - a))


def test_arc_challenge(shared):
    """As in the list of truths."""
    truth = json.loads((shared / "truths" / "papers.json").read_text("utf-8"))["azer"]["mcnemar_bounds_challenge"]
    interval = feasible_interval(566, 496, 1172)
    assert [interval.most_wins, interval.most_losses] == truth["b_c_max"]
    assert interval.high == pytest.approx(truth["p_one_exact_max"], rel=1e-8)


def test_upper_end_keeps_the_level_whatever_the_dependence():
    """The p-value from the margins is at most .05 with probability at most .05, for any joint distribution."""
    n = 40
    upper = np.array([[feasible_interval(a, b, n).high for b in range(n + 1)] for a in range(n + 1)])
    rng = np.random.default_rng(0)
    for only_a, both in ((0.1, 0.5), (0.3, 0.3), (0.5, 0.0), (0.02, 0.9)):
        shares = [only_a, only_a, both, 1 - 2 * only_a - both]
        draws = rng.multinomial(n, shares, size=20_000)
        p = upper[draws[:, 0] + draws[:, 2], draws[:, 1] + draws[:, 2]]
        assert np.mean(p <= 0.05) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 20_000)


def test_impossible_margins_are_refused():
    """More right answers than instances."""
    with pytest.raises(ValueError, match="5 and 2 are no numbers of right answers of 4"):
        feasible_interval(5, 2, 4)
