"""Sign flips of many pairs of systems at once: a few weighted points stand for all differences of a pair.

With a_j = |d_j|, X = sum_j +-a_j / 2 - excess, and K(z) = sum_j log cosh(z a_j / 2) - z excess is a sum of one even
analytic function of the a_j. Its Chebyshev interpolation in a^2 has weights that depend on the a_j alone, through the
sums of their Chebyshev polynomials: the few largest steps stay as they are, and 20 points stand for all the others,
wherever K is wanted. The singularities of log cosh say how right that is, and the bound enters the error.

Everything else is that of `contour`: saddlepoint, period, main lobe, the gap behind it, and one look along the contour.
Where one look is not enough the row is left to `contour_tail`. No number of a row depends on other rows.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.contour.contour import NEGLIGIBLE
from reportkit.null_distributions.contour.saddle import CLOSE, IMAGE_TARGET, MAIN_LOBE
from reportkit.null_distributions.enumeration import MOST_FLIPS
from reportkit.null_distributions.step_sums import Floats, log_cosh
from reportkit.null_distributions.tail_probability import TailProbability, UpperTail

_BLOCK = 1 << 15  # differences worked on at once, so that they stay in the cache
_FEWEST = 701  # differences; of fewer, the look of `contour.returns` sees further
_TRIALS = ((128, 20), (16, 48))
"""One in so many differences, at either end, is a point of its own, and so many points stand for the others."""

_NEWTON_STEPS = 12
_LENGTHENED = 5  # times that a period is made longer until its images are negligible
_MOST_NODES = 40
_BINS = 1 << 13
_LONGEST_PERIOD = 1 << 17
_ZONE = 64  # cells of the look that are judged one by one
_FLOAT32_NOISE = 2e-5  # relative to the number of steps; rounding of a float32 transform stays far below
_DROPPED = 5e-12  # relative to the tail
_INTERPOLATION = 1e-10  # largest error of K by interpolation
_OF_IMAGES = 0.1  # the same where K only bounds the images of the period
_DECIMALS = 6
_TOLERANCE = 1e-12
_LARGEST_MULTIPLE = 10**6
_SHORT = 1 << 14  # steps of a period that a transform would sum as well, and a single pair leaves to it
_LOOKED_AT = 8  # differences of a row that tell continuous ones from a lattice
_FRACTIONS = 40
_EPSILON = float(np.finfo(np.float64).eps)
_TINY = 1e-300
_SMALL = 1e-30  # a radius that is as good as 0, and can be squared twice


class _Points(NamedTuple):
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
    degree : int
        Of the interpolation.
    """

    values: Floats
    weights: Floats
    excess: Floats
    radius: Floats
    n: int
    degree: int

    def some(self, rows: NDArray[np.intp]) -> _Points:
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

    def error(self, theta: Floats, y: Floats | float = 0.0) -> Floats:
        """Bound on the error of K(theta + i y), by the nearest singularity of log cosh.

        In t = 2 a^2 / a_max^2 - 1, log cosh(z a / 2) is analytic within the ellipse with foci -1 and 1 through the
        place where z a / 2 is i pi / 2. A tenth within it, the function is at most 5; see Trefethen (2013),
        "Approximation Theory and Approximation Practice", theorem 8.2. Real parts of z and smaller y are better.
        """
        place = -2.0 * np.square((0.5 * math.pi / np.maximum(self.radius, _SMALL)) / (theta + 1j * y)) - 1.0
        root = np.sqrt(np.square(place) - 1.0)
        axes = 0.9 * np.maximum(np.abs(place + root), np.abs(place - root))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            bound = 20.0 * self.n * axes ** -float(self.degree) / (axes - 1.0)
        return np.where(axes > 1.0, bound, np.inf)


