"""The smallest difference that a comparison shows with the wanted power: minimum detectable effects."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import ndtri, stdtrit

from reportkit.errors import SettingsError
from reportkit.intervals.effect_sizes.cohens_d import noncentrality
from reportkit.power_analysis.levels import check_count, check_positive, check_probability, one_sided_level
from reportkit.power_analysis.mcnemar_power import ExactMcNemar
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.settings import Alternative

FEW_UNITS = 12
"""With more units, the power of a sign flip is that of the t test."""

_DRAWS = 4000

_COARSE = 1e-3
"""Steps of p-values below this part of the level do not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimumDetectable:
    """Smallest true difference that is shown with a given power.

    Parameters
    ----------
    at_alpha : float or None
        At level alpha, as on a single dataset, in units of the score; None if no possible difference is shown with
        this power.
    in_family : float or None
        At level alpha / N, where a difference is named among N datasets (the first step of Holm's procedure).
    power, alpha : float
        As asked for.
    n_datasets : int
        N.
    """

    at_alpha: float | None
    in_family: float | None
    power: float
    alpha: float
    n_datasets: int


def minimum_detectable(
    planned: PlannedError,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_datasets: int = 1,
    p_min: float = 0.0,
) -> MinimumDetectable:
    """Smallest difference that a t test (normal test) shows with a given power, for a given standard error.

    At the realised n, with the standard error of the results themselves, it says what the comparison could have shown.
    It does not depend on the observed difference.

    Parameters
    ----------
    planned : PlannedError
        Standard error and degrees of freedom.
    power : float
        In (0, 1), above the level of the one-sided test.
    alpha : float
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater"}
        Two-sided tests are done at alpha / 2 in each direction.
    n_datasets : int
        Number N of datasets, for the level alpha / N.
    p_min : float
        Smallest one-sided p-value of the test, of which all others are multiples: one over the number of divisions for
        a permutation test. The level is then the largest multiple within alpha. 0 for a test without such steps.

    Returns
    -------
    MinimumDetectable
        With None where `p_min` is above the level: then nothing can be shown.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    (z_alpha + z_power) se for a normal estimate; with few degrees of freedom the noncentrality for which the t test has
    this power. Bloom (1995), "Minimum detectable effects", gives the first form.

    Examples
    --------
    >>> from reportkit.power_analysis.planned_error import error_of_mean
    >>> result = minimum_detectable(error_of_mean(0.2, 1000), n_datasets=10)
    >>> round(result.at_alpha, 4), round(result.in_family, 4)
    (0.0177, 0.0231)
    """

    def smallest(level: float) -> float | None:
        freedom = planned.degrees_of_freedom
        if p_min > _COARSE * level:
            level = math.floor(level / p_min * (1 + 1e-9)) * p_min
            if level == 0:
                return None
        if math.isinf(freedom):
            return planned.standard_error * float(ndtri(power) - ndtri(level))
        return planned.standard_error * noncentrality(-float(stdtrit(freedom, level)), freedom, 1 - power)

    return at_both_levels(smallest, power, alpha, alternative, n_datasets)


def sign_flip_minimum_detectable(
    standard_error: float,
    n_units: int,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_datasets: int = 1,
) -> MinimumDetectable:
    """Smallest mean difference that a sign flip of few units shows with a given power.

    The p-values of a sign flip are multiples of 2^-n, and with few units the t test has more power: at its 80% a sign
    flip of six units has less than 70%.

    Parameters
    ----------
    standard_error : float
        Of the mean of the units.
    n_units : int
        Units that differ, from 1 to 12; with more, `minimum_detectable` does.
    power, alpha, alternative, n_datasets
        As for `minimum_detectable`.

    Returns
    -------
    MinimumDetectable
        With None where 2^-n is above the level.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Assumes normal differences. A sign flip rejects at k 2^-n if fewer than k sets of units would have a negative sum;
    for each of 4,000 draws this gives the smallest shift that is shown, and their quantile at `power` is the result
    (its power is known to within .01).

    Examples
    --------
    >>> round(sign_flip_minimum_detectable(1.0, 6).at_alpha, 1)  # all six must be positive: .9635^6 is .8
    4.4
    """
    check_positive("standard_error", standard_error)
    check_count("n_units", n_units)
    if n_units > FEW_UNITS:
        raise SettingsError(f"n_units is {n_units}", remedy="use minimum_detectable, whose t test is near enough")

    def smallest(level: float) -> float | None:
        allowed = math.floor(level * 2**n_units * (1 + 1e-9))
        return None if allowed == 0 else standard_error * _sign_flip_shift(n_units, allowed, power)

    return at_both_levels(smallest, power, alpha, alternative, n_datasets)


