"""Open tables that need not fit into memory, Parquet or CSV, and read them dataset by dataset."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet

from reportkit.errors import ReadingError
from reportkit.scores.files import files_of
from reportkit.scores.ingest import NotInPartsError
from reportkit.scores.remote import copied, files_at, filesystem_of, is_url
from reportkit.scores.tables import is_key

PARQUET = (".parquet", ".pq")
DELIMITERS = {".csv": ",", ".tsv": "\t"}
DAMAGED = (pa.ArrowException, OSError, UnicodeError, OverflowError, IndexError, ValueError)
"""What Arrow raises, and what Python does of a schema that is not as it should be."""

_SAMPLED_GROUPS, _SAMPLED_ROWS = 64, 2_000


@dataclass(frozen=True, slots=True)
class Unit:
    """Row groups that hold all rows of some datasets, and no others.

    Parameters
    ----------
    pieces : tuple of ParquetFileFragment
    schema : Schema
        Of the columns that are read, with those that folders name.
    datasets : tuple of str
    n_rows : int
    """

    pieces: tuple[Any, ...]
    schema: pa.Schema
    datasets: tuple[str, ...]
    n_rows: int

    def frame(self) -> pd.DataFrame:
        """Read the rows.

        Raises
        ------
        ReadingError
            If a part is damaged or has vanished; the message names it.
        """
        return _frame(pa.concat_tables([_rows_of(piece, self.schema) for piece in self.pieces]))


class LargeTable:
    """Files of Parquet with the same columns; folders named `task=cb` name a column.

    Parameters
    ----------
    paths : sequence of str
    filesystem : AbstractFileSystem of fsspec, optional
        None for local files.

    Raises
    ------
    NotInPartsError
        If the files differ in their columns.
    ReadingError
        If one is damaged.
    """

    def __init__(self, paths: Sequence[str], filesystem: Any = None) -> None:
        keys = [[part.partition("=")[0] for part in Path(path).parent.parts if "=" in part] for path in paths]
        options = pyarrow.dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
        form = pyarrow.dataset.ParquetFileFormat(default_fragment_scan_options=options)
        folders = pa.schema([(name, pa.string()) for name in dict.fromkeys(keys[0])])
        hive = pyarrow.dataset.partitioning(folders, flavor="hive")
        if len({frozenset(own) for own in keys}) > 1:
            raise NotInPartsError("folders are named in several ways")
        self._paths = paths
        schemas = set()
        try:
            self._rows = pyarrow.dataset.dataset(list(paths), filesystem=filesystem, format=form, partitioning=hive)
        except DAMAGED as error:
            raise _unreadable(paths[0], error) from None
        for piece in self._rows.get_fragments():
            try:
                schemas.add(piece.physical_schema.remove_metadata())
            except DAMAGED as error:
                raise _unreadable(piece.path, error) from None
        if len(schemas) > 1:
            raise NotInPartsError("the columns of the files differ")
        self._folders = folders.names

    @property
    def names(self) -> list[str]:
        """Columns, with those that folders name."""
        return list(self._rows.schema.names)

    @property
    def n_rows(self) -> int:
        """Rows of all files."""
        return int(self._rows.count_rows())

    def sample(self) -> pd.DataFrame:
        """Read blocks of rows from all over the files, which show what the columns hold."""
        groups = [group for piece in self._rows.get_fragments() for group in piece.split_by_row_group()]
        chosen = groups[:: max(1, len(groups) // _SAMPLED_GROUPS)][:_SAMPLED_GROUPS]
        schema = self._rows.schema
        blocks = []
        for piece in chosen:
            try:
                scanner = pyarrow.dataset.Scanner.from_fragment(piece, schema=schema)
                blocks.append(scanner.head(_SAMPLED_ROWS))
            except DAMAGED as error:
                raise _unreadable(piece.path, error) from None
        return _frame(pa.concat_tables(blocks))

    def units(self, columns: Sequence[str], dataset: str, small: int) -> list[Unit]:
        """Put the rows of datasets together.

        Parameters
        ----------
        columns : sequence of str
            What is read.
        dataset : str
            The column of datasets.
        small : int
            Rows up to which datasets are read together.

        Returns
        -------
        list of Unit
            None of them where a row group holds several datasets.
        """
        schema = pa.schema([self._rows.schema.field(name) for name in columns])
        groups: dict[str, list[Any]] = {}
        for piece in self._rows.get_fragments():
            for group in piece.split_by_row_group():
                name = self._named(group, dataset)
                if name is None:
                    return []
                groups.setdefault(name, []).append(group)
        units: list[Unit] = []
        for name in sorted(groups):
            n_rows = sum(piece.count_rows() for piece in groups[name])
            one = Unit(tuple(groups[name]), schema, (name,), n_rows)
            if units and units[-1].n_rows + n_rows <= small:
                last = units.pop()
                one = Unit(last.pieces + one.pieces, schema, (*last.datasets, name), last.n_rows + n_rows)
            units.append(one)
        return units

    def _named(self, group: Any, dataset: str) -> str | None:
        """Return the one dataset of a row group; None where it may hold several."""
        if dataset in self._folders:
            return str(pyarrow.dataset.get_partition_keys(group.partition_expression)[dataset])
        metadata = group.metadata.row_group(group.row_groups[0].id)
        at = [metadata.column(k).path_in_schema for k in range(metadata.num_columns)].index(dataset)
        found = metadata.column(at).statistics
        # texts are cut off in statistics of some writers, and a null stands in none
        if found is None or not found.has_min_max or found.min != found.max or found.null_count:
            return None
        return str(found.min) if len(str(found.min)) < 64 else None

    def by_dataset(self, columns: Sequence[str], dataset: str, folder: Path) -> LargeTable:
        """Write the rows anew, one folder per dataset."""
        folders = pyarrow.dataset.partitioning(pa.schema([(dataset, pa.string())]), flavor="hive")
        names = {name: pyarrow.dataset.field(name) for name in columns}
        names[dataset] = names[dataset].cast(pa.string())
        try:
            pyarrow.dataset.write_dataset(
                self._rows.scanner(columns=names, use_threads=False),
                folder,
                format="parquet",
                partitioning=folders,
                use_threads=False,  # keeps the order of rows
                max_partitions=100_000,
            )
        except DAMAGED as error:
            raise _unreadable(self._paths[0], error) from None
        return LargeTable([str(path) for path in sorted(folder.rglob("*.parquet"))])


def large_table(paths: Sequence[str | Path], scratch: Path) -> LargeTable | None:
    """Open files, folders, patterns or URLs of Parquet, CSV or TSV; None where there are others.

    Parameters
    ----------
    paths : sequence of str or Path
    scratch : Path
        Folder for files of Parquet into which CSV is written.

    Raises
    ------
    ReadingError
        If there is nothing at a path, or a file is damaged.
    """
    if any(map(is_url, paths)):
        places = [(*filesystem_of(str(url)), str(url)) for url in paths]
        there = [path for filesystem, root, url in places for path in files_at(filesystem, root, url)]
        stores = all(
            "http" not in str(url).partition(":")[0] for url in paths
        )  # web servers may not send parts of files
        if stores and all(path.lower().endswith(PARQUET) for path in there):
            return LargeTable(there, places[0][0])
        paths = copied([str(url) for url in paths], scratch / "copied")
    found = [str(file.path) for file in files_of(paths)[0]]
    if not all(map(os.path.isfile, found)):  # of archives, or compressed
        return None
    if all(path.lower().endswith(PARQUET) for path in found):
        return LargeTable(found)
    ending = Path(found[0]).suffix.lower()
    if ending not in DELIMITERS or not all(path.lower().endswith(ending) for path in found):
        return None
    return _of_text(found, DELIMITERS[ending], scratch)


def _of_text(paths: Sequence[str], delimiter: str, scratch: Path) -> LargeTable:
    """Write delimited text as Parquet, in streams; names and ids are texts.

    Raises
    ------
    NotInPartsError
        If a column begins with numbers and goes on with words, or files differ in their columns.
    """
    from pyarrow import csv

    made = []
    parse = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    for number, path in enumerate(paths):
        folders = [part for part in Path(path).parent.parts if "=" in part]
        target = scratch.joinpath(str(number), *folders, f"{Path(path).stem}.parquet")
        target.parent.mkdir(parents=True)
        try:
            names = csv.open_csv(path, parse_options=parse).schema.names
            texts = {name: pa.dictionary(pa.int32(), pa.string()) for name in names if is_key(name)}
            rows = csv.open_csv(path, parse_options=parse, convert_options=csv.ConvertOptions(column_types=texts))
            with pyarrow.parquet.ParquetWriter(target, rows.schema) as writer:
                for batch in rows:
                    writer.write_batch(batch)
        except pa.ArrowInvalid as error:
            raise NotInPartsError(" ".join(str(error).split())[:200]) from None
        made.append(str(target))
    return LargeTable(made)


def _rows_of(piece: Any, schema: pa.Schema) -> pa.Table:
    try:
        table = piece.to_table(schema=schema)
        table.validate(full=True)
    except DAMAGED as error:
        raise _unreadable(piece.path, error) from None
    return table


def _frame(table: pa.Table) -> pd.DataFrame:
    """Make a frame, texts as categories."""
    for at, field in enumerate(table.schema):
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type):
            table = table.set_column(at, field.name, table[at].dictionary_encode())
    frame: pd.DataFrame = table.unify_dictionaries().to_pandas(split_blocks=True, self_destruct=True)
    return frame


def _unreadable(path: str, error: BaseException) -> ReadingError:
    gone = isinstance(error, FileNotFoundError)
    return ReadingError(
        f"{path!r}, a part of the results, {'has vanished' if gone else 'cannot be read'}",
        where=" ".join(str(error).split())[:200],
        remedy="bring it back, or write it again; no report is written from the other parts alone",
    )


__all__ = ["LargeTable", "Unit", "large_table"]
