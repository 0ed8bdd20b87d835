"""Intervals and margins of proportions against statsmodels and published values."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest
from statsmodels.stats.proportion import test_proportions_2indep as score_test

from reportkit.errors import SettingsError
from reportkit.scores.sample import RightOf
from reportkit.significance.proportions import (
    clopper_pearson_interval,
    independent_margin,
    newcombe_interval,
    wilson_interval,
)


@given(st.integers(1, 500), st.sampled_from([0.8, 0.95, 0.99]), st.data())
def test_agrees_with_statsmodels(n, level, data):
    """Both ends, for any counts."""
    k = data.draw(st.integers(0, n))
    expected = proportion_confint(k, n, alpha=1 - level, method="wilson")
    interval = wilson_interval(k, n, level)
    assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-12)
    assert 0 <= interval.low <= k / n <= interval.high <= 1


@pytest.mark.parametrize(
    ("k", "n", "level"), [(3, 2, 0.95), (-1, 5, 0.95), (0, 0, 0.95), (1, 2, 1.0), (1, 2, math.nan)]
)
def test_impossible_counts_and_levels_are_refused(k, n, level):
    """The message says the values."""
    with pytest.raises(SettingsError, match=f"{k} right of {n}" if level == 0.95 else f"level is {level}"):
        wilson_interval(k, n, level)


@given(st.integers(1, 500), st.sampled_from([0.8, 0.95, 0.99]), st.data())
def test_agrees_with_scipy_and_statsmodels(n, level, data):
    """Both ends, for any counts."""
    k = data.draw(st.integers(0, n))
    interval = clopper_pearson_interval(k, n, level)
    expected = stats.binomtest(k, n).proportion_ci(level, "exact")
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert (interval.low, interval.high) == pytest.approx(proportion_confint(k, n, 1 - level, method="beta"), abs=1e-9)


@given(st.integers(1, 200), st.integers(1, 200), st.sampled_from([0.8, 0.95, 0.99]), st.data())
def test_agrees_with_statsmodels_again(n_a, n_b, level, data):
    """Both ends, for any counts."""
    a, b = data.draw(st.integers(0, n_a)), data.draw(st.integers(0, n_b))
    low, high = confint_proportions_2indep(a, n_a, b, n_b, method="newcomb", alpha=1 - level)
    interval = newcombe_interval(RightOf(a, n_a, b, n_b), level)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-9)
    back = newcombe_interval(RightOf(b, n_b, a, n_a), level)
    assert (back.low, back.high) == pytest.approx((-interval.high, -interval.low), abs=1e-15)
    assert -1 <= interval.low < interval.high <= 1


def test_arc_easy(shared):
    """The 95% interval that Sadat Azer et al. (2020) meant to print."""
    truth = json.loads((shared / "truths" / "papers.json").read_text("utf-8"))["azer"]["easy"]
    interval = newcombe_interval(RightOf(*(truth["s"][0], truth["n"], truth["s"][1], truth["n"])))
    assert (interval.low, interval.high) == pytest.approx(truth["ci95_newcombe"], abs=5e-8)


@pytest.mark.parametrize("counts", [(1721, 2376, 1637, 2376), (5, 10, 5, 12), (80, 100, 30, 90), (3, 40, 9, 35)])
@pytest.mark.parametrize("margin", [-0.2, -0.01, 0.01, 0.1])
def test_the_variance_is_at_the_largest_likelihood(counts, margin):
    """Sample found by a numerical search; statsmodels 0.14 takes others, whose likelihood is smaller."""
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


def test_impossible_margins_are_refused():
    """A difference of proportions is less than 1."""
    with pytest.raises(SettingsError, match="no difference of two proportions"):
        independent_margin(RightOf(1, 2, 1, 2), 1.0)
