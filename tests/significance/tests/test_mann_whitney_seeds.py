"""The Mann-Whitney test over runs: enumeration, SciPy, and the smallest p-values of few runs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.scores_of_runs import mann_whitney_seeds
from tests.samples import run_scores

PLAN = ResamplingPlan()


def enumerated(a, b):
    """Share of all ways to choose the runs of A whose rank sum is at least, and at most, the observed one."""
    ranks = stats.rankdata([*a, *b])
    sums = [sum(ranks[list(chosen)]) for chosen in combinations(range(len(ranks)), len(a))]
    observed = sum(ranks[: len(a)])
    return np.mean([value >= observed - 1e-9 for value in sums]), np.mean([value <= observed + 1e-9 for value in sums])


@settings(max_examples=40, deadline=None)
@given(a=st.lists(st.integers(0, 5), min_size=1, max_size=5), b=st.lists(st.integers(0, 5), min_size=2, max_size=5))
def test_agrees_with_enumeration_with_ties(a, b):
    """Both tails are shares of all ways, ties included, whichever system is called A."""
    outcome = mann_whitney_seeds(run_scores(a, b), PLAN)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx(enumerated(a, b), rel=1e-9)
    back = mann_whitney_seeds(run_scores(b, a, names=("old", "new")), PLAN)
    assert (back.p_less, back.p_greater, back.statistic) == (outcome.p_greater, outcome.p_less, -outcome.statistic)


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_agrees_with_scipy_without_ties(alternative):
    """SciPy's exact method."""
    rng = np.random.default_rng(1)
    a, b = rng.random(15) + 0.3, rng.random(12)
    outcome = mann_whitney_seeds(run_scores(a, b), PLAN).towards(alternative)
    expected = stats.mannwhitneyu(a, b, alternative=alternative, method="exact").pvalue
    assert outcome.p_value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("m", "p_min"), [(2, 1 / 6), (3, 1 / 20), (4, 1 / 70), (5, 1 / 252)])
def test_the_smallest_p_value(m, p_min):
    """All runs of A above all of B: 1 / C(2m, m), which is what the outcome says."""
    outcome = mann_whitney_seeds(run_scores(np.arange(m) + 10, np.arange(m)), PLAN)
    assert outcome.p_greater == pytest.approx(p_min, rel=1e-12)
    assert outcome.p_min == pytest.approx(p_min, rel=1e-12)
    assert outcome.method == "exact"
