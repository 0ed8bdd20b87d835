"""One claim on one dataset: p-value, interval, posterior probability and Bayes factor side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from reportkit.bayes.bayes_factor import BayesFactors, Hypothesis, bayes_factors
from reportkit.bayes.models import Prior
from reportkit.bayes.posterior import Posterior, posterior
from reportkit.bayes.signed_rank import SignedRankPosterior
from reportkit.errors import DesignError
from reportkit.language import short_repr
from reportkit.scores.sample import Sample
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.interval import equivalence_test
from reportkit.significance.outcome import Interval, Outcome

T = TypeVar("T")
Question = Literal["p-value", "interval", "posterior", "Bayes factor"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FourAnswers:
    """Four answers to one claim, from the data of one dataset.

    Parameters
    ----------
    hypothesis : Hypothesis
        The claim: A is better by more than a margin, or the two are within a margin of each other.
    assessment : Outcome
        Scores, and the test and interval without a margin.
    p_value : float or None
        p-value of the null hypothesis that the claim is false, one-sided, not adjusted for the number of datasets.
    test : str
        Name of the test in prose; empty if there is none.
    interval : Interval or None
        Interval of the difference, whatever the claim.
    posterior : Posterior, SignedRankPosterior or None
        Posterior of the difference.
    probability : float or None
        Posterior probability of the claim.
    bayes_factors : BayesFactors or None
        For the claim against its negation, under at least three priors.
    silences : mapping of str to str
        By question, why there is no answer: "the prior of the Bayesian bootstrap is improper, so that ...".
    """

    hypothesis: Hypothesis
    assessment: Outcome
    p_value: float | None
    test: str
    interval: Interval | None
    posterior: Posterior | SignedRankPosterior | None
    probability: float | None
    bayes_factors: BayesFactors | None
    silences: Mapping[Question, str]

    __repr__ = short_repr

    @property
    def dataset(self) -> str:
        """Name of the dataset."""
        return self.assessment.dataset


def four_answers(
    sample: Sample,
    assessment: Outcome,
    hypothesis: Hypothesis,
    *,
    rope: float | None = None,
    prior: Prior | None = None,
    seed: int = 0,
    confidence_level: float = 0.95,
) -> FourAnswers:
    """Ask all four questions of one claim on one dataset.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    assessment : Outcome
        The same, tested without a margin.
    hypothesis : Hypothesis
        `better_by_more_than(margin)` or `equivalent_within(margin)`; the margin in the unit of the difference.
    rope : float, optional
        Half-width of a region of practical equivalence for the posterior, declared by the user.
    prior : float or tuple of float, optional
        As for `reportkit.bayes.posterior`.
    seed : int
        Seed of whatever is drawn.
    confidence_level : float
        Confidence level of the interval of the assessment, to say why it has none.

    Returns
    -------
    FourAnswers
        Where a question has no answer for this design, `silences` says why.

    Raises
    ------
    SettingsError
        If the margin, the region or the prior make no sense.

    Examples
    --------
    Hypothesis 3 of Sadat Azer et al. (2020), "better by more than one point", on the counts of their Table 1.

    >>> from reportkit.bayes import better_by_more_than
    >>> from reportkit.scores.sample import Sample
    >>> from reportkit.significance.assess import assess
    >>> from reportkit.significance.entry import ResamplingPlan
    >>> import numpy as np
    >>> a, b = (np.repeat([1.0, 0.0], [right, 2376 - right]) for right in (1721, 1637))
    >>> names = {"system_a": "S1", "system_b": "S2", "dataset": "ARC-easy", "metric": "accuracy"}
    >>> arc = Sample(shape="counts", kind="binary", a=a, b=b, **names)
    >>> plain = assess(arc, ResamplingPlan(n_resamples=999, seed=0, thresholds=(0.05,)))
    >>> answers = four_answers(arc, plain, better_by_more_than(0.01))
    >>> round(answers.p_value, 4), round(answers.probability, 4), round(answers.bayes_factors.factors[0].value, 1)
    (0.0274, 0.9725, 36.8)
    """
    silences: dict[Question, str] = {}

    def ask(question: Question, answer: Callable[[], T]) -> T | None:
        try:
            return answer()
        except DesignError as error:
            silences[question] = error.problem
            return None

    tested = ask("p-value", lambda: _tested(sample, assessment, hypothesis, seed))
    if assessment.interval is None:
        method = SIGNIFICANCE_TESTS[assessment.test].interval
        silences["interval"] = method.silence(sample, confidence_level)
    found = ask("posterior", lambda: posterior(sample, rope=rope, prior=prior, seed=seed))
    return FourAnswers(
        hypothesis=hypothesis,
        assessment=assessment,
        p_value=None if tested is None else tested[0],
        test="" if tested is None else tested[1],
        interval=assessment.interval,
        posterior=found,
        probability=None if found is None else ask("posterior", lambda: _probability(found, hypothesis)),
        bayes_factors=ask("Bayes factor", lambda: bayes_factors(sample, hypothesis, prior=prior)),
        silences=silences,
    )


def _tested(sample: Sample, assessment: Outcome, hypothesis: Hypothesis, seed: int) -> tuple[float, str]:
    """Return the p-value of the negation of the claim, and the name of its test."""
    if hypothesis.kind == "better" and hypothesis.margin == 0:
        return assessment.p_value, assessment.title
    method, margin = SIGNIFICANCE_TESTS[assessment.test].interval, hypothesis.margin
    if hypothesis.kind == "better":
        shifted = method.margin(sample, margin, seed)
        if shifted is not None:
            return shifted.p_greater, f"{shifted.title}, shifted to the margin"
    else:
        both = equivalence_test(lambda r: method.margin(sample, r, seed), -margin, margin)
        if both is not None:
            return both.p_value, f"two one-sided tests ({both.above.title})"
    raise DesignError("the data hold no information on the variance")


def _probability(found: Posterior | SignedRankPosterior, hypothesis: Hypothesis) -> float:
    """Return the posterior probability of the claim."""
    if isinstance(found, Posterior):
        return hypothesis.masses(found.distribution)[0]
    if hypothesis.margin != (found.half_width or 0.0):
        raise DesignError(
            "the Bayesian signed-rank test answers for its own region of practical equivalence only",
        )
    return found.p_better if hypothesis.kind == "better" else found.p_equivalent
