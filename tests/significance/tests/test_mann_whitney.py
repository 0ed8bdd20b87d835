"""The Mann-Whitney test and the Brunner-Munzel interval against SciPy."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests import independent_samples as module
from reportkit.significance.tests.independent_samples import estimate_superiority, mann_whitney
from tests import samples
from tests.significance.methods import interval_of

PLAN = ResamplingPlan()
ratings = st.lists(st.integers(1, 5), min_size=1, max_size=6)


@given(ratings, ratings)
@settings(deadline=None)
def test_all_divisions_of_tied_ratings(unpaired, a, b):
    """Midranks, every way of dividing them."""
    ranks = stats.rankdata([*a, *b])
    observed = ranks[: len(a)].sum()
    sums = np.array([ranks[list(chosen)].sum() for chosen in combinations(range(ranks.size), len(a))])
    outcome = mann_whitney(unpaired(a, b, kind="ordinal"), PLAN)
    assert outcome.method == "exact"
    assert outcome.p_greater == pytest.approx(np.mean(sums >= observed))
    assert outcome.p_less == pytest.approx(np.mean(sums <= observed))
    wins = sum(np.sign(x - y) for x in a for y in b)
    assert outcome.statistic == wins
    assert outcome.estimate == pytest.approx(wins / len(a) / len(b))
    assert mann_whitney(unpaired(b, a, kind="ordinal", names=("b", "a")), PLAN) == outcome.swapped()


def test_agrees_with_scipy_without_ties(unpaired):
    """The exact distribution, up to the sizes where it is used."""
    rng = np.random.default_rng(0)
    for n_a, n_b in ((5, 9), (20, 30), (45, 50)):
        a, b = rng.normal(size=n_a) + 0.5, rng.normal(size=n_b)
        outcome = mann_whitney(unpaired(a, b), PLAN)
        assert outcome.method == "exact"
        expected = stats.mannwhitneyu(a, b, alternative="greater", method="exact").pvalue
        assert outcome.p_greater == pytest.approx(expected, rel=1e-9)


def test_agrees_with_scipy_for_many(unpaired):
    """The normal approximation with ties and continuity correction, both tails."""
    rng = np.random.default_rng(1)
    a, b = rng.integers(1, 6, 300), rng.integers(1, 6, 250)
    outcome = mann_whitney(unpaired(a, b, kind="ordinal"), PLAN)
    assert outcome.method == "asymptotic"
    for alternative in ("greater", "less"):
        expected = stats.mannwhitneyu(a, b, alternative=alternative, method="asymptotic").pvalue
        assert outcome.towards(alternative).p_value == pytest.approx(expected, rel=1e-9)


def test_both_ways_of_computing_meet(unpaired, monkeypatch):
    """At 40 instances each, the approximation is within a tenth."""
    rng = np.random.default_rng(2)
    sample = unpaired(rng.integers(1, 8, 40) + 1, rng.integers(1, 8, 40), kind="ordinal")
    exact = mann_whitney(sample, PLAN)
    monkeypatch.setattr(module, "MOST_STEPS", 0)
    approximate = mann_whitney(sample, PLAN)
    assert approximate.p_greater == pytest.approx(exact.p_greater, rel=0.1)


def test_statistic_is_that_of_scipy():
    """Difference over its standard error, with ties; the sign is that of A."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(1, 6, 30), rng.integers(1, 8, 22)
    estimate = estimate_superiority(samples.unpaired(a, b))
    expected = stats.brunnermunzel(a, b)
    assert -estimate.mean / estimate.standard_error == pytest.approx(expected.statistic)
    t = abs(expected.statistic)
    assert 2 * stats.t.sf(t, estimate.degrees_of_freedom) == pytest.approx(expected.pvalue)
    wins = sum(np.sign(x - y) for x in a for y in b)
    assert estimate.mean == pytest.approx(wins / 30 / 22)


def test_nothing_is_known_where_the_samples_do_not_overlap():
    """Every instance of A above every one of B: no variation of the placements."""
    assert interval_of("mann-whitney")(samples.unpaired([5, 5], [1, 2])) is None
    assert interval_of("mann-whitney")(samples.unpaired([5], [1, 2])) is None
