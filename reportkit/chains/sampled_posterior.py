"""The posterior of a difference by Markov chains: the same questions as of a `Posterior`, unless the chains failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from reportkit.bayes.bayes_factor import BayesFactor, Hypothesis, bayes_factor
from reportkit.bayes.draws import Draws
from reportkit.bayes.hdi import CredibleInterval, equal_tailed_interval, highest_density_interval, several_modes
from reportkit.bayes.model import pairing_lost
from reportkit.bayes.probability_text import probability_text
from reportkit.bayes.rope import ROPE_COLUMNS, RopeMasses, checked_half_width, rope_masses, with_region
from reportkit.chains.catalogue import chain_model
from reportkit.chains.chain_draws import ChainDraws, WorthDraws
from reportkit.chains.chain_model import ChainModel, ChainModelName
from reportkit.chains.diagnostics import Diagnostics, diagnose
from reportkit.chains.predictive_check import PredictiveCheck, findings_of_checks, predictive_checks
from reportkit.chains.sampling import Chains, ChainSettings, run_chains
from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.null_distributions.random.streams import hash64
from reportkit.scores.shapes.sample import Sample

N_PRIOR_DRAWS = 100_000
FEW_CLUSTERS = 10


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SampledPosterior:
    """What the data say of the difference A minus B, under a model that only Markov chains can answer.

    The difference is oriented: above 0 A is better, also where lower scores are better. Every number of the posterior
    raises `WithheldError` where a diagnostic of the chains failed.

    Parameters
    ----------
    system_a, system_b, dataset, metric : str
        Names.
    model, title : str
        Name of the model, and in prose.
    estimand : str
        What the difference is a difference of.
    unit : {"proportion", "score"}
        Of the difference, the intervals and the region of practical equivalence.
    prior : str
        In symbols.
    parameters : mapping of str to float
        Sizes and scales by name.
    assumptions : tuple of str
        What is taken for granted.
    citation : str
        BibTeX key.
    level : float
        Probability of the intervals.
    half_width : float or None
        Of the region of practical equivalence, if one was declared.
    diagnostics : Diagnostics
        Of the chains.
    checks : tuple of PredictiveCheck
        Prior and posterior predictive ones; of the posterior none where the chains failed.
    findings : tuple of Finding
        What to be careful about; "markov-chains-failed" (an error) if numbers are withheld.
    chains : Chains
        All parameters as they were drawn, for the system that comes first by name against the other.
    drawn : ChainDraws
        The difference, as it was drawn, whatever the diagnostics say of it.
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
    unit: Literal["proportion", "score"]
    prior: str
    parameters: Mapping[str, float]
    assumptions: tuple[str, ...]
    citation: str
    level: float
    half_width: float | None
    diagnostics: Diagnostics
    checks: tuple[PredictiveCheck, ...]
    findings: tuple[Finding, ...]
    chains: Chains
    drawn: ChainDraws
    prior_drawn: Draws

    @property
    def label(self) -> str:
        """Names for messages."""
        return f"{self.system_a} v {self.system_b} on {self.dataset}, model {self.model}"

    @property
    def withheld(self) -> tuple[str, ...]:
        """Which diagnostics failed, in words; empty if the numbers may be asked for."""
        return self.diagnostics.failures

    @property
    def distribution(self) -> ChainDraws:
        """The posterior itself.

        Raises
        ------
        WithheldError
            If a diagnostic failed; so do all numbers below.
        """
        if self.withheld:
            raise self.diagnostics.withheld(self.label)
        return self.drawn

    @property
    def mean(self) -> float:
        """Posterior mean of the difference."""
        return self.distribution.mean

    @property
    def sd(self) -> float:
        """Posterior standard deviation."""
        return self.distribution.sd

    @property
    def p_better(self) -> float:
        """P(difference > 0)."""
        return self.distribution.above(0.0)

    @property
    def p_worse(self) -> float:
        """P(difference < 0)."""
        return self.distribution.below(0.0)

    @property
    def monte_carlo_error(self) -> float:
        """Monte Carlo standard error of `p_better`, by the effective sample size."""
        return self.distribution.error_above(0.0)

    def p_better_by(self, margin: float) -> float:
        """P(difference > margin): the claim that A is better by more than `margin`."""
        return self.distribution.above(margin)

    @property
    def highest_density(self) -> CredibleInterval | None:
        """None if the draws show more than one mode."""
        return highest_density_interval(self.distribution, self.level)

    @property
    def equal_tailed(self) -> CredibleInterval:
        """Beside it."""
        return equal_tailed_interval(self.distribution, self.level)

    @property
    def interval(self) -> CredibleInterval:
        """The interval of highest density, or the equal-tailed one where that is no interval."""
        return self.highest_density or self.equal_tailed

    @property
    def rope(self) -> RopeMasses | None:
        """None if no region of practical equivalence was declared."""
        distribution = self.distribution
        return None if self.half_width is None else rope_masses(distribution, self.half_width, self.interval)

    @property
    def rows(self) -> list[dict[str, object]]:
        """One row of a frame: the numbers by name, missing where they are withheld."""
        names = ("system_a", "system_b", "dataset", "model")
        numbers = ("mean", "sd", "p_better", "monte_carlo_error")
        row: dict[str, object] = {name: getattr(self, name) for name in names}
        if self.withheld:
            row |= dict.fromkeys((*numbers, "low", "high"))
            rope: dict[str, object] = {} if self.half_width is None else dict.fromkeys(ROPE_COLUMNS)
        else:
            row |= {name: getattr(self, name) for name in numbers}
            row |= {"low": self.interval.low, "high": self.interval.high}
            rope = {} if self.rope is None else self.rope.row
        return [{**row, "level": self.level, "withheld": "; ".join(self.withheld), **rope}]

    def factor(self, hypothesis: Hypothesis) -> BayesFactor:
        """Bayes factor under this prior alone; `sampled_bayes_factors` shows it under several.

        Prior and posterior masses come from draws: 100,000 from the prior, and those of the chains, which count by
        their effective sample size.
        """
        drawn = self.distribution
        if hypothesis.kind == "equivalent":
            event = np.abs(drawn.chains) <= hypothesis.margin
        else:
            event = drawn.chains > hypothesis.margin
        worth = WorthDraws(drawn.values, max(int(drawn.worth(event)), 2))
        return bayes_factor(hypothesis, self.prior_drawn, worth, prior_title=self.prior)

    @property
    def sentence(self) -> str:
        """What was found, in words; numbers in the unit of the difference."""
        if self.withheld:
            return (
                f"On {self.dataset}, the {self.title} gives no answer on {self.system_a} against {self.system_b}, as "
                f"the Markov chains failed: {'; '.join(self.withheld)}. What to do: "
                f"{'; '.join(self.diagnostics.remedies)}."
            )
        interval = self.interval
        text = (
            f"Under the {self.title}, the posterior probability that {self.system_a} is better than {self.system_b} on "
            f"{self.dataset} is {probability_text(self.p_better)} (Monte Carlo standard error "
            f"{self.monte_carlo_error:.1g}); the {interval.words} of the {self.estimand} is "
            f"[{interval.low:.4g}, {interval.high:.4g}]."
        )
        return with_region(text, self.rope, self.system_a, self.system_b)

    @property
    def convergence_sentence(self) -> str:
        """What the chains say of themselves, for a methods section."""
        found, settings = self.diagnostics, self.chains.settings
        return (
            f"{found.n_chains} chains of {found.n_draws:,} draws after {settings.tune:,} of tuning (No-U-Turn sampler, "
            f"PyMC {self.chains.versions['pymc']}, seed {settings.seed}): R-hat at most {found.largest_r_hat:.3f}, "
            f"effective sample sizes at least {found.least_ess_bulk:.0f} (bulk) and {found.least_ess_tail:.0f} (tail), "
            f"{found.n_divergences} divergences."
        )

    def swapped(self) -> SampledPosterior:
        """Return the same for B against A."""
        return replace(
            self,
            system_a=self.system_b,
            system_b=self.system_a,
            parameters={_turned(key): value for key, value in self.parameters.items()},
            drawn=self.drawn.swapped(),
            prior_drawn=Draws(np.sort(0.0 - self.prior_drawn.values)),
        )


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
    """Posterior of the difference between A and B on one dataset, by Markov chains.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    model : {"metric", "count", "ordinal", "paired-logistic"}, optional
        By default the one for the kind of the scores; see `reportkit.chains.catalogue.chain_model`.
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
    for_chains, for_data = _streams(sample, fitted, asked.seed)
    chains = run_chains(fitted, asked, for_chains)
    return _summarised(
        sample,
        fitted,
        chains,
        np.random.default_rng(for_data),
        swapped=swapped,
        half_width=half_width,
        credible_mass=credible_mass,
    )


def _streams(sample: Sample, model: ChainModel, seed: int) -> tuple[np.random.SeedSequence, np.random.SeedSequence]:
    """Streams of the chains and of the rest, of one pair of systems on one dataset, metric and model."""
    pair = sorted((sample.system_a, sample.system_b))
    names = [hash64(*pair), hash64(sample.dataset), hash64(sample.metric), hash64(model.name)]
    first, second = np.random.SeedSequence([seed, *names]).spawn(2)
    return first, second


def _summarised(
    sample: Sample,
    model: ChainModel,
    chains: Chains,
    rng: np.random.Generator,
    *,
    swapped: bool,
    half_width: float | None,
    credible_mass: float,
) -> SampledPosterior:
    values = chains.flat()
    effect = model.effect(values).reshape(chains.settings.chains, chains.settings.draws)
    diagnostics = diagnose(chains, effect)
    prior_values = model.draw_priors(rng, N_PRIOR_DRAWS)
    checks = predictive_checks(model, prior_values, "prior", rng)
    if diagnostics.passed:
        checks += predictive_checks(model, values, "posterior", rng)
    names = (sample.system_b, sample.system_a) if swapped else (sample.system_a, sample.system_b)
    checks = tuple(replace(item, quantity=_named(item.quantity, names)) for item in checks)
    first = SampledPosterior(
        system_a=names[0],
        system_b=names[1],
        dataset=sample.dataset,
        metric=sample.metric,
        model=model.name,
        title=model.title,
        estimand=model.estimand,
        unit=model.unit,
        prior=model.prior_title,
        parameters={_lettered(key): float(value) for key, value in model.sizes.items()},
        assumptions=model.assumptions,
        citation=model.citation,
        level=credible_mass,
        half_width=half_width,
        diagnostics=diagnostics,
        checks=checks,
        findings=(),
        chains=chains,
        drawn=ChainDraws.of_chains(effect),
        prior_drawn=Draws(np.sort(np.clip(model.effect(prior_values), -1e300, 1e300)) + 0.0),
    )
    found = first.swapped() if swapped else first
    return replace(found, findings=_findings(found, sample))


def _findings(found: SampledPosterior, sample: Sample) -> tuple[Finding, ...]:
    items: list[Finding] = []
    if found.withheld:
        items.append(
            Finding(
                "markov-chains-failed",
                "error",
                f"The result is withheld, as the Markov chains failed: {'; '.join(found.withheld)}.",
                where=found.label,
                remedy="; ".join(found.diagnostics.remedies),
            )
        )
    elif found.highest_density is None:
        items.append(several_modes(found.label))
    items.extend(pairing_lost(sample, found.label))
    if sample.n_clusters is not None and sample.n_clusters < FEW_CLUSTERS:
        items.append(
            Finding(
                "few-clusters",
                "warning",
                f"There are {sample.n_clusters} {sample.cluster_noun}s: how much they differ is mostly decided by the "
                "priors of kappa and omega.",
                where=found.label,
            )
        )
    return (*items, *findings_of_checks(found.checks, found.label))


def _named(text: str, names: tuple[str, str]) -> str:
    """Put the names of the systems into a test quantity, which may hold braces themselves."""
    before, mark, after = text.partition("{first}")
    if mark:
        return before + names[0] + after
    before, mark, after = text.partition("{second}")
    return before + names[1] + after if mark else text


def _lettered(key: str) -> str:
    for old, new in (("_first", "_a"), ("_second", "_b")):
        if key.endswith(old):
            return key.removesuffix(old) + new
    return key


def _turned(key: str) -> str:
    for old, new in (("_a", "_b"), ("_b", "_a")):
        if key.endswith(old):
            return key.removesuffix(old) + new
    return key
