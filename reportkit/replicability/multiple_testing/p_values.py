"""What counts as a vector of p-values and as a level, and when a p-value is at most the level."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError, SettingsError
from reportkit.language.counts_and_lists import listed

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

SMALLEST_P_VALUE = float(np.finfo(np.float64).tiny)
"""Combined p-values below 2.2e-308 are given as this number: never 0, and never less than the true value."""

_TOLERANCE = 1e-12
_RELATIVE_TOLERANCE = 1e-6
_BELOW_ONE = math.nextafter(1.0, 0.0)
_LISTED = 5


def check_p_values(p_values: ArrayLike) -> FloatArray:
    """Return p-values as an array of float64.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        Numbers in (0, 1]. The last axis runs over the datasets.

    Returns
    -------
    ndarray of float64
        The same numbers; not a copy where none is needed.

    Raises
    ------
    InputError
        If there is no p-value, or something is not a number in (0, 1]; the message says what and where.

    Examples
    --------
    >>> check_p_values([0.5, 1, 1e-320]).shape
    (3,)
    >>> check_p_values([0.04, 0.0, 0.3])
    Traceback (most recent call last):
    reportkit.errors.InputError: 1 of 3 p-values is not in (0, 1]
      where: position 1 (counted from 0): 0
      to do: floor Monte Carlo p-values at 1 / (n_resamples + 1); give a printed 0 as the upper end of its rounding
             cell (0.0000 stands for up to 0.00005); divide percentages by 100; leave out datasets without a p-value
    """
    try:
        values = np.asarray(p_values)
    except ValueError as error:
        raise InputError(f"p-values are no array of numbers: {error}", remedy="give as many in each row") from None
    if np.ma.is_masked(p_values) or values.dtype.kind not in "fiu":
        raise InputError(
            f"p-values are no array of numbers, but {values.dtype}", remedy="give numbers, none of them masked"
        )
    if values.ndim == 0 or values.shape[-1] == 0:
        raise InputError("p-values are no sequence, or there are none", remedy="give a sequence: [0.04, 0.3]")
    values = values.astype(np.float64, copy=False)
    bad = ~((values > 0) & (values <= 1))
    if bad.any():
        places, number = np.argwhere(bad), int(np.count_nonzero(bad))
        shown = [
            f"position {', '.join(map(str, place))} (counted from 0): {values[tuple(place)]:g}" for place in places
        ]
        raise InputError(
            f"{number} of {values.size} p-values {'is' if number == 1 else 'are'} not in (0, 1]",
            where=listed(shown[:_LISTED], total=number),
            remedy="floor Monte Carlo p-values at 1 / (n_resamples + 1); give a printed 0 as the upper end of its "
            "rounding\ncell (0.0000 stands for up to 0.00005); divide percentages by 100; leave out datasets without a "
            "p-value",
        )
    return values


def check_alpha(alpha: float) -> float:
    """Return the level as a float strictly between 0 and 1.

    Raises
    ------
    SettingsError
        If it is anything else.

    Examples
    --------
    >>> check_alpha(0.05)
    0.05
    """
    if not _is_level(alpha):
        raise SettingsError(f"alpha is {alpha!r}", remedy="give one number strictly between 0 and 1, such as 0.05")
    return float(alpha)


def rejection_level(alpha: float) -> float:
    """Return the largest p-value that is rejected at `alpha`: alpha and a tolerance for rounding.

    3 x 0.1 is not 0.3 in floating point, so that a p-value of exactly alpha / N could fall on either side. All
    decisions of this package compare with this number, so that they agree with each other.

    Parameters
    ----------
    alpha : float
        Strictly between 0 and 1.

    Returns
    -------
    float
        alpha + 1e-12; for alpha below 1e-6, alpha x (1 + 1e-6), so that the tolerance never matters against the level.
        Always below 1: a p-value of 1 is never rejected.

    Examples
    --------
    >>> 0.1 * 3 <= 0.3, 0.1 * 3 <= rejection_level(0.3)
    (False, True)
    """
    return _rejection_level(check_alpha(alpha))


@lru_cache
def _rejection_level(level: float) -> float:
    return min(level + min(_TOLERANCE, _RELATIVE_TOLERANCE * level), _BELOW_ONE)


def _is_level(alpha: object) -> bool:
    if type(alpha) is float:  # asked for of every claim
        return SMALLEST_P_VALUE < alpha < 1
    if isinstance(alpha, bool) or not isinstance(alpha, int | float | np.floating | np.integer):
        return False
    return SMALLEST_P_VALUE < float(alpha) < 1
