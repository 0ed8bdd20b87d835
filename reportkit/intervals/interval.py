"""A confidence interval, with what it is an interval for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A two-sided confidence interval for a difference between A and B.

    Parameters
    ----------
    low, high : float
        Ends, oriented: above 0 means that A is better; -inf and inf where nothing is known.
    level : float
        Confidence level, such as 0.95.
    title : str
        Name in prose, such as "Tango score interval".
    citation : str
        BibTeX key of the source.
    """

    low: float
    high: float
    level: float
    title: str
    citation: str

    def __post_init__(self) -> None:
        if not self.low <= self.high:  # also catches NaN
            raise ValueError(f"{self.title}: the ends {self.low!r} and {self.high!r} are no interval")
        if not 0 < self.level < 1:
            raise ValueError(f"{self.title}: the level {self.level!r} is not between 0 and 1")

    def swapped(self) -> Interval:
        """Return the interval for B against A."""
        return Interval(low=-self.high, high=-self.low, level=self.level, title=self.title, citation=self.citation)
