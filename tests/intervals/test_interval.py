"""The record of an interval; the side of 0 on which an end lies is the test's to decide."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from reportkit.significance.interval import TEST_BASED, Interval, agreeing, agrees, tail_level
from reportkit.replicability.multiple_testing.p_values import rejection_level


def test_swapping_turns_the_interval_round():
    """For B against A, both ends change sign and place."""
    interval = Interval(low=-0.1, high=0.3, level=0.95, title="t interval", citation="student1908probable")
    swapped = interval.swapped()
    assert (swapped.low, swapped.high) == (-0.3, 0.1)
    assert swapped.swapped() == interval


@pytest.mark.parametrize(
    ("low", "high", "level"), [(0.2, 0.1, 0.95), (float("nan"), 1.0, 0.95), (0.0, 1.0, 0.0), (0.0, 1.0, 95)]
)
def test_what_is_no_interval_is_refused(low, high, level):
    """Ends in the wrong order, NaN, and levels outside (0, 1) are mistakes of the caller."""
    with pytest.raises(ValueError, match="t interval"):
        Interval(low=low, high=high, level=level, title="t interval", citation="")


def interval(low, high, level=0.95):
    """An interval with a name."""
    return Interval(low=low, high=high, level=level, title="some interval", citation="")


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1 - 1e-7])
def test_the_level_is_that_of_all_decisions(level):
    """The same tolerance for rounding as in Holm's procedure and k-hat."""
    assert tail_level(level) == pytest.approx(rejection_level((1 - level) / 2), rel=1e-12)


@given(
    st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1), st.floats(1e-6, 1.0), st.sampled_from([0.8, 0.9, 0.95, 0.999])
)
def test_afterwards_nothing_contradicts(estimate, down, up, p_value, level):
    """Whatever the interval was, if the test favours the system that scores better."""
    assume(abs(estimate) > 1e-9)
    p_greater, p_less = (p_value, 1.0) if estimate > 0 else (1.0, p_value)
    before = interval(estimate - down, estimate + up, level)
    found = agreeing(before, estimate, p_greater, p_less, matched=False)
    assert agrees(found, p_greater, p_less)
    assert found.low <= estimate <= found.high
    assert (found.title == before.title) == agrees(before, p_greater, p_less)
    turned = agreeing(before.swapped(), -estimate, p_less, p_greater, matched=False)
    assert turned == found.swapped()


def test_the_end_is_test_based():
    """Estimate x (1 - z_level / z_p): on the side of 0, and the nearer the level the nearer 0."""
    found = agreeing(interval(0.01, 0.31), 0.16, 0.03, 0.97, matched=False)
    assert found.low == pytest.approx(0.16 * (1 - stats.norm.isf(0.025) / stats.norm.isf(0.03)))
    assert found.high == 0.31
    assert found.title == f"some interval{TEST_BASED}"
    assert agreeing(interval(0.01, 0.31), 0.16, 0.03, 0.97, matched=True).title == "some interval"
    near = agreeing(interval(0.01, 0.31), 0.16, 0.0251, 0.97, matched=False)
    assert found.low < near.low < 0
    assert agreeing(interval(-0.01, 0.31), 0.16, 0.02, 0.98, matched=False).low > 0


def test_a_p_value_of_exactly_the_level_rejects():
    """As everywhere else; the end is then beyond 0, if by little."""
    assert agreeing(interval(0.0, 0.31), 0.16, 0.025, 0.975, matched=True).low > 0
