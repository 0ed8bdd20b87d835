"""The scores behind a comparison whose sample are the datasets: one row per dataset."""

from __future__ import annotations

from reportkit.replicability.analysis import ReplicabilityAnalysis
from reportkit.report.captions import direction_in_words, systems_of
from reportkit.report.cells import best_of, text
from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.prose import prose, sentences
from reportkit.report.scores import ScoreScale

MOST_SYSTEMS = 8
MOST_DATASETS = 60


def scores_by_dataset(analysis: ReplicabilityAnalysis, scale: ScoreScale) -> Table | None:
    """Score of each system on each dataset, the best in bold; None if that is too much for a page."""
    family, scores = analysis.family, analysis.system_scores
    systems = systems_of(family)
    together = set(family.datasets)
    datasets = [
        name
        for name in dict.fromkeys(dataset for _, dataset in scores)
        if name not in together and any((system, name) in scores for system in systems)
    ]
    if not datasets or len(systems) > MOST_SYSTEMS or len(datasets) > MOST_DATASETS:
        return None
    rows = []
    for dataset in datasets:
        here = [name for name in systems if (name, dataset) in scores]
        higher = scores[here[0], dataset].higher_is_better
        best = dict(zip(here, best_of([scores[name, dataset].mean for name in here], higher), strict=True))
        cells = [
            Cell(text=text(scale.score(scores[name, dataset].mean)), bold=best[name])
            if name in best
            else Cell(text=text("–"))
            for name in systems
        ]
        rows.append(Row(cells=(Cell(text=text(dataset)), *cells)))
    return Table(
        name="scores",
        caption=sentences(
            prose("Score of each system on each dataset, the best in bold; no dataset is tested by itself."),
            direction_in_words(family.comparisons[0]),
        ),
        columns=(Column(header=text("Dataset"), align="left"), *(Column(header=text(name)) for name in systems)),
        rows=tuple(rows),
    )
