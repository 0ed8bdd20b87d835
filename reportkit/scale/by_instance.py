"""The rows of a dataset that is too large to be read as a whole, brought together by instance: by Dask, or by Arrow."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from reportkit.readers.categorical import is_text
from reportkit.readers.parquet import frame_of_table
from reportkit.scale.divided import as_one, check_room
from reportkit.scale.holders import DataHolder
from reportkit.scale.ingest_unit import Unit
from reportkit.scale.on_dask import OnDask, RowsOnWorkers
from reportkit.scale.units import ParquetUnit, Place, pieces_of
from reportkit.scores.held import HeldBlock
from reportkit.scores.ingest import IngestedPart, NotInPartsError
from reportkit.scores.shapes.block import Block

_ROWS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class Division:
    """Units that hold the instances of one dataset.

    Parameters
    ----------
    units : range
        Their numbers.
    source : str
        Name of the whole, for messages.
    """

    units: range
    source: str

    def together(self, parts: dict[int, IngestedPart], holder: DataHolder, memory: int) -> dict[int, IngestedPart]:
        """The parts of these units, by number; the first has the whole dataset, the others have none.

        Raises
        ------
        NotInPartsError
            If the rows have to be read together.
        ReadingError
            If there is no memory for the scores of two systems.
        """
        numbers = [number for number in self.units if number in parts]
        by_metric: dict[str, list[Block]] = {}
        for number in numbers:
            if parts[number].shape != "paired":
                raise NotInPartsError("they are not one score per system and instance")
            for block in parts[number].blocks:
                by_metric.setdefault(block.metric, []).append(block)
        whole = []
        for blocks in by_metric.values():
            held = cast("list[HeldBlock]", blocks)
            whole.append(as_one(holder, f"whole-{held[0].key}", held, memory, self.source))
        return {
            number: replace(parts[number], blocks=tuple(whole) if number == numbers[0] else ()) for number in numbers
        }


def by_instance(
    unit: ParquetUnit, name: str, roles: Mapping[str, str], largest: int, holder: DataHolder
) -> Sequence[Unit]:
    """Units of about half the rows that may be read at once, each with all rows of its instances.

    Parameters
    ----------
    unit : ParquetUnit
        All rows of one dataset.
    name : str
        A name for it in the folder of the holder.
    roles : mapping of str to str
        Names of the columns.
    largest : int
        Rows that may be read at once.
    holder : DataHolder
        Dask shuffles where it is there; else Arrow writes the rows to files by a hash of the instance.

    Raises
    ------
    NotInPartsError
        If there is no column of instances.
    """
    if "instance" not in roles:
        raise NotInPartsError("no column names the instances")
    n_parts = n_parts_of(unit.n_rows, largest)
    if isinstance(holder, OnDask):
        return _shuffled(unit, roles["instance"], n_parts, holder)
    target = holder.scratch / name
    at_once = min(_ROWS_AT_ONCE, max(largest // 8, 1))  # in several copies
    alone = [replace(unit, pieces=(piece,)) for piece in unit.pieces]
    for _ in holder.run(_spill, [(one, roles["instance"], n_parts, at_once, target, n) for n, one in enumerate(alone)]):
        pass
    files = [[Place(str(path)) for path in sorted(folder.iterdir())] for folder in sorted(target.iterdir())]
    return [ParquetUnit(tuple(pieces_of(places, roles["dataset"])), unit.columns) for places in files]


def check_instances(unit: ParquetUnit, roles: Mapping[str, str], memory: int, source: str, holder: DataHolder) -> None:
    """Raise ReadingError, before anything is divided, if there is no memory for the scores of two systems.

    There are at least as many instances as rows for each system and metric; of the rows, only these columns are read.

    Parameters
    ----------
    unit : ParquetUnit
        All rows of one dataset.
    roles : mapping of str to str
        Names of the columns.
    memory : int
        Bytes that one worker may use.
    source : str
        Name of the whole, for messages.
    holder : DataHolder
        Says how many share the memory.
    """
    names = tuple(roles[role] for role in ("system", "metric") if role in roles)
    found: dict[str, set[Any]] = {name: set() for name in names}
    for table in replace(unit, columns=names).batches(_ROWS_AT_ONCE) if names else ():
        for name in names:
            found[name].update(pc.unique(table[name]).to_pylist())
    n_instances = -(-unit.n_rows // math.prod(len(values) for values in found.values()))
    check_room(", ".join(sorted(unit.datasets)), n_instances, memory, source, holder.workers)


def n_parts_of(n_rows: int, largest: int) -> int:
    """Into how many parts rows are divided, so that each is about half of what may be read at once."""
    return -(-2 * n_rows // largest)


def _spill(unit: ParquetUnit, instance: str, n_parts: int, at_once: int, target: Path, number: int) -> None:
    """Write rows to a folder for each part, by a hash of the instance that is the same in every process."""
    with ExitStack() as stack:
        writers: dict[int, pyarrow.parquet.ParquetWriter] = {}
        for table in unit.batches(at_once):
            ids = frame_of_table(table.select([instance]))[instance]
            parts = (pd.util.hash_pandas_object(ids, index=False).to_numpy() % np.uint64(n_parts)).astype(np.int64)
            plain = _plain(table.select(unit.columns)).take(pa.array(np.argsort(parts, kind="stable")))
            ends = np.cumsum(np.bincount(parts, minlength=n_parts))
            for part in np.unique(parts).tolist():
                if part not in writers:
                    folder = target / f"{part:06}"
                    folder.mkdir(parents=True, exist_ok=True)
                    file = pyarrow.parquet.ParquetWriter(folder / f"{number}.parquet", plain.schema)
                    writers[part] = stack.enter_context(file)
                start = int(ends[part - 1]) if part else 0
                writers[part].write_table(plain.slice(start, int(ends[part]) - start))
    pa.default_memory_pool().release_unused()  # what the writers held of all parts


def _plain(table: pa.Table) -> pa.Table:
    """Texts without dictionaries, of which each file has its own."""
    kinds = [(field.name, pa.large_string() if is_text(field.type) else field.type) for field in table.schema]
    return table.cast(pa.schema(kinds))


def _shuffled(unit: ParquetUnit, instance: str, n_parts: int, holder: OnDask) -> list[RowsOnWorkers]:
    """Rows brought together by Dask's shuffle; one row group is read at once."""
    dd: Any
    import dask.dataframe as dd

    alone = [
        replace(unit, pieces=(replace(piece, groups=(group,)),)) for piece in unit.pieces for group in piece.groups
    ]
    empty = next(alone[0].batches(1)).slice(0, 0)
    frame = dd.from_map(_frame, alone, meta=_plain(empty.select(unit.columns)).to_pandas())
    return shuffled(frame, instance, n_parts, holder, unit.name)


def shuffled(frame: Any, on: str, n_parts: int, holder: OnDask, name: str) -> list[RowsOnWorkers]:
    """Rows of a frame of Dask that have the same value in a column, brought together by Dask's shuffle."""
    with holder.client.as_current():
        parts = frame.shuffle(on=on, npartitions=n_parts, shuffle_method="p2p").to_delayed()
        return [RowsOnWorkers(rows, name) for rows in holder.client.compute(parts)]


def _frame(unit: ParquetUnit) -> pd.DataFrame:
    table = pa.concat_tables(unit.tables(), promote_options="default")
    return cast("pd.DataFrame", _plain(table.select(unit.columns)).to_pandas())
