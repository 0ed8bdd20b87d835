"""Prior and posterior predictive checks: whether the model makes data that look like these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.chains.chain_model import ChainModel
from reportkit.finding import Finding

N_REPLICATES = 1000
EXTREME = 0.005
"""A p-value below this, or above one minus this, is a finding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictiveCheck:
    """One test quantity of the data, among those of data that the model makes.

    Parameters
    ----------
    under : {"prior", "posterior"}
        Which parameters made the replicated data.
    quantity : str
        Mean, standard deviation, largest score, share of a level, ...
    observed : float
        Of the data.
    low, median, high : float
        2.5%, 50% and 97.5% quantiles of the replicated ones.
    p_value : float
        Share of replicated quantities that are larger, those that are equal by half; near 0 or 1 the model does not
        make such data. It is no test of a hypothesis on systems, and not uniform if the model is true.
    n_replicates : int
        Replicated data sets.
    """

    under: Literal["prior", "posterior"]
    quantity: str
    observed: float
    low: float
    median: float
    high: float
    p_value: float
    n_replicates: int

    @property
    def extreme(self) -> bool:
        """Whether the data do not look like those of the model."""
        return not EXTREME <= self.p_value <= 1.0 - EXTREME


def predictive_checks(
    model: ChainModel,
    values: Mapping[str, NDArray[np.float64]],
    under: Literal["prior", "posterior"],
    rng: np.random.Generator,
) -> tuple[PredictiveCheck, ...]:
    """Compare test quantities of the data with those of replicated data.

    Parameters
    ----------
    model : ChainModel
        With its data.
    values : mapping of str to ndarray of shape (n_draws,) or (n_draws, size)
        Draws of the parameters from the prior or from the posterior; at most 1,000 of them, evenly spaced, are used.
    under : {"prior", "posterior"}
        Which of the two.
    rng : Generator
        Of the replicated data.

    Notes
    -----
    Gelman et al. (2013), "Bayesian Data Analysis", section 6.3; of the prior, Box (1980).
    """
    n_draws = len(next(iter(values.values())))
    chosen = np.unique(np.linspace(0, n_draws - 1, min(N_REPLICATES, n_draws)).astype(np.intp))
    with np.errstate(over="ignore", invalid="ignore"):
        found = model.quantities(model.observed)
        made = [
            model.quantities(model.replicate({name: item[index] for name, item in values.items()}, rng))
            for index in chosen
        ]
        return tuple(
            _checked(under, name, value, np.array([item[name] for item in made])) for name, value in found.items()
        )


def _checked(
    under: Literal["prior", "posterior"], name: str, observed: float, made: NDArray[np.float64]
) -> PredictiveCheck:
    near = np.isclose(made, observed, rtol=1e-9, atol=0.0)
    low, median, high = (float(value) for value in np.quantile(made, [0.025, 0.5, 0.975]))
    return PredictiveCheck(
        under=under,
        quantity=name,
        observed=observed,
        low=low,
        median=median,
        high=high,
        p_value=float(((made > observed) & ~near).mean() + 0.5 * near.mean()),
        n_replicates=int(made.size),
    )


def findings_of_checks(checks: tuple[PredictiveCheck, ...], where: str) -> tuple[Finding, ...]:
    """Say where the data do not look like those of the model."""
    found = []
    for under, remedy in (
        (
            "prior",
            "declare priors that allow for such data: see `scale`; the answer depends on a prior that they surprise",
        ),
        ("posterior", "choose another model: an answer under one that does not describe the data may mislead"),
    ):
        extreme = [item for item in checks if item.under == under and item.extreme]
        if extreme:
            described = "; ".join(
                f"{item.quantity} is {item.observed:.4g}, replicated [{item.low:.4g}, {item.high:.4g}]"
                for item in extreme
            )
            found.append(
                Finding(
                    f"{under}-predictive-conflict",
                    "warning",
                    f"Data made under the {under} do not look like these: {described} (95% of the replicated data).",
                    where=where,
                    remedy=remedy,
                )
            )
    return tuple(found)
