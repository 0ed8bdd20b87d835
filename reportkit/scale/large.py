"""Results of files that may be larger than memory: read some datasets at a time where that is asked for or needed."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError, ReportkitError, SettingsError, UnknownNameError
from reportkit.in_pieces import JoinedBy, Run, available_memory, one_by_one
from reportkit.readers.compression import members
from reportkit.readers.reading import is_url, read_results, request_of
from reportkit.readers.source import Source
from reportkit.scale.on_dask import OnDask, WorkerLostError
from reportkit.scale.places import Listed, copied, listed_places
from reportkit.scale.reading import BYTES_OF_A_ROW, Workers, read_in_parts
from reportkit.scores.ingest import NotInPartsError
from reportkit.scores.printed import PrintedResults
from reportkit.scores.results import Results
from reportkit.settings import Settings
from reportkit.settings.arguments import Progress

LARGE = 1e9
"""Bytes that a table takes in memory, above which its datasets are read one by one, though nobody asks for it."""

_UNITS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}


def bytes_of(text: str | float) -> int:
    """Bytes of a size as people write it.

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


def read_large(
    source: object,
    settings: Settings,
    *,
    run: Run | None = None,
    memory_limit: str | float | None = None,
    columns: Any = None,
    format: str | None = None,  # noqa: A002 - as the command calls it
    filter: str | None = None,  # noqa: A002
    system_a: str | None = None,
    system_b: str | None = None,
    wide_systems: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Results | PrintedResults | None:
    """Read results in parts where that is asked for, or has to be; None where they are small, or no files.

    Parameters
    ----------
    source : str, Path or sequence of these, or something else
        Files, folders, patterns or URLs.
    run : Run, optional
        Who reads; this process, if not given.
    memory_limit : str or float, optional
        Of all who read; where it is given, small results are read in parts, too.
    settings, columns, format, filter, system_a, system_b, wide_systems
        As for `reportkit.read`.
    progress : callable, optional
        Called with (units read, units in all).

    Raises
    ------
    ReportkitError
        If results cannot be read, or have to be read together and there is no memory for that.
    """
    given = source if isinstance(source, (list, tuple)) else [source]
    paths = [path for path in given if isinstance(path, (str, Path))]
    if len(paths) < len(given):
        return None
    workers = workers_of(run, memory_limit)
    request = request_of(settings.metrics, filter=filter, format=format, columns=columns, wide_systems=wide_systems)
    remote = any(map(is_url, paths))
    with tempfile.TemporaryDirectory(prefix="reportkit-") as folder:
        scratch = Path(folder)
        found = listed_places(paths, request, scratch / "listed") if format is None or remote else None
        if found is None:
            return None
        size = bytes_in_memory(found)
        if not (memory_limit is not None or remote or size > LARGE):
            return None
        problem: ReportkitError | None = None
        try:
            return read_in_parts(found, request, settings, workers, scratch, progress=progress)
        except NotInPartsError as error:
            reason = str(error)
        except (ReadingError, WorkerLostError, UnknownNameError):
            raise
        except ReportkitError as error:  # said of all rows, if there is memory for them
            problem, reason = error, error.problem
        if size > workers.memory:
            raise problem or ReadingError(
                f"the results have to be read together, since {reason}",
                where=f"this takes about {size / 1e9:.1f} GB of memory, and {workers.memory / 1e9:.1f} GB are allowed",
                remedy="give more memory (--memory-limit), or write Parquet with one row per system, dataset and "
                "instance",
            )
        here = copied(list(map(str, paths)), scratch / "copied") if remote else paths
        return read_results(
            list(here),
            settings=settings,
            columns=columns,
            format=format,
            filter=filter,
            system_a=system_a,
            system_b=system_b,
            wide_systems=wide_systems,
        )


def bytes_in_memory(found: Listed) -> float:
    """Estimate what the rows of files take in memory, from their footers and sizes."""
    n_rows = sum(place.opened().metadata.num_rows for place in found.places)
    return float(n_rows * BYTES_OF_A_ROW + 3 * _bytes_of_files([source for source, _ in found.others]))


def _bytes_of_files(sources: Sequence[Source]) -> int:
    """Sum the sizes of files, and of files in archives as they are outside of them."""
    archives = {source.archive for source in sources if source.archive is not None}
    inside = {archive / item.filename: item.file_size for archive in archives for item in members(archive)}
    return sum(
        len(source.content)
        if source.content is not None
        else inside[source.path]
        if source.archive is not None
        else source.path.stat().st_size
        for source in sources
    )


def workers_of(run: Run | None, memory_limit: str | float | None) -> Workers:
    """Say who reads files, and how much memory each may use: half of a share, for what reading takes beside them.

    Parameters
    ----------
    run : Run, optional
        Who does pieces of work; this process, if not given.
    memory_limit : str or float, optional
        Of all workers together; by default, half of this machine, or what the workers of a cluster have.
    """
    if isinstance(run, OnDask):
        number = run.workers
        share = run.memory if memory_limit is None else bytes_of(memory_limit) // number
    else:
        number = run.processes if isinstance(run, JoinedBy) else 1
        share = (available_memory() // 2 if memory_limit is None else bytes_of(memory_limit)) // number
    return Workers(run or one_by_one, number, share // 2)
