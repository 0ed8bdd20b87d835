"""Sums of steps split into whole multiples of a coarse step and residuals: two sums over the same flips or draws.

Each step is k_j h + e_j, so X = h L + R, where L is the sum of the k_j and R that of the e_j.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.lattices.near_lattice import NearLattice
from reportkit.null_distributions.step_sums import (
    Complexes,
    Floats,
    log_cosh,
    multiply_flips,
    unit_circle,
    whole_powers,
    whole_turns,
)

_BLOCK = 1 << 15
_RUN = 64


@dataclass(frozen=True, slots=True)
class JointFlips:
    """L = l_slack - sum B_j k_j and R = r_slack - sum B_j e_j with the same fair coins B_j."""

    multiples: Floats
    residuals: Floats
    l_slack: float
    r_slack: float

    def reflected(self) -> JointFlips:
        """(L, -R)."""
        return JointFlips(self.multiples, -self.residuals, self.l_slack, -self.r_slack)

    def tilted(self, theta: tuple[float, float]) -> tuple[float, Floats, Floats]:
        """Return log E exp(theta . (L, R)), mean and covariance under that tilt."""
        exponents = theta[0] * self.multiples + theta[1] * self.residuals
        log_mgf = float((log_cosh(0.5 * exponents) - 0.5 * exponents).sum())
        chance = 0.5 * (1.0 - np.tanh(0.5 * exponents))
        log_mgf += theta[0] * self.l_slack + theta[1] * self.r_slack
        steps = np.stack((self.multiples, self.residuals))
        mean = np.array([self.l_slack, self.r_slack]) - (steps * chance).sum(axis=1)
        covariance = (steps * (chance * (1.0 - chance))) @ steps.T
        return log_mgf, mean, covariance

    def characteristic(self, theta: tuple[float, float], omegas: Floats, y: Floats) -> Complexes:
        """Tilted characteristic function of (L, R) at all (omega, y); the y are equally spaced."""
        chance = 0.5 * (1.0 - np.tanh(0.5 * (theta[0] * self.multiples + theta[1] * self.residuals)))
        result = np.ones((omegas.size, y.size), dtype=np.complex128)
        for start in range(0, y.size, _RUN):
            nodes = y[start : start + _RUN]
            turns = whole_turns(-_spacing(y) * self.residuals, nodes.size)
            turns *= unit_circle(-nodes[0] * self.residuals)[:, None]
            multiply_flips(result[:, start : start + _RUN], omegas, -self.multiples, turns, chance, None)
        result *= np.exp(1j * (self.l_slack * omegas[:, None] + self.r_slack * y))
        return result


@dataclass(frozen=True, slots=True)
class JointDraws:
    """L = sum of n draws of k, minus l_excess; R = sum of the same draws of e, minus r_excess."""

    multiples: Floats
    residuals: Floats
    probabilities: Floats
    n_draws: int
    l_excess: float
    r_excess: float

    def reflected(self) -> JointDraws:
        """(L, -R)."""
        return JointDraws(
            self.multiples, -self.residuals, self.probabilities, self.n_draws, self.l_excess, -self.r_excess
        )

    def _weights(self, theta: tuple[float, float]) -> tuple[Floats, float]:
        exponents = theta[0] * self.multiples + theta[1] * self.residuals
        top = float(exponents.max())
        weights = self.probabilities * np.exp(exponents - top)
        total = float(weights.sum())
        return weights / total, top + math.log(total)

    def tilted(self, theta: tuple[float, float]) -> tuple[float, Floats, Floats]:
        """Return log E exp(theta . (L, R)), mean and covariance under that tilt."""
        weights, log_one = self._weights(theta)
        steps = np.stack((self.multiples, self.residuals))
        one = (steps * weights).sum(axis=1)
        centred = steps - one[:, None]
        log_mgf = self.n_draws * log_one - theta[0] * self.l_excess - theta[1] * self.r_excess
        mean = self.n_draws * one - np.array([self.l_excess, self.r_excess])
        return log_mgf, mean, self.n_draws * ((centred * weights) @ centred.T)

    def characteristic(self, theta: tuple[float, float], omegas: Floats, y: Floats) -> Complexes:
        """Tilted characteristic function of (L, R) at all (omega, y); the y are equally spaced."""
        weights, _ = self._weights(theta)
        turn = unit_circle(_spacing(y) * self.residuals)
        first = weights * unit_circle(y[0] * self.residuals)
        one = np.empty((omegas.size, y.size), dtype=np.complex128)
        rows = max(_BLOCK // self.multiples.size, 1)
        for start in range(0, omegas.size, rows):
            block = slice(start, start + rows)
            powers = first * unit_circle(np.multiply.outer(omegas[block], self.multiples))
            for m in range(y.size):
                if m:
                    powers *= turn
                one[block, m] = powers.sum(axis=1)
        result = whole_powers(one, self.n_draws)
        result *= np.exp(-1j * (self.l_excess * omegas[:, None] + self.r_excess * y))
        return result


def _spacing(y: Floats) -> float:
    return float(y[1] - y[0]) if y.size > 1 else 0.0


JointSum = JointFlips | JointDraws
"""Either null distribution, split."""


def joint_flips(near: NearLattice, against: NDArray[np.bool_]) -> JointFlips:
    """Split sign flips; `against` marks the steps against the observed direction."""
    return JointFlips(
        near.multiples,
        near.residuals,
        float(near.multiples[against].sum()),
        float(near.residuals[against].sum()),
    )


def joint_draws(near: NearLattice, total: float) -> tuple[JointDraws, int]:
    """Split draws; the threshold is twice `total`. Also returns the threshold of the lattice part."""
    n = near.multiples.size
    threshold = 2.0 * total - n * near.offset
    l_threshold = round(threshold / near.step)
    joint = JointDraws(
        near.multiples, near.residuals, np.full(n, 1.0 / n), n, float(l_threshold), threshold - l_threshold * near.step
    )
    return joint, l_threshold
