"""Read tables dataset by dataset, where they exceed memory or somebody asks for it."""

from __future__ import annotations

import dataclasses
import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from reportkit.analysis.read_results import columns_said, directions_of, with_unused
from reportkit.errors import ReadingError, ReportkitError, SettingsError, UnknownNameError
from reportkit.language.counts_and_lists import listed
from reportkit.parallel import WorkerLostError, Workers, available_memory, parallel_map
from reportkit.scores.files import LARGE, bytes_of_files
from reportkit.scores.ingest import IngestedPart, NotInPartsError, gathered, part_from_frame
from reportkit.scores.large_tables import LargeTable, Unit, large_table
from reportkit.scores.read import understood_table
from reportkit.scores.remote import is_url, name_of
from reportkit.scores.results import Results
from reportkit.scores.table.names import natural_order
from reportkit.scores.table.score_table import Asked
from reportkit.scores.understanding import Request, Roles
from reportkit.settings import Settings
from reportkit.settings.arguments import Progress

BYTES_OF_A_ROW = 60
"""What a row of the long form takes in memory while it is laid out."""
_SMALL = 1_000_000  # rows up to which datasets are read together
_UNITS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}


@dataclass(frozen=True, slots=True)
class Layout:
    """How every unit is read."""

    roles: Roles
    request: Request
    settings: Settings
    source: str
    partial: bool

    def asked(self) -> Asked:
        """Return what the user says of all units."""
        settings = self.settings
        return Asked(
            kind=settings.kind,
            missing=settings.missing,
            across_datasets=settings.across_datasets,
            partial=self.partial,
            source=self.source,
        )


def read_large(
    paths: Sequence[str | Path],
    settings: Settings,
    request: Request,
    *,
    workers: Workers | None = None,
    memory_limit: str | float | None = None,
) -> Results | None:
    """Read results dataset by dataset where that is asked for, or has to be; None where they are small.

    Parameters
    ----------
    paths : sequence of str or Path
        Files, folders, patterns or URLs.
    settings, request
        As for `read_results`.
    workers : Workers, optional
        Who reads; this process, if not given.
    memory_limit : str or float, optional
        Of all who read; where it is given, small results are read in parts, too.

    Raises
    ------
    ReportkitError
        If results cannot be read, or have to be read together and there is no memory for that.
    """
    number, memory = _shares(workers, memory_limit)
    remote = any(map(is_url, paths))
    if remote and not all(map(is_url, paths)):
        raise SettingsError(
            "paths of this machine and URLs are mixed",
            where=listed([str(path) for path in paths], 4),
            remedy="give the files of one of them",
        )
    with tempfile.TemporaryDirectory(prefix="reportkit-") as folder:
        scratch = Path(folder)
        size, reason = 0.0, "they are no tables of Parquet or CSV"
        problem: ReportkitError | None = None
        try:
            table = large_table(paths, scratch / "parquet") if request.format is None else None
            if table is None:
                size = 0.0 if remote else 3.0 * bytes_of_files(paths)
            else:
                size = float(table.n_rows * BYTES_OF_A_ROW)
                if not (remote or memory_limit is not None or size > LARGE):
                    return None
                source = listed([name_of(str(one)) if remote else Path(one).resolve().name for one in paths], 3)
                return _by_dataset(table, request, settings, source, workers, number, memory, scratch)
        except NotInPartsError as error:
            reason = str(error)
        except (ReadingError, WorkerLostError, UnknownNameError):
            raise
        except ReportkitError as error:  # said of all rows, if there is memory for them
            problem, reason = error, error.problem
        if size > memory:
            raise problem or ReadingError(
                f"the results have to be read together, since {reason}",
                where=f"this takes about {size / 1e9:.1f} GB of memory, and {memory / 1e9:.1f} GB are allowed",
                remedy="give more memory (--memory-limit), or write Parquet with one row per system, dataset and "
                "instance",
            )
        return None


