"""Sentences about instances that not every system has a score for."""

from __future__ import annotations

from reportkit.language.counts_and_lists import listed, some
from reportkit.language.numerals import level_text, p_value_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.text.shapes import has_instance_runs
from reportkit.settings import Settings
from reportkit.significance.catalogue import entry_of
from reportkit.significance.outcome import Outcome

MOST_LACKING = 12
"""With more pairs of a system and a dataset without scores, the table shows which they are."""


def left_out_sentence(analysis: ReplicabilityAnalysis) -> Prose:
    """Which datasets of the results are not compared, or not for all systems, and why; nothing if all are."""
    items = analysis.left_out
    lacking: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for item in items:
        if item.systems:
            lacking.setdefault((item.systems, item.metric), []).append(item.dataset)
    without = [item.dataset for item in items if item.reason == "no-score"]
    deselected = [item.dataset for item in items if item.reason == "deselected"]
    many = sum(len(systems) * len(datasets) for (systems, _), datasets in lacking.items()) > MOST_LACKING
    if many:
        lacking = {}
    return sentences(
        prose("Not every system was scored on every dataset; we compare each pair where both systems were.")
        if many
        else (),
        prose(
            "The results also name {datasets}, which we leave out: there are no scores to compare{by}.",
            datasets=some(without),
            by=f" by {listed(analysis.metrics)}" if "metric" in analysis.columns else "",
        )
        if without
        else (),
        *(
            prose(
                "{systems} {have} no score{by} on {datasets} and {are} not compared there.",
                systems=listed(systems),
                have="has" if len(systems) == 1 else "have",
                are="is" if len(systems) == 1 else "are",
                by=f" by {metric}" if metric else "",
                datasets=some(datasets),
            )
            for (systems, metric), datasets in lacking.items()
        ),
        prose("We did not select {datasets}.", datasets=some(deselected)) if deselected else (),
    )


def missing_sentence(family: ReplicabilityAnalysis, settings: Settings, *, brief: bool = False) -> Prose:
    """What was done with instances that not every system has a score for."""
    every = family.kinds
    dropped = max((item.n_dropped for item in every), default=0)
    imputed = max((item.n_imputed for item in every), default=0)
    if imputed and settings.missing == "bounds" and brief:
        return prose(
            "We count missing scores against each claim (at most {n} for a pair of systems on a dataset), so each "
            "{p}-value is that of the worst case.",
            n=f"{imputed:,}",
        )
    if imputed and settings.missing == "bounds":
        return _whatever_they_were(family, imputed)
    if dropped and has_instance_runs(family):
        return prose(
            "We leave out instances for which a run of either system has no score (at most {n} on a dataset).",
            n=f"{dropped:,}",
        )
    if dropped:
        return prose(
            "We compare systems on the instances that both were scored on, and leave out the others (at most {n} on a "
            "dataset).",
            n=f"{dropped:,}",
        )
    if imputed:
        return prose(
            "A missing output counts as the worst possible score (at most {n} on a dataset).",
            n=f"{imputed:,}",
        )
    return ()


def _whatever_they_were(family: ReplicabilityAnalysis, most: int) -> Prose:
    """What the p-values and intervals are, and how many p-values would be small in the best case."""
    entries = [entry_of(item) for item in family.kinds]
    monotone = all(entry is not None and entry.monotone for entry in entries)
    return sentences(
        prose(
            "Scores are missing (at most {n} for a pair of systems on a dataset). We count them as the worst possible "
            "for the system that is claimed to be better and as the best possible for the other, so each {p}-value is "
            "that of the worst case{largest}. Intervals cover both extremes; differences are those of the instances "
            "that both systems have a score for.",
            n=f"{most:,}",
            largest=", the largest possible" if monotone else "",
        ),
        *(_best_case(comparison, family) for comparison in (family.comparisons if family.one_claim else ())),
    )


def _best_case(comparison: Comparison, family: ReplicabilityAnalysis) -> Prose:
    """How many p-values would be small if all missing scores were in favour of A."""
    alpha = family.alpha[0] / family.sides
    a = comparison.system_a
    worst = sum(item.p_value <= alpha for item in comparison.assessments)
    best = sum(_in_best_case(item) <= alpha for item in comparison.assessments)
    if len(comparison.assessments) == 1:
        (item,) = comparison.assessments
        value = p_value_text(_in_best_case(item))
        return prose("If all missing scores favoured {a}, the {p}-value would be {value}.", a=a, value=value)
    return prose(
        "If all missing scores favoured {a}, the uncorrected count of {p} ≤ {level} would {be}.",
        a=a,
        level=level_text(alpha),
        be=f"be {best} instead of {worst}" if best != worst else f"still be {best}",
    )


def _in_best_case(item: Outcome) -> float:
    """p-value for A with all missing scores in its favour; as it is where none are missing."""
    value = item.details.a.p_value_missing_in_favour
    return item.p_value if value is None else value
