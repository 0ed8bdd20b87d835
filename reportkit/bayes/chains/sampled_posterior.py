"""The posterior of a difference by Markov chains: a `Posterior`, unless the chains failed, and what they say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reportkit.bayes.bayes_factor import FEWEST_PRIORS, BayesFactor, BayesFactors, Hypothesis, bayes_factor
from reportkit.bayes.chains import extra
from reportkit.bayes.chains.catalogue import chain_model
from reportkit.bayes.chains.chain_model import ChainModel, ChainModelName, Floats
from reportkit.bayes.chains.diagnostics import Diagnostics, diagnose
from reportkit.bayes.chains.sampling import Chains, ChainSettings, run_chains
from reportkit.bayes.distribution import Draws
from reportkit.bayes.model_kinds import pairing_lost
from reportkit.bayes.posterior import Posterior, summarised
from reportkit.bayes.rope import ROPE_COLUMNS, checked_half_width
from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.scores.sample import Sample
from reportkit.significance.resamples import hash64

EFFECT_SCALES: tuple[float, ...] = (1.0, 0.5, 2.0)
"""How wide the prior of the effect is, in units of the model: as declared, half and twice as wide."""

N_PRIOR_DRAWS = 100_000


@dataclass(frozen=True, eq=False, kw_only=True)
class SampledPosterior:
    """What the data say of the difference A minus B, under a model that only Markov chains can answer.

    All numbers of a `Posterior` (mean, sd, p_better, interval, rope, sentence, ...) can be asked for; they raise
    `WithheldError` where a diagnostic of the chains failed. The difference is oriented: above 0 A is better.

    Parameters
    ----------
    system_a, system_b, dataset, metric : str
        Names.
    model, title, estimand, prior : str
        Name of the model, in prose, the difference, and the priors in symbols.
    posterior : Posterior or None
        None where the numbers are withheld.
    half_width : float or None
        Of the region of practical equivalence, if one was declared.
    level : float
        Probability of the intervals.
    diagnostics : Diagnostics
        Of the chains.
    findings : tuple of Finding
        What to be careful about; "markov-chains-failed" (an error) if numbers are withheld.
    chains : Chains
        All parameters as they were drawn, for the system that comes first by name against the other.
    effect : ndarray of shape (n_chains, n_draws)
        The difference A minus B as it was drawn, whatever the diagnostics say of it.
    prior_drawn : Draws
        The difference under the prior.
    """

    system_a: str
    system_b: str
    dataset: str
    metric: str
    model: ChainModelName
    title: str
    estimand: str
    prior: str
    posterior: Posterior | None
    half_width: float | None
    level: float
    diagnostics: Diagnostics
    findings: tuple[Finding, ...]
    chains: Chains
    effect: Floats
    prior_drawn: Draws

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in {*Posterior.__dataclass_fields__, *vars(Posterior)}:
            raise AttributeError(name)
        if self.posterior is None:
            raise self.diagnostics.withheld(_label(self, self.model))
        return getattr(self.posterior, name)

    @property
    def withheld(self) -> tuple[str, ...]:
        """Which diagnostics failed, in words; empty if the numbers may be asked for."""
        return self.diagnostics.failures

    @property
    def rows(self) -> list[dict[str, object]]:
        """Row of a frame: the numbers by name, missing where they are withheld."""
        names = ("system_a", "system_b", "dataset", "model")
        numbers: dict[str, object] = dict.fromkeys(("mean", "sd", "p_better", "monte_carlo_error", "low", "high"))
        rope: dict[str, object] = {} if self.half_width is None else dict.fromkeys(ROPE_COLUMNS)
        if (found := self.posterior) is not None:
            numbers |= {name: getattr(found, name) for name in ("mean", "sd", "p_better", "monte_carlo_error")}
            numbers |= {"low": found.interval.low, "high": found.interval.high}
            rope = {} if found.rope is None else found.rope.row
        about = {name: getattr(self, name) for name in names}
        return [{**about, **numbers, "level": self.level, "withheld": "; ".join(self.withheld), **rope}]

    def factor(self, hypothesis: Hypothesis) -> BayesFactor:
        """Return the Bayes factor under this prior alone; `sampled_bayes_factors` shows it under several.

        Prior and posterior masses come from draws: 100,000 from the prior, and those of the chains, which count by
        their effective sample size.
        """
        drawn: Draws = self.distribution
        inside = hypothesis.kind == "equivalent"
        event = np.abs(self.effect) <= hypothesis.margin if inside else self.effect > hypothesis.margin
        worth = replace(drawn, effective=max(int(worth_of(self.effect, event)), 2))
        return bayes_factor(hypothesis, self.prior_drawn, worth, prior_title=self.prior)

    @property
    def sentence(self) -> str:
        """Result in words; numbers in the unit of the difference."""
        if self.posterior is None:
            return (
                f"On {self.dataset}, the {self.title} gives no answer on {self.system_a} against {self.system_b}, as "
                f"the Markov chains failed: {'; '.join(self.withheld)}. What to do: "
                f"{'; '.join(self.diagnostics.remedies)}."
            )
        found = replace(self.posterior, system_a=self.system_a, system_b=self.system_b, dataset=self.dataset)
        return found.sentence

    @property
    def convergence_sentence(self) -> str:
        """Diagnostics of the chains, for a methods section."""
        found, settings = self.diagnostics, self.chains.settings
        return (
            f"{found.n_chains} chains of {found.n_draws:,} draws after {settings.tune:,} of tuning (No-U-Turn sampler, "
            f"PyMC {self.chains.versions['pymc']}, seed {settings.seed}): R-hat at most {found.largest_r_hat:.3f}, "
            f"effective sample sizes at least {found.least_ess_bulk:.0f} (bulk) and {found.least_ess_tail:.0f} (tail), "
            f"{found.n_divergences} divergences."
        )


def worth_of(chains: Floats, event: np.typing.NDArray[np.bool_]) -> float:
    """Return the effective sample size of the share of draws in which an event happens, never more than there are.

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
    levels: tuple[int, int] | None = None,
    credible_mass: float = 0.95,
    settings: ChainSettings | None = None,
) -> SampledPosterior:
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
    levels : tuple of int, optional
        Lowest and highest level of an ordinal scale.
    credible_mass : float
        Probability of the intervals, in (0, 1).
    settings : ChainSettings, optional
        Draws, chains, seed.

    Returns
    -------
    SampledPosterior
        Whose numbers are withheld where R-hat >= 1.01, an effective sample size <= 400, a divergence or a low energy
        says that the chains cannot be believed. A against B is exactly B against A turned round, and the order of
        rows plays no role.

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
    if not 0 < credible_mass < 1:
        raise SettingsError(
            f"credible_mass is {credible_mass!r}", remedy="give a probability strictly between 0 and 1, such as 0.95"
        )
    half_width = None if rope is None else checked_half_width(rope)
    asked = ChainSettings() if settings is None else settings
    fitted, swapped = chain_model(sample, model, scale=scale, effect_scale=effect_scale, levels=levels)
    names = [hash64(*sorted((sample.system_a, sample.system_b))), *map(hash64, (sample.dataset, sample.metric))]
    for_chains, for_data = np.random.SeedSequence([asked.seed, *names, hash64(fitted.name)]).spawn(2)
    chains = run_chains(fitted, asked, for_chains)
    values, rng, sign = chains.flat(), np.random.default_rng(for_data), -1.0 if swapped else 1.0
    effect = fitted.effect(values).reshape(asked.chains, asked.draws)
    diagnostics = diagnose(chains, effect)
    effect = sign * effect + 0.0
    prior_values = fitted.draw_priors(rng, N_PRIOR_DRAWS)
    posterior = None
    if diagnostics.passed:
        draws = Draws(np.sort(effect, axis=None), max(worth_of(effect, effect > 0), 2.0))
        posterior = summarised(
            sample,
            draws,
            half_width,
            credible_mass,
            model=fitted.name,
            title=fitted.title,
            estimand=fitted.estimand,
            unit=fitted.unit,
            prior="",
            parameters={_lettered(key, swapped): float(value) for key, value in fitted.sizes.items()},
            assumptions=fitted.assumptions,
            citation=fitted.citation,
        )
    prior_effect = sign * np.clip(fitted.effect(prior_values), -1e300, 1e300)
    return SampledPosterior(
        system_a=sample.system_a,
        system_b=sample.system_b,
        dataset=sample.dataset,
        metric=sample.metric,
        model=fitted.name,
        title=fitted.title,
        estimand=fitted.estimand,
        prior=fitted.prior_title,
        posterior=posterior,
        half_width=half_width,
        level=credible_mass,
        diagnostics=diagnostics,
        findings=_findings(sample, fitted, diagnostics, posterior),
        chains=chains,
        effect=effect,
        prior_drawn=Draws(np.sort(prior_effect) + 0.0, N_PRIOR_DRAWS),
    )


