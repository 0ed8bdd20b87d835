"""Models of scores and counts: Student-t (Kruschke 2013) and negative binomial, paired or of two groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from reportkit.bayes.chains import extra
from reportkit.bayes.chains.chain_model import ChainModel, Floats, Values, exponential, half_cauchy, half_normal, normal

NU_ABOVE_ONE = 29.0
"""Prior mean of nu - 1: mean 30, of which much is nearly normal, and much has heavy tails (Kruschke 2013)."""

VAGUE = 100.0
"""The common level of two groups has a prior this many scales wide: it says nothing of their difference."""

LEVEL_SCALE = 3.0
"""Prior standard deviation of the logarithm of the mean count, about 0: means from 0.0025 to 400 are plausible."""

_HALVES = {"first": 0.5, "second": -0.5}
_TWO_SAMPLES = ("instances are independent", "the two samples are independent")


def metric_model(groups: Values, scale: float, effect_scale: float) -> ChainModel:
    """Set up the model of metric scores, Student-t distributed so that outliers do not decide.

    In units of the declared scale, differences on the same instances are d_i ~ Student-t(nu, mu, sigma), mu ~ normal(0,
    effect_scale), sigma ~ half-Cauchy(1); scores of two groups are y_is ~ Student-t(nu, level +- delta / 2, sigma_s),
    level ~ normal(0, 100), delta ~ normal(0, effect_scale), sigma_s ~ half-Cauchy(1). nu - 1 ~ exponential(mean 29).
    The effect is mu or delta, times the scale.

    Parameters
    ----------
    groups : mapping of str to ndarray
        Sorted, in their unit: "difference" of the system that comes first by name minus the other; or scores of the
        "first" and of the "second".
    scale : float
        Spread of differences, or of scores, of single instances that is plausible before the data are seen.
    effect_scale : float
        Prior standard deviation of the effect, in units of `scale`.

    Notes
    -----
    Kruschke (2013), "Bayesian estimation supersedes the t test", has priors made from the data, as HyBayes does (Sadat
    Azer et al., 2020). Here they are declared, so that the prior is one, and Bayes factors are Bayes factors. The
    half-Cauchy prior of a spread is Gelman's (2006).
    """
    paired = "difference" in groups
    effect = "mu" if paired else "delta"
    priors = {"mu": normal(0.0, effect_scale), "sigma": half_cauchy(1.0)}
    if not paired:
        priors = {"level": normal(0.0, VAGUE), "delta": normal(0.0, effect_scale)}
        priors |= {f"sigma_{name}": half_cauchy(1.0) for name in groups}

    def law(values: Mapping[str, Any], name: str) -> tuple[Any, Any, Any]:
        nu = values["nu_above_one"] + 1.0
        if paired:
            return nu, values["mu"], values["sigma"]
        return nu, values["level"] + _HALVES[name] * values["delta"], values[f"sigma_{name}"]

    def log_likelihood(values: Mapping[str, Any]) -> Any:
        pymc, total = extra.pymc(), 0.0
        for name, scores in groups.items():
            nu, mu, sigma = law(values, name)
            total = total + pymc.logp(pymc.StudentT.dist(nu=nu, mu=mu, sigma=sigma), scores / scale).sum()
        return total

    sizes = {"n": groups["difference"].size} if paired else {f"n_{name}": groups[name].size for name in groups}
    assumptions: tuple[str, ...] = (*_TWO_SAMPLES, "scores are Student-t distributed: symmetric about their centre")
    if paired:
        assumptions = (_TWO_SAMPLES[0], "differences are Student-t distributed: symmetric about their centre")
    return ChainModel(
        name="metric",
        title="Student-t model of paired differences" if paired else "Student-t model of two groups",
        citation="kruschke2013bayesian",
        estimand="centre of the differences" if paired else "difference of the centres",
        assumptions=assumptions,
        sizes={**sizes, "scale": scale, "effect_scale": effect_scale},
        priors={**priors, "nu_above_one": exponential(NU_ABOVE_ONE)},
        log_likelihood=log_likelihood,
        effect=lambda values: values[effect] * scale,
    )


def count_model(groups: Values, effect_scale: float, lower_is_better: bool) -> ChainModel:
    """Set up the model of counts of two groups.

    y_is ~ NegativeBinomial(mean m_s, dispersion alpha_s), with variance m_s + m_s^2 / alpha_s, independent;
    m_first = exp(level + ratio / 2), m_second = exp(level - ratio / 2); level ~ normal(0, 3),
    ratio ~ normal(0, effect_scale), alpha_s^(-1/2) ~ half-normal(1). The effect is m_first - m_second, turned round
    where lower counts are better.

    Parameters
    ----------
    groups : mapping of str to ndarray
        Sorted counts of the "first" system by name, and of the "second".
    effect_scale : float
        Prior standard deviation of the logarithm of the ratio of the means.
    lower_is_better : bool
        Whether the effect is turned round.

    Notes
    -----
    The count model of HyBayes (Sadat Azer et al., 2020) with two changes: priors are declared and do not depend on the
    data, and the variance is that of the distribution, m + m^2 / alpha.
    """

    def log_likelihood(values: Mapping[str, Any]) -> Any:
        pt, total = extra.tensors(), 0.0
        for name, counts in groups.items():
            mean = pt.exp(values["level"] + _HALVES[name] * values["ratio"])
            total = total + _log_probability(counts, mean, _dispersion(values[f"spread_{name}"]))
        return total

    return ChainModel(
        name="count",
        title="negative binomial model of two groups",
        citation="sadatazer2020claims",
        estimand="difference of the mean counts",
        assumptions=(*_TWO_SAMPLES, "counts are negative binomial"),
        sizes={**{f"n_{name}": groups[name].size for name in groups}, "effect_scale": effect_scale},
        priors={
            "level": normal(0.0, LEVEL_SCALE),
            "ratio": normal(0.0, effect_scale),
            **{f"spread_{name}": half_normal(1.0) for name in groups},
        },
        log_likelihood=log_likelihood,
        effect=lambda values: _difference(values, lower_is_better),
    )


def paired_count_model(pairs: Floats, effect_scale: float, lower_is_better: bool) -> ChainModel:
    """Set up the model of counts on the same instances.

    The total of an instance, t_i = y_i,first + y_i,second, is NegativeBinomial(mean m_first + m_second, dispersion
    alpha); given the total, y_i,first ~ BetaBinomial(t_i, p kappa, (1 - p) kappa) with p = m_first / (m_first +
    m_second). Instances with many counts for the one have many for the other: that is the pairing. Means and priors are
    those of `count_model`; alpha^(-1/2), kappa^(-1/2) ~ half-normal(1).

    Parameters
    ----------
    pairs : ndarray of shape (n, 2)
        Counts of the system that comes first by name, and of the other; sorted rows.
    effect_scale, lower_is_better
        As for `count_model`.

    Notes
    -----
    HyBayes has no paired model. With kappa large and alpha finite this is the bivariate negative binomial
    distribution, in which two Poisson counts share a gamma-distributed rate.
    """

    def log_likelihood(values: Mapping[str, Any]) -> Any:
        pymc, pt = extra.pymc(), extra.tensors()
        mean = pt.exp(values["level"]) * 2.0 * pt.cosh(0.5 * values["ratio"])
        share, kappa = pt.sigmoid(values["ratio"]), _dispersion(values["split"])
        kinds, times = np.unique(pairs[pairs.sum(axis=1) > 0], axis=0, return_counts=True)
        totals = kinds.sum(axis=1).astype(np.int64)
        law = pymc.BetaBinomial.dist(n=totals, alpha=share * kappa, beta=(1.0 - share) * kappa)
        splits = (times * pymc.logp(law, kinds[:, 0].astype(np.int64))).sum()
        return _log_probability(pairs.sum(axis=1), mean, _dispersion(values["spread"])) + splits

    return ChainModel(
        name="count",
        title="negative binomial model of paired counts",
        citation="sadatazer2020claims",
        estimand="difference of the mean counts",
        assumptions=(
            "instances are independent",
            "totals of both systems are negative binomial",
            "the share of either system in a total does not depend on the total",
        ),
        sizes={"n": len(pairs), "effect_scale": effect_scale},
        priors={
            "level": normal(0.0, LEVEL_SCALE),
            "ratio": normal(0.0, effect_scale),
            "spread": half_normal(1.0),
            "split": half_normal(1.0),
        },
        log_likelihood=log_likelihood,
        effect=lambda values: _difference(values, lower_is_better),
    )


def _dispersion(spread: Any) -> Any:
    """Turn a spread into a dispersion, at most 1e6: beyond, counts are Poisson for all that can be seen of them."""
    return 1.0 / (spread**2 + 1e-6)


def _difference(values: Values, lower_is_better: bool) -> Floats:
    with np.errstate(over="ignore"):
        found: Floats = np.exp(values["level"]) * 2.0 * np.sinh(0.5 * values["ratio"])
    return 0.0 - found if lower_is_better else found


def _log_probability(counts: Floats, mean: Any, alpha: Any) -> Any:
    pymc = extra.pymc()
    values, times = np.unique(counts, return_counts=True)
    return (times * pymc.logp(pymc.NegativeBinomial.dist(mu=mean, alpha=alpha), values.astype(np.int64))).sum()
