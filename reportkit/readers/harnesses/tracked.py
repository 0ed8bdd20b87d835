"""What experiment trackers keep: tables of one run each, and tables with one row per run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from reportkit.errors import ReadingError, SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.readers.choosing import one_metric
from reportkit.readers.frame_builder import long_frame, unscored, without_rows
from reportkit.readers.harnesses.tabular import cells
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request, shell
from reportkit.scores.table.columns import ALIASES, folded

_INPUTS = ("inputs", "input", "question", "prompt", "source", "text", "query")
_NO_METRICS = frozenset({"step", "epoch", "epochs", "runtime", "timestamp", "tokencount", "latency"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A table that a run logged.

    Parameters
    ----------
    source : Source
    frame : DataFrame
    system, dataset : str
        What it is called if no column says so.
    """

    source: Source
    frame: pd.DataFrame
    system: str
    dataset: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """A table of runs.

    Parameters
    ----------
    source : Source
    frame : DataFrame
    name : str
        Column of the names of the runs.
    unfinished : Series of bool
        Runs that crashed, or that are still going on.
    own : frozenset of str
        Columns that the tracker adds, folded; they hold no scores.
    metrics : frozenset of str
        Columns of scores, if the tracker says which they are.
    """

    source: Source
    frame: pd.DataFrame
    name: str
    unfinished: pd.Series
    own: frozenset[str]
    metrics: frozenset[str] = frozenset()


def read_parts(name: str, parts: Sequence[Part], request: Request, notes: Sequence[Finding]) -> Reading:
    """Tables of runs as scores by row; rows pair by an id, or by their place where all have the same inputs."""
    found = [_columns(part.frame, request) for part in parts]
    available = [
        metric for metric in _numbers(parts[0].frame, found[0]) if all(metric in part.frame.columns for part in parts)
    ]
    metric, others, chosen = _metric(request, available, [part.frame for part in parts], parts[0].source)
    rows: dict[str, list[object]] = {role: [] for role in ("system", "dataset", "instance", "seed", "metric", "score")}
    n_unscored = 0
    notes = [*notes, *chosen, *_unequal_inputs(parts, found)]
    for part, roles in zip(parts, found, strict=True):
        scores = cells(part.source, part.frame, metric)
        n_unscored += int(np.isnan(scores).sum())
        texts = {role: _texts(part, column) for role, column in roles.items()}
        for place in np.flatnonzero(~np.isnan(scores)):
            instance = texts["instance"][place] if "instance" in texts else str(place + 1)
            values = (
                texts["system"][place] if "system" in texts else part.system,
                texts["dataset"][place] if "dataset" in texts else part.dataset,
                instance,
                texts["seed"][place] if "seed" in texts else None,
                metric,
                float(scores[place]),
            )
            for column, value in zip(rows.values(), values, strict=True):
                column.append(value)
    if not rows["score"]:
        raise without_rows("row with a score", f"column {metric!r}")
    by_id = all("instance" in roles for roles in found)
    return Reading(
        frame=long_frame(rows),
        format=name,
        metrics=dict.fromkeys(map(str, rows["dataset"]), (metric,)),
        other_metrics=others,
        paired_on=f"column {found[0]['instance']!r}" if by_id else "row",
        notes=(*notes, *unscored(n_unscored, f"{metric} is empty")),
        n_files=len(parts),
    )


def read_runs(name: str, files: Sequence[Source], exports: Sequence[Runs], request: Request) -> Reading:
    """Runs as scores by seed; runs that are not finished are left out."""
    found = [_columns(export.frame, request, own=export.own) for export in exports]
    numbers = exports[0].metrics or _numbers(exports[0].frame, found[0])
    available = [
        str(column)
        for column in exports[0].frame.columns
        if column in numbers
        and folded(str(column)) not in exports[0].own
        and all(column in export.frame.columns for export in exports)
    ]
    metric, others, chosen = _metric(request, available, [export.frame for export in exports], exports[0].source)
    rows: dict[str, list[object]] = {role: [] for role in ("system", "dataset", "seed", "metric", "score")}
    n_unscored = n_unfinished = 0
    for export, roles in zip(exports, found, strict=True):
        kept = export.frame[~export.unfinished].reset_index(drop=True)
        n_unfinished += int(export.unfinished.sum())
        scores = cells(export.source, kept, metric) if len(kept) else np.empty(0)
        n_unscored += int(np.isnan(scores).sum())
        stem = export.source.plain_path.stem
        for place in np.flatnonzero(~np.isnan(scores)):
            row = kept.iloc[int(place)]
            run = str(row[export.name])
            values = (
                str(row[roles["system"]]) if "system" in roles else run,
                str(row[roles["dataset"]]) if "dataset" in roles else stem,
                str(row[roles["seed"]]) if "seed" in roles else run,
                metric,
                float(scores[place]),
            )
            for column, value in zip(rows.values(), values, strict=True):
                column.append(value)
    if not rows["score"]:
        raise without_rows("finished run with a score", f"column {metric!r}")
    notes = [*chosen, *unscored(n_unscored, f"{metric} of the run is empty")]
    if n_unfinished:
        notes.append(
            Finding(
                "runs-unfinished",
                "warning",
                f"{counted(n_unfinished, 'run')} left out: crashed, failed, killed, or not finished.",
                remedy="finish the runs; leaving out those that crashed may favour a system",
            )
        )
    return Reading(
        frame=long_frame(rows),
        format=name,
        metrics=dict.fromkeys(map(str, rows["dataset"]), (metric,)),
        other_metrics=others,
        notes=tuple(notes),
        n_files=len(files),
    )


