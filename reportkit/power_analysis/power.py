"""Power of a comparison whose standard error is planned."""

from __future__ import annotations

import math

from scipy.special import chdtrc, nctdtr, ndtr, ndtri, stdtrit

from reportkit.power_analysis.levels import check_positive, one_sided_level
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.settings import Alternative


def power(
    effect: float, planned: PlannedError, *, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> float:
    """Probability that a t test (normal test) shows A to be better if the true difference is `effect`.

    Parameters
    ----------
    effect : float
        Planned difference, above 0, in units of the score: the smallest one that matters, or one from other data. Not
        the difference observed in the results under analysis; see the text of this package.
    planned : PlannedError
        Standard error and degrees of freedom of the planned comparison.
    alpha : float
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater"}
        Two-sided tests are done at alpha / 2 in the planned direction. Rejections in the wrong direction do not count.

    Returns
    -------
    float
        In (0, 1].

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Null hypothesis: the difference is at most 0. Assumes a near normal estimate: P(T' > t) for a noncentral t variable
    with noncentrality effect / se. Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences", chapter 2.

    Examples
    --------
    A mean difference of 0.02 over 1,000 instances with a standard deviation of 0.2:

    >>> from reportkit.power_analysis.planned_error import error_of_mean
    >>> round(power(0.02, error_of_mean(0.2, 1000)), 4)
    0.8848
    """
    check_positive("effect", effect)
    level = one_sided_level(alpha, alternative)
    shift, freedom = effect / planned.standard_error, planned.degrees_of_freedom
    if math.isinf(freedom):
        return float(ndtr(shift + ndtri(level)))
    critical = -float(stdtrit(freedom, level))
    missed = float(nctdtr(freedom, shift, critical))
    if math.isnan(missed):  # very large effects: only the standard error varies, by as much as chi-squared / f
        missed = float(chdtrc(freedom, freedom * (shift / critical) ** 2))
    return 1.0 - missed
