"""Estimate how often a conclusion comes out the same when one corpus is split again; test one blocked cross-validation.

Everything here is reproducibility under re-splitting one corpus, and nothing follows for new data.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtr

from reportkit.errors import DesignError, InputError, SettingsError
from reportkit.language import counted
from reportkit.significance.proportions import wilson

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
    array = np.asarray(differences, dtype=np.float64)
    if array.size == 0 or array.size % 2 or array.shape not in {(array.size,), (array.size // 2, 2)}:
        raise InputError(
            f"differences have the shape {array.shape}, not (m, 2) or (2 m,)",
            remedy="give one difference for each of the two folds of each repetition",
        )
    values = array.ravel()
    if (wrong := np.flatnonzero(~np.isfinite(values))).size:
        where = f"difference {int(wrong[0]) + 1} of {values.size}"
        raise InputError("a hold-out difference is not a finite number", where=where)
    mean, deviation = mean_and_deviation(values)
    if not deviation and mean:
        raise DesignError(
            f"the t-test cannot estimate a variance: all {values.size} hold-out differences are {mean:g}",
            remedy="test on the instances' scores instead",
        )
    error = deviation * math.sqrt(1 / values.size + 1)
    statistic = mean / error if error else 0.0
    p_greater, p_less = (
        max(float(stdtr(values.size - 1, side)), sys.float_info.min) if error else 1.0
        for side in (-statistic, statistic)
    )
    return BlockedT(
        mean=mean,
        standard_error=error,
        statistic=statistic,
        degrees_of_freedom=values.size - 1,
        p_greater=p_greater,
        p_less=p_less,
    )


def mean_and_deviation(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean, rounded once, and the standard deviation; 0 where values differ by rounding only."""
    mean, scale = math.fsum(values) / values.size + 0.0, float(np.abs(values).max()) or 1.0
    residuals = values / scale - mean / scale
    if float(np.abs(residuals).max()) <= NO_VARIANCE:
        return mean, 0.0
    return mean, scale * math.sqrt(math.fsum(np.square(residuals)) / (values.size - 1))


