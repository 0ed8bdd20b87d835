"""What a model needs to have to be sampled: priors, likelihood, effect, replicated data, test quantities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.chains.declared_priors import DeclaredPrior

ChainModelName = Literal["metric", "count", "ordinal", "paired-logistic"]

Values = Mapping[str, NDArray[np.float64]]
"""Parameters by name: shape (n_draws,) or (n_draws, size)."""


class ChainModel(ABC):
    """A model of the scores of two systems, with its data.

    The effect is that of the first system minus the second; which of the two is A is no business of the model.
    """

    name: ClassVar[ChainModelName]
    title: ClassVar[str]
    citation: ClassVar[str]
    estimand: ClassVar[str]
    unit: ClassVar[Literal["proportion", "score"]] = "score"

    @property
    @abstractmethod
    def assumptions(self) -> tuple[str, ...]:
        """What is taken for granted."""

    @property
    @abstractmethod
    def sizes(self) -> Mapping[str, float]:
        """Numbers of instances and the like, by name."""

    @property
    @abstractmethod
    def priors(self) -> Mapping[str, DeclaredPrior]:
        """Prior of each parameter, all independent; none depends on the data."""

    @abstractmethod
    def log_likelihood(self, values: Mapping[str, Any]) -> Any:
        """Logarithm of the probability of the data, as a PyTensor scalar of PyMC variables."""

    @abstractmethod
    def effect(self, values: Values) -> NDArray[np.float64]:
        """Effect at each draw of the parameters, shape (n_draws,)."""

    @abstractmethod
    def observed(self) -> Mapping[str, NDArray[np.float64]]:
        """The data, by name."""

    @abstractmethod
    def replicate(self, values: Values, rng: np.random.Generator) -> Mapping[str, NDArray[np.float64]]:
        """Data of the same design at one draw of the parameters: values of shape () or (size,)."""

    @abstractmethod
    def quantities(self, data: Mapping[str, NDArray[np.float64]]) -> Mapping[str, float]:
        """Test quantities of observed or replicated data."""

    @property
    def prior_title(self) -> str:
        """The priors in prose."""
        return ", ".join(f"{name} ~ {prior.text}" for name, prior in self.priors.items())

    def draw_priors(self, rng: np.random.Generator, n_draws: int) -> dict[str, NDArray[np.float64]]:
        """Draw all parameters from their priors."""
        return {name: prior.draw(rng, n_draws) for name, prior in self.priors.items()}
