"""The posterior of a difference by Markov chains, unless the chains failed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.chains import extra
from reportkit.bayes.chains.catalogue import chain_model
from reportkit.bayes.chains.chain_models import ChainModelName, Floats
from reportkit.bayes.chains.sampling import Chains, ChainSettings, run_chains
from reportkit.bayes.distribution import drawn
from reportkit.bayes.models import pairing_lost
from reportkit.bayes.posterior import Posterior, checked_numbers
from reportkit.bayes.rope import ROPE_COLUMNS, rope_masses
from reportkit.errors import ReportkitError
from reportkit.finding import Finding
from reportkit.scores.sample import Sample
from reportkit.significance.resamples import hash64


class WithheldError(ReportkitError):
    """A number was requested from Markov chains that failed a diagnostic."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WithheldPosterior:
    """Chains that failed a diagnostic: every number of a `Posterior` raises a `WithheldError`.

    Parameters
    ----------
    system_a, system_b, dataset, metric, model, title, estimand, chains, findings
        As for `Posterior`; "markov-chains-failed" (an error) is among the findings.
    with_region : bool
        Whether a region of practical equivalence was declared.
    level : float
        Probability of the interval that was asked for.
    """

    system_a: str
    system_b: str
    dataset: str
    metric: str
    model: str
    title: str
    estimand: str
    chains: Chains
    findings: tuple[Finding, ...]
    with_region: bool
    level: float

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(Posterior, name):
            raise AttributeError(name)
        raise WithheldError(self.findings[0].message, where=self.findings[0].where, remedy=self.findings[0].remedy)

    @property
    def withheld(self) -> tuple[str, ...]:
        """Return the failed diagnostics, in words."""
        return tuple(self.chains.failures)

    @property
    def rows(self) -> list[dict[str, object]]:
        """Row of a frame, in which the numbers are missing."""
        about = {name: getattr(self, name) for name in ("system_a", "system_b", "dataset", "model")}
        numbers = dict.fromkeys(("mean", "sd", "p_better", "monte_carlo_error", "low", "high"))
        rope = dict.fromkeys(ROPE_COLUMNS if self.with_region else ())
        return [{**about, **numbers, "level": self.level, "withheld": "; ".join(self.withheld), **rope}]

    @property
    def sentence(self) -> str:
        """Return why there is no answer, and what to do, in words."""
        return (
            f"On {self.dataset}, the {self.title} gives no answer on {self.system_a} against {self.system_b}, as "
            f"the Markov chains failed: {'; '.join(self.withheld)}. What to do: {self.findings[0].remedy}."
        )


def worth_of(chains: Floats, event: NDArray[np.bool_]) -> float:
    """Return the effective sample size of the share of draws in which an event happens, at most that of all draws.

    Where it happens in all draws or in none, that of the draws themselves is returned.
    """
    varies = bool(event.any()) and not bool(event.all())
    draws, method = (event.astype(np.float64), "mean") if varies else (chains, "bulk")
    found = float(np.asarray(extra.arviz().ess(draws, method=method)).reshape(-1)[0])
    return min(max(found, 1.0), float(chains.size)) if math.isfinite(found) else 1.0


def sample_posterior(
    sample: Sample,
    model: ChainModelName | None = None,
    *,
    rope: float | None = None,
    scale: float | None = None,
    effect_scale: float = 1.0,
    credible_mass: float = 0.95,
    settings: ChainSettings | None = None,
) -> Posterior | WithheldPosterior:
    """Return the posterior of the difference between A and B on one dataset, by Markov chains.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    model : {"metric", "count", "ordinal", "paired-logistic"}, optional
        By default the one for the kind of the scores; see `reportkit.bayes.chains.catalogue.chain_model`.
    rope : float, optional
        Half-width of the region of practical equivalence, in the unit of the difference. There is no default.
    scale : float, optional
        The metric model needs it: what spread of single scores is plausible before the data are seen.
    effect_scale : float
        How wide the prior of the effect is, in units of the model.
    credible_mass : float
        Probability of the interval, in (0, 1).
    settings : ChainSettings, optional
        Draws, chains, seed.

    Returns
    -------
    Posterior or WithheldPosterior
        Withheld where R-hat >= 1.01, an effective sample size <= 400, a divergence or a low energy says that the chains
        cannot be believed. A against B is exactly B against A turned round, and the order of rows plays no role.

    Raises
    ------
    DesignError
        If the model does not fit the sample, or the data cannot tell anything of the effect.
    SettingsError
        If a number makes no sense, or the extra `reportkit[bayes]` is not installed.

    Examples
    --------
    `sample_posterior(sample, rope=0.01, settings=ChainSettings(seed=1)).p_better`
    """
    half_width = checked_numbers(rope, credible_mass)
    asked = ChainSettings() if settings is None else settings
    fitted, swapped = chain_model(sample, model, scale=scale, effect_scale=effect_scale)
    names = [hash64(*sorted((sample.system_a, sample.system_b))), *map(hash64, (sample.dataset, sample.metric))]
    stream = np.random.SeedSequence([asked.seed, *names, hash64(fitted.name)])
    about: dict[str, Any] = {name: getattr(sample, name) for name in ("system_a", "system_b", "dataset", "metric")}
    chains = run_chains(fitted, asked, stream, -1.0 if swapped else 1.0, about)
    about |= {"model": fitted.name, "title": fitted.title, "estimand": fitted.estimand, "chains": chains}
    where = f"{sample.system_a} vs. {sample.system_b} on {sample.dataset}, model {fitted.name}"
    findings = pairing_lost(sample, where)
    if failures := chains.failures:
        message = f"The result is withheld, as the Markov chains failed: {'; '.join(failures)}."
        remedy = "; ".join(dict.fromkeys(failures.values()))
        failed = Finding("markov-chains-failed", "error", message, where=where, remedy=remedy)
        return WithheldPosterior(
            findings=(failed, *findings), with_region=half_width is not None, level=credible_mass, **about
        )
    difference = chains.difference
    distribution = drawn(difference, max(worth_of(difference, difference > 0), 2.0))
    interval = distribution.interval(credible_mass)
    return Posterior(
        interval=interval,
        rope=None if half_width is None else rope_masses(distribution, half_width, interval),
        findings=findings,
        distribution=distribution,
        prior=chains.prior,
        prior_distribution=None,
        **about,
    )
