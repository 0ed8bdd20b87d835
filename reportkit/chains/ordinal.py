"""Ordinal scores: a normal latent score that thresholds cut into levels (Liddell and Kruschke 2018)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.chains import extra
from reportkit.chains.chain_model import ChainModel, ChainModelName, Values
from reportkit.chains.declared_priors import DeclaredPrior, beta_share, dirichlet_shares, half_normal, normal
from reportkit.chains.quadrature import NODES, WEIGHTS

GAPS = 2.0
"""Concentration of the Dirichlet prior of the distances between thresholds: equal ones are favoured a little."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Thresholded(ChainModel):
    """What both ordinal models have in common: levels, thresholds, latent means and spreads.

    Parameters
    ----------
    lowest, highest : int
        Ends of the scale; all levels from the one to the other exist, used or not.
    effect_scale : float
        Prior standard deviation of the difference of the latent means, in units of half the length of the scale.
    """

    name: ClassVar[ChainModelName] = "ordinal"
    citation: ClassVar[str] = "liddell2018analyzing"
    estimand: ClassVar[str] = "difference of the latent means, in levels"

    lowest: int
    highest: int
    effect_scale: float = 1.0

    @property
    def n_levels(self) -> int:
        """Number of levels of the scale."""
        return self.highest - self.lowest + 1

    @property
    def priors(self) -> Mapping[str, DeclaredPrior]:
        """Priors in levels."""
        length = float(self.highest - self.lowest)
        common: dict[str, DeclaredPrior] = {
            "centre": normal(0.5 * (self.lowest + self.highest), length),
            "delta": normal(0.0, 0.5 * self.effect_scale * length),
            "sigma_first": half_normal(length),
            "sigma_second": half_normal(length),
        }
        return {**common, "gaps": dirichlet_shares(GAPS, self.n_levels - 2)} if self.n_levels > 3 else common

    def effect(self, values: Values) -> NDArray[np.float64]:
        """Difference of the latent means."""
        return values["delta"]

    def thresholds(self, values: Mapping[str, Any], pt: Any) -> Any:
        """Points between the levels, shape (n_levels - 1,): the outer ones fixed half a level inside of the scale."""
        low, high = self.lowest + 0.5, self.highest - 0.5
        if self.n_levels == 3:
            return np.array([low, high])
        inner = low + (high - low) * values["gaps"].cumsum()[:-1]
        return pt.concatenate([np.array([low]), inner, np.array([high])])

    def latent(self, values: Mapping[str, Any]) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """Mean and standard deviation of either system."""
        half = 0.5 * values["delta"]
        return (values["centre"] + half, values["sigma_first"]), (values["centre"] - half, values["sigma_second"])

    def stacked(self, values: Mapping[str, Any], pt: Any) -> tuple[Any, Any]:
        """Means and standard deviations of both systems, shape (2,) each."""
        (mu_first, sigma_first), (mu_second, sigma_second) = self.latent(values)
        return pt.stack([mu_first, mu_second]), pt.stack([sigma_first, sigma_second])

    def _spoken(self, shares: NDArray[np.float64], of: str) -> dict[str, float]:
        """Mean, standard deviation, and the share of each level."""
        levels = np.arange(self.lowest, self.highest + 1)
        mean = float(shares @ levels)
        found = {
            f"mean of {of}": mean,
            f"standard deviation of {of}": float(np.sqrt(max(shares @ np.square(levels - mean), 0.0))),
        }
        return {**found, **{f"share of level {level} of {of}": float(shares[i]) for i, level in enumerate(levels)}}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TwoGroupOrdinal(_Thresholded):
    """Ratings of two systems on different instances.

    A latent score is normal(mu_s, sigma_s); level k is given where it lies between thresholds k - 1 and k. With levels
    lowest, ..., highest the outer thresholds are fixed at lowest + 1/2 and highest - 1/2, which makes mu and sigma
    readable in levels; the distances between the others have a Dirichlet(2, ..., 2) prior. mu_first, mu_second =
    centre +- delta / 2, centre ~ normal(middle of the scale, L), delta ~ normal(0, effect_scale L / 2), sigma_s ~
    half-normal(L), L = highest - lowest. The effect is delta.

    Parameters
    ----------
    counts : ndarray of shape (2, n_levels)
        How often the system that comes first by name has each level, and the other.
    **others
        As for `_Thresholded`: lowest, highest, effect_scale.

    Notes
    -----
    Liddell and Kruschke (2018), "Analyzing ordinal data with metric models: What could possibly go wrong?". Unlike in
    HyBayes (Sadat Azer et al., 2020), the prior of the means is about the middle of the scale wherever it begins.
    """

    title: ClassVar[str] = "thresholded normal model of two groups"
    assumptions: ClassVar[tuple[str, ...]] = (
        "instances are independent",
        "the two samples are independent",
        "ratings are a normal latent score, cut at the same thresholds for both systems",
    )

    counts: NDArray[np.float64]

    @property
    def sizes(self) -> Mapping[str, float]:
        """Numbers by name."""
        first, second = self.counts.sum(axis=1)
        return {
            "n_first": float(first),
            "n_second": float(second),
            "lowest": self.lowest,
            "highest": self.highest,
            "effect_scale": self.effect_scale,
        }

    def log_likelihood(self, values: Mapping[str, Any]) -> Any:
        """Multinomial log probability of the levels of both systems, without its constant."""
        pt = extra.tensors()
        mu, sigma = self.stacked(values, pt)
        shares = _level_shares(self.thresholds(values, pt), mu[:, None], sigma[:, None], pt)
        return (self.counts * pt.log(shares + 1e-300)).sum()

    def observed(self) -> Mapping[str, NDArray[np.float64]]:
        """Counts of the levels."""
        return {"counts": self.counts}

    def replicate(self, values: Values, rng: np.random.Generator) -> Mapping[str, NDArray[np.float64]]:
        """Counts of the levels among as many instances."""
        cuts = self.thresholds(values, np)
        made = [
            np.bincount(np.searchsorted(cuts, rng.normal(mu, sigma, int(n))), minlength=self.n_levels)
            for n, (mu, sigma) in zip(self.counts.sum(axis=1), self.latent(values), strict=True)
        ]
        return {"counts": np.array(made, dtype=np.float64)}

    def quantities(self, data: Mapping[str, NDArray[np.float64]]) -> Mapping[str, float]:
        """Mean, standard deviation and share of each level, of either system."""
        shares = data["counts"] / data["counts"].sum(axis=1, keepdims=True)
        return {**self._spoken(shares[0], "{first}"), **self._spoken(shares[1], "{second}")}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedOrdinal(_Thresholded):
    """Ratings of two systems on the same instances.

    As `TwoGroupOrdinal`, with latent scores that correlate by rho over instances: rho ~ Beta(2, 2), from what an
    instance has in common for both systems.

    Parameters
    ----------
    counts : ndarray of shape (n_levels, n_levels)
        Number of instances by the level of the system that comes first by name, and that of the other.
    **others
        As for `_Thresholded`: lowest, highest, effect_scale.

    Notes
    -----
    The common part is averaged over by quadrature. It assumes that both ratings of an instance are positively
    associated, or not at all.
    """

    title: ClassVar[str] = "thresholded normal model of paired ratings"
    assumptions: ClassVar[tuple[str, ...]] = (
        "instances are independent",
        "ratings are two correlated normal latent scores, cut at the same thresholds for both systems",
    )

    counts: NDArray[np.float64]

    @property
    def sizes(self) -> Mapping[str, float]:
        """Numbers by name."""
        return {
            "n": float(self.counts.sum()),
            "lowest": self.lowest,
            "highest": self.highest,
            "effect_scale": self.effect_scale,
        }

    @property
    def priors(self) -> Mapping[str, DeclaredPrior]:
        """Priors in levels, and of the correlation."""
        return {**_Thresholded.priors.__get__(self), "rho": beta_share(2.0, 2.0)}

    def log_likelihood(self, values: Mapping[str, Any]) -> Any:
        """Multinomial log probability of the pairs of levels, without its constant."""
        pt = extra.tensors()
        rho = values["rho"]
        mu, sigma = self.stacked(values, pt)
        at_nodes = mu[:, None] + sigma[:, None] * pt.sqrt(rho) * NODES
        left = (sigma * pt.sqrt(1.0 - rho))[:, None, None]
        shares = _level_shares(self.thresholds(values, pt), at_nodes[:, :, None], left, pt)
        joint = (WEIGHTS[:, None, None] * shares[0][:, :, None] * shares[1][:, None, :]).sum(axis=0)
        return (self.counts * pt.log(joint + 1e-300)).sum()

    def observed(self) -> Mapping[str, NDArray[np.float64]]:
        """Counts of the pairs of levels."""
        return {"counts": self.counts}

    def replicate(self, values: Values, rng: np.random.Generator) -> Mapping[str, NDArray[np.float64]]:
        """Counts of the pairs of levels among as many instances."""
        cuts, rho, n = self.thresholds(values, np), values["rho"], int(self.counts.sum())
        common = np.sqrt(rho) * rng.standard_normal(n)
        first, second = (
            np.searchsorted(cuts, mu + sigma * (common + np.sqrt(1.0 - rho) * rng.standard_normal(n)))
            for mu, sigma in self.latent(values)
        )
        made = np.bincount(first * self.n_levels + second, minlength=self.n_levels**2)
        return {"counts": made.reshape(self.n_levels, self.n_levels).astype(np.float64)}

    def quantities(self, data: Mapping[str, NDArray[np.float64]]) -> Mapping[str, float]:
        """Mean, standard deviation and share of each level, of either system; and the share of ties."""
        shares = data["counts"] / data["counts"].sum()
        return {
            **self._spoken(shares.sum(axis=1), "{first}"),
            **self._spoken(shares.sum(axis=0), "{second}"),
            "share of ties": float(np.trace(shares)),
        }


def _level_shares(cuts: Any, mu: Any, sigma: Any, pt: Any) -> Any:
    """Probability of each level, the last axis; differences of the smaller tails, so that none cancels to 0."""
    scores = (cuts - mu) / (sigma * np.sqrt(2.0))
    below, above = 0.5 * pt.erfc(-scores), 0.5 * pt.erfc(scores)
    upper = scores[..., :-1] + scores[..., 1:] > 0
    between = pt.switch(upper, above[..., :-1] - above[..., 1:], below[..., 1:] - below[..., :-1])
    return pt.concatenate([below[..., :1], between, above[..., -1:]], axis=-1)
