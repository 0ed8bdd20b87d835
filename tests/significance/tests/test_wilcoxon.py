"""Wilcoxon's signed-rank test against SciPy without ties, and against enumeration with them."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.signs_and_ranks import signed_ranks, wilcoxon

PLAN = ResamplingPlan()


@given(st.sets(st.integers(1, 60), min_size=1, max_size=40), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_agrees_with_scipy_without_ties(pair, sizes, random):
    """SciPy's exact test, n up to 40, all alternatives; zeros are left out by both."""
    differences = [random.choice((1, -1)) * size / 10 for size in sorted(sizes)]
    outcome = wilcoxon(pair([*differences, 0.0]), PLAN)
    for alternative in ("greater", "less", "two-sided"):
        expected = stats.wilcoxon(differences, alternative=alternative, method="exact").pvalue
        assert outcome.towards(alternative).p_value == pytest.approx(expected, rel=1e-10)
    assert outcome.method == "exact"


def by_enumeration(differences):
    """Both tails over all sign patterns of the ranks, from SciPy's ranks, in integers."""
    kept = np.array([d for d in differences if d != 0])
    ranks = np.rint(2 * stats.rankdata(np.abs(kept))).astype(int)
    signed = [int(rank * np.sign(d)) for rank, d in zip(ranks, kept, strict=True) if d != 0]
    observed = sum(signed)
    totals = [
        sum(s * r for s, r in zip(signs, signed, strict=True))
        for signs in itertools.product((1, -1), repeat=len(signed))
    ]
    return np.mean([t >= observed for t in totals]), np.mean([t <= observed for t in totals])


tied = st.lists(st.integers(-3, 3), min_size=1, max_size=10)


@given(tied)
@settings(deadline=None, max_examples=80)
def test_agrees_with_enumeration_with_ties_and_zeros(pair, values):
    """Mean ranks for ties, zeros left out before ranking."""
    outcome = wilcoxon(pair(values), PLAN)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx(by_enumeration(values), rel=1e-10)
    assert outcome.p_min == 0.5 ** np.count_nonzero(values)


def test_statistic_and_normal_limit_agree_with_scipy(pair):
    """W+ - W- is SciPy's, and its normal approximation is near for 400 tied differences."""
    values = np.random.default_rng(5).integers(-4, 6, 400)
    outcome = wilcoxon(pair(values / 10), PLAN)
    expected = stats.wilcoxon(values, alternative="greater", method="approx", correction=True)
    kept = values[values != 0]
    assert outcome.statistic == (np.sign(kept) * stats.rankdata(np.abs(kept))).sum()
    assert outcome.p_greater == pytest.approx(expected.pvalue, rel=0.02)


@given(st.lists(st.integers(-5, 5), max_size=30))
@settings(deadline=None, max_examples=60)
def test_ranks_agree_with_scipy(values):
    """Mean ranks of the absolute values, with sign."""
    differences = np.array(values, dtype=float)
    kept = differences[differences != 0]
    expected = np.sign(kept) * stats.rankdata(np.abs(kept))
    np.testing.assert_array_equal(signed_ranks(differences), expected)


def test_ties_of_thirds_are_ties(pair):
    """1 - 2/3 and 1/3 differ in the last bit and share their rank."""
    outcome = wilcoxon(pair([1, 1 / 3, 0, 1], [2 / 3, 0, 1 / 3, 0]), PLAN)  # signed ranks 2, 2, -2, 4
    assert outcome.statistic == 6.0
    assert outcome.p_greater == 0.25


def test_clusters_are_ignored_openly(pair):
    """The outcome treats instances as independent and says so."""
    values = [0.1, 0.2, -0.1, 0.4]
    outcome = wilcoxon(pair(values, clusters=[0, 0, 1, 1]), PLAN)
    assert outcome.p_greater == wilcoxon(pair(values), PLAN).p_greater
    assert outcome.assumptions[0] == "instances are independent of each other"
