"""From the table to blocks of predictions, where a correlation with the column of gold scores is asked for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import ColumnError, InputError, ScoreValueError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.metrics.correlation.coefficients import Coefficient, is_constant, named_coefficient
from reportkit.scores.building.instance_scores import PerInstance, lay_out_instances, per_instance, refuse_aggregates
from reportkit.scores.shapes.predictions import DatasetPredictions
from reportkit.scores.table.cell_index import Group
from reportkit.scores.table.columns import ALIASES, choice_text, columns_text, folded
from reportkit.scores.table.names import IntegerArray
from reportkit.scores.table.row_numbers import LISTED, names_text, quoted, rows_text, share
from reportkit.scores.table.score_table import Ingestion, ScoreTable, column, scores_of


def asks_for_correlation(ingestion: Ingestion) -> bool:
    """Whether the metric that is asked for is a correlation, and not one that the table holds already."""
    return named_coefficient(ingestion.metric) is not None and (
        ingestion.table.metric is None or ingestion.metric not in ingestion.metrics
    )


def blocks_of_predictions(ingestion: Ingestion) -> tuple[tuple[DatasetPredictions, ...], list[Finding]]:
    """Lay out the predictions of all systems and the gold scores, one block per dataset.

    Raises
    ------
    ColumnError
        If there is no column of gold scores, or more than one.
    InputError
        If the table holds several metrics, several seeds, or weights.
    ScoreValueError
        If gold scores are missing, are not finite numbers, differ between the rows of an instance, or are all alike.
    """
    coefficient = named_coefficient(ingestion.metric)
    if coefficient is None:
        raise AssertionError("asked only where a correlation is meant")
    name = _gold_column(ingestion)
    _refuse_what_has_no_place(ingestion)
    table, findings = lay_out_instances(ingestion)
    refuse_aggregates(table)
    beside = per_instance(table, ingestion.columns, ingestion.source)
    gold = _gold_of_instances(table, ingestion, name)
    blocks = tuple(_block(group, table, beside, gold, coefficient, ingestion) for group in table.groups)
    _refuse_constant_gold(blocks, name)
    return blocks, findings + _constant_predictions(blocks)


def _gold_column(ingestion: Ingestion) -> str:
    columns = ingestion.columns
    if "gold" in columns.roles:
        return columns.roles["gold"]
    names = [str(name) for name in ingestion.frame.columns]
    several = [name for name in names if folded(name) in {folded(alias) for alias in ("gold", *ALIASES["gold"])}]
    raise ColumnError(
        f"metric={ingestion.metric!r} is the correlation of the scores with gold scores, and "
        + (f"{len(several)} columns could hold these" if several else "no column holds these"),
        where=columns_text(names),
        remedy=("choose with " if several else "name it: ") + choice_text("gold", several[0] if several else "NAME"),
    )


def _refuse_what_has_no_place(ingestion: Ingestion) -> None:
    table, columns, metric = ingestion.table, ingestion.columns, ingestion.metric
    if len(ingestion.metrics) > 1:
        name = columns.roles["metric"]
        raise InputError(
            f"the table holds scores of {len(ingestion.metrics)} metrics, and metric={metric!r} is the correlation of "
            "one score\nwith the gold score",
            where=f"column {name!r}: {names_text(ingestion.metrics)}",
            remedy=f"keep the rows of the predictions: df[df[{name!r}] == {ingestion.metrics[0]!r}]",
        )
    if table.weights is not None:
        name = columns.roles["weight"]
        raise InputError(
            f"metric={metric!r} takes no weights",
            where=f"column {name!r}",
            remedy="remove or rename the column, and every instance counts the same "
            f'(in Python df.drop(columns="{name}"))',
        )
    if table.seed is None or np.count_nonzero(table.seed.counts()) < 2:
        return
    cells = np.stack((table.system.codes, table.dataset.codes, table.instance.codes))
    if np.unique(cells, axis=1).shape[1] < np.unique(np.vstack((cells, table.seed.codes)), axis=1).shape[1]:
        by = [columns.roles[role] for role in ("system", "dataset", "instance", "cluster") if role in columns.roles]
        by = [*by, columns.roles["gold"]]
        where = ", ".join(f'"{name}"' for name in by)
        raise InputError(
            f"there are predictions of several seeds, and a correlation (metric={metric!r}) is computed from one "
            "prediction per instance",
            where=f"column {columns.roles['seed']!r}: "
            + names_text([str(table.seed.names[code]) for code in np.flatnonzero(table.seed.counts())]),
            remedy="compare the systems run by run, or average the predictions first, which asks about the ensemble of "
            f"these runs:\ndf = df.groupby([{where}], as_index=False, observed=True)"
            f'["{columns.roles.get("score", "score")}"].mean()',
        )


def _gold_of_instances(table: ScoreTable, ingestion: Ingestion, name: str) -> NDArray[np.float64]:
    """One gold score per instance of each dataset, by position among the instances of all groups."""
    source = ingestion.source
    by_row = scores_of(column(ingestion.frame, name), source=source, what="gold score")
    given = by_row[table.rows_of(np.arange(len(table)))] + 0.0
    absent = np.flatnonzero(np.isnan(given))
    if absent.size:
        rows = np.unique(table.rows_of(absent))
        raise ScoreValueError(
            share(rows.size, len(ingestion.frame), "rows has no gold score", "rows have no gold score"),
            where=f"column {name!r}: {rows_text(rows, source)}",
            remedy="give the gold score in every row of an instance, or leave the instance out for all systems\n"
            f'(in Python df = df.dropna(subset=["{name}"]))',
        )
    places = table.index.columns()
    gold = np.empty(table.index.n_columns)
    gold[places] = given
    differs = gold[places] != given
    if differs.any():
        raise _several_golds(table, places, given, np.unique(places[differs]), name, source)
    return gold


def _several_golds(
    table: ScoreTable,
    places: IntegerArray,
    given: NDArray[np.float64],
    wrong: NDArray[np.int64],
    name: str,
    source: str,
) -> ScoreValueError:
    entries = np.flatnonzero(places == wrong[0])
    first = int(entries[0])
    values = list(dict.fromkeys(f"{value:.12g}" for value in given[entries]))
    instance = quoted(table.instance.names[table.instance.codes[first]])
    dataset = quoted(table.dataset.names[table.dataset.codes[first]])
    systems = dict.fromkeys(str(table.system.names[code]) for code in table.system.codes[entries])
    return ScoreValueError(
        counted(wrong.size, "instance has", "instances have") + " several gold scores",
        where=f"column {name!r}: instance {instance} of {dataset} has {listed(values, LISTED)} in the "
        f"rows of {names_text(list(systems))} ({rows_text(table.rows_of(entries), source)})",
        remedy="give each instance one gold score, the same in the rows of all systems; of several raters, their mean",
    )


def _block(
    group: Group,
    table: ScoreTable,
    beside: PerInstance,
    gold: NDArray[np.float64],
    coefficient: Coefficient,
    ingestion: Ingestion,
) -> DatasetPredictions:
    predictions = table.matrix(group)
    predictions.flags.writeable = False
    clusters, cluster_names = beside.clusters_of(group)
    return DatasetPredictions(
        dataset=table.dataset.names[group.dataset],
        metric=coefficient,
        systems=tuple(table.system.names[group.systems]),
        instances=table.instance.names[group.instances],
        kind="continuous",
        higher_is_better=not ingestion.negated[group.metric],
        clusters=clusters,
        cluster_names=cluster_names,
        predictions=predictions,
        gold=gold[group.columns],
        coefficient=coefficient,
    )


def _refuse_constant_gold(blocks: tuple[DatasetPredictions, ...], name: str) -> None:
    constant = [block for block in blocks if is_constant(block.gold, block.coefficient)]
    if constant:
        shown = [f"{quoted(block.dataset)} (always {float(block.gold[0]):g})" for block in constant[:LISTED]]
        raise ScoreValueError(
            "the gold score is the same for all instances of "
            + counted(len(constant), "dataset", "datasets")
            + ": no correlation with it exists",
            where=f"column {name!r}: {listed(shown, total=len(constant))}",
            remedy="check that this is the column of gold scores, or leave out the rows of "
            + ("this dataset" if len(constant) == 1 else "these datasets"),
        )


def _constant_predictions(blocks: tuple[DatasetPredictions, ...]) -> list[Finding]:
    constant = [
        (block, system)
        for block in blocks
        for system, row in zip(block.systems, block.predictions, strict=True)
        if is_constant(row[~np.isnan(row)], block.coefficient)
    ]
    if not constant:
        return []
    shown = [f"{quoted(system)} on {quoted(block.dataset)}" for block, system in constant[:LISTED]]
    return [
        Finding(
            "constant-system",
            "warning",
            "A system predicts the same for every instance of a dataset: its correlation does not exist."
            if len(constant) == 1
            else f"{len(constant):,} times a system predicts the same for every instance of a dataset: its correlation "
            "does not exist.",
            where=listed(shown, total=len(constant)),
            remedy="check that its output was scored, and was not empty; a comparison of this system is refused",
        )
    ]
