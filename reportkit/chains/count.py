"""Counts: negative binomial with a mean and a dispersion, for the same instances or for different ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.chains import extra
from reportkit.chains.chain_model import ChainModel, ChainModelName, Values
from reportkit.chains.declared_priors import DeclaredPrior, half_normal, normal

LEVEL_SCALE = 3.0
"""Prior standard deviation of the logarithm of the mean count, about 0: means from 0.0025 to 400 are plausible."""

SPREAD_SCALE = 1.0
"""Of 1 / sqrt(alpha), which is 0 for a Poisson distribution: at 1 the standard deviation is at least the mean."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TwoGroupCount(ChainModel):
    """Counts of two systems on different instances.

    y_is ~ NegativeBinomial(mean m_s, dispersion alpha_s), with variance m_s + m_s^2 / alpha_s, independent;
    m_first = exp(level + ratio / 2), m_second = exp(level - ratio / 2); level ~ normal(0, 3),
    ratio ~ normal(0, effect_scale), alpha_s^(-1/2) ~ half-normal(1). The effect is m_first - m_second, turned round
    where lower counts are better.

    Parameters
    ----------
    first, second : ndarray of shape (n_first,), (n_second,)
        Sorted counts of the system that comes first by name, and of the other.
    effect_scale : float
        Prior standard deviation of the logarithm of the ratio of the means.
    lower_is_better : bool
        Whether the effect is turned round.

    Notes
    -----
    The count model of HyBayes (Sadat Azer et al., 2020) with two changes: priors are declared and do not depend on the
    data, and the variance is that of the distribution, m + m^2 / alpha.
    """

    name: ClassVar[ChainModelName] = "count"
    title: ClassVar[str] = "negative binomial model of two groups"
    citation: ClassVar[str] = "sadatazer2020claims"
    estimand: ClassVar[str] = "difference of the mean counts"
    assumptions: ClassVar[tuple[str, ...]] = (
        "instances are independent",
        "the two samples are independent",
        "counts are negative binomial",
    )

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    effect_scale: float = 1.0
    lower_is_better: bool = False

    @property
    def sizes(self) -> Mapping[str, float]:
        """Numbers by name."""
        return {"n_first": self.first.size, "n_second": self.second.size, "effect_scale": self.effect_scale}

    @property
    def priors(self) -> Mapping[str, DeclaredPrior]:
        """Priors in logarithms of counts."""
        return {
            "level": normal(0.0, LEVEL_SCALE),
            "ratio": normal(0.0, self.effect_scale),
            "spread_first": half_normal(SPREAD_SCALE),
            "spread_second": half_normal(SPREAD_SCALE),
        }

    def log_likelihood(self, values: Mapping[str, Any]) -> Any:
        """Sum of the negative binomial log probabilities, each value once."""
        pt = extra.tensors()
        return sum(
            _log_probability(
                scores, pt.exp(values["level"] + half * values["ratio"]), _dispersion(values[f"spread_{which}"])
            )
            for which, scores, half in (("first", self.first, 0.5), ("second", self.second, -0.5))
        )

    def effect(self, values: Values) -> NDArray[np.float64]:
        """Difference of the means."""
        return _difference(values, self.lower_is_better)

    def observed(self) -> Mapping[str, NDArray[np.float64]]:
        """Counts."""
        return {"first": self.first, "second": self.second}

    def replicate(self, values: Values, rng: np.random.Generator) -> Mapping[str, NDArray[np.float64]]:
        """Counts of as many instances."""
        return {
            which: _draw(rng, scores.size, np.exp(values["level"] + half * values["ratio"]), values[f"spread_{which}"])
            for which, scores, half in (("first", self.first, 0.5), ("second", self.second, -0.5))
        }

    def quantities(self, data: Mapping[str, NDArray[np.float64]]) -> Mapping[str, float]:
        """Mean, standard deviation, largest count and share of zeros of either system."""
        return {**_summaries(data["first"], "{first}"), **_summaries(data["second"], "{second}")}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedCount(ChainModel):
    """Counts of two systems on the same instances.

    The total of an instance, t_i = y_i,first + y_i,second, is NegativeBinomial(mean m_first + m_second, dispersion
    alpha), with variance m + m^2 / alpha; given the total, y_i,first ~ BetaBinomial(t_i, p kappa, (1 - p) kappa) with
    p = m_first / (m_first + m_second). Instances with many counts for the one have many for the other: that is the
    pairing. m_first = exp(level + ratio / 2), m_second = exp(level - ratio / 2); level ~ normal(0, 3),
    ratio ~ normal(0, effect_scale), alpha^(-1/2), kappa^(-1/2) ~ half-normal(1). The effect is m_first - m_second,
    turned round where lower counts are better.

    Parameters
    ----------
    pairs : ndarray of shape (n, 2)
        Counts of the system that comes first by name, and of the other; sorted rows.
    effect_scale : float
        Prior standard deviation of the logarithm of the ratio of the means.
    lower_is_better : bool
        Whether the effect is turned round.

    Notes
    -----
    HyBayes has no paired model. With kappa large and alpha finite this is the bivariate negative binomial
    distribution, in which two Poisson counts share a gamma-distributed rate.
    """

    name: ClassVar[ChainModelName] = "count"
    title: ClassVar[str] = "negative binomial model of paired counts"
    citation: ClassVar[str] = "sadatazer2020claims"
    estimand: ClassVar[str] = "difference of the mean counts"
    assumptions: ClassVar[tuple[str, ...]] = (
        "instances are independent",
        "totals of both systems are negative binomial",
        "the share of either system in a total does not depend on the total",
    )

    pairs: NDArray[np.float64]
    effect_scale: float = 1.0
    lower_is_better: bool = False

    @property
    def sizes(self) -> Mapping[str, float]:
        """Numbers by name."""
        return {"n": len(self.pairs), "effect_scale": self.effect_scale}

    @property
    def priors(self) -> Mapping[str, DeclaredPrior]:
        """Priors in logarithms of counts."""
        return {
            "level": normal(0.0, LEVEL_SCALE),
            "ratio": normal(0.0, self.effect_scale),
            "spread": half_normal(SPREAD_SCALE),
            "split": half_normal(SPREAD_SCALE),
        }

    def log_likelihood(self, values: Mapping[str, Any]) -> Any:
        """Log probability of the totals, and of their splits."""
        pymc, pt = extra.pymc(), extra.tensors()
        mean = pt.exp(values["level"]) * 2.0 * pt.cosh(0.5 * values["ratio"])
        share, kappa = pt.sigmoid(values["ratio"]), _dispersion(values["split"])
        pairs, times = np.unique(self.pairs[self.pairs.sum(axis=1) > 0], axis=0, return_counts=True)
        totals = pairs.sum(axis=1)
        splits = pymc.logp(
            pymc.BetaBinomial.dist(n=totals.astype(np.int64), alpha=share * kappa, beta=(1.0 - share) * kappa),
            pairs[:, 0].astype(np.int64),
        )
        return _log_probability(self.pairs.sum(axis=1), mean, _dispersion(values["spread"])) + (times * splits).sum()

    def effect(self, values: Values) -> NDArray[np.float64]:
        """Difference of the means."""
        return _difference(values, self.lower_is_better)

    def observed(self) -> Mapping[str, NDArray[np.float64]]:
        """Pairs of counts."""
        return {"pairs": self.pairs}

    def replicate(self, values: Values, rng: np.random.Generator) -> Mapping[str, NDArray[np.float64]]:
        """Pairs of counts of as many instances."""
        mean = np.exp(values["level"]) * 2.0 * np.cosh(0.5 * values["ratio"])
        totals = _draw(rng, len(self.pairs), mean, values["spread"])
        share = 1.0 / (1.0 + np.exp(-values["ratio"]))
        kappa = _dispersion(float(values["split"]))
        shares = np.clip(rng.beta(share * kappa, (1.0 - share) * kappa, len(totals)), 0.0, 1.0)
        first = rng.binomial(totals.astype(np.int64), shares)
        return {"pairs": np.column_stack([first, totals - first]).astype(np.float64)}

    def quantities(self, data: Mapping[str, NDArray[np.float64]]) -> Mapping[str, float]:
        """Mean, standard deviation, largest count and share of zeros of either system, and their correlation."""
        first, second = data["pairs"].T
        difference = float((first - second).std(ddof=1))
        return {
            **_summaries(first, "{first}"),
            **_summaries(second, "{second}"),
            "standard deviation of the differences": difference,
        }


