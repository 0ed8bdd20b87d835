"""Bayes factors of interval and directional hypotheses, always under several priors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from reportkit.bayes.distribution import Distribution
from reportkit.bayes.models import T_MODELS, Prior, model_of
from reportkit.bayes.rope import checked_half_width, probability_text
from reportkit.errors import DesignError, SettingsError
from reportkit.finding import Finding
from reportkit.scores.sample import Sample

FEWEST_PRIORS = 3

PRIORS: tuple[float, ...] = (1.0, 0.5, 2.0)
"""Priors under which every Bayes factor is shown: uniform, Jeffreys-like, and one that favours the middle."""

_NEGLIGIBLE = 1e-12
"""Smaller probabilities are the rounding error of their sums."""

_EQUAL = 1e-9
"""Log Bayes factors nearer to 0 than this favour neither side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesis:
    """A statement on the difference A minus B, against its negation.

    Parameters
    ----------
    kind : {"equivalent", "better"}
        -margin <= difference <= margin, or difference > margin.
    margin : float
        In the unit of the difference.
    """

    kind: Literal["equivalent", "better"]
    margin: float

    @property
    def text(self) -> str:
        """The statement in symbols.

        Examples
        --------
        >>> equivalent_within(0.01).text, better_by_more_than(0.0).text
        ('|A - B| <= 0.01', 'A - B > 0')
        """
        return f"|A - B| <= {self.margin:g}" if self.kind == "equivalent" else f"A - B > {self.margin:g}"

    def masses(self, distribution: Distribution) -> tuple[float, float]:
        """Return the probabilities of the statement and of its negation."""
        if self.kind == "equivalent":
            inside = distribution.inside(-self.margin, self.margin)
            return inside, 1.0 - inside
        above = distribution.above(self.margin)
        return above, 1.0 - above


def equivalent_within(rope: float) -> Hypothesis:
    """State that the difference is at most `rope` in size: the interval null.

    Raises
    ------
    SettingsError
        If `rope` is not positive.
    """
    return Hypothesis(kind="equivalent", margin=checked_half_width(rope))


def better_by_more_than(margin: float = 0.0) -> Hypothesis:
    """State that A is better than B by more than `margin`, which may be 0.

    Raises
    ------
    SettingsError
        If `margin` is negative or not finite.
    """
    if not (math.isfinite(margin) and margin >= 0):
        raise SettingsError(f"margin={margin!r} is no margin", remedy="give 0 or a positive number")
    return Hypothesis(kind="better", margin=float(margin))


@dataclass(frozen=True, slots=True, kw_only=True)
class BayesFactor:
    """A Bayes factor: how much the data change the odds of a hypothesis against its negation.

    Parameters
    ----------
    hypothesis : Hypothesis
        What is claimed; values above 1 speak for it.
    prior : str
        Prior in prose.
    prior_mass, posterior_mass : float
        Probability of the hypothesis before and after, both under the same model.
    log_value : float
        Natural logarithm of the Bayes factor; where `bound` is set, of the bound.
    bound : {"none", "upper", "lower"}
        `upper`: the Bayes factor is at most this; `lower`: at least; so little probability lies on one side that no
        more can be said.
    """

    hypothesis: Hypothesis
    prior: str
    prior_mass: float
    posterior_mass: float
    log_value: float
    bound: Literal["none", "upper", "lower"] = "none"

    @property
    def value(self) -> float:
        """The Bayes factor in favour of the hypothesis."""
        return math.exp(min(self.log_value, 700.0))

    @property
    def favours(self) -> Literal["hypothesis", "negation", "neither"]:
        """Return the side that the data support."""
        if abs(self.log_value) <= _EQUAL:
            return "neither"
        return "hypothesis" if self.log_value > 0 else "negation"


