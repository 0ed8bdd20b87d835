"""What is read at once: the rows of some datasets, wherever they lie in files of Parquet."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from reportkit.errors import ReadingError
from reportkit.readers.categorical import is_text
from reportkit.readers.parquet import DAMAGED, series_of

_FOOTERS_AT_ONCE = 16

_MANY_ROWS = 500_000
"""Of a file, of which it is worth while to read its columns one by one."""

NAMELESS = ""
"""Stands for the dataset of rows that name none."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file, here or in an object store.

    Parameters
    ----------
    path : str
        As its file system writes it.
    filesystem : AbstractFileSystem of fsspec, optional
        None for a local file.
    keys : tuple of (str, str)
        Columns that the names of its folders or its own name hold, such as ("dataset", "cb").
    """

    path: str
    filesystem: Any = None
    keys: tuple[tuple[str, str], ...] = ()

    def opened(self) -> pyarrow.parquet.ParquetFile:
        """The file of Parquet, texts as dictionaries.

        Raises
        ------
        ReadingError
            If it is no file of Parquet, is damaged, or has vanished.
        """
        try:
            data = self.path if self.filesystem is None else self.filesystem.open(self.path, "rb")
            options = {"pre_buffer": self.filesystem is not None, "page_checksum_verification": True}
            file = pyarrow.parquet.ParquetFile(data, **options)
            texts = [field.name for field in file.schema_arrow if is_text(field.type)]
            if not texts:
                return file
            return pyarrow.parquet.ParquetFile(data, metadata=file.metadata, read_dictionary=texts, **options)
        except DAMAGED as error:
            raise self.unreadable(error) from None

    def unreadable(self, error: BaseException) -> ReadingError:
        """Return the error that says that this file cannot be read."""
        gone = isinstance(error, FileNotFoundError)
        return ReadingError(
            f"{self.path!r}, a part of the results, {'has vanished' if gone else 'cannot be read'}",
            where=" ".join(str(error).split())[:200],
            remedy="bring it back, or write it again; no report is written from the other parts alone",
        )


@dataclass(frozen=True, slots=True)
class Piece:
    """Some row groups of a file: their numbers, the datasets in them, and how many rows they have."""

    place: Place
    groups: tuple[int, ...]
    datasets: frozenset[str]
    n_rows: int


@dataclass(frozen=True, slots=True)
class ParquetUnit:
    """All rows of some datasets.

    Parameters
    ----------
    pieces : tuple of Piece
        Row groups that hold these datasets and no others.
    columns : tuple of str
        Which columns are read; those of `Place.keys` are added.
    """

    pieces: tuple[Piece, ...]
    columns: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        """Rows of all pieces."""
        return sum(piece.n_rows for piece in self.pieces)

    @property
    def datasets(self) -> frozenset[str]:
        """Datasets of all pieces."""
        return frozenset().union(*(piece.datasets for piece in self.pieces))

    def frame(self) -> pd.DataFrame:
        """Read the rows.

        Raises
        ------
        ReadingError
            If a part is damaged or has vanished; the message names it.
        """
        alone = self.n_rows > _MANY_ROWS * len(self.pieces)  # then a column is given back before the next one is read
        found: dict[str, Any] = {}
        for names in [(name,) for name in self.columns] if alone else [self.columns]:
            table = pa.concat_tables(replace(self, columns=names).tables(), promote_options="default")
            for name in table.column_names:
                found[name] = series_of(table[name])
                table = table.drop_columns([name])
        return pd.DataFrame(found, copy=False)

    def tables(self) -> list[pa.Table]:
        """Read the rows, file by file."""
        return [self._read(piece) for piece in self.pieces]

    def _read(self, piece: Piece) -> pa.Table:
        file = piece.place.opened()
        try:
            table = file.read_row_groups(list(piece.groups), columns=self._stored(piece))
            table.validate(full=True)
        except DAMAGED as error:
            raise piece.place.unreadable(error) from None
        return self._with_keys(piece, table)

    def _stored(self, piece: Piece) -> list[str]:
        keys = dict(piece.place.keys)
        return [name for name in self.columns if name not in keys]

    def _with_keys(self, piece: Piece, table: pa.Table) -> pa.Table:
        for name, value in piece.place.keys:
            if name in self.columns:
                codes = pa.repeat(pa.scalar(0, pa.int32()), table.num_rows)
                table = table.append_column(name, pa.DictionaryArray.from_arrays(codes, pa.array([value])))
        return table


def pieces_of(places: Sequence[Place], dataset: str) -> list[Piece]:
    """Find the datasets of all row groups: from their statistics, or where these do not tell, from the column itself.

    Parameters
    ----------
    places : sequence of Place
        All files.
    dataset : str
        Name of the column, or of the key, that holds datasets.
    """
    with ThreadPoolExecutor(_FOOTERS_AT_ONCE) as pool:
        return [piece for found in pool.map(lambda place: list(_pieces(place, dataset)), places) for piece in found]


def _pieces(place: Place, dataset: str) -> Iterable[Piece]:
    file = place.opened()
    known = dict(place.keys).get(dataset)
    if known is not None:
        if file.metadata.num_rows:
            groups = tuple(range(file.metadata.num_row_groups))
            yield Piece(place, groups, frozenset([known]), file.metadata.num_rows)
        return
    column = next(place for place in range(file.metadata.num_columns) if file.schema.column(place).path == dataset)
    by_datasets: dict[frozenset[str], list[int]] = {}
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        if not group.num_rows:
            continue
        stated = group.column(column).statistics
        if stated is not None and stated.has_min_max and stated.min == stated.max and not stated.null_count:
            names = frozenset([str(stated.min)])
        else:
            try:
                values = pc.unique(file.read_row_group(number, columns=[dataset])[dataset])
            except DAMAGED as error:
                raise place.unreadable(error) from None
            names = frozenset(NAMELESS if value is None else str(value) for value in values.to_pylist())
        by_datasets.setdefault(names, []).append(number)
    for names, numbers in by_datasets.items():
        n_rows = sum(file.metadata.row_group(number).num_rows for number in numbers)
        yield Piece(place, tuple(numbers), names, n_rows)


def units_of(pieces: Sequence[Piece], columns: Sequence[str], largest: int) -> list[ParquetUnit]:
    """Put pieces together that share a dataset, and small ones beside each other.

    Parameters
    ----------
    pieces : sequence of Piece
        Of all files.
    columns : sequence of str
        What is read of them.
    largest : int
        Rows up to which small units are read together.
    """
    unit_of: dict[str, int] = {}
    members: dict[int, list[Piece]] = {}
    names_of: dict[int, set[str]] = {}
    for number, piece in enumerate(pieces):
        joined = {unit_of[name] for name in piece.datasets if name in unit_of}
        into = min(joined, default=number)
        members.setdefault(into, []).append(piece)
        names_of.setdefault(into, set()).update(piece.datasets)
        for other in joined - {into}:
            members[into] += members.pop(other)
            names_of[into] |= names_of.pop(other)
        unit_of.update(dict.fromkeys(names_of[into], into))
    together: list[list[Piece]] = []
    room = 0
    for _, group in sorted(members.items(), key=lambda item: sorted(names_of[item[0]])):
        n_rows = sum(piece.n_rows for piece in group)
        if n_rows > room:
            together.append([])
            room = largest
        together[-1] += group
        room -= n_rows
    return [ParquetUnit(tuple(sorted(group, key=_order)), tuple(columns)) for group in together]


def _order(piece: Piece) -> tuple[str, tuple[int, ...]]:
    return os.fspath(piece.place.path), piece.groups
