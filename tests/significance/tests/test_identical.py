"""Identical systems."""

import pytest

from reportkit.errors import DesignError
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.identical import identical


def test_other_systems_are_refused(pair):
    """The message says what it is for."""
    with pytest.raises(DesignError, match="on some of 3 instances they differ"):
        identical(pair([1, 0, 1]), ResamplingPlan())


def test_floating_point_noise_is_no_difference(pair):
    """0.1 + 0.2 equals 0.3."""
    assert identical(pair([0.1 + 0.2], [0.3]), ResamplingPlan()).p_greater == 1.0
