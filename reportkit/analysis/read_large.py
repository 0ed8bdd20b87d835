"""Read tables dataset by dataset, where they exceed memory or the user asks for it."""

from __future__ import annotations

import dataclasses
import math
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
from pyarrow import csv

from reportkit.analysis.read_results import asked_of
from reportkit.errors import ReadingError, ReportkitError, UnknownNameError
from reportkit.language import listed
from reportkit.parallel import WorkerLostError, Workers, available_memory, bytes_of, parallel_map
from reportkit.scores.building import laid_out
from reportkit.scores.checks import judged, with_unused
from reportkit.scores.codes import natural_key
from reportkit.scores.files import LARGE, bytes_of_files, copied, files_at, files_of, is_url
from reportkit.scores.questions import Request, Roles
from reportkit.scores.reading import understood_table
from reportkit.scores.refusals import refusal
from reportkit.scores.scores import Results
from reportkit.scores.tables import is_key, texts_of
from reportkit.settings import Settings

BYTES_OF_A_ROW = 60
"""Memory of a row of the long form while it is laid out, in bytes."""
_SAMPLED_GROUPS, _SAMPLED_ROWS = 64, 2_000


_DAMAGED = (pa.ArrowException, OSError, UnicodeError)


class NotInPartsError(Exception):
    """The rows have to be read together."""


