"""The two null distributions as sums of independent steps, tilted at will.

Both are written as X, a sum with P(T* >= threshold) = P(X >= 0) and E X <= 0:

- `FlipSum`: sign flips. With a_j = |d_j| and c the sum of the a_j of the negative differences, T* - t = 2 X and
  X = c - sum_j B_j a_j with fair coins B_j.
- `DrawSum`: the paired bootstrap. With e_i = d_i - mean(d), X is the sum of n draws from {e_i}, minus t.

Tilting multiplies the probability of every outcome by exp(theta X) / E exp(theta X), so that an event that was far in
the tail is in the middle; see Jensen (1995), "Saddlepoint Approximations", chapter 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.products import thin_product

Floats = NDArray[np.floating[Any]]
Complexes = NDArray[np.complex128]

_BLOCK = 1 << 15  # complex numbers held at once
_DIFFERENCES = 1 << 14  # worked on at once, so that they stay in the cache
_RUN = 8  # nodes worked on at once
_PART = 1 << 12  # steps worked on at once
_FEW_TIMES = 24  # powers of complex numbers cost as much as so many factors


class Steps(NamedTuple):
    """What the modulus of the tilted characteristic function depends on.

    For flips, |phi(y)|^2 = prod (1 - w_j sin^2(y a_j / 2)); for draws, |phi(y)| = |sum w_i exp(i y a_i)|^n, and the
    weights add up to 1.
    """

    positions: Floats
    weights: Floats


def log_cosh(x: Floats) -> Floats:
    """Return log cosh with full relative accuracy, also near 0."""
    magnitude = np.abs(x)
    if magnitude.size and float(magnitude.max()) > 300.0:
        small = np.minimum(magnitude, 300.0)
        return np.where(magnitude > 300.0, magnitude - math.log(2.0), 0.5 * np.log1p(np.square(np.sinh(small))))
    return np.asarray(0.5 * np.log1p(np.square(np.sinh(magnitude))))


@dataclass(frozen=True, slots=True)
class FlipSum:
    """X = c - sum_j B_j a_j with fair coins B_j: sign flips.

    Parameters
    ----------
    values : (u,) array
        Positive step sizes a_j.
    multiplicities : (u,) array or None
        How often each occurs; None for once each.
    slack : float
        c, at most half the sum of all steps.
    """

    values: Floats
    multiplicities: Floats | None
    slack: float

    @property
    def n_steps(self) -> float:
        """Number of independent steps."""
        return float(self.values.size if self.multiplicities is None else self.multiplicities.sum())

    @property
    def highest(self) -> float:
        """Largest value of X."""
        return self.slack

    def _total(self, per_value: Floats) -> float:
        return float(per_value.sum() if self.multiplicities is None else (per_value * self.multiplicities).sum())

    def log_mgf(self, theta: float) -> float:
        """Return log E exp(theta X), theta of either sign."""
        excess = 0.5 * self._total(self.values) - self.slack
        return self._total(log_cosh((0.5 * theta) * self.values)) - theta * excess

    def tilted_moments(self, theta: float) -> tuple[float, float]:
        """Mean and variance of X under the tilt: the derivatives of `log_mgf`."""
        chance = flip_chance(theta, self.values)
        moved = self.values * chance
        return self.slack - self._total(moved), self._total(moved * (self.values - moved))

    def steps(self, theta: float) -> Steps:
        """Weights and positions of the tilted steps."""
        chance = flip_chance(theta, self.values)
        weights = 4.0 * chance * (1.0 - chance)
        return Steps(self.values, weights if self.multiplicities is None else weights * self.multiplicities)

    def characteristic(self, theta: float, starts: Floats, spacing: float, count: int) -> Complexes:
        """Tilted characteristic function of X at starts[:, None] + spacing * arange(count)."""
        chance = flip_chance(theta, self.values)
        result = flip_characteristic(self.values, self.multiplicities, chance, starts, spacing, count)
        result *= np.exp((1j * self.slack) * (starts[:, None] + spacing * np.arange(count)))
        return result


@dataclass(frozen=True, slots=True)
class DrawSum:
    """X = sum of n independent draws from {e_i}, minus t: the paired bootstrap, recentred.

    Parameters
    ----------
    values : (u,) array
        Centred step sizes e_i.
    probabilities : (u,) array
        Chance of each, adding up to 1.
    n_draws : int
        n.
    excess : float
        t, 0 or more.
    """

    values: Floats
    probabilities: Floats
    n_draws: int
    excess: float

    @property
    def n_steps(self) -> float:
        """Number of independent steps."""
        return float(self.n_draws)

    @property
    def highest(self) -> float:
        """Largest value of X."""
        return self.n_draws * float(self.values.max()) - self.excess

    def log_mgf(self, theta: float) -> float:
        """Return log E exp(theta X), theta of either sign."""
        exponents = theta * self.values
        top = max(float(exponents.max()), 0.0)
        if top < 1.0:
            mean = float((self.probabilities * np.expm1(exponents)).sum())
            return self.n_draws * math.log1p(mean) - theta * self.excess
        mean = float((self.probabilities * np.exp(exponents - top)).sum())
        return self.n_draws * (top + math.log(mean)) - theta * self.excess

    def _tilted(self, theta: float) -> Floats:
        exponents = theta * self.values
        weights = self.probabilities * np.exp(exponents - float(exponents.max()))
        return np.asarray(weights / weights.sum())

    def tilted_moments(self, theta: float) -> tuple[float, float]:
        """Mean and variance of X under the tilt: the derivatives of `log_mgf`."""
        weights = self._tilted(theta)
        mean = float((weights * self.values).sum())
        variance = float((weights * np.square(self.values - mean)).sum())
        return self.n_draws * mean - self.excess, self.n_draws * variance

    def steps(self, theta: float) -> Steps:
        """Weights and positions of the tilted steps."""
        return Steps(self.values, self._tilted(theta))

    def characteristic(self, theta: float, starts: Floats, spacing: float, count: int) -> Complexes:
        """Tilted characteristic function of X at starts[:, None] + spacing * arange(count)."""
        weights = self._tilted(theta)
        mean = float((weights * self.values).sum())
        centred = self.values - mean
        one = np.zeros((starts.size, count), dtype=np.complex128)
        columns = max(_BLOCK // count, 64)
        for left in range(0, centred.size, columns):
            part = slice(left, left + columns)
            turns = whole_turns(spacing * centred[part], count)
            rows = max(_BLOCK // len(turns), 1)
            for first in range(0, starts.size, rows):
                block = slice(first, first + rows)
                leading = weights[part] * unit_circle(np.multiply.outer(starts[block], centred[part]))
                one[block] += thin_product(leading, turns)
        powers = whole_powers(one, self.n_draws)
        y = starts[:, None] + spacing * np.arange(count)
        powers *= unit_circle((self.n_draws * mean - self.excess) * y)
        return powers


StepSum = FlipSum | DrawSum
"""Either null distribution."""


def flip_chance(theta: float | Floats, values: Floats) -> Floats:
    """Chance of a flip under the tilt, 1 / (1 + exp(theta a))."""
    decay = np.exp(-theta * values)
    return np.asarray(decay / (1.0 + decay))


def unit_circle(angles: Floats) -> Complexes:
    """Return exp(i angle), right to 4e-16, by the tangent of half the angle.

    NumPy has vector instructions for the tangent of doubles, but none for sine, cosine and the complex exponential.

    Examples
    --------
    >>> unit_circle(np.array([0.0, 0.5 * np.pi])).round(12)
    array([1.+0.j, 0.+1.j])
    """
    tangent = np.tan(0.5 * angles)
    scale = np.square(tangent)
    scale += 1.0
    np.divide(2.0, scale, out=scale)
    result = np.empty(angles.shape, dtype=np.complex128)
    np.multiply(tangent, scale, out=result.imag)
    scale -= 1.0
    result.real = scale
    return result


def whole_turns(angles: Floats, count: int) -> Complexes:
    """exp(i k angle) for k = 0, ..., count - 1 along a new last axis, by doubling."""
    turns = np.empty((*angles.shape, count), dtype=np.complex128)
    turns[..., 0] = 1.0
    if count > 1:
        turns[..., 1] = unit_circle(angles)
    done = 2
    while done < count:
        more = min(done, count - done)
        following = turns[..., done - 1] * turns[..., 1]
        np.multiply(turns[..., :more], following[..., None], out=turns[..., done : done + more])
        done += more
    return turns


def flip_characteristic(
    values: Floats, multiplicities: Floats | None, chance: Floats, starts: Floats, spacing: float, count: int
) -> Complexes:
    """Characteristic function of minus the sum of steps that are flipped with given chances.

    Parameters
    ----------
    values : (u,) array
        Steps.
    multiplicities : (u,) array or None
        How often each occurs.
    chance : (u,) array
        Chance of a flip of each.
    starts, spacing, count
        Nodes are starts[:, None] + spacing * arange(count).
    """
    result = np.ones((starts.size, count), dtype=np.complex128)
    groups: list[tuple[Floats, Floats, Floats | None]] = [(values, chance, None)]
    if multiplicities is not None:  # what occurs a few times is cheaper as several steps
        few = multiplicities <= _FEW_TIMES
        repeats = multiplicities[few].astype(np.intp)
        groups = [
            (np.repeat(values[few], repeats), np.repeat(chance[few], repeats), None),
            (values[~few], chance[~few], multiplicities[~few]),
        ]
    for steps, chances, powers in groups:
        columns = min(max(_BLOCK // count, 64), max(steps.size, 1))
        for left in range(0, steps.size, columns):
            part = slice(left, left + columns)
            turns = whole_turns(-spacing * steps[part], count)
            times = None if powers is None else powers[part]
            multiply_flips(result, starts, -steps[part], turns, chances[part], times)
    return result


def flip_characteristics(values: Floats, slack: Floats, theta: Floats, spacing: Floats, count: int) -> Complexes:
    """Tilted characteristic functions of several sums of as many steps, at the first nodes of each.

    Parameters
    ----------
    values : (n_rows, n) array
        Steps.
    slack, theta, spacing : (n_rows,) array
        See `FlipSum`; tilts, and distances of nodes.
    count : int
        How many nodes.

    Returns
    -------
    ndarray of shape (n_rows, count)
    """
    chance = np.ascontiguousarray(flip_chance(theta[:, None], values).T)
    angles = np.ascontiguousarray((-spacing[:, None] * values).T)
    # nodes last, and always whole runs: vector instructions do not round as what is done with remainders
    padded = -(-count // _RUN) * _RUN
    result = np.exp((1j * slack * spacing)[:, None] * np.arange(padded))
    for left in range(0, chance.shape[0], _PART):
        part = slice(left, left + _PART)
        turns = whole_turns(angles[part], _RUN)
        further = turns[..., -1] * turns[..., 1]
        leading = chance[part].astype(np.complex128)
        staying = 1.0 - chance[part][..., None]
        factors = np.empty_like(turns)
        for first in range(0, padded, _RUN):
            if first:
                leading *= further
            np.multiply(leading[..., None], turns, out=factors)
            factors.real += staying
            result[:, first : first + _RUN] *= product(factors)
    return np.asarray(result[:, :count])


def multiply_flips(
    result: Complexes,
    starts: Floats,
    values: Floats,
    turns: Complexes,
    chance: Floats,
    multiplicities: Floats | None,
    further: Complexes | None = None,
) -> None:
    """Multiply by the factors 1 - c + c exp(i start a) turn of steps a, each to its power.

    Parameters
    ----------
    result : (n_starts, count) array
        Changed in place.
    starts : (n_starts,) array
        Where the nodes begin.
    values, chance : (u,) array
        Steps and their chances c.
    turns : (u, count) array
        What the nodes after each start multiply the step's phase by.
    multiplicities : (u,) array or None
        How often each step occurs.
    further : (u, n_starts) array, optional
        exp(i start a), where it is known.
    """
    n_steps, count = turns.shape
    rows = max(min(_BLOCK // (n_steps * count), starts.size), 1)
    staying = (1.0 - chance)[:, None, None]
    factors = np.empty((n_steps, rows, count), dtype=np.complex128)
    for first in range(0, starts.size, rows):
        block = slice(first, first + rows)
        phases = unit_circle(np.multiply.outer(values, starts[block])) if further is None else further[:, block]
        leading = chance[:, None] * phases
        current = factors[:, : leading.shape[1]]
        np.multiply(leading[:, :, None], turns[:, None, :], out=current)
        current.real += staying
        if multiplicities is not None:
            current = whole_powers(current, multiplicities[:, None, None])
        result[block] *= product(current)


def whole_powers(numbers: Complexes, exponents: Floats | int) -> Complexes:
    """Complex numbers of modulus at most 1 to positive whole powers; 0 stays 0."""
    if isinstance(exponents, int):
        result, square = np.ones_like(numbers), numbers
        while exponents:
            if exponents % 2:
                result = result * square
            square, exponents = square * square, exponents // 2
        return result
    with np.errstate(divide="ignore"):
        modulus = np.log(np.abs(numbers))
    return np.asarray(np.exp(exponents * modulus) * np.exp((1j * exponents) * np.angle(numbers)))


def product(factors: Complexes) -> Complexes:
    """Product along the first axis by halving; destroys its input."""
    length = factors.shape[0]
    while length > 1:
        half = length // 2
        rest = length - half
        factors[:half] *= factors[rest:length]
        length = rest
    return np.asarray(factors[0])


def blocks(shape: tuple[int, ...], differences: int = _DIFFERENCES) -> list[slice]:
    """So many rows at a time that they stay in the cache."""
    at_once = max(differences // shape[1], 1)
    return [slice(first, first + at_once) for first in range(0, shape[0], at_once)]
