"""Exact tails of many pairs of systems on the same instances, vectorised over pairs.

Rows whose differences are neither few nor on a lattice have their tilts and the main lobe of their contour computed
together; what one look along the contour decides is decided row by row with the functions of `contour`, so that numbers
and bounds are those of a single pair. Every row for which that is not enough takes the way of a single pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError
from reportkit.resampling.contour import MainLobe, enough_for_a_look, gap, looked
from reportkit.resampling.lattice import find_lattice
from reportkit.resampling.null_distribution import (
    FEW_DRAWS,
    LARGEST_RELATIVE_ERROR,
    MOST_FLIPS,
    bootstrap_tail,
    sign_flip_tail,
)
from reportkit.resampling.quadrature import Quadrature
from reportkit.resampling.returns import SMALLEST_LOOK, look_for_returns
from reportkit.resampling.saddle import CLOSE, IMAGE_TARGET, MAIN_LOBE, Saddle, find_saddle
from reportkit.resampling.step_sums import (
    Complexes,
    DrawSum,
    FlipSum,
    Floats,
    Steps,
    StepSum,
    flip_chance,
    log_cosh,
    product,
    whole_powers,
)
from reportkit.resampling.tail_probability import TailProbability

_BLOCK = 1 << 16  # differences worked on at once, so that they stay in the cache
_NEWTON_STEPS = 12
_MOST_NODES = 64


def sign_flip_tails(
    differences: ArrayLike, *, max_relative_error: float = LARGEST_RELATIVE_ERROR
) -> list[TailProbability | None]:
    """Exact sign-flip permutation tests of the mean for many pairs of systems.

    Parameters
    ----------
    differences : (n_pairs, n) array_like
        One row of paired differences for each pair, finite.
    max_relative_error : float
        Largest guaranteed relative error that is acceptable.

    Returns
    -------
    list of (TailProbability or None)
        For each row what `sign_flip_tail` gives, up to rounding.

    Raises
    ------
    InputError
        If the array is not two-dimensional, is empty, or holds a number that is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> tails = sign_flip_tails(np.array([[1, 1, 1, 0], [1, -1, 1, 0]]))
    >>> [round(tail.p_greater, 12) for tail in tails]
    [0.125, 0.5]
    """
    return _all_rows(differences, max_relative_error, sign_flip_tail, _FlipRows.of)


def bootstrap_tails(
    differences: ArrayLike, *, max_relative_error: float = LARGEST_RELATIVE_ERROR
) -> list[TailProbability | None]:
    """Exact paired bootstrap tests of the mean for many pairs of systems.

    Parameters
    ----------
    differences : (n_pairs, n) array_like
        One row of paired differences for each pair, finite.
    max_relative_error : float
        Largest guaranteed relative error that is acceptable.

    Returns
    -------
    list of (TailProbability or None)
        For each row what `bootstrap_tail` gives, up to rounding.

    Raises
    ------
    InputError
        If the array is not two-dimensional, is empty, or holds a number that is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> tails = bootstrap_tails(np.array([[1, 1, 1, 0], [1, -1, 1, 0]]))
    >>> [round(tail.p_greater * 4**4) for tail in tails]
    [0, 104]
    """
    return _all_rows(differences, max_relative_error, bootstrap_tail, _DrawRows.of)


def _all_rows(
    differences: ArrayLike,
    max_relative_error: float,
    single: Callable[..., TailProbability | None],
    together: Callable[[Floats], _Rows | None],
) -> list[TailProbability | None]:
    array = np.asarray(differences, dtype=np.float64)
    if array.ndim != 2 or not array.size:
        raise InputError(
            f"differences have the shape {array.shape}", remedy="pass one row of differences for each pair"
        )
    if not np.isfinite(array).all():
        pair, instance = (int(place[0]) for place in np.nonzero(~np.isfinite(array)))
        raise InputError(
            f"the difference of pair {pair} at position {instance} is {array[pair, instance]}",
            remedy="leave out instances without a finite score in both systems",
        )
    result: list[TailProbability | None] = []
    rows_at_once = max(_BLOCK // array.shape[1], 1)
    for first in range(0, array.shape[0], rows_at_once):
        block = array[first : first + rows_at_once]
        rows = together(block)
        found = {} if rows is None else _quick_tails(rows, max_relative_error)
        for row, differences_of_pair in enumerate(block):
            result.append(found.get(row) or single(differences_of_pair, max_relative_error=max_relative_error))
    return result


def _quick_tails(rows: _Rows, max_relative_error: float) -> dict[int, TailProbability]:
    """Tails of those rows for which the main lobe and one look suffice."""
    theta, mean, variance = _solve(rows)
    saddles = _place(rows, theta, mean, variance)
    weights = rows.weights(theta)
    quadratures = [
        Quadrature(problem, saddle, Steps(values, weight), None)
        for problem, saddle, values, weight in zip(rows.problems, saddles, rows.values, weights, strict=True)
    ]
    gaps = [gap(quadrature) for quadrature in quadratures]
    ends = [math.ceil(near / saddle.spacing) for (near, _), saddle in zip(gaps, saddles, strict=True)]
    count = min(max(ends) + 1, _MOST_NODES)
    phi = rows.characteristic(theta, np.array([saddle.spacing for saddle in saddles]), count)
    k = np.arange(count)[None, :]
    found: dict[int, TailProbability] = {}
    for row, (quadrature, end) in enumerate(zip(quadratures, ends, strict=True)):
        if end < count and enough_for_a_look(quadrature):
            sums = quadrature.weighted(phi[row : row + 1], k, np.where(k <= end, 2.0, 0.0))
            returns = look_for_returns(quadrature.problem, quadrature.steps, SMALLEST_LOOK, None)
            upper = looked(quadrature, returns, main=MainLobe(sums, *gaps[row]))
            if upper.worst_error <= max_relative_error:
                tails = TailProbability.from_upper_tail(upper)
                found[int(rows.index[row])] = tails.swapped() if rows.turned[row] else tails
    return found


def _solve(rows: _Rows) -> tuple[Floats, Floats, Floats]:
    """Newton's method for K'(theta) = 1 / theta in all rows at once; a tilt that is not found is only less good."""
    mean, variance = rows.tilted_moments(np.zeros(len(rows.problems)))
    theta = (-mean + np.sqrt(np.square(mean) + 4.0 * variance)) / (2.0 * variance)
    for _ in range(_NEWTON_STEPS):
        mean, variance = rows.tilted_moments(theta)
        error, slope = mean - 1.0 / theta, variance + 1.0 / np.square(theta)
        moving = np.abs(error) > CLOSE * np.sqrt(slope)
        if not moving.any():
            break
        theta = np.where(moving, np.clip(theta - error / slope, 0.5 * theta, 4.0 * theta), theta)
    return theta, mean, variance


def _place(rows: _Rows, theta: Floats, mean: Floats, variance: Floats) -> list[Saddle]:
    """Periods with negligible images; a row that needs more than the usual one is placed by itself."""
    log_mgf = rows.log_mgf(theta)
    deviation = np.sqrt(variance)
    period = MAIN_LOBE * deviation + 1.0 / theta
    reach = 0.95 * period / variance
    further = np.logaddexp(rows.log_mgf(theta + reach), rows.log_mgf(theta - reach))
    gaps = np.log(-np.expm1(-reach * period)) + np.log(-np.expm1(-theta * period))
    images = further - reach * period - gaps - log_mgf
    target = IMAGE_TARGET - np.log1p(theta * deviation)
    result = []
    for row, problem in enumerate(rows.problems):
        if images[row] < target[row]:
            saddle = Saddle(
                theta=float(theta[row]),
                mean=float(mean[row]),
                variance=float(variance[row]),
                log_mgf=float(log_mgf[row]),
                period=float(period[row]),
                image_error=math.exp(images[row]),
                subtract_image=bool(reach[row] > theta[row]),
            )
        else:
            saddle = find_saddle(problem, None)
            theta[row] = saddle.theta
        result.append(saddle)
    return result


@dataclass(frozen=True, slots=True)
class _FlipRows:
    """Sign flips of several pairs.

    Parameters
    ----------
    index : (n_rows,) array
        Which rows of the block these are.
    turned : (n_rows,) bool array
        Whether the differences were negated, so that their sum is not negative.
    values : (n_rows, n) array
        Absolute differences.
    slack : (n_rows,) array
        Sums of those that are negative.
    problems : list of FlipSum
        The same, row by row.
    """

    index: NDArray[np.intp]
    turned: NDArray[np.bool_]
    values: Floats
    slack: Floats
    problems: list[StepSum]

    @classmethod
    def of(cls, differences: Floats) -> _FlipRows | None:
        """Rows that are neither few differences, nor on a lattice, nor have steps that are never flipped."""
        scaled, index = _scaled(differences)
        magnitudes = np.abs(scaled)
        gained, lost = np.maximum(scaled, 0.0).sum(axis=1), np.maximum(-scaled, 0.0).sum(axis=1)
        slack = np.minimum(gained, lost)
        plain = (np.count_nonzero(magnitudes, axis=1) > MOST_FLIPS) & (magnitudes.max(axis=1, initial=0.0) <= slack)
        for row in np.flatnonzero(plain):
            plain[row] = find_lattice(magnitudes[row]) is None
        if not plain.any():
            return None
        values = magnitudes[plain]
        problems: list[StepSum] = [FlipSum(row, None, float(c)) for row, c in zip(values, slack[plain], strict=True)]
        return cls(index[plain], (lost > gained)[plain], values, slack[plain], problems)

    def tilted_moments(self, theta: Floats) -> tuple[Floats, Floats]:
        """Mean and variance under the tilts."""
        moved = self.values * flip_chance(theta[:, None], self.values)
        return self.slack - moved.sum(axis=1), (moved * (self.values - moved)).sum(axis=1)

    def log_mgf(self, theta: Floats) -> Floats:
        """Log E exp(theta X)."""
        excess = 0.5 * self.values.sum(axis=1) - self.slack
        return np.asarray(log_cosh(0.5 * theta[:, None] * self.values).sum(axis=1) - theta * excess)

    def weights(self, theta: Floats) -> Floats:
        """Weights of the tilted steps."""
        chance = flip_chance(theta[:, None], self.values)
        return np.asarray(4.0 * chance * (1.0 - chance))

    def characteristic(self, theta: Floats, spacing: Floats, count: int) -> Complexes:
        """Tilted characteristic functions at the first `count` nodes."""
        powers = flip_chance(theta[:, None], self.values).astype(np.complex128)
        staying = 1.0 - powers.real
        turn = np.exp(-1j * (spacing[:, None] * self.values))
        result = np.empty((theta.size, count), dtype=np.complex128)
        factors = np.empty_like(powers)
        for k in range(count):
            if k:
                powers *= turn
            factors[...] = powers
            factors.real += staying
            result[:, k] = product(factors)
        result *= np.exp((1j * self.slack * spacing)[:, None] * np.arange(count))
        return result


@dataclass(frozen=True, slots=True)
class _DrawRows:
    """Draws of several pairs; see `_FlipRows`.

    Parameters
    ----------
    index, turned
        As there.
    values : (n_rows, n) array
        Centred differences.
    excess : (n_rows,) array
        Sums of the differences.
    problems : list of DrawSum
        The same, row by row.
    """

    index: NDArray[np.intp]
    turned: NDArray[np.bool_]
    values: Floats
    excess: Floats
    problems: list[StepSum]

    @classmethod
    def of(cls, differences: Floats) -> _DrawRows | None:
        """Rows that are neither few differences, nor on a lattice, nor mostly zeros."""
        n = differences.shape[1]
        scaled, index = _scaled(differences)
        turned = scaled.sum(axis=1) < 0.0
        scaled = np.where(turned[:, None], -scaled, scaled)
        total = scaled.sum(axis=1)
        plain = (np.count_nonzero(scaled, axis=1) > 0.5 * n) & (n * scaled.max(axis=1, initial=0.0) > 2.01 * total)
        plain &= n > FEW_DRAWS
        for row in np.flatnonzero(plain):
            plain[row] = find_lattice(scaled[row] - scaled[row].min()) is None
        if not plain.any():
            return None
        values = scaled[plain] - total[plain, None] / n
        chances = np.full(n, 1.0 / n)
        problems: list[StepSum] = [
            DrawSum(row, chances, n, float(t)) for row, t in zip(values, total[plain], strict=True)
        ]
        return cls(index[plain], turned[plain], values, total[plain], problems)

    def tilted_moments(self, theta: Floats) -> tuple[Floats, Floats]:
        """Mean and variance under the tilts."""
        weights = self.weights(theta)
        n = self.values.shape[1]
        mean = (weights * self.values).sum(axis=1)
        variance = (weights * np.square(self.values - mean[:, None])).sum(axis=1)
        return n * mean - self.excess, n * variance

    def log_mgf(self, theta: Floats) -> Floats:
        """Log E exp(theta X)."""
        n = self.values.shape[1]
        exponents = theta[:, None] * self.values
        top = exponents.max(axis=1)
        far = np.where(top < 1.0, 0.0, top)
        mean = (
            np.where(
                top < 1.0,
                np.expm1(np.minimum(exponents, 1.0)).sum(axis=1),
                np.exp(exponents - far[:, None]).sum(axis=1) - n,
            )
            / n
        )
        return np.asarray(n * (far + np.log1p(mean)) - theta * self.excess)

    def weights(self, theta: Floats) -> Floats:
        """Tilted probabilities."""
        exponents = theta[:, None] * self.values
        weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def characteristic(self, theta: Floats, spacing: Floats, count: int) -> Complexes:
        """Tilted characteristic functions at the first `count` nodes."""
        n = self.values.shape[1]
        weights = self.weights(theta)
        mean = (weights * self.values).sum(axis=1)
        turn = np.exp(1j * (spacing[:, None] * (self.values - mean[:, None])))
        powers = weights.astype(np.complex128)
        one = np.empty((theta.size, count), dtype=np.complex128)
        for k in range(count):
            if k:
                powers *= turn
            one[:, k] = powers.sum(axis=1)
        result = whole_powers(one, n)
        shift = n * mean - self.excess
        result *= np.exp((1j * shift * spacing)[:, None] * np.arange(count))
        return result


_Rows = _FlipRows | _DrawRows


def _scaled(differences: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Rows with a non-zero difference, each times a power of two, and which ones they are."""
    largest = np.max(np.abs(differences), axis=1)
    index = np.flatnonzero(largest)
    return np.ldexp(differences[index], -np.frexp(largest[index])[1][:, None]), index
