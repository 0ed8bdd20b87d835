"""Parquet: columns as they are stored; texts as categoricals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet

from reportkit.errors import ReadingError
from reportkit.readers.categorical import categorical, is_text
from reportkit.readers.source import Source
from reportkit.results.columns import refuse_repeated_names

_UNNAMED_INDEX = re.compile(r"__index_level_\d+__")


def read_parquet(
    source: Source,
    columns: Mapping[str, str] | None = None,
    systems: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Read a Parquet file; a named index of pandas becomes columns. Types are those of the file, whatever the roles.

    Raises
    ------
    ReadingError
        If it is not Parquet, is damaged, or has no rows.
    """
    try:
        data = pa.BufferReader(source.read_all()) if source.compressed else str(source.path)
        file = pyarrow.parquet.ParquetFile(data)
        coded = [field.name for field in file.schema_arrow if pa.types.is_dictionary(field.type)]
        plain = [field.name for field in file.schema_arrow if is_text(field.type) and field.name not in coded]
        table = pyarrow.parquet.ParquetFile(data, read_dictionary=plain).read()
    except (pa.ArrowException, OSError) as error:
        raise ReadingError(
            f"{source.name!r} is not a Parquet file, or is damaged",
            where=" ".join(str(error).split())[:200],
            remedy="write it again: df.to_parquet(path); give other formats their own ending (.csv, .tsv, .jsonl)",
        ) from None
    names = [name for name in table.column_names if not _UNNAMED_INDEX.fullmatch(name)]
    refuse_repeated_names(names)
    if table.num_rows == 0:
        raise ReadingError(
            f"{source.name!r} has no rows",
            where="columns: " + ", ".join(map(repr, names[:20])),
            remedy="write one row per score",
        )
    return pd.DataFrame({name: _series(table[name]) for name in names}, copy=False)


def _series(column: pa.ChunkedArray) -> Any:
    if is_text(column.type):
        return categorical(column)
    if pa.types.is_integer(column.type) and column.null_count:
        return pd.Series(column.to_pandas(types_mapper=pd.ArrowDtype))  # as floats, ids would no longer be themselves
    return column.to_pandas()
