"""Judge a test by p-values that were simulated where its null hypothesis is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.shares import Proportion

Status = Literal["calibrated", "conservative", "too liberal", "undecided"]

_TOO_WIDE = 2.0
"""An interval that reaches this many times the level leaves open whether the test keeps it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether p-values under the null hypothesis are what they claim to be.

    Parameters
    ----------
    status : {"calibrated", "conservative", "too liberal", "undecided"}
        "too liberal": a true null hypothesis is rejected more often than the level says, or the distribution function
        of the p-values leaves its band upwards. "conservative": less often; such p-values are valid. "undecided": there
        are too few replicates to say.
    sizes : tuple of (str, Proportion)
        For each direction ("greater", "less" or "both"), the share of p-values at most alpha.
    excess, band : float or None
        Largest excess of the distribution function over the diagonal, and the excess that its band allows; None unless
        this makes the test too liberal.
    within : float
        Excess over alpha that skewness may cause, where the size of a calibrated test needs it.
    reasons : tuple of str
        Why, as clauses, where that is known; empty if the p-values are valid.
    """

    status: Status
    sizes: tuple[tuple[str, Proportion], ...]
    excess: float | None = None
    band: float | None = None
    within: float = 0.0
    reasons: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether nothing was found against the p-values."""
        return self.status in ("calibrated", "conservative")


def dkw_band(n: int, level: float = 0.95) -> float:
    """Return the half-width of the Dvoretzky-Kiefer-Wolfowitz band around the distribution function of n values.

    sqrt(ln(2 / (1 - level)) / (2 n)).

    Notes
    -----
    Massart (1990), "The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality".

    Examples
    --------
    >>> [round(dkw_band(n), 4) for n in (500, 2000, 10_000)]
    [0.0607, 0.0304, 0.0136]
    """
    return float(np.sqrt(np.log(2.0 / (1.0 - level)) / (2.0 * n)))


def largest_excess(p_values: NDArray[np.float64]) -> float:
    """Return the largest excess of the distribution function of p-values over the diagonal; at most 0 if none.

    Examples
    --------
    >>> round(largest_excess(np.array([0.1, 0.5, 0.9])), 4)
    0.2333
    """
    ordered = np.sort(p_values)
    return float((np.searchsorted(ordered, ordered, side="right") / ordered.size - ordered).max())


def judge(
    sides: Sequence[tuple[str, Proportion, float]],
    *,
    alpha: float,
    band: float,
    reasons: Sequence[str] = (),
    n_judged: int = 1,
    tolerance: float = 0.0,
) -> Verdict:
    """Judge a test by its size in each direction and by the distribution of its p-values.

    The intervals are widened so that they hold jointly for all directions. A calibrated test is called too liberal with
    a probability of about 1 - level at most, half of it by its size and half by the distribution of its p-values.

    Parameters
    ----------
    sides : sequence of (str, Proportion, float)
        For each direction: its name, the share of p-values at most `alpha`, and the largest excess of their
        distribution function over the diagonal.
    alpha : float
        Level.
    band : float
        Half-width of the band of the distribution function, for all directions jointly.
    reasons : sequence of str
        Clauses that say what is known to spoil the test; used only if it is too liberal.
    n_judged : int
        Verdicts that are given together: all of them are right about calibrated tests with a probability of about
        `level`, as if this were the only one. Printed intervals stay as they are.
    tolerance : float
        Excess over `alpha` that is not due to the test.
    """
    sizes = tuple((name, size) for name, size, _ in sides)
    joint = [size.at_level(1 - (1 - size.level) / (len(sides) * n_judged)) for _, size in sizes]
    worst = max(excess for _, _, excess in sides)
    if any(size.low > alpha + tolerance for size in joint):
        return Verdict(status="too liberal", sizes=sizes, reasons=tuple(reasons))
    if worst > band + tolerance:
        return Verdict(status="too liberal", sizes=sizes, excess=worst, band=band, reasons=tuple(reasons))
    if any(size.high > _TOO_WIDE * alpha for size in joint):
        return Verdict(status="undecided", sizes=sizes)
    if all(size.high < alpha for size in joint):
        return Verdict(status="conservative", sizes=sizes)
    return Verdict(
        status="calibrated", sizes=sizes, within=tolerance if any(size.low > alpha for size in joint) else 0.0
    )
