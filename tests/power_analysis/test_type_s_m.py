"""Type S and M errors against the published example, quadrature, and the authors' way of simulating."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from reportkit.errors import SettingsError
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.power_analysis.type_s_m import type_s_m


def test_effect_of_one_standard_error():
    """Power .170, type S .009, exaggeration 2.49."""
    found = type_s_m(0.3, PlannedError(0.3))
    assert (round(found.power, 3), round(found.type_s, 3), round(found.exaggeration, 2)) == (0.170, 0.009, 2.49)


def test_published_example():
    """Gelman and Carlin (2014) on beauty and sex ratio: effect .1, se 3.3: power .05, type S .46, exaggeration 77."""
    found = type_s_m(0.1, PlannedError(3.3))
    assert round(found.power, 2) == 0.05
    assert round(found.type_s, 2) == 0.46
    assert found.exaggeration == pytest.approx(77, rel=0.01)


@pytest.mark.parametrize("freedom", [1.5, 4, 30, math.inf])
@pytest.mark.parametrize("k", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("alpha", [0.01, 0.2])
def test_agrees_with_quadrature(freedom, k, alpha):
    """Integrals of the density of the estimate over both rejection regions."""
    law = stats.norm(k) if math.isinf(freedom) else stats.t(freedom, k)
    c = stats.norm.isf(alpha / 2) if math.isinf(freedom) else stats.t.isf(alpha / 2, freedom)
    wrong, right = law.cdf(-c), law.sf(c)
    size = sum(
        integrate.quad(lambda x: abs(x) * law.pdf(x), low, high, epsabs=1e-13, limit=400)[0]
        for low, high in ((-math.inf, -c), (c, math.inf))
    )
    found = type_s_m(k * 2.0, PlannedError(2.0, freedom), alpha=alpha)
    assert found.power == pytest.approx(wrong + right, rel=1e-9)
    assert found.type_s == pytest.approx(wrong / (wrong + right), rel=1e-9)
    assert found.exaggeration == pytest.approx(size / (wrong + right) / k, rel=1e-5)


@pytest.mark.parametrize("freedom", [4, math.inf])
@pytest.mark.parametrize("k", [0.1, 3.0])
def test_one_sided_tests_have_no_wrong_sign(freedom, k):
    """Integrals over the one rejection region."""
    law = stats.norm(k) if math.isinf(freedom) else stats.t(freedom, k)
    c = stats.norm.isf(0.05) if math.isinf(freedom) else stats.t.isf(0.05, freedom)
    size = integrate.quad(lambda x: x * law.pdf(x), c, math.inf, epsabs=1e-13, limit=400)[0]
    found = type_s_m(k, PlannedError(1.0, freedom), alternative="greater")
    assert found.type_s == 0
    assert found.power == pytest.approx(law.sf(c), rel=1e-9)
    assert found.exaggeration == pytest.approx(size / law.sf(c) / k, rel=1e-5)


def test_agrees_with_simulation():
    """A million draws, as in the authors' own program."""
    draws = 0.5 + np.random.default_rng(0).standard_t(8, 1_000_000)
    kept = draws[np.abs(draws) > stats.t.isf(0.025, 8)]
    found = type_s_m(0.5, PlannedError(1.0, 8))
    assert found.power == pytest.approx(kept.size / 1e6, abs=4 * math.sqrt(0.07 * 0.93 / 1e6))
    assert found.type_s == pytest.approx((kept < 0).mean(), abs=4 * 0.5 / math.sqrt(kept.size))
    assert found.exaggeration == pytest.approx(np.abs(kept).mean() / 0.5, abs=4 * 2 * kept.std() / math.sqrt(kept.size))


def test_large_effects_are_not_exaggerated():
    """With a power near 1, estimates are used as they come."""
    found = type_s_m(20.0, PlannedError(1.0))
    assert found.power == pytest.approx(1.0)
    assert found.exaggeration == pytest.approx(1.0)
    assert found.type_s == pytest.approx(0.0, abs=1e-30)


def test_impossible_plans_are_refused():
    """No effect has no sign; one degree of freedom has no mean."""
    with pytest.raises(SettingsError, match=r"effect is 0\.0"):
        type_s_m(0.0, PlannedError(1.0))
    with pytest.raises(SettingsError, match="1 degrees of freedom"):
        type_s_m(1.0, PlannedError(1.0, 1))
