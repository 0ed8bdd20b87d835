"""Permutation tests of two means, their interval and margin."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.assess import agrees, assess
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests import studentised_permutation as module
from reportkit.significance.tests.studentised_permutation import (
    permutation_t_interval,
    permutation_t_margin,
    studentised_permutation,
    welch_permutation,
)
from tests.samples import unpaired

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
    assert drawn.p_greater == pytest.approx(exact.p_greater, abs=4 * np.sqrt(exact.p_greater / drawn.n_resamples))
    assert studentised_permutation(unpaired(b, a, names=("b", "a")), PLAN) == drawn.swapped()
    assert studentised_permutation(unpaired(a[::-1], b[::-1]), PLAN) == drawn


def test_constants_that_differ(unpaired):
    """The most extreme division of all."""
    outcome = studentised_permutation(unpaired([0.5] * 4, [0.25] * 4), PLAN)
    assert outcome.p_greater == 1 / 70
    assert outcome.statistic == 0.25
    assert outcome.statistic_name == "difference of the means"


@given(st.integers(4, 8), st.integers(4, 6), st.integers(0, 10_000), st.sampled_from([0.8, 0.9, 0.95]))
@settings(deadline=None, max_examples=40)
def test_all_divisions_agree_with_the_test(n_a, n_b, seed, level):
    """Where all divisions are looked at, interval and test say the same about 0."""
    rng = np.random.default_rng(seed)
    sample = unpaired(rng.normal(1.0, 1.0, n_a), rng.normal(0.0, 2.0, n_b))
    outcome = studentised_permutation(sample, ResamplingPlan())
    interval = permutation_t_interval(sample, level)
    assert interval is None or agrees(interval, outcome.p_greater, outcome.p_less)


@pytest.mark.parametrize("sizes", [(7, 6), (20, 30)])
def test_the_margin_test_rejects_what_lies_outside(sizes):
    """All divisions, and drawn ones; turned round with the systems."""
    rng = np.random.default_rng(6)
    a, b = rng.normal(1.0, 1.0, sizes[0]), rng.normal(size=sizes[1])
    sample = unpaired(a, b)
    interval = permutation_t_interval(sample, 0.9)
    step = 0.01 * (interval.high - interval.low)
    assert permutation_t_margin(sample, interval.low - step).p_greater <= 0.05
    assert permutation_t_margin(sample, interval.low + step).p_greater > 0.05
    assert permutation_t_margin(sample, interval.high + step).p_less <= 0.05
    assert permutation_t_margin(sample, interval.high - step).p_less > 0.05
    turned = permutation_t_margin(unpaired(b, a, names=("b", "a")), -0.4)
    assert turned == permutation_t_margin(sample, 0.4).swapped()
    assert permutation_t_margin(unpaired([1.0, 1.0], [0.0, 0.0]), 0.1) is None


def test_too_few_divisions_bound_nothing():
    """3 and 2 instances can be divided in ten ways."""
    assert permutation_t_interval(unpaired([1.0, 2.0, 3.0], [0.0, 0.5])) is None
    assert permutation_t_interval(unpaired([1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0])) is None


PLAN_2 = ResamplingPlan(n_resamples=499)


def test_the_larger_p_value_in_each_direction(unpaired):
    """By SciPy from end to end: its t-test, and its permutation test of the same statistic."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.6, 1, 7), rng.normal(0, 3, 4)

    def t(x, y, axis):
        return stats.ttest_ind(x, y, axis=axis, equal_var=False).statistic

    outcome = welch_permutation(unpaired(a, b), PLAN_2)
    for side, found in (("greater", outcome.p_greater), ("less", outcome.p_less)):
        permuted = stats.permutation_test((a, b), t, vectorized=True, alternative=side, n_resamples=np.inf).pvalue
        assert found == pytest.approx(max(stats.ttest_ind(a, b, equal_var=False, alternative=side).pvalue, permuted))
    assert outcome.p_min == 1 / 330


@pytest.mark.parametrize(
    ("n_a", "n_b", "test"), [(1, 9, "studentised-permutation"), (2, 9, "welch-permutation"), (50, 60, "welch")]
)
def test_it_is_the_default_for_few(unpaired, n_a, n_b, test):
    """By the smaller sample."""
    rng = np.random.default_rng(3)
    assert assess(unpaired(rng.normal(size=n_a), rng.normal(size=n_b)), PLAN_2).test == test
