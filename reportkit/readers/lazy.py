"""Frames and relations that are not in memory: their columns, their datasets, and some of both, by their own engine.

Each engine leaves columns and row groups that are not asked for where they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from reportkit.readers.parquet import frame_of_table, without_unnamed_index


class Lazy(Protocol):
    """What is asked of an engine."""

    def empty(self) -> pd.DataFrame:
        """All columns, and no row."""

    def counts(self, column: str) -> dict[Any, int]:
        """Rows of each value of a column, of which no other column is read."""

    def write(self, folder: Path, columns: Sequence[str], where: tuple[str, Sequence[Any]] | None) -> None:
        """Write some columns as Parquet: of all rows, or of those in which a column has one of some values."""


def lazy(source: object) -> Lazy | None:
    """A frame or relation that is not in memory; None for everything else."""
    package, _, _ = type(source).__module__.partition(".")
    name = type(source).__name__
    if package == "dask" and hasattr(source, "to_delayed"):
        return OfDask(source)
    if package == "polars" and name == "LazyFrame":
        return OfPolars(source)
    if package in ("duckdb", "_duckdb") and name == "DuckDBPyRelation":
        return OfDuckDB(source)
    if package == "pyarrow" and name in ("Dataset", "FileSystemDataset", "InMemoryDataset", "UnionDataset"):
        return OfArrow(source)
    return None


@dataclass(frozen=True, slots=True)
class OfDask:
    """A frame of Dask.

    Parameters
    ----------
    source : dask.dataframe.DataFrame
    computed : callable, optional
        From a sequence of Dask's graphs to what they come to; by default, as Dask chooses.
    """

    source: Any
    computed: Callable[[Sequence[Any]], Sequence[Any]] | None = None
    _counted: dict[str, Sequence[dict[Any, int]]] = field(default_factory=dict)

    def empty(self) -> pd.DataFrame:
        """See `Lazy`."""
        found: pd.DataFrame = self.source._meta
        return found

    def counts(self, column: str) -> dict[Any, int]:
        """See `Lazy`."""
        total: Counter[Any] = Counter()
        for counts in self._by_partition(column):
            total.update(counts)
        return dict(total)

    def _by_partition(self, column: str) -> Sequence[dict[Any, int]]:
        if column not in self._counted:
            dask: Any
            import dask

            alone = self.source[[column]].optimize(fuse=False)  # partitions keep their numbers
            parts = [dask.delayed(_counts)(part) for part in alone.to_delayed(optimize_graph=False)]
            found = dask.compute(parts)[0] if self.computed is None else self.computed(parts)
            self._counted[column] = found
        return self._counted[column]

    def some(self, columns: Sequence[str], where: tuple[str, Sequence[Any]] | None) -> Any:
        """Some columns of some rows; partitions that hold none of these are left alone."""
        if where is None:
            return self.source[list(columns)]
        name, values = where
        chosen = [
            number for number, counts in enumerate(self._by_partition(name)) if not counts.keys().isdisjoint(values)
        ]
        rows = self.source[list(columns)].partitions[chosen]
        return rows[rows[name].isin(list(values))]

    def write(self, folder: Path, columns: Sequence[str], where: tuple[str, Sequence[Any]] | None) -> None:
        """See `Lazy`."""
        rows = self.some(columns, where)
        if any(isinstance(dtype, pd.CategoricalDtype) for dtype in rows.dtypes):
            # Dask does not know the categories: each partition is written as the texts or numbers that it holds
            plain = rows.map_partitions(_without_categories, meta=_without_categories(rows._meta))
            plain.to_parquet(str(folder), write_index=False, schema=None)
        else:
            rows.to_parquet(str(folder), write_index=False)


def _without_categories(rows: pd.DataFrame) -> pd.DataFrame:
    coded = {name: of.cat.categories.dtype for name, of in rows.items() if isinstance(of.dtype, pd.CategoricalDtype)}
    return rows.astype(coded)


def _counts(rows: pd.DataFrame) -> dict[Any, int]:
    found = rows.iloc[:, 0].value_counts()
    return {name: n for name, n in zip(found.index.tolist(), found.tolist(), strict=True) if n}


@dataclass(frozen=True, slots=True)
class OfPolars:
    """A lazy frame of polars."""

    source: Any

    def empty(self) -> pd.DataFrame:
        """See `Lazy`."""
        return frame_of_table(self.source.clear().collect().to_arrow())

    def counts(self, column: str) -> dict[Any, int]:
        """See `Lazy`."""
        return dict(self.source.group_by(column).len().collect().iter_rows())

    def write(self, folder: Path, columns: Sequence[str], where: tuple[str, Sequence[Any]] | None) -> None:
        """See `Lazy`."""
        import polars

        kept = self.source if where is None else self.source.filter(polars.col(where[0]).is_in(list(where[1])))
        folder.mkdir()
        kept.select(list(columns)).sink_parquet(folder / "part.parquet")


@dataclass(frozen=True, slots=True)
class OfDuckDB:
    """A relation of DuckDB."""

    source: Any

    def empty(self) -> pd.DataFrame:
        """See `Lazy`."""
        return frame_of_table(self.source.limit(0).to_arrow_table())

    def counts(self, column: str) -> dict[Any, int]:
        """See `Lazy`."""
        return dict(self.source.aggregate(f"{_quoted(column)}, count(*)").fetchall())

    def write(self, folder: Path, columns: Sequence[str], where: tuple[str, Sequence[Any]] | None) -> None:
        """See `Lazy`."""
        import duckdb

        kept = self.source
        if where is not None:
            values = [duckdb.ConstantExpression(value) for value in where[1]]
            kept = kept.filter(duckdb.ColumnExpression(where[0]).isin(*values))
        folder.mkdir()
        kept.project(", ".join(map(_quoted, columns))).write_parquet(str(folder / "part.parquet"))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class OfArrow:
    """A dataset of Arrow, as a whole or filtered."""

    source: Any

    _at_once: ClassVar[int] = 1 << 20

    def empty(self) -> pd.DataFrame:
        """See `Lazy`."""
        table = self.source.schema.empty_table()
        return frame_of_table(table.select(without_unnamed_index(table.column_names)))

    def counts(self, column: str) -> dict[Any, int]:
        """See `Lazy`."""
        found: dict[Any, int] = {}
        for batch in self.source.to_batches(columns=[column], batch_size=self._at_once):
            for item in pc.value_counts(batch.column(0)).to_pylist():
                found[item["values"]] = found.get(item["values"], 0) + item["counts"]
        return found

    def write(self, folder: Path, columns: Sequence[str], where: tuple[str, Sequence[Any]] | None) -> None:
        """See `Lazy`."""
        from pyarrow.dataset import write_dataset

        kept = self.source if where is None else self.source.filter(pc.field(where[0]).isin(pa.array(where[1])))
        write_dataset(kept.scanner(columns=list(columns)), folder, format="parquet")
