"""From files that need not fit into memory to results whose datasets are held elsewhere, read some at a time."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence, Set
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from reportkit.errors import ReportkitError
from reportkit.readers.format import Format
from reportkit.readers.lazy import Lazy, OfDask
from reportkit.readers.source import Source
from reportkit.readers.understood import Request
from reportkit.scale.by_instance import Division, by_instance, check_instances, n_parts_of, shuffled
from reportkit.scale.divided import check_room
from reportkit.scale.header import Header, header_of, header_of_lazy, refuse_unknown_datasets
from reportkit.scale.holders import DataHolder, Ingested
from reportkit.scale.ingest_unit import Layout, Unit
from reportkit.scale.on_dask import OnDask
from reportkit.scale.places import Listed
from reportkit.scale.units import NAMELESS, ParquetUnit, Piece, Place, pieces_of, units_of
from reportkit.scores.ingest import OtherScaleError, gathered
from reportkit.scores.results import Results
from reportkit.scores.screening import direction_findings
from reportkit.scores.several_metrics import Recipe, joined
from reportkit.scores.table.columns import Columns, recognise_columns
from reportkit.settings import Settings
from reportkit.settings.arguments import Progress

BYTES_OF_A_ROW = 60
"""What a row of the long form takes in memory while it is laid out."""

SMALL_UNIT = 1_000_000
"""Rows up to which datasets are read together."""

_ROWS_AT_ONCE = 4_000_000

_LOOKED_AT = 1 << 20
"""Bytes at the beginning of a file of text that show its columns."""


def read_in_parts(
    found: Listed,
    request: Request,
    settings: Settings,
    holder: DataHolder,
    *,
    memory: int,
    progress: Progress | None = None,
    header: Header | None = None,
) -> Results:
    """Read tables some datasets at a time; what is left of each is held by the holder.

    Parameters
    ----------
    found : Listed
        The files.
    request : Request
        What the user says of them.
    settings : Settings
        As for `reportkit.read`.
    holder : DataHolder
        Who reads, and holds what was read.
    memory : int
        Bytes that one worker may use.
    progress : callable, optional
        Called with (units read, units in all).
    header : Header, optional
        What is known of the columns; by default, what the files say.

    Returns
    -------
    Results
        The same as if all rows had been read together.

    Raises
    ------
    NotInPartsError
        If the rows have to be read together.
    ReadingError
        If a part is damaged, or has vanished; the message names it.
    ReportkitError
        If scores do not fit.
    """
    places = list(found.places)
    if found.others:
        places += _as_parquet(found.others, request, holder)
    header = header or header_of(places, request, settings)
    everything = pieces_of(header.places, header.dataset)
    pieces = _asked_for(everything, header, settings)
    largest = _largest(header.recipes, memory)
    n_rows = sum(piece.n_rows for piece in pieces)
    small = min(SMALL_UNIT, max(n_rows // (4 * holder.workers), 1), largest)
    units = units_of(pieces, header.columns, small)
    if any(unit.n_rows > largest and len(unit.datasets) > 1 for unit in units):
        pieces = _asked_for(_sorted_by_dataset(pieces, header, holder), header, settings)
        units = units_of(pieces, header.columns, small)
    roles = header.recipes[0][1].roles
    for unit in units:
        if unit.n_rows > largest:
            check_instances(unit, roles, memory, found.source, holder)
    parts: list[Unit] = []
    divisions = []
    for number, unit in enumerate(units):
        if unit.n_rows <= largest:
            parts.append(unit)
            continue
        together = by_instance(unit, f"by-instance-{number}", roles, largest, holder)
        divisions.append(Division(range(len(parts), len(parts) + len(together)), found.source))
        parts += together
    unread = _names_of(everything) - _names_of(pieces)
    whole = len(parts) == 1 and not header.unread.names | unread
    layout = Layout(recipes=header.recipes, settings=settings, source=found.source, partial=not whole)
    results = _results(parts, layout, holder, progress, divisions, memory, header.unread.names | unread)
    directions = direction_findings(results, settings.higher_is_better, settings.metrics)
    return dataclasses.replace(
        results,
        source=found.source,
        findings=(*header.notes, *found.notes, *directions, *results.findings),
        n_rows=header.unread.n_rows + sum(piece.n_rows for piece in everything),
    )


def _asked_for(pieces: Sequence[Piece], header: Header, settings: Settings) -> Sequence[Piece]:
    """Row groups of the datasets that are asked for; all, if names are no texts or whole numbers and may be spelt anew.

    Raises
    ------
    UnknownNameError
        If a dataset does not occur.
    """
    if settings.datasets is None or not header.names_are_plain:
        return pieces
    refuse_unknown_datasets(settings.datasets, _names_of(pieces) | header.unread.names)
    wanted = {*settings.datasets, NAMELESS}  # that a row has no name is said by whoever reads it
    return [piece for piece in pieces if not piece.datasets.isdisjoint(wanted)]


def _names_of(pieces: Sequence[Piece]) -> frozenset[str]:
    return frozenset(chain.from_iterable(piece.datasets for piece in pieces))


def _results(
    units: Sequence[Unit],
    layout: Layout,
    holder: DataHolder,
    progress: Progress | None,
    divisions: Sequence[Division] = (),
    memory: int = 0,
    unread: Set[str] = frozenset(),
) -> Results:
    """Read all units, and judge what only all of them show; some of them again, if they were read on another scale."""
    names = [f"unit-{number}" for number in range(len(units))]
    read: dict[int, Ingested] = {}
    left = list(range(len(units)))
    settings = layout.settings
    while True:
        for n_done, (place, parts) in enumerate(
            holder.ingest([units[number] for number in left], layout, [names[number] for number in left]), start=1
        ):
            read[left[place]] = parts
            if progress is not None:
                progress(len(units) - len(left) + n_done, len(units))
        found = []
        for recipe, (how, _) in enumerate(layout.recipes):
            own = {number: read[number][recipe] for number in sorted(read) if read[number]}
            try:
                for division in divisions:
                    own |= division.together(own, holder, memory)
                results = gathered(
                    [*own.values()],
                    higher_is_better=how.higher_is_better,
                    kind=how.kind,
                    missing=settings.missing,
                    mixed_scales=settings.mixed_scales,
                    across_datasets=settings.across_datasets,
                    source=layout.source,
                    unread=[*unread],
                )
            except OtherScaleError as error:
                layout = layout.dividing(recipe, error.divided)
                left = [
                    n
                    for n, parts in read.items()
                    if parts and not error.wrong.isdisjoint(parts[recipe].in_percent.counts)
                ]
                break
            found.append(how.named(results))
        else:
            together = found[0] if len(found) == 1 else joined(found)
            return together.select(datasets=settings.datasets)


def look_ahead(found: Listed, request: Request, settings: Settings, holder: DataHolder) -> None:
    """Say what the first rows of files that are no Parquet show already, before any of these files is rewritten.

    Raises
    ------
    NotInPartsError
        If the rows have to be read together.
    ReportkitError
        If columns are missing or ambiguous.
    """
    heads = []
    for number, (source, known) in enumerate(found.others):
        lines, _, _ = source.head(_LOOKED_AT).rpartition(b"\n")
        begin = Source(source.plain_path, source.on_disk, lines)
        target = str(holder.scratch / _name(number, source))
        try:
            heads.append(Place(_convert(begin, known.name, request.columns or None, request.systems, target)))
        except ReportkitError:
            return  # no format of lines: all of it has to be read
    header_of([*found.places, *heads], request, settings, alike=False)


def too_large(
    source: Lazy, header: Header, where: tuple[str, Sequence[Any]] | None, memory: int, holder: DataHolder
) -> dict[Any, int]:
    """Datasets that have to be divided, and their rows, as the columns of names tell, which alone are read.

    Raises
    ------
    ReadingError
        If there is no memory for the scores of two systems on one of them.
    """
    roles, largest = header.recipes[0][1].roles, _largest(header.recipes, memory)
    if "instance" not in roles:
        return {}
    counts = {name: n for name, n in source.counts(header.dataset).items() if where is None or name in where[1]}
    large = {name: n for name, n in counts.items() if n > largest}
    named = [roles[role] for role in ("system", "metric") if large and role in roles]
    in_an_instance = math.prod(len(source.counts(name)) for name in named)
    for name, n_rows in large.items():
        check_room(str(name), -(-n_rows // in_an_instance), memory, "DataFrame", holder.workers)
    return large


def read_shuffled(
    source: OfDask,
    request: Request,
    settings: Settings,
    holder: OnDask,
    *,
    memory: int,
    progress: Progress | None = None,
) -> Results:
    """Read a frame of Dask on the workers of a cluster, after Dask has brought the rows of each dataset together.

    Raises
    ------
    NotInPartsError
        If the rows have to be read together.
    ReadingError
        If there is no memory for the scores of two systems on a dataset; before a row is moved.
    """
    header, where = header_of_lazy(source, request, settings)
    roles, dataset, unread = header.recipes[0][1].roles, header.dataset, header.unread
    rows = source.some(header.columns, where)
    large = too_large(source, header, where, memory, holder)
    largest = _largest(header.recipes, memory)
    units = shuffled(
        rows[~rows[dataset].isin([*large])] if large else rows,
        dataset,
        max(source.source.npartitions, holder.workers),
        holder,
        "DataFrame",
    )
    divisions = []
    for name, n_rows in large.items():
        n_parts = n_parts_of(n_rows, largest)
        divisions.append(Division(range(len(units), len(units) + n_parts), "DataFrame"))
        units += shuffled(rows[rows[dataset] == name], roles["instance"], n_parts, holder, f"dataset {name!r}")
    layout = Layout(recipes=header.recipes, settings=settings, source="DataFrame")
    results = _results(units, layout, holder, progress, divisions, memory, unread.names)
    return dataclasses.replace(results, n_rows=results.n_rows + unread.n_rows)


def _largest(how: Sequence[tuple[Recipe, Columns]], memory: int) -> int:
    """Rows that there is memory for."""
    in_a_row = max(len(columns.systems) for _, columns in how) or 1
    return max(memory // (BYTES_OF_A_ROW * in_a_row), 1)


def _as_parquet(others: Sequence[tuple[Source, Format]], request: Request, holder: DataHolder) -> list[Place]:
    """Files of other formats as files of Parquet, read by the readers of their formats."""
    arguments = [
        (source, known.name, request.columns or None, request.systems, str(holder.scratch / _name(number, source)))
        for number, (source, known) in enumerate(others)
    ]
    made: dict[int, str] = dict(holder.run(_convert, arguments))
    return [Place(made[number]) for number in range(len(others))]


def _name(number: int, source: Source) -> str:
    """A file in a folder of its own, with the names that say something."""
    keys = [part for part in source.path.parent.parts if "=" in part]
    plain = Path(source.plain_path.name)
    return str(Path(str(number), *keys, source.path.parent.name, f"{plain.name.removesuffix(plain.suffix)}.parquet"))


def _convert(source: Source, known: str, columns: Any, systems: Any, target: str) -> str:
    from reportkit.readers.formats import FORMATS

    try:
        frame = FORMATS[known].read(source, columns=columns, systems=systems)
    except PermissionError as error:
        raise source.unreadable(error) from None
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    try:
        names = recognise_columns(frame, columns, systems=systems, without_instances=True).roles
    except ReportkitError:
        names = {}
    _write_by_dataset(pa.Table.from_pandas(frame, preserve_index=False), names.get("dataset"), target)
    return target


def _write_by_dataset(table: pa.Table, dataset: str | None, target: str) -> None:
    """Write a file whose row groups hold one dataset each."""
    if dataset is None:
        pyarrow.parquet.write_table(table, target, row_group_size=_ROWS_AT_ONCE)
        return
    column = table[dataset]
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    codes = column.combine_chunks().indices.fill_null(-1).to_numpy(zero_copy_only=False)
    order = np.argsort(codes, kind="stable")
    bounds = np.flatnonzero(np.diff(codes[order], prepend=np.nan, append=np.nan))
    with pyarrow.parquet.ParquetWriter(target, table.schema) as writer:
        for start, stop in pairwise(bounds):
            writer.write_table(table.take(pa.array(order[start:stop])))


def _sorted_by_dataset(pieces: Sequence[Piece], header: Header, holder: DataHolder) -> list[Piece]:
    """Rows of files in which every row group holds many datasets, written anew so that each holds one."""
    arguments: list[tuple[ParquetUnit, str, str]] = []
    for piece in pieces:
        for group in piece.groups:
            target = str(holder.scratch / f"sorted-{len(arguments)}.parquet")
            alone = dataclasses.replace(piece, groups=(group,))
            arguments.append((ParquetUnit((alone,), header.columns), header.dataset, target))
    made: dict[int, str] = dict(holder.run(_sort_piece, arguments))
    return pieces_of([Place(made[number]) for number in range(len(arguments))], header.dataset)


def _sort_piece(unit: ParquetUnit, dataset: str, target: str) -> str:
    table = pa.concat_tables(unit.tables(), promote_options="default").unify_dictionaries()
    _write_by_dataset(table, dataset, target)
    return target
