"""Everything that building the blocks of results needs to know, whatever their shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.scores.building.declared_kinds import DeclaredKind
from reportkit.scores.choices import Missing
from reportkit.scores.shapes.block import Block
from reportkit.scores.table.columns import Columns
from reportkit.scores.table.score_table import ScoreTable


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ingestion:
    """A frame whose columns are recognised, and what the user said about it.

    Parameters
    ----------
    frame : DataFrame
        As given.
    table : ScoreTable
        Its scores as parallel arrays.
    columns : Columns
        Which column plays which role.
    metrics : list of str
        Names of the metrics, by code.
    negated : ndarray of bool of shape (n_metrics,)
        Metrics of which lower is better.
    kind : str, mapping or None
        Declared kinds of scores.
    missing : {"error", "drop", "worst", "bounds"}
        Whether scores may be missing.
    metric : str or None
        The metric that is asked for, where it has to be computed: a corpus metric, or a correlation.
    source : str
        Name of the file, or "DataFrame".
    across_datasets : bool
        Whether the datasets are going to be taken as the sample, so that one score per dataset is enough.
    higher_is_better : bool or mapping of str to bool
        As declared.
    """

    frame: pd.DataFrame
    table: ScoreTable
    columns: Columns
    metrics: list[str]
    negated: NDArray[np.bool_]
    kind: DeclaredKind
    missing: Missing
    metric: str | None
    source: str
    across_datasets: bool = False
    higher_is_better: bool | Mapping[str, bool] = True

    def with_table(self, table: ScoreTable) -> Ingestion:
        """Return the same with other scores."""
        return replace(self, table=table)


BlockBuilder = Callable[[Ingestion], tuple[tuple[Block, ...], list[Finding]]]
"""From a table to blocks of one shape, and what was noticed on the way."""
