"""Long columns of `report.json` as Parquet beside it: as JSON, all pairs of 200 systems would take 13 megabytes.

What a report holds in memory is the same, whether it is long or short. Only in its folder a matrix of many outcomes, or
a list of many claims, is replaced by the name of a table and its column, and put back when the report is read.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError

MOST_OUTCOMES = 25_000
"""Pairs times datasets up to which their numbers stand in `report.json` itself."""

MOST_CLAIMS = 2_500
"""Claims of a verdict up to which they do."""

_FOLDER = "more"
_COLUMN, _TABLE = "column", "table"
_MATRICES = ("outcomes", "partial_conjunction")


def put_beside(content: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Take what is long out of the content of a report.

    Parameters
    ----------
    content : mapping
        As it is in memory.

    Returns
    -------
    dict, dict of str to bytes
        The content for the file `report.json`, and the tables by their names in its folder; none if it is short.
    """
    files: dict[str, bytes] = {}
    short = dict(content)
    if "comparisons" in content:
        parts = [_without_matrices(part, number, files) for number, part in enumerate(content["comparisons"], start=1)]
        short["comparisons"] = parts
    if "verdict" in content:
        verdicts = [_without_claims(one, n, files) for n, one in enumerate(content["verdict"]["by_metric"], start=1)]
        short["verdict"] = {**content["verdict"], "by_metric": verdicts}
    return short, files


def put_back(content: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Read what is long into the content of a report.

    Parameters
    ----------
    content : mapping
        Of the file `report.json`.
    folder : Path
        The folder of the report.

    Returns
    -------
    dict
        As it was in memory when it was written.

    Raises
    ------
    ReadingError
        If a table is missing, or is not as reportkit writes it.
    """
    try:
        return _put_back(content, folder)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise ReadingError(
            "a file of this report was changed, and report.json and its tables do not go together",
            where=f"{type(error).__name__}: {error}",
            remedy="restore the files, or build the report again",
        ) from None


def _put_back(content: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    whole = dict(content)
    for name, parts, back in (
        ("comparisons", content.get("comparisons"), _with_matrices),
        ("verdict", content.get("verdict"), _with_claims),
    ):
        every = parts.get("by_metric") if name == "verdict" and isinstance(parts, dict) else parts
        if not isinstance(every, list) or not any(isinstance(one, dict) and _table_of(one) for one in every):
            continue
        filled = [back(one, folder) if _table_of(one) else one for one in every]
        whole[name] = {**content[name], "by_metric": filled} if name == "verdict" else filled
    return whole


def _table_of(part: Mapping[str, Any]) -> str | None:
    """Name of the table of a part, if it has one."""
    place = part.get("claims") if isinstance(part.get("claims"), dict) else part
    name = place.get(_TABLE) if isinstance(place, dict) else None
    return name if isinstance(name, str) else None


def _without_matrices(part: Mapping[str, Any], number: int, files: dict[str, bytes]) -> Mapping[str, Any]:
    pairs, datasets = part["pairs"], part["datasets"]
    shape = len(pairs), len(datasets)
    if shape[0] * shape[1] <= MOST_OUTCOMES:
        return part
    columns: dict[str, list[Any]] = {
        "system_a": [a for a, _ in pairs for _ in datasets],
        "system_b": [b for _, b in pairs for _ in datasets],
        "dataset": [*datasets] * shape[0],
    }

    def taken(value: Any, path: str) -> Any:
        if isinstance(value, dict):
            return {name: taken(one, f"{path}/{name}" if path else name) for name, one in value.items()}
        if isinstance(value, list) and len(value) == shape[0] and all(_is_row(row, shape[1]) for row in value):
            columns[path] = [one for row in value for one in row]
            return {_COLUMN: path}
        return value

    found = {name: taken(part[name], "" if name == "outcomes" else name) for name in _MATRICES}
    name = _file("outcomes", number)
    return {**part, _TABLE: name, **found} if _add(name, columns, files) else part


def _is_row(row: Any, length: int) -> bool:
    return isinstance(row, list) and len(row) == length


def _with_matrices(part: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    table = _read(folder, str(part[_TABLE]))
    length = len(part["datasets"])

    def back(value: Any) -> Any:
        if isinstance(value, dict) and value.keys() == {_COLUMN}:
            flat = table(value[_COLUMN])
            return [flat[start : start + length] for start in range(0, len(flat), length)]
        return {name: back(one) for name, one in value.items()} if isinstance(value, dict) else value

    return {name: back(value) if name in _MATRICES else value for name, value in part.items() if name != _TABLE}


def _without_claims(verdict: Mapping[str, Any], number: int, files: dict[str, bytes]) -> Mapping[str, Any]:
    claims = verdict["claims"]
    if len(claims) <= MOST_CLAIMS:
        return verdict
    name = _file("claims", number)
    columns = {field: [claim[field] for claim in claims] for field in claims[0]}
    return {**verdict, "claims": {_TABLE: name}} if _add(name, columns, files) else verdict


def _with_claims(verdict: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    import pyarrow.parquet

    name = verdict["claims"][_TABLE]
    return {**verdict, "claims": _of_file(folder, name, lambda file: pyarrow.parquet.read_table(file).to_pylist())}


def _file(name: str, number: int) -> str:
    """Of a metric: the first has the plain name."""
    return f"{_FOLDER}/{name}.parquet" if number == 1 else f"{_FOLDER}/{name}-metric-{number}.parquet"


def _add(name: str, columns: Mapping[str, list[Any]], files: dict[str, bytes]) -> bool:
    """Write a table; not one with half of a surrogate pair in a name, which JSON knows and Parquet does not."""
    import pyarrow as pa
    import pyarrow.parquet

    to = io.BytesIO()
    try:
        pyarrow.parquet.write_table(pa.table(dict(columns)), to, compression="zstd")
    except UnicodeEncodeError:
        return False
    files[name] = to.getvalue()
    return True


def _read(folder: Path, name: str) -> Callable[[str], list[Any]]:
    import pyarrow.parquet

    table = _of_file(folder, name, pyarrow.parquet.read_table)

    def column(path: str) -> list[Any]:
        if path not in table.column_names:
            raise ReadingError(f"{name} has no column {path!r}", remedy="restore the file, or build the report again")
        values: list[Any] = table.column(path).to_pylist()
        return values

    return column


def _of_file(folder: Path, name: str, read: Callable[[Path], Any]) -> Any:
    import pyarrow as pa

    file = folder / name
    if Path(name).is_absolute() or ".." in Path(name).parts or not file.is_file():
        raise ReadingError(
            f"{name} is missing, which holds the outcomes of this report",
            where=str(folder),
            remedy="name the folder that `reportkit build` wrote, with all files in it, or build the report again",
        )
    try:
        return read(file)
    except (OSError, pa.ArrowException) as error:
        raise ReadingError(
            f"{str(file)!r} cannot be read: {error}", remedy="restore the file, or build the report again"
        ) from None
