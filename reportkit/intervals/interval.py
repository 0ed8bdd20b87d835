"""A confidence interval, with what it is an interval for."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from scipy.special import stdtrit

from reportkit.errors import SettingsError


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

    @classmethod
    def of_t(
        cls,
        estimate: float,
        standard_error: float | None,
        degrees_of_freedom: float,
        level: float,
        *,
        title: str,
        citation: str,
        limit: float = math.inf,
    ) -> Interval | None:
        """Interval of an estimate by Student's t distribution; None if nothing is known of its variance.

        Parameters
        ----------
        estimate, standard_error, degrees_of_freedom
            What is known.
        level : float
            Confidence level, in (0, 1).
        title, citation : str
            For the interval.
        limit : float
            Largest possible size of a difference.

        Examples
        --------
        >>> found = Interval.of_t(1.0, 1.0, 1, 0.5, title="t interval", citation="student1908probable")
        >>> round(found.high, 12)
        2.0
        """
        if standard_error is None:
            return None
        half = float(stdtrit(degrees_of_freedom, 0.5 + level / 2)) * standard_error
        low, high = max(-limit, estimate - half), min(limit, estimate + half)
        return cls(low=low, high=high, level=level, title=title, citation=citation)

    def swapped(self) -> Interval:
        """Return the interval for B against A."""
        return replace(self, low=-self.high, high=-self.low)


def check_level(level: float) -> None:
    """Raise SettingsError if a number is no confidence level."""
    if not 0 < level < 1:
        raise SettingsError(f"the confidence level is {level!r}", remedy="give a level strictly between 0 and 1")
