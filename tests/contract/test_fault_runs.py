"""Tests over runs are the published ones: Welch's test, and a two-way t with Satterthwaite's degrees of freedom."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import reportkit  # noqa: F401 - the accessor


def frame_of(scores):
    """One row per score; arrays of shape (runs,) or (runs, instances) by system."""
    rows = []
    for system, values in scores.items():
        for place, score in np.ndenumerate(values):
            row = {"system": system, "dataset": "cb", "seed": place[0], "score": score}
            rows.append(row | ({"instance": place[1]} if len(place) > 1 else {}))
    return pd.DataFrame(rows)


def drawn(m_a, m_b, n, seed):
    """Runs of two systems on the same instances, A ahead."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n)
    return tuple(
        gain + common + rng.normal(0, 0.5, n) + rng.normal(0, 0.2, (m, 1)) + rng.normal(0, 0.5, (m, n))
        for m, gain in ((m_a, 0.6), (m_b, 0.0))
    )


def two_way(a, b):
    """Return t, its degrees of freedom and its standard error, by the formulas of `estimate_two_way` in other code."""
    n, parts, residuals = a.shape[1], [], 0.0
    difference = a.mean(axis=0) - b.mean(axis=0)
    parts.append((difference.var(ddof=1) / n, n - 1))
    for scores in (a, b):
        m = len(scores)
        parts.append((scores.mean(axis=1).var(ddof=1) / m, m - 1))
        centred = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
        residuals += (centred**2).sum() / ((m - 1) * (n - 1)) / (n * m)
    v_instances, v_a, v_b = (v for v, _ in parts)
    total = v_instances + v_a + v_b
    error = max(v_instances, v_a + v_b, total - residuals) ** 0.5
    return difference.mean() / error, total**2 / sum(v**2 / f for v, f in parts), error


@pytest.mark.parametrize("numbers", [(2, 2), (4, 4), (5, 3), (10, 2)])
def test_welch_over_runs_is_scipys(numbers):
    """One score per run: p and interval of `ttest_ind` with unequal variances."""
    a, b = (scores.mean(axis=1) for scores in drawn(*numbers, 20, seed=sum(numbers)))
    analysis = frame_of({"ours": a, "base": b}).replic.compare("ours", "base")
    (row,) = analysis.outcomes.itertuples()
    expected = stats.ttest_ind(a, b, equal_var=False, alternative="greater")
    assert row.test == "welch-seeds"
    assert row.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    both = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    assert (row.ci_low, row.ci_high) == pytest.approx((both.low, both.high), rel=1e-9)
    assert "Welch t-test over runs" in analysis.paragraph("full")


@pytest.mark.parametrize("numbers", [(2, 2), (3, 3), (5, 3)])
def test_two_way_t_has_satterthwaites_degrees_of_freedom(numbers):
    """Runs and instances both random: p and interval by the published formulas."""
    a, b = drawn(*numbers, 50, seed=sum(numbers))
    analysis = frame_of({"ours": a, "base": b}).replic.compare("ours", "base")
    (row,) = analysis.outcomes.itertuples()
    t, freedom, error = two_way(a, b)
    assert row.test == "two-way-t"
    assert row.p_value == pytest.approx(stats.t.sf(t, freedom), rel=1e-9)
    half = stats.t.ppf(0.975, freedom) * error
    assert (row.ci_low, row.ci_high) == pytest.approx((t * error - half, t * error + half), rel=1e-9)


def test_two_runs_are_said_to_be_few_in_one_sentence():
    """Two against two: one warning, one sentence, with what it does to the test."""
    a, b = drawn(2, 2, 50, seed=4)
    findings = frame_of({"ours": a, "base": b}).replic.compare("ours", "base").findings
    (message,) = (finding.message for finding in findings if finding.code == "few-runs")
    assert message.startswith("2 runs of a system hardly show how much it varies")
    assert "8.4% of the time at level .05" in message
    assert ". " not in message
