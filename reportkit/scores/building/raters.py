"""From a column of raters to ratings, if outputs have several; else a covariate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.scores.shapes.raters import DatasetRatings
from reportkit.scores.table.cell_index import Group
from reportkit.scores.table.columns import Columns
from reportkit.scores.table.names import Coded, code_column
from reportkit.scores.table.score_table import Ingestion, column


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ratings:
    """What the instances of a table of ratings stand for.

    Parameters
    ----------
    instance_of, rater_of : ndarray of int of shape (n_ratings,)
        By code of a rating (an instance and a rater): codes of the two.
    instance_names : ndarray of str
        Names of the instances.
    """

    instance_of: NDArray[np.int64]
    rater_of: NDArray[np.int64]
    instance_names: NDArray[np.object_]

    def block(self, block: DatasetScores, group: Group) -> DatasetRatings:
        """Say of a block whose instances are ratings what was rated, and by whom."""
        codes, rated = np.unique(self.instance_of[group.instances], return_inverse=True)
        given = {item.name: getattr(block, item.name) for item in fields(block)}
        return DatasetRatings(
            **given, rated=rated, rated_names=self.instance_names[codes], raters=self.rater_of[group.instances]
        )


def with_ratings(ingestion: Ingestion) -> tuple[Ingestion, Ratings | None, list[Finding]]:
    """Take each pair of an instance and a rater as one rating, if outputs have ratings of several raters.

    If every output has one rater, the rater is a covariate: a column that plays no role, and a finding where systems
    were rated by different ones.

    Raises
    ------
    InputError
        If outputs have several raters, and a row names none.
    """
    name = ingestion.columns.roles["rater"]
    table = ingestion.table
    metric = np.zeros(len(table), dtype=np.int64) if table.metric is None else table.metric.codes
    outputs = np.column_stack((metric, table.dataset.codes, table.instance.codes, table.system.codes))
    if np.unique(outputs, axis=0).shape[0] == len(table):
        return ingestion, None, list(_covariate(ingestion, name))
    rater = code_column(column(ingestion.frame, name), "rater", source=ingestion.source)
    rater = rater[table.rows_of(np.arange(len(table)))]
    keys = table.instance.codes.astype(np.int64) * len(rater.names) + rater.codes
    present, codes = np.unique(keys, return_inverse=True)
    instance_of, rater_of = np.divmod(present, len(rater.names))
    names = table.instance.names[instance_of] + " (rater " + rater.names[rater_of] + ")"
    if np.unique(rater.codes).size < 2:  # one rater several times: repeated rows, or an error that says so
        return ingestion, None, []
    ratings = Ratings(instance_of=instance_of, rater_of=rater_of, instance_names=table.instance.names)
    return ingestion.with_table(replace(table, instance=Coded(codes, names))), ratings, []


def without_rater(columns: Columns) -> Columns:
    """Put the column of raters back among those that play no role: every output has one."""
    unused = {*columns.unused, columns.roles["rater"]}
    return replace(
        columns,
        roles={role: name for role, name in columns.roles.items() if role != "rater"},
        unused=tuple(name for name in columns.names if name in unused),
    )


def _covariate(ingestion: Ingestion, name: str) -> Iterator[Finding]:
    """Say so where the systems of an instance were rated by different raters."""
    table = ingestion.table
    rater = column(ingestion.frame, name).astype(str).to_numpy()[table.rows_of(np.arange(len(table)))]
    codes = np.unique(rater, return_inverse=True)[1]
    metric = np.zeros(len(table), dtype=np.int64) if table.metric is None else table.metric.codes
    items, of_item = np.unique(
        np.column_stack((metric, table.dataset.codes, table.instance.codes)), axis=0, return_inverse=True
    )
    low, high = np.full(len(items), codes.size), np.full(len(items), -1)
    np.minimum.at(low, of_item.ravel(), codes)
    np.maximum.at(high, of_item.ravel(), codes)
    several = int(np.count_nonzero(low != high))
    if several:
        yield Finding(
            "different-raters",
            "info",
            f"Every output has one rater; on {several:,} of {len(items):,} instances the systems have different ones, "
            "so differences between raters are part of the differences between systems.",
            where=f"column {name!r}",
            remedy="let the same raters rate all systems on an instance",
        )
