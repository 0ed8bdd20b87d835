"""The trapezoidal sum over nodes of the contour, and what it says about the tail with which error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.contour.saddle import Saddle
from reportkit.null_distributions.step_sums import Complexes, Steps, StepSum
from reportkit.null_distributions.tail_probability import TailMethod, UpperTail

_SMALLEST_TIE = 1e-300  # so that an error relative to it is a number
EPSILON = float(np.finfo(np.float64).eps)


@dataclass(slots=True)
class NodeSums:
    """Sums over pairs of nodes +-k.

    Parameters
    ----------
    value : float
        Of phi(y_k) times the pole.
    absolute : float
        Of the moduli of these terms.
    modulus : float
        Of |phi(y_k)|.
    mass : float
        Of phi(y_k).
    """

    value: float = 0.0
    absolute: float = 0.0
    modulus: float = 0.0
    mass: float = 0.0

    def add(self, other: NodeSums) -> None:
        """Add further nodes."""
        self.value += other.value
        self.absolute += other.absolute
        self.modulus += other.modulus
        self.mass += other.mass


@dataclass(frozen=True, slots=True)
class Quadrature:
    """One sum with its tilt: sums nodes, and accounts for those that were not summed.

    Parameters
    ----------
    problem : StepSum
        The sum X.
    saddle : Saddle
        Its contour.
    steps : Steps
        Its tilted steps.
    step : float or None
        Lattice step of X.
    """

    problem: StepSum
    saddle: Saddle
    steps: Steps
    step: float | None

    @property
    def n_nodes(self) -> int | None:
        """Number of nodes in one period of a lattice."""
        return None if self.step is None else round(self.saddle.period / self.step)

    @property
    def last_node(self) -> int | None:
        """Largest node of one period of a lattice."""
        return None if self.n_nodes is None else self.n_nodes // 2

    def nodes(self, starts: NDArray[np.int64], stops: NDArray[np.int64], count: int) -> NodeSums:
        """Sum the nodes starts <= k < stops, of which there are at most `count` in each run."""
        spacing = self.saddle.spacing
        phi = self.problem.characteristic(self.saddle.theta, starts * spacing, spacing, count)
        k = starts[:, None] + np.arange(count)
        return self.weighted(phi, k, np.where(k < stops[:, None], 2.0, 0.0))

    def weighted(self, phi: Complexes, k: NDArray[np.int64], weights: NDArray[np.float64]) -> NodeSums:
        """Sum given values of the characteristic function; weights count k and -k."""
        weights[k == 0] *= 0.5
        if self.n_nodes is not None:
            weights[2 * k == self.n_nodes] *= 0.5
        pole = self._pole(k)
        terms = phi * pole
        moduli = weights * np.abs(phi)
        return NodeSums(
            value=float((weights * terms.real).sum()),
            absolute=float((moduli * np.abs(pole)).sum()),
            modulus=float(moduli.sum()),
            mass=float((weights * phi.real).sum()),
        )

    def _pole(self, k: NDArray[np.int64]) -> Complexes:
        """1 / z of the nodes; h / (1 - exp(-h z)) on a lattice, without loss where h z is small."""
        if self.step is None:
            return np.asarray(1.0 / (self.saddle.theta + (1j * self.saddle.spacing) * k))
        decay = math.exp(-self.step * self.saddle.theta)
        tangent = np.tan((0.5 * self.step * self.saddle.spacing) * k)
        cosine = 1.0 / (1.0 + np.square(tangent))  # of the whole angle, less 1, halved and turned: square * cosine
        inverse = np.empty(k.shape, dtype=np.complex128)
        inverse.real = -math.expm1(-self.step * self.saddle.theta) + 2.0 * decay * np.square(tangent) * cosine
        inverse.imag = 2.0 * decay * tangent * cosine
        return np.asarray(self.step / inverse)

    def smoothing(self, horizon: float) -> float:
        """How much the extremal majorant of type `horizon` exceeds exp(-theta x) 1{x >= 0} in integral.

        On a lattice that is finer than the horizon can tell, also the difference of the two poles.
        """
        x = 2.0 * math.pi * self.saddle.theta / horizon
        width = 2.0 * math.pi / horizon
        excess = width * (0.5 + x / 12.0) if x < 1e-3 else width / -math.expm1(-x) - 1.0 / self.saddle.theta
        return excess + (self.step or 0.0)

    def tail(
        self, sums: NodeSums, *, smoothing: float, dropped: float, level: float, complete: bool, method: TailMethod
    ) -> UpperTail:
        """Turn the sums into P(X >= 0).

        Parameters
        ----------
        sums : NodeSums
            Nodes that were summed.
        smoothing : float
            From the horizon, see `smoothing`; 0 if the sum covers a whole period.
        dropped : float
            Bound on the sum of the moduli of all terms below the horizon that were not summed.
        level : float
            Average of |phi| far out, as far as was looked: what remains of it beyond is expected to be at most that.
        complete : bool
            Whether these are all nodes of one period of a lattice.
        method : str
            What the tail is labelled with.
        """
        saddle = self.saddle
        value = sums.value / saddle.period
        if saddle.subtract_image:
            wrapped = saddle.theta * saddle.period
            value -= math.exp(-saddle.log_mgf - wrapped) / -math.expm1(-wrapped)
        if not value > 0.0:
            return UpperTail(log_p=0.0, tie=0.0, method=method, relative_error=math.inf, expected_error=math.inf)
        shift = saddle.theta * max(math.sqrt(saddle.variance), saddle.mean)
        scale = 1.0 / (saddle.period * value)
        rounding = EPSILON * (
            4.0 * self.problem.n_steps * sums.absolute * scale + 8.0 * (abs(saddle.log_mgf) + shift) + 64.0
        )
        seen = dropped * scale + saddle.image_error / value + rounding
        unseen = smoothing * sums.modulus * scale
        tie = of_tie = 0.0
        if self.step is not None:
            tie = min(max(self.step * sums.mass * scale, _SMALLEST_TIE), 1.0)
            of_tie = (seen if complete else max(tie, unseen)) / tie
        return UpperTail(
            log_p=saddle.log_mgf + math.log(value),
            tie=tie,
            method=method,
            relative_error=seen + unseen,
            expected_error=seen + min(unseen, level / value),
            tie_error=of_tie,
        )
