"""The accounting of the trapezoidal sum."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reportkit.null_distributions.contour.quadrature import NodeSums, Quadrature
from reportkit.null_distributions.contour.saddle import find_saddle
from reportkit.null_distributions.step_sums import FlipSum


def quadrature(step=None):
    """Sixty flips of small whole numbers."""
    problem = FlipSum(np.arange(1.0, 61.0), None, 700.0)
    saddle = find_saddle(problem, step)
    return Quadrature(problem, saddle, problem.steps(saddle.theta), step)


def test_runs_add_up_to_one_long_run():
    """Nodes summed in runs, with the last run cut short, are the nodes summed at once."""
    q = quadrature(1.0)
    whole = q.nodes(np.array([0]), np.array([q.last_node + 1]), q.last_node + 1)
    parts = NodeSums()
    starts = np.arange(0, q.last_node + 1, 7)
    parts.add(q.nodes(starts[:3], starts[:3] + 7, 7))
    parts.add(q.nodes(starts[3:], np.minimum(starts[3:] + 7, q.last_node + 1), 7))
    for name in ("value", "absolute", "modulus", "mass"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name), rel=1e-12)


@pytest.mark.parametrize("n_negative", [5, 20, 35])
def test_a_whole_period_gives_tail_and_tie(n_negative, flips_exactly):
    """All nodes of one period give P(X >= 0) and P(X = 0) exactly."""
    signed = np.arange(1, 61)
    signed[:n_negative] *= -1
    problem = FlipSum(np.arange(1.0, 61.0), None, float(-signed[:n_negative].sum()))
    saddle = find_saddle(problem, 1.0)
    q = Quadrature(problem, saddle, problem.steps(saddle.theta), 1.0)
    sums = q.nodes(np.array([0]), np.array([q.last_node + 1]), q.last_node + 1)
    upper = q.tail(sums, smoothing=0.0, dropped=0.0, level=0.0, complete=True, method="tilted FFT")
    greater, less = flips_exactly(signed)
    assert math.exp(upper.log_p) == pytest.approx(float(greater), rel=1e-12)
    assert upper.tie == pytest.approx(float(greater + less - 1) / float(greater), rel=1e-9)


def test_the_smoothing_is_half_a_wavelength():
    """For a far horizon the majorant exceeds by pi / L; for a near one by the whole of it less 1 / theta."""
    q = quadrature()
    theta = q.saddle.theta
    assert q.smoothing(1e6 * theta) == pytest.approx(math.pi / (1e6 * theta), rel=1e-5)
    near = 0.01 * theta
    assert q.smoothing(near) == pytest.approx(2 * math.pi / near - 1 / theta, rel=1e-9)
    switch = 2000 * math.pi * theta
    assert q.smoothing(0.999 * switch) == pytest.approx(q.smoothing(1.001 * switch), rel=3e-3)


def test_what_was_left_out_is_in_the_bound():
    """Dropped terms and the horizon enter the bound one to one."""
    q = quadrature(1.0)
    sums = q.nodes(np.array([0]), np.array([q.last_node + 1]), q.last_node + 1)
    settings = {"level": 0.0, "method": "tilted FFT"}
    exact = q.tail(sums, smoothing=0.0, dropped=0.0, complete=True, **settings)
    dropped = q.tail(sums, smoothing=0.0, dropped=0.01 * sums.value, complete=True, **settings)
    assert dropped.relative_error - exact.relative_error == pytest.approx(0.01, rel=0.02)
    smoothed = q.tail(sums, smoothing=0.01, dropped=0.0, complete=False, **settings)
    assert smoothed.relative_error > 0.01 * sums.modulus / sums.value * 0.9


def test_a_sum_that_is_not_positive_has_no_bound():
    """A hopeless sum is not turned into a probability."""
    q = quadrature()
    upper = q.tail(NodeSums(value=-1.0), smoothing=1.0, dropped=0.0, level=1.0, complete=False, method="bracket")
    assert upper.relative_error == math.inf