def compressed_flip_tails(rows: Floats, max_relative_error: float) -> dict[int, TailProbability]:
    """Exact sign-flip tails of the rows for which the main lobe and one look suffice.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n)
        Differences of each pair, finite, sorted.
    max_relative_error : float
        Largest guaranteed relative error that is acceptable.

    Returns
    -------
    dict
        By the number of a row; rows that this does not suit are missing.

    Examples
    --------
    >>> rows = np.sort(np.random.default_rng(0).normal(0.05, 1.0, (1, 1000)))
    >>> {row: f"{tail.p_greater:.4f}" for row, tail in compressed_flip_tails(rows, 1e-3).items()}
    {0: '0.4746'}
    """
    found: dict[int, TailProbability] = {}
    if rows.shape[1] < _FEWEST:
        return found
    for share, n_points in _TRIALS:
        left = np.array([row for row in range(rows.shape[0]) if row not in found], dtype=np.intp)
        if left.size:
            some = _tails(rows[left], rows.shape[1] // share, n_points, max_relative_error)
            found.update((int(left[place]), tails) for place, tails in some.items())
    return found


def _tails(rows: Floats, cut: int, n_points: int, max_relative_error: float) -> dict[int, TailProbability]:
    """Those with so many points of their own at either end, and so many for the differences between."""
    n = rows.shape[1]
    scale = np.ldexp(1.0, -np.frexp(np.maximum(-rows[:, 0], rows[:, -1]))[1])
    slack, turned, suited = _slack(rows, scale)
    index = np.flatnonzero(suited)
    if not index.size:
        return {}
    scale, slack = scale[index], slack[index]
    points = _compressed(rows, index, scale, slack, cut, n_points)
    step = _steps(rows, index) * scale
    theta, mean, variance = _solve(points)
    deviation = np.sqrt(variance)
    log_mgf = points.log_mgf(theta)
    period, images, reach = _periods(points, theta, variance, log_mgf, step)
    spacing = 2.0 * math.pi / period
    fit = images < IMAGE_TARGET - np.log1p(theta * deviation)
    near, far, total, second = _gap(points, theta)
    ends = np.ceil(near / spacing)
    fit &= (ends < _MOST_NODES) & (far > near)
    largest = np.maximum(-rows[index, 0], rows[index, -1]) * scale
    on_lattice = step > 0.0
    fit &= np.where(
        on_lattice, largest > 1.5 * step, ~_may_be_lattice(rows[index], largest / scale)
    )  # one size: binomial
    if step.any():
        fit &= ~on_lattice | (2.0 * (ends + 1.0) * spacing < 2.0 * math.pi / np.where(on_lattice, step, 1.0))
    inexact = points.error(theta, ends * spacing)
    fit &= (inexact < _INTERPOLATION) & (points.error(theta + reach) < _OF_IMAGES)
    keep = np.flatnonzero(fit)
    if not keep.size:
        return {}
    contour = _Contour(*(each[keep] for each in (theta, spacing, period, step, ends, far, total, second)))
    sums = _main_lobe(points.some(keep), contour)
    look = _look(rows, index[keep], scale[keep], contour)
    with np.errstate(over="ignore"):
        below = np.exp(-log_mgf[keep] - contour.theta * contour.period) / -np.expm1(-contour.theta * contour.period)
    value = sums.value / contour.period - np.where(reach[keep] > contour.theta, below, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        in_value = 1.0 / (contour.period * value)
        shift = contour.theta * np.maximum(deviation[keep], mean[keep])
        rounding = _EPSILON * (4.0 * n * sums.absolute * in_value + 8.0 * (np.abs(log_mgf[keep]) + shift) + 64.0)
        seen = look.dropped * in_value + np.exp(images[keep]) / value + rounding
        seen += inexact[keep] * (1.0 + 2.0 * sums.absolute * in_value)
        unseen = look.smoothing * sums.modulus * in_value
        tie = np.where(look.complete, np.clip(contour.step * sums.mass * in_value, 0.0, 1.0), 0.0)
    found: dict[int, TailProbability] = {}
    narrow = look.complete & (contour.period <= _SHORT * contour.step)
    right = (value > 0.0) & (look.dropped <= _DROPPED * sums.value)
    for place in np.flatnonzero(right):
        row = int(index[keep[place]])
        upper = UpperTail(
            log_p=float(log_mgf[keep[place]]) + math.log(value[place]),
            tie=float(tie[place]),
            method="tilted FFT" if narrow[place] else "contour quadrature",
            relative_error=float(seen[place] + unseen[place]),
            expected_error=float(seen[place] + min(unseen[place], math.exp(-NEGLIGIBLE))),
            tie_error=float(seen[place]) if look.complete[place] else 0.0,
        )
        if upper.worst_error <= max_relative_error:
            tails = TailProbability.from_upper_tail(upper)
            found[row] = tails.swapped() if turned[row] else tails
    return found


def _slack(rows: Floats, scale: Floats) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """What has to be made up for, scaled, in which rows it is the gain, and which rows suit a contour."""
    gained, lost, nonzero = np.empty(scale.size), np.empty(scale.size), np.empty(scale.size, dtype=np.intp)
    for part in _blocks(rows.shape):
        scaled = rows[part] * scale[part, None]
        gained[part] = np.maximum(scaled, 0.0).sum(axis=1)
        lost[part] = np.maximum(-scaled, 0.0).sum(axis=1)
        nonzero[part] = np.count_nonzero(scaled, axis=1)
    slack = np.minimum(gained, lost)
    largest = np.maximum(-rows[:, 0], rows[:, -1]) * scale
    return slack, lost > gained, (nonzero > MOST_FLIPS) & (largest <= slack)


def _blocks(shape: tuple[int, ...]) -> list[slice]:
    at_once = max(_BLOCK // shape[1], 1)
    return [slice(first, first + at_once) for first in range(0, shape[0], at_once)]


def _compressed(
    rows: Floats, index: NDArray[np.intp], scale: Floats, slack: Floats, cut: int, n_points: int
) -> _Points:
    """Points of some rows: the ends of the sorted differences as they are, Chebyshev points for those between."""
    n = rows.shape[1]
    radius = np.maximum(np.maximum(-rows[index, cut], rows[index, n - cut - 1]) * scale, _TINY)
    sums = np.empty((index.size, n_points))
    total = np.empty(index.size)
    for part in _blocks((index.size, n)):
        scaled = np.abs(rows[index[part]] * scale[part, None])
        total[part] = scaled.sum(axis=1)
        x = scaled[:, cut : n - cut] / radius[part, None]
        np.square(x, out=x)
        x *= 2.0
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
    return _Points(
        np.hstack((places, ends)),
        np.hstack((weights, np.ones_like(ends))),
        0.5 * total - slack,
        0.5 * radius,
        n,
        n_points - 1,
    )


def _chebyshev_sums(x: Floats, sums: Floats) -> None:
    """Sums of the Chebyshev polynomials of each row, by T_j T_k = (T_{j+k} + T_{j-k}) / 2."""
    before, current = np.ones_like(x), x
    sums[:, 0] = x.shape[1]
    sums[:, 1] = x.sum(axis=1)
    twice = 2.0 * x
    for order in range(1, sums.shape[1] // 2):
        sums[:, 2 * order] = 2.0 * np.einsum("ij,ij->i", current, current) - sums[:, 0]
        following = twice * current
        following -= before
        sums[:, 2 * order + 1] = 2.0 * np.einsum("ij,ij->i", current, following) - sums[:, 1]
        before, current = current, following


def _steps(rows: Floats, index: NDArray[np.intp]) -> Floats:
    """Decimal step of which all differences of a row are multiples without a common divisor; 0 where there is none."""
    few = np.arange(0, rows.shape[1], max(rows.shape[1] // 16, 1))
    largest = np.maximum(-rows[index, 0], rows[index, -1])
    step = np.zeros(index.size)
    for decimals in range(_DECIMALS + 1):
        scale = 10.0**decimals
        left = np.flatnonzero((step == 0.0) & (largest * scale <= _LARGEST_MULTIPLE))
        left = left[_whole(rows[np.ix_(index[left], few)] * scale, largest[left] * scale)]
        for part in _blocks((left.size, rows.shape[1])):
            multiples = rows[index[left[part]]] * scale
            here = left[part][_whole(multiples, largest[left[part]] * scale)]
            step[here] = 1.0 / scale
    for row in np.flatnonzero(step):
        divisor = 0
        for first in range(0, rows.shape[1], 64):
            multiples = np.rint(rows[index[row], first : first + 64] / step[row]).astype(np.int64)
            divisor = math.gcd(divisor, int(np.gcd.reduce(multiples)))
            if divisor == 1:
                break
        step[row] *= divisor
    return step


def _may_be_lattice(rows: Floats, largest: Floats) -> NDArray[np.bool_]:
    """Whether a few differences of a row are fractions of the largest with a common denominator; see `find_lattice`."""
    looked_at = np.linspace(0, rows.shape[1] - 1, _LOOKED_AT).astype(np.intp)
    ratios = np.abs(rows[:, looked_at]) / largest[:, None]
    before, denominator = np.zeros_like(ratios), np.ones_like(ratios)
    fraction = ratios - np.floor(ratios)
    for _ in range(_FRACTIONS):
        far = np.abs(ratios * denominator - np.rint(ratios * denominator)) > _TOLERANCE * denominator
        far &= denominator <= _LARGEST_MULTIPLE
        if not far.any():
            break
        inverse = 1.0 / np.where(far, np.maximum(fraction, _TOLERANCE), 1.0)
        whole = np.floor(inverse)
        fraction = np.where(far, inverse - whole, fraction)
        before, denominator = np.where(far, (denominator, whole * denominator + before), (before, denominator))
    common = np.ones(rows.shape[0], dtype=np.int64)
    for column in np.minimum(denominator, 2.0 * _LARGEST_MULTIPLE).astype(np.int64).T:
        common = np.minimum(np.lcm(common, column), 2 * _LARGEST_MULTIPLE)
    return np.asarray(common <= _LARGEST_MULTIPLE)


def _whole(multiples: Floats, largest: Floats) -> NDArray[np.bool_]:
    return np.asarray((np.abs(multiples - np.rint(multiples)) <= (_TOLERANCE * largest)[:, None]).all(axis=1))


def _solve(points: _Points) -> tuple[Floats, Floats, Floats]:
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
    return theta, mean, np.maximum(variance, _TINY)


def _periods(
    points: _Points, theta: Floats, variance: Floats, log_mgf: Floats, step: Floats
) -> tuple[Floats, Floats, Floats]:
    """Periods, the logarithms of their images relative to exp(K(theta)), and how far the tilt that bounds them is."""
    deviation = np.sqrt(variance)
    target = IMAGE_TARGET - np.log1p(theta * deviation)
    period = MAIN_LOBE * deviation + 1.0 / theta
    images, reach = np.full(theta.size, np.inf), np.empty(theta.size)
    left = np.arange(theta.size)
    for _ in range(_LENGTHENED):
        h = np.where(step[left] > 0.0, step[left], 1.0)
        period[left] = np.where(step[left] > 0.0, h * np.ceil(period[left] / h), period[left])
        some, tilt, long = points.some(left), theta[left], period[left]
        reach[left] = far = 0.95 * long / variance[left]
        further = np.logaddexp(some.log_mgf(tilt + far), some.log_mgf(tilt - far)) + 2.0 * _OF_IMAGES
        images[left] = further - far * long - np.log(-np.expm1(-far * long)) - np.log(-np.expm1(-tilt * long))
        images[left] -= log_mgf[left]
        left = left[~(images[left] < target[left])]
        if not left.size:
            break
        period[left] *= 1.1
    return period, images, reach


def _gap(points: _Points, theta: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Interval on which |phi| is negligible by two moments of the steps, their weights, and their weighted squares.

    As `contour.gap`: log |phi(y)| <= -(alpha y^2 - beta y^4) / 2.
    """
    squares = np.square(points.values)
    weights = 1.0 - np.square(np.tanh(theta[:, None] * points.values))
    alpha = points.total(weights * squares)
    beta = points.total(weights * np.square(squares)) / 3.0
    root = np.square(alpha) - 8.0 * beta * NEGLIGIBLE
    root = np.sqrt(np.maximum(root, 0.0))
    near = np.sqrt(4.0 * NEGLIGIBLE / (alpha + root))
    far = np.where(root > 0.0, np.sqrt((alpha + root) / (2.0 * np.maximum(beta, _TINY))), 0.0)
    return near, far, points.total(weights), 4.0 * alpha


class _Contour(NamedTuple):
    """Of each row, what the contour is made of.

    Parameters
    ----------
    theta, spacing, period : (n_rows,) array
        Tilt, distance of nodes, and the period that belongs to it.
    step : (n_rows,) array
        Lattice step, or 0.
    ends, far : (n_rows,) array
        Last node of the main lobe, and where the gap behind it ends.
    total, second : (n_rows,) array
        Sums of the weights of the tilted steps, and of their squares with these weights.
    """

    theta: Floats
    spacing: Floats
    period: Floats
    step: Floats
    ends: Floats
    far: Floats
    total: Floats
    second: Floats


class _Sums(NamedTuple):
    """Over the nodes of the main lobe: phi times the pole, the moduli of these terms and of phi, and phi."""

    value: Floats
    absolute: Floats
    modulus: Floats
    mass: Floats


def _main_lobe(points: _Points, contour: _Contour) -> _Sums:
    """Sum the nodes 0, ..., ends and their mirror images."""
    sums = _Sums(*(np.zeros(contour.theta.size) for _ in range(4)))
    tilted = contour.theta[:, None] * points.values
    tanh = np.tanh(tilted)
    sech = 1.0 - np.square(tanh)
    for node in range(int(contour.ends.max()) + 1):
        here = np.flatnonzero(contour.ends >= node)
        y = node * contour.spacing[here]
        angles = y[:, None] * points.values[here]
        slope = np.tan(angles)
        sine = np.square(slope)
        sine /= 1.0 + sine  # of sine itself, squared
        # |cosh(u + iv)|^2 = cosh(u)^2 - sin(v)^2, and its angle is that of cos(v) (1 + i tanh(u) tan(v))
        log_modulus = 0.5 * np.log1p(-sine * sech[here])
        slope *= tanh[here]
        phase = np.arctan(slope) + math.pi * np.rint(angles / math.pi)
        weights = points.weights[here]
        modulus = np.exp((weights * log_modulus).sum(axis=1))
        angle = (weights * phase).sum(axis=1) - y * points.excess[here]
        phi = modulus * np.exp(1j * angle)
        z = contour.theta[here] + 1j * y
        step = contour.step[here]
        safe = np.where(step > 0.0, step, 1.0)
        pole = np.where(step > 0.0, -safe / np.expm1(-safe * z), 1.0 / z)
        times = 1.0 if node == 0 else 2.0
        sums.value[here] += times * (phi * pole).real
        sums.absolute[here] += times * modulus * np.abs(pole)
        sums.modulus[here] += times * modulus
        sums.mass[here] += times * phi.real
    return sums


class _Look(NamedTuple):
    """Of each row, what is not summed.

    Parameters
    ----------
    dropped : (n_rows,) array
        Bound on all terms below the horizon that were not summed.
    smoothing : (n_rows,) array
        What is lost beyond it, see `Quadrature.smoothing`.
    complete : (n_rows,) bool array
        Whether nothing is lost, because the horizon is the end of the period of a lattice.
    """

    dropped: Floats
    smoothing: Floats
    complete: NDArray[np.bool_]


def _look(rows: Floats, index: NDArray[np.intp], scale: Floats, contour: _Contour) -> _Look:
    """Bound |phi| from the gap behind the main lobe to the horizon; see `contour.returns` for the inequalities.

    log |phi(y)| <= -g(y)^2 / 2 with g(y)^2 = sum_j w_j sin^2(y a_j / 2), and g(y + e) >= g(y) - g(e).
    """
    import scipy.fft

    n = rows.shape[1]
    dropped, smoothing = np.full(index.size, np.inf), np.full(index.size, np.inf)
    complete = np.zeros(index.size, dtype=np.bool_)
    # what the bound can afford: g is about the root of half the weights, and has to stay above `needed`
    total, second = contour.total, contour.second
    typical = 0.5 * (total - 1.3 * np.sqrt(total * math.log(_BINS)))
    slack = 0.95 * np.sqrt(np.maximum(typical, 0.0)) - math.sqrt(2.0 * (NEGLIGIBLE + 6.0))
    able = slack > 0.03 * np.sqrt(total)
    whole = 2.0 * math.pi / np.where(contour.step > 0.0, contour.step, 1.0)
    exact_bins = np.ceil(whole * np.sqrt(second) / (4.0 * np.maximum(slack, _TINY)))
    exact = able & (contour.step > 0.0) & (exact_bins <= _BINS)
    able &= (contour.step == 0.0) | exact | (exact_bins > _LONGEST_PERIOD)  # a single pair looks at a whole period
    finer = np.exp2(np.ceil(np.log2(np.maximum(4.0 * exact_bins, 2.0))))
    n_bins = np.where(exact, np.minimum(finer, _BINS), _BINS).astype(np.intp)
    for bins, is_exact in sorted({(int(b), bool(e)) for b, e in zip(n_bins[able], exact[able], strict=True)}):
        chosen = np.flatnonzero(able & (n_bins == bins) & (exact == is_exact))
        at_once = max(_BLOCK // max(n, bins // 4), 1)
        for first in range(0, chosen.size, at_once):
            here = chosen[first : first + at_once]
            steps = np.abs(rows[index[here]] * scale[here, None])
            decay = np.exp(-contour.theta[here, None] * steps)
            weights = decay / np.square(0.5 + 0.5 * decay)
            root = np.sqrt(second[here])
            bin_width = contour.step[here] if is_exact else math.pi * root / (slack[here] * bins)
            width = 2.0 * math.pi / (bin_width * bins)
            cell = 0.25 * width * root
            scaled = steps / bin_width[:, None]
            indices = np.rint(scaled)
            shift = np.zeros(here.size)
            horizon = 0.5 * whole[here]
            if not is_exact:
                scaled -= indices
                shift = 0.5 * bin_width * np.sqrt(np.einsum("ij,ij,ij->i", weights, scaled, scaled))
                horizon = np.minimum((slack[here] - cell) / shift, 0.5 * bins * width)
            places = indices.astype(np.intp) % bins
            places += np.arange(0, bins * here.size, bins)[:, None]
            binned = np.bincount(places.ravel(), weights=weights.ravel(), minlength=bins * here.size)
            cosines = scipy.fft.rfft(binned.astype(np.float32).reshape(here.size, bins), axis=1).real
            # cells from the end of the gap to the horizon: the first ones by themselves, the others by the worst
            cells = np.arange(bins // 2 + 1)
            inside = (cells + 0.5) * width[:, None] > contour.far[here, None]
            inside &= (cells - 0.5) * width[:, None] <= horizon[:, None]
            weight = total[here, None]
            highest = np.where(inside, cosines, -weight)
            norms = np.sqrt(np.maximum(0.5 * (weight - highest[:, :_ZONE]) - _FLOAT32_NOISE * weight, 0.0))
            norms -= shift[:, None] * (cells[:_ZONE] + 0.5) * width[:, None]
            smallest = norms.min(axis=1)
            if cells.size > _ZONE:
                others = 0.5 * (total[here] - highest[:, _ZONE:].max(axis=1)) - _FLOAT32_NOISE * total[here]
                others = np.sqrt(np.maximum(others, 0.0)) - shift * (horizon + 0.5 * width)
                smallest = np.minimum(smallest, others)
            level = np.exp(-0.5 * np.square(np.maximum(smallest - cell, 0.0)))
            theta, spacing = contour.theta[here], contour.spacing[here]
            limit = np.floor(horizon / spacing)
            if not is_exact:
                smoothing[here] = _smoothing(theta, (limit + 1.0) * spacing) + contour.step[here]
            else:
                smoothing[here] = 0.0
            complete[here] = is_exact
            start = (contour.ends[here] + 1.0) * spacing
            pole = (0.5 * math.pi / start + contour.step[here]) if is_exact else 1.0 / start + smoothing[here]
            between = np.maximum(np.floor(contour.far[here] / spacing) - contour.ends[here], 0.0)
            dropped[here] = 2.0 * pole * (between * math.exp(-NEGLIGIBLE) + limit * level)
    return _Look(dropped, smoothing, complete)


def _smoothing(theta: Floats, horizon: Floats) -> Floats:
    """As `Quadrature.smoothing`."""
    x = 2.0 * math.pi * theta / horizon
    width = 2.0 * math.pi / horizon
    return np.where(x < 1e-3, width * (0.5 + x / 12.0), width / -np.expm1(-np.maximum(x, 1e-3)) - 1.0 / theta)
