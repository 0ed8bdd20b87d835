"""How k-hat will come out over several datasets, for planned effects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from reportkit.errors import SettingsError
from reportkit.null_distributions import SMALLEST_P_VALUE
from reportkit.power_analysis.levels import check_count
from reportkit.replicability.multiple_testing.partial_conjunction import k_hat


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class KHatPower:
    """Simulated distribution of k-hat.

    Parameters
    ----------
    chances : ndarray of shape (n_datasets + 1,)
        Share of simulations in which k-hat is 0, 1, ..., n_datasets.
    n_better : int
        Number of datasets with a planned effect above 0: what k-hat is a lower bound of.
    n_simulations : int
        As asked for.
    """

    chances: NDArray[np.float64]
    n_better: int
    n_simulations: int

    def at_least(self, k: int) -> float:
        """Estimate P(k-hat >= k): the power to claim that A is better on at least k datasets.

        Parameters
        ----------
        k : int
            From 0 to the number of datasets.
        """
        return float(self.chances[k:].sum())

    def standard_error(self, k: int) -> float:
        """Monte Carlo standard error of `at_least`.

        Parameters
        ----------
        k : int
            From 0 to the number of datasets.
        """
        share = min(1.0, self.at_least(k))
        return math.sqrt(share * (1 - share) / self.n_simulations)

    @property
    def mean(self) -> float:
        """Mean of k-hat."""
        return float(np.arange(self.chances.size) @ self.chances)


def k_hat_power(
    effects: Sequence[float],
    standard_errors: Sequence[float],
    *,
    alpha: float = 0.05,
    method: str = "bonferroni",
    n_simulations: int = 10_000,
    rng: int | np.random.Generator = 0,
) -> KHatPower:
    """Simulate k-hat for planned effects: estimates drawn from N(delta_i, se_i^2), one-sided normal tests on each.

    Parameters
    ----------
    effects : sequence of float
        Planned difference on each dataset, oriented, 0 or negative where none is expected; not the differences
        observed in the results under analysis.
    standard_errors : sequence of float
        Planned standard error on each dataset, above 0.
    alpha : float
        Level of k-hat.
    method : str
        As for `k_hat`.
    n_simulations : int
        At least 1; 10,000 leave a standard error of at most .005.
    rng : int or numpy.random.Generator
        A seed of at least 0, which gives the same numbers each time; or the generator itself.

    Returns
    -------
    KHatPower

    Raises
    ------
    SettingsError
        If a number makes no sense, or there are not as many standard errors as effects.
    UnknownNameError
        If there is no such method.

    Notes
    -----
    The datasets are drawn independently; shared instances or runs usually make k-hat vary more. The power of tests that
    are not normal (exact McNemar) is a little lower. k-hat: Dror et al. (2017), section 4.

    Examples
    --------
    >>> planned = k_hat_power([0.02] * 5 + [0.0] * 3, [0.006] * 8)
    >>> planned.n_better, planned.at_least(6) <= 0.05, 0.7 < planned.at_least(4) < 0.9
    (5, True, True)
    """
    means, errors = np.asarray(effects, dtype=np.float64), np.asarray(standard_errors, dtype=np.float64)
    if means.ndim != 1 or means.shape != errors.shape or not means.size:
        raise SettingsError(
            f"{means.size} effects and {errors.size} standard errors are no plan",
            remedy="give one effect and one standard error for each dataset",
        )
    if not (np.isfinite(means).all() and np.isfinite(errors).all() and (errors > 0).all()):
        raise SettingsError(
            "an effect or standard error is not finite, or a standard error is not above 0",
            where=f"effects {means.tolist()}, standard errors {errors.tolist()}",
            remedy="give finite effects and standard errors above 0",
        )
    check_count("n_simulations", n_simulations)
    if not isinstance(rng, np.random.Generator):
        check_count("rng", rng, least=0)
    z = means / errors + np.random.default_rng(rng).standard_normal((n_simulations, means.size))
    found = np.asarray(k_hat(np.clip(ndtr(-z), SMALLEST_P_VALUE, 1.0), alpha, method))
    return KHatPower(
        chances=np.bincount(found, minlength=means.size + 1) / n_simulations,
        n_better=int(np.count_nonzero(means > 0)),
        n_simulations=n_simulations,
    )
