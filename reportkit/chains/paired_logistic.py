"""Right or wrong on the same instances: a logistic model in which instances differ in difficulty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.chains import extra
from reportkit.chains.chain_model import ChainModel, ChainModelName, Values
from reportkit.chains.declared_priors import DeclaredPrior, half_normal, normal
from reportkit.chains.quadrature import NODES, WEIGHTS, average_logistic

LEVEL_SCALE = 1.5
"""Prior of the level on the scale of the marginal log odds: nearly uniform over accuracies."""

TAU_SCALE = 5.0
"""Of the difficulties: two systems are right on the same instances so often that tau is seldom below 2."""

CLUSTER_SCALE = 1.0
_ATTENUATION = (16.0 * 3.0**0.5 / (15.0 * np.pi)) ** 2
"""Averaging over a normal variable of standard deviation s divides log odds by about (1 + this * s^2)^(1/2)."""

CELLS = ("both right", "only {first} right", "only {second} right", "both wrong")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedLogistic(ChainModel):
    """Answers of two systems to the same questions, right or wrong.

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
    clustered : bool
        Whether the rows are clusters.
    effect_scale : float
        Prior standard deviation of delta, in log odds.

    Notes
    -----
    u_i is averaged over by quadrature, so that the work does not grow with the number of instances, and the chains do
    not depend on it. HyBayes has no paired model (Sadat Azer et al., 2020, section 4). Without clusters the model has
    as many parameters as there are free cells. It assumes that the answers of both systems to one instance are
    positively associated, or not at all.
    """

    name: ClassVar[ChainModelName] = "paired-logistic"
    title: ClassVar[str] = "paired hierarchical logistic model"
    citation: ClassVar[str] = "gelman2013bayesian"
    estimand: ClassVar[str] = "difference of the marginal probabilities of a right answer"
    unit: ClassVar[Literal["proportion", "score"]] = "proportion"

    cells: NDArray[np.float64]
    clustered: bool = False
    effect_scale: float = 1.0

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is taken for granted."""
        independent = (
            "clusters are independent, and instances within them" if self.clustered else "instances are independent"
        )
        return (independent, "difficulties of instances are normal, and the same for both systems, in log odds")

    @property
    def sizes(self) -> Mapping[str, float]:
        """Numbers by name."""
        both, first, second, _ = self.cells.sum(axis=0)
        sizes = {"n": self.cells.sum(), "n_both": both, "n_only_first": first, "n_only_second": second}
        clusters = {"n_clusters": len(self.cells)} if self.clustered else {}
        return {
            **{key: float(value) for key, value in {**sizes, **clusters}.items()},
            "effect_scale": self.effect_scale,
        }

    @property
    def priors(self) -> Mapping[str, DeclaredPrior]:
        """Priors in log odds."""
        plain: dict[str, DeclaredPrior] = {
            "level": normal(0.0, LEVEL_SCALE),
            "delta": normal(0.0, self.effect_scale),
            "tau": half_normal(TAU_SCALE),
        }
        if not self.clustered:
            return plain
        n = len(self.cells)
        return {
            **plain,
            "kappa": half_normal(CLUSTER_SCALE),
            "omega": half_normal(CLUSTER_SCALE),
            "v": normal(0.0, 1.0, n),
            "w": normal(0.0, 1.0, n),
        }

    def log_likelihood(self, values: Mapping[str, Any]) -> Any:
        """Multinomial log probability of the cells, of each cluster, without its constant."""
        pt = extra.tensors()
        mu, shift, delta = self._terms(values, pt.sqrt)
        middle = (mu + shift)[:, None] + values["tau"] * NODES if self.clustered else mu + values["tau"] * NODES
        half = 0.5 * (delta[:, None] if self.clustered else delta)
        right_first, right_second = pt.sigmoid(middle + half), pt.sigmoid(middle - half)
        wrong_first, wrong_second = pt.sigmoid(-middle - half), pt.sigmoid(half - middle)
        counts = self.cells if self.clustered else self.cells[0]
        total = 0.0
        for index, joint in enumerate(
            (
                right_first * right_second,
                right_first * wrong_second,
                wrong_first * right_second,
                wrong_first * wrong_second,
            )
        ):
            cell = (joint * WEIGHTS).sum(axis=-1)
            total = total + (counts[..., index] * pt.log(cell + 1e-300)).sum()
        return total

    def effect(self, values: Values) -> NDArray[np.float64]:
        """Difference of the marginal probabilities."""
        spread = np.sqrt(self._variance(values))
        mu = values["level"] * np.sqrt(1.0 + _ATTENUATION * np.square(spread))
        return average_logistic(mu + 0.5 * values["delta"], spread) - average_logistic(
            mu - 0.5 * values["delta"], spread
        )

    def observed(self) -> Mapping[str, NDArray[np.float64]]:
        """Cells."""
        return {"cells": self.cells}

    def replicate(self, values: Values, rng: np.random.Generator) -> Mapping[str, NDArray[np.float64]]:
        """Cells of as many instances; clusters are the same ones."""
        from scipy.special import expit

        mu, shift, delta = self._terms(values, np.sqrt)
        middle = np.atleast_1d(mu + shift)[:, None] + values["tau"] * NODES
        half = 0.5 * np.atleast_1d(delta)[:, None]
        first, second = expit(middle + half), expit(middle - half)
        joint = np.stack(
            [first * second, first * (1 - second), (1 - first) * second, (1 - first) * (1 - second)], axis=1
        )
        shares = (joint * WEIGHTS).sum(axis=-1)
        shares /= shares.sum(axis=1, keepdims=True)
        made = [rng.multinomial(int(row.sum()), share) for row, share in zip(self.cells, shares, strict=True)]
        return {"cells": np.array(made, dtype=np.float64)}

    def quantities(self, data: Mapping[str, NDArray[np.float64]]) -> Mapping[str, float]:
        """Shares of the cells; with clusters also the spread of their differences."""
        cells = data["cells"]
        shares = cells.sum(axis=0) / cells.sum()
        found = {f"share of {name}": float(share) for name, share in zip(CELLS, shares, strict=True)}
        if self.clustered:
            sizes = cells.sum(axis=1)
            found["standard deviation of the differences of clusters"] = float(
                ((cells[:, 1] - cells[:, 2]) / sizes).std(ddof=1)
            )
            found["standard deviation of the accuracies of clusters"] = float(
                ((cells[:, 0] + 0.5 * (cells[:, 1] + cells[:, 2])) / sizes).std(ddof=1)
            )
        return found

    def _variance(self, values: Mapping[str, Any]) -> Any:
        """Variance of eta over instances, and clusters."""
        variance = values["tau"] ** 2
        if self.clustered:
            variance = variance + values["kappa"] ** 2 + 0.25 * values["omega"] ** 2
        return variance

    def _terms(self, values: Mapping[str, Any], root: Any) -> tuple[Any, Any, Any]:
        """Intercept, what clusters add to it, and the difference in each cluster."""
        mu = values["level"] * root(1.0 + _ATTENUATION * self._variance(values))
        if not self.clustered:
            return mu, 0.0, values["delta"]
        return mu, values["kappa"] * values["v"], values["delta"] + values["omega"] * values["w"]
