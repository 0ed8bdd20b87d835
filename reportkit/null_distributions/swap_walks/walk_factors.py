"""The factors of the characteristic function of a tilted walk, and the nodes at which their product is not faint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reportkit.null_distributions.step_sums import Floats
from reportkit.null_distributions.swap_walks.swap_walk import Integers, TiltedWalk

FAINT = -46.0
"""Logarithm of the size of a product that counts as nothing: 1e-20."""

LARGEST_TABLE = 6_000_000
"""Kinds of differences times half the length of the transform."""

_PATIENCE = 8.0
_SMALLEST_SQUARE = (4.0 * 2.0**-52) ** 2  # below it, a factor is not told from 0
_FIRST_CELLS = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """Logarithms of the factors of the characteristic function at all multiples of one turn / size, to half a turn.

    Parameters
    ----------
    log_moduli, phases, errors : (K, size / 2 + 1) arrays
        Of (1 - p + p exp(i t))^m, those that bring the product down soonest first, and bounds on their rounding errors
        in units of 2^-52.
    by_j, by_l : lists of int
        Which multiple belongs to frequency 1 of J, and of L.
    size : int
        A power of two.
    offset : tuple of int
        Place where no instance of a kind is turned for which not to be turned is likelier, and the others all are.
    """

    log_moduli: Floats
    phases: Floats
    errors: Floats
    by_j: list[int]
    by_l: list[int]
    size: int
    offset: tuple[int, int]

    @classmethod
    def of(cls, tilted: TiltedWalk, size_j: int, size_l: int) -> Factors:
        """Tabulate the factors for transforms of these lengths, powers of two."""
        walk, size = tilted.walk, max(size_j, size_l)
        likely = tilted.log_chances > tilted.log_stays
        chances = np.where(likely, tilted.stays, tilted.chances)
        sign = np.where(likely, -1, 1)
        order = np.lexsort((walk.l, walk.j, -walk.multiplicities * chances * (1.0 - chances)))
        p, m = chances[order, None], walk.multiplicities[order, None]
        turns = np.arange(size // 2 + 1) / size
        half = np.sin(np.pi * turns) ** 2
        real, imaginary = 1.0 - 2.0 * p * half, p * np.sin(2.0 * np.pi * turns)
        missing = 4.0 * p * (1.0 - p) * half  # 1 - |factor|^2, exact where it is small
        near = missing < 0.5
        square = np.where(near, 1.0 - missing, np.maximum(real**2 + imaginary**2, _SMALLEST_SQUARE))
        logs = 0.5 * np.where(near, np.log1p(-np.minimum(missing, 0.5)), np.log(square))
        angles = np.arctan2(imaginary, real)
        errors = (
            6.0 * np.abs(angles) / np.sqrt(square) + np.where(near, 8.0 * missing, 8.0 / np.sqrt(square)) - 2.0 * logs
        )
        turned = walk.multiplicities * likely
        return cls(
            log_moduli=m * logs,
            phases=m * angles,
            errors=m * errors,
            by_j=((sign * walk.j)[order] * (size // size_j)).tolist(),
            by_l=((sign * walk.l)[order] * (size // size_l)).tolist(),
            size=size,
            offset=(int((turned * walk.j).sum()), int((turned * walk.l).sum())),
        )

    def phases_at(self, p: Integers, q: Integers) -> Floats:
        """Phase of the product at some nodes."""
        total = np.zeros(p.size)
        for phase, a, b in zip(self.phases, self.by_j, self.by_l, strict=True):
            turns = (a * p + b * q) & (self.size - 1)
            back = self.size - turns
            total += np.where(turns <= back, phase[np.minimum(turns, back)], -phase[np.minimum(turns, back)])
        return total

    def errors_at(self, p: Integers, q: Integers) -> Floats:
        """Bound on the relative rounding error of the product at some nodes, in units of 2^-52."""
        total = np.full(p.size, 4.0 * len(self.by_j) + 16.0)
        for error, a, b in zip(self.errors, self.by_j, self.by_l, strict=True):
            turns = (a * p + b * q) & (self.size - 1)
            total += error[np.minimum(turns, self.size - turns)]
        return total

    def bright_nodes(self, size_j: int, size_l: int, work: float) -> tuple[Integers, Integers, Floats] | None:
        """Frequencies where the product is not faint, and the logarithm of its size; None if that takes too much work.

        A cell of frequencies in which every product is faint is left out as a whole: on it, no factor is larger than
        at the point nearest to a full turn. The others are halved until they are single nodes.
        """
        cell = 1
        while (size_j // (2 * cell) + 1) * (size_l // cell) > _FIRST_CELLS and 2 * cell < min(size_j, size_l):
            cell *= 2
        p, q = (cell * grid.ravel() for grid in np.indices((size_j // (2 * cell) + 1, size_l // cell)))
        left = _PATIENCE * work
        while True:
            p, q, log_modulus, done = self._bright_cells(p, q, cell, left)
            left -= done
            if left <= 0.0:
                return None
            if cell == 1:
                return p, q, log_modulus
            cell //= 2
            p, q = np.concatenate((p, p + cell, p, p + cell)), np.concatenate((q, q, q + cell, q + cell))
            kept = p <= size_j // 2
            p, q = p[kept], q[kept]

    def _bright_cells(
        self, p: Integers, q: Integers, cell: int, work: float
    ) -> tuple[Integers, Integers, Floats, float]:
        """Cells with first nodes (p, q) that are not faint everywhere, bounds on their products, and the work done."""
        size, rest = self.size, cell - 1
        log_modulus = np.zeros(p.size)
        done = 0.0
        for factor, a, b in zip(self.log_moduli, self.by_j, self.by_l, strict=True):
            done += p.size
            if done > work:
                break
            turns = a * p + b * q
            if rest:  # twice the distance of the middle from a full turn, less that of the middle from the corners
                middle = (2 * turns + rest * (a + b)) & (2 * size - 1)
                nearest = np.minimum(middle, 2 * size - middle) - rest * (abs(a) + abs(b))
                log_modulus += factor[np.maximum(nearest, 0) >> 1]
            else:
                turns &= size - 1
                log_modulus += factor[np.minimum(turns, size - turns)]
            bright = log_modulus > FAINT
            if np.count_nonzero(bright) < 0.9 * p.size:
                p, q, log_modulus = p[bright], q[bright], log_modulus[bright]
        bright = log_modulus > FAINT
        return p[bright], q[bright], log_modulus[bright], done
