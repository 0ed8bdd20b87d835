"""Normal hierarchical model: effects on several datasets, their mean, and the effect on a new dataset."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.bayes.distribution import Distribution, normal_mixture
from reportkit.bayes.rope import probability_text
from reportkit.errors import DesignError, InputError, SettingsError

Values = NDArray[np.float64]

_OCTAVES = 40
_NODES = 12
_FARTHEST = 9.0
"""A half-normal variable is farther out than 9 scales with probability 2e-19."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HierarchicalPosterior:
    """The posterior of the general effect, from several datasets.

    Parameters
    ----------
    average : Distribution
        Posterior of mu, the mean effect over the population of datasets.
    new_dataset : Distribution
        Predictive distribution of the true effect on another dataset of that population.
    tau_mean : float
        Expected standard deviation of true effects between datasets.
    tau_scale : float
        Scale of the half-normal prior of tau, in the unit of the effects.
    n_datasets : int
        Number of datasets.
    """

    average: Distribution
    new_dataset: Distribution
    tau_mean: float
    tau_scale: float
    n_datasets: int

    @property
    def p_average(self) -> float:
        """P(mu > 0): the system is better on average over datasets of this kind."""
        return self.average.above(0.0)

    @property
    def p_new_dataset(self) -> float:
        """P(effect on a new dataset > 0)."""
        return self.new_dataset.above(0.0)

    @property
    def sentence(self) -> str:
        """Both probabilities in words."""
        return (
            f"Under a normal hierarchical model of {self.n_datasets} datasets, with a flat prior on the mean effect "
            f"and a half-normal prior with scale {self.tau_scale:g} on the standard deviation between datasets, the "
            f"mean effect is positive with posterior "
            f"probability {probability_text(self.p_average)}, and the effect on a new dataset of the same kind with "
            f"probability {probability_text(self.p_new_dataset)}."
        )

    def __repr__(self) -> str:
        return self.sentence


def hierarchical_normal(
    effects: ArrayLike,
    standard_errors: ArrayLike,
    *,
    tau_scale: float,
    names: Sequence[str] | None = None,
) -> HierarchicalPosterior:
    """Return the posterior of the mean effect over datasets, and of the effect on a new one.

    y_i ~ N(delta_i, se_i^2), delta_i ~ N(mu, tau^2), a flat prior on mu, and a declared prior on tau. Given tau all is
    normal; tau is summed over nodes, with weights p(tau) V^(1/2) prod (se_i^2 + tau^2)^(-1/2)
    exp(-(y_i - mu_tau)^2 / (2 (se_i^2 + tau^2))), mu_tau the precision-weighted mean and V its variance.

    Parameters
    ----------
    effects : array_like of shape (n_datasets,)
        Estimated differences, oriented, all in one unit.
    standard_errors : array_like of shape (n_datasets,)
        Their standard errors, positive.
    tau_scale : float
        Scale of the half-normal prior of tau, in the unit of the effects. There is no default: with few datasets it
        decides much of the answer about a new dataset.
    names : sequence of str, optional
        Names of the datasets, for messages.

    Raises
    ------
    DesignError
        If there are fewer than two datasets.
    InputError
        If an effect is not finite, or a standard error not positive.
    SettingsError
        If `tau_scale` is not positive.

    Notes
    -----
    Assumes that the datasets are a sample of those one cares about (exchangeable), that their estimates are independent
    and near normal, and that the standard errors are known. Gelman et al. (2013), "Bayesian data analysis",
    section 5.4.

    Examples
    --------
    Eight schools (Gelman et al., section 5.5), under a vague prior.

    >>> schools = hierarchical_normal([28, 8, -3, 7, -1, 1, 18, 12], [15, 10, 16, 11, 9, 11, 10, 18], tau_scale=40)
    >>> round(schools.average.mean, 2), round(schools.tau_mean, 2)
    (7.92, 6.36)
    """
    y, se = _checked(effects, standard_errors, names)
    if not (math.isfinite(tau_scale) and tau_scale > 0):
        raise SettingsError(
            f"{tau_scale!r} is no scale of the differences between datasets",
            remedy="give a positive number in the unit of the effects, such as 0.02 for two points of accuracy",
        )
    order = np.lexsort((se, y))
    tau, log_weights = _nodes(tau_scale)
    variances = np.square(se[order]) + np.square(tau)[:, None]
    variance = 1.0 / (1.0 / variances).sum(axis=1)
    mu = variance * (y[order] / variances).sum(axis=1)
    residuals = np.square(y[order] - mu[:, None]) / variances
    log_weights = log_weights + 0.5 * np.log(variance) - 0.5 * (np.log(variances) + residuals).sum(axis=1)
    weights = np.exp(log_weights - log_weights.max())
    weights /= weights.sum()
    return HierarchicalPosterior(
        average=normal_mixture(weights, mu, np.sqrt(variance)),
        new_dataset=normal_mixture(weights, mu, np.sqrt(variance + np.square(tau))),
        tau_mean=float(weights @ tau),
        tau_scale=float(tau_scale),
        n_datasets=int(y.size),
    )


def _checked(effects: ArrayLike, standard_errors: ArrayLike, names: Sequence[str] | None) -> tuple[Values, Values]:
    y, se = np.asarray(effects, dtype=np.float64), np.asarray(standard_errors, dtype=np.float64)
    if y.ndim != 1 or y.shape != se.shape:
        raise InputError(
            f"effects of shape {y.shape} and standard errors of shape {se.shape}",
            remedy="give one effect and one standard error per dataset",
        )
    if y.size < 2:
        raise DesignError(
            f"{y.size} dataset says nothing about the spread between datasets",
            remedy="give the effects on two datasets or more; of one dataset, ask for its own posterior",
        )
    bad = np.flatnonzero(~(np.isfinite(y) & np.isfinite(se) & (se > 0)))
    if bad.size:
        shown = ", ".join(repr(names[i]) if names is not None else f"number {i + 1}" for i in bad[:5])
        raise InputError(
            f"{bad.size} of {y.size} datasets lack a finite effect with a positive standard error",
            where=f"datasets {shown}",
            remedy="leave these datasets out, or give the scores of more instances",
        )
    return y, se


def _nodes(scale: float) -> tuple[Values, Values]:
    """Return nodes for tau, over octaves below its largest value, and log weights: prior density times length."""
    edges = _FARTHEST * scale * np.concatenate([[0.0], 2.0 ** -np.arange(_OCTAVES - 1.0, -1.0, -1.0)])
    unit, weight = np.polynomial.legendre.leggauss(_NODES)
    widths = np.diff(edges)[:, None]
    tau = (edges[:-1, None] + widths * 0.5 * (unit + 1.0)).ravel()
    return tau, np.log((widths * weight).ravel()) - 0.5 * np.square(tau / scale)
