"""The posterior of a difference: one call for every shape of results that a model is known for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportkit.bayes.distribution import CredibleInterval, Distribution
from reportkit.bayes.models import ModelName, Prior, model_of
from reportkit.bayes.rope import RopeMasses, checked_half_width, probability_text, rope_masses
from reportkit.bayes.signed_rank import PRIOR_STRENGTH, SignedRankPosterior, signed_rank
from reportkit.errors import DesignError, SettingsError
from reportkit.finding import Finding
from reportkit.scores.sample import Sample

if TYPE_CHECKING:
    from reportkit.bayes.chains.sampling import Chains


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Posterior:
    """The posterior of the difference A minus B, under a model and a prior.

    The difference is oriented: above 0 A is better, also where lower scores are better.

    Parameters
    ----------
    system_a, system_b, dataset, metric : str
        Names.
    model, title : str
        Name of the model, and in prose.
    estimand : str
        What the difference is a difference of.
    prior : str
        In prose, or in symbols.
    interval : CredibleInterval
        Interval of highest density, in the unit of the difference.
    rope : RopeMasses or None
        None if no region of practical equivalence was declared.
    findings : tuple of Finding
        What to be careful about.
    distribution : Distribution
        The posterior itself.
    prior_distribution : Distribution or None
        None if the prior is improper.
    chains : Chains or None
        Chains of a model that only Markov chains can answer.
    """

    system_a: str
    system_b: str
    dataset: str
    metric: str
    model: str
    title: str
    estimand: str
    prior: str
    interval: CredibleInterval
    rope: RopeMasses | None
    findings: tuple[Finding, ...]
    distribution: Distribution
    prior_distribution: Distribution | None
    chains: Chains | None = None

    withheld = ()

    @property
    def mean(self) -> float:
        """Expected difference."""
        return self.distribution.mean

    @property
    def sd(self) -> float:
        """Standard deviation of the posterior."""
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
        """Standard error of `p_better`; 0 where nothing is drawn."""
        return float((self.p_better * (1.0 - self.p_better) / self.distribution.effective) ** 0.5)

    @property
    def rows(self) -> list[dict[str, object]]:
        """Row of a frame: the numbers by name."""
        names = ("system_a", "system_b", "dataset", "model", "mean", "sd", "p_better")
        row = {name: getattr(self, name) for name in names}
        row |= {} if self.chains is None else {"monte_carlo_error": self.monte_carlo_error}
        row |= {"low": self.interval.low, "high": self.interval.high, "level": self.interval.level}
        row |= {} if self.chains is None else {"withheld": ""}
        return [row if self.rope is None else {**row, **self.rope.row}]

    def p_better_by(self, margin: float) -> float:
        """Return P(difference > margin): the claim that A is better by more than `margin`."""
        return self.distribution.above(margin)

    @property
    def sentence(self) -> str:
        """Result in words; numbers in the unit of the difference."""
        drawn = self.chains is not None  # their priors are long, and are printed elsewhere
        prior = "" if drawn else f" with {self.prior}"
        error = f" (Monte Carlo standard error {self.monte_carlo_error:.1g})" if drawn else ""
        low, high, level = self.interval.low, self.interval.high, f"{100 * self.interval.level:g}%"
        text = (
            f"Under the {self.title}{prior}, the posterior probability that {self.system_a} is better than "
            f"{self.system_b} on {self.dataset} is {probability_text(self.p_better)}{error}; the {level} "
            f"highest-density interval of the {self.estimand} is [{low:.4g}, {high:.4g}]."
        )
        if self.rope is None:
            return f"{text} No region of practical equivalence was declared."
        r = f"{self.rope.half_width:g}"
        better, equivalent, worse = map(probability_text, (self.rope.better, self.rope.equivalent, self.rope.worse))
        return (
            f"{text} The probability that {self.system_a} is better by more than {r} is {better}, that the two are "
            f"within {r} of each other {equivalent}, and that {self.system_b} is better by more than {r} {worse}; by "
            f"the interval: {self.rope.decision}."
        )


def posterior(
    sample: Sample,
    *,
    rope: float | None = None,
    prior: Prior | None = None,
    seed: int = 0,
    credible_mass: float = 0.95,
    model: ModelName | None = None,
) -> Posterior | SignedRankPosterior:
    """Return the posterior of the difference between A and B on one dataset.

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
        Seed of the draws, which only ordinal scores on different instances and the signed-rank test need.
    credible_mass : float
        Probability of the interval, in (0, 1).
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

    >>> from reportkit.scores.sample import Sample
    >>> import numpy as np
    >>> a, b = (np.repeat([1.0, 0.0], [right, 2376 - right]) for right in (1721, 1637))
    >>> names = {"system_a": "S1", "system_b": "S2", "dataset": "ARC-easy", "metric": "accuracy"}
    >>> arc = Sample(shape="counts", kind="binary", a=a, b=b, **names)
    >>> found = posterior(arc, rope=0.01)
    >>> round(found.p_better, 6), round(found.rope.better, 4), found.rope.decision
    (0.996276, 0.9725, 'undecided')
    >>> round(found.interval.low, 4), round(found.interval.high, 4)
    (0.0095, 0.0612)
    """
    half_width = checked_numbers(rope, credible_mass)
    if sample.shape == "paired" and sample.unit == "dataset" and model is None:
        return _over_datasets(sample, rope, prior, seed)
    found = model_of(sample, prior, model, seed)
    interval = found.posterior.interval(credible_mass)
    return Posterior(
        system_a=sample.system_a,
        system_b=sample.system_b,
        dataset=sample.dataset,
        metric=sample.metric,
        model=found.name,
        title=found.title,
        estimand=found.estimand,
        prior=found.prior_title,
        interval=interval,
        rope=None if half_width is None else rope_masses(found.posterior, half_width, interval),
        findings=found.findings,
        distribution=found.posterior,
        prior_distribution=found.prior,
    )


def checked_numbers(rope: float | None, credible_mass: float) -> float | None:
    """Check the region of practical equivalence, and the probability of the interval.

    Raises
    ------
    SettingsError
        If one of them makes no sense.
    """
    if not 0 < credible_mass < 1:
        raise SettingsError(
            f"credible_mass is {credible_mass!r}", remedy="give a probability strictly between 0 and 1, such as 0.95"
        )
    return None if rope is None else checked_half_width(rope)


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
