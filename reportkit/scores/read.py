"""Read results: files and folders, or a frame, as one long frame; say what was understood of them."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from reportkit.errors import ReadingError, ReportkitError, SettingsError
from reportkit.finding import Finding
from reportkit.harnesses import read_harness
from reportkit.harnesses.file import File
from reportkit.language import counted, listed
from reportkit.scores.files import copied, excluded, files_of, is_url
from reportkit.scores.layouts import NAMELESS
from reportkit.scores.names import listed_in, strength
from reportkit.scores.questions import FILES, Request, entries
from reportkit.scores.reading import Reading, of_harvest, understood_table
from reportkit.scores.refusals import notice, refusal
from reportkit.scores.tables import read_table, refuse_twice

Tables = list[tuple[File, pd.DataFrame]]


def read(source: object, request: Request | None = None) -> Reading:
    """Read files or a frame as one long frame.

    Parameters
    ----------
    source : path, sequence of paths, or frame
        Files, folders, patterns; or a frame of pandas, polars, pyarrow, ...
    request : Request, optional
        What the user says: metrics, columns, directions.

    Returns
    -------
    Reading

    Raises
    ------
    QuestionError
        If more than one reading is possible, or none; the message holds the commands that settle it.
    ReadingError
        If nothing can be read, or a file that was named is damaged.
    """
    request = request or Request()
    paths = paths_of(source)
    if paths is None:
        return understood_table(as_frame(source, request.columns), request)[0]
    if any(map(is_url, paths)):
        with tempfile.TemporaryDirectory(prefix="reportkit-") as folder:
            return read([*map(str, copied([str(path) for path in paths], Path(folder)))], request)
    files, notes = files_of(paths)
    kept = [file for file in files if not any(excluded(file.path, one) for one in request.exclude)]
    if not kept:
        raise refusal("excluded-all")
    if left := [file.name for file in files if file not in kept]:
        notes.append(notice("files-excluded", listed(left, 5), number=counted(len(left), "file")))
    of_names = tuple(one for one in request.exclude if not any(excluded(file.path, one) for file in files))
    request = replace(request, exclude=of_names)
    said = listed([Path(path).resolve().name or str(path) for path in paths], 3)
    harvest = read_harness(kept, request.metrics)
    if harvest is not None:
        return of_harvest(harvest, request, said, notes, kept)
    frame, stems, more = _joined(kept, request, named=len(kept) == len(paths))
    folders = {file.path.absolute().parent.name for file in kept}
    dataset = stems[0] if len(set(stems)) == 1 else folders.pop() if len(folders) == 1 else NAMELESS
    return understood_table(frame, request, source=said, dataset=dataset, notes=[*notes, *more], stems=stems)[0]


def read_frame(path: str | Path) -> pd.DataFrame:
    """Read the table of one file as it is there; names and ids of delimited files are texts.

    Raises
    ------
    ReadingError
        If there is no such file, or it is no table.
    """
    if Path(path).is_dir():
        raise ReadingError(f"{str(path)!r} is a folder", remedy="give one file of results")
    files, _ = files_of([path])
    found = read_table(files[0], named=True) if len(files) == 1 else None
    if found is None:
        problem = f"{str(path)!r} is an archive of {len(files)} files"
        raise ReadingError(problem, remedy="unpack it, and give one of them")
    return found[0]


def paths_of(source: object) -> list[str | Path] | None:
    """Return the paths, if the source names files; None if it is a frame."""
    if isinstance(source, (str, os.PathLike)):
        source = [source]
    if isinstance(source, (list, tuple)) and source and all(isinstance(one, (str, os.PathLike)) for one in source):
        return [str(one) if is_url(one) else Path(one) for one in source]
    return None


# --- frames ----------------------------------------------------------------------------------------------------------


def as_frame(source: object, columns: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Take a frame of any library as a frame of pandas with plain columns and a name in each.

    Parameters
    ----------
    source : object
        See `frame_or_path`.
    columns : mapping of str to str, optional
        Role to column name; one may be a level of the index.

    Raises
    ------
    ColumnError
        If columns have several levels or one name, or a level of the index has no name; the message says what mends it.
    """
    frame = frame_or_path(source)
    if isinstance(frame, Path):
        raise refusal("path-for-frame", path=str(frame))
    if frame.columns.nlevels > 1:
        raise refusal("column-levels", n=frame.columns.nlevels, first=frame.columns[0], names=[*frame.columns.names])
    if frame.index.nlevels > 1 and None in frame.index.names:
        raise refusal("index-levels", names=list(frame.index.names), first=(*map(str, frame.index[0]),))
    names = list(map(str, frame.columns))
    levels = [name for name in frame.index.names if name is not None and str(name) not in names]
    roles = [role for role in ("system", "dataset", "instance") if not any(strength(name, role) for name in names)]
    if any(str(one) in (columns or {}).values() or any(strength(str(one), role) for role in roles) for one in levels):
        frame = frame.reset_index(level=levels)
    names = list(map(str, frame.columns))
    if len(frame) == 0:
        raise refusal("empty-frame", columns=", ".join(map(repr, names[:20])) or "none")
    refuse_twice("DataFrame", names)
    return frame.reset_index(drop=True).set_axis(names, axis="columns")


