"""Quadrature over panels against integrals in closed form."""

import math

import numpy as np
import pytest
from scipy.special import beta

from reportkit.bayes.panels import integrate_over_panels, spread


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (0.3, 4.0), (1.0, 1.0), (7.5, 0.6)])
def test_poles_at_both_ends(a, b):
    """The beta function, whose integrand has a pole at an end where a parameter is below 1."""
    value = integrate_over_panels(lambda at: at.x ** (a - 1) * at.rest ** (b - 1), 0.0, 1.0, [0.3, 0.8])
    assert value == pytest.approx(beta(a, b), rel=1e-11)


def test_distances_from_inner_ends_are_exact():
    """A pole at the ends of a shorter range: the integral of ((x - l)(h - x))^(-1/2) is pi."""
    value = integrate_over_panels(lambda at: (at.from_low * at.to_high) ** -0.5, 0.3, 0.7, [0.4, 0.5])
    assert value == pytest.approx(math.pi, rel=1e-11)


def test_a_narrow_peak_is_found_where_it_is_said_to_be():
    """A normal density of width 1e-6 integrates to 1."""

    def normal(at):
        return np.exp(-0.5 * ((at.x - 0.7) / 1e-6) ** 2) / (1e-6 * math.sqrt(2 * math.pi))

    assert integrate_over_panels(normal, 0.0, 1.0, spread(0.7, 1e-6)) == pytest.approx(1.0, abs=1e-9)


def test_an_empty_range_has_no_integral():
    """Zero where the ends have crossed."""
    assert integrate_over_panels(lambda at: at.x, 1.0, 1.0, []) == 0.0
