"""Welch's test and interval against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from reportkit.errors import DesignError
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.independent_samples import estimate_unpaired, welch
from tests import samples
from tests.significance.methods import interval_of

PLAN = ResamplingPlan()
scores = st.lists(st.integers(0, 20), min_size=2, max_size=20)


@given(scores, scores)
def test_agrees_with_scipy(unpaired, a, b):
    """t, degrees of freedom and both p-values; A against B turned round."""
    assume(np.ptp(a) > 0 and np.ptp(b) > 0)
    outcome = welch(unpaired(a, b), PLAN)
    expected = stats.ttest_ind(a, b, equal_var=False)
    assert outcome.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    assert outcome.towards("two-sided").p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert outcome.statistic_name == f"t({expected.df:.1f})"
    assert welch(unpaired(b, a, names=("b", "a")), PLAN) == outcome.swapped()


def test_no_variance(unpaired):
    """Equal scores everywhere: p = 1; unequal constants, or one instance: refused with a way out."""
    outcome = welch(unpaired([0.3, 0.3], [0.3, 0.3, 0.3]), PLAN)
    assert (outcome.p_greater, outcome.p_less) == (1.0, 1.0)
    for a, b in (([0.5, 0.5], [0.25, 0.25]), ([0.5], [0.25, 0.3])):
        with pytest.raises(DesignError, match="'welch'") as error:
            welch(unpaired(a, b), PLAN)
        assert "'studentised-permutation'" in str(error.value)


def test_one_constant_system_is_no_obstacle(unpaired):
    """The variance of the other one is enough."""
    outcome = welch(unpaired([0.5, 0.5, 0.5], [0.1, 0.2, 0.4]), PLAN)
    one_sample = stats.ttest_1samp([0.1, 0.2, 0.4], 0.5)  # the same t and degrees of freedom, turned round
    assert outcome.p_greater == pytest.approx(one_sample.pvalue / 2)


@pytest.mark.parametrize(("n_a", "n_b"), [(2, 2), (5, 40), (100, 60)])
def test_agrees_with_scipy_again(n_a, n_b):
    """Both ends, standard error and degrees of freedom; B against A turned round."""
    rng = np.random.default_rng(n_a)
    a, b = rng.exponential(size=n_a), rng.normal(size=n_b)
    expected = stats.ttest_ind(a, b, equal_var=False)
    for level in (0.9, 0.95):
        interval = interval_of("welch")(samples.unpaired(a, b), level)
        assert (interval.low, interval.high) == pytest.approx(tuple(expected.confidence_interval(level)), rel=1e-9)
    assert estimate_unpaired(samples.unpaired(a, b)).degrees_of_freedom == pytest.approx(expected.df)
    assert (
        interval_of("welch")(samples.unpaired(b, a, names=("b", "a")))
        == interval_of("welch")(samples.unpaired(a, b)).swapped()
    )
