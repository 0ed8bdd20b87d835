"""The inverted permutation test of two means: agreement with its test, symmetry, and what bounds nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.significance.interval import agrees
from reportkit.significance.tests.studentised_permutation import permutation_t_interval, permutation_t_margin, with_smallest_keys
from reportkit.significance.tests.welch import welch_interval
from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.studentised_permutation import studentised_permutation


def unpaired(a, b, names=("a", "b")):
    """Continuous scores of two systems on other instances."""
    return UnpairedScores(
        system_a=names[0],
        system_b=names[1],
        dataset="cb",
        metric="score",
        kind="continuous",
        a=np.asarray(a, dtype=float),
        b=np.asarray(b, dtype=float),
    )


@pytest.mark.parametrize("n_values", [3, 40, 10**9])
def test_the_smallest_keys_are_those_of_a_stable_sort(n_values):
    """As many in each row as are asked for, of equal keys the first."""
    keys = np.random.default_rng(n_values).integers(0, n_values, (200, 30)) / n_values
    for n_first in (1, 12, 29, 30):
        expected = np.zeros(keys.shape, dtype=bool)
        np.put_along_axis(expected, np.argsort(keys, axis=1, kind="stable")[:, :n_first], True, axis=1)
        np.testing.assert_array_equal(with_smallest_keys(keys, n_first), expected)


@given(st.integers(4, 8), st.integers(4, 6), st.integers(0, 10_000), st.sampled_from([0.8, 0.9, 0.95]))
@settings(deadline=None, max_examples=40)
def test_all_divisions_agree_with_the_test(n_a, n_b, seed, level):
    """Where all divisions are looked at, interval and test say the same about 0."""
    rng = np.random.default_rng(seed)
    sample = unpaired(rng.normal(1.0, 1.0, n_a), rng.normal(0.0, 2.0, n_b))
    outcome = studentised_permutation(sample, ResamplingPlan())
    interval = permutation_t_interval(sample, level)
    assert interval is None or agrees(interval, outcome.p_greater, outcome.p_less)


def test_turned_round():
    """B against A is the mirror image."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(1.0, 1.0, 7), rng.normal(size=9)
    forward = permutation_t_interval(unpaired(a, b))
    backward = permutation_t_interval(unpaired(b, a, ("b", "a")))
    assert (backward.low, backward.high) == pytest.approx((-forward.high, -forward.low), rel=1e-9)


def test_near_welch_for_many():
    """Of normal scores; the divisions are drawn."""
    rng = np.random.default_rng(2)
    sample = unpaired(rng.normal(0.3, 1.0, 60), rng.normal(size=80))
    mine, welch = permutation_t_interval(sample), welch_interval(sample)
    width = welch.high - welch.low
    assert (mine.low, mine.high) == pytest.approx((welch.low, welch.high), abs=0.05 * width)
    assert permutation_t_interval(sample) == mine
    assert permutation_t_interval(sample, seed=1) != mine


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
    turned = permutation_t_margin(unpaired(b, a, ("b", "a")), -0.4)
    assert turned == permutation_t_margin(sample, 0.4).swapped()
    assert permutation_t_margin(unpaired([1.0, 1.0], [0.0, 0.0]), 0.1) is None


def test_too_few_divisions_bound_nothing():
    """3 and 2 instances can be divided in ten ways."""
    assert permutation_t_interval(unpaired([1.0, 2.0, 3.0], [0.0, 0.5])) is None
    assert permutation_t_interval(unpaired([1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0])) is None


@pytest.mark.slow
def test_coverage():
    """Scores distributed alike but for their means, of any shape: exact."""
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(1_000):
        sample = unpaired(rng.exponential(size=6) + 2.0, rng.exponential(size=7))
        interval = permutation_t_interval(sample)
        held += interval.low <= 2.0 <= interval.high
    assert abs(held / 1_000 - 0.95) < 0.03
