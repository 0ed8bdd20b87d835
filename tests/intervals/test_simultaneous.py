"""Simultaneous intervals: their level, what Holm's first step rejects, and joint coverage."""

import math

import numpy as np
import pytest

from reportkit.errors import SettingsError
from reportkit.intervals.choose_interval import interval_for
from reportkit.intervals.simultaneous import simultaneous_intervals, simultaneous_level


def test_level():
    """1 - alpha / N; one interval keeps its level."""
    assert simultaneous_level(0.95, 1) == pytest.approx(0.95)
    assert simultaneous_level(0.9, 4) == pytest.approx(0.975)


def test_each_is_the_usual_interval_at_that_level(pair, counts):
    """Whatever the design; None counts in the family."""
    samples = [counts(10, 4, 50), pair(np.random.default_rng(0).normal(size=30)), pair([1.0, 1.0])]
    found = simultaneous_intervals(samples, 0.9)
    level = 1 - 0.1 / 3
    assert found[2] is None
    for sample, interval in zip(samples[:2], found[:2], strict=True):
        assert interval == interval_for(sample, simultaneous_level(0.9, 3))
        assert interval.level == pytest.approx(level)
        assert interval.low < interval_for(sample, 0.9).low
    assert simultaneous_intervals([]) == []


def test_refused():
    """A level and a number of intervals that make no sense."""
    with pytest.raises(SettingsError, match=r"level is 1\.0"):
        simultaneous_level(1.0, 3)
    with pytest.raises(SettingsError, match="n_datasets is 0"):
        simultaneous_level(0.95, 0)


@pytest.mark.slow
def test_joint_coverage(pair):
    """Of 1,000 families of six datasets, all six intervals hold the truth in at least 95%, up to chance."""
    draws = np.random.default_rng(8).normal(0.0, 1.0, (1_000, 6, 25))
    held = 0
    for family in draws:
        intervals = simultaneous_intervals([pair(row) for row in family])
        held += all(interval.low <= 0 <= interval.high for interval in intervals)
    assert held / 1_000 >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / 1_000)
