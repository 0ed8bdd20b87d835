"""Two sums over the same swaps: where the walk is when rows of A and B are exchanged by fair coins.

Exchanging the rows of A and B on an instance turns the sign of its two differences (d, e). The differences of the sums,
(X, Y) = sum of +-(d, e), are a walk on a lattice in the plane. With B the number of instances of a kind whose sign is
turned, (X, Y) = (greatest X, greatest Y) - 2 (step_x J, step_y L), where (J, L) = sum of B_k (j_k, l_k) are whole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.step_sums import Floats

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SwapWalk:
    """The walk of two sums of differences under swaps by fair coins.

    Parameters
    ----------
    multiplicities : (K,) array of int
        How many instances have each kind of difference.
    j, l : (K,) arrays of int
        The two differences of each kind, divided by `step_x` and `step_y`.
    step_x, step_y : int
        Greatest common divisors of the differences, at least 1.
    """

    multiplicities: Integers
    j: Integers
    l: Integers  # noqa: E741 - the partner of j
    step_x: int
    step_y: int

    @classmethod
    def of(cls, d: Integers, e: Integers) -> SwapWalk:
        """Group equal differences, also those of opposite sign; instances with no difference do nothing.

        Examples
        --------
        >>> walk = SwapWalk.of(np.array([2, 0, -2, 4]), np.array([1, 0, -1, 0]))
        >>> walk.multiplicities, walk.j, walk.l, walk.step_x
        (array([2, 1]), array([1, 2]), array([1, 0]), 2)
        """
        moved = (d != 0) | (e != 0)
        d, e = d[moved], e[moved]
        turned = (d < 0) | ((d == 0) & (e < 0))
        d, e = np.where(turned, -d, d), np.where(turned, -e, e)
        kinds, counts = np.unique(np.stack((d, e), axis=1), axis=0, return_counts=True)
        kinds = kinds.reshape(-1, 2)
        step_x, step_y = (max(int(np.gcd.reduce(kinds[:, axis])) if kinds.size else 0, 1) for axis in (0, 1))
        return cls(counts.astype(np.int64), kinds[:, 0] // step_x, kinds[:, 1] // step_y, step_x, step_y)

    @property
    def n_moving(self) -> int:
        """Number of instances whose rows differ."""
        return int(self.multiplicities.sum())

    @property
    def highest(self) -> tuple[int, int]:
        """(X, Y) where no sign is turned, J = L = 0."""
        return (
            self.step_x * int((self.multiplicities * self.j).sum()),
            self.step_y * int((self.multiplicities * self.l).sum()),
        )

    def extents(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Smallest and largest J, smallest and largest L."""
        j, l = self.multiplicities * self.j, self.multiplicities * self.l  # noqa: E741
        return (
            (int(j[j < 0].sum()), int(j[j > 0].sum())),
            (int(l[l < 0].sum()), int(l[l > 0].sum())),
        )

    def tilted(self, theta: tuple[float, float]) -> TiltedWalk:
        """The walk with weights exp(theta . (X, Y))."""
        exponents = theta[0] * self.step_x * self.j + theta[1] * self.step_y * self.l
        magnitude = np.abs(exponents)
        log_cosh = magnitude + np.log1p(np.exp(-2.0 * magnitude)) - math.log(2.0)
        return TiltedWalk(
            walk=self,
            theta=theta,
            log_mgf=float((self.multiplicities * log_cosh).sum()),
            log_chances=-np.logaddexp(0.0, 2.0 * exponents),
            log_stays=-np.logaddexp(0.0, -2.0 * exponents),
        )


@dataclass(frozen=True, slots=True, eq=False)
class TiltedWalk:
    """A walk under weights exp(theta . (X, Y)) / E exp(theta . (X, Y)): its steps are still independent.

    Parameters
    ----------
    walk : SwapWalk
        The walk.
    theta : tuple of float
        Tilt in X and in Y.
    log_mgf : float
        log E exp(theta . (X, Y)).
    log_chances, log_stays : (K,) arrays
        Logarithms of the probabilities that a sign is turned, and that it is not.
    """

    walk: SwapWalk
    theta: tuple[float, float]
    log_mgf: float
    log_chances: Floats
    log_stays: Floats

    @property
    def chances(self) -> Floats:
        """Probabilities that a sign is turned, shape (K,)."""
        return np.asarray(np.exp(self.log_chances))

    @property
    def stays(self) -> Floats:
        """Probabilities that it is not."""
        return np.asarray(np.exp(self.log_stays))

    def mean(self) -> tuple[float, float]:
        """Mean of J and of L."""
        turned = self.walk.multiplicities * self.chances
        return float((turned * self.walk.j).sum()), float((turned * self.walk.l).sum())

    def point(self) -> tuple[float, float]:
        """Mean of X and of Y."""
        (x, y), (j, l) = self.walk.highest, self.mean()  # noqa: E741
        return x - 2.0 * self.walk.step_x * j, y - 2.0 * self.walk.step_y * l

    def tail_bound(self, steps: Integers, distances: Floats) -> Floats:
        """Chernoff's bound on log P(S - E S >= t), S = sum of B_k steps_k, for many t > 0."""
        turned = self.walk.multiplicities * self.chances
        deviation = math.sqrt(float((turned * self.stays * steps * steps).sum()))
        mean = float((turned * steps).sum())
        best = np.zeros(distances.size)
        if deviation == 0.0:
            return np.where(distances > 1e-9 * max(abs(mean), 1.0), -np.inf, 0.0)
        largest = float(np.abs(steps).max())
        for slope in _SLOPES:
            s = slope / deviation
            if s * largest > _STEEPEST:
                break
            log_one = np.logaddexp(self.log_stays, self.log_chances + s * steps)
            log_mgf = float((self.walk.multiplicities * log_one).sum())
            best = np.minimum(best, log_mgf - s * mean - s * distances)
        return best


_SLOPES = (0.5, *(float(slope) for slope in range(1, 17)), 20.0, 25.0, 32.0, 40.0, 50.0, 64.0, 90.0, 128.0)
_STEEPEST = 300.0
