"""Power of the default tests at one-sided levels, and what significance does to estimates (types S and M)."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaln, chdtrc, nctdtr, ndtr, ndtri, stdtr, stdtrit

from reportkit.errors import SettingsError
from reportkit.power_analysis.planned_error import PlannedError, check_count, check_positive, check_probability
from reportkit.settings import Alternative
from reportkit.significance.tests.proportions import MOST_TABLES, boschloo_region

ALPHA_ROUNDING = 1e-12
"""A p-value counts as at most alpha up to this much above it, as in k-hat and Holm's procedure."""

_NEGLIGIBLE = 9.0
"""Counts further from their mean than this many standard deviations plus 40 are left out."""

_AT_ONCE = 512  # numbers of discordant instances

Ints = NDArray[np.int64]


def one_sided_level(alpha: float, alternative: Alternative) -> float:
    """Return the level of the test in the planned direction: alpha, or half of it for a two-sided test.

    Raises
    ------
    SettingsError
        If alpha is not in (0, 1), or the alternative is "less": plan with the positive difference of the other system.

    Examples
    --------
    >>> one_sided_level(0.05, "greater"), one_sided_level(0.05, "two-sided")
    (0.05, 0.025)
    """
    check_probability("alpha", alpha)
    if alternative not in ("greater", "two-sided"):
        raise SettingsError(
            f"the alternative is {alternative!r}",
            remedy="plan for 'greater' or 'two-sided'; call the system that is to be better A",
        )
    return alpha if alternative == "greater" else alpha / 2


def t_power(effect: float, planned: PlannedError, level: float) -> float:
    """Return the probability that a one-sided t test (normal test) rejects if the true difference is `effect`.

    Parameters
    ----------
    effect : float
        Planned difference, above 0, in units of the score: the smallest one that matters, or one from other data. Not
        the difference observed in the results under analysis.
    planned : PlannedError
        Standard error and degrees of freedom of the planned comparison.
    level : float
        Level of the one-sided test.

    Raises
    ------
    SettingsError
        If the effect is not a finite number above 0.

    Notes
    -----
    Null hypothesis: the difference is at most 0. Assumes a near normal estimate: P(T' > t) for a noncentral t variable
    with noncentrality effect / se. Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences", chapter 2.

    Examples
    --------
    A mean difference of 0.02 over 1,000 instances with a standard deviation of 0.2, two-sided at 0.05:

    >>> from reportkit.power_analysis.planned_error import error_of_mean
    >>> round(t_power(0.02, error_of_mean(0.2, 1000), 0.025), 4)
    0.8848
    """
    check_positive("effect", effect)
    shift, freedom = effect / planned.standard_error, planned.degrees_of_freedom
    if math.isinf(freedom):
        return float(ndtr(shift + ndtri(level)))
    critical = -float(stdtrit(freedom, level))
    missed = float(nctdtr(freedom, shift, critical))
    if math.isnan(missed):  # very large effects: only the standard error varies, by as much as chi-squared / f
        missed = float(chdtrc(freedom, freedom * (shift / critical) ** 2))
    return 1.0 - missed


