"""Tables that trackers and libraries write, as text: CSV, or JSON by rows or by columns."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import ReadingError
from reportkit.readers import json_content
from reportkit.readers.json_content import BROKEN, member_of, shown
from reportkit.readers.source import Source
from reportkit.scores.table.columns import refuse_repeated_names


def is_table(head: bytes, path: Path) -> bool:
    """Whether a file may hold a table: text, not binary."""
    return bool(head.strip()) and b"\x00" not in head


def table_of(source: Source) -> pd.DataFrame:
    """The rows of a table; cells of CSV are texts, "" where they are empty.

    Raises
    ------
    ReadingError
        If it is damaged or has no rows.
    """
    if source.plain_path.suffix.lower() == ".json":
        table = json_table(source, json_content.document(source))
    else:
        separator = "\t" if source.plain_path.suffix.lower() == ".tsv" else ","
        content = source.read_all()
        try:
            table = pd.read_csv(
                io.BytesIO(content), sep=separator, dtype=str, keep_default_na=False, encoding="utf-8-sig"
            )
        except (ValueError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
            raise ReadingError(
                f"{source.name!r} is no table", where=" ".join(str(error).split())[:200], remedy=BROKEN
            ) from None
        if not isinstance(table.index, pd.RangeIndex):
            raise ReadingError(f"{source.name!r} has more cells in a row than in its header", remedy=BROKEN)
        table = table.drop(columns=[name for name in table.columns[:1] if not name or name.startswith("Unnamed: ")])
    if not len(table):
        raise ReadingError(f"{source.name!r} has no rows", remedy=BROKEN)
    return table


def json_table(source: Source, document: Any) -> pd.DataFrame:
    """A table of JSON: a list of objects; `columns` and `data`; or columns of cells, as lists or by row number.

    Raises
    ------
    ReadingError
        If it is none of these.
    """
    if isinstance(document, list):
        rows = [member_of(source, row, dict, f"row {number:,}") for number, row in enumerate(document, start=1)]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return _table(source, names, [[row.get(name) for name in names] for row in rows])
    member_of(source, document, dict, "the whole file")
    if isinstance(document.get("columns"), list) and isinstance(document.get("data"), list):
        names = [str(name) for name in document["columns"]]
        return _table(source, names, document["data"])
    columns = {
        str(name): list(cells.values()) if isinstance(cells, dict) else cells for name, cells in document.items()
    }
    lengths = {len(cells) if isinstance(cells, list) else -1 for cells in columns.values()}
    if len(lengths) != 1 or -1 in lengths:
        raise ReadingError(
            f"{source.name!r} is no table",
            where=f"keys {', '.join(map(repr, list(columns)[:8]))}",
            remedy="write a list of objects, one per row: df.to_json(path, orient='records')",
        )
    return _table(source, list(columns), list(map(list, zip(*columns.values(), strict=True))))


def _table(source: Source, names: Sequence[str], rows: Sequence[Any]) -> pd.DataFrame:
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, list) or len(row) != len(names):
            raise ReadingError(
                f"a row of {source.name!r} does not have {len(names)} cells", where=f"row {number:,}", remedy=BROKEN
            )
    refuse_repeated_names(list(names))
    return pd.DataFrame(
        {name: pd.Series([row[place] for row in rows], dtype=object) for place, name in enumerate(names)},
        index=range(len(rows)),
    )


def cells(source: Source, table: pd.DataFrame, name: str) -> NDArray[np.float64]:
    """The numbers of a column; NaN where a cell is empty.

    Raises
    ------
    ReadingError
        If a cell holds something else.
    """
    values = np.full(len(table), np.nan)
    for place, cell in enumerate(table[name]):
        if cell is None or (isinstance(cell, str) and cell.strip().casefold() in ("", "nan", "null", "none")):
            continue
        try:
            values[place] = float(cell if isinstance(cell, (str, bool, int, float)) else "a list")
        except (ValueError, OverflowError):
            raise ReadingError(
                f"{source.name!r} holds {shown(cell)} in the column {name!r}", where=f"row {place + 1:,}", remedy=BROKEN
            ) from None
        if np.isinf(values[place]):
            raise ReadingError(
                f"{source.name!r} holds an infinite score in the column {name!r}",
                where=f"row {place + 1:,}",
                remedy=BROKEN,
            )
    return values
