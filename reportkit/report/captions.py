"""Sentences of captions: what is shown, versus whom, with which test, correction and level; never typed by hand."""

from __future__ import annotations

from reportkit.numerals import level_text
from reportkit.phrases import counted
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.marks import MOST_LETTERS, correction_words, letter, names_of_tests, signs_and_levels
from reportkit.report.prose import Prose, prose
from reportkit.report.scores import ScoreScale


def systems_of(family: Family) -> tuple[str, ...]:
    """Systems in the order of tables: baselines first."""
    first = dict.fromkeys(item.system_a for item in family.comparisons)
    second = dict.fromkeys(item.system_b for item in family.comparisons)
    if family.design == "all-pairs":
        return tuple(dict.fromkeys((*first, *second)))
    return tuple(dict.fromkeys((*second, *first)))


def what_is_shown(family: Family, scale: ScoreScale) -> Prose:
    """Metric, systems and number of datasets."""
    first = family.comparisons[0]
    who = f"{first.system_a} and {first.system_b}" if family.one_claim else counted(len(systems_of(family)), "system")
    n = len(family.datasets)
    return prose(
        "{metric} of {who} on {datasets}.",
        metric=_metric_in_words(family, scale),
        who=who,
        datasets=f"{n} datasets" if n > 1 else "one dataset",
    )


def _metric_in_words(family: Family, scale: ScoreScale) -> str:
    item = family.comparisons[0].assessments[0]
    name = item.metric if item.metric != "score" else "Accuracy" if item.kind == "binary" else "Score"
    return f"{name} ({scale.unit})" if scale.unit else name


def direction_in_words(comparison: Comparison) -> Prose:
    """Say so if lower is better."""
    if comparison.assessments[0].higher_is_better:
        return ()
    return prose("Lower is better; a positive difference is in favour of {a}.", a=comparison.system_a)


def marks_explained(family: Family) -> Prose:
    """Versus whom, which test, sidedness, correction, levels: everything a mark stands for."""
    first = family.comparisons[0]
    fields = {"test": names_of_tests(family), "how": correction_words(family)}
    if family.one_claim:
        whom = f"better than {first.system_b}" if family.design == "declared" else "better than the other system"
        return prose(
            "{signs}: {whom} ({test}, one-sided, {how}).", signs=signs_and_levels(family.alpha), whom=whom, **fields
        )
    baselines = tuple(dict.fromkeys(item.system_b for item in family.comparisons))
    level = level_text(family.alpha[0])
    if family.design in ("baselines", "separate") and len(baselines) == 1:
        return prose(
            "{signs}: better than {b} ({test}, one-sided, {how}).",
            signs=signs_and_levels(family.alpha),
            b=baselines[0],
            **fields,
        )
    if family.design in ("baselines", "separate"):
        legend = ", ".join(f"{letter(i)}: {name}" for i, name in enumerate(baselines))
        return prose(
            "Letters: better than {legend} ({test}, one-sided, {how}, {p} ≤ {level}).",
            legend=legend,
            level=level,
            **fields,
        )
    if len(systems_of(family)) > MOST_LETTERS:
        return prose(
            "Superscript: number of systems that this one is better than ({test}, one-sided, {how}, {p} ≤ {level}).",
            level=level,
            **fields,
        )
    return prose(
        "Letters: better than the system of that letter ({test}, one-sided, {how}, {p} ≤ {level}).",
        level=level,
        **fields,
    )


def shared_level(family: Family) -> Prose:
    """How the level is shared out in the family."""
    if family.design == "both":
        return prose("Each direction is tested at {alpha}/2.")
    if family.design == "baselines":
        return prose("Corrected for all {n} hypotheses.", n=f"{family.n_hypotheses:,}")
    if family.design == "separate":
        return prose("Each claim is a family of its own.")
    if family.design == "all-pairs":
        return prose("Corrected for all {n} hypotheses (ordered pairs and datasets).", n=f"{family.n_hypotheses:,}")
    return ()
