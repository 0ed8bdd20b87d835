"""From files that need not fit into memory to results: their datasets are read some at a time."""

from __future__ import annotations

import dataclasses
import math
import tempfile
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from reportkit.errors import ReadingError, ReportkitError
from reportkit.in_pieces import Run
from reportkit.readers.format import Format
from reportkit.readers.source import Source
from reportkit.readers.understood import Request
from reportkit.scale.header import Header, header_of, refuse_unknown_datasets
from reportkit.scale.places import Listed
from reportkit.scale.scores_on_disk import ScoresOnDisk
from reportkit.scale.units import NAMELESS, ParquetUnit, Piece, Place, pieces_of, units_of
from reportkit.scores.ingest import IngestedPart, OtherScaleError, gathered, part_from_frame
from reportkit.scores.results import Results
from reportkit.scores.scales import Group
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


@dataclass(frozen=True, slots=True)
class Workers:
    """Who reads and tests.

    Parameters
    ----------
    run : Run
        Calls a function for each piece of work.
    number : int
        How much is done at once.
    memory : int
        Bytes that each may use.
    """

    run: Run
    number: int
    memory: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How every unit is read.

    Parameters
    ----------
    recipes : tuple of (Recipe, Columns)
        For each metric that is read by itself, how, and which column plays which role.
    settings : Settings
        Missing scores, datasets that are looked at, datasets as the sample.
    source : str
        Name of the whole, for messages.
    partial : bool
        Whether there are datasets in other units, or not read.
    divided : tuple of (frozenset of (str, str) or None)
        For each recipe, whose scores are to be divided by 100; None where that is not decided yet.
    """

    recipes: tuple[tuple[Recipe, Columns], ...]
    settings: Settings
    source: str
    partial: bool
    divided: tuple[frozenset[Group] | None, ...]

    def dividing(self, recipe: int, divided: frozenset[Group]) -> Layout:
        """Decide which scores of one recipe are divided by 100."""
        chosen = [*self.divided]
        chosen[recipe] = divided
        return dataclasses.replace(self, divided=tuple(chosen))


def read_in_parts(
    found: Listed,
    request: Request,
    settings: Settings,
    workers: Workers,
    scratch: Path,
    *,
    progress: Progress | None = None,
) -> Results:
    """Read tables some datasets at a time; their scores are kept on disk.

    Parameters
    ----------
    found : Listed
        The files.
    request : Request
        What the user says of them.
    settings : Settings
        As for `reportkit.read`.
    workers : Workers
        Who reads.
    scratch : Path
        Folder for files of Parquet that are needed until everything is read.
    progress : callable, optional
        Called with (units read, units in all).

    Returns
    -------
    Results
        The same as if all rows had been read together.

    Raises
    ------
    NotInPartsError
        If the rows have to be read together.
    ReadingError
        If a part is damaged, or has vanished, or there is no memory for a dataset; the message names it.
    ReportkitError
        If scores do not fit.
    """
    places = [*found.places, *_as_parquet(found.others, request, workers.run, scratch)]
    header = header_of(places, request, settings)
    everything = pieces_of(header.places, header.dataset)
    pieces = _asked_for(everything, header, settings)
    columns_of_scores = max(len(columns.systems) for _, columns in header.recipes) or 1
    largest = max(workers.memory // (BYTES_OF_A_ROW * columns_of_scores), 1)
    n_rows = sum(piece.n_rows for piece in pieces)
    small = min(SMALL_UNIT, max(n_rows // (4 * workers.number), 1), largest)
    units = units_of(pieces, header.columns, small)
    if any(unit.n_rows > largest and len(unit.datasets) > 1 for unit in units):
        pieces = _asked_for(_sorted_by_dataset(pieces, header, workers.run, scratch), header, settings)
        units = units_of(pieces, header.columns, small)
    for unit in units:
        if unit.n_rows > largest:
            _refuse_too_large(unit, BYTES_OF_A_ROW * columns_of_scores, workers, found.source)
    unread = _names_of(everything) - _names_of(pieces)
    layout = Layout(
        recipes=header.recipes,
        settings=settings,
        source=found.source,
        partial=len(units) > 1 or bool(unread),
        divided=(None,) * len(header.recipes),
    )
    with tempfile.TemporaryFile(prefix="reportkit-") as file:
        results = _results(units, layout, workers.run, progress, unread, ScoresOnDisk(file))
    directions = direction_findings(results, settings.higher_is_better, settings.metrics)
    return dataclasses.replace(
        results,
        source=found.source,
        findings=(*header.notes, *found.notes, *directions, *results.findings),
        n_rows=sum(piece.n_rows for piece in everything),
    )


def _refuse_too_large(unit: ParquetUnit, bytes_of_a_row: int, workers: Workers, source: str) -> None:
    """Refuse a dataset whose rows do not fit into the memory of a worker: half of what each is given."""
    each = math.ceil(2 * unit.n_rows * bytes_of_a_row / 1e6)
    name = ", ".join(sorted(unit.datasets))
    raise ReadingError(
        f"the dataset {name!r} has {unit.n_rows:,} rows, and there is no memory to read them together",
        where=f"{source}: {each:,} MB are needed for each process, and {2 * workers.memory / 1e6:,.0f} MB are allowed",
        remedy=f"allow {each * workers.number}MB (--memory-limit {each * workers.number}MB, "
        f"memory_limit='{each * workers.number}MB')" + (f", or {each}MB with one worker" if workers.number > 1 else ""),
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
    refuse_unknown_datasets(settings.datasets, _names_of(pieces))
    wanted = {*settings.datasets, NAMELESS}  # that a row has no name is said by whoever reads it
    return [piece for piece in pieces if not piece.datasets.isdisjoint(wanted)]


def _names_of(pieces: Sequence[Piece]) -> frozenset[str]:
    return frozenset(chain.from_iterable(piece.datasets for piece in pieces))


def _results(
    units: Sequence[ParquetUnit],
    layout: Layout,
    run: Run,
    progress: Progress | None,
    unread: Set[str],
    scores: ScoresOnDisk,
) -> Results:
    """Read all units, and judge what only all of them show; some of them again, if they were read on another scale."""
    read: dict[int, list[IngestedPart]] = {}
    left = list(range(len(units)))
    settings = layout.settings
    while True:
        for n_done, (place, parts) in enumerate(run(ingest_unit, [(units[number], layout) for number in left]), 1):
            read[left[place]] = scores.put(left[place], parts)
            if progress is not None:
                progress(len(units) - len(left) + n_done, len(units))
        found = []
        for recipe, (how, _) in enumerate(layout.recipes):
            own = [(number, read[number][recipe]) for number in sorted(read) if read[number]]
            try:
                results = gathered(
                    list(scores.with_scores(own, recipe)),
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
                left = [number for number, part in own if not error.wrong.isdisjoint(part.in_percent.counts)]
                break
            found.append(how.named(results))
        else:
            together = found[0] if len(found) == 1 else joined(found)
            return together.select(datasets=settings.datasets)


def ingest_unit(unit: ParquetUnit, layout: Layout) -> list[IngestedPart]:
    """Read the rows of some datasets, and lay their scores out: one part for each recipe, none if there are no rows.

    Raises
    ------
    ReportkitError
        If rows cannot be read, or do not fit.
    """
    frame = unit.frame()
    if frame.empty:
        return []
    settings = layout.settings
    return [
        part_from_frame(
            frame,
            columns,
            higher_is_better=recipe.higher_is_better,
            kind=recipe.kind,
            missing=settings.missing,
            metric=recipe.metric,
            across_datasets=settings.across_datasets,
            source=layout.source,
            partial=layout.partial,
            divided=chosen,
            datasets=settings.datasets,
        )
        for (recipe, columns), chosen in zip(layout.recipes, layout.divided, strict=True)
    ]


def _as_parquet(others: Sequence[tuple[Source, Format]], request: Request, run: Run, scratch: Path) -> Iterator[Place]:
    """Write files of other formats as files of Parquet, read by the readers of their formats."""
    arguments = [
        (source, known.name, request.columns or None, request.systems, str(scratch / _name(number, source)))
        for number, (source, known) in enumerate(others)
    ]
    made: dict[int, str] = dict(run(_convert, arguments))
    return (Place(made[number]) for number in range(len(others)))


def _name(number: int, source: Source) -> str:
    """Return a file in a folder of its own, with the names that say something."""
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


def _sorted_by_dataset(pieces: Sequence[Piece], header: Header, run: Run, scratch: Path) -> list[Piece]:
    """Write rows anew where every row group holds many datasets, so that each holds one."""
    arguments: list[tuple[ParquetUnit, str, str]] = []
    for piece in pieces:
        for group in piece.groups:
            target = str(scratch / f"sorted-{len(arguments)}.parquet")
            alone = dataclasses.replace(piece, groups=(group,))
            arguments.append((ParquetUnit((alone,), header.columns), header.dataset, target))
    made: dict[int, str] = dict(run(_sort_piece, arguments))
    return pieces_of([Place(made[number]) for number in range(len(arguments))], header.dataset)


def _sort_piece(unit: ParquetUnit, dataset: str, target: str) -> str:
    table = pa.concat_tables(unit.tables(), promote_options="default").unify_dictionaries()
    _write_by_dataset(table, dataset, target)
    return target