def mcnemar_power(n: int, effect: float, discordant: float, level: float) -> float:
    """Return the probability that McNemar's exact test on n instances shows A to be better.

    The number m of discordant instances is binomial (n, psi); given m, the wins of A are binomial
    (m, (psi + delta) / (2 psi)), and the exact conditional test rejects from a number of wins on that depends on m.
    The probabilities are summed over m.

    Parameters
    ----------
    n : int
        Instances, at least 1.
    effect : float
        Planned delta = P(only A right) - P(only B right), in (0, 1); not the one observed in the results under
        analysis.
    discordant : float
        psi = P(exactly one is right), from `effect` to 1.
    level : float
        Level of the one-sided test.

    Returns
    -------
    float
        In [0, 1]; 0 where n instances can never reach the level.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Assumes independent instances. The normal approximation of Connor (1987), "Sample size for testing differences in
    proportions for the paired-sample design", gives the example a power of .8.

    Examples
    --------
    >>> round(mcnemar_power(1960, 0.02, 0.1, 0.025), 2)
    0.78
    """
    from scipy.stats import binom  # slow to import, also in the functions below

    check_count("n", n)
    check_probability("effect", effect)
    if not effect <= discordant <= 1:
        raise SettingsError(
            f"a rate of discordant instances of {discordant!r} does not allow a difference of {effect!r}",
            remedy="give `discordant` from `effect` to 1",
        )
    sizes = _likely(n, discordant)
    blocks = range(int(sizes[0]) // _AT_ONCE, int(sizes[-1]) // _AT_ONCE + 1)
    wins = np.concatenate([_wins_needed(level, block) for block in blocks])
    wins = wins[int(sizes[0]) - blocks.start * _AT_ONCE :][: sizes.size]
    share = min(1.0, (discordant + effect) / (2 * discordant))
    return min(1.0, float(binom.pmf(sizes, n, discordant) @ _chance_of_wins(wins, sizes, share)))


@lru_cache(maxsize=1024)  # the same for all rates and numbers of instances
def _wins_needed(level: float, block: int) -> Ints:
    """Return the fewest wins with which the test rejects, for consecutive numbers of discordant instances."""
    sizes = np.arange(block * _AT_ONCE, (block + 1) * _AT_ONCE)
    limit = level + ALPHA_ROUNDING
    wins = np.rint(0.5 * sizes - 0.5 * ndtri(limit) * np.sqrt(sizes)).astype(np.int64) + 1
    wins = np.clip(wins, 1, sizes + 1)
    while (short := _chance_of_wins(wins, sizes, 0.5) > limit).any():
        wins += short
    while (ample := (wins > 1) & (_chance_of_wins(wins - 1, sizes, 0.5) <= limit)).any():
        wins -= ample
    return wins


def _chance_of_wins(wins: Ints, sizes: Ints, share: float) -> NDArray[np.float64]:
    """Return P(X >= wins) for X binomial (sizes, share), wins at least 1."""
    possible = wins <= sizes
    return np.where(possible, betainc(wins, np.where(possible, sizes - wins + 1, 1), share), 0.0)


def _likely(n: int, chance: float) -> Ints:
    """Return the counts of a binomial variable without those that are negligible together."""
    width = _NEGLIGIBLE * math.sqrt(n * chance * (1 - chance)) + 40
    return np.arange(max(0, math.floor(n * chance - width)), min(n, math.ceil(n * chance + width)) + 1)


def two_proportions_power(n_a: int, n_b: int, right_a: float, right_b: float, level: float) -> float:
    """Return the probability that the exact test of two independent proportions shows A to be better.

    The test is the one that is run by default: Boschloo's for up to a million tables, beyond that Fisher's. The
    probabilities of all tables that it rejects are summed.

    Parameters
    ----------
    n_a, n_b : int
        Instances of each system, at least 1.
    right_a, right_b : float
        Planned accuracies, from 0 to 1; not those observed in the results under analysis.
    level : float
        Level of the one-sided test.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Assumes independent instances and samples. Boschloo (1970); Fisher (1935).

    Examples
    --------
    >>> round(two_proportions_power(100, 100, 0.8, 0.6, 0.025), 3)
    0.869
    """
    from scipy.stats import binom

    check_count("n_a", n_a)
    check_count("n_b", n_b)
    for name, value in (("right_a", right_a), ("right_b", right_b)):
        if not 0 <= value <= 1:
            raise SettingsError(f"{name} is {value!r}", remedy=f"give {name} from 0 to 1")
    a = _likely(n_a, right_a)
    if (n_a + 1) * (n_b + 1) <= MOST_TABLES:
        most_b = boschloo_region(n_a, n_b, level)[a]
    else:
        overall = (n_a * right_a + n_b * right_b) / (n_a + n_b)  # unequal accuracies make totals vary less
        totals = _likely(n_a + n_b, round(overall, 9))
        first = int(totals[0])
        fewest_a = _fisher_region(n_a, n_b, first, int(totals[-1]), level)
        most_b = first + np.searchsorted(fewest_a, a, side="right") - 1 - a
    return min(1.0, float(binom.pmf(a, n_a, right_a) @ binom.cdf(most_b, n_b, right_b)))


@lru_cache(maxsize=16)  # searches for an effect or a size call this many times
def _fisher_region(n_a: int, n_b: int, first: int, last: int, level: float) -> Ints:
    """Return for each total of right answers the fewest of A with which Fisher's test rejects."""
    from scipy.stats import hypergeom

    totals, n = np.arange(first, last + 1), n_a + n_b
    lowest, never = np.maximum(totals - n_b, 0), np.minimum(totals, n_a) + 1

    def rejects(fewest: Ints) -> NDArray[np.bool_]:
        return (fewest >= never) | (hypergeom.sf(fewest - 1, n, totals, n_a) <= level + ALPHA_ROUNDING)

    spread = np.sqrt(totals / n * (n - totals) / n * n_a * n_b / n)
    fewest = np.clip(np.rint(totals / n * n_a - ndtri(level) * spread).astype(np.int64), lowest, never)
    while (short := ~rejects(fewest)).any():
        fewest += short
    while (ample := (fewest > lowest) & rejects(fewest - 1)).any():
        fewest -= ample
    return fewest


def type_s_m(effect: float, planned: PlannedError, level: float, *, two_sided: bool = True) -> tuple[float, float]:
    """Return type S and type M errors of the test of a planned difference.

    Parameters
    ----------
    effect : float
        Planned difference, above 0, in units of the score, from outside the results under analysis: put in its place,
        the observed difference gives numbers that mean nothing.
    planned : PlannedError
        Standard error, and degrees of freedom above 1, without which an estimate has no mean.
    level : float
        In each direction that is tested, in (0, 1).
    two_sided : bool
        A one-sided test never rejects with an estimate of the wrong sign.

    Returns
    -------
    type_s : float
        Probability that the estimate has the wrong sign, given that the test rejects.
    exaggeration : float
        Mean absolute estimate, given that the test rejects, divided by the true difference (type M).

    Notes
    -----
    The estimate is effect + se T with T normal, or t with the degrees of freedom of the standard error, which is taken
    as known: Gelman and Carlin (2014), "Beyond power calculations: assessing type S (sign) and type M (magnitude)
    errors". With k = effect / se and critical value c, E[|X|; |X| > c] for X = k + T is
    k (P(T > c - k) - P(T > c + k)) + g(c - k) + g(c + k), where g(c) = E[T; T > c] is the density at c for a normal and
    (f + c^2) / (f - 1) times the density for a t variable with f degrees of freedom: no simulation is needed.

    Examples
    --------
    >>> type_s, exaggeration = type_s_m(1.0, PlannedError(1.0), 0.025)
    >>> round(type_s, 3), round(exaggeration, 2)
    (0.009, 2.49)
    """
    check_positive("effect", effect)
    freedom, k = planned.degrees_of_freedom, effect / planned.standard_error
    normal = math.isinf(freedom)

    def below(value: float) -> float:
        return float(ndtr(value)) if normal else float(stdtr(freedom, value))

    def mean_above(c: float) -> float:
        if normal:
            return math.exp(-c * c / 2) / math.sqrt(2 * math.pi)
        constant = -0.5 * math.log(freedom) - float(betaln(0.5, freedom / 2))
        return (freedom + c * c) / (freedom - 1) * math.exp(constant - (freedom + 1) / 2 * math.log1p(c * c / freedom))

    c = -float(ndtri(level)) if normal else -float(stdtrit(freedom, level))
    right, wrong = below(k - c), below(-k - c) if two_sided else 0.0
    size = k * (right - wrong) + mean_above(c - k) + (mean_above(c + k) if two_sided else 0.0)
    return wrong / (right + wrong), size / (right + wrong) / k
