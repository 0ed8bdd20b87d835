"""What a model needs to be sampled: priors, likelihood, effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

ChainModelName = Literal["metric", "count", "ordinal", "paired-logistic"]
Floats = NDArray[np.float64]
Values = Mapping[str, Floats]
"""Parameters, or data, by name: shape (n_draws,) or (n_draws, size)."""

NODES: Floats = np.linspace(-6.0, 6.0, 61)
"""Grid of a standard normal variable, for averages over it by the trapezoidal rule.

With step h it errs by about exp(-2 pi w / h), where w is the distance of the nearest pole from the real line: for a
logistic curve of slope tau, w = pi / tau, and so by 3e-9 at tau = 5, 5e-5 at tau = 10.
"""

WEIGHTS: Floats = np.exp(-0.5 * np.square(NODES)) / np.exp(-0.5 * np.square(NODES)).sum()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ChainModel:
    """A model of the scores of two systems, with its data.

    The effect is that of the first system minus the second; which of the two is A is no business of the model.

    Parameters
    ----------
    name, title, citation, estimand, unit
        As for `Posterior`.
    assumptions : tuple of str
        What is taken for granted.
    sizes : mapping of str to float
        Numbers of instances and the like, by name.
    priors : mapping of str to DeclaredPrior
        Prior of each parameter, all independent; none depends on the data.
    log_likelihood : callable
        From PyMC variables to the logarithm of the probability of the data, a PyTensor scalar.
    effect : callable
        From draws of the parameters to the effect at each, shape (n_draws,).
    """

    name: ChainModelName
    title: str
    citation: str
    estimand: str
    unit: Literal["proportion", "score"] = "score"
    assumptions: tuple[str, ...]
    sizes: Mapping[str, float]
    priors: Mapping[str, DeclaredPrior]
    log_likelihood: Callable[[Mapping[str, Any]], Any]
    effect: Callable[[Values], Floats]

    @property
    def prior_title(self) -> str:
        """The priors in prose."""
        return ", ".join(f"{name} ~ {prior.text}" for name, prior in self.priors.items())

    def draw_priors(self, rng: np.random.Generator, n_draws: int) -> dict[str, Floats]:
        """Draw all parameters from their priors."""
        return {name: prior.draw(rng, n_draws) for name, prior in self.priors.items()}


@dataclass(frozen=True, slots=True, eq=False)
class DeclaredPrior:
    """The prior of one parameter.

    Parameters
    ----------
    text : str
        The distribution in symbols.
    family : str
        Its class in PyMC.
    parameters : mapping of str to object
        Of that class.
    draw : callable
        (generator, number of draws) -> draws, shape (n_draws,) or (n_draws, size).
    """

    text: str
    family: str
    parameters: Mapping[str, Any]
    draw: Callable[[np.random.Generator, int], Floats]

    def variable(self, pymc: ModuleType, name: str) -> Any:
        """Return the PyMC variable, made inside of a PyMC model."""
        return getattr(pymc, self.family)(name, **self.parameters)


def normal(mu: float, sd: float) -> DeclaredPrior:
    """Declare a normal distribution.

    Examples
    --------
    >>> normal(0.0, 1.5).text
    'Normal(0, 1.5)'
    """
    return DeclaredPrior(
        f"Normal({mu:g}, {sd:g})", "Normal", {"mu": mu, "sigma": sd}, lambda rng, n: rng.normal(mu, sd, n)
    )


def half_normal(scale: float) -> DeclaredPrior:
    """Declare the positive half of a normal distribution about 0; the scale is the standard deviation of the whole."""
    draw = lambda rng, n: np.abs(rng.normal(0.0, scale, n))  # noqa: E731
    return DeclaredPrior(f"half-Normal({scale:g})", "HalfNormal", {"sigma": scale}, draw)


def half_cauchy(scale: float) -> DeclaredPrior:
    """Declare the positive half of a Cauchy distribution about 0; the scale is its median."""
    draw = lambda rng, n: np.abs(scale * rng.standard_cauchy(n))  # noqa: E731
    return DeclaredPrior(f"half-Cauchy({scale:g})", "HalfCauchy", {"beta": scale}, draw)


def exponential(mean: float) -> DeclaredPrior:
    """Declare an exponential distribution with a mean."""
    text = f"Exponential(mean {mean:g})"
    return DeclaredPrior(text, "Exponential", {"scale": mean}, lambda rng, n: rng.exponential(mean, n))


def beta_share(a: float, b: float) -> DeclaredPrior:
    """Declare the beta distribution of a share."""
    return DeclaredPrior(f"Beta({a:g}, {b:g})", "Beta", {"alpha": a, "beta": b}, lambda rng, n: rng.beta(a, b, n))


def dirichlet_shares(concentration: float, size: int) -> DeclaredPrior:
    """Declare a symmetric Dirichlet distribution of `size` shares with the sum 1."""
    each = np.full(size, concentration)
    text = f"Dirichlet({concentration:g}, ..., {concentration:g})"
    return DeclaredPrior(text, "Dirichlet", {"a": each}, lambda rng, n: rng.dirichlet(each, n))
