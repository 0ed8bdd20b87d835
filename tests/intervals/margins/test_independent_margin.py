"""Margins of independent proportions: against a numerical search, by symmetry, and where there is nothing to see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats.proportion import proportions_ztest
from statsmodels.stats.proportion import test_proportions_2indep as score_test

from reportkit.errors import SettingsError
from reportkit.significance.proportions import independent_margin
from reportkit.scores.shapes.sample import RightOf


@pytest.mark.parametrize("counts", [(1721, 2376, 1637, 2376), (5, 10, 5, 12), (80, 100, 30, 90), (3, 40, 9, 35)])
@pytest.mark.parametrize("margin", [-0.2, -0.01, 0.01, 0.1])
def test_the_variance_is_at_the_largest_likelihood(counts, margin):
    """Proportions found by a numerical search; statsmodels 0.14 takes others, whose likelihood is smaller."""
    a, n_a, b, n_b = counts

    def loss(p):
        return -stats.binom.logpmf(a, n_a, p + margin) - stats.binom.logpmf(b, n_b, p)

    low, high = max(0.0, -margin), min(1.0, 1.0 - margin)
    p = optimize.minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    variance = (p + margin) * (1 - p - margin) / n_a + p * (1 - p) / n_b
    z = (a / n_a - b / n_b - margin) / variance**0.5
    assert independent_margin(RightOf(*counts), margin).statistic == pytest.approx(z, rel=1e-6)
    theirs = score_test(*counts, value=margin, method="score", compare="diff", correction=False)
    assert loss(p) <= loss(theirs.prop2_null) + 1e-9


def test_without_margin_it_is_the_pooled_z_test():
    """Example 1 of Sadat Azer et al. (2020): z = 2.6764, p = .0037."""
    test = independent_margin(RightOf(1721, 2376, 1637, 2376), 0.0)
    z, p = proportions_ztest([1721, 1637], [2376, 2376], alternative="larger")
    assert (test.statistic, test.p_greater) == pytest.approx((z, p), rel=1e-12)
    assert test.p_greater == pytest.approx(0.00372125, abs=1e-8)


def test_at_the_edge_the_most_likely_proportions_are_at_the_edge():
    """No right answer of either, margin -.3: the proportions are 0 and .3, so that z = .3 / sqrt(.021)."""
    assert independent_margin(RightOf(0, 10, 0, 10), -0.3).statistic == pytest.approx(0.3 / 0.021**0.5, rel=1e-9)


@given(st.integers(1, 60), st.integers(1, 60), st.floats(0, 1), st.floats(0, 1), st.floats(-0.9, 0.9))
def test_turned_round_and_complemented_it_is_the_same(n_a, n_b, share_a, share_b, margin):
    """B against A at the negative margin; and wrong answers in the place of right ones."""
    right = RightOf(round(share_a * n_a), n_a, round(share_b * n_b), n_b)
    test, back = independent_margin(right, margin), independent_margin(right.swapped(), -margin)
    assert (back.p_less, back.p_greater) == (test.p_greater, test.p_less)
    if abs(margin) < 1e-9:
        return
    wrong = RightOf(n_b - right.b, n_b, n_a - right.a, n_a)
    assert independent_margin(wrong, margin).statistic == pytest.approx(test.statistic, rel=1e-6, abs=1e-6)
    assert 0 < test.p_greater <= 1


def test_impossible_margins_are_refused():
    """A difference of proportions is less than 1."""
    with pytest.raises(SettingsError, match="no difference of two proportions"):
        independent_margin(RightOf(1, 2, 1, 2), 1.0)
