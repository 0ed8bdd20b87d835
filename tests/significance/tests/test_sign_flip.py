"""The sign-flip test, its interval and its margin."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.scores.designs import sorted_units
from reportkit.significance.assess import agreeing, agrees
from reportkit.significance.entry import NO_VARIANCE, ResamplingPlan
from reportkit.significance.tests.mcnemar import mcnemar
from reportkit.significance.tests.paired_means import bootstrap_interval
from reportkit.significance.tests.sign_flip import (
    SIGN_FLIP,
    cannot_bound,
    sign_flip,
    sign_flip_interval,
    sign_flip_margin,
)
from reportkit.significance.units import student_t_interval

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


def test_thousands_of_wins_do_not_underflow(pair):
    """The p-value 2^-3000 is given as the smallest float."""
    outcome = sign_flip(pair(np.tile([0.1, 0.2, 0.3], 1_000)), PLAN)
    assert 0 < outcome.p_greater <= 1e-300


def beside_test(sample, level):
    """Interval, with the p-values of the test."""
    outcome = sign_flip(sample, PLAN)
    p_values = outcome.p_greater, outcome.p_less
    return sign_flip_interval(sample, level, p_values), p_values


@given(
    st.lists(st.integers(-5, 6), min_size=6, max_size=14).filter(lambda values: len(set(values)) > 1),
    st.sampled_from([0.8, 0.9, 0.95]),
    st.booleans(),
)
@example([0, 1, -4, 5, 5, 5], 0.8, False)
@example([2, 3, 0, 1, 0, 1, 0, 1, 0, 1, 1], 0.95, True)
@settings(deadline=None, max_examples=80)
def test_few_units_never_contradict_their_test(pair, differences, level, clustered):
    """On all ties and lattices, with clusters of one and two instances.

    By itself; where half of the units are one heap, Student's end may cross 0 where the test rejects, and the guard of
    all intervals has the last word.
    """
    sample = pair(differences, clusters=np.arange(len(differences)) // 2 * 2 if clustered else None)
    interval, p_values = beside_test(sample, level)
    if interval is None:
        assert cannot_bound(sample, level) != NO_VARIANCE or student_t_interval(sample) is None
    else:
        units = sorted_units(sample)
        if np.unique(units.sums / units.sizes, return_counts=True)[1].max() * 2 >= units.n:
            interval = agreeing(interval, float(np.mean(differences)), *p_values, matched=True)
        assert agrees(interval, *p_values)


@pytest.mark.parametrize("fields", [{}, {"weights": np.arange(1.0, 61.0)}, {"clusters": np.arange(60) // 3}])
def test_the_margin_test_rejects_what_lies_outside(pair, fields):
    """A two-hundredth of the interval on either side of an end at level 1 - 2 alpha."""
    sample = pair(np.random.default_rng(0).normal(0.3, 1.0, 60), **fields)
    for alpha in (0.01, 0.05, 0.2):
        interval = sign_flip_interval(sample, 1 - 2 * alpha)
        step = 0.005 * (interval.high - interval.low)
        assert sign_flip_margin(sample, interval.low - step).p_greater < alpha
        assert sign_flip_margin(sample, interval.low + step).p_greater > alpha
        assert sign_flip_margin(sample, interval.high + step).p_less < alpha
        assert sign_flip_margin(sample, interval.high - step).p_less > alpha


def test_many_ties_reach_as_far_as_students_interval(pair):
    """Three wins of 100 do not show that no loss is possible; a test that rejects keeps 0 out."""
    sample = pair(np.repeat([1.0, 0.0], [3, 97]))
    interval, _ = beside_test(sample, 0.95)
    student = student_t_interval(sample)
    assert (interval.low, interval.high) == (pytest.approx(student.low), pytest.approx(student.high, rel=0.2))
    assert interval.high >= student.high
    assert (
        SIGN_FLIP.interval.margin(pair(2.0 * sample.a), -0.002, 0).p_greater
        > 0.025
        > sign_flip_margin(sample, -0.001).p_greater
    )
    few = pair([0.5, 0.4, 0.7, 0.2, 0.9, 0.3, 0.8, *np.zeros(7)])
    found, p_values = beside_test(few, 0.95)
    assert p_values[0] < 0.025
    assert found.low > 0


def test_five_units_bound_nothing_at_95(pair):
    """But they do at 90%; one unit never does."""
    sample = pair([0.1, 0.3, 0.2, 0.5, 0.4])
    assert sign_flip_interval(sample) is None
    assert sign_flip_interval(sample, 0.9).low == pytest.approx(0.1)
    assert sign_flip_interval(pair([0.3])) is None
    assert sign_flip_interval(pair([0.3, 0.3, 0.3, 0.3, 0.3, 0.3])) is None


def test_the_bootstrap_is_the_basic_one(pair):
    """2 d minus the quantiles of resampled means; turned round with the systems."""
    values = np.random.default_rng(1).exponential(size=80)
    drawn = np.random.default_rng(2).choice(values, (100_000, 80)).mean(axis=1)
    low, high = 2 * values.mean() - np.quantile(drawn, [0.975, 0.025])
    interval = bootstrap_interval(pair(values))
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.01 * drawn.std() * 3)
    assert bootstrap_interval(pair(np.zeros(80), values)) == interval.swapped()
    assert interval.title == "basic bootstrap interval of the mean"
    assert bootstrap_interval(pair([1.0, 1.0])) is None
    weighted = dataclasses.replace(pair(values), weights=np.arange(1.0, 81.0))
    assert bootstrap_interval(weighted).title == "basic bootstrap interval of the weighted mean"


small_too = st.lists(st.integers(-5, 5), min_size=1, max_size=9)


@given(small_too, st.integers(-4, 4))
@settings(deadline=None, max_examples=60)
def test_agrees_with_enumeration_again(pair, values, margin):
    """All sign patterns of what is left after the margin is taken off; swap of the systems."""
    left = np.array(values, float) / 10 - margin / 10
    left[np.abs(left) < 1e-9] = 0.0
    sums = [float(np.dot(signs, left)) for signs in itertools.product((1, -1), repeat=len(values))]
    found = sign_flip_margin(pair(np.array(values) / 10), margin / 10)
    assert found.p_greater == pytest.approx(np.mean([s >= left.sum() - 1e-9 for s in sums]), rel=1e-9)
    assert found.p_less == pytest.approx(np.mean([s <= left.sum() + 1e-9 for s in sums]), rel=1e-9)
    back = sign_flip_margin(pair(-np.array(values) / 10, names=("b", "a")), -margin / 10)
    assert (back.p_greater, back.p_less) == (found.p_less, found.p_greater)


def test_without_margin_it_is_the_sign_flip_test(pair):
    """Exactly, with clusters too."""
    rng = np.random.default_rng(0)
    d = rng.normal(0.2, 1, 60)
    for sample in (pair(d), pair(d, clusters=np.repeat(np.arange(12), 5))):
        found, expected = sign_flip_margin(sample, 0.0), sign_flip(sample, ResamplingPlan())
        assert found.p_greater == pytest.approx(expected.p_greater, rel=1e-9)
        assert found.p_less == pytest.approx(expected.p_less, rel=1e-9)


def test_where_many_tie_a_margin_makes_no_claim_harder(pair):
    """Fifteen losses next to 40 ties: that A is less than .0001 better is shown as clearly as that it is worse."""
    d = np.concatenate((np.zeros(40), -np.abs(np.random.default_rng(5).normal(0.3, 1, 15))))
    loss, gain = (
        {margin: SIGN_FLIP.interval.margin(pair(side * d), margin, 0) for margin in (-1e-4, 0.0, 1e-4)}
        for side in (1, -1)
    )
    assert loss[1e-4].p_less <= loss[0.0].p_less < 1e-4
    assert gain[-1e-4].p_greater <= gain[0.0].p_greater < 1e-4
