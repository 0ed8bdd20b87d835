"""Prior distributions of single parameters, each declared once: as a PyMC variable, as NumPy draws, and in words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class DeclaredPrior(ABC):
    """The prior of one parameter, or of several independent ones."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The distribution in symbols."""

    @abstractmethod
    def variable(self, pymc: ModuleType, name: str) -> Any:
        """Make the PyMC variable, inside of a PyMC model."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, n_draws: int) -> NDArray[np.float64]:
        """Draw, shape (n_draws,) or (n_draws, size)."""


@dataclass(frozen=True, slots=True)
class Normal(DeclaredPrior):
    """Normal distribution.

    Parameters
    ----------
    location, scale : float
        Mean and standard deviation.
    size : int or None
        Number of independent parameters with this prior; None for a single one.

    Examples
    --------
    >>> Normal(0.0, 1.5).text
    'Normal(0, 1.5)'
    """

    location: float
    scale: float
    size: int | None = None

    @property
    def text(self) -> str:
        """The distribution in symbols."""
        return f"Normal({self.location:g}, {self.scale:g})"

    def variable(self, pymc: ModuleType, name: str) -> Any:
        """Make the PyMC variable."""
        return pymc.Normal(name, mu=self.location, sigma=self.scale, shape=self.size)

    def draw(self, rng: np.random.Generator, n_draws: int) -> NDArray[np.float64]:
        """Draw, shape (n_draws,) or (n_draws, size)."""
        shape = n_draws if self.size is None else (n_draws, self.size)
        return rng.normal(self.location, self.scale, shape)


@dataclass(frozen=True, slots=True)
class HalfNormal(DeclaredPrior):
    """Normal distribution about 0, its positive half.

    Parameters
    ----------
    scale : float
        Standard deviation of the whole.
    """

    scale: float

    @property
    def text(self) -> str:
        """The distribution in symbols."""
        return f"half-Normal({self.scale:g})"

    def variable(self, pymc: ModuleType, name: str) -> Any:
        """Make the PyMC variable."""
        return pymc.HalfNormal(name, sigma=self.scale)

    def draw(self, rng: np.random.Generator, n_draws: int) -> NDArray[np.float64]:
        """Draw, shape (n_draws,)."""
        return np.abs(rng.normal(0.0, self.scale, n_draws))


@dataclass(frozen=True, slots=True)
class HalfCauchy(DeclaredPrior):
    """Cauchy distribution about 0, its positive half; its median is the scale.

    Parameters
    ----------
    scale : float
        Median.
    """

    scale: float

    @property
    def text(self) -> str:
        """The distribution in symbols."""
        return f"half-Cauchy({self.scale:g})"

    def variable(self, pymc: ModuleType, name: str) -> Any:
        """Make the PyMC variable."""
        return pymc.HalfCauchy(name, beta=self.scale)

    def draw(self, rng: np.random.Generator, n_draws: int) -> NDArray[np.float64]:
        """Draw, shape (n_draws,)."""
        return np.abs(self.scale * rng.standard_cauchy(n_draws))


@dataclass(frozen=True, slots=True)
class Exponential(DeclaredPrior):
    """Exponential distribution.

    Parameters
    ----------
    mean : float
        Expected value.
    """

    mean: float

    @property
    def text(self) -> str:
        """The distribution in symbols."""
        return f"Exponential(mean {self.mean:g})"

    def variable(self, pymc: ModuleType, name: str) -> Any:
        """Make the PyMC variable."""
        return pymc.Exponential(name, scale=self.mean)

    def draw(self, rng: np.random.Generator, n_draws: int) -> NDArray[np.float64]:
        """Draw, shape (n_draws,)."""
        return rng.exponential(self.mean, n_draws)


@dataclass(frozen=True, slots=True)
class BetaShare(DeclaredPrior):
    """Beta distribution of a number between 0 and 1.

    Parameters
    ----------
    a, b : float
        Parameters of the distribution.
    """

    a: float
    b: float

    @property
    def text(self) -> str:
        """The distribution in symbols."""
        return f"Beta({self.a:g}, {self.b:g})"

    def variable(self, pymc: ModuleType, name: str) -> Any:
        """Make the PyMC variable."""
        return pymc.Beta(name, alpha=self.a, beta=self.b)

    def draw(self, rng: np.random.Generator, n_draws: int) -> NDArray[np.float64]:
        """Draw, shape (n_draws,)."""
        return rng.beta(self.a, self.b, n_draws)


@dataclass(frozen=True, slots=True)
class Shares(DeclaredPrior):
    """Symmetric Dirichlet distribution of shares that sum to 1.

    Parameters
    ----------
    concentration : float
        The same for each share; above 1 it favours equal ones.
    size : int
        Number of shares, at least two.
    """

    concentration: float
    size: int

    @property
    def text(self) -> str:
        """The distribution in symbols."""
        return f"Dirichlet({self.concentration:g}, ..., {self.concentration:g})"

    def variable(self, pymc: ModuleType, name: str) -> Any:
        """Make the PyMC variable."""
        return pymc.Dirichlet(name, a=np.full(self.size, self.concentration))

    def draw(self, rng: np.random.Generator, n_draws: int) -> NDArray[np.float64]:
        """Draw, shape (n_draws, size)."""
        return rng.dirichlet(np.full(self.size, self.concentration), n_draws)
