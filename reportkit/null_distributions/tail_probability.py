"""Both tails of a null distribution at the observed value, with how they were computed and how right they are."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from typing import Literal, Self

SMALLEST_P_VALUE = sys.float_info.min
"""A probability too small for a float is given as this number, 2.2e-308: never as 0."""

TailMethod = Literal["closed form", "tilted FFT", "contour quadrature", "enumeration", "bracket"]


_LEVELS = 128


def _coarsely_up(bound: float) -> float:
    """The next higher of 64 values from one power of two to the next.

    P-values are raised by the bound, and what is left of a difference depends on how a processor rounds: all of them
    are to give the same.

    Examples
    --------
    >>> _coarsely_up(1.0), _coarsely_up(1.00001), _coarsely_up(0.0)
    (1.0, 1.015625, 0.0)
    """
    if not 0.0 < bound < math.inf:
        return float(bound)
    mantissa, exponent = math.frexp(bound)
    return math.ldexp(math.ceil(mantissa * _LEVELS), exponent) / _LEVELS


@dataclass(frozen=True, slots=True, kw_only=True)
class UpperTail:
    """P(X >= 0) of one sum X, on the way to a `TailProbability`.

    Parameters
    ----------
    log_p : float
        Natural logarithm of P(X >= 0); minus infinity if the event is impossible.
    tie : float
        P(X = 0) as a fraction of P(X >= 0), in [0, 1]; 0 where it is too small to be told from 0.
    method : str
        Which way of computing.
    relative_error : float
        Bound on the relative error of P(X >= 0), true for every input.
    expected_error : float
        Relative error to expect if the data hide no lattice that is finer than what was looked at.
    tie_error : float
        Bound on the relative error of `tie`.
    """

    log_p: float
    tie: float
    method: TailMethod
    relative_error: float
    expected_error: float
    tie_error: float = 0.0

    @property
    def worst_error(self) -> float:
        """Bound on the relative error of both P(X >= 0) and P(X <= 0)."""
        p = math.exp(min(self.log_p, 0.0))
        return self._worst(p, max(1.0 - p * (1.0 - self.tie), 0.0))

    def _worst(self, p: float, p_less: float) -> float:
        other = p * (self.relative_error + self.tie_error * self.tie) + 2.0**-52
        return max(self.relative_error, other / p_less if p_less > 0.0 else math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class TailProbability:
    """P(T* >= threshold) and P(T* <= threshold) under a null distribution.

    Parameters
    ----------
    p_greater, p_less : float
        The two tails, in (0, 1]; both contain the event of a tie, so they add up to 1 or more. A value below
        `SMALLEST_P_VALUE`, even an impossible event, is given as `SMALLEST_P_VALUE`.
    log_p_greater, log_p_less : float
        Their natural logarithms, without that floor: minus infinity stands for an impossible event.
    method : {"closed form", "tilted FFT", "contour quadrature", "enumeration", "bracket"}
        How they were computed.
    relative_error : float
        Bound on the relative error of both tails (before the floor). It holds for every input, also for data that
        are almost on a lattice.
    expected_error : float
        The relative error to expect of data that hide no near-lattice finer than the part of the contour that was
        looked at; at most `relative_error`, and equal to it for all methods but "contour quadrature".

    Examples
    --------
    >>> tails = TailProbability.from_upper_tail(
    ...     UpperTail(log_p=-2.0, tie=0.0, method="closed form", relative_error=1e-15, expected_error=1e-15)
    ... )
    >>> round(tails.p_greater, 6), round(tails.p_less, 6)
    (0.135335, 0.864665)
    """

    p_greater: float
    p_less: float
    log_p_greater: float
    log_p_less: float
    method: TailMethod
    relative_error: float
    expected_error: float

    @classmethod
    def from_upper_tail(cls, upper: UpperTail, *, turned: bool = False) -> Self:
        """Complete one tail by the other, P(X <= 0) = 1 - P(X >= 0) + P(X = 0); the two in turn if `turned`."""
        p = math.exp(min(upper.log_p, 0.0))
        above = min(p * (1.0 - upper.tie), 1.0)  # P(X > 0)
        p_less = max(1.0 - above, 0.0)
        log_p_less = math.log1p(-above) if above < 1.0 else -math.inf
        scale = p / p_less if p_less > 0.0 else math.inf
        tail = max(float(p), SMALLEST_P_VALUE), min(float(upper.log_p), 0.0)
        other = max(float(p_less), SMALLEST_P_VALUE), float(log_p_less)
        greater, less = (other, tail) if turned else (tail, other)
        return cls(
            p_greater=greater[0],
            p_less=less[0],
            log_p_greater=greater[1],
            log_p_less=less[1],
            method=upper.method,
            relative_error=_coarsely_up(upper._worst(p, p_less)),
            expected_error=float(max(upper.expected_error, scale * upper.expected_error + 2.0**-52)),
        )

    @classmethod
    def certain(cls) -> Self:
        """Both tails 1: what identical systems give."""
        return cls(
            p_greater=1.0,
            p_less=1.0,
            log_p_greater=0.0,
            log_p_less=0.0,
            method="closed form",
            relative_error=0.0,
            expected_error=0.0,
        )

    def swapped(self) -> TailProbability:
        """Return the tails of the negated differences."""
        return TailProbability(
            p_greater=self.p_less,
            p_less=self.p_greater,
            log_p_greater=self.log_p_less,
            log_p_less=self.log_p_greater,
            method=self.method,
            relative_error=self.relative_error,
            expected_error=self.expected_error,
        )

    def with_never_flipped(self, number: float, *, less: bool) -> TailProbability:
        """Return the tails of a sum with further steps that the one tail, P(T* <= t) if `less`, leaves as they are.

        Examples
        --------
        >>> tails = TailProbability.certain().with_never_flipped(3, less=False)
        >>> tails.p_greater, tails.p_less
        (0.125, 1.0)
        """
        share = 0.5**number
        tails = self.swapped() if less else self
        other = (1.0 - share) + share * tails.p_less
        with_them = replace(
            tails,
            p_greater=max(share * tails.p_greater, SMALLEST_P_VALUE),
            p_less=other,
            log_p_greater=tails.log_p_greater - number * math.log(2.0),
            log_p_less=math.log(other),
        )
        return with_them.swapped() if less else with_them
