"""Models of categories: ratings by thresholds on a normal latent score, right or wrong by a logistic model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from reportkit.bayes.chains import extra
from reportkit.bayes.chains.chain_model import (
    NODES,
    WEIGHTS,
    ChainModel,
    Floats,
    Values,
    beta_share,
    dirichlet_shares,
    half_normal,
    normal,
)

GAPS = 2.0
"""Concentration of the Dirichlet prior of the distances between thresholds: equal ones are favoured a little."""

LEVEL_SCALE = 1.5
"""Prior of the level on the scale of the marginal log odds: nearly uniform over accuracies."""

TAU_SCALE = 5.0
"""Of the difficulties: two systems are right on the same instances so often that tau is seldom below 2."""

_ATTENUATION = (16.0 * 3.0**0.5 / (15.0 * np.pi)) ** 2
"""Averaging over a normal variable of standard deviation s divides log odds by about (1 + this * s^2)^(1/2)."""


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
    n_levels, length = highest - lowest + 1, float(highest - lowest)
    priors = {
        "centre": normal(0.5 * (lowest + highest), length),
        "delta": normal(0.0, 0.5 * effect_scale * length),
        "sigma_first": half_normal(length),
        "sigma_second": half_normal(length),
    }
    priors |= {"gaps": dirichlet_shares(GAPS, n_levels - 2)} if n_levels > 3 else {}
    priors |= {"rho": beta_share(2.0, 2.0)} if paired else {}

    def cuts(values: Mapping[str, Any], pt: Any) -> Any:
        """Points between the levels, shape (n_levels - 1,)."""
        low, high = lowest + 0.5, highest - 0.5
        if n_levels == 3:
            return np.array([low, high])
        inner = low + (high - low) * values["gaps"].cumsum()[:-1]
        return pt.concatenate([np.array([low]), inner, np.array([high])])

    def latent(values: Mapping[str, Any], pt: Any) -> tuple[Any, Any]:
        """Means and standard deviations of both systems, shape (2,) each."""
        half = 0.5 * values["delta"]
        mu = pt.stack([values["centre"] + half, values["centre"] - half])
        return mu, pt.stack([values["sigma_first"], values["sigma_second"]])

    def log_likelihood(values: Mapping[str, Any]) -> Any:
        """Multinomial log probability of the cells, without its constant."""
        pt = extra.tensors()
        mu, sigma = latent(values, pt)
        if not paired:
            shares = _level_shares(cuts(values, pt), mu[:, None], sigma[:, None], pt)
            return (counts * pt.log(shares + 1e-300)).sum()
        at_nodes = mu[:, None] + sigma[:, None] * pt.sqrt(values["rho"]) * NODES
        left = (sigma * pt.sqrt(1.0 - values["rho"]))[:, None, None]
        shares = _level_shares(cuts(values, pt), at_nodes[:, :, None], left, pt)
        joint = (WEIGHTS[:, None, None] * shares[0][:, :, None] * shares[1][:, None, :]).sum(axis=0)
        return (counts * pt.log(joint + 1e-300)).sum()

    first, second = counts.sum(axis=1)[:2]
    sizes = {"n": float(counts.sum())} if paired else {"n_first": float(first), "n_second": float(second)}
    cut = "cut at the same thresholds for both systems"
    assumptions: tuple[str, ...] = ("the two samples are independent", f"ratings are a normal latent score, {cut}")
    if paired:
        assumptions = (f"ratings are two correlated normal latent scores, {cut}",)
    return ChainModel(
        name="ordinal",
        title="thresholded normal model of " + ("paired ratings" if paired else "two groups"),
        citation="liddell2018analyzing",
        estimand="difference of the latent means, in levels",
        assumptions=("instances are independent", *assumptions),
        sizes={**sizes, "lowest": lowest, "highest": highest, "effect_scale": effect_scale},
        priors=priors,
        log_likelihood=log_likelihood,
        effect=lambda values: values["delta"],
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

    def log_likelihood(values: Mapping[str, Any]) -> Any:
        """Multinomial log probability of the cells, without its constant."""
        pt = extra.tensors()
        mu = values["level"] * pt.sqrt(1.0 + _ATTENUATION * values["tau"] ** 2)
        middle, half = mu + values["tau"] * NODES, 0.5 * values["delta"]
        right = pt.sigmoid(middle + half), pt.sigmoid(middle - half)
        wrong = pt.sigmoid(-middle - half), pt.sigmoid(half - middle)
        cases = (right[0] * right[1], right[0] * wrong[1], wrong[0] * right[1], wrong[0] * wrong[1])
        shares = [(case * WEIGHTS).sum(axis=-1) for case in cases]
        return sum(count * pt.log(share + 1e-300) for count, share in zip(cells, shares, strict=True))

    def effect(values: Values) -> Floats:
        mu = values["level"] * np.sqrt(1.0 + _ATTENUATION * np.square(values["tau"]))
        first, second = (average_logistic(mu + half * values["delta"], values["tau"]) for half in (0.5, -0.5))
        return first - second

    _, first, second, _ = cells
    sizes = {"n": cells.sum(), "n_both": cells[0], "n_only_first": first, "n_only_second": second}
    return ChainModel(
        name="paired-logistic",
        title="paired hierarchical logistic model",
        citation="gelman2013bayesian",
        estimand="difference of the marginal probabilities of a right answer",
        unit="proportion",
        assumptions=(
            "instances are independent",
            "difficulties of instances are normal, and the same for both systems, in log odds",
        ),
        sizes={**{key: float(value) for key, value in sizes.items()}, "effect_scale": effect_scale},
        priors={"level": normal(0.0, LEVEL_SCALE), "delta": normal(0.0, effect_scale), "tau": half_normal(TAU_SCALE)},
        log_likelihood=log_likelihood,
        effect=effect,
    )


def average_logistic(location: Floats, scale: Floats) -> Floats:
    """Return the mean of 1 / (1 + exp(-x)) over x ~ normal(location, scale), both of shape (n,).

    Examples
    --------
    >>> average_logistic(np.array([0.0, 1.0]), np.array([3.0, 0.0])).round(6)
    array([0.5     , 0.731059])
    """
    from scipy.special import expit

    total = np.zeros_like(location)
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        total += weight * expit(location + scale * node)
    return total
