"""The mean over the datasets, behind or below the scores: descriptive, unless a test over the datasets was run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reportkit.appearance import Appearance, Bold
from reportkit.errors import SettingsError
from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import level_text
from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell
from reportkit.report.prose import Prose, prose, sentences, text
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.bold import standing
from reportkit.report.tables.marks import Marking, beaten_on_average

AVERAGE = "Avg."


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Averages:
    """Means over the datasets.

    Parameters
    ----------
    cells : mapping of str to Cell
        By system; a dash where it lacks a dataset.
    words : Prose
        What they are, and what they are not.
    """

    cells: Mapping[str, Cell]
    words: Prose


def averages(
    analysis: ReplicabilityAnalysis,
    scores: Mapping[tuple[str, str], float],
    systems: Sequence[str],
    datasets: Sequence[str],
    scale: ScoreScale,
    look: Appearance,
    signs: Marking,
) -> Averages:
    """Average the scores of each system over the datasets.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of one metric.
    scores : mapping of (str, str) to float
        By (system, dataset), unrounded.
    systems, datasets : sequence of str
        Of the table, in its order.
    scale : ScoreScale
        How scores are printed.
    look : Appearance
        What is bold.
    signs : Marking
        Signs of the table.

    Raises
    ------
    SettingsError
        If there is one dataset only.
    """
    if len(datasets) < 2:
        raise SettingsError(
            "average=True averages over the datasets, and the table has one",
            where=", ".join(map(repr, datasets)),
            remedy="leave it away (no --average); scores by different metrics have no mean",
        )
    complete = [name for name in systems if all((name, dataset) in scores for dataset in datasets)]
    means = {name: sum(scores[name, dataset] for dataset in datasets) / len(datasets) for name in complete}
    first = analysis.comparisons[0].assessments[0]
    bold: Bold = "none" if look.bold == "none" else "best"
    set_off = standing(means, "", None, higher_is_better=first.higher_is_better, bold=bold, second=look.second)
    friedman = analysis.friedman_outcome if look.pattern.marked and signs.style != "none" else None
    behind = _signs(analysis, friedman, signs)
    cells = {
        name: Cell(
            text=text(scale.score(means[name])),
            mark=behind.get(name, ""),
            bold=name in set_off.bold,
            underline=name in set_off.second,
        )
        if name in means
        else Cell.of("–")
        for name in systems
    }
    lacking = len(systems) - len(complete)
    return Averages(
        cells=cells,
        words=sentences(
            prose(
                "{avg}: mean over the {n}, {what}{bold}.",
                avg=AVERAGE,
                n=counted(len(datasets), "dataset"),
                what=_what(friedman),
                bold="; the best one in bold" if look.bold == "statistical" else "",
            ),
            prose("A dash in its place: the system lacks a dataset.") if lacking else (),
        ),
    )


def _signs(analysis: ReplicabilityAnalysis, friedman: FriedmanOutcome | None, signs: Marking) -> dict[str, str]:
    """Signs from the pairs of Friedman's test, if it was run; else none, as nothing was tested."""
    if friedman is None:
        return {}
    better: dict[str, list[str]] = {}
    for pair in friedman.differing:
        first, second = pair.system_a, pair.system_b
        if pair.mean_difference < 0:
            first, second = second, first
        if pair.mean_difference != 0:
            better.setdefault(first, []).append(second)
    return beaten_on_average(analysis, better, signs)


def _what(friedman: FriedmanOutcome | None) -> Prose:
    if friedman is None:
        return prose("descriptive and not tested")
    return prose(
        "with the signs of the tests over the datasets (two-sided, Holm-adjusted over {pairs}, {p} ≤ {level})",
        pairs=counted(len(friedman.pairs), "pair"),
        level=level_text(friedman.alpha),
    )
