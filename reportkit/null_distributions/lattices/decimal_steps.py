"""Of which rows all differences are multiples of a decimal step, and which could be multiples of another one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.step_sums import Floats, blocks

_DECIMALS = 6
_TOLERANCE = 1e-12
LARGEST_MULTIPLE = 10**6
"""Of a decimal step that is looked for."""

_LOOKED_AT = 8  # differences of a row that tell continuous ones from a lattice
_FRACTIONS = 40


def decimal_steps(rows: Floats, index: NDArray[np.intp], largest: Floats, most: float = LARGEST_MULTIPLE) -> Floats:
    """Decimal step of which all differences of a row are multiples without a common divisor; 0 where there is none.

    Parameters
    ----------
    rows : (n_all_rows, n) array
        Differences.
    index : (n_rows,) array
        Which rows are looked at.
    largest : (n_rows,) array
        Their largest differences, by absolute value.
    most : float
        Multiples of a power of ten up to which a step is looked for.
    """
    few = rows[np.ix_(index, np.arange(0, rows.shape[1], max(rows.shape[1] // 16, 1)))]
    step = np.zeros(index.size)
    finest = 10.0**_DECIMALS
    possible = _whole(few * finest, 2.0 * largest * finest)  # multiples of the others are its own
    for decimals in range(_DECIMALS + 1 if possible.any() else 0):
        scale = 10.0**decimals
        left = np.flatnonzero(possible & (step == 0.0) & (largest * scale <= most))
        left = left[_whole(few[left] * scale, largest[left] * scale)]
        for part in blocks((left.size, rows.shape[1])):
            multiples = rows[index[left[part]]] * scale
            here = left[part][_whole(multiples, largest[left[part]] * scale)]
            step[here] = 1.0 / scale
    found = np.flatnonzero(step)
    divisors = np.gcd.reduce(np.rint(few[found] / step[found, None]).astype(np.int64), axis=1)
    for row in found[divisors != 1]:
        divisor = 0
        for first in range(0, rows.shape[1], 64):
            multiples = np.rint(rows[index[row], first : first + 64] / step[row]).astype(np.int64)
            divisor = math.gcd(divisor, int(np.gcd.reduce(multiples)))
            if divisor == 1:
                break
        step[row] *= divisor
    return step


def may_be_lattice(rows: Floats, index: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether a few differences of a row are fractions of the largest with a common denominator; see `find_lattice`."""
    looked_at = np.linspace(0, rows.shape[1] - 1, _LOOKED_AT).astype(np.intp)
    ratios = np.abs(rows[index[:, None], looked_at])
    ratios /= ratios[:, [0, -1]].max(axis=1, keepdims=True)  # rows are sorted
    before, denominator = np.zeros_like(ratios), np.ones_like(ratios)
    fraction = ratios - np.floor(ratios)
    for _ in range(_FRACTIONS):
        far = np.abs(ratios * denominator - np.rint(ratios * denominator)) > _TOLERANCE * denominator
        far &= (denominator <= LARGEST_MULTIPLE).all(axis=1, keepdims=True)  # one that has none is enough
        if not far.any():
            break
        inverse = 1.0 / np.where(far, np.maximum(fraction, _TOLERANCE), 1.0)
        whole = np.floor(inverse)
        fraction = np.where(far, inverse - whole, fraction)
        before, denominator = np.where(far, (denominator, whole * denominator + before), (before, denominator))
    common = np.ones(index.size, dtype=np.int64)
    for column in np.minimum(denominator, 2.0 * LARGEST_MULTIPLE).astype(np.int64).T:
        common = np.minimum(np.lcm(common, column), 2 * LARGEST_MULTIPLE)
        if (common > LARGEST_MULTIPLE).all():
            break
    return np.asarray(common <= LARGEST_MULTIPLE)


def _whole(multiples: Floats, largest: Floats) -> NDArray[np.bool_]:
    return np.asarray((np.abs(multiples - np.rint(multiples)) <= (_TOLERANCE * largest)[:, None]).all(axis=1))
