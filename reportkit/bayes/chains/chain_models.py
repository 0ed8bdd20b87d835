"""The models of HyBayes in PyMC: scores, counts, ratings, right or wrong; on the same instances or of two groups.

Each takes the data of the system that comes first by name and of the other, and declares priors that depend on neither:
it adds its variables to the PyMC model of the context, and returns the difference of the two as a tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.chains import extra

ChainModelName = Literal["metric", "count", "ordinal", "paired-logistic"]
Floats = NDArray[np.float64]

NODES: Floats = np.linspace(-6.0, 6.0, 61)
"""Grid of a standard normal variable, for averages over it by the trapezoidal rule.

With step h it errs by about exp(-2 pi w / h), where w is the distance of the nearest pole from the real line: for a
logistic curve of slope tau, w = pi / tau, and so by 3e-9 at tau = 5, 5e-5 at tau = 10.
"""

WEIGHTS: Floats = np.exp(-0.5 * np.square(NODES)) / np.exp(-0.5 * np.square(NODES)).sum()

NU_ABOVE_ONE = 29.0
"""Prior mean of nu - 1: mean 30, much weight on nearly normal and on heavy-tailed distributions (Kruschke 2013)."""

VAGUE = 100.0
"""The common level of two groups has a prior this many scales wide: it says nothing of their difference."""

COUNT_LEVEL = 3.0
"""Prior standard deviation of the logarithm of the mean count, about 0: means from 0.0025 to 400 are plausible."""

GAPS = 2.0
"""Concentration of the Dirichlet prior of the distances between thresholds: equal ones are favoured a little."""

LOGISTIC_LEVEL = 1.5
"""Prior of the level on the scale of the marginal log odds: nearly uniform over accuracies."""

TAU_SCALE = 5.0
"""Prior scale of tau, the spread of difficulties: systems often err on the same instances, so tau is seldom below 2."""

_ATTENUATION = (16.0 * 3.0**0.5 / (15.0 * np.pi)) ** 2
"""Averaging over a normal variable of standard deviation s divides log odds by about (1 + this * s^2)^(1/2)."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ChainModel:
    """A model of the scores of two systems, with its data.

    Parameters
    ----------
    name, title, estimand
        As for `Posterior`.
    build : callable
        Adds the variables to the PyMC model of the context, and returns the difference of the first system minus the
        second.
    """

    name: ChainModelName
    title: str
    estimand: str
    build: Callable[[], Any]


def paired_metric_model(differences: Floats, scale: float, effect_scale: float) -> ChainModel:
    """Set up the model of differences on the same instances, Student-t distributed so that outliers do not decide.

    In units of the declared scale, d_i ~ Student-t(nu, mu, sigma), mu ~ normal(0, effect_scale), sigma ~
    half-Cauchy(1), nu - 1 ~ exponential(mean 29). The effect is mu, times the scale.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        Scores of the system that comes first by name minus those of the other.
    scale : float
        Spread of differences of single instances that is plausible before the data are seen.
    effect_scale : float
        Prior standard deviation of the effect, in units of `scale`.

    Notes
    -----
    Kruschke (2013), "Bayesian estimation supersedes the t test", has priors made from the data, as HyBayes does (Sadat
    Azer et al., 2020). Here they are declared. The half-Cauchy prior of a spread is Gelman's (2006).
    """

    def build() -> Any:
        pymc = extra.pymc()
        mu, sigma = pymc.Normal("mu", 0.0, effect_scale), pymc.HalfCauchy("sigma", 1.0)
        nu = pymc.Exponential("nu_above_one", scale=NU_ABOVE_ONE) + 1.0
        pymc.StudentT("scores", nu=nu, mu=mu, sigma=sigma, observed=differences / scale)
        return mu * scale

    return ChainModel(
        name="metric",
        title="Student-t model of paired differences",
        estimand="centre of the differences",
        build=build,
    )


def metric_model(first: Floats, second: Floats, scale: float, effect_scale: float) -> ChainModel:
    """Set up the model of scores of two groups, Student-t distributed.

    In units of the scale, y_is ~ Student-t(nu, level +- delta / 2, sigma_s), level ~ normal(0, 100), delta ~ normal(0,
    effect_scale), sigma_s ~ half-Cauchy(1), nu - 1 ~ exponential(mean 29). The effect is delta, times the scale.
    """

    def build() -> Any:
        pymc = extra.pymc()
        level, delta = pymc.Normal("level", 0.0, VAGUE), pymc.Normal("delta", 0.0, effect_scale)
        nu = pymc.Exponential("nu_above_one", scale=NU_ABOVE_ONE) + 1.0
        for name, scores, half in (("first", first, 0.5), ("second", second, -0.5)):
            sigma = pymc.HalfCauchy(f"sigma_{name}", 1.0)
            pymc.StudentT(name, nu=nu, mu=level + half * delta, sigma=sigma, observed=scores / scale)
        return delta * scale

    return ChainModel(
        name="metric", title="Student-t model of two groups", estimand="difference of the centres", build=build
    )


