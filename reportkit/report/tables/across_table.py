"""The scores behind a comparison whose sample are the datasets: one row per dataset."""

from __future__ import annotations

from dataclasses import replace

from reportkit.appearance import Appearance, Bold
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Table
from reportkit.report.prose import prose, sentences, text
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.averages import AVERAGE, Averages, averages
from reportkit.report.tables.bold import bold_in_words, standing
from reportkit.report.tables.captions import direction_in_words
from reportkit.report.tables.groups import grouped, systems_in_order
from reportkit.report.tables.marks import marking
from reportkit.report.tables.scores_table import laid_out, on_its_side

MOST_SYSTEMS = 8
MOST_DATASETS = 60


def scores_by_dataset(
    analysis: ReplicabilityAnalysis, scale: ScoreScale, appearance: Appearance | None = None
) -> Table | None:
    """Score of each system on each dataset, the best in bold; None if that is too much for a page.

    The average over the datasets is what is tested: its signs are those of the table of results.
    """
    scores, look = analysis.system_scores, appearance or Appearance()
    together, order = set(analysis.datasets), systems_in_order(analysis, look)
    known = [
        name
        for name in dict.fromkeys(dataset for _, dataset in scores)
        if name not in together and any((system, name) in scores for system in order)
    ]
    if not known or len(order) > MOST_SYSTEMS or len(known) > MOST_DATASETS:
        return None
    datasets = grouped(known, look.dataset_groups)
    cells = _cells(analysis, known, order, scale, look)
    found = _tested_averages(analysis, known, order, scale, look) if look.average else None
    table = laid_out(
        systems=grouped(order, look.system_groups),
        datasets=datasets,
        cells=cells,
        heads={name: name for name in order},
        behind=None if found is None else {AVERAGE: found.cells},
    )
    return replace(
        on_its_side(table, look, datasets_first=True),
        name="scores",
        caption=prose("Score of each system on each dataset; no dataset is tested alone."),
        legend=sentences(
            bold_in_words(
                analysis,
                "none" if look.bold == "none" else "best",
                second=any(cell.underline for cell in cells.values()),
            ),
            () if found is None else found.words,
            direction_in_words(analysis.comparisons[0], with_difference=False),
        ),
    )


def _cells(
    analysis: ReplicabilityAnalysis,
    datasets: list[str],
    systems: tuple[str, ...],
    scale: ScoreScale,
    look: Appearance,
) -> dict[tuple[str, str], Cell]:
    scores = analysis.system_scores
    bold: Bold = "none" if look.bold == "none" else "best"
    cells: dict[tuple[str, str], Cell] = {}
    for dataset in datasets:
        here = {name: scores[name, dataset] for name in systems if (name, dataset) in scores}
        values = {name: score.mean for name, score in here.items()}
        higher = next(iter(here.values())).higher_is_better
        best = standing(values, dataset, None, higher_is_better=higher, bold=bold, second=look.second)
        for name, score in here.items():
            cells[name, dataset] = Cell(
                text=text(scale.score(score.mean)), bold=name in best.bold, underline=name in best.second
            )
    return cells


def _tested_averages(
    analysis: ReplicabilityAnalysis,
    datasets: list[str],
    systems: tuple[str, ...],
    scale: ScoreScale,
    look: Appearance,
) -> Averages:
    """Averages with the signs of the comparison over the datasets."""
    means = {key: score.mean for key, score in analysis.system_scores.items()}
    signs = marking(analysis, look.marks)
    found = averages(analysis, means, systems, datasets, scale, look, signs)
    together = analysis.datasets[0]
    cells = {
        name: replace(cell, mark=signs.signs.get((name, together), "") if look.pattern.marked else "")
        for name, cell in found.cells.items()
    }
    lacking = prose("A dash in its place: the system lacks a dataset.")
    absent = any(cell.text == text("–") for cell in cells.values())
    words = sentences(
        prose("Avg.: mean over the datasets, with the signs of the table of results."),
        lacking if absent else (),
    )
    return Averages(cells=cells, words=words)