@lru_cache(maxsize=256)
def _sign_flip_shift(n: int, allowed: int, power: float) -> float:
    """Smallest shift, in standard errors, with which at most so many sign flips are as extreme, with a probability."""
    draws = np.random.default_rng(n).standard_normal((_DRAWS, n))
    sets = (np.arange(1, 2**n)[:, None] >> np.arange(n)) & 1
    shown = np.concatenate(
        [
            np.partition(-(part @ (sets / sets.sum(axis=1, keepdims=True)).T), -allowed, axis=1)[:, -allowed]
            for part in np.array_split(draws, 8)
        ]
    )
    return float(np.quantile(shown, power)) * math.sqrt(n)


def mcnemar_minimum_detectable(
    n: int,
    discordant: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_datasets: int = 1,
) -> MinimumDetectable:
    """Smallest difference in accuracy that McNemar's test shows with a given power, for a rate of discordant instances.

    Parameters
    ----------
    n : int
        Instances, at least 1.
    discordant : float
        psi = P(exactly one of the two is right), in (0, 1]. At the realised n, the observed rate.
    power, alpha, alternative, n_datasets
        As for `minimum_detectable`.

    Returns
    -------
    MinimumDetectable
        With None where not even psi itself (B is never right alone) is shown with this power.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Assumes independent instances. The power is summed over the number of discordant instances; see `mcnemar_power`.

    Examples
    --------
    >>> [round(mcnemar_minimum_detectable(n, 0.1).at_alpha, 4) for n in (100, 500, 1000, 2000)]
    [0.0884, 0.0407, 0.0287, 0.0202]
    >>> mcnemar_minimum_detectable(40, 0.1).at_alpha is None  # about four instances differ, and six have to
    True
    """
    check_count("n", n)
    if not 0 < discordant <= 1:
        raise SettingsError(f"discordant is {discordant!r}", remedy="give a rate above 0 and at most 1")

    def smallest(level: float) -> float | None:
        return _smallest_of_mcnemar(n, discordant, level, power)

    return at_both_levels(smallest, power, alpha, alternative, n_datasets)


@lru_cache(maxsize=4096)
def _smallest_of_mcnemar(n: int, discordant: float, level: float, power: float) -> float | None:
    """Smallest difference with this power at a one-sided level; many pairs of systems differ on as many instances."""
    exact = ExactMcNemar(n, discordant, level)

    return smallest_root(lambda effect: exact.power(effect) - power, discordant)


def smallest_root(excess: Callable[[float], float], most: float) -> float | None:
    """Effect strictly between 0 and a largest one at which an increasing function is 0; None if it stays below."""
    from scipy.optimize import brentq

    most *= 1 - 1e-9
    return None if excess(most) < 0 else float(brentq(excess, most * 1e-9, most, xtol=1e-12))


def at_both_levels(
    smallest: Callable[[float], float | None],
    power: float,
    alpha: float,
    alternative: Alternative,
    n_datasets: int,
) -> MinimumDetectable:
    """`smallest` at the one-sided levels for alpha and for alpha / N, after a check of all settings."""
    check_probability("power", power)
    check_count("n_datasets", n_datasets)
    level = one_sided_level(alpha, alternative)
    if power <= level:
        raise SettingsError(
            f"a power of {power!r} is not above the level {level!r}: a test has it without any difference",
            remedy="give a larger power, such as 0.8",
        )
    return MinimumDetectable(
        at_alpha=smallest(level),
        in_family=smallest(level / n_datasets),
        power=power,
        alpha=alpha,
        n_datasets=n_datasets,
    )
