"""Equivalence by two one-sided tests: statsmodels, and its duality with the interval at level 1 - 2 alpha."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.stats.weightstats import ttost_paired

from reportkit.errors import SettingsError
from reportkit.intervals.choose_interval import EXACT_WINS, STUDENT_T
from reportkit.intervals.margins.equivalence import equivalence_test
from reportkit.significance.units import student_t_interval


def test_agrees_with_statsmodels(pair):
    """Paired t: the larger of both p-values."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 1, 200), rng.normal(0, 1, 200)
    expected, above, below = ttost_paired(a, b, -0.3, 0.25)
    found = equivalence_test(pair(a, b), -0.3, 0.25, margin=STUDENT_T.margin)
    assert found.p_value == pytest.approx(expected)
    assert found.above.p_greater == pytest.approx(above[1])
    assert found.below.p_less == pytest.approx(below[1])


@given(st.integers(0, 80), st.integers(0, 80), st.integers(1, 2000), st.floats(0.002, 0.2))
@settings(deadline=None)
def test_equivalent_exactly_where_the_interval_lies_inside(counts, wins, losses, ties, margin):
    """Right-or-wrong scores: the 90% interval for .05, and the same family of tests."""
    sample = counts(wins, losses, ties)
    interval = EXACT_WINS.interval(sample, 0.90, 0, (1.0, 1.0))
    assume(min(abs(interval.low + margin), abs(interval.high - margin)) > 1e-9)
    found = equivalence_test(sample, -margin, margin)
    assert (found.p_value <= 0.05) == (-margin < interval.low and interval.high < margin)


def test_no_evidence_of_a_difference_is_no_evidence_of_equivalence(pair):
    """Few instances: neither is shown."""
    sample = pair([0.1, -0.2, 0.15, -0.1, 0.05])
    interval = student_t_interval(sample)
    assert interval.low < 0 < interval.high
    assert equivalence_test(sample, -0.01, 0.01).p_value > 0.05


def test_margins_need_not_be_symmetric(pair):
    """B against A takes the margins with the opposite sign, exchanged."""
    d = np.random.default_rng(1).normal(0.1, 1, 50)
    found, back = equivalence_test(pair(d), -0.2, 0.5), equivalence_test(pair(-d, names=("b", "a")), -0.5, 0.2)
    assert found.p_value == pytest.approx(back.p_value)


def test_unknown_and_refused(pair):
    """No variance; margins in the wrong order."""
    assert equivalence_test(pair([1.0, 1.0]), -2.0, 2.0) is None
    with pytest.raises(SettingsError, match=r"0\.1 and -0\.1 are no range"):
        equivalence_test(pair([1.0, 2.0]), 0.1, -0.1)
