"""Effect sizes against SciPy, definitions and their coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.errors import DesignError, SettingsError
from reportkit.metrics.corpus import ACCURACY
from reportkit.scores.sample import Sample
from reportkit.significance.effect_sizes import (
    discordant_odds_ratio,
    probability_of_improvement,
    relative_difference,
)
from reportkit.significance.units import student_t_interval


@given(st.integers(0, 80), st.integers(0, 80), st.sampled_from([0.9, 0.95]))
def test_excludes_one_exactly_where_mcnemar_rejects(wins, losses, level):
    """Two-sided exact test, twice the smaller binomial tail; and B against A is the inverse."""
    assume(wins + losses)
    found, back = discordant_odds_ratio(wins, losses, level), discordant_odds_ratio(losses, wins, level)
    p = min(1.0, 2 * min(stats.binom.sf(k - 1, wins + losses, 0.5) for k in (wins, losses)))
    assume(abs(p - (1 - level)) > 1e-9)
    assert (found.interval.low > 1 or found.interval.high < 1) == (p < 1 - level)
    assert found.interval.low <= found.estimate <= found.interval.high
    if wins and losses:
        assert back.estimate == pytest.approx(1 / found.estimate)
        assert back.interval.low == pytest.approx(1 / found.interval.high)


def test_coverage_is_at_least_the_level():
    """Over all splits of 20 discordant pairs, for odds from 1/5 to 5."""
    for ratio in np.geomspace(0.2, 5, 41):
        chances = stats.binom.pmf(np.arange(21), 20, ratio / (1 + ratio))
        intervals = [discordant_odds_ratio(k, 20 - k).interval for k in range(21)]
        covered = sum(p for p, i in zip(chances, intervals, strict=True) if i.low <= ratio <= i.high)
        assert covered >= 0.95


def test_one_sided_pairs():
    """Without losses the ratio is infinite; without any pair nothing is known."""
    found = discordant_odds_ratio(5, 0)
    assert found.estimate == found.interval.high == math.inf
    low = 0.025 ** (1 / 5)
    assert found.interval.low == pytest.approx(low / (1 - low))
    assert discordant_odds_ratio(0, 0) is None


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
    sample = Sample(
        shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous", a=a, b=b
    )
    p = stats.brunnermunzel(a, b).pvalue
    found = probability_of_improvement(sample, confidence_level=1 - p)
    assert found.estimate == pytest.approx(stats.mannwhitneyu(a, b).statistic / a.size / b.size)
    assert found.interval.low == pytest.approx(0.5, abs=1e-9)


@given(st.integers(0, 10**6), st.integers(4, 60), st.sampled_from([0.8, 0.95]))
@settings(deadline=None, max_examples=60)
def test_ends_are_where_a_t_test_begins_to_reject(pair, seed, n, level):
    """At the ends rho, the paired t-test of A against rho B has p = 1 - level; 0 is judged as by the t interval."""
    rng = np.random.default_rng(seed)
    b = rng.uniform(0.5, 1.0, n)
    a = b * rng.uniform(0.9, 1.2, n)
    found = relative_difference(pair(a, b), level)
    assert found.estimate == pytest.approx(a.mean() / b.mean() - 1)
    for end in (found.interval.low, found.interval.high):
        assert stats.ttest_rel(a, (1 + end) * b).pvalue == pytest.approx(1 - level, abs=1e-7)
    plain = student_t_interval(pair(a, b), level)
    assert (found.interval.low > 0, found.interval.high < 0) == (plain.low > 0, plain.high < 0)


def test_lower_is_better(pair):
    """Error rates are negated when they are read: .08 against .10 is 20% better."""
    rng = np.random.default_rng(3)
    b = rng.uniform(0.05, 0.15, 40)
    a = 0.8 * b + rng.uniform(-0.001, 0.001, 40)
    worse, better = relative_difference(pair(a, b)), relative_difference(pair(-a, -b, higher_is_better=False))
    assert better.estimate == pytest.approx(0.2, abs=0.01)
    assert better.estimate == pytest.approx(-worse.estimate)
    assert (better.interval.low, better.interval.high) == pytest.approx((-worse.interval.high, -worse.interval.low))


def corpus(a, b, totals):
    """An accuracy of sums, which is a ratio."""
    return Sample(
        shape="corpus",
        system_a="a",
        system_b="b",
        dataset="cb",
        metric="accuracy",
        kind="continuous",
        a=np.column_stack([a, totals]),
        b=np.column_stack([b, totals]),
        measure=ACCURACY,
    )


def test_corpus_metrics(pair):
    """With equal totals an accuracy of sums is a mean, and has its interval; with others the ends lie near those."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(3, 11, 40).astype(float), rng.integers(2, 11, 40).astype(float)
    found, expected = relative_difference(corpus(a, b, np.full(40, 10.0))), relative_difference(pair(a, b))
    assert found.estimate == pytest.approx(expected.estimate)
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.interval.low, expected.interval.high))
    totals = rng.integers(10, 14, 40).astype(float)
    other, near = relative_difference(corpus(a, b, totals)), relative_difference(pair(a, b))
    assert other.estimate == pytest.approx(near.estimate)  # the totals cancel
    assert other.interval.low == pytest.approx(near.interval.low, abs=0.01)
    assert relative_difference(corpus(2 * b, b, np.full(40, 30.0))).interval is None


def test_unknown(pair):
    """B near 0 leaves everything open; a constant ratio, or a single instance, has no interval."""
    open_ = relative_difference(pair([0.4, 0.5, 0.9], [0.0, 0.0, 0.1]))
    assert (open_.interval.low, open_.interval.high) == (-math.inf, math.inf)
    assert relative_difference(pair([0.2, 0.4, 0.8], [0.1, 0.2, 0.4])).interval is None
    assert relative_difference(pair([0.2], [0.1])).interval is None
    assert relative_difference(pair([0.2], [0.1])).estimate == pytest.approx(1.0)


def test_refused(pair):
    """What has no ratio, and a level that makes no sense."""
    with pytest.raises(DesignError, match="both signs"):
        relative_difference(pair([-0.1, 0.2], [0.1, 0.1]))
    with pytest.raises(DesignError, match="the score of 'b' is 0"):
        relative_difference(pair([0.1, 0.2]))
    with pytest.raises(DesignError, match="ordinal"):
        relative_difference(pair([1.0, 2.0], [1.0, 1.0], kind="ordinal"))
    with pytest.raises(SettingsError, match="level is 0"):
        relative_difference(pair([0.1, 0.2], [0.1, 0.1]), confidence_level=0)
