"""Estimates with a t distribution, and tests against a margin."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from scipy.special import stdtr, stdtrit

from reportkit.errors import SettingsError
from reportkit.significance.nulls import SMALLEST_P_VALUE
from reportkit.significance.outcome import Interval


def check_level(confidence_level: float) -> None:
    """Raise SettingsError if a number is not a confidence level."""
    if not 0 < confidence_level < 1:
        raise SettingsError(f"confidence_level is {confidence_level!r}", remedy="give a level strictly between 0 and 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginTest:
    """Both one-sided tests of a difference between A and B against one margin.

    Parameters
    ----------
    margin : float
        In units of the score, oriented: .01 is one point of an accuracy given as a proportion.
    estimate : float
        Observed difference, oriented.
    statistic : float
        Positive where the difference is above the margin: z, t, or the difference minus the margin.
    p_greater : float
        p-value of the null hypothesis that the difference is at most the margin, in (0, 1].
    p_less : float
        p-value of the null hypothesis that the difference is at least the margin, in (0, 1].
    title : str
        Name in prose, such as "Tango score test".
    citation : str
        BibTeX key of the source.
    """

    margin: float
    estimate: float
    statistic: float
    p_greater: float
    p_less: float
    title: str
    citation: str

    def __post_init__(self) -> None:
        for p in (self.p_greater, self.p_less):
            if not 0 < p <= 1:
                raise ValueError(f"{self.title}: {p!r} is not a p-value")

    def swapped(self) -> MarginTest:
        """Return the test of B against A at the negative margin: the same two statements."""
        return replace(
            self,
            margin=0.0 - self.margin,
            estimate=0.0 - self.estimate,
            statistic=0.0 - self.statistic,
            p_greater=self.p_less,
            p_less=self.p_greater,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """An estimated difference of A minus B, and its t distribution.

    Parameters
    ----------
    mean : float
        Oriented: positive in favour of A.
    standard_error : float or None
        None if the data hold no information on it.
    degrees_of_freedom : float
        Degrees of freedom of the standard error.
    n_nonzero : int, optional
        Independent units on which A and B differ; None where nothing is paired.
    unknown : str
        Why the standard error is None, as a clause.
    """

    mean: float
    standard_error: float | None
    degrees_of_freedom: float
    n_nonzero: int | None = None
    unknown: str = ""

    @property
    def t(self) -> float | None:
        """Difference divided by its standard error; 0 if no unit differs; None if the error is unknown."""
        if self.n_nonzero == 0:
            return 0.0
        return None if self.standard_error is None else self.mean / self.standard_error

    def interval(self, level: float, *, title: str, citation: str, limit: float = math.inf) -> Interval | None:
        """Return Student's t interval within the largest possible difference; None if the error is unknown.

        Examples
        --------
        >>> one = Estimate(mean=1.0, standard_error=1.0, degrees_of_freedom=1)
        >>> round(one.interval(0.5, title="t interval", citation="student1908probable").high, 12)
        2.0
        """
        if self.standard_error is None:
            return None
        half = float(stdtrit(self.degrees_of_freedom, 0.5 + level / 2)) * self.standard_error
        low, high = max(-limit, self.mean - half), min(limit, self.mean + half)
        return Interval(low=low, high=high, level=level, title=title, citation=citation)

    def against(self, margin: float, *, title: str, citation: str) -> MarginTest | None:
        """Test the difference against a margin by Student's t; None if the error is unknown."""
        if self.standard_error is None:
            return None
        t = (self.mean - margin) / self.standard_error
        return MarginTest(
            margin=margin,
            estimate=self.mean,
            statistic=t,
            p_greater=max(float(stdtr(self.degrees_of_freedom, -t)), SMALLEST_P_VALUE),
            p_less=max(float(stdtr(self.degrees_of_freedom, t)), SMALLEST_P_VALUE),
            title=title,
            citation=citation,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Two one-sided tests of one difference.

    Parameters
    ----------
    above, below : MarginTest
        Against the lower margin (is the difference above it?) and the upper one (is it below?).
    p_value : float
        p-value of the null hypothesis that the difference is at or outside the margins: the larger of both p-values.
    """

    above: MarginTest
    below: MarginTest
    p_value: float


def equivalence_test(margin: Callable[[float], MarginTest | None], low: float, high: float) -> Equivalence | None:
    """Test whether a difference lies between two margins (TOST).

    Two systems are equivalent at level alpha if both one-sided tests reject at alpha, without correction: exactly where
    the interval of the same method at level 1 - 2 alpha (90% for .05) lies strictly between the margins.

    Parameters
    ----------
    margin : callable
        Margin -> the test of the difference against it.
    low, high : float
        Differences that still count as no difference, in units of the score, oriented; low < high. What is negligible
        has to be declared before looking at the results.

    Returns
    -------
    Equivalence or None
        None if the data hold no information on the variance.

    Raises
    ------
    SettingsError
        If the margins are not in order.

    Notes
    -----
    Null hypothesis: difference <= low or >= high. Schuirmann (1987), "A comparison of the two one-sided tests procedure
    and the power approach for assessing the equivalence of average bioavailability".

    Examples
    --------
    >>> one = Estimate(mean=0.0, standard_error=0.005, degrees_of_freedom=99)
    >>> test = equivalence_test(lambda margin: one.against(margin, title="t-test", citation=""), -0.01, 0.01)
    >>> round(test.p_value, 4)
    0.0241
    """
    if not low < high:
        raise SettingsError(
            f"the margins {low!r} and {high!r} are no range", remedy="give the smaller one first, such as -0.01, 0.01"
        )
    above, below = margin(low), margin(high)
    if above is None or below is None:
        return None
    return Equivalence(above=above, below=below, p_value=max(above.p_greater, below.p_less))
