"""A dataset on disk, as Parquet: a row for each instance, a column for each system."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from reportkit.errors import ReadingError
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import DatasetScores

_HEAD = b"reportkit"

_SCORES_AT_ONCE = 1 << 20


def write_block(block: Block, path: Path) -> None:
    """Write the scores of a dataset; what stands at the path is whole, whenever the process is stopped.

    Columns are numbered, for a system may be called "instance"; names and all else stand in the schema's metadata.
    """
    if type(block) is not DatasetScores:
        raise AssertionError(f"a {type(block).__name__} is not written to disk")
    columns = {"instance": pa.array(block.instances, type=pa.large_string())}
    if block.clusters is not None:
        columns["cluster"] = pa.array(block.clusters)
    if block.weights is not None:
        columns["weight"] = pa.array(block.weights)
    for place, row in enumerate(block.scores):
        columns[f"system {place}"] = pa.array(row)
    head = {
        "dataset": block.dataset,
        "metric": block.metric,
        "systems": block.systems,
        "kind": block.kind,
        "higher_is_better": block.higher_is_better,
        "cluster_names": block.cluster_names,
    }
    table = pa.table(columns).replace_schema_metadata({_HEAD: json.dumps(head)})
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    plain: dict[str, Any] = {"compression": "none", "use_dictionary": False, "write_statistics": False}  # half the time
    pyarrow.parquet.write_table(table, beside, write_page_checksum=True, **plain)
    beside.replace(path)


def read_block(path: Path, systems: Sequence[str] | None = None, *, ids: bool = True) -> DatasetScores:
    """Read what `write_block` wrote, bit for bit: all systems, or some, on all instances; their scores alone, or ids.

    Raises
    ------
    ReadingError
        If the file has vanished or is damaged.
    """
    try:
        with pyarrow.parquet.ParquetFile(path, page_checksum_verification=True) as file:
            head = json.loads(file.schema_arrow.metadata[_HEAD])
            places = [place for place, name in enumerate(head["systems"]) if systems is None or name in systems]
            beside = {"instance", "cluster", "weight"}.intersection(file.schema_arrow.names) if ids else ()
            table = file.read(columns=[*beside])
            scores = np.empty((len(places), file.metadata.num_rows))
            at_once = max(_SCORES_AT_ONCE // max(scores.shape[1], 1), 1)
            for start in range(0, len(places), at_once):
                some = [f"system {place}" for place in places[start : start + at_once]]
                for row, column in enumerate(file.read(columns=some).columns, start=start):
                    scores[row] = column.to_numpy()
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
        raise ReadingError(
            f"a dataset that was put aside cannot be read again: {str(path)!r}",
            where=" ".join(str(error).split())[:200],
            remedy="start again; keep the folder of temporary files as it is while the program runs",
        ) from None
    instances = np.empty(table.num_rows if ids else 0, dtype=object)
    if ids:
        instances[:] = table["instance"].to_pylist()
    scores.flags.writeable = False
    return DatasetScores(
        dataset=head["dataset"],
        metric=head["metric"],
        systems=tuple(head["systems"][place] for place in places),
        instances=instances,
        scores=scores,
        kind=head["kind"],
        higher_is_better=head["higher_is_better"],
        clusters=table["cluster"].to_numpy() if "cluster" in table.column_names else None,
        cluster_names=tuple(head["cluster_names"]),
        weights=table["weight"].to_numpy() if "weight" in table.column_names else None,
    )
