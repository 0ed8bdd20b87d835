"""Tails of sums of steps that are almost on a coarse lattice: the lattice decides, what is left breaks its ties.

X = h L + R as in `joint_sums`. As long as |R| stays below h, L decides and R only breaks the ties:

    P(X >= 0) = P(L >= 1) + P(L = 0, R >= 0) + error,   |error| <= sum_l P(L = l, R < -l h) + P(L = -l, R >= l h).

P(L >= 1) and P(L = 0) are exact (lattice); P(L = 0, R >= 0) is a double quadrature, over one period in the direction of
L and along a contour in the direction of R, with the same bound beyond its horizon as in `contour`; Chernoff's
inequality bounds the error. A quadrature along X alone would meet lobes of the characteristic function out to a
multiple of 1 / (size of R).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reportkit.null_distributions.contour.quadrature import EPSILON
from reportkit.null_distributions.lattices.joint_sums import JointSum
from reportkit.null_distributions.step_sums import Floats
from reportkit.null_distributions.tail_probability import UpperTail

_FEWEST_NODES = 64
_LARGEST_RATIO = 600.0
_NEGLIGIBLE = 1e-11
_FURTHEST = 4.0  # standard deviations of R from its mean to the threshold


def tie_broken(
    joint: JointSum, step: float, lattice: UpperTail, *, max_relative_error: float, work: float = 6e8
) -> UpperTail | None:
    """P(step * L + R >= 0), where L decides unless it is 0.

    Parameters
    ----------
    joint : JointFlips or JointDraws
        L and R.
    step : float
        h.
    lattice : UpperTail
        P(L >= 0) with the fraction P(L = 0) of it, exact.
    max_relative_error : float
        How small the error has to become.
    work : float
        How many factors of the joint characteristic function may be computed.

    Returns
    -------
    UpperTail or None
        None if R is not small enough for L to decide, or if the error stays too large.
    """
    if not joint.residuals.any() or lattice.tie <= 0.0:
        return None
    tilt, _ = _solve(joint, (0.0, None))
    plain = (tilt, 0.0)
    log_escaping = _escaping(joint, plain, step) - lattice.log_p
    if log_escaping > math.log(0.1 * max_relative_error):
        return None
    escaping = math.exp(log_escaping)
    reflected = joint.tilted(plain)[1][1] > 0.0  # then R < 0 is the rare side
    ties = _Ties.of(joint.reflected() if reflected else joint, plain)
    if ties.log_ratio > _LARGEST_RATIO:  # the contour lies where the tie has no weight: nothing is left of the digits
        return None
    excess = math.inf
    n_y, cost = _FEWEST_NODES, ties.omegas.size * joint.multiples.size
    while n_y * cost <= work:
        ties.extend(n_y)
        share, share_error, expected = ties.share()
        share = 1.0 - share if reflected else share
        value = (1.0 - lattice.tie) + lattice.tie * share
        if not value > 0.0:
            return None
        other = lattice.relative_error + (escaping + lattice.tie * lattice.tie_error) / value
        upper = UpperTail(
            log_p=lattice.log_p + math.log(value),
            tie=0.0,  # whether X = 0 is possible is inside the error of the share
            method="contour quadrature",
            relative_error=other + lattice.tie * share_error / value,
            expected_error=other + lattice.tie * min(expected, share_error) / value,
        )
        before, excess = excess, upper.worst_error / max_relative_error
        if excess <= 1.0:
            return upper
        if excess > 0.7 * before:  # ties of the residuals keep the error from falling
            return None
        # the error falls with the number of nodes; not all at once, lest it be in vain
        n_y = min(max(math.ceil(1.1 * excess * n_y), 2 * n_y), 4 * n_y)
    return None


def _solve(joint: JointSum, wanted: tuple[float, float | None]) -> tuple[float, float]:
    """Tilts under which (L, R) has a mean, by damped Newton steps; the second tilt is 0 if no mean of R is wanted."""
    theta = np.zeros(2)
    for _ in range(100):
        _, mean, covariance = joint.tilted((float(theta[0]), float(theta[1])))
        deviations = np.sqrt(np.diag(covariance))
        if not deviations.all():
            break
        if wanted[1] is None:
            move = np.array([(wanted[0] - mean[0]) / covariance[0, 0], 0.0])
        else:
            move = np.linalg.solve(covariance + np.diag(1e-12 * deviations**2), np.array(wanted) - mean)
        length = math.sqrt(max(float(move @ covariance @ move), 0.0))
        theta += move * min(1.0, 3.0 / length if length > 0.0 else 1.0)
        if length < 0.05:
            break
    return float(theta[0]), float(theta[1])


@dataclass(slots=True)
class _Ties:
    """The double quadrature for P(R >= 0 | L = 0), to which further nodes along R can be added."""

    joint: JointSum
    theta: tuple[float, float]
    omegas: Floats
    spacing: float
    log_ratio: float  # of E exp(theta . (L, R)) to P(L = 0)
    base_error: float
    n_y: int = 0
    value: float = 0.0
    modulus: float = 0.0
    level: float = 0.0

    @classmethod
    def of(cls, joint: JointSum, plain: tuple[float, float]) -> _Ties:
        """Place the two contours; `plain` makes the mean of L zero without tilting R."""
        log_plain, mean, covariance = joint.tilted(plain)
        l_deviation, r_deviation = (math.sqrt(float(v)) for v in np.diag(covariance))
        theta = (plain[0], 0.5 / r_deviation)
        if mean[1] > -_FURTHEST * r_deviation:  # further out the share is as good as zero, and any tilt will do
            solved = _solve(joint, (0.0, r_deviation))
            theta = solved if solved[1] > 0.5 / r_deviation else theta
        log_mgf, tilted_mean, tilted = joint.tilted(theta)
        half = 4.0 * max(l_deviation, math.sqrt(float(tilted[0, 0]))) + 3.0 + abs(float(tilted_mean[0]))
        wrapped = math.inf
        while wrapped > _NEGLIGIBLE and half < 1e5:
            half *= 1.2
            n_omega = 2 * math.ceil(half) + 1
            wrapped = _wrapped_lattice(joint, plain, n_omega) + _wrapped_lattice(joint, theta, n_omega)
        period = 10.0 * r_deviation + 2.0 / theta[1] + abs(float(mean[1]))
        omegas = 2.0 * math.pi / n_omega * np.arange(-(n_omega // 2), n_omega // 2 + 1)
        mass = float(joint.characteristic(plain, omegas, np.zeros(1)).real.sum()) / n_omega
        if not mass > 0.0:
            mass = math.exp(-700.0)
        log_tie = log_plain + math.log(mass)
        while (images := _images(joint, theta, log_tie, period)) > _NEGLIGIBLE and period < 1e3 * r_deviation:
            period *= 1.2
        for tilt in (plain, theta):
            images += math.exp(min(joint.tilted(tilt)[0] - log_tie, 50.0)) * _wrapped_lattice(joint, tilt, n_omega)
        images += 64.0 * EPSILON * joint.multiples.size
        return cls(joint, theta, omegas, 2.0 * math.pi / period, log_mgf - log_tie, images)

    def extend(self, n_y: int) -> None:
        """Add the nodes from the present number up to `n_y`."""
        y = self.spacing * np.arange(self.n_y, n_y)
        weights = np.full(y.size, 2.0)
        weights[y == 0.0] = 1.0
        phi = self.joint.characteristic(self.theta, self.omegas, y)
        self.value += float((weights * (phi / (self.theta[1] + 1j * y)).real).sum())
        modulus = np.abs(phi).sum(axis=0)
        self.modulus += float((weights * modulus).sum())
        self.level = float(modulus[y.size // 2 :].mean()) / self.omegas.size
        self.n_y = n_y

    def share(self) -> tuple[float, float, float]:
        """P(R >= 0 | L = 0), a bound on its error, and the error to expect."""
        period = 2.0 * math.pi / self.spacing
        scale = math.exp(self.log_ratio) / (self.omegas.size * period)
        wrapped = self.theta[1] * period
        share = scale * self.value - math.exp(-wrapped) / -math.expm1(-wrapped)
        horizon = self.n_y * self.spacing
        x = 2.0 * math.pi * self.theta[1] / horizon
        smoothing = (2.0 * math.pi / horizon) / -math.expm1(-x) - 1.0 / self.theta[1]
        guaranteed = scale * smoothing * self.modulus + self.base_error
        return min(max(share, 0.0), 1.0), guaranteed, math.exp(self.log_ratio) * self.level + self.base_error


def _log_reach(joint: JointSum, theta: tuple[float, float], axis: int, distance: float, offset: float) -> float:
    """Log of a Chernoff bound on E exp(theta . (L, R) + offset) over |L| or |R| >= |distance|, best of a few tilts."""
    variance = float(joint.tilted(theta)[2][axis, axis])
    if not variance > 0.0:  # under this tilt the sum has one value only, its mean of 0
        return -math.inf
    best = math.inf
    for fraction in (0.95, 0.6, 0.35, 0.2, 0.1):
        tilt = fraction * distance / variance
        moved = (theta[0] + tilt, theta[1]) if axis == 0 else (theta[0], theta[1] + tilt)
        exponent = abs(tilt * distance) - offset
        if exponent > 0.0:
            best = min(best, joint.tilted(moved)[0] - exponent - math.log(-math.expm1(-exponent)))
    return best


def _images(joint: JointSum, theta: tuple[float, float], log_tie: float, period: float) -> float:
    """Bound on what |R| >= period adds to the share: above weighted by exp(theta period), below not at all."""
    above = _log_reach(joint, theta, 1, period, 0.0)
    below = _log_reach(joint, (theta[0], 0.0), 1, -period, 0.0)
    return math.exp(min(above - log_tie, 50.0)) + math.exp(min(below - log_tie, 50.0))


def _wrapped_lattice(joint: JointSum, theta: tuple[float, float], n_omega: int) -> float:
    """Bound on the probability, under a tilt, of the other multiples of the period of L."""
    log_mgf = joint.tilted(theta)[0]
    return sum(math.exp(min(_log_reach(joint, theta, 0, side, 0.0) - log_mgf, 50.0)) for side in (-n_omega, n_omega))


def _escaping(joint: JointSum, theta: tuple[float, float], step: float) -> float:
    """Logarithm of a bound on the probability that R outweighs L, sum_l P(L = l, R < -l h) + P(L = -l, R >= l h)."""
    below = _log_reach(joint, theta, 1, -step, -theta[0])
    above = _log_reach(joint, theta, 1, step, theta[0])
    return float(np.logaddexp(below, above))
