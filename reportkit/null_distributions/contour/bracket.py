"""A rigorous bracket of any tail: steps rounded to a fine grid, and the sum of what was rounded away bounded.

X = h G + R, where G is a sum on the integers and R the sum of the rounded-off parts of the same flips or draws. Under
the tilt R stays within v of its mean m except with probability e (Hoeffding 1963, Theorem 2; Bernstein for draws), so

    E exp(-theta (h G + m + v)) 1{h G >= v - m} - e  <=  E exp(-theta X) 1{X >= 0}
                                                     <=  E exp(-theta (h G + m - v)) 1{h G >= -v - m} + e,

and both sides follow from the tilted FFT of G. Nothing is asked of the characteristic function. The width falls only
linearly with the number of grid points, so this is for the cases in which the contour says no.
"""

from __future__ import annotations

import math

import numpy as np

from reportkit.null_distributions.contour.quadrature import EPSILON
from reportkit.null_distributions.contour.saddle import Saddle, find_saddle
from reportkit.null_distributions.step_sums import (
    Complexes,
    DrawSum,
    FlipSum,
    Floats,
    StepSum,
    flip_chance,
    flip_characteristic,
    whole_powers,
)
from reportkit.null_distributions.tail_probability import UpperTail

FINEST_GRID = 1 << 22
"""Largest number of grid points."""

_SMALLEST_GRID = 1 << 14
_OUTSIDE = 1e-13
_RUN = 64


def bracket_tail(problem: StepSum, *, max_relative_error: float = 1e-3, work: float = 4e8) -> UpperTail | None:
    """P(X >= 0) with guaranteed bounds, by rounding to a grid.

    Parameters
    ----------
    problem : FlipSum or DrawSum
        Sum with E X <= 0 < highest.
    max_relative_error : float
        Half the width of the bracket that is aimed at, relative to the tail.
    work : float
        How many factors of a characteristic function may be computed.

    Returns
    -------
    UpperTail or None
        The middle of the bracket; None if it would be too wide.

    Examples
    --------
    >>> import math
    >>> import numpy as np
    >>> flips = FlipSum(values=np.sqrt(np.arange(1.0, 31.0)), multiplicities=None, slack=40.0)
    >>> tail = bracket_tail(flips)
    >>> 0.0 < tail.relative_error < 1e-3, round(math.exp(tail.log_p), 4)
    (True, 0.069)
    """
    saddle = find_saddle(problem, None)
    reach = _reach(problem, saddle)
    if reach is None:
        return None
    size = _SMALLEST_GRID
    while size <= FINEST_GRID and (isinstance(problem, DrawSum) or 0.5 * size * problem.values.size <= work):
        low, high = _bounds(problem, saddle, 2.0 * reach / size, size, 1e-3 * max_relative_error)
        if low > 0.0:
            middle = 0.5 * (low + high)
            error = (high - low) / (low + high) + EPSILON * (8.0 * problem.n_steps + 8.0 * abs(saddle.log_mgf) + 256.0)
            tail = UpperTail(
                log_p=saddle.log_mgf + math.log(middle),
                tie=0.0,
                method="bracket",
                relative_error=error,
                expected_error=error,
                tie_error=0.0,
            )
            excess = tail.worst_error / max_relative_error
            if excess <= 1.0:
                return tail
            if size * excess > 1.5 * FINEST_GRID:  # the width falls with the number of points at best
                return None
            size = max(2 * size, 1 << min(math.ceil(math.log2(size * excess)), FINEST_GRID.bit_length() - 1))
        else:
            size *= 8
    return None


def _reach(problem: StepSum, saddle: Saddle) -> float | None:
    """How far the tilted X stays from its mean up to a negligible probability, by Chernoff's inequality."""
    reach = 8.0 * math.sqrt(saddle.variance)
    for _ in range(60):
        outside = 0.0
        for sign in (1.0, -1.0):
            best = math.inf
            for fraction in (0.95, 0.6, 0.35, 0.2, 0.1):
                move = sign * fraction * reach / saddle.variance
                bound = problem.log_mgf(saddle.theta + move) - saddle.log_mgf - move * saddle.mean - abs(move) * reach
                best = min(best, bound)
            outside += math.exp(min(best, 0.0))
        if outside <= _OUTSIDE:
            return reach
        reach *= 1.15
    return None


