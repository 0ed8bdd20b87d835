"""Differences of two t variables against adaptive quadrature, SciPy's t in the limits, and symmetries."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

from reportkit.bayes.behrens_fisher import BehrensFisher
from reportkit.bayes.student_t import LocationScaleT

scales = st.floats(0.01, 3.0)
degrees = st.sampled_from([1, 2, 3, 7, 40, 2000])
members = st.builds(
    lambda location, scale, df: LocationScaleT(location=location, scale=scale, degrees_of_freedom=df),
    st.floats(-2, 2),
    scales,
    degrees,
)


@pytest.mark.parametrize("x", [-3.0, 0.0, 0.4, 2.0])
@pytest.mark.parametrize(("df_1", "df_2"), [(3, 9), (1, 3), (2, 60)])
def test_agrees_with_adaptive_quadrature(x, df_1, df_2):
    """SciPy's quad over the second mean."""
    first = LocationScaleT(location=0.3, scale=0.5, degrees_of_freedom=df_1)
    second = LocationScaleT(location=-0.1, scale=0.4, degrees_of_freedom=df_2)
    expected, _ = quad(
        lambda y: stats.t.pdf(y, df_2, -0.1, 0.4) * stats.t.sf(x + y, df_1, 0.3, 0.5), -np.inf, np.inf, epsabs=1e-12
    )
    assert BehrensFisher(first, second).above(x) == pytest.approx(expected, abs=1e-9)


def test_a_known_second_mean_leaves_the_first():
    """With a scale of nearly 0 it is a shift."""
    first = LocationScaleT(location=0.3, scale=0.5, degrees_of_freedom=4)
    second = LocationScaleT(location=0.1, scale=1e-9, degrees_of_freedom=4)
    difference = BehrensFisher(first, second)
    assert difference.above(0.7) == pytest.approx(first.above(0.8), abs=1e-8)
    assert difference.density(0.7) == pytest.approx(first.density(0.8), rel=1e-7)


def test_two_cauchy_variables_add_up_to_one():
    """With one degree of freedom each, the scales add."""
    a = LocationScaleT(location=0.0, scale=0.4, degrees_of_freedom=1)
    b = LocationScaleT(location=0.0, scale=0.6, degrees_of_freedom=1)
    for x in (-2.0, 0.1, 5.0):
        assert BehrensFisher(a, b).above(x) == pytest.approx(stats.cauchy.sf(x), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(members, members, st.floats(-5, 5))
def test_tails_sum_to_one_and_swap(first, second, x):
    """Nothing is lost, and the difference turned round has the tails exchanged."""
    difference = BehrensFisher(first, second)
    assert difference.above(x) + difference.below(x) == pytest.approx(1.0, abs=1e-9)
    assert BehrensFisher(second, first).above(-x) == pytest.approx(difference.below(x), abs=1e-14)
    assert difference.sd == math.hypot(first.sd, second.sd)


@settings(max_examples=40, deadline=None)
@given(members, members, st.floats(-3, 3))
def test_the_density_is_the_slope(first, second, x):
    """Central differences."""
    difference, step = BehrensFisher(first, second), 1e-4 * max(first.scale, second.scale)
    slope = (difference.above(x - step) - difference.above(x + step)) / (2 * step)
    assert difference.density(x) == pytest.approx(slope, rel=1e-4, abs=1e-6)
