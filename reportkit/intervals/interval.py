"""A confidence interval; it and the test beside it never contradict each other about 0."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from scipy.special import ndtri, stdtrit

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
        confidence_level: float,
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
        confidence_level : float
            In (0, 1).
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
        half = float(stdtrit(degrees_of_freedom, 0.5 + confidence_level / 2)) * standard_error
        low, high = max(-limit, estimate - half), min(limit, estimate + half)
        return cls(low=low, high=high, level=confidence_level, title=title, citation=citation)

    def within(self, limit: float) -> Interval:
        """Return the interval cut off at the largest possible size of a difference.

        Examples
        --------
        >>> found = Interval(low=0.4, high=1.08, level=0.95, title="interval", citation="").within(1.0)
        >>> found.low, found.high
        (0.4, 1.0)
        """
        if -limit <= self.low and self.high <= limit:
            return self
        return replace(self, low=min(max(self.low, -limit), limit), high=max(min(self.high, limit), -limit))

    def swapped(self) -> Interval:
        """Return the interval for B against A."""
        return Interval(low=-self.high, high=-self.low, level=self.level, title=self.title, citation=self.citation)


def check_level(confidence_level: float) -> None:
    """Raise SettingsError if a number is no confidence level."""
    if not 0 < confidence_level < 1:
        raise SettingsError(f"confidence_level is {confidence_level!r}", remedy="give a level strictly between 0 and 1")


_TOLERANCE = 1e-12
_RELATIVE_TOLERANCE = 1e-6
_SMALLEST_END = 1e-10
"""An end that has to lie beyond 0 is at least this part of the estimate."""

TEST_BASED = " with a test-based end"
"""Added to the name of an interval one of whose ends the test has set."""


def tail_level(confidence_level: float) -> float:
    """Largest one-sided p-value with which a test rejects at the level of one end of a two-sided interval.

    (1 - level) / 2, and the same tolerance for rounding that all decisions have.

    Examples
    --------
    >>> round(tail_level(0.95), 9)
    0.025
    """
    tail = (1.0 - confidence_level) / 2.0
    return tail + min(_TOLERANCE, _RELATIVE_TOLERANCE * tail)


def agrees(interval: Interval, p_greater: float, p_less: float) -> bool:
    """Whether an interval excludes 0 on either side exactly where the one-sided test rejects at (1 - level) / 2.

    Examples
    --------
    >>> interval = Interval(low=0.0, high=0.2, level=0.95, title="interval", citation="")
    >>> agrees(interval, 0.03, 0.97), agrees(interval, 0.02, 0.98)
    (True, False)
    """
    alpha = tail_level(interval.level)
    return (interval.low > 0) == (p_greater <= alpha) and (interval.high < 0) == (p_less <= alpha)


def agreeing(interval: Interval, estimate: float, p_greater: float, p_less: float, *, matched: bool) -> Interval:
    """Let the test decide on which side of 0 an end lies; an end that would contradict it becomes the test-based one.

    Parameters
    ----------
    interval : Interval
        Two-sided.
    estimate : float
        Of what the interval is for.
    p_greater, p_less : float
        One-sided p-values of a difference of 0.
    matched : bool
        Whether the interval is the inversion of the test, so that only the rounding of random resamples can tell them
        apart; its name is then left as it is.

    Returns
    -------
    Interval
        The same, if nothing contradicts.

    Notes
    -----
    The test-based end is estimate x (1 - z_level / z_p): on the other side of 0 exactly where p is below the level.
    Miettinen (1976), "Estimability and estimation in case-referent studies".

    Examples
    --------
    >>> welch = Interval(low=0.01, high=0.31, level=0.95, title="Welch interval", citation="")
    >>> found = agreeing(welch, 0.16, 0.03, 0.97, matched=False)
    >>> round(found.low, 4), found.high, found.title
    (-0.0067, 0.31, 'Welch interval with a test-based end')
    """
    if agrees(interval, p_greater, p_less):
        return interval
    low = _low(interval.low, estimate, p_greater, interval.level)
    high = -_low(-interval.high, -estimate, p_less, interval.level)
    return replace(
        interval,
        low=low,
        high=high,
        title=interval.title if matched or TEST_BASED in interval.title else interval.title + TEST_BASED,
    )


def _low(low: float, estimate: float, p_value: float, level: float) -> float:
    """Lower end, on the side of 0 that the test decides for; unchanged where it is there, or where no end can be."""
    alpha = tail_level(level)
    rejected = p_value <= alpha
    if (low > 0) == rejected or estimate <= 0:
        return low
    z_level, z_p = -float(ndtri(alpha)), -float(ndtri(p_value))
    if rejected:
        return max(estimate * (1.0 - z_level / z_p), _SMALLEST_END * estimate)
    return min(max(estimate * (1.0 - z_level / z_p), -low), 0.0) if z_p > 0 else 0.0
