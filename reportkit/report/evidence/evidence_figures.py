"""The figures of the section beyond the p-value: posteriors, their forest, and what the prior does to Bayes factors."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.bayes.evidence.assessed import AssessedClaim
from reportkit.bayes.models import model_of
from reportkit.bayes.posterior import Posterior
from reportkit.figures.posterior import posterior_content
from reportkit.figures.posterior_forest import posterior_forest_content
from reportkit.figures.prior_sensitivity import MOST_DATASETS, prior_sensitivity_content
from reportkit.language.numerals import percent_text
from reportkit.report.model import Figure
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.score_format import ScoreScale, amount
from reportkit.report.text.evidence import claim_in_words
from reportkit.scores.shapes.sample import Sample

MOST_DENSITIES = 2
"""With more datasets, the forest shows the posteriors."""


def evidence_figures(
    claims: Sequence[AssessedClaim],
    samples: Sequence[Sample],
    scale: ScoreScale,
    *,
    prior: float | None = None,
    suffix: str = "",
) -> list[Figure]:
    """Draw the posteriors of one pair of systems, and how its Bayes factors depend on the prior.

    Parameters
    ----------
    claims : sequence of AssessedClaim
        About the same two systems.
    samples : sequence of Sample
        One per dataset.
    scale : ScoreScale
        Of the metric.
    prior : float, optional
        The prior that was asked for.
    suffix : str
        Of their names, where there are several pairs.
    """
    found = [item.posterior for item in claims[0].answers]
    posteriors = [item for item in found if isinstance(item, Posterior)]
    figures: list[Figure] = []
    if posteriors and len(posteriors) <= MOST_DENSITIES:
        known = [sample for sample, item in zip(samples, found, strict=True) if isinstance(item, Posterior)]
        figures += [
            _density(item, sample, scale, prior, f"{suffix}-{number}" if len(posteriors) > 1 else suffix)
            for number, (item, sample) in enumerate(zip(posteriors, known, strict=True), start=1)
        ]
    elif posteriors:
        figures.append(posterior_forest(posteriors, scale, suffix))
    with_factors = [claim for claim in claims if any(item.bayes_factors is not None for item in claim.answers)]
    if with_factors:
        figures += _sensitivity(with_factors[-1], samples, scale, prior, suffix)
    return figures


def _density(found: Posterior, sample: Sample, scale: ScoreScale, prior: float | None, suffix: str) -> Figure:
    before = model_of(sample, prior).prior
    content = posterior_content(found, before, in_percent=scale.factor == 100)
    return Figure.of(
        "posterior",
        content,
        name=f"posterior{suffix}",
        caption=sentences(
            prose(
                "Posterior of the difference between {a} and {b} on {dataset} ({title}, {prior}).",
                a=found.system_a,
                b=found.system_b,
                dataset=found.dataset,
                title=found.title,
                prior=found.prior,
            ),
            _region(found, scale),
        ),
    )


def _region(found: Posterior, scale: ScoreScale) -> Prose:
    if found.rope is None:
        return prose("No region of practical equivalence was declared.")
    return prose(
        "Band: differences of at most {r}, which were declared to be practically equivalent.",
        r=amount(found.rope.half_width, scale),
    )


def posterior_forest(posteriors: Sequence[Posterior], scale: ScoreScale, suffix: str = "") -> Figure:
    """Draw means and credible intervals of several datasets below each other."""
    first = posteriors[0]
    content = posterior_forest_content(posteriors, in_percent=scale.factor == 100)
    return Figure.of(
        "posterior-forest",
        content,
        name=f"posterior-forest{suffix}",
        caption=sentences(
            prose(
                "Posterior means of the difference between {a} (A) and {b} with {level} credible intervals.",
                a=first.system_a,
                b=first.system_b,
                level=percent_text(first.interval.level),
            ),
            _region(first, scale),
        ),
    )


def _sensitivity(
    claim: AssessedClaim, samples: Sequence[Sample], scale: ScoreScale, prior: float | None, suffix: str
) -> list[Figure]:
    known = [
        sample
        for sample, item in zip(samples, claim.answers, strict=True)
        if item.bayes_factors is not None and all(factor.bound == "none" for factor in item.bayes_factors.factors)
    ]
    if not known:
        return []
    shown = known[:MOST_DATASETS]
    content = prior_sensitivity_content(shown, claim.hypothesis, prior or 1.0)
    more = len(known) - len(shown)
    return [
        Figure.of(
            "prior-sensitivity",
            content,
            name=f"prior-sensitivity{suffix}",
            caption=sentences(
                prose(
                    "Bayes factor of the claim that {claim} against its negation, by the prior; marked are the priors "
                    "of the table.",
                    claim=claim_in_words(claim.system_a, claim.system_b, claim.hypothesis, scale),
                ),
                prose("The first {n} of {all} datasets are shown.", n=len(shown), all=len(known)) if more else (),
            ),
        )
    ]
