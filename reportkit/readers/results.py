"""From files or a frame to validated results: scores by instance, or what a paper prints."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from reportkit.errors import DesignError, ReportkitError, SettingsError
from reportkit.readers.frames import flattened, frame_or_path
from reportkit.readers.reading import read_paths
from reportkit.readers.spellings import with_numbers
from reportkit.readers.tables import read_data_frame
from reportkit.readers.understood import Reading, Request
from reportkit.scores.ingest import results_from_frame
from reportkit.scores.printed import PrintedResults, printed_from_frame
from reportkit.scores.results import Results
from reportkit.scores.scales import DeclaredKind
from reportkit.scores.several_metrics import Direction, read_metrics
from reportkit.scores.table.columns import recognise_columns
from reportkit.scores.table.score_table import with_index
from reportkit.settings import Settings

Given = str | Path | Sequence[str | Path] | pd.DataFrame | Reading
"""What is taken as results: paths, a frame, or what was understood of files."""


def read_results(
    source: Given,
    *more: str | Path,
    settings: Settings,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 - as the command calls it
    filter: str | None = None,  # noqa: A002
    system_a: str | None = None,
    system_b: str | None = None,
    wide_systems: Sequence[str] | None = None,
) -> Results | PrintedResults:
    """Read and validate results; see `reportkit.read`, which this does under settings that are complete."""
    given = list(source) if isinstance(source, (list, tuple)) else [source]
    paths = [path if isinstance(path, str) else Path(path) for path in given if isinstance(path, (str, os.PathLike))]
    if paths and len(paths) == len(given):
        request = request_of(settings.metrics, filter=filter, format=format, columns=columns, wide_systems=wide_systems)
        return _of_reading(read_paths([*paths, *more], request), settings, system_a, system_b)
    if isinstance(source, Reading):
        return _of_reading(source, settings, system_a, system_b)
    found = frame_or_path(source)
    if not isinstance(found, pd.DataFrame) or more or format is not None or filter is not None:
        raise SettingsError(
            "a frame was given, and what is for files only", remedy="leave out further paths, format and filter"
        )
    request = request_of(settings.metrics, filter=None, format=None, columns=columns, wide_systems=wide_systems)
    frame = with_index(flattened(found), columns)
    return _of_reading(read_data_frame(frame, request), settings, system_a, system_b)


def request_of(
    metric: str | Sequence[str],
    *,
    filter: str | None,  # noqa: A002
    format: str | None,  # noqa: A002
    columns: Mapping[str, str] | None,
    wide_systems: Sequence[str] | None,
) -> Request:
    """What is asked of files, from arguments that may be left out."""
    return Request(
        metrics=(metric,) if isinstance(metric, str) else tuple(metric),
        filter=filter,
        format=format,
        columns=columns or {},
        systems=None if wide_systems is None else tuple(wide_systems),
    )


def _of_reading(
    reading: Reading, settings: Settings, system_a: str | None, system_b: str | None
) -> Results | PrintedResults:
    """Validated results of what was read from files; what the files say of directions holds unless the user says."""
    higher = settings.higher_is_better
    if reading.higher_is_better and higher is not False:
        said = higher if isinstance(higher, Mapping) else {}
        settings = settings.replace(higher_is_better={**reading.higher_is_better, **said})
    if reading.metrics and "metric" not in reading.frame:
        settings = settings.replace(metric=reading.computed or None)
    if reading.aggregates and not settings.across_datasets:
        raise DesignError(
            f"{reading.format} has one score per {reading.nouns[0]} and {reading.nouns[1]}, not one per instance",
            where=reading.sentence(),
            remedy=f"to ask whether a {reading.nouns[0]} is better on a typical {reading.nouns[1]}, take the "
            f"{reading.nouns[1]}s as the sample:\nacross_datasets=True (--across-datasets)",
        )
    frame, written = with_numbers(reading.frame, _scores_in(reading, settings), settings.decimal)
    results = _of_frame(frame, reading.source, reading.columns, settings, system_a, system_b, reading.systems)
    notes = (*reading.notes, *written)
    if isinstance(results, PrintedResults) or not notes:
        return results
    return dataclasses.replace(results, findings=(*notes, *results.findings))


def _scores_in(reading: Reading, settings: Settings) -> tuple[str, ...]:
    """Columns of a table that hold scores, which may be written in words; none where that is not clear."""
    frame = reading.frame
    if standing := [name for name in settings.metrics if name in frame.columns]:
        return tuple(standing)
    try:
        found = recognise_columns(
            frame, reading.columns, systems=reading.systems, without_instances=settings.across_datasets
        )
    except ReportkitError:  # said again, with all that is known, when the frame is ingested
        return ()
    if found.form == "printed":
        return tuple(found.roles[role] for role in ("score_a", "score_b"))
    return found.systems or tuple(found.roles[role] for role in ("score",) if role in found.roles)


def _of_frame(
    frame: pd.DataFrame,
    name: str,
    columns: Mapping[str, str] | None,
    settings: Settings,
    system_a: str | None,
    system_b: str | None,
    wide_systems: Sequence[str] | None,
) -> Results | PrintedResults:
    """Validated results of a frame, of the form that it has."""

    def of_one(
        frame: pd.DataFrame,
        metric: str | None,
        columns: Mapping[str, str],
        higher_is_better: Direction,
        kind: DeclaredKind,
    ) -> Results:
        return results_from_frame(
            frame,
            columns=columns,
            higher_is_better=higher_is_better,
            kind=kind,
            missing=settings.missing,
            mixed_scales=settings.mixed_scales,
            metric=metric,
            across_datasets=settings.across_datasets,
            source=name,
            systems=wide_systems,
        )

    higher = settings.higher_is_better
    in_a_column = any(metric in frame.columns for metric in settings.metrics) and "score" not in (columns or {})
    if len(settings.metrics) > 1 or in_a_column:
        several = read_metrics(
            frame, settings.metrics, of_one, columns=columns or {}, higher_is_better=higher, kind=settings.kind
        )
        return several.select(datasets=settings.datasets)
    recognised = recognise_columns(
        frame,
        columns,
        systems=wide_systems,
        without_instances=settings.across_datasets,
        metric=settings.metrics[0] if settings.metrics else None,
    )
    if recognised.form == "printed":
        return printed_from_frame(
            frame,
            columns=columns,
            system_a=system_a,
            system_b=system_b,
            higher_is_better=higher if isinstance(higher, bool) else settings.metric_higher_is_better("score"),
            source=name,
        ).select(datasets=settings.datasets)
    of_all = of_one(frame, next(iter(settings.metrics), None), columns or {}, higher, settings.kind)
    return of_all.select(datasets=settings.datasets)
