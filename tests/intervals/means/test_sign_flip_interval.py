"""The inverted sign flip: agreement with its test and its margin test, symmetry, order of rows, coverage."""

import dataclasses

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reportkit.significance.interval import agreeing, agrees
from reportkit.intervals.margins.margin import heaped_flip_margin
from reportkit.significance.tests.sign_flip import sign_flip_margin
from reportkit.significance.tests.sign_flip import (
    bootstrap_interval,
    can_bound,
    is_heaped,
    sign_flip_interval,
    sign_flip_intervals_ahead,
)
from reportkit.significance.units import student_t_interval
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.sign_flip import sign_flip

PLAN = ResamplingPlan()


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
@settings(deadline=None, max_examples=80)
def test_few_units_never_contradict_their_test(pair, differences, level, clustered):
    """On all ties and lattices, with clusters of one and two instances.

    By itself; where half of the units are one heap, Student's end may cross 0 where the test rejects, and the guard of
    all intervals has the last word.
    """
    sample = pair(differences, clusters=np.arange(len(differences)) // 2 * 2 if clustered else None)
    interval, p_values = beside_test(sample, level)
    if interval is None:
        assert not can_bound(sample, level) or student_t_interval(sample) is None
    else:
        if is_heaped(sample):
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


def test_turned_round_and_reordered(pair):
    """B against A is the mirror image, and no order of rows changes a digit."""
    rng = np.random.default_rng(4)
    values = rng.normal(0.2, 1.0, 50)
    forward, backward = pair(values, names=("a", "b")), pair(np.zeros(50), values, names=("b", "a"))
    assert sign_flip_interval(backward) == sign_flip_interval(forward).swapped()
    assert sign_flip_interval(pair(rng.permutation(values))) == sign_flip_interval(forward)


def test_lower_is_better(pair):
    """Scores are held negated, and the interval is oriented."""
    values = np.random.default_rng(4).normal(0.2, 1.0, 50)
    assert sign_flip_interval(pair(-values, higher_is_better=False)) == sign_flip_interval(pair(-values))


def test_many_ties_reach_as_far_as_students_interval(pair):
    """Three wins of 100 do not show that no loss is possible; a test that rejects keeps 0 out."""
    sample = pair(np.repeat([1.0, 0.0], [3, 97]))
    interval, _ = beside_test(sample, 0.95)
    student = student_t_interval(sample)
    assert is_heaped(sample)
    assert (interval.low, interval.high) == (pytest.approx(student.low), pytest.approx(student.high, rel=0.2))
    assert interval.high >= student.high
    assert heaped_flip_margin(sample, -0.001).p_greater > 0.025 > sign_flip_margin(sample, -0.001).p_greater
    few = pair([0.5, 0.4, 0.7, 0.2, 0.9, 0.3, 0.8, *np.zeros(7)])
    found, p_values = beside_test(few, 0.95)
    assert p_values[0] < 0.025
    assert found.low > 0


@pytest.mark.slow
def test_the_mean_of_rare_differences_is_held(pair):
    """Losses twice as frequent as gains, and both rare: at least 94%, where the sign flip alone has 76% and 84%."""
    rng = np.random.default_rng(11)
    for p_win in (0.01, 0.02):
        samples = [pair(rng.choice([1.0, -1.0, 0.0], 30, p=[p_win, 2 * p_win, 1 - 3 * p_win])) for _ in range(600)]
        sign_flip_intervals_ahead(samples, 0.95)  # of all at once, which changes nothing
        drawn = [interval for sample in samples if (interval := sign_flip_interval(sample)) is not None]
        assert np.mean([interval.low <= -p_win <= interval.high for interval in drawn]) > 0.94


def test_five_units_bound_nothing_at_95(pair):
    """But they do at 90%; one unit never does."""
    sample = pair([0.1, 0.3, 0.2, 0.5, 0.4])
    assert sign_flip_interval(sample) is None
    assert sign_flip_interval(sample, 0.9).low == pytest.approx(0.1)
    assert sign_flip_interval(pair([0.3])) is None
    assert sign_flip_interval(pair([0.3, 0.3, 0.3, 0.3, 0.3, 0.3])) is None


def test_near_student_for_many_normal_differences(pair):
    """Both ends within a fiftieth of a standard error of Student's."""
    sample = pair(np.random.default_rng(9).normal(0.1, 1.0, 1_000))
    mine, student = sign_flip_interval(sample), student_t_interval(sample)
    assert (mine.low, mine.high) == pytest.approx((student.low, student.high), abs=0.02 / 1_000**0.5)


@pytest.mark.slow
@pytest.mark.parametrize("n", [8, 30])
def test_coverage_of_symmetric_differences(pair, n):
    """Exact whatever the distribution: between 95% and 95% plus the step of the smallest p-value."""
    rng = np.random.default_rng(n)
    samples = [pair(rng.standard_t(3, n) + 0.4) for _ in range(2_000)]
    sign_flip_intervals_ahead(samples, 0.95)  # of all at once, which changes nothing
    intervals = [sign_flip_interval(sample) for sample in samples]
    assert abs(np.mean([interval.low <= 0.4 <= interval.high for interval in intervals]) - 0.95) < 0.02


def test_intervals_ahead_are_the_same(pair):
    """With ties, zeros and rare differences: to the last bit, and none where there is none."""
    rng = np.random.default_rng(5)
    draws = [rng.standard_t(3, 30), rng.integers(-2, 3, 30) / 4, rng.choice([1.0, -1.0, 0.0], 30, p=[0.02, 0.04, 0.94])]
    draws += [np.zeros(30), rng.normal(size=8), rng.normal(size=5)]
    alone = [sign_flip_interval(pair(draw)) for draw in draws]
    samples = [pair(draw) for draw in draws]
    sign_flip_intervals_ahead(samples, 0.95)
    assert [sign_flip_interval(sample) for sample in samples] == alone
    assert any(interval is None for interval in alone)


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
