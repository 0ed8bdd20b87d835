"""Metric scores: Student-t distributed, so that outliers do not decide (Kruschke 2013)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.chains import extra
from reportkit.chains.chain_model import ChainModel, ChainModelName, Values
from reportkit.chains.declared_priors import DeclaredPrior, exponential, half_cauchy, normal

NU_ABOVE_ONE = 29.0
"""Prior mean of nu - 1: mean 30, of which much is nearly normal, and much has heavy tails (Kruschke 2013)."""

VAGUE = 100.0
"""The common level of two groups has a prior this many scales wide: it says nothing of their difference."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedMetric(ChainModel):
    """Differences of scores on the same instances, one group of them.

    With differences in units of the declared scale, d_i = (a_i - b_i) / scale:

    d_i ~ Student-t(nu, mu, sigma), independent; mu ~ normal(0, effect_scale), sigma ~ half-Cauchy(1),
    nu - 1 ~ exponential(mean 29). The effect is mu * scale, the centre of the differences and, as nu > 1, their mean.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        Sorted, in the unit of the score; of the system that comes first by name minus the other.
    scale : float
        Spread of the differences of single instances that is plausible before the data are seen.
    effect_scale : float
        Prior standard deviation of the effect, in units of `scale`.
    nu : float or None
        Degrees of freedom, if they are given: a large number makes the model normal.

    Notes
    -----
    Kruschke (2013), "Bayesian estimation supersedes the t test", has priors made from the data, as HyBayes does (Sadat
    Azer et al., 2020). Here they are declared, so that the prior is one, and Bayes factors are Bayes factors. The
    half-Cauchy prior of a spread is Gelman's (2006). Assumes independent instances, and differences whose
    distribution is symmetric.
    """

    name: ClassVar[ChainModelName] = "metric"
    title: ClassVar[str] = "Student-t model of paired differences"
    citation: ClassVar[str] = "kruschke2013bayesian"
    estimand: ClassVar[str] = "centre of the differences"
    assumptions: ClassVar[tuple[str, ...]] = (
        "instances are independent",
        "differences are Student-t distributed: symmetric about their centre",
    )

    differences: NDArray[np.float64]
    scale: float
    effect_scale: float = 1.0
    nu: float | None = None

    @property
    def sizes(self) -> Mapping[str, float]:
        """Numbers by name."""
        return {"n": self.differences.size, "scale": self.scale, "effect_scale": self.effect_scale}

    @property
    def priors(self) -> Mapping[str, DeclaredPrior]:
        """Priors in units of `scale`."""
        return {"mu": normal(0.0, self.effect_scale), "sigma": half_cauchy(1.0), **_nu_prior(self.nu)}

    def log_likelihood(self, values: Mapping[str, Any]) -> Any:
        """Sum of the Student-t log densities."""
        return _log_density(self.differences / self.scale, _nu(values, self.nu), values["mu"], values["sigma"])

    def effect(self, values: Values) -> NDArray[np.float64]:
        """Centre, in the unit of the score."""
        return values["mu"] * self.scale

    def observed(self) -> Mapping[str, NDArray[np.float64]]:
        """Differences, in the unit of the score."""
        return {"difference": self.differences}

    def replicate(self, values: Values, rng: np.random.Generator) -> Mapping[str, NDArray[np.float64]]:
        """Differences of as many instances."""
        made = _draw(rng, self.differences.size, _nu(values, self.nu), values["mu"], values["sigma"])
        return {"difference": made * self.scale}

    def quantities(self, data: Mapping[str, NDArray[np.float64]]) -> Mapping[str, float]:
        """Mean, standard deviation, smallest and largest difference."""
        return _summaries(data["difference"], "differences")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TwoGroupMetric(ChainModel):
    """Scores of two systems on different instances.

    With scores in units of the declared scale, y_is / scale ~ Student-t(nu, level +- delta / 2, sigma_s), independent;
    level ~ normal(0, 100), delta ~ normal(0, effect_scale), sigma_first, sigma_second ~ half-Cauchy(1),
    nu - 1 ~ exponential(mean 29), the same nu for both. The effect is delta * scale.

    Parameters
    ----------
    first, second : ndarray of shape (n_first,), (n_second,)
        Sorted scores, in their unit, of the system that comes first by name and of the other.
    scale : float
        Spread of the scores of single instances that is plausible before the data are seen.
    effect_scale : float
        Prior standard deviation of the effect, in units of `scale`.
    nu : float or None
        Degrees of freedom, if they are given.

    Notes
    -----
    See `PairedMetric`. The level has so wide a prior since it is common to both systems.
    """

    name: ClassVar[ChainModelName] = "metric"
    title: ClassVar[str] = "Student-t model of two groups"
    citation: ClassVar[str] = "kruschke2013bayesian"
    estimand: ClassVar[str] = "difference of the centres"
    assumptions: ClassVar[tuple[str, ...]] = (
        "instances are independent",
        "the two samples are independent",
        "scores are Student-t distributed: symmetric about their centre",
    )

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    scale: float
    effect_scale: float = 1.0
    nu: float | None = None

    @property
    def sizes(self) -> Mapping[str, float]:
        """Numbers by name."""
        return {
            "n_first": self.first.size,
            "n_second": self.second.size,
            "scale": self.scale,
            "effect_scale": self.effect_scale,
        }

    @property
    def priors(self) -> Mapping[str, DeclaredPrior]:
        """Priors in units of `scale`."""
        return {
            "level": normal(0.0, VAGUE),
            "delta": normal(0.0, self.effect_scale),
            "sigma_first": half_cauchy(1.0),
            "sigma_second": half_cauchy(1.0),
            **_nu_prior(self.nu),
        }

    def log_likelihood(self, values: Mapping[str, Any]) -> Any:
        """Sum of the Student-t log densities of both groups."""
        nu = _nu(values, self.nu)
        return sum(
            _log_density(scores / self.scale, nu, values["level"] + half * values["delta"], values[f"sigma_{which}"])
            for which, scores, half in (("first", self.first, 0.5), ("second", self.second, -0.5))
        )

    def effect(self, values: Values) -> NDArray[np.float64]:
        """Difference of the centres, in the unit of the score."""
        return values["delta"] * self.scale

    def observed(self) -> Mapping[str, NDArray[np.float64]]:
        """Scores, in their unit."""
        return {"first": self.first, "second": self.second}

    def replicate(self, values: Values, rng: np.random.Generator) -> Mapping[str, NDArray[np.float64]]:
        """Scores of as many instances."""
        nu = _nu(values, self.nu)
        return {
            which: self.scale
            * _draw(rng, scores.size, nu, values["level"] + half * values["delta"], values[f"sigma_{which}"])
            for which, scores, half in (("first", self.first, 0.5), ("second", self.second, -0.5))
        }

    def quantities(self, data: Mapping[str, NDArray[np.float64]]) -> Mapping[str, float]:
        """Mean, standard deviation, smallest and largest score of either system."""
        return {**_summaries(data["first"], "{first}"), **_summaries(data["second"], "{second}")}


def _nu_prior(nu: float | None) -> dict[str, DeclaredPrior]:
    return {"nu_above_one": exponential(NU_ABOVE_ONE)} if nu is None else {}


def _nu(values: Mapping[str, Any], nu: float | None) -> Any:
    return values["nu_above_one"] + 1.0 if nu is None else nu


def _log_density(scores: NDArray[np.float64], nu: Any, mu: Any, sigma: Any) -> Any:
    pymc = extra.pymc()
    return pymc.logp(pymc.StudentT.dist(nu=nu, mu=mu, sigma=sigma), scores).sum()


def _draw(rng: np.random.Generator, n: int, nu: Any, mu: Any, sigma: Any) -> NDArray[np.float64]:
    made: NDArray[np.float64] = mu + sigma * rng.standard_t(nu, n)
    return made


def _summaries(scores: NDArray[np.float64], of: str) -> dict[str, float]:
    return {
        f"mean of {of}": float(scores.mean()),
        f"standard deviation of {of}": float(scores.std(ddof=1)),
        f"smallest of {of}": float(scores.min()),
        f"largest of {of}": float(scores.max()),
    }
