"""Sums of steps that are almost on a coarse lattice: 0/1 scores with noise, one outlier among small differences.

Each step is k_j h + e_j with a whole k_j and a small e_j, so X = h L + R with a lattice sum L and a residual sum R of the
same draws or flips. As long as |R| stays below h, L decides and R only breaks the ties:

    P(X >= 0) = P(L >= 1) + P(L = 0, R >= 0) + error,   |error| <= sum_l P(L = l, R < -l h) + P(L = -l, R >= l h).

P(L >= 1) and P(L = 0) are exact (lattice); P(L = 0, R >= 0) is a double quadrature, over one period in the direction of L
and along a contour in the direction of R; Chernoff's inequality bounds the error. A quadrature along X alone would meet
lobes of the characteristic function out to a multiple of 1 / (size of R).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.resampling.quadrature import EPSILON
from reportkit.resampling.step_sums import Complexes, Floats, log_cosh, product, whole_powers
from reportkit.resampling.tail_probability import UpperTail

_BINS = 1 << 12
_FINEST = 64  # steps of the lattice up to the largest value
_COHERENCE = 0.5  # what the characteristic function of one step has to come back to
_BLOCK = 1 << 15
_FEWEST_NODES = 64
_NEGLIGIBLE = 1e-11


@dataclass(frozen=True, slots=True)
class NearLattice:
    """values = offset + step * multiples + residuals.

    Parameters
    ----------
    step, offset : float
        The lattice.
    multiples : (n,) float array
        Whole numbers.
    residuals : (n,) array
        What is left.
    """

    step: float
    offset: float
    multiples: Floats
    residuals: Floats


def near_lattices(values: Floats, *, through_zero: bool) -> list[NearLattice]:
    """Coarse lattices on which many of the values almost are, the most coherent first.

    Parameters
    ----------
    values : (n,) array
        Numbers; non-negative if `through_zero`.
    through_zero : bool
        Whether 0 has to be a point of the lattice.

    Returns
    -------
    list of NearLattice
        At most two: the one at which the characteristic function of a single value rises again, and the one with the
        full range as its step.
    """
    lowest = 0.0 if through_zero else float(values.min())
    span = float(values.max()) - lowest
    if not span > 0.0:
        return []
    width = span / (_BINS // 8)
    binned = np.bincount(np.rint((values - lowest) / width).astype(np.intp), minlength=_BINS)[:_BINS]
    transform = np.fft.rfft(binned) / values.size
    coherence = transform.real if through_zero else np.abs(transform)
    unit = 2.0 * math.pi / (_BINS * width)  # distance of two points of the transform
    first, last = round(0.85 * 2.0 * math.pi / (span * unit)), round(1.05 * _FINEST * 2.0 * math.pi / (span * unit))
    window = coherence[first : last + 1]
    steps = [span]
    high = np.flatnonzero(window >= max(_COHERENCE, 0.9 * float(window.max(initial=0.0))))
    if high.size:
        end = int(high[0])
        while end + 1 < window.size and window[end + 1] > window[end]:
            end += 1
        steps.insert(0, 2.0 * math.pi / (unit * (first + end)))
    return [_fitted(values, lowest, step, through_zero=through_zero) for step in steps]


def _fitted(values: Floats, lowest: float, step: float, *, through_zero: bool) -> NearLattice:
    """Least squares for step and offset, values far from the lattice left out."""
    offset = lowest
    if not through_zero:
        turned = np.exp((2j * math.pi / step) * (values - lowest)).sum()
        offset += step * math.atan2(turned.imag, turned.real) / (2.0 * math.pi)
    multiples = np.rint((values - offset) / step)
    for _ in range(4):
        residuals = values - offset - step * multiples
        near = np.abs(residuals) <= max(2.0 * float(np.median(np.abs(residuals))), 1e-9 * step)
        k, v = multiples[near], values[near]
        if through_zero:
            if not k.any():
                break
            step = float((k * v).sum() / np.square(k).sum())
        else:
            centred = k - k.mean()
            if not centred.any():
                break
            step = float((centred * v).sum() / np.square(centred).sum())
            offset = float(v.mean() - step * k.mean())
        multiples = np.rint((values - offset) / step)
    return NearLattice(step, offset, multiples, values - offset - step * multiples)


@dataclass(frozen=True, slots=True)
class JointFlips:
    """L = l_slack - sum B_j k_j and R = r_slack - sum B_j e_j with the same fair coins B_j."""

    multiples: Floats
    residuals: Floats
    l_slack: float
    r_slack: float

    def tilted(self, theta: tuple[float, float]) -> tuple[float, Floats, Floats]:
        """log E exp(theta . (L, R)), mean and covariance under that tilt."""
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
        staying = 1.0 - chance
        turn = np.exp((-1j * _spacing(y)) * self.residuals)
        first = chance * np.exp((-1j * y[0]) * self.residuals)
        result = np.empty((omegas.size, y.size), dtype=np.complex128)
        rows = max(_BLOCK // self.multiples.size, 1)
        for start in range(0, omegas.size, rows):
            block = slice(start, start + rows)
            powers = first * np.exp(np.multiply.outer(omegas[block], -1j * self.multiples))
            for m in range(y.size):
                if m:
                    powers *= turn
                result[block, m] = product(powers + staying)
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

    def _weights(self, theta: tuple[float, float]) -> tuple[Floats, float]:
        exponents = theta[0] * self.multiples + theta[1] * self.residuals
        top = float(exponents.max())
        weights = self.probabilities * np.exp(exponents - top)
        total = float(weights.sum())
        return weights / total, top + math.log(total)

    def tilted(self, theta: tuple[float, float]) -> tuple[float, Floats, Floats]:
        """log E exp(theta . (L, R)), mean and covariance under that tilt."""
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
        turn = np.exp((1j * _spacing(y)) * self.residuals)
        first = weights * np.exp((1j * y[0]) * self.residuals)
        one = np.empty((omegas.size, y.size), dtype=np.complex128)
        rows = max(_BLOCK // self.multiples.size, 1)
        for start in range(0, omegas.size, rows):
            block = slice(start, start + rows)
            powers = first * np.exp(np.multiply.outer(omegas[block], 1j * self.multiples))
            for m in range(y.size):
                if m:
                    powers *= turn
                one[block, m] = powers.sum(axis=1)
        result = whole_powers(one, self.n_draws)
        result *= np.exp(-1j * (self.l_excess * omegas[:, None] + self.r_excess * y))
        return result


def _spacing(y: Floats) -> float:
    return float(y[1] - y[0]) if y.size > 1 else 0.0


Joint = JointFlips | JointDraws


def tie_broken(
    joint: Joint, step: float, lattice: UpperTail, *, max_relative_error: float, work: float = 5e8
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
    ties = _Ties.of(joint, plain)
    n_y, cost = _FEWEST_NODES, ties.omegas.size * joint.multiples.size
    while n_y * cost <= work:
        ties.extend(n_y)
        share, share_error, expected = ties.share()
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
        excess = upper.worst_error / max_relative_error
        if excess <= 1.0:
            return upper
        n_y = max(math.ceil(1.1 * excess * n_y), n_y + _FEWEST_NODES)  # the error falls with the number of nodes
    return None


def _solve(joint: Joint, wanted: tuple[float, float | None]) -> tuple[float, float]:
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
        length = math.sqrt(float(move @ covariance @ move))
        theta += move * min(1.0, 3.0 / length if length > 0.0 else 1.0)
        if length < 0.05:
            break
    return float(theta[0]), float(theta[1])


@dataclass(slots=True)
class _Ties:
    """The double quadrature for P(R >= 0 | L = 0), to which further nodes along R can be added."""

    joint: Joint
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
    def of(cls, joint: Joint, plain: tuple[float, float]) -> _Ties:
        """Place the two contours; `plain` makes the mean of L zero without tilting R."""
        log_plain, mean, covariance = joint.tilted(plain)
        l_deviation, r_deviation = (math.sqrt(float(v)) for v in np.diag(covariance))
        theta = _solve(joint, (0.0, r_deviation))
        theta = (theta[0], theta[1]) if theta[1] > 0.5 / r_deviation else (plain[0], 0.5 / r_deviation)
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


def _log_reach(joint: Joint, theta: tuple[float, float], axis: int, distance: float, offset: float) -> float:
    """Log of a Chernoff bound on E exp(theta . (L, R)) exp(offset) over |L| or |R| >= |distance|, best of a few tilts."""
    variance = float(joint.tilted(theta)[2][axis, axis])
    best = math.inf
    for fraction in (0.95, 0.6, 0.35, 0.2, 0.1):
        tilt = fraction * distance / variance
        moved = (theta[0] + tilt, theta[1]) if axis == 0 else (theta[0], theta[1] + tilt)
        exponent = abs(tilt * distance) - offset
        if exponent > 0.0:
            best = min(best, joint.tilted(moved)[0] - exponent - math.log(-math.expm1(-exponent)))
    return best


def _images(joint: Joint, theta: tuple[float, float], log_tie: float, period: float) -> float:
    """Bound on what |R| >= period adds to the share: above weighted by exp(theta period), below not at all."""
    above = _log_reach(joint, theta, 1, period, 0.0)
    below = _log_reach(joint, (theta[0], 0.0), 1, -period, 0.0)
    return math.exp(min(above - log_tie, 50.0)) + math.exp(min(below - log_tie, 50.0))


def _wrapped_lattice(joint: Joint, theta: tuple[float, float], n_omega: int) -> float:
    """Bound on the probability, under a tilt, of the other multiples of the period of L."""
    log_mgf = joint.tilted(theta)[0]
    return sum(math.exp(min(_log_reach(joint, theta, 0, side, 0.0) - log_mgf, 50.0)) for side in (-n_omega, n_omega))


def _escaping(joint: Joint, theta: tuple[float, float], step: float) -> float:
    """Logarithm of a bound on the probability that R outweighs L, sum_l P(L = l, R < -l h) + P(L = -l, R >= l h)."""
    below = _log_reach(joint, theta, 1, -step, -theta[0])
    above = _log_reach(joint, theta, 1, step, theta[0])
    return float(np.logaddexp(below, above))


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
