"""What statistical significance does to estimates: wrong signs (type S) and overstatement (type M)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import betaln, ndtr, ndtri, stdtr, stdtrit

from reportkit.errors import SettingsError
from reportkit.power_analysis.levels import check_positive, one_sided_level
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.settings import Alternative


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeSM:
    """How estimates behave once they are statistically significant, if the true difference is a planned one.

    Parameters
    ----------
    power : float
        Probability that the test rejects, in either direction if it is two-sided.
    type_s : float
        Probability that the estimate has the wrong sign, given that the test rejects.
    exaggeration : float
        Mean absolute estimate, given that the test rejects, divided by the true difference (type M).
    """

    power: float
    type_s: float
    exaggeration: float


def type_s_m(
    effect: float, planned: PlannedError, *, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> TypeSM:
    """Type S and type M errors of the test of a planned difference.

    Parameters
    ----------
    effect : float
        Planned difference, above 0, in units of the score, from outside the results under analysis: put in its place,
        the observed difference gives numbers that mean nothing.
    planned : PlannedError
        Standard error, and degrees of freedom above 1.
    alpha : float
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater"}
        A one-sided test never rejects with an estimate of the wrong sign.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    The estimate is effect + se T with T normal, or t with the degrees of freedom of the standard error, which is taken
    as known: Gelman and Carlin (2014), "Beyond power calculations: assessing type S (sign) and type M (magnitude)
    errors". With k = effect / se and critical value c, E[|X|; |X| > c] for X = k + T is
    k (P(T > c - k) - P(T > c + k)) + g(c - k) + g(c + k), where g(c) = E[T; T > c] is the density at c for a normal and
    (f + c^2) / (f - 1) times the density for a t variable with f degrees of freedom: no simulation is needed.

    Examples
    --------
    >>> errors = type_s_m(1.0, PlannedError(1.0))
    >>> round(errors.power, 3), round(errors.type_s, 3), round(errors.exaggeration, 2)
    (0.17, 0.009, 2.49)
    """
    check_positive("effect", effect)
    level = one_sided_level(alpha, alternative)
    freedom, k = planned.degrees_of_freedom, effect / planned.standard_error
    if freedom <= 1:
        raise SettingsError(
            f"with {freedom!r} degrees of freedom the mean of an estimate is not defined",
            remedy="plan for more than 1 degree of freedom",
        )
    c = -float(ndtri(level)) if math.isinf(freedom) else -float(stdtrit(freedom, level))
    right, wrong = _below(k - c, freedom), 0.0
    size = k * right + _mean_above(c - k, freedom)
    if alternative == "two-sided":
        wrong = _below(-k - c, freedom)
        size += _mean_above(c + k, freedom) - k * wrong
    rejected = right + wrong
    return TypeSM(power=rejected, type_s=wrong / rejected, exaggeration=size / rejected / k)


def _below(value: float, freedom: float) -> float:
    """P(T <= value)."""
    return float(ndtr(value)) if math.isinf(freedom) else float(stdtr(freedom, value))


def _mean_above(c: float, freedom: float) -> float:
    """E[T; T > c]."""
    if math.isinf(freedom):
        return math.exp(-c * c / 2) / math.sqrt(2 * math.pi)
    log_density = (
        -0.5 * math.log(freedom) - float(betaln(0.5, freedom / 2)) - (freedom + 1) / 2 * math.log1p(c * c / freedom)
    )
    return (freedom + c * c) / (freedom - 1) * math.exp(log_density)
