"""The sign test against SciPy, the exact McNemar test, and enumeration."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.mcnemar import mcnemar
from reportkit.significance.tests.signs_and_ranks import sign_test

PLAN = ResamplingPlan()
ratings = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=40)


@given(ratings)
@settings(deadline=None, max_examples=60)
def test_agrees_with_binomtest(pair, scores):
    """Wins against losses, ties left out."""
    a, b = zip(*scores, strict=True)
    wins, losses = sum(x > y for x, y in scores), sum(x < y for x, y in scores)
    outcome = sign_test(pair(a, b, kind="ordinal"), PLAN)
    for alternative in ("greater", "less", "two-sided"):
        expected = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue if wins + losses else 1.0
        assert outcome.towards(alternative).p_value == pytest.approx(expected, rel=1e-12)
    assert outcome.statistic == wins - losses
    assert outcome.estimate == pytest.approx((wins - losses) / len(scores))
    assert outcome.p_min == 0.5 ** (wins + losses)


def test_equals_mcnemar_on_right_or_wrong_scores(counts):
    """The same arithmetic."""
    paired = counts(12, 5, 20)
    sign, exact = sign_test(paired, PLAN), mcnemar(paired, PLAN)
    assert (sign.p_greater, sign.p_less, sign.estimate) == (exact.p_greater, exact.p_less, exact.estimate)


def test_is_about_how_often_not_how_much(pair):
    """Any increasing transformation of the scores gives the same."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(1, 6, 50), rng.integers(1, 6, 50)
    plain, stretched = sign_test(pair(a, b), PLAN), sign_test(pair(np.exp(a), np.exp(b)), PLAN)
    assert (plain.p_greater, plain.estimate, plain.statistic) == (
        stretched.p_greater,
        stretched.estimate,
        stretched.statistic,
    )


@given(st.lists(st.integers(-2, 2), min_size=1, max_size=12), st.randoms(use_true_random=False), st.booleans())
@settings(deadline=None, max_examples=60)
def test_signs_of_a_cluster_are_flipped_together(pair, values, random, weighted):
    """All patterns of cluster signs."""
    clusters = [random.randrange(5) for _ in values]
    weights = [random.randrange(1, 4) if weighted else 1 for _ in values]
    sums = [
        sum(w * int(np.sign(v)) for v, w, c in zip(values, weights, clusters, strict=True) if c == name)
        for name in sorted(set(clusters))
    ]
    totals = [
        sum(s * v for s, v in zip(signs, sums, strict=True)) for signs in itertools.product((1, -1), repeat=len(sums))
    ]
    outcome = sign_test(pair(values, kind="ordinal", clusters=clusters, weights=weights if weighted else None), PLAN)
    assert outcome.p_greater == pytest.approx(np.mean([t >= sum(sums) for t in totals]), rel=1e-10)
    assert outcome.p_less == pytest.approx(np.mean([t <= sum(sums) for t in totals]), rel=1e-10)
    assert outcome.statistic == sum(sums)
    assert outcome.n_clusters == len(sums)
    assert outcome.title == "sign test with whole clusters"
