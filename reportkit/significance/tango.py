"""Wins and losses: tails of McNemar's test in both forms, and Tango's score interval and margin."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from scipy.special import betainc, ndtr, ndtri

from reportkit.errors import SettingsError
from reportkit.significance.interval import MarginTest
from reportkit.significance.nulls import SMALLEST_P_VALUE
from reportkit.significance.outcome import Interval, tail_level

WinTail = Callable[[int, int], float]
"""(wins, wins + losses) -> one-sided p-value that A wins more often; it falls as the wins grow."""

_ROUNDING = 1e-12


def upper_binomial_tail(k: int, m: int) -> float:
    """Return P(X >= k) for X binomial (m, 1/2), right to 13 digits far into the tail."""
    if k <= 0:
        return 1.0
    return 0.0 if k > m else float(betainc(k, m - k + 1, 0.5))


def normal_tail(k: int, m: int) -> float:
    """Approximate the binomial tail by the normal one: P(Z >= (k - (m - k)) / sqrt(m)); 1 where m is 0."""
    return 1.0 if m == 0 else float(ndtr(-(2 * k - m) / math.sqrt(m)))


@lru_cache(maxsize=4096)
def fewest_wins(tail: WinTail, m: int, alpha: float) -> int:
    """Return the fewest wins among m differing instances with which a test rejects at alpha; m + 1 if none do.

    Examples
    --------
    >>> fewest_wins(upper_binomial_tail, 10, 0.025), fewest_wins(upper_binomial_tail, 5, 0.025)
    (9, 6)
    """
    few, enough = -1, m + 1
    while enough - few > 1:
        middle = (few + enough) // 2
        if tail(middle, m) <= alpha * (1 + _ROUNDING):
            enough = middle
        else:
            few = middle
    return enough


_BISECTIONS = 100
_WHOLE = 1e-9


def tango_interval(
    wins: int, losses: int, n: int, confidence_level: float = 0.95, *, tail: WinTail | None = None, named: str = ""
) -> Interval:
    """Return the interval for P(only A is right) - P(only B is right), from paired counts.

    It holds every difference that a score test at this level does not reject; at difference 0 that test is McNemar's
    without continuity correction. It keeps its level in small samples and for proportions near 0 and 1, and says
    something even where no instance shows a difference.

    Parameters
    ----------
    wins, losses : int
        Instances on which only A, and only B, is right.
    n : int
        All instances.
    confidence_level : float
        Confidence level, in (0, 1).
    tail : callable, optional
        p-values of the test of no difference that the interval goes with. The critical value of the score test is
        then moved, by no more than it takes, so that the interval excludes 0 exactly where that test rejects with as
        many differing instances, one-sided at (1 - level) / 2; see `tango_critical`.
    named : str
        What that test is called in the title of the interval.

    Returns
    -------
    Interval
        Within [-1, 1].

    Raises
    ------
    SettingsError
        If the counts are negative, or more wins and losses than instances.

    Notes
    -----
    Assumes independent instances. Tango (1998), "Equivalence test and confidence interval for the difference in
    proportions for the paired-sample design", Statistics in Medicine 17, equations 3 and 6.

    Examples
    --------
    >>> interval = tango_interval(wins=5, losses=0, n=50)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0215, 0.2136)
    """
    check_counts(wins, losses, n)
    critical = math.nan  # Interval refuses such a level
    enough = n + 1
    if 0 < confidence_level < 1:
        critical, enough = tango_critical(wins + losses, confidence_level, tail)
    low = _upper_end(losses, wins, n, critical, rejected=tail is not None and wins >= enough, matched=bool(tail))
    return Interval(
        low=0.0 - low,
        high=_upper_end(wins, losses, n, critical, rejected=tail is not None and losses >= enough, matched=bool(tail)),
        level=confidence_level,
        title=f"Tango score interval matched to the {named}" if named else "Tango score interval",
        citation="tango1998equivalence",
    )


def tango_critical(m: int, confidence_level: float, tail: WinTail | None) -> tuple[float, int]:
    """Return the critical value of the score statistic, and the fewest wins of m with which the test of 0 rejects.

    z(k) = (2 k - m) / sqrt(m) is the score statistic at a difference of 0 with k wins. Where the normal critical value
    lies between z(k - 1) and z(k), k being the fewest wins that the test rejects with, the two tests agree on every
    table with m differing instances, and nothing is changed. Where the test rejects later than the score test,
    as the exact one does, the critical value is z(k - 1). Far out the test rejects k wins earlier, at a smaller level:
    there the critical value is at most z(k - 1/2), at every level from that on, so that intervals are nested.

    Examples
    --------
    >>> from reportkit.significance.tango import upper_binomial_tail
    >>> critical, wins = tango_critical(8, 0.95, upper_binomial_tail)  # 7 wins of 8: z = 2.12, but p = .035
    >>> round(critical, 4), wins
    (2.1213, 8)
    """
    critical = float(ndtri(0.5 + confidence_level / 2))
    if tail is None or m == 0:
        return critical, m + 1
    enough = fewest_wins(tail, m, tail_level(confidence_level))
    if enough <= m and _is_earlier(enough, m, tail):
        critical = min(critical, _score(enough - 0.5, m))
    return max(critical, _score(enough - 1, m)), enough


def _is_earlier(wins: int, m: int, tail: WinTail) -> bool:
    """Return whether the test gives so many wins a smaller p-value than the score test does."""
    return tail(wins, m) < float(ndtr(-_score(wins, m)))


def _score(wins: float, m: int) -> float:
    return (2.0 * wins - m) / math.sqrt(m)


def _upper_end(wins: int, losses: int, n: int, critical: float, *, rejected: bool, matched: bool) -> float:
    """Return the largest difference that the score test does not reject, by bisection between the estimate and 1.

    If the interval is matched to a test of 0, that test decides on which side of 0 the end lies.
    """
    inside, outside = (wins - losses) / n, 1.0
    if matched and rejected:
        outside = 0.0
    elif matched:
        inside = max(inside, 0.0)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (inside + outside)
        if not inside < middle < outside:
            break
        excess = wins - losses - n * middle
        too_far = excess**2 > critical * critical * _restricted_variance(middle, wins, losses, n)
        inside, outside = (inside, middle) if too_far else (middle, outside)
    end = inside if matched and (rejected or inside == 0.0) else outside
    return 0.0 if abs(end) < _ROUNDING and not rejected else end


def tango_z(difference: float, wins: int, losses: int, n: int) -> float:
    """Score statistic z of the null hypothesis that the difference of two paired proportions is `difference`.

    Parameters
    ----------
    difference : float
        Strictly between -1 and 1.
    wins, losses, n : int
        As for `tango_interval`.

    Returns
    -------
    float
        Near standard normal under the null hypothesis; at 0 it is McNemar's z, and 0 where no instance differs.

    Notes
    -----
    Tango (1998), equation 3.

    Examples
    --------
    >>> round(tango_z(0.0, 30, 14, 100), 4), round(16 / 44**0.5, 4)
    (2.4121, 2.4121)
    """
    variance = _restricted_variance(difference, wins, losses, n)
    return (wins - losses - n * difference) / math.sqrt(variance) if variance > 0 else 0.0


def _restricted_variance(difference: float, wins: int, losses: int, n: int) -> float:
    """Return the variance of wins - losses at this difference, the nuisance parameter at its restricted maximum."""
    linear = -wins - losses + (2 * n - wins + losses) * difference
    constant = -losses * difference * (1 - difference)
    root = math.sqrt(max(linear * linear - 8 * n * constant, 0.0))
    # the larger root of 2 n q^2 + linear q + constant, without cancellation
    q = (root - linear) / (4 * n) if linear <= 0 else -2 * constant / (root + linear)
    return n * (2 * q + difference * (1 - difference))


def tango_p_value(z: float, m: int, tail: WinTail) -> float:
    """Return the p-value of a score statistic of a shifted difference, by the tests that `tango_critical` inverts.

    The normal tail of z, kept between the p-values of the two tables at a difference of 0, with m wins and losses,
    whose statistics are the neighbours of z. At z = z(k) it is the p-value of k wins; beyond z(m), where there is no
    table, it is at most that of m wins.

    Examples
    --------
    >>> from reportkit.significance.tango import upper_binomial_tail
    >>> tango_p_value(8 / 10**0.5, 10, upper_binomial_tail) == upper_binomial_tail(9, 10)
    True
    """
    p_value = float(ndtr(-z))
    if m == 0:
        return p_value
    wins = 0.5 * (m + z * math.sqrt(m))
    if wins > m + _WHOLE:
        return min(p_value, tail(m, m))
    if abs(wins - round(wins)) < _WHOLE:
        return tail(round(wins), m)
    below = math.floor(wins)
    lowest, highest = tail(below + 1, m), tail(below, m)
    if wins - below > 0.5 and _is_earlier(below + 1, m, tail):
        return lowest
    return min(max(p_value, lowest), highest)


def check_counts(wins: int, losses: int, n: int) -> None:
    """Raise SettingsError for numbers that cannot be wins and losses among n instances."""
    if min(wins, losses) < 0 or n < 1 or wins + losses > n:
        raise SettingsError(
            f"{wins} wins and {losses} losses among {n} instances are not counts",
            remedy="give counts with wins + losses <= n",
        )


def tango_margin(wins: int, losses: int, n: int, margin: float, *, tail: WinTail | None = None) -> MarginTest:
    """Score test of a difference of two paired proportions against a margin.

    Parameters
    ----------
    wins, losses, n : int
        As for `tango_interval`.
    margin : float
        In (-1, 1).
    tail : callable, optional
        p-values of the form of McNemar's test that it is at margin 0, see `tango_p_value`; without, the asymptotic one
        without continuity correction.

    Raises
    ------
    SettingsError
        If the counts or the margin are impossible.

    Notes
    -----
    Assumes independent instances; asymptotic. Tango (1998), equation 3.

    Examples
    --------
    >>> test = tango_margin(30, 14, 100, 0.0)
    >>> round(test.statistic, 4), round(test.p_greater, 5)
    (2.4121, 0.00793)
    """
    check_counts(wins, losses, n)
    if not -1 < margin < 1:
        raise SettingsError(
            f"a margin of {margin!r} is no difference of two proportions",
            remedy="give it as a proportion: 0.01 for one percentage point",
        )
    z = tango_z(margin, wins, losses, n)

    def p_of(statistic: float) -> float:
        return float(ndtr(-statistic)) if tail is None else tango_p_value(statistic, wins + losses, tail)

    known = bool(wins or losses or margin)  # at margin 0 and without any difference nothing speaks against equality
    return MarginTest(
        margin=margin,
        estimate=(wins - losses) / n,
        statistic=z,
        p_greater=max(p_of(z), SMALLEST_P_VALUE) if known else 1.0,
        p_less=max(p_of(-z), SMALLEST_P_VALUE) if known else 1.0,
        title="Tango score test",
        citation="tango1998equivalence",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FeasibleInterval:
    """One-sided exact McNemar p-values that margins allow.

    Parameters
    ----------
    low, high : float
        Smallest and largest p-value for the first system being better; never 0: what is too small for a float is
        `SMALLEST_P_VALUE`.
    most_wins, most_losses : int
        Largest possible numbers of instances that only the first, and only the second system gets right.
    """

    low: float
    high: float
    most_wins: int
    most_losses: int


def feasible_interval(a: int, b: int, n: int) -> FeasibleInterval:
    """Return the range of one-sided exact McNemar p-values that a and b right answers on the same n instances allow.

    With D = a - b, any number c of instances that only the second system gets right from max(0, -D) to
    min(b, n - a) is possible, and then the first alone is right on c + D. The p-value P(X >= c + D) for X binomial
    (2 c + D, 1/2) rises with c if D > 0 and falls if D < 0, so that the ends of the range give the ends of the
    interval. The upper end is itself a valid p-value, whatever the pairing was.

    Parameters
    ----------
    a, b : int
        Right answers of the first and of the second system, from 0 to n.
    n : int
        Instances, the same for both.

    Returns
    -------
    FeasibleInterval

    Raises
    ------
    ValueError
        If a or b is not between 0 and n.

    Notes
    -----
    Null hypothesis: as for McNemar's test (McNemar 1947); the range of the discordant instances is that of a 2 x 2
    table with given margins (Frechet 1951).

    Examples
    --------
    ARC-easy in Sadat Azer et al. (2020): 1721 and 1637 right answers of 2376.

    >>> arc = feasible_interval(1721, 1637, 2376)
    >>> arc.most_wins, arc.most_losses, round(arc.high, 5)
    (739, 655, 0.01309)
    >>> arc.low == 0.5**84
    True
    """
    if not (0 <= a <= n and 0 <= b <= n):
        raise ValueError(f"{a} and {b} are no numbers of right answers of {n}")
    fewest, most = max(a - b, 0), min(a, n - b)
    ends = [max(upper_binomial_tail(wins, 2 * wins - (a - b)), SMALLEST_P_VALUE) for wins in (fewest, most)]
    return FeasibleInterval(low=min(ends), high=max(ends), most_wins=most, most_losses=most - (a - b))
