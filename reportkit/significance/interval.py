"""Estimates, confidence intervals and tests against a margin, and their agreement with the test of no difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from scipy.special import ndtri, stdtr, stdtrit

from reportkit.errors import SettingsError
from reportkit.significance.nulls import SMALLEST_P_VALUE


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

    def within(self, limit: float) -> Interval:
        """Return the interval cut off at the largest possible size of a difference."""
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
    """Return the largest one-sided p-value with which a test rejects at the level of one end of a two-sided interval.

    (1 - level) / 2, and the same tolerance for rounding that all decisions have.

    Examples
    --------
    >>> round(tail_level(0.95), 9)
    0.025
    """
    tail = (1.0 - confidence_level) / 2.0
    return tail + min(_TOLERANCE, _RELATIVE_TOLERANCE * tail)


def agrees(interval: Interval, p_greater: float, p_less: float) -> bool:
    """Return whether an interval excludes 0 on either side exactly where the one-sided test rejects at (1 - level) / 2.

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
        Estimate of the difference that the interval is for.
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
        Of the null hypothesis that the difference is at most the margin, in (0, 1].
    p_less : float
        Of the null hypothesis that the difference is at least the margin, in (0, 1].
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
                raise ValueError(f"{self.title}: {p!r} is no p-value")

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
        Of the standard error.
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


NEAREST_TO_CERTAIN = 1 - 1e-12
"""The largest level that an interval is computed for: rounding would make larger ones 1."""


def level_of_decision(p_value: float, adjusted_p_value: float, alpha: float) -> float:
    """Return the level of a hypothesis by itself: it is rejected exactly where its adjusted p-value is at most alpha.

    Parameters
    ----------
    p_value, adjusted_p_value : float
        One-sided; the second is not smaller.
    alpha : float
        Of the whole family.

    Returns
    -------
    float
        alpha times the ratio of the two. It is at most alpha, so that a bound at this level holds, by itself, with a
        confidence of at least 1 - alpha; that the bounds of all rejected hypotheses lie on the right side of 0 holds
        for all of them together, as the correction does.

    Examples
    --------
    Of four datasets, the smallest p-value is tested at a fourth of the level.

    >>> round(level_of_decision(0.01, 0.04, 0.05), 6)
    0.0125
    """
    return alpha * min(1.0, p_value / adjusted_p_value)


def decision_interval(
    at_level: Callable[[float], Interval | None],
    usual: Interval | None,
    estimate: float,
    p_values: tuple[float, float],
    levels: tuple[float, float],
    limit: float = math.inf,
) -> Interval | None:
    """Return the interval whose lower end belongs to the decision for A, and whose upper end to that for B.

    Parameters
    ----------
    at_level : callable
        Confidence level -> two-sided interval that never contradicts the test; None where the data cannot bound the
        difference at that level, and the usual interval, widened, is then inside.
    usual : Interval or None
        At the usual level; None where no interval belongs to the test, and then there is none here.
    estimate : float
        Estimate of the difference that the intervals are for.
    p_values : (float, float)
        One-sided, for A and for B.
    levels : (float, float)
        One-sided, of the decisions for A and for B.
    limit : float
        Largest possible size of a difference.

    Returns
    -------
    Interval or None
        Its lower end is above 0 exactly where the p-value for A is at most its level, and its upper end below 0 exactly
        where that for B is. Its own level is that of the lower end.
    """
    if usual is None:
        return None
    ends: dict[float, Interval] = {}
    for level in levels:
        if level not in ends:
            wanted = min(1 - 2 * level, NEAREST_TO_CERTAIN)
            ends[level] = at_level(wanted) or agreeing(
                widened(usual, estimate, wanted).within(limit), estimate, *p_values, matched=False
            )
    lower, upper = (ends[level] for level in levels)
    return replace(lower, high=max(lower.low, upper.high))


WIDENED = "widened by the normal approximation"  # ends the title of an interval that the data could not bound


def widened(interval: Interval, estimate: float, confidence_level: float) -> Interval:
    """Return the interval at another level by the normal approximation: each half in proportion to the quantile.

    Examples
    --------
    >>> interval = Interval(low=0.1, high=0.3, level=0.95, title="interval", citation="")
    >>> found = widened(interval, 0.2, 0.99)
    >>> round(found.low, 4), round(found.high, 4)
    (0.0686, 0.3314)
    """
    ratio = float(ndtri((1 - confidence_level) / 2) / ndtri((1 - interval.level) / 2))
    low, high = (estimate + ratio * (end - estimate) for end in (interval.low, interval.high))
    return replace(interval, low=low, high=high, level=confidence_level, title=f"{interval.title}, {WIDENED}")


def simultaneous_level(confidence_level: float, n_datasets: int) -> float:
    """Return the level of each of N intervals that all hold at once with confidence C: 1 - (1 - C) / N.

    Parameters
    ----------
    confidence_level : float
        Joint confidence, in (0, 1).
    n_datasets : int
        Number of intervals, at least 1: the whole family, shown or not.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Bonferroni's inequality; holds whatever the dependence between datasets. Dunn (1961), "Multiple comparisons among
    means".

    Examples
    --------
    >>> round(simultaneous_level(0.95, 10), 6)
    0.995
    """
    check_level(confidence_level)
    if n_datasets < 1:
        raise SettingsError(f"n_datasets is {n_datasets!r}", remedy="give the number of intervals, at least 1")
    return 1 - (1 - confidence_level) / n_datasets


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Two one-sided tests of one difference.

    Parameters
    ----------
    above, below : MarginTest
        Against the lower margin (is the difference above it?) and the upper one (is it below?).
    p_value : float
        Of the null hypothesis that the difference is at or outside the margins: the larger of both p-values.
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
