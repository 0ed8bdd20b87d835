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

CELLS = ("both right", "only {first} right", "only {second} right", "both wrong")


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

    def replicate(values: Mapping[str, Any], rng: np.random.Generator) -> Values:
        points, (mu, sigma) = cuts(values, np), latent(values, np)
        if not paired:
            drawn = [rng.normal(m, s, int(n)) for n, m, s in zip(counts.sum(axis=1), mu, sigma, strict=True)]
            made = [np.bincount(np.searchsorted(points, scores), minlength=n_levels) for scores in drawn]
            return {"counts": np.array(made, dtype=np.float64)}
        rho, n = values["rho"], int(counts.sum())
        common = np.sqrt(rho) * rng.standard_normal(n)
        own = [common + np.sqrt(1.0 - rho) * rng.standard_normal(n) for _ in mu]
        first, second = (np.searchsorted(points, m + s * z) for m, s, z in zip(mu, sigma, own, strict=True))
        cells = np.bincount(first * n_levels + second, minlength=n_levels**2)
        return {"counts": cells.reshape(n_levels, n_levels).astype(np.float64)}

    def quantities(data: Values) -> dict[str, float]:
        cells, found = data["counts"], {}
        sides = (cells.sum(axis=1), cells.sum(axis=0)) if paired else cells
        levels = np.arange(lowest, highest + 1)
        for side, of in zip(sides, ("{first}", "{second}"), strict=True):
            shares = side / side.sum()
            mean = float(shares @ levels)
            found[f"mean of {of}"] = mean
            found[f"standard deviation of {of}"] = float(np.sqrt(max(shares @ np.square(levels - mean), 0.0)))
            found |= {f"share of level {level} of {of}": float(shares[i]) for i, level in enumerate(levels)}
        return found | ({"share of ties": float(np.trace(cells) / cells.sum())} if paired else {})

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
        observed={"counts": counts},
        replicate=replicate,
        quantities=quantities,
    )


def _level_shares(cuts: Any, mu: Any, sigma: Any, pt: Any) -> Any:
    """Return the probability of each level, the last axis; differences of the smaller tails, so that none cancels."""
    scores = (cuts - mu) / (sigma * np.sqrt(2.0))
    below, above = 0.5 * pt.erfc(-scores), 0.5 * pt.erfc(scores)
    upper = scores[..., :-1] + scores[..., 1:] > 0
    between = pt.switch(upper, above[..., :-1] - above[..., 1:], below[..., 1:] - below[..., :-1])
    return pt.concatenate([below[..., :1], between, above[..., -1:]], axis=-1)