def _columns(frame: pd.DataFrame, request: Request, own: frozenset[str] = frozenset()) -> dict[str, str]:
    """Role to column, as the user says or as the column is called."""
    roles = {}
    names = {str(name): folded(str(name)) for name in frame.columns}
    for role in ("system", "dataset", "instance", "seed"):
        if role in request.columns:
            if request.columns[role] not in names:
                raise SettingsError(
                    f"there is no column {request.columns[role]!r} for {role}",
                    where=f"columns {listed(list(names), 20)}",
                    remedy="give one of these names",
                )
            roles[role] = request.columns[role]
            continue
        for known in (role, *ALIASES[role]):
            fits = [name for name, short in names.items() if short == folded(known) and short not in own]
            if fits:
                roles[role] = fits[0]
                break
    return roles


def _numbers(frame: pd.DataFrame, roles: dict[str, str]) -> list[str]:
    """Columns of numbers that play no other role."""
    taken = {*roles.values()}
    return [
        str(name)
        for name in frame.columns
        if name not in taken and folded(str(name).lstrip("_")) not in _NO_METRICS and _is_number(frame[name])
    ]


def _is_number(column: pd.Series) -> bool:
    values = [cell for cell in column if cell is not None and str(cell).strip().casefold() not in ("", "nan", "none")]
    try:
        return bool(values) and all(np.isfinite(float(cell)) for cell in values if not isinstance(cell, (list, dict)))
    except (TypeError, ValueError, OverflowError):
        return False


def _metric(
    request: Request, available: Sequence[str], frames: Sequence[pd.DataFrame], source: Source
) -> tuple[str, tuple[str, ...], list[Finding]]:
    asked = request.metrics or tuple(name for name in (request.columns.get("score"),) if name)
    if not available:
        raise ReadingError(
            f"no column of {source.name!r} holds scores",
            where=f"columns {listed([str(name) for name in frames[0].columns], 20)}",
            remedy="log the score of each row, or run, as a column of numbers",
        )
    if asked:
        return one_metric(dataclasses.replace(request, metrics=asked), available, [])
    known = {folded(alias) for alias in ("score", *ALIASES["score"])}
    named = [name for name in available if folded(name) in known]
    if len(named) == 1 or len(available) == 1:
        return one_metric(request, available, named)
    raise SettingsError(
        f"which column of {source.name!r} holds the scores cannot be told",
        where=f"columns of numbers: {listed(available, 20)}",
        remedy="name it: "
        + " or ".join(f"--metric {shell(name)}" for name in available[:2])
        + f" (in Python metric={available[0]!r})",
    )


def _texts(part: Part, column: str) -> list[str]:
    values: list[Any] = list(part.frame[column])
    for number, value in enumerate(values, start=1):
        if value is None or isinstance(value, (list, dict)) or str(value) == "":
            raise ReadingError(
                f"a cell of the column {column!r} is empty, or no name",
                where=f"{part.source.name!r}, row {number:,}",
                remedy="give each row its own",
            )
    return [str(int(value)) if isinstance(value, float) and value.is_integer() else str(value) for value in values]


def _unequal_inputs(parts: Sequence[Part], found: Sequence[dict[str, str]]) -> Iterator[Finding]:
    """Rows that pair by their place have to be about the same thing."""
    by_dataset: dict[str, list[Part]] = {}
    for part, roles in zip(parts, found, strict=True):
        if "instance" not in roles:
            by_dataset.setdefault(part.dataset, []).append(part)
    for dataset, others in by_dataset.items():
        column = next((name for name in _INPUTS if all(name in part.frame for part in others)), None)
        if column is None:
            if len(others) > 1:
                yield Finding(
                    "paired-by-row",
                    "warning",
                    "Rows pair by their place; no column says that they are about the same inputs.",
                    where=f"dataset {dataset!r}",
                    remedy="log an id with each row",
                )
            continue
        first = [str(cell) for cell in others[0].frame[column]]
        for part in others[1:]:
            if [str(cell) for cell in part.frame[column]] != first:
                raise ReadingError(
                    f"the rows of {others[0].source.name!r} and {part.source.name!r} have different inputs",
                    where=f"column {column!r}",
                    remedy="evaluate all systems on the same inputs in the same order, or log an id with each row",
                )
