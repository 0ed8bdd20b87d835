"""Markov chains of a model: No-U-Turn sampling by PyMC, compiled by Numba, the same digits for the same seed."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.chains import extra
from reportkit.bayes.chains.chain_model import ChainModel
from reportkit.errors import SettingsError

FEWEST_CHAINS = 4
"""R-hat compares chains; with fewer than four it sees little (Vehtari et al., 2021)."""

FEWEST_DRAWS = 20
MAX_TREE_DEPTH = 10

_STATISTICS = ("diverging", "energy", "tree_depth", "acceptance_rate", "step_size", "lp")
"""What is kept of the sampler; times of the clock are not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainSettings:
    """How many chains and draws, and how careful.

    Parameters
    ----------
    draws : int
        Draws of each chain that are kept.
    tune : int
        Draws before these, in which step size and scales are adapted.
    chains : int
        At least four.
    target_accept : float
        Acceptance rate that the step size is adapted to, in (0, 1): nearer to 1 takes smaller steps, and helps against
        divergences.
    seed : int
        Of all random numbers.

    Raises
    ------
    SettingsError
        If a number makes no sense.
    """

    draws: int = 1000
    tune: int = 1000
    chains: int = 4
    target_accept: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("draws", FEWEST_DRAWS), ("tune", 0), ("chains", FEWEST_CHAINS), ("seed", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                reason = " (R-hat compares chains)" if name == "chains" else ""
                raise SettingsError(
                    f"{name}={value!r}", remedy=f"give a whole number of at least {least} for {name}{reason}"
                )
        if not 0.0 < self.target_accept < 1.0:
            raise SettingsError(
                f"target_accept={self.target_accept!r} is no rate", remedy="give one such as 0.95, or 0.99"
            )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Chains:
    """What the sampler drew.

    Parameters
    ----------
    values : mapping of str to ndarray of shape (n_chains, n_draws) or (n_chains, n_draws, size)
        Parameters by name.
    statistics : mapping of str to ndarray of shape (n_chains, n_draws)
        Divergences, energy, tree depth, and so on.
    settings : ChainSettings
        Under which they were drawn.
    versions : mapping of str to str
        Of the packages that the digits depend on.
    """

    values: Mapping[str, NDArray[np.float64]]
    statistics: Mapping[str, NDArray[np.float64]]
    settings: ChainSettings
    versions: Mapping[str, str]

    def flat(self) -> dict[str, NDArray[np.float64]]:
        """Parameters with the chains one after the other, shape (n_chains * n_draws,) or with the size behind."""
        return {name: values.reshape(-1, *values.shape[2:]) for name, values in self.values.items()}


def run_chains(model: ChainModel, settings: ChainSettings, stream: np.random.SeedSequence) -> Chains:
    """Draw from the posterior of a model.

    Parameters
    ----------
    model : ChainModel
        With its data.
    settings : ChainSettings
        Numbers of chains and draws.
    stream : SeedSequence
        Decides every random number: the same stream gives the same digits on one machine with the same versions;
        other processors and versions may round otherwise, after which chains part.

    Raises
    ------
    SettingsError
        If the extra `reportkit[bayes]` is not installed.

    Notes
    -----
    No-U-Turn sampler with adapted diagonal metric; Hoffman and Gelman (2014). The chains run one after the other.
    PyTensor compiles by Numba, so that no C compiler is needed.
    """
    pymc = extra.pymc()
    with _quiet(), pymc.Model():
        values = {name: prior.variable(pymc, name) for name, prior in model.priors.items()}
        pymc.Potential("log_likelihood", model.log_likelihood(values))
        found = pymc.sample(
            draws=settings.draws,
            tune=settings.tune,
            chains=settings.chains,
            cores=1,
            blas_cores=None,
            random_seed=int(stream.generate_state(1, np.uint32)[0]),
            target_accept=settings.target_accept,
            progressbar=False,
            quiet=True,
            compute_convergence_checks=False,
            compile_kwargs={"mode": "NUMBA"},
        )
    return Chains(
        values={name: np.asarray(found.posterior[name].values, dtype=np.float64) for name in model.priors},
        statistics={
            name: np.asarray(found.sample_stats[name].values, dtype=np.float64)
            for name in _STATISTICS
            if name in found.sample_stats
        },
        settings=settings,
        versions=_versions(),
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Neither warnings nor log lines of the sampler: what matters of them is in the diagnostics."""
    loggers = [logging.getLogger(name) for name in ("pymc", "pytensor")]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        # PyTensor looks for a BLAS library to link C code with, which Numba does not need
        warnings.filterwarnings("ignore", category=UserWarning, message="PyTensor could not link to a BLAS")
        # Numba on what it compiles slowly or cannot cache
        warnings.filterwarnings("ignore", message=r".*Cannot cache compiled function")
        warnings.filterwarnings("ignore", module=r"(numba|pytensor)\.")
        # overflow in a step that is then rejected, or counted as a divergence
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"(pymc|numpy|scipy)\.")
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("pymc", "pytensor", "arviz", "numba", "numpy")}
