"""The look along the contour never promises more than is true."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.null_distributions.contour.returns import (
    NARROW,
    NARROW_NOISE,
    kernel_correction,
    look_for_returns,
    spread_places,
)
from reportkit.null_distributions.step_sums import DrawSum, FlipSum


def families(rng, n):
    """Data with and without returns of their characteristic function."""
    yield "continuous", np.abs(rng.normal(size=n)), None
    yield "heavy tails", np.abs(rng.standard_t(1.5, size=n)), None
    yield "lattice", rng.integers(1, 9, n).astype(float), 1.0
    yield "lattice, not told", rng.integers(1, 9, n).astype(float), None
    yield "lattice with jitter", rng.integers(1, 3, n) + 1e-3 * rng.normal(size=n), None
    yield "outlier", np.append(np.abs(rng.normal(size=n - 1)), 500.0), None


def cases():
    """Flips and draws of each family, at two tilts."""
    rng = np.random.default_rng(7)
    for n, (name, values, step) in [(size, family) for size in (300, 900) for family in families(rng, size)]:
        for theta in (0.05, 0.6):
            yield pytest.param(
                FlipSum(values, None, 0.4 * float(values.sum())), theta, step, id=f"flips {name} {n} {theta}"
            )
            draws = DrawSum(values - values.mean(), np.full(n, 1 / n), n, 5.0)
            yield pytest.param(draws, theta, step, id=f"draws {name} {n} {theta}")


@pytest.mark.parametrize(("problem", "theta", "step"), list(cases()))
def test_bounds_hold_everywhere(problem, theta, step):
    """At random places of every cell, edges included, |phi| is at most what the look says."""
    returns = look_for_returns(problem, problem.steps(theta), 1 << 12, step)
    rng = np.random.default_rng(1)
    cells = np.unique(
        np.concatenate((np.arange(min(30, returns.log_bounds.size)), rng.integers(0, returns.log_bounds.size, 150)))
    )
    for offset in (-0.499, *rng.uniform(-0.5, 0.5, 3), 0.499):
        y = (cells + offset) * returns.width
        inside = (y >= 0) & (y <= returns.horizon)
        with np.errstate(divide="ignore"):
            moduli = np.log(np.abs(problem.characteristic(theta, y[inside], 1.0, 1)[:, 0]))
        assert np.all(moduli <= returns.log_bounds[cells[inside]] + 1e-6)


def test_a_return_is_seen():
    """The first return of a lattice with jitter is not bounded away, that of continuous data is."""
    rng = np.random.default_rng(2)
    jittered = FlipSum(1.0 + 1e-3 * rng.normal(size=400), None, 150.0)
    continuous = FlipSum(rng.random(400), None, 80.0)
    for problem, expected in ((jittered, True), (continuous, False)):
        returns = look_for_returns(problem, problem.steps(0.1), 1 << 12, None)
        beyond = returns.log_bounds[round(3.0 / returns.width) :]
        assert (beyond.max() > -1.0) == expected


def test_a_period_is_seen_whole():
    """On a lattice the look reaches the end of the period, however short the transform is."""
    problem = FlipSum(np.arange(1.0, 101.0), None, 2000.0)
    returns = look_for_returns(problem, problem.steps(0.01), 1 << 14, 1.0)
    assert returns.horizon == pytest.approx(np.pi)


def test_more_bins_see_further():
    """The horizon grows in proportion to the length of the transform."""
    problem = FlipSum(np.random.default_rng(3).random(500), None, 100.0)
    near, far = (look_for_returns(problem, problem.steps(0.1), size, None).horizon for size in (1 << 12, 1 << 15))
    assert far > 6 * near


@pytest.mark.parametrize(("width", "noise"), [(NARROW, NARROW_NOISE), (8, 1e-6)])
def test_spread_weights_are_right_to_what_is_said(width, noise):
    """At all places of a bin, and all frequencies of the lower half: the transform, without its own rounding."""
    n_bins = 512
    frequencies = np.arange(n_bins // 4)
    turns = 2.0 * np.pi * frequencies / n_bins
    for first in (0.0, 0.5):
        correction = kernel_correction(n_bins, width, first)[: frequencies.size].astype(float)
        shifted = turns + first * 2.0 * np.pi / n_bins
        for place in 100.0 + np.linspace(0.0, 1.0, 101):
            bins, kernel = spread_places(np.array([place]), width)
            found = correction * (np.exp(1j * np.multiply.outer(shifted, bins[0])) @ kernel[0])
            assert np.abs(found - np.exp(1j * shifted * place)).max() < noise
