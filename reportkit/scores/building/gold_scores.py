"""From the table to blocks of predictions, where a correlation with the column of gold scores is asked for."""

from __future__ import annotations

import numpy as np

from reportkit.errors import ColumnError, InputError, ScoreValueError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.metrics.correlation import is_constant, named_coefficient
from reportkit.scores.building.instance_scores import (
    is_lower,
    of_group,
    one_score_each,
    refuse_aggregates,
    refuse_one_cluster,
)
from reportkit.scores.scores import Scores
from reportkit.scores.table.row_numbers import LISTED, names_text, quoted, share
from reportkit.scores.table.score_table import ScoreTable, numbers_in


def asks_for_correlation(table: ScoreTable) -> bool:
    """Whether the metric that is asked for is a correlation, and not one that the table holds already."""
    held = table.has("metric") and table.asked.metric in table.metric.names
    return named_coefficient(table.asked.metric) is not None and not held


def blocks_of_predictions(table: ScoreTable) -> tuple[list[Scores], list[Finding]]:
    """Lay out the predictions of all systems and the gold scores, one block per dataset.

    Raises
    ------
    ColumnError
        If there is no column of gold scores.
    InputError
        If the table holds several metrics, several seeds, or weights.
    ScoreValueError
        If gold scores are missing, are not finite numbers, differ between the rows of an instance, or are all alike.
    """
    coefficient = named_coefficient(table.asked.metric)
    assert coefficient is not None  # noqa: S101 - asked only where a correlation is meant
    if not table.has("gold"):
        raise ColumnError(
            f"metric={table.asked.metric!r} is the correlation of the scores with gold scores, and there are none",
            where=f"columns {names_text(list(map(str, table.frame.columns)))}",
            remedy='name it: gold="NAME" (--columns gold=NAME)',
        )
    _refuse_what_has_no_place(table)
    table, groups, findings = one_score_each(table)
    refuse_aggregates(groups)
    gold = numbers_in(table, "gold", "gold score") + 0.0
    absent = np.flatnonzero(np.isnan(gold))
    if absent.size:
        raise ScoreValueError(
            share(absent.size, len(table), "rows has no gold score", "rows have no gold score"),
            where=f"{table.columns_text('gold')}: {table.rows_text(absent)}",
            remedy="give the gold score in every row of an instance, or leave the instance out for all systems\n"
            f'(in Python df = df.dropna(subset=["{table.said("gold")}"]))',
        )
    blocks = [
        Scores(
            shape="correlation",
            **(of_group(group, table) | {"metric": coefficient, "kind": "continuous"}),
            scores=group.matrix(table.scores, lower=is_lower(table, group.metric)),
            gold=group.per_instance(gold, table, "gold"),
            coefficient=coefficient,
        )
        for group in groups
    ]
    refuse_one_cluster(blocks, table)
    _refuse_constant_gold(blocks, table)
    found: list[Scores] = [*blocks]
    return found, findings + _constant_predictions(blocks)


def _refuse_what_has_no_place(table: ScoreTable) -> None:
    metric, names = table.asked.metric, table.metric.present()
    if len(names) > 1:
        raise InputError(
            f"the table holds scores of {len(names)} metrics, and metric={metric!r} is the correlation of one score\n"
            "with the gold score",
            where=f"{table.columns_text('metric')}: {names_text(names)}",
            remedy=f"keep the rows of the predictions: df[df[{table.said('metric')!r}] == {names[0]!r}]",
        )
    if table.weights is not None:
        raise InputError(
            f"metric={metric!r} takes no weights",
            where=table.columns_text("weight"),
            remedy="remove or rename the column, and every instance counts the same "
            f'(in Python df.drop(columns="{table.said("weight")}"))',
        )
    if table.seed is None or len(seeds := table.seed.present()) < 2:
        return
    cells = np.column_stack((table.group_codes(), table.system.codes, table.instance.codes))
    if len(np.unique(cells, axis=0)) < len(np.unique(np.column_stack((cells, table.seed.codes)), axis=0)):
        by = [role for role in ("system", "dataset", "instance", "cluster", "gold") if table.has(role)]
        keys = ", ".join(f'"{table.said(role)}"' for role in by)
        raise InputError(
            f"there are predictions of several seeds, and a correlation (metric={metric!r}) is computed from one "
            "prediction per instance",
            where=f"{table.columns_text('seed')}: {names_text(seeds)}",
            remedy="compare the systems run by run, or average the predictions first, which asks about the ensemble of "
            f"these runs:\ndf = df.groupby([{keys}], as_index=False, observed=True)"
            f'["{table.said("score")}"].mean()',
        )


def _refuse_constant_gold(blocks: list[Scores], table: ScoreTable) -> None:
    constant = [block for block in blocks if is_constant(block.gold, block.coefficient)]
    if constant:
        shown = [f"{quoted(block.dataset)} (always {float(block.gold[0]):g})" for block in constant[:LISTED]]
        raise ScoreValueError(
            f"the gold score is the same for all instances of {counted(len(constant), 'dataset')}: no correlation with "
            "it exists",
            where=f"{table.columns_text('gold')}: {listed(shown, total=len(constant))}",
            remedy="check that this is the column of gold scores, or leave out the rows of "
            + ("this dataset" if len(constant) == 1 else "these datasets"),
        )


def _constant_predictions(blocks: list[Scores]) -> list[Finding]:
    shown = [
        f"{quoted(system)} on {quoted(block.dataset)}"
        for block in blocks
        for system, row in zip(block.systems, block.scores, strict=True)
        if is_constant(row[~np.isnan(row)], block.coefficient)
    ]
    if not shown:
        return []
    return [
        Finding(
            "constant-system",
            "warning",
            "A system predicts the same for every instance of a dataset: its correlation does not exist."
            if len(shown) == 1
            else f"{len(shown):,} times a system predicts the same for every instance of a dataset: its correlation "
            "does not exist.",
            where=listed(shown[:LISTED], total=len(shown)),
            remedy="check that its output was scored, and was not empty; a comparison of this system is refused",
        )
    ]
