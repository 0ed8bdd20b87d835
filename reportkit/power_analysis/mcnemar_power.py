"""Power of the exact McNemar test."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.stats import binom

from reportkit.errors import SettingsError
from reportkit.power_analysis.levels import check_count, check_probability, one_sided_level
from reportkit.settings import Alternative

ALPHA_ROUNDING = 1e-12
"""A p-value counts as at most alpha up to this much above it, as in k-hat and Holm's procedure."""

_NEGLIGIBLE = 9.0
"""Numbers of discordant instances further from their mean than so many standard deviations (and 40) are left out."""

_AT_ONCE = 512  # numbers of discordant instances


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
        width = _NEGLIGIBLE * math.sqrt(n * discordant * (1 - discordant)) + 40
        middle = n * discordant
        first, last = max(0, math.floor(middle - width)), min(n, math.ceil(middle + width))
        self._discordant = discordant
        self._sizes = np.arange(first, last + 1)
        self._chances = binom.pmf(self._sizes, n, discordant)
        blocks = range(first // _AT_ONCE, last // _AT_ONCE + 1)
        wins = np.concatenate([_wins_needed(level, block) for block in blocks])
        self._wins = wins[first - blocks.start * _AT_ONCE :][: self._sizes.size]

    def power(self, effect: float) -> float:
        """Probability that the test rejects, for a difference from 0 to the rate of discordant instances."""
        share = min(1.0, (self._discordant + effect) / (2 * self._discordant))
        return min(1.0, float(self._chances @ _chance_of_wins(self._wins, self._sizes, share)))


@lru_cache(maxsize=1024)  # the same for all rates and numbers of instances
def _wins_needed(level: float, block: int) -> NDArray[np.intp]:
    """From so many wins on the test rejects, for each of some consecutive numbers of discordant instances."""
    sizes = np.arange(block * _AT_ONCE, (block + 1) * _AT_ONCE)
    limit = level + ALPHA_ROUNDING
    wins = np.rint(0.5 * sizes - 0.5 * special.ndtri(limit) * np.sqrt(sizes)).astype(np.intp) + 1
    wins = np.clip(wins, 1, sizes + 1)
    while (short := _chance_of_wins(wins, sizes, 0.5) > limit).any():
        wins += short
    while (ample := (wins > 1) & (_chance_of_wins(wins - 1, sizes, 0.5) <= limit)).any():
        wins -= ample
    return wins


def _chance_of_wins(wins: NDArray[np.intp], sizes: NDArray[np.intp], share: float) -> NDArray[np.float64]:
    """P(X >= wins) for X binomial (sizes, share), wins at least 1."""
    possible = wins <= sizes
    return np.where(possible, special.betainc(wins, np.where(possible, sizes - wins + 1, 1), share), 0.0)
