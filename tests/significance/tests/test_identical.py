"""Identical systems."""

import pytest

from reportkit.errors import DesignError
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.identical import identical


@pytest.mark.parametrize("kind", ["binary", "continuous", "ordinal", "count"])
@pytest.mark.parametrize("fields", [{}, {"weights": [1, 2, 3]}, {"clusters": [0, 0, 1]}])
def test_identical_systems_have_p_one(pair, kind, fields):
    """The p-value is 1 on both sides, two-sided too, and exactly."""
    outcome = identical(pair([1, 0, 1], [1, 0, 1], kind=kind, **fields), ResamplingPlan())
    assert (outcome.p_greater, outcome.p_less, outcome.towards("two-sided").p_value, outcome.p_min) == (1, 1, 1, 1)
    assert (outcome.statistic, outcome.estimate, outcome.n_nonzero, outcome.n) == (0, 0, 0, 3)
    assert outcome.method == "exact"


def test_other_systems_are_refused(pair):
    """The message says what it is for."""
    with pytest.raises(DesignError, match="on some of 3 instances they differ"):
        identical(pair([1, 0, 1]), ResamplingPlan())


def test_floating_point_noise_is_no_difference(pair):
    """0.1 + 0.2 equals 0.3."""
    assert identical(pair([0.1 + 0.2], [0.3]), ResamplingPlan()).p_greater == 1.0
