"""Recomputed p-values are those of scipy.stats, and rounding never accuses the innocent."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.checker.config import CheckConfig
from reportkit.checker.engine import check_text
from reportkit.checker.paper.reading import document_of
from reportkit.checker.printed_test import reported_results
from reportkit.checker.selection import Selection

CONFIG = CheckConfig(selection=Selection(select=("RK107",)))
TRUE = {
    "t": lambda value, df, _: 2 * stats.t.sf(abs(value), df),
    "z": lambda value, df, _: 2 * stats.norm.sf(abs(value)),
    "F": lambda value, df, df2: stats.f.sf(value, df, df2),
    "chi": lambda value, df, _: stats.chi2.sf(value, df),
    "r": lambda value, df, _: 2 * stats.t.sf(abs(value) * (df / (1 - value**2)) ** 0.5, df),
}
WRITTEN = {
    "t": "$t({df}) = {value}$",
    "z": "$z = {value}$",
    "F": "$F({df}, {df2}) = {value}$",
    "chi": "$\\chi^2({df}, N = 900) = {value}$",
    "r": "$r({df}) = {value}$",
}


def findings(text):
    """Messages of the rule."""
    return [item.message for item in check_text(text, config=CONFIG)]


@pytest.mark.parametrize("kind", TRUE)
@settings(max_examples=60, deadline=None)
@given(st.floats(0.02, 0.95), st.integers(3, 200), st.integers(3, 200), st.sampled_from([1, 2, 3]))
def test_a_true_p_value_is_accepted_however_it_is_rounded(kind, value, df, df2, decimals):
    """The interval of the rounded statistic holds the p-value of the exact one."""
    value = value if kind == "r" else 6 * value
    p = float(TRUE[kind](value, df, df2))
    statistic = WRITTEN[kind].format(value=f"{value:.2f}", df=df, df2=df2)
    printed = f"{p:.{decimals}f}"
    text = f"An effect, {statistic}, $p = {printed}$." if float(printed) > 0 else f"An effect, {statistic}, $p < .1$."
    assert findings(text) == []


@pytest.mark.parametrize("kind", TRUE)
@settings(max_examples=60, deadline=None)
@given(st.floats(0.1, 0.9), st.integers(3, 200), st.integers(3, 200))
def test_a_p_value_out_of_reach_is_reported_with_the_true_one(kind, value, df, df2):
    """Twice the largest possible p, plus a tenth."""
    value = value if kind == "r" else 6 * value
    statistic = WRITTEN[kind].format(value=f"{value:.2f}", df=df, df2=df2)
    low = max(round(value, 2) - 0.005, 0)
    wrong = 2 * float(TRUE[kind](low, df, df2)) + 0.1
    if wrong < 1:
        (message,) = findings(f"An effect, {statistic}, $p = {wrong:.3f}$.")
        assert "does not follow from" in message


def test_the_interval_of_p_values_is_that_of_the_interval_of_the_statistic():
    """Ends by scipy.stats at the ends of what rounds to the printed statistic; zero inside gives one."""
    (sentence,) = document_of(
        "So, $t(28) = 2.20$, $p = .036$, $F(2, 57) = 4.5$, $p = .015$, $z = 0.0$, $p = 1$."
    ).sentences
    t, f, z = reported_results(sentence.text)
    assert t.p_values() == pytest.approx((2 * stats.t.sf(2.205, 28), 2 * stats.t.sf(2.195, 28)))
    assert f.p_values() == pytest.approx((stats.f.sf(4.55, 2, 57), stats.f.sf(4.45, 2, 57)))
    assert z.p_values() == pytest.approx((2 * stats.norm.sf(0.05), 1.0))
