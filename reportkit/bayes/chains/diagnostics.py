"""Whether Markov chains may be believed: R-hat, effective sample sizes, divergences, energy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.chains import extra
from reportkit.bayes.chains.sampling import MAX_TREE_DEPTH, Chains
from reportkit.errors import ReportkitError

LARGEST_R_HAT = 1.01
LEAST_EFFECTIVE = 400.0
LEAST_BFMI = 0.3
"""Limits of Vehtari et al. (2021) for R-hat and effective sample sizes, and of Betancourt (2016) for the energy."""


class WithheldError(ReportkitError):
    """A number is asked for of Markov chains that failed a diagnostic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterDiagnostics:
    """Diagnostics of one number.

    Parameters
    ----------
    name : str
        Of the parameter, with its position if there are several: "share[2]".
    mean, sd : float
        Of its draws.
    r_hat : float
        Rank-normalised split R-hat; 1 if the chains agree.
    ess_bulk, ess_tail : float
        Effective sample sizes for the middle and for the 5% and 95% quantiles.
    """

    name: str
    mean: float
    sd: float
    r_hat: float
    ess_bulk: float
    ess_tail: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """What the chains say of themselves.

    Parameters
    ----------
    parameters : tuple of ParameterDiagnostics
        The effect first.
    n_divergences : int
        Steps after tuning at which the sampler lost its way: a part of the posterior was not seen.
    bfmi : tuple of float
        Bayesian fraction of missing information of each chain.
    n_deepest : int
        Steps that were cut off at the largest tree depth: slow, but not wrong.
    n_chains, n_draws : int
        Chains, and draws of each.
    """

    parameters: tuple[ParameterDiagnostics, ...]
    n_divergences: int
    bfmi: tuple[float, ...]
    n_deepest: int
    n_chains: int
    n_draws: int

    @property
    def largest_r_hat(self) -> float:
        """Of all parameters; NaN if one has none."""
        return float(np.max([item.r_hat for item in self.parameters]))

    @property
    def least_ess_bulk(self) -> float:
        """Of all parameters."""
        return float(np.min([item.ess_bulk for item in self.parameters]))

    @property
    def least_ess_tail(self) -> float:
        """Of all parameters."""
        return float(np.min([item.ess_tail for item in self.parameters]))

    @property
    def failures(self) -> tuple[str, ...]:
        """What failed, in words with figures; empty if the chains may be believed."""
        return tuple(problem for problem, _ in self._verdicts())

    @property
    def remedies(self) -> tuple[str, ...]:
        """What to do about it, each once."""
        return tuple(dict.fromkeys(remedy for _, remedy in self._verdicts()))

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failures

    def _verdicts(self) -> list[tuple[str, str]]:
        """What failed, each with what to do."""
        enough = max(4 * self.n_draws, 2000)
        longer = f"more draws: draws={enough}, tune={enough} or more"
        found: list[tuple[str, str]] = []
        worst = max(self.parameters, key=lambda item: math.inf if math.isnan(item.r_hat) else item.r_hat)
        if not worst.r_hat < LARGEST_R_HAT:
            problem = f"R-hat is {worst.r_hat:.3f} for {worst.name}, not below {LARGEST_R_HAT}: the chains do not agree"
            found.append((problem, longer))
        for attribute, part in (("ess_bulk", "bulk"), ("ess_tail", "tail")):
            values = [(getattr(item, attribute), item.name) for item in self.parameters]
            least, name = min(values, key=lambda pair: -math.inf if math.isnan(pair[0]) else pair[0])
            if not least > LEAST_EFFECTIVE:
                size = f"an effective sample size of {least:.0f}, not above {LEAST_EFFECTIVE:.0f}"
                found.append((f"the {part} of {name} has {size}", longer))
        if self.n_divergences:
            share = f"{self.n_divergences} of {self.n_chains * self.n_draws} steps diverged"
            remedy = "smaller steps: target_accept=0.99; if they diverge still, another model or more data"
            found.append((f"{share}: a part of the posterior was not seen", remedy))
        if not min(self.bfmi) >= LEAST_BFMI:
            share = f"the Bayesian fraction of missing information is {min(self.bfmi):.2f}, below {LEAST_BFMI}"
            remedy = "longer tuning: tune=4000; if it stays low, another model or more data"
            found.append((f"{share}: the tails are hardly reached", remedy))
        return found

    def withheld(self, where: str) -> WithheldError:
        """Make the error that says why no number is given."""
        return WithheldError(
            "the result is withheld, as the Markov chains failed: " + "; ".join(self.failures),
            where=where,
            remedy=";\n".join(self.remedies),
        )


def diagnose(chains: Chains, effect: NDArray[np.float64]) -> Diagnostics:
    """Diagnose the chains of all parameters, and of the effect.

    Parameters
    ----------
    chains : Chains
        As sampled.
    effect : ndarray of shape (n_chains, n_draws)
        What the answers are about.

    Notes
    -----
    Rank-normalised split R-hat and effective sample sizes of Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021),
    computed by ArviZ.
    """
    energy, depth = chains.statistics["energy"], chains.statistics.get("tree_depth")
    with np.errstate(invalid="ignore", divide="ignore"):
        parameters = tuple(_diagnosed(name, values) for name, values in {"effect": effect, **_single(chains)}.items())
        bfmi = tuple(float(value) for value in np.atleast_1d(extra.arviz().bfmi(energy)))
    return Diagnostics(
        parameters=parameters,
        n_divergences=int(chains.statistics["diverging"].sum()),
        bfmi=bfmi,
        n_deepest=0 if depth is None else int(np.count_nonzero(depth >= MAX_TREE_DEPTH)),
        n_chains=int(effect.shape[0]),
        n_draws=int(effect.shape[1]),
    )


def _single(chains: Chains) -> Mapping[str, NDArray[np.float64]]:
    """Each single number under a name of its own."""
    found: dict[str, NDArray[np.float64]] = {}
    for name, values in chains.values.items():
        if values.ndim == 2:
            found[name] = values
        else:
            found.update({f"{name}[{index}]": values[:, :, index] for index in range(values.shape[2])})
    return found


def _diagnosed(name: str, values: NDArray[np.float64]) -> ParameterDiagnostics:
    arviz = extra.arviz()
    return ParameterDiagnostics(
        name=name,
        mean=float(values.mean()),
        sd=float(values.std(ddof=1)),
        r_hat=float(arviz.rhat(values)),
        ess_bulk=float(arviz.ess(values, method="bulk")),
        ess_tail=float(arviz.ess(values, method="tail")),
    )