def count_model(first: Floats, second: Floats, effect_scale: float) -> ChainModel:
    """Set up the model of counts of two groups.

    y_is ~ NegativeBinomial(mean m_s, dispersion alpha_s), with variance m_s + m_s^2 / alpha_s, independent;
    m_first = exp(level + ratio / 2), m_second = exp(level - ratio / 2); level ~ normal(0, 3),
    ratio ~ normal(0, effect_scale), alpha_s^(-1/2) ~ half-normal(1). The effect is m_first - m_second.

    Notes
    -----
    The count model of HyBayes (Sadat Azer et al., 2020) with two changes: priors are declared and do not depend on the
    data, and the variance is that of the distribution, m + m^2 / alpha.
    """

    def build() -> Any:
        pymc, pt = extra.pymc(), extra.tensors()
        level, ratio = pymc.Normal("level", 0.0, COUNT_LEVEL), pymc.Normal("ratio", 0.0, effect_scale)
        for name, counts, half in (("first", first, 0.5), ("second", second, -0.5)):
            alpha = _dispersion(pymc.HalfNormal(f"spread_{name}", 1.0))
            pymc.NegativeBinomial(name, mu=pt.exp(level + half * ratio), alpha=alpha, observed=counts.astype(np.int64))
        return pt.exp(level) * 2.0 * pt.sinh(0.5 * ratio)

    return ChainModel(
        name="count",
        title="negative binomial model of two groups",
        estimand="difference of the mean counts",
        build=build,
    )


def paired_count_model(pairs: Floats, effect_scale: float) -> ChainModel:
    """Set up the model of counts on the same instances.

    The total of an instance, t_i = y_i,first + y_i,second, is NegativeBinomial(mean m_first + m_second, dispersion
    alpha); given the total, y_i,first ~ BetaBinomial(t_i, p kappa, (1 - p) kappa) with p = m_first / (m_first +
    m_second). Instances with many counts for the one have many for the other: that is the pairing. Means and priors are
    those of `count_model`; alpha^(-1/2), kappa^(-1/2) ~ half-normal(1).

    Parameters
    ----------
    pairs : ndarray of shape (n, 2)
        Counts of the system that comes first by name, and of the other.
    effect_scale : float
        As for `count_model`.

    Notes
    -----
    HyBayes has no paired model. With kappa large and alpha finite this is the bivariate negative binomial
    distribution, in which two Poisson counts share a gamma-distributed rate.
    """

    def build() -> Any:
        pymc, pt = extra.pymc(), extra.tensors()
        level, ratio = pymc.Normal("level", 0.0, COUNT_LEVEL), pymc.Normal("ratio", 0.0, effect_scale)
        alpha, kappa = (_dispersion(pymc.HalfNormal(name, 1.0)) for name in ("spread", "split"))
        totals = pairs.sum(axis=1).astype(np.int64)
        mean, share, seen = pt.exp(level) * 2.0 * pt.cosh(0.5 * ratio), pt.sigmoid(ratio), totals > 0
        pymc.NegativeBinomial("totals", mu=mean, alpha=alpha, observed=totals)
        law = {"n": totals[seen], "alpha": share * kappa, "beta": (1.0 - share) * kappa}
        pymc.BetaBinomial("first", **law, observed=pairs[seen, 0].astype(np.int64))
        return pt.exp(level) * 2.0 * pt.sinh(0.5 * ratio)

    return ChainModel(
        name="count",
        title="negative binomial model of paired counts",
        estimand="difference of the mean counts",
        build=build,
    )


def _dispersion(spread: Any) -> Any:
    """Turn a spread into a dispersion, at most 1e6: beyond, counts cannot be told from Poisson ones."""
    return 1.0 / (spread**2 + 1e-6)


