"""From files or a frame to validated results: the content says the format, and what was understood is said."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from reportkit.errors import DesignError, ReadingError, ReportkitError, SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.readers.formats import FORMATS, HARNESSES, format_named
from reportkit.readers.lazy import lazy
from reportkit.readers.paths import Found, find, not_known
from reportkit.readers.source import give_back
from reportkit.readers.tables import read_data_frame, read_tables
from reportkit.readers.understood import Reading, Request, shell
from reportkit.scores.frames import flattened, frame_or_path
from reportkit.scores.ingest import results_from_frame
from reportkit.scores.printed import PrintedResults, printed_from_frame
from reportkit.scores.results import Results
from reportkit.scores.scales import DeclaredKind
from reportkit.scores.screening import direction_findings
from reportkit.scores.several_metrics import Direction, read_metrics, refuse_other_spelling
from reportkit.scores.spellings import with_numbers
from reportkit.scores.table.columns import recognise_columns
from reportkit.scores.table.score_table import with_index
from reportkit.settings import Settings

FILES_NOT_READ = "files-not-read"

Given = str | Path | Sequence[str | Path] | pd.DataFrame | Reading
"""What is taken as results: paths, a frame, or what was understood of files."""


_MANY_ROWS = 1_000_000
"""Rows from which memory is given back that was taken to read them."""

_LARGE_FILES = 50_000_000
"""Bytes of files from which it is worth while to ask whether their datasets are read one by one."""


def is_url(path: object) -> bool:
    """Whether a path is one of an object store or of the web.

    Examples
    --------
    >>> is_url("s3://bucket/results"), is_url("C:/results"), is_url("results")
    (True, False, False)
    """
    return isinstance(path, str) and "://" in path


def may_be_large(source: object) -> bool:
    """Whether results are a lazy frame, URLs, or so many bytes of files that they may not fit into memory."""
    size = 0
    for path in source if isinstance(source, (list, tuple)) else [source]:
        if not isinstance(path, (str, os.PathLike)):
            return not isinstance(source, pd.DataFrame) and lazy(source) is not None
        if is_url(path):
            return True
        for file in [Path(path)] if Path(path).is_file() else Path(path).rglob("*") if Path(path).is_dir() else ():
            size += file.stat().st_size
            if size > _LARGE_FILES:
                return True
    return False


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
        results = _of_reading(read_paths([*paths, *more], request), settings, system_a, system_b)
        if isinstance(results, Results) and results.n_rows >= _MANY_ROWS:
            give_back()  # what the rows took that are now scores
        return results
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
    if settings.metrics:
        refuse_other_spelling(reading.frame, settings.metrics)
    frame, names = reading.frame, _scores_in(reading, settings)
    written: tuple[Finding, ...] = ()
    kinds = dict(zip(map(str, frame.columns), frame.dtypes, strict=True))
    if not all(pd.api.types.is_numeric_dtype(kinds[name]) for name in names):
        frame, written = with_numbers(frame, names, settings.decimal)
    results = _of_frame(frame, reading.source, reading.columns, settings, system_a, system_b, reading.systems)
    if isinstance(results, PrintedResults):
        return results
    notes = (*reading.notes, *written, *direction_findings(results, settings.higher_is_better, settings.metrics))
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
            datasets=settings.datasets,
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


def read_paths(paths: Sequence[str | Path], request: Request | None = None) -> Reading:
    """Read files, folders and patterns as one set of results; the content says the format.

    Parameters
    ----------
    paths : sequence of str or Path
        At least one. Of a folder everything in it is looked at but hidden files and reports of reportkit.
    request : Request, optional
        What the user says: format, metric, filter, columns.

    Returns
    -------
    Reading
        Its notes name what was not read.

    Raises
    ------
    ReadingError
        If nothing can be read, or a file is damaged; the message says which, and what to do.
    SettingsError
        If the files are of several formats, or the request does not fit them; the message holds the option to add.
    """
    request = request or Request()
    found = find(paths, request.format)
    if found.refused:
        raise not_known(found.refused[0])
    name = _chosen(found, paths, request)
    sources = found.by_format[name]
    if name in HARNESSES:
        reading = HARNESSES[name].read(sources, request)
        left = [one.name for other, files in found.by_format.items() if other != name for one in files]
    else:
        of_tables = [(one, FORMATS[other]) for other, files in found.by_format.items() for one in files]
        of_tables.sort(key=lambda pair: pair[0].name)
        reading, left = read_tables(of_tables, request, named=found.named)
    if request.filter is not None and not reading.filter and not reading.other_filters:
        raise SettingsError(
            f"there are no filters in files of {reading.format} to choose {request.filter!r} from",
            where=reading.sentence(),
            remedy="leave --filter out",
        )
    notes = not_read(found, left, read_all=not found.unknown)
    names = [Path(path).resolve().name or str(path) for path in paths]
    source = names[0] if len(names) == 1 else listed(names, 3)
    return dataclasses.replace(reading, source=source, notes=(*reading.notes, *notes))


def _chosen(found: Found, paths: Sequence[str | Path], request: Request) -> str:
    """The name of the format to read; tables only where there is nothing of a harness."""
    names = list(found.by_format)
    harnesses = [name for name in names if name in HARNESSES]
    if not names:
        of = f" of the format {format_named(request.format).name}" if request.format is not None else ""
        where = f"it holds {counted(len(found.unknown), 'file')}" + (
            ": " + listed([repr(name) for name in found.unknown], 5) if found.unknown else ""
        )
        if found.reports:
            where += f"; a report of reportkit is no result: {listed(list(map(repr, found.reports)), 3)}"
        raise ReadingError(
            f"{listed(map(str, paths), 3)!r} holds no file{of} that can be read",
            where=where,
            remedy="known are " + listed([*HARNESSES, *FORMATS], 40),
        )
    if len(harnesses) > 1:
        held = "; ".join(
            f"{name}: {counted(len(found.by_format[name]), 'file')}, such as {found.by_format[name][0].name!r}"
            for name in harnesses
        )
        raise SettingsError(
            f"{listed(map(str, paths), 3)!r} holds files of {len(harnesses)} formats",
            where=held,
            remedy=f"say which to read: --format {shell(harnesses[0])} (in Python format={harnesses[0]!r}), or give "
            "its files alone",
        )
    if not harnesses:
        return names[0]
    tables = [
        one for name in names if name not in harnesses for one in found.by_format[name] if one.path in found.named
    ]
    if tables:
        raise SettingsError(
            f"{tables[0].name!r} is a table, and the other files are of {harnesses[0]}",
            remedy="give files of one format",
        )
    return harnesses[0]


def not_read(found: Found, left: Sequence[str], *, read_all: bool) -> list[Finding]:
    """What was there and was not read: never without a word."""
    notes = []
    names = [*left, *found.unknown]
    if names and not (read_all and not left):
        notes.append(
            Finding(
                FILES_NOT_READ,
                "info",
                counted(len(names), "file") + (" was" if len(names) == 1 else " were") + " not read.",
                where=listed([repr(name) for name in names], 5),
                remedy="nothing, if they hold no results; else give them one by one, or say --format",
            )
        )
    if found.reports:
        notes.append(
            Finding(
                "reports-not-read",
                "info",
                "Reports that reportkit wrote were passed over.",
                where=listed([repr(name) for name in found.reports], 5),
            )
        )
    return notes