def _label(item: Any, model: str) -> str:
    return f"{item.system_a} v {item.system_b} on {item.dataset}, model {model}"


def _findings(
    sample: Sample, model: ChainModel, diagnostics: Diagnostics, posterior: Posterior | None
) -> tuple[Finding, ...]:
    where = _label(sample, model.name)
    if posterior is not None:
        return (*posterior.findings, *pairing_lost(sample, where))
    message = f"The result is withheld, as the Markov chains failed: {'; '.join(diagnostics.failures)}."
    remedy = "; ".join(diagnostics.remedies)
    return (Finding("markov-chains-failed", "error", message, where=where, remedy=remedy), *pairing_lost(sample, where))


def _lettered(key: str, swapped: bool) -> str:
    """Return the name of a size with the letter of the system."""
    for old, new in (("_first", "_b" if swapped else "_a"), ("_second", "_a" if swapped else "_b")):
        if key.endswith(old):
            return key.removesuffix(old) + new
    return key


def sampled_bayes_factors(
    sample: Sample,
    hypothesis: Hypothesis,
    model: ChainModelName | None = None,
    *,
    scale: float | None = None,
    effect_scales: Sequence[float] = EFFECT_SCALES,
    levels: tuple[int, int] | None = None,
    settings: ChainSettings | None = None,
) -> BayesFactors:
    """Return the Bayes factor of a hypothesis under several widths of the prior, each with chains of its own.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    hypothesis : Hypothesis
        `equivalent_within(rope)` or `better_by_more_than(margin)`.
    model, scale, levels, settings
        As for `sample_posterior`.
    effect_scales : sequence of float
        At least three different ones.

    Returns
    -------
    BayesFactors
        The first under the first width; with Monte Carlo standard errors by effective sample sizes, and a bound where
        fewer than 100 effective draws lie on one side.

    Raises
    ------
    SettingsError
        If there are fewer than three different widths.
    WithheldError
        If the chains under one of them failed.
    """
    widths = list(dict.fromkeys(float(value) for value in effect_scales))
    if len(widths) < FEWEST_PRIORS:
        raise SettingsError(
            f"{len(widths)} different priors: a Bayes factor is shown under at least {FEWEST_PRIORS}",
            where=sample.label,
            remedy="leave `effect_scales` out (1, 0.5 and 2 are taken), or name more of them",
        )
    factors = tuple(
        sample_posterior(sample, model, scale=scale, effect_scale=width, levels=levels, settings=settings).factor(
            hypothesis
        )
        for width in widths
    )
    return BayesFactors.of(sample, factors)
