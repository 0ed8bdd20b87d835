"""Sums of steps of several pairs of systems at once: the arithmetic of `step_sums` on rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.enumeration import MOST_FLIPS
from reportkit.null_distributions.lattices.lattice import RELATIVE_TOLERANCE, find_lattice
from reportkit.null_distributions.null_distribution import FEW_DRAWS
from reportkit.null_distributions.step_sums import (
    Complexes,
    DrawSum,
    FlipSum,
    Floats,
    StepSum,
    flip_chance,
    flip_characteristics,
    log_cosh,
    unit_circle,
    whole_powers,
)


@dataclass(frozen=True, slots=True)
class RowSums(ABC):
    """Sums X of several pairs that are suited to the contour, row by row.

    Parameters
    ----------
    index : (n_rows,) array
        Which rows of the differences these are.
    turned : (n_rows,) bool array
        Whether the differences were negated, so that their sum is not negative.
    values : (n_rows, n) array
        Steps: absolute differences for flips, centred ones for draws.
    constant : (n_rows,) array
        The `slack` of flips, the `excess` of draws.
    problems : list of StepSum
        The same, row by row.
    never : (n_rows,) array
        Numbers of steps that are larger than all that has to be made up for, and so are never flipped; they are 0 here.
    """

    index: NDArray[np.intp]
    turned: NDArray[np.bool_]
    values: Floats
    constant: Floats
    problems: list[StepSum]
    never: Floats

    @classmethod
    @abstractmethod
    def of(cls, differences: Floats) -> Self | None:
        """Those of some rows of differences that the contour suits; None if there are none."""

    def some(self, rows: NDArray[np.intp]) -> Self:
        """Sums of some rows; `index`, `turned`, `problems` and `never` stay those of all."""
        return replace(self, values=self.values[rows], constant=self.constant[rows])

    @abstractmethod
    def tilted_moments(self, theta: Floats) -> tuple[Floats, Floats]:
        """Mean and variance under the tilts."""

    @abstractmethod
    def log_mgf(self, theta: Floats) -> Floats:
        """Log E exp(theta X)."""

    @abstractmethod
    def weights(self, theta: Floats) -> Floats:
        """Weights of the tilted steps."""

    @abstractmethod
    def characteristic(self, theta: Floats, spacing: Floats, count: int) -> Complexes:
        """Tilted characteristic functions at the first `count` nodes, shape (n_rows, count)."""


@dataclass(frozen=True, slots=True)
class FlipRows(RowSums):
    """Sign flips of several pairs."""

    @classmethod
    def of(cls, differences: Floats) -> Self | None:
        """Rows in which neither few differences may be flipped, nor those on a lattice."""
        scaled, index = _scaled(differences)
        magnitudes = np.abs(scaled)
        gained, lost = np.maximum(scaled, 0.0).sum(axis=1), np.maximum(-scaled, 0.0).sum(axis=1)
        slack = np.minimum(gained, lost)
        out_of_reach = magnitudes > (slack + RELATIVE_TOLERANCE * magnitudes.sum(axis=1))[:, None]
        never = np.count_nonzero(out_of_reach, axis=1)
        magnitudes[out_of_reach] = 0.0
        if never.any():
            scale = -np.frexp(np.where(never, magnitudes.max(axis=1), 0.5))[1]
            magnitudes, slack = np.ldexp(magnitudes, scale[:, None]), np.ldexp(slack, scale)
        plain = (np.count_nonzero(magnitudes, axis=1) > MOST_FLIPS) & (magnitudes.max(axis=1, initial=0.0) <= slack)
        plain &= slack <= 0.5 * magnitudes.sum(axis=1)
        for row in np.flatnonzero(plain):
            plain[row] = find_lattice(magnitudes[row]) is None
        if not plain.any():
            return None
        values = magnitudes[plain]
        problems: list[StepSum] = [FlipSum(row, None, float(c)) for row, c in zip(values, slack[plain], strict=True)]
        return cls(index[plain], (lost > gained)[plain], values, slack[plain], problems, never[plain].astype(float))

    def tilted_moments(self, theta: Floats) -> tuple[Floats, Floats]:
        """Mean and variance under the tilts."""
        moved = self.values * flip_chance(theta[:, None], self.values)
        return self.constant - moved.sum(axis=1), (moved * (self.values - moved)).sum(axis=1)

    def log_mgf(self, theta: Floats) -> Floats:
        """Log E exp(theta X)."""
        excess = 0.5 * self.values.sum(axis=1) - self.constant
        return np.asarray(log_cosh(0.5 * theta[:, None] * self.values).sum(axis=1) - theta * excess)

    def weights(self, theta: Floats) -> Floats:
        """Weights of the tilted steps."""
        chance = flip_chance(theta[:, None], self.values)
        return np.asarray(4.0 * chance * (1.0 - chance))

    def characteristic(self, theta: Floats, spacing: Floats, count: int) -> Complexes:
        """Tilted characteristic functions at the first `count` nodes, shape (n_rows, count)."""
        return flip_characteristics(self.values, self.constant, theta, spacing, count)


@dataclass(frozen=True, slots=True)
class DrawRows(RowSums):
    """Draws of several pairs."""

    @classmethod
    def of(cls, differences: Floats) -> Self | None:
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
        return cls(index[plain], turned[plain], values, total[plain], problems, np.zeros(len(problems)))

    def tilted_moments(self, theta: Floats) -> tuple[Floats, Floats]:
        """Mean and variance under the tilts."""
        weights = self.weights(theta)
        n = self.values.shape[1]
        mean = (weights * self.values).sum(axis=1)
        variance = (weights * np.square(self.values - mean[:, None])).sum(axis=1)
        return n * mean - self.constant, n * variance

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
        return np.asarray(n * (far + np.log1p(mean)) - theta * self.constant)

    def weights(self, theta: Floats) -> Floats:
        """Tilted probabilities."""
        exponents = theta[:, None] * self.values
        weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def characteristic(self, theta: Floats, spacing: Floats, count: int) -> Complexes:
        """Tilted characteristic functions at the first `count` nodes, shape (n_rows, count)."""
        n = self.values.shape[1]
        weights = self.weights(theta)
        mean = (weights * self.values).sum(axis=1)
        turn = unit_circle(spacing[:, None] * (self.values - mean[:, None]))
        powers = weights.astype(np.complex128)
        one = np.empty((theta.size, count), dtype=np.complex128)
        for k in range(count):
            if k:
                powers *= turn
            one[:, k] = powers.sum(axis=1)
        result = whole_powers(one, n)
        shift = n * mean - self.constant
        result *= np.exp((1j * shift * spacing)[:, None] * np.arange(count))
        return result


def _scaled(differences: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Rows with a non-zero difference, each times a power of two, and which ones they are."""
    largest = np.max(np.abs(differences), axis=1)
    index = np.flatnonzero(largest)
    return np.ldexp(differences[index], -np.frexp(largest[index])[1][:, None]), index
