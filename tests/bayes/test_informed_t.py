"""A t likelihood under a Cauchy prior: against adaptive quadrature, its limits, and its mirror image."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from reportkit.bayes.bayes_factor import bayes_factors, better_by_more_than, equivalent_within
from reportkit.bayes.informed_t import InformedT, cauchy_prior
from reportkit.bayes.posterior import posterior
from reportkit.bayes.student_t import LocationScaleT


def _by_quadrature(data, scale, low, high):
    """Mass of likelihood times prior by SciPy, in pieces about both peaks."""
    freedom = data.degrees_of_freedom
    likelihood = (
        stats.norm(data.location, data.scale) if math.isinf(freedom) else stats.t(freedom, data.location, data.scale)
    )
    points = sorted(
        {data.location + k * data.scale for k in (-1e4, -1e3, -200, -60, -20, -9, -3, 0, 3, 9, 20, 60, 200, 1e3, 1e4)}
        | {k * scale for k in (-1e4, -1e3, -200, -60, -20, -9, -3, 0, 3, 9, 20, 60, 200, 1e3, 1e4)}
    )
    ends = [low, *(point for point in points if low < point < high), high]
    return sum(
        integrate.quad(
            lambda y: likelihood.pdf(y) * stats.cauchy.pdf(y, 0, scale), a, b, limit=200, epsabs=1e-300, epsrel=1e-9
        )[0]
        for a, b in pairwise(ends)
    )


@pytest.mark.parametrize(
    ("location", "scale", "freedom", "prior"),
    [
        (0.02, 0.01, 500, 1.0),
        (0.02, 0.01, 500, 0.001),
        (3.0, 0.1, 4, 0.5),
        (-2.0, 1.0, 3, 1.0),
        (0.02, 0.01, np.inf, 0.02),
    ],
)
def test_probabilities_are_those_of_adaptive_quadrature(location, scale, freedom, prior):
    """P(difference > 0) and P(|difference| <= scale) against SciPy's quadrature."""
    data = LocationScaleT(location=location, scale=scale, degrees_of_freedom=freedom)
    found = InformedT(data, prior)
    far = 1e4 * max(scale, prior)
    total = _by_quadrature(data, prior, -far, far)
    assert found.above(0.0) == pytest.approx(_by_quadrature(data, prior, 0.0, far) / total, rel=1e-6)
    assert found.inside(-scale, scale) == pytest.approx(_by_quadrature(data, prior, -scale, scale) / total, rel=1e-6)


def test_limits():
    """A very wide prior leaves the t distribution, a very narrow one leaves itself."""
    data = LocationScaleT(location=0.3, scale=0.2, degrees_of_freedom=12)
    assert InformedT(data, 1e5).above(0.0) == pytest.approx(data.above(0.0), abs=1e-6)
    assert InformedT(data, 1e-5).above(0.0) == pytest.approx(0.5, abs=1e-3)


@settings(max_examples=25, deadline=None)
@given(st.floats(-3, 3), st.floats(0.01, 2), st.floats(1, 200), st.floats(0.01, 5), st.floats(-2, 2))
def test_both_sides_sum_to_one_and_turn_round(location, scale, freedom, prior, x):
    """P(< x) + P(> x) = 1, and the mirrored data give the mirrored posterior exactly."""
    found = InformedT(LocationScaleT(location=location, scale=scale, degrees_of_freedom=freedom), prior)
    other = InformedT(LocationScaleT(location=-location, scale=scale, degrees_of_freedom=freedom), prior)
    assert found.below(x) + found.above(x) == pytest.approx(1.0, abs=1e-9)
    assert found.below(x) == other.above(-x)


def test_density_is_the_slope_of_the_probability():
    """Density by differences of P(< x)."""
    found = InformedT(LocationScaleT(location=0.5, scale=0.3, degrees_of_freedom=9), 0.4)
    for x in (-0.4, 0.0, 0.5, 1.2):
        slope = (found.below(x + 1e-4) - found.below(x - 1e-4)) / 2e-4
        assert found.density(x) == pytest.approx(slope, rel=1e-5)


def test_bayes_factor_of_a_mean_needs_a_declared_scale(paired):
    """Under the scale, half and twice; with data that say nothing it is near 1; against the density ratio at 0."""
    rng = np.random.default_rng(2)
    d = rng.normal(0.3, 1.0, 200)
    sample = paired(d, np.zeros(200))
    found = bayes_factors(sample, equivalent_within(1e-4), prior=0.5)
    assert [factor.prior for factor in found.factors] == [
        f"a Cauchy prior about 0 with scale {scale}" for scale in ("0.5", "0.25", "1")
    ]
    savage_dickey = posterior(sample, prior=0.5).distribution.density(0.0) / cauchy_prior(0.5).density(0.0)
    assert found.factors[0].value == pytest.approx(savage_dickey, rel=1e-3)
    better = bayes_factors(sample, better_by_more_than(0.0), prior=0.5)
    assert better.factors[0].value > 100
