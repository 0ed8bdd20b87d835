"""The smallest design that shows a planned effect with the wanted power."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from scipy import special

from reportkit.errors import SettingsError
from reportkit.power_analysis.levels import check_probability, one_sided_level
from reportkit.power_analysis.mcnemar_power import check_rates, mcnemar_power
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.power_analysis.power import power as power_of
from reportkit.settings import Alternative

_SMOOTH = 3.0
"""Where the number of discordant instances has this standard deviation or more, power rises steadily with n."""

_RANGE = 4.0
"""Elsewhere it rises and falls within so many square roots of n around the smallest n."""

_CONTINUITY = 1.5
"""About so many times 1 / effect more instances than the normal approximation are needed."""

MOST = 10**9
"""Larger designs are not looked for."""


@lru_cache(maxsize=4096)  # a report asks several times, and of many datasets alike
def mcnemar_sample_size(
    effect: float,
    discordant: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> int:
    """Number of instances on which McNemar's test shows a planned difference in accuracy with a given power.

    The exact conditional test, which is the one that is run, has the power at n and at every larger number of
    instances, and has not at n - 1. (Where nearly all instances are discordant, its power rises and falls from one n to
    the next; smaller numbers can then have the power by luck.)

    Parameters
    ----------
    effect : float
        Planned delta = P(only A right) - P(only B right), in (0, 1); not the one observed in the results under
        analysis.
    discordant : float
        psi = P(exactly one is right), from `effect` to 1.
    power, alpha : float
        In (0, 1).
    alternative : {"two-sided", "greater"}
        Two-sided tests are done at alpha / 2 in each direction.

    Raises
    ------
    SettingsError
        If a number makes no sense, or more than a billion instances are needed.

    Notes
    -----
    Assumes independent instances. The normal approximation of Connor (1987) promises too much: it asks for the 1,960
    instances of the example of `mcnemar_power`, with which the exact test has a power of .78.

    Examples
    --------
    >>> mcnemar_sample_size(0.02, 0.1)
    2043
    """
    check_rates(effect, discordant)
    check_probability("power", power)
    level = one_sided_level(alpha, alternative)

    def reached(n: int) -> bool:
        return mcnemar_power(n, effect, discordant, alpha=level, alternative="greater") >= power

    normal = -special.ndtri(level) * math.sqrt(discordant)
    normal += special.ndtri(power) * math.sqrt(max(discordant - effect * effect, 0.0))
    n = smallest_size(reached, 1, guess=math.ceil(max(normal / effect, 0.0) ** 2 + _CONTINUITY / effect))
    if n * discordant * (1 - discordant) >= _SMOOTH**2:
        return n
    # the number of discordant instances hardly varies: power is a saw
    return steady_size(reached, n, math.ceil(_RANGE * math.sqrt(n)) + 20)


def sample_size(
    effect: float,
    error_at: Callable[[int], PlannedError],
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    least: int = 2,
) -> int:
    """Smallest n at which a t test shows a planned effect with a given power; n counts whatever the design lets grow.

    Parameters
    ----------
    effect : float
        Planned difference, above 0, in units of the score; not the one observed in the results under analysis.
    error_at : callable
        From n to the planned standard error, which falls with n: instances, units of a corpus, runs of both systems.
    power, alpha : float
        In (0, 1).
    alternative : {"two-sided", "greater"}
        Two-sided tests are done at alpha / 2 in each direction.
    least : int
        Smallest n that the design allows.

    Raises
    ------
    SettingsError
        If a number makes no sense, or no n up to a billion suffices: with the instances given, more runs alone may
        never be enough.

    Examples
    --------
    >>> from reportkit.power_analysis.planned_error import RunComponents, error_of_mean, error_over_runs
    >>> sample_size(0.02, lambda n: error_of_mean(0.2, n))
    787
    >>> components = RunComponents(instances=0.2, runs_a=1e-4, runs_b=1e-4, residual_a=0.05, residual_b=0.05)
    >>> sample_size(0.05, lambda m: error_over_runs(components, n=1000, m_a=m, m_b=m))
    3
    """
    check_probability("power", power)

    def reached(n: int) -> bool:
        return power_of(effect, error_at(n), alpha=alpha, alternative=alternative) >= power

    return smallest_size(reached, least)


def smallest_size(reached: Callable[[int], bool], least: int, guess: int | None = None) -> int:
    """Find a number that suffices while the one before does not; `least` if that suffices.

    Parameters
    ----------
    reached : callable
        Whether a number suffices.
    least : int
        Where to begin.
    guess : int, optional
        A number above `least`, near which the search begins.

    Raises
    ------
    SettingsError
        If no number up to a billion suffices.
    """
    if reached(least):
        return least
    below, enough = least, 2 * least if guess is None else max(guess, least + 1)
    while not reached(enough):
        below, enough = enough, 2 * enough if guess is None else enough + max(1, enough // 32)
        if enough > MOST:
            raise SettingsError(
                f"no number up to {MOST:,} gives this power",
                remedy="plan for a larger effect, or let another part of the design grow too",
            )
    step = max(1, enough // 32)
    while enough - below > step and guess is not None and reached(enough - step):
        enough -= step
    if guess is not None:
        below = max(below, enough - step)
    while enough - below > 1:
        middle = (below + enough) // 2
        below, enough = (below, middle) if reached(middle) else (middle, enough)
    return enough


def steady_size(reached: Callable[[int], bool], n: int, around: int) -> int:
    """Find the number from which on the power holds, near one that has it while the one before has it not.

    Powers of exact tests rise and fall from one small number of instances to the next; `around` says how far to look.
    """
    short = [k for k in range(max(1, n - around), n + around) if not reached(k)]
    return short[-1] + 1 if short else n
