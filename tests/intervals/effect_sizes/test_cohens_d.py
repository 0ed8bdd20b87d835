"""Cohen's d of paired scores: SciPy's noncentral t, the t test, and coverage."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.errors import DesignError, SettingsError
from reportkit.significance.effect_sizes import cohens_d, noncentrality


@given(st.integers(0, 10**6), st.integers(2, 60), st.floats(-1.5, 1.5), st.sampled_from([0.9, 0.95]))
@settings(deadline=None, max_examples=60)
def test_definition(pair, seed, n, shift, level):
    """Ends by SciPy's distribution; 0 excluded exactly where the paired t-test rejects; swap and scale."""
    d = np.random.default_rng(seed).normal(shift, 1.0, n)
    found = cohens_d(pair(d), level)
    t = d.mean() / d.std(ddof=1) * math.sqrt(n)
    assert found.estimate == pytest.approx(d.mean() / d.std(ddof=1), rel=1e-9)
    if n > 2:
        for end, chance in ((found.interval.low, (1 + level) / 2), (found.interval.high, (1 - level) / 2)):
            assert stats.nct.cdf(t, n - 1, end * math.sqrt(n)) == pytest.approx(chance, abs=1e-7)
    p = stats.ttest_1samp(d, 0.0).pvalue
    if abs(p - (1 - level)) > 1e-6:
        assert (found.interval.low > 0 or found.interval.high < 0) == (p < 1 - level)
    back, scaled = cohens_d(pair(-d), level), cohens_d(pair(100 * d), level)
    assert (back.interval.low, back.interval.high) == pytest.approx((-found.interval.high, -found.interval.low))
    assert scaled.interval.low == pytest.approx(found.interval.low, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("t", "freedom"), [(0.0, 3), (2.5, 1), (8.0, 4), (40.0, 999), (300.0, 100_000)])
@pytest.mark.parametrize("chance", [0.025, 0.975])
def test_noncentrality_inverts_the_distribution(t, freedom, chance):
    """From few to very many degrees of freedom."""
    assert stats.nct.cdf(t, freedom, noncentrality(t, freedom, chance)) == pytest.approx(chance, abs=1e-7)


@pytest.mark.parametrize("freedom", [1, 3, 50, 10_000, 10**7])
@pytest.mark.parametrize("chance", [0.005, 0.025, 0.5, 0.975, 0.995])
def test_very_large_t(freedom, chance):
    """Beyond what SciPy can compute the ends go on in proportion, without a jump."""
    near, far = noncentrality(9_999.9, freedom, chance), noncentrality(10_000.1, freedom, chance)
    assert far - near == pytest.approx(0.2 * near / 10_000, abs=2e-5 * near)
    assert noncentrality(1e7, freedom, chance) > 0


def test_two_instances(pair):
    """One degree of freedom: no end is lost to rounding."""
    found = cohens_d(pair([1.0, 1.2]))
    assert found.interval.low < found.estimate < found.interval.high


def test_refused_and_unknown(pair):
    """Clusters, weights and ordinal scores; a single difference; differences that are all alike."""
    for fields in ({"clusters": [0, 0, 1]}, {"weights": [1, 2, 3]}, {"kind": "ordinal"}):
        with pytest.raises(DesignError, match="Cohen's d is for measured scores"):
            cohens_d(pair([1.0, 2.0, 4.0], **fields))
    with pytest.raises(SettingsError, match="level is 1"):
        cohens_d(pair([1.0, 2.0, 4.0]), confidence_level=1)
    assert cohens_d(pair([1.0])) is None
    assert cohens_d(pair([1.0, 1.0])) is None


@pytest.mark.slow
def test_coverage(pair):
    """Of 1,500 samples of 12 normal differences, the interval holds the true d in about 95%."""
    d = np.random.default_rng(9).normal(0.6, 1.0, (1_500, 12))
    intervals = [cohens_d(pair(row)).interval for row in d]
    held = sum(interval.low <= 0.6 <= interval.high for interval in intervals)
    assert held / 1_500 == pytest.approx(0.95, abs=4 * math.sqrt(0.05 * 0.95 / 1_500))
