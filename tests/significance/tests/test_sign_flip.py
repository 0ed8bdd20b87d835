"""The sign-flip test against enumeration of all sign patterns."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.mcnemar import mcnemar
from reportkit.significance.tests.sign_flip import sign_flip

PLAN = ResamplingPlan()


def by_enumeration(sums):
    """Both tails over all sign patterns of integer sums: no rounding."""
    observed = sum(sums)
    totals = [
        sum(sign * value for sign, value in zip(signs, sums, strict=True))
        for signs in itertools.product((1, -1), repeat=len(sums))
    ]
    return tuple(sum(hit) / len(totals) for hit in zip(*((t >= observed, t <= observed) for t in totals), strict=True))


def sums_of(values, clusters):
    """Sum of the values of each cluster."""
    return [sum(v for v, c in zip(values, clusters, strict=True) if c == name) for name in sorted(set(clusters))]


small = st.integers(1, 8).flatmap(lambda n: st.lists(st.integers(-9, 9), min_size=n, max_size=n))


@given(small, st.sampled_from([1.0, 0.1, 1 / 3, 100.0]))
@settings(deadline=None, max_examples=100)
def test_agrees_with_enumeration(pair, values, step):
    """All 2^n patterns, n <= 8, ties and zeros included, whatever the unit of the scores."""
    outcome = sign_flip(pair([value * step for value in values]), PLAN)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx(by_enumeration(values), rel=1e-10)
    assert outcome.method == "exact"
    assert outcome.p_min == 0.5 ** np.count_nonzero(values)
    assert outcome.p_min <= min(outcome.p_greater, outcome.p_less)


@given(st.integers(0, 2**32 - 1), st.integers(1, 8))
@settings(deadline=None, max_examples=60)
def test_agrees_with_enumeration_off_any_lattice(pair, seed, n):
    """Differences with 9 decimals."""
    values = np.random.default_rng(seed).integers(-(10**9), 10**9, n).tolist()
    outcome = sign_flip(pair([value / 1e9 for value in values]), PLAN)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx(by_enumeration(values), rel=1e-10)


@given(small, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=80)
def test_clusters_are_flipped_whole(pair, values, random):
    """All patterns of cluster signs; a cluster whose sum is 0 is no non-zero unit."""
    clusters = [random.randrange(4) for _ in values]
    sums = sums_of(values, clusters)
    outcome = sign_flip(pair([value / 10 for value in values], clusters=clusters), PLAN)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx(by_enumeration(sums), rel=1e-10)
    assert (outcome.n, outcome.n_clusters, outcome.n_nonzero) == (len(values), len(sums), np.count_nonzero(sums))
    assert outcome.p_min == 0.5 ** np.count_nonzero(sums)
    assert outcome.title == "sign-flip permutation test of the mean with whole clusters"


@given(small, st.randoms(use_true_random=False), st.booleans())
@settings(deadline=None, max_examples=80)
def test_weights_weigh(pair, values, random, clustered):
    """Weighted differences are flipped, alone or as whole clusters; the estimate is the weighted mean."""
    weights = [random.randrange(1, 6) for _ in values]
    clusters = [random.randrange(4) for _ in values] if clustered else list(range(len(values)))
    sums = sums_of([value * weight for value, weight in zip(values, weights, strict=True)], clusters)
    outcome = sign_flip(pair(values, weights=weights, clusters=clusters if clustered else None), PLAN)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx(by_enumeration(sums), rel=1e-10)
    assert outcome.estimate == pytest.approx(np.average(values, weights=weights))
    assert outcome.estimand == "weighted mean difference"


@given(st.integers(0, 60), st.integers(0, 60))
@settings(deadline=None, max_examples=50)
def test_right_or_wrong_scores_give_mcnemar(pair, counts, wins, losses):
    """With differences of -1, 0 and 1 it is the exact McNemar test."""
    paired = counts(wins, losses, 3)
    flip, binomial = sign_flip(paired, PLAN), mcnemar(paired, PLAN)
    assert (flip.p_greater, flip.p_less) == pytest.approx((binomial.p_greater, binomial.p_less), rel=1e-10)


def test_zeros_change_nothing(pair):
    """Instances without a difference leave every p-value as it is."""
    values = np.random.default_rng(3).integers(-5, 6, 30) / 10
    alone = sign_flip(pair(values), PLAN)
    padded = sign_flip(pair(np.concatenate([values, np.zeros(100)])), PLAN)
    assert (padded.p_greater, padded.p_less, padded.p_min) == (alone.p_greater, alone.p_less, alone.p_min)
    assert (padded.n, padded.n_nonzero) == (130, alone.n_nonzero)


def test_agrees_with_scipy_permutation_test(pair):
    """SciPy's exact permutation of pairs."""
    rng = np.random.default_rng(8)
    a, b = np.round(rng.random(10), 3), np.round(rng.random(10), 3)
    outcome = sign_flip(pair(a, b), PLAN)
    for alternative in ("greater", "less"):
        expected = stats.permutation_test(
            (a, b),
            lambda x, y: np.mean(x - y),
            permutation_type="samples",
            vectorized=False,
            n_resamples=np.inf,
            alternative=alternative,
        )
        assert outcome.towards(alternative).p_value == pytest.approx(expected.pvalue, rel=1e-12)


def test_identical_systems_have_p_one(pair):
    """Nothing to flip."""
    outcome = sign_flip(pair([0.0, 0.0]), PLAN)
    assert (outcome.p_greater, outcome.p_less, outcome.p_min) == (1.0, 1.0, 1.0)


def test_thousands_of_wins_do_not_underflow(pair):
    """The p-value 2^-3000 is given as the smallest float."""
    outcome = sign_flip(pair(np.tile([0.1, 0.2, 0.3], 1_000)), PLAN)
    assert 0 < outcome.p_greater <= 1e-300
