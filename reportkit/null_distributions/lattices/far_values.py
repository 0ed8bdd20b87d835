"""Sums of steps on a lattice plus a few values that are not: 0/1 scores with a little partial credit, three odd values.

The outcomes of the few far values are listed, and given each of them the tail of the lattice sum is looked up:

    P(X >= 0) = exp(K(theta)) sum_c w(c) sum_{l >= l_c} q(l) exp(-theta (h l + s_c)),  l_c = ceil(-s_c / h),

where c are the outcomes of the far values with sums s_c, and w and q are probabilities under the common tilt theta, q
from one FFT. All terms are positive and at most 1, so nothing cancels at any depth of the tail.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.closed_form import log_binomial_mass
from reportkit.null_distributions.contour.quadrature import EPSILON
from reportkit.null_distributions.contour.saddle import find_saddle
from reportkit.null_distributions.enumeration import TIE_TOLERANCE, draw_outcomes
from reportkit.null_distributions.lattices.near_lattice import NearLattice
from reportkit.null_distributions.step_sums import Complexes, DrawSum, FlipSum, Floats, whole_powers
from reportkit.null_distributions.tail_probability import UpperTail

_EXACT = 1e-11  # of the largest value: closer to the lattice than that is on it
_FURTHEST = 1 << 16  # steps from the median
_MOST_FAR_FLIPS = 18
_MOST_OUTCOMES = 1 << 21
_LONGEST = 1 << 18
_TRUNCATION = 1e-18
_WRAPPED = 1e-16


def _far(near: NearLattice, largest: float) -> NDArray[np.bool_]:
    """Values that are not on the lattice, or so far out that the sum would have too many points."""
    out = np.abs(near.multiples - np.median(near.multiples)) > _FURTHEST
    return np.asarray((np.abs(near.residuals) > _EXACT * largest) | out)


@dataclass(frozen=True, slots=True)
class _LatticeMasses:
    """Tilted probabilities of consecutive lattice points, and their tails discounted by exp(-theta h) a point."""

    lowest: int
    masses: Floats
    tails: Floats

    @classmethod
    def of(cls, characteristic: Complexes, n_points: int, centre: float, discount: float) -> _LatticeMasses:
        """From the characteristic function on the nodes 0, ..., n_points // 2 of one period."""
        lowest = math.floor(centre) - n_points // 2
        masses = np.maximum(np.fft.irfft(np.conj(characteristic), n_points), 0.0)
        masses = np.roll(masses, -(lowest % n_points))
        tails = np.empty(n_points)
        chunk = max(int(300.0 / max(discount, 1e-9)), 1)
        following = 0.0
        for stop in range(n_points, 0, -chunk):
            start = max(stop - chunk, 0)
            growth = np.exp(discount * np.arange(stop - start))  # undone by the same factor after the sum
            tails[start:stop] = np.cumsum((masses[start:stop] / growth)[::-1])[::-1] * growth
            tails[start:stop] += following * np.exp(-discount * np.arange(stop - start, 0, -1))
            following = float(tails[start])
        return cls(lowest, masses, tails)

    def discounted_tail(self, points: NDArray[np.int64], discount: float) -> Floats:
        """sum_{l >= point} q(l) exp(-discount (l - point))."""
        places = points - self.lowest
        inside = np.clip(places, 0, self.tails.size - 1)
        values = self.tails[inside] * np.exp(-discount * np.maximum(-places, 0))
        return np.where(places >= self.tails.size, 0.0, values)

    def mass(self, points: NDArray[np.int64]) -> Floats:
        """q(point)."""
        places = points - self.lowest
        inside = (places >= 0) & (places < self.masses.size)
        return np.where(inside, self.masses[np.where(inside, places, 0)], 0.0)


