"""Where the characteristic function of a tilted sum may come back to 1: the look along the contour.

Differences that are almost on a lattice make |phi(y)| rise again near the multiples of 2 pi / step, far beyond the
place where a quadrature that watches only its own terms would have stopped. This module bounds |phi| from above on
*all* of 0 <= y <= horizon, from one real FFT of the steps binned to a fine grid.

Flips: log |phi(y)| <= -G(y)^2 / 2 with G(y)^2 = sum_j w_j sin^2(y a_j / 2).
Draws: log |phi(y)| = n log(1 - h(y)^2) / 2 with h(y)^2 = 2 sum_jk w_j w_k sin^2(y (a_j - a_k) / 2).

Both G and h are L2 norms of sines, and |sin(u + v)| <= |sin u| + |sin v|, so G(y + e) >= G(y) - G(e): the value in the
middle of a cell of the grid bounds the whole cell, and the shift of the steps into their bins costs at most
y / 2 times its weighted root mean square. Fewer steps are spread over several bins each with the kernel of Barnett,
Magland & af Klinteberg (2019), "A parallel non-uniform fast Fourier transform library", which shifts nothing and sees
further. Nothing is assumed about the data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.step_sums import DrawSum, Floats, Steps, StepSum

SMALLEST_LOOK = 1 << 13
"""Bins of the first look; a larger number sees further."""

LARGEST_LOOK = 1 << 22
"""Bins of the furthest look."""

FLOAT32_NOISE = 2e-5
"""Relative to the sum of the weights; the error of a float32 FFT, and of spreading steps over bins, stays far below."""

FEW_STEPS = 700
"""So many at most are spread over several bins each."""

_WIDE = 8  # bins that a step is spread over, an even number: right to 1e-6
NARROW = 4
"""The same where less will do."""

NARROW_NOISE = 1.6e-3
"""Relative to the sum of the weights; the error of spreading steps over `NARROW` bins each."""

_SHAPE = 2.2  # of the kernel, times its width
_DEGREE = 20
_NEGLIGIBLE = 40.0  # a modulus of exp(-40) is as good as zero


@dataclass(frozen=True, slots=True)
class Returns:
    """Upper bounds of log |phi(y)|, cell by cell.

    Parameters
    ----------
    log_bounds : (n_cells,) float32 array
        Cell k holds (k - 1/2) width <= y <= (k + 1/2) width.
    width : float
        Width of a cell.
    horizon : float
        The bounds hold for y up to here, at most the upper edge of the last cell.
    """

    log_bounds: NDArray[np.float32]
    width: float
    horizon: float


def look_for_returns(problem: StepSum, steps: Steps, n_bins: int, step: float | None) -> Returns:
    """Bound |phi| along the contour.

    Parameters
    ----------
    problem : StepSum
        The sum.
    steps : Steps
        Its tilted steps.
    n_bins : int
        Length of the transform.
    step : float or None
        Lattice step of the values of the sum, if they are on a lattice: one period is then enough, and binning is exact
        if the period fits.
    """
    import scipy.fft

    draws = problem.n_steps if isinstance(problem, DrawSum) else None
    total = float(steps.weights.sum())
    few = steps.positions.size <= FEW_STEPS
    cell_slack, half_cell = _cell(steps, draws, total, 1.0 if few else 0.5)
    width = 2.0 * half_cell
    period = math.inf if step is None else 2.0 * math.pi / step
    exact = step is not None and period / width <= n_bins
    shift = 0.0
    if step is not None and exact:
        n_bins = max(int(scipy.fft.next_fast_len(math.ceil(period / width), real=True)), 2)
        bin_width = step
        binned = _binned(np.rint(steps.positions / step), steps.weights, n_bins)
    else:
        bin_width = 2.0 * math.pi / (width * n_bins)
        scaled = steps.positions / bin_width
        if few:
            binned = _spread(scaled, steps.weights, n_bins)
        else:
            indices = np.rint(scaled)
            binned = _binned(indices, steps.weights, n_bins)
            errors = (scaled - indices) * bin_width
            if draws is None:
                shift = 0.5 * math.sqrt(float((steps.weights * np.square(errors)).sum()))
            else:
                mean = float((steps.weights * errors).sum())
                shift = math.sqrt(float((steps.weights * np.square(errors - mean)).sum()))
    width = 2.0 * math.pi / (bin_width * n_bins)
    transform = scipy.fft.rfft(binned.astype(np.float32))
    if few and not exact:
        transform = transform[: n_bins // 4 + 1] * kernel_correction(n_bins, _WIDE)
    horizon = 0.5 * period
    if not exact:
        horizon = min(horizon, cell_slack * (math.sqrt(total) if draws is None else 1.0) / max(shift, 1e-300))
        horizon = min(horizon, (transform.size - 1) * width)
    cells = min(math.floor(horizon / width + 0.5) + 1, transform.size)
    if draws is None:
        scale = math.sqrt(total)
        norms = transform.real[:cells] * np.float32(-0.5 / total)
        norms += np.float32(0.5 - FLOAT32_NOISE)
    else:
        scale = 1.0
        norms = -np.square(transform.real[:cells])
        norms -= np.square(transform.imag[:cells])
        norms += np.float32(1.0 - FLOAT32_NOISE)
    np.sqrt(np.maximum(norms, 0.0, out=norms), out=norms)
    slacks = np.arange(cells, dtype=np.float32)
    slacks *= np.float32(width * shift / scale)
    slacks += np.float32(cell_slack)
    norms -= slacks
    np.square(np.clip(norms, 0.0, 0.9999, out=norms), out=norms)
    if draws is None:
        norms *= np.float32(-0.5 * total)
    else:
        np.log1p(np.negative(norms, out=norms), out=norms)
        norms *= np.float32(0.5 * draws)
    return Returns(norms.astype(np.float32, copy=False), width, min(horizon, (cells - 0.5) * width))


def _binned(indices: Floats, weights: Floats, n_bins: int) -> Floats:
    return np.asarray(np.bincount(np.mod(indices, n_bins).astype(np.intp), weights=weights, minlength=n_bins), float)


def _spread(scaled: Floats, weights: Floats, n_bins: int) -> Floats:
    """Weights spread over the bins around each position, for a transform that is right on its lower half."""
    bins, kernel = spread_places(scaled, _WIDE)
    return _binned(bins.ravel(), (kernel * weights[:, None]).ravel(), n_bins)


def spread_places(scaled: Floats, width: int) -> tuple[Floats, Floats]:
    """So many bins around each position, along a new last axis, and what share of its weight each gets."""
    bins = np.floor(scaled)[..., None] + np.arange(1.0 - width // 2, width // 2 + 1)
    away = bins - scaled[..., None]
    away *= 2.0 / width
    return bins, _kernel(away, width)


def _kernel(t: Floats, width: int) -> Floats:
    """Of positions in [-1, 1], which are overwritten."""
    np.square(t, out=t)
    np.subtract(1.0, t, out=t)
    np.sqrt(np.maximum(t, 0.0, out=t), out=t)
    t -= 1.0
    t *= _SHAPE * width
    return np.asarray(np.exp(t, out=t))


@lru_cache(maxsize=32)
def kernel_correction(n_bins: int, width: int, first: float = 0.0) -> NDArray[np.float32]:
    """What the transform of spread weights has to be multiplied by, on its lower half, from the place `first` on."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    points = np.cos(0.5 * math.pi * (np.arange(_DEGREE) + 0.5) / _DEGREE)  # of k / n_bins, in units of a quarter
    values = (0.5 * width) * (
        np.cos(np.multiply.outer(points, (0.25 * math.pi * width) * nodes)) @ (weights * _kernel(nodes.copy(), width))
    )
    squares = np.square((np.arange(n_bins // 4 + (first == 0.0)) + first) * (4.0 / n_bins))
    fitted = np.polynomial.Polynomial.fit(points**2, 1.0 / values, _DEGREE - 1, domain=[0.0, 1.0])
    return np.asarray(fitted(squares), dtype=np.float32)


def _cell(steps: Steps, draws: float | None, total: float, share: float) -> tuple[float, float]:
    """What a cell may cost, as a fraction of the norm's scale, and half its width.

    The more steps there are, the more slack the bound can afford, and the further one FFT sees. The cell gets a `share`
    of it, the shift of the steps into their bins the rest.
    """
    if draws is None:
        slack = share * min(max(0.66 - math.sqrt(2.0 * _NEGLIGIBLE / max(total, 1e-300)), 0.1), 0.6)
        mean = 0.0
        second = float((steps.weights * np.square(steps.positions)).sum())
        half = 2.0 * slack * math.sqrt(total / second)
    else:
        usual = math.sqrt(max(1.0 - float(np.square(steps.weights).sum()), 1e-300))  # of h where phases are random
        needed = math.sqrt(-math.expm1(-2.0 * _NEGLIGIBLE / draws))
        slack = share * min(max(0.9 * usual - needed, 0.1 * usual), 0.6 * usual)
        mean = float((steps.weights * steps.positions).sum())
        second = float((steps.weights * np.square(steps.positions - mean)).sum())
        half = slack / math.sqrt(second)
    # With a few large steps among many small ones the sine saturates for the large ones: wider cells will do.
    distances = np.abs(steps.positions - mean)
    factor, doubled = (1.0, 1.0) if draws is None else (2.0 * math.sqrt(2.0), 1.0)
    limit = slack * math.sqrt(total)
    for _ in range(24):
        doubled *= 2.0
        squares = np.square(np.tan(np.minimum((0.5 * half * doubled) * distances, 0.5 * math.pi)))
        sines = squares / (1.0 + squares)  # of sine itself, squared; NumPy has vector instructions for the tangent
        if factor * math.sqrt(float((steps.weights * sines).sum())) > limit:
            break
    return slack, half * doubled * 0.5
