"""From paths to files and their formats: files, folders, patterns and archives; content says the format."""

from __future__ import annotations

import glob
import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pandas as pd

from reportkit.errors import ReadingError, SettingsError, nearest
from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.readers.compression import members
from reportkit.readers.format import Format
from reportkit.readers.formats import FORMATS, HARNESSES, AnyFormat, format_named, known_endings
from reportkit.readers.source import ARCHIVE, CODECS, HEAD_BYTES, Source, without_codec
from reportkit.readers.understood import shell

_Kind = TypeVar("_Kind", bound=AnyFormat)

MOST_FILES = 200_000
"""Files of a folder that are looked at; a whole disk is no folder of results."""

_IGNORED = frozenset({"__pycache__", "node_modules", "site-packages"})

ADVICE = {
    ".json": "write a list of objects, one per row, or one object per line and name the file .jsonl\n"
    "(pandas: df.to_json(path, orient='records'))",
    ".xls": "save it as .xlsx, or the sheet as CSV in UTF-8",
    ".ods": "save it as .xlsx, or the sheet as CSV in UTF-8",
    ".txt": "name the file .csv (commas) or .tsv (tabs)",
    ".pkl": "write Parquet: df.to_parquet(path)",
}
"""What to do with files of formats that are not read, by their ending."""


@dataclass(frozen=True, slots=True)
class Found:
    """Files by the name of their format, and those of none that is known.

    Parameters
    ----------
    by_format : dict of str to list of Source
        Harnesses before tables.
    unknown : list of str
        Paths of files of no known format.
    reports : list of str
        Folders that reportkit wrote itself, which are passed over.
    named : set of Path
        Files that the user named one by one.
    refused : list of Source
        Those of them that are of no known format.
    """

    by_format: dict[str, list[Source]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)
    named: set[Path] = field(default_factory=set)
    refused: list[Source] = field(default_factory=list)


def find(paths: Sequence[str | Path], format_name: str | None = None) -> Found:
    """Find all files that paths mean, and their formats.

    Parameters
    ----------
    paths : sequence of str or Path
        Files, folders with all that is in them, patterns such as "runs/*/samples_*.jsonl".
    format_name : str, optional
        The format that the user says.

    Raises
    ------
    ReadingError
        If a path is absent or no file, or a file that was named is of no known format.
    SettingsError
        If two formats recognise one file.
    UnknownNameError
        If there is no such format.
    """
    given = None if format_name is None else format_named(format_name)
    found = Found()
    seen: dict[tuple[Path | None, Path], Path] = {}
    for path in paths:
        for source, named in _sources(Path(path), found):
            key = (source.archive, source.plain_path.absolute())
            if key in seen:  # the file itself, or the same compressed
                found.unknown.extend([source.name][: int(seen[key] != source.path)])
                continue
            seen[key] = source.path
            if len(seen) > MOST_FILES:
                raise ReadingError(
                    f"there are more than {MOST_FILES:,} files in {os.fspath(path)!r}",
                    remedy="give the folder of the results alone",
                )
            known = _format_of(source, given, named=named)
            if known is None:
                found.unknown.append(source.name)
                found.refused.extend([source][: int(named)])
            else:
                found.by_format.setdefault(known.name, []).append(source)
                if named:
                    found.named.add(source.path)
    return found


def table_of(source: Source) -> Format | None:
    """The format of tables that a file is of, by its ending and then by its content; None if it is of none."""
    fits = [known for known in FORMATS.values() if _ends_so(source, known)]
    by_content = [known for known in fits if known.can_read is not None]
    if by_content:
        head = source.head(HEAD_BYTES)
        fits = _recognised(head, source, by_content) or [known for known in fits if known.can_read is None]
    return _only(source, fits)


def absent(path: Path) -> ReadingError:
    """What to say of a path at which there is nothing."""
    folder = path.parent
    if not folder.is_dir():
        return ReadingError(
            f"there is no file {str(path)!r}", where=f"there is no folder {str(folder)!r}", remedy="check the path"
        )
    names = sorted(child.name for child in folder.iterdir())
    inner = without_codec(path).name
    twin = next((name for name in (*(f"{path.name}{ending}" for ending in CODECS), inner) if name in names), None)
    if twin is not None and twin != path.name:
        return ReadingError(
            f"there is no file {str(path)!r}, but there is {twin!r} beside it",
            where=f"folder {str(folder)!r}",
            remedy=f"give {str(folder / twin)!r}",
        )
    near = nearest(path.name, names)
    readable = [name for name in names if without_codec(Path(name)).suffix.lower() in known_endings()]
    if near:
        remedy = f"did you mean {' or '.join(map(repr, near))}?"
    elif readable:
        remedy = f"check the path; results here may be {', '.join(map(repr, readable[:5]))}"
    else:
        remedy = "check the path"
    return ReadingError(f"there is no file {str(path)!r}", where=f"folder {str(folder)!r}", remedy=remedy)


