"""The sentences on what is not claimed: the limits that no p-value removes."""

from __future__ import annotations

from reportkit.language.numerals import percent_text
from reportkit.replicability.family import Family
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.score_format import scale_for
from reportkit.report.text.evidence import amount
from reportkit.report.text.shapes import limits_of_runs
from reportkit.settings import Settings


def what_is_not_claimed(family: Family) -> Prose:
    """The limits in brief: datasets that are not identified, and how far a result generalises."""
    return sentences(_not_identified(family), how_far(family))


def limits_in_brief(family: Family) -> Prose:
    """The same in one sentence, where it is short enough."""
    left = _not_identified(family)
    if not left or limits_of_runs(family) or len(family.datasets) == 1:
        return what_is_not_claimed(family)
    return prose(
        "Datasets that are not identified are no evidence that the systems are equally good there, and each result "
        "generalises only to the population that its test set is a sample of."
    )


def limits_in_full(family: Family, settings: Settings) -> Prose:
    """The limits one by one: what confidence means, what a count says, what is not named, how far it all goes."""
    alpha = family.alpha[0]
    several = len(family.datasets) > 1
    return sentences(
        _what_confidence_is(family),
        _one_sided(family),
        prose(
            "The number of datasets is a lower bound ({k_hat}), and says nothing about datasets other than {these}.",
            these="these two" if len(family.datasets) == 2 else f"these {len(family.datasets)}",
        )
        if several
        else (),
        prose("Datasets are named only where {it} identifies them.", it=_named_by(family))
        if several and any(item.k_hat[alpha].recommended > item.identified(alpha).sum() for item in family.comparisons)
        else (),
        _not_identified(family),
        how_far(family),
        practical_relevance(family, settings),
    )


def _one_sided(family: Family) -> Prose:
    """What a one-sided test presupposes, unless the user has said that it is so."""
    if family.preregistered or family.design not in ("declared", "baselines"):
        return ()
    return prose("One-sided tests are valid only if the direction was chosen before the results were seen.")


def _named_by(family: Family) -> str:
    return "closed testing" if family.correction == "closed testing" else "Holm's procedure"


def practical_relevance(family: Family, settings: Settings) -> Prose:
    """Whether it was declared which differences are too small to matter, and what is left to the reader."""
    items = family.assessments
    if settings.rope is not None:
        return prose(
            "Differences of at most {rope} were declared too small to matter in practice; the claims above are about "
            "differences of any size.",
            rope=amount(settings.rope, scale_for(item for item in items if item.metric == family.metrics[0])),
        )
    return prose(
        "No smallest difference of interest was declared; whether {differences} of the observed size {are} practically "
        "significant is left to the reader.",
        differences="a difference" if len(items) == 1 else "differences",
        are="is" if len(items) == 1 else "are",
    )


def _what_confidence_is(family: Family) -> Prose:
    """What a level bounds, in the words that the results use."""
    alpha = family.alpha[0]
    if any(item.k_hat[alpha].recommended for item in family.comparisons):
        return prose(
            "Confidence of {confidence} means that the procedure behind a statement makes a false one in at most "
            "{error} of its uses, not that a hypothesis is true with that probability.",
            confidence=percent_text(1 - alpha),
            error=percent_text(alpha),
        )
    return prose(
        "A {p}-value bounds how often scores at least as much in favour of the claim would occur if the null "
        "hypothesis were true; it does not say how probable that hypothesis is."
    )


def _not_identified(family: Family) -> Prose:
    """Datasets without a rejection; nothing where there are none, or where k-hat = 0 has said so of all."""
    alpha = family.alpha[0]
    left = any(not comparison.identified(alpha).all() for comparison in family.comparisons)
    if not left or (family.n_claims == 1 and family.comparisons[0].k_hat[alpha].recommended == 0):
        return ()
    if len(family.datasets) == 1:
        if family.design == "declared":
            return ()
        return prose("A claim that is not shown is no evidence that the two systems are equally good.")
    return prose("Datasets that are not identified are no evidence that the systems are equally good there.")


def how_far(family: Family) -> Prose:
    """Of which population the results speak."""
    if of_runs := limits_of_runs(family):
        return of_runs
    if len(family.datasets) == 1:
        return prose("The result generalises to the population that this test set is a sample of, and no further.")
    return prose("Each result generalises to the population that its test set is a sample of, and no further.")
