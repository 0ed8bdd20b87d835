"""Find the lattice on which differences lie: integers times one step."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.step_sums import Floats

RELATIVE_TOLERANCE = 1e-12
"""Differences count as equal, zero or on a lattice up to this fraction of the largest one: 12 significant digits."""

LARGEST_MULTIPLE = 10**6
"""A lattice with more steps than this between zero and the largest difference is left to the continuous methods."""

_CHANCE = 30_000  # up to here a denominator found for a single ratio is no accident
_FIRST_LOOK = 24  # so many values tell continuous data from a lattice


@dataclass(frozen=True, slots=True)
class Lattice:
    """Values as integer multiples of a step.

    Parameters
    ----------
    multiples : (n,) int64 array
        Multiples whose greatest common divisor is 1.
    step : float
        Positive step; values equal multiples * step up to 12 significant digits of the largest.
    """

    multiples: NDArray[np.int64]
    step: float


def find_lattice(values: Floats, *, largest_multiple: int = LARGEST_MULTIPLE) -> Lattice | None:
    """Write `values` as integers times a step, or return None where they are not.

    Parameters
    ----------
    values : (n,) array
        Finite numbers of any scale; zeros are allowed.
    largest_multiple : int
        How many steps the largest value may be away from zero.

    Returns
    -------
    Lattice or None
        None also for values that are only almost on a lattice: a deviation of more than 1e-12 of the largest absolute
        value on one of them suffices.

    Notes
    -----
    Each value that is not yet a multiple is divided by the largest and written as a fraction, the simplest within 1e-12
    (continued fractions); the denominators' least common multiple is the number of steps up to the largest value.

    Examples
    --------
    >>> import numpy as np
    >>> lattice = find_lattice(np.array([0.3 - 0.1, 0.2, -0.5, 0.0]))
    >>> lattice.multiples.tolist(), round(lattice.step, 12)
    ([2, 2, -5, 0], 0.1)
    >>> find_lattice(np.array([1.0, 2.0, 3.0 + 1e-10])) is None
    True
    """
    largest = float(np.max(np.abs(values), initial=0.0))
    if largest == 0.0:
        return Lattice(np.zeros(values.size, dtype=np.int64), 1.0)
    denominator: int | None = 1
    for value in (values[:_FIRST_LOOK] / largest).tolist():  # most data are told apart from a lattice by the first two
        denominator = _extended(denominator, value, largest_multiple)
        if denominator is None:
            return None
    scaled = values / largest
    denominator = _common_denominator(scaled, denominator, largest_multiple)
    if denominator is None:
        return None
    multiples = np.rint(scaled * denominator).astype(np.int64)
    if denominator > _CHANCE and np.unique(np.abs(multiples)).size <= 3:
        return None  # any two numbers are that close to a lattice as fine as that
    divisor = int(np.gcd.reduce(multiples))
    return Lattice(multiples // divisor, largest * divisor / denominator)


def _common_denominator(scaled: Floats, denominator: int | None, largest: int) -> int | None:
    """Smallest multiple of `denominator` that makes all numbers whole, up to the tolerance; None above `largest`."""
    while denominator is not None:
        products = scaled * denominator
        wrong = np.abs(products - np.rint(products)) > RELATIVE_TOLERANCE * denominator
        if not wrong.any():
            break
        denominator = _extended(denominator, float(scaled[int(np.argmax(wrong))]), largest)
    return denominator


def _extended(denominator: int | None, value: float, largest: int) -> int | None:
    """Smallest multiple of `denominator` that makes one more number whole; None above `largest`."""
    if denominator is None:
        return None
    if abs(value * denominator - round(value * denominator)) <= RELATIVE_TOLERANCE * denominator:
        return denominator
    denominator = math.lcm(denominator, _simplest_denominator(value, largest))
    return denominator if denominator <= largest else None


def _simplest_denominator(value: float, largest: int) -> int:
    """Denominator of the first convergent that is close enough; more than `largest` if there is none."""
    before, denominator = 0, 1
    whole = math.floor(value)
    fraction = value - whole
    while abs(value * denominator - round(value * denominator)) > RELATIVE_TOLERANCE * denominator:
        if denominator > largest:
            break
        inverse = 1.0 / fraction
        whole = math.floor(inverse)
        fraction = inverse - whole
        before, denominator = denominator, whole * denominator + before
    return denominator
