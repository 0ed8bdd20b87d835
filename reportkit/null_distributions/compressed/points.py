"""A few weighted points that stand for all differences of a pair, and where its contour lies.

With a_j = |d_j|, X = sum_j +-a_j / 2 - excess, and K(z) = sum_j log cosh(z a_j / 2) - z excess is a sum of one even
analytic function of the a_j. Its Chebyshev interpolation in a^2 has weights that depend on the a_j alone, through the
sums of their Chebyshev polynomials: the few largest steps stay as they are, and some points stand for all the others,
wherever K is wanted. The singularities of log cosh say how right that is, and the bound enters the error.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.contour.contour import NEGLIGIBLE
from reportkit.null_distributions.contour.saddle import CLOSE, IMAGE_TARGET, MAIN_LOBE
from reportkit.null_distributions.step_sums import Floats, blocks, log_cosh

_BLOCK = 1 << 15  # differences of which polynomials are summed at once
_NEWTON_STEPS = 12
_FRACTIONS = (1.0, 0.8, 0.64, 0.5, 0.4, 0.3, 0.2, 0.1)  # of the tilt at which a normal sum bounds its images best
_MULTIPLES = (1.25, 1.6, 2.0, 2.5)
OF_IMAGES = 0.1  # largest error of K by interpolation, where K only bounds the images of the period
TINY = 1e-300
_ROUGH = 32  # differences that stand for all
_MOST_NODES = 64
_TELLING = 0.5  # error of K beyond which nothing is known of phi
MANY = 256
"""From so many steps on, one look shows nearly always what is asked of any number of them."""

_SMALL = 1e-30  # a radius that is as good as 0, and can be squared twice


class Precision(NamedTuple):
    """What is small enough: less can be asked of few steps, of which moments and one look show less.

    Parameters
    ----------
    negligible : float
        -log |phi| that is as good as infinite behind the main lobe.
    interpolation : float
        Largest error of K by interpolation.
    lost : float
        Relative to the tail, beyond the horizon, where an error of 1e-3 is acceptable: the look goes on until then.
    dropped, of_a_period : float
        The same before the horizon, and over a whole period of a lattice.
    droppable : float
        Before the horizon, where no finer look has shown less.
    hopeless : float
        -log |phi| that is too small for a look, where a whole period is not looked at.
    """

    negligible: float
    interpolation: float
    lost: float
    dropped: float
    of_a_period: float
    droppable: float
    hopeless: float

    @classmethod
    def of(cls, n: int) -> Precision:
        """That of so many steps."""
        if n >= MANY:
            return cls(NEGLIGIBLE, 4e-12, 5e-4, 1e-7, 5e-12, 1e-5, 15.0)
        return cls(22.0, 1e-9, 9e-4, 1e-5, 1e-5, 9e-5, 8.0)


class Points(NamedTuple):
    """Weighted points in place of the steps of each row.

    Parameters
    ----------
    values, weights : (n_rows, n_points) array
        Halves of the steps, and how many steps each stands for; weights can be negative.
    excess : (n_rows,) array
        Half the sum of all steps minus the slack.
    radius : (n_rows,) array
        Half of the largest step that is no point of its own.
    n : int
        Steps of each row.
    degree : int or (n_rows, 1) array
        Of the interpolation.
    """

    values: Floats
    weights: Floats
    excess: Floats
    radius: Floats
    n: int
    degree: int | NDArray[np.intp]

    @property
    def is_all(self) -> bool:
        """Whether each step is a point of its own."""
        return bool(self.values.shape[1] == self.n)

    def some(self, rows: NDArray[np.intp] | slice) -> Points:
        """Those of some rows."""
        return self._replace(
            values=self.values[rows], weights=self.weights[rows], excess=self.excess[rows], radius=self.radius[rows]
        )

    def total(self, per_point: Floats) -> Floats:
        """Sum over all steps of what depends on one."""
        return np.asarray((self.weights * per_point).sum(axis=1))

    def log_mgf(self, theta: Floats) -> Floats:
        """Log E exp(theta X)."""
        return self.total(log_cosh(theta[:, None] * self.values)) - theta * self.excess

    def tilted_moments(self, theta: Floats) -> tuple[Floats, Floats]:
        """Mean and variance of X under the tilts."""
        slope = np.tanh(theta[:, None] * self.values)
        moved = self.values * slope
        return self.total(moved) - self.excess, self.total(np.square(self.values) - np.square(moved))

    def error(self, theta: Floats, y: Floats) -> Floats:
        """Bound on the error of K(theta + i y), shape (n_rows, k), by the nearest singularity of log cosh.

        In t = 2 a^2 / a_max^2 - 1, log cosh(z a / 2) is analytic within the ellipse with foci -1 and 1 through the
        place where z a / 2 is i pi / 2. A tenth within it, the function is at most 5; see Trefethen (2013),
        "Approximation Theory and Approximation Practice", theorem 8.2. Real parts of z and smaller y are better.

        Parameters
        ----------
        theta : (n_rows,) array
            Real part.
        y : (n_rows, k) array
            Imaginary parts.
        """
        real, imaginary = np.square(theta)[:, None], np.square(y)
        pole = np.square(0.5 * math.pi / np.maximum(self.radius, _SMALL))[:, None]
        # half the sum of the distances of that place from both foci
        far = np.sqrt(np.square(real - imaginary + pole) + 4.0 * real * imaginary)
        half = np.maximum((pole + far) / (real + imaginary), 1.0)
        axes = 0.9 * (half + np.sqrt((half - 1.0) * (half + 1.0)))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            bound = 20.0 * self.n * axes ** np.negative(self.degree, dtype=np.float64) / (axes - 1.0)
        return np.where(axes > 1.0, bound, np.inf)


def compressed(rows: Floats, index: NDArray[np.intp], scale: Floats, excess: Floats, cut: int, n_points: int) -> Points:
    """Points of some rows: the ends of the sorted differences as they are, Chebyshev points for those between.

    With no Chebyshev points, all differences are points of their own.
    """
    n = rows.shape[1]
    if not n_points:
        halves = 0.5 * np.abs(rows[index] * scale[:, None])
        return Points(halves, np.ones_like(halves), excess, np.full(index.size, TINY), n, 0)
    radius = np.maximum(np.maximum(-rows[index, cut], rows[index, n - cut - 1]) * scale, TINY)
    sums = np.empty((index.size, n_points))
    for part in blocks((index.size, n), _BLOCK):
        x = rows[index[part], cut : n - cut]
        x *= (math.sqrt(2.0) * (scale[part] / radius[part]))[:, None]
        np.square(x, out=x)
        x -= 1.0
        _chebyshev_sums(x, sums[part])
    angles = (np.arange(n_points) + 0.5) * (math.pi / n_points)
    table = np.cos(np.multiply.outer(np.arange(n_points), angles)) * (2.0 / n_points)
    table[0] *= 0.5
    weights = np.zeros((index.size, n_points))
    for order in range(n_points):
        weights += sums[:, order, None] * table[order]
    places = np.multiply.outer(0.5 * radius, np.sqrt(0.5 + 0.5 * np.cos(angles)))
    ends = 0.5 * scale[:, None] * np.abs(np.hstack((rows[index, :cut], rows[index, n - cut :])))
    return Points(
        np.hstack((places, ends)),
        np.hstack((weights, np.ones_like(ends))),
        excess,
        0.5 * radius,
        n,
        n_points - 1,
    )


def _chebyshev_sums(x: Floats, sums: Floats) -> None:
    """Sums of an even number of Chebyshev polynomials of each row, by T_j T_k = (T_{j+k} + T_{j-k}) / 2."""
    free = [np.empty_like(x), np.empty_like(x), np.empty_like(x)]
    before, current = np.ones_like(x), x
    sums[:, 0] = x.shape[1]
    sums[:, 1] = x.sum(axis=1)
    twice = 2.0 * x
    for order in range(1, sums.shape[1] // 2):
        sums[:, 2 * order] = 2.0 * np.einsum("ij,ij->i", current, current) - sums[:, 0]
        following = np.multiply(twice, current, out=free[order % 3])
        following -= before
        sums[:, 2 * order + 1] = 2.0 * np.einsum("ij,ij->i", current, following) - sums[:, 1]
        before, current = current, following


def rough(rows: Floats, index: NDArray[np.intp], scale: Floats, slack: Floats, cut: int) -> Points:
    """A few of the sorted differences that stand for all, to guess how many points are needed."""
    n = rows.shape[1]
    between = (cut + (np.arange(_ROUGH) + 0.5) * ((n - 2 * cut) / _ROUGH)).astype(np.intp)
    places = np.concatenate((np.arange(cut), between, np.arange(n - cut, n)))
    values = 0.5 * scale[:, None] * np.abs(rows[index[:, None], places])
    weights = np.where((places < cut) | (places >= n - cut), 1.0, (n - 2 * cut) / _ROUGH)
    points = Points(values, np.broadcast_to(weights, values.shape), slack, slack, n, 0)
    return points._replace(excess=points.total(values) - slack)


class Doubt(NamedTuple):
    """What interpolation can have changed, row by row.

    Parameters
    ----------
    scale : (n_rows,) array
        Bound on the error of K(theta), by which all nodes are multiplied.
    value, mass : (n_rows,) array
        Bounds on the error of the sum of phi times the pole over all nodes, and of the sum of phi.
    last : (n_rows,) array
        The last node that interpolation tells anything of.
    """

    scale: Floats
    value: Floats
    mass: Floats
    last: Floats


def doubt(points: Points, theta: Floats, period: Floats, step: Floats, lobe: Lobe) -> Doubt:
    """Bound what the nodes are wrong by, where |phi| itself is small: K is needed best at the saddlepoint.

    |phi(y)| <= exp(-(alpha y^2 - beta y^4) / 2) holds without interpolation, so that a node adds no more than that,
    and where K is right to e, exp(e) - 1 times as much.
    """
    ends = np.minimum(np.ceil(lobe.near * period / (2.0 * math.pi)), _MOST_NODES)
    if points.is_all:
        none = np.zeros(theta.size)
        return Doubt(none, none, none, ends)
    node = np.arange(int(ends.max()) + 1)
    y = (2.0 * math.pi / period)[:, None] * node
    error = points.error(theta, y)
    squares = np.square(y)
    modulus = np.exp(np.minimum(-0.5 * squares * (0.25 * lobe.second[:, None] - lobe.fourth[:, None] * squares), 0.0))
    wrong = np.where(error < _TELLING, np.expm1(np.minimum(error, _TELLING)), 1.0) * modulus
    wrong *= np.where(node == 0, 1.0, 2.0) * (node <= ends[:, None])
    last = np.minimum((error < _TELLING).sum(axis=1) - 1.0, ends)
    # |step / (1 - exp(-step z))| <= pi / 2 / |z| + step
    near = np.where(step > 0.0, 0.5 * math.pi, 1.0)[:, None] / np.sqrt(np.square(theta)[:, None] + squares)
    # added one after the other, as the nodes of other rows must not change the last bit
    value, mass = (np.cumsum(each, axis=1)[:, -1] for each in (wrong * (near + step[:, None]), wrong))
    return Doubt(error[:, 0], value, mass, last)


def solve(points: Points) -> tuple[Floats, Floats, Floats]:
    """Newton's method for K'(theta) = 1 / theta in all rows at once; a tilt that is not found is only less good."""
    mean, variance = points.tilted_moments(np.zeros(points.excess.size))
    theta = (-mean + np.sqrt(np.square(mean) + 4.0 * variance)) / (2.0 * variance)
    mean, variance = points.tilted_moments(theta)
    for _ in range(_NEWTON_STEPS):
        error, slope = mean - 1.0 / theta, variance + 1.0 / np.square(theta)
        moving = np.flatnonzero(np.abs(error) > CLOSE * np.sqrt(slope))
        if not moving.size:
            break
        theta[moving] = np.clip(theta[moving] - error[moving] / slope[moving], 0.5 * theta[moving], 4.0 * theta[moving])
        mean[moving], variance[moving] = points.some(moving).tilted_moments(theta[moving])
    return theta, mean, np.maximum(variance, TINY)


class Tilted(Protocol):
    """Sums of several rows, of which K is known at any real tilt."""

    def some(self, rows: NDArray[np.intp]) -> Self:
        """Those of some rows."""

    def log_mgf(self, theta: Floats) -> Floats:
        """Log E exp(theta X)."""


def periods(
    points: Tilted,
    theta: Floats,
    variance: Floats,
    log_mgf: Floats,
    step: Floats,
    highest: Floats,
    spread: Floats,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Periods, the logarithms of their images relative to exp(K(theta)), and how far the tilts that bound them are.

    The images above and below have Chernoff bounds of their own, each at the best of a few tilts, as in `find_saddle`;
    above the highest value there is none. A period is as long as both need to be small. The best tilt of a normal sum
    is tried first, below with the variance `spread`: under smaller tilts the variance is larger.
    """
    deviation = np.sqrt(variance)
    shortest = MAIN_LOBE * deviation + 1.0 / theta
    # of either side, less what is added at the shortest period, which is less at longer ones
    wanted = IMAGE_TARGET - np.log1p(theta * deviation) - math.log(2.0) - 2.0 * OF_IMAGES
    wanted += np.log(-np.expm1(-theta * shortest))
    period = shortest.copy()
    excesses, reaches = np.full((2, theta.size), -np.inf), np.zeros((2, theta.size))
    for side, (sign, usual) in enumerate(((-1.0, spread), (1.0, variance))):
        needed, best = np.full(theta.size, np.inf), np.sqrt(-2.0 * wanted / usual)
        asked = np.flatnonzero(period <= highest) if side else np.arange(theta.size)
        excesses[side, asked] = np.inf
        for fractions in (_FRACTIONS, _MULTIPLES):  # the length falls, and then rises, as the tilt does either
            left = asked[
                (needed[asked] > period[asked]) & ((fractions is _FRACTIONS) | (reaches[side, asked] == best[asked]))
            ]
            for fraction in fractions:
                if not left.size:
                    break
                far = fraction * best[left]
                excess = points.some(left).log_mgf(theta[left] + sign * far) - log_mgf[left]
                excess -= np.log(-np.expm1(-far * shortest[left]))
                length = (excess - wanted[left]) / far
                better = length < needed[left]
                left = left[better]
                needed[left], excesses[side, left], reaches[side, left] = length[better], excess[better], far[better]
                left = left[needed[left] > period[left]]
        period = np.maximum(period, np.where(reaches[side] > 0.0, needed, 0.0))
    on_lattice = step > 0.0
    period[on_lattice] = step[on_lattice] * np.ceil(period[on_lattice] / step[on_lattice])
    images = np.logaddexp(*(excesses - reaches * period)) + 2.0 * OF_IMAGES
    images -= np.log(-np.expm1(-theta * period))
    return period, images, reaches[1], reaches[0]