def logistic_model(cells: Floats, effect_scale: float, *, clustered: bool) -> ChainModel:
    """Set up the model of answers to the same questions, right or wrong, where instances differ in difficulty.

    y_is ~ Bernoulli(1 / (1 + exp(-eta_is))), eta_is = mu + u_i + beta_s, with u_i ~ normal(0, tau), beta_first = delta
    / 2 and beta_second = -delta / 2; delta ~ normal(0, effect_scale), tau ~ half-normal(5), and mu = level * r where
    level ~ normal(0, 1.5) and r^2 = 1 + 0.346 s^2, s being the standard deviation of eta over instances, so that
    `level` is the marginal log odds, nearly. With clusters c(i), eta_is has two more terms: kappa v_c, how difficult a
    cluster is, and +- omega w_c / 2, how much the difference between the systems changes from one cluster to another;
    v_c, w_c ~ normal(0, 1), kappa, omega ~ half-normal(1).

    The effect is the difference of the marginal probabilities of a right answer, averaged over instances (and
    clusters). expit(delta) is the probability that it is the first system that is right where one of them is.

    Parameters
    ----------
    cells : ndarray of shape (n_clusters, 4)
        Numbers of instances: both right, only the first, only the second, both wrong; one row if there are no clusters.
    effect_scale : float
        Prior standard deviation of delta, in log odds.
    clustered : bool
        Whether the rows are clusters.

    Notes
    -----
    u_i is averaged over by quadrature, so that the work does not grow with the number of instances, and the chains do
    not depend on it. HyBayes has no paired model (Sadat Azer et al., 2020, section 4). It assumes that the answers of
    both systems to one instance are positively associated, or not at all.
    """
    n = len(cells)
    priors = {"level": normal(0.0, LEVEL_SCALE), "delta": normal(0.0, effect_scale), "tau": half_normal(TAU_SCALE)}
    if clustered:
        priors |= {"kappa": half_normal(1.0), "omega": half_normal(1.0), "v": normal(0.0, 1.0, n)}
        priors["w"] = normal(0.0, 1.0, n)

    def variance(values: Mapping[str, Any]) -> Any:
        """Variance of eta over instances, and clusters."""
        own = values["tau"] ** 2
        return own + values["kappa"] ** 2 + 0.25 * values["omega"] ** 2 if clustered else own

    def joint(values: Mapping[str, Any], root: Any, expit: Any) -> list[Any]:
        """Probabilities of the four cells, each of shape (n_clusters,), or () without clusters."""
        mu = values["level"] * root(1.0 + _ATTENUATION * variance(values))
        middle, half = mu + values["tau"] * NODES, 0.5 * values["delta"]
        if clustered:
            middle = middle + (values["kappa"] * values["v"])[:, None]
            half = half + 0.5 * (values["omega"] * values["w"])[:, None]
        right, wrong = (expit(middle + half), expit(middle - half)), (expit(-middle - half), expit(half - middle))
        cases = (right[0] * right[1], right[0] * wrong[1], wrong[0] * right[1], wrong[0] * wrong[1])
        return [(case * WEIGHTS).sum(axis=-1) for case in cases]

    def log_likelihood(values: Mapping[str, Any]) -> Any:
        """Multinomial log probability of the cells, of each cluster, without its constant."""
        pt, counts, total = extra.tensors(), cells if clustered else cells[0], 0.0
        for index, share in enumerate(joint(values, pt.sqrt, pt.sigmoid)):
            total = total + (counts[..., index] * pt.log(share + 1e-300)).sum()
        return total

    def effect(values: Values) -> Floats:
        spread = np.sqrt(variance(values))
        mu = values["level"] * np.sqrt(1.0 + _ATTENUATION * np.square(spread))
        first, second = (average_logistic(mu + half * values["delta"], spread) for half in (0.5, -0.5))
        return first - second

    def replicate(values: Mapping[str, Any], rng: np.random.Generator) -> Values:
        from scipy.special import expit

        shares = np.stack([np.atleast_1d(share) for share in joint(values, np.sqrt, expit)], axis=1)
        shares /= shares.sum(axis=1, keepdims=True)
        made = [rng.multinomial(int(row.sum()), share) for row, share in zip(cells, shares, strict=True)]
        return {"cells": np.array(made, dtype=np.float64)}

    def quantities(data: Values) -> dict[str, float]:
        made = data["cells"]
        shares = made.sum(axis=0) / made.sum()
        found = {f"share of {name}": float(share) for name, share in zip(CELLS, shares, strict=True)}
        if clustered:
            both, first, second, _ = made.T / made.sum(axis=1)
            found["standard deviation of the differences of clusters"] = float((first - second).std(ddof=1))
            found["standard deviation of the accuracies of clusters"] = float(
                (both + 0.5 * (first + second)).std(ddof=1)
            )
        return found

    both, first, second, _ = cells.sum(axis=0)
    sizes = {"n": cells.sum(), "n_both": both, "n_only_first": first, "n_only_second": second}
    sizes |= {"n_clusters": n} if clustered else {}
    independent = "clusters are independent, and instances within them" if clustered else "instances are independent"
    return ChainModel(
        name="paired-logistic",
        title="paired hierarchical logistic model",
        citation="gelman2013bayesian",
        estimand="difference of the marginal probabilities of a right answer",
        unit="proportion",
        assumptions=(independent, "difficulties of instances are normal, and the same for both systems, in log odds"),
        sizes={**{key: float(value) for key, value in sizes.items()}, "effect_scale": effect_scale},
        priors=priors,
        log_likelihood=log_likelihood,
        effect=effect,
        observed={"cells": cells},
        replicate=replicate,
        quantities=quantities,
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
