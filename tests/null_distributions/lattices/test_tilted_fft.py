"""The tilted FFT against integer arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.null_distributions.lattices.tilted_fft import tilted_fft_tail
from reportkit.null_distributions.step_sums import DrawSum, FlipSum


@pytest.mark.parametrize("shift", [0, 1, 3])
@pytest.mark.parametrize("size", [3, 30])
def test_flips(shift, size, flips_exactly, relative_error):
    """Tail and bound of flips, whose ties count, at several depths."""
    k = np.rint(np.random.default_rng([shift, size]).normal(shift * size / 2, size, 150)).astype(int)
    values, counts = np.unique(np.abs(k[k != 0]), return_counts=True)
    problem = FlipSum(values.astype(float), counts.astype(float), float(-k[k < 0].sum()))
    truths = flips_exactly(k) if k.sum() >= 0 else flips_exactly(-k)
    if k.sum() < 0:
        problem = FlipSum(problem.values, problem.multiplicities, float(k[k > 0].sum()))
    upper = tilted_fft_tail(problem, 1.0)
    error = relative_error(upper.log_p, truths[0])
    assert error <= upper.relative_error <= 1e-11
    assert upper.tie == pytest.approx(float((truths[0] + truths[1] - 1) / truths[0]), rel=1e-9)


@pytest.mark.parametrize("step", [1.0, 0.125, 7.0])
@pytest.mark.parametrize("shift", [0.0, 0.4, 0.9])
def test_draws(shift, step, draws_exactly, relative_error):
    """Tail and bound of draws on lattices of other steps."""
    k = np.rint(np.random.default_rng(3).normal(shift * 3, 3, 120)).astype(int)
    k = k if k.sum() >= 0 else -k
    values, counts = np.unique(k, return_counts=True)
    problem = DrawSum(step * (values - k.mean()), counts / k.size, k.size, step * float(k.sum()))
    upper = tilted_fft_tail(problem, step)
    truths = draws_exactly(k)
    assert relative_error(upper.log_p, truths[0]) <= upper.relative_error <= 1e-11
    assert upper.tie == pytest.approx(float((truths[0] + truths[1] - 1) / truths[0]), rel=1e-9)


def test_the_plain_transform_would_have_lost_everything(flips_exactly, relative_error):
    """At 1e-90 a transform without tilt has no correct digit; this one has all."""
    k = np.concatenate((np.full(300, 2), np.full(12, -3)))
    problem = FlipSum(np.array([2.0, 3.0]), np.array([300.0, 12.0]), 36.0)
    truth = flips_exactly(k)[0]
    assert truth < 1e-60
    assert relative_error(tilted_fft_tail(problem, 1.0).log_p, truth) <= 1e-12
    plain = np.zeros(4096)
    plain[0] = 1.0
    spectrum = np.fft.rfft(plain)
    nodes = 2 * np.pi * np.arange(spectrum.size) / 4096
    spectrum = ((1 + np.exp(-2j * nodes)) / 2) ** 300 * ((1 + np.exp(-3j * nodes)) / 2) ** 12
    assert abs(np.fft.irfft(spectrum)[:37].sum() / float(truth) - 1) > 1e6


def test_none_if_too_long():
    """A lattice too fine for one transform is left to the contour."""
    values = np.random.default_rng(1).integers(1, 10**6, 200).astype(float)
    assert tilted_fft_tail(FlipSum(values, None, 0.4 * float(values.sum())), 1.0) is None
    draws = DrawSum(values - values.mean(), np.full(200, 1 / 200), 200, 1e6)
    assert tilted_fft_tail(draws, 1.0) is None
