"""Power of McNemar's test: asymptotic, exact, and the range that margins allow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri

from reportkit.errors import SettingsError
from reportkit.power_analysis.levels import check_count, check_probability, one_sided_level
from reportkit.settings import Alternative

McNemarMethod = Literal["exact", "asymptotic"]
"""The exact conditional test, or the normal approximation."""

_GRID = 65
"""Rates at which the power is computed, where it is wanted for a range of them."""

_MANY = 100
"""With so many more wins than losses, the power falls as more instances differ: the ends of the range say all."""

ALPHA_ROUNDING = 1e-12
"""A p-value counts as at most alpha up to this much above it, as in k-hat and Holm's procedure."""

_NEGLIGIBLE = 9.0
"""Numbers of discordant instances further from their mean than so many standard deviations (and 40) are left out."""


def mcnemar_power(
    n: int,
    effect: float,
    discordant: float,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    method: McNemarMethod = "exact",
) -> float:
    """Probability that McNemar's test on n instances shows A to be better, for a planned difference in accuracy.

    Exact: the number m of discordant instances is binomial (n, psi); given m, the wins of A are binomial
    (m, (psi + delta) / (2 psi)), and the exact conditional test rejects from a number of wins on that depends on m.
    The probabilities are summed over m. Asymptotic:

        power = Phi((sqrt(n) delta - z_alpha sqrt(psi)) / sqrt(psi - delta^2)).

    Parameters
    ----------
    n : int
        Instances, at least 1.
    effect : float
        Planned delta = P(only A right) - P(only B right), in (0, 1); not the one observed in the results under
        analysis.
    discordant : float
        psi = P(exactly one is right), from `effect` to 1.
    alpha : float
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater"}
        Two-sided tests are done at alpha / 2 in the planned direction. Rejections in the wrong direction do not count.
    method : {"exact", "asymptotic"}
        Exact conditional test, or normal approximation.

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
    Assumes independent instances. Connor (1987), "Sample size for testing differences in proportions for the
    paired-sample design", for the normal approximation.

    Examples
    --------
    >>> round(mcnemar_power(1960, 0.02, 0.1, method="asymptotic"), 4), round(mcnemar_power(1960, 0.02, 0.1), 2)
    (0.8, 0.78)
    """
    check_count("n", n)
    check_rates(effect, discordant)
    level = one_sided_level(alpha, alternative)
    if method == "asymptotic":
        return _asymptotic(n, effect, discordant, level)
    if method != "exact":
        raise SettingsError(f"the method is {method!r}", remedy="choose 'exact' or 'asymptotic'")
    return ExactMcNemar(n, discordant, level).power(effect)


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerRange:
    """Power of McNemar's test where only the accuracies are planned.

    Parameters
    ----------
    lowest, highest : float
        Over all possible rates of discordant instances. Apart from designs too small to be of use, the power is lowest
        where most instances differ, and highest where only as many differ as must.
    most_discordant, least_discordant : float
        Largest and smallest possible rate.
    """

    lowest: float
    highest: float
    most_discordant: float
    least_discordant: float


