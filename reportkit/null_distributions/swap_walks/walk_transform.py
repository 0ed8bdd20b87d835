"""Exact tails of the walk of two sums by a tilted Fourier transform in two dimensions.

The walk is tilted so that its mean lies on the boundary of the set, and put on a torus as large as all of its places
that matter. Its characteristic function is a product; a node where the product of some factors is below 1e-20 already
is left out, which leaves a few thousand nodes of a grid of a million. For each L, the probabilities of all J up to the
boundary are a geometric series under the transform. Rounding errors are relative to the tail itself, and what is left
out is bounded: by Chernoff for places, by its size for nodes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.step_sums import Complexes, Floats
from reportkit.null_distributions.swap_walks.ratio_boundary import RatioBoundary, saddle_tilt
from reportkit.null_distributions.swap_walks.swap_walk import Integers, SwapWalk, TiltedWalk
from reportkit.null_distributions.swap_walks.walk_factors import FAINT, LARGEST_TABLE, Factors
from reportkit.null_distributions.swap_walks.walk_window import Window, window_of
from reportkit.null_distributions.tail_probability import TailMethod, UpperTail

_METHOD: TailMethod = "tilted FFT"
_EPSILON = 2.0**-52
_LARGEST_WEIGHT = 600.0  # logarithm
_USELESS = 0.1


def transformed_tail(walk: SwapWalk, boundary: RatioBoundary, *, work: float) -> UpperTail | None:
    """P(difference of ratios >= delta) by the tilted transform.

    Parameters
    ----------
    walk : SwapWalk
        The walk.
    boundary : RatioBoundary
        The set whose probability is asked for; not empty.
    work : float
        How many nodes and factors may be computed.

    Returns
    -------
    UpperTail or None
        None if that is not enough.

    Examples
    --------
    Sixty wins and forty losses, with a denominator that no swap changes: the binomial tail.

    >>> walk = SwapWalk.of(np.repeat([1, -1], [60, 40]), np.zeros(100, dtype=np.int64))
    >>> boundary = RatioBoundary.observed((60, 100), (40, 100), 0)
    >>> f"{math.exp(transformed_tail(walk, boundary, work=1e6).log_p):.12g}"
    '0.0284439668205'
    """
    theta, touched = saddle_tilt(walk, boundary)
    tilted = walk.tilted(theta)
    contact = (boundary.tangent(touched)[0], touched)
    (_, highest_y), bend = walk.highest, theta[0] * boundary.bend

    def growth(l: Floats) -> Floats:  # noqa: E741
        """Log of the largest weight of a place: how far the set reaches over the tangent."""
        return np.asarray(bend * (highest_y - 2.0 * walk.step_y * l - touched) ** 2)

    window_j = window_of(tilted, 0)
    window_l = window_of(tilted, 1, growth)
    if window_j is None or window_l is None:
        return None
    largest = float(growth(np.array([window_l.first, window_l.last], dtype=np.float64)).max())
    nodes = _nodes(tilted, window_j, window_l, work) if largest < _LARGEST_WEIGHT else None
    if nodes is None:
        return None
    rows = _Rows.of(tilted, boundary, window_j, window_l, contact)
    tail, tie, rounding = nodes.sums(rows)
    if not tail > 0.0:
        return None
    lost = (
        window_l.weighted
        + math.exp(largest) * window_j.outside  # left out, also in rows that the set reaches only outside
        + float(rows.heights.max(initial=0.0)) * (window_j.outside + window_l.outside)  # comes round the torus
        + math.exp(FAINT) * float((rows.heights * rows.lengths(tilted)).sum())
    )
    exponent = theta[0] * contact[0] + theta[1] * contact[1]
    scale = _EPSILON * (8.0 + 4.0 * abs(tilted.log_mgf) + 4.0 * _magnitude(theta, contact))
    relative = (lost + rounding) / tail + scale
    if relative > _USELESS:
        return None
    relative /= 1.0 - relative  # of what is right, not of what was computed
    tie = min(max(tie / tail, relative), 1.0)
    return UpperTail(
        log_p=tilted.log_mgf - exponent + math.log(tail),
        tie=tie,
        method=_METHOD,
        relative_error=relative,
        expected_error=relative,
        tie_error=2.0 * relative / tie,
    )


def _magnitude(theta: tuple[float, float], point: tuple[float, float]) -> float:
    return abs(theta[0] * point[0]) + abs(theta[1] * point[1])


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """For each L in its window: up to which J the set reaches, and the weight of that place.

    Parameters
    ----------
    l, last : (m,) arrays of int
        L, and the largest J in the set and in the window.
    first : int
        First J of the window.
    heights : (m,) array
        exp(-theta . (place - contact)) at (last, L).
    ties : (m,) array of bool
        Whether the place lies on the boundary.
    """

    l: Integers  # noqa: E741
    last: Integers
    first: int
    heights: Floats
    ties: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        tilted: TiltedWalk,
        boundary: RatioBoundary,
        window_j: Window,
        window_l: Window,
        contact: tuple[float, float],
    ) -> _Rows:
        walk, theta = tilted.walk, tilted.theta
        l = np.arange(window_l.first, window_l.last + 1)  # noqa: E741
        most, ties = boundary.most_turned(walk, l)
        kept = most >= window_j.first
        l, most, ties = l[kept], most[kept], ties[kept]  # noqa: E741
        last = np.minimum(most, window_j.last)
        (highest_x, highest_y) = walk.highest
        x = highest_x - 2 * walk.step_x * last - contact[0]
        y = highest_y - 2 * walk.step_y * l - contact[1]
        heights = np.exp(-(theta[0] * x + theta[1] * y))
        return cls(l, last, window_j.first, heights, ties & (last == most))

    def lengths(self, tilted: TiltedWalk) -> Floats:
        """Sum of the geometric series of weights of each row."""
        ratio = math.exp(-2.0 * tilted.theta[0] * tilted.walk.step_x)
        count = (self.last - self.first + 1).astype(np.float64)
        return count if ratio == 1.0 else np.asarray((1.0 - ratio**count) / (1.0 - ratio))


@dataclass(frozen=True, slots=True, eq=False)
class _Nodes:
    """Characteristic function of the tilted walk at the nodes where it is not faint, as a table.

    Parameters
    ----------
    values : (p, size) array of complex
        By frequency of J and frequency of L; half of the frequencies of J, those with a mirror image counted twice.
    errors : (p,) array
        Bounds on the rounding errors of `values`, summed over the frequencies of L.
    omega_j : (p,) array of int
        Frequencies of J in turns of 1 / size.
    sizes : tuple of int
        Lengths of the transform.
    offset : tuple of int
        Place that the values count from.
    decay : float
        2 theta_x step_x: the weight falls by exp(-decay) from one J to the next.
    """

    values: Complexes
    errors: Floats
    omega_j: Integers
    sizes: tuple[int, int]
    offset: tuple[int, int]
    decay: float

    def sums(self, rows: _Rows) -> tuple[float, float, float]:
        """Weighted tail, mass of the ties in it, and bound on the rounding errors of either."""
        import scipy.fft

        size_j, size_l = self.sizes
        columns = scipy.fft.fft(self.values, axis=1)[:, (rows.l - self.offset[1]) & (size_l - 1)]
        corner = _turns(-np.outer(self.omega_j, rows.last - self.offset[0]), size_j)
        series, scale = self._series(rows.last - rows.first + 1)
        terms = columns * corner
        heights = rows.heights / (size_j * size_l)
        tail = float((heights * (terms * series).real.sum(axis=0)).sum())
        tie = float((heights * terms.real.sum(axis=0))[rows.ties].sum())
        # of the transform in the 2-norm (Higham 2002, theorem 24.2), and of the sums that follow
        norms = math.sqrt(size_l) * np.sqrt((np.abs(self.values) ** 2).sum(axis=1))
        additions = _EPSILON * (8.0 * size_l.bit_length() + 24.0 + 2.0 * self.omega_j.size)
        errors = (self.errors + additions * norms)[:, None] * (np.abs(series) + scale[:, None])
        return tail, tie, float((heights * errors.sum(axis=0)).sum())

    def _series(self, count: Integers) -> tuple[Complexes, Floats]:
        """Sum of exp(-z k), k = 0, ..., count - 1, for each frequency of J, and the size of its rounding errors."""
        size = self.sizes[0]
        signed = np.where(2 * self.omega_j > size, self.omega_j - size, self.omega_j)
        denominator = np.expm1(2j * np.pi * signed / size - self.decay)
        end = np.expm1(-self.decay * count)
        numerator = _turns(np.outer(self.omega_j, count), size) * (end + 1.0) - 1.0
        numerator[self.omega_j == 0] = end
        still = denominator == 0.0  # no tilt and no frequency
        denominator[still] = 1.0
        numerator[still] = count
        return numerator / denominator[:, None], 2.0 / np.abs(denominator)


def _turns(numbers: Integers, size: int) -> Complexes:
    """exp(2 pi i number / size), from a table."""
    table = np.exp(2j * np.pi * np.arange(size) / size)
    return np.asarray(table[numbers & (size - 1)])


def _nodes(tilted: TiltedWalk, window_j: Window, window_l: Window, work: float) -> _Nodes | None:
    """Multiply the factors at all nodes, leaving out those where the product is faint."""
    size_j, size_l = window_j.size, window_l.size
    if tilted.walk.j.size * max(size_j, size_l) > 2 * LARGEST_TABLE:
        return None
    factors = Factors.of(tilted, size_j, size_l)
    found = factors.bright_nodes(size_j, size_l, work)
    if found is None:
        return None
    p, q, log_modulus = found
    modulus = np.exp(log_modulus)
    modulus[(p != 0) & (2 * p != size_j)] *= 2.0
    errors = modulus * _EPSILON * factors.errors_at(p, q)
    omega_j, place_j = np.unique(p, return_inverse=True)
    if omega_j.size * size_l > work:
        return None
    table = np.zeros((omega_j.size, size_l), dtype=np.complex128)
    table[place_j, q] = modulus * np.exp(1j * factors.phases_at(p, q))
    return _Nodes(
        values=table,
        errors=np.bincount(place_j, weights=errors, minlength=omega_j.size).astype(np.float64),
        omega_j=omega_j,
        sizes=(size_j, size_l),
        offset=factors.offset,
        decay=2.0 * tilted.theta[0] * tilted.walk.step_x,
    )