def _bounds(problem: StepSum, saddle: Saddle, step: float, size: int, share: float) -> tuple[float, float]:
    """Lower and upper bound of the tilted tail; `share` of a tail of ordinary size is given to the residual."""
    ordinary = 1.0 / (1.0 + saddle.theta * math.sqrt(2.0 * math.pi * saddle.variance))
    escape = max(0.1 * share * ordinary, 1e-15)
    if isinstance(problem, DrawSum):
        masses, positions, radius = _grid_of_draws(problem, saddle.theta, step, size, escape)
    else:
        masses, positions, radius = _grid_of_flips(problem, saddle.theta, step, size, escape)
    allowance = escape + 2.0 * _OUTSIDE + 4.0 * EPSILON * (problem.n_steps + 64.0) * size * float(masses.max())
    reaching = positions >= -radius
    upper = masses[reaching] * np.exp(-saddle.theta * np.maximum(positions[reaching] - radius, 0.0))
    certain = positions >= radius
    lower = masses[certain] * np.exp(-saddle.theta * (positions[certain] + radius))
    return float(lower.sum()) - allowance, float(upper.sum()) + allowance


def _grid_of_flips(
    problem: FlipSum, theta: float, step: float, size: int, escape: float
) -> tuple[Floats, Floats, float]:
    """Tilted probabilities of h G, its values moved by the mean of R, and how far R may be from that mean."""
    counts = np.ones(problem.values.size) if problem.multiplicities is None else problem.multiplicities
    rounded = np.rint(problem.values / step)
    residuals = problem.values - step * rounded
    chance = flip_chance(theta, problem.values)
    radius = math.sqrt(0.5 * float((counts * np.square(residuals)).sum()) * math.log(2.0 / escape))
    spacing = 2.0 * math.pi / size
    starts = np.arange(0, size // 2 + 1, _RUN) * spacing
    phi = flip_characteristic(rounded, problem.multiplicities, chance, starts, spacing, _RUN).ravel()[: size // 2 + 1]
    mean = -float((counts * chance * rounded).sum())
    masses, lowest = _masses(phi, size, mean)
    positions = step * (lowest + np.arange(size)) + (problem.slack - float((counts * chance * residuals).sum()))
    return masses, positions, radius


def _grid_of_draws(
    problem: DrawSum, theta: float, step: float, size: int, escape: float
) -> tuple[Floats, Floats, float]:
    """Tilted probabilities of h G, its values moved by the mean of R, and how far R may be from that mean."""
    weights = problem.steps(theta).weights
    base = float(problem.values[int(np.argmax(weights))])  # the most probable value is on the grid
    rounded = np.rint((problem.values - base) / step)
    residuals = problem.values - base - step * rounded
    mean_residual = float((weights * residuals).sum())
    variance = float((weights * np.square(residuals - mean_residual)).sum())
    n, log_chance = problem.n_draws, math.log(2.0 / escape)
    third = step * log_chance / 3.0
    radius = min(step * math.sqrt(0.5 * n * log_chance), third + math.sqrt(third**2 + 2.0 * n * variance * log_chance))
    binned = np.bincount(np.mod(rounded, size).astype(np.intp), weights=weights, minlength=size)
    phi = whole_powers(np.conj(np.fft.rfft(binned)), n)
    masses, lowest = _masses(phi, size, n * float((weights * rounded).sum()))
    positions = step * (lowest + np.arange(size)) + (n * (base + mean_residual) - problem.excess)
    return masses, positions, radius


def _masses(characteristic: Complexes, size: int, middle: float) -> tuple[Floats, int]:
    """Probabilities of `size` consecutive integers around `middle`."""
    lowest = math.floor(middle) - size // 2
    masses = np.maximum(np.fft.irfft(np.conj(characteristic), size), 0.0)
    return np.roll(masses, -(lowest % size)), lowest