class Lobe(NamedTuple):
    """What moments of the tilted steps tell of |phi|, row by row: log |phi(y)| <= -(second y^2 / 4 - fourth y^4) / 2.

    Parameters
    ----------
    near, far : (n_rows,) array
        Interval on which |phi| is negligible; empty where the bound is too weak.
    total : (n_rows,) array
        Sum of the weights of the steps.
    second, fourth : (n_rows,) array
        Sum of their squares with these weights, and a 48th of that of their fourth powers.
    """

    near: Floats
    far: Floats
    total: Floats
    second: Floats
    fourth: Floats


def gap(points: Points, theta: Floats) -> Lobe:
    """Interval on which |phi| is negligible by two moments of the steps.

    As `contour.gap`: log |phi(y)| <= -(alpha y^2 - beta y^4) / 2. Where that is too weak the interval is empty.
    """
    small = Precision.of(points.n).negligible
    squares = np.square(points.values)
    weights = 1.0 - np.square(np.tanh(theta[:, None] * points.values))
    alpha = points.total(weights * squares)
    beta = points.total(weights * np.square(squares)) / 3.0
    root = np.square(alpha) - 8.0 * beta * small
    found = root > 0.0
    root = np.sqrt(np.maximum(root, 0.0))
    near = np.where(found, np.sqrt(4.0 * small / (alpha + root)), MAIN_LOBE / np.sqrt(alpha))
    far = np.where(found, np.sqrt((alpha + root) / (2.0 * np.maximum(beta, TINY))), 0.0)
    return Lobe(near, far, points.total(weights), 4.0 * alpha, beta)
