"""The sentences on what is not claimed: the limits that no p-value removes."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.language.numerals import p_value_text
from reportkit.replicability.comparison import Comparison, identified_in, numbers_identified
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Cite, Prose, prose, sentences
from reportkit.report.score_format import amount, scale_of
from reportkit.report.text.shapes import limits_of_runs
from reportkit.settings import Settings


def limits_in_full(family: ReplicabilityAnalysis, settings: Settings) -> Prose:
    """The limits one by one: what a count says, what is not named, how far it all goes."""
    alpha = family.alpha[0]
    several = len(family.datasets) > 1
    return sentences(
        _one_sided(family),
        prose(
            "The number of datasets is a lower bound ({k_hat}); it says nothing about datasets other than {these}.",
            these="these two" if len(family.datasets) == 2 else f"these {len(family.datasets)}",
        )
        if several
        else (),
        prose("We name a dataset only where {it} rejects.", it=_named_by(family))
        if several and _some_are_not_named(family.comparisons, alpha)
        else (),
        _out_of_reach(family),
        what_is_not_shown(family),
        how_far(family),
        practical_relevance(family, settings),
    )


def _some_are_not_named(comparisons: Sequence[Comparison], alpha: float) -> bool:
    counts = [item.k_hat[alpha].recommended for item in comparisons]
    return bool((numbers_identified(comparisons, alpha) < counts).any())


def _one_sided(family: ReplicabilityAnalysis) -> Prose:
    """What a one-sided test presupposes, unless the user has said that it is so."""
    if family.preregistered or family.design not in ("declared", "baselines"):
        return ()
    return prose("One-sided tests are valid only if the direction was chosen before the results were seen.")


def _named_by(family: ReplicabilityAnalysis) -> str:
    return "closed testing" if family.correction == "closed testing" else "Holm's method"


def practical_relevance(family: ReplicabilityAnalysis, settings: Settings) -> Prose:
    """Whether it was declared which differences are too small to matter, and what is left to the reader."""
    if settings.rope is not None:
        return prose(
            "We declared differences of at most {rope} too small to matter in practice; the claims above are about "
            "differences of any size.",
            rope=amount(settings.rope, scale_of(family.parts[0])),
        )
    return prose("We declared no smallest difference of interest, so practical relevance is left to the reader.")


def _out_of_reach(family: ReplicabilityAnalysis) -> Prose:
    """That so few datasets cannot give a small p-value, where they are the sample."""
    if not family.across_datasets:
        return ()
    smallest = min(item.p_min for item in family.assessments)
    if smallest <= family.alpha[0] / family.sides:
        return ()
    return prose(
        "With so few datasets, no one-sided {p}-value below {least} is possible.", least=p_value_text(smallest)
    )


def what_is_not_shown(family: ReplicabilityAnalysis) -> Prose:
    """That the absence of a rejection shows nothing; not where every test rejects."""
    alpha = family.alpha[0]
    if identified_in(family.comparisons, alpha).all():
        return ()
    return prose("A lack of statistical significance does not show that systems are equal.")


def how_far(family: ReplicabilityAnalysis, *, brief: bool = False) -> Prose:
    """To which data the results apply."""
    if family.across_datasets:
        return prose(
            "The result applies to datasets like these as a whole; it does not say on which of them, or on how many, a "
            "system is better {cite}.",
            cite=Cite(("demsar2006statistical", "dror2017replicability")),
        )
    if of_runs := limits_of_runs(family):
        return of_runs
    return prose(
        "The {results} to data like those in the test {set}{raters}."
        if brief
        else "The {results} to data drawn from the same distribution as {the} test set{raters}.",
        raters=", scored by these raters" if any(item.details.n_ratings for item in family.kinds) else "",
        results="result applies" if len(family.datasets) == 1 else "results apply",
        the="this" if len(family.datasets) == 1 else "each",
        set="set" if len(family.datasets) == 1 else "sets",
    )
