"""The record of an interval."""

import pytest

from reportkit.intervals.interval import Interval


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
