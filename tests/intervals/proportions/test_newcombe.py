"""Newcombe's interval against statsmodels and published examples."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from reportkit.significance.proportions import newcombe_error, newcombe_interval, wilson
from reportkit.scores.shapes.sample import RightOf


@given(st.integers(1, 200), st.integers(1, 200), st.sampled_from([0.8, 0.95, 0.99]), st.data())
def test_agrees_with_statsmodels(n_a, n_b, level, data):
    """Both ends, for any counts."""
    a, b = data.draw(st.integers(0, n_a)), data.draw(st.integers(0, n_b))
    low, high = confint_proportions_2indep(a, n_a, b, n_b, method="newcomb", alpha=1 - level)
    interval = newcombe_interval(RightOf(a, n_a, b, n_b), level)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-9)
    back = newcombe_interval(RightOf(b, n_b, a, n_a), level)
    assert (back.low, back.high) == pytest.approx((-interval.high, -interval.low), abs=1e-15)
    assert -1 <= interval.low < interval.high <= 1


@given(st.integers(1, 300), st.data())
def test_wilson_agrees_with_statsmodels(n, data):
    """The score interval of one proportion."""
    k = data.draw(st.integers(0, n))
    expected = proportion_confint(k, n, alpha=0.05, method="wilson")
    assert wilson(k, n, 1.959963984540054) == pytest.approx(expected, abs=1e-12)


def test_newcombe_1998():
    """Table II, method 10: 56 of 70 against 48 of 80, and 10 of 10 against 0 of 20."""
    interval = newcombe_interval(RightOf(56, 70, 48, 80))
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.0524, 0.3339)
    interval = newcombe_interval(RightOf(10, 10, 0, 20))
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.6791, 1.0)


def test_arc_easy(shared):
    """The 95% interval that Sadat Azer et al. (2020) meant to print."""
    truth = json.loads((shared / "truths" / "papers.json").read_text("utf-8"))["azer"]["easy"]
    interval = newcombe_interval(RightOf(*(truth["s"][0], truth["n"], truth["s"][1], truth["n"])))
    assert (interval.low, interval.high) == pytest.approx(truth["ci95_newcombe"], abs=5e-8)


def test_standard_error():
    """None where both proportions are 0 or 1."""
    assert newcombe_error(RightOf(5, 5, 0, 9)) is None
    assert newcombe_error(RightOf(1, 2, 0, 9)) == pytest.approx((0.25 / 2) ** 0.5)
