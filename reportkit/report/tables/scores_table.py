"""The table of scores: of a pair or of many systems, as the appearance wants it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from reportkit.appearance.appearance import Appearance
from reportkit.replicability.family import Family
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.replicability.system_scores import SystemScore
from reportkit.report.model import Cell, Table
from reportkit.report.prose import Inline, Prose, Text, joined, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.averages import Averages, averages
from reportkit.report.tables.bold import Standing, bold_in_words, exploratory, standing, verdicts_of
from reportkit.report.tables.captions import (
    direction_in_words,
    role_of_metric,
    systems_of,
    units_in_words,
    what_is_shown,
)
from reportkit.report.tables.cell_fields import CellWriter, Facts, fields_in_words
from reportkit.report.tables.cells import text
from reportkit.report.tables.groups import grouped, in_order
from reportkit.report.tables.marking import Marking, marking
from reportkit.report.tables.marks import letter
from reportkit.report.tables.names import Labels, name_in_print, typeset_labels
from reportkit.report.tables.score_grid import MOST_CHARACTERS_TURNED, ScoreGrid, datasets_in_rows, systems_in_rows
from reportkit.report.text.across_wording import across_datasets
from reportkit.report.text.unpaired_wording import size_text, sizes_explained

_COMPARED_ON_COMMON = ("paired", "runs", "corpus", "correlation")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScoresTable:
    """A table of scores, and what its legend is made of.

    Parameters
    ----------
    table : Table
        Finished.
    facts : Facts
        What the fields of its cells hold.
    underlined : bool
        Whether something is underlined.
    """

    table: Table
    facts: Facts
    underlined: bool


def scores_table(
    analysis: ReplicabilityAnalysis, scale: ScoreScale, look: Appearance, *, lettered_columns: bool = True
) -> ScoresTable:
    """Lay out the scores of the systems on the datasets, with what sets them off, signs, averages and groups.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Of one metric, or the part of one.
    scale : ScoreScale
        How scores are printed.
    look : Appearance
        Everything that is to be decided.
    lettered_columns : bool
        Whether systems in columns may get letters as headers, where their names are too long.

    Raises
    ------
    SettingsError
        If the appearance asks for something that the comparisons do not have.
    """
    family = analysis.family
    labels = typeset_labels(look.labels.values())
    order = in_order(grouped(systems_in_order(analysis), look.system_groups))
    signs = marking(family, look.marks, labels, order)
    if not look.pattern.marked:
        signs = Marking(style="none")
    writer = CellWriter(pattern=look.pattern, scale=scale, family=family)
    grid = _grid(analysis, scale, look, signs, writer)
    underlined = any(cell.underline for cell in grid.cells.values())
    key: Prose = ()
    in_rows = grid.systems_fit_in_rows and not family.one_claim if look.rows == "auto" else look.rows == "systems"
    if not in_rows and lettered_columns and len(grid.system_names) > 2 and grid.down() > MOST_CHARACTERS_TURNED:
        grid, key = _with_letters(grid, signs, labels)
    arranged = systems_in_rows(grid) if in_rows else datasets_in_rows(grid)
    table = Table(
        name="results",
        caption=sentences(what_is_shown(family, scale), role_of_metric(family)),
        legend=sentences(
            bold_in_words(
                family,
                look.bold,
                second=underlined,
                where="" if family.one_claim or across_datasets(family) else "on each dataset",
                signs=bool(signs.explanation),
            ),
            _own_instances(analysis, grid),
            units_in_words(family),
            signs.explanation,
            fields_in_words(look.pattern, writer.facts, family, scale, labels),
            () if grid.averages is None else grid.averages.words,
            _directions_and_sizes(family, look),
            key,
        ),
        columns=arranged.columns,
        rows=arranged.rows,
        header_rows=arranged.header_rows,
        spanners=arranged.spanners,
    )
    return ScoresTable(table=table, facts=writer.facts, underlined=underlined)


def _directions_and_sizes(family: Family, look: Appearance) -> Prose:
    first = family.comparisons[0]
    return sentences(
        direction_in_words(first, with_difference=family.one_claim or "diff" in look.pattern.fields),
        sizes_explained(first.assessments) if family.one_claim else (),
    )


def _grid(
    analysis: ReplicabilityAnalysis, scale: ScoreScale, look: Appearance, signs: Marking, writer: CellWriter
) -> ScoreGrid:
    family = analysis.family
    systems = grouped(systems_in_order(analysis), look.system_groups)
    datasets = grouped(family.datasets, look.dataset_groups)
    scores = _scores_of_pair(analysis) if family.one_claim else analysis.system_scores
    cells, means = _cells(analysis, scores, look, signs, writer)
    order = in_order(systems)
    found = None  # of all datasets together, the scores are averages already
    if not across_datasets(family):
        found = averages(analysis, means, order, in_order(datasets), scale, look, signs)
    units = [item.unit for comparison in family.comparisons for item in comparison.assessments]
    writer.facts = replace(writer.facts, units=tuple(f"{unit}s" for unit in dict.fromkeys(units)))
    return ScoreGrid(
        systems=systems,
        datasets=datasets,
        cells=cells,
        heads={name: signs.head(name) for name in order},
        sizes=_sizes_of_pair(analysis) if family.one_claim else _sizes(analysis),
        differences=_differences(analysis, scale),
        averages=found,
        average_difference=_average_difference(analysis, scale, found),
    )


def systems_in_order(analysis: ReplicabilityAnalysis) -> tuple[str, ...]:
    """Baselines first; of a pair, the system that is claimed to be better first."""
    first = analysis.family.comparisons[0]
    return (first.system_a, first.system_b) if analysis.family.one_claim else systems_of(analysis.family)


def _cells(
    analysis: ReplicabilityAnalysis,
    scores: Mapping[tuple[str, str], SystemScore],
    look: Appearance,
    signs: Marking,
    writer: CellWriter,
) -> tuple[dict[tuple[str, str], Cell], dict[tuple[str, str], float]]:
    """Finished cells, and unrounded scores, by (system, dataset)."""
    family = analysis.family
    statistical = look.bold == "statistical" and not exploratory(family)
    verdicts = verdicts_of(family) if statistical else None
    systems = systems_of(family)
    cells: dict[tuple[str, str], Cell] = {}
    means: dict[tuple[str, str], float] = {}
    for dataset in family.datasets:
        here = {name: scores[name, dataset] for name in systems if (name, dataset) in scores}
        values = {name: score.mean for name, score in here.items()}
        higher = next(iter(here.values())).higher_is_better
        set_off = (
            standing(values, dataset, verdicts, higher_is_better=higher, bold=look.bold, second=look.second)
            if here
            else Standing()
        )
        common = _common(analysis, dataset)
        for name, score in here.items():
            cell = writer.cell(name, dataset, score, signs.signs.get((name, dataset), ""), common)
            cells[name, dataset] = replace(cell, bold=name in set_off.bold, underline=name in set_off.second)
            means[name, dataset] = score.mean
    return cells, means


def _common(analysis: ReplicabilityAnalysis, dataset: str) -> tuple[str, ...]:
    """Both systems of a pair, as the data call them, where they are compared, and printed, on common instances only."""
    family = analysis.family
    first, scores = family.comparisons[0], analysis.system_scores
    if not family.one_claim or not scores:
        return ()
    item = first.assessments[first.datasets.index(dataset)]
    if item.shape not in _COMPARED_ON_COMMON or not item.n_dropped:
        return ()
    return tuple(scores[name, dataset].name for name in (first.system_a, first.system_b))


def _scores_of_pair(analysis: ReplicabilityAnalysis) -> dict[tuple[str, str], SystemScore]:
    """Scores on the instances that both systems are compared on."""
    first = analysis.family.comparisons[0]
    found: dict[tuple[str, str], SystemScore] = {}
    for item in first.assessments:
        for name, value in ((first.system_a, item.score_a), (first.system_b, item.score_b)):
            known = analysis.system_scores.get((name, item.dataset))
            score = SystemScore(value, item.n, item.higher_is_better)
            found[name, item.dataset] = score if known is None else replace(score, spread=known.spread)
    return found


def _differences(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> dict[str, Cell]:
    """Differences of a pair by dataset."""
    family = analysis.family
    if not family.one_claim:
        return {}
    return {
        item.dataset: Cell(text=text(scale.difference(item.score_difference)))
        for item in family.comparisons[0].assessments
    }


def _average_difference(analysis: ReplicabilityAnalysis, scale: ScoreScale, found: Averages | None) -> Cell:
    if found is None or not analysis.family.one_claim:
        return Cell()
    values = [item.score_difference for item in analysis.family.comparisons[0].assessments]
    return Cell(text=text(scale.difference(sum(values) / len(values))))


def _sizes_of_pair(analysis: ReplicabilityAnalysis) -> dict[str, str]:
    items = analysis.family.comparisons[0].assessments
    known = all(item.n is not None for item in items)
    return {item.dataset: size_text(item) if known else "" for item in items}


def _sizes(analysis: ReplicabilityAnalysis) -> dict[str, str]:
    """Number of instances of each dataset, as a range where systems differ; empty where it is not known."""
    written = {}
    systems = systems_of(analysis.family)
    for dataset in analysis.family.datasets:
        known = [
            analysis.system_scores[name, dataset].n for name in systems if (name, dataset) in analysis.system_scores
        ]
        ns = [n for n in known if n is not None]
        written[dataset] = "" if not ns else f"{min(ns):,}" if min(ns) == max(ns) else f"{min(ns):,}–{max(ns):,}"
    return written


def _own_instances(analysis: ReplicabilityAnalysis, grid: ScoreGrid) -> Prose:
    if analysis.family.one_claim or analysis.settings.missing != "drop":
        return ()
    if not any("–" in size for size in grid.sizes.values()):
        return ()
    return prose(
        "Each score is the mean over all instances that the system was scored on; pairs are compared on those that "
        "both have."
    )


def _with_letters(grid: ScoreGrid, signs: Marking, labels: Labels) -> tuple[ScoreGrid, Prose]:
    """Systems in columns under letters, and the key to them."""
    letters = signs.letters or {name: letter(index) for index, name in enumerate(grid.system_names)}
    parts: list[Inline] = []
    for number, name in enumerate(grid.system_names):
        parts += [Text(f"{'; ' if number else ''}({letters[name]}) "), name_in_print(name, labels)]
    heads = {name: f"({letters[name]})" for name in grid.system_names}
    return replace(grid, heads=heads), prose("{key}.", key=joined(parts))
