"""The posterior of a difference: one call for every shape of results that a model is known for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from reportkit.bayes.distribution import Distribution, Draws
from reportkit.bayes.intervals import CredibleInterval, equal_tailed_interval, highest_density_interval
from reportkit.bayes.model_kinds import ModelName, Prior
from reportkit.bayes.models import model_of
from reportkit.bayes.rope import RopeMasses, checked_half_width, probability_text, rope_masses, with_region
from reportkit.bayes.signed_rank import PRIOR_STRENGTH, SignedRankPosterior, signed_rank
from reportkit.errors import DesignError, SettingsError
from reportkit.finding import Finding
from reportkit.scores.sample import Sample


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Posterior:
    """What the data say of the difference A minus B, under a model and a prior.

    The difference is oriented: above 0 A is better, also where lower scores are better.

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
        In prose; empty where Markov chains were run, whose priors are listed elsewhere.
    parameters : mapping of str to float
        Data and prior by name.
    mean, sd : float
        Of the posterior.
    p_better, p_worse : float
        P(difference > 0), P(difference < 0).
    monte_carlo_error : float
        Standard error of `p_better`; 0 where nothing is drawn.
    highest_density : CredibleInterval or None
        None if the posterior has more than one mode.
    equal_tailed : CredibleInterval
        Beside it.
    rope : RopeMasses or None
        None if no region of practical equivalence was declared.
    assumptions : tuple of str
        What is taken for granted.
    citation : str
        BibTeX key.
    findings : tuple of Finding
        What to be careful about.
    distribution : Distribution
        The posterior itself.
    """

    system_a: str
    system_b: str
    dataset: str
    metric: str
    model: str
    title: str
    estimand: str
    unit: Literal["proportion", "score"]
    prior: str
    parameters: Mapping[str, float]
    mean: float
    sd: float
    p_better: float
    p_worse: float
    monte_carlo_error: float
    highest_density: CredibleInterval | None
    equal_tailed: CredibleInterval
    rope: RopeMasses | None
    assumptions: tuple[str, ...]
    citation: str
    findings: tuple[Finding, ...]
    distribution: Distribution

    @property
    def interval(self) -> CredibleInterval:
        """The interval of highest density, or the equal-tailed one where that is no interval."""
        return self.equal_tailed if self.highest_density is None else self.highest_density

    @property
    def rows(self) -> list[dict[str, object]]:
        """Row of a frame: the numbers by name."""
        names = ("system_a", "system_b", "dataset", "model", "mean", "sd", "p_better")
        row = {name: getattr(self, name) for name in names}
        row |= {"low": self.interval.low, "high": self.interval.high, "level": self.interval.level}
        return [row if self.rope is None else {**row, **self.rope.row}]

    def p_better_by(self, margin: float) -> float:
        """Return P(difference > margin): the claim that A is better by more than `margin`."""
        return self.distribution.above(margin)

    @property
    def sentence(self) -> str:
        """Result in words; numbers in the unit of the difference."""
        interval = self.interval
        prior, error = f" with {self.prior}", ""
        if not self.prior:  # long, and said elsewhere
            prior, error = "", f" (Monte Carlo standard error {self.monte_carlo_error:.1g})"
        text = (
            f"Under the {self.title}{prior}, the posterior probability that {self.system_a} is better than "
            f"{self.system_b} on {self.dataset} is {probability_text(self.p_better)}{error}; the "
            f"{interval.words} of the {self.estimand} is [{interval.low:.4g}, {interval.high:.4g}]."
        )
        return with_region(text, self.rope, self.system_a, self.system_b)


def posterior(
    sample: Sample,
    *,
    rope: float | None = None,
    prior: Prior | None = None,
    seed: int = 0,
    credible_mass: float = 0.95,
    model: ModelName | None = None,
) -> Posterior | SignedRankPosterior:
    """Posterior of the difference between A and B on one dataset.

    | results                                     | model                                               |
    |---------------------------------------------|-----------------------------------------------------|
    | right or wrong, same instances              | dirichlet (bayesian-bootstrap where there are       |
    |                                             | clusters or weights)                                |
    | ordinal, same instances                     | the same, of wins and losses                        |
    | continuous or counts, same instances        | bayesian-bootstrap; student-t where fewer than 50   |
    |                                             | units differ                                        |
    | k right of n; right or wrong, not the same  | beta-binomial                                       |
    | continuous, not the same; one score per run | behrens-fisher                                      |
    | ordinal, not the same                       | ordinal-levels                                      |
    | folds of a cross-validation                 | correlated-t                                        |
    | corpus metrics, correlations, several runs  | asymptotic-t                                        |
    | one score per dataset                       | the Bayesian signed-rank test                       |

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    rope : float, optional
        Half-width of the region of practical equivalence, in the unit of the difference. There is no default.
    prior : float or tuple of float, optional
        (a, b) of the Beta(a, b) prior of either proportion, or a for both; for answers on the same instances a of
        Dirichlet(a, a, 2 a) of (only A right, only B right, the rest). 1 if it is not given. Of other differences the
        scale of a Cauchy prior about 0, in the unit of the score; the t model is then used.
    seed : int
        Of the draws, which only ordinal scores on different instances and the signed-rank test need.
    credible_mass : float
        Probability of the intervals, in (0, 1).
    model : str, optional
        Another model than the first one in the table.

    Returns
    -------
    Posterior or SignedRankPosterior
        A against B is exactly B against A turned round.

    Raises
    ------
    DesignError
        If no model is known for this shape of results, the model asked for does not fit it, or the data cannot say
        anything of the spread.
    SettingsError
        If `rope`, `prior` or `credible_mass` make no sense.

    Notes
    -----
    A posterior probability is a statement about the difference under the model and the prior. It is neither one minus
    the p-value nor the probability that a replication succeeds.

    Examples
    --------
    Sadat Azer et al. (2020), Example 3.

    >>> from reportkit.scores.sample import RightOf
    >>> from reportkit.scores.sample import Sample
    >>> arc = Sample(shape="counts", system_a="S1", system_b="S2", dataset="ARC-easy", metric="accuracy", kind="binary",
    ...              counts=RightOf(1721, 2376, 1637, 2376))
    >>> found = posterior(arc, rope=0.01)
    >>> round(found.p_better, 6), round(found.rope.better, 4), found.rope.decision
    (0.996276, 0.9725, 'undecided')
    >>> round(found.interval.low, 4), round(found.interval.high, 4)
    (0.0095, 0.0612)
    """
    if not 0 < credible_mass < 1:
        raise SettingsError(
            f"credible_mass is {credible_mass!r}", remedy="give a probability strictly between 0 and 1, such as 0.95"
        )
    if sample.shape == "paired" and sample.unit == "dataset" and model is None:
        return _over_datasets(sample, rope, prior, seed)
    found = model_of(sample, prior, model, seed)
    return summarised(
        sample,
        found.posterior,
        rope,
        credible_mass,
        model=found.name,
        title=found.title,
        estimand=found.estimand,
        unit=found.unit,
        prior=found.prior_title,
        parameters=found.parameters,
        assumptions=found.assumptions,
        citation=found.citation,
        findings=found.findings,
    )


def _over_datasets(sample: Sample, rope: float | None, prior: Prior | None, seed: int) -> SignedRankPosterior:
    if isinstance(prior, tuple):
        raise SettingsError(
            f"prior={prior!r}: the signed-rank test has one number as prior",
            remedy="give the weight of the pseudo-dataset without a difference, such as 0.5",
        )
    if sample.n < 2:
        raise DesignError("one dataset is no sample of datasets", where=sample.label, remedy="give two or more")
    return signed_rank(
        sample.differences,
        rope=rope,
        system_a=sample.system_a,
        system_b=sample.system_b,
        prior_strength=PRIOR_STRENGTH if prior is None else float(prior),
        seed=seed,
    )


def summarised(
    sample: Sample,
    distribution: Distribution,
    rope: float | None,
    credible_mass: float,
    *,
    findings: tuple[Finding, ...] = (),
    **about: Any,
) -> Posterior:
    """Ask a distribution all questions of a posterior; `about` are fields of it.

    Raises
    ------
    SettingsError
        If the region of practical equivalence makes no sense.
    """
    half_width = None if rope is None else checked_half_width(rope)
    highest = highest_density_interval(distribution, credible_mass)
    equal_tailed = equal_tailed_interval(distribution, credible_mass)
    better = distribution.above(0.0)
    inner = getattr(distribution, "of", distribution)
    if highest is None:
        several = Finding(
            "several-modes",
            "warning",
            "The posterior has more than one mode, so no single interval holds the highest density; the equal-tailed "
            "interval is given.",
            where=sample.label,
            remedy="show the whole posterior",
        )
        findings = (*findings, several)
    return Posterior(
        system_a=sample.system_a,
        system_b=sample.system_b,
        dataset=sample.dataset,
        metric=sample.metric,
        mean=distribution.mean,
        sd=distribution.sd,
        p_better=better,
        p_worse=distribution.below(0.0),
        monte_carlo_error=inner.standard_error(better) if isinstance(inner, Draws) else 0.0,
        highest_density=highest,
        equal_tailed=equal_tailed,
        rope=None if half_width is None else rope_masses(distribution, half_width, highest or equal_tailed),
        findings=findings,
        distribution=distribution,
        **about,
    )
