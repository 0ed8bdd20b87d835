"""Markov chains of a model: No-U-Turn sampling by PyMC, compiled by Numba, and whether they may be believed."""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.bayes.chains import extra
from reportkit.bayes.chains.chain_models import ChainModel, Floats
from reportkit.errors import SettingsError

if TYPE_CHECKING:
    import pandas as pd

FEWEST_CHAINS = 4
"""R-hat compares chains; with fewer than four it sees little (Vehtari et al., 2021)."""

FEWEST_DRAWS = 20

LARGEST_R_HAT = 1.01
LEAST_EFFECTIVE = 400.0
LEAST_BFMI = 0.3
"""Limits of Vehtari et al. (2021) for R-hat and effective sample sizes, and of Betancourt (2016) for the energy."""

_STATISTICS = ("diverging", "energy", "tree_depth", "acceptance_rate", "step_size", "lp")
"""Statistics of the sampler that are kept; clock times are not."""

_PACKAGES = ("pymc", "pytensor", "arviz", "numba", "numpy")
"""Packages that the digits depend on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainSettings:
    """Numbers of chains and draws, and settings of the sampler.

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
        Seed of all random numbers.

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
                f"target_accept={self.target_accept!r} is not a rate", remedy="give one such as 0.95, or 0.99"
            )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Chains:
    """The draws of the sampler, with its diagnostics.

    Parameters
    ----------
    traces : arviz.InferenceData
        Groups `posterior` (all parameters, and `difference`, A minus B) and `sample_stats`; names, settings and
        versions are attributes. No time of the clock is in it.
    settings : ChainSettings
        Under which they were drawn.
    prior : str
        The priors in symbols.
    """

    traces: Any
    settings: ChainSettings
    prior: str

    @property
    def difference(self) -> Floats:
        """The difference A minus B as it was drawn, shape (n_chains, n_draws)."""
        return np.asarray(self.traces.posterior["difference"].values, dtype=np.float64)

    @property
    def parameters(self) -> pd.DataFrame:
        """Mean, sd, r_hat, ess_bulk and ess_tail by parameter, the difference first.

        Rank-normalised split R-hat and effective sample sizes of Vehtari, Gelman, Simpson, Carpenter and Bürkner
        (2021), computed by ArviZ.
        """
        names = sorted(self.traces.posterior.data_vars, key=lambda name: name != "difference")
        with np.errstate(invalid="ignore", divide="ignore"):
            table: pd.DataFrame = extra.arviz().summary(self.traces, var_names=names, round_to="none")
        return table[["mean", "sd", "r_hat", "ess_bulk", "ess_tail"]].rename_axis("parameter")

    @property
    def n_divergences(self) -> int:
        """Steps after tuning at which the sampler lost its way: a part of the posterior was not seen."""
        return int(self.traces.sample_stats["diverging"].sum())

    @property
    def least_bfmi(self) -> float:
        """Smallest Bayesian fraction of missing information of the chains."""
        return float(np.min(extra.arviz().bfmi(self.traces.sample_stats["energy"].values)))

    @property
    def failures(self) -> dict[str, str]:
        """Return the failed diagnostics in words, each with a remedy; empty if the chains can be trusted."""
        enough = max(4 * self.settings.draws, 2000)
        longer = f"more draws: draws={enough}, tune={enough} or more"
        table = self.parameters
        found: dict[str, str] = {}
        worst, r_hat = _first(table["r_hat"].fillna(math.inf), -1.0)
        if not r_hat < LARGEST_R_HAT:
            found[f"R-hat is {r_hat:.3f} for {worst}, not below {LARGEST_R_HAT}: the chains do not agree"] = longer
        for part in ("bulk", "tail"):
            name, least = _first(table[f"ess_{part}"].fillna(0.0), 1.0)
            if not least > LEAST_EFFECTIVE:
                size = f"an effective sample size of {least:.0f}, not above {LEAST_EFFECTIVE:.0f}"
                found[f"the {part} of {name} has {size}"] = longer
        if n := self.n_divergences:
            share = f"{n} of {self.settings.chains * self.settings.draws} steps diverged"
            remedy = "smaller steps: target_accept=0.99; if they diverge still, another model or more data"
            found[f"{share}: a part of the posterior was not seen"] = remedy
        if not (bfmi := self.least_bfmi) >= LEAST_BFMI:
            share = f"the Bayesian fraction of missing information is {bfmi:.2f}, below {LEAST_BFMI}"
            remedy = "longer tuning: tune=4000; if it stays low, another model or more data"
            found[f"{share}: the tails are hardly reached"] = remedy
        return found

    @property
    def sentence(self) -> str:
        """Diagnostics of the chains, for a methods section."""
        table, settings = self.parameters, self.settings
        return (
            f"{settings.chains} chains of {settings.draws:,} draws after {settings.tune:,} of tuning (No-U-Turn "
            f"sampler, PyMC {self.traces.attrs['version_of_pymc']}, seed {settings.seed}): R-hat at most "
            f"{table['r_hat'].max():.3f}, effective sample sizes at least {table['ess_bulk'].min():.0f} (bulk) and "
            f"{table['ess_tail'].min():.0f} (tail), {self.n_divergences} divergences."
        )


def _first(values: pd.Series[float], sign: float) -> tuple[str, float]:
    """Return the smallest value times a sign, with its name."""
    name = str((sign * values).idxmin())
    return name, float(values[name])


def run_chains(
    model: ChainModel, settings: ChainSettings, stream: np.random.SeedSequence, sign: float, attributes: dict[str, str]
) -> Chains:
    """Draw from the posterior of a model.

    Parameters
    ----------
    model : ChainModel
        With its data.
    settings : ChainSettings
        Numbers of chains and draws.
    stream : SeedSequence
        Decides every random number: the same stream gives the same digits on one machine with the same versions;
        other processors and versions may round differently, after which chains diverge.
    sign : float
        -1 where the first system of the model is B.
    attributes : dict of str to str
        Names, for the traces.

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
    with _quiet(), pymc.Model() as made:
        pymc.Deterministic("difference", model.build())
        traces = pymc.sample(
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
    prior = ", ".join(variable.str_repr() for variable in made.free_RVs)
    statistics = [name for name in _STATISTICS if name in traces.sample_stats]
    kept = extra.arviz().from_dict(
        posterior={name: np.asarray(found.values) for name, found in traces.posterior.data_vars.items()},
        sample_stats={name: np.asarray(traces.sample_stats[name].values) for name in statistics},
    )
    kept.posterior["difference"] = sign * kept.posterior["difference"] + 0.0
    about: dict[str, str | int | float] = {
        **attributes,
        "model": model.name,
        "title": model.title,
        "estimand": model.estimand,
        "prior": prior,
        "seed": settings.seed,
        "tune": settings.tune,
        "target_accept": settings.target_accept,
        **{f"version_of_{name}": version(name) for name in _PACKAGES},
    }
    for group in (kept, *(kept[name] for name in kept.groups())):
        group.attrs.clear()
        group.attrs.update(about)
    return Chains(traces=kept, settings=settings, prior=prior)


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress warnings and log lines of the sampler; the diagnostics hold what matters."""
    logger = logging.getLogger("pymc")
    level = logger.level
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a missing BLAS, of the cache, of overflow in rejected steps
        logger.setLevel(logging.CRITICAL)
        try:
            yield
        finally:
            logger.setLevel(level)
