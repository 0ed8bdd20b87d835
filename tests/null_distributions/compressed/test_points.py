"""Points that stand for differences: the periods of their contours, against sums of whole steps outcome by outcome."""

import math

import numpy as np
import pytest

from reportkit.null_distributions.compressed.points import compressed, periods, solve
from reportkit.null_distributions.contour.saddle import IMAGE_TARGET, MAIN_LOBE


@pytest.mark.parametrize("n_losses", [2, 8, 20, 35])
def test_images_of_a_period(n_losses):
    """What the period adds to the tail is bounded and negligible, and where the usual period does, it is taken."""
    steps = np.random.default_rng(n_losses).integers(1, 12, 80)
    row = np.sort(np.where(np.arange(80) < n_losses, -steps, steps)) / 16.0
    slack = np.array([-row[row < 0.0].sum()])
    excess = 0.5 * np.abs(row).sum() - slack
    points = compressed(row[None, :], np.array([0]), np.ones(1), excess, 80, 0)
    theta, mean, variance = solve(points)
    log_mgf = points.log_mgf(theta)
    period, images, _, reach = periods(points, theta, variance, log_mgf, np.zeros(1), slack, (mean + excess) / theta)
    masses = np.ones(1, dtype=np.longdouble)
    for step in steps:
        masses = np.convolve(masses, np.bincount([0, step]).astype(np.longdouble) / 2)
    tilt, length, k = (np.longdouble(one[0]) for one in (theta, period, log_mgf))
    x = np.longdouble(slack[0]) - np.arange(masses.size, dtype=np.longdouble) / 16
    tilted = masses * np.exp(tilt * x - k)
    found = (tilted * np.exp(-tilt * np.mod(x, length))).sum() / -np.expm1(-tilt * length)
    if reach[0] > theta[0]:
        found -= np.exp(-k - tilt * length) / -np.expm1(-tilt * length)
    tail = (tilted * np.exp(-tilt * x))[x >= 0].sum()
    assert abs(found - tail) <= math.exp(images[0]) + 1e-18
    usual = MAIN_LOBE * math.sqrt(variance[0]) + 1.0 / theta[0]
    assert images[0] < IMAGE_TARGET - math.log1p(theta[0] * math.sqrt(variance[0]))
    assert usual <= period[0] <= 2.0 * usual
    assert (period[0] == usual) == (n_losses > 20)
