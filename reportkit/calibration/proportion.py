"""A share of trials with its interval: how often something happened, and how well that is known."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scipy.special import ndtri

from reportkit.errors import InputError
from reportkit.intervals.proportions.wilson import wilson


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
        If the numbers are no share.

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
                f"{self.count!r} of {self.total!r} at level {self.level!r} is no share of trials",
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