@dataclass(slots=True)
class _Sums:
    """Tilted sums over outcomes: of the tail, and of ties."""

    value: float = 0.0
    tie: float = 0.0

    def add(
        self, weights: Floats, sums: Floats, lattice: _LatticeMasses, theta: float, step: float, tolerance: float
    ) -> None:
        """Add outcomes of the far values with their sums (the threshold is 0)."""
        points = np.ceil((-sums - tolerance) / step).astype(np.int64)
        rest = step * points + sums
        discounts = weights * np.exp(-theta * np.maximum(rest, 0.0))
        self.value += float((discounts * lattice.discounted_tail(points, theta * step)).sum())
        tied = np.abs(rest) <= tolerance
        if tied.any():
            self.tie += float((discounts[tied] * lattice.mass(points[tied])).sum())


def flips_with_far_values(problem: FlipSum, near: NearLattice, against: NDArray[np.bool_]) -> UpperTail | None:
    """P(X >= 0) for sign flips of lattice steps and a few others.

    Parameters
    ----------
    problem : FlipSum
        All steps, each once, with E X <= 0 < highest.
    near : NearLattice
        A lattice through zero on which most of the steps are.
    against : (n,) bool array
        Steps against the observed direction.

    Returns
    -------
    UpperTail or None
        None if there are more than 18 far values, or if the lattice sum has too many points.
    """
    far = _far(near, float(problem.values.max()))
    n_far = int(np.count_nonzero(far))
    if n_far > _MOST_FAR_FLIPS or n_far == problem.values.size:
        return None
    saddle = find_saddle(problem, None)
    values, counts = np.unique(near.multiples[~far & (near.multiples > 0)], return_counts=True)
    lattice_sum = FlipSum(values, counts.astype(np.float64), float(near.multiples[against & ~far].sum()))
    discount = saddle.theta * near.step
    masses = _tilted_masses(lattice_sum, discount)
    if masses is None:
        return None
    sums = np.array([float(problem.values[against & far].sum())])
    weights = np.ones(1)
    for value in problem.values[far]:
        chance = 1.0 / (1.0 + math.exp(min(saddle.theta * value, 700.0)))
        sums = np.concatenate((sums, sums - value))
        weights = np.concatenate(((1.0 - chance) * weights, chance * weights))
    tolerance = 0.5 * TIE_TOLERANCE * float(problem.values.sum())
    result = _Sums()
    result.add(weights, sums, masses, saddle.theta, near.step, tolerance)
    return _tail(result, saddle.log_mgf, problem.n_steps, 0.0)


