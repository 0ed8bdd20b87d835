"""Power of the exact McNemar test."""

from __future__ import annotations

import math

import numpy as np

from reportkit.errors import SettingsError
from reportkit.power_analysis.levels import check_count, check_probability, one_sided_level
from reportkit.settings import Alternative

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
) -> float:
    """Probability that McNemar's test on n instances shows A to be better, for a planned difference in accuracy.

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
    alpha : float
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater"}
        Two-sided tests are done at alpha / 2 in the planned direction. Rejections in the wrong direction do not count.

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
    >>> round(mcnemar_power(1960, 0.02, 0.1), 2)
    0.78
    """
    check_count("n", n)
    check_rates(effect, discordant)
    level = one_sided_level(alpha, alternative)
    return ExactMcNemar(n, discordant, level).power(effect)


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
