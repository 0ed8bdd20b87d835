"""Probability of improvement: by counting, its duality with McNemar's test, and coverage."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.effect_sizes import probability_of_improvement
from reportkit.scores.shapes.unpaired import UnpairedScores

scores = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40)


@given(scores)
@settings(deadline=None)
def test_paired(pair, drawn):
    """Wins plus half the ties; 1/2 is outside the interval exactly where McNemar's asymptotic test rejects."""
    a, b = np.array(drawn, float).T
    found = probability_of_improvement(pair(a, b))
    wins, losses = int((a > b).sum()), int((a < b).sum())
    assert found.estimate == pytest.approx((wins + 0.5 * (a == b).sum()) / a.size)
    assert 0 <= found.interval.low <= found.estimate <= found.interval.high <= 1
    z = (wins - losses) / math.sqrt(wins + losses) if wins + losses else 0.0
    assert (found.interval.low > 0.5 or found.interval.high < 0.5) == (abs(z) > stats.norm.isf(0.025))
    back = probability_of_improvement(pair(b, a))
    assert back.estimate == pytest.approx(1 - found.estimate)
    assert (back.interval.low, back.interval.high) == pytest.approx((1 - found.interval.high, 1 - found.interval.low))


def test_only_the_order_counts(pair):
    """A monotone change of all scores changes nothing."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 50))
    assert probability_of_improvement(pair(a, b)) == probability_of_improvement(pair(np.exp(a), np.exp(b)))


def test_clusters(pair):
    """The interval is the cluster-robust one: wider where whole clusters agree."""
    a, b = np.repeat([1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 10), np.repeat([0.0, 1.0, 0.0, 0.0, 1.0, 0.0], 10)
    alone, together = (
        probability_of_improvement(pair(a, b, **fields)) for fields in ({}, {"clusters": np.repeat(np.arange(6), 10)})
    )
    assert alone.estimate == together.estimate == pytest.approx(4 / 6)
    assert "cluster-robust" in together.interval.title
    assert together.interval.low < alone.interval.low
    assert together.interval.high == 1.0  # cut off: it is a probability


def test_unpaired():
    """U / (n m), with SciPy's Brunner-Munzel test at the end of the interval."""
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 6, 30) + 1.0, rng.integers(0, 6, 25) + 0.0
    sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous", a=a, b=b)
    p = stats.brunnermunzel(a, b).pvalue
    found = probability_of_improvement(sample, confidence_level=1 - p)
    assert found.estimate == pytest.approx(stats.mannwhitneyu(a, b).statistic / a.size / b.size)
    assert found.interval.low == pytest.approx(0.5, abs=1e-9)


@pytest.mark.slow
def test_coverage(pair):
    """Of 4,000 samples of 60 instances with ties, the interval holds the true probability in about 95%."""
    rng, held = np.random.default_rng(7), 0
    signs = rng.choice([1.0, 0.0, -1.0], p=[0.4, 0.35, 0.25], size=(4_000, 60))
    for row in signs:
        interval = probability_of_improvement(pair(row)).interval
        held += interval.low <= 0.575 <= interval.high
    assert held / 4_000 == pytest.approx(0.95, abs=4 * math.sqrt(0.05 * 0.95 / 4_000))
