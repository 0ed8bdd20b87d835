"""Ranks of predictions and gold scores, ties sharing their mean rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_KEPT_BITS = 40
"""Of the 53 bits of a float; values that agree in these, which is to 12 significant digits, are tied."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """The order of some values.

    Parameters
    ----------
    codes : ndarray of int of shape (n,)
        0 for the smallest value, 1 for the next larger one, ...; tied values have one code.
    counts : ndarray of int of shape (n_codes,)
        How often each code occurs.
    """

    codes: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Number of values."""
        return int(self.codes.size)

    @property
    def below(self) -> NDArray[np.int64]:
        """How many values are smaller than those of each code, shape (n_codes,)."""
        return np.asarray(np.cumsum(self.counts) - self.counts)

    @property
    def midranks(self) -> NDArray[np.float64]:
        """Rank of each value, from 1, ties sharing the mean of theirs; shape (n,)."""
        by_code = self.below + (self.counts + 1) / 2
        return np.asarray(by_code[self.codes])


def ranked(values: NDArray[np.float64]) -> Ranked:
    """Put finite values in order; those that agree to 12 significant digits are tied.

    Without that, 0.1 + 0.2 would rank above 0.3.

    Examples
    --------
    >>> ranked(np.array([0.3, 0.2, 0.1 + 0.2, 0.9])).midranks
    array([2.5, 1. , 2.5, 4. ])
    """
    _, codes, counts = np.unique(_rounded(values), return_inverse=True, return_counts=True)
    return Ranked(codes=codes.reshape(-1).astype(np.int64), counts=counts.astype(np.int64))


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    mantissas, exponents = np.frexp(values)
    rounded = np.ldexp(np.rint(np.ldexp(mantissas, _KEPT_BITS)), -_KEPT_BITS)
    # a mantissa that was rounded up to 1 at the top of the range of a float would overflow
    return np.asarray(np.where(np.isfinite(scaled := _scaled(rounded, exponents)), scaled, values) + 0.0)


def _scaled(mantissas: NDArray[np.float64], exponents: NDArray[np.int32]) -> NDArray[np.float64]:
    with np.errstate(over="ignore"):
        return np.asarray(np.ldexp(mantissas, exponents))
