"""From a path to a frame: the ending of the name says the format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

import pandas as pd

from reportkit.errors import ReadingError, nearest
from reportkit.readers.delimited import read_delimited
from reportkit.readers.json_lines import read_json_lines
from reportkit.readers.parquet import read_parquet
from reportkit.readers.source import Source
from reportkit.registry import Registry


class Reader(Protocol):
    """Reads one format."""

    def __call__(
        self, source: Source, *, columns: Mapping[str, str] | None, systems: Sequence[str] | None
    ) -> pd.DataFrame:
        """Return the rows of the file."""


FORMATS: Registry[Reader] = Registry("format")
"""Ending of the file name (without `.gz`) to reader."""

FORMATS.register(".csv", partial(read_delimited, delimiter=","))
FORMATS.register(".tsv", partial(read_delimited, delimiter="\t"))
FORMATS.register(".parquet", read_parquet)
FORMATS.register(".jsonl", read_json_lines)
FORMATS.register(".ndjson", read_json_lines)

_ADVICE = {
    ".json": "write one JSON object per line and name the file .jsonl\n"
    "(pandas: df.to_json(path, orient='records', lines=True))",
    ".xlsx": "save the sheet as CSV in UTF-8, or read it yourself: pandas.read_excel(path)",
    ".xls": "save the sheet as CSV in UTF-8, or read it yourself: pandas.read_excel(path)",
    ".ods": "save the sheet as CSV in UTF-8, or read it yourself: pandas.read_excel(path)",
    ".txt": "name the file .csv (commas) or .tsv (tabs)",
    ".feather": "read it yourself, pandas.read_feather(path), or write Parquet",
    ".arrow": "read it yourself, pandas.read_feather(path), or write Parquet",
    ".pkl": "write Parquet: df.to_parquet(path)",
    ".zip": "unpack it, or compress it by gzip (.csv.gz)",
    ".bz2": "unpack it, or compress it by gzip (.csv.gz)",
    ".xz": "unpack it, or compress it by gzip (.csv.gz)",
    ".zst": "unpack it, or compress it by gzip (.csv.gz)",
}


def read_frame(
    path: str | Path, *, columns: Mapping[str, str] | None = None, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    r"""Read a file of results; the frame holds its rows and columns as they are in the file.

    Names and ids are texts, as categoricals: "007" and "NA" stay what they are. Scores are float64, NaN where the cell
    is empty; a column with anything else stays text, and `results_from_frame` names the rows. The columns of a printed
    table are texts: "0.050" says more than 0.05.

    Parameters
    ----------
    path : str or Path
        Ends with .csv, .tsv, .parquet, .jsonl or .ndjson, or one of these and .gz.
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
    path = Path(path)
    source, reader = _opened(path)
    try:
        return reader(source, columns=columns, systems=systems)
    except PermissionError as error:
        raise source.unreadable(error) from None


def _opened(path: Path) -> tuple[Source, Reader]:
    if path.is_dir():
        inside = sorted(child.name for child in path.iterdir() if _format(child) is not None)
        raise ReadingError(
            f"{str(path)!r} is a folder",
            where="files in it that can be read: " + (", ".join(map(repr, inside[:10])) or "none"),
            remedy="give one file of results",
        )
    if not path.exists():
        raise _absent(path)
    if not path.is_file():
        raise ReadingError(
            f"{str(path)!r} is a pipe or a device, not a file",
            remedy="results are read more than once: write them to a file first",
        )
    reader = _format(path)
    if reader is None:
        compressed = path.suffix.lower() == ".gz"
        ending = (path.with_suffix("") if compressed else path).suffix.lower()
        known = ", ".join(FORMATS)
        raise ReadingError(
            f"{str(path)!r} ends with {ending!r}, which is no known format"
            if ending
            else f"the name of {str(path)!r} does not end with a format",
            where=f"known endings: {known}; each also with .gz",
            remedy=_ADVICE.get(ending, "give the file the ending of its format"),
        )
    return Source(path, compressed=path.suffix.lower() == ".gz"), reader


def _format(path: Path) -> Reader | None:
    inner = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    ending = inner.suffix.lower()
    return FORMATS.get(ending)


def _absent(path: Path) -> ReadingError:
    folder = path.parent
    if not folder.is_dir():
        return ReadingError(
            f"there is no file {str(path)!r}", where=f"there is no folder {str(folder)!r}", remedy="check the path"
        )
    names = sorted(child.name for child in folder.iterdir())
    twin = next((name for name in (f"{path.name}.gz", path.name.removesuffix(".gz")) if name in names), None)
    if twin is not None and twin != path.name:
        return ReadingError(
            f"there is no file {str(path)!r}, but there is {twin!r} beside it",
            where=f"folder {str(folder)!r}",
            remedy=f"give {str(folder / twin)!r}",
        )
    near = nearest(path.name, names)
    readable = [name for name in names if _format(folder / name) is not None]
    if near:
        remedy = f"did you mean {' or '.join(map(repr, near))}?"
    elif readable:
        remedy = f"check the path; results here may be {', '.join(map(repr, readable[:5]))}"
    else:
        remedy = "check the path"
    return ReadingError(f"there is no file {str(path)!r}", where=f"folder {str(folder)!r}", remedy=remedy)
