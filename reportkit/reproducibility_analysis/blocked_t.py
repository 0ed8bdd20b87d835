"""The t-test of a blocked m x 2 cross-validation, with the correlation of its hold-out estimates allowed for."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from reportkit.errors import DesignError, InputError, SettingsError
from reportkit.intervals.interval import Interval

NO_VARIANCE = 1e-12
"""Deviations below this part of the largest difference are the noise of floating-point arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedT:
    """Result of the t-test on one blocked m x 2 cross-validation.

    Parameters
    ----------
    mean : float
        Mean of the 2 m hold-out differences, A minus B.
    standard_error : float
        sqrt((1 / (2 m) + 1) S^2); 0 only if all differences are 0.
    statistic : float
        Mean divided by standard error; 0 if all differences are 0.
    degrees_of_freedom : int
        2 m - 1.
    p_greater, p_less : float
        One-sided p-values, in (0, 1]: A better, B better. Both are 1 if all differences are 0.
    """

    mean: float
    standard_error: float
    statistic: float
    degrees_of_freedom: int
    p_greater: float
    p_less: float

    def interval(self, confidence_level: float = 0.95) -> Interval | None:
        """Interval for the expected difference at training sets of half the corpus; None if all differences are 0."""
        if not 0 < confidence_level < 1:
            raise SettingsError(f"confidence_level is {confidence_level!r}, not between 0 and 1")
        return Interval.of_t(
            self.mean,
            self.standard_error or None,
            self.degrees_of_freedom,
            confidence_level,
            title="corrected t interval of the blocked cross-validation",
            citation="nadeau2003inference",
        )


def blocked_t(differences: ArrayLike) -> BlockedT:
    """Test whether A is better than B from the 2 m hold-out differences of a blocked m x 2 cross-validation.

    With e_1, ..., e_2m the differences, e their mean and S^2 their sample variance,

        T = e / sqrt((1 / (2 m) + 1) S^2),  2 m - 1 degrees of freedom.

    Parameters
    ----------
    differences : array_like of shape (m, 2) or (2 m,)
        A minus B on each fold of each repetition; higher is better.

    Returns
    -------
    BlockedT

    Raises
    ------
    InputError
        If the number of differences is odd or 0, or one is not finite.
    DesignError
        If all differences are the same and not 0: they hold no information on the variance.

    Notes
    -----
    Null hypothesis: the expected difference of systems trained on half of the corpus is at most 0.

    The hold-out estimates share training and test data. The factor is that of Nadeau and Bengio (2003), "Inference for
    the generalization error", 1 / J + n_test / n_train with J = 2 m and halves of equal size; for m = 3 it is 7/6. It
    is also what follows if any two of the estimates have the correlation 1/2: with the correlation r of all pairs,
    Var(e) / E S^2 = (1 + (2 m - 1) r) / (2 m (1 - r)). No unbiased estimate of the variance exists (Bengio and
    Grandvalet, 2004). In simulations with m = 3 and equal learners, one-sided size at .05 was .026 to .045. The factor
    1 / (2 m) of independent estimates is not offered: with it, size was .17 to .24.

    Examples
    --------
    >>> result = blocked_t([[0.02, 0.01], [0.03, 0.01], [0.02, 0.03]])
    >>> round(result.statistic, 4), result.degrees_of_freedom, round(result.p_greater, 4)
    (2.0702, 5, 0.0466)
    """
    values = _checked(differences)
    mean, deviation = mean_and_deviation(values)
    if not values.any():
        return BlockedT(mean=0.0, standard_error=0.0, statistic=0.0, degrees_of_freedom=values.size - 1,
                        p_greater=1.0, p_less=1.0)  # fmt: skip
    if not deviation:
        raise DesignError(
            f"the t-test cannot estimate a variance: all {values.size} hold-out differences are {mean:g}",
            remedy="test on the instances' scores instead",
        )
    error = deviation * math.sqrt(1 / values.size + 1)
    statistic = mean / error
    return BlockedT(
        mean=mean,
        standard_error=error,
        statistic=statistic,
        degrees_of_freedom=values.size - 1,
        p_greater=max(float(stdtr(values.size - 1, -statistic)), sys.float_info.min),
        p_less=max(float(stdtr(values.size - 1, statistic)), sys.float_info.min),
    )


def _checked(differences: ArrayLike) -> NDArray[np.float64]:
    array = np.asarray(differences, dtype=np.float64)
    if array.size == 0 or array.size % 2 or (array.ndim != 1 and not (array.ndim == 2 and array.shape[1] == 2)):
        raise InputError(
            f"differences have the shape {array.shape}, not (m, 2) or (2 m,)",
            remedy="give one difference for each of the two folds of each repetition",
        )
    values = array.ravel()
    if not np.isfinite(values).all():
        raise InputError(
            "a hold-out difference is not a finite number",
            where=f"difference {int(np.flatnonzero(~np.isfinite(values))[0]) + 1} of {values.size}",
        )
    return values


def mean_and_deviation(values: NDArray[np.float64]) -> tuple[float, float]:
    """Mean, rounded once, and standard deviation; 0 where values differ by rounding only."""
    mean = math.fsum(values) / values.size + 0.0
    scale = float(np.abs(values).max())
    if not scale:
        return 0.0, 0.0
    residuals = values / scale - mean / scale
    if float(np.abs(residuals).max()) <= NO_VARIANCE:
        return mean, 0.0
    return mean, scale * math.sqrt(math.fsum(np.square(residuals)) / (values.size - 1))
