"""Parquet: columns as they are stored; texts as categoricals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from reportkit.errors import ReadingError, ReportkitError
from reportkit.readers.categorical import categorical, is_text
from reportkit.readers.format import Format
from reportkit.readers.in_parts import frame_in_parts
from reportkit.readers.short_texts import LONGEST
from reportkit.readers.source import Source, give_back, largest_content
from reportkit.scores.table.columns import refuse_repeated_names

if TYPE_CHECKING:
    from pyarrow.parquet import FileMetaData, ParquetFile

DAMAGED = (pa.ArrowException, OSError, UnicodeError, OverflowError, IndexError, ValueError)
"""What Arrow raises, and what Python does of a schema that is not as it should be."""

_IN_PARTS = 1_000_000
"""Rows from which a file is read by row groups."""

_FEWEST_GROUPS = 4

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
        If it is not Parquet, is damaged, has no rows, or holds more than is read of a file.
    """
    from pyarrow.parquet import ParquetFile  # takes longer to load than most tables to read

    data = pa.BufferReader(source.read_all()) if source.compressed else str(source.path)
    try:
        file = ParquetFile(data)
        _refuse_too_large(source, file)
        coded = [field.name for field in file.schema_arrow if pa.types.is_dictionary(field.type)]
        plain = [field.name for field in file.schema_arrow if is_text(field.type) and field.name not in coded]
        if (frame := _in_parts(data, file.metadata, file.schema_arrow, plain)) is not None:
            return frame
        table = ParquetFile(data, read_dictionary=plain).read()
        table.validate(full=True)  # codes without a text, texts that are not UTF-8
    except DAMAGED as error:
        if isinstance(error, (ReadingError, MemoryError)):
            raise
        raise _unreadable(source, error) from None
    try:
        return frame_of_arrow(source, table)
    except DAMAGED as error:
        if isinstance(error, (ReportkitError, MemoryError)):
            raise
        raise _unreadable(source, error) from None


def _in_parts(
    data: str | pa.BufferReader, metadata: FileMetaData, schema: pa.Schema, plain: Sequence[str]
) -> pd.DataFrame | None:
    """The frame of many row groups; None if there are few, or something is wrong with them.

    Short texts that take more than the four bytes of a code are not stored as codes alone: looking them up is quicker
    than making a dictionary of each row group.
    """
    from pyarrow.parquet import ParquetFile

    names = without_unnamed_index(schema.names)
    n_groups = metadata.num_row_groups
    if metadata.num_rows < _IN_PARTS or n_groups < _FEWEST_GROUPS or len({*names}) < len(names) or not names:
        return None
    group = metadata.row_group(0)
    size = {group.column(k).path_in_schema: group.column(k).total_uncompressed_size for k in range(group.num_columns)}
    coded = [name for name in plain if not 4 < size.get(name, 0) / max(1, group.num_rows) <= 4 + LONGEST]

    def read(place: int) -> pa.Table:
        file = ParquetFile(data, metadata=metadata, read_dictionary=coded)
        table = file.read_row_group(place, use_threads=False).select(names)
        table.validate(full=True)
        return table

    parts = (partial(read, place) for place in range(n_groups))
    n_first = min(n_groups, 1 + _IN_PARTS // max(1, group.num_rows))
    try:
        return frame_in_parts(parts, n_first, n_groups, plain, lambda _, column: series_of(column))
    except DAMAGED:  # said of the whole file
        return None
    finally:
        give_back()


def frame_of_arrow(source: Source, table: pa.Table) -> pd.DataFrame:
    """The columns of a table of Arrow, without unnamed levels of an index.

    Raises
    ------
    ReadingError
        If it has no rows.
    ColumnError
        If two columns have the same name.
    """
    names = without_unnamed_index(table.column_names)
    refuse_repeated_names(names)
    if table.num_rows == 0:
        raise ReadingError(
            f"{source.name!r} has no rows",
            where="columns: " + ", ".join(map(repr, names[:20])),
            remedy="write one row per score",
        )
    return frame_of_table(table.select(names))


def without_unnamed_index(names: Sequence[str]) -> list[str]:
    """Names of columns but those that pandas gives to levels of an index that have none."""
    return [name for name in names if not _UNNAMED_INDEX.fullmatch(name)]


def frame_of_table(table: pa.Table) -> pd.DataFrame:
    """The columns of a table of Arrow, texts as categoricals."""
    return pd.DataFrame({name: series_of(table[name]) for name in table.column_names}, copy=False)


def _refuse_too_large(source: Source, file: ParquetFile) -> None:
    """A few bytes of Parquet may stand for any number of equal rows: ask how many before they are made."""
    found = file.metadata
    groups = (found.row_group(place) for place in range(found.num_row_groups))
    stored = sum(max(0, group.total_byte_size) for group in groups)
    size = max(stored, found.num_rows * sum(map(_bytes_of_a_cell, file.schema_arrow.types)))
    if size > (limit := largest_content()):
        raise source.too_large(limit, size)


def _bytes_of_a_cell(kind: pa.DataType) -> int:
    """In memory, at least: a code of a text has 4, what is not known counts as a number."""
    if is_text(kind):
        return 4
    return max(1, kind.bit_width // 8) if pa.types.is_primitive(kind) else 8


def _unreadable(source: Source, error: Exception) -> ReadingError:
    return ReadingError(
        f"{source.name!r} is not a Parquet file, or is damaged",
        where=" ".join(str(error).split())[:200],
        remedy="write it again: df.to_parquet(path); give other formats their own ending (.csv, .tsv, .jsonl)",
    )


def series_of(column: pa.ChunkedArray) -> Any:
    """A column of pandas; texts as categoricals."""
    if is_text(column.type):
        return categorical(column)
    if pa.types.is_integer(column.type) and column.null_count:
        return pd.Series(column.to_pandas(types_mapper=pd.ArrowDtype))  # as floats, ids would no longer be themselves
    return column.to_pandas()


PARQUET = Format(name="Parquet", endings=(".parquet",), read=read_parquet)
