"""From a column of runs to one score per run of a system."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from reportkit.errors import InputError
from reportkit.finding import Finding
from reportkit.scores.building.instance_runs import refuse_ordinal
from reportkit.scores.building.instance_scores import lay_out_instances
from reportkit.scores.building.seeds import number_findings
from reportkit.scores.scales import declared_kind
from reportkit.scores.shapes.run_scores import DatasetRunScores
from reportkit.scores.table.names import Coded
from reportkit.scores.table.row_numbers import quoted
from reportkit.scores.table.score_table import Ingestion, ScoreTable


def blocks_of_run_scores(ingestion: Ingestion) -> tuple[tuple[DatasetRunScores, ...], list[Finding]]:
    """Lay out one matrix of systems by runs per (metric, dataset).

    Raises
    ------
    InputError
        If runs have weights, scores are declared ordinal, or missing runs are to be counted as the worst.
    MissingScoresError
        If scores are missing and `missing="error"`.
    DuplicateScoresError
        If a run has several scores.
    """
    table = ingestion.table
    if table.seed is None:
        raise AssertionError("runs have a column that tells them apart")
    refuse_ordinal(ingestion)
    refuse_weights(table, ingestion, "runs")
    if ingestion.missing in ("worst", "bounds") and np.isnan(table.scores).any():
        raise InputError(
            f"{int(np.isnan(table.scores).sum()):,} runs have no score, and nothing can replace it",
            where=f"column {ingestion.columns.roles['score']!r}" if "score" in ingestion.columns.roles else None,
            remedy="write the score that a failed run deserves into the results, or leave these runs out: "
            "missing='drop'\n(--missing drop)",
        )
    by_run = replace(table, instance=table.seed, seed=None, cluster=None)
    by_run, findings = lay_out_instances(ingestion.with_table(by_run), single=True)
    blocks = tuple(
        DatasetRunScores(
            dataset=(dataset := table.dataset.names[group.dataset]),
            metric=(metric := ingestion.metrics[group.metric]),
            systems=tuple(table.system.names[group.systems]),
            instances=np.array([], dtype=object),
            kind=declared_kind(ingestion.kind, metric, dataset) or "continuous",
            higher_is_better=not ingestion.negated[group.metric],
            scores=by_run.matrix(group),
            runs=tuple(table.seed.names[group.instances]),
        )
        for group in by_run.groups
    )
    numbers = {(block.dataset, system): block.row(system).size for block in blocks for system in block.systems}
    return blocks, [*findings, *_unused_clusters(table.cluster, ingestion), *number_findings(numbers)]


def refuse_weights(table: ScoreTable, ingestion: Ingestion, units: str) -> None:
    """Refuse weights of runs or folds, which nothing is done with.

    Raises
    ------
    InputError
        If there is a column of weights.
    """
    if table.weights is not None:
        name = ingestion.columns.roles["weight"]
        raise InputError(
            f"there is one score per run or fold, and {units} have no weights",
            where=f"column {name!r}",
            remedy=f"give the scores of the instances, which may have weights, or leave out {quoted(name)}",
        )


def _unused_clusters(cluster: Coded | None, ingestion: Ingestion) -> Iterator[Finding]:
    if cluster is not None:
        yield Finding(
            "clusters-unused",
            "info",
            "There is one score per run, so clusters of instances are ignored.",
            where=f"column {ingestion.columns.roles['cluster']!r}",
        )
