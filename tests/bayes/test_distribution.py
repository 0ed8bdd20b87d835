"""What every distribution of a difference can be asked."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.bayes.beta_binomial import Beta, BetaDifference
from reportkit.bayes.paired_binary import DirichletDifference
from reportkit.bayes.student_t import LocationScaleT

DIFFERENCE = BetaDifference(Beta(13.0, 4.0), Beta(9.0, 8.0))


@settings(max_examples=20, deadline=None)
@given(st.floats(1e-6, 1 - 1e-6))
def test_quantiles_turn_probabilities_round(p):
    """P(difference < quantile(p)) = p, for two models."""
    for distribution in (DIFFERENCE, DirichletDifference(3.0, 2.0, 9.0)):
        assert distribution.below(distribution.quantile(p)) == pytest.approx(p, rel=1e-7)


def test_quantiles_at_the_ends():
    """The ends of the support; no other number is a probability."""
    assert (DIFFERENCE.quantile(0.0), DIFFERENCE.quantile(1.0)) == (-1.0, 1.0)
    for p in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="is no probability"):
            DIFFERENCE.quantile(p)


@given(st.floats(-40, 40), st.floats(0, 20))
def test_inside_keeps_its_relative_accuracy_in_both_tails(low, width):
    """Small intervals far out, where one minus the tails would be rounding noise."""
    t = LocationScaleT(location=0.0, scale=1.0, degrees_of_freedom=5)
    exact = (
        stats.t.sf(low, 5) - stats.t.sf(low + width, 5)
        if low > 0
        else stats.t.cdf(low + width, 5) - stats.t.cdf(low, 5)
    )
    assert t.inside(low, low + width) == pytest.approx(exact, rel=1e-6, abs=1e-15)


def test_inside_refuses_crossed_ends():
    """The lower end comes first."""
    with pytest.raises(ValueError, match="are no interval"):
        DIFFERENCE.inside(0.2, 0.1)