def _dispersion(spread: Any) -> Any:
    """Turn a spread into a dispersion, at most 1e6: beyond, counts are Poisson for all that can be seen of them."""
    return 1.0 / (spread**2 + 1e-6)


def _difference(values: Values, lower_is_better: bool) -> NDArray[np.float64]:
    with np.errstate(over="ignore"):
        found: NDArray[np.float64] = np.exp(values["level"]) * 2.0 * np.sinh(0.5 * values["ratio"])
    return 0.0 - found if lower_is_better else found


def _log_probability(counts: NDArray[np.float64], mean: Any, alpha: Any) -> Any:
    pymc = extra.pymc()
    values, times = np.unique(counts, return_counts=True)
    return (times * pymc.logp(pymc.NegativeBinomial.dist(mu=mean, alpha=alpha), values.astype(np.int64))).sum()


_MOST = 1e15
"""Counts that the prior makes beyond this are cut: NumPy has no larger ones."""


def _draw(rng: np.random.Generator, n: int, mean: Any, spread: Any) -> NDArray[np.float64]:
    """Poisson counts with gamma-distributed rates: negative binomial."""
    alpha = _dispersion(float(spread))
    rates = np.minimum(mean * rng.gamma(alpha, 1.0 / alpha, n), _MOST)
    counts: NDArray[np.float64] = rng.poisson(rates).astype(np.float64)
    return counts


def _summaries(counts: NDArray[np.float64], of: str) -> dict[str, float]:
    return {
        f"mean of {of}": float(counts.mean()),
        f"standard deviation of {of}": float(counts.std(ddof=1)),
        f"largest of {of}": float(counts.max()),
        f"share of zeros of {of}": float((counts == 0).mean()),
    }