def refuse_unreadable_kind(path: Path) -> None:
    """Raise a ReadingError if there is nothing at a path, or a pipe or a device."""
    if not path.exists():
        raise absent(path)
    if not path.is_file():
        raise ReadingError(
            f"{str(path)!r} is a pipe or a device, not a file",
            remedy="results are read more than once: write them to a file first",
        )


def unpacked(path: Path) -> list[Source]:
    """The file itself, or the files of an archive.

    Raises
    ------
    ReadingError
        If the archive is damaged or empty.
    """
    if path.suffix.lower() != ARCHIVE:
        return [Source(path)]
    try:
        inside = [
            Source(path / item.filename, path)
            for item in members(path)
            if not any(_hidden(part) for part in Path(item.filename).parts)
        ]
    except (zipfile.BadZipFile, OSError, NotImplementedError, UnicodeError) as error:
        raise ReadingError(
            f"{str(path)!r} is no zip archive, or is damaged",
            where=" ".join(str(error).split())[:200],
            remedy="copy or download the file again",
        ) from None
    if not inside:
        raise ReadingError(f"{str(path)!r} is an archive without files", remedy="give the files of the results")
    return inside


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
        raise not_known(sources[0])
    return sources[0], file_format


def not_known(source: Source) -> ReadingError:
    """What to say of a file of no known format."""
    ending = source.plain_path.suffix.lower()
    return ReadingError(
        f"{source.name!r} ends with {ending!r}, which is no known format"
        if ending and ending not in known_endings()
        else f"{source.name!r} is of no known format"
        if ending
        else f"the name of {source.name!r} does not end with a format",
        where=f"known endings: {', '.join(known_endings())}; each also with {', '.join((*CODECS, ARCHIVE))}",
        remedy=ADVICE.get(ending, "give the file the ending of its format"),
    )


def _sources(path: Path, found: Found) -> Iterator[tuple[Source, bool]]:
    """Files that a path means, and whether it names just this one."""
    if path.is_dir():
        for child in _walk(path, found):
            with suppress(ReadingError):  # a damaged archive among other files is no reason to stop
                for source in unpacked(child):
                    yield source, False
                continue
            found.unknown.append(str(child))
        return
    if not path.exists() and glob.has_magic(str(path)):
        matches = sorted(map(Path, glob.iglob(str(path), recursive=True)))  # noqa: PTH207 - of an absolute pattern, too
        if not matches:
            raise ReadingError(f"no file fits the pattern {str(path)!r}", remedy="check the pattern, or give a folder")
        for match in matches:
            for source, _ in _sources(match, found):
                yield source, False
        return
    refuse_unreadable_kind(path)
    inside = unpacked(path)
    for source in inside:
        yield source, len(inside) == 1


def _walk(folder: Path, found: Found) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        if "report.json" in names and _is_report(Path(here) / "report.json"):
            found.reports.append(here)
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not _hidden(name))
        for name in sorted(names):
            path = Path(here) / name
            if not _hidden(name) and path.is_file():
                yield path


def _hidden(name: str) -> bool:
    return name.startswith(".") or name in _IGNORED


def _is_report(path: Path) -> bool:
    """Whether a file is the `report.json` of a report of reportkit."""
    try:
        with path.open("rb") as file:
            return b'"reportkit_version"' in file.read(HEAD_BYTES)
    except OSError:
        return False


def _format_of(source: Source, given: AnyFormat | None, *, named: bool) -> AnyFormat | None:
    if given is not None:
        if named:
            return given
        recognised = given.can_read is None or given.can_read(_head(source), source.plain_path)
        return given if recognised and _ends_so(source, given) else None
    harnesses = [known for known in HARNESSES.values() if _ends_so(source, known)]
    tables = [known for known in FORMATS.values() if _ends_so(source, known)]
    by_content = [known for known in tables if known.can_read is not None]
    if not harnesses and not tables:
        return None
    head = b""
    if harnesses or by_content:
        try:
            head = source.head(HEAD_BYTES)
        except ReadingError:
            if named:
                raise
            return None
    marked = [known for known in harnesses if not known.marks or any(mark in head for mark in known.marks)]
    if of_harness := _only(source, _recognised(head, source, marked)):
        return of_harness
    of_table = _recognised(head, source, by_content)
    return _only(source, of_table or [known for known in tables if known.can_read is None])


def _head(source: Source) -> bytes:
    with suppress(ReadingError):
        return source.head(HEAD_BYTES)
    return b""


def _ends_so(source: Source, known: AnyFormat) -> bool:
    return source.plain_path.name.lower().endswith(known.endings)


def _recognised(head: bytes, source: Source, formats: Iterable[_Kind]) -> list[_Kind]:
    return [known for known in formats if known.can_read is not None and known.can_read(head, source.plain_path)]


def _only(source: Source, fits: Sequence[_Kind]) -> _Kind | None:
    if len(fits) <= 1:
        return fits[0] if fits else None
    names = [known.name for known in fits]
    raise SettingsError(
        f"{source.name!r} could be of {counted(len(names), 'format')}: {some(names)}",
        remedy=f"say which: --format {shell(names[0])} (in Python format={names[0]!r})",
    )