def mcnemar_power_range(
    n: int,
    effect: float,
    baseline: float,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    method: McNemarMethod = "exact",
) -> PowerRange:
    """Power where it is not known how often the two systems will disagree.

    If B is right on a share `baseline` of the instances and A on `baseline + effect`, the rate of discordant instances
    is at least the effect (A is right wherever B is) and at most 2 min(baseline + effect, 1 - baseline) - effect.

    Parameters
    ----------
    n : int
        Instances, at least 1.
    effect : float
        Planned difference in accuracy, in (0, 1); not the one observed in the results under analysis.
    baseline : float
        Accuracy of B, from 0 to 1 - effect.
    alpha, alternative, method
        As for `mcnemar_power`.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Card et al. (2020), "With little power comes great responsibility", on comparing accuracies.

    Examples
    --------
    The accuracies of Sadat Azer et al. (2020) on ARC-easy, as a plan for a new test set of the same size:

    >>> planned = mcnemar_power_range(2376, effect=84 / 2376, baseline=1637 / 2376)
    >>> round(planned.most_discordant * 2376, 6), round(planned.lowest, 3), round(planned.highest, 3)
    (1394.0, 0.604, 1.0)
    """
    check_probability("effect", effect)
    if not 0 <= baseline <= 1 - effect + 1e-12:
        raise SettingsError(
            f"no system is better by {effect!r} than one with an accuracy of {baseline!r}",
            remedy="give a baseline from 0 to 1 - effect",
        )
    most = min(1.0, max(effect, 2 * min(baseline + effect, 1 - baseline) - effect))

    def power_at(discordant: float) -> float:
        return mcnemar_power(n, effect, discordant, alpha=alpha, alternative=alternative, method=method)

    if n * effect >= _MANY:
        lowest, highest = power_at(most), power_at(effect)
    else:
        lowest, highest = _lowest(power_at, effect, most), -_lowest(lambda rate: -power_at(rate), effect, most)
    return PowerRange(
        lowest=lowest,
        highest=highest,
        most_discordant=most,
        least_discordant=effect,
    )


def check_rates(effect: float, discordant: float) -> None:
    """Refuse a difference that is not in (0, 1), and a rate of discordant instances that does not allow it.

    Raises
    ------
    SettingsError
        Says both numbers.
    """
    check_probability("effect", effect)
    if not effect <= discordant <= 1:
        raise SettingsError(
            f"a rate of discordant instances of {discordant!r} does not allow a difference of {effect!r}",
            remedy="give `discordant` from `effect` to 1",
        )


def _lowest(function: Callable[[float], float], low: float, high: float) -> float:
    """Smallest value of a smooth function between two points, the ends included: on a grid, then around its best."""
    from scipy.optimize import minimize_scalar

    points = [float(point) for point in np.linspace(low, high, _GRID).clip(low, high)]
    values = [function(point) for point in points]
    best = int(np.argmin(values))
    if best in (0, _GRID - 1):
        return values[best]
    around = minimize_scalar(function, bounds=(points[best - 1], points[best + 1]), method="bounded")
    return min(values[best], float(around.fun))


def _asymptotic(n: int, effect: float, discordant: float, level: float) -> float:
    above = math.sqrt(n) * effect + float(ndtri(level)) * math.sqrt(discordant)
    spread = math.sqrt(max(discordant - effect * effect, 0.0))
    return float(ndtr(above / spread)) if spread > 0 else float(above > 0)


class ExactMcNemar:
    """The exact conditional test on n instances for one rate of discordant ones: its power at any difference.

    Parameters
    ----------
    n : int
        Instances.
    discordant : float
        P(exactly one is right), in (0, 1].
    level : float
        Of the one-sided test.
    """

    def __init__(self, n: int, discordant: float, level: float) -> None:
        from scipy.stats import binom

        width = _NEGLIGIBLE * math.sqrt(n * discordant * (1 - discordant)) + 40
        middle = n * discordant
        self._discordant = discordant
        self._sizes = np.arange(max(0, math.floor(middle - width)), min(n, math.ceil(middle + width)) + 1)
        self._chances = binom.pmf(self._sizes, n, discordant)
        # the test rejects from so many wins on: P(X >= wins) <= level for X binomial (m, 1/2)
        self._wins = binom.isf(level + ALPHA_ROUNDING, self._sizes, 0.5) + 1

    def power(self, effect: float) -> float:
        """Probability that the test rejects, for a difference from 0 to the rate of discordant instances."""
        from scipy.stats import binom

        share = min(1.0, (self._discordant + effect) / (2 * self._discordant))
        return min(1.0, float(self._chances @ binom.sf(self._wins - 1, self._sizes, share)))
