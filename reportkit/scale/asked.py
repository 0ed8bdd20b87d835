"""What a user asks for beside the results: how much memory, how many workers, which cluster."""

from __future__ import annotations

import dataclasses
import logging
import os
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from reportkit.errors import ReadingError, ReportkitError, SettingsError, UnknownNameError
from reportkit.readers.lazy import Lazy, OfDask, lazy
from reportkit.readers.reading import is_url, read_results, request_of
from reportkit.scale.header import header_of_lazy
from reportkit.scale.holders import DataHolder, Here, Processes, WorkerLostError, available_memory
from reportkit.scale.on_dask import OnDask
from reportkit.scale.places import Listed, copied, listed_places
from reportkit.scale.reading import BYTES_OF_A_ROW, look_ahead, read_in_parts, read_shuffled, too_large
from reportkit.scale.units import FREED, Place
from reportkit.scores.ingest import NotInPartsError
from reportkit.scores.printed import PrintedResults
from reportkit.scores.results import Results
from reportkit.settings import Settings
from reportkit.settings.arguments import Progress

if TYPE_CHECKING:
    from distributed import Client

LARGE = 1e9
"""Bytes that a table takes in memory, above which its datasets are read one by one, though nobody asks for it."""

_UNITS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}


@dataclasses.dataclass(frozen=True, slots=True)
class Means:
    """Who does the work, and how much memory there is for it.

    Parameters
    ----------
    holder : DataHolder
        Reads, holds and tests.
    memory : int
        Bytes that one worker may use.
    asked : bool
        Whether the user asked for it: small results are read in parts, too.
    """

    holder: DataHolder
    memory: int
    asked: bool


def means_of(
    *,
    workers: int | None = None,
    cluster: str | None = None,
    client: Client | None = None,
    memory_limit: str | float | None = None,
    resume: str | Path | None = None,
    said: Callable[[str], None] | None = None,
) -> Means:
    """Find or start those who do the work.

    Parameters
    ----------
    workers : int, optional
        Processes of this machine: of Dask where it is installed, else of Python.
    cluster : str, optional
        Address of a scheduler of Dask, or the file that holds it.
    client : distributed.Client, optional
        A client of Dask that is there already.
    memory_limit : str or float, optional
        "2GB", or bytes; of all workers of this machine together.
    resume : str or Path, optional
        Folder in which finished tests are kept, and looked for.
    said : callable, optional
        Called with the text where no worker has come yet; by default, it is a warning.

    Raises
    ------
    SettingsError
        If two of them exclude each other, make no sense, or need a package that is not installed.
    WorkerLostError
        If no worker comes.
    """
    asked = not (workers is None and cluster is None and client is None and memory_limit is None and resume is None)
    found = _means(asked, workers, cluster, client, memory_limit, said)
    found.holder.finished = None if resume is None else Path(resume).resolve()
    return found


