"""The studentised permutation test against enumeration, SciPy, and its promise about unequal variances."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests import studentised_permutation as module
from reportkit.significance.tests.studentised_permutation import studentised_permutation

PLAN = ResamplingPlan()
scores = st.lists(st.integers(0, 6), min_size=1, max_size=6)


def _t(a, b):
    """Welch's t with the conventions for no variance."""
    difference = np.mean(a) - np.mean(b)
    variance = sum(np.var(x, ddof=1) / len(x) if len(x) > 1 else 0.0 for x in (a, b))
    if abs(difference) < 1e-12:
        return 0.0
    return difference / np.sqrt(variance) if variance > 1e-18 else np.copysign(np.inf, difference)


@given(scores, scores)
@settings(deadline=None)
def test_all_divisions(unpaired, a, b):
    """Every way of dividing the scores, one by one."""
    pooled = np.array([*a, *b], dtype=float)
    observed = _t(a, b)
    values = []
    for chosen in combinations(range(pooled.size), len(a)):
        others = [i for i in range(pooled.size) if i not in chosen]
        values.append(_t(pooled[list(chosen)], pooled[others]))
    slack = 1e-9 * max(1.0, abs(observed)) if np.isfinite(observed) else 0.0
    outcome = studentised_permutation(unpaired(a, b), PLAN)
    assert outcome.p_greater == pytest.approx(np.mean(np.array(values) >= observed - slack))
    assert outcome.p_less == pytest.approx(np.mean(np.array(values) <= observed + slack))
    assert outcome.method == "exact"
    assert outcome.p_min in (1.0, 1 / comb(pooled.size, len(a)))
    assert studentised_permutation(unpaired(b, a, names=("b", "a")), PLAN) == outcome.swapped()


def test_agrees_with_scipy(unpaired):
    """permutation_test with the same statistic."""
    rng = np.random.default_rng(1)
    a, b = rng.exponential(size=8), rng.normal(size=7) + 0.3

    def t(x, y, axis):
        return stats.ttest_ind(x, y, equal_var=False, axis=axis).statistic

    for alternative, tail in (("greater", "p_greater"), ("less", "p_less")):
        expected = stats.permutation_test((a, b), t, vectorized=True, n_resamples=np.inf, alternative=alternative)
        assert getattr(studentised_permutation(unpaired(a, b), PLAN), tail) == pytest.approx(expected.pvalue)


def test_random_divisions_estimate_the_same(unpaired, monkeypatch):
    """Within Monte Carlo error of enumeration, with the same stream whichever system is called A."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=9) + 0.8, rng.normal(size=8)
    exact = studentised_permutation(unpaired(a, b), PLAN)
    monkeypatch.setattr(module, "MOST_ENUMERATED", 10)
    drawn = studentised_permutation(unpaired(a, b), PLAN)
    assert drawn.method == "Monte Carlo"
    assert drawn.p_greater == pytest.approx(exact.p_greater, abs=4 * drawn.monte_carlo_error)
    assert studentised_permutation(unpaired(b, a, names=("b", "a")), PLAN) == drawn.swapped()
    assert studentised_permutation(unpaired(a[::-1], b[::-1]), PLAN) == drawn


def test_constants_that_differ(unpaired):
    """The most extreme division of all."""
    outcome = studentised_permutation(unpaired([0.5] * 4, [0.25] * 4), PLAN)
    assert outcome.p_greater == 1 / 70
    assert outcome.statistic == 0.25
    assert outcome.statistic_name == "difference of the means"


@pytest.mark.slow
def test_size_with_unequal_variances(unpaired):
    """Equal means, spreads 1 and 5, sizes 24 and 8: the level is kept, where the plain permutation of means has .17."""
    rng = np.random.default_rng(4)
    plan = ResamplingPlan(n_resamples=199)
    n_runs = 1000
    p = [
        studentised_permutation(unpaired(rng.normal(size=24), 5 * rng.normal(size=8)), plan).p_greater
        for _ in range(n_runs)
    ]
    assert np.mean(np.array(p) <= 0.05) <= 0.05 + 0.02 + 4 * np.sqrt(0.05 * 0.95 / n_runs)
