"""Power of the exact tests of two independent proportions, and the smallest difference that they show."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from reportkit.errors import SettingsError
from reportkit.power_analysis.levels import check_count, one_sided_level
from reportkit.power_analysis.minimum_detectable import MinimumDetectable, at_both_levels
from reportkit.settings import Alternative
from reportkit.significance.tests.boschloo import MOST_TABLES, boschloo_region

_NEGLIGIBLE = 9.0
"""Numbers of right answers further from their mean than so many standard deviations (and 40) are left out."""

_ROUNDING = 1e-12

_NEAR = 8
"""Critical numbers of right answers are nearly always this near to those of the normal approximation."""


def two_proportions_power(
    n_a: int, n_b: int, right_a: float, right_b: float, *, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> float:
    """Probability that the exact test of two independent proportions shows A to be better.

    The test is the one that is run by default: Boschloo's for up to a million tables, beyond that Fisher's. The
    probabilities of all tables that it rejects are summed.

    Parameters
    ----------
    n_a, n_b : int
        Instances of each system, at least 1.
    right_a, right_b : float
        Planned accuracies, from 0 to 1; not those observed in the results under analysis.
    alpha : float
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater"}
        Two-sided tests are done at alpha / 2 in the planned direction. Rejections in the wrong direction do not count.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Assumes independent instances and samples. Boschloo (1970); Fisher (1935).

    Examples
    --------
    >>> round(two_proportions_power(100, 100, 0.8, 0.6), 3)
    0.869
    """
    check_count("n_a", n_a)
    check_count("n_b", n_b)
    for name, value in (("right_a", right_a), ("right_b", right_b)):
        if not 0 <= value <= 1:
            raise SettingsError(f"{name} is {value!r}", remedy=f"give {name} from 0 to 1")
    return _power(n_a, n_b, right_a, right_b, one_sided_level(alpha, alternative))


def two_proportions_minimum_detectable(
    n_a: int,
    n_b: int,
    overall: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_datasets: int = 1,
) -> MinimumDetectable:
    """Smallest difference in accuracy that the exact test of two independent samples shows with a given power.

    Parameters
    ----------
    n_a, n_b : int
        Instances of each system, at least 1.
    overall : float
        Accuracy over the instances of both, in [0, 1], which stays as it is: a difference of delta puts A at
        overall + delta n_b / (n_a + n_b) and B at overall - delta n_a / (n_a + n_b). At the realised n, the observed
        one.
    power, alpha, alternative, n_datasets
        As for `minimum_detectable`.

    Returns
    -------
    MinimumDetectable
        With None where not even the largest difference that these accuracies allow is shown with this power.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Examples
    --------
    >>> round(two_proportions_minimum_detectable(100, 100, 0.7).at_alpha, 4)
    0.1826
    """
    check_count("n_a", n_a)
    check_count("n_b", n_b)
    if not 0 <= overall <= 1:
        raise SettingsError(f"overall is {overall!r}", remedy="give an accuracy from 0 to 1")
    share_a = n_a / (n_a + n_b)
    most = min((1 - overall) / (1 - share_a), overall / share_a)

    def smallest(level: float) -> float | None:
        from scipy.optimize import brentq

        def excess(effect: float) -> float:
            right_a = min(1.0, overall + effect * (1 - share_a))
            return _power(n_a, n_b, right_a, max(0.0, overall - effect * share_a), level) - power

        return None if excess(most) < 0 else float(brentq(excess, 0.0, most, xtol=1e-9))

    return at_both_levels(smallest, power, alpha, alternative, n_datasets)


def _power(n_a: int, n_b: int, right_a: float, right_b: float, level: float) -> float:
    from scipy.stats import binom

    a = _likely(n_a, right_a)
    if (n_a + 1) * (n_b + 1) <= MOST_TABLES:
        most_b = boschloo_region(n_a, n_b, level)[a]
    else:
        overall = (n_a * right_a + n_b * right_b) / (n_a + n_b)  # whatever the difference is, totals vary no more
        totals = _likely(n_a + n_b, round(overall, 9))
        first = int(totals[0])
        fewest_a = _fisher_region(n_a, n_b, first, int(totals[-1]), level)
        most_b = first + np.searchsorted(fewest_a, a, side="right") - 1 - a
    return min(1.0, float(binom.pmf(a, n_a, right_a) @ binom.cdf(most_b, n_b, right_b)))


def _likely(n: int, right: float) -> NDArray[np.int64]:
    """Numbers of right answers of which the others together are negligible."""
    width = _NEGLIGIBLE * np.sqrt(n * right * (1 - right)) + 40
    return np.arange(max(0, int(n * right - width)), min(n, int(n * right + width) + 1) + 1)


@lru_cache(maxsize=16)
def _fisher_region(n_a: int, n_b: int, first: int, last: int, level: float) -> NDArray[np.int64]:
    """For each total of right answers from first to last, the fewest of A with which Fisher's test rejects."""
    from scipy.stats import hypergeom

    totals = np.arange(first, last + 1)
    n = n_a + n_b
    lowest, highest = np.maximum(totals - n_b, 0), np.minimum(totals, n_a) + 1  # n_a + 1: it never does

    def rejects(fewest: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.asarray(hypergeom.sf(fewest - 1, n, totals, n_a) <= level + _ROUNDING)

    spread = np.sqrt(totals / n * (n - totals) / n * n_a * n_b / n)
    guess = np.rint(totals / n * n_a - float(ndtri(level)) * spread).astype(np.int64)
    low, high = (np.clip(guess + step, lowest, highest) for step in (-_NEAR, _NEAR))
    low, high = np.where(rejects(low), lowest, low), np.where(rejects(high), high, highest)
    while (low < high).any():
        middle = (low + high) // 2
        rejected = rejects(middle)
        low, high = np.where(rejected, low, np.minimum(middle + 1, high)), np.where(rejected, middle, high)
    return np.asarray(low)
