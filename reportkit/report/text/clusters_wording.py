"""Sentences about what the independent units are: clusters, and instances that several raters scored."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.language.counts_and_lists import counted, listed, spanned
from reportkit.report.prose import Prose, prose, sentences
from reportkit.significance.outcome import Assessment

_MOST_NAMED = 4


def clusters_in_words(items: Sequence[Assessment]) -> Prose:
    """How many clusters there are, and by how much they multiply the variance; nothing without clusters."""
    numbers = {item.dataset: item.outcome.n_clusters for item in items if item.outcome.n_clusters is not None}
    if not numbers:
        return ()
    if len(numbers) == 1:
        them = counted(next(iter(numbers.values())), "cluster")
    elif len(set(numbers.values())) == 1 or len(numbers) > _MOST_NAMED:
        them = spanned(numbers.values(), "cluster") + " on each dataset"
    else:
        (first, n), *others = numbers.items()
        them = listed([f"{counted(n, 'cluster')} on {first}", *(f"{n:,} on {name}" for name, n in others)])
    return prose(
        "There {are} {them}{effect}.",
        are="is" if them.startswith("1 ") else "are",
        them=them,
        effect=_design_effect(items),
    )


def ratings_in_words(items: Sequence[Assessment]) -> Prose:
    """By how many raters instances were scored, and what follows for the claim; nothing without several raters."""
    rated = [item.details for item in items if item.details.n_ratings is not None]
    if not rated:
        return ()
    fewest = min(details.fewest_ratings_per_instance or 0 for details in rated)
    most = max(details.most_ratings_per_instance or 0 for details in rated)
    raters = [details.n_raters or 0 for details in rated]
    balanced = fewest == most
    clusters = any(item.outcome.n_clusters is not None for item in items)
    return sentences(
        prose(
            "Each instance was scored by {ratings}{effect}, and scores are paired rater by rater.",
            ratings=spanned([fewest, most], "rater")
            if balanced and set(raters) == {most}
            else f"{f'{most:,}' if balanced else f'{fewest:,} to {most:,}'} of {spanned(raters, 'rater')}",
            effect="" if clusters else _design_effect(items),
        ),
        prose(
            "The claim is about these raters, not about others{weighed}.",
            weighed="" if balanced else ", and an instance weighs by the number of its ratings",
        ),
    )


def _design_effect(items: Sequence[Assessment]) -> str:
    effects = [effect for item in items if (effect := item.details.design_effect) is not None]
    if not effects:
        return ""
    low, high = f"{min(effects):.1f}", f"{max(effects):.1f}"
    return f" (design effect {low})" if low == high else f" (design effects from {low} to {high})"