def _tilted_masses(lattice_sum: FlipSum, tilt: float) -> _LatticeMasses | None:
    mean, variance = lattice_sum.tilted_moments(tilt)
    n_points = 2 * math.ceil(5.0 * math.sqrt(variance) + 8.0)
    log_mgf = lattice_sum.log_mgf(tilt)
    while _outside(lattice_sum, tilt, log_mgf, mean, variance, n_points / 2) > _WRAPPED:
        n_points = 2 * math.ceil(0.6 * n_points)
    if n_points * lattice_sum.values.size > 20 * _LONGEST:
        return None
    phi = lattice_sum.characteristic(tilt, np.zeros(1), 2.0 * math.pi / n_points, n_points // 2 + 1)[0]
    return _LatticeMasses.of(phi, n_points, mean, tilt)


def _outside(
    problem: FlipSum | DrawSum, tilt: float, log_mgf: float, mean: float, variance: float, distance: float
) -> float:
    """Chernoff bound on the tilted probability of being further than `distance` from the mean."""
    total = 0.0
    for sign in (1.0, -1.0):
        best = math.inf
        for fraction in (0.95, 0.6, 0.35, 0.2):
            move = sign * fraction * distance / variance if variance > 0.0 else sign * 40.0
            best = min(best, problem.log_mgf(tilt + move) - log_mgf - move * mean - abs(move) * distance)
        total += math.exp(min(best, 0.0))
    return total


def draws_with_far_values(problem: DrawSum, near: NearLattice) -> UpperTail | None:
    """P(X >= 0) for draws from lattice values and a few others.

    Parameters
    ----------
    problem : DrawSum
        Distinct values with their probabilities, E X <= 0 < highest.
    near : NearLattice
        A lattice, found for `problem.values`, on which most of them are.

    Returns
    -------
    UpperTail or None
        None if there are too many outcomes of the far values, or too many points of the lattice sum.
    """
    far = _far(near, float(np.abs(problem.values).max()))
    if not far.any() or np.count_nonzero(~far) < 2:
        return None
    saddle = find_saddle(problem, None)
    tilted = problem.steps(saddle.theta).weights
    far_chance = float(tilted[far].sum())
    draws = _plausible_draws(problem.n_draws, far_chance)
    if math.comb(draws.stop + int(np.count_nonzero(far)), draws.stop) > _MOST_OUTCOMES:
        return None
    # values = offset + step k + residual; draws of far values are counted relative to the offset too
    k = near.multiples[~far]
    chances = tilted[~far] / (1.0 - far_chance)
    mean = float((chances * k).sum())
    lattice_sum = DrawSum(k - mean, chances, problem.n_draws, 0.0)
    variance = lattice_sum.tilted_moments(0.0)[1]
    n_points = 2 * math.ceil(5.0 * math.sqrt(variance) + 8.0)
    while _outside(lattice_sum, 0.0, 0.0, 0.0, variance, n_points / 2) > _WRAPPED:
        n_points = 2 * math.ceil(0.6 * n_points)
    if n_points * len(draws) > 20 * _LONGEST:
        return None
    nodes = (2.0 * math.pi / n_points) * np.arange(n_points // 2 + 1)
    one = (np.exp(1j * np.multiply.outer(nodes, k)) * chances).sum(axis=1)
    relative = DrawSum(problem.values - near.offset, np.where(far, tilted, 0.0), problem.n_draws, 0.0)
    outcomes = draw_outcomes(relative, np.flatnonzero(far), draws.stop - 1, 0.0)
    threshold = problem.excess - problem.n_draws * near.offset
    tolerance = TIE_TOLERANCE * problem.n_draws * float((problem.probabilities * np.abs(problem.values)).sum())
    result = _Sums()
    for drawn in draws:
        rest = problem.n_draws - drawn
        masses = _LatticeMasses.of(whole_powers(one, rest), n_points, rest * mean, saddle.theta * near.step)
        chance = math.exp(log_binomial_mass(drawn, problem.n_draws, far_chance))
        result.add(
            chance * outcomes[drawn].masses,
            outcomes[drawn].sums - threshold,
            masses,
            saddle.theta,
            near.step,
            tolerance,
        )
    return _tail(result, saddle.log_mgf, problem.n_steps, 2.0 * _TRUNCATION)


def _plausible_draws(n: int, chance: float) -> range:
    """Numbers of draws outside of which there is next to no probability."""
    deviation = math.sqrt(n * chance * (1.0 - chance))
    centre = n * chance
    low = max(math.floor(centre - 12.0 * deviation - 30.0), 0)
    high = min(math.ceil(centre + 12.0 * deviation + 30.0), n)
    kept = [k for k in range(low, high + 1) if log_binomial_mass(k, n, chance) > math.log(_TRUNCATION / (n + 1.0))]
    return range(kept[0], kept[-1] + 1)


def _tail(sums: _Sums, log_mgf: float, n_steps: float, truncated: float) -> UpperTail | None:
    if not sums.value > 0.0:
        return None
    error = EPSILON * (8.0 * n_steps + 8.0 * abs(log_mgf) + 256.0) / min(sums.value, 1.0)
    error += (truncated + 4.0 * _WRAPPED) / sums.value
    return UpperTail(
        log_p=log_mgf + math.log(sums.value),
        tie=min(sums.tie / sums.value, 1.0),
        method="enumeration",
        relative_error=error,
        expected_error=error,
        tie_error=error,
    )