def _by_dataset(
    table: LargeTable,
    request: Request,
    settings: Settings,
    source: str,
    workers: Workers | None,
    number: int,
    memory: int,
    scratch: Path,
) -> Results:
    """Read some datasets at a time; their scores are kept in a file.

    Returns
    -------
    Results
        The same as if all rows had been read together.

    Raises
    ------
    NotInPartsError
        If the rows have to be read together.
    ReadingError
        If a part is damaged, or there is no memory for a dataset; the message names it.
    """
    reading, roles = understood_table(table.sample(), request, decimal=settings.decimal)
    if roles.form not in ("long", "wide") or roles.row_order or "dataset" not in roles.roles or reading.computed:
        raise NotInPartsError("they are not one score per system, dataset and instance")
    if reading.findings:
        raise NotInPartsError(reading.findings[0].message)
    dataset = roles.roles["dataset"]
    scores = [roles.roles["score"]] if "score" in roles.roles else list(roles.metrics)
    columns = list(dict.fromkeys([*roles.roles.values(), *roles.columns, *scores]))
    columns = [name for name in columns if name in table.names]
    largest = max(memory // (BYTES_OF_A_ROW * max(1, len(roles.columns))), 1)
    small = min(_SMALL, max(table.n_rows // (4 * number), 1), largest)
    units = table.units(columns, dataset, small)
    if not units:
        units = table.by_dataset(columns, dataset, scratch / "by-dataset").units(columns, dataset, small)
    every = [name for unit in units for name in unit.datasets]
    for unit in units:
        if unit.n_rows > largest:
            _refuse_too_large(unit, BYTES_OF_A_ROW * max(1, len(roles.columns)), number, memory, source)
    if settings.datasets is not None:
        for name in settings.datasets:
            if name not in every:
                raise UnknownNameError("dataset", name, natural_order(set(every)))
        units = [unit for unit in units if {*unit.datasets} & {*settings.datasets}]
    unread = set(every) - {name for unit in units for name in unit.datasets}
    silent = dataclasses.replace(request, progress=Request().progress)  # what shows it does not leave this process
    layout = Layout(roles, silent, settings, source, len(units) > 1 or bool(unread))
    with tempfile.TemporaryFile(prefix="reportkit-") as file:
        results = _gathered(units, layout, workers, unread, _ScoresInFile(file), request.progress)
    results = dataclasses.replace(
        results.select(datasets=settings.datasets), columns=dict(reading.columns), source=source, n_rows=table.n_rows
    )
    return with_unused(results, reading.unused_columns)


def _gathered(
    units: Sequence[Unit],
    layout: Layout,
    workers: Workers | None,
    unread: set[str],
    scores: _ScoresInFile,
    progress: Progress,
) -> Results:
    """Read all units, and judge what only all of them show."""
    read: dict[int, IngestedPart] = {}
    for number, part in enumerate(parallel_map(part_of_unit, [(unit, layout) for unit in units], workers)):
        read[number] = scores.put(number, part)
        progress(len(read), len(units))
    parts = list(scores.parts(read))
    return gathered(parts, layout.asked(), mixed_scales=layout.settings.mixed_scales, unread=[*unread])


def part_of_unit(unit: Unit, layout: Layout) -> IngestedPart:
    """Read the rows of some datasets, and lay their scores out.

    Raises
    ------
    ReportkitError
        If rows cannot be read, or do not fit.
    """
    settings = layout.settings
    reading, _ = understood_table(unit.frame(), layout.request, decimal=settings.decimal, roles=layout.roles)
    if reading.findings or reading.computed:
        raise NotInPartsError(reading.findings[0].message)
    asked = dataclasses.replace(
        layout.asked(), higher_is_better=directions_of(reading, settings), columns=columns_said(reading)
    )
    return part_from_frame(reading.frame, asked, datasets=settings.datasets)


class _ScoresInFile:
    """Matrices of scores in a temporary file: the operating system brings in the pages that a test reads."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._size = 0
        self._starts: dict[tuple[int, int], int] = {}

    def put(self, unit: int, part: IngestedPart) -> IngestedPart:
        """Write the scores of a unit, and return what else is known of its datasets."""
        blocks = []
        for place, block in enumerate(part.blocks):
            if block.shape == "paired" and block.rated is None:
                self._starts[unit, place] = self._size
                self._file.write(np.ascontiguousarray(block.scores).data)
                self._size += block.scores.size
                block = dataclasses.replace(block, scores=np.empty((len(block.systems), 0)))
            blocks.append(block)
        return dataclasses.replace(part, blocks=tuple(blocks))

    def parts(self, read: dict[int, IngestedPart]) -> Iterator[IngestedPart]:
        """Yield parts in the order of their units, with scores as arrays that show the file."""
        self._file.flush()
        every = np.memmap(self._file, np.float64, "r").view(np.ndarray) if self._size else np.empty(0)
        for unit in sorted(read):
            blocks = []
            for place, block in enumerate(read[unit].blocks):
                if (start := self._starts.get((unit, place))) is not None:
                    scores = every[start : start + len(block.systems) * block.n_instances]
                    block = dataclasses.replace(block, scores=scores.reshape(len(block.systems), -1))
                blocks.append(block)
            yield dataclasses.replace(read[unit], blocks=tuple(blocks))


def _refuse_too_large(unit: Unit, bytes_of_a_row: int, number: int, memory: int, source: str) -> None:
    """Refuse a dataset whose rows do not fit into the memory of a worker: half of what each is given."""
    each = math.ceil(2 * unit.n_rows * bytes_of_a_row / 1e6)
    raise ReadingError(
        f"the dataset {', '.join(unit.datasets)!r} has {unit.n_rows:,} rows, and there is no memory to read them "
        "together",
        where=f"{source}: {each:,} MB are needed for each process, and {2 * memory / 1e6:,.0f} MB are allowed",
        remedy=f"allow {each * number}MB (--memory-limit {each * number}MB, memory_limit='{each * number}MB')"
        + (f", or {each}MB with one worker" if number > 1 else ""),
    )


def _shares(workers: Workers | None, memory_limit: str | float | None) -> tuple[int, int]:
    """Return how many read, and the bytes of each: half of its share, for what reading takes besides the rows."""
    number = 1 if workers is None else workers.number
    memory = available_memory() // 2 if workers is None else workers.memory
    return number, (memory if memory_limit is None else bytes_of(memory_limit) // number) // 2


def bytes_of(text: str | float) -> int:
    """Return the bytes of a size as people write it.

    Raises
    ------
    SettingsError
        If it is no size, or less than 50 MB.

    Examples
    --------
    >>> bytes_of("2GB"), bytes_of("500 MB"), bytes_of(1e8)
    (2000000000, 500000000, 100000000)
    """
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)i?b?\s*", str(text), flags=re.I)
    size = float(text) if isinstance(text, int | float) else float(found[1]) * _UNITS[found[2].lower()] if found else 0
    if size < 50e6:
        raise SettingsError(
            f"the memory limit is {text!r}",
            remedy="give at least 50 MB, as a number with its unit: '2GB' (--memory-limit 2GB)",
        )
    return int(size)


__all__ = ["bytes_of", "read_large"]