FEWEST_REPARTITIONS = 20
"""With fewer independent re-partitions a proportion and a standard deviation say next to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproducibility:
    """The distribution of an estimate of A minus B over independent re-partitions of one corpus.

    Parameters
    ----------
    n : int
        Number of re-partitions, R.
    n_above, n_ties : int
        Estimates above 0, and equal to 0.
    mean, standard_deviation : float
        Of the estimates; n - 1 in the denominator of the variance.
    level : float
        Confidence level of `low` and `high`.
    low, high : float
        Wilson interval of the reproducibility. The randomness is that of the re-partitions.
    """

    n: int
    n_above: int
    n_ties: int
    mean: float
    standard_deviation: float
    level: float
    low: float
    high: float

    @property
    def proportion(self) -> float:
        """Estimates above 0 and half of those equal to 0, as a share of all: the reproducibility of "A is better"."""
        return (self.n_above + 0.5 * self.n_ties) / self.n

    @property
    def snr(self) -> float:
        """Signal-to-noise ratio, mean / standard deviation; infinite if all estimates are the same and not 0."""
        if self.standard_deviation:
            return self.mean / self.standard_deviation
        return math.copysign(math.inf, self.mean) if self.mean else 0.0

    @property
    def cantelli(self) -> float:
        """Lower bound of the reproducibility that holds for every distribution of this SNR."""
        return cantelli_bound(self.snr)

    @property
    def normal(self) -> float:
        """Reproducibility of normally distributed estimates with this SNR."""
        return float(ndtr(self.snr))

    @property
    def row(self) -> dict[str, Any]:
        """Columns of a table, by name."""
        shown = {name: getattr(self, name) for name in ("n", "mean", "standard_deviation", "snr")}
        shown["reproducibility"] = self.proportion
        return shown | {name: getattr(self, name) for name in ("low", "high", "cantelli", "normal")}


def reproducibility(estimates: ArrayLike, *, confidence_level: float = 0.95) -> Reproducibility:
    """Summarise the estimates of A minus B from R independent re-partitions of one corpus.

    Parameters
    ----------
    estimates : array_like of shape (R,)
        One estimate for each re-partition: hold-out, mean of repeated hold-outs, average, vote or mixture. Higher is
        better. R is 20 or more; with 1,000 the interval is at most .031 to either side, with 100 at most .096.
    confidence_level : float
        Confidence level of the interval, in (0, 1).

    Returns
    -------
    Reproducibility

    Raises
    ------
    DesignError
        If there are fewer than 20 estimates.
    InputError
        If they are not one series of finite numbers.

    Notes
    -----
    Xue et al. (2023), Eqs. (1), (3), (4), section 4. The randomness is that of the split alone: re-partitions are
    independent given the corpus. Nothing follows for new data. Half of an estimate that is 0 (but for the rounding of
    floating-point sums, 1e-12 of the largest) counts as above 0; the ends of Wilson's interval are then those of the
    next whole numbers outwards.

    Examples
    --------
    >>> result = reproducibility([0.02, 0.01, -0.01, 0.03, 0.02] * 8)
    >>> result.n, result.proportion, round(result.low, 3), round(result.high, 3)
    (40, 0.8, 0.652, 0.895)
    >>> round(result.snr, 3), round(result.cantelli, 3), round(result.normal, 3)
    (1.019, 0.509, 0.846)
    """
    values = np.asarray(estimates, dtype=np.float64)
    if values.ndim != 1:
        raise InputError(f"estimates have the shape {values.shape}, not (R,)", remedy="give one for each re-partition")
    if not 0 < confidence_level < 1:
        raise SettingsError(f"confidence_level is {confidence_level!r}, not between 0 and 1")
    if values.size < FEWEST_REPARTITIONS:
        raise DesignError(
            f"{counted(values.size, 're-partition is', 're-partitions are')} too few to tell how reproducible a"
            f" conclusion is; {FEWEST_REPARTITIONS} are the least, and 200 or more are better",
            remedy="split, train and test again with other re-partitions; of one blocked cross-validation only the"
            " t-test (blocked_t) and the plug-in value (plug_in_reproducibility) can be given",
        )
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0]) + 1
        raise InputError("an estimate is not a finite number", where=f"re-partition {row} of {values.size}")
    nothing = NO_VARIANCE * float(np.abs(values).max())
    n_above, n_ties = int((values > nothing).sum()), int((np.abs(values) <= nothing).sum())
    count, z = n_above + n_ties / 2, float(ndtri(0.5 + confidence_level / 2))
    mean, deviation = mean_and_deviation(values)
    return Reproducibility(
        n=values.size,
        n_above=n_above,
        n_ties=n_ties,
        mean=mean,
        standard_deviation=deviation,
        level=confidence_level,
        low=wilson(math.floor(count), values.size, z)[0],
        high=wilson(math.ceil(count), values.size, z)[1],
    )


def cantelli_bound(snr: float) -> float:
    """Return SNR^2 / (1 + SNR^2), a lower bound of P(estimate > 0) for any distribution; 0 for an SNR of 0 or less.

    Notes
    -----
    Cantelli's inequality, the one-sided form of Chebyshev's; Xue et al. (2023), Eq. (3).

    Examples
    --------
    >>> round(cantelli_bound(1.421), 4)  # the mixture on named entities in Table 4, with a reproducibility of .940
    0.6688
    """
    if snr <= 0:
        return 0.0
    return 1 / (1 + 1 / snr / snr)  # in this form neither very large nor very small values leave the range


def plug_in_reproducibility(result: BlockedT) -> float:
    """Return Phi(e / sqrt((1 / (2 m) + 1) S^2)): what one blocked cross-validation suggests, and no more than that.

    Parameters
    ----------
    result : BlockedT
        The t-test of one blocked m x 2 cross-validation.

    Returns
    -------
    float
        In (0, 1); .5 if all differences are 0.

    Notes
    -----
    It takes the average to be normal and its variance to be what the t-test assumes. It is a number that follows from
    T, without an interval, and has to be labelled as a plug-in value; with 20 re-partitions or more, the
    reproducibility is counted instead.

    Examples
    --------
    >>> round(plug_in_reproducibility(blocked_t([0.02, 0.01, 0.03, -0.01, 0.02, 0.03])), 4)
    0.8473
    """
    return float(ndtr(result.statistic))


SCOPE = (
    "This is about new splits of the same corpus. It says nothing about new data or other seeds. The spread over "
    "splits is not a sampling error."
)
"""The sentence that goes with every figure on reproducibility."""
