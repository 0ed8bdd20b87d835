"""From a path to a frame: the ending of the name says the format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from reportkit.errors import ReadingError, SettingsError, nearest
from reportkit.readers.format import Format
from reportkit.readers.source import Source
from reportkit.registry import Registry, defined_in

FORMATS: Registry[Format] = Registry("format")
"""Names to formats; the files of this folder that define a `Format` are the list, and others may be registered."""


def register_reader(file_format: Format) -> Format:
    r"""Add a file format of your own, or of your package.

    Afterwards every place that takes a file of results takes it by its endings, compressed by gzip too. A package names
    the format in its `pyproject.toml` instead, and nothing has to be imported:

    ```toml
    [project.entry-points."reportkit.readers"]
    semicolons = "my_package.semicolons:SEMICOLONS"
    ```

    Parameters
    ----------
    file_format : Format
        Name, endings, and the function that reads it.

    Returns
    -------
    Format
        The same.

    Raises
    ------
    SettingsError
        If it is no Format, its name is that of a built-in one, or an ending is that of another format. Another format
        under a name of your own replaces the first one.

    Examples
    --------
    >>> import tempfile
    >>> def read_semicolons(source, *, columns, systems):
    ...     with source.open() as file:
    ...         return pd.read_csv(file, sep=";", dtype={"system": "category", "dataset": "category"})
    >>> register_reader(Format(name="semicolons", endings=(".ssv",), read=read_semicolons)).name
    'semicolons'
    >>> path = Path(tempfile.mkdtemp()) / "results.ssv"
    >>> _ = path.write_text("system;dataset;score\nours;cb;0.5\n")
    >>> read_frame(path)
      system dataset  score
    0   ours      cb    0.5
    >>> FORMATS.remove("semicolons")
    """
    if not isinstance(file_format, Format):
        raise SettingsError(
            f"{file_format!r} is no format", remedy="give a Format (from reportkit.readers import Format)"
        )
    others = [known for known in FORMATS.values() if known.name != file_format.name]
    for ending in file_format.endings:
        other = next((known.name for known in others if ending in known.endings), None)
        if other is not None:
            raise SettingsError(f"{ending!r} is the ending of {other} already", remedy="choose another ending")
    FORMATS.add(file_format.name, file_format)
    return file_format


def known_endings() -> tuple[str, ...]:
    """Endings of the names of files that can be read, without `.gz`.

    Examples
    --------
    >>> ".csv" in known_endings()
    True
    """
    return tuple(ending for file_format in FORMATS.values() for ending in file_format.endings)


for _format in defined_in("reportkit.readers", Format):
    FORMATS.register(_format.name, _format)
FORMATS.open_to("reportkit.readers", register_reader)

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
        Ends as its format does, .csv or .parquet, or so and .gz; `known_endings` lists them.
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
    source, file_format = _opened(path)
    try:
        return file_format.read(source, columns=columns, systems=systems)
    except PermissionError as error:
        raise source.unreadable(error) from None


def _opened(path: Path) -> tuple[Source, Format]:
    if path.is_dir():
        inside = sorted(child.name for child in path.iterdir() if format_of(child) is not None)
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
    file_format = format_of(path)
    if file_format is None:
        compressed = path.suffix.lower() == ".gz"
        ending = (path.with_suffix("") if compressed else path).suffix.lower()
        known = ", ".join(known_endings())
        raise ReadingError(
            f"{str(path)!r} ends with {ending!r}, which is no known format"
            if ending
            else f"the name of {str(path)!r} does not end with a format",
            where=f"known endings: {known}; each also with .gz",
            remedy=_ADVICE.get(ending, "give the file the ending of its format"),
        )
    return Source(path, compressed=path.suffix.lower() == ".gz"), file_format


def format_of(path: Path) -> Format | None:
    """Format that the name of a file says; None if it says none that is known."""
    inner = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    ending = inner.suffix.lower()
    return next((known for known in FORMATS.values() if ending in known.endings), None)


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
    readable = [name for name in names if format_of(folder / name) is not None]
    if near:
        remedy = f"did you mean {' or '.join(map(repr, near))}?"
    elif readable:
        remedy = f"check the path; results here may be {', '.join(map(repr, readable[:5]))}"
    else:
        remedy = "check the path"
    return ReadingError(f"there is no file {str(path)!r}", where=f"folder {str(folder)!r}", remedy=remedy)