def frame_or_path(source: object) -> pd.DataFrame | Path:
    """Return a path as a path, and a frame of any library as a frame of pandas.

    Parameters
    ----------
    source : object
        A str or path; a DataFrame of pandas, or a Series with named levels of its index; or an object with
        `to_pandas()` (polars, pyarrow, ...), of Dask, or of Arrow's C stream (DuckDB, ...).

    Raises
    ------
    InputError
        If it is nothing of these; the message says what to write.

    Examples
    --------
    >>> frame_or_path("results.csv").name
    'results.csv'
    >>> import pyarrow
    >>> frame_or_path(pyarrow.table({"system": ["a", "b"], "score": [0.5, 1.0]}))
      system  score
    0      a    0.5
    1      b    1.0
    """
    if isinstance(source, (str, os.PathLike)):
        return Path(source)
    given: Any = source
    if isinstance(given, pd.Series):
        given = None if None in given.index.names else given.to_frame("score" if given.name is None else given.name)
    elif type(given).__module__.startswith("dask."):
        given = given.compute()
    elif type(given).__name__ == "LazyFrame":
        given = given.collect()
    if hasattr(given, "to_pandas"):
        given = given.to_pandas()
    elif hasattr(given, "__arrow_c_stream__") and not isinstance(given, pd.DataFrame):
        given = pa.table(given).to_pandas()
    if isinstance(given, pd.DataFrame):
        return given
    name = f"{type(source).__module__}.{type(source).__qualname__}".removeprefix("builtins.")
    raise refusal("no-frame", type=name)


# --- several files ---------------------------------------------------------------------------------------------------


def _joined(files: Sequence[File], request: Request, *, named: bool) -> tuple[pd.DataFrame, list[str], list[Finding]]:
    """Return all rows of the tables that have columns in common, with the names of files and folders as columns."""
    tables: Tables = []
    notes: list[Finding] = []
    unread: list[str] = []
    damaged: dict[str, ReportkitError] = {}
    for done, file in enumerate(files, start=1):
        try:
            found = read_table(file, named=named, texts=tuple(request.columns.values()))
        except (ReadingError, SettingsError) as error:
            if named or len(files) == 1:
                raise
            found = None
            damaged |= {} if file.path.suffix.lower() in (".txt", ".dat", "") else {file.name: error}
        request.progress(done, len(files))
        if found is None:
            unread.append(file.name)
        else:
            tables.append((file, found[0]))
            notes += found[1]
    if damaged:
        where = "; ".join(f"{name}: {error.problem}" for name, error in list(damaged.items())[:3])
        notes.append(notice("files-left-out", where, number=counted(len(damaged), "file")))
    if not tables:
        raise next(iter(damaged.values()), None) or refusal("no-table", listed([repr(name) for name in unread], 5))
    tables, left = _of_one_kind(tables)
    if left and named:
        columns = entries(list(map(str, tables[0][1].columns)))
        raise refusal("other-columns", first=tables[0][0].name, columns=columns, other=left[0])
    if unread := [name for name in (*unread, *left) if name not in damaged]:
        number, why = counted(len(unread), "file was", "files were"), "no table of results, or other columns"
        notes.append(notice("files-not-read", listed(unread, 5), number=number, why=why))
    stems = _stems([file.stem for file, _ in tables])
    parts = []
    for (file, frame), stem in zip(tables, stems, strict=True):
        plain = [folder for folder in file.folders if "=" not in folder]
        names = dict(zip(FILES, [stem, *reversed(plain)], strict=False)) if len(tables) > 1 else {}
        names |= dict(part.split("=", 1) for part in file.path.parent.parts if re.fullmatch(r"[^=]+=.+", part))
        added = {name: pd.Categorical([text]).repeat(len(frame)) for name, text in names.items() if name not in frame}
        parts.append(frame.assign(**added))
    frame = pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
    coded = {str(name) for part in parts for name in part.columns if isinstance(part[name].dtype, pd.CategoricalDtype)}
    frame = frame.astype(dict.fromkeys(coded, "category"))
    return frame.drop(columns=[name for name in FILES if name in frame and frame[name].nunique() < 2]), stems, notes


def _of_one_kind(tables: Tables) -> tuple[Tables, list[str]]:
    """Keep the tables with the columns of most rows, and of these the common columns; name the other tables."""
    kinds = [frozenset(map(str, frame.columns)) for _, frame in tables]
    common = frozenset.intersection(*kinds)
    numeric = {str(name) for _, frame in tables for name in frame.select_dtypes(["number", "bool"]).columns}
    if len(set(kinds)) > 1 and (len(common) < 2 or not common & numeric):
        sizes: Counter[frozenset[str]] = Counter()
        for kind, (_, frame) in zip(kinds, tables, strict=True):
            sizes[kind] += len(frame)
        common = max(sizes, key=lambda kind: (sum(kind <= other for other in kinds), sizes[kind], sorted(kind)))
    kept = [(file, frame) for kind, (file, frame) in zip(kinds, tables, strict=True) if common <= kind]
    left = [file.name for kind, (file, _) in zip(kinds, tables, strict=True) if not common <= kind]
    order = [str(name) for name in kept[0][1].columns if str(name) in common]
    return [(file, frame[order]) for file, frame in kept], left


def _stems(stems: list[str]) -> list[str]:
    """Return the names of files without the words that all share: "ada_results" becomes "ada"."""
    for pattern in (r"(?P<rest>.+)[-_](?P<word>[^-_]+)", r"(?P<word>[^-_]+)[-_](?P<rest>.+)"):
        while len(stems) > 1 and all(found := [re.fullmatch(pattern, stem) for stem in stems]):
            said = {one["word"] for one in found if one}
            if len(said) > 1 or not listed_in(said.pop(), "words", "of_files"):
                break
            stems = [one["rest"] for one in found if one]
    return stems
