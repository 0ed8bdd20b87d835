"""Simultaneous intervals: their level, what Holm's first step rejects, and joint coverage."""

import math

import numpy as np
import pytest

from reportkit.errors import SettingsError
from reportkit.significance.tests.sign_flip import sign_flip_intervals_ahead
from reportkit.significance.interval import simultaneous_level
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.sign_flip import SIGN_FLIP


def test_level():
    """1 - alpha / N; one interval keeps its level."""
    assert simultaneous_level(0.95, 1) == pytest.approx(0.95)
    assert simultaneous_level(0.9, 4) == pytest.approx(0.975)


def test_refused():
    """A level and a number of intervals that make no sense."""
    with pytest.raises(SettingsError, match=r"level is 1\.0"):
        simultaneous_level(1.0, 3)
    with pytest.raises(SettingsError, match="n_datasets is 0"):
        simultaneous_level(0.95, 0)


@pytest.mark.slow
def test_joint_coverage(pair, beside):
    """All six intervals hold the truth in at least 95% of 300 families, up to chance; uncorrected ones would in 74%."""
    n = 300
    draws = np.random.default_rng(8).normal(0.0, 1.0, (n, 6, 25))
    level = simultaneous_level(0.95, 6)
    families = [[pair(row) for row in family] for family in draws]
    together = [sample for family in families for sample in family]
    SIGN_FLIP.ahead(together, ResamplingPlan())  # of all at once, which changes nothing
    sign_flip_intervals_ahead(together, level)
    held = 0
    for family in families:
        intervals = [beside(sample, level) for sample in family]
        held += all(interval.low <= 0 <= interval.high for interval in intervals)
    assert held / n >= 0.95 - 4 * math.sqrt(0.05 * 0.95 / n)
