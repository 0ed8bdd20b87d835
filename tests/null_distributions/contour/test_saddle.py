"""Where the contour is placed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reportkit.null_distributions.contour.saddle import find_saddle, log_gap, solve_saddle
from reportkit.null_distributions.step_sums import DrawSum, FlipSum


def problems():
    """Sums near the middle, far in the tail, skewed and saturated."""
    rng = np.random.default_rng(1)
    values = rng.random(200)
    skewed = rng.exponential(size=300)
    for share in (0.5, 0.3, 0.05, 0.001):
        yield FlipSum(values, None, share * float(values.sum()))
    for excess in (0.0, 5.0, 60.0, 200.0):
        yield DrawSum(skewed - skewed.mean(), np.full(300, 1 / 300), 300, excess)
    yield DrawSum(np.array([-0.01, 0.99]), np.array([0.99, 0.01]), 1000, 25.0)


@pytest.mark.parametrize("problem", list(problems()))
def test_the_tilt_is_near_the_saddlepoint(problem):
    """K'(theta) and 1 / theta agree within a fraction of a standard deviation."""
    theta, mean, variance = solve_saddle(problem)
    assert theta > 0.0
    assert abs(mean - 1.0 / theta) <= 0.2 * math.sqrt(variance + 1.0 / theta**2)
    assert (mean, variance) == problem.tilted_moments(theta)


@pytest.mark.parametrize("problem", list(problems()))
@pytest.mark.parametrize("step", [None, 0.37])
def test_images_are_negligible(problem, step):
    """The period leaves images below 1e-13 of any tail, and is a whole number of steps."""
    saddle = find_saddle(problem, step)
    assert saddle.image_error <= 1e-14
    if step is not None:
        assert saddle.period / step == pytest.approx(round(saddle.period / step), abs=1e-9)
    assert saddle.spacing == pytest.approx(2 * math.pi / saddle.period)


def test_the_first_image_is_subtracted_near_the_middle_only():
    """Near the middle nearly all of X < 0 is within one period; far in the tail next to nothing is."""
    values = np.random.default_rng(1).random(200)
    assert find_saddle(FlipSum(values, None, 0.5 * float(values.sum())), None).subtract_image
    assert not find_saddle(FlipSum(values, None, 0.1 * float(values.sum())), None).subtract_image


def test_log_gap():
    """log(1 - exp(-x)) for small and large x."""
    assert log_gap(1e-10) == pytest.approx(math.log(1e-10), rel=1e-10)
    assert log_gap(50.0) == pytest.approx(-math.exp(-50.0), rel=1e-12)
