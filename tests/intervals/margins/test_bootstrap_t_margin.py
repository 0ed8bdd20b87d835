"""The shifted bootstrap-t test: its interval, the unshifted test, and its size for skewed differences."""

import math

import numpy as np
import pytest

from reportkit.significance.tests.bootstrap_t import bootstrap_t_margin
from reportkit.significance.tests.bootstrap_t import bootstrap_t_interval
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.bootstrap_t import bootstrap_t


def skewed(seed, n=50):
    """Differences with a long tail."""
    return np.random.default_rng(seed).lognormal(0, 1, n)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("fields", [{}, {"clusters": np.repeat(np.arange(25), 2)}, {"names": ("z", "b")}])
def test_rejects_what_the_interval_excludes(pair, alpha, fields):
    """At both ends; whichever system comes first by name."""
    sample = pair(skewed(0), **fields)
    interval = bootstrap_t_interval(sample, 1 - 2 * alpha)
    for seen in (1e-9, -1e-9):
        width = interval.high - interval.low
        low = bootstrap_t_margin(sample, interval.low - seen * width)
        high = bootstrap_t_margin(sample, interval.high + seen * width)
        assert low.p_greater == pytest.approx(alpha, abs=1.5e-4)
        assert high.p_less == pytest.approx(alpha, abs=1.5e-4)
    assert bootstrap_t_margin(sample, interval.low - 0.02 * (interval.high - interval.low)).p_greater < alpha
    assert bootstrap_t_margin(sample, interval.low + 0.02 * (interval.high - interval.low)).p_greater > alpha


def test_without_margin_it_is_the_bootstrap_t_test(pair):
    """The same resamples: the same p-values."""
    sample = pair(skewed(1) - 1.5)
    found, expected = bootstrap_t_margin(sample, 0.0), bootstrap_t(sample, ResamplingPlan())
    assert (found.p_greater, found.p_less) == (expected.p_greater, expected.p_less)


def test_shift_and_swap(pair):
    """Adding a constant to A and to the margin changes nothing; B against A is the other way round."""
    d = skewed(2)
    found = bootstrap_t_margin(pair(d), 1.2)
    shifted, back = bootstrap_t_margin(pair(d + 8.0), 9.2), bootstrap_t_margin(pair(-d, names=("b", "a")), -1.2)
    assert shifted.p_greater == pytest.approx(found.p_greater, abs=1e-3)
    assert (back.p_greater, back.p_less) == (found.p_less, found.p_greater)


def test_no_variance(pair):
    """None, as for the interval."""
    assert bootstrap_t_margin(pair([1.0, 1.0, 1.0]), 0.5) is None


@pytest.mark.slow
def test_size(pair):
    """Where the mean is the margin, 800 samples of 100 exponential differences reject in about 5% each way."""
    draws = np.random.default_rng(3).exponential(1.0, (800, 100))
    p_values = [(test.p_greater, test.p_less) for test in (bootstrap_t_margin(pair(row), 1.0) for row in draws)]
    for rejected in (np.array(p_values) <= 0.05).mean(axis=0):
        assert rejected == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / 800))
