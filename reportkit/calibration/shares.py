"""Shares of trials with their intervals; resamples of systems, for averages over pairs of systems."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from reportkit.errors import InputError
from reportkit.significance.proportions import wilson

FEWEST_SYSTEMS = 6
"""With fewer systems, resamples of them say too little for an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion:
    """`count` of `total` trials, with Wilson's score interval.

    Parameters
    ----------
    count, total : int
        Hits and trials; at least one trial.
    level : float
        Confidence level of the interval, in (0, 1).
    n_independent : int, optional
        Number of independent trials that the interval allows for, where trials depend on each other; `total` if not
        given, and never more.

    Raises
    ------
    InputError
        If the numbers are not a share.

    Notes
    -----
    Wilson (1927), "Probable inference, the law of succession, and statistical inference".

    Examples
    --------
    Of 942 test sets with p in [.04, .06], 869 had the sign of all data (Berg-Kirkpatrick et al. 2012):

    >>> share = Proportion(count=869, total=942)
    >>> round(share.value, 5), round(share.low, 3), round(share.high, 3)
    (0.92251, 0.904, 0.938)
    """

    count: int
    total: int
    level: float = 0.95
    n_independent: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.count <= self.total or self.total < 1 or not 0 < self.level < 1:
            raise InputError(
                f"{self.count!r} of {self.total!r} at level {self.level!r} is not a share of trials",
                remedy="give 0 <= count <= total, at least one trial, and a level between 0 and 1",
            )

    @property
    def value(self) -> float:
        """Share of the trials."""
        return self.count / self.total

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of Wilson's interval."""
        n = self.total if self.n_independent is None else max(1, min(self.total, self.n_independent))
        count = self.count if n == self.total else self.value * n
        return wilson(count, n, float(ndtri(0.5 + self.level / 2)))

    @property
    def low(self) -> float:
        """Lower end."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """Upper end."""
        return self.interval[1]

    def at_level(self, level: float) -> Proportion:
        """Return the same share with an interval of another level."""
        return replace(self, level=level)


def pair_multiplicities(
    n_systems: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    n_resamples: int,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    """Draw systems with replacement; each pair then occurs as often as its two systems do together.

    Pairs of systems are not independent of each other, systems may be. A system that is drawn twice makes no pair with
    itself.

    Parameters
    ----------
    n_systems : int
        Number of systems.
    first, second : ndarray of int of shape (n_pairs,)
        Systems of each pair.
    n_resamples : int
        Number of resamples.
    rng : Generator
        Random stream.

    Returns
    -------
    ndarray of int of shape (n_resamples, n_pairs)

    Examples
    --------
    >>> rows = pair_multiplicities(3, np.array([0, 0, 1]), np.array([1, 2, 2]), 4, np.random.default_rng(0))
    >>> rows.shape, bool((rows.sum(axis=1) <= 3).all())
    ((4, 3), True)
    """
    counts = rng.multinomial(n_systems, np.full(n_systems, 1 / n_systems), size=n_resamples).astype(np.int32)
    return counts[:, first] * counts[:, second]


def percentile_ends(values: NDArray[np.float64], level: float, n_resamples: int) -> tuple[float, float] | None:
    """Return both ends of a percentile interval; None if at most half of the resamples have a value."""
    if values.size <= n_resamples / 2:
        return None
    low, high = np.percentile(values, [50 * (1 - level), 50 * (1 + level)])
    return float(low), float(high)