def read_large(
    paths: Sequence[str | Path],
    settings: Settings,
    request: Request,
    *,
    workers: Workers | None = None,
    memory_limit: str | float | None = None,
) -> Results | None:
    """Read results dataset by dataset where the user or their size asks for it; None where they are small.

    Parameters
    ----------
    paths : sequence of str or Path
        Files, folders, patterns or URLs.
    settings, request
        As for `read_results`.
    workers : Workers, optional
        Processes that read; this one alone, if not given.
    memory_limit : str or float, optional
        Of all processes; where it is given, small results are read in parts, too.

    Raises
    ------
    ReportkitError
        If results cannot be read, or have to be read together and there is no memory for that.
    """
    number, memory = (1, available_memory() // 2) if workers is None else (workers.number, workers.memory)
    memory = (memory if memory_limit is None else bytes_of(memory_limit) // number) // 2  # the other half is for work
    remote = any(map(is_url, paths))
    if remote and not all(map(is_url, paths)):
        raise refusal("mixed-places", paths=listed([str(path) for path in paths], 4))
    with tempfile.TemporaryDirectory(prefix="reportkit-") as folder:
        reason, size = "they are not tables of Parquet or CSV", 0.0 if remote else 3.0 * bytes_of_files(paths)
        problem: ReportkitError | None = None
        try:
            table = _opened(paths, Path(folder))
            if table is not None:
                size = float(table.count_rows() * BYTES_OF_A_ROW)
                if not (remote or memory_limit is not None or size > LARGE):
                    return None
                source = listed([Path(str(one)).name if remote else Path(one).resolve().name for one in paths], 3)
                return _by_dataset(table, request, settings, source, workers, number, memory)
        except NotInPartsError as error:
            reason = str(error)
        except _DAMAGED as error:
            raise _unreadable("a part of the results", error) from None
        except (ReadingError, WorkerLostError, UnknownNameError):
            raise
        except ReportkitError as error:  # if memory allows, all rows are read for a better message
            problem, reason = error, error.problem
        if size > memory:
            raise problem or refusal("together", reason=reason, size=size / 1e9, memory=memory / 1e9)
        return None


def _opened(paths: Sequence[str | Path], scratch: Path) -> pads.Dataset | None:
    """Open files of Parquet in place, and CSV as Parquet that is written from it; None of other files.

    Raises
    ------
    NotInPartsError
        If the columns of the files differ, or a column begins with numbers and goes on with words.
    """
    filesystem: Any = None
    if any(map(is_url, paths)):
        stores = [files_at(str(url)) for url in paths]
        found, filesystem = [path for _, _, names in stores for path in names], stores[0][0]
        # web servers may not send parts of files
        if any(str(url).startswith("http") for url in paths) or not all(
            one.lower().endswith(".parquet") for one in found
        ):
            filesystem, paths = None, copied([str(url) for url in paths], scratch / "copied")
    if filesystem is None:
        files = [file.path for file in files_of(paths)[0]]
        if not all(path.is_file() for path in files):  # in archives, or compressed
            return None
        found = list(map(str, files))
    ending = {Path(path).suffix.lower() for path in found}
    if ending not in ({".parquet"}, {".csv"}, {".tsv"}):
        return None
    keys = {tuple(part.partition("=")[0] for part in Path(path).parent.parts if "=" in part) for path in found}
    if len(keys) > 1:
        raise NotInPartsError("folders are named in several ways")
    folders = pads.partitioning(pa.schema([(name, pa.string()) for name in max(keys)]), flavor="hive")
    if ending == {".parquet"}:
        coded = pads.ParquetFileFormat(dictionary_columns=texts_of(pq.read_schema(found[0], filesystem=filesystem)))
        table = pads.dataset(found, filesystem=filesystem, format=coded, partitioning=folders)
        if len({piece.physical_schema.remove_metadata() for piece in table.get_fragments()}) > 1:
            raise NotInPartsError("the columns of the files differ")
        return table
    parse = csv.ParseOptions(delimiter="," if ending == {".csv"} else "\t", newlines_in_values=True)
    try:
        names = csv.open_csv(found[0], parse_options=parse).schema.names
        texts = csv.ConvertOptions(column_types={name: pa.string() for name in names if is_key(name)})
        rows = pads.dataset(found, format=pads.CsvFileFormat(parse, convert_options=texts), partitioning=folders)
        pads.write_dataset(rows, scratch / "parquet", format="parquet", max_rows_per_group=1 << 17)
    except pa.ArrowInvalid as error:
        raise NotInPartsError(" ".join(str(error).split())[:200]) from None
    return pads.dataset(scratch / "parquet", format="parquet")


def _by_dataset(
    table: pads.Dataset,
    request: Request,
    settings: Settings,
    source: str,
    workers: Workers | None,
    number: int,
    memory: int,
) -> Results:
    """Read one dataset at a time, with the same results as if all rows had been read together.

    Raises
    ------
    NotInPartsError
        If the rows have to be read together.
    ReadingError
        If there is no memory for a dataset; the message names it.
    """
    reading, roles = understood_table(_sample(table), request)
    if roles.form not in ("long", "wide") or roles.row_order or "dataset" not in roles.roles or reading.computed:
        raise NotInPartsError("they are not one score per system, dataset and instance")
    if reading.findings:
        raise NotInPartsError(reading.findings[0].message)
    dataset = roles.roles["dataset"]
    sizes: Counter[str | None] = Counter()
    groups: dict[str | None, list[pads.Fragment]] = {}
    for group in chain.from_iterable(piece.split_by_row_group() for piece in table.get_fragments()):
        for pair in group.to_table(schema=table.schema, columns=[dataset]).column(0).value_counts().tolist():
            sizes[pair["values"]] += pair["counts"]
            groups.setdefault(pair["values"], []).append(group)
    if not all(isinstance(name, str) for name in sizes):
        raise NotInPartsError("datasets are named by numbers, or not at all")
    every = sorted({str(name) for name in sizes}, key=natural_key)
    wanted = every if settings.datasets is None else list(settings.datasets)
    for name in wanted:
        if name not in sizes:
            raise UnknownNameError("dataset", name, every)
        each = BYTES_OF_A_ROW * max(1, len(roles.columns))
        if sizes[name] * each > memory:
            _refuse_too_large(name, sizes[name], each, number, memory, source)
    columns = dict.fromkeys([*roles.roles.values(), *roles.columns, *roles.metrics])
    kept = [name for name in columns if name in table.schema.names]
    silent = dataclasses.replace(request, progress=Request().progress)  # a progress bar cannot go to another process
    given = (table.schema, kept, roles, silent, settings, source)
    parts: list[Results] = []
    for part in parallel_map(part_of_dataset, [(name, sizes[name], groups[name], *given) for name in wanted], workers):
        parts.append(part)
        request.progress(len(parts), len(wanted))
    blocks = sorted(
        (block for part in parts for block in part), key=lambda one: (natural_key(one.metric), natural_key(one.dataset))
    )
    whole = dataclasses.replace(parts[0], datasets=tuple(blocks), named_datasets=tuple(every))
    results = judged(whole, asked_of(reading, settings, source), mixed_scales=settings.mixed_scales)
    results = results.select(datasets=settings.datasets)
    dropped = [reading.columns[role] for role in results.unused_columns if role in reading.columns]
    results = dataclasses.replace(results, columns=dict(reading.columns), source=source, n_rows=sizes.total())
    return with_unused(results, [*reading.unused_columns, *dropped])


def part_of_dataset(
    name: str,
    n_rows: int,
    groups: Sequence[pads.Fragment],
    schema: pa.Schema,
    columns: list[str],
    roles: Roles,
    request: Request,
    settings: Settings,
    source: str,
) -> Results:
    """Read the rows of one dataset from the groups of rows that hold some, and lay their scores out.

    Raises
    ------
    ReportkitError
        If rows cannot be read, or do not fit.
    NotInPartsError
        If a finding turns up that would concern all rows.
    """
    try:
        mixed = sum(group.count_rows() for group in groups) > n_rows
        own = {"filter": pads.field(roles.roles["dataset"]) == name} if mixed else {}
        frame = _frame(pa.concat_tables([group.to_table(schema, columns=columns, **own) for group in groups]))
    except _DAMAGED as error:
        raise _unreadable(f"the dataset {name!r}", error) from None
    reading, _ = understood_table(frame, request, roles=roles)
    part = laid_out(reading.frame, asked_of(reading, settings, source))
    if reading.findings or part.findings or any(block.shape != "paired" for block in part):
        raise NotInPartsError("rows are repeated or left out, or are not one score per system and instance")
    return part


def _sample(table: pads.Dataset) -> pd.DataFrame:
    """Read blocks of rows from all parts of the files, to learn what the columns hold.

    A scanner would decode whole groups of rows, several at a time.
    """
    groups = [group for piece in table.get_fragments() for group in piece.split_by_row_group()]
    chosen = groups[:: max(1, len(groups) // _SAMPLED_GROUPS)][:_SAMPLED_GROUPS]
    tables, names = [], table.schema.names
    for group in chosen:
        try:
            file = pq.ParquetFile(group.path, filesystem=group.filesystem, metadata=group.metadata)
            first = islice(file.iter_batches(_SAMPLED_ROWS, row_groups=[group.row_groups[0].id]), 1)
            rows, folders = (
                pa.Table.from_batches(first, file.schema_arrow),
                pads.get_partition_keys(group.partition_expression),
            )
            columns = [pa.repeat(folders[name], len(rows)) if name in folders else rows[name] for name in names]
            tables.append(pa.table(columns, names=names).cast(table.schema))
        except _DAMAGED as error:
            raise _unreadable(repr(group.path), error) from None
    return _frame(pa.concat_tables(tables))


def _frame(table: pa.Table) -> pd.DataFrame:
    """Make a frame, texts as categories."""
    for name in texts_of(table.schema):
        table = table.set_column(table.column_names.index(name), name, table[name].dictionary_encode())
    frame: pd.DataFrame = table.unify_dictionaries().to_pandas(split_blocks=True, self_destruct=True)
    return frame


def _unreadable(part: str, error: BaseException) -> Exception:
    return refusal("part-lost", " ".join(str(error).split())[:300], part=part)


def _refuse_too_large(name: str, n_rows: int, bytes_of_a_row: int, number: int, memory: int, source: str) -> None:
    """Refuse a dataset whose rows do not fit into the memory of a worker: half of what each is given."""
    each = math.ceil(2 * n_rows * bytes_of_a_row / 1e6)
    alone = f", or {each}MB with one worker" if number > 1 else ""
    size = {"each": each, "all": each * number, "allowed": 2 * memory / 1e6, "n_rows": n_rows}
    raise refusal("dataset-too-large", None, of=None, name=name, source=source, alone=alone, **size)
