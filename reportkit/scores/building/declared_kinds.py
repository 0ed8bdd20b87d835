"""The kind of scores that the user declared: ordinal and count scores cannot be told from others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import ScoreValueError, UnknownNameError
from reportkit.scores.choices import KINDS, Kind
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.scores.table.row_numbers import LISTED, counted, quoted

DeclaredKind = Kind | Mapping[str, Kind] | None


def declared_kind(kind: DeclaredKind, metric: str, dataset: str) -> Kind | None:
    """Kind that was declared for a dataset: by its name, by that of the metric, or for all."""
    if isinstance(kind, Mapping):
        return kind.get(dataset, kind.get(metric))
    return kind


def refuse_wrong_kinds(kind: DeclaredKind, blocks: Sequence[DatasetScores]) -> None:
    """Hold scores against the kind that was declared for them.

    Raises
    ------
    ScoreValueError
        If scores declared as binary are not 0 or 1, or counts are not whole numbers from 0.
    UnknownNameError
        If there is no such kind, metric or dataset.
    """
    if kind is None:
        return
    for value in kind.values() if isinstance(kind, Mapping) else [kind]:
        if value not in KINDS:
            raise UnknownNameError("kind of scores", value, KINDS)
    if isinstance(kind, Mapping):
        known = list(dict.fromkeys([*(block.metric for block in blocks), *(block.dataset for block in blocks)]))
        for name in kind:
            if name not in known:
                raise UnknownNameError("metric or dataset", name, known, where="kind")
    for block in blocks:
        declared = declared_kind(kind, block.metric, block.dataset)
        scores = block.scores[~np.isnan(block.scores)]
        as_given = scores if block.higher_is_better else 0.0 - scores
        if declared == "binary":
            _refuse_kind(
                block, as_given[(as_given != 0) & (as_given != 1)], "binary", "0 or 1 (or all of them 0 or 100)"
            )
        if declared == "count":
            _refuse_kind(block, as_given[(as_given < 0) | (as_given % 1 != 0)], "counts", "0, 1, 2, ...")


def _refuse_kind(block: DatasetScores, wrong: NDArray[np.float64], kind: str, allowed: str) -> None:
    if wrong.size == 0:
        return
    examples = [f"{score:g}" for score in np.unique(wrong)[:LISTED]]
    raise ScoreValueError(
        f"scores were declared as {kind}, but {counted(wrong.size, 'score is', 'scores are')} not {allowed}",
        where=f"dataset {quoted(block.dataset)}, metric {quoted(block.metric)}: {', '.join(examples)}",
        remedy="declare what they are (kind='continuous', --kind continuous), or correct them",
    )