def _means(
    asked: bool,
    workers: int | None,
    cluster: str | None,
    client: Client | None,
    memory_limit: str | float | None,
    said: Callable[[str], None] | None,
) -> Means:
    if (cluster is not None) + (client is not None) + (workers is not None) > 1:
        raise SettingsError(
            "workers, a cluster and a client exclude each other",
            where="workers (--workers) are started here; a cluster (--cluster) and a client have workers of their own",
            remedy="give one of them",
        )
    limit = available_memory() // 2 if memory_limit is None else bytes_of(memory_limit)
    if client is not None or cluster is not None:
        holder = OnDask(client) if client is not None else OnDask(_connected(str(cluster)), owned=True)
        with ended_on_error(holder):
            holder.wait(said or warnings.warn)
        return Means(holder, _memory_of(holder.client), asked)
    if workers is not None:
        if isinstance(workers, bool) or workers < 1:
            raise SettingsError(f"workers is {workers!r}", remedy="give a whole number of at least 1 (--workers 2)")
        share = limit // workers
        return Means(_local(workers, share), share // 2, asked)
    return Means(Here(limit // 8), limit // 2, asked)  # the rest is for what reads and tests


def bytes_of(text: str | float) -> int:
    """Bytes of a size as people write it.

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


def held_results(
    source: Any,
    elsewhere: Mapping[str, Any],
    settings: Settings,
    *,
    progress: Progress | None = None,
    said: Callable[[str], None] | None = None,
    **reading: Any,
) -> Any:
    """Results that are read and held where the user says, or the source itself where it is small and nothing was said.

    Parameters
    ----------
    source : Results, DataFrame, path, URL or sequence of these, or a frame that is not in memory
        What `reportkit.compare` takes.
    elsewhere : mapping
        Arguments of `means_of`.
    settings : Settings
        As for `reportkit.read`.
    progress : callable, optional
        Called with (units read, units in all).
    said : callable, optional
        Called with where the work can be watched, and where no worker has come yet.
    **reading
        As for `reportkit.read`.
    """
    means = means_of(**(elsewhere or _client_there(source)), said=said)
    given = list(source) if isinstance(source, (list, tuple)) else [source]
    found: Any = None
    if said is not None and isinstance(means.holder, OnDask):
        said(f"work on Dask can be watched at {means.holder.client.dashboard_link}")
    with ended_on_error(means.holder):
        if all(isinstance(path, (str, os.PathLike)) for path in given):
            found = read_by(given, means, settings, progress=progress, **reading)
        elif (frame := lazy(source)) is not None and not reading.get("format") and not reading.get("filter"):
            found = read_lazy(frame, means, settings, progress=progress, **reading)
        if found is None and means.asked:
            found = (
                source
                if isinstance(source, (Results, PrintedResults))
                else read_results(source, settings=settings, **reading)
            )
        if isinstance(found, Results) and means.asked:
            found = means.holder.adopted(found)
    return source if found is None else found


def _client_there(source: object) -> dict[str, Any]:
    """The client of Dask that is there, if the results are a frame of Dask."""
    if not type(source).__module__.startswith("dask."):
        return {}
    distributed: Any
    try:
        import distributed

        return {"client": distributed.get_client()}
    except (ImportError, ValueError):
        return {}


@contextmanager
def ended_on_error(holder: DataHolder) -> Iterator[None]:
    """End workers that were started, if what they are for comes to nothing."""
    try:
        yield
    except BaseException:
        holder.close()
        raise


def read_lazy(
    source: Lazy,
    means: Means,
    settings: Settings,
    *,
    columns: Any = None,
    wide_systems: Sequence[str] | None = None,
    progress: Progress | None = None,
    **_: Any,
) -> Results | None:
    """Read a frame that is not in memory: shuffled by dataset on a cluster, or written as Parquet by its own engine.

    Columns that are not needed, and datasets that are not asked for, are not read.
    """
    request = request_of(settings.metrics, filter=None, format=None, columns=columns, wide_systems=wide_systems)
    try:
        if isinstance(source, OfDask) and isinstance(means.holder, OnDask):
            source = dataclasses.replace(source, computed=partial(means.holder.computed, name="DataFrame"))
            return read_shuffled(source, request, settings, means.holder, memory=means.memory, progress=progress)
        folder = means.holder.scratch / "lazy"
        header, where = header_of_lazy(source, request, settings)
        too_large(source, header, where, means.memory, means.holder)  # said before a row is written
        source.write(folder, header.columns, where)
        places = tuple(Place(str(path)) for path in sorted(folder.glob("*.parquet")))
        found = Listed(places=places, others=(), formats=("DataFrame",), notes=(), source="DataFrame")
        return read_in_parts(
            found,
            request,
            settings,
            means.holder,
            memory=means.memory,
            progress=progress,
            header=dataclasses.replace(header, places=places),
        )
    except NotInPartsError:
        return None


def read_by(
    paths: Sequence[str | Path],
    means: Means,
    settings: Settings,
    *,
    columns: Any = None,
    format: str | None = None,  # noqa: A002 - as the command calls it
    filter: str | None = None,  # noqa: A002
    system_a: str | None = None,
    system_b: str | None = None,
    wide_systems: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Results | PrintedResults | None:
    """Read results in parts where that is asked for, or has to be; None where they are small.

    Parameters
    ----------
    paths : sequence of str or Path
        Files, folders, patterns or URLs.
    means : Means
        Who does the work.
    settings, columns, format, filter, system_a, system_b, wide_systems
        As for `reportkit.read`.
    progress : callable, optional
        Called with (units read, units in all).

    Raises
    ------
    ReportkitError
        If results cannot be read, or have to be read together and there is no memory for that.
    """
    request = request_of(settings.metrics, filter=filter, format=format, columns=columns, wide_systems=wide_systems)
    found = listed_places(paths, request) if format is None or any(map(is_url, paths)) else None
    if found is None:
        return None
    size = bytes_in_memory(found)
    if not (means.asked or any(map(is_url, paths)) or size > LARGE):
        return None
    problem: ReportkitError | None = None
    try:
        if size > means.memory:
            look_ahead(found, request, settings, means.holder)
        return read_in_parts(found, request, settings, means.holder, memory=means.memory, progress=progress)
    except NotInPartsError as error:
        reason = str(error)
    except (ReadingError, WorkerLostError, UnknownNameError):
        raise
    except ReportkitError as error:  # said of all rows, if there is memory for them
        problem, reason = error, error.problem
    if size > means.memory:
        raise problem or ReadingError(
            f"the results have to be read together, since {reason}",
            where=f"this takes about {size / 1e9:.1f} GB of memory, and {means.memory / 1e9:.1f} GB are allowed",
            remedy="give more memory (--memory-limit), or write Parquet with one row per system, dataset and instance",
        )
    with tempfile.TemporaryDirectory(prefix="reportkit-") as folder:
        here = copied(list(map(str, paths)), Path(folder)) if any(map(is_url, paths)) else paths
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
    """What the rows of files take in memory, as their footers and sizes tell."""
    n_rows = sum(place.opened().metadata.num_rows for place in found.places)
    return float(n_rows * BYTES_OF_A_ROW + sum(3 * source.path.stat().st_size for source, _ in found.others))


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise SettingsError(
            "a cluster needs Dask, which is not installed", remedy="pip install 'reportkit-replic[dask]'"
        ) from None
    return distributed


def _connected(cluster: str) -> Client:
    distributed = _distributed()
    address = cluster
    if "://" not in cluster:
        file = Path(cluster)
        if not file.is_file():
            raise SettingsError(
                f"the cluster is {cluster!r}, which is neither an address nor a file with one",
                remedy="give the address of the scheduler (--cluster tcp://HOST:8786), or the file that it wrote "
                "(dask scheduler --scheduler-file scheduler.json)",
            )
        address = ""
    where = {"address": address} if address else {"scheduler_file": cluster}
    try:
        return cast("Client", distributed.Client(**where, timeout="15s", set_as_default=False))
    except (OSError, TimeoutError, ValueError) as error:
        raise SettingsError(
            f"no scheduler of Dask answers at {cluster!r}",
            where=" ".join(str(error).split())[:200],
            remedy="start one (dask scheduler), or check its address",
        ) from None


def _memory_of(client: Client) -> int:
    """Half of the memory of the smallest worker."""
    limits = [worker["memory_limit"] for worker in client.scheduler_info(n_workers=-1)["workers"].values()]
    return min([int(limit) for limit in limits if limit] or [available_memory() // 2]) // 2


def _local(workers: int, memory: int) -> DataHolder:
    dask: Any
    distributed: Any
    try:
        import dask
        import distributed
    except ImportError:
        return Processes(workers)
    kept = {f"distributed.nanny.pre-spawn-environ.MALLOC_{name}": value for name, (_, value) in FREED.items()}
    with dask.config.set(kept):
        cluster = distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=memory,
            dashboard_address=":0",
            silence_logs=logging.ERROR,
        )
    return OnDask(distributed.Client(cluster, set_as_default=False), owned=True)
