"""From the long form to validated results; what depends on which systems are compared is left to the pairing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd

from reportkit.errors import UnknownNameError
from reportkit.finding import Finding
from reportkit.scores.building import build
from reportkit.scores.choices import ROLES, Missing
from reportkit.scores.detect_design import design_of
from reportkit.scores.results import Results
from reportkit.scores.scales import (
    GOLD_REMEDY,
    DeclaredKind,
    refuse_mixed_scales,
    refuse_wrong_kinds,
    with_right_as_one,
)
from reportkit.scores.screening import constant_findings, name_findings, nesting_findings, size_findings
from reportkit.scores.table import Asked, table_of


def results_from_frame(
    frame: pd.DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    higher_is_better: bool | Mapping[str, bool] = True,
    kind: DeclaredKind = None,
    missing: Missing = "error",
    mixed_scales: Literal["error", "accept"] = "error",
    metric: str | None = None,
    across_datasets: bool = False,
    source: str = "DataFrame",
    datasets: Sequence[str] | None = None,
) -> Results:
    """Validate scores, orient them so that higher is better, and lay them out as one matrix per (metric, dataset).

    Whether two systems were scored on the same instances is asked when they are paired, not here: systems that nobody
    compares may be incomplete.

    Parameters
    ----------
    frame : DataFrame
        One row per score: `system, dataset, instance, score` and what else `reportkit.scores.reading.Reading` names.
    columns : mapping of str to str, optional
        Role to the name of the column in the input, for messages.
    higher_is_better, kind, missing, metric, across_datasets, source
        See `Asked`. With another `missing` than "error", a row without a score is left out here, and `pair` then
        leaves out the instance, or counts the worst score.
    mixed_scales : {"error", "accept"}
        Whether proportions and percentages may stand side by side.
    datasets : sequence of str, optional
        Those that are looked at; of the others only the names are.

    Returns
    -------
    Results
        In an order that no order of rows changes: metrics, datasets and systems in natural order ("bleu2" before
        "bleu10") or that of an ordered categorical, instances sorted. Names and ids are texts.

    Raises
    ------
    InputError
        If a name is missing, a system or dataset occurs once, an instance belongs to two clusters, or runs or folds are
        incomplete or were chosen by their scores.
    ScoreValueError
        If scores are not finite numbers, percentages and proportions are mixed, weights are not positive or differ
        between systems, or scores do not fit the declared kind.
    DuplicateScoresError
        If a (system, dataset, instance) has several scores, unless the rows are identical.
    MissingScoresError
        If scores are missing and `missing="error"`.
    UnknownNameError
        If `kind` names a metric or dataset that does not occur.

    Examples
    --------
    >>> rows = {"system": ["b", "a", "b", "a"], "dataset": "cb", "instance": [2, 1, 1, 2], "score": [0, 1, 1, 0]}
    >>> results = results_from_frame(pd.DataFrame(rows))
    >>> results.systems, results.datasets[0].scores
    (('a', 'b'), array([[1., 0.],
           [1., 0.]]))
    """
    asked = Asked(
        higher_is_better=higher_is_better,
        kind=kind,
        missing=missing,
        metric=metric,
        across_datasets=across_datasets,
        source=source,
        columns=columns or {},
    )
    return judged(laid_out(frame, asked, datasets=datasets), asked, mixed_scales=mixed_scales)


def laid_out(frame: pd.DataFrame, asked: Asked, *, datasets: Sequence[str] | None = None) -> Results:
    """Lay out the datasets of a frame, without a look at what only all datasets together can show.

    Parameters
    ----------
    frame : DataFrame
        All rows of some datasets, in the long form.
    asked : Asked
        What the user says.
    datasets : sequence of str, optional
        Those that are looked at.
    """
    table = table_of(frame, asked)
    named = table.present("dataset")
    if datasets is not None:
        if unknown := [name for name in datasets if name not in named]:
            raise UnknownNameError("dataset", unknown[0], named)
        coded = table.names["dataset"]
        table = table.where(np.isin(coded.names.astype(str), [*datasets])[coded.codes])
    shape = design_of(table)
    blocks, findings = build(table, shape)
    if "fold" in frame and shape != "folds":
        message = "There are several scores per fold, one of each instance: instances are compared, and the folds are "
        message += "ignored. The result speaks of the models that were trained, not of the learning method."
        findings.append(Finding("folds-unused", "info", message, where=table.columns_text("fold")))
    return Results(
        datasets=tuple(blocks),
        columns={role: role for role in ROLES if role in frame},
        n_rows=len(frame),
        findings=tuple(findings),
        source=asked.source,
        named_datasets=tuple(named),
    )


def judged(results: Results, asked: Asked, *, mixed_scales: Literal["error", "accept"] = "error") -> Results:
    """Judge what only all datasets can show: scales, names, sizes.

    Raises
    ------
    ScoreValueError
        If percentages and proportions are mixed, or scores do not fit the declared kind.
    """
    shapes = {block.shape for block in results}
    gold = asked.columns.get("gold", "gold") if "gold" in results.columns else None
    decided: list[Finding] = []
    blocks = results.datasets
    if not asked.across_datasets:
        blocks, decided = with_right_as_one(blocks, asked.kind)
    matrices = [matrix for block in blocks if (matrix := block.matrix()) is not None]
    if mixed_scales == "error":
        kept = [block.matrix() for block, old in zip(blocks, results, strict=True) if block is old]
        refuse_mixed_scales([one for one in kept if one is not None], gold)
    refuse_wrong_kinds(asked.kind, matrices, results.named_datasets)
    unused = ("rater",) if "rater" in results.columns and not any(block.unit == "rating" for block in blocks) else ()
    sized = [] if asked.across_datasets else [block for block in blocks if block.n_instances]
    return replace(
        results,
        datasets=blocks,
        columns={role: role for role in results.columns if role not in unused},
        unused_columns=unused,
        findings=(
            *(_unused_gold(gold) if gold and "correlation" not in shapes else ()),
            *decided,
            *results.findings,
            *name_findings(list(dict.fromkeys(system for block in blocks for system in block.systems)), "system"),
            *name_findings(list(dict.fromkeys(block.dataset for block in blocks)), "dataset"),
            *(nesting_findings(sized) if "cluster" not in results.columns else ()),
            *(size_findings(sized) if sized else ()),
            *(constant_findings(matrices) if not shapes & {"run-scores", "folds"} else ()),
        ),
    )


def _unused_gold(gold: str) -> list[Finding]:
    message = "Scores are compared by their means; the gold values play no part."
    remedy = GOLD_REMEDY.format("the gold values").replace("\n", " ")
    return [Finding("gold-unused", "warning", message, where=f"column {gold!r}", remedy=remedy)]
