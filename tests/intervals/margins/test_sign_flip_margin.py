"""The shifted sign-flip test: enumeration, the unshifted test, and what is refused."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.errors import DesignError, SettingsError
from reportkit.significance.tests.sign_flip import sign_flip_margin
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.sign_flip import sign_flip

small = st.lists(st.integers(-5, 5), min_size=1, max_size=9)


@given(small, st.integers(-4, 4))
@settings(deadline=None, max_examples=60)
def test_agrees_with_enumeration(pair, values, margin):
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


def test_shift(pair):
    """Adding a constant to A and to the margin changes nothing; clusters are shifted by their size."""
    rng = np.random.default_rng(1)
    d, clusters = rng.normal(0.2, 1, 30), np.repeat(np.arange(10), [1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
    for fields in ({}, {"clusters": clusters}):
        plain, shifted = sign_flip_margin(pair(d, **fields), 0.1), sign_flip_margin(pair(d + 0.5, **fields), 0.6)
        assert shifted.p_greater == pytest.approx(plain.p_greater, rel=1e-6)
        assert shifted.statistic == pytest.approx(plain.statistic)


def test_the_margin_itself(pair):
    """Differences that all equal the margin speak neither for nor against it, though 0.3 - 0.1 is not 0.2."""
    found = sign_flip_margin(pair([0.3, 0.4, 0.5], [0.1, 0.2, 0.3]), 0.2)
    assert (found.p_greater, found.p_less) == (1.0, 1.0)


def test_random_patterns(pair):
    """Weighted differences of many instances: (s + 1) / (b + 1), the same for the same seed, near the t test."""
    from scipy import stats

    rng = np.random.default_rng(2)
    d, weights = rng.standard_t(3, 3000), rng.uniform(0.5, 2.0, 3000)
    sample = pair(d, weights=weights)
    first, again = sign_flip_margin(sample, -0.03), sign_flip_margin(sample, -0.03)
    assert first == again
    assert 0 < first.p_greater < 1
    assert first.p_greater + first.p_less >= 1
    left = weights * (d + 0.03)
    z = left.sum() / math.sqrt(np.square(left).sum())
    assert first.p_greater == pytest.approx(stats.norm.sf(z), abs=4 * 0.5 / math.sqrt(9_999) + 0.005)


def test_refused(pair, counts):
    """Right-or-wrong and ordinal scores, and numbers that make no sense."""
    with pytest.raises(DesignError, match="no margin for binary scores"):
        sign_flip_margin(counts(3, 1), 0.01)
    with pytest.raises(DesignError, match="no margin for ordinal scores"):
        sign_flip_margin(pair([1.0, 2.0], kind="ordinal"), 0.01)
    with pytest.raises(SettingsError, match="the margin is inf"):
        sign_flip_margin(pair([1.0, 2.0]), math.inf)
