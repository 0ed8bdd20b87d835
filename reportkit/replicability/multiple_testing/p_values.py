"""What counts as a vector of p-values and as a level, and when a p-value is at most the level."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError, SettingsError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

SMALLEST_P_VALUE = float(np.finfo(np.float64).tiny)
"""Combined p-values below 2.2e-308 are given as this number: never 0, and never less than the true value."""

_TOLERANCE = 1e-12
_RELATIVE_TOLERANCE = 1e-6
_BELOW_ONE = math.nextafter(1.0, 0.0)
_LISTED = 5


def check_p_values(p_values: ArrayLike, *, name: str = "p_values") -> FloatArray:
    """P-values as an array of float64, or an error that says which of them cannot be one.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        Numbers in (0, 1]. The last axis runs over the datasets.
    name : str
        What the caller calls them, for the message.

    Returns
    -------
    ndarray of float64
        The same numbers; not a copy where none is needed.

    Raises
    ------
    InputError
        If there is no p-value, if something is not a number, is NaN, negative, above 1, or exactly 0.

    Examples
    --------
    >>> check_p_values([0.5, 1, 1e-320]).shape
    (3,)
    >>> check_p_values([0.04, 0.0, 0.3])
    Traceback (most recent call last):
    reportkit.errors.InputError: 1 of 3 p_values is 0, which no p-value can be
      where: position 1 (counted from 0)
      to do: floor Monte Carlo p-values at 1 / (n_resamples + 1); for a printed 0 give the upper end of its rounding
             cell (0.0000 stands for up to 0.00005)
    """
    values = _as_float(p_values, name)
    if values.ndim == 0:
        raise InputError(f"{name} is the single number {values[()]:g}", remedy=f"give a sequence: [{values[()]:g}]")
    if values.shape[-1] == 0:
        raise InputError(f"{name} is empty", remedy="give at least one p-value")
    if values.size and not (values.min() > 0 and values.max() <= 1):  # NaN fails both comparisons
        _raise_for_bad(values, name)
    return values


def check_alpha(alpha: float) -> float:
    """The level as a float strictly between 0 and 1.

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
    """Largest p-value that is rejected at `alpha`: alpha and a tolerance for rounding.

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


def _as_float(p_values: ArrayLike, name: str) -> FloatArray:
    if np.ma.is_masked(p_values):
        raise InputError(f"{name} has masked values", remedy="leave the datasets without a p-value out")
    remedy = "give numbers, as many in each row"
    try:
        raw = np.asarray(p_values)
        has_text = raw.dtype.kind == "O" and any(isinstance(value, str | bytes | bool) for value in raw.flat)
        if raw.dtype.kind in "fiuO" and not has_text:
            return raw.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read as an array of numbers: {error}", remedy=remedy) from None
    found = "text or bool" if has_text else f"type {raw.dtype}"
    raise InputError(f"{name} has values of {found}", remedy=remedy)


def _raise_for_bad(values: FloatArray, name: str) -> None:
    floor = "floor Monte Carlo p-values at 1 / (n_resamples + 1); for a printed 0 give the upper end of its rounding\n"
    floor += "cell (0.0000 stands for up to 0.00005)"
    for bad, what, remedy in (
        (np.isnan(values), "NaN", "leave out the datasets without a p-value, or find out why the test gave none"),
        (values < 0, "negative", "p-values lie in (0, 1]; were test statistics given instead?"),
        (values > 1, "above 1", "p-values lie in (0, 1]; divide percentages by 100"),
        (values == 0, "0, which no p-value can be", floor),
    ):
        n_bad = int(np.count_nonzero(bad))
        if n_bad:
            raise InputError(
                f"{n_bad} of {values.size} {name} {'is' if n_bad == 1 else 'are'} {what}",
                where=_positions(values, bad),
                remedy=remedy,
            )


def _positions(values: FloatArray, bad: NDArray[np.bool_]) -> str:
    places = np.argwhere(bad)
    shown = [
        (str(place[0]) if len(place) == 1 else "(" + ", ".join(map(str, place)) + ")")
        + ("" if values[tuple(place)] == 0 or math.isnan(values[tuple(place)]) else f" ({values[tuple(place)]:.6g})")
        for place in places[:_LISTED].tolist()
    ]
    more = f" and {len(places) - _LISTED} more" if len(places) > _LISTED else ""
    return f"position{'s' if len(places) > 1 else ''} {', '.join(shown)}{more} (counted from 0)"