def bayes_factor(
    hypothesis: Hypothesis, prior: Distribution, posterior: Distribution, *, prior_title: str = "the prior"
) -> BayesFactor:
    """Divide the posterior odds of a hypothesis by its prior odds.

    Parameters
    ----------
    hypothesis : Hypothesis
        Against its negation.
    prior, posterior : Distribution
        Of the difference, under one model.
    prior_title : str
        In prose.

    Returns
    -------
    BayesFactor
        A bound where the mass of one side is rounding error.

    Raises
    ------
    DesignError
        If the prior gives the hypothesis, or its negation, no probability.

    Notes
    -----
    The ratio of odds, not of probabilities: for an interval null the two differ by the mass outside. Sadat Azer et al.
    (2020), section 4.4.

    Examples
    --------
    Example 4 of that paper, which prints 1.382, and 1.32 in its introduction.

    >>> from scipy.stats import beta
    >>> from reportkit.bayes.distribution import difference
    >>> prior, posterior = difference(beta(1, 1), beta(1, 1)), difference(beta(1722, 656), beta(1638, 740))
    >>> found = bayes_factor(equivalent_within(0.01), prior, posterior)
    >>> round(found.prior_mass, 6), round(found.posterior_mass, 6), round(found.value, 5)
    (0.0199, 0.027205, 1.37733)
    """
    before, not_before = hypothesis.masses(prior)
    after, not_after = hypothesis.masses(posterior)
    posterior_mass = after
    if before <= 0.0 or not_before <= 0.0:
        raise DesignError(
            f"the prior gives {'no' if before <= 0 else 'all'} probability to {hypothesis.text}, so its odds cannot "
            "change",
            remedy="choose a margin within the possible differences",
        )
    bound: Literal["none", "upper", "lower"] = "none"
    few, limit = min(after, not_after), _NEGLIGIBLE
    if few < limit:  # a probability too small for a float is at most this
        bound = "upper" if after < not_after else "lower"
        after, not_after = (limit, 1.0 - limit) if bound == "upper" else (1.0 - limit, limit)
    return BayesFactor(
        hypothesis=hypothesis,
        prior=prior_title,
        prior_mass=before,
        posterior_mass=posterior_mass,
        log_value=math.log(after) - math.log(not_after) - math.log(before) + math.log(not_before),
        bound=bound,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BayesFactors:
    """A Bayes factor under each of several priors.

    Parameters
    ----------
    system_a, system_b, dataset : str
        Names.
    factors : tuple of BayesFactor
        The first under the prior that was asked for, then the others.
    findings : tuple of Finding
        "bayes-factor-depends-on-prior" if they do not all speak for the same side.
    """

    system_a: str
    system_b: str
    dataset: str
    factors: tuple[BayesFactor, ...]
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, sample: Sample, factors: tuple[BayesFactor, ...]) -> BayesFactors:
        """Collect the factors of two systems on one dataset; warn where the prior decides which side they favour."""
        found = cls(
            system_a=sample.system_a, system_b=sample.system_b, dataset=sample.dataset, factors=factors, findings=()
        )
        if not found.depends_on_prior:
            return found
        low, high = found.range
        message = (
            f"The Bayes factor for {factors[0].hypothesis.text} is between {low:.3g} and {high:.3g}, depending on "
        )
        message += "the prior: the data do not settle which side it speaks for."
        remedy = "report all of them, or rest the claim on the posterior probability, which depends less on the prior"
        finding = Finding("bayes-factor-depends-on-prior", "warning", message, where=sample.label, remedy=remedy)
        return replace(found, findings=(finding,))

    @property
    def rows(self) -> list[dict[str, object]]:
        """Rows of a frame, one for each prior."""
        return [
            {
                "system_a": self.system_a,
                "system_b": self.system_b,
                "dataset": self.dataset,
                "hypothesis": factor.hypothesis.text,
                "prior": factor.prior,
                "prior_mass": factor.prior_mass,
                "posterior_mass": factor.posterior_mass,
                "bayes_factor": factor.value,
                "bound": factor.bound,
                "depends_on_prior": self.depends_on_prior,
            }
            for factor in self.factors
        ]

    @property
    def depends_on_prior(self) -> bool:
        """Whether some priors speak for the hypothesis, and others for its negation."""
        return {"hypothesis", "negation"} <= {factor.favours for factor in self.factors}

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest Bayes factor."""
        values = [factor.value for factor in self.factors]
        return min(values), max(values)

    @property
    def sentence(self) -> str:
        """Result in words."""
        main, (low, high) = self.factors[0], self.range
        at = {"none": "", "upper": "at most ", "lower": "at least "}[main.bound]
        difference = f"{self.system_a} - {self.system_b}"
        statement = main.hypothesis.text.replace("A - B", difference)
        text = (
            f"On {self.dataset}, the Bayes factor for {statement} against its negation is {at}{main.value:.3g} under "
            f"{main.prior} (prior probability {probability_text(main.prior_mass)}, posterior "
            f"{probability_text(main.posterior_mass)}), and from {low:.3g} to {high:.3g} under {len(self.factors)} "
            "priors."
        )
        return f"{text} Which side it speaks for depends on the prior." if self.depends_on_prior else text


def bayes_factors(
    sample: Sample, hypothesis: Hypothesis, *, prior: Prior | None = None, others: Sequence[Prior] | None = None
) -> BayesFactors:
    """Return the Bayes factor of a hypothesis under the prior asked for and under others.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    hypothesis : Hypothesis
        `equivalent_within(rope)` or `better_by_more_than(margin)`.
    prior : float or tuple of float, optional
        As for `posterior`. If it is not given, 1 for right or wrong answers; differences of means, corpus metrics and
        correlations need the scale of a Cauchy prior, which only the user can declare.
    others : sequence of prior, optional
        Further priors; by default 1, 0.5 and 2, or half and twice the scale.

    Raises
    ------
    DesignError
        If the model of the sample has an improper prior, under which no Bayes factor exists.
    SettingsError
        If there are fewer than three different priors.

    Examples
    --------
    >>> from reportkit.scores.sample import Sample
    >>> import numpy as np
    >>> a, b = (np.repeat([1.0, 0.0], [right, 2376 - right]) for right in (1721, 1637))
    >>> names = {"system_a": "S1", "system_b": "S2", "dataset": "ARC-easy", "metric": "accuracy"}
    >>> arc = Sample(shape="counts", kind="binary", a=a, b=b, **names)
    >>> found = bayes_factors(arc, equivalent_within(0.01))
    >>> [round(factor.value, 3) for factor in found.factors], found.depends_on_prior
    ([1.377, 0.957, 1.142], True)
    """
    if prior is None and model_of(sample).prior is None:
        raise DesignError(
            f"the prior of the {model_of(sample).title} is improper, so no Bayes factor exists",
            where=sample.label,
            remedy="declare how large differences may be: prior=0.02 is a Cauchy prior about 0 with that scale, in the "
            "unit of the score;\nor ask for the posterior with a region of practical equivalence",
        )
    first: Prior = 1.0 if prior is None else prior
    if others is None:
        scaled = model_of(sample, first).name in T_MODELS and not isinstance(first, tuple)
        others = (0.5 * float(first), 2.0 * float(first)) if scaled else PRIORS  # type: ignore[arg-type]
    pairs: dict[tuple[float, float], Prior] = {}
    for each in (first, *others):
        pairs.setdefault(each if isinstance(each, tuple) else (each, each), each)
    if len(pairs) < FEWEST_PRIORS:
        raise SettingsError(
            f"{len(pairs)} different priors: a Bayes factor is shown under at least {FEWEST_PRIORS}",
            where=sample.label,
            remedy="leave `others` out (1, 0.5 and 2 are taken), or name more of them",
        )
    factors = []
    for each in pairs.values():
        model = model_of(sample, each)
        assert model.prior is not None  # noqa: S101 - checked before
        factors.append(bayes_factor(hypothesis, model.prior, model.posterior, prior_title=model.prior_title))
    return BayesFactors.of(sample, tuple(factors))
