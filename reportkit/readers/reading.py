"""From paths to scores: the content of the files says the format, and what was understood is said."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from reportkit.errors import ReadingError, SettingsError
from reportkit.finding import Finding
from reportkit.readers.format import Format
from reportkit.readers.formats import FORMATS, HARNESSES, format_named
from reportkit.readers.paths import Found, find, not_known, refuse_unreadable_kind, table_of, unpacked
from reportkit.readers.source import Source
from reportkit.readers.tables import read_tables
from reportkit.readers.understood import Reading, Request, counted, listed, shell

FILES_NOT_READ = "files-not-read"

_ADVICE = {
    ".json": "write a list of objects, one per row, or one object per line and name the file .jsonl\n"
    "(pandas: df.to_json(path, orient='records'))",
    ".xls": "save it as .xlsx, or the sheet as CSV in UTF-8",
    ".ods": "save it as .xlsx, or the sheet as CSV in UTF-8",
    ".txt": "name the file .csv (commas) or .tsv (tabs)",
    ".pkl": "write Parquet: df.to_parquet(path)",
}


def read_frame(
    path: str | Path, *, columns: Mapping[str, str] | None = None, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    r"""Read a table; the frame holds its rows and columns as they are in the file.

    Names and ids are texts, as categoricals: "007" and "NA" stay what they are. Scores are float64, NaN where the cell
    is empty; a column with anything else stays text, and `results_from_frame` names the rows. The columns of a printed
    table are texts: "0.050" says more than 0.05.

    Parameters
    ----------
    path : str or Path
        Ends as its format does, .csv or .parquet, or so and .gz, .bz2, .xz, .zst or .zip; `known_endings` lists them.
    columns : dict of str to str, optional
        Role to column name, where names are not recognised.
    systems : sequence of str, optional
        Wide form: the columns that hold systems.

    Returns
    -------
    DataFrame

    Raises
    ------
    ReadingError
        If the file is absent, a folder, a pipe, empty, of an unknown format, damaged, not UTF-8, has another delimiter,
        or holds more than is read of a file (`REPORTKIT_MAX_INPUT_GB` in the environment: 2 GB, uncompressed).
    ColumnError
        If two columns have the same name.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "results.tsv"
    >>> _ = path.write_text("model\ttask\tid\tacc\nNA\tcb\t007\t0.5\nNA\tcb\t008\t\n")
    >>> read_frame(path)
      model task   id  acc
    0    NA   cb  007  0.5
    1    NA   cb  008  NaN
    """
    source, file_format = _opened(Path(path))
    try:
        return file_format.read(source, columns=columns, systems=systems)
    except PermissionError as error:
        raise source.unreadable(error) from None


def _opened(path: Path) -> tuple[Source, Format]:
    if path.is_dir():
        inside = sorted(
            child.name for child in path.iterdir() if child.is_file() and table_of(Source(child)) is not None
        )
        raise ReadingError(
            f"{str(path)!r} is a folder",
            where="files in it that can be read: " + (", ".join(map(repr, inside[:10])) or "none"),
            remedy="give one file of results",
        )
    refuse_unreadable_kind(path)
    sources = unpacked(path)
    if len(sources) > 1:
        raise ReadingError(
            f"{str(path)!r} is an archive of {len(sources)} files",
            where=listed([one.name for one in sources], 5),
            remedy="unpack it, and give one of them",
        )
    file_format = table_of(sources[0])
    if file_format is None:
        raise not_known(sources[0], _ADVICE)
    return sources[0], file_format


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
    shown = listed([str(path) for path in paths], 3)
    found = find(paths, request.format)
    if found.refused:
        raise not_known(found.refused[0], _ADVICE)
    name = _chosen(found, shown, request)
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
    notes = _not_read(found, left, read_all=not found.unknown)
    return dataclasses.replace(
        reading,
        source=listed([Path(path).resolve().name or str(path) for path in paths], 3),
        notes=(*reading.notes, *notes),
    )


def _chosen(found: Found, shown: str, request: Request) -> str:
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
            f"{shown!r} holds no file{of} that can be read",
            where=where,
            remedy="known are " + listed([*HARNESSES, *FORMATS], 40),
        )
    if len(harnesses) > 1:
        held = "; ".join(
            f"{name}: {counted(len(found.by_format[name]), 'file')}, such as {found.by_format[name][0].name!r}"
            for name in harnesses
        )
        raise SettingsError(
            f"{shown!r} holds files of {len(harnesses)} formats",
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


def _not_read(found: Found, left: Sequence[str], *, read_all: bool) -> list[Finding]:
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
