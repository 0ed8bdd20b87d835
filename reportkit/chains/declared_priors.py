"""Prior distributions of single parameters, each declared once: as a PyMC variable, as NumPy draws, and in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class DeclaredPrior:
    """The prior of one parameter, or of several independent ones.

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
    draw: Callable[[np.random.Generator, int], NDArray[np.float64]]

    def variable(self, pymc: ModuleType, name: str) -> Any:
        """Make the PyMC variable, inside of a PyMC model."""
        return getattr(pymc, self.family)(name, **self.parameters)


def normal(location: float, scale: float, size: int | None = None) -> DeclaredPrior:
    """Normal distribution; of so many independent parameters, or of a single one.

    Examples
    --------
    >>> normal(0.0, 1.5).text
    'Normal(0, 1.5)'
    """
    return DeclaredPrior(
        f"Normal({location:g}, {scale:g})",
        "Normal",
        {"mu": location, "sigma": scale, "shape": size},
        lambda rng, n: rng.normal(location, scale, n if size is None else (n, size)),
    )


def half_normal(scale: float) -> DeclaredPrior:
    """Normal distribution about 0, its positive half; the scale is the standard deviation of the whole."""
    return DeclaredPrior(
        f"half-Normal({scale:g})", "HalfNormal", {"sigma": scale}, lambda rng, n: np.abs(rng.normal(0.0, scale, n))
    )


def half_cauchy(scale: float) -> DeclaredPrior:
    """Cauchy distribution about 0, its positive half; the scale is its median."""
    return DeclaredPrior(
        f"half-Cauchy({scale:g})",
        "HalfCauchy",
        {"beta": scale},
        lambda rng, n: np.abs(scale * rng.standard_cauchy(n)),
    )


def exponential(mean: float) -> DeclaredPrior:
    """Exponential distribution with a mean."""
    return DeclaredPrior(
        f"Exponential(mean {mean:g})", "Exponential", {"scale": mean}, lambda rng, n: rng.exponential(mean, n)
    )


def beta_share(a: float, b: float) -> DeclaredPrior:
    """Beta distribution of a share."""
    return DeclaredPrior(f"Beta({a:g}, {b:g})", "Beta", {"alpha": a, "beta": b}, lambda rng, n: rng.beta(a, b, n))


def dirichlet_shares(concentration: float, size: int) -> DeclaredPrior:
    """Symmetric Dirichlet distribution of so many shares with the sum 1."""
    each = np.full(size, concentration)
    return DeclaredPrior(
        f"Dirichlet({concentration:g}, ..., {concentration:g})",
        "Dirichlet",
        {"a": each},
        lambda rng, n: rng.dirichlet(each, n),
    )