def ordinal_model(counts: Floats, lowest: int, highest: int, effect_scale: float, *, paired: bool) -> ChainModel:
    """Set up the model of ratings of two systems.

    A latent score is normal(mu_s, sigma_s); level k is given where it lies between thresholds k - 1 and k. With levels
    lowest, ..., highest the outer thresholds are fixed at lowest + 1/2 and highest - 1/2, which makes mu and sigma
    readable in levels; the distances between the others have a Dirichlet(2, ..., 2) prior. mu_first, mu_second =
    centre +- delta / 2, centre ~ normal(middle of the scale, L), delta ~ normal(0, effect_scale L / 2), sigma_s ~
    half-normal(L), L = highest - lowest. The effect is delta. On the same instances, latent scores correlate by rho ~
    Beta(2, 2), from what an instance has in common for both systems.

    Parameters
    ----------
    counts : ndarray of shape (2, n_levels), or (n_levels, n_levels) if paired
        How often the system that comes first by name has each level, and the other; or instances by both levels.
    lowest, highest : int
        Ends of the scale; all levels from the one to the other exist, used or not.
    effect_scale : float
        Prior standard deviation of the difference of the latent means, in units of half the length of the scale.
    paired : bool
        Whether the instances are the same.

    Notes
    -----
    Liddell and Kruschke (2018), "Analyzing ordinal data with metric models: What could possibly go wrong?". Unlike in
    HyBayes (Sadat Azer et al., 2020), the prior of the means is about the middle of the scale wherever it begins. The
    common part is averaged over by quadrature; both ratings of an instance are positively associated, or not at all.
    """

    def build() -> Any:
        pymc, pt = extra.pymc(), extra.tensors()
        length = float(highest - lowest)
        centre = pymc.Normal("centre", 0.5 * (lowest + highest), length)
        delta = pymc.Normal("delta", 0.0, 0.5 * effect_scale * length)
        sigma = pt.stack([pymc.HalfNormal(f"sigma_{name}", length) for name in ("first", "second")])
        mu = pt.stack([centre + 0.5 * delta, centre - 0.5 * delta])
        cuts: Any = np.array([lowest + 0.5, highest - 0.5])
        if length > 2:
            gaps = pymc.Dirichlet("gaps", np.full(highest - lowest - 1, GAPS))
            cuts = pt.concatenate([cuts[:1], cuts[0] + (length - 1.0) * gaps.cumsum()[:-1], cuts[1:]])
        if paired:
            rho = pymc.Beta("rho", 2.0, 2.0)
            at_nodes = mu[:, None] + sigma[:, None] * pt.sqrt(rho) * NODES
            left = (sigma * pt.sqrt(1.0 - rho))[:, None, None]
            each = _level_shares(cuts, at_nodes[:, :, None], left, pt)
            shares = (WEIGHTS[:, None, None] * each[0][:, :, None] * each[1][:, None, :]).sum(axis=0)
        else:
            shares = _level_shares(cuts, mu[:, None], sigma[:, None], pt)
        pymc.Potential("ratings", (counts * pt.log(shares + 1e-300)).sum())
        return delta

    return ChainModel(
        name="ordinal",
        title="thresholded normal model of " + ("paired ratings" if paired else "two groups"),
        estimand="difference of the latent means, in levels",
        build=build,
    )


def _level_shares(cuts: Any, mu: Any, sigma: Any, pt: Any) -> Any:
    """Return the probability of each level, the last axis; differences of the smaller tails, so that none cancels."""
    scores = (cuts - mu) / (sigma * np.sqrt(2.0))
    below, above = 0.5 * pt.erfc(-scores), 0.5 * pt.erfc(scores)
    upper = scores[..., :-1] + scores[..., 1:] > 0
    between = pt.switch(upper, above[..., :-1] - above[..., 1:], below[..., 1:] - below[..., :-1])
    return pt.concatenate([below[..., :1], between, above[..., -1:]], axis=-1)


def logistic_model(cells: Floats, effect_scale: float) -> ChainModel:
    """Set up the model of answers to the same questions, right or wrong, where instances differ in difficulty.

    y_is ~ Bernoulli(1 / (1 + exp(-eta_is))), eta_is = mu + u_i + beta_s, with u_i ~ normal(0, tau), beta_first = delta
    / 2 and beta_second = -delta / 2; delta ~ normal(0, effect_scale), tau ~ half-normal(5), and mu = level * r where
    level ~ normal(0, 1.5) and r^2 = 1 + 0.346 tau^2, so that `level` is the marginal log odds, nearly.

    The effect is the difference of the marginal probabilities of a right answer, averaged over instances.
    expit(delta) is the probability that it is the first system that is right where one of them is.

    Parameters
    ----------
    cells : ndarray of shape (4,)
        Numbers of instances: both right, only the first, only the second, both wrong.
    effect_scale : float
        Prior standard deviation of delta, in log odds.

    Notes
    -----
    u_i is averaged over by quadrature, so that the work does not grow with the number of instances, and the chains do
    not depend on it. HyBayes has no paired model (Sadat Azer et al., 2020, section 4). It assumes that the answers of
    both systems to one instance are positively associated, or not at all.
    """

    def build() -> Any:
        pymc, pt = extra.pymc(), extra.tensors()
        level, delta = pymc.Normal("level", 0.0, LOGISTIC_LEVEL), pymc.Normal("delta", 0.0, effect_scale)
        tau = pymc.HalfNormal("tau", TAU_SCALE)
        middle = level * pt.sqrt(1.0 + _ATTENUATION * tau**2) + tau * NODES
        right = pt.sigmoid(middle + 0.5 * delta), pt.sigmoid(middle - 0.5 * delta)
        wrong = pt.sigmoid(-middle - 0.5 * delta), pt.sigmoid(0.5 * delta - middle)
        cases = [right[0] * right[1], right[0] * wrong[1], wrong[0] * right[1], wrong[0] * wrong[1]]
        shares = (pt.stack(cases) * WEIGHTS).sum(axis=-1)
        pymc.Potential("answers", (cells * pt.log(shares + 1e-300)).sum())
        return ((right[0] - right[1]) * WEIGHTS).sum()

    return ChainModel(
        name="paired-logistic",
        title="paired hierarchical logistic model",
        estimand="difference of the marginal probabilities of a right answer",
        build=build,
    )
